package session_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// TestRowsThatTheServerRefuses tests pages whose request for rows, or for the content of a tab or a
// node, is refused. The page shows something else instead of this content, or nothing. Other failed
// requests do not matter.
func TestRowsThatTheServerRefuses(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	for path, status := range map[string]int{"/bad": http.StatusInternalServerError, "/forbidden": http.StatusForbidden, "/ok": http.StatusOK, "/icon": http.StatusNotFound, "/collect": http.StatusForbidden} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(status) })
	}
	const (
		table = `<table id=t><thead><tr><th id=h aria-sort=none><button id=hb>Order</button></th></tr></thead><tbody id=tb><tr><td>3<tr><td>1<tr><td>2</tbody></table>`
		pager = `<nav aria-label=pagination><button id=p1 aria-current=page>1</button><button id=p2>2</button><button>3</button></nav>`
		tabs  = `<div role=tablist><button role=tab id=a aria-selected=true>One</button><button role=tab id=b aria-selected=false>Two</button></div><div role=tabpanel id=p>Hello</div>`
		tree  = `<ul role=tree><li role=treeitem id=n aria-expanded=false><span>Files</span><ul role=group id=g></ul></li></ul>`

		sort   = `hb.onclick = async () => { h.ariaSort = 'ascending'; %s }`
		turn   = `p2.onclick = async () => { p1.removeAttribute('aria-current'); p2.setAttribute('aria-current', 'page'); %s }`
		show   = `b.onclick = async () => { a.ariaSelected = 'false'; b.ariaSelected = 'true'; p.textContent = ''; %s }`
		orders = `<table><thead><tr><th>Order<th>Do</thead><tbody><tr id=r><td>1003<td><button id=e>Approve</button><tr><td>1004<td><button>Approve</button></table>`
		press  = `e.onclick = async () => { %s }`
		unfold = `n.onclick = async () => { n.ariaExpanded = 'true'; %s }`

		empty = `tb.innerHTML = '<tr><td>Loading'; `
		three = `tb.innerHTML = '<tr><td>1<tr><td>2<tr><td>3'; `
		other = `fetch('/icon'); fetch('/collect'); `
	)
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	tests := []struct{ html, how, script, failed string }{
		{table, sort, empty + `await fetch('/bad'); tb.innerHTML = '<tr><td>Request failed'`, "no rows came"},
		{table, sort, empty + `await fetch('/bad'); tb.innerHTML = '<tr><td>No data'`, "no rows came"},
		{table + pager, turn, empty + `await fetch('/bad'); tb.innerHTML = '<tr><td>Could not load orders'`, "HTTP 500"},
		{table + pager, turn, empty + `await fetch('/forbidden'); tb.innerHTML = '<tr><td>Fehler beim Laden'`, "HTTP 403"},
		{pager + "<p id=m>Orders</p>", turn, `await fetch('/bad'); m.style.color = '#c00'; m.textContent = 'Orders could not be loaded'`, "HTTP 500"},
		{tabs, show, `await fetch('/bad'); p.innerHTML = '<div role=alert>Failed to load</div>'`, "Failed to load"},
		{tabs, show, `await fetch('/bad'); p.innerHTML = '<p>Fehler beim Laden</p>'`, "Fehler beim Laden"},
		{tabs, show, `await fetch('/bad')`, "HTTP 500"},
		{tree, unfold, `await fetch('/bad')`, "nothing has appeared below Files"},
		{tree, unfold, `await fetch('/bad'); g.innerHTML = '<li role=treeitem>Could not load</li>'`, "nothing has appeared below Files"},

		{orders, press, `await fetch('/bad', {method: 'POST'})`, "the server refused POST"},
		{orders, press, `await fetch('/forbidden', {method: 'DELETE'}); r.style.color = '#999'`, "the server refused DELETE"},

		{orders, press, `await fetch('/ok', {method: 'POST'}); r.cells[0].textContent = '1003, approved'`, ""},
		{orders, press, `await fetch('/bad'); r.cells[0].textContent = '1003, edited'`, ""},
		{orders, press, `fetch('/collect', {method: 'POST'}); r.cells[0].textContent = '1003, edited'`, ""},
		{table, sort, empty + `await fetch('/ok'); ` + three, ""},
		{table, sort, other + three, ""},
		{table, sort, empty + `await fetch('/bad'); await fetch('/ok'); ` + three, ""},
		{table + pager, turn, other + `tb.innerHTML = '<tr><td>7<tr><td>8'`, ""},
		{tabs, show, other + `p.textContent = 'There is no failure here that matters, as this text is much longer than what a page says of one: ' + 'x '.repeat(200)`, ""},
		{tabs, show, other + `p.textContent = 'Details'`, ""},
		{tabs, show, `await fetch('/bad'); p.innerHTML = '<ul><li>failed</ul>'`, ""},
		{tree, unfold, other + `g.innerHTML = '<li role=treeitem>a.txt</li>'`, ""},
		{tree, unfold, `fetch('/ok').then(() => { g.innerHTML = '<li role=treeitem>a.txt</li>' })`, ""},
	}
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		var i int
		fmt.Sscan(r.URL.Query().Get("i"), &i)
		fmt.Fprintf(w, "<!doctype html><h1>Orders</h1>%s<script>%s</script>", tests[i].html, fmt.Sprintf(tests[i].how, tests[i].script))
	})
	uses := map[string]struct {
		action string
		params object
	}{
		sort:   {"components:table:sort", object{"column": "Order"}},
		turn:   {"components:pagination:go", object{"page": 2}},
		show:   {"components:tabs:switch", object{"text": "Two"}},
		press:  {"components:table:row-action", object{"row": "1003", "text": "Approve"}},
		unfold: {"components:tree:expand", object{"path": []any{"Files"}}},
	}
	rows := make([]int, len(tests))
	for i := range tests {
		rows[i] = i
	}
	for _, i := range testkit.Some(t, "rows", 8, rows) {
		tt := tests[i]
		t.Run(fmt.Sprintf("%s/%s", uses[tt.how].action, tt.script), func(t *testing.T) {
			t.Parallel()
			b := b.beside(t)
			b.open(t, fmt.Sprintf("%s/?i=%d", base, i))
			r := b.run(t, uses[tt.how].action, uses[tt.how].params)
			if tt.failed != "" {
				wantError(t, r, diag.StepFailed, tt.failed)
			} else if r.Error != nil {
				t.Error(describe(r.Error))
			}
		})
	}
}
