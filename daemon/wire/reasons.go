package wire

import "actionregistry/diag"

// Errors that a program can tell from others by details.reason.
const (
	alreadyRunning = "already_running"
	declined       = "declined"
)

// AlreadyRunning is the error of a daemon that found another one alive at path.
func AlreadyRunning(path string) error {
	return diag.New(diag.InvalidRequest, "a daemon is running already at %s", path).
		WithHint("use it, or end it with: action daemon stop").WithDetail("reason", alreadyRunning)
}

// IsAlreadyRunning reports whether err is, or crossed a pipe as, AlreadyRunning.
func IsAlreadyRunning(err error) bool { return hasReason(err, alreadyRunning) }

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
