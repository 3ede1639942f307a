package wire

import (
	"errors"
	"time"

	"github.com/actionregistry/action/diag"
)

// Values of details.reason, by which programs recognise an error.
const (
	alreadyRunning = "already_running"
	noDaemon       = "no_daemon"
)

// AlreadyRunning is the error of a daemon that found another one running at path.
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

// IsNoDaemon reports whether err is NoDaemon, as opposed to the error of a running daemon
// that does not answer.
func IsNoDaemon(err error) bool { return hasReason(err, noDaemon) }

func hasReason(err error, reason string) bool {
	e := diag.As(err)
	return e != nil && e.Details["reason"] == reason
}

// ErrSilent is the cause of every error of [Silent].
var ErrSilent = errors.New("the daemon does not answer")

// Silent is the error of a command to a running daemon that does not answer; pid is its
// process, 0 if unknown. Whether the command is carried out is unknown.
func Silent(pid int, after time.Duration) error {
	unit := time.Second
	if after < unit {
		unit = time.Millisecond
	}
	e := diag.New(diag.BrowserUnavailable, "the daemon is there and has not answered for %s", after.Truncate(unit)).
		WithDetail("outcome", "unknown").Because(ErrSilent)
	if pid == 0 {
		return e.WithHint("end its process, and run: action daemon start")
	}
	// A process that was stopped (SIGSTOP) does not end by a milder signal.
	return e.WithHint("end it with: action daemon stop --force (or kill -9 %d)", pid).WithDetail("pid", pid)
}

// Busy is the error of a daemon, of process pid or 0, that accepts no connections.
func Busy(path string, pid int, err error) error {
	e := diag.New(diag.BrowserUnavailable, "a daemon is there and takes no connection at %s: %v", path, err).Because(err)
	if pid == 0 {
		return e.WithHint("try again; if that does not help, end its process")
	}
	return e.WithHint("try again; if that does not help, end it with: kill -9 %d", pid).WithDetail("pid", pid)
}

// UnknownOutcome is the error of a command whose daemon ended before it answered.
func UnknownOutcome(cause error) error {
	return diag.New(diag.BrowserUnavailable, "the daemon closed the connection before it answered: whether the command was carried out is unknown").
		WithHint("check what has happened before you send it again; if the daemon ends once more, see why with: action daemon run").
		WithDetail("outcome", "unknown").Because(cause)
}
