package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/internal/daemon/wire"
)

type sessionListOptions struct{ *factory }

func newSessionListCmd(f *factory, runF func(context.Context, *sessionListOptions) error) *cobra.Command {
	return f.takes(&cobra.Command{
		Use:   "list",
		Short: "List the sessions and their running calls",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return call(cmd, &sessionListOptions{f}, runF, runSessionList)
		},
	})
}

// runSessionList lists the sessions. Without a daemon the list is empty.
func runSessionList(ctx context.Context, o *sessionListOptions) error {
	list := struct {
		Sessions []wire.Session `json:"sessions"`
	}{Sessions: []wire.Session{}}
	daemon, err := o.dial(ctx)
	if err != nil {
		return err
	}
	if daemon != nil {
		defer daemon.Close()
		reply, err := daemon.Call(ctx, &wire.SessionListRequest{})
		if err != nil {
			return err
		}
		if err := reply.Decode(&list); err != nil {
			return err
		}
	}
	if o.json {
		o.writeJSON(list)
		return nil
	}
	o.showSessions(list.Sessions)
	return nil
}
