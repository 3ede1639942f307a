package session

// Handoffs that belong to no run: a person uses the browser of a session, and the caller may continue
// immediately.

import (
	"cmp"
	"context"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/steps/catalogue"
)

// A HandoffRequest describes a handoff that [Manager.Handoff] begins.
type HandoffRequest struct {
	Message string
	Until   string        // condition that ends the handoff; "" for none
	Timeout time.Duration // how long the person has, at most 24h; 0: 10m
	// Wait makes Handoff wait until the handoff has ended. The handoff then also ends when the
	// caller's context ends.
	Wait bool
}

// longestHandoff is the maximum of [HandoffRequest.Timeout].
const longestHandoff = 24 * time.Hour

// Handoff lets a person use the browser of the session of c, after the calls in its queue.
//
// If r.Wait is set, Handoff returns when the handoff has ended. ended is then [executor.Resumed] or
// [executor.ConditionHolds]. Otherwise Handoff returns when the person may begin, and info
// describes the session. The handoff then continues even if ctx ends.
func (m *Manager) Handoff(ctx context.Context, c Call, r HandoffRequest) (info *Info, ended string, err error) {
	if r.Timeout < 0 || r.Timeout > longestHandoff {
		return nil, "", diag.New(diag.InvalidRequest, "found the timeout %s, expected at most 24h", r.Timeout).WithHint("write a time such as 30m")
	}
	c.FromText, c.Timeout = true, r.Timeout
	args := map[string]any{"message": r.Message}
	if r.Until != "" {
		args["until"] = r.Until
	}
	k := &call{name: catalogue.Handoff, step: true, o: m.runOptions(c, args)}
	if r.Wait {
		result := m.do(ctx, c, k)
		data, _ := result.Data.(map[string]any)
		ended, _ := data["ended"].(string)
		return nil, ended, errorOf(result)
	}
	began := make(chan struct{})
	k.held = func() { close(began) }
	own, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	done, err := m.detach(func() error {
		defer cancel(nil)
		return errorOf(m.do(own, c, k))
	})
	if err != nil {
		cancel(nil)
		return nil, "", err
	}
	select {
	case <-began:
	case err := <-done:
		return nil, "", err
	case <-ctx.Done():
		cancel(context.Cause(ctx))
		return nil, "", <-done
	}
	return m.infoOf(cmp.Or(c.Session, DefaultName)), "", nil
}

// detach runs a call in the background, even after its caller has returned. The call ends at the
// latest when the manager is closed. The channel receives its error, or nil.
func (m *Manager) detach(do func() error) (<-chan error, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, errClosed()
	}
	done := make(chan error, 1)
	m.closing.Go(func() { done <- do() })
	return done, nil
}

// infoOf describes a session. If the session has already ended, only the name is set and the state
// is idle.
func (m *Manager) infoOf(name string) *Info {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.sessions[name]; s != nil {
		info := m.infoLocked(s)
		return &info
	}
	return &Info{Name: name, State: StateIdle}
}

func errorOf(r *executor.Result) error {
	if r.Error == nil {
		return nil
	}
	return r.Error
}
