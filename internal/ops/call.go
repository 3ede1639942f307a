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

// A Runner runs actions and steps. Its methods must return soon after ctx has ended, with a
// result that is CANCELLED; `cancel` depends on that.
type Runner interface {
	Run(ctx context.Context, c session.Call, action string, params map[string]any) *executor.Result
	Step(ctx context.Context, c session.Call, step string, args map[string]any) *executor.Result
	DryRun(ctx context.Context, c session.Call, action string, params map[string]any) *executor.Plan
}

// A Catalog provides the definitions that apply to a caller.
type Catalog interface {
	Definitions(ctx context.Context, c session.Call) (*definitions.Set, error)
	Reload(ctx context.Context, c session.Call) (*session.Reloaded, error)
	Validate(ctx context.Context, c session.Call, paths []string) (*definitions.Validation, error)
	// Problems returns the problems of all definition files in use. It returns quickly.
	Problems() diag.List
}

// Sessions manages the sessions. List must not wait for a running call. CloseSession ends the
// running call.
type Sessions interface {
	Open(ctx context.Context, c session.Call, o session.SessionOptions) (*session.Info, error)
	List() []session.Info
	CloseSession(ctx context.Context, name string) error
	// Handoff lets a person use the browser of a session; see [session.Manager.Handoff].
	Handoff(ctx context.Context, c session.Call, r session.HandoffRequest) (info *session.Info, ended string, err error)
	// Resume ends a handoff. It must not wait.
	Resume(name string) (*session.HoldInfo, error)
}

// A Backend does the work, as session.Manager does. All its methods are called concurrently.
type Backend interface {
	Runner
	Catalog
	Sessions
	// Approvals returns the table of approvals.
	Approvals() *approvals.Table
}

// A Host is the server to which a request was sent. Only operations about the server call it.
type Host interface {
	Hello() wire.Hello
	Status() *wire.Status
	// Cancel cancels a request of the same client. It reports whether the request was pending.
	Cancel(target json.RawMessage) bool
	// Stop ends the server, and returns the number of pending requests. If drain is true, the
	// server waits until these requests have ended. The argument "lost" is the reason with which the
	// next server reports the sessions as lost. If it is empty, the next server does not report them.
	Stop(drain bool, lost session.Cause) int
	// Caller returns a comparable value that identifies the connection of the request.
	Caller() any
	// AtTerminal reports whether the client of the request runs a command line for a user at a
	// terminal.
	AtTerminal() bool
	// Command runs a command line. It calls show to send parts of the output before the reply.
	Command(ctx context.Context, m *wire.CommandRequest, show func(wire.Output)) (*wire.Output, error)
}

// A Call has what an operation needs besides its request.
type Call struct {
	Backend Backend
	Host    Host
	// Event sends an event about the request. It may be called concurrently until Perform returns.
	Event func(name string, data any)
}

// at returns the session of a request and the definitions that apply to it.
func at(named string, l *wire.Location) session.Call {
	return session.Call{Session: nameOf(named), Cwd: l.Cwd, Path: l.Path, Env: l.Env, Unattended: l.Unattended}
}

func nameOf(named string) string { return cmp.Or(named, session.DefaultName) }

// actionCall is like at, for requests about an action.
func actionCall(a *wire.ActionCall, l *wire.Location) session.Call {
	k := at("", l)
	k.Strict, k.FromText = a.Strict, a.FromText
	return k
}

// runCall returns the call of a request that runs an action.
func (c *Call) runCall(m *wire.RunRequest) session.Call {
	return c.withOptions(actionCall(&m.ActionCall, &m.Location), &m.RunOptions)
}

// withOptions returns k with the options of a request that runs an action or a step. If the request
// wants events, the returned call sends them.
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

// traceEvents sends every line of a trace as an event. The client writes the file, because only the
// client has its path and the permission to write it.
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

// nonNil returns list, or an empty list instead of nil, so that its JSON is an array.
func nonNil[S ~[]T, T any](s S) S {
	if s == nil {
		return S{}
	}
	return s
}
