// Command action runs web actions by name on a real Chromium.
//
// It only parses the command line and prints: definitions are loaded and run by
// package session. Exit codes are documented in exit.go and docs/errors.md.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

func main() {
	if os.Getenv("GOGC") == "" {
		// Most commands end before it is worth collecting what reading definitions
		// leaves behind. The daemon sets its own.
		debug.SetGCPercent(400)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
