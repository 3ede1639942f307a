package wire

import "actionregistry/diag"

// Errors that a program can tell from others by details.reason.
const (
	alreadyRunning = "already_running"
	declined       = "declined"
	noDaemon       = "no_daemon"
)

// AlreadyRunning is the error of a daemon that found another one alive at path.
func AlreadyRunning(path string) error {
	return diag.New(diag.InvalidRequest, "a daemon is running already at %s", path).
		WithHint("use it, or end it with: action daemon stop").WithDetail("reason", alreadyRunning)
}

// IsAlreadyRunning reports whether err is, or crossed a pipe as, AlreadyRunning.
func IsAlreadyRunning(err error) bool { return hasReason(err, alreadyRunning) }

// NoDaemon is the error of a client that found no daemon at path.
func NoDaemon(path string, cause error) error {
	return diag.New(diag.BrowserUnavailable, "no daemon answers at %s", path).
		WithHint("start it with: action daemon start").WithDetail("reason", noDaemon).Because(cause)
}

// IsNoDaemon reports whether err is NoDaemon, as opposed to that of a daemon which
// is there and does not answer.
func IsNoDaemon(err error) bool { return hasReason(err, noDaemon) }

func hasReason(err error, reason string) bool {
	e := diag.As(err)
	return e != nil && e.Details["reason"] == reason
}

// Declined is the answer to a command that has its own process to run in; nothing
// of it has been done.
func Declined(why string) error {
	return diag.New(diag.InvalidRequest, "the daemon does not run this command: %s", why).
		WithHint("run it in its own process").WithDetail("reason", declined)
}

// IsDeclined reports whether err is, or crossed the socket as, Declined.
func IsDeclined(err error) bool { return hasReason(err, declined) }
