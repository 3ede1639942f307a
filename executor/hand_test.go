package executor_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/trace"
	"github.com/actionregistry/action/spec"

	"github.com/google/go-cmp/cmp"
)

func (b *bench) hand(step string, args map[string]any) *executor.Result {
	return b.Hand(context.Background(), b.page, step, args, b.o)
}

func codeOf(r *executor.Result) diag.Code {
	if r.Error == nil {
		return ""
	}
	return r.Error.Code
}

func TestHand(t *testing.T) {
	type m = map[string]any
	pressed := m{"role": "", "name": "", "navigated": false, "frame": nil, "tab": nil, "tab_status": nil, "not_sent": nil}
	tests := []struct {
		name  string
		step  string
		args  m
		o     executor.RunOptions
		code  diag.Code
		data  m
		calls []string
		waits []time.Duration
	}{
		{name: "click", step: "click", args: m{"selector": "css:#a"}, data: pressed, calls: []string{"press css:#a"}, waits: []time.Duration{5 * time.Second}},
		{name: "an alias of the catalogue", step: "wait_text", args: m{"text": "a"}, data: m{}, calls: []string{"wait text"}},
		{name: "one attempt", step: "click", args: m{"selector": "css:#none"}, code: diag.ElementNotFound, calls: []string{"press -"}, waits: []time.Duration{5 * time.Second}},
		{name: "the step's own time", step: "click", args: m{"selector": "css:#a"}, o: executor.RunOptions{Timeout: 8 * time.Second},
			data: pressed, calls: []string{"press css:#a"}, waits: []time.Duration{8 * time.Second}},
		{name: "text of the command line", step: "wait", args: m{"time": "20"}, o: executor.RunOptions{FromText: true}, data: m{}},
		{name: "unknown step", step: "clik", args: m{}, code: diag.InvalidRequest},
		{name: "missing argument", step: "fill", args: m{"selector": "css:#a"}, code: diag.ParamRequired},
		{name: "bad selector", step: "click", args: m{"selector": "role:["}, code: diag.ParamInvalid},
		{name: "fail", step: "fail", args: m{"message": "no"}, code: diag.InvalidRequest},
		{name: "run", step: "run", args: m{"action": "t:a:b"}, code: diag.InvalidRequest},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, one(click+`}`))
			b.page.present["css:#a"], b.page.present["text*:a"] = "A", "a"
			b.o = tt.o
			r := b.hand(tt.step, tt.args)
			if got := codeOf(r); got != tt.code {
				t.Fatalf("code is %q, want %q: %v", got, tt.code, r.Error)
			}
			if r.Action != tt.step || r.Success != (tt.code == "") {
				t.Errorf("action %q and success %t, want %q", r.Action, r.Success, tt.step)
			}
			if e := r.Error; e != nil && (e.Action != tt.step || e.StepAction != "" || e.Path != "" || e.Hint == "") {
				t.Errorf("the error is of %q, step %q at %q with the hint %q, want of %s alone with a hint", e.Action, e.StepAction, e.Path, e.Hint, tt.step)
			}
			if tt.code == "" {
				if diff := cmp.Diff(any(tt.data), r.Data); diff != "" {
					t.Errorf("data (-want +got):\n%s", diff)
				}
			}
			if diff := cmp.Diff(tt.calls, b.page.calls); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.waits, b.page.waits); diff != "" {
				t.Errorf("waits (-want +got):\n%s", diff)
			}
		})
	}
}

// handPolicy allows manual steps except those that run scripts, and no steps of actions.
type handPolicy struct{}

func (handPolicy) Step(a *spec.Action, step string) error {
	if a != nil || step == "eval" || step == "wait_function" {
		return diag.New(diag.PolicyDenied, "the step %s is denied", step).WithHint("ask")
	}
	return nil
}
func (handPolicy) Env(*spec.Namespace, spec.EnvVar) error { return nil }
func (handPolicy) URL(_ string, manual bool) error {
	if !manual {
		return diag.New(diag.PolicyDenied, "no address").WithHint("ask")
	}
	return nil
}

