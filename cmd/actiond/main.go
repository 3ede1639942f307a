// Command actiond is the engine of action: the daemon, runs in a process of their own,
// and the commands of authors.
//
// It is started by the client (cmd/action), which hands it the words of a command line,
// and by itself as the daemon; it has no arguments. It parses the command line, has a
// session.Manager do what it says, and prints: definitions are loaded and run by package
// session. Exit codes are documented in docs/errors.md.
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

func main() { os.Exit(engine()) }

// engine is the whole program but for the process: it returns the exit code.
func engine() int {
	given, err := endpoint.TakeHandover()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitUsage
	}
	if os.Getenv("GOGC") == "" {
		// Most commands end before it is worth collecting what reading definitions
		// leaves behind. The daemon sets its own.
		debug.SetGCPercent(400)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return run(ctx, given, os.Stdin, os.Stdout, os.Stderr)
}
