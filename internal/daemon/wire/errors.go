package wire

import (
	"errors"
	"time"

	"github.com/actionregistry/action/diag"
)

// Values of details.reason, by which programs recognise these errors.
const (
	alreadyRunning = "already_running"
	noDaemon       = "no_daemon"
)

// AlreadyRunning returns the error of a daemon that cannot start because another one is running at
// path.
func AlreadyRunning(path string) error {
	return diag.New(diag.InvalidRequest, "a daemon is already running at %s", path).
		WithHint("use that daemon, or stop it with: action daemon stop").WithDetail("reason", alreadyRunning)
}

// IsAlreadyRunning reports whether err is an error of AlreadyRunning. It also recognises errors
// that another process has sent.
func IsAlreadyRunning(err error) bool { return hasReason(err, alreadyRunning) }

// NoDaemon returns the error of a client that found no daemon at path.
func NoDaemon(path string, cause error) error {
	return diag.New(diag.BrowserUnavailable, "no daemon answers at %s", path).
		WithHint("start a daemon with: action daemon start").WithDetail("reason", noDaemon).Because(cause)
}

// IsNoDaemon reports whether err is an error of NoDaemon. It returns false for an error of Silent.
func IsNoDaemon(err error) bool { return hasReason(err, noDaemon) }

func hasReason(err error, reason string) bool {
	e := diag.As(err)
	return e != nil && e.Details["reason"] == reason
}

// ErrSilent is the cause of every error of [Silent].
var ErrSilent = errors.New("the daemon does not answer")

// Silent returns the error for a daemon that is running but does not answer a command. The outcome
// of the command is unknown. pid is the process id of the daemon, or 0 if it is unknown.
func Silent(pid int, after time.Duration) error {
	unit := time.Second
	if after < unit {
		unit = time.Millisecond
	}
	e := diag.New(diag.BrowserUnavailable, "the daemon is running but has not answered for %s", after.Truncate(unit)).
		WithDetail("outcome", "unknown").Because(ErrSilent)
	if pid == 0 {
		return e.WithHint("kill the daemon's process, and run: action daemon start")
	}
	// A milder signal does not end a process that was stopped (SIGSTOP).
	return e.WithHint("stop the daemon with: action daemon stop --force (or: kill -9 %d)", pid).WithDetail("pid", pid)
}

// ErrBusy is in the chain of the error of a daemon that accepts no connections. No other daemon can
// be started.
var ErrBusy = errors.New("too many connections are waiting for the daemon")

// Busy returns the error for a daemon that accepts no connections. pid is the process id of the
// daemon, or 0 if it is unknown.
func Busy(path string, pid int) error {
	e := diag.New(diag.BrowserUnavailable, "the daemon at %s does not accept connections: %v", path, ErrBusy).Because(ErrBusy)
	if pid == 0 {
		return e.WithHint("try again; if that does not help, kill the daemon's process")
	}
	return e.WithHint("try again; if that does not help, stop the daemon with: action daemon stop --force (or: kill -9 %d)", pid).WithDetail("pid", pid)
}

// UnknownOutcome returns the error for a command whose daemon ended before it answered.
func UnknownOutcome(cause error) error {
	return diag.New(diag.BrowserUnavailable, "the daemon closed the connection before it answered: the command may or may not have been carried out").
		WithHint("check what happened before you send the command again; if the daemon ends again, find the reason with: action daemon run").
		WithDetail("outcome", "unknown").Because(cause)
}

func invalid(format string, args ...any) *diag.Error {
	return diag.New(diag.InvalidRequest, format, args...)
}
