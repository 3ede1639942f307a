package session_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// TestFormSubmitNamesWhatWasTyped checks pages that come again with an empty form and name what was
// typed: in a row it is proof, in a message of unknown words it is none.
func TestFormSubmitNamesWhatWasTyped(t *testing.T) {
	t.Parallel()
	const list, table, refuses = "<ul><li>Ann<li>Cy</ul>", "<table><tr><td>Ann</table>", "Bob has another team"
	rows := []struct{ name, before, after, says string }{
		{"a list of messages", list, "<ul class=messages><li class=warning>" + refuses + "</ul>" + list, noSuccess},
		{"a list of flashes", list, "<ul class=flashes><li class=message>" + refuses + "</ul>" + list, noSuccess},
		{"a paragraph", list, "<p>" + refuses + "</p>" + list, noSuccess},
		{"a paragraph above a table", table, "<p>Bob needs an invitation</p>" + table, noSuccess},
		{"a paragraph in German", list, "<p>Bob gehört zu einem anderen Team</p>" + list, noSuccess},
		{"a paragraph in Chinese", list, "<p>Bob 属于另一个团队</p>" + list, noSuccess},
		{"a part", list, "<div>" + refuses + "</div>" + list, noSuccess},
		{"a list of unknown kind", list, "<ul><li>" + refuses + "</ul>" + list, noSuccess},
		{"a limit in a row", list, "<ul><li>Ann<li>Cy<li>Limit reached</ul>", noSuccess},
		{"another row", list, "<ul><li>Ann<li>Zed<li>Cy</ul>", noSuccess},
		{"a limit in a row of a table", table, "<table><tr><td>Ann<tr><td>Nur zwei Personen</table>", "another row, but not what was typed"},

		{"a row", list, "<ul><li>Ann<li>Bob<li>Cy</ul>", ""},
		{"a row that says more", list, "<ul><li>Ann<li>Bob has been invited<li>Cy</ul>", ""},
		{"a row in capitals", list, "<ul><li>Ann<li>BOB (pending)<li>Cy</ul>", ""},
		{"a row of a table", table, "<table><tr><td>Ann<tr><td>Bob<td>waits for you</table>", ""},
		{"the first row", "", "<ul><li>Bob is new here</ul>", ""},
		{"a row below a success", list, "<p>Bob was added</p><ul><li>Ann<li>Bob<li>Cy</ul>", ""},
		{"a row below other words", list, "<p>Say hello to Bob</p><ul><li>Ann<li>Bob<li>Cy</ul>", ""},
		{"a success", list, "<p>Bob was added to the team</p>" + list, ""},
		{"a card", "<div><b>Ann</b></div>", "<div><b>Ann</b></div><div><b>Bob</b> (new)</div>", ""},
		{"what was typed behind a label", "", "<p>Name: Bob</p>", ""},
		{"a sentence that was there for another", "<p>Signed in as Rob</p>", "<p>Signed in as Bob</p>", ""},
	}
	page := func(w http.ResponseWriter, at, html string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><title>Team</title><h1>Team</h1><form action=%s method=post><label>Name <input name=t></label><button>Add</button></form>%s", at, html)
	}
	mux := http.NewServeMux()
	for i, tt := range rows {
		at := fmt.Sprintf("/%d/", i)
		mux.HandleFunc("GET "+at, func(w http.ResponseWriter, r *http.Request) {
			html := tt.before
			if strings.HasSuffix(r.URL.Path, "then") {
				html = tt.after
			}
			page(w, at, html)
		})
		mux.Handle("POST "+at, http.RedirectHandler(at+"then", http.StatusSeeOther))
	}
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	for _, i := range testkit.Kinds(t, "pages that name what was typed", 5, indexes(rows), func(i int) any { return rows[i].says }) {
		tt := rows[i]
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := b.beside(t)
			b.open(t, fmt.Sprintf("%s/%d/", base, i))
			b.mustRun(t, "components:input:fill", object{"label": "Name", "value": "Bob"})
			r := b.run(t, "components:form:submit", nil)
			if tt.says != "" {
				wantError(t, r, diag.StepFailed, tt.says)
			} else if r.Error != nil {
				t.Error(describe(r.Error))
			}
		})
	}
}
