package session

// The sessions that a manager knows by name.

import (
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

// A live is a session that the manager knows by name. Manager.mu guards its fields and is held
// only briefly. The call that is first in the queue starts, uses and releases the browser; what
// removes the session from the table ends it.
type live struct {
	name string
	// turns are the calls in order: the first is running, the others wait.
	turns []*turn
	// ended is set when the session is removed from the table; drained is closed when it also
	// has no calls left.
	ended   bool
	drained chan struct{}

	asked   SessionOptions   // of the call that started the browser; also used for the next browser
	started *startup.Options // of the browser that is running or starting; nil: none
	browser *chrome.Browser
	url     string         // last known URL of the active tab
	lost    *loss          // not reported yet
	refs    *snapshot.Book // of all pages of the session
	secrets trace.Memory   // of its runs; has a mutex of its own

	idleSince time.Time // valid only without turns
}

// A turn is one call's slot in a queue.
type turn struct {
	what   RunInfo
	waited time.Duration // time behind other calls
	ready  chan struct{} // closed when it is first in the queue
	cancel context.CancelCauseFunc
}

const maxNameBytes = 64

// checkName refuses an invalid session name.
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
func (m *Manager) endLocked(s *live, cause error) {
	s.ended = true
	delete(m.sessions, s.name)
	for _, t := range s.turns {
		t.cancel(cause)
	}
	if len(s.turns) == 0 {
		close(s.drained)
	}
}
