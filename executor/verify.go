package executor

// Checks: the conditions that must hold after the steps, and whether they held before.

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/program"
	"github.com/actionregistry/action/internal/steps"
)

// pollDelay is the interval between evaluations of a condition that reads the page's address or
// title.
const pollDelay = 50 * time.Millisecond

// evaluateBefore evaluates the checks of the page once, without waiting. The result of a check that
// could not be evaluated is nil.
func (f *frame) evaluateBefore(ctx context.Context) []*bool {
	before := make([]*bool, len(f.prog.Verify))
	if f.browser == nil {
		return before
	}
	var doc *driver.Document
	for i, c := range f.prog.Verify {
		if c.Wait == nil || c.UsesSteps || c.Spec.OnlyAfter || ctx.Err() != nil {
			continue
		}
		if doc == nil {
			d, err := f.page().Shown(ctx)
			if err != nil {
				return before
			}
			doc = &d
		}
		before[i] = f.look(ctx, c, *doc)
	}
	return before
}

// opening returns how many of the first steps only open a page. It returns 0 if no later step acts
// on a page. Checks are evaluated for the first time after these steps.
func opening(ops []*steps.Op) int {
	first := slices.IndexFunc(ops, func(op *steps.Op) bool { return !op.Entry.Opens })
	if first < 1 || !slices.ContainsFunc(ops[first:], acts) {
		return 0
	}
	return first
}

// acts reports whether op or a step nested in it is an input or runs another action.
func acts(op *steps.Op) bool {
	found := op.IsInput() || op.Entry.Runs()
	op.Nested(func(list []*steps.Op) { found = found || slices.ContainsFunc(list, acts) })
	return found
}

// look reports whether a check holds now. Nil means unknown. On an empty page, no check holds.
func (f *frame) look(ctx context.Context, c *program.Check, doc driver.Document) *bool {
	no := false
	if doc.URL == blank {
		return &no
	}
	e := f.checking(c)
	e.looking = true
	if e.allowed() != nil {
		return nil
	}
	args, err := e.op.Bind(&e.scope.Scope, (&targets{execution: e}).make)
	if err != nil {
		return nil
	}
	ctx, cancel := withDeadline(ctx, f.opts.Clock, f.opts.VerifyTimeout, stepTimeUp("verify", f.opts.VerifyTimeout))
	defer cancel()
	env := &steps.Env{Page: f.page(), Browser: f.browser, Flow: e, Files: e.files(), Warn: e.warn}
	env.Over = func(ctx context.Context) (context.Context, context.CancelFunc) {
		return withDeadline(ctx, f.opts.Clock, 0, nil)
	}
	holds, known, err := e.op.HoldsNow(ctx, env, args)
	switch {
	case !known:
		return nil
	case err == nil && !holds:
		return &no
	}
	return held(err)
}

// held returns the result of a check that ended with err. Nil means unknown.
func held(err error) *bool {
	yes, no := true, false
	switch diag.CodeOf(err) {
	case "":
		return &yes
	case diag.ElementNotFound, diag.ElementNotInteractable, diag.ElementAmbiguous:
		return &no
	}
	return nil
}

// checking returns the execution that evaluates the `wait` of a check.
func (f *frame) checking(c *program.Check) *execution {
	return &execution{frame: f, op: c.Wait, scope: f.scope, res: &StepResult{Action: "verify"}, verifying: true}
}

// verify evaluates all checks. After the first failure, it evaluates the others without waiting.
func (f *frame) verify(ctx context.Context, before []*bool, tell func(Verified)) error {
	var failed *diag.Error
	for i, c := range f.prog.Verify {
		wait := f.opts.VerifyTimeout
		if failed != nil {
			wait = 0
		}
		err := f.check(ctx, c, wait)
		if ctx.Err() != nil {
			return located(ended(ctx, nil), f.name)
		}
		v := Verified{OK: err == nil, Message: f.message(c)}
		if err == nil && before[i] != nil {
			changed := !*before[i]
			v.Changed = &changed
			if !changed {
				err = f.noEffect(c, v.Message)
				v.OK = err == nil
			}
		}
		tell(v)
		if full := f.charge(len(v.Message)); full != nil {
			return located(full, f.name)
		}
		if err != nil && failed == nil {
			failed = f.verifyFailed(c, v.Message, err)
		}
	}
	if failed != nil {
		return failed
	}
	return nil
}

