package session

// Starting and ending browsers.

import (
	"context"
	"reflect"
	"time"

	"github.com/actionregistry/action/internal/browser"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/startup"
)

// launchTime limits the start of a browser.
const launchTime = time.Minute

// shutTime is how long a browser may take to end. Then it is killed.
const shutTime = time.Second

// prelaunch is a browser that starts while the definitions of a call load. The call is the first in
// the queue of its session. A nil prelaunch means that no browser was started.
type prelaunch struct {
	o      startup.Options
	cancel context.CancelFunc
	done   chan struct{} // closed when the start has ended and b or err is set
	b      *chrome.Browser
	err    error
}

// launch returns a browser with the options o and one tab. It uses the browser of e if that has the
// same options, and otherwise starts one.
func launch(ctx context.Context, o startup.Options, e *prelaunch) (*chrome.Browser, error) {
	ctx, cancel := context.WithTimeout(ctx, launchTime)
	defer cancel()
	b, err := e.take(o)
	if b == nil && err == nil {
		b, err = browser.Launch(ctx, o)
	}
	if err != nil {
		return nil, err
	}
	if err := b.Begin(ctx); err != nil {
		_ = shut(ctx, b) // the first error is the one to report
		return nil, err
	}
	return b, nil
}

// shut ends a browser within shutTime, even if ctx has ended.
func shut(ctx context.Context, b *chrome.Browser) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutTime)
	defer cancel()
	return b.Close(ctx)
}

// take waits until the browser has started and returns it. If the browser has other options than o,
// take returns nil, nil.
func (e *prelaunch) take(o startup.Options) (*chrome.Browser, error) {
	if e == nil || !e.isWith(o) {
		return nil, nil
	}
	<-e.done
	b := e.b
	e.b = nil
	return b, e.err
}

// isWith reports whether the browser was started with the options o. It ignores Warn.
func (e *prelaunch) isWith(o startup.Options) bool {
	mine := e.o
	mine.Warn, o.Warn = nil, nil
	return reflect.DeepEqual(mine, o)
}

// drop ends the browser of e, unless take has returned it.
func (m *Manager) drop(ctx context.Context, e *prelaunch) {
	if e == nil {
		return
	}
	e.cancel()
	<-e.done
	if e.b != nil {
		m.warnOf(shut(ctx, e.b))
		e.b = nil
	}
}

// warnOf passes err to the manager's Warn. It ignores nil.
func (m *Manager) warnOf(err error) {
	if err != nil && m.o.Warn != nil {
		m.o.Warn(err.Error())
	}
}
