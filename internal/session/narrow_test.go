package session_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
)

// treePage has a tree with repeated names in different branches. The children of a node appear some
// time after a press on it. A press on a leaf is recorded in the title.
const treePage = `<!DOCTYPE html><title>Tree</title><div role=tree id=tree></div><p id=said>none</p>
<script>
const places = {Europe: {Porto: {Depot: {}, Shop: {}}, Lyon: {Depot: {}}}, Asia: {Porto: {Depot: {}}, Kyoto: {}}};
const add = (box, level, path) => {
	for (const [name, inner] of Object.entries(level)) {
		const item = document.createElement('div'), own = [...path, name];
		item.setAttribute('role', 'treeitem');
		item.setAttribute('aria-label', name);
		item.innerHTML = '<button class=toggle>' + name + '</button>';
		item.firstChild.onclick = () => {
			if (!Object.keys(inner).length) document.getElementById('said').textContent = own.join('/');
			else if (!item.querySelector('[role=group]')) setTimeout(() => { const group = document.createElement('div'); group.setAttribute('role', 'group'); item.append(group); add(group, inner, own); }, 120);
		};
		box.append(item);
	}
};
add(document.getElementById('tree'), places, []);
</script>`

const treeActions = `
namespace: places
version: 1.0.0
actions:
  place:choose:
    scope: "css:#tree"
    params: {path: {type: array, items: {type: string}, required: true}}
    steps:
      - foreach: "${path}"
        steps:
          - narrow: "role:treeitem[name='${item}']"
          - click: "css:.toggle >> nth:0"
      - {get: {what: text, selector: "document: >> css:#said"}, output: said}
    returns: {said: "${steps.said.text}"}
  place:both:
    steps:
      - foreach: [Europe, Asia]
        steps:
          - foreach: ["${item}", Porto, Depot]
            as: name
            scope: "css:#tree"
            steps:
              - {narrow: "role:treeitem[name='${name}']", output: level}
              - click: "css:.toggle >> nth:0"
          - {get: {what: text, selector: "css:#said"}, output: said}
        output: all
    returns: {all: "${steps.all.items}"}
`

func TestNarrow(t *testing.T) {
	t.Parallel()
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, treePage)
	}))
	actions := strings.Replace(treeActions, `foreach: ["${item}", Porto, Depot]
            as: name`, `foreach: {items: ["${item}", Porto, Depot], as: name}`, 1)
	b := newBench(t, map[string]string{"places.yaml": actions}, nil, "ACTION_ACTIONS_DEFAULT_TIMEOUT=2s")
	for _, tt := range []struct {
		path []any
		said string
	}{
		{[]any{"Europe", "Porto", "Depot"}, "Europe/Porto/Depot"}, {[]any{"Asia", "Porto", "Depot"}, "Asia/Porto/Depot"},
		{[]any{"Europe", "Lyon", "Depot"}, "Europe/Lyon/Depot"}, {[]any{"Asia", "Kyoto"}, "Asia/Kyoto"},
	} {
		b.open(t, base)
		want(t, data(t, b.run(t, "places:place:choose", object{"path": tt.path})), "said", tt.said)
	}
	b.open(t, base)
	r := b.run(t, "places:place:choose", object{"path": []any{"Europe", "Lyon", "Shop"}})
	wantError(t, r, diag.ElementNotFound, "role:treeitem[name='Shop']")
	if !strings.HasSuffix(r.Error.Msg, "; what is there: Lyon Depot") {
		t.Errorf("the error does not say what is there: %s", describe(r.Error))
	}
	b.open(t, base)
	all, _ := data(t, b.run(t, "places:place:both", nil))["all"].([]any)
	if got := fmt.Sprint(all); !strings.Contains(got, "Europe/Porto/Depot") || !strings.Contains(got, "Asia/Porto/Depot") {
		t.Errorf("both paths: %s", got)
	}
}