// noEffect warns that a check already held before the steps. If the check has `require_change`,
// noEffect returns VERIFY_FAILED instead.
func (f *frame) noEffect(c *program.Check, message string) error {
	when, first := f.name+" began", "the first step"
	if opening(f.prog.Steps) > 0 {
		when, first = "the first step after the page was opened", "the first step after the page was opened"
	}
	if !c.Spec.RequireChange {
		f.warn(WarnNoEffect, "%s already held before %s, so the run did not change it: %s", describeCheck(c), when, message)
		return nil
	}
	return diag.New(diag.VerifyFailed, "nothing changed: the check already held before %s", first).
		WithDetail("reason", "no_effect")
}

// check polls a check until it holds, for at most wait.
func (f *frame) check(ctx context.Context, c *program.Check, wait time.Duration) error {
	if c.Condition != nil {
		return f.checkCondition(ctx, c.Condition, wait)
	}
	e := f.checking(c)
	if err := e.allowed(); err != nil {
		return err
	}
	whole := wait
	if c.Wait.NeedsElement {
		whole += guard
	}
	ctx, cancel := withDeadline(ctx, f.opts.Clock, max(whole, pollDelay), stepTimeUp("verify", wait))
	defer cancel()
	_, err := e.once(ctx, times{whole: whole, element: wait, shown: wait})
	return err
}

func (f *frame) checkCondition(ctx context.Context, c *expr.Condition, wait time.Duration) error {
	end := f.opts.Clock.Now().Add(wait)
	for {
		ok, err := f.holds(ctx, f.scope, c)
		if ok || err != nil {
			return err
		}
		if !f.prog.condsReadPage[c] || !f.opts.Clock.Now().Before(end) {
			return diag.New(diag.VerifyFailed, "%s does not hold", c)
		}
		if err := f.opts.Clock.Sleep(ctx, pollDelay); err != nil {
			return err
		}
	}
}

// verifyFailed returns the error of a check that failed because of err.
func (f *frame) verifyFailed(c *program.Check, message string, err error) *diag.Error {
	why := asError(err)
	e := diag.At(c.Spec.Pos, diag.VerifyFailed, "%s", message).
		WithHint("the steps were done, but the page does not show the effect (%s): check the page, and use `debug` to see each step", seenInstead(why))
	for k, v := range why.Details {
		e.WithDetail(k, v)
	}
	if e.Details["reason"] == "no_effect" {
		e.Msg = message + ": " + why.Msg
		e.Hint = "the page was already in the wanted state: nothing had to be done, or the steps did something else"
	} else {
		e.WithDetail("reason", why.Msg)
	}
	e.Action = f.name
	return e
}

// seenInstead describes why a check failed and what the page shows, for the author of the check.
func seenInstead(why *diag.Error) string {
	seen, _ := why.Details["seen"].([]string)
	if len(seen) == 0 {
		return why.Msg
	}
	return why.Msg + "; the page shows: " + strings.Join(seen, "; ")
}

// message returns the message of a check with its values inserted.
func (f *frame) message(c *program.Check) string {
	if c.Message != nil {
		if text, err := c.Message.Text(&f.scope.Scope); err == nil && text != "" {
			return cut(text)
		}
	}
	if c.Condition != nil {
		return "expected " + c.Condition.String()
	}
	return "expected " + describeCheck(c)
}

// describeCheck describes what a check examines.
func describeCheck(c *program.Check) string {
	if c.Condition != nil {
		return c.Condition.String()
	}
	for _, name := range c.Wait.Entry.OneOf {
		if n := c.Spec.Wait.Get(name); n != nil {
			return name + " " + n.Str
		}
	}
	return "the check"
}
