package session_test

// Tests of trees and tables of the real libraries: paths with repeated names, nodes and rows that
// load late, and page numbers that the application resets.

import (
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/libraries"
	"github.com/actionregistry/action/testdata/npm"
)

const treeTablePage = `<!doctype html><html><head><meta charset="utf-8">{{range .Style}}<link rel="stylesheet" href="{{.}}">{{end}}</head><body><div id="app"></div>
{{range .Scripts}}<script src="{{.}}"></script>{{end}}
<script>
var picked = ''
const how = new URLSearchParams(location.search).get('how') || 'now'
const node = (name, key, ...children) => ({ title: name, label: name, key, id: key, value: key, ...(children.length ? { children } : {}) })
const nodes = [
	node('Work', 'w', node('Docs', 'wd', node('Notes', 'wdn')), node('Plans', 'wp')),
	node('Home', 'h', node('Docs', 'hd', node('Plans', 'hdp')), node('Home', 'hh', node('Home', 'hhh'))),
]
const rowsOf = (page, order) => [1, 2].map((i) => ({ key: page + '-' + i, id: page + '-' + i, name: order || 'none' }))
// How the page number and the rows change.
const come = {
	now: (show) => show(),
	timer: (show) => setTimeout(show, 600),
	fetch: (show) => fetch('/rows').then((r) => r.text()).then(show),
	back: (show) => show(),
	silent: () => {},
}[how]
</script>
<script>{{.App}}</script></body></html>`

const antdTrees = `
const h = React.createElement, { useState } = React
const lazyAt = (data, key, children) => data.map((n) => n.key === key ? { ...n, children } : n)
function Lazy() {
	const [data, setData] = useState([{ title: 'Late', key: 'late' }])
	const load = (n) => new Promise((done) => setTimeout(() => { setData((old) => lazyAt(old, 'late', [{ title: 'Inner', key: 'inner', isLeaf: true }])); done() }, 400))
	return h(antd.Tree, { treeData: data, loadData: load, onSelect: (keys) => { picked = keys.join() } })
}
function Orders() {
	const [page, setPage] = useState(1), [rows, setRows] = useState(rowsOf(1)), [order, setOrder] = useState('')
	const onChange = ({ current }, filters, sorter) => {
		const by = sorter.order ? sorter.order + 'ing' : ''
		setPage(current)
		setOrder(by)
		come(() => setRows(rowsOf(current, by)))
		if (how === 'back') setTimeout(() => { setPage(1); setRows(rowsOf(1)) }, 100)
	}
	const columns = [{ title: 'Id', dataIndex: 'id', sorter: true }, { title: 'Name', dataIndex: 'name' }]
	return h(antd.Table, { columns, dataSource: rows, pagination: { current: page, pageSize: 2, total: 10 }, onChange })
}
function App() {
	return h('div', { style: { width: 700 } },
		h('section', null, h('h2', null, 'Files'), h(antd.Tree, { treeData: nodes, onSelect: (keys) => { picked = keys.join() } })),
		h('section', null, h('h2', null, 'Lazy'), h(Lazy)),
		h('section', null, h('h2', null, 'Form'), h(antd.Form, null, h(antd.Form.Item, { label: 'Place' }, h(antd.TreeSelect, { treeData: nodes, style: { width: 300 }, onChange: (key) => { picked = 'field ' + key } })))),
		h('section', null, h('h2', null, 'Orders'), h(Orders)))
}
const root = document.getElementById('app')
if (ReactDOM.createRoot) ReactDOM.createRoot(root).render(h(App))
else ReactDOM.render(h(App), root)
`

const elementTrees = `
const plus = 'ElementPlus' in window
const treeSelect = plus ? '<section><h2>Form</h2><el-form label-width="80px"><el-form-item label="Place"><el-tree-select v-model="place" :data="nodes" node-key="id" value-key="id" check-strictly @change="(key) => take(\'field \' + key)"></el-tree-select></el-form-item></el-form></section>' : ''
const App = {
	data: () => ({ nodes, place: '', page: 1, rows: rowsOf(1), order: '' }),
	methods: {
		take(key) { picked = key },
		load(at, done) { setTimeout(() => done(at.level === 0 ? [{ label: 'Late' }] : at.level === 1 ? [{ label: 'Inner', id: 'inner', leaf: true }] : []), at.level ? 400 : 0) },
		renew() { const page = this.page, order = this.order; come(() => { this.rows = rowsOf(page, order) }) },
		go(page) {
			this.page = page
			this.renew()
			if (how === 'back') setTimeout(() => { this.page = 1; this.rows = rowsOf(1) }, 100)
		},
		sort({ order }) { this.order = order || ''; this.renew() },
	},
	template: '<div style="width: 700px"><section><h2>Files</h2><el-tree :data="nodes" node-key="id" :expand-on-click-node="false" highlight-current @node-click="(n) => take(n.id)"></el-tree></section>'
		+ '<section><h2>Lazy</h2><el-tree lazy :load="load" :props="{ label: \'label\', isLeaf: \'leaf\' }" highlight-current @node-click="(n) => take(n.id)"></el-tree></section>' + treeSelect
		+ '<section><h2>Orders</h2><el-table :data="rows" @sort-change="sort"><el-table-column prop="id" label="Id" sortable="custom"></el-table-column><el-table-column prop="name" label="Name"></el-table-column></el-table>'
		+ '<el-pagination layout="prev, pager, next" :total="10" :page-size="2" :current-page="page" @current-change="go"></el-pagination></section></div>',
}
if (plus) Vue.createApp(App).use(ElementPlus).mount('#app')
else new Vue({ ...App, el: '#app' })
`

