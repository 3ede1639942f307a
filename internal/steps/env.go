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
	// CheckURL returns an error if `open` may not go to a URL. Nil allows http, https and
	// about:blank.
	CheckURL func(url string) error
	// Timeout is the time limit of this attempt. 0 means only the limit of the action.
	Timeout time.Duration
	// Over returns a context whose deadline has already passed on the clock of the run. With it, a
	// wait checks only once. It is set only for [Op.HoldsNow].
	Over func(context.Context) (context.Context, context.CancelFunc)
	// Secret reports whether a text contains a secret. If so, it registers form, another spelling
	// of the text, as a secret too. Nil means that there are no secrets.
	Secret func(text, form string) bool
	// Warn adds a warning to the result of the run.
	Warn func(code, format string, args ...any)
}

// Files converts paths written by definitions or users to paths that may be used, and writes files.
// Steps write files only through Files. A denied path is POLICY_DENIED.
type Files interface {
	// ReadPath checks a path that something other than Open will read.
	ReadPath(path string) (string, error)
	// Open opens a regular file for reading. It returns an error if another file replaces it
	// between the check of the path and the opening.
	Open(path string) (*os.File, error)
	// WritePath checks a path to which the step will write later.
	WritePath(path string) (string, error)
	// Write writes a file that only its owner can read, to a path that WritePath has returned. It
	// checks the path again. If the file exists and replace is not set, the error is fs.ErrExist.
	Write(ctx context.Context, path string, data io.Reader, replace bool) error
	// WriteTemp writes a new file in the private temporary folder. It replaces a "*" in pattern
	// with a unique text.
	WriteTemp(ctx context.Context, pattern string, data io.Reader) (path string, err error)
}

// Flow is the part of the executor that flow steps use. Its methods may be called only from the
// goroutine of the running step.
type Flow interface {
	// Call runs another action on the same page and returns the values that it returns.
	Call(ctx context.Context, action string, params map[string]any) (Result, error)
	// Body runs the block's nested steps once, with the locals added to the scope,
	// and returns the outputs of that iteration. They stay visible to Holds until
	// the next iteration or the end of the block.
	Body(ctx context.Context, locals []expr.Local) (outputs map[string]any, err error)
	// Choose runs the steps of the first case whose condition holds, or otherwise the steps of
	// `else`. The cases are those of the running choose. Choose returns the index of the case. If
	// no case holds and there is no `else`, the error is STEP_FAILED.
	Choose(ctx context.Context) (Result, error)
	// Narrow makes the element with this ref the scope of the enclosing foreach for the rest of the
	// iteration and for later iterations.
	Narrow(ref string)
	// Holds evaluates a condition with the current values; page.url and page.title are read
	// again if it uses them.
	Holds(ctx context.Context, c *expr.Condition) (bool, error)
	// Pause waits for d, or until ctx ends (then TIMEOUT or CANCELLED).
	Pause(ctx context.Context, d time.Duration) error
	// Set stores values as steps.NAME of the running action; inside a block, of the iteration.
	Set(values map[string]any)
}
