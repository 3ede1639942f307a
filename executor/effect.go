package executor

// The effects of input: which effect a step expects, which effects it waits for, and whether
// anything has confirmed them.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/program"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/spec"
)

// An input is a step that has been executed and should have an effect.
type input struct {
	page      driver.Page
	number    int // what [driver.Effects.Watch] returned for it
	step      string
	path      string
	action    string
	part      bool // the input need not have an effect by itself
	expects   string
	confirmed bool
}

// An Unverified is a part of a run whose success nothing has confirmed.
type Unverified struct {
	Step   string `json:"step,omitempty"` // click, press, …; "" for the run as a whole
	Action string `json:"action"`         // the action that contains the step
	Path   string `json:"path,omitempty"` // of the step in the action
	Why    string `json:"why"`
}

// maxUnverified bounds [Result.Unverified].
const maxUnverified = 20

// maxDeepLooks bounds how many presses of a run are checked again at its end.
const maxDeepLooks = 20

// watching returns which effects the page must record for a step.
func (e *execution) watching(t *targets) driver.Watching {
	w := driver.Watching{
		Settles: e.op.Settle > 0 || e.settling > 0,
		Deep:    e.telling() || e.o.Steps || e.o.OnStep != nil || e.op.Expect() == spec.NoEffect || e.op.Expect() == "dom",
	}
	if w.Settles {
		w.Busy = t.busySelector()
	}
	return w
}

// came waits until the input has had the effect that the step expects, and then until the page has
// settled. It adds the effects to the step's result. If they are not as expected, the error is
// STEP_FAILED. number identifies the input.
func (e *execution) came(ctx context.Context, page driver.Page, number int, t *targets) error {
	if err := e.expected(ctx, page, number); err != nil {
		return err
	}
	if e.op.Settle > 0 {
		open, err := page.Settle(ctx, number, e.watching(t), e.op.Settle)
		if err != nil {
			return err
		}
		if len(open) > 0 {
			e.warn(WarnNotSettled, "%s of %s: the page was still busy after %s: %s", e.place(), e.name, e.op.Settle, cut(strings.Join(open, ", ")))
		}
	}
	if e.op.Expect() == spec.NoEffect {
		if err := e.nothingCame(ctx, page, number); err != nil {
			return err
		}
	}
	if !e.op.IsInput() {
		return nil
	}
	if e.telling() || e.o.Steps || e.o.OnStep != nil {
		c, err := page.Caused(ctx, number, true)
		if err != nil {
			return err
		}
		e.res.Effect = effectOf(c)
	}
	if e.op.Presses() {
		e.inputs = append(e.inputs, &input{
			page: page, number: number, step: e.res.Action, path: e.op.Spec.Path, action: e.name,
			part: e.op.Entry.Part, expects: e.op.Expect(), confirmed: e.op.Expect() != "",
		})
	}
	return nil
}

// expected waits for the effect that the step expects. The error is STEP_FAILED if it does not
// occur in time.
func (e *execution) expected(ctx context.Context, page driver.Page, number int) error {
	kind := e.op.Expect()
	if kind == "" || kind == spec.NoEffect {
		return nil
	}
	wait := e.opts.DefaultTimeout
	if own := e.op.Spec.Timeout; own != nil {
		wait = *own
	}
	short, cancel := withDeadline(ctx, e.opts.Clock, wait, stepTimeUp(e.res.Action, wait))
	defer cancel()
	err := page.Expect(short, number, kind)
	if err == nil || ctx.Err() != nil || diag.CodeOf(err) != diag.Timeout {
		return err
	}
	failed := diag.New(diag.StepFailed, "found no %s within %s, expected the step to cause one", effectName(kind), wait).
		WithDetail("expect", kind).WithHint("check what the page shows now; if the step has another effect, set `expect` to one of %s", strings.Join(spec.Effects(), ", "))
	if c, bad := page.Caused(ctx, number, true); bad == nil {
		failed.Msg += "; its effects: " + sayEffect(effectOf(c))
		failed.WithDetail("effect", effectOf(c).plain())
	}
	return failed
}

// nothingCame returns STEP_FAILED if an input had an effect although the step expects none.
func (e *execution) nothingCame(ctx context.Context, page driver.Page, number int) error {
	c, err := page.Caused(ctx, number, true)
	if err != nil || !c.Any() {
		return err
	}
	return diag.New(diag.StepFailed, "found effects of the step, expected none: %s", sayEffect(effectOf(c))).
		WithDetail("expect", spec.NoEffect).WithDetail("effect", effectOf(c).plain()).
		WithHint("check what the page shows now; remove `expect` if the step may have effects")
}

