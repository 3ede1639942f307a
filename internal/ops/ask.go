package ops

import (
	"context"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// A Peer sends requests to a server, as [client.Client] does. Its methods may be called
// concurrently.
type Peer interface {
	// Stream sends a request, calls the function "on" for each event, and returns the reply. If the
	// reply reports an error, Stream returns both. When ctx ends, Stream cancels the request.
	Stream(ctx context.Context, m wire.Message, on func(wire.Event)) (*wire.Reply, error)
}

// Ask sends a request, and decodes the data of the reply into the argument "into". If there is no
// operation for m, the error is INTERNAL.
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

// AskWhole sends a request that runs an action or a step, and returns the result. It calls the
// function "on" for each event. If the run fails, its error is in the result.
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
		return diag.New(diag.Internal, "a request of type %s does not have the kind of result that was expected", m.Type()).
			WithHint("report this as a bug")
	}
	return nil
}
