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

// commands runs command lines in the daemon. What they do and print is what they do in a
// process of their own.
type commands struct {
	manager *session.Manager
	parsers *parsers
}

// Command runs the command line of a request.
func (c commands) Command(ctx context.Context, req *wire.CommandRequest, show func(stdout, stderr string)) *wire.Output {
	var stdout, stderr bytes.Buffer
	a := &app{
		stdout: &stdout, stderr: &stderr, cwd: req.Cwd, now: time.Now, color: req.Color, watched: req.Watched,
		remote: req, backend: c.manager, parsers: c.parsers,
	}
	if req.Watched {
		a.stderr = live(show)
	}
	for _, name := range slices.Sorted(maps.Keys(req.Env)) {
		a.environ = append(a.environ, name+"="+req.Env[name])
	}
	if req.Path != nil {
		a.environ = append(a.environ, "ACTION_PATH="+*req.Path)
	}
	if req.Session != "" {
		a.environ = append(a.environ, "ACTION_SESSION="+req.Session)
	}
	a.setUp(req.Argv)
	err := a.dispatch(ctx, req.Argv)
	if a.missing != nil {
		return &wire.Output{Missing: &wire.Missing{Input: a.missing.input, Env: a.missing.env}}
	}
	interrupted, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	if errors.Is(context.Cause(ctx), daemon.ErrByRequest) { // not the end of the daemon
		cancel()
	}
	code := a.end(interrupted, err)
	return &wire.Output{Stdout: stdout.String(), Stderr: stderr.String(), Exit: code}
}

// live sends what is written at once, as somebody waits for it.
func live(show func(stdout, stderr string)) io.Writer {
	return writerFunc(func(p []byte) { show("", string(p)) })
}

type writerFunc func(p []byte)

func (f writerFunc) Write(p []byte) (int, error) {
	f(p)
	return len(p), nil
}
