package main

import (
	"cmp"
	"context"
	"fmt"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/client"
	"github.com/actionregistry/action/internal/daemon/endpoint"
)

type daemonStopOptions struct {
	*factory
	Drain bool
	Force bool
}

func newDaemonStopCmd(f *factory, runF func(context.Context, *daemonStopOptions) error) *cobra.Command {
	o := &daemonStopOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "stop",
		Short: "End the daemon and all sessions",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return call(cmd, o, runF, runDaemonStop)
		},
	}
	addBool(cmd.Flags(), &o.Drain, "drain", "Let pending requests end first.")
	addBool(cmd.Flags(), &o.Force, "force", "Kill a daemon that does not answer or end, or whose answer cannot be read.")
	return f.takes(cmd)
}

// runDaemonStop ends the daemon and waits until nothing of it is left. Without a daemon it
// succeeds.
func runDaemonStop(ctx context.Context, o *daemonStopOptions) error {
	c, err := o.dial(ctx)
	if err != nil {
		return o.orKill(0, err)
	}
	if c == nil {
		if o.json {
			o.writeJSON(map[string]any{"stopped": false})
		} else {
			fmt.Fprintln(o.stdout, "no daemon is running")
		}
		return nil
	}
	defer c.Close()
	if o.Force { // the daemon is greeted at once; we give up after endpoint.Grace
		c.Bound(endpoint.Patience{Began: time.Now(), Limit: 1})
	}
	hello, err := c.Hello(ctx)
	if err == nil {
		_, err = c.Shutdown(ctx, o.Drain)
	}
	if err == nil {
		err = o.wait(ctx, c)
	}
	if err != nil {
		return o.orKill(c.PID(), o.interrupted(ctx, err))
	}
	if o.json {
		o.writeJSON(map[string]any{"stopped": true, "pid": hello.PID})
	} else {
		fmt.Fprintf(o.stdout, "daemon stopped: pid %d\n", hello.PID)
	}
	return nil
}

// forceTime is how long a daemon may take to end before --force kills it, without a --timeout.
const forceTime = 15 * time.Second

// wait waits until the daemon has ended, with --force not longer than it may take: what answers,
// and then does not end, is no daemon of ours, or a broken one.
func (o *daemonStopOptions) wait(ctx context.Context, c *client.Client) error {
	if !o.Force || o.Drain {
		return c.Wait(ctx)
	}
	limit := forceTime
	if t := o.globals.Timeout; t > 0 {
		limit = t + endpoint.Grace
	}
	short, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := c.Wait(short)
	if err != nil && ctx.Err() == nil && short.Err() != nil {
		return diag.New(diag.BrowserUnavailable, "the daemon has not ended within %s", limit).
			WithHint("end it with: kill -9 %d", c.PID()).WithDetail("pid", c.PID())
	}
	return err
}

// orKill kills a daemon that does not answer, or not readably, if --force was given. Its
// browsers end by themselves. peer is the process at the other end of the socket.
func (o *daemonStopOptions) orKill(peer int, err error) error {
	e := diag.As(err)
	if !o.Force || e == nil {
		return err
	}
	pid, _ := e.Details["pid"].(int)
	if e.Code == diag.Internal {
		pid = cmp.Or(pid, peer)
	} else if e.Code != diag.BrowserUnavailable {
		return err
	}
	if pid == 0 {
		return err
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		return diag.New(diag.BrowserUnavailable, "the daemon (pid %d) could not be killed: %v", pid, err).
			WithHint("look at it with: ps -p %d", pid).Because(err)
	}
	if o.json {
		o.writeJSON(map[string]any{"stopped": true, "pid": pid, "killed": true})
	} else {
		fmt.Fprintf(o.stdout, "daemon killed: pid %d\n", pid)
	}
	return nil
}
