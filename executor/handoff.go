package executor

// A person uses the browser, and the run waits.

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

// A Handoff describes a pause of a run in which a person uses the browser. Secrets in Message and
// Until are masked.
//
// [RunOptions.Handoff] returns [Resumed] when somebody has resumed the session, or [ConditionHolds]
// when Holds has returned true. When the time of the handoff is over, ctx ends and
// RunOptions.Handoff returns an error. While it waits, no other call uses the browser, and nothing
// that happens there is recorded. When it returns, all earlier refs are stale.
type Handoff struct {
	Message string
	Until   string    // the condition as written; "" for none
	End     time.Time // when the time of the handoff is over, by the clock of the run
	// Begun reports that the person may begin. RunOptions.Handoff must not call it before the session
	// can be resumed.
	Begun func()
	// Holds evaluates the condition. Nil means that there is no condition. Holds must be called on the
	// goroutine that called RunOptions.Handoff. An error may be temporary, for example while a page is
	// loading.
	Holds func(context.Context) (bool, error)
}

// How a [Handoff] ends, unless it fails.
const (
	Resumed        = "resumed"
	ConditionHolds = "condition"
)

// maxHandoffMessage bounds the message for the person, in bytes.
const maxHandoffMessage = 500

// Handoff lets a person use the browser. The time limits of the run stop until it returns.
func (e *execution) Handoff(ctx context.Context, in steps.Handoff) (string, error) {
	if e.o.Handoff == nil {
		return "", diag.New(diag.InvalidRequest, "found the step handoff in a run that no person can resume").
			WithHint("run the action in a session of the daemon: a person can resume the session")
	}
	paused := deadlineOf(ctx).Pause()
	defer paused.Resume()
	within, cancel := withDeadline(ctx, e.opts.Clock, in.Timeout, nobodyCame(in.Timeout))
	defer cancel()
	for _, page := range e.handedOver() {
		e.release(within, page, "when a person took over")
		if e.isByHand() {
			page.Unwatch()
		} else {
			page.Watch(driver.Watching{}) // what the person causes belongs to no input of the run
		}
	}
	h := Handoff{Message: e.masker.String(cutAt(in.Message, maxHandoffMessage)), End: e.opts.Clock.Now().Add(in.Timeout)}
	h.Begun = func() { e.announce(h.Message) }
	if in.Until != nil {
		h.Until = e.masker.String(cut(in.Until.String()))
		h.Holds = func(ctx context.Context) (bool, error) { return e.holds(ctx, e.scope, in.Until) }
	}
	ended, err := e.o.Handoff(within, h)
	if err != nil && errors.Is(within.Err(), context.DeadlineExceeded) && ctx.Err() == nil {
		err = nobodyCame(in.Timeout)
	}
	return ended, err
}

func nobodyCame(limit time.Duration) error {
	return diag.New(diag.Timeout, "nobody resumed the session within %s, the time limit of the handoff", limit).
		WithHint("check what the page shows; give the person more time with `timeout`, or run `action session resume` earlier")
}

// handedOver returns the pages that the run has acted on, and the active page.
func (r *run) handedOver() []driver.Page {
	pages := slices.Clone(r.acted)
	if page := r.page(); page != nil && !slices.Contains(pages, page) {
		pages = append(pages, page)
	}
	return pages
}

// announce reports that the step waits for a person.
func (e *execution) announce(message string) {
	if e.o.OnStep == nil {
		return
	}
	e.o.OnStep(StepEvent{
		In: e.name, Path: e.op.Spec.Path, Depth: e.depth, Message: message,
		StepResult: StepResult{Index: e.res.Index, Action: e.res.Action, Status: Waiting, Attempts: e.res.Attempts, Iteration: e.res.Iteration},
	})
}
