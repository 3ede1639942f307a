package session

import (
	"context"

	"github.com/actionregistry/action/internal/browser"
	"github.com/actionregistry/action/internal/definitions"
)

// isCold reports whether k is the first call of a new session and its definitions are not loaded
// yet. It is false for manual steps, which need no definitions.
func (m *Manager) isCold(c Call, k *call) bool {
	if k.step || m.definitions.Has(m.loadOptions(c)) {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sessions[k.session] == nil
}

// startPrelaunch starts a browser for the call that is first in the queue of s, while the
// definitions of the call load. It returns nil if it starts no browser. That is the case if the
// configuration has an error, if the session has or had a browser, or if the options name a running
// browser or a profile.
func (m *Manager) startPrelaunch(ctx context.Context, c Call, s *namedSession, asked SessionOptions) *prelaunch {
	config, problems := definitions.ReadConfig(m.loadOptions(c))
	m.mu.Lock()
	used := s.browser != nil || s.asked != (SessionOptions{})
	m.mu.Unlock()
	if len(problems) > 0 || used {
		return nil
	}
	o := m.options(config, s)
	asked.apply(&o)
	if o.CDP != "" || o.Profile != "" { // others may be using it, and the call is not checked yet
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, launchTime)
	e := &prelaunch{o: o, cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(e.done)
		e.b, e.err = browser.Launch(ctx, o)
	}()
	return e
}

// keepPrelaunch gives the prelaunched browser to the session, for the next call. If the browser
// could not be started, the next call reports it.
func (m *Manager) keepPrelaunch(ctx context.Context, s *namedSession, k *call, asked SessionOptions) {
	e := k.prelaunch
	if e == nil {
		return
	}
	k.prelaunch = nil
	_, _ = m.open(ctx, s, k.defs, asked, e)
}
