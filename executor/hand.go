package executor

// Manual steps: a run of one step that belongs to no action. Its arguments are data without
// references, and it has only one attempt.

import (
	"context"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/program"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/spec"
)

// byHand is the namespace of manual steps. It has no aliases and no version.
var byHand = new(spec.Namespace)

// Hand runs one manual step in b. In the result, Action is the name of the step and Data is the
// result of the step. For an invalid call, the error is PARAM_REQUIRED, PARAM_INVALID or
// INVALID_REQUEST.
//
// The field Timeout of o is the time limit of the step. If FromText is set, args are texts (see
// [program.Hand]). b may be nil only for steps that need no browser.
func (x *Executor) Hand(ctx context.Context, b driver.Browser, step string, args map[string]any, o RunOptions) *Result {
	r := newRun(x, b, o)
	// The limit of the run must not be shorter than that of the step.
	limit := max(r.opts.ActionTimeout, o.Timeout+guard)
	ctx, cancel := withDeadline(ctx, r.opts.Clock, limit, timeUp(step, limit))
	defer cancel()
	r.limit, r.done = limit, ctx.Done()
	res := &Result{Action: step}
	data, err := r.hand(ctx, step, args)
	r.revoke(ctx)
	r.finish(ctx, res, data, err)
	if !o.Steps && !o.Debug {
		res.Steps = nil // the result of the only step is already the result
	}
	return res
}

// CheckHand returns an error if a call of Hand is certain to fail before the step runs. Hand would
// report the same error. CheckHand uses only the field FromText of o.
func (x *Executor) CheckHand(step string, args map[string]any, o RunOptions) error {
	op, err := handOp(step, args, o)
	if err != nil {
		return err
	}
	e := &execution{frame: handFrame(newRun(x, nil, o), step), op: op, res: new(StepResult)}
	if err := e.permitted(); err != nil {
		return located(err, step)
	}
	return nil
}

func (r *run) hand(ctx context.Context, step string, args map[string]any) (steps.Result, error) {
	op, err := handOp(step, args, r.o)
	if err != nil {
		return nil, err
	}
	f := handFrame(r, step)
	for _, arg := range op.Args {
		f.prog.noteCondition(arg.Condition)
	}
	r.main = f
	out, err := f.list(ctx, []*steps.Op{op}, f.scope, list{sink: &r.steps})
	if err != nil {
		return nil, unplaced(asError(err))
	}
	if out.last == nil {
		return steps.Result{}, nil
	}
	return out.last, nil
}

func handOp(step string, args map[string]any, o RunOptions) (*steps.Op, error) {
	op, errs := program.Hand(step, args, o.FromText)
	if len(errs) > 0 {
		e := firstOf(errs)
		e.Action = step
		return nil, e
	}
	if o.Timeout > 0 {
		op.Spec.Timeout = &o.Timeout
	}
	return op, nil
}

// handFrame returns the frame of a manual step. It has no action.
func handFrame(r *run, step string) *frame {
	return &frame{
		run: r, prog: &annotated{Program: &program.Program{Namespace: byHand}, condsReadPage: make(map[*expr.Condition]bool)}, ns: byHand, name: step,
		chain: []string{step}, scope: newScope(nil, nil),
	}
}

// unplaced returns a copy of e without the position of a step. A manual step has no position.
func unplaced(e *diag.Error) *diag.Error {
	e = e.Clone()
	e.Step, e.StepAction, e.Path = 0, "", ""
	return e
}
