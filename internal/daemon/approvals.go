package daemon

// Approvals. The client of a run that waits for an approval gets events about it. If the client
// disconnects, the run continues to wait.

import (
	"context"
	"errors"
	"slices"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/approvals"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/definitions"
	"github.com/actionregistry/action/internal/session"
)

// atTerminal reports whether the client runs a command line at a terminal.
func (c *conn) atTerminal() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range c.flights {
		if m, ok := f.req.Body.(*wire.CommandRequest); ok && m.Terminal {
			return true
		}
	}
	return false
}

// questions returns a context for a request whose run may ask for approvals. The client of the
// request receives events about them.
func (c *conn) questions(ctx context.Context, f *flight) context.Context {
	id := f.req.ID
	return approvals.WithCaller(ctx, approvals.Caller{
		Owner: c,
		Asked: func(a approvals.Approval) {
			c.wait(f, 1)
			c.event(id, wire.EventApproval, c.approvalEvent(f, &a))
		},
		Answered: func(a approvals.Approval) {
			c.wait(f, -1)
			c.event(id, wire.EventApprovalEnded, c.approvalEvent(f, &a))
		},
	})
}

func (c *conn) approvalEvent(f *flight, a *approvals.Approval) any {
	m, ok := f.req.Body.(*wire.CommandRequest)
	return struct {
		approvals.Approval
		Text     string `json:"text"`
		Terminal bool   `json:"terminal"`
	}{*a, a.Text(), ok && m.Terminal && slices.Contains(a.Channels, approvals.ByTerminal)}
}

// wait adds n to the number of approvals for which a request is waiting.
func (c *conn) wait(f *flight, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f.waits += n
}

// outlive returns the context of a request. It ends with ctx, the context of the connection. But if
// the client disconnects while the run waits for an approval, it ends only when the daemon stops.
func (c *conn) outlive(ctx context.Context, f *flight) (context.Context, context.CancelCauseFunc) {
	run, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := []func() bool{
		context.AfterFunc(ctx, func() {
			cause := context.Cause(ctx)
			c.mu.Lock()
			goesOn := f.waits > 0 && errors.Is(cause, errGone)
			c.mu.Unlock()
			if !goesOn {
				cancel(cause)
			}
		}),
		context.AfterFunc(c.base, func() { cancel(context.Cause(c.base)) }),
	}
	return run, func(cause error) {
		for _, s := range stop {
			s()
		}
		cancel(cause)
	}
}

// OnlyApprovals returns a backend that answers only requests about approvals.
func OnlyApprovals(table *approvals.Table) Backend { return onlyApprovals{table: table} }

// onlyApprovals is the result of OnlyApprovals.
type onlyApprovals struct{ table *approvals.Table }

func (b onlyApprovals) Approvals() *approvals.Table { return b.table }

func (onlyApprovals) refuse() *diag.Error {
	return diag.New(diag.InvalidRequest, "found a request of another type: this process answers only requests about approvals").
		WithHint("send the request to the daemon")
}

func (b onlyApprovals) Run(_ context.Context, _ session.Call, action string, _ map[string]any) *executor.Result {
	return &executor.Result{Action: action, Error: b.refuse()}
}

func (b onlyApprovals) Step(_ context.Context, _ session.Call, step string, _ map[string]any) *executor.Result {
	return &executor.Result{Action: step, Error: b.refuse()}
}

func (b onlyApprovals) DryRun(_ context.Context, _ session.Call, action string, _ map[string]any) *executor.Plan {
	return &executor.Plan{Action: action, Error: b.refuse()}
}

func (b onlyApprovals) Definitions(context.Context, session.Call) (*definitions.Set, error) {
	return nil, b.refuse()
}

func (b onlyApprovals) Reload(context.Context, session.Call) (*session.Reloaded, error) {
	return nil, b.refuse()
}

func (b onlyApprovals) Validate(context.Context, session.Call, []string) (*definitions.Validation, error) {
	return nil, b.refuse()
}

func (onlyApprovals) Problems() diag.List { return nil }

func (b onlyApprovals) Open(context.Context, session.Call, session.SessionOptions) (*session.Info, error) {
	return nil, b.refuse()
}

func (onlyApprovals) List() []session.Info { return nil }

func (b onlyApprovals) Handoff(context.Context, session.Call, session.HandoffRequest) (*session.Info, string, error) {
	return nil, "", b.refuse()
}

func (b onlyApprovals) Resume(string) (*session.HoldInfo, error) { return nil, b.refuse() }

func (b onlyApprovals) CloseSession(context.Context, string) error { return b.refuse() }

func (onlyApprovals) Close(context.Context) error { return nil }
