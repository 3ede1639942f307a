package cdp

// Conversion to coded errors: errors of the protocol, the connection and contexts are converted
// only here.

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"syscall"

	rodcdp "github.com/go-rod/rod/lib/cdp"

	"github.com/actionregistry/action/diag"
)

// Unavailable returns the error BROWSER_UNAVAILABLE for a browser that cannot be used.
func Unavailable(format string, args ...any) *diag.Error {
	return diag.New(diag.BrowserUnavailable, format, args...)
}

// Cancelled returns the error for a call that its caller has cancelled.
func Cancelled(err error) *diag.Error {
	return diag.New(diag.Cancelled, "the call was cancelled").WithHint("if the call is still needed, run it again").Because(err)
}

// Overdue returns the error for a wait whose context has ended. After a deadline, its message is
// the argument "late".
func Overdue(err error, late string) *diag.Error {
	if errors.Is(err, context.Canceled) {
		return Cancelled(err)
	}
	return diag.New(diag.Timeout, "%s", late).Because(err).
		WithHint("give the step more time, or check that the page works")
}

// NotAnswering returns the error for a page that did not answer in time.
func NotAnswering(err error) *diag.Error {
	return diag.New(diag.Timeout, "the page does not answer").Because(err).
		WithHint("a script keeps the page busy: open the page again, or give the step more time")
}

// Explain converts the error of a call, made with ctx, to a coded error. It returns coded errors
// and [ErrGone] unchanged. The function "ended" returns the error for a connection that has ended.
func Explain(ctx context.Context, err error, ended func(error) *diag.Error) error {
	var coded *diag.Error
	var refused *rodcdp.Error
	switch {
	case err == nil, errors.Is(err, ErrGone), errors.As(err, &coded):
		return err
	// ctx may have been cancelled with a cause set by the caller.
	case errors.Is(err, context.Canceled), errors.Is(ctx.Err(), context.Canceled):
		return Cancelled(err)
	case errors.Is(err, context.DeadlineExceeded), ctx.Err() != nil:
		return NotAnswering(err)
	case errors.As(err, &refused):
		if IsWorldGone(refused) {
			return ErrGone
		}
		return diag.New(diag.StepFailed, "the browser refused the call: %s", refused.Message).Because(err).
			WithHint("run the step again; the page may have changed")
	}
	if errors.Is(err, ErrClosed) || errors.Is(err, io.EOF) || errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed) ||
		errors.Is(err, net.ErrClosed) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ended(err)
	}
	return diag.New(diag.Internal, "communication with the browser failed: %v", err).Because(err).
		WithHint("report this as a bug")
}
