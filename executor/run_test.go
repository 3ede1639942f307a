package executor_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"

	"github.com/google/go-cmp/cmp"
)

// A bench is an executor with a fake page and a fake clock.
type bench struct {
	*executor.Executor
	page  *fakePage
	clock *fakeClock
	o     executor.RunOptions
}

func newBench(t testing.TB, definitions ...string) *bench {
	t.Helper()
	clock := newClock()
	return &bench{
		Executor: executor.New(executor.Options{Catalog: define(t, definitions...), Clock: clock, Cache: selectors.NewCache()}),
		page:     newPage(clock), clock: clock,
	}
}

func (b *bench) run(name string, params map[string]any) *executor.Result {
	return b.Run(context.Background(), b.page, name, params, b.o)
}

// one returns a definition with one action that has these steps. more has the other keys of the
// action.
func one(steps string, more ...string) string {
	return `{"namespace": "t", "selectors": {"ok": "css:#ok", "alt": {"primary": "css:#first", "fallback": ["css:#second", "css:#third"]}},
		"actions": {"a:b": {"steps": [` + steps + `]` + strings.Join(append([]string{""}, more...), ", ") + `}}}`
}

// outline shows the steps of a result: "click ok x1 [run ok x1 (fill failed x2)]".
func outline(list []*executor.StepResult) string {
	var out []string
	for _, s := range list {
		text := fmt.Sprintf("%s %s", s.Action, s.Status)
		if s.Attempts != 1 {
			text += fmt.Sprintf(" x%d", s.Attempts)
		}
		if s.Iteration != nil {
			text = fmt.Sprintf("%d:%s", *s.Iteration, text)
		}
		if len(s.Steps) > 0 {
			text += " [" + outline(s.Steps) + "]"
		}
		if len(s.Fallback) > 0 {
			text += " (" + outline(s.Fallback) + ")"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

const click = `{"action": "click", "args": {"selector": "css:#a"}`

func notFound() error { return diag.New(diag.ElementNotFound, "nothing matches") }
func covered() error  { return diag.New(diag.ElementNotInteractable, "covered") }

func TestSteps(t *testing.T) {
	tests := []struct {
		name    string
		steps   string
		more    string
		params  map[string]any
		setup   func(p *fakePage)
		outline string
		code    diag.Code
		path    string
		data    map[string]any
		calls   []string
		warn    []string
		slept   []time.Duration
	}{
		{name: "one click", steps: click + `}`, outline: "click ok", calls: []string{"press css:#a"}},
		{
			name: "when", steps: click + `, "when": "${params.x} == 'no'"}, ` + click + `, "when": "${x} == 'yes'"}`,
			more: `"params": {"x": {}}`, params: map[string]any{"x": "yes"},
			outline: "click skipped x0, click ok", calls: []string{"press css:#a"},
		},
		{
			name: "a value is never syntax", steps: click + `, "when": "${x} == 'a'"}`, more: `"params": {"x": {}}`,
			params: map[string]any{"x": "' || true || '"}, outline: "click skipped x0",
		},
		{
			name: "scope", more: `"scope": "css:form", "params": {"x": {}}, "verify": [{"selector": "css:ok"}]`, params: map[string]any{"x": "b"},
			steps: click + `}, ` + click + `, "scope": "within:${x}"}, {"action": "click", "args": {"selector": "document: >> css:#c"}},
				{"action": "foreach", "args": {"items": [1]}, "scope": "css:ul", "steps": [{"action": "find", "args": {"role": "button"}}, {"action": "get", "args": {"what": "text"}}]}, ` + click + `}`,
			setup: func(p *fakePage) {
				for _, found := range []string{"css:form >> css:#a", "css:form >> within:b >> css:#a", "css:#c", "css:form >> css:ul >> role:button", "css:body", "css:form >> css:ok"} {
					p.present[found] = found
				}
			},
			outline: "click ok, click ok, click ok, foreach ok [0:find ok, 0:get ok], click ok",
			warn:    []string{executor.WarnNoEffect},
			calls: []string{"shown", "wait visible css:form >> css:ok", "press css:form >> css:#a", "press css:form >> within:b >> css:#a", "press css:#c", "find css:form >> css:ul >> role:button",
				"read css:body", "press css:form >> css:#a", "wait visible css:form >> css:ok"},
		},
		{
			name: "when on what a step left", outline: "find ok, click skipped x0",
			steps: `{"action": "find", "args": {"text": "Ada"}, "output": "f"}, ` + click + `, "when": "${steps.f.count} > 0"}`,
			calls: []string{"find text:Ada"},
		},
		{
			name: "retry", steps: click + `, "retry": 2, "retry_delay": "300ms"}`,
			setup:   func(p *fakePage) { p.fail["press css:#a"] = []error{covered(), covered()} },
			outline: "click ok x3", slept: []time.Duration{300 * time.Millisecond, 300 * time.Millisecond},
		},
		{
			name: "retries used up: the last code stands", steps: click + `, "retry": 1}`,
			setup:   func(p *fakePage) { p.fail["press css:#a"] = []error{covered(), notFound()} },
			outline: "click failed x2", code: diag.ElementNotFound, path: "steps[0]", slept: []time.Duration{time.Second},
		},
		{
			name: "retry on other codes only", steps: click + `, "retry": {"times": 3, "on": ["TIMEOUT"]}}`,
			setup:   func(p *fakePage) { p.fail["press css:#a"] = []error{covered()} },
			outline: "click failed", code: diag.ElementNotInteractable, path: "steps[0]",
		},
		{
			name: "what cannot change is not tried again", steps: click + `, "retry": 3}`,
			setup:   func(p *fakePage) { p.fail["press css:#a"] = []error{diag.New(diag.DefinitionInvalid, "bad css")} },
			outline: "click failed", code: diag.DefinitionInvalid, path: "steps[0]",
		},
		{
			name:    "fallback",
			steps:   click + `, "output": "r", "fallback": [{"action": "get", "args": {"selector": "css:#b", "what": "text"}}]}`,
			more:    `"returns": {"text": "${steps.r.text}"}`,
			setup:   func(p *fakePage) { p.fail["press css:#a"] = []error{covered()}; p.present["css:#b"] = "saved" },
			outline: "click recovered (get ok)", data: map[string]any{"text": "saved"}, warn: []string{"recovered"},
		},
		{
			name: "a fallback that was skipped is none", steps: click + `, "fallback": [` + click + `, "when": "false"}]}`,
			setup:   func(p *fakePage) { p.fail["press css:#a"] = []error{covered()} },
			outline: "click failed (click skipped x0)", code: diag.ElementNotInteractable, path: "steps[0]",
		},
		{
			name: "a fallback that fails too", steps: click + `, "fallback": [{"action": "fail", "args": {"message": "no button"}}]}`,
			setup:   func(p *fakePage) { p.fail["press css:#a"] = []error{covered()} },
			outline: "click failed (fail failed)", code: diag.StepFailed, path: "steps[0].fallback[0]",
		},
		{
			name:    "a fallback that fails too, and on_error",
			steps:   click + `, "on_error": "continue", "fallback": [{"action": "fail", "args": {"message": "no"}}]}, {"action": "hover", "args": {"selector": "css:#a"}}`,
			setup:   func(p *fakePage) { p.fail["press css:#a"] = []error{covered()} },
			outline: "click failed (fail failed), hover ok", warn: []string{"step_failed"},
		},
		{
			name: "on_error continue leaves no output", steps: `{"action": "get", "args": {"selector": "css:#x", "what": "text"}, "output": "x", "on_error": "continue"}`,
			more: `"returns": {"x": "${steps.x.text}"}`, outline: "get failed", data: map[string]any{"x": nil}, warn: []string{"step_failed"},
			slept: []time.Duration{5 * time.Second},
		},
		{name: "fail", steps: `{"action": "fail", "args": {"message": "no ${x}"}}`, more: `"params": {"x": {"default": "luck"}}`,
			outline: "fail failed", code: diag.StepFailed, path: "steps[0]"},
		{name: "set", steps: `{"action": "set", "args": {"values": {"n": 3, "m": "${x}!"}}}`, more: `"params": {"x": {"default": "hi"}}, "returns": {"n": "${steps.n}", "m": "${steps.m}"}`,
			outline: "set ok", data: map[string]any{"n": int64(3), "m": "hi!"}},
		{name: "set with output", steps: `{"action": "set", "args": {"values": {"n": 3}}, "output": "o"}`, more: `"returns": {"n": "${steps.o.n}"}`,
			outline: "set ok", data: map[string]any{"n": int64(3)}},
		{name: "no returns", steps: click + `}`, outline: "click ok", data: map[string]any{}},
		{name: "returns", steps: click + `}`, more: `"params": {"x": {}}, "returns": {"a": ["${x}", {"b": "${x}!"}], "url": "${page.url}"}`,
			outline: "click ok", data: map[string]any{"a": []any{nil, map[string]any{"b": "!"}}, "url": "https://shop.test/"}},
		{
			name: "foreach", outline: "foreach ok [0:fill ok, 1:fill ok]", params: map[string]any{"xs": []any{"p", "q"}},
			steps: `{"action": "foreach", "args": {"items": "${xs}", "as": "x"}, "output": "all", "steps": [{"action": "fill", "args": {"selector": "css:#a", "value": "${index}${x}"}, "output": "f"}]}`,
			more:  `"params": {"xs": {"type": "array", "items": {"type": "string"}}}, "returns": {"n": "${steps.all.count}", "second": "${steps.all.items[1].f.value}"}`,
			calls: []string{"fill 0p css:#a", "fill 1q css:#a"}, data: map[string]any{"n": 2, "second": "1q"},
		},
		{
			name: "foreach in order", outline: "foreach ok [0:fill ok, 1:fill ok, 2:fill ok, 3:fill ok]",
			steps: `{"action": "foreach", "args": {"items": [{"n": "none"}, {"n": "two", "y": 10}, {"n": "one", "y": 9.5}, {"n": "three", "y": "10px"}], "by": "y"}, "steps": [{"action": "fill", "args": {"selector": "css:#a", "value": "${item.n}"}}]}`,
			calls: []string{"fill one css:#a", "fill two css:#a", "fill three css:#a", "fill none css:#a"}, data: map[string]any{},
		},
		{
			name: "a failed item fails the block", outline: "foreach failed [0:fill ok, 1:fill failed]", params: map[string]any{"xs": []any{"p", "q", "r"}},
			steps: `{"action": "foreach", "args": {"items": "${xs}"}, "steps": [{"action": "fill", "args": {"selector": "css:#a", "value": "${item}"}}]}`,
			more:  `"params": {"xs": {"type": "array", "items": {"type": "string"}}}`,
			setup: func(p *fakePage) { p.fail["fill q css:#a"] = []error{covered()} },
			code:  diag.ElementNotInteractable, path: "steps[0].steps[0]",
		},
		{
			name: "repeat until its last outputs say so", outline: "repeat ok [0:find ok, 1:find ok, 2:find ok]",
			steps: `{"action": "repeat", "args": {"until": "${steps.f.count} == 1"}, "output": "r", "steps": [{"action": "find", "args": {"css": "#late"}, "output": "f"}]}`,
			more:  `"returns": {"n": "${steps.r.count}"}`,
			setup: func(p *fakePage) {
				n := 0
				p.then["find css:#late"] = func() {
					if n++; n == 2 {
						p.present["css:#late"] = ""
					}
				}
			},
			data: map[string]any{"n": 3}, slept: []time.Duration{200 * time.Millisecond, 200 * time.Millisecond},
		},
		{
			name: "repeat in vain", outline: "repeat failed [0:press ok, 1:press ok]", code: diag.StepFailed, path: "steps[0]",
			steps: `{"action": "repeat", "args": {"until": "${index} > 5", "max": 2, "delay": 0}, "steps": [{"action": "press", "args": {"key": "Tab"}}]}`,
		},
		{
			name: "page.url is read when it is asked for", outline: "open ok, click ok", calls: []string{"open https://x.test/", "document", "press css:#a"},
			steps: `{"action": "open", "args": {"url": "https://x.test/"}}, ` + click + `, "when": "${page.url} == 'https://x.test/'"}`,
		},
		{
			name: "find never waits", steps: `{"action": "find", "args": {"text": "x"}}`, outline: "find ok",
			setup: func(p *fakePage) { p.then["find text:x"] = func() {} },
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			more := []string{}
			if tt.more != "" {
				more = append(more, tt.more)
			}
			b := newBench(t, one(tt.steps, more...))
			b.o.Steps = true
			b.page.present["css:#a"] = ""
			if tt.setup != nil {
				tt.setup(b.page)
			}
			res := b.run("t:a:b", tt.params)
			if got := outline(res.Steps); got != tt.outline {
				t.Errorf("steps = %s, want %s", got, tt.outline)
			}
			if got := diag.CodeOf(errOf(res)); got != tt.code {
				t.Fatalf("code = %q (%v), want %q", got, res.Error, tt.code)
			}
			if res.Success != (tt.code == "") {
				t.Errorf("success = %t with code %q", res.Success, tt.code)
			}
			if res.Error != nil && (res.Error.Path != tt.path || res.Error.Action != "t:a:b" || !res.Error.Pos.IsValid() || res.Error.StepAction == "") {
				t.Errorf("error at %q of %q (%s, step %q), want %q of t:a:b with a position", res.Error.Path, res.Error.Action, res.Error.Pos, res.Error.StepAction, tt.path)
			}
			if tt.data != nil {
				if diff := cmp.Diff(any(tt.data), res.Data); diff != "" {
					t.Errorf("data (-want +got):\n%s", diff)
				}
			}
			if tt.calls != nil {
				if diff := cmp.Diff(tt.calls, b.page.calls); diff != "" {
					t.Errorf("calls (-want +got):\n%s", diff)
				}
			}
			if tt.slept != nil {
				if diff := cmp.Diff(tt.slept, b.clock.slept); diff != "" {
					t.Errorf("waits (-want +got):\n%s", diff)
				}
			}
			var warned []string
			for _, w := range res.Warnings {
				warned = append(warned, w.Code)
			}
			if !reflect.DeepEqual(warned, tt.warn) {
				t.Errorf("warnings = %v, want %v", res.Warnings, tt.warn)
			}
		})
	}
}

func errOf(res *executor.Result) error {
	if res.Error == nil {
		return nil
	}
	return res.Error
}

func TestNestedRun(t *testing.T) {
	def := `{"namespace": "t", "actions": {
		"a:b": {"params": {"x": {}}, "steps": [{"action": "run", "args": {"action": "a:c", "params": {"y": "${x}2"}}, "output": "r"}], "returns": {"got": "${steps.r.z}"}},
		"a:c": {"params": {"y": {"required": true}, "n": {"type": "integer", "default": 7}}, "steps": [` + click + `, "output": "own"}], "returns": {"z": "${y}-${n}"}}}}`
	b := newBench(t, def)
	b.page.present["css:#a"] = ""
	b.o.Steps = true
	res := b.run("t:a:b", map[string]any{"x": "v"})
	if diff := cmp.Diff(any(map[string]any{"got": "v2-7"}), res.Data); diff != "" {
		t.Fatalf("data (-want +got):\n%s\n%v", diff, res.Error)
	}
	if got, want := outline(res.Steps), "run ok [click ok]"; got != want {
		t.Errorf("steps = %s, want %s", got, want)
	}
	delete(b.page.present, "css:#a")
	res = b.run("t:a:b", map[string]any{"x": "v"})
	e := res.Error
	if e == nil || e.Action != "t:a:c" || e.Path != "steps[0]" || e.StepAction != "click" || len(e.Notes) != 1 {
		t.Errorf("error = %+v, want one in t:a:c steps[0] with a note of the run", e)
	}
}

func TestDepth(t *testing.T) {
	var actions []string
	for i := range 12 {
		actions = append(actions, fmt.Sprintf(`"n:a%d": {"steps": [{"action": "run", "args": {"action": "n:a%d"}}]}`, i, i+1))
	}
	actions = append(actions, `"n:a12": {"steps": [{"action": "set", "args": {"values": {"x": 1}}}]}`)
	b := newBench(t, `{"namespace": "t", "actions": {`+strings.Join(actions, ",")+`}}`)
	if res := b.run("t:n:a3", nil); !res.Success {
		t.Errorf("10 deep failed: %v", res.Error)
	}
	res := b.run("t:n:a2", nil)
	if diag.CodeOf(errOf(res)) != diag.MaxDepthExceeded || !strings.Contains(res.Error.Msg, "t:n:a2 → t:n:a3 →") {
		t.Errorf("error = %v, want MAX_DEPTH_EXCEEDED with the chain", res.Error)
	}
}

func TestStepBudget(t *testing.T) {
	b := newBench(t, one(`{"action": "repeat", "args": {"max": 100000, "delay": 0}, "on_error": "continue", "retry": 4,
		"steps": [{"action": "set", "args": {"values": {"x": 1}}, "when": "false"}]}`))
	res := b.run("t:a:b", nil)
	if diag.CodeOf(errOf(res)) != diag.LimitExceeded {
		t.Fatalf("error = %v, want LIMIT_EXCEEDED", res.Error)
	}
	if n := len(res.Steps[0].Steps); n != 10_000 {
		t.Errorf("%d steps in the block, want 9,999 and the one that was refused", n)
	}
}

func TestAliases(t *testing.T) {
	steps := `{"action": "click", "args": {"selector": "${selectors.alt}"}}`
	b := newBench(t, one(steps+","+steps))
	b.o.Steps = true
	b.page.present["css:#second"] = ""
	res := b.run("t:a:b", nil)
	want := []executor.Degraded{
		{Alias: "alt", Selector: "css:#second", Index: 1, Action: "t:a:b", Path: "steps[0]"},
		{Alias: "alt", Selector: "css:#second", Index: 1, Action: "t:a:b", Path: "steps[1]"},
	}
	if diff := cmp.Diff(want, res.Degraded); diff != "" {
		t.Errorf("degraded (-want +got):\n%s\n%v", diff, res.Error)
	}
	if res.Steps[0].Selector != "css:#second" {
		t.Errorf("selector = %q, want the candidate that won", res.Steps[0].Selector)
	}
	if diff := cmp.Diff([]int{0, 1}, b.page.prefers); diff != "" {
		t.Errorf("preferred candidates (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]time.Duration{500 * time.Millisecond, 500 * time.Millisecond}, b.page.graces); diff != "" {
		t.Errorf("grace (-want +got):\n%s", diff)
	}

	b.page.prefers = nil
	b.page.navigate("https://shop.test/next")
	b.run("t:a:b", nil)
	if b.page.prefers[0] != 0 {
		t.Errorf("preferred %d in a new document, want none", b.page.prefers[0])
	}

	b.page.prefers = nil
	delete(b.page.present, "css:#second")
	b.run("t:a:b", nil) // the winner has stopped matching
	b.page.present["css:#third"] = ""
	b.run("t:a:b", nil)
	if diff := cmp.Diff([]int{1, 0, 2}, b.page.prefers); diff != "" {
		t.Errorf("preferred candidates after the winner was gone (-want +got):\n%s", diff)
	}
}

func TestGraceIsAtMostHalfTheWait(t *testing.T) {
	b := newBench(t, one(`{"action": "click", "args": {"selector": "${selectors.alt}"}, "timeout": "600ms"}`))
	b.page.present["css:#first"] = ""
	b.run("t:a:b", nil)
	if len(b.page.graces) != 1 || b.page.graces[0] != 300*time.Millisecond {
		t.Errorf("grace = %v, want 300ms", b.page.graces)
	}
}

func TestSecondRunCompilesNothing(t *testing.T) {
	b := newBench(t, one(click+`}`, `"returns": {"a": 1}`))
	b.page.present["css:#a"] = ""
	b.run("t:a:b", nil)
	again := testing.AllocsPerRun(20, func() { b.run("t:a:b", nil) })
	cold := testing.AllocsPerRun(20, func() {
		b.Executor = executor.New(b.Options)
		b.run("t:a:b", nil)
	})
	if again > cold-20 {
		t.Errorf("a further run has %.0f allocations, a first one %.0f: want it to compile nothing", again, cold)
	}
}

func TestDeprecatedAndAlias(t *testing.T) {
	def := `{"namespace": "t", "actions": {
		"a:new": {"steps": [` + click + `}]},
		"a:old": {"deprecated": true, "deprecated_message": "use a:new", "alias_of": "a:new"},
		"a:short": {"alias_of": "t:a:old"},
		"a:loop": {"alias_of": "a:loop"},
		"a:gone": {"alias_of": "x:y:z"}}}`
	tests := []struct {
		name  string
		code  diag.Code
		warns []string
	}{
		{"t:a:new", "", nil},
		{"t:a:old", "", []string{"t:a:old is deprecated: use a:new"}},
		{"t:a:short", "", []string{"t:a:short is a deprecated name: use t:a:old", "t:a:old is deprecated: use a:new"}},
		{"t:a:loop", diag.DefinitionInvalid, []string{"t:a:loop is a deprecated name: use a:loop"}},
		{"t:a:gone", diag.ActionNotFound, []string{"t:a:gone is a deprecated name: use x:y:z"}},
		{"t:a:none", diag.ActionNotFound, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, def)
			b.page.present["css:#a"] = ""
			res := b.run(tt.name, nil)
			if got := diag.CodeOf(errOf(res)); got != tt.code {
				t.Errorf("code = %q, want %q", got, tt.code)
			}
			var warns []string
			for _, w := range res.Warnings {
				warns = append(warns, w.Message)
			}
			if diff := cmp.Diff(tt.warns, warns); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			if res.Action != tt.name {
				t.Errorf("action = %q, want %q", res.Action, tt.name)
			}
		})
	}
}

func TestShadowedIsTold(t *testing.T) {
	def := define(t, one(click+`}`))
	a := def["t"].Actions["a:b"]
	a.Source = spec.Source{Kind: spec.Project, Name: "shop"}
	a.Replaced = []spec.Replacement{{By: a.Source, At: diag.Pos{File: "builtin/t.yaml", Line: 4, Column: 3}}}
	page := newPage(newClock())
	page.present["css:#a"] = ""
	x := executor.New(executor.Options{Catalog: def})
	res := x.Run(context.Background(), page, "t:a:b", nil, executor.RunOptions{})
	want := []executor.Warning{{Code: executor.WarnShadowed, Message: "t:a:b comes from project shop, which replaces builtin/t.yaml:4:3"}}
	if diff := cmp.Diff(want, res.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestResultJSON(t *testing.T) {
	b := newBench(t, one(click+`}`))
	b.page.present["css:#a"] = ""
	got, err := json.Marshal(b.run("t:a:b", nil))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"success":true,"data":{},"verified":false,"unverified":[{"step":"click","action":"t:a:b","path":"steps[0]","why":"the step names no expected effect, and no check of verify changed"}],"action":"t:a:b","duration_ms":0}`
	if string(got) != want {
		t.Errorf("result = %s, want %s", got, want)
	}
	got, _ = json.Marshal(b.run("t:a:nope", nil))
	want = `{"success":false,"data":null,"error":{"code":"ACTION_NOT_FOUND","message":"no action is named \"t:a:nope\"","suggestion":"see action list"},"action":"t:a:nope","duration_ms":0}`
	if string(got) != want {
		t.Errorf("result = %s, want %s", got, want)
	}
}

func TestCheckAndInvalidDefinitions(t *testing.T) {
	def := `{"namespace": "t", "env": ["NAME"], "actions": {
		"a:ok": {"params": {"n": {"type": "integer", "required": true}, "m": {"type": "integer"}}, "steps": [` + click + `}]},
		"a:bad": {"steps": [{"action": "clik"}, {"action": "click", "args": {"selector": "css:#a", "selektor": 1}}]}}}`
	tests := []struct {
		name   string
		action string
		params map[string]any
		code   diag.Code
		msg    string
	}{
		{"good", "t:a:ok", map[string]any{"n": "3"}, "", ""},
		{"unknown", "t:a:none", nil, diag.ActionNotFound, "t:a:none"},
		{"all wrong params are told", "t:a:ok", map[string]any{"m": "x"}, diag.ParamInvalid, `param m is "x", expected an integer; t:a:ok needs the param n`},
		{"definition", "t:a:bad", nil, diag.DefinitionInvalid, `unknown step "clik"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, def)
			b.o.FromText = true
			err := b.Check(context.Background(), tt.action, tt.params, b.o)
			res := b.run(tt.action, tt.params)
			if tt.code == "" {
				if err != nil || res.Success {
					t.Errorf("Check = %v, want nil; the run without the element = %v", err, res.Error)
				}
				return
			}
			for _, e := range []*diag.Error{diag.As(err), res.Error} {
				if e == nil || e.Code != tt.code || !strings.Contains(e.Msg, tt.msg) || e.Hint == "" {
					t.Errorf("error = %+v, want %s with %q and a hint", e, tt.code, tt.msg)
				}
			}
			if len(b.page.calls) != 0 && tt.code != "" {
				t.Errorf("the page was used: %v", b.page.calls)
			}
		})
	}
}

func TestFilesAreRefusedUnlessGiven(t *testing.T) {
	b := newBench(t, one(`{"action": "screenshot", "args": {"path": "x.png"}}`))
	if e := b.run("t:a:b", nil).Error; e == nil || e.Code != diag.PolicyDenied || len(b.page.calls) != 0 {
		t.Errorf("error = %+v after %v, want POLICY_DENIED before the page is used", e, b.page.calls)
	}
}

func TestSelectorOfFind(t *testing.T) {
	b := newBench(t, one(`{"action": "find", "args": {"label": "Name >> x"}}`))
	b.o.Steps = true
	res := b.run("t:a:b", nil)
	if got := res.Steps[0].Selector; !strings.HasPrefix(got, "label:") || len(b.page.waits) != 1 || b.page.waits[0] != 0 {
		t.Errorf("selector = %q, waits %v, want the label's and one look", got, b.page.waits)
	}
}
