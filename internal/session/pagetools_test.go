package session_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
)

const toolActions = `
namespace: tools
version: 1.0.0
actions:
  call:it:
    params: {name: {type: string, required: true}}
    steps: [{page_tools: {do: call, name: "${name}"}}]
  call:expects:
    steps: [{page_tools: {do: call, name: mark}, expect: dom}]
  call:checked:
    steps: [{page_tools: {do: call, name: mark}}]
    verify: [{selector: "css:#said", text: marked}]
  list:all:
    steps: [{page_tools: list, output: found}]
    returns: {names: "${steps.found.tools}"}
  call:secret:
    params: {pin: {type: string, secret: true, required: true}}
    steps: [{page_tools: {do: call, name: echo, input: {pin: "${pin}", list: ["${pin}"]}}, output: back}]
    returns: {back: "${steps.back.value}"}
  fail:secret:
    params: {pin: {type: string, secret: true, required: true}}
    steps: [{page_tools: {do: call, name: fails, input: {pin: "${pin}"}}}]
`

// TestPageToolsInRuns checks that the call of a page's tool is an input with an effect, and that the
// effect is unverified unless a check confirms it. Secrets in the arguments of the tool are masked
// wherever the page returns them.
func TestPageToolsInRuns(t *testing.T) {
	t.Parallel()
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!DOCTYPE html><title>Tools</title><link rel=icon href="data:,"><p id=said>-</p><script>
const tool = (name, execute) => document.modelContext?.registerTool({ name, description: name, execute });
tool('mark', () => { said.textContent = 'marked'; return 'done' });
tool('idle', () => 'done');
tool('echo', (input) => input);
tool('fails', (input) => { throw new Error('wrong ' + input.pin) });
</script>`)
	}))
	b := newBench(t, map[string]string{"tools.yaml": toolActions}, nil, "ACTION_BROWSER_PAGE_TOOLS=true", shortWait)
	for _, tt := range []struct {
		action string
		params object
		effect string
		left   string // the steps that nothing confirms
	}{
		{"call:it", object{"name": "mark"}, "1 change of the page", "page_tools of tools:call:it"},
		{"call:it", object{"name": "idle"}, "nothing", "page_tools of tools:call:it"},
		{"call:expects", nil, "1 change of the page", ""},
		{"call:checked", nil, "1 change of the page", ""},
		{"list:all", nil, "", ""},
	} {
		b.open(t, base)
		r := b.runWith(t, "tools:"+tt.action, session.RunOptions{Params: tt.params, Steps: true})
		data(t, r)
		if e := r.Steps[0].Effect; tt.effect == "" && e != nil || tt.effect != "" && (e == nil || !strings.HasPrefix(e.String(), tt.effect)) {
			t.Errorf("%s %v: the effect is %v, expected %s", tt.action, tt.params, e, tt.effect)
		}
		var left []string
		for _, u := range r.Unverified {
			left = append(left, u.Step+" of "+u.Action)
		}
		if got := strings.Join(left, ", "); got != tt.left {
			t.Errorf("%s %v: %q is unverified, expected %q", tt.action, tt.params, got, tt.left)
		}
	}

	b.open(t, base)
	const pin = "pin-4711-x"
	for _, action := range []string{"tools:call:secret", "tools:fail:secret"} {
		r := b.runWith(t, action, session.RunOptions{Params: object{"pin": pin}, Steps: true})
		text, err := json.Marshal(r)
		if err != nil || strings.Contains(string(text), pin) {
			t.Errorf("%s: the result has the secret: %s %v", action, text, err)
		}
		if failed := action == "tools:fail:secret"; r.Success == failed {
			t.Errorf("%s: %s", action, describe(r.Error))
		} else if failed {
			wantError(t, r, diag.StepFailed, "wrong ***")
		}
	}
}
