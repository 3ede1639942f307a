// Package session runs actions and manual steps in browsers, which it keeps from call to call.
//
// A [Session] is one browser for one caller; a [Manager] has many of them, by name, for as
// long as a daemon runs. Which definitions are in force is known to
// [github.com/actionregistry/action/internal/definitions], and what steps may do with files to
// [github.com/actionregistry/action/internal/files]. The package parses no command line and
// implements no protocol.
//
// In both, one call goes through call.go. In the manager, manager.go is the public part;
// turns.go the queues of its sessions; live.go starting, losing and ending browsers,
// options.go their options; early.go starting one while definitions are read; reaper.go the
// end of idle sessions; remains.go what the next process must know about them.
package session

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/browser"
	"github.com/actionregistry/action/internal/definitions"
	"github.com/actionregistry/action/internal/trace"
)

// Options are the options of a [Session].
type Options struct {
	// Definitions are what the session runs; required.
	Definitions *definitions.Set
	// Headed shows the browser's window, even if the configuration does not.
	Headed bool
	// CDP is the address of a running browser to use; it overrides the configuration.
	CDP string
	// Warn receives each message for the user once. nil drops it.
	Warn func(message string)
}

// A Session is one browser, started on first use. A Session runs one action at a time: Run
// waits for the previous one.
type Session struct {
	o    Options
	from browsers

	mu      sync.Mutex // held during a run; guards what follows
	browser *browser.Browser

	secrets trace.Memory // of its runs
}

// browsers supplies the browser of a session and takes it back at the end.
type browsers interface {
	launch(ctx context.Context, o browser.Options) (*browser.Browser, error)
	giveBack(ctx context.Context, b *browser.Browser) error
}

// processes starts a browser for each session. Tests reuse browsers instead.
type processes struct{}

func (processes) launch(ctx context.Context, o browser.Options) (*browser.Browser, error) {
	return launch(ctx, o, nil)
}

func (processes) giveBack(ctx context.Context, b *browser.Browser) error { return b.Close(ctx) }

// New returns a session. The caller must close it.
func New(o Options) *Session { return &Session{o: o, from: processes{}} }

// Run runs an action. Every failure is in the result.
func (s *Session) Run(ctx context.Context, action string, o RunOptions) *executor.Result {
	return s.do(ctx, &call{defs: s.o.Definitions, name: action, o: o})
}

// Step runs one manual step, with the params of o as its arguments and the timeout of o as
// its own. Every failure is in the result.
func (s *Session) Step(ctx context.Context, step string, o RunOptions) *executor.Result {
	return s.do(ctx, &call{defs: s.o.Definitions, name: step, step: true, o: o})
}

func (s *Session) do(ctx context.Context, c *call) *executor.Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	began := time.Now()
	if err := c.check(ctx); err != nil {
		return c.failed(began, err)
	}
	if s.browser == nil {
		o := browserOptions(s.o.Definitions.Config)
		o.Headed = o.Headed || s.o.Headed
		o.CDP = cmp.Or(s.o.CDP, o.CDP)
		o.Warn = s.o.Warn
		b, err := s.from.launch(ctx, o)
		if err != nil {
			return c.failed(began, err)
		}
		s.browser = b
	}
	c.secrets = &s.secrets
	return c.perform(ctx, s.browser)
}

// Close ends the browser, if one was started. It waits for a run in progress; cancel its
// context first. Closing twice is allowed.
func (s *Session) Close(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.browser == nil {
		return nil
	}
	b := s.browser
	s.browser = nil
	return s.from.giveBack(ctx, b)
}

// launchTime bounds the start of a browser: far above the slowest start seen.
const launchTime = time.Minute

// shutTime is how long a browser may take to end by itself before it is killed.
const shutTime = time.Second

// shut ends a browser soon, even if ctx has ended.
func shut(ctx context.Context, b *browser.Browser) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutTime)
	defer cancel()
	return b.Close(ctx)
}

func coded(err error) *diag.Error {
	if e := diag.As(err); e != nil {
		return e
	}
	return diag.New(diag.Internal, "%v", err).WithHint("this is a fault of action: please report it").Because(err)
}
