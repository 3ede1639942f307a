package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/client"
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

// runSessionResume ends the handoff of a session. It looks for the session in the daemon first,
// then in the other servers.
func runSessionResume(ctx context.Context, o *sessionResumeOptions) error {
	name := cmp.Or(o.Name, o.session(), session.DefaultName)
	var held *wire.Held
	var last error = diag.New(diag.InvalidRequest, "there is no session %q: no daemon is running", name).WithHint("there is nothing to resume")
	err := o.eachServer(ctx, func(c *client.Client) error {
		if held != nil {
			return nil
		}
		reply, err := c.Call(ctx, &wire.SessionResumeRequest{Session: name})
		if diag.CodeOf(err) == diag.InvalidRequest { // this process has no such held session
			last = err
			return nil
		}
		if err != nil {
			return err
		}
		held = new(wire.Held)
		return reply.Decode(held)
	})
	if err == nil && held == nil {
		err = last
	}
	if err != nil {
		return o.interrupted(ctx, err)
	}
	if o.json {
		o.writeJSON(map[string]any{"resumed": name, "held": held})
		return nil
	}
	fmt.Fprintf(o.stdout, "resumed %s, which a person used for %s\n", diag.Clean(name), o.now().Sub(held.Since).Round(100*time.Millisecond))
	return nil
}
