package daemon

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/session"
)

// call returns the session of a request and the definitions that apply to it.
func call(named string, at *wire.Location) session.Call {
	return session.Call{Session: name(named), Cwd: at.Cwd, Path: at.Path, Env: at.Env}
}

// actionCall is like call, for requests about an action.
func actionCall(a *wire.ActionCall, at *wire.Location) session.Call {
	k := call("", at)
	k.Strict, k.FromText = a.Strict, a.FromText
	return k
}

// runCall returns the call of a request that runs an action.
func (c *conn) runCall(req *wire.Request, m *wire.RunRequest) session.Call {
	return c.withOptions(req, actionCall(&m.ActionCall, &m.Location), &m.RunOptions)
}

// withOptions adds the options of a request that runs something, including the events that it
// requests.
func (c *conn) withOptions(req *wire.Request, k session.Call, o *wire.RunOptions) session.Call {
	k.Session = name(o.Session)
	k.Timeout, k.Headed, k.CDP, k.Steps = time.Duration(o.Timeout), o.Headed, o.CDP, o.Steps
	if o.Stream {
		k.OnStep = func(e executor.StepEvent) { c.event(req.ID, wire.EventStep, e) }
	}
	if o.Trace {
		k.Trace = &traceEvents{send: func(line []byte) { c.event(req.ID, wire.EventTrace, json.RawMessage(line)) }}
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

func name(session string) string {
	if session == "" {
		return "default"
	}
	return session
}
