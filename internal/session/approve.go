package session

// Approvals of a call: how it asks a person, and what its pages may not do by themselves.

import (
	"context"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/approvals"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/rules"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/loader"
)

// Approvals returns the approvals of all sessions.
func (m *Manager) Approvals() *approvals.Table { return m.approvals }

// An Answerer answers an approval. It must return when ctx ends, and its answer is then ignored. If
// yes is false, reason says why.
type Answerer func(ctx context.Context, r *executor.ApprovalRequest) (yes bool, reason string)

// An asker implements [executor.Approver] for one call.
type asker struct {
	table    *approvals.Table
	policy   *loader.Policy
	session  string
	run      string   // id of the run in the table; "" until the run has asked a question
	embedded bool     // see [ManagerOptions.Embedded]
	answer   Answerer // see [Call.Answer]
}

// Approve implements [executor.Approver].
func (a *asker) Approve(ctx context.Context, r *executor.ApprovalRequest) error {
	channels, caller := a.policy.ApproveChannels(), approvals.CallerOf(ctx)
	if a.embedded {
		if a.answer == nil {
			return diag.New(diag.PolicyDenied, "%s requires an approval, but the program that runs it cannot answer approvals", r.Action).
				WithDetail("reason", "no_approver").WithHint("set RunOptions.Approve in the program")
		}
		channels, caller = []string{approvals.ByProgram}, a.program(ctx, r)
	}
	if len(channels) == 0 {
		return diag.New(diag.PolicyDenied, "%s requires an approval, but policy.approve_by lists no channel for the answer", r.Action).
			WithDetail("reason", "no_approver").WithHint("list a channel in policy.approve_by, such as `command`")
	}
	if a.run == "" {
		a.run = approvals.NewID()
	}
	return a.table.Ask(ctx, approvals.Question{
		ApprovalRequest: *r, Session: a.session, Run: a.run, Timeout: a.policy.ApproveTime(), Channels: channels,
		Caller: caller,
	})
}

// program returns the caller for an approval that the embedding program answers. Its Answered
// function cancels a.answer and waits until it has returned.
func (a *asker) program(ctx context.Context, r *executor.ApprovalRequest) approvals.Caller {
	ctx, cancel := context.WithCancel(ctx)
	var answering sync.WaitGroup
	return approvals.Caller{
		Asked: func(q approvals.Approval) {
			answering.Go(func() {
				yes, reason := a.answer(ctx, r)
				_, _ = a.table.Answer(q.ID, approvals.Reply{Yes: yes, Channel: approvals.ByProgram, UID: os.Getuid(), Reason: reason}) // fails if the approval has ended already
			})
		},
		Answered: func(approvals.Approval) {
			cancel()
			answering.Wait()
		},
	}
}

// finish adds the result of the call to its approvals.
func (a *asker) finish(result *executor.Result) {
	if a.run != "" {
		a.table.Finish(a.run, result)
	}
}

// guardOf returns what pages may not do without an approval.
func guardOf(p *loader.Policy) rules.Guard {
	has := func(r steps.Risk) bool { return slices.Contains(p.Approve, string(r)) }
	return rules.Guard{LeaveOrigin: has(steps.RiskLeaveOrigin), Submit: has(steps.RiskSubmit), Download: has(steps.RiskDownload)}
}

// dialogsUnder returns how dialogs are answered. If the policy requires an approval for accepting a
// dialog, all dialogs except alerts are dismissed or left open. A step can still accept one.
func dialogsUnder(p *loader.Policy) chrome.DialogPolicy {
	if !slices.Contains(p.Approve, string(steps.RiskDialog)) {
		return p.Dialogs
	}
	out := maps.Clone(p.Dialogs)
	if out == nil {
		out = make(map[string]string)
	}
	for _, kind := range []string{"confirm", "prompt", "beforeunload"} {
		if out[kind] != "leave" {
			out[kind] = "dismiss"
		}
	}
	return out
}
