package main

import (
	"context"

	"github.com/actionregistry/action/diag"
)

// Exit codes of the command line. Scripts may rely on them.
const (
	exitDone        = 0
	exitFailed      = diag.ExitFailed
	exitUsage       = diag.ExitUsage
	exitDefinition  = diag.ExitDefinition
	exitNotFound    = diag.ExitNotFound
	exitBrowser     = diag.ExitBrowser
	exitInterrupted = diag.ExitInterrupted
)

// exitCode returns the exit code of a command that failed with err.
func exitCode(ctx context.Context, err error) int {
	if err == nil {
		return exitDone
	}
	code := diag.CodeOf(err)
	if code == diag.Cancelled && ctx.Err() == nil { // not interrupted by the user
		return exitFailed
	}
	return code.Exit()
}
