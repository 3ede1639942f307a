package ops

import (
	"context"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// A Peer sends requests to a server, as [client.Client] does. Its methods are called concurrently.
type Peer interface {
	// Stream sends a request, calls the argument "on" for each event, and returns the reply. If the
	// reply is an error, Stream returns the reply and the error. When ctx ends, Stream cancels the
	// request.
	Stream(ctx context.Context, m wire.Message, on func(wire.Event)) (*wire.Reply, error)
}

// Ask sends a request and decodes the data of its reply into a value. If the operation is Whole, it
// drops the rest of the result. If m is not the request of any operation, the error is INTERNAL.
func Ask(ctx context.Context, p Peer, m wire.Message, into any) error {
	if err := inTable(m, false); err != nil {
		return err
	}
	r, err := p.Stream(ctx, m, nil)
	if err != nil {
		return err
	}
	return r.Decode(into)
}

// AskWhole sends a request of an operation that is Whole, such as action.run. It calls the argument
// "on" for each event. The error of the run is in the result.
func AskWhole(ctx context.Context, p Peer, m wire.Message, on func(wire.Event)) (*executor.Result, error) {
	if err := inTable(m, true); err != nil {
		return nil, err
	}
	r, err := p.Stream(ctx, m, on)
	if r == nil {
		return nil, err
	}
	result := new(executor.Result)
	whole := wire.Reply{Data: r.Line}
	return result, whole.Decode(result)
}

func inTable(m wire.Message, whole bool) error {
	if o := Of(m); o == nil || whole && !o.Whole {
		return diag.New(diag.Internal, "found a request of type %s, which is not in the table of operations or has another kind of result", m.Type()).
			WithHint("report this as a bug")
	}
	return nil
}
