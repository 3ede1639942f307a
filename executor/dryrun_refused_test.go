package executor_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
)

// TestDryRunRefusesAsRun: if a run fails because of its params alone, its plan fails with the same
// code at the same position.
func TestDryRunRefusesAsRun(t *testing.T) {
	const params = `"params": {"s": {"default": ""}, "n": {"type": "any"}, "l": {"type": "any"}}`
	step := func(action, args string, more ...string) string {
		return fmt.Sprintf(`{"action": %q, "args": {%s}%s}`, action, args, strings.Join(more, ""))
	}
	call := func(inner string) string {
		return `{"namespace": "t", "actions": {
			"a:b": {` + params + `, "steps": [` + click + `}, {"action": "run", "args": {"action": "a:c", "params": {"n": "${n}", "l": "${l}", "s": "${s}"}}}]},
			"a:c": {` + params + `, "steps": [` + inner + `]}}}`
	}
	at := step("scroll", `"direction": "${n}"`)
	tests := []struct {
		name   string
		def    string
		params map[string]any
	}{
		{"enum", one(at, params), map[string]any{"n": "sideways"}},
		{"integer", one(step("click", `"selector": "css:#a", "count": "${n}"`), params), map[string]any{"n": "many"}},
		{"integer that is a fraction", one(step("click", `"selector": "css:#a", "count": "${n}"`), params), map[string]any{"n": 1.5}},
		{"integer below the least", one(step("click", `"selector": "css:#a", "count": "${n}"`), params), map[string]any{"n": 0}},
		{"boolean", one(step("screenshot", `"full_page": "${n}"`), params), map[string]any{"n": "maybe"}},
		{"duration", one(step("wait", `"time": "${n}"`), params), map[string]any{"n": "soon"}},
		{"duration that is negative", one(step("wait", `"time": "${n}"`), params), map[string]any{"n": -5}},
		{"map", one(step("set", `"values": "${n}"`, `, "output": "o"`), params), map[string]any{"n": "x"}},
		{"items", one(step("foreach", `"items": "${n}"`, `, "steps": [`+click+`}]`), params), map[string]any{"n": 5}},
		{"max of items", one(step("foreach", `"items": "${l}", "max": "${n}"`, `, "steps": [`+click+`}]`), params), map[string]any{"l": []any{1}, "n": "few"}},
		{"max of a repeat", one(step("repeat", `"max": "${n}"`, `, "steps": [`+click+`}]`), params), map[string]any{"n": 0}},
		{"in a repeat", one(step("repeat", `"max": 2`, `, "steps": [`+click+`}, `+at+`]`), params), map[string]any{"n": "sideways"}},
		{"in a foreach", one(step("foreach", `"items": "${l}"`, `, "steps": [`+step("scroll", `"direction": "${item}"`)+`]`), params), map[string]any{"l": []any{"down", "sideways"}}},
		{"fail", one(step("fail", `"message": "no ${s}", "code": "PARAM_INVALID"`, `, "when": "${s} != ''"`), params), map[string]any{"s": "x"}},
		{"assert", one(step("assert", `"condition": "${s} == 'y'"`), params), map[string]any{"s": "x"}},
		{"behind another step", one(click+`}, `+at, params), map[string]any{"n": "sideways"}},
		{"in another action", call(at), map[string]any{"n": "sideways"}},
		{"param of another action", `{"namespace": "t", "actions": {
			"a:b": {` + params + `, "steps": [{"action": "run", "args": {"action": "a:c", "params": {"n": "${n}"}}}]},
			"a:c": {"params": {"n": {"type": "integer"}}, "steps": [` + click + `}]}}}`, map[string]any{"n": "many"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, tt.def)
			b.page.present["css:#a"] = "A"
			ran := b.Run(context.Background(), b.page, "t:a:b", tt.params, executor.RunOptions{}).Error
			if ran == nil {
				t.Fatal("the run succeeded, so this case tests nothing")
			}
			planned := b.DryRun(context.Background(), "t:a:b", tt.params, executor.RunOptions{}).Error
			if got, want := placed(planned), placed(ran); got != want {
				t.Errorf("the plan says %s\nthe run   %s", got, want)
			}
		})
	}
	t.Run("what may not happen", func(t *testing.T) {
		bad := map[string]any{"n": "sideways", "l": []any{}, "s": ""}
		for name, def := range map[string]string{
			"skipped":               one(step("scroll", `"direction": "${n}"`, `, "when": "${s} == 'x'"`), params),
			"unknown":               one(step("find", `"text": "a"`, `, "output": "f"`)+`, `+step("scroll", `"direction": "${n}"`, `, "when": "${steps.f.count} > 5"`), params),
			"passed over":           one(step("scroll", `"direction": "${n}"`, `, "on_error": "continue"`), params),
			"with a fallback":       one(step("scroll", `"direction": "${n}"`, `, "fallback": [`+click+`}]`), params),
			"a fallback":            one(click+`, "fallback": [`+at+`]}`, params),
			"no items":              one(step("foreach", `"items": "${l}"`, `, "steps": [`+at+`]`), params),
			"passed over around it": one(step("repeat", `"max": 1`, `, "on_error": "continue", "steps": [`+at+`]`), params),
		} {
			if p := newBench(t, def).DryRun(context.Background(), "t:a:b", bad, executor.RunOptions{}); p.Error != nil {
				t.Errorf("%s: %v", name, p.Error)
			}
		}
	})
}

func placed(e *diag.Error) string {
	if e == nil {
		return "nothing"
	}
	return fmt.Sprintf("%s %s %s[%d] %s %s: %s", e.Code, e.Action, e.StepAction, e.Step, e.Path, e.Pos, e.Msg)
}
