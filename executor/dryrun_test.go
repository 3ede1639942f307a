package executor_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"

	"github.com/google/go-cmp/cmp"
)

// plan shows the steps of a plan: "click run selector=css:#a [fill unknown …]".
func plan(list []*executor.PlanStep) string {
	var out []string
	for _, s := range list {
		text := s.Action + " " + s.Decision
		if s.Iteration != nil {
			text = fmt.Sprintf("%d:%s", *s.Iteration, text)
		}
		if len(s.Input) > 0 {
			in, _ := json.Marshal(s.Input)
			text += " " + string(in)
		}
		if len(s.Steps) > 0 {
			text += " [" + plan(s.Steps) + "]"
		}
		for _, c := range s.Cases {
			text += fmt.Sprintf(" {%s %s [%s]}", c.When, c.Decision, plan(c.Steps))
		}
		if len(s.Fallback) > 0 {
			text += " (" + plan(s.Fallback) + ")"
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

func TestDryRun(t *testing.T) {
	tests := []struct {
		name   string
		def    string
		params map[string]any
		want   string
		code   diag.Code
	}{
		{"params put in", one(`{"action": "fill", "args": {"selector": "label:${x}", "value": "${x}!"}}`, `"params": {"x": {}}`), map[string]any{"x": "v"},
			`fill run {"selector":"label:v","value":"v!"}`, ""},
		{"when", one(click+`, "when": "${x} == 'v'"}, `+click+`, "when": "${x} != 'v'"}`, `"params": {"x": {}}`), map[string]any{"x": "v"},
			`click run {"selector":"css:#a"}; click skip`, ""},
		{"what only the page knows", one(`{"action": "find", "args": {"text": "a"}, "output": "f"}, {"action": "fill", "args": {"selector": "css:#a", "value": "(${steps.f.text})"}, "when": "${steps.f.count} > 0"}`), nil,
			`find run {"text":"a"}; fill unknown {"selector":"css:#a","value":"(‹steps.f.text›)"}`, ""},
		{"decided by the half that is known", one(`{"action": "find", "args": {"text": "a"}, "output": "f"}, ` + click + `, "when": "false && ${steps.f.count} > 0"}`), nil,
			`find run {"text":"a"}; click skip`, ""},
		{"foreach with known items", one(`{"action": "foreach", "args": {"items": "${xs}", "as": "x", "max": 2}, "steps": [{"action": "fill", "args": {"selector": "css:#a", "value": "${index}${x}"}}]}`, `"params": {"xs": {"type": "array", "items": {"type": "string"}}}`),
			map[string]any{"xs": []any{"p", "q", "r"}},
			`foreach run {"as":"x","items":["p","q","r"],"max":2} [0:fill run {"selector":"css:#a","value":"0p"}; 1:fill run {"selector":"css:#a","value":"1q"}]`, ""},
		{"foreach with known items in order", one(`{"action": "foreach", "args": {"items": "${xs}", "by": ["y", "x"], "max": 2}, "steps": [{"action": "fill", "args": {"selector": "css:#a", "value": "${item.n}"}}]}`, `"params": {"xs": {"type": "array", "items": {"type": "any"}}}`),
			map[string]any{"xs": []any{map[string]any{"n": "p", "y": 10, "x": 2}, map[string]any{"n": "q", "y": 9}, map[string]any{"n": "r", "y": 10, "x": 1}}},
			`foreach run {"by":["y","x"],"items":[{"n":"p","x":2,"y":10},{"n":"q","y":9},{"n":"r","x":1,"y":10}],"max":2} [0:fill run {"selector":"css:#a","value":"q"}; 1:fill run {"selector":"css:#a","value":"r"}]`, ""},
		{"foreach with unknown items", one(`{"action": "extract", "args": {"rows": "css:tr", "fields": {"n": "css:td"}}, "output": "t"}, {"action": "foreach", "args": {"items": "${steps.t.rows}"}, "steps": [{"action": "fill", "args": {"selector": "css:#a", "value": "${item.n}"}, "when": "${item.n} == 'a'"}]}`), nil,
			`extract run {"fields":{"n":{"selector":"css:td"}},"rows":"css:tr"}; foreach run {"items":"‹steps.t.rows›"} [fill unknown {"selector":"css:#a","value":"‹item.n›"}]`, ""},
		{"run unfolded", `{"namespace": "t", "actions": {
			"a:b": {"params": {"x": {}}, "steps": [{"action": "find", "args": {"text": "a"}, "output": "f"}, {"action": "run", "args": {"action": "a:c", "params": {"known": "${x}", "late": "${steps.f.count}"}}}]},
			"a:c": {"params": {"known": {}, "late": {"type": "integer"}, "more": {"default": "d"}}, "steps": [
				{"action": "fill", "args": {"selector": "css:#a", "value": "${known} ${late} ${more}"}, "when": "${known} == 'v'"},
				{"action": "fill", "args": {"selector": "css:#a", "value": "x"}, "when": "${late} == 3"}]}}}`, map[string]any{"x": "v"},
			`find run {"text":"a"}; run run {"action":"a:c","params":{"known":"v","late":"‹steps.f.count›"}} [fill run {"selector":"css:#a","value":"v ‹steps.f.count› d"}; fill unknown {"selector":"css:#a","value":"x"}]`, ""},
		{"run with wrong params", `{"namespace": "t", "actions": {
			"a:b": {"steps": [{"action": "run", "args": {"action": "a:c", "params": {"n": "many"}}}]},
			"a:c": {"params": {"n": {"type": "integer"}}, "steps": [` + click + `}]}}}`, nil,
			`run run {"action":"a:c","params":{"n":"many"}}`, diag.ParamInvalid},
		{"fallback", one(click + `, "fallback": [` + click + `}]}`), nil, `click run {"selector":"css:#a"} (click run {"selector":"css:#a"})`, ""},
		{"choose decided", one(`{"action": "choose", "cases": [`+caseOf("${x} == 'a'", click+"}")+`, `+caseOf("${x} == 'b'", set("v", "1"))+`], "else": [`+click+`}]}`, `"params": {"x": {}}`), map[string]any{"x": "b"},
			`choose run {${params.x} == 'a' skip []} {${params.x} == 'b' run [set run {"values":{"v":"1"}}]} { skip []}`, ""},
		{"choose decided by the page", one(`{"action": "find", "args": {"text": "a"}, "output": "f"}, {"action": "choose", "cases": [`+caseOf("${steps.f.count} == 1", set("v", "1"))+`, `+caseOf("${x} == 'b'", set("v", "2"))+`], "else": [`+click+`}]}`, `"params": {"x": {}}`), map[string]any{"x": "b"},
			`find run {"text":"a"}; choose run {${steps.f.count} == 1 unknown [set run {"values":{"v":"1"}}]} {${params.x} == 'b' unknown [set run {"values":{"v":"2"}}]} { skip []}`, ""},
		{"alias", one(`{"action": "click", "args": {"selector": "css:main >> ${selectors.ok}"}}`), nil, `click run {"selector":"css:main \u003e\u003e ${selectors.ok}"}`, ""},
		{"all params of a run unknown", `{"namespace": "t", "actions": {
			"a:b": {"steps": [{"action": "set", "args": {"values": {"n": 1}}, "output": "s"}, {"action": "run", "args": {"action": "a:c", "params": "${steps.s}"}}]},
			"a:c": {"params": {"n": {"type": "integer", "required": true}}, "steps": [` + click + `, "when": "${n} == 1"}]}}}`, nil,
			`set run {"values":{"n":1}}; run run {"action":"a:c","params":"‹steps.s›"} [click unknown {"selector":"css:#a"}]`, ""},
		{"wrong params", one(click + `}`), map[string]any{"y": 1}, "", diag.ParamInvalid},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, tt.def)
			got := b.DryRun(context.Background(), "t:a:b", tt.params, executor.RunOptions{})
			if text := plan(got.Steps); text != tt.want {
				t.Errorf("plan =\n%s\nwant\n%s", text, tt.want)
			}
			if code := diag.CodeOf(planErr(got)); code != tt.code {
				t.Errorf("code = %q (%v), want %q", code, got.Error, tt.code)
			}
		})
	}
}

