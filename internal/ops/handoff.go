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
			More: "The handoff waits in the queue of the session like a step. The reply comes when it has begun: the held session. The handoff " +
				"outlives the connection. With `wait`, the reply comes when the handoff has ended: `ended` is `resumed` or `condition`; the " +
				"handoff then ends with the connection, too. Until then, other requests of the session are " +
				"`SESSION_HELD`, except for control types. A handoff that takes longer than `timeout` (10m; at most 24h) ends with `TIMEOUT`. " +
				"A run with `stream` sends an event `step` with the status `waiting` and the `message` when its step `handoff` begins " +
				"to wait.",
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

// Handoff is the result of session.handoff: the held session or, if the request sets the field
// "wait", how the handoff ended.
type Handoff struct {
	one any // *wire.Session or wire.HandedBack
}

// Shapes implements [Shaped].
func (Handoff) Shapes() []any { return []any{wire.Session{}, wire.HandedBack{}} }

// MarshalJSON encodes the result itself, without an object around it.
func (h Handoff) MarshalJSON() ([]byte, error) { return marshal(h.one) }
