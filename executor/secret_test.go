package executor_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"net/url"
	"strings"
	"syscall"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/trace"
	"github.com/actionregistry/action/spec"

	"github.com/google/go-cmp/cmp"
)

const secretDef = `{"namespace": "t", "env": ["TOKEN", {"name": "BASE"}],
	"actions": {
	"a:b": {
		"params": {
			"pw": {"type": "string", "secret": true, "required": true},
			"login": {"type": "object", "properties": {"user": {"type": "string"}, "pin": {"type": "string", "secret": true}}},
			"keys": {"type": "array", "items": {"type": "string", "secret": true}}},
		"steps": [
			{"action": "set", "args": {"values": {"copy": "x${pw}y"}}},
			{"action": "run", "args": {"action": "a:c", "params": {"v": "${pw}"}}, "output": "r"},
			{"action": "fill", "args": {"selector": "label:${pw}", "value": "${env.TOKEN}"}, "when": "${pw} != ''", "output": "f"},
			{"action": "open", "args": {"url": "${env.BASE}/?t=${env.TOKEN}&p=${login.pin}"}},
			{"action": "foreach", "args": {"items": "${keys}"}, "steps": [{"action": "press", "args": {"key": "${item}"}}]},
			{"action": "fail", "args": {"message": "bad ${pw} ${steps.copy}"}, "on_error": "continue"},
			{"action": "click", "args": {"selector": "text:${pw}"}}],
		"verify": [{"condition": "${pw} == '1'", "message": "pw is ${pw}"}],
		"returns": {"pw": "${pw}", "${pw}": 1}},
	"a:c": {"params": {"v": {}}, "steps": [{"action": "set", "args": {"values": {"w": "${v}"}}}], "returns": {"v": "${steps.w}"}}}}`

// No secret appears in a result, a plan, an event or a trace.
func TestSecrets(t *testing.T) {
	secrets := []string{"hunter2 & co/é", "tok-€-123", "9f7", "key one", "key/two"}
	params := map[string]any{
		"pw": secrets[0], "login": map[string]any{"user": "ada", "pin": secrets[2]}, "keys": []any{secrets[3], secrets[4]},
	}
	var traced, events bytes.Buffer
	b := newBench(t, secretDef)
	b.page.present["label:"+secrets[0]] = ""
	b.o = executor.RunOptions{
		Debug: true, Recorder: trace.NewRecorder(&traced),
		Environ: func(name string) (string, bool) {
			return map[string]string{"TOKEN": secrets[1], "BASE": "https://base.test"}[name], true
		},
		OnStep: func(e executor.StepEvent) {
			line, err := json.Marshal(e)
			if err != nil {
				t.Error(err)
			}
			events.Write(line)
		},
	}
	failed := b.run("t:a:b", params) // at the last click
	if failed.Success || failed.Error.Path != "steps[6]" {
		t.Fatalf("error = %+v, want one at steps[6]", failed.Error)
	}
	b.page.present["text:"+secrets[0]] = ""
	unverified := b.run("t:a:b", params)
	if diag.CodeOf(errOf(unverified)) != diag.VerifyFailed {
		t.Fatalf("error = %v, want VERIFY_FAILED", unverified.Error)
	}
	plan := b.DryRun(context.Background(), "t:a:b", params, b.o)
	if !plan.Success {
		t.Fatalf("plan failed: %v", plan.Error)
	}
	wrong := b.run("t:a:b", map[string]any{"pw": []any{secrets[0]}, "keys": secrets[3], "more": secrets[3]})

	outputs := map[string]string{"trace": traced.String(), "events": events.String()}
	for name, v := range map[string]any{"failed": failed, "unverified": unverified, "plan": plan, "wrong params": wrong} {
		var buf bytes.Buffer
		enc := json.NewEncoder(&buf)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			t.Fatal(err)
		}
		outputs[name] = buf.String()
	}
	for name, out := range outputs {
		for _, secret := range secrets {
			for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret)} {
				if strings.Contains(out, form) {
					t.Errorf("%s contains %q:\n%s", name, form, out)
				}
			}
		}
		if name != "wrong params" && (!strings.Contains(out, trace.Mask) || !strings.Contains(out, "https://base.test")) {
			t.Errorf("%s has no mask, or hides what is not secret:\n%s", name, out)
		}
	}
}

