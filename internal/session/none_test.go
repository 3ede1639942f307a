package session_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/testdata/pages"
)

// TestNoneInEveryStep tests the selector `none` in every step. A step that requires an element fails
// immediately. A step that only queries the page returns its result for no match.
func TestNoneInEveryStep(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler())
	b := newBench(t, map[string]string{"empty.yaml": "namespace: empty\nversion: 1.0.0\n"}, nil)
	if err := os.WriteFile(filepath.Join(b.cwd, "a.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	data(t, b.Step(t.Context(), "open", session.RunOptions{Params: object{"url": base + "/steps.html"}}))
	more := map[string]object{ // other required arguments of the steps
		"drag from": {"to": "css:#go"}, "drag to": {"from": "css:#go"}, "fill selector": {"value": "a"}, "type selector": {"text": "a"},
		"press selector": {"key": "Enter"}, "select selector": {"values": "a"}, "upload selector": {"files": "a.txt"}, "get selector": {"what": "text"},
		"is selector": {"state": "enabled"}, "calendar selector": {"day": "2025-03-09"}, "extract rows": {"fields": object{"a": "css:a"}}, "collect rows": {"fields": object{"a": "css:a"}},
		"click_and_hold selector": {"duration": "1s"}, "scroll_until scroll_selector": {"max_scrolls": 1}, "scroll selector": {"direction": "down"}, "scroll_to selector": {"y": 10},
		"load_more_until load_more_selector": {"content_selector": "css:li"}, "load_more_until content_selector": {"load_more_selector": "css:#go"},
		"scroll_until stop_selector": {"max_scrolls": 1}, "collect scroll_selector": {"rows": "css:li", "fields": object{"a": "css:a"}, "max_scrolls": 1},
	}
	scrolls := map[string]bool{"load_more_until content_selector": true, "collect rows": true} // these wait for items
	counts := map[string]bool{"extract rows": true, "collect rows": true, "scroll_until stop_selector": true, "load_more_until load_more_selector": true, "load_more_until content_selector": true}
	tried := 0
	for _, entry := range catalogue.Entries() {
		if entry.Instead != "" {
			continue // the step exists only in files
		}
		for _, arg := range entry.Args {
			if arg.Type != steps.ArgSelector && arg.Type != steps.ArgPlace {
				continue
			}
			row := entry.Name + " " + arg.Name
			args := object{arg.Name: "css:body >> none"}
			for name, value := range more[row] {
				args[name] = value
			}
			start := time.Now()
			r := b.Step(t.Context(), entry.Name, session.RunOptions{Params: args, Cwd: b.cwd})
			took := time.Since(start)
			switch {
			case r.Error != nil && r.Error.Code == diag.ParamInvalid && more[row] == nil:
				t.Logf("%s: not tried: %v", row, r.Error)
				continue
			case counts[row]:
				if r.Error != nil && r.Error.Code != diag.ElementNotFound {
					t.Errorf("%s: got %s", row, describe(r.Error))
				}
			default:
				wantError(t, r, diag.ElementNotFound, `contains the selector "none"`)
			}
			if took > 3*time.Second && !scrolls[row] {
				t.Errorf("%s took %v", row, took)
			}
			tried++
		}
	}
	if tried < 25 {
		t.Errorf("tried %d arguments, want at least 25", tried)
	}
}

const noneActions = `
namespace: lib
version: 1.0.0
env: [{name: BASE, secret: false}]
compatibility:
  version_script: window.Lib && Lib.version
  version_overrides:
    "2.x":
      selectors: {panel: "class:panel >> visible:"}
selectors:
  panel: none
  option: "${selectors.panel} >> css:li"
  item: {primary: none, fallback: ["css:li >> not:(class:off)"]}
  choice: {primary: "css:#absent", fallback: ["any:(none | class:off)"]}
  off: class:off
actions:
  page:open:
    params: {version: {type: string}}
    steps: [{action: open, args: {url: "${env.BASE}/?v=${version}"}}]
  panel:ask:
    steps:
      - {action: get, args: {selector: "${selectors.option}", what: count}, output: n}
      - {action: is, args: {selector: "${selectors.panel}", state: visible}, output: shown}
      - {action: click, args: {selector: "${selectors.panel} >> css:li >> nth:0"}, when: "${steps.n.count} > 0"}
    returns: {count: "${steps.n.count}", shown: "${steps.shown.visible}"}
  panel:gone:
    steps:
      - {action: wait, args: {selector: "${selectors.option}", state: hidden}}
      - {action: wait, args: {selector: "${selectors.panel}", state: detached}}
  panel:press: {steps: [{action: click, args: {selector: "${selectors.option} >> nth:0"}, retry: 1, retry_delay: 1}]}
  panel:fallback:
    steps: [{action: get, args: {selector: "${selectors.panel}", what: text}, output: got, fallback: [{action: get, args: {selector: "css:h1", what: text}, output: got}]}]
    returns: {text: "${steps.got.text}"}
  item:read:
    steps: [{action: get, args: {selector: "${selectors.item} >> nth:0", what: text}, output: got}]
    returns: {text: "${steps.got.text}"}
  choice:read:
    params: {within: {type: selector, default: "css:body"}}
    steps: [{action: get, args: {selector: "${params.within} >> any:(css:#absent | ${selectors.choice})", what: text}, output: got}]
    returns: {text: "${steps.got.text}"}
  choice:others:
    steps: [{action: extract, args: {rows: "css:li >> not:(${selectors.off})", fields: {text: {what: text}}}, output: got}]
    returns: {rows: "${steps.got.rows}"}
`

// TestNoneAsAnAlias tests aliases that are the selector `none` in some versions of a library.
func TestNoneAsAnAlias(t *testing.T) {
	t.Parallel()
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(`<!DOCTYPE html><title>Lib</title><h1>Title</h1><ul class="x-panel"><li class="x-off">Off</li><li>On</li></ul>
			<ul class="x-panel" hidden><li>Hidden</li></ul><script>window.Lib = {version: "` + r.URL.Query().Get("v") + `"}</script>`))
	}))
	b := newBench(t, map[string]string{"lib.yaml": noneActions}, nil, "BASE="+base)

	b.mustRun(t, "lib:page:open", object{"version": "1.4.0"})
	got := b.mustRun(t, "lib:panel:ask", nil)
	want(t, got, "count", "0")
	want(t, got, "shown", "false")
	b.mustRun(t, "lib:panel:gone", nil)
	start := time.Now()
	r := b.run(t, "lib:panel:press", nil)
	wantError(t, r, diag.ElementNotFound, `the alias panel is defined as "none" here`)
	if r.Error != nil && (r.Error.Details["alias"] != "panel" || !strings.Contains(r.Error.Hint, "panel")) {
		t.Errorf("details %v, hint %q", r.Error.Details, r.Error.Hint)
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("the step took %v, want no wait", took)
	}
	want(t, b.mustRun(t, "lib:panel:fallback", nil), "text", "Title")

	start = time.Now()
	r = b.run(t, "lib:item:read", nil)
	want(t, data(t, r), "text", "On")
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("a fallback of none took %v", took)
	}
	for range 2 { // the second run remembers the fallback
		r = b.run(t, "lib:choice:read", nil)
		want(t, data(t, r), "text", "Off")
		wantDegraded(t, r, "choice")
	}
	want(t, b.mustRun(t, "lib:choice:read", object{"within": "class:panel >> visible:"}), "text", "Off")
	want(t, b.mustRun(t, "lib:choice:others", nil), "rows", "[map[text:On] map[text:Hidden]]")

	b.mustRun(t, "lib:page:open", object{"version": "2.0.0"})
	got = b.mustRun(t, "lib:panel:ask", nil)
	want(t, got, "count", "2")
	want(t, got, "shown", "true")
	b.mustRun(t, "lib:panel:press", nil)
}