// treeTableBase serves a page for each version of the libraries, at the name of the version.
func treeTableBase(t *testing.T) string {
	t.Helper()
	modules, err := npm.Dir()
	if err != nil {
		t.Fatal(err)
	}
	page := template.Must(template.New("").Parse(treeTablePage))
	mux := http.NewServeMux()
	mux.Handle("GET /npm/", npm.Handler(modules))
	mux.HandleFunc("GET /rows", func(http.ResponseWriter, *http.Request) { time.Sleep(700 * time.Millisecond) }) // a slow server
	for _, p := range libraries.Pages() {
		app := antdTrees
		if p.Library == "element" {
			app = elementTrees
		}
		mux.HandleFunc("GET /"+p.Name, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			if err := page.Execute(w, map[string]any{"Style": p.Style, "Scripts": p.Scripts[:len(p.Scripts)-1], "App": template.JS(app)}); err != nil {
				t.Error(err)
			}
		})
	}
	return serve(t, mux)
}

func (b *bench) value(t *testing.T, script string) string {
	t.Helper()
	return fmt.Sprint(data(t, b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": script}, Cwd: b.cwd}))["value"])
}

// TestTreesOfLibraries checks that a path is followed level by level, and that a node of the same
// name in another branch is not chosen.
func TestTreesOfLibraries(t *testing.T) {
	testkit.Long(t)
	base := treeTableBase(t)
	tests := []struct {
		within, label, path string
		want                string
		says                string // part of the expected error
	}{
		{within: "Files", path: "Work Docs Notes", want: "wdn"},
		{within: "Files", path: "Home Docs Notes", says: `"Plans"`},
		{within: "Files", path: "Home Home Home", want: "hhh"},
		{within: "Files", path: "Home Docs Plans", want: "hdp"},
		{within: "Files", path: "Home Plans", says: `"Docs", "Home"`},
		{within: "Files", path: "Work Plans", want: "wp"},
		{within: "Files", path: "Docs", says: `"Work", "Home"`},
		{within: "Lazy", path: "Late Inner", want: "inner"},
		{within: "Form", label: "Place", path: "Home Home Home", want: "field hhh"},
		{label: "Place", path: "Work Docs Notes", want: "field wdn"},
		{label: "Place", path: "Work Docs Plans", says: `"Notes"`},
	}
	for _, page := range somePages(t, libraries.Pages()) {
		t.Run(page.Name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, nil, nil, "ACTION_ACTIONS_DEFAULT_TIMEOUT=3s")
			b.open(t, base+"/"+page.Name)
			for _, tt := range tests {
				if tt.label != "" && page.Name == "element2" {
					continue // it has no such field
				}
				b.value(t, "picked = ''")
				params := object{"path": listed(tt.path), "within": tt.within}
				if tt.label != "" {
					params["label"] = tt.label
				}
				r := b.long(t, page.Library+":tree:select", params)
				if got := b.value(t, "picked"); got != tt.want {
					t.Errorf("%s: picked %q, want %q", tt.path, got, tt.want)
				}
				if tt.says == "" {
					if r.Error != nil || len(r.Warnings) > 0 {
						t.Errorf("%s: %v, warnings %v", tt.path, r.Error, r.Warnings)
					}
					continue
				}
				wantError(t, r, diag.ElementNotFound, tt.says)
			}
		})
	}
}

// plainTrees are trees without a library, in the forms of ARIA: nested nodes, groups after their
// nodes, and a flat list.
const plainTrees = `<!doctype html><meta charset="utf-8"><style>ul,ol{list-style:none} [aria-expanded=false] > ul, [aria-expanded=false] + div{display:none}</style>
<h2>Nested</h2><ul role="tree"><li role="treeitem" aria-expanded="false">Work<ul role="group"><li role="treeitem" aria-expanded="false">Docs<ul role="group"><li role="treeitem" id="n1">Notes</li></ul></li>
	<li role="treeitem" id="n2">Work</li></ul></li><li role="treeitem" aria-expanded="false"><b>Home</b><ul role="group"><li role="treeitem" id="n3">Docs</li></ul></li></ul>
<h2>Behind</h2><div role="tree"><div role="treeitem" aria-expanded="false"><span>Work</span></div><div role="group"><div role="treeitem" aria-expanded="false" aria-label="Docs">…</div><div role="group"><div role="treeitem" id="b1">Notes</div></div></div>
	<div role="treeitem" id="b2">Docs</div></div>
<h2>Listed</h2><div role="tree"><div role="treeitem" aria-level="1" aria-expanded="true">Work</div><div role="treeitem" aria-level="2" aria-expanded="true">Docs</div><div role="treeitem" aria-level="3" id="l1">Notes</div>
	<div role="treeitem" aria-level="1" aria-expanded="true">Home</div><div role="treeitem" aria-level="2" id="l2">Docs</div><div role="treeitem" aria-level="2" id="l3">Docs</div></div>
<script>
var picked = ''
document.onclick = (e) => {
	const node = e.target.closest('[role=treeitem]')
	if (!node) return
	if (node.getAttribute('aria-expanded') === 'false') return setTimeout(() => node.setAttribute('aria-expanded', 'true'), 50)
	for (const other of document.querySelectorAll('[aria-selected]')) other.removeAttribute('aria-selected')
	node.setAttribute('aria-selected', 'true')
	picked = node.id
}
</script>`

