package daemon

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/session"
)

// call says whose definitions answer a request.
func call(req *wire.Request) session.Call {
	return session.Call{
		Session: name(req.Session), Cwd: req.Cwd, Path: req.Path, Env: req.Env,
		Strict: req.Strict, FromText: req.FromText,
	}
}

// runCall is call for requests that run something, with the events that they
// asked for.
func (c *conn) runCall(req *wire.Request) session.Call {
	k := call(req)
	k.Timeout, k.Headed, k.CDP = time.Duration(req.Timeout), req.Headed, req.CDP
	k.Debug = req.Type == wire.TypeDebug
	k.Steps = req.Steps || k.Debug
	if req.Stream {
		k.OnStep = func(e executor.StepEvent) { c.event(req.ID, wire.EventStep, e) }
	}
	if req.Trace {
		k.Trace = &traceEvents{send: func(line []byte) { c.event(req.ID, wire.EventTrace, json.RawMessage(line)) }}
	}
	return k
}

// traceEvents makes an event of every line of a trace. The client writes the
// file: it knows where, and may.
type traceEvents struct {
	send func(line []byte)
	rest []byte // of a line that has not ended
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
