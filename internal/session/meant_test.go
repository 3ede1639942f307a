package session_test

// Tests of actions on pages that reorder a list in place when a field loses the focus: with React
// and Vue, whose rows have their index as key, and with plain scripts.

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/npm"
)

const vueRows = `<script src=/npm/vue.js></script><div id=app><table><tr><th>Name</th><th>Qty</th><th></th></tr>
	<tr v-for="(d,i) in sorted" :key="i"><td>{{d.name}}</td><td><input :aria-label="'Qty '+d.name" v-model.lazy.number="d.qty"></td><td><button @click="del(d)">Delete</button></td></tr></table></div>
	<script>Vue.createApp({
		data: () => ({ all: [{ name: 'Ann', qty: 1 }, { name: 'Bob', qty: 2 }, { name: 'Cy', qty: 3 }] }),
		computed: { sorted() { return [...this.all].sort((a, b) => a.qty - b.qty); } },
		methods: { del(d) { this.all = this.all.filter((one) => one !== d); } },
		updated() { document.title = this.all.map((d) => d.name + d.qty).sort().join(); },
	}).mount('#app')</script>`

const reactRows = `<script src=/npm/react18.js></script><script src=/npm/react-dom18.js></script><div id=app></div><script>
	const h = React.createElement;
	function Row({ d, set, del }) {
		const [value, setValue] = React.useState(d.qty);
		React.useEffect(() => setValue(d.qty), [d.qty, d.name]);
		return h('tr', null, h('td', null, d.name),
			h('td', null, h('input', { 'aria-label': 'Qty ' + d.name, value, onChange: (e) => setValue(e.target.value), onBlur: () => set(d.name, +value) })),
			h('td', null, h('button', { onClick: () => del(d.name) }, 'Delete')));
	}
	function App() {
		const [all, setAll] = React.useState([{ name: 'Ann', qty: 1 }, { name: 'Bob', qty: 2 }, { name: 'Cy', qty: 3 }]);
		React.useEffect(() => { document.title = all.map((d) => d.name + d.qty).sort().join(); });
		const set = (name, qty) => setAll((all) => all.map((d) => (d.name === name ? { ...d, qty } : d)));
		const del = (name) => setAll((all) => all.filter((d) => d.name !== name));
		return h('table', null, h('tbody', null, h('tr', null, h('th', null, 'Name'), h('th', null, 'Qty'), h('th')),
			[...all].sort((a, b) => a.qty - b.qty).map((d, i) => h(Row, { key: i, d, set, del }))));
	}
	ReactDOM.createRoot(app).render(h(App));</script>`

// plainRows sorts its rows by quantity, in place, whenever a quantity changes.
const plainRows = `<table><tbody id=w></tbody></table><script>
	const all = [['Ann', 1], ['Bob', 2], ['Cy', 3]].map(([name, qty]) => ({ name, qty, size: 'S', on: false, log: '' }));
	const draw = () => {
		document.title = all.map((d) => d.name + d.qty + d.log).sort().join();
		all.forEach((d, i) => {
			const r = w.rows[i] ?? w.insertRow();
			if (!r.cells.length) r.innerHTML = '<td></td><td><input></td><td><select><option>S<option>L</select></td><td><input type=checkbox></td><td><input type=checkbox role=switch></td><td><button>Delete</button></td>';
			const [qty, box, on] = r.querySelectorAll('input'), size = r.querySelector('select');
			r.cells[0].textContent = d.name;
			Object.assign(qty, { value: d.qty, ariaLabel: 'Qty ' + d.name, onchange: () => { d.qty = +qty.value; all.sort((a, b) => a.qty - b.qty); draw(); } });
			const sets = (n, what, name) => { n.ariaLabel = what + ' ' + d.name; n.onchange = () => { d[name] = name === 'size' ? n.value : n.checked; d.log += name; draw(); }; };
			size.value = d.size; box.checked = !!d.box; on.checked = d.on;
			sets(size, 'Size', 'size'); sets(box, 'Box', 'box'); sets(on, 'On', 'on');
			r.querySelector('button').onclick = () => { d.log += 'deleted'; draw(); };
		});
	};
	draw();</script>`

// namedButtons returns a page that moves the names of its buttons, links or items by one position
// whenever a field changes.
func namedButtons(around, item, names string) string {
	return `<label>Qty Ann <input id=q></label>` + around + `<script>
		const names = ` + names + `, box = document.querySelector('.box'), draw = () => names.forEach((name, i) => {
			if (!box.children[i]) box.insertAdjacentHTML('beforeend', ` + "`" + item + "`" + `);
			const n = box.children[i], at = n.querySelector('a') ?? n;
			at.textContent = name;
			if (at.matches('a')) at.href = '/to/' + name;
			else at.onclick = () => { document.title = name; n.closest('[role=dialog]')?.remove(); };
		});
		draw();
		q.onchange = () => { names.unshift(names.pop()); draw(); };</script>`
}