func TestTreesByRole(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil, nil, "ACTION_ACTIONS_DEFAULT_TIMEOUT=1s")
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, plainTrees)
	}))
	for _, tt := range []struct {
		within, path, want string
		code               diag.Code
		says               string
	}{
		{"Nested", "Work Docs Notes", "n1", "", ""},
		{"Nested", "Work Work", "n2", "", ""},
		{"Nested", "Home Docs", "n3", "", ""},
		{"Nested", "Home Notes", "", diag.ElementNotFound, `there are "Docs"`},
		{"Nested", "Notes", "", diag.ElementNotFound, `level 0`},
		{"Behind", "Work Docs Notes", "b1", "", ""},
		{"Behind", "Docs", "b2", "", ""},
		{"Listed", "Work Docs Notes", "l1", "", ""},
		{"Listed", "Work Notes", "", diag.ElementNotFound, `there are "Docs"`},
		{"Listed", "Home Docs", "", diag.StepFailed, `2 nodes Docs are side by side`},
	} {
		b.open(t, base)
		r := b.run(t, "components:tree:select", object{"path": listed(tt.path), "within": tt.within})
		if got := b.value(t, "picked"); got != tt.want {
			t.Errorf("%s: %s: picked %q, want %q (%v)", tt.within, tt.path, got, tt.want, r.Error)
		}
		if tt.code != "" {
			wantError(t, r, tt.code, tt.says)
		}
	}
	b.open(t, base)
	data(t, b.run(t, "components:tree:expand", object{"path": listed("Work Docs"), "within": "Nested"}))
	if got := b.value(t, "document.querySelectorAll('[role=group] > [aria-expanded=true]').length"); got != "1" {
		t.Errorf("%s nodes are open below the first, want 1", got)
	}
}

func listed(words string) []any {
	var out []any
	for _, w := range strings.Fields(words) {
		out = append(out, w)
	}
	return out
}

// TestTablesOfLibraries checks that rows are read after the press has taken effect, that a page
// number that the application resets is an error, and that unchanged rows cause a warning.
func TestTablesOfLibraries(t *testing.T) {
	testkit.Long(t)
	base := treeTableBase(t)
	type row struct {
		how    string
		action string
		params object
		path   string
		want   string
	}
	var rows []row
	for _, how := range []string{"now", "timer", "fetch", "back", "silent"} {
		rows = append(rows,
			row{how, "pagination:go", object{"page": 3}, "rows.0.Id", "3-1"},
			row{how, "table:sort", object{"column": "Id"}, "rows.1.Name", "ascending"},
			row{how, "table:sort", object{"column": "Id", "order": "descending"}, "rows.1.Name", "descending"})
	}
	for _, page := range somePages(t, libraries.Pages()) {
		t.Run(page.Name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, nil, nil, "ACTION_ACTIONS_DEFAULT_TIMEOUT=3s")
			for _, tt := range shareOf(t, "presses", page, rows) {
				name := fmt.Sprint(tt.how, " ", tt.action, " ", tt.params["order"])
				b.open(t, base+"/"+page.Name+"?how="+tt.how)
				r := b.long(t, page.Library+":"+tt.action, tt.params)
				if tt.how == "back" {
					if tt.action == "pagination:go" && (r.Error == nil || r.Error.Code != diag.VerifyFailed) {
						t.Errorf("%s: %v, want %s", name, r.Error, diag.VerifyFailed)
					}
					continue
				}
				if r.Error != nil {
					t.Errorf("%s: %v", name, r.Error)
					continue
				}
				read := data(t, b.long(t, page.Library+":table:read", nil))
				if said := fmt.Sprint(r.Warnings); tt.how == "silent" {
					if !strings.Contains(said, "not_renewed") {
						t.Errorf("%s: warnings %s, want that the rows may be old", name, said)
					}
				} else if len(r.Warnings) > 0 || lookup(read, tt.path) != tt.want {
					t.Errorf("%s: the rows are %v, warnings %s; want %s = %s", name, read["rows"], said, tt.path, tt.want)
				}
			}
		})
	}
}
