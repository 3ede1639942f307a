package session

import (
	"context"
	"reflect"

	"github.com/actionregistry/action/internal/browser"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/definitions"
)

// An early is a prelaunched browser: it starts while the definitions load for the call that will
// use it. In a cold start both are slow, and they are independent. Nil means that none was
// started. It belongs to the call that is first in the queue.
type early struct {
	o      startup.Options
	cancel context.CancelFunc
	done   chan struct{} // closed when the start has ended, with the following result
	b      *chrome.Browser
	err    error
}

// isCold reports whether the session of k does not exist and its definitions are not loaded. It
// is false for a manual step, which needs no definitions.
func (m *Manager) isCold(c Call, k *call) bool {
	if k.step || m.definitions.Has(m.loadOptions(c)) {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sessions[k.session] == nil
}

// startEarly prelaunches the browser of a session for the call that is first in its queue. It
// returns nil if the options are not certain before the definitions are read, and on every
// error: the browser then starts after the checks of the call.
func (m *Manager) startEarly(ctx context.Context, c Call, s *live, asked SessionOptions) *early {
	config, problems := definitions.ReadConfig(m.loadOptions(c))
	m.mu.Lock()
	used := s.browser != nil || s.asked != (SessionOptions{})
	m.mu.Unlock()
	if len(problems) > 0 || used {
		return nil
	}
	o := m.options(config, s)
	asked.apply(&o)
	if o.CDP != "" || o.Profile != "" { // the option may apply to another browser
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, launchTime)
	e := &early{o: o, cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(e.done)
		e.b, e.err = browser.Launch(ctx, o)
	}()
	return e
}

// keepEarly gives the prelaunched browser to the session, for the call that will follow. That
// call reports a failed start.
func (m *Manager) keepEarly(ctx context.Context, s *live, k *call, asked SessionOptions) {
	e := k.early
	if e == nil {
		return
	}
	k.early = nil
	_, _ = m.open(ctx, s, k.defs, asked, e)
}

// launch starts a browser with o and one tab, or takes the prelaunched one if it fits.
func launch(ctx context.Context, o startup.Options, e *early) (*chrome.Browser, error) {
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

// take waits for the browser and returns it, or the error of its start. It returns nil, nil if the
// browser was started with other options.
func (e *early) take(o startup.Options) (*chrome.Browser, error) {
	if e == nil || !e.isWith(o) {
		return nil, nil
	}
	<-e.done
	b := e.b
	e.b = nil
	return b, e.err
}

// isWith reports whether the browser was started with o. It ignores Warn, which is the manager's.
func (e *early) isWith(o startup.Options) bool {
	mine := e.o
	mine.Warn, o.Warn = nil, nil
	return reflect.DeepEqual(mine, o)
}

// drop ends a prelaunched browser that was not taken.
func (m *Manager) drop(ctx context.Context, e *early) {
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
