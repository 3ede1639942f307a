package executor

// One step: decide, try, retry, fall back, continue.

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/trace"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
)

// guard is the extra time that an element step gets beyond its own wait, so that the page can
// report its own reason instead of a bare timeout.
const guard = 2 * time.Second

// An execution is a step in progress.
type execution struct {
	*frame
	op    *steps.Op
	scope *scope
	res   *StepResult
	inner *scope // scope of the last iteration, while a block runs
	// narrowing is the narrowing of a foreach. It applies to all iterations.
	narrowing *narrowing
	// verifying means that the execution is a check. looking means that the check is evaluated
	// before the first step.
	verifying, looking bool

	// mu guards preferred and aliases; targets may resolve concurrently.
	mu        sync.Mutex
	preferred []selectors.Key                  // candidates that won before and that this attempt relies on
	aliases   map[string][]*selectors.Selector // candidates of the aliases that this attempt has used
}

func (e *execution) step(ctx context.Context) (steps.Result, error) {
	holds, err := e.decide(ctx)
	if err == nil && !holds {
		e.res.Status = Skipped
		return nil, nil
	}
	var result steps.Result
	if err == nil {
		result, err = e.attempts(ctx)
	}
	e.res.Status = OK
	if err != nil {
		result, err = e.recover(ctx, err)
	}
	if err != nil {
		return nil, e.passOver(ctx, err)
	}
	if e.res.Status == Failed {
		return nil, nil
	}
	e.res.Output = output(result)
	e.readBack(result)
	if name := e.op.Output(); name != "" {
		e.scope.set(name, map[string]any(result), len(e.inputs))
	}
	return result, nil
}

// output returns nil for a result without fields, so that it is omitted.
func output(r steps.Result) any {
	if len(r) == 0 {
		return nil
	}
	return map[string]any(r)
}

// decide evaluates `when`.
func (e *execution) decide(ctx context.Context) (bool, error) {
	if err := e.count(ctx); err != nil {
		return false, e.fault(ctx, err)
	}
	c := e.op.When
	if c == nil {
		return true, nil
	}
	ok, err := e.holds(ctx, e.scope, c)
	if err != nil {
		return false, e.fault(ctx, err)
	}
	if e.telling() {
		e.res.Decision = fmt.Sprintf("%s: %t", c, ok)
	}
	return ok, nil
}

// telling reports whether inputs and decisions are recorded.
func (r *run) telling() bool { return r.o.Debug || r.o.Recorder != nil }

// holds evaluates a condition in s with the current values.
func (f *frame) holds(ctx context.Context, s *scope, c *expr.Condition) (bool, error) {
	if f.prog.condsReadPage[c] {
		if err := f.readPage(ctx, s); err != nil {
			return false, err
		}
	}
	return c.Eval(&s.Scope)
}

// count uses one step of the run's budget.
func (r *run) count(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.executed >= r.opts.MaxSteps {
		r.spent = true
		return diag.New(diag.LimitExceeded, "found more steps than a run may execute, expected at most %d", r.opts.MaxSteps).
			WithHint("limit the blocks with max, or split the run")
	}
	r.executed++
	return nil
}

// over reports whether nothing more can run in ctx.
func (r *run) over(ctx context.Context) bool { return r.spent || ctx.Err() != nil }

// attempts runs the step until it succeeds or its retries are used up.
func (e *execution) attempts(ctx context.Context) (steps.Result, error) {
	if err := e.allowed(); err != nil {
		return nil, e.fault(ctx, err)
	}
	retry := e.op.Spec.Retry
	for n := 1; ; n++ {
		e.res.Attempts = n
		result, err := e.attempt(ctx)
		if err == nil {
			err = e.keep(result)
		}
		if err == nil {
			return result, nil
		}
		failed := e.fault(ctx, err)
		if n > retry.Times || e.over(ctx) || !retryable(retry, failed.Code) {
			return nil, failed
		}
		if err := e.opts.Clock.Sleep(ctx, retry.Delay); err != nil {
			return nil, e.fault(ctx, err)
		}
		if err := e.count(ctx); err != nil {
			return nil, e.fault(ctx, err)
		}
	}
}

// retryable reports whether a failure with code may be retried. A failure that cannot change may
// not, unless the definition names its code.
func retryable(r spec.Retry, code diag.Code) bool {
	for _, c := range r.On {
		if c == code {
			return true
		}
	}
	if r.On != nil {
		return false
	}
	switch code {
	case diag.DefinitionInvalid, diag.ParamRequired, diag.ParamInvalid, diag.PolicyDenied, diag.SecurityError,
		diag.ActionNotFound, diag.MaxDepthExceeded, diag.LimitExceeded, diag.VersionIncompatible, diag.Cancelled:
		return false
	}
	return true
}

