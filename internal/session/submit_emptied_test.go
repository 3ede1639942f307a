package session_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/actionregistry/action/testdata/libraries"
	"github.com/actionregistry/action/testdata/npm"
)

// TestFormSubmitEmptiesASelect checks that the placeholder of a select, which appears when a page
// empties its form after it was sent, is not a message.
func TestFormSubmitEmptiesASelect(t *testing.T) {
	t.Parallel()
	dir, err := npm.Dir()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/npm/", libraries.Handler(dir))
	mux.HandleFunc("POST /sent", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusCreated) })
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><link rel=stylesheet href=/npm/element-plus.css><h1>Users</h1><div id=app>
<el-form ref=form :model="m"><el-form-item label="Name" prop="name"><el-input v-model="m.name"></el-input></el-form-item>
<el-form-item label="Role" prop="role"><el-select v-model="m.role"%s><el-option label="Admin" value="a"></el-option></el-select></el-form-item>
<el-button type="primary" @click="send">Save</el-button></el-form></div>
<script src=/npm/vue.js></script><script src=/npm/element-plus.js></script><script>
Vue.createApp({setup() { const m = Vue.reactive({name: '', role: ''}), form = Vue.ref();
return {m, form, send: () => fetch('/sent', {method: 'POST', body: JSON.stringify(m)}).then(() => form.value.resetFields())} }}).use(ElementPlus).mount('#app')</script>`, r.FormValue("more"))
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	for _, tt := range []struct {
		name, more string
		values     object
	}{
		{"it was empty", "", object{"Name": "Ada"}},
		{"it was chosen", "", object{"Name": "Ada", "Role": "Admin"}},
		{"with words of its own", ` placeholder="Pick the role"`, object{"Name": "Ada", "Role": "Admin"}},
		{"several", ` multiple`, object{"Name": "Ada", "Role": []any{"Admin"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b.open(t, base+"/?more="+url.QueryEscape(tt.more))
			data(t, b.run(t, "element:form:fill", object{"values": tt.values}))
			data(t, b.run(t, "element:form:submit", nil))
		})
	}
}
