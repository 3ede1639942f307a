package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
)

type sessionHandoffOptions struct {
	*factory
	Name    string // "" means --session, or default
	Until   string
	Message string
	Timeout time.Duration
	Wait    bool
}

func newSessionHandoffCmd(f *factory, runF func(context.Context, *sessionHandoffOptions) error) *cobra.Command {
	o := &sessionHandoffOptions{factory: f}
	cmd := &cobra.Command{
		Use:     "handoff",
		Short:   "Let a person use the browser of a session",
		Long:    "Let a person use the browser of a session. Until the handoff ends, other calls of the session fail with SESSION_HELD, and nothing that happens in the browser is recorded.",
		Example: "action session handoff --message 'log in, please'\naction session handoff shop --until \"${page.url} contains '/home'\" --wait",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.Name = args[0]
			}
			return call(cmd, o, runF, runSessionHandoff)
		},
		ValidArgsFunction: f.completeSessions,
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	addText(fs, &o.Until, "until", "CONDITION", "End the handoff when this condition holds.")
	addText(fs, &o.Message, "message", "TEXT", "What the person should do.")
	fs.Var((*durationValue)(&o.Timeout), "timeout", "End the handoff after this time; default: 10m, at most 24h.")
	addBool(fs, &o.Wait, "wait", "Wait until the handoff has ended; it also ends if this command is interrupted.")
	return f.takes(cmd, sessionName)
}

// runSessionHandoff begins a handoff and, with --wait, waits for its end.
func runSessionHandoff(ctx context.Context, o *sessionHandoffOptions) error {
	daemon, err := o.connect(ctx)
	if err != nil {
		return err
	}
	defer daemon.Close()
	name := cmp.Or(o.Name, o.session())
	reply, err := daemon.Call(ctx, &wire.SessionHandoffRequest{
		Session: name, Until: o.Until, Message: o.Message, Timeout: wire.Duration(o.Timeout), Wait: o.Wait, Location: o.location(),
	})
	if err != nil {
		return o.interrupted(ctx, err)
	}
	if o.Wait {
		var end wire.HandedBack
		if err := reply.Decode(&end); err != nil {
			return err
		}
		if o.json {
			o.writeJSON(end)
			return nil
		}
		fmt.Fprintln(o.stdout, end.Ended)
		return nil
	}
	var info wire.Session
	if err := reply.Decode(&info); err != nil {
		return err
	}
	if o.json {
		o.writeJSON(info)
		return nil
	}
	fmt.Fprintf(o.stdout, "a person uses the session %s; when done: action session resume %[1]s\n", diag.Clean(info.Name))
	return nil
}
