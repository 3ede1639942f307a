package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/internal/daemon/client"
)

type daemonStatusOptions struct{ *factory }

func newDaemonStatusCmd(f *factory, runF func(context.Context, *daemonStatusOptions) error) *cobra.Command {
	return f.takes(&cobra.Command{
		Use:   "status",
		Short: "Show what the daemon is doing",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return call(cmd, &daemonStatusOptions{f}, runF, runDaemonStatus)
		},
	})
}

// runDaemonStatus prints the state of the daemon. If no daemon is running, the error is
// BROWSER_UNAVAILABLE.
func runDaemonStatus(ctx context.Context, o *daemonStatusOptions) error {
	c, err := client.Dial(ctx, "")
	if err != nil {
		return err
	}
	defer c.Close()
	c.Bound(o.patience())
	status, err := c.Status(ctx)
	if err != nil {
		return err
	}
	if o.json {
		o.writeJSON(status)
		return nil
	}
	up := (time.Duration(status.UptimeMS) * time.Millisecond).Round(time.Second)
	fmt.Fprintf(o.stdout, "daemon %s, pid %d, up %s, %.1f MB\nsocket %s\n", status.Version, status.PID, up,
		float64(status.Memory.TotalBytes)/(1<<20), status.Socket)
	o.showSessions(status.Sessions)
	if len(status.Problems) > 0 {
		_ = o.printer.Print(o.stderr, status.Problems)
	}
	return nil
}
