package session_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// TestDialogsThatPost checks dialogs whose form is posted, after which the server leads to a page. One
// that is as before, in its texts, rows and controls, proves nothing.
func TestDialogsThatPost(t *testing.T) {
	t.Parallel()
	const (
		row  = `<tr><td>Plan<td><button onclick=d.showModal()>Delete</button>`
		page = `<!doctype html><title>Files</title><h1>Files</h1>%s<table><tr><th>Name<th></tr>%s</table>
<dialog id=d aria-labelledby=t><h2 id=t>Delete Plan?</h2><form action=/post%s method=post><button>Delete</button><button type=button onclick=d.close()>Cancel</button></form></dialog>`
	)
	rows := []struct{ path, message, rows, says string }{
		{"/same", "", row, "the page came back unchanged"},
		{"/message", "<p>Plan wird noch verwendet</p>", row, "no known words of success"},
		{"/gone", "", "", ""},
		{"/said", "<p role=status>Plan was deleted</p>", "", ""},
		{"/picture", `<img alt="" width=9 height=9 src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">`, row, ""},
		{"/marked", "", strings.Replace(row, "Plan", "Plan (deleted)", 1), ""},
	}
	mux := http.NewServeMux()
	show := func(w http.ResponseWriter, message, rows, path string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, page, message, rows, path)
	}
	for _, tt := range rows {
		mux.HandleFunc("GET "+tt.path, func(w http.ResponseWriter, _ *http.Request) { show(w, "", row, tt.path) })
		mux.HandleFunc("GET /then"+tt.path, func(w http.ResponseWriter, _ *http.Request) { show(w, tt.message, tt.rows, tt.path) })
	}
	mux.HandleFunc("POST /post/", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/then"+strings.TrimPrefix(r.URL.Path, "/post"), http.StatusSeeOther)
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	for _, tt := range testkit.Kinds(t, "dialogs that are posted", 4, rows, func(i int) any { return rows[i].says }) {
		b.open(t, base+tt.path)
		b.mustRun(t, "components:dialog:open", object{"text": "Delete"})
		r := b.run(t, "components:dialog:confirm", nil)
		switch {
		case tt.says != "":
			wantError(t, r, diag.StepFailed, tt.says)
		case r.Error != nil:
			t.Errorf("%s: %s", tt.path, describe(r.Error))
		}
	}
}
