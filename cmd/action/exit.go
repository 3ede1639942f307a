package main

import (
	"context"
	"errors"
	"fmt"

	"actionregistry/diag"
)

// Exit codes. They are API.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2   // the command line, params, requests
	exitDefinition  = 3   // DEFINITION_INVALID
	exitNotFound    = 4   // ACTION_NOT_FOUND
	exitBrowser     = 5   // BROWSER_UNAVAILABLE
	exitInterrupted = 130 // SIGINT, SIGTERM
)

// exited is the failure of a command that the daemon has run: with which code it ends.
type exited int

func (e exited) Error() string { return fmt.Sprintf("the command ended with %d", int(e)) }

// exitCode says how a command ends that failed with err.
func exitCode(ctx context.Context, err error) int {
	if err == nil {
		return exitDone
	}
	var code exited
	if errors.As(err, &code) {
		return int(code)
	}
	switch diag.CodeOf(err) {
	case diag.ParamRequired, diag.ParamInvalid, diag.InvalidRequest:
		return exitUsage
	case diag.DefinitionInvalid:
		return exitDefinition
	case diag.ActionNotFound:
		return exitNotFound
	case diag.BrowserUnavailable:
		return exitBrowser
	case diag.Cancelled:
		if ctx.Err() != nil {
			return exitInterrupted
		}
	}
	return exitFailed
}
