package session

// One call: the run of an action, or one step by hand.

import (
	"context"
	"fmt"
	"io"
	"time"

	"actionregistry/browser"
	"actionregistry/executor"
	"actionregistry/steps"
	"actionregistry/trace"
)

// A Call says for whom something is done. Its zero value is the manager's own
// place and the session [DefaultName].
type Call struct {
	Session string
	Cwd     string  // "": the manager's
	Path    *string // as ACTION_PATH; nil: the environment's
	// Env is the whole environment of the call: what its definitions may read, and
	// its ACTION_… settings. nil: the manager's. HOME alone is the manager's where
	// it has none.
	Env map[string]string

	Timeout  time.Duration // of the run, or of the step; 0: the configured one
	Debug    bool
	Steps    bool
	FromText bool
	Strict   bool
	OnStep   func(executor.StepEvent)
	Trace    io.Writer
	Headed   *bool // of the browser, should one be started
}

// RunOptions are those of one run.
type RunOptions struct {
	Params   map[string]any
	FromText bool          // params are text of the command line
	Steps    bool          // tell the steps of a success too
	Debug    bool          // tell inputs, decisions and the context of a failure
	Timeout  time.Duration // of the whole run; 0: the configured one
	Cwd      string        // files are relative to it
	Environ  []string      // variables that the definitions may read, as NAME=value
	Trace    io.Writer     // nil: no trace
	OnStep   func(executor.StepEvent)
}

// A call is what runs on a page in one turn.
type call struct {
	defs    *Definitions
	name    string // of the action, or of the step
	step    bool   // one step by hand, whose arguments are the params
	session string // whose remembered selectors count
	o       RunOptions
}

// opensPage reports whether the call is a step by hand that needs nothing of the
// page before it.
func (c *call) opensPage() bool {
	if !c.step {
		return false
	}
	e := steps.Lookup(c.name)
	return e != nil && e.Name == "open"
}

// info is what others see of the call.
func (c *call) info() RunInfo {
	if c.step {
		return RunInfo{Step: c.name}
	}
	return RunInfo{Action: c.name}
}

// check tells what is wrong with the call itself, before a browser is started
// or waited for.
func (c *call) check(ctx context.Context) error {
	x, ro := c.defs.executor(), c.defs.runOptions(c.o)
	if c.step {
		return x.CheckHand(c.name, c.o.Params, ro)
	}
	if err := c.defs.Runnable(c.name); err != nil {
		return err
	}
	return x.Check(ctx, c.name, c.o.Params, ro)
}

// perform runs the call on a page that nobody else uses meanwhile.
func (c *call) perform(ctx context.Context, page *browser.Page) *executor.Result {
	x, ro := c.defs.executor(), c.defs.runOptions(c.o)
	ro.Session, ro.OnStep = c.session, c.o.OnStep
	ro.After = func() []executor.Warning { return dialogWarnings(page.TakeDialogs()) }
	if c.o.Trace != nil {
		ro.Recorder = trace.NewRecorder(c.o.Trace)
	}
	var result *executor.Result
	if c.step {
		result = x.Hand(ctx, page.Browser(), c.name, c.o.Params, ro)
	} else {
		result = x.Run(ctx, page.Browser(), c.name, c.o.Params, ro)
	}
	if ro.Recorder != nil {
		if err := ro.Recorder.Err(); err != nil {
			result.Warnings = append(result.Warnings, executor.Warning{Code: "trace", Message: fmt.Sprintf("the trace is not complete: %v", err)})
		}
	}
	return result
}

// failed is the result of a call that did not come to run.
func (c *call) failed(began time.Time, err error) *executor.Result {
	return &executor.Result{Action: c.name, Error: coded(err), DurationMS: time.Since(began).Milliseconds()}
}

func dialogWarnings(dialogs []browser.Dialog) []executor.Warning {
	var out []executor.Warning
	for _, d := range dialogs {
		out = append(out, executor.Warning{
			Code: "dialog", Message: fmt.Sprintf("the page opened a dialog (%s %q), which was %s", d.Kind, d.Message, d.Answer),
		})
	}
	return out
}
