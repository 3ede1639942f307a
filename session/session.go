// Package session puts the parts together: the definitions that hold in a
// folder, the policy, and a browser with its page, on which actions run.
//
// It parses no command line and speaks no protocol; nothing below it knows that
// there is a configuration.
package session

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"actionregistry/browser"
	"actionregistry/diag"
	"actionregistry/executor"
	"actionregistry/selectors"
	"actionregistry/trace"
)

// Options are those of a [Session].
type Options struct {
	// Definitions are what the session runs; required.
	Definitions *Definitions
	// Headed shows the browser's window, whatever the configuration says.
	Headed bool
	// Warn receives what a person should know once. nil drops it.
	Warn func(message string)
}

// A Session is one browser with one page. The browser is started when it is
// first needed. A Session runs one action at a time: Run waits for its turn.
type Session struct {
	o Options

	executor *executor.Executor // keeps what it has compiled, from run to run

	mu      sync.Mutex // held during a run; guards what follows
	browser *browser.Browser
	page    *browser.Page
}

// New returns a session. The caller must close it.
func New(o Options) *Session {
	return &Session{o: o, executor: o.Definitions.executor(selectors.NewCache())}
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

// Run runs an action. Everything that goes wrong is in the result.
func (s *Session) Run(ctx context.Context, action string, o RunOptions) *executor.Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	began := time.Now()
	failed := func(err error) *executor.Result {
		return &executor.Result{Action: action, Error: coded(err), DurationMS: time.Since(began).Milliseconds()}
	}
	d := s.o.Definitions
	if err := d.Runnable(action); err != nil {
		return failed(err)
	}
	x := s.executor
	ro := d.runOptions(o)
	// What is wrong with the call itself is told before a browser is started.
	if err := x.Check(ctx, action, o.Params, ro); err != nil {
		return failed(err)
	}
	page, err := s.open(ctx)
	if err != nil {
		return failed(err)
	}
	if o.Trace != nil {
		ro.Recorder = trace.NewRecorder(o.Trace)
	}
	ro.OnStep = o.OnStep
	ro.After = func() []executor.Warning { return dialogWarnings(page.TakeDialogs()) }
	result := x.Run(ctx, page, action, o.Params, ro)
	if ro.Recorder != nil {
		if err := ro.Recorder.Err(); err != nil {
			result.Warnings = append(result.Warnings, executor.Warning{Code: "trace", Message: fmt.Sprintf("the trace is not complete: %v", err)})
		}
	}
	return result
}

func (s *Session) open(ctx context.Context) (*browser.Page, error) {
	if s.page != nil {
		return s.page, nil
	}
	o, err := s.o.Definitions.browserOptions()
	if err != nil {
		return nil, err
	}
	o.Headed = o.Headed || s.o.Headed
	o.Warn = s.o.Warn
	b, err := browser.Launch(ctx, o)
	if err != nil {
		return nil, err
	}
	page, err := b.NewPage(ctx)
	if err != nil {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = b.Close(closing) // the first error is the one to tell
		return nil, err
	}
	s.browser, s.page = b, page
	return page, nil
}

// Close ends the browser, if one was started. It waits for a run that is going
// on; cancel that one's context first. Closing twice is allowed.
func (s *Session) Close(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.browser == nil {
		return nil
	}
	b := s.browser
	s.browser, s.page = nil, nil
	return b.Close(ctx)
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

func coded(err error) *diag.Error {
	if e := diag.As(err); e != nil {
		return e
	}
	return diag.New(diag.Internal, "%v", err).WithHint("this is a fault of action: please report it").Because(err)
}
