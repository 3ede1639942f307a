package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon"
	"github.com/actionregistry/action/internal/daemon/client"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/mcp"
)

type mcpOptions struct {
	*factory
	Expose []string
	Daemon bool
}

func newMCPCmd(f *factory, runF func(context.Context, *mcpOptions) error) *cobra.Command {
	o := &mcpOptions{factory: f}
	cmd := &cobra.Command{
		Use:     "mcp",
		Short:   "Serve agents over the Model Context Protocol, on standard input and output",
		Example: "action mcp --expose shop:order",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return call(cmd, o, runF, runMCP)
		},
	}
	fs := cmd.Flags()
	fs.Var((*listValue)(&o.Expose), "expose", "Actions that are also tools themselves: a namespace, a component (shop:order), or an action. May be repeated.")
	addBool(fs, &o.Daemon, "daemon", "Use the sessions of the shared daemon, which stay open afterwards.")
	return f.takes(cmd)
}

// runMCP serves one client until its input ends. It then ends the sessions, unless --daemon is
// given.
func runMCP(ctx context.Context, o *mcpOptions) (err error) {
	log := slog.New(slog.NewTextHandler(o.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	serve := mcp.Options{Expose: o.Expose, Session: o.session(), Version: endpoint.Version(), Log: log}
	if o.Daemon {
		c, err := o.connect(ctx)
		if err != nil {
			return err
		}
		defer c.Close()
		serve.Backend, serve.Location = c, o.surroundings()
		return mcp.Serve(ctx, o.stdin, o.stdout, serve)
	}
	c, end, err := o.ownDaemon(ctx, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	serve.Backend = c
	return mcp.Serve(ctx, o.stdin, o.stdout, serve)
}

// ownDaemon starts a daemon in this process and connects to it. The function end closes the
// connection, and stops the daemon with its sessions and browsers.
func (f *factory) ownDaemon(ctx context.Context, log *slog.Logger) (c *client.Client, end func() error, err error) {
	socket, stop, err := f.ownServer(ctx, "mcp", log)
	if err != nil {
		return nil, nil, err
	}
	if c, err = client.Dial(ctx, socket); err != nil {
		return nil, nil, errors.Join(err, stop())
	}
	return c, func() error {
		_ = c.Close() // nobody needs the pending answers any more
		return stop()
	}, nil
}

// ownServer starts a daemon in this process, with a socket in a new folder. The function end stops
// the daemon with its sessions and browsers.
func (f *factory) ownServer(ctx context.Context, name string, log *slog.Logger) (socket string, end func() error, err error) {
	shared := filepath.Dir(endpoint.Path(nil))
	if err := os.MkdirAll(shared, 0o700); err != nil {
		return "", nil, cannotServe(err)
	}
	daemon.Sweep(filepath.Join(shared, name+"-*"))
	dir, err := os.MkdirTemp(shared, name+"-*")
	if err != nil {
		return "", nil, cannotServe(err)
	}
	removed := func() error { return os.RemoveAll(dir) }
	options, manager := f.served(f.cwd, log)
	options.Socket, options.Idle = filepath.Join(dir, "socket"), -1
	server, err := daemon.Listen(options)
	if err != nil {
		return "", nil, errors.Join(err, manager.Close(ctx), removed())
	}
	served, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(served) }()
	return server.Socket(), func() error {
		stop()
		return errors.Join(<-ended, removed())
	}, nil
}

func cannotServe(err error) error {
	return diag.New(diag.Internal, "the folder for the socket of this server could not be created: %v", err).
		WithHint("set XDG_RUNTIME_DIR to a folder that you own").Because(err)
}

// A listValue is the value of a flag that may be repeated.
type listValue []string

func (v *listValue) String() string { return strings.Join(*v, ", ") }
func (v *listValue) Type() string   { return "NAME" }
func (v *listValue) Set(text string) error {
	*v = append(*v, text)
	return nil
}
