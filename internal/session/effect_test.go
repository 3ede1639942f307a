package session_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

// effectPage has a button for each effect that a press can have, immediately or later.
const effectPage = `<!DOCTYPE html><title>Effects</title><link rel=icon href="data:,">
<style>.spin { animation: spin .4s 1 } .endless { width: 1em; animation: spin 1s infinite } .slow { animation: spin 60s 1 } @keyframes spin { to { transform: rotate(1turn) } }</style>
<button id=nothing>Nothing</button>
<button id=ripple onclick="this.classList.add('is-focused'); const r = document.createElement('i'); r.className = 'ripple'; this.append(r)">Ripple</button>
<button id=dom onclick="said.textContent += 'x'">Change</button>
<button id=later onclick="setTimeout(() => said.textContent += 'later', 250)">Later</button>
<button id=toggle aria-pressed=false onclick="this.setAttribute('aria-pressed', 'true')">Toggle</button>
<button id=own onclick="this.textContent = 'Following'">Follow</button>
<button id=request onclick="fetch('/data')">Request</button>
<button id=chain onclick="fetch('/data').then(r => r.text()).then(() => fetch('/data?two')).then(r => r.text()).then(t => said.textContent = t)">Chain</button>
<button id=debounce onclick="setTimeout(() => fetch('/slow').then(r => r.text()).then(t => said.textContent = t), 300)">Debounced</button>
<button id=dialog onclick="alert('Saved it')">Dialog</button>
<button id=popup onclick="window.open('/other')">Popup</button>
<a id=download href=/file download>Download</a>
<a id=link href="/other">Other</a>
<button id=push onclick="history.pushState({}, '', '/pushed')">Push</button>
<button id=focus onclick="field.focus()">Focus</button>
<label><input type=checkbox id=box>Box</label><input id=field aria-label=Field>
<button id=animate onclick="said.className = 'spin'; setTimeout(() => said.textContent = 'done', 200); said.onanimationend = () => said.textContent += ' turned'">Animate</button>
<button id=tip onmouseenter="this.after(tipped); tipped.className = 'slow'" onclick="setTimeout(() => said.textContent = 'tipped', 200)">Tip</button>
<button id=card onclick="this.after(tipped); tipped.className = 'slow'; tipped.firstElementChild.append(document.createElement('button'))">Card</button>
<p id=said>-</p><p id=clock class=endless>0</p><svg width=10 height=10></svg>
<p id=before>Before</p><script>document.getElementById('before').animate({ opacity: [1, .5] }, 60_000).startTime = -20_000;
const tipped = document.createElement('div'); tipped.innerHTML = '<i role=tooltip>What it is for</i>';
const said = document.getElementById('said'), field = document.getElementById('field');</script>`

var effectActions = `
namespace: effects
version: 1.0.0
actions:
  press:it:
    params: {id: {type: string, required: true}}
    steps: [{click: "css:#${id}"}]
  press:checked:
    params: {id: {type: string, required: true}, text: {type: string, required: true}}
    steps: [{click: "css:#${id}"}]
    verify: [{selector: "css:#said", text: "${text}"}]
  key:dom: {params: {key: {type: string, required: true}}, steps: [{focus: "css:#field"}, {press: "${key}", expect: dom, timeout: 1s}]}
  key:none: {params: {key: {type: string, required: true}}, steps: [{focus: "css:#field"}, {press: "${key}", expect: none}]}
  mouse:dom: {steps: [{mouse_move: {x: 1, y: 1}}, {mouse_down: {}, expect: dom, timeout: 3s}, {mouse_up: {}}]}
  press:tolerated: {steps: [{click: "css:#absent", timeout: 300ms, on_error: continue}, {fill: {selector: "css:#field", value: abc}}]}
  press:around:
    steps: [{run: {action: "press:it", params: {id: dom}}}]
    verify: [{selector: "css:#said", text: x}]
  press:compared:
    params: {id: {type: string, required: true}, twice: {type: boolean, default: false}}
    steps:
      - {click: "css:#toggle", when: "${twice}"}
      - {get: {selector: "css:#said", what: text}, output: before}
      - click: "css:#${id}"
      - {get: {selector: "css:#said", what: text}, output: after}
    verify: [{condition: "${steps.after.text} != ${steps.before.text}"}]
  press:address:
    steps: [{get: url, output: before}, {click: "css:#push"}]
    verify: [{condition: "${page.url} != ${steps.before.url}"}]
  press:after:
    steps: [{click: "css:#dom"}, {get: {selector: "css:#said", what: text}, output: after}]
    verify: [{condition: "${steps.after.text} contains '-'"}]
  press:kept:
    params: {text: {type: string, default: "-x"}}
    steps: [{run: {action: "part:dom"}}, {run: {action: "part:read", params: {text: "${text}"}}}, {press: "F8"}]
  press:last: {steps: [{run: {action: "press:kept"}}, {click: "css:#own"}, {run: {action: "part:none"}}]}
  part:dom: {internal: true, steps: [{click: "css:#dom"}]}
  part:read:
    internal: true
    params: {text: {type: string, required: true}}
    steps: [{wait: {selector: "css:#said >> text:${text}", keep: true}}]
  part:none: {internal: true, steps: [{get: {selector: "css:#absent", what: count, keep: true}}]}
  fill:field: {steps: [{fill: {selector: "css:#field", value: abc}}]}
  read:text: {steps: [{get: {selector: "css:#said", what: text}, output: said}], returns: {said: "${steps.said.text}"}}
  settle:read:
    params: {id: {type: string, required: true}}
    steps:
      - {click: "css:#${id}", settle: true}
      - {get: {selector: "css:#said", what: text}, output: said}
    returns: {said: "${steps.said.text}"}
  settle:action:
    settle: true
    params: {id: {type: string, required: true}}
    steps:
      - click: "css:#${id}"
      - {get: {selector: "css:#said", what: text}, output: said}
    returns: {said: "${steps.said.text}"}
  settle:run:
    params: {id: {type: string, required: true}}
    steps:
      - {run: {action: "press:it", params: {id: "${id}"}}, settle: true}
      - {get: {selector: "css:#said", what: text}, output: said}
    returns: {said: "${steps.said.text}"}
  settle:brief:
    params: {id: {type: string, required: true}}
    steps:
      - {click: "css:#${id}", settle: 300ms}
  settle:short:
    steps:
      - {click: "css:#hang", settle: 300ms}
` + expectActions

