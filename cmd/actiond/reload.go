package main

import (
	"context"
	"fmt"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
)

type reloadCmd struct{}

// Run has the daemon read the definitions of this folder again, which it also
// does by itself, and tells what is wrong with them. Without a daemon there is
// nothing that is kept; they are read all the same.
func (*reloadCmd) Run(ctx context.Context, a *app) error {
	r, err := a.reload(ctx)
	if err != nil {
		return err
	}
	if a.json {
		a.writeJSON(r)
	} else {
		fmt.Fprintf(a.stdout, "%d actions, %d problems\n", r.Actions, len(r.Problems))
		if len(r.Problems) > 0 {
			_ = a.printer.Print(a.stderr, r.Problems)
		}
	}
	if len(r.Problems) > 0 {
		return errShown{diag.New(diag.DefinitionInvalid, "there are problems").WithHint("see above")}
	}
	return nil
}

func (a *app) reload(ctx context.Context) (*wire.Reloaded, error) {
	c, err := a.dial(ctx)
	if err != nil {
		return nil, err
	}
	if c == nil {
		r, err := a.manager().Reload(ctx, a.call())
		return (*wire.Reloaded)(r), err
	}
	defer c.Close()
	reply, err := c.Call(ctx, &wire.ReloadRequest{Location: a.location()})
	if err != nil {
		return nil, a.interrupted(ctx, err)
	}
	r := new(wire.Reloaded)
	return r, reply.Decode(r)
}
