package steps

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
)

// Env is what one attempt of a step may use.
type Env struct {
	// Page is the active tab of Browser when the attempt began.
	Page    driver.Page
	Browser driver.Browser
	Flow    Flow
	Files   Files
	// CheckURL says whether `open` may go to a URL; nil allows http, https and about:blank.
	CheckURL func(url string) error
	// Timeout is the time limit of this attempt; 0: only that of the action.
	Timeout time.Duration
	// Over returns a context whose time is up, on the clock of the run: in it a wait checks once.
	// It is set for [Op.HoldsNow] only.
	Over func(context.Context) (context.Context, context.CancelFunc)
	// Secret reports whether a text contains a secret; form, another spelling of it, then
	// becomes a secret too. nil: no text does.
	Secret func(text, form string) bool
	// Warn adds a warning to the result of the run.
	Warn func(code, format string, args ...any)
}

// Files turns paths written by definitions or users into paths that may be used, and writes
// files; steps write files in no other way. A refused path is POLICY_DENIED.
type Files interface {
	// ReadPath checks a path that something else will read.
	ReadPath(path string) (string, error)
	// Open opens a regular file for reading. A file that replaces it between the check of
	// its path and its opening is not read.
	Open(path string) (*os.File, error)
	// WritePath checks a path before there is anything to write.
	WritePath(path string) (string, error)
	// Write writes a file, readable only by its owner, to a path that WritePath has
	// returned. The path is checked again. Unless replace is set, an existing file is
	// fs.ErrExist.
	Write(ctx context.Context, path string, data io.Reader, replace bool) error
	// WriteTemp writes a new file in the private temporary folder; a "*" in pattern becomes
	// something unique.
	WriteTemp(ctx context.Context, pattern string, data io.Reader) (path string, err error)
}

// Flow is the part of the executor that flow steps use. Its methods are only called from
// the goroutine of the running step.
type Flow interface {
	// Call runs another action on the same page and returns its returns.
	Call(ctx context.Context, action string, params map[string]any) (Result, error)
	// Body runs the block's nested steps once, with the locals added to the scope,
	// and returns the outputs of that iteration. They stay visible to Holds until
	// the next iteration or the end of the block.
	Body(ctx context.Context, locals []expr.Local) (outputs map[string]any, err error)
	// Choose runs the steps of the first case of the running choose that holds, or its else,
	// and returns which it was. No case and no else is STEP_FAILED.
	Choose(ctx context.Context) (Result, error)
	// Narrow makes the element with this ref the scope of the enclosing foreach, from here on
	// and in the iterations that follow.
	Narrow(ref string)
	// Holds evaluates a condition with the current values; page.url and page.title are read
	// again if it uses them.
	Holds(ctx context.Context, c *expr.Condition) (bool, error)
	// Pause waits for d, or until ctx ends (then TIMEOUT or CANCELLED).
	Pause(ctx context.Context, d time.Duration) error
	// Set stores values as steps.NAME of the running action, or of the iteration inside a
	// block.
	Set(values map[string]any)
}
