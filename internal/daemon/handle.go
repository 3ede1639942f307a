package daemon

import (
	"context"
	"os"
	"runtime"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/session"
)

// inline are the types that wait for nothing. They are answered by the goroutine
// that reads, so that they do not need a place among the requests under way.
var inline map[string]func(*conn, *wire.Request) (any, error)

func init() {
	inline = map[string]func(*conn, *wire.Request) (any, error){
		wire.TypeHello:       func(c *conn, _ *wire.Request) (any, error) { return c.s.hello(), nil },
		wire.TypeStatus:      func(c *conn, _ *wire.Request) (any, error) { return c.s.status(), nil },
		wire.TypeSessionList: func(c *conn, _ *wire.Request) (any, error) { return wire.Sessions{Sessions: c.s.sessions()}, nil },
		wire.TypeCancel:      (*conn).cancelRequest,
		wire.TypeShutdown: func(c *conn, req *wire.Request) (any, error) {
			cause := session.Cause("")
			if req.Replace {
				cause = session.LostReplaced
			}
			return wire.Stopping{Stopping: true, Running: c.s.stop(req.Drain, cause)}, nil
		},
	}
}

func (c *conn) cancelRequest(req *wire.Request) (any, error) {
	f := c.flying(req.Target)
	if f != nil {
		f.cancel(ErrByRequest)
	}
	return wire.Cancelling{Cancelled: f != nil}, nil
}

func (s *Server) hello() wire.Hello {
	exe, err := os.Executable()
	if err != nil {
		exe = "" // it is only for people
	}
	return wire.Hello{
		Protocol: wire.Protocol, Build: s.o.Build, Version: s.o.Build.Version, PID: os.Getpid(), Executable: exe,
		Stopping: closed(s.stopped),
	}
}

func (s *Server) sessions() []wire.Session {
	list := s.backend.List()
	out := make([]wire.Session, len(list))
	for i := range list {
		out[i] = *sessionOf(&list[i])
	}
	return out
}

func sessionOf(i *session.Info) *wire.Session {
	return &wire.Session{
		Name: i.Name, State: i.State, Running: (*wire.Running)(i.Running), Queued: i.Queued, URL: i.URL, Tab: i.Tab, Window: i.Window,
		Tabs: i.Tabs, Windows: i.Windows, Lost: i.Lost, IdleSince: i.IdleSince,
	}
}

func (s *Server) status() *wire.Status {
	// Not runtime/metrics, which every process would have to initialise.
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	slack := uint64(len(s.slack))
	status := &wire.Status{
		Hello: s.hello(), Socket: s.o.Socket, UptimeMS: time.Since(s.began).Milliseconds(),
		Sessions: s.sessions(), Problems: nonNil(s.backend.Problems()), Goroutines: runtime.NumGoroutine(),
		Memory: wire.Memory{HeapBytes: memory.HeapAlloc - slack, TotalBytes: memory.Sys - slack},
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	status.Connections, status.Requests, status.HeldBytes = len(s.conns), s.requests, s.held
	return status
}

// perform does the work of the types that are not inline. The data of runs is an
// *executor.Result, which holds its own error.
func (s *Server) perform(ctx context.Context, c *conn, req *wire.Request) (any, error) {
	switch req.Type {
	case wire.TypeRun, wire.TypeDebug:
		return s.backend.Run(ctx, c.runCall(req), req.Action, req.Params), nil
	case wire.TypeStep:
		return s.backend.Step(ctx, c.runCall(req), req.Step, req.Args), nil
	case wire.TypeDryRun:
		plan := s.backend.DryRun(ctx, call(req), req.Action, req.Params)
		if plan.Error != nil {
			return nil, plan.Error
		}
		return plan, nil
	case wire.TypeList, wire.TypeDescribe, wire.TypeSearch:
		defs, err := s.backend.Definitions(ctx, call(req))
		if err != nil {
			return nil, err
		}
		return lookUp(defs, req)
	case wire.TypeValidate:
		v, err := s.backend.Validate(ctx, call(req), req.Paths)
		if err != nil {
			return nil, err
		}
		return map[string]any{
			"valid": len(v.Errors) == 0, "files": nonNil(v.Files), "actions": v.Actions,
			"errors": nonNil(v.Errors), "warnings": nonNil(v.Warnings),
		}, nil
	case wire.TypeReload:
		r, err := s.backend.Reload(ctx, call(req))
		return (*wire.Reloaded)(r), err
	case wire.TypeCommand:
		return c.command(ctx, req)
	case wire.TypeSessionOpen:
		info, err := s.backend.Open(ctx, call(req), sessionOptions(req.Options))
		if err != nil {
			return nil, err
		}
		return sessionOf(info), nil
	case wire.TypeSessionClose:
		return map[string]string{"closed": name(req.Session)}, s.backend.CloseSession(ctx, name(req.Session))
	}
	return nil, diag.New(diag.Internal, "the type %s is not served", req.Type)
}

// lookUp answers what needs the definitions alone, in the form of the command
// line's --json.
func lookUp(defs *session.Definitions, req *wire.Request) (any, error) {
	switch req.Type {
	case wire.TypeDescribe:
		return defs.Describe(req.Action)
	case wire.TypeSearch:
		limit := 20
		if req.Limit > 0 {
			limit = req.Limit
		}
		return map[string]any{"actions": nonNil(defs.Registry.Search(req.Query, limit))}, nil
	}
	items, err := defs.Registry.List(req.Namespace)
	if err != nil {
		return nil, defs.Explain(err)
	}
	return map[string]any{"actions": nonNil(items), "problems": nonNil(defs.Problems)}, nil
}

func name(session string) string {
	if session == "" {
		return "default"
	}
	return session
}

func sessionOptions(o *wire.SessionOptions) session.SessionOptions {
	if o == nil {
		return session.SessionOptions{}
	}
	out := session.SessionOptions{
		Headed: o.Headed, UserAgent: o.UserAgent, Locale: o.Locale, IgnoreHTTPSErrors: o.IgnoreHTTPSErrors,
		JavaScript: o.JavaScript, Profile: o.Profile, Proxy: o.Proxy, CDP: o.CDP,
	}
	if o.Viewport != nil {
		out.Viewport = &browser.Viewport{Width: o.Viewport.Width, Height: o.Viewport.Height}
	}
	return out
}

// nonNil makes an empty list an empty JSON array.
func nonNil[S ~[]T, T any](s S) S {
	if s == nil {
		return S{}
	}
	return s
}
