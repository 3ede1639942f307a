package session

// Ending idle sessions: one goroutine for all of them.

import (
	"context"
	"fmt"
	"time"

	"github.com/actionregistry/action/diag"
)

// A Clock measures how long sessions are idle.
type Clock interface {
	Now() time.Time
	// Timer returns a channel that receives a value after d. The function stop stops the timer.
	Timer(d time.Duration) (c <-chan time.Time, stop func())
}

// wallClock is the system clock.
type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

func (wallClock) Timer(d time.Duration) (<-chan time.Time, func()) {
	t := time.NewTimer(d)
	return t.C, func() { t.Stop() }
}

// reap ends idle sessions until the manager is closed.
func (m *Manager) reap(ctx context.Context) {
	for {
		var tick <-chan time.Time
		stop := func() {}
		if next := m.expire(ctx); next > 0 {
			tick, stop = m.o.Clock.Timer(next)
		}
		select {
		case <-tick:
		case <-m.wake:
		case <-ctx.Done():
		}
		stop()
		if ctx.Err() != nil {
			return
		}
	}
}

// expire ends the sessions that have been idle for too long. It returns the time until the next
// check, or 0 if no session is idle.
func (m *Manager) expire(ctx context.Context) time.Duration {
	over, next := m.expired()
	if len(over) > 0 {
		m.recordRemains()
	}
	for _, s := range over {
		m.warnOf(m.endBrowser(ctx, s))
	}
	return next
}

func (m *Manager) expired() (over []*namedSession, next time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.o.Clock.Now()
	for _, s := range m.sessions {
		end := m.expiryLocked(s)
		if end.IsZero() {
			continue
		}
		left := end.Sub(now)
		if left > 0 {
			if next == 0 || left < next {
				next = left
			}
			continue
		}
		m.endLocked(s, nil)
		m.keepLossLocked(s)
		over = append(over, s)
	}
	if m.due = (time.Time{}); next > 0 {
		m.due = now.Add(next)
	}
	return over, next
}

// The bounds of [SessionOptions.IdleTimeout].
const (
	shortestIdle = 10 * time.Second
	longestIdle  = 24 * time.Hour
)

// checkIdle returns an error if d is out of bounds. It accepts 0.
func checkIdle(d time.Duration) error {
	if d == 0 || d >= shortestIdle && d <= longestIdle {
		return nil
	}
	return diag.New(diag.InvalidRequest, "found the idle timeout %s, expected 10s to 24h", d).WithHint("write a time such as 10m")
}

// keepLossLocked keeps the loss of a session that expires, for the next session with the same name.
func (m *Manager) keepLossLocked(s *namedSession) {
	l := s.lost
	switch {
	case l == nil && s.browser == nil:
		return // there was nothing to lose
	case l == nil:
		l = &loss{what: fmt.Sprintf("the session %s expired after %s without a call", s.name, m.idleLocked(s)), cause: LostExpired, url: s.url}
	}
	l.refs = s.refs
	m.losses.Add(s.name, l)
}
