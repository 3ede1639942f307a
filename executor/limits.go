package executor

// The time limits of one attempt of a step.

import (
	"time"

	"github.com/actionregistry/action/internal/steps"
)

// guard is the time that a step gets in addition to its wait for an element. The page needs it to
// report why the wait failed.
const guard = 5 * time.Second

// times holds the time limits of one attempt. 0 means no separate limit.
type times struct {
	whole   time.Duration // limit of the context of the attempt
	element time.Duration // for an element to become ready for the step
	shown   time.Duration // the limit as reported to users
}

// times returns the attempt's limits. An explicit timeout overrides the defaults.
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

// elementTime returns the time limit of a step that waits for an element for the given time. The
// limit is longer than that time, so that even a busy page can report why the wait failed. For a
// step without a selector, both times are the same.
func (e *execution) elementTime(wait time.Duration) time.Duration {
	if !e.waitsForElement() {
		return wait
	}
	return max(wait+guard, e.opts.DefaultTimeout)
}

// waitsForElement reports whether the step waits for an element.
func (e *execution) waitsForElement() bool {
	for _, x := range e.op.Args {
		if x.Type == steps.ArgSelector || x.Type == steps.ArgPlace {
			return true
		}
	}
	return false
}