// expectActions has an action for each effect that a step can expect.
var expectActions = func() string {
	var b strings.Builder
	for _, kind := range []string{"navigation", "request", "dialog", "download", "popup", "dom", "none"} {
		fmt.Fprintf(&b, "  expect:%s: {params: {id: {type: string, required: true}}, steps: [{click: 'css:#${id}', expect: %s, timeout: 1500ms}]}\n", kind, kind)
	}
	return b.String()
}()

func serveEffects(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/data", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(150 * time.Millisecond)
		fmt.Fprint(w, "data ", r.URL.RawQuery)
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(400 * time.Millisecond)
		fmt.Fprint(w, "slow")
	})
	mux.HandleFunc("/hang", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/poll", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(700 * time.Millisecond):
			fmt.Fprint(w, "polled")
		}
	})
	mux.HandleFunc("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=orders.csv")
		fmt.Fprint(w, "a,b")
	})
	mux.HandleFunc("/other", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<title>Other</title><p id=said>other") })
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, effectPage)
	})
	mux.HandleFunc("/polling", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, effectPage, `<button id=hang onclick="fetch('/hang')">Hang</button>
<script>const poll = () => fetch('/poll').then((r) => r.text()).then(poll); poll();
setInterval(() => document.getElementById('clock').textContent++, 40);</script>`)
	})
	return serve(t, mux)
}

func TestEffects(t *testing.T) {
	t.Parallel()
	base := serveEffects(t)
	b := newBench(t, map[string]string{"effects.yaml": effectActions}, nil)
	for _, tt := range []struct {
		id, says string
		warns    bool
	}{
		{"nothing", "nothing", true},
		{"ripple", "nothing", true},
		{"dom", "1 change of the page", false},
		{"later", "nothing", false}, // an effect may still come
		{"toggle", "1 change of the page", false},
		{"own", "1 change of the page", false},
		{"request", "1 request", false},
		{"dialog", `dialog "Saved it"`, false},
		{"popup", "new tab " + base + "/other", false},
		{"download", "download of ", false},
		{"link", "went to " + base + "/other", false},
		{"push", "went to " + base + "/pushed", false},
		{"focus", "focus on <input#field", false},
		{"box", "1 field set", false},
	} {
		b.open(t, base)
		r := b.runWith(t, "effects:press:it", session.RunOptions{Params: object{"id": tt.id}, Steps: true})
		data(t, r)
		if got := r.Steps[0].Effect.String(); !strings.HasPrefix(got, tt.says) {
			t.Errorf("%s: the effect is %s, expected %s", tt.id, got, tt.says)
		}
		if got := hasWarning(r, executor.WarnNoEffect); got != tt.warns {
			t.Errorf("%s: warns of no effect: %t, expected %t: %v", tt.id, got, tt.warns, r.Warnings)
		}
		if r.Verified == nil || *r.Verified || len(r.Unverified) != 1 || r.Unverified[0].Step != "click" || r.Unverified[0].Path != "steps[0]" {
			t.Errorf("%s: a press that nothing confirms: %v", tt.id, r.Unverified)
		}
	}
}

