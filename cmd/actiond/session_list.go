package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/session"
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

// showSessions prints one line per session.
func (f *factory) showSessions(list []wire.Session) {
	rows := make([][]string, len(list))
	for i, s := range list {
		what := ""
		if r := s.Running; r != nil && s.State == session.StateRunning {
			what = fmt.Sprintf("%s for %s", cmp.Or(r.Action, r.Step), f.now().Sub(r.Since).Round(100*time.Millisecond))
		}
		if h := s.Held; h != nil {
			what = fmt.Sprintf("%s for %s", cmp.Or(h.Action, h.Step), f.now().Sub(h.Since).Round(100*time.Millisecond))
			if h.Message != "" {
				what += ": " + diag.Clean(h.Message)
			}
		}
		if s.Queued > 0 {
			what += fmt.Sprintf(", %d waiting", s.Queued)
		}
		where := cmp.Or(s.Tab, "-")
		if s.Tabs > 1 {
			where += fmt.Sprintf(" of %d", s.Tabs)
		}
		if s.Windows > 1 {
			where += fmt.Sprintf(" in %d windows", s.Windows)
		}
		rows[i] = []string{s.Name, s.State, cmp.Or(s.URL, "-"), where, what}
		if s.Lost != "" {
			rows[i][4] = strings.TrimSpace(what + " " + s.Lost)
		}
	}
	diag.Table(f.stdout, rows)
}
