package session

// The queues of sessions: calls in one session run one after another, in the order in which
// they arrived.

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/browser"
	"github.com/actionregistry/action/internal/snapshot"
	"github.com/actionregistry/action/internal/trace"
)

// A live is a session that the manager knows by name. Its fields are guarded by Manager.mu,
// which is held only briefly; the call that is first in the queue starts, uses and gives up
// the browser, and whoever takes the session out of the table ends it.
type live struct {
	name string
	// turns are the calls in order: the first is running, the others wait.
	turns []*turn
	// ended is set when the session has left the table; drained is closed when no call is
	// left in it either.
	ended   bool
	drained chan struct{}

	asked   SessionOptions   // of the call that started the browser; the next browser gets them too
	started *browser.Options // of the browser that is running or starting; nil: none
	browser *browser.Browser
	url     string         // of the active tab, when it was last known
	lost    *loss          // not reported yet
	refs    *snapshot.Book // of every page that the session has had
	secrets trace.Memory   // of its runs; has a mutex of its own

	idleSince time.Time // only valid without turns
}

// A turn is one call's slot in a queue.
type turn struct {
	what   RunInfo
	waited time.Duration // behind other calls
	ready  chan struct{} // closed when it is first in the queue
	cancel context.CancelCauseFunc
}

const maxNameBytes = 64

// checkName refuses an invalid session name.
func checkName(name string) error {
	bad := func(r rune) bool { return !unicode.IsPrint(r) || unicode.IsSpace(r) || strings.ContainsRune(`/\"'`, r) }
	if name == "" || len(name) > maxNameBytes || !utf8.ValidString(name) || strings.ContainsFunc(name, bad) {
		return diag.New(diag.InvalidRequest, "%q cannot be the name of a session", diag.Clip(name, maxNameBytes)).
			WithHint("use letters, digits and signs like - and _, at most %d bytes", maxNameBytes)
	}
	return nil
}

// enter queues a call in a session, which it creates if necessary, and waits until the call
// is first, for at most limit, unless that is 0. The returned context also ends with the
// session. Unless there is an error the caller must call leave.
func (m *Manager) enter(ctx context.Context, name string, what RunInfo, asked SessionOptions, limit time.Duration) (context.Context, *live, *turn, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	t := &turn{what: what, ready: make(chan struct{}), cancel: cancel}
	s, err := m.line(name, t, asked)
	if err != nil {
		cancel(nil)
		return nil, nil, nil, err
	}
	if err := t.await(ctx, limit); err != nil {
		if diag.CodeOf(err) == diag.Timeout {
			err = m.behind(s, err)
		}
		m.leave(s, t)
		return nil, nil, nil, err
	}
	return ctx, s, t, nil
}

// await waits until the turn is first in its queue.
func (t *turn) await(ctx context.Context, limit time.Duration) error {
	var late <-chan time.Time // nil: never
	if limit > 0 {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-t.ready:
	default:
		began := time.Now()
		select {
		case <-t.ready:
			t.waited = time.Since(began)
		case <-late:
			return diag.New(diag.Timeout, "its time (%s) was up before it began", limit).
				WithHint("nothing of it was done: give it more time, or use another session with --session")
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		return executor.NotBegun(ctx)
	}
	return nil
}

// behind adds to the error of a call that has not begun what is running in its session.
func (m *Manager) behind(s *live, err error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	what := s.turns[0].what
	if name := cmp.Or(what.Action, what.Step); name != "" {
		return diag.As(err).WithDetail("running", name)
	}
	return err
}

// rest is what remains of a limit, 0 for none, after a wait.
func rest(limit, waited time.Duration) time.Duration {
	if limit == 0 || waited == 0 {
		return limit
	}
	return max((limit - waited).Round(time.Millisecond), time.Millisecond)
}

// line appends a turn to a session's queue.
func (m *Manager) line(name string, t *turn, asked SessionOptions) (*live, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, diag.New(diag.Cancelled, "the daemon is stopping").WithHint("run it again: a new daemon is started")
	}
	s := m.sessions[name]
	if s == nil {
		if len(m.sessions) >= m.o.MaxSessions {
			return nil, diag.New(diag.LimitExceeded, "there are %d sessions, the most that there may be", len(m.sessions)).
				WithHint("close one with: action session close <name>").WithDetail("sessions", m.namesLocked())
		}
		s = m.makeLocked(name)
	}
	if err := s.refuseLocked(asked); err != nil {
		return nil, err
	}
	if len(s.turns) > m.o.QueueMax {
		return nil, diag.New(diag.LimitExceeded, "%d calls wait for the session %s already", len(s.turns)-1, name).
			WithHint("wait for them, or use another session with --session")
	}
	s.turns = append(s.turns, t)
	if len(s.turns) == 1 {
		m.startTurnLocked(t)
	}
	return s, nil
}

// startTurnLocked starts a turn, which is the first of its queue.
func (m *Manager) startTurnLocked(t *turn) {
	t.what.Since = m.o.Clock.Now()
	close(t.ready)
}

func (m *Manager) namesLocked() []string {
	names := make([]string, 0, len(m.sessions))
	for name := range m.sessions {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// leave removes a turn from the queue and starts the next.
func (m *Manager) leave(s *live, t *turn) {
	t.cancel(nil)
	defer m.recordRemains()
	m.mu.Lock()
	defer m.mu.Unlock()
	first := s.turns[0] == t
	s.turns = slices.DeleteFunc(s.turns, func(other *turn) bool { return other == t })
	switch {
	case len(s.turns) > 0 && first:
		m.startTurnLocked(s.turns[0])
	case len(s.turns) == 0 && s.ended:
		close(s.drained)
	case len(s.turns) == 0:
		s.idleSince = m.o.Clock.Now()
		m.tidyLocked(s)
		m.wakeReaperLocked()
	}
}

// makeLocked adds a session to the table.
func (m *Manager) makeLocked(name string) *live {
	s := &live{name: name, drained: make(chan struct{}), refs: new(snapshot.Book)}
	if l, ok := m.losses.Get(name); ok {
		if s.refs = l.refs; l.cause != LostReported {
			s.lost = l
		}
		m.losses.Remove(name)
	}
	m.sessions[name] = s
	return s
}

// tidyLocked drops a session without calls that holds nothing and has nothing to report:
// its browser could not be started.
func (m *Manager) tidyLocked(s *live) {
	if s.browser == nil && s.lost == nil {
		if s.refs.Last() > 0 {
			m.losses.Add(s.name, &loss{cause: LostReported, told: true, refs: s.refs})
		}
		m.endLocked(s, nil)
	}
}

// endLocked takes a session out of the table and cancels the calls in its queue.
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
