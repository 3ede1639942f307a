package daemon_test

import (
	"context"
	"errors"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/approvals"
	"github.com/actionregistry/action/internal/definitions"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/registry"
)

// A fake is a backend without browsers. A session runs one call at a time. The name of an action
// determines what it does.
type fake struct {
	closed  chan struct{}
	table   *approvals.Table
	started chan string // receives the session of every hang that has begun; may be nil

	mu       sync.Mutex
	sessions map[string]*fakeSession
}

type fakeSession struct {
	turn   chan struct{}
	ctx    context.Context
	cancel context.CancelFunc
}

func newFake() *fake {
	return &fake{table: approvals.New(nil, nil), closed: make(chan struct{}), started: make(chan string, 100), sessions: make(map[string]*fakeSession)}
}

func (f *fake) Approvals() *approvals.Table { return f.table }

func (f *fake) session(name string) *fakeSession {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.sessions[name]
	if s == nil {
		s = &fakeSession{turn: make(chan struct{}, 1)}
		s.ctx, s.cancel = context.WithCancel(context.Background())
		f.sessions[name] = s
	}
	return s
}

func (f *fake) RunDescribed(ctx context.Context, c session.Call, action string, complete func(*registry.Description) (session.Call, map[string]any, error)) *executor.Result {
	whole, params, err := complete(&registry.Description{Name: action})
	if err != nil {
		return &executor.Result{Error: diag.As(err)}
	}
	whole.Session = c.Session
	return f.Run(ctx, whole, action, params)
}

func (f *fake) Run(ctx context.Context, c session.Call, action string, params map[string]any) *executor.Result {
	s := f.session(c.Session)
	result := &executor.Result{Action: action}
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return cancelledResult(result)
	}
	switch action {
	case "test:hang":
		f.started <- c.Session
		select {
		case <-ctx.Done():
		case <-s.ctx.Done():
		}
		return cancelledResult(result)
	case "test:panic":
		panic(params["secret"])
	case "test:big":
		result.Data = strings.Repeat("x", int(params["bytes"].(int64)))
	case "test:events":
		for i := range int(params["count"].(int64)) {
			if c.OnStep != nil {
				c.OnStep(executor.StepEvent{In: action, StepResult: executor.StepResult{Index: i, Action: "wait", Status: executor.OK, Output: params["output"]}})
			}
		}
		if c.Trace != nil {
			if _, err := c.Trace.Write([]byte("{\"line\":1}\n{\"line\":2}\n")); err != nil {
				panic(err)
			}
		}
	default:
		result.Data = map[string]any{"session": c.Session, "params": params, "cwd": c.Cwd, "env": c.Env, "timeout": c.Timeout.String()}
	}
	result.Success = true
	return result
}

func cancelledResult(r *executor.Result) *executor.Result {
	r.Error = diag.New(diag.Cancelled, "the run was cancelled")
	return r
}

func (f *fake) Step(ctx context.Context, c session.Call, step string, args map[string]any) *executor.Result {
	return f.Run(ctx, c, step, args)
}

func (f *fake) DryRun(_ context.Context, _ session.Call, action string, params map[string]any) *executor.Plan {
	if action == "test:none" {
		return &executor.Plan{Action: action, Error: diag.New(diag.ActionNotFound, "there is no action %q", action)}
	}
	return &executor.Plan{Success: true, Action: action, Params: params, Steps: []*executor.PlanStep{}}
}

// builtin returns the builtin definitions.
var builtin = sync.OnceValues(func() (*definitions.Set, error) {
	return definitions.Load(context.Background(), definitions.Options{})
})

func (f *fake) Definitions(ctx context.Context, c session.Call) (*definitions.Set, error) {
	if c.Cwd == "/hang" {
		f.started <- c.Cwd
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return builtin()
}

func (f *fake) Reload(context.Context, session.Call) (*session.Reloaded, error) {
	return &session.Reloaded{Actions: 1}, nil
}

func (f *fake) Validate(ctx context.Context, c session.Call, paths []string) (*definitions.Validation, error) {
	return definitions.Validate(ctx, definitions.Options{Cwd: c.Cwd}, paths)
}

func (f *fake) Problems() diag.List { return nil }

func (f *fake) Open(_ context.Context, c session.Call, _ session.SessionOptions) (*session.Info, error) {
	f.session(c.Session)
	return &session.Info{Name: c.Session, State: "idle"}, nil
}

func (f *fake) List() []session.Info {
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []session.Info
	for name := range f.sessions {
		list = append(list, session.Info{Name: name, State: "idle"})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

func (f *fake) CloseSession(_ context.Context, name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.sessions[name]
	if s == nil {
		return diag.New(diag.InvalidRequest, "there is no session %q", name)
	}
	s.cancel()
	delete(f.sessions, name)
	return nil
}

func (f *fake) Handoff(_ context.Context, c session.Call, r session.HandoffRequest) (*session.Info, string, error) {
	if r.Wait {
		return nil, executor.Resumed, nil
	}
	return &session.Info{Name: c.Session, State: session.StateHeld, Held: &session.HoldInfo{Step: "handoff", Until: r.Until, Message: r.Message, End: time.Now().Add(r.Timeout)}}, "", nil
}

func (f *fake) Resume(name string) (*session.HoldInfo, error) {
	return nil, diag.New(diag.InvalidRequest, "no person has taken over the session %s", name)
}

func (f *fake) Close(context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if closedAlready(f.closed) {
		return errors.New("closed twice")
	}
	for name, s := range f.sessions {
		s.cancel()
		delete(f.sessions, name)
	}
	close(f.closed)
	return nil
}

func closedAlready(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
