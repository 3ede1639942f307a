package steps

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
)

// Env holds what one attempt of a step may use.
type Env struct {
	// Page is the tab that was active in Browser when the attempt began.
	Page    driver.Page
	Browser driver.Browser
	Flow    Flow
	Files   Files
	// CheckURL returns an error if the step `open` may not open a URL. If CheckURL is nil, http,
	// https and about:blank are allowed.
	CheckURL func(url string) error
	// Timeout is the time limit of this attempt. 0 means that only the time limit of the action
	// applies.
	Timeout time.Duration
	// Over returns a context whose deadline has already passed, by the clock of the run. A wait
	// with this context checks its condition only once. Over is set only for [Op.HoldsNow].
	Over func(context.Context) (context.Context, context.CancelFunc)
	// Secret reports whether text contains a secret. If it does, the argument form is registered as
	// a secret too: it is another spelling of text. A nil Secret means that there are no secrets.
	Secret func(text, form string) bool
	// Warn adds a warning to the result of the run.
	Warn func(code, format string, args ...any)
}

// Files checks the paths that definitions and users have written, and writes files. Steps write
// files only through Files. If the policy denies a path, the error is POLICY_DENIED.
type Files interface {
	// ReadPath checks the path of a file that is not opened with Open, because the browser itself
	// reads it, for example. It returns the path to use.
	ReadPath(path string) (string, error)
	// Open checks a path and opens the regular file there for reading. It returns an error if
	// another file has replaced that file between the check and the opening.
	Open(path string) (*os.File, error)
	// WritePath checks a path to which the step will write later. It returns the path for Write.
	WritePath(path string) (string, error)
	// Write writes a file that only its owner can read, to a path that WritePath has returned. It
	// checks the path again. If the file exists and replace is not set, the error is fs.ErrExist.
	Write(ctx context.Context, path string, data io.Reader, replace bool) error
	// WriteTemp writes a new file in the private temporary folder. The name of the file is pattern,
	// with a unique text instead of "*".
	WriteTemp(ctx context.Context, pattern string, data io.Reader) (path string, err error)
}

// Flow is the part of the executor that flow steps use. Its methods may be called only from the
// goroutine of the running step.
type Flow interface {
	// Call runs another action on the same page and returns the values that it returns.
	Call(ctx context.Context, action string, params map[string]any) (Result, error)
	// Body runs the nested steps of the block once. It adds locals to the scope of these steps, and
	// returns the outputs of that iteration. Holds can use these outputs until the next iteration
	// or the end of the block.
	Body(ctx context.Context, locals []expr.Local) (outputs map[string]any, err error)
	// Choose runs one case of the current `choose`: the first case whose condition holds, or
	// otherwise `else`. It returns the index of the case. If no case holds and there is no `else`,
	// the error is STEP_FAILED.
	Choose(ctx context.Context) (Result, error)
	// Narrow limits the scope of the enclosing foreach to the element with this ref. The limit
	// applies to the rest of the iteration and to later iterations.
	Narrow(ref string)
	// Holds evaluates a condition with the current values. If the condition uses page.url or
	// page.title, Holds queries the page for them again.
	Holds(ctx context.Context, c *expr.Condition) (bool, error)
	// Pause waits for d. If ctx ends first, the error is TIMEOUT or CANCELLED.
	Pause(ctx context.Context, d time.Duration) error
	// Handoff lets a person use the browser, and waits: see [Handoff]. The result says what ended
	// the wait, "resumed" or "condition". If the time is over, the error is TIMEOUT.
	Handoff(ctx context.Context, h Handoff) (ended string, err error)
	// Set stores values under ${steps.NAME}. Outside of blocks, they belong to the running action;
	// inside a block, they belong to the iteration.
	Set(values map[string]any)
}

// A Handoff is a wait for a person who uses the browser. It ends when somebody resumes the session,
// when Until holds, or after Timeout.
type Handoff struct {
	Message string          // for the person; may be empty
	Until   *expr.Condition // nil: none
	Timeout time.Duration
}
