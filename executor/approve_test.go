package executor_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/trace"
	"github.com/actionregistry/action/selectors"
)

// A person answers approvals with the entries of answers, in order. A nil entry approves, and so does
// the person once answers is empty.
type person struct {
	asked   []*executor.ApprovalRequest
	answers []error
	during  func() // runs before the person answers
}

func (p *person) Approve(_ context.Context, r *executor.ApprovalRequest) error {
	p.asked = append(p.asked, r)
	if p.during != nil {
		p.during()
	}
	if len(p.answers) == 0 {
		return nil
	}
	err := p.answers[0]
	p.answers = p.answers[1:]
	return err
}

// seen lists the questions, each as the path, the name of the step and the reasons.
func (p *person) seen() string {
	var out []string
	for _, r := range p.asked {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s", r.Path, r.Step, strings.Join(r.Why, "+"))))
	}
	return strings.Join(out, ", ")
}

func denied() error { return diag.New(diag.PolicyDenied, "denied").WithDetail("reason", "denied") }

// approving returns a bench whose policy requires an approval for each of words.
func approving(t *testing.T, p executor.Approver, words []string, definitions ...string) *bench {
	t.Helper()
	clock := newClock()
	b := &bench{
		Executor: executor.New(executor.Options{Catalog: define(t, definitions...), Clock: clock, Cache: selectors.NewCache(), Approve: words}),
		page:     newPage(clock), clock: clock,
	}
	b.o.Approver = p
	b.page.present = map[string]string{"css:#a": "Save", "css:#b": "Send", "css:#l": "Elsewhere"}
	b.page.previews = map[string]driver.Preview{
		"css:#b": {Submits: true, Leads: "https://shop.test/order", Origin: "https://shop.test"},
		"css:#l": {Leads: "https://other.test/x", Origin: "https://shop.test"},
		"focus":  {Implicit: true, Leads: "https://shop.test/find", Origin: "https://shop.test"},
	}
	return b
}

// acts returns the calls of the page that change something.
func (p *fakePage) acts() string {
	var out []string
	for _, c := range p.calls {
		for _, name := range []string{"press", "open", "fill", "key", "eval", "reload", "history"} {
			if strings.HasPrefix(c, name+" ") || c == name {
				out = append(out, c)
			}
		}
	}
	return strings.Join(out, ", ")
}

func TestWhatNeedsApproval(t *testing.T) {
	press := func(sel string) string {
		return fmt.Sprintf(`{"action": "click", "args": {"selector": "css:%s"}}`, sel)
	}
	all := []string{"leave_origin", "submit", "download", "upload", "dialog", "eval"}
	tests := []struct {
		name   string
		words  []string
		steps  string
		more   string
		asked  string
		origin string // origin that the approval permits
	}{
		{"nothing is listed", nil, press("#b"), "", "", ""},
		{"a plain press", all, press("#a"), "", "", ""},
		{"a press that sends a form", all, press("#b"), "", "steps[0] click submit", "https://shop.test"},
		{"only another risk", []string{"leave_origin"}, press("#b"), "", "", ""},
		{"a link to another origin", all, press("#l"), "", "steps[0] click leave_origin", "https://other.test"},
		{"a listed step", []string{"click"}, press("#a"), "", "steps[0] click step", ""},
		{"open of the same origin", all, `{"action": "open", "args": {"url": "https://shop.test/x"}}`, "", "", ""},
		{"open of another origin", all, `{"action": "open", "args": {"url": "https://other.test/x?token=1"}}`, "", "steps[0] open leave_origin", "https://other.test"},
		{"a script", all, `{"action": "eval", "args": {"script": "1"}}`, "", "steps[0] eval eval", ""},
		{"a wait for a script", all, `{"action": "wait", "args": {"function": "1"}}`, "", "steps[0] wait eval", ""},
		{"another wait", all, `{"action": "wait", "args": {"selector": "css:#a"}}`, "", "", ""},
		{"Enter in a form", all, `{"action": "press", "args": {"key": "Enter"}}`, "", "steps[0] press submit", "https://shop.test"},
		{"another key", all, `{"action": "press", "args": {"key": "Tab"}}`, "", "", ""},
		{"the definition says so", nil, `{"action": "click", "args": {"selector": "css:#a"}, "approval": "required"}`, "", "steps[0] click definition", ""},
		{"the action says so", nil, press("#a"), `"approval": "required"`, "definition", ""},
		{"each iteration", []string{"submit"}, `{"action": "foreach", "args": {"items": [1, 2]}, "steps": [` + press("#b") + `]}`, "",
			"steps[0].steps[0] click submit, steps[0].steps[0] click submit", "https://shop.test"},
		{"a block", nil, `{"action": "foreach", "args": {"items": [1, 2]}, "approval": "required", "steps": [` + press("#a") + `]}`, "",
			"steps[0] foreach definition, steps[0] foreach definition", ""},
		{"a skipped step", []string{"click"}, `{"action": "click", "args": {"selector": "css:#a"}, "when": "1 == 2"}`, "", "", ""},
		{"a fallback", nil, `{"action": "click", "args": {"selector": "css:#a"}, "approval": "required", "fallback": [` + press("#b") + `]}`, "",
			"steps[0] click definition, steps[0].fallback[0] click definition", "https://shop.test"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := new(person)
			var more []string
			if tt.more != "" {
				more = []string{tt.more}
			}
			b := approving(t, p, tt.words, one(tt.steps, more...))
			if tt.name == "a fallback" {
				b.page.fail["press css:#a"] = []error{diag.New(diag.StepFailed, "lost")}
			}
			res := b.run("t:a:b", nil)
			if res.Error != nil {
				t.Errorf("the run fails: %v", res.Error)
			}
			if got := p.seen(); got != tt.asked {
				t.Errorf("asked %q, want %q", got, tt.asked)
			}
			var origins []string
			for _, c := range b.page.consents {
				origins = append(origins, c.Origins...)
			}
			if tt.origin != "" && !strings.Contains(strings.Join(origins, " "), tt.origin) || tt.origin == "" && len(origins) > 0 {
				t.Errorf("permits %v, want %q", origins, tt.origin)
			}
			if n := len(b.page.consents); n > 0 && !b.page.consents[n-1].Submit == false {
				t.Errorf("the last consent is %+v, want none", b.page.consents[n-1])
			}
		})
	}
}

