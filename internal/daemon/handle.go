package daemon

import (
	"cmp"
	"context"
	"path/filepath"
	"runtime"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/session"
)

// inline answers requests that need not wait. The reading goroutine calls it, so such requests
// never count as pending. ok is false for other requests.
func (c *conn) inline(req *wire.Request) (data any, ok bool) {
	switch m := req.Body.(type) {
	case *wire.HelloRequest:
		return c.s.hello(), true
	case *wire.StatusRequest:
		return c.s.status(), true
	case *wire.SessionListRequest:
		return wire.Sessions{Sessions: c.s.sessions()}, true
	case *wire.CancelRequest:
		f := c.flying(m.Target)
		if f != nil {
			f.cancel(ErrByRequest)
		}
		return wire.Cancelling{Cancelled: f != nil}, true
	case *wire.ShutdownRequest:
		cause := session.Cause("")
		if m.Replace {
			cause = session.LostReplaced
		}
		return wire.Stopping{Stopping: true, Running: c.s.stop(m.Drain, cause)}, true
	}
	return nil, false
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
		Tabs: i.Tabs, Windows: i.Windows, Lost: i.Lost, IdleSince: i.IdleSince, ExpiresAt: i.ExpiresAt,
	}
}

func (s *Server) status() *wire.Status {
	// Do not use runtime/metrics, which every process would have to initialise.
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	status := &wire.Status{
		Hello: s.hello(), Socket: s.o.Socket, UptimeMS: time.Since(s.began).Milliseconds(),
		Sessions: s.sessions(), Problems: nonNil(s.backend.Problems()), Goroutines: runtime.NumGoroutine(),
		Memory: wire.Memory{HeapBytes: memory.HeapAlloc, TotalBytes: memory.Sys},
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	status.Connections, status.Requests, status.HeldBytes = len(s.conns), s.requests, s.held
	return status
}

// perform handles all other requests. The data of a run is an *executor.Result, which contains the
// run's error.
func (c *conn) perform(ctx context.Context, req *wire.Request) (any, error) {
	backend := c.s.backend
	switch m := req.Body.(type) {
	case *wire.RunRequest:
		return backend.Run(ctx, c.runCall(req, m), m.Action, m.Params), nil
	case *wire.DebugRequest:
		call := c.runCall(req, &m.RunRequest)
		call.Debug, call.Steps = true, true
		return backend.Run(ctx, call, m.Action, m.Params), nil
	case *wire.StepRequest:
		call := c.withOptions(req, call("", &m.Location), &m.RunOptions)
		call.FromText = m.FromText
		return backend.Step(ctx, call, m.Step, m.Args), nil
	case *wire.DryRunRequest:
		plan := backend.DryRun(ctx, actionCall(&m.ActionCall, &m.Location), m.Action, m.Params)
		if plan.Error != nil {
			return nil, plan.Error
		}
		return plan, nil
	case *wire.ListRequest:
		return c.list(ctx, m)
	case *wire.DescribeRequest:
		defs, err := backend.Definitions(ctx, call("", &m.Location))
		if err != nil {
			return nil, err
		}
		var d interface{ Text() string }
		if defs.Registry.Namespace(m.Action) != nil {
			d, err = defs.Registry.DescribeNamespace(m.Action)
		} else {
			d, err = defs.Describe(m.Action)
		}
		if err == nil && m.Format == "text" {
			return map[string]any{"text": d.Text()}, nil
		}
		return d, err
	case *wire.SearchRequest:
		defs, err := backend.Definitions(ctx, call("", &m.Location))
		if err != nil {
			return nil, err
		}
		return map[string]any{"actions": nonNil(defs.Registry.Search(m.Query, cmp.Or(max(m.Limit, 0), defaultHits)))}, nil
	case *wire.ValidateRequest:
		return c.validate(ctx, m)
	case *wire.ReloadRequest:
		r, err := backend.Reload(ctx, call("", &m.Location))
		return (*wire.Reloaded)(r), err
	case *wire.CommandRequest:
		return c.command(ctx, req.ID, m)
	case *wire.SessionOpenRequest:
		info, err := backend.Open(ctx, call(m.Session, &m.Location), sessionOptions(m.Options))
		if err != nil {
			return nil, err
		}
		return sessionOf(info), nil
	case *wire.SessionCloseRequest:
		return map[string]string{"closed": name(m.Session)}, backend.CloseSession(ctx, name(m.Session))
	}
	return nil, diag.New(diag.Internal, "found a request of type %s, which the daemon does not handle", req.Body.Type())
}

// defaultHits is the number of actions that a search without a limit returns.
const defaultHits = 20

// list answers in the format of --json on the command line.
func (c *conn) list(ctx context.Context, m *wire.ListRequest) (any, error) {
	k := call("", &m.Location)
	k.Strict = m.Strict
	defs, err := c.s.backend.Definitions(ctx, k)
	if err != nil {
		return nil, err
	}
	if m.Namespaces {
		return map[string]any{"namespaces": defs.Registry.Summaries(), "problems": nonNil(defs.Problems)}, nil
	}
	items, err := defs.Registry.List(m.Namespace)
	if err != nil {
		return nil, defs.Explain(err)
	}
	return map[string]any{"actions": nonNil(items), "problems": nonNil(defs.Problems)}, nil
}

// validate checks the files in the field paths of a request. Without that field, it checks the
// files in the field path instead of loading them.
func (c *conn) validate(ctx context.Context, m *wire.ValidateRequest) (any, error) {
	paths, where := m.Paths, m.Location
	if len(paths) == 0 && m.Path != nil && *m.Path != "" {
		paths, where.Path = filepath.SplitList(*m.Path), nil
	}
	if len(paths) == 0 {
		return nil, diag.New(diag.InvalidRequest, "found action.validate without paths, expected a list of them").WithHint(`add "paths", a list of definition files and folders`)
	}
	v, err := c.s.backend.Validate(ctx, call("", &where), paths)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"valid": len(v.Errors) == 0, "files": nonNil(v.Files), "actions": v.Actions,
		"errors": nonNil(v.Errors), "warnings": nonNil(v.Warnings),
	}, nil
}

func sessionOptions(o *wire.SessionOptions) session.SessionOptions {
	if o == nil {
		return session.SessionOptions{}
	}
	out := session.SessionOptions{
		Headed: o.Headed, UserAgent: o.UserAgent, Locale: o.Locale, IgnoreHTTPSErrors: o.IgnoreHTTPSErrors,
		JavaScript: o.JavaScript, Profile: o.Profile, Proxy: o.Proxy, CDP: o.CDP, Target: o.Target, IdleTimeout: time.Duration(o.IdleTimeout),
	}
	if o.Viewport != nil {
		out.Viewport = &startup.Viewport{Width: o.Viewport.Width, Height: o.Viewport.Height}
	}
	return out
}