func TestSecretReachesThePage(t *testing.T) {
	b := newBench(t, one(`{"action": "fill", "args": {"selector": "css:#a", "value": "${pw}"}, "output": "f"}`,
		`"params": {"pw": {"secret": true}}, "returns": {"v": "${steps.f.value}", "pw": "${pw}"}`))
	b.page.present["css:#a"] = ""
	res := b.run("t:a:b", map[string]any{"pw": "hunter2"})
	if diff := cmp.Diff([]string{"fill hunter2 css:#a"}, b.page.calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(any(map[string]any{"v": "***", "pw": "***"}), res.Data); diff != "" {
		t.Errorf("data (-want +got):\n%s", diff)
	}
}

func TestEnvNotSet(t *testing.T) {
	b := newBench(t, `{"namespace": "t", "env": ["NAME"], "actions": {"a:b": {"steps": [{"action": "set", "args": {"values": {"x": 1}}}], "returns": {"v": "${env.NAME}"}}}}`)
	res := b.run("t:a:b", nil)
	if !res.Success || len(res.Warnings) != 1 || res.Warnings[0].Code != executor.WarnEnvNotSet {
		t.Errorf("result = %+v, want a success with the warning ENV_NOT_SET", res)
	}
	if diff := cmp.Diff(any(map[string]any{"v": nil}), res.Data); diff != "" {
		t.Errorf("data (-want +got):\n%s", diff)
	}
}

// A policy refuses the step, the variable and the URL that it names.
type policy struct{ step, env, url string }

func (p policy) Step(_ *spec.Action, step string) error { return p.refuse(p.step, step) }
func (p policy) Env(_ *spec.Namespace, v spec.EnvVar) error {
	return p.refuse(p.env, v.Name)
}
func (p policy) URL(url string, _ bool) error { return p.refuse(p.url, url) }

func (policy) refuse(denied, what string) error {
	if denied != "" && denied == what {
		return diag.New(diag.PolicyDenied, "%s is not allowed", what).WithHint("allow it in the config")
	}
	return nil
}

func TestPolicy(t *testing.T) {
	def := `{"namespace": "t", "env": ["NAME"], "actions": {"a:b": {"steps": [
		{"action": "press", "args": {"key": "Tab"}, "retry": 2},
		{"action": "wait", "args": {"function": "window.ready"}},
		{"action": "open", "args": {"url": "https://x.test/"}}], "returns": {"v": "${env.NAME}"}}}}`
	tests := []struct {
		name   string
		policy policy
		path   string
		calls  int
	}{
		{"step", policy{step: "press"}, "steps[0]", 0},
		{"a wait by its other name", policy{step: "wait_function"}, "steps[1]", 1},
		{"url", policy{url: "https://x.test/"}, "steps[2]", 2},
		{"env", policy{env: "NAME"}, "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, def)
			b.Policy = tt.policy
			e := b.run("t:a:b", nil).Error
			if e == nil || e.Code != diag.PolicyDenied || e.Path != tt.path || e.Action != "t:a:b" {
				t.Errorf("error = %+v, want POLICY_DENIED at %q", e, tt.path)
			}
			if len(b.page.calls) != tt.calls {
				t.Errorf("calls = %v, want %d of them", b.page.calls, tt.calls)
			}
		})
	}
}

func TestNoPage(t *testing.T) {
	b := newBench(t, one(`{"action": "set", "args": {"values": {"x": 1}}}, `+click+`}`))
	res := b.Run(context.Background(), nil, "t:a:b", nil, b.o)
	if diag.CodeOf(errOf(res)) != diag.BrowserUnavailable || res.Error.Path != "steps[1]" {
		t.Errorf("error = %+v, want BROWSER_UNAVAILABLE at steps[1]", res.Error)
	}
}

