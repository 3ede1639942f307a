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

// A Handoff is a wait for a person who uses the browser. Its texts are masked.
//
// [RunOptions.Handoff] waits until somebody resumes the session, which it returns as [Resumed], or
// until Holds reports true, which is [ConditionHolds]. It returns when ctx has ended, at the latest;
// ctx ends with the time of the handoff. While it waits, it keeps every other call out of the
// browser, and records nothing of what happens there. When it returns, refs from before are stale.
type Handoff struct {
	Message string
	Until   string    // the condition as written; "" for none
	End     time.Time // when the time is over, on the clock of the run
	// Begun reports that the person may begin. RunOptions.Handoff must call it once the session can be
	// resumed, because whoever receives the event may resume at once.
	Begun func()
	// Holds evaluates the condition. Nil means that there is none. It may be called only by the
	// goroutine that has called RunOptions.Handoff. A failure may be temporary, such as that of a
	// page that is loading.
	Holds func(context.Context) (bool, error)
}

// How a [Handoff] ends, unless it fails.
const (
	Resumed        = "resumed"
	ConditionHolds = "condition"
)

// maxHandoffMessage bounds the message for the person, in bytes.
const maxHandoffMessage = 500

// Handoff lets a person use the browser. No time limit of the run counts meanwhile.
func (e *execution) Handoff(ctx context.Context, in steps.Handoff) (string, error) {
	if e.o.Handoff == nil {
		return "", diag.New(diag.InvalidRequest, "found handoff in a run without a person").
			WithHint("run the action in a session of the daemon, which a person can resume")
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
	return diag.New(diag.Timeout, "a person was awaited for %s, and nobody resumed the session", limit).
		WithHint("check what the page shows; give the person more time with timeout, or resume earlier: action session resume")
}

// handedOver returns the pages that a person may find in another state than the run expects: those
// that the run has acted on, and the active one.
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
