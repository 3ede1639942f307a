package session

// The queues of sessions. Calls in one session run one after another, in order of arrival.

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/snapshot"
)

// enter queues a call in a session and waits until the call is first. It creates the session if
// necessary. limit is the maximum wait; 0 means no limit. The returned context also ends when the
// session ends. The caller must call leave, unless enter returns an error.
func (m *Manager) enter(ctx context.Context, name string, what RunInfo, asked SessionOptions, limit time.Duration) (context.Context, *namedSession, *slot, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	t := &slot{what: what, ready: make(chan struct{}), cancel: cancel}
	s, err := m.enqueue(name, t, asked)
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

// await waits until the call is first in its queue.
func (t *slot) await(ctx context.Context, limit time.Duration) error {
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
			return diag.New(diag.Timeout, "the timeout (%s) expired while the call waited in the queue", limit).
				WithHint("nothing was done: give the call more time, or use another session with --session")
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		return executor.NotBegun(ctx)
	}
	return nil
}

// behind adds the name of the running call to err, the error of a call that waited too long.
func (m *Manager) behind(s *namedSession, err error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	what := s.queue[0].what
	if name := cmp.Or(what.Action, what.Step); name != "" {
		return diag.As(err).WithDetail("running", name)
	}
	return err
}

// rest returns the part of limit that is left after a wait. It is at least 1 ms, unless limit is 0,
// which means no limit.
func rest(limit, waited time.Duration) time.Duration {
	if limit == 0 || waited == 0 {
		return limit
	}
	return max((limit - waited).Round(time.Millisecond), time.Millisecond)
}

// enqueue adds a slot to the queue of a session. It creates the session if necessary.
func (m *Manager) enqueue(name string, t *slot, asked SessionOptions) (*namedSession, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, errClosed()
	}
	s := m.sessions[name]
	if s == nil {
		if len(m.sessions) >= m.o.MaxSessions {
			return nil, diag.New(diag.LimitExceeded, "there are already %d sessions, which is the limit", len(m.sessions)).
				WithHint("close a session with: action session close <name>").WithDetail("sessions", m.namesLocked())
		}
		s = m.makeLocked(name)
	}
	if err := cmp.Or(s.refuseHeldLocked(), s.refuseLocked(asked)); err != nil {
		return nil, err
	}
	if len(s.queue) > m.o.QueueMax {
		return nil, diag.New(diag.LimitExceeded, "%d calls are already waiting for the session %s", len(s.queue)-1, name).
			WithHint("wait for these calls, or use another session with --session")
	}
	s.queue = append(s.queue, t)
	if len(s.queue) == 1 {
		m.startLocked(t)
	}
	return s, nil
}

func errClosed() error {
	return diag.New(diag.Cancelled, "the daemon is stopping").WithHint("repeat the call: this starts a new daemon")
}

// startLocked starts the call of a slot that is now first in its queue.
func (m *Manager) startLocked(t *slot) {
	t.what.Since = m.o.Clock.Now()
	close(t.ready)
}

// leave removes a slot from its queue. If the slot was the first, the next call starts.
func (m *Manager) leave(s *namedSession, t *slot) {
	t.cancel(nil)
	defer m.recordRemains()
	m.mu.Lock()
	defer m.mu.Unlock()
	first := s.queue[0] == t
	s.queue = slices.DeleteFunc(s.queue, func(other *slot) bool { return other == t })
	switch {
	case len(s.queue) > 0 && first:
		m.startLocked(s.queue[0])
	case len(s.queue) == 0 && s.ended:
		close(s.drained)
	case len(s.queue) == 0:
		s.idleSince = m.o.Clock.Now()
		m.tidyLocked(s)
		m.wakeReaperLocked(s)
	}
}

// makeLocked adds a session to the table. It takes over the loss and the ref numbers of the last
// session with this name.
func (m *Manager) makeLocked(name string) *namedSession {
	s := &namedSession{name: name, drained: make(chan struct{}), refs: new(snapshot.Book)}
	if l, ok := m.losses.Get(name); ok {
		if s.refs = l.refs; l.cause != LostReported {
			s.lost = l
		}
		m.losses.Remove(name)
	}
	m.sessions[name] = s
	return s
}

// tidyLocked removes a session that has no browser and no loss to report.
func (m *Manager) tidyLocked(s *namedSession) {
	if s.browser == nil && s.lost == nil {
		if s.refs.Last() > 0 {
			m.losses.Add(s.name, &loss{cause: LostReported, told: true, refs: s.refs})
		}
		m.endLocked(s, nil)
	}
}

// wakeReaperLocked wakes the reaper, unless it will wake up by itself before s expires.
func (m *Manager) wakeReaperLocked(s *namedSession) {
	end := m.expiryLocked(s)
	if end.IsZero() || !m.due.IsZero() && !end.Before(m.due) {
		return
	}
	select {
	case m.wake <- struct{}{}:
	default:
	}
}
