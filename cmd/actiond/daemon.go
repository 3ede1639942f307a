package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon"
	"github.com/actionregistry/action/internal/daemon/client"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/loader"
)

// daemonCmd is about the process that keeps sessions. Commands that need it
// start it.
type daemonCmd struct {
	Start  daemonStartCmd  `cmd:"" help:"Start the daemon, unless it runs."`
	Stop   daemonStopCmd   `cmd:"" help:"End the daemon and all sessions."`
	Status daemonStatusCmd `cmd:"" help:"Tell what the daemon does."`
	Run    daemonRunCmd    `cmd:"" help:"Be the daemon, in the foreground; log to standard error."`
}

type daemonStartCmd struct{}

// Run starts the daemon and tells where it is.
func (*daemonStartCmd) Run(ctx context.Context, a *app) error {
	c, started, err := a.ensure(ctx)
	if err != nil {
		return a.interrupted(ctx, err)
	}
	defer c.Close()
	hello, err := c.Hello(ctx)
	if err != nil {
		return err
	}
	socket := endpoint.Path(nil)
	if a.json {
		a.writeJSON(map[string]any{"started": started, "pid": hello.PID, "version": hello.Version, "socket": socket})
		return nil
	}
	state := "runs already"
	if started {
		state = "started"
	}
	fmt.Fprintf(a.stdout, "daemon %s: pid %d, socket %s\n", state, hello.PID, socket)
	return nil
}

type daemonStopCmd struct {
	Drain bool `help:"Let what runs end first."`
	Force bool `help:"Kill a daemon that does not answer, or not in a way that can be read."`
}

// Run ends the daemon and waits until nothing of it is left. That there is none
// is fine.
func (s *daemonStopCmd) Run(ctx context.Context, a *app) error {
	c, err := a.dial(ctx)
	if err != nil {
		return s.orKill(a, 0, err)
	}
	if c == nil {
		if a.json {
			a.writeJSON(map[string]any{"stopped": false})
		} else {
			fmt.Fprintln(a.stdout, "no daemon runs")
		}
		return nil
	}
	defer c.Close()
	if s.Force { // it is greeted at once, and given up after endpoint.Grace
		c.Bound(endpoint.Patience{Began: time.Now(), Limit: 1})
	}
	hello, err := c.Hello(ctx)
	if err == nil {
		_, err = c.Shutdown(ctx, s.Drain)
	}
	if err == nil {
		err = c.Wait(ctx)
	}
	if err != nil {
		return s.orKill(a, c.PID(), a.interrupted(ctx, err))
	}
	if a.json {
		a.writeJSON(map[string]any{"stopped": true, "pid": hello.PID})
	} else {
		fmt.Fprintf(a.stdout, "daemon stopped: pid %d\n", hello.PID)
	}
	return nil
}

// orKill kills a daemon that does not answer, or not in a way that can be read, where that
// was asked for. Its browsers end by themselves. peer is the process that was asked.
func (s *daemonStopCmd) orKill(a *app, peer int, err error) error {
	e := diag.As(err)
	if !s.Force || e == nil {
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
	if a.json {
		a.writeJSON(map[string]any{"stopped": true, "pid": pid, "killed": true})
	} else {
		fmt.Fprintf(a.stdout, "daemon killed: pid %d\n", pid)
	}
	return nil
}

type daemonStatusCmd struct{}

// Run tells what the daemon does. That there is none is BROWSER_UNAVAILABLE.
func (*daemonStatusCmd) Run(ctx context.Context, a *app) error {
	c, err := client.Dial(ctx, "")
	if err != nil {
		return err
	}
	defer c.Close()
	c.Bound(a.patience())
	status, err := c.Status(ctx)
	if err != nil {
		return err
	}
	if a.json {
		a.writeJSON(status)
		return nil
	}
	up := (time.Duration(status.UptimeMS) * time.Millisecond).Round(time.Second)
	fmt.Fprintf(a.stdout, "daemon %s, pid %d, up %s, %.1f MB\nsocket %s\n", status.Version, status.PID, up,
		float64(status.Memory.TotalBytes)/(1<<20), status.Socket)
	a.showSessions(status.Sessions)
	if len(status.Problems) > 0 {
		_ = a.printer.Print(a.stderr, status.Problems)
	}
	return nil
}

type daemonRunCmd struct {
	Verbose bool   `help:"Log every request: its type, session, outcome and time."`
	Ready   bool   `hidden:"" help:"Tell on file descriptor 3 whether the daemon listens."`
	Cwd     string `hidden:"" help:"Folder of requests that name none."`
}

// Run is the daemon until it is told to end, or nobody has used it for a while.
func (d *daemonRunCmd) Run(ctx context.Context, a *app) error {
	signal.Ignore(syscall.SIGPIPE) // whoever read the log may go
	if a.variable("GOGC") == "" {
		// Reading definitions leaves far more behind than serving does.
		debug.SetGCPercent(50)
	}
	log := slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: slog.LevelInfo}))
	if d.Verbose {
		log = slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	var ready io.WriteCloser
	if d.Ready {
		ready = os.NewFile(client.ReadyFD, "ready")
	}
	cwd := cmp.Or(d.Cwd, a.cwd)
	// What a project says does not count: the daemon is there for all of them.
	config, problems := loader.ReadConfig(loader.ConfigOptions{Home: a.variable("HOME"), Cwd: cwd, Environ: a.environ})
	for _, p := range problems {
		log.Warn("configuration", "problem", p.Msg, "at", p.Pos.String())
	}
	manager := session.NewManager(session.ManagerOptions{
		Cwd: cwd, Environ: a.environ, Warn: func(message string) { log.Warn(message) },
		MaxSessions: config.Limits.MaxSessions, QueueMax: config.Limits.MaxQueue, Idle: config.Limits.SessionIdle,
	})
	server, err := daemon.Listen(daemon.Options{
		Backend: manager, Build: wire.CurrentBuild(endpoint.Version()), Log: log, Ready: ready, Idle: config.Limits.DaemonIdle,
		Commands: commands{manager, newParsers()},
	})
	if err != nil {
		return errors.Join(err, manager.Close(ctx))
	}
	if err := server.Serve(ctx); err != nil {
		return diag.New(diag.Internal, "the daemon could not end in order: %v", err).
			WithHint("look for processes of the browser that are left, and report this").Because(err)
	}
	return nil
}
