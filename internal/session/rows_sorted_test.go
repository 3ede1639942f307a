package session_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

// TestTableSortAsShown tests headers that claim an order that the rows do not have. The rows show
// numbers or dates, and appear immediately or later.
func TestTableSortAsShown(t *testing.T) {
	t.Parallel()
	tests := []struct{ values, by, fails, warns string }{
		{"30 4 200", "a < b ? -1 : 1", "opposite order", ""},
		{"30 4 200 5", "a < b ? -1 : 1", "order of their characters", ""},
		{"1009 12 1003 18", "a < b ? -1 : 1", "order of their characters", ""},
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
	type use struct {
		i   int
		how string
	}
	var uses []use
	for i := range tests {
		uses = append(uses, use{i, ""}, use{i, "&late"})
	}
	kind := func(i int) any { return tests[uses[i].i].fails + tests[uses[i].i].warns }
	for _, use := range testkit.Kinds(t, "tables", 5, uses, kind) {
		i, tt, how := use.i, tests[use.i], use.how
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

// TestTableSortOfPlacedRows sorts a grid of AG Grid, which leaves its rows in the document as they
// came first and gives each its position by a style.
func TestTableSortOfPlacedRows(t *testing.T) {
	t.Parallel()
	html := `<h1>People</h1><div id=g style="height:400px;width:600px"></div><script src=/npm/ag-grid.js></script><script>
		agGrid.createGrid(g, { columnDefs: [{ field: 'name' }, { field: 'age' }],
			rowData: [['Cid', 30], ['Ann', 200], ['Bob', 4], ['Dan', 77], ['Eva', 9]].map(([name, age]) => ({ name, age })) })</script>`
	mux := muxShowing(&html)
	mux.Handle("GET /npm/", pages.Handler())
	b := newBench(t, nil, nil)
	b.open(t, serve(t, mux))
	for order, want := range map[string]string{"ascending": "4 9 30 77 200", "descending": "200 77 30 9 4"} {
		r := b.run(t, "components:table:sort", object{"column": "Age", "order": order})
		data(t, r)
		if len(r.Warnings) > 0 {
			t.Errorf("%s: the warnings are %v, want none", order, r.Warnings)
		}
		var got []string
		for _, row := range b.mustRun(t, "components:table:read", nil)["rows"].([]any) {
			got = append(got, fmt.Sprint(row.(object)["Age"]))
		}
		if said := strings.Join(got, " "); said != want {
			t.Errorf("%s: the rows are %s, want %s", order, said, want)
		}
	}
}