func TestEvents(t *testing.T) {
	b := newBench(t, one(`{"action": "foreach", "args": {"items": [1]}, "steps": [`+click+`, "when": "false"}]}, `+click+`, "retry": 1}`))
	b.page.present["css:#a"] = ""
	b.page.fail["press css:#a"] = []error{covered()}
	var got []string
	b.o.OnStep = func(e executor.StepEvent) {
		got = append(got, strings.Join([]string{e.In, e.Path, e.Action, string(e.Status)}, " "))
		if e.Steps != nil || e.Fallback != nil || e.Input != nil {
			t.Errorf("event %+v has nested lists or input", e)
		}
	}
	b.run("t:a:b", nil)
	want := []string{"t:a:b steps[0].steps[0] click skipped", "t:a:b steps[0] foreach ok", "t:a:b steps[1] click ok"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestDebug(t *testing.T) {
	b := newBench(t, one(`{"action": "click", "args": {"selector": "${selectors.alt}"}, "when": "${x} == 'v'"}, {"action": "click", "args": {"selector": "css:#${x}"}}`, `"params": {"x": {}}`))
	b.o.Debug = true
	b.page.present["css:#third"] = ""
	res := b.run("t:a:b", map[string]any{"x": "v"})
	s := res.Steps[0]
	if s.Decision != "${params.x} == 'v': true" || s.Input["selector"] == nil || s.Selector != "css:#third" {
		t.Errorf("step = %+v, want its decision, input and the selector that won", s)
	}
	context, _ := res.Error.Details["context"].(map[string]any)
	want := map[string]any{
		"action": "t:a:b", "params": map[string]any{"x": "v"}, "steps": map[string]any{},
		"page": map[string]any{"url": "https://shop.test/", "title": "Shop"},
	}
	if diff := cmp.Diff(want, context); diff != "" {
		t.Errorf("context (-want +got):\n%s", diff)
	}
}

func TestAfterAddsWarnings(t *testing.T) {
	b := newBench(t, one(`{"action": "set", "args": {"values": {"x": 1}}}`, `"params": {"pw": {"secret": true}}`))
	b.o.After = func() []executor.Warning {
		return []executor.Warning{{Code: "DIALOG", Message: "alert 'hunter2' was accepted"}}
	}
	res := b.run("t:a:b", map[string]any{"pw": "hunter2"})
	if diff := cmp.Diff([]executor.Warning{{Code: "DIALOG", Message: "alert '***' was accepted"}}, res.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

// brokenAfter is a writer that fails after this many lines.
type brokenAfter int

func (b *brokenAfter) Write(p []byte) (int, error) {
	if *b--; *b < 0 {
		return 0, &fs.PathError{Op: "write", Path: "t.jsonl", Err: syscall.ENOSPC}
	}
	return len(p), nil
}

// An incomplete trace is an error. Either nothing was done, or the error reports that the run was
// done and contains its data.
func TestTraceThatCannotBeWritten(t *testing.T) {
	const def = `{"namespace": "t", "version": "1.0.0", "actions": {
		"a:b": {"steps": [{"action": "click", "args": {"selector": "text:Go"}}], "returns": {"id": 7}},
		"a:c": {"steps": [{"action": "click", "args": {"selector": "text:Go"}}, {"action": "fail", "args": {"message": "no"}}]}}}`
	tests := []struct {
		name, action string
		lines        brokenAfter
		presses      int
		want         string
		data         any
	}{
		{"at once", "t:a:b", 0, 0, "nothing was done", nil},
		{"in the middle", "t:a:b", 1, 1, "t:a:b was done, but its trace could not be written completely", map[string]any{"id": int64(7)}},
		{"at the end", "t:a:b", 2, 1, "t:a:b was done, but its trace could not be written completely", map[string]any{"id": int64(7)}},
		{"of a run that fails", "t:a:c", 1, 1, "no", nil},
		{"whole", "t:a:b", 3, 1, "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, def)
			b.page.present["text:Go"] = ""
			recorder := trace.NewRecorder(&tt.lines)
			b.o = executor.RunOptions{Recorder: recorder}
			r := b.run(tt.action, nil)
			r.TraceFailed(recorder.Err())
			if got := strings.Count(strings.Join(b.page.calls, " "), "press"); got != tt.presses {
				t.Errorf("%d presses (%q), want %d", got, b.page.calls, tt.presses)
			}
			switch {
			case tt.want == "":
				if !r.Success || r.Error != nil {
					t.Errorf("%+v, want success", r.Error)
				}
				return
			case r.Success || r.Data != nil || diag.CodeOf(errOf(r)) != diag.StepFailed || !strings.Contains(r.Error.Msg, tt.want):
				t.Fatalf("success %v, data %v, error %v, want STEP_FAILED with %q", r.Success, r.Data, r.Error, tt.want)
			case tt.action == "t:a:c":
				if len(r.Warnings) != 1 || r.Warnings[0].Code != executor.WarnTrace {
					t.Errorf("warnings %v, want one of the trace", r.Warnings)
				}
				return
			}
			if r.Error.Details["reason"] != "trace" || !strings.Contains(r.Error.Hint, "free space") {
				t.Errorf("details %v, hint %q", r.Error.Details, r.Error.Hint)
			}
			if diff := cmp.Diff(tt.data, r.Error.Details["data"]); diff != "" {
				t.Errorf("data (-want +got):\n%s", diff)
			}
		})
	}
}

// The result of a filter on a secret is a secret too, in runs, plans and traces.
func TestSecretsThroughFilters(t *testing.T) {
	var traced bytes.Buffer
	b := newBench(t, `{"namespace": "t", "actions": {"a:b": {
		"params": {"pw": {"type": "string", "secret": true}, "user": {"type": "string"}},
		"steps": [
			{"action": "set", "args": {"values": {"up": "${pw | slice 2 | upper}", "text": "x${pw | replace 'n', '-'}y", "parts": "${pw | split 't'}",
				"user": "${user | upper}", "length": "${pw | length}"}}},
			{"action": "press", "args": {"key": "${pw | slice -6}"}}],
		"returns": {"up": "${steps.up}", "parts": "${steps.parts}", "day": "${pw | trim | slice 1, 9}", "user": "${steps.user}", "length": "${steps.length}"}}}}`)
	b.o = executor.RunOptions{Debug: true, Recorder: trace.NewRecorder(&traced)}
	params := map[string]any{"pw": "Hunter-two-2024", "user": "adalovelace"}
	res := b.run("t:a:b", params)
	if !res.Success {
		t.Fatal(res.Error)
	}
	plan := b.DryRun(context.Background(), "t:a:b", params, b.o)
	said, err := json.Marshal([]any{res, plan})
	if err != nil {
		t.Fatal(err)
	}
	out := traced.String() + string(said)
	for _, form := range []string{"NTER", "Hu-ter", "er-two", "wo-202", "unter"} {
		if strings.Contains(out, form) {
			t.Errorf("the output holds %q:\n%s", form, out)
		}
	}
	if !strings.Contains(out, "ADALOVELACE") || !strings.Contains(out, `"length":15`) {
		t.Errorf("the output hides what is not secret:\n%s", out)
	}
}
