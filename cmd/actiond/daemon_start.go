package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/internal/daemon/endpoint"
)

type daemonStartOptions struct{ *factory }

func newDaemonStartCmd(f *factory, runF func(context.Context, *daemonStartOptions) error) *cobra.Command {
	return f.takes(&cobra.Command{
		Use:   "start",
		Short: "Start the daemon, unless it is running",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return call(cmd, &daemonStartOptions{f}, runF, runDaemonStart)
		},
	})
}

// runDaemonStart starts the daemon if none is running, and prints its socket.
func runDaemonStart(ctx context.Context, o *daemonStartOptions) error {
	c, started, err := o.ensure(ctx)
	if err != nil {
		return o.interrupted(ctx, err)
	}
	defer c.Close()
	hello, err := c.Hello(ctx)
	if err != nil {
		return err
	}
	socket := endpoint.Path(nil)
	if o.json {
		o.writeJSON(map[string]any{"started": started, "pid": hello.PID, "version": hello.Version, "socket": socket})
		return nil
	}
	state := "already running"
	if started {
		state = "started"
	}
	fmt.Fprintf(o.stdout, "daemon %s: pid %d, socket %s\n", state, hello.PID, socket)
	return nil
}