// allowed checks the policy, and that there is a page if the step needs one.
func (e *execution) allowed() error {
	if err := e.permitted(); err != nil {
		return err
	}
	if e.browser == nil && e.op.NeedsPage() {
		return noPage("the step " + e.op.PolicyName())
	}
	return nil
}

func (e *execution) permitted() error {
	if e.opts.Policy == nil {
		return nil
	}
	return e.opts.Policy.Step(e.prog.Action, e.op.PolicyName())
}

// attempt runs the step once, with its own time limit.
func (e *execution) attempt(ctx context.Context) (steps.Result, error) {
	t := e.times()
	if t.whole > 0 {
		var cancel context.CancelFunc
		ctx, cancel = e.opts.Clock.WithTimeout(ctx, t.whole, stepTimeUp(e.res.Action, t.shown))
		defer cancel()
	}
	return e.once(ctx, t)
}

// times holds the time limits of one attempt. 0 means no separate limit.
type times struct {
	whole   time.Duration // until the context ends
	element time.Duration // for an element to become ready for the step
	shown   time.Duration // the limit as reported to users
}

// times returns the attempt's limits. An explicit timeout overrides both defaults.
func (e *execution) times() times {
	set := e.op.Spec.Timeout
	t := times{element: e.opts.DefaultTimeout}
	if set != nil {
		t.element = *set
	}
	switch e.op.Limit() {
	case steps.ElementTime:
		t.shown, t.whole = t.element, e.elementTime(t.element)
	case steps.InputTime:
		t.shown, t.whole = t.element, e.elementTime(t.element)
		if set == nil {
			t.shown += e.opts.PageTimeout
			t.whole = t.shown
		}
	case steps.PageTime:
		t.shown = e.opts.PageTimeout
		if set != nil {
			t.shown = *set
		}
		t.whole = t.shown
		t.element = min(t.element, t.whole)
	default:
		if set != nil {
			t.shown, t.whole = *set, *set
		}
	}
	if e.op.Entry.Once {
		t.element, t.whole = 0, t.shown
	}
	return t
}

// elementTime returns the time limit of a step that waits this long for an element. However short
// the wait, the page has the default time to answer, so that a busy page is not taken for a page
// without the element.
func (e *execution) elementTime(wait time.Duration) time.Duration {
	if !e.waitsForElement() {
		return wait
	}
	return max(wait+guard, e.opts.DefaultTimeout)
}

// waitsForElement reports whether the page itself ends the wait of the step. It does so for
// elements, and then needs time to report what it saw.
func (e *execution) waitsForElement() bool {
	for _, x := range e.op.Args {
		if x.Type == steps.ArgSelector || x.Type == steps.ArgPlace {
			return true
		}
	}
	return false
}

// once binds the arguments and calls the entry.
func (e *execution) once(ctx context.Context, t times) (steps.Result, error) {
	if e.prog.opsReadPage[e.op] {
		if err := e.readPage(ctx, e.scope); err != nil {
			return nil, err
		}
	}
	if e.telling() {
		e.res.Input = e.reported(e.input())
	}
	e.res.Selector, e.res.Steps, e.inner, e.narrowing, e.preferred, e.aliases = "", nil, nil, nil, nil, nil
	tg := &targets{execution: e, wait: t.element, busy: cmp.Or(t.shown, e.opts.DefaultTimeout)}
	args, err := e.op.Bind(&e.scope.Scope, tg.make)
	if err != nil {
		return nil, err
	}
	tg.choose(args)
	page := e.page()
	if e.varies && !e.op.NeedsElement && e.op.LooksWithoutElement() {
		doc, err := page.Shown(ctx)
		if err != nil {
			return nil, err
		}
		if _, err := e.document(ctx, doc); err != nil {
			return nil, err
		}
	}
	if !e.isByHand() {
		e.begin(ctx, page)
	}
	number := 0
	watches := page != nil && (e.op.IsInput() || e.op.Settle > 0)
	if watches && e.isByHand() {
		page.Unwatch() // the end of a run would do so, but there is no run
	}
	if watches {
		number = page.Watch(e.watching(tg))
	}
	if e.op.Settle > 0 { // includes the inputs of the actions that it runs
		e.settling++
		defer func() { e.settling-- }()
	}
	e.lookBack(ctx)
	result, err := e.op.Entry.Run(ctx, &steps.Env{
		Page: page, Browser: e.browser, Flow: e, Files: e.files(), CheckURL: e.checkURL(), Timeout: t.shown, Warn: e.warn,
		Secret: func(text, form string) bool {
			if e.masker.String(text) == text {
				return false
			}
			e.masker.Add(form)
			return true
		},
	}, args)
	if err == nil && watches {
		err = e.came(ctx, page, number, tg)
	}
	e.after(ctx, err)
	e.forget(err)
	return result, e.refusedSelector(e.withAliases(err))
}

