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
	Ready   bool   // write a report to a file descriptor once the daemon is listening
	Cwd     string // folder for requests that name no folder; "" means the current folder
}

func newDaemonRunCmd(f *factory, runF func(context.Context, *daemonRunOptions) error) *cobra.Command {
	o := &daemonRunOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run the daemon in the foreground and log to standard error",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return call(cmd, o, runF, runDaemonRun)
		},
	}
	fs := cmd.Flags()
	addBool(fs, &o.Verbose, "verbose", "Log the type, session, outcome and duration of every request.")
	addBool(fs, &o.Ready, "ready", "").Hidden = true
	addText(fs, &o.Cwd, "cwd", "FOLDER", "")
	fs.Lookup("cwd").Hidden = true
	return f.takes(cmd)
}

// runDaemonRun runs the daemon. It returns after a request to stop, or when the daemon has been
// idle for a while.
func runDaemonRun(ctx context.Context, o *daemonRunOptions) error {
	signal.Ignore(syscall.SIGPIPE) // the reader of the log may exit
	log := slog.New(slog.NewTextHandler(o.stderr, &slog.HandlerOptions{Level: slog.LevelInfo}))
	if o.Verbose {
		log = slog.New(slog.NewTextHandler(o.stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	var ready io.WriteCloser
	if o.Ready {
		ready = os.NewFile(client.ReadyFD, "ready")
	}
	served, manager := o.served(cmp.Or(o.Cwd, o.cwd), log)
	served.Ready, served.Commands = ready, commands{manager}
	server, err := daemon.Listen(served)
	if err != nil {
		return errors.Join(err, manager.Close(ctx))
	}
	if err := server.Serve(ctx); err != nil {
		return diag.New(diag.Internal, "the daemon did not shut down cleanly: %v", err).
			WithHint("check for remaining browser processes, and report this as a bug").Because(err)
	}
	return nil
}

// served returns the options of a daemon in this process, and the manager of its sessions. The
// daemon closes the manager when it ends. If no daemon is started, the caller must close it.
func (f *factory) served(cwd string, log *slog.Logger) (daemon.Options, *session.Manager) {
	if f.variable("GOGC") == "" {
		// Restore Go's default instead of the setting for short-lived processes in main.go. Half of
		// the default would save 1 MB of 28 after 200 calls, and 35 MB of 190 with 10,000 actions,
		// but would cost 10 to 20 percent of the daemon's CPU time.
		debug.SetGCPercent(100)
	}
	// The configuration of a project does not apply, because the daemon serves all projects.
	config, problems := loader.ReadConfig(loader.ConfigOptions{Home: f.variable("HOME"), Cwd: cwd, Environ: f.environ})
	for _, p := range problems {
		log.Warn("configuration", "problem", p.Msg, "at", p.Pos.String())
	}
	manager := session.NewManager(session.ManagerOptions{
		Cwd: cwd, Environ: f.environ, Warn: func(message string) { log.Warn(message) },
		MaxSessions: config.Limits.MaxSessions, QueueMax: config.Limits.MaxQueue, Idle: config.Limits.SessionIdle,
	})
	return daemon.Options{Backend: manager, Build: wire.CurrentBuild(endpoint.Version()), Log: log, Idle: config.Limits.DaemonIdle}, manager
}
