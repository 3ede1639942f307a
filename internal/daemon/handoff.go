package daemon

// Requests about persons who use the browser of a session.

import (
	"context"
	"time"

	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/session"
)

// describeSession returns the public view of a session.
func describeSession(i *session.Info) *wire.Session {
	return &wire.Session{
		Name: i.Name, State: i.State, Running: (*wire.Running)(i.Running), Held: (*wire.Held)(i.Held), Queued: i.Queued, URL: i.URL, Tab: i.Tab, Window: i.Window,
		Tabs: i.Tabs, Windows: i.Windows, Lost: i.Lost, IdleSince: i.IdleSince, ExpiresAt: i.ExpiresAt,
	}
}

// handoff lets a person use the browser of a session.
func (c *conn) handoff(ctx context.Context, m *wire.SessionHandoffRequest) (any, error) {
	info, ended, err := c.s.backend.Handoff(ctx, call(m.Session, &m.Location), session.HandoffRequest{
		Message: m.Message, Until: m.Until, Timeout: time.Duration(m.Timeout), Wait: m.Wait,
	})
	switch {
	case err != nil:
		return nil, err
	case m.Wait:
		return wire.HandedBack{Ended: ended}, nil
	}
	return describeSession(info), nil
}

// resume ends a handoff: the person has finished.
func (c *conn) resume(m *wire.SessionResumeRequest) (any, error) {
	held, err := c.s.backend.Resume(name(m.Session))
	if err != nil {
		return nil, err
	}
	return (*wire.Held)(held), nil
}
