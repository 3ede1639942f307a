package executor

// Running a list of steps in order.

import (
	"context"

	"github.com/actionregistry/action/internal/steps"
)

// A list describes a list of steps and where its results go.
type list struct {
	sink      *[]*StepResult
	iteration *int
	own       bool // the list belongs to the action itself, so another variant may replace it
}

// A listResult is the outcome of a list.
type listResult struct {
	last steps.Result // result of the last step that ran
	ran  bool         // at least one step was not skipped
}

// list runs steps in order. The error is a located *diag.Error.
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
		e := &execution{frame: f, op: op, scope: s, res: res}
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
