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
	Ready   bool   // report on a file descriptor whether the daemon is listening
	Cwd     string // folder of requests that name none; "": the current one
}

func newDaemonRunCmd(f *factory, runF func(context.Context, *daemonRunOptions) error) *cobra.Command {
	o := &daemonRunOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run the daemon in the foreground; log to standard error",
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

// runDaemonRun is the daemon. It returns on a request to end, or after nobody has used it
// for a while.
func runDaemonRun(ctx context.Context, o *daemonRunOptions) error {
	signal.Ignore(syscall.SIGPIPE) // the reader of the log may go away
	if o.variable("GOGC") == "" {
		// Go's default, replacing the setting for a short-lived process (main.go). Half of
		// it saves 1 MB of 28 after 200 calls, and 35 of 190 with 10,000 actions, but costs
		// a tenth to a fifth more of the daemon's time.
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
	// The configuration of a project does not apply: the daemon serves all of them.
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