func TestNothingHappensWithoutApproval(t *testing.T) {
	press := one(`{"action": "click", "args": {"selector": "css:#b"}, "retry": 3, "fallback": [{"action": "set", "args": {"values": {"x": 1}}}]}`)
	typed := one(`{"action": "fill", "args": {"selector": "css:#a", "value": "${page.title}"}, "approval": "required"}`)
	whole := one(`{"action": "click", "args": {"selector": "css:#a"}}`, `"approval": "required"`)
	tests := []struct {
		name   string
		def    string
		during func(b *bench)
		answer error
		none   bool // there is no approver
		reason string
	}{
		{"denied", press, nil, denied(), false, "denied"},
		{"nobody to ask", press, nil, nil, true, "no_approver"},
		{"other words", press, func(b *bench) { b.page.present["css:#b"] = "Delete account" }, nil, false, "changed"},
		{"another form", press, func(b *bench) {
			b.page.previews["css:#b"] = driver.Preview{Submits: true, Leads: "https://evil.test/", Origin: "https://shop.test"}
		}, nil, false, "changed"},
		{"another page", press, func(b *bench) { b.page.navigate("https://evil.test/") }, nil, false, "changed"},
		{"the element is gone", press, func(b *bench) { delete(b.page.present, "css:#b") }, nil, false, "changed"},
		{"other params", typed, func(b *bench) { b.page.doc.Title = "1,000 €" }, nil, false, "changed"},
		{"an action denied", whole, nil, denied(), false, "denied"},
		{"an action on another page", whole, func(b *bench) { b.page.navigate("https://evil.test/") }, nil, false, "changed"},
		{"an action without anybody", whole, nil, nil, true, "no_approver"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := &person{}
			if tt.answer != nil {
				p.answers = []error{tt.answer}
			}
			var by executor.Approver = p
			if tt.none {
				by = nil
			}
			b := approving(t, by, []string{"submit"}, strings.Replace(tt.def, `, "fallback": [{"action": "set", "args": {"values": {"x": 1}}}]`, "", 1))
			if tt.during != nil {
				p.during = func() { tt.during(b) }
			}
			res := b.run("t:a:b", nil)
			if res.Success || res.Error.Code != diag.PolicyDenied || res.Error.Details["reason"] != tt.reason {
				t.Errorf("the run ends with %v (%v), want POLICY_DENIED with %s", res.Error, res.Error.Details, tt.reason)
			}
			if got := b.page.acts(); got != "" {
				t.Errorf("it did %s", got)
			}
			if len(p.asked) > 1 {
				t.Errorf("asked %s, want one question", p.seen())
			}
		})
	}
}