func effectName(kind string) string {
	switch kind {
	case "dom":
		return "change of the page"
	case "popup":
		return "new tab"
	}
	return kind
}

// An Effect is the effect of an input; see [driver.Caused].
type Effect struct {
	URL      string `json:"url,omitempty"`
	Dialog   string `json:"dialog,omitempty"`
	Download string `json:"download,omitempty"`
	Popup    string `json:"popup,omitempty"`
	Requests int    `json:"requests"`
	DOM      int    `json:"dom"` // changes of the page, at most 100
	Focus    string `json:"focus,omitempty"`
	Value    int    `json:"value"` // number of fields whose value has changed
}

func effectOf(c driver.Caused) *Effect {
	return &Effect{URL: c.URL, Dialog: cut(c.Dialog), Download: c.Download, Popup: c.Popup, Requests: c.Requests, DOM: c.DOM, Focus: c.Focus, Value: c.Values}
}

// plain returns the effect as JSON data, so that secrets in it can be masked.
func (e *Effect) plain() map[string]any {
	out := map[string]any{"requests": e.Requests, "dom": e.DOM, "value": e.Value}
	for name, text := range map[string]string{"url": e.URL, "dialog": e.Dialog, "download": e.Download, "popup": e.Popup, "focus": e.Focus} {
		if text != "" {
			out[name] = text
		}
	}
	return out
}

// String returns the effect as one short clause.
func (e *Effect) String() string { return sayEffect(e) }

func sayEffect(e *Effect) string {
	var parts []string
	add := func(is bool, format string, args ...any) {
		if is {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	add(e.URL != "", "went to %s", e.URL)
	add(e.Dialog != "", "dialog %q", e.Dialog)
	add(e.Download != "", "download of %s", e.Download)
	add(e.Popup != "", "new tab %s", e.Popup)
	add(e.Requests > 0, "%s", plural(e.Requests, "request"))
	add(e.DOM > 0, "%s of the page", plural(e.DOM, "change"))
	add(e.Value > 0, "%s set", plural(e.Value, "field"))
	add(e.Focus != "", "focus on %s", e.Focus)
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// confirm marks the inputs r.inputs[since:until] as confirmed.
func (r *run) confirm(since, until int) {
	until = min(until, len(r.inputs))
	for _, in := range r.inputs[min(since, until):until] {
		in.confirmed = true
	}
}

// compared returns the inputs whose effect the condition of a check compares:
// f.inputs[since:until]. The first one is the input after the oldest output in the condition was
// set. The last one is the input before the newest output was set or, if the condition reads the
// page, the last input of the run. Without outputs, there are none.
func (f *frame) compared(c *program.Check) (since, until int) {
	first := true
	for _, name := range c.Outputs {
		n, ok := f.scope.inputs[name]
		if !ok {
			continue // no step has set the output
		}
		if first || n < since {
			since = n
		}
		until, first = max(until, n), false
	}
	if first {
		return 0, 0
	}
	if c.ReadsPage {
		until = len(f.inputs)
	}
	return since, until
}

// readBack is called after each step. If the run checks the result of the step again at its end,
// the presses of the action so far count as confirmed.
func (e *execution) readBack(result steps.Result) {
	if e.op.Keeps() && result["count"] != 0 {
		e.confirm(e.begins, len(e.inputs))
	}
}

// judge completes the result of a successful run. It lists the inputs that nothing has confirmed,
// and warns about presses without an effect.
func (r *run) judge(ctx context.Context, res *Result) {
	verified, looks := len(r.unsure) == 0, 0
	res.Unverified = append(res.Unverified, r.unsure[:min(len(r.unsure), maxUnverified)]...)
	for _, in := range r.inputs {
		if looks < maxDeepLooks && !in.part && in.expects == "" && r.came(ctx, in) {
			looks++
		}
		if in.confirmed {
			continue
		}
		verified = false
		u := Unverified{Step: in.step, Action: in.action, Path: in.path, Why: "the step names no expected effect, and no check of verify changed"}
		if !slices.Contains(res.Unverified, u) && len(res.Unverified) < maxUnverified {
			res.Unverified = append(res.Unverified, u)
		}
	}
	res.Verified = &verified
}

// came warns if a press had no effect. It returns true if it has queried the page.
func (r *run) came(ctx context.Context, in *input) bool {
	c, err := in.page.Caused(ctx, in.number, false)
	if err != nil || c.Any() || c.Pending {
		return false
	}
	c, err = in.page.Caused(ctx, in.number, true)
	if err == nil && c.Deep && !c.Any() && !c.Pending {
		r.warn(WarnNoEffect, "%s (%s) of %s had no effect: the page has neither changed nor sent a request", in.path, in.step, in.action)
	}
	return true
}
