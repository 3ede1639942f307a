package executor

// The code and the position of a failure.

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/actionregistry/action/diag"
)

// timeUp returns the error of a run whose time limit has passed.
func timeUp(action string, limit time.Duration) *diag.Error {
	return diag.New(diag.Timeout, "%s did not finish within %s, the time limit of the run", action, limit).
		WithHint(longerRun)
}

const longerRun = "check the steps to see which took the time, or use a longer --timeout"

// stepTimeUp returns the error of an attempt whose time limit has passed.
func stepTimeUp(step string, limit time.Duration) *diag.Error {
	return diag.New(diag.Timeout, "%s did not finish within %s, the time limit of one attempt", step, limit).
		WithHint("use a longer timeout for the step, or use `debug` to see what the step waits for")
}

// fault converts err to the error of this step. ctx is the context of the list of steps that
// contains this step. If ctx has ended, its cause takes precedence over err.
func (e *execution) fault(ctx context.Context, err error) *diag.Error {
	out := asError(err)
	if ctx.Err() != nil {
		out = ended(ctx, out)
	} else {
		out = out.Clone()
		// The page stops waiting shortly before the time limit of the run. A timeout within this margin
		// is caused by that limit.
		const margin = 250 * time.Millisecond
		if deadline, ok := ctx.Deadline(); ok && out.Code == diag.Timeout && deadline.Sub(e.opts.Clock.Now()) < margin {
			out.Hint = longerRun
		}
	}
	cutError(out)
	if out.Action != "" { // err comes from an action that this step ran, or from a step of this block
		if out.Action != e.name {
			out.WithNote(e.op.Spec.Pos, "%s is called here, by %s", out.Action, e.name)
		}
		return out
	}
	out.Action, out.Step, out.StepAction, out.Path = e.name, e.res.Index, e.res.Action, e.op.Spec.Path
	e.run.failed = origin{frame: e.frame, scope: e.scope, path: out.Path}
	if !out.Pos.IsValid() {
		out.Pos = e.op.Spec.Pos
	}
	return out
}

// located adds the action to an error that does not belong to a step.
func located(err error, action string) error {
	e := asError(err)
	if e.Action != "" {
		return e
	}
	e = e.Clone()
	e.Action = action
	return e
}

// ended returns the error for ctx, which has ended. It is the cause of ctx if that is a coded
// error, otherwise TIMEOUT or CANCELLED.
//
// The argument "said" is the error of the step, or nil. If its code is the same and it names an
// action, ended returns this error instead. Otherwise the detail step_error may contain its code
// and message.
func ended(ctx context.Context, said *diag.Error) *diag.Error {
	var out *diag.Error
	switch cause := diag.As(context.Cause(ctx)); {
	case cause != nil:
		out = cause.Clone()
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		out = diag.New(diag.Timeout, "the time limit of the call passed").WithHint("give the run more time")
	default:
		out = diag.New(diag.Cancelled, "the run was cancelled").
			WithHint("check the page before you run the action again: some steps were done")
	}
	if said == nil {
		return out
	}
	if said.Code == out.Code && said.Action != "" {
		return said.Clone()
	}
	out.Action, out.Step, out.StepAction, out.Path, out.Pos = said.Action, said.Step, said.StepAction, said.Path, said.Pos
	if said.Err == nil || !isContextError(said.Err) {
		out.WithDetail("step_error", map[string]any{"code": string(said.Code), "message": said.Msg})
	}
	return out
}

// NotBegun returns the error for a call that had no effect when ctx ended. It is the cause of ctx
// if that is a coded error, otherwise TIMEOUT or CANCELLED.
func NotBegun(ctx context.Context) error {
	if e := diag.As(context.Cause(ctx)); e != nil {
		return e
	}
	if ctx.Err() == context.DeadlineExceeded {
		return diag.New(diag.Timeout, "the time limit of the call passed before the call began").
			WithHint("give the call more time; if the session is busy, use another session with --session")
	}
	return diag.New(diag.Cancelled, "the call was cancelled before it began").WithHint("nothing was done; repeat the call if it is still needed")
}

// asError returns err as a *diag.Error.
func asError(err error) *diag.Error {
	if e := diag.As(err); e != nil {
		return e
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return diag.New(diag.Timeout, "the time limit passed").WithHint("use a longer timeout for the step").Because(err)
	case errors.Is(err, context.Canceled):
		return diag.New(diag.Cancelled, "the step was cancelled").WithHint("run the step again").Because(err)
	}
	return diag.New(diag.Internal, "%s", fmt.Sprint(err)).
		WithHint("report this as a bug, with the definition").Because(err)
}

func isContextError(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}
