package ops

// The operations about sessions.

import (
	"context"
	"time"

	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/session"
)

const sessionPath = "/api/v1/browser/session"

func sessionOps() []*Operation {
	return []*Operation{
		Define(Operation{
			Doc: "Opens a session with options.", More: "If the session is already open with other options, the error is `INVALID_REQUEST`.",
			Scope: Run, Effects: true, HTTP: Route{Method: "POST", Path: sessionPath},
		}, func(ctx context.Context, c *Call, m *wire.SessionOpenRequest) (*wire.Session, error) {
			info, err := c.Backend.Open(ctx, at(m.Session, &m.Location), sessionOptions(m.Options))
			if err != nil {
				return nil, err
			}
			return SessionOf(info), nil
		}),
		Define(Operation{
			Doc: "Lists the sessions.",
			More: "The states are `starting`, `idle`, `running`, `held` and `lost`. `held`: a person uses the browser. The field `held` " +
				"then has `action` or `step`, `since`, `end`, and perhaps `by`, `until` and `message`; there is no `url`. " +
				"`lost`: the browser or its page has ended. The field `lost` then says what was lost. The next `step` fails " +
				"once with `BROWSER_UNAVAILABLE`, unless it is `open`. `open` and `action.run` begin on a clean page, with a " +
				"warning `session_lost`.",
			Scope: Read, Class: Instant, HTTP: Route{Method: "GET", Path: sessionPath},
		}, func(_ context.Context, c *Call, _ *wire.SessionListRequest) (*wire.Sessions, error) {
			return &wire.Sessions{Sessions: SessionsOf(c.Backend)}, nil
		}),
		Define(Operation{
			Doc:   "Ends a session and its browser. Pending requests of the session answer `CANCELLED`.",
			Scope: Run, Class: Control, HTTP: Route{Method: "DELETE", Path: sessionPath + "/{id}"},
		}, func(ctx context.Context, c *Call, m *wire.SessionCloseRequest) (*wire.Closed, error) {
			return &wire.Closed{Closed: nameOf(m.Session)}, c.Backend.CloseSession(ctx, nameOf(m.Session))
		}),
	}
}

// SessionsOf returns descriptions of all sessions for clients.
func SessionsOf(b Sessions) []wire.Session {
	list := b.List()
	out := make([]wire.Session, len(list))
	for i := range list {
		out[i] = *SessionOf(&list[i])
	}
	return out
}

// SessionOf returns the description of a session for clients.
func SessionOf(i *session.Info) *wire.Session {
	return &wire.Session{
		Name: i.Name, State: i.State, Running: (*wire.Running)(i.Running), Held: (*wire.Held)(i.Held), Queued: i.Queued, URL: i.URL, Tab: i.Tab, Window: i.Window,
		Tabs: i.Tabs, Windows: i.Windows, Lost: i.Lost, IdleSince: i.IdleSince, ExpiresAt: i.ExpiresAt,
	}
}

func sessionOptions(o *wire.SessionOptions) session.SessionOptions {
	if o == nil {
		return session.SessionOptions{}
	}
	out := session.SessionOptions{
		Headed: o.Headed, UserAgent: o.UserAgent, Locale: o.Locale, IgnoreHTTPSErrors: o.IgnoreHTTPSErrors,
		JavaScript: o.JavaScript, Profile: o.Profile, Proxy: o.Proxy, CDP: o.CDP, Target: o.Target, IdleTimeout: time.Duration(o.IdleTimeout),
	}
	if o.Viewport != nil {
		out.Viewport = &startup.Viewport{Width: o.Viewport.Width, Height: o.Viewport.Height}
	}
	return out
}
