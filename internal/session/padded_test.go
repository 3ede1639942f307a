package session_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/testdata/libraries"
	"github.com/actionregistry/action/testdata/npm"
)

// TestPaddedPasswords checks that a run fails if the page trims a password with white space at an
// end when its field loses the focus, even if it was the last field to be filled.
func TestPaddedPasswords(t *testing.T) {
	t.Parallel()
	dir, err := npm.Dir()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/npm/", libraries.Handler(dir))
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Padded</title><div id=app><form><label>User <input v-model="m.user"></label>
<label>Password <input type=password %s="m.password"></label><button type=button>Save</button></form></div>
<script src=/npm/vue.js></script><script>Vue.createApp({data: () => ({m: {user: '', password: ''}})}).mount('#app')</script>`, r.FormValue("model"))
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	for _, tt := range []struct {
		model, password string
		fails           bool
	}{
		{"v-model.trim", " s3cret word ", true},
		{"v-model.trim", "s3cret ", true},
		{"v-model.trim", "s3cret word", false},
		{"v-model", " s3cret word ", false},
		{"v-model.lazy.trim", " s3cret", true},
	} {
		for action, params := range map[string]object{
			"components:form:fill":  {"values": object{"User": "ann", "Password": tt.password}},
			"components:input:fill": {"label": "Password", "value": tt.password},
		} {
			t.Run(fmt.Sprintf("%s %q %s", tt.model, tt.password, action), func(t *testing.T) {
				b.open(t, base+"/?model="+url.QueryEscape(tt.model))
				r := b.run(t, action, params)
				if !tt.fails {
					data(t, r)
				} else if code := codeOf(r.Error); code != diag.VerifyFailed && code != diag.StepFailed {
					t.Errorf("got %v, want that the page has changed the password", r.Error)
				}
			})
		}
	}
}

// TestLastFieldLeft checks that a run fails if the page makes another value of a password or an
// address when the field that was filled last loses the focus. Another form of the value is no
// failure.
func TestLastFieldLeft(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><html lang=en><title>Left</title><main><form><label>Name <input></label><label>Last <input id=x type=%s></label>
<button type=button>Create</button></form></main><script>x.on%s = () => { x.value = %s }</script>`, r.FormValue("type"), r.FormValue("on"), r.FormValue("to"))
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	for _, tt := range []struct {
		kind, on, to, value string
		fails               bool
	}{
		{"password", "blur", "x.value.toLowerCase()", "AbCdefgh", true},
		{"password", "change", "x.value.slice(0, 12)", "longpasswordabcd", true},
		{"password", "blur", "x.value", "longpasswordabcd", false},
		{"url", "blur", "x.value.split('?')[0]", "https://a.example/p?id=7", true},
		{"email", "blur", "x.value.replace(/\\+.*@/, '@')", "ada+shop@example.com", true},
		{"text", "blur", "x.value.replace('www.', '')", "https://www.a.example", true},
		{"text", "blur", "x.value.replace(/\\/$/, '/').toLowerCase()", "https://A.example/", false},
		{"email", "change", "x.value.trim().toLowerCase()", "Ada@Example.com", false},
	} {
		t.Run(fmt.Sprintf("%s %s %s", tt.kind, tt.on, tt.to), func(t *testing.T) {
			b.open(t, base+"/?"+url.Values{"type": {tt.kind}, "on": {tt.on}, "to": {tt.to}}.Encode())
			r := b.run(t, "components:form:fill", object{"values": object{"Name": "Ann", "Last": tt.value}})
			if !tt.fails {
				data(t, r)
			} else if code := codeOf(r.Error); code != diag.VerifyFailed && code != diag.StepFailed {
				t.Errorf("got %v, want that the page has changed the value", r.Error)
			}
		})
	}
}
