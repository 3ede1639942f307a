package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
)

type reloadOptions struct{ *factory }

func newReloadCmd(f *factory, runF func(context.Context, *reloadOptions) error) *cobra.Command {
	return f.takes(&cobra.Command{
		Use:   "reload",
		Short: "Reload definitions and report problems",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return call(cmd, &reloadOptions{f}, runF, runReload)
		},
	})
}

// runReload makes the daemon reload the definitions of this folder immediately, and reports
// problems. If no daemon is running, it only reads and checks the files.
func runReload(ctx context.Context, o *reloadOptions) error {
	r, err := o.reload(ctx)
	if err != nil {
		return err
	}
	if o.json {
		o.writeJSON(r)
	} else {
		fmt.Fprintf(o.stdout, "%d actions, %d problems\n", r.Actions, len(r.Problems))
		if len(r.Problems) > 0 {
			_ = o.printer.Print(o.stderr, r.Problems)
		}
	}
	if len(r.Problems) > 0 {
		return errShown{diag.New(diag.DefinitionInvalid, "found problems in the definitions").WithHint("correct the problems in the list above")}
	}
	return nil
}

func (f *factory) reload(ctx context.Context) (*wire.Reloaded, error) {
	c, err := f.dial(ctx)
	if err != nil {
		return nil, err
	}
	if c == nil {
		r, err := f.manager().Reload(ctx, f.call())
		return (*wire.Reloaded)(r), err
	}
	defer c.Close()
	reply, err := c.Call(ctx, &wire.ReloadRequest{Location: f.location()})
	if err != nil {
		return nil, f.interrupted(ctx, err)
	}
	r := new(wire.Reloaded)
	return r, reply.Decode(r)
}
