package browser

// The only place where faults of the protocol, of the connection and of contexts become
// coded errors.

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/go-rod/rod/lib/cdp"

	"github.com/actionregistry/action/diag"
)

var (
	// errConnClosed ends every call when the browser has ended.
	errConnClosed = errors.New("the connection to the browser is closed")
	// errWorldGone means that the document of an evaluation was replaced.
	errWorldGone = errors.New("the document is gone")
)

func unavailable(format string, args ...any) *diag.Error {
	return diag.New(diag.BrowserUnavailable, format, args...)
}

func cancelled(err error) *diag.Error {
	return diag.New(diag.Cancelled, "cancelled").WithHint("run it again when you want it done").Because(err)
}

// overdue is the error of a wait that its context ended: late says what is missing.
func overdue(err error, late string) *diag.Error {
	if errors.Is(err, context.Canceled) {
		return cancelled(err)
	}
	return diag.New(diag.Timeout, "%s", late).Because(err).
		WithHint("give the step more time, or check that the page works")
}

// notAnswering is the error of a page that did not answer in time.
func notAnswering(err error) *diag.Error {
	return diag.New(diag.Timeout, "the page does not answer").Because(err).
		WithHint("a script of the page keeps it busy: open the page again, or give the step more time")
}

// explain turns the error of a call into a coded error. It keeps coded errors and
// errWorldGone.
func (b *Browser) explain(ctx context.Context, err error) error {
	var coded *diag.Error
	var refused *cdp.Error
	switch {
	case err == nil, errors.Is(err, errWorldGone), errors.As(err, &coded):
		return err
	// ctx may have been cancelled with a cause of the caller's.
	case errors.Is(err, context.Canceled), errors.Is(ctx.Err(), context.Canceled):
		return cancelled(err)
	case errors.Is(err, context.DeadlineExceeded), ctx.Err() != nil:
		return notAnswering(err)
	case errors.As(err, &refused):
		if isWorldGone(refused) {
			return errWorldGone
		}
		return diag.New(diag.StepFailed, "the browser refused: %s", refused.Message).Because(err).
			WithHint("run the step again; the page may have changed meanwhile")
	}
	if errors.Is(err, errConnClosed) || errors.Is(err, io.EOF) || errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed) ||
		errors.Is(err, net.ErrClosed) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.ErrUnexpectedEOF) {
		return b.ended(err)
	}
	return diag.New(diag.Internal, "talking to the browser failed: %v", err).Because(err).
		WithHint("this is a fault of ours: please report it")
}

// ended is the error of a browser that has ended.
func (b *Browser) ended(err error) *diag.Error {
	if b.endpoint != nil {
		return b.lostConnection(err)
	}
	e := b.process.failure().Because(err)
	e.Hint = cmp.Or(e.Hint, "open a page again: a new browser is started")
	return e
}

// isWorldGone recognises Chromium's errors for an evaluation, planned or running, whose
// document has been replaced.
func isWorldGone(e *cdp.Error) bool {
	for _, text := range []string{
		"Cannot find context with specified id",
		"uniqueContextId not found",
		"Execution context was destroyed",
		"Inspected target navigated or closed",
		"Promise was collected",
		"Session with given id not found", // of a frame
	} {
		if strings.Contains(e.Message, text) {
			return true
		}
	}
	return false
}

func isGone(err error) bool { return errors.Is(err, errWorldGone) }

// isSwapping reports whether a command was refused because the page is between two
// documents.
func isSwapping(err error) bool {
	var refused *cdp.Error
	return errors.As(err, &refused) && strings.Contains(refused.Message, "Not attached to an active page")
}

// isCollected reports whether a node was named that the browser has freed.
func isCollected(err error) bool {
	var refused *cdp.Error
	return errors.As(err, &refused) && strings.Contains(refused.Message, "No node with given id found")
}

// hasLocale reports whether a locale was refused because the page has one already: a locale
// belongs to a process, and a pop-up may share its opener's.
func hasLocale(err error) bool {
	var refused *cdp.Error
	return errors.As(err, &refused) && strings.Contains(refused.Message, "Another locale override is already in effect")
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
