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
	// Page is the tab that was active when the attempt began.
	Page    driver.Page
	Browser driver.Browser
	Flow    Flow
	Files   Files
	// CheckURL returns an error if the step `open` may not open a URL. If CheckURL is nil, only
	// http, https and about:blank are allowed.
	CheckURL func(url string) error
	// Timeout is the time limit of this attempt. 0 means that only the time limit of the action
	// applies.
	Timeout time.Duration
	// Over returns a context that has already expired. A wait with this context checks its
	// condition exactly once. Over is set only for [Op.HoldsNow].
	Over func(context.Context) (context.Context, context.CancelFunc)
	// Secret reports whether text contains a secret. If it does, form becomes a secret too. form is
	// another spelling of text. If Secret is nil, there are no secrets.
	Secret func(text, form string) bool
	// Masks reports whether v contains a secret, which the output of the step will not show. If Masks
	// is nil, there are no secrets.
	Masks func(v any) bool
	// Visits is called with each address to which a step goes, before the step goes there. The parts
	// into which the address divides secrets become secrets too. Visits may be nil.
	Visits func(address string)
	// Warn adds a warning to the result of the run.
	Warn func(code, format string, args ...any)
}

// Files gives steps access to files. It checks the paths that definitions and users have written.
// If the policy denies a path, the error is POLICY_DENIED. Steps write files only through Files.
type Files interface {
	// ReadPath checks the path of a file that the step does not open, for example because the
	// browser reads it. It returns the path to use.
	ReadPath(path string) (string, error)
	// Open checks a path and opens the regular file there for reading. It returns an error if the
	// file was replaced after the check.
	Open(path string) (*os.File, error)
	// WritePath checks a path for a later Write. It returns the path to pass to Write.
	WritePath(path string) (string, error)
	// Write writes data to a path that WritePath has returned. It checks the path again. Only the
	// owner can read the file. If the file exists and replace is not set, the error is fs.ErrExist.
	Write(ctx context.Context, path string, data io.Reader, replace bool) error
	// WriteTemp writes a new file in the private temporary folder and returns its path. The file
	// name is pattern, with a unique text in place of "*".
	WriteTemp(ctx context.Context, pattern string, data io.Reader) (path string, err error)
}

// Flow is what flow steps use of the executor. Its methods may be called only from the goroutine of
// the running step.
type Flow interface {
	// Call runs another action on the same page and returns the values that it returns.
	Call(ctx context.Context, action string, params map[string]any) (Result, error)
	// Body runs the nested steps of the block once, with locals in their scope. It returns the
	// outputs of this iteration. Holds sees these outputs until the next iteration begins or the
	// block ends.
	Body(ctx context.Context, locals []expr.Local) (outputs map[string]any, err error)
	// Choose runs the first case of the current `choose` whose condition holds. If no case holds,
	// it runs `else`. The result has the index of the case. If there is no `else` either, the error
	// is STEP_FAILED.
	Choose(ctx context.Context) (Result, error)
	// Narrow limits the selectors in the enclosing foreach to the element with this ref. The limit
	// applies to the following steps and to later iterations.
	Narrow(ref string)
	// Holds evaluates a condition with the current values. It queries the page for page.url and
	// page.title, if the condition uses them.
	Holds(ctx context.Context, c *expr.Condition) (bool, error)
	// Pause waits for d. If ctx ends first, the error is TIMEOUT or CANCELLED.
	Pause(ctx context.Context, d time.Duration) error
	// Handoff lets a person use the browser until the handoff ends. ended is "resumed" or
	// "condition". After h.Timeout, the error is TIMEOUT.
	Handoff(ctx context.Context, h Handoff) (ended string, err error)
	// Set stores values as ${steps.NAME}. Inside a block, they last until the end of the iteration.
	// Elsewhere, they last until the end of the action.
	Set(values map[string]any)
}

// A Handoff describes a pause of a run in which a person uses the browser. The pause ends when
// somebody resumes the session, when Until holds, or after Timeout.
type Handoff struct {
	Message string          // for the person; may be empty
	Until   *expr.Condition // nil: none
	Timeout time.Duration
}