func TestFieldsOfPatchedRows(t *testing.T) {
	t.Parallel()
	modules, err := npm.Dir()
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{
		"vue": vueRows, "react": reactRows, "plain": plainRows,
		"update": `<label>Qty Ann <input id=q></label><button id=b type=button>Update</button><script>q.onchange=()=>{b.textContent='Remove item'};b.onclick=()=>{document.title=b.textContent}</script>`,
		"dialog": namedButtons(`<div role=dialog aria-label="Save changes?"><h2>Save changes?</h2><div class=box></div></div>`, `<button></button>`, `['Discard', 'Save', 'Cancel']`),
		"menu":   namedButtons(`<div role=menu class=box></div>`, `<div role=menuitem tabindex=-1></div>`, `['Copy', 'Rename', 'Delete']`),
		"links":  namedButtons(`<ul class=box></ul>`, `<li><a></a></li>`, `['Ann', 'Bob', 'Cy']`),
	}
	mux := http.NewServeMux()
	mux.Handle("GET /npm/", npm.Handler(modules))
	for name, html := range pages {
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html><title>Page</title>"+html)
		})
	}
	mux.HandleFunc("GET /to/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><title>%s</title><h1>Profile</h1>", r.PathValue("name"))
	})
	base := serve(t, mux)
	b := newBench(t, map[string]string{"try.yaml": `
namespace: try
version: 1.0.0
actions:
  both:fill:
    steps:
      - fill_form: {fields: {Qty Ann: "9", Qty Bob: "7"}}
  title:read:
    steps:
      - {eval: "document.activeElement.blur()"}
      - {wait: {stable: true}}
      - {get: title, output: at}
    returns: {title: "${steps.at.title}"}
`}, nil, "ACTION_ACTIONS_DEFAULT_TIMEOUT=2s")
	both := object{"values": object{"Qty Ann": "9", "Qty Bob": "7"}}
	tests := []struct {
		page, action string
		params       object
		title        string
		code         diag.Code // expected error; "" means success
	}{
		{"vue", "components:form:fill", both, "Ann9,Bob7,Cy3", ""},
		{"vue", "components:table:row-action", object{"row": "Bob", "text": "Delete"}, "Ann9,Cy3", ""},
		{"react", "components:form:fill", both, "Ann9,Bob7,Cy3", ""},
		{"react", "components:table:row-action", object{"row": "Bob", "text": "Delete"}, "Ann9,Cy3", ""},
		{"plain", "components:form:fill", both, "Ann9,Bob7,Cy3", ""},
		{"plain", "try:both:fill", nil, "Ann9,Bob7,Cy3", ""},
		{"plain", "web:form:fill", object{"fields": []any{object{"label": "Qty Ann", "value": "9"}, object{"label": "Qty Bob", "value": "7"}}}, "Ann9,Bob7,Cy3", ""},
		{"plain", "components:table:row-action", object{"row": "Bob", "text": "Delete"}, "Ann9,Bob2deleted,Cy3", ""},
		{"plain", "components:select:choose", object{"label": "Size Bob", "option": "L"}, "Ann9,Bob2size,Cy3", ""},
		{"plain", "components:field:set", object{"label": "Qty Bob", "value": "7"}, "Ann9,Bob7,Cy3", ""},
		{"plain", "components:checkbox:set", object{"label": "Box Bob"}, "Ann9,Bob2box,Cy3", ""},
		{"plain", "components:switch:set", object{"label": "On Bob"}, "Ann9,Bob2on,Cy3", ""},
		{"update", "components:button:click", object{"text": "Update"}, "Page", diag.StepFailed},
		{"update", "web:button:press", object{"text": "Update"}, "Page", diag.StepFailed},
		{"update", "components:form:submit", object{"text": "Update"}, "Page", diag.ElementNotFound}, // the field loses the focus first
		{"dialog", "components:dialog:confirm", nil, "Save", ""},
		{"menu", "components:menu:select", object{"path": []any{"Rename"}}, "Page", diag.StaleRef},
		{"links", "web:link:follow", object{"text": "Bob"}, "Bob", ""},
	}
	for _, tt := range testkit.Kinds(t, "uses of patched rows", 4, tests, func(i int) any { return tests[i].page + string(tests[i].code) }) {
		t.Run(tt.page+" "+tt.action, func(t *testing.T) {
			t.Parallel()
			b := b.beside(t)
			b.open(t, base+"/"+tt.page)
			data(t, b.Step(t.Context(), "fill", session.RunOptions{Params: object{"selector": "label:Qty Ann", "value": "9"}, Cwd: b.cwd, Environ: b.environ}))
			r := b.run(t, tt.action, tt.params)
			var got diag.Code
			if r.Error != nil {
				got = r.Error.Code
			}
			if got != tt.code {
				t.Errorf("got %q (%v), want %q", got, r.Error, tt.code)
			}
			want(t, b.mustRun(t, "try:title:read", nil), "title", tt.title)
		})
	}
}