func TestHandAsksThePolicy(t *testing.T) {
	tests := []struct {
		step string
		args map[string]any
		code diag.Code
	}{
		{"open", map[string]any{"url": "file:///x"}, ""}, // for a manual step the policy decides
		{"eval", map[string]any{"script": "1"}, diag.PolicyDenied},
		{"wait", map[string]any{"function": "1"}, diag.PolicyDenied},
		{"wait_function", map[string]any{"function": "1"}, diag.PolicyDenied},
	}
	for _, tt := range tests {
		t.Run(tt.step, func(t *testing.T) {
			b := newBench(t)
			b.Policy = handPolicy{}
			r := b.hand(tt.step, tt.args)
			if got := codeOf(r); got != tt.code {
				t.Errorf("code is %q, want %q: %v", got, tt.code, r.Error)
			}
			if err := b.CheckHand(tt.step, tt.args, b.o); diag.CodeOf(err) != tt.code {
				t.Errorf("checked: %v, want %q", err, tt.code)
			}
			if tt.code != "" && len(b.page.calls) > 0 {
				t.Errorf("the page was used: %q", b.page.calls)
			}
		})
	}
}

func TestHandIsBounded(t *testing.T) {
	b := newBench(t)
	b.page.takes["eval"] = time.Hour
	b.o.Timeout = 3 * time.Second
	r := b.hand("eval", map[string]any{"script": "x"})
	if codeOf(r) != diag.Timeout || r.DurationMS != 3000 {
		t.Errorf("got %v after %dms, want TIMEOUT after 3s", r.Error, r.DurationMS)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r := b.Hand(ctx, b.page, "get", map[string]any{"what": "url"}, b.o); codeOf(r) != diag.Cancelled {
		t.Errorf("cancelled: %v, want CANCELLED", r.Error)
	}
	// A manual step may have more time than a run.
	b.page.takes["eval"] = 400 * time.Second
	b.o.Timeout = 500 * time.Second
	if r := b.hand("eval", map[string]any{"script": "x"}); r.Error != nil {
		t.Errorf("a step of 400s with the time of 500s: %v", r.Error)
	}
}

func TestHandTells(t *testing.T) {
	b := newBench(t)
	b.page.present["css:#a"] = "A"
	var events []executor.StepEvent
	var traced bytes.Buffer
	b.o = executor.RunOptions{
		Steps: true, Debug: true, OnStep: func(e executor.StepEvent) { events = append(events, e) },
		Recorder: trace.NewRecorder(&traced),
		After:    func() []executor.Warning { return []executor.Warning{{Code: "dialog", Message: "a dialog"}} },
	}
	r := b.hand("click", map[string]any{"selector": "css:#a", "count": 2})
	if len(r.Warnings) != 1 || r.Warnings[0].Code != "dialog" {
		t.Errorf("warnings are %v, want that of the dialog", r.Warnings)
	}
	if len(r.Steps) != 1 || r.Steps[0].Selector != "css:#a" || r.Steps[0].Attempts != 1 || r.Steps[0].Input["count"] != 2.0 {
		data, _ := json.Marshal(r.Steps)
		t.Errorf("steps are %s, want one click of css:#a", data)
	}
	if len(events) != 1 || events[0].In != "click" {
		t.Errorf("events are %+v, want one", events)
	}
	if text := traced.String(); !strings.Contains(text, `"event":"step"`) || !strings.Contains(text, `"event":"end"`) {
		t.Errorf("the trace is %s, want a step and an end", text)
	}
}

func TestHandWithoutPage(t *testing.T) {
	b := newBench(t)
	if r := b.Hand(context.Background(), nil, "click", map[string]any{"selector": "css:a"}, b.o); codeOf(r) != diag.BrowserUnavailable {
		t.Errorf("click: %v, want BROWSER_UNAVAILABLE", r.Error)
	}
	if r := b.Hand(context.Background(), nil, "wait", map[string]any{"time": "1ms"}, b.o); r.Error != nil {
		t.Errorf("wait: %v, want a success", r.Error)
	}
}
