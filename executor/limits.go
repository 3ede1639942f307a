package executor

// The time limits of one attempt of a step.

import (
	"time"

	"github.com/actionregistry/action/internal/steps"
)

// guard is the time that a step gets in addition to its wait for an element. In this time, the page
// can report why the wait failed. Otherwise the error would be only a timeout.
const guard = 2 * time.Second

// times holds the time limits of one attempt. 0 means no separate limit.
type times struct {
	whole   time.Duration // limit of the context of the attempt
	element time.Duration // for an element to become ready for the step
	shown   time.Duration // the limit as reported to users
}

// times returns the attempt's limits. An explicit timeout overrides the default for elements and the
// default for pages.
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
// page always gets the default time to answer, so that a busy page is not mistaken for a page
// without the element.
func (e *execution) elementTime(wait time.Duration) time.Duration {
	if !e.waitsForElement() {
		return wait
	}
	return max(wait+guard, e.opts.DefaultTimeout)
}

// waitsForElement reports whether the step waits for an element. The page itself ends such a wait,
// and then needs time to report what it saw.
func (e *execution) waitsForElement() bool {
	for _, x := range e.op.Args {
		if x.Type == steps.ArgSelector || x.Type == steps.ArgPlace {
			return true
		}
	}
	return false
}
