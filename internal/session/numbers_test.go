package session_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/libraries"
	"github.com/actionregistry/action/testdata/npm"
)

const antdNumbers = `
const h = React.createElement;
const item = (label, control) => h(antd.Form.Item, { label, key: label }, control);
const App = () => h(antd.Form, null, [
  item('Age', h(antd.InputNumber, { min: 0, max: 100 })),
  item('Price', h(antd.InputNumber, { precision: 2 })),
  item('Sum', h(antd.InputNumber, { formatter: (v) => v ? '$ ' + v : '', parser: (v) => v.replace(/[^\d.]/g, '') })),
  item('Name', h(antd.Input)),
  item('Tags', h(antd.Select, { mode: 'tags', tokenSeparators: [','], style: { width: 300 } })),
]);
if (ReactDOM.createRoot) ReactDOM.createRoot(document.getElementById('app')).render(h(App)); else ReactDOM.render(h(App), document.getElementById('app'));`

const elementNumbers = `
const item = (label, control) => '<el-form-item label="' + label + '">' + control + '</el-form-item>';
const app = { data: () => ({ age: 1, price: 1, sum: 2, name: '', tags: [] }), template: '<el-form label-width="90px">' +
 item('Age', '<el-input-number v-model="age" :min="0" :max="100"></el-input-number>') +
 item('Price', '<el-input-number v-model="price" :precision="2"></el-input-number>') +
 item('Sum', '<el-input-number v-model="sum" :controls="false"></el-input-number>') +
 item('Name', '<el-input v-model="name"></el-input>') +
 item('Tags', '<el-select v-model="tags" multiple filterable allow-create default-first-option><el-option value="red" label="red"></el-option></el-select>') + '</el-form>' };
if (Vue.createApp) Vue.createApp(app).use(ElementPlus).mount('#app'); else new Vue({ el: '#app', ...app });`

// serveApps serves each page of the libraries with another application, by library.
func serveApps(t *testing.T, apps map[string]string) string {
	t.Helper()
	modules, err := npm.Dir()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /npm/", npm.Handler(modules))
	for _, p := range libraries.Pages() {
		mux.HandleFunc("GET /"+p.Name, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, "<!doctype html><title>Numbers</title><link rel=stylesheet href=%q><div id=app></div>", p.Style[0])
			for _, script := range p.Scripts[:len(p.Scripts)-1] {
				fmt.Fprintf(w, "<script src=%q></script>", script)
			}
			fmt.Fprintf(w, "<script>%s</script>", apps[p.Library])
		})
	}
	return serve(t, mux)
}

// TestNumbersThatDoNotStay checks that no action reports success if the field rounds or limits its
// number when it loses the focus.
func TestNumbersThatDoNotStay(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	base := serveApps(t, map[string]string{"antd": antdNumbers, "element": elementNumbers})
	b := newBench(t, map[string]string{"try.yaml": `
namespace: try
version: 1.0.0
actions:
  number:fill:
    params: {label: {type: string}, value: {type: string}}
    steps:
      - {action: fill, args: {selector: "field:${label} >> css:input", value: "${value}"}}
  number:type:
    params: {label: {type: string}, value: {type: string}}
    steps:
      - {action: press, args: {selector: "field:${label} >> css:input", key: "${modifier}+a"}}
      - {action: type, args: {selector: "field:${label} >> css:input", text: "${value}"}}
`}, nil)
	tests := []struct {
		label, value, holds string // holds: final value of the field; "" means that every action must fail
	}{
		{"Age", "42", "42"},
		{"Age", "150", ""},
		{"Price", "1.5", "1.50"},
		{"Price", "1.236", ""},
		{"Sum", "1234", "1234"},
	}
	actions := []string{"try:number:fill", "try:number:type", ":input:fill", ":form:fill", "with another"}
	for n, p := range somePages(t, slices.DeleteFunc(libraries.Pages(), func(p libraries.Page) bool {
		return p.Name != "antd4" && p.Name != "antd5" && p.Name != "element2"
	})) {
		t.Run(p.Name, func(t *testing.T) {
			for i, tt := range tests { // with -short each page has a share of the labels and of the actions
				for _, action := range testkit.Share(t, "ways to set a number", actions, (n+i)%3, 3) {
					if action[0] == ':' {
						action = p.Library + action
					}
					t.Run(fmt.Sprint(tt.label, " ", tt.value, " ", action), func(t *testing.T) {
						b.open(t, base+"/"+p.Name)
						params := object{"label": tt.label, "value": tt.value}
						switch {
						case action == "with another":
							action, params = p.Library+":form:fill", object{"values": object{tt.label: tt.value, "Name": "Ada"}}
						case strings.HasSuffix(action, ":form:fill"):
							params = object{"values": object{tt.label: tt.value}}
						}
						r := b.run(t, action, params)
						if tt.holds == "" {
							if r.Error == nil {
								t.Errorf("%s to %s is ok", tt.label, tt.value)
							}
							return
						}
						data(t, r)
						left := data(t, b.Step(t.Context(), "eval", session.RunOptions{Params: object{
							"script": "document.activeElement.blur(); await new Promise((r) => setTimeout(r, 50)); return [...document.querySelectorAll('input')].map((n) => n.value.replace('$ ', '')).join(' ')"}}))["value"]
						if !strings.Contains(fmt.Sprint(" ", left, " "), " "+tt.holds+" ") {
							t.Errorf("the fields hold %v, want %s", left, tt.holds)
						}
					})
				}
			}
		})
	}
}

// TestTagsOfSeparators tests fields that split a typed text at separators into tags. If a tag is
// missing afterwards, the step must fail.
func TestTagsOfSeparators(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	base := serveApps(t, map[string]string{"antd": antdNumbers, "element": elementNumbers})
	b := newBench(t, nil, nil)
	const tags = "[...document.querySelectorAll('.ant-select-selection-item-content, .el-tag')].map((n) => n.textContent.trim()).join('|')"
	has := func(t *testing.T, want string) {
		t.Helper()
		if got := data(t, b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": tags}}))["value"]; got != want {
			t.Errorf("the tags are %v, want %q", got, want)
		}
	}
	for _, p := range somePages(t, slices.DeleteFunc(libraries.Pages(), func(p libraries.Page) bool {
		return p.Name != "antd4" && p.Name != "antd5" && p.Name != "element2"
	})) {
		choose := func(t *testing.T, option string) *executor.Result {
			b.open(t, base+"/"+p.Name)
			return b.run(t, p.Library+":form:fill", object{"values": object{"Tags": []any{option}, "Name": "x"}})
		}
		t.Run(p.Name+" chosen", func(t *testing.T) {
			data(t, choose(t, "green"))
			has(t, "green")
		})
		t.Run(p.Name+" chosen with a separator", func(t *testing.T) {
			r := choose(t, "red,blue")
			if p.Library == "antd" { // antd makes two tags
				wantError(t, r, diag.StepFailed, "red,blue")
				return
			}
			data(t, r)
			has(t, "red,blue")
		})
		if p.Library != "antd" {
			continue
		}
		t.Run(p.Name+" typed", func(t *testing.T) {
			b.open(t, base+"/"+p.Name)
			data(t, b.Step(t.Context(), "type", session.RunOptions{Params: object{"selector": "field:Tags >> css:input", "text": "red,blue"}}))
			has(t, "red") // blue is still in the text box
		})
	}
}
