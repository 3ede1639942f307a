package session

// The sessions that a manager knows by name.

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/snapshot"
	"github.com/actionregistry/action/internal/trace"
)

// namedSession is a session of a manager. Manager.mu guards its fields. Only the call that is first
// in the queue uses the browser. Whoever removes a session from the table must end its browser.
type namedSession struct {
	name string
	// queue has one slot for each call. The first call is running.
	queue []*slot
	// ended is set when the session is removed from the table. drained is closed when the session
	// has ended and its last call has returned.
	ended   bool
	drained chan struct{}

	asked   SessionOptions   // options of the call that started the browser; they also apply to its next browser
	started *startup.Options // options of the running or starting browser; nil if there is none
	browser *chrome.Browser
	url     string         // last known URL of the active tab
	lost    *loss          // loss of the last browser or page, for the next call; nil if there is none
	refs    *snapshot.Book // refs of all pages of the session
	secrets trace.Memory   // secrets of the session's runs; has its own mutex

	hold *hold // nil unless a person uses the browser

	idle      time.Duration // time without a call after which the session ends; 0: that of the manager
	idleSince time.Time     // valid only while the queue is empty
}

// slot is one call in the queue of a session.
type slot struct {
	what   RunInfo       // the call, for users
	waited time.Duration // how long the call has waited for other calls
	ready  chan struct{} // closed when the call is first in the queue
	cancel context.CancelCauseFunc
}

// idleLocked returns the time without a call after which a session ends. A negative time means
// never.
func (m *Manager) idleLocked(s *namedSession) time.Duration { return cmp.Or(s.idle, m.o.Idle) }

// expiryLocked returns the time at which an idle session ends. It returns the zero time if the
// session has a call, or never ends by itself.
func (m *Manager) expiryLocked(s *namedSession) time.Time {
	idle := m.idleLocked(s)
	if len(s.queue) > 0 || idle < 0 {
		return time.Time{}
	}
	return s.idleSince.Add(idle)
}

const maxNameBytes = 64

// checkName returns an error for an invalid session name.
func checkName(name string) error {
	bad := func(r rune) bool { return !unicode.IsPrint(r) || unicode.IsSpace(r) || strings.ContainsRune(`/\"'`, r) }
	if name == "" || len(name) > maxNameBytes || !utf8.ValidString(name) || strings.ContainsFunc(name, bad) {
		return diag.New(diag.InvalidRequest, "%q cannot be the name of a session", diag.Clip(name, maxNameBytes)).
			WithHint("use letters, digits and characters like - and _, at most %d bytes", maxNameBytes)
	}
	return nil
}

func (m *Manager) namesLocked() []string {
	names := make([]string, 0, len(m.sessions))
	for name := range m.sessions {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// endLocked removes a session from the table and cancels the calls in its queue.
func (m *Manager) endLocked(s *namedSession, cause error) {
	s.ended = true
	delete(m.sessions, s.name)
	for _, t := range s.queue {
		t.cancel(cause)
	}
	if len(s.queue) == 0 {
		close(s.drained)
	}
}
