package executor_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
)

// TestHandoff runs actions that wait for a person on the clock of the test.
func TestHandoff(t *testing.T) {
	const minute = time.Minute
	handoff := func(rest string) string {
		return `{"action": "handoff", "args": {"message": "log in"}` + rest + `}`
	}
	nested := `{"namespace": "t", "actions": {
		"a:b": {"steps": [{"action": "run", "args": {"action": "a:c"}, "timeout": "30s"}, {"action": "wait", "args": {"time": "4m"}}]},
		"a:c": {"steps": [{"action": "repeat", "args": {"max": 1}, "timeout": "20s", "steps": [` + handoff(``) + `]}, {"action": "wait", "args": {"time": "25s"}}]}}}`
	tests := []struct {
		name   string
		def    string
		person time.Duration // when the person resumes
		took   time.Duration
		code   diag.Code
		msg    string
	}{
		{"no limit of the run counts", nested, 9 * minute, 9*minute + 4*minute + 25*time.Second, "", ""},
		{"nobody comes", one(handoff(``)), 20 * minute, 10 * minute, diag.Timeout, "nobody resumed the session within 10m0s, the time limit of the handoff"},
		{"a longer timeout", one(handoff(`, "timeout": "30m"`)), 20 * minute, 20 * minute, "", ""},
		{"a shorter one", one(handoff(`, "timeout": "1m"`)), 20 * minute, minute, diag.Timeout, "nobody resumed the session within 1m0s"},
		{"a fallback", one(handoff(`, "timeout": "1m", "fallback": [{"action": "set", "args": {"values": {"x": 1}}}]`)), 20 * minute, minute, "", ""},
		{"on_error", one(handoff(`, "timeout": "1m", "on_error": "continue"`)), 20 * minute, minute, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, tt.def)
			var asked []executor.Handoff
			var events []string
			b.o.Handoff = func(ctx context.Context, h executor.Handoff) (string, error) {
				asked = append(asked, h)
				h.Begun()
				if err := b.clock.Sleep(ctx, tt.person); err != nil {
					return "", err
				}
				return executor.Resumed, nil
			}
			b.o.OnStep = func(e executor.StepEvent) {
				if e.Status == executor.Waiting {
					events = append(events, e.StepResult.Action+": "+e.Message)
				}
			}
			start := b.clock.Now()
			res := b.run("t:a:b", nil)
			if took := b.clock.Now().Sub(start); took != tt.took {
				t.Errorf("took %s, want %s", took, tt.took)
			}
			if code := diag.CodeOf(errOf(res)); code != tt.code || res.Error != nil && !strings.Contains(res.Error.Msg, tt.msg) {
				t.Errorf("error = %v, want %s %q", res.Error, tt.code, tt.msg)
			}
			if len(asked) != 1 || asked[0].Message != "log in" {
				t.Errorf("the handoffs are %+v", asked)
			}
			if diff := cmp.Diff([]string{"handoff: log in"}, events); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

// TestHandoffCondition checks how [executor.RunOptions.Handoff] receives a condition, and what the
// step returns.
func TestHandoffCondition(t *testing.T) {
	b := newBench(t, `{"namespace": "t", "actions": {"a:b": {"params": {"pin": {"type": "string", "secret": true, "default": "4711-secret"}}, "steps": [
		{"action": "handoff", "args": {"message": "type ${params.pin}", "until": "${page.title} == ${params.pin}"}, "output": "h"}],
		"returns": {"ended": "${steps.h.ended}"}}}}`)
	b.o.Handoff = func(ctx context.Context, h executor.Handoff) (string, error) {
		if strings.Contains(h.Message+h.Until, "4711") || !strings.Contains(h.Until, "page.title") {
			t.Errorf("handoff: %+v", h)
		}
		for i, title := range []string{"a", "4711-secret"} {
			b.page.doc.Title = title
			if ok, err := h.Holds(ctx); ok != (i == 1) || err != nil {
				t.Errorf("title %s: %t, %v", title, ok, err)
			}
		}
		return executor.ConditionHolds, nil
	}
	res := b.run("t:a:b", nil)
	if diff := cmp.Diff(map[string]any{"ended": "condition"}, res.Data); diff != "" || !res.Success {
		t.Errorf("%v: data (-want +got):\n%s", res.Error, diff)
	}
	b.o.Handoff = nil
	if code := diag.CodeOf(errOf(b.run("t:a:b", nil))); code != diag.InvalidRequest {
		t.Errorf("without a person: %s", code)
	}
	ctx, cancel := context.WithCancel(t.Context())
	b.o.Handoff = func(ctx context.Context, _ executor.Handoff) (string, error) { cancel(); return "", ctx.Err() }
	if code := diag.CodeOf(errOf(b.Run(ctx, b.page, "t:a:b", nil, b.o))); code != diag.Cancelled {
		t.Errorf("cancelled: %s", code)
	}
}
