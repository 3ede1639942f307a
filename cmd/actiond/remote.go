package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/actionregistry/action/internal/daemon"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/session"
)

// commands runs command lines in the daemon. Their output is the same as in a process of their own.
type commands struct {
	manager *session.Manager
}

// Command runs the command line of a request.
func (c commands) Command(ctx context.Context, req *wire.CommandRequest, show func(stdout, stderr string)) *wire.Output {
	var stdout, stderr bytes.Buffer
	f := &factory{
		stdout: &stdout, stderr: &stderr, cwd: req.Cwd, now: time.Now, color: req.Color, watched: req.Watched,
		remote: req, backend: c.manager,
	}
	if req.Watched {
		f.stderr = unbuffered(show)
	}
	for _, name := range slices.Sorted(maps.Keys(req.Env)) {
		f.environ = append(f.environ, name+"="+req.Env[name])
	}
	if req.Path != nil {
		f.environ = append(f.environ, "ACTION_PATH="+*req.Path)
	}
	if req.Session != "" {
		f.environ = append(f.environ, "ACTION_SESSION="+req.Session)
	}
	f.setUp(req.Argv)
	err := f.dispatch(ctx, req.Argv)
	if f.missing != nil {
		return &wire.Output{Missing: &wire.Missing{Input: f.missing.input, Env: f.missing.env}}
	}
	interrupted, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	if errors.Is(context.Cause(ctx), daemon.ErrByRequest) { // and not because the daemon is stopping
		cancel()
	}
	code := f.end(interrupted, err)
	return &wire.Output{Stdout: stdout.String(), Stderr: stderr.String(), Exit: code}
}

// unbuffered returns a writer that calls show with each write as standard error.
func unbuffered(show func(stdout, stderr string)) io.Writer {
	return writerFunc(func(p []byte) { show("", string(p)) })
}

type writerFunc func(p []byte)

func (f writerFunc) Write(p []byte) (int, error) {
	f(p)
	return len(p), nil
}
