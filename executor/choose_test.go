package executor_test

import (
	"context"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/expr"
)

// caseOf writes one case of a choose.
func caseOf(when, steps string) string {
	return `{"when": "` + when + `", "steps": [` + steps + `]}`
}

// set writes a step `set` that sets one output.
func set(name, value string) string {
	return `{"action": "set", "args": {"values": {"` + name + `": "` + value + `"}}}`
}

func TestChoose(t *testing.T) {
	const find = `{"action": "find", "args": {"text": "Ada"}, "output": "f"}, `
	tests := []struct {
		name    string
		steps   string
		more    string
		params  map[string]any
		outline string
		message string // of the error, "": none
		data    string // expected value of returns.v
	}{
		{name: "the first that holds", params: map[string]any{"x": "b"}, data: "two",
			steps:   `{"action": "choose", "cases": [` + caseOf("${x} == 'a'", set("v", "one")) + `, ` + caseOf("${x} == 'b'", set("v", "two")) + `, ` + caseOf("${x} != 'a'", set("v", "three")) + `]}`,
			outline: "choose ok [set ok]"},
		{name: "its number", params: map[string]any{"x": "b"}, data: "2",
			steps:   `{"action": "choose", "cases": [` + caseOf("${x} == 'a'", "") + `, ` + caseOf("${x} == 'b'", "") + `], "output": "c"}, ` + set("v", "${steps.c.case}"),
			outline: "choose ok, set ok"},
		{name: "else", params: map[string]any{"x": "c"}, data: "0 else",
			steps:   `{"action": "choose", "cases": [` + caseOf("${x} == 'a'", set("v", "one")) + `], "else": [` + set("w", "else") + `], "output": "c"}, ` + set("v", "${steps.c.case} ${steps.w}"),
			outline: "choose ok [set ok], set ok"},
		{name: "an else that does nothing", params: map[string]any{"x": "c"},
			steps:   `{"action": "choose", "cases": [` + caseOf("${x} == 'a'", click+"}") + `], "else": []}`,
			outline: "choose ok"},
		{name: "no case holds", params: map[string]any{"x": "c"},
			steps:   find + `{"action": "choose", "cases": [` + caseOf("${x} == 'a'", click+"}") + `, ` + caseOf("${steps.f.count} > 5 && ${steps.f.text} != null && ${x} == 'b'", click+"}") + `]}, ` + click + "}",
			outline: "find ok, choose failed",
			message: `no case of the step choose holds: 1: ${params.x} == 'a' (${params.x} is "c"); 2: ${steps.f.count} > 5 && ${steps.f.text} != null && ${params.x} == 'b' (${steps.f.count} is 0, ${steps.f.text} is "", ${params.x} is "c")`},
		{name: "a value that is missing", steps: `{"action": "choose", "cases": [` + caseOf("${x} == 'a'", "") + `]}`,
			outline: "choose failed", message: `no case of the step choose holds: 1: ${params.x} == 'a' (${params.x} is missing)`},
		{name: "a secret stays hidden", more: `"params": {"x": {"secret": true}}`, params: map[string]any{"x": "hunter2hunter2"},
			steps:   `{"action": "choose", "cases": [` + caseOf("${x} == 'a'", "") + `]}`,
			outline: "choose failed", message: `no case of the step choose holds: 1: ${params.x} == 'a' (${params.x} is "***")`},
		{name: "skipped by when", steps: `{"action": "choose", "when": "1 == 2", "cases": [` + caseOf("1 == 1", click+"}") + `]}`, outline: "choose skipped x0"},
		{name: "a step of the case fails", params: map[string]any{"x": "a"},
			steps:   `{"action": "choose", "cases": [` + caseOf("${x} == 'a'", `{"action": "fail", "args": {"message": "no"}}`) + `], "else": [` + click + `}]}`,
			outline: "choose failed [fail failed]", message: "no"},
		{name: "recovered by its fallback", params: map[string]any{"x": "c"}, data: "f",
			steps:   `{"action": "choose", "cases": [` + caseOf("${x} == 'a'", "") + `], "fallback": [` + set("v", "f") + `]}`,
			outline: "choose recovered (set ok)"},
		{name: "in a block the outputs end with the iteration", params: map[string]any{"x": "a"}, data: `[{"v":0},{"w":"b"}]`,
			steps: `{"action": "foreach", "args": {"items": ["a", "b"]}, "steps": [{"action": "choose", "cases": [` + caseOf("${item} == 'a'", set("v", "${index}")) + `], "else": [` + set("w", "${item}") + `]}], "output": "all"}, ` +
				set("v", "${steps.all.items | json}"),
			outline: "foreach ok [0:choose ok [set ok], 1:choose ok [set ok]], set ok"},
		{name: "cases inside cases", params: map[string]any{"x": "a"}, data: "inner",
			steps:   `{"action": "choose", "cases": [` + caseOf("${x} == 'a'", `{"action": "choose", "cases": [`+caseOf("${x} != 'b'", set("v", "inner"))+`]}`) + `]}`,
			outline: "choose ok [choose ok [set ok]]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			more := tt.more
			if more == "" {
				more = `"params": {"x": {}}`
			}
			if tt.data != "" {
				more += `, "returns": {"v": "${steps.v}"}`
			}
			b := newBench(t, one(tt.steps, more))
			b.o.Steps = true
			r := b.run("t:a:b", tt.params)
			if got := outline(r.Steps); got != tt.outline {
				t.Errorf("the steps are %s, want %s", got, tt.outline)
			}
			switch {
			case tt.message == "" && r.Error != nil:
				t.Fatal(r.Error)
			case tt.message != "" && (r.Error == nil || r.Error.Msg != tt.message || r.Error.Code != diag.StepFailed):
				t.Errorf("the error is %v, want %s", r.Error, tt.message)
			}
			if data, _ := r.Data.(map[string]any); tt.data != "" && expr.Text(data["v"]) != tt.data {
				t.Errorf("v is %v, want %s", data["v"], tt.data)
			}
		})
	}
}

// If no case holds, and no case depends on the page, a plan fails as the run will.
func TestChooseWithoutACaseInAPlan(t *testing.T) {
	def := one(`{"action": "choose", "cases": [`+caseOf("${x} == 'a'", click+"}")+`]}`, `"params": {"x": {}}`)
	got := newBench(t, def).DryRun(context.Background(), "t:a:b", map[string]any{"x": "b"}, executor.RunOptions{})
	if got.Success || !strings.Contains(got.Error.Msg, `${params.x} is "b"`) {
		t.Errorf("the plan is %+v, want the error of the run", got)
	}
}
