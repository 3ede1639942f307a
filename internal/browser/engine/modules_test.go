package engine

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

// A module that uses what another one declares while it is being evaluated comes behind it:
// the browser itself refuses the modules where one does not, in which the bundle would use
// undefined.
func TestModulesInOrder(t *testing.T) {
	modules := http.FileServer(http.Dir("page"))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		modules.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	p := open(t, `<h1>Plain</h1>`)
	p.serve(map[string]string{"/": "<h1>Plain</h1>"})
	got := p.eval(fmt.Sprintf(`(async () => {
		globalThis.boot = new Proxy({}, { get: (none, name) => name });
		const { api } = await import(%q);
		return Object.values(api).every((f) => typeof f === 'function' || f === 'info') && Object.keys(api).length;
	})()`, server.URL+"/main.js"))
	if n, ok := got.(float64); !ok || n < 40 {
		t.Errorf("the modules give %v, want the functions that Go calls", got)
	}
}
