package ops

// The operations about persons who use the browser of a session.

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
			More: "The handoff waits in the queue of the session like a step. The answer is the held session, and the handoff " +
				"outlives the connection. With `wait`, the answer comes at the end: `ended` is `resumed` or `condition`; the " +
				"handoff then ends with the connection, too. Until the end, other requests of the session are " +
				"`SESSION_HELD`, except for control types. After `timeout` (10m; at most 24h) the handoff is over: `TIMEOUT`. " +
				"A run with the step `handoff` sends an event `step` with the status `waiting` and the `message` when it begins " +
				"to wait, if it has `stream`.",
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
			Doc:   "Ends the handoff of a session: the person has finished.",
			More:  "A session that is not held is `INVALID_REQUEST`. The data are those of `held` in `session.list`.",
			Scope: Admin, Class: Control, HTTP: Route{Method: "POST", Path: sessionPath + "/{id}/resume"},
		}, func(_ context.Context, c *Call, m *wire.SessionResumeRequest) (*wire.Held, error) {
			held, err := c.Backend.Resume(nameOf(m.Session))
			return (*wire.Held)(held), err
		}),
	}
}

// Handoff is the result of session.handoff: the held session or, with wait, how the handoff ended.
type Handoff struct {
	one any // *wire.Session or wire.HandedBack
}

// Shapes implements [Shaped].
func (Handoff) Shapes() []any { return []any{wire.Session{}, wire.HandedBack{}} }

// MarshalJSON encodes the result as it is.
func (h Handoff) MarshalJSON() ([]byte, error) { return marshal(h.one) }