func planErr(p *executor.Plan) error {
	if p.Error == nil {
		return nil
	}
	return p.Error
}

func TestDryRunVerifyAndReturns(t *testing.T) {
	b := newBench(t, one(`{"action": "find", "args": {"text": "a"}, "output": "f"}`,
		`"params": {"x": {"default": "v"}}`, `"verify": [{"selector": "text:${x}", "message": "${x} of ${steps.f.count}"}, {"condition": "${page.url} == ''"}]`,
		`"returns": {"n": "${steps.f.count}", "x": "${x}", "u": "${page.url}"}`))
	got := b.DryRun(context.Background(), "t:a:b", nil, executor.RunOptions{})
	want := []executor.PlanCheck{
		{Wait: map[string]any{"selector": "text:v"}, Message: "v of ‹steps.f.count›"},
		{Condition: "${page.url} == ''"},
	}
	if diff := cmp.Diff(want, got.Verify); diff != "" {
		t.Errorf("verify (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(any(map[string]any{"n": "‹steps.f.count›", "x": "v", "u": "‹page.url›"}), got.Returns); diff != "" {
		t.Errorf("returns (-want +got):\n%s", diff)
	}
}

func TestPlanWaits(t *testing.T) {
	b := newBench(t, one(`{"action": "click", "args": {"selector": "css:#a"}, "settle": "2s", "expect": "request"},
		{"action": "get", "args": {"selector": "css:#a", "what": "text"}, "busy": "ignore"}`))
	plan := b.DryRun(context.Background(), "t:a:b", nil, executor.RunOptions{})
	if len(plan.Steps) != 2 || plan.Steps[0].Settle != "2s" || plan.Steps[0].Expect != "request" || plan.Steps[1].Busy != "ignore" {
		t.Errorf("the plan does not say how the steps wait: %+v %+v", *plan.Steps[0], *plan.Steps[1])
	}
}
