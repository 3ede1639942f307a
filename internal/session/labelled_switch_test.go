package session_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/libraries"
	"github.com/actionregistry/action/testdata/npm"
)

// TestControlsOfElementPlusWithLabel tests the switch of Element Plus in a form item. Element Plus
// cancels the click on its hidden input, so a press of the label changes the model and aria-checked,
// and the browser then takes back the "checked" of the input.
func TestControlsOfElementPlusWithLabel(t *testing.T) {
	t.Parallel()
	dir, err := npm.Dir()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/npm/", libraries.Handler(dir))
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><link rel=stylesheet href=/npm/element-plus.css><div id=app><el-form><el-form-item label="Notify">
<el-switch :model-value="v" @update:model-value="set" :before-change="may"></el-switch></el-form-item></el-form></div>
<script src=/npm/vue.js></script><script src=/npm/element-plus.js></script><script>
const v = Vue.ref(%[1]t), refuses = %[2]q; let changes = 0;
const set = (x) => { changes++; if (refuses === 'back') { v.value = x; setTimeout(() => { v.value = !x }); } else if (refuses === 'late') { v.value = x; setTimeout(() => { v.value = !x }, 30); } else if (refuses !== 'model') v.value = x; };
Vue.createApp({setup() { return {v, set, may: () => refuses !== 'before'} }}).use(ElementPlus).mount('#app')</script>`,
			r.FormValue("on") == "true", r.FormValue("refuses"))
	})
	base := serve(t, mux)
	b := newBench(t, map[string]string{"late.yaml": `
namespace: late
version: 1.0.0
actions:
  set:switch:
    params: {on: {type: boolean, required: true}}
    steps:
      - {check: "role:switch", when: "${on}"}
      - {uncheck: "role:switch", when: "!${on}"}
`}, nil)
	actions := map[string]func(on bool) object{
		"components:switch:set": func(on bool) object { return object{"label": "Notify", "checked": on} },
		"components:field:set":  func(on bool) object { return object{"label": "Notify", "value": on} },
		"components:form:fill":  func(on bool) object { return object{"values": object{"Notify": on}} },
		"late:set:switch":       func(on bool) object { return object{"on": on} },
		"element:switch:set":    func(on bool) object { return object{"label": "Notify", "checked": on} },
	}
	for _, tt := range testkit.Kinds(t, "labelled switch", 4, []struct {
		action  string // "" is the steps check and uncheck
		refuses string
		changes int // of the model
	}{
		{"", "", 1}, {"components:switch:set", "", 1}, {"components:field:set", "", 1}, {"components:form:fill", "", 1}, {"element:switch:set", "", 1},
		{"late:set:switch", "late", 1}, {"components:switch:set", "late", 1}, {"components:form:fill", "late", 1}, {"element:switch:set", "late", 1},
		{"", "model", 1}, {"", "before", 0}, {"", "back", 1}, {"components:switch:set", "model", 1}, {"components:field:set", "back", 1},
	}, func(i int) any { return i < 2 }) {
		for _, on := range []bool{true, false} {
			t.Run(fmt.Sprint(tt.action, on, tt.refuses), func(t *testing.T) {
				t.Parallel()
				b := b.beside(t)
				b.open(t, fmt.Sprintf("%s/?refuses=%s&on=%t", base, tt.refuses, !on))
				for range 2 { // the second time, it already is as it should be
					var r *executor.Result
					if tt.action == "" {
						r = b.Step(t.Context(), map[bool]string{true: "check", false: "uncheck"}[on], session.RunOptions{Params: object{"selector": "role:switch"}, Cwd: b.cwd})
					} else {
						r = b.run(t, tt.action, actions[tt.action](on))
					}
					if tt.refuses == "late" { // which check sees it depends on the time
						if r.Error == nil {
							t.Errorf("%s is ok, although the page has taken the change back", tt.action)
						}
						return
					}
					if tt.refuses != "" {
						wantError(t, r, diag.StepFailed, "after the press")
						break
					}
					if r.Error != nil {
						t.Fatal(describe(r.Error))
					}
				}
				if got, want := b.value(t, "[v.value, changes].join()"), fmt.Sprint(on == (tt.refuses == ""), ",", tt.changes); got != want {
					t.Errorf("the model and the number of its changes are %s, want %s", got, want)
				}
			})
		}
	}
}
