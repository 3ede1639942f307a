package executor

// Lists of steps, and each step of a list: its condition, its attempts, its fallback, and what
// on_error says. A fallback is a list too.

import (
	"context"
	"fmt"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/trace"
	"github.com/actionregistry/action/spec"
)

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

// output returns r, or nil if r has no fields. JSON omits a nil output.
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

// attempts runs the step until it succeeds or its retries are used up.
func (e *execution) attempts(ctx context.Context) (steps.Result, error) {
	if err := e.allowed(); err != nil {
		return nil, e.fault(ctx, err)
	}
	retry := e.op.Spec.Retry
	var granted *approval
	for n := 1; ; n++ {
		e.res.Attempts = n
		var result steps.Result
		var err error
		if granted, err = e.approveAttempt(ctx, granted); err == nil {
			result, err = e.attempt(ctx)
		}
		if err == nil {
			err = e.keep(result)
		}
		if err == nil {
			return result, nil
		}
		failed := e.fault(ctx, err)
		if !didNothing(failed.Code) {
			granted = nil // the attempt may have used the approval
		}
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

// retryable reports whether a step may be retried after a failure with this code. If r lists codes,
// only failures with these codes may be retried. Otherwise every failure may be retried, unless it
// is certain to happen again.
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

// recover runs the fallback of a step that failed with err. If the fallback fails too, recover
// returns the fallback's error.
func (e *execution) recover(ctx context.Context, err error) (steps.Result, error) {
	failed := asError(err)
	e.res.Status, e.res.Error = Failed, failed
	if len(e.op.Fallback) == 0 || e.over(ctx) {
		return nil, failed
	}
	out, err := e.list(ctx, e.op.Fallback, e.scope, list{sink: &e.res.Fallback, inherits: e.inherits || e.op.Spec.Approval})
	if err != nil {
		last := asError(err).Clone()
		if !e.over(ctx) {
			last.WithNote(e.op.Spec.Pos, "the fallback ran because %s failed here: %s", e.res.Action, failed.Msg)
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

// passOver handles the error of a step. If the run may continue, passOver adds a warning and
// returns nil. Otherwise it returns err.
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

// A list describes a list of steps and where its results go.
type list struct {
	sink      *[]*StepResult
	iteration *int
	own       bool // the list belongs to the action itself, so another variant may replace it
	inherits  bool // the list is the fallback of a step that requires an approval
}

// A listResult is the outcome of a list.
type listResult struct {
	last steps.Result // result of the last step that ran
	ran  bool         // at least one step was not skipped
}

// list runs steps in order. The error is a *diag.Error that names its action.
func (f *frame) list(ctx context.Context, ops []*steps.Op, s *scope, in list) (listResult, error) {
	var out listResult
	for i := 0; ; i++ {
		if in.own {
			if err := f.choose(ctx, i); err != nil {
				return out, located(err, f.name)
			}
			if i > 0 && i == opening(f.prog.Steps) {
				f.earlier = f.evaluateBefore(ctx)
			}
			ops, f.begun = f.prog.Steps, i+1
		}
		if i >= len(ops) {
			return out, nil
		}
		op := ops[i]
		res := &StepResult{Index: i, Action: op.Spec.Action.Value, Iteration: in.iteration}
		*in.sink = append(*in.sink, res)
		began := f.opts.Clock.Now()
		e := &execution{frame: f, op: op, scope: s, res: res, inherits: in.inherits}
		result, err := e.step(ctx)
		if full := f.trim(res); full != nil && err == nil {
			err = e.fault(ctx, full)
		}
		res.DurationMS = f.since(began)
		f.report(op, res)
		if err != nil {
			return out, err
		}
		if res.Status != Skipped {
			out = listResult{last: result, ran: true}
		}
	}
}