// refusedSelector attributes a selector that the browser rejects: to the file, or to a param that
// contains it.
func (e *execution) refusedSelector(err error) error {
	refused := diag.As(err)
	if refused == nil || refused.Code != diag.ParamInvalid || refused.Details["reason"] != "selector" || e.isByHand() {
		return err
	}
	for _, x := range e.op.Args {
		for _, ref := range x.Refs() {
			if p := e.prog.Action.Param(ref.Name); ref.Root == expr.RootParams && p != nil && p.Type == spec.TypeSelector {
				return err
			}
		}
	}
	refused = refused.Clone()
	refused.Code = diag.DefinitionInvalid
	return refused
}

// input returns the arguments with their values inserted.
func (e *execution) input() map[string]any {
	return showArgs(e.op, &e.scope.Scope, func(*expr.Ref) bool { return true })
}

func showArgs(op *steps.Op, s *expr.Scope, known func(*expr.Ref) bool) map[string]any {
	if len(op.Args) == 0 {
		return nil
	}
	in := make(map[string]any, len(op.Args))
	for name, x := range op.Args {
		v := x.Show(s, known)
		if d, ok := v.(time.Duration); ok {
			v = d.String()
		}
		in[name] = v
	}
	return in
}

func (e *execution) checkURL() func(string) error {
	if e.opts.Policy == nil {
		return nil
	}
	return func(url string) error { return e.opts.Policy.URL(e.prog.Action, url) }
}

// recover runs the fallback of a step that failed with err. If the fallback fails too, recover
// returns the fallback's error, as that of the last attempt.
func (e *execution) recover(ctx context.Context, err error) (steps.Result, error) {
	failed := asError(err)
	e.res.Status, e.res.Error = Failed, failed
	if len(e.op.Fallback) == 0 || e.over(ctx) {
		return nil, failed
	}
	out, err := e.list(ctx, e.op.Fallback, e.scope, list{sink: &e.res.Fallback})
	if err != nil {
		last := asError(err).Clone()
		if !e.over(ctx) {
			last.WithNote(e.op.Spec.Pos, "fallback of %s, which had failed: %s", e.res.Action, failed.Msg)
		}
		e.res.Error = last
		return nil, last
	}
	if !out.ran {
		return nil, failed
	}
	e.res.Status = Recovered
	e.warn(WarnRecovered, "%s of %s failed and used the fallback: %s", e.place(), e.name, failed.Msg)
	return out.last, nil
}

// passOver returns err, which ends the list, unless on_error lets the list continue.
func (e *execution) passOver(ctx context.Context, err error) error {
	if e.op.Spec.OnError != spec.Continue || e.over(ctx) {
		return err
	}
	if e.op.IsInput() {
		e.unsure = append(e.unsure, Unverified{Step: e.res.Action, Action: e.name, Path: e.op.Spec.Path, Why: "the step failed, and the run continued"})
	}
	e.warn(WarnStepFailed, "%s of %s failed and the run continued: %s", e.place(), e.name, asError(err).Msg)
	return nil
}

// place describes the step for a message, such as steps[2] (click).
func (e *execution) place() string {
	if e.op.Spec.Path == "" {
		return e.res.Action
	}
	return e.op.Spec.Path + " (" + e.res.Action + ")"
}

// report emits the event of a finished step and writes it to the trace.
func (f *frame) report(op *steps.Op, res *StepResult) {
	if f.o.Recorder != nil {
		index := res.Index
		f.record(trace.Entry{
			Event: "step", Action: f.name, Path: op.Spec.Path, Index: &index, Step: res.Action,
			Decision: res.Decision, Status: string(res.Status), Attempts: res.Attempts, Selector: res.Selector,
			Input: res.Input, Output: res.Output, Error: res.Error, DurationMS: res.DurationMS,
		})
	}
	if !f.o.Debug {
		res.Input, res.Decision = nil, ""
	}
	if f.o.OnStep == nil {
		return
	}
	ev := StepEvent{In: f.name, Path: op.Spec.Path, Depth: f.depth, StepResult: *res}
	ev.Steps, ev.Fallback = nil, nil
	ev.mask(f.pass())
	f.o.OnStep(ev)
}
