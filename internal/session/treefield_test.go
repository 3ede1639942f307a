package session_test

import (
	"slices"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/testdata/libraries"
)

const antdTreeField = `
const h = React.createElement;
const tree = [{ title: 'Sales', label: 'Sales', value: 's', children: [{ title: 'Inside sales', value: 'in' }, { title: 'Field', value: 'f' }] }, { title: 'IT', value: 'it' }];
const App = () => {
  const [at, setAt] = React.useState(null), [one, setOne] = React.useState(null);
  window.v = JSON.stringify([at, one]);
  return h(antd.Form, null,
    h(antd.Form.Item, { label: 'Department', htmlFor: 'd' }, h(antd.TreeSelect, { id: 'd', value: at, onChange: setAt, treeData: tree, style: { width: 200 } })),
    h(antd.Form.Item, { label: 'Colour', htmlFor: 'c' }, h(antd.Select, { id: 'c', value: one, onChange: setOne, style: { width: 200 } }, ['Red', 'Blue'].map((c) => h(antd.Select.Option, { key: c, value: c }, c)))));
};
if (ReactDOM.createRoot) ReactDOM.createRoot(document.getElementById('app')).render(h(App)); else ReactDOM.render(h(App), document.getElementById('app'));`

const elementTreeField = `
const item = (label, control) => '<el-form-item label="' + label + '">' + control + '</el-form-item>';
const app = { data: () => ({ at: null, one: null, tree: [{ label: 'Sales', value: 's', children: [{ label: 'Inside sales', value: 'in' }, { label: 'Field', value: 'f' }] }, { label: 'IT', value: 'it' }] }),
 watch: { at() { this.tell() }, one() { this.tell() } }, mounted() { this.tell() }, methods: { tell() { window.v = JSON.stringify([this.at, this.one]) } },
 template: '<el-form label-width="90px">' + item('Department', '<el-tree-select v-model="at" :data="tree"></el-tree-select>') +
 item('Colour', '<el-select v-model="one"><el-option v-for="c in [\'Red\', \'Blue\']" :key="c" :value="c" :label="c"></el-option></el-select>') + '</el-form>' };
Vue.createApp(app).use(ElementPlus).mount('#app');`

// TestPathIntoAField checks that field:set takes a path for a field whose list is a tree, and for no
// other list of one value.
func TestPathIntoAField(t *testing.T) {
	t.Parallel()
	base := serveApps(t, map[string]string{"antd": antdTreeField, "element": elementTreeField})
	b := newBench(t, nil, nil)
	for _, p := range somePages(t, slices.DeleteFunc(libraries.Pages(), func(p libraries.Page) bool { return p.Name == "element2" })) {
		t.Run(p.Name, func(t *testing.T) {
			b.open(t, base+"/"+p.Name)
			b.mustRun(t, p.Library+":field:set", object{"label": "Department", "value": []any{"Sales", "Inside sales"}})
			if got := b.holds(t, "window.v"); got != `["in",null]` {
				t.Errorf("the page holds %s", got)
			}
			r := b.run(t, p.Library+":field:set", object{"label": "Department", "value": []any{"Sales", "Nobody"}})
			wantError(t, r, diag.ElementNotFound, "no node Nobody")
			b.open(t, base+"/"+p.Name)
			r = b.run(t, p.Library+":form:fill", object{"values": object{"Colour": []any{"Red", "Blue"}}})
			wantError(t, r, diag.StepFailed, "takes one option")
			if got := b.holds(t, "window.v"); got != `[null,null]` {
				t.Errorf("after a refusal the page holds %s", got)
			}
		})
	}
}
