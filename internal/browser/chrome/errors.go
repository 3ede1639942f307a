package chrome

// Conversion to coded errors: errors of the protocol, the connection and contexts are converted
// only here.

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"syscall"

	rodcdp "github.com/go-rod/rod/lib/cdp"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
)

func unavailable(format string, args ...any) *diag.Error {
	return diag.New(diag.BrowserUnavailable, format, args...)
}

func Cancelled(err error) *diag.Error {
	return diag.New(diag.Cancelled, "cancelled").WithHint("run it again if it should still be done").Because(err)
}

// overdue returns the error for a wait that its context ended; late says what is missing.
func overdue(err error, late string) *diag.Error {
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

// explain converts the error of a call to a coded error. It keeps coded errors and cdp.ErrGone.
func (b *Browser) explain(ctx context.Context, err error) error {
	var coded *diag.Error
	var refused *rodcdp.Error
	switch {
	case err == nil, errors.Is(err, cdp.ErrGone), errors.As(err, &coded):
		return err
	// ctx may have been cancelled with a cause set by the caller.
	case errors.Is(err, context.Canceled), errors.Is(ctx.Err(), context.Canceled):
		return Cancelled(err)
	case errors.Is(err, context.DeadlineExceeded), ctx.Err() != nil:
		return NotAnswering(err)
	case errors.As(err, &refused):
		if cdp.IsWorldGone(refused) {
			return cdp.ErrGone
		}
		return diag.New(diag.StepFailed, "the browser refused: %s", refused.Message).Because(err).
			WithHint("run the step again; the page may have changed")
	}
	if errors.Is(err, cdp.ErrClosed) || errors.Is(err, io.EOF) || errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed) ||
		errors.Is(err, net.ErrClosed) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.ErrUnexpectedEOF) {
		return b.ended(err)
	}
	return diag.New(diag.Internal, "communication with the browser failed: %v", err).Because(err).
		WithHint("this is a bug in action: please report it")
}

// ended returns the error for a browser that has ended.
func (b *Browser) ended(err error) *diag.Error {
	if b.endpoint != nil {
		return b.lostConnection(err)
	}
	e := b.process.Failure().Because(err)
	e.Hint = cmp.Or(e.Hint, "open a page again; a new browser will start")
	return e
}
