package ops

// The operations about the server itself. They are only for the socket.

import (
	"context"

	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/session"
)

func commandOps() []*Operation {
	return []*Operation{
		Define(Operation{
			Doc: "Runs a command line of `action`, and answers with its output.",
			More: "The client (`bin/action`) sends this type; other programs use the types above. Only `list`, `describe`, " +
				"`search`, `run`, `debug` and manual steps run in the daemon; other commands, and `--no-daemon`, are refused.",
			Scope: Admin, Effects: true, Events: []string{wire.EventOutput},
		}, func(ctx context.Context, c *Call, m *wire.CommandRequest) (*wire.Output, error) {
			return c.Host.Command(ctx, m, func(o wire.Output) { c.Event(wire.EventOutput, o) })
		}),
	}
}

func serverOps() []*Operation {
	return []*Operation{
		Define(Operation{
			Doc:  "Cancels a running or queued request of the same connection. That request then answers `CANCELLED`.",
			More: "`cancelled` is false if no such request is pending.", Scope: Run, Class: Instant,
		}, func(_ context.Context, c *Call, m *wire.CancelRequest) (*wire.Cancelling, error) {
			return &wire.Cancelling{Cancelled: c.Host.Cancel(m.Target)}, nil
		}),
		Define(Operation{
			Doc: "Describes the daemon.",
			More: "`protocol` changes only when older clients would misunderstand the daemon; fields may be added without a change. The command " +
				"line decides by `build` whether to replace the daemon.",
			Scope: Read, Class: Instant,
		}, func(_ context.Context, c *Call, _ *wire.HelloRequest) (wire.Hello, error) { return c.Host.Hello(), nil }),
		Define(Operation{
			Doc: "Describes what the daemon is doing.",
			More: "For a session in use, `running` has the current `action` or `step`, and in `since` the time when it began. `queued` is " +
				"the number of waiting calls. `memory` is the daemon's own, without its browsers. `held_bytes` is the part " +
				"held by pending requests. `problems` are those of all definition files in use.",
			Scope: Admin, Class: Instant,
		}, func(_ context.Context, c *Call, _ *wire.StatusRequest) (*wire.Status, error) {
			return c.Host.Status(), nil
		}),
		Define(Operation{
			Doc: "Ends the daemon.",
			More: "When the reply arrives, the socket is gone and another daemon may start. When the connection closes, " +
				"the daemon and all its browsers have ended. Pending requests answer `CANCELLED`. With `drain`, the daemon " +
				"waits for them, and only new requests answer `CANCELLED`. With `replace`, the next daemon reports the " +
				"sessions as lost, as after a crash.",
			Scope: Admin, Class: Instant,
		}, func(_ context.Context, c *Call, m *wire.ShutdownRequest) (*wire.Stopping, error) {
			cause := session.Cause("")
			if m.Replace {
				cause = session.LostReplaced
			}
			return &wire.Stopping{Stopping: true, Running: c.Host.Stop(m.Drain, cause)}, nil
		}),
	}
}
