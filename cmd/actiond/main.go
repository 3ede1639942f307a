// Command actiond is the engine of action: the daemon, runs in a process of their own,
// and the commands of authors.
//
// It is started by the client (cmd/action), which hands it the words of a command line,
// and by itself as the daemon; it has no arguments. It parses the command line, has a
// session.Manager do what it says, and prints: definitions are loaded and run by package
// session. Exit codes are documented in docs/errors.md.
//
// Each command has a file with its options, a constructor and the function that does it;
// root.go lists them. A factory holds what they share.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/actionregistry/action/internal/daemon/endpoint"
)

func main() {
	given, err := endpoint.TakeHandover()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitUsage)
	}
	if os.Getenv("GOGC") == "" {
		// Most commands end before it pays to collect the garbage of reading definitions.
		// The daemon sets its own value.
		debug.SetGCPercent(400)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := runHandover(ctx, given, os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
