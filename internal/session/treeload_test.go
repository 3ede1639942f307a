package session_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/actionregistry/action/testdata/npm"
)

// loadingTree is a jsTree whose nodes come from the server, level by level. It draws a node again
// while the level below is loading, and once more when that level has arrived.
const loadingTree = `<link rel=stylesheet href=/npm/jstree.css><script src=/npm/jquery3.js></script><script src=/npm/jstree.js></script><h1>Files</h1><div id=t></div>
<script>$('#t').jstree({core:{data:{url:'/nodes',data:(n)=>({id:n.id})}}});
Object.defineProperty(window,'v',{get:()=>['a','b'].filter((n)=>$('#t').jstree().is_open(n)).join('')+' '+$('#t').jstree().get_selected().join('')})</script>`

// TestTreesThatLoad checks that a node is opened and chosen only once, although the tree draws it
// again while it loads.
func TestTreesThatLoad(t *testing.T) {
	t.Parallel()
	modules, err := npm.Dir()
	if err != nil {
		t.Fatal(err)
	}
	html := loadingTree
	mux := muxShowing(&html)
	mux.Handle("GET /npm/", npm.Handler(modules))
	wait := time.Duration(0)
	mux.HandleFunc("GET /nodes", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(wait)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string][]object{
			"#": {{"id": "a", "text": "Docs", "children": true}, {"id": "e", "text": "Pictures"}},
			"a": {{"id": "b", "text": "Letters", "children": true}, {"id": "d", "text": "Plans"}},
			"b": {{"id": "c", "text": "May"}},
		}[r.URL.Query().Get("id")])
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	type use struct {
		action, want string
		path         []any
	}
	waits := []time.Duration{0, 50 * time.Millisecond, 300 * time.Millisecond}
	for _, row := range somePairs(t, "nodes that load", 3, waits, []use{
		{"tree:expand", "a ", []any{"Docs"}},
		{"tree:expand", "ab ", []any{"Docs", "Letters"}},
		{"tree:select", "ab c", []any{"Docs", "Letters", "May"}},
		{"tree:select", " e", []any{"Pictures"}},
	}) {
		tt := row.b
		wait = row.a
		b.mustRun(t, "web:page:open", object{"url": base})
		if r := b.run(t, "components:"+tt.action, object{"path": tt.path}); r.Error != nil {
			t.Errorf("%s of %v after %s: %s", tt.action, tt.path, wait, describe(r.Error))
		}
		if got := b.holds(t, "v"); got != tt.want {
			t.Errorf("%s of %v after %s: the tree holds %q, expected %q", tt.action, tt.path, wait, got, tt.want)
		}
	}
}
