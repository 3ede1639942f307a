package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/session"
)

type sessionCloseOptions struct {
	*factory
	Name string // "" means --session, or default
	All  bool
}

func newSessionCloseCmd(f *factory, runF func(context.Context, *sessionCloseOptions) error) *cobra.Command {
	o := &sessionCloseOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "close",
		Short: "End a session and cancel its running call",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.Name = args[0]
			}
			return call(cmd, o, runF, runSessionClose)
		},
		ValidArgsFunction: f.completeSessions,
	}
	addBool(cmd.Flags(), &o.All, "all", "End all sessions.")
	return f.takes(cmd, sessionName)
}

// runSessionClose ends one session or all sessions, and waits until their browsers have ended.
func runSessionClose(ctx context.Context, o *sessionCloseOptions) error {
	name := cmp.Or(o.Name, o.session(), session.DefaultName)
	if o.All && o.Name != "" {
		return diag.New(diag.InvalidRequest, "found both --all and the name %s, expected one of them", o.Name).WithHint("remove --all or the name")
	}
	daemon, err := o.dial(ctx)
	if err != nil {
		return err
	}
	closed := []string{}
	if daemon == nil && !o.All {
		return diag.New(diag.InvalidRequest, "there is no session %q: no daemon is running", name).WithHint("there is nothing to close")
	}
	if daemon != nil {
		defer daemon.Close()
		names := []string{name}
		if o.All {
			status, err := daemon.Status(ctx)
			if err != nil {
				return err
			}
			names = nil
			for _, s := range status.Sessions {
				names = append(names, s.Name)
			}
		}
		for _, name := range names {
			if _, err := daemon.Call(ctx, &wire.SessionCloseRequest{Session: name}); err != nil {
				return o.interrupted(ctx, err)
			}
			closed = append(closed, name)
		}
	}
	if o.json {
		o.writeJSON(map[string]any{"closed": closed})
		return nil
	}
	for _, name := range closed {
		fmt.Fprintf(o.stdout, "closed %s\n", diag.Clean(name))
	}
	return nil
}
