package session_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/npm"
)

// TestFormSubmitWithTurbo checks forms that Turbo sends by script, and whose page it then replaces by
// the one to which the server redirects. A page that is as before proves nothing, as without Turbo.
func TestFormSubmitWithTurbo(t *testing.T) {
	t.Parallel()
	const (
		list = `<h1>Users</h1>%s<table><tr><th>Name<tr><td>Ada%s</table>`
		form = `<form action=/post%s method=post><label>Name <input name=n></label><button>Add</button></form>`
	)
	rows := []struct{ path, message, row, says string }{
		{"/same", "", "", "the page came back unchanged"},
		{"/flash", `<ul class=flashes><li>Seats are used up</ul>`, "", noSuccess},
		{"/named", `<p>Dora has another team</p>`, "", noSuccess},
		{"/row", "", "<tr><td>Dora", ""},
		{"/both", "<p>Dora was added</p>", "<tr><td>Dora", ""},
		{"/said", "<p class=notice>User was created</p>", "", ""},
	}
	dir, err := npm.Dir()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/npm/", npm.Handler(dir))
	page := func(w http.ResponseWriter, html string, args ...any) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>Users</title><script src=/npm/turbo.js></script>", fmt.Sprintf(html, args...))
	}
	for _, tt := range rows {
		mux.HandleFunc("GET "+tt.path, func(w http.ResponseWriter, _ *http.Request) { page(w, list+form, "", "", tt.path) })
		mux.HandleFunc("GET /then"+tt.path, func(w http.ResponseWriter, _ *http.Request) {
			page(w, list+form, tt.message, tt.row, tt.path)
		})
	}
	mux.HandleFunc("POST /post/", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/then"+strings.TrimPrefix(r.URL.Path, "/post"), http.StatusSeeOther)
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	for _, tt := range testkit.Kinds(t, "forms", len(rows), rows, func(i int) any { return rows[i].says }) {
		b.open(t, base+tt.path)
		b.mustRun(t, "components:input:fill", object{"label": "Name", "value": "Dora"})
		r := b.run(t, "components:form:submit", nil)
		switch {
		case tt.says != "":
			wantError(t, r, diag.StepFailed, tt.says)
		case r.Error != nil:
			t.Errorf("%s: %s", tt.path, describe(r.Error))
		}
	}
}
