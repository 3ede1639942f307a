package daemon

import (
	"context"
	"encoding/json"
	"runtime"
	"time"

	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/ops"
	"github.com/actionregistry/action/internal/session"
)

// callOf returns the call that performs the operation of a request on this connection. If the
// client reads slower than events are sent, each event waits until the client has read more or ctx
// has ended.
func (c *conn) callOf(ctx context.Context, req *ops.Request) *ops.Call {
	return &ops.Call{
		Backend: c.s.backend, Host: host{c},
		Event: func(name string, data any) {
			c.out.room(ctx)
			c.event(req.ID, name, data)
		},
	}
}

// host implements [ops.Host] for the requests of one connection.
type host struct{ c *conn }

func (h host) Hello() wire.Hello                                 { return h.c.s.hello() }
func (h host) Status() *wire.Status                              { return h.c.s.status() }
func (h host) Stop(drain bool, lost session.Cause) (pending int) { return h.c.s.stop(drain, lost) }

func (h host) Cancel(target json.RawMessage) bool {
	f := h.c.flying(target)
	if f != nil {
		f.cancel(ErrByRequest)
	}
	return f != nil
}

func (h host) Command(ctx context.Context, m *wire.CommandRequest, show func(wire.Output)) (*wire.Output, error) {
	return h.c.command(ctx, m, show)
}

// Caller implements [ops.Host].
func (h host) Caller() any { return h.c }

// AtTerminal implements [ops.Host].
func (h host) AtTerminal() bool { return h.c.atTerminal() }

func (s *Server) status() *wire.Status {
	// runtime/metrics is not used, because every process would have to initialise it.
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	status := &wire.Status{
		Hello: s.hello(), Socket: s.o.Socket, UptimeMS: time.Since(s.began).Milliseconds(),
		Sessions: ops.SessionsOf(s.backend), Problems: nonNil(s.backend.Problems()), Goroutines: runtime.NumGoroutine(),
		Memory: wire.Memory{HeapBytes: memory.HeapAlloc, TotalBytes: memory.Sys},
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	status.Connections, status.Requests, status.HeldBytes = len(s.conns), s.requests, s.held
	return status
}
