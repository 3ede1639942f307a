package steps

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/actionregistry/action/expr"
)

// Env is what one attempt of a step may use.
type Env struct {
	// Page is the active tab of Browser when the attempt began.
	Page    Page
	Browser Browser
	Flow    Flow
	Files   Files
	// CheckURL says whether `open` may go there; nil allows http, https and
	// about:blank.
	CheckURL func(url string) error
	// Timeout is the time of this attempt; 0: only that of the action.
	Timeout time.Duration
	// Secret reports whether a text holds a secret; form, another form of it, is
	// then a secret too. nil: none does.
	Secret func(text, form string) bool
	// Warn adds a warning to the result of the run.
	Warn func(code, format string, args ...any)
}

// Files turns paths that a definition or a person wrote into paths that may be
// used, and writes files: steps write none otherwise. A refused path is
// POLICY_DENIED.
type Files interface {
	// ReadPath checks a path that something else reads.
	ReadPath(path string) (string, error)
	// Open opens a regular file for reading. What is put in its place between the
	// check of its path and its opening is not read.
	Open(path string) (*os.File, error)
	// WritePath checks a path before there is anything to write.
	WritePath(path string) (string, error)
	// Write puts a file at a path that WritePath has returned, for its owner only.
	// The path is judged again as it is by then. Unless replace is set, a file that
	// is there already is fs.ErrExist.
	Write(ctx context.Context, path string, data io.Reader, replace bool) error
	// WriteTemp writes a new file in the private temporary folder; a "*" in pattern
	// becomes something unique.
	WriteTemp(ctx context.Context, pattern string, data io.Reader) (path string, err error)
}

// Flow is the side of the executor that flow steps use. Its methods are called
// from the goroutine of the running step only.
type Flow interface {
	// Call runs another action on the same page and returns its returns.
	Call(ctx context.Context, action string, params map[string]any) (Result, error)
	// Body runs the block's nested steps once, with the locals added to the scope,
	// and returns the outputs of that iteration. They stay visible to Holds until
	// the next iteration or the end of the block.
	Body(ctx context.Context, locals []expr.Local) (outputs map[string]any, err error)
	// Holds evaluates a condition on what is known now; page.url and page.title are
	// read anew when it uses them.
	Holds(ctx context.Context, c *expr.Condition) (bool, error)
	// Pause waits for d, or until ctx ends (then TIMEOUT or CANCELLED).
	Pause(ctx context.Context, d time.Duration) error
	// Set keeps values as steps.NAME of the running action, or of the iteration
	// inside a block.
	Set(values map[string]any)
}
