package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon"
	"github.com/actionregistry/action/internal/daemon/client"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/loader"
)

type daemonRunOptions struct {
	*factory
	Verbose bool
	Ready   bool   // say on a file descriptor whether the daemon listens
	Cwd     string // folder of requests that name none; "": the current one
}

func newDaemonRunCmd(f *factory, runF func(context.Context, *daemonRunOptions) error) *cobra.Command {
	o := &daemonRunOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Be the daemon, in the foreground; log to standard error",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return call(cmd, o, runF, runDaemonRun)
		},
	}
	fs := cmd.Flags()
	addBool(fs, &o.Verbose, "verbose", "Log every request: its type, session, outcome and time.")
	addBool(fs, &o.Ready, "ready", "").Hidden = true
	addText(fs, &o.Cwd, "cwd", "FOLDER", "")
	fs.Lookup("cwd").Hidden = true
	return f.takes(cmd)
}

// runDaemonRun is the daemon until it is asked to end, or nobody has used it for a while.
func runDaemonRun(ctx context.Context, o *daemonRunOptions) error {
	signal.Ignore(syscall.SIGPIPE) // whoever read the log may go
	if o.variable("GOGC") == "" {
		// Go's own setting, in place of that of a process that ends soon (main.go). Half of it
		// keeps 1 MB of 28 after 200 calls, and 35 of 190 with 10,000 actions, for a tenth to a
		// fifth more of the daemon's time.
		debug.SetGCPercent(100)
	}
	log := slog.New(slog.NewTextHandler(o.stderr, &slog.HandlerOptions{Level: slog.LevelInfo}))
	if o.Verbose {
		log = slog.New(slog.NewTextHandler(o.stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	var ready io.WriteCloser
	if o.Ready {
		ready = os.NewFile(client.ReadyFD, "ready")
	}
	cwd := cmp.Or(o.Cwd, o.cwd)
	// What a project says does not count: the daemon is there for all of them.
	config, problems := loader.ReadConfig(loader.ConfigOptions{Home: o.variable("HOME"), Cwd: cwd, Environ: o.environ})
	for _, p := range problems {
		log.Warn("configuration", "problem", p.Msg, "at", p.Pos.String())
	}
	manager := session.NewManager(session.ManagerOptions{
		Cwd: cwd, Environ: o.environ, Warn: func(message string) { log.Warn(message) },
		MaxSessions: config.Limits.MaxSessions, QueueMax: config.Limits.MaxQueue, Idle: config.Limits.SessionIdle,
	})
	server, err := daemon.Listen(daemon.Options{
		Backend: manager, Build: wire.CurrentBuild(endpoint.Version()), Log: log, Ready: ready, Idle: config.Limits.DaemonIdle,
		Commands: commands{manager},
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