func TestVerified(t *testing.T) {
	t.Parallel()
	base := serveEffects(t)
	b := newBench(t, map[string]string{"effects.yaml": effectActions}, nil)
	for _, tt := range []struct {
		action string
		params object
		left   string // the presses that nothing confirms
	}{
		{"press:checked", object{"id": "dom", "text": "x"}, ""},
		{"press:checked", object{"id": "dom", "text": "-"}, "click of effects:press:checked"}, // the condition held before the press
		{"press:around", nil, ""},
		{"press:compared", object{"id": "dom"}, ""},
		{"press:compared", object{"id": "dom", "twice": true}, "click of effects:press:compared"}, // the first press is before both comparisons
		{"press:address", nil, ""},
		{"press:after", nil, "click of effects:press:after"},
		{"press:kept", nil, "press of effects:press:kept"},
		{"press:last", nil, "press of effects:press:kept, click of effects:press:last"},
		{"expect:dom", object{"id": "dom"}, ""},
		{"expect:none", object{"id": "nothing"}, ""},
		{"fill:field", nil, ""},
		{"press:tolerated", nil, "click of effects:press:tolerated"},
		{"read:text", nil, ""},
	} {
		b.open(t, base)
		r := b.run(t, "effects:"+tt.action, tt.params)
		data(t, r)
		var left []string
		for _, u := range r.Unverified {
			left = append(left, u.Step+" of "+u.Action)
		}
		if got := strings.Join(left, ", "); r.Verified == nil || *r.Verified != (tt.left == "") || got != tt.left {
			t.Errorf("%s %v: verified is %v but for %q, expected %q", tt.action, tt.params, r.Verified, got, tt.left)
		}
	}
}

func TestExpect(t *testing.T) {
	t.Parallel()
	base := serveEffects(t)
	b := newBench(t, map[string]string{"effects.yaml": effectActions}, nil)
	gives := map[string][]string{
		"navigation": {"link", "push"}, "request": {"request", "debounce", "link"}, "dialog": {"dialog"}, "download": {"download"}, "popup": {"popup"},
		"dom": {"dom", "later", "own", "link"}, "none": {"nothing", "ripple"},
	}
	for kind, ids := range gives {
		for _, id := range ids {
			b.open(t, base)
			if r := b.run(t, "effects:expect:"+kind, object{"id": id}); !r.Success {
				t.Errorf("%s of %s: %s", kind, id, describe(r.Error))
			}
		}
	}
	for _, tt := range testkit.Some(t, "effects that are missing", 2, [][2]string{
		{"navigation", "found no navigation within 1.5s, expected the step to cause one; its effects: 1 change of the page"},
		{"request", "found no request"}, {"dialog", "found no dialog"}, {"download", "found no download"}, {"none", "found effects of the step, expected none: 1 change of the page"},
		{"popup", "found no new tab"},
	}) {
		b.open(t, base)
		wantError(t, b.run(t, "effects:expect:"+tt[0], object{"id": "dom"}), diag.StepFailed, tt[1])
	}
	type key struct {
		name  string
		comes bool // whether it changes the page
	}
	for _, row := range somePairs(t, "keys", 3, []key{{"a", true}, {"Tab", true}, {"F8", false}, {"Shift", false}}, []string{"dom", "none"}) {
		b.open(t, base)
		holds := row.a.comes == (row.b == "dom")
		if r := b.run(t, "effects:key:"+row.b, object{"key": row.a.name}); r.Success != holds {
			t.Errorf("%s of the key %s: %t, expected %t: %s", row.b, row.a.name, r.Success, holds, describe(r.Error))
		}
	}
	b.open(t, base)
	wantError(t, b.run(t, "effects:mouse:dom", nil), diag.StepFailed, "found no change of the page")
	b.open(t, base)
	wantError(t, b.run(t, "effects:expect:dom", object{"id": "nothing"}), diag.StepFailed, "found no change of the page")
}

func TestSettle(t *testing.T) {
	t.Parallel()
	base := serveEffects(t)
	b := newBench(t, map[string]string{"effects.yaml": effectActions}, nil)
	buttons := [][2]string{{"chain", "data two"}, {"debounce", "slow"}, {"animate", "done turned"}, {"link", "other"}, {"tip", "tipped"}} // with what the page says then
	uses := [][2]string{{"/", "settle:read"}, {"/polling", "settle:read"}, {"/polling", "settle:action"}, {"/polling", "settle:run"}}
	for _, row := range somePairs(t, "effects that settle", 7, buttons, uses) {
		id, said, page, action := row.a[0], row.a[1], row.b[0], row.b[1]
		b.open(t, base+page)
		r := b.run(t, "effects:"+action, object{"id": id})
		if got := data(t, r)["said"]; got != said {
			t.Errorf("%s of %s on %s: read %q, expected %q", action, id, page, got, said)
		}
		if hasWarning(r, executor.WarnNotSettled) {
			t.Errorf("%s of %s on %s: %v", action, id, page, r.Warnings)
		}
	}
	b.open(t, base+"/polling")
	r := b.run(t, "effects:settle:short", nil)
	data(t, r)
	if !hasWarning(r, executor.WarnNotSettled) || !strings.Contains(fmt.Sprint(r.Warnings), "/hang") {
		t.Errorf("the warnings do not name the open request: %v", r.Warnings)
	}
	b.open(t, base)
	if r := b.run(t, "effects:settle:brief", object{"id": "card"}); !hasWarning(r, executor.WarnNotSettled) {
		t.Errorf("the step did not wait for an element that looks like a tooltip but has a button: %v", r.Warnings)
	}
}

func hasWarning(r *executor.Result, code string) bool {
	for _, w := range r.Warnings {
		if w.Code == code {
			return true
		}
	}
	return false
}
