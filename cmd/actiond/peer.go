package main

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/client"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// The connection of commands that manage the daemon.

// location returns the folder and the settings of this command. They determine which definitions
// apply to its requests.
func (f *factory) location() wire.Location {
	path, _, env := endpoint.Environ(f.environ) // the session comes from the command line
	return wire.Location{Cwd: f.cwd, Path: path, Env: env}
}

// surroundings is like location, but includes all variables of this process. mcp and serve use it,
// because their clients send no variables.
func (f *factory) surroundings() wire.Location {
	l := f.location()
	for _, kv := range f.environ {
		name, value, ok := strings.Cut(kv, "=")
		if ok && name != "" && name != "ACTION_PATH" && name != "ACTION_SESSION" {
			l.Env[name] = value
		}
	}
	return l
}

// session returns the session of --session or ACTION_SESSION. If both are missing, it returns "",
// and the daemon chooses the session.
func (f *factory) session() string { return f.call().Session }

// connect returns a connection to the daemon of this build, and starts it if necessary.
func (f *factory) connect(ctx context.Context) (*client.Client, error) {
	c, _, err := f.ensure(ctx)
	return c, f.interrupted(ctx, err)
}

// ensure is like connect. The result started reports whether ensure has started the daemon.
func (f *factory) ensure(ctx context.Context) (c *client.Client, started bool, err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, false, diag.New(diag.BrowserUnavailable, "the daemon cannot be started: %v", err).
			WithHint("start the daemon with: action daemon run").Because(err)
	}
	start := client.Process(program, endpoint.Handover{Version: endpoint.Version(), Words: []string{"daemon", "run", "--ready", "--cwd", f.cwd}}, nil)
	c, err = client.Ensure(ctx, client.Options{
		Build: wire.CurrentBuild(endpoint.Version()), Patience: f.patience(),
		Start: func(ctx context.Context) error {
			err := start(ctx)
			started = started || err == nil
			return err
		},
	})
	return c, started, err
}

// dial returns a connection to the running daemon, or nil if no daemon is running.
func (f *factory) dial(ctx context.Context) (*client.Client, error) {
	c, err := client.Dial(ctx, "")
	if wire.IsNoDaemon(err) {
		return nil, nil
	}
	if err == nil {
		c.Bound(f.patience())
	}
	return c, err
}

// patience returns how long this command waits for the daemon, beginning now. It reads --timeout
// from the command line, because the flag may not have been parsed yet.
func (f *factory) patience() endpoint.Patience {
	return endpoint.Patience{Began: time.Now(), Limit: endpoint.Limit(f.words)}
}

// interrupted replaces an error that was caused by an interrupt with a CANCELLED error.
func (f *factory) interrupted(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil || diag.CodeOf(err) == diag.Cancelled {
		return err
	}
	return diag.New(diag.Cancelled, "interrupted").WithHint("to see what the daemon is doing, run: action daemon status").Because(err)
}
