// Package session runs actions and manual steps in browsers, which it keeps from call to call.
//
// A [Session] is one browser for one caller. A [Manager] keeps many named sessions, for as long as
// the daemon runs. [github.com/actionregistry/action/internal/definitions] decides which
// definitions are in force, and [github.com/actionregistry/action/internal/files] what steps may
// do with files. The package parses no command line and implements no protocol.
//
// Both use call.go to run calls, and launch.go to start and end browsers. The files of the manager:
// manager.go is its public part; table.go has the sessions and turns.go their queues; live.go opens
// the browser of a session and notices its loss; options.go has the options of browsers; early.go
// starts a browser while definitions are read; hold.go and handoff.go let a person use the browser;
// reaper.go ends idle sessions; remains.go records the sessions for the next process.
//
// Files, bottom to top: launch, table, options, hold, approve, call, session, remains, live, early,
// reaper, turns, manager, handoff.
package session

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/definitions"
	"github.com/actionregistry/action/internal/trace"
)

// Options are the options of a [Session].
type Options struct {
	// Definitions are the actions that the session can run. They are required.
	Definitions *definitions.Set
	// Headed shows the browser's window, even if the configuration does not.
	Headed bool
	// CDP is the address of a running browser to use. It overrides the configuration.
	CDP string
	// Warn receives each message for the user once. It may be nil.
	Warn func(message string)
}

// A Session is one browser, which is started on first use. It runs one action at a time. Run waits
// for the previous run to end.
type Session struct {
	o    Options
	from browsers

	mu      sync.Mutex // held during a run; guards the following fields
	browser *chrome.Browser

	secrets trace.Memory // secrets of the session's runs
}

// browsers starts and ends the browsers of sessions.
type browsers interface {
	launch(ctx context.Context, o startup.Options) (*chrome.Browser, error)
	giveBack(ctx context.Context, b *chrome.Browser) error
}

// processes starts a browser process for each session.
type processes struct{}

func (processes) launch(ctx context.Context, o startup.Options) (*chrome.Browser, error) {
	return launch(ctx, o, nil)
}

func (processes) giveBack(ctx context.Context, b *chrome.Browser) error { return b.Close(ctx) }

// New returns a session. The caller must close it.
func New(o Options) *Session { return &Session{o: o, from: processes{}} }

// Run runs an action. Errors are in the result.
func (s *Session) Run(ctx context.Context, action string, o RunOptions) *executor.Result {
	return s.do(ctx, &call{defs: s.o.Definitions, name: action, o: o})
}

// Step runs a manual step. The arguments of the step are o.Params. Errors are in the result.
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

// Close ends the browser. It waits for a run in progress, so cancel the context of the run first.
// Close may be called twice.
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