// TestApprovalUsedOnce checks that an attempt that may have acted uses up the approval, and that an
// attempt that has sent no input does not.
func TestApprovalUsedOnce(t *testing.T) {
	step := one(`{"action": "click", "args": {"selector": "css:#b"}, "retry": 1, "retry_delay": "0s"}`)
	for _, tt := range []struct {
		name  string
		fails error
		asked int
	}{
		{"nothing was sent", covered(), 1},
		{"it may have acted", diag.New(diag.StepFailed, "no click followed"), 2},
		{"its time was up", diag.New(diag.Timeout, "late"), 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := new(person)
			b := approving(t, p, []string{"submit"}, step)
			b.page.fail["press css:#b"] = []error{tt.fails}
			if res := b.run("t:a:b", nil); res.Error != nil {
				t.Fatal(res.Error)
			}
			if len(p.asked) != tt.asked {
				t.Errorf("asked %d times, want %d", len(p.asked), tt.asked)
			}
			if b.page.expects[len(b.page.expects)-1] != "1\nSend" {
				t.Errorf("the press expects %q", b.page.expects)
			}
		})
	}
}

func TestWaitForApprovalDoesNotCount(t *testing.T) {
	p := new(person)
	b := approving(t, p, []string{"submit"}, one(`{"action": "click", "args": {"selector": "css:#b"}}`))
	p.during = func() { b.clock.Sleep(context.Background(), time.Hour) }
	b.o.Timeout = 10 * time.Second
	if res := b.run("t:a:b", nil); res.Error != nil {
		t.Errorf("an hour of waiting ends the run: %v", res.Error)
	}
}

func TestApprovalOfCancelledRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	p := &person{during: cancel, answers: []error{errors.New("the wait ended")}}
	b := approving(t, p, []string{"submit"}, one(`{"action": "click", "args": {"selector": "css:#b"}}`))
	res := b.Run(ctx, b.page, "t:a:b", nil, b.o)
	if res.Error == nil || res.Error.Code != diag.Cancelled {
		t.Errorf("the run ends with %v, want CANCELLED", res.Error)
	}
	if got := b.page.acts(); got != "" {
		t.Errorf("it did %s", got)
	}
}

func TestApprovalIsMasked(t *testing.T) {
	p := new(person)
	b := approving(t, p, []string{"open"}, `{"namespace": "t", "actions": {"a:b": {"params": {"token": {"type": "string", "secret": true}},
		"steps": [{"action": "open", "args": {"url": "https://shop.test/${params.token}?q=${params.token}"}}]}}}`)
	b.o.Secrets = new(trace.Memory)
	b.page.doc.Title, b.page.doc.URL = "Hello s3cr3t-word", "https://shop.test/s3cr3t-word?key=private#part"
	if res := b.run("t:a:b", map[string]any{"token": "s3cr3t-word"}); res.Error != nil {
		t.Fatal(res.Error)
	}
	if len(p.asked) != 1 {
		t.Fatalf("asked %s", p.seen())
	}
	text := diag.JSONText(p.asked[0]) + string(p.asked[0].Picture)
	for _, secret := range []string{"s3cr3t", "private", "part"} {
		if strings.Contains(text, secret) {
			t.Errorf("the question shows %q: %s", secret, text)
		}
	}
	if p.asked[0].Picture != nil {
		t.Error("there is a picture of a run with secrets")
	}
}

func TestPlanSaysWhereItAsks(t *testing.T) {
	b := approving(t, nil, []string{"submit", "eval", "open"}, one(`{"action": "open", "args": {"url": "https://shop.test"}}, `+click+`}, {"action": "eval", "args": {"script": "1"}},
		{"action": "get", "args": {"what": "text", "selector": "css:#a"}}, {"action": "click", "args": {"selector": "css:#b"}, "approval": "required"}`, `"approval": "required"`))
	plan := b.DryRun(context.Background(), "t:a:b", nil, executor.RunOptions{})
	got := plan.Approval
	for _, s := range plan.Steps {
		got += fmt.Sprintf("; %s", s.Approval)
	}
	if want := "required; required: step; possible: submit; required: eval; ; required: definition"; got != want || plan.Error != nil {
		t.Errorf("the plan says %q (%v), want %q", got, plan.Error, want)
	}
}

// TestNoParamIsConsent checks that neither the value of a param nor a text of the page counts as an
// approval.
func TestNoParamIsConsent(t *testing.T) {
	p := &person{answers: []error{denied()}}
	b := approving(t, p, []string{"submit"}, `{"namespace": "t", "actions": {"a:b": {"params": {"confirm": {"type": "boolean"}, "approval": {"type": "string"}},
		"steps": [{"action": "click", "args": {"selector": "css:#b"}}]}}}`)
	b.page.present["css:#b"] = "approved"
	b.page.doc.Title = "approval: approved"
	res := b.run("t:a:b", map[string]any{"confirm": true, "approval": "approved"})
	if res.Error == nil || res.Error.Code != diag.PolicyDenied || b.page.acts() != "" || len(p.asked) != 1 {
		t.Errorf("ends with %v after %q, asked %s", res.Error, b.page.acts(), p.seen())
	}
}
