package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/session"
)

type sessionResumeOptions struct {
	*factory
	Name string // "" means --session, or default
}

func newSessionResumeCmd(f *factory, runF func(context.Context, *sessionResumeOptions) error) *cobra.Command {
	o := &sessionResumeOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "resume",
		Short: "End a handoff: the run that waits goes on",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.Name = args[0]
			}
			return call(cmd, o, runF, runSessionResume)
		},
		ValidArgsFunction: f.completeSessions,
	}
	return f.takes(cmd, sessionName)
}

// runSessionResume ends the handoff of a session.
func runSessionResume(ctx context.Context, o *sessionResumeOptions) error {
	name := cmp.Or(o.Name, o.session(), session.DefaultName)
	daemon, err := o.dial(ctx)
	if err != nil {
		return err
	}
	if daemon == nil {
		return diag.New(diag.InvalidRequest, "there is no session %q: no daemon is running", name).WithHint("there is nothing to resume")
	}
	defer daemon.Close()
	reply, err := daemon.Call(ctx, &wire.SessionResumeRequest{Session: name})
	if err != nil {
		return o.interrupted(ctx, err)
	}
	var held wire.Held
	if err := reply.Decode(&held); err != nil {
		return err
	}
	if o.json {
		o.writeJSON(map[string]any{"resumed": name, "held": held})
		return nil
	}
	fmt.Fprintf(o.stdout, "resumed %s, which a person used for %s\n", diag.Clean(name), o.now().Sub(held.Since).Round(100*time.Millisecond))
	return nil
}
