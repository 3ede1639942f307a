package daemon

import (
	"context"
	"encoding/json"
	"unicode/utf8"

	"actionregistry/daemon/wire"
	"actionregistry/diag"
	"actionregistry/executor"
	"actionregistry/registry"
	"actionregistry/session"
)

// mostOutput is how much of what a command prints is sent in a line: JSON can take six
// bytes for one.
const mostOutput = wire.MaxLineBytes / 8

// Commands runs command lines in the daemon, for processes that only print what
// comes of them. It is called concurrently.
type Commands interface {
	// Command runs the command line of a request of type command. An error of
	// wire.Declined means that nothing of it has been done.
	Command(ctx context.Context, req *wire.Request, in Inside) (*wire.Output, error)
}

// Inside is the daemon as a command in it sees it.
type Inside interface {
	// Do answers a request without the way over the socket. It has no events.
	Do(ctx context.Context, req wire.Request) (any, error)
	// Run is Do for a run whose params can be written only when its action is known:
	// complete gets its description and returns the request again, with them. What
	// says whose definitions and session answer, and which browser is started, stays
	// that of req. The error is that of complete, or of the look for the action.
	Run(ctx context.Context, req wire.Request, complete func(*registry.Description) (wire.Request, error)) (*executor.Result, error)
	// Definitions are those that hold for a request.
	Definitions(ctx context.Context, req wire.Request) (*session.Definitions, error)
}

// command runs a command line that has begun in a process of this same program.
// Another build may know other commands and flags.
func (c *conn) command(ctx context.Context, req *wire.Request) (any, error) {
	switch {
	case c.s.o.Commands == nil:
		return nil, wire.Declined("it serves requests only")
	case req.Program != c.s.o.Program:
		return nil, wire.Declined("it is another build")
	}
	out, err := c.s.o.Commands.Command(ctx, req, inside{c})
	if err != nil {
		return nil, err
	}
	for len(out.Stdout) > mostOutput {
		n := mostOutput
		for !utf8.RuneStart(out.Stdout[n]) {
			n--
		}
		c.event(req.ID, wire.EventOutput, wire.Output{Stdout: out.Stdout[:n]})
		out.Stdout = out.Stdout[n:]
	}
	return out, nil
}

// inside answers requests on behalf of a connection.
type inside struct{ c *conn }

func (i inside) Do(ctx context.Context, req wire.Request) (any, error) {
	checked, err := i.check(req)
	if err != nil {
		return nil, err
	}
	if checked.Type == wire.TypeCommand {
		return nil, diag.New(diag.Internal, "a command asks for what needs a connection").WithHint("please report this")
	}
	return i.c.s.perform(ctx, i.c, checked)
}

func (i inside) Run(ctx context.Context, req wire.Request, complete func(*registry.Description) (wire.Request, error)) (*executor.Result, error) {
	first, err := i.check(req)
	if err != nil {
		return nil, err
	}
	result := i.c.s.backend.RunDescribed(ctx, i.c.runCall(first), first.Action, func(d *registry.Description) (session.Call, map[string]any, error) {
		req, err := complete(d)
		if wire.IsDeclined(err) { // whoever has asked runs it, now
			err = diag.As(err).Clone().Because(session.ErrComesAgain)
		}
		if err != nil {
			return session.Call{}, nil, err
		}
		whole, err := i.check(req)
		if err != nil {
			return session.Call{}, nil, err
		}
		return i.c.runCall(whole), whole.Params, nil
	})
	if result.Action == "" && result.Error != nil {
		return nil, result.Error
	}
	return result, nil
}

func (i inside) Definitions(ctx context.Context, req wire.Request) (*session.Definitions, error) {
	req.Type = wire.TypeList
	checked, err := i.check(req)
	if err != nil {
		return nil, err
	}
	return i.c.s.backend.Definitions(ctx, call(checked))
}

// check holds a request of a command against the table of types. It has no events. Its texts have come
// over the socket, as words of a command line, and its fields are of their types. Only
// params may have come in another way, such as from a file: they are checked like a
// line of the socket.
func (i inside) check(req wire.Request) (*wire.Request, error) {
	if req.Stream || req.Trace {
		return nil, diag.New(diag.Internal, "a command asks for what needs a connection").WithHint("please report this")
	}
	req.ID = json.RawMessage("0")
	if req.Params == nil {
		return &req, req.Complete()
	}
	line, err := json.Marshal(req)
	if err != nil {
		return nil, diag.New(diag.InvalidRequest, "the command cannot be written as JSON: %v", err).WithHint("use JSON values only")
	}
	return wire.Parse(line)
}
