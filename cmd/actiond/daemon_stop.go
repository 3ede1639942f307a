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
		Short: "Stop the daemon and end all sessions",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return call(cmd, o, runF, runDaemonStop)
		},
	}
	addBool(cmd.Flags(), &o.Drain, "drain", "Wait for pending requests to finish first.")
	addBool(cmd.Flags(), &o.Force, "force", "Kill a daemon that does not answer, does not stop, or sends an unreadable answer.")
	return f.takes(cmd)
}

// runDaemonStop stops the daemon and waits until its process and its browsers have ended. It
// succeeds if no daemon is running.
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
	if o.Force { // greet the daemon now, and give up after endpoint.Grace
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

// forceTime is how long the daemon has to stop before --force kills it. --timeout replaces it.
const forceTime = 15 * time.Second

// wait waits until the daemon has ended. With --force and without --drain, it returns an error
// after forceTime.
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
		return diag.New(diag.BrowserUnavailable, "the daemon did not stop within %s", limit).
			WithHint("kill the daemon with: kill -9 %d", c.PID()).WithDetail("pid", c.PID())
	}
	return err
}

// orKill handles err, which says why the daemon did not stop. With --force, it kills a daemon that
// does not answer or sends invalid answers. Otherwise it returns err. peer is the process at the
// other end of the socket; 0 means unknown.
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
			WithHint("inspect the process with: ps -p %d", pid).Because(err)
	}
	if o.json {
		o.writeJSON(map[string]any{"stopped": true, "pid": pid, "killed": true})
	} else {
		fmt.Fprintf(o.stdout, "daemon killed: pid %d\n", pid)
	}
	return nil
}
