package session

import (
	"context"
	"reflect"

	"github.com/actionregistry/action/internal/browser"
)

// An early is a browser that is being started while the definitions are read for the
// call that will need it: in a cold start both take long, and neither needs the other.
// nil is none. It belongs to the call whose turn it is.
type early struct {
	o      browser.Options
	cancel context.CancelFunc
	done   chan struct{} // closed when the start has ended, with what follows
	b      *browser.Browser
	err    error
}

// isCold reports whether neither the session of k is there nor its definitions are. A
// step by hand needs none.
func (m *Manager) isCold(c Call, k *call) bool {
	if k.step || m.places.know(m.loadOptions(c)) {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sessions[k.session] == nil
}

// startEarly starts the browser of a session for a call whose turn it is. What cannot be
// known before the definitions are read, and every fault, is left to the start behind
// the checks of the call: then it is nil.
func (m *Manager) startEarly(ctx context.Context, c Call, s *live, asked SessionOptions) *early {
	config, problems := readConfig(m.loadOptions(c))
	m.mu.Lock()
	used := s.browser != nil || s.asked != (SessionOptions{})
	m.mu.Unlock()
	if len(problems) > 0 || used {
		return nil
	}
	o := m.options(config, s)
	asked.apply(&o)
	if o.CDP != "" || o.Profile != "" { // it may be for others
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

// keepEarly makes the browser that was started early that of the session, for a call that
// is to come. A start that fails is told there.
func (m *Manager) keepEarly(ctx context.Context, s *live, k *call, asked SessionOptions) {
	e := k.early
	if e == nil {
		return
	}
	k.early = nil
	_, _ = m.open(ctx, s, k.defs, asked, e)
}

// launch starts a browser with o, with one tab, or takes the one that was started so.
func launch(ctx context.Context, o browser.Options, e *early) (*browser.Browser, error) {
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
		_ = shut(ctx, b) // the first error is the one to tell
		return nil, err
	}
	return b, nil
}

// take returns the browser, or why there is none; nil where it was started with other
// options.
func (e *early) take(o browser.Options) (*browser.Browser, error) {
	if e == nil || !e.isWith(o) {
		return nil, nil
	}
	<-e.done
	b := e.b
	e.b = nil
	return b, e.err
}

// isWith compares options but for Warn, which is the manager's.
func (e *early) isWith(o browser.Options) bool {
	mine := e.o
	mine.Warn, o.Warn = nil, nil
	return reflect.DeepEqual(mine, o)
}

// drop ends the browser where nobody has taken it.
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
