package ops

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/approvals"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/definitions"
	"github.com/actionregistry/action/internal/session"
)

// A Runner runs actions and steps. When ctx ends, its methods must soon return a result with the
// error CANCELLED.
type Runner interface {
	Run(ctx context.Context, c session.Call, action string, params map[string]any) *executor.Result
	Step(ctx context.Context, c session.Call, step string, args map[string]any) *executor.Result
	DryRun(ctx context.Context, c session.Call, action string, params map[string]any) *executor.Plan
}

// A Catalog reads the definitions that apply to a caller.
type Catalog interface {
	Definitions(ctx context.Context, c session.Call) (*definitions.Set, error)
	Reload(ctx context.Context, c session.Call) (*session.Reloaded, error)
	Validate(ctx context.Context, c session.Call, paths []string) (*definitions.Validation, error)
	// Problems returns the problems of all definition files in use. It must return quickly.
	Problems() diag.List
}

// Sessions manages the sessions. List must not wait for running calls. CloseSession cancels them.
type Sessions interface {
	Open(ctx context.Context, c session.Call, o session.SessionOptions) (*session.Info, error)
	List() []session.Info
	CloseSession(ctx context.Context, name string) error
	// Handoff lets a person use the browser of a session; see [session.Manager.Handoff].
	Handoff(ctx context.Context, c session.Call, r session.HandoffRequest) (info *session.Info, ended string, err error)
	// Resume ends a handoff. It must return immediately.
	Resume(name string) (*session.HoldInfo, error)
}

// A Backend performs requests, as session.Manager does. Its methods may be called concurrently.
type Backend interface {
	Runner
	Catalog
	Sessions
	// Approvals returns the table of approvals.
	Approvals() *approvals.Table
}

// A Host is the server that has received a request.
type Host interface {
	Hello() wire.Hello
	Status() *wire.Status
	// Cancel cancels a request of the same client. It reports whether the request was pending.
	Cancel(target json.RawMessage) bool
	// Stop ends the server, and returns the number of pending requests. If drain is true, the
	// server first waits for these requests. If the argument "lost" is not empty, the next server
	// reports the sessions as lost for this reason.
	Stop(drain bool, lost session.Cause) int
	// Caller returns a value that identifies the client's connection. It can be compared with ==.
	Caller() any
	// AtTerminal reports whether the request is a command of a user at a terminal.
	AtTerminal() bool
	// Command runs a command line. It calls the function "show" for each part of the output that
	// comes before the reply.
	Command(ctx context.Context, m *wire.CommandRequest, show func(wire.Output)) (*wire.Output, error)
}

// A Call has what is needed to perform a request.
type Call struct {
	Backend Backend
	Host    Host
	// Event sends an event about the request. It may be called concurrently, but only until Perform
	// returns.
	Event func(name string, data any)
}

// at returns a call of a session. The argument "named" is the name in the request, which may be "".
func at(named string, l *wire.Location) session.Call {
	return session.Call{Session: nameOf(named), Cwd: l.Cwd, Path: l.Path, Env: l.Env, Unattended: l.Unattended}
}

func nameOf(named string) string { return cmp.Or(named, session.DefaultName) }

// actionCall returns the call of a request about an action.
func actionCall(a *wire.ActionCall, l *wire.Location) session.Call {
	k := at("", l)
	k.Strict, k.FromText = a.Strict, a.FromText
	return k
}

// runCall returns the call of a request that runs an action.
func (c *Call) runCall(m *wire.RunRequest) session.Call {
	return c.withOptions(actionCall(&m.ActionCall, &m.Location), &m.RunOptions)
}

// withOptions returns k with the options of a run. If the request wants events, k sends them.
func (c *Call) withOptions(k session.Call, o *wire.RunOptions) session.Call {
	k.Session = nameOf(o.Session)
	k.Timeout, k.Headed, k.CDP, k.Steps = time.Duration(o.Timeout), o.Headed, o.CDP, o.Steps
	if o.Stream {
		k.OnStep = func(e executor.StepEvent) { c.Event(wire.EventStep, e) }
	}
	if o.Trace {
		k.Trace = &traceEvents{send: func(line []byte) { c.Event(wire.EventTrace, json.RawMessage(line)) }}
	}
	return k
}

// A traceEvents sends each line of a trace to the client, which writes the file.
type traceEvents struct {
	send func(line []byte)
	rest []byte // beginning of an unfinished line
}

func (t *traceEvents) Write(p []byte) (int, error) {
	t.rest = append(t.rest, p...)
	for {
		line, rest, ok := bytes.Cut(t.rest, []byte("\n"))
		if !ok {
			return len(p), nil
		}
		t.send(bytes.Clone(line))
		t.rest = rest
	}
}

// nonNil returns s, or an empty slice if s is nil, because the JSON of nil is null.
func nonNil[S ~[]T, T any](s S) S {
	if s == nil {
		return S{}
	}
	return s
}
