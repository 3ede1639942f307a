// Command actiond is the engine of action: the daemon, commands that run in a process of their
// own, and the commands for authors of definitions.
//
// The client (cmd/action) starts the engine and hands over the words of a command line. The engine
// takes no arguments. It parses the command line, runs it with a session.Manager, and prints the
// result. Package session loads and runs definitions. docs/errors.md documents the exit codes.
//
// Each command has a file with its options, its constructor and the function that runs it.
// commands.go lists them, and dispatch.go runs the one that a command line names. A factory holds
// what they share.
//
// Files, bottom to top: exit, foreign, steptable, word, progress, flags, booth, factory, ask, usage, words,
// help, root, output, peer, completion, step, reload, schema, version, describe, params, expr,
// list, run, daemon_run, daemon_start, daemon_stop, session_list, daemon_status, daemon, dryrun,
// approvals, fmt, search, session_close, session_handoff, session_open, session_resume, session_targets,
// session, validate, approve, mcp, serve, skill, commands, complete, dispatch, main, remote.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	_ "github.com/actionregistry/action/cmd/actiond/early" // before packages that open files
	"github.com/actionregistry/action/internal/daemon/endpoint"
)

func main() {
	given, err := endpoint.TakeHandover()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitUsage)
	}
	if os.Getenv("GOGC") == "" {
		// Most commands end before it pays to collect the garbage that reading definitions leaves.
		// The daemon sets its own value.
		debug.SetGCPercent(400)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := runHandover(ctx, given, os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
