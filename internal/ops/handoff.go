package ops

// The operations with which a person takes over the browser of a session, and gives it back.

import (
	"context"
	"time"

	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/session"
)

func handoffOps() []*Operation {
	return []*Operation{
		Define(Operation{
			Doc: "Lets a person use the browser of a session: see [sessions.md](sessions.md#let-a-person-take-over).",
			More: "The handoff waits in the queue of the session like a step. The reply is the held session, as soon as the handoff has begun. " +
				"The handoff does not end with the connection. With `wait`, the reply comes when the handoff has ended: `ended` is `resumed` or " +
				"`condition`. This handoff also ends when the connection does. During a handoff, other requests of the session fail with " +
				"`SESSION_HELD`, except for control types. A handoff that takes longer than `timeout` (10m; at most 24h) ends with `TIMEOUT`. " +
				"If a run has `stream`, its step `handoff` sends an event `step` with the status `waiting` and the `message`.",
			Scope: Run, Effects: true, HTTP: Route{Method: "POST", Path: sessionPath + "/{id}/handoff"},
		}, func(ctx context.Context, c *Call, m *wire.SessionHandoffRequest) (Handoff, error) {
			info, ended, err := c.Backend.Handoff(ctx, at(m.Session, &m.Location), session.HandoffRequest{
				Message: m.Message, Until: m.Until, Timeout: time.Duration(m.Timeout), Wait: m.Wait,
			})
			switch {
			case err != nil:
				return Handoff{}, err
			case m.Wait:
				return Handoff{wire.HandedBack{Ended: ended}}, nil
			}
			return Handoff{SessionOf(info)}, nil
		}),
		Define(Operation{
			Doc:   "Ends the handoff of a session, because the person has finished.",
			More:  "If the session is not held, the error is `INVALID_REQUEST`. The data are the fields of `held` in `session.list`.",
			Scope: Admin, Class: Control, HTTP: Route{Method: "POST", Path: sessionPath + "/{id}/resume"},
		}, func(_ context.Context, c *Call, m *wire.SessionResumeRequest) (*wire.Held, error) {
			held, err := c.Backend.Resume(nameOf(m.Session))
			return (*wire.Held)(held), err
		}),
	}
}

// Handoff is the result of session.handoff. It is the held session. If the request sets "wait", it
// says how the handoff has ended.
type Handoff struct {
	one any // *wire.Session or wire.HandedBack
}

// Shapes implements [Shaped].
func (Handoff) Shapes() []any { return []any{wire.Session{}, wire.HandedBack{}} }

// MarshalJSON encodes the session or the end of the handoff.
func (h Handoff) MarshalJSON() ([]byte, error) { return marshal(h.one) }
