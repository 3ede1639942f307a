package executor_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"

	"github.com/google/go-cmp/cmp"
)

func TestTimes(t *testing.T) {
	const s = time.Second
	tests := []struct {
		name  string
		steps string
		wait  []time.Duration // Target.Timeout
		limit []time.Duration // time left until the deadline of the context
	}{
		{"element step", click + `}`, []time.Duration{5 * s}, []time.Duration{35 * s}},
		{"timeout replaces it", click + `, "timeout": "20s"}`, []time.Duration{20 * s}, []time.Duration{25 * s}},
		{"a shorter one is the element's, not that of a busy page", click + `, "timeout": 1500}`, []time.Duration{1500 * time.Millisecond}, []time.Duration{6500 * time.Millisecond}},
		{"page step", `{"action": "open", "args": {"url": "https://x.test/"}}`, nil, []time.Duration{30 * s}},
		{"page step with timeout", `{"action": "open", "args": {"url": "https://x.test/"}, "timeout": "9s"}`, nil, []time.Duration{9 * s}},
		{"one look", `{"action": "is", "args": {"selector": "css:#a", "state": "visible"}}`, []time.Duration{0}, []time.Duration{5 * s}},
		{"each attempt has its own", click + `, "retry": 1}`, []time.Duration{5 * s, 5 * s}, []time.Duration{35 * s, 35 * s}},
		{"a fallback step too", `{"action": "click", "args": {"selector": "css:#gone"}, "timeout": "1s", "fallback": [` + click + `}]}`,
			[]time.Duration{1 * s, 5 * s}, []time.Duration{35 * s}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, one(tt.steps))
			b.page.present["css:#a"] = ""
			if strings.Contains(tt.name, "each attempt") {
				b.page.fail["press css:#a"] = []error{covered()}
			}
			if res := b.run("t:a:b", nil); !res.Success {
				t.Fatalf("run failed: %v", res.Error)
			}
			if diff := cmp.Diff(tt.wait, b.page.waits); diff != "" {
				t.Errorf("Target.Timeout (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.limit, b.page.limits); diff != "" {
				t.Errorf("context (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDeadlines(t *testing.T) {
	nested := `{"namespace": "t", "actions": {
		"a:b": {"steps": [{"action": "run", "args": {"action": "a:c"}, "retry": 5}]},
		"a:c": {"steps": [` + click + `, "retry": 9, "on_error": "continue", "fallback": [` + click + `}]}]}}}`
	tests := []struct {
		name string
		def  string
		o    executor.RunOptions
		took time.Duration
		code diag.Code
		msg  string
		path string
	}{
		{"the page's own reason comes first", one(click + `}`), executor.RunOptions{}, 5 * time.Second, diag.ElementNotFound, "nothing matches css:#a", "steps[0]"},
		{"a page that hangs", one(`{"action": "press", "args": {"key": "Tab"}}`), executor.RunOptions{}, 35 * time.Second, diag.Timeout, "key Tab still waits", "steps[0]"},
		{"the run's time bounds nested runs", nested, executor.RunOptions{Timeout: 12 * time.Second}, 12 * time.Second, diag.Timeout,
			"t:a:b did not finish within 12s, the time limit of the run", "steps[0]"},
		{"timeout of a run step", one(`{"action": "repeat", "args": {"delay": "1s"}, "timeout": "3500ms", "steps": [{"action": "set", "args": {"values": {"x": 1}}}]}`),
			executor.RunOptions{}, 3500 * time.Millisecond, diag.Timeout, "repeat did not finish within 3.5s, the time limit of one attempt", "steps[0]"},
		{"a pause has no limit but the run's", one(`{"action": "wait", "args": {"time": "400s"}}`), executor.RunOptions{}, 300 * time.Second, diag.Timeout,
			"t:a:b did not finish within 5m0s, the time limit of the run", "steps[0]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, tt.def)
			b.page.takes["key Tab"] = time.Hour
			b.o = tt.o
			start := b.clock.Now()
			res := b.run("t:a:b", nil)
			if took := b.clock.Now().Sub(start); took != tt.took {
				t.Errorf("took %s, want %s", took, tt.took)
			}
			if res.Error == nil || res.Error.Code != tt.code || res.Error.Msg != tt.msg || res.Error.Path != tt.path {
				t.Errorf("error = %+v, want %s %q at %s", res.Error, tt.code, tt.msg, tt.path)
			}
			if res.DurationMS != tt.took.Milliseconds() {
				t.Errorf("duration_ms = %d, want %d", res.DurationMS, tt.took.Milliseconds())
			}
		})
	}
}

func TestCancel(t *testing.T) {
	def := `{"namespace": "t", "actions": {
		"a:b": {"steps": [{"action": "run", "args": {"action": "a:c"}, "retry": 3, "on_error": "continue", "fallback": [` + click + `}]}]},
		"a:c": {"steps": [{"action": "foreach", "args": {"items": [1, 2]}, "steps": [{"action": "press", "args": {"key": "Tab"}, "retry": 2, "on_error": "continue"}]}]}}}`
	b := newBench(t, def)
	ctx, cancel := context.WithCancel(context.Background())
	b.page.then["key Tab"] = cancel
	res := b.Run(ctx, b.page, "t:a:b", nil, b.o)
	if diag.CodeOf(errOf(res)) != diag.Cancelled {
		t.Errorf("error = %v, want CANCELLED", res.Error)
	}
	if diff := cmp.Diff([]string{"key Tab"}, b.page.calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	if got, want := outline(res.Steps), "run failed [foreach failed [0:press failed]]"; got != want {
		t.Errorf("steps = %s, want %s", got, want)
	}
	ctx, cancel = context.WithCancel(context.Background())
	cancel()
	if res := b.Run(ctx, b.page, "t:a:b", nil, b.o); diag.CodeOf(errOf(res)) != diag.Cancelled {
		t.Errorf("error = %v, want CANCELLED at once", res.Error)
	}
}
