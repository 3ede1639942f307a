package session_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
)

// TestTableSortAsShown tests headers that claim an order that the rows do not have. The rows show
// numbers or dates, and appear immediately or later.
func TestTableSortAsShown(t *testing.T) {
	t.Parallel()
	tests := []struct{ values, by, fails, warns string }{
		{"30 4 200", "a < b ? -1 : 1", "opposite order", ""},
		{"30 4 200 5", "a < b ? -1 : 1", "", "not_sorted"},
		{"3 1 2 5", "0", "", "not_sorted"},
		{"01.03.2026 02.02.2026 03.01.2026", "a < b ? -1 : 1", "opposite order", ""},

		{"30 4 200", "a - b", "", ""},
		{"007 030 0200", "a < b ? -1 : 1", "", ""},
		{"−30 −4 −200", "parseFloat(a.replace('−', '-')) - parseFloat(b.replace('−', '-'))", "", ""},
		{"Low High Medium", "'LMH'.indexOf(a[0]) - 'LMH'.indexOf(b[0])", "", ""},
		{"01.03.2026 02.02.2026 03.01.2026", "a.slice(3) < b.slice(3) ? -1 : 1", "", ""},
	}
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		var i int
		fmt.Sscan(r.URL.Query().Get("i"), &i)
		draw := "draw()"
		if r.URL.Query().Has("late") {
			draw = "fetch('/').then(draw)"
		}
		fmt.Fprintf(w, `<!doctype html><table><thead><tr><th>No<th id=h aria-sort=none><button onclick="rows.sort((a, b) => %s); h.ariaSort='ascending'; %s">Total</button></thead><tbody id=tb></tbody></table><script>
const rows = %q.split(' ')
const draw = () => { tb.innerHTML = rows.map((v, i) => '<tr><td>A-' + i + '<td>' + v).join('') }
draw()</script>`, tests[i].by, draw, tests[i].values)
	}))
	b := newBench(t, nil, nil)
	for i, tt := range tests {
		for _, how := range []string{"", "&late"} {
			b.open(t, fmt.Sprint(base, "/?i=", i, how))
			r := b.run(t, "components:table:sort", object{"column": "Total"})
			if tt.fails != "" {
				wantError(t, r, diag.VerifyFailed, tt.fails)
				continue
			}
			data(t, r)
			if said := fmt.Sprint(r.Warnings); strings.Contains(said, "not_sorted") != (tt.warns != "") {
				t.Errorf("%s by %s%s: the warnings are %s, want %q", tt.values, tt.by, how, said, tt.warns)
			}
		}
	}
}
