package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/actionregistry/action/internal/approvals"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// Approvals of a call. No tool approves anything, and no argument of a tool is an answer: the user
// answers elsewhere, or in a form of the client if policy.approve_by lists mcp.

// approveSchema is the form that asks the user.
var approveSchema = json.RawMessage(`{"type":"object","properties":{"approve":{"type":"boolean","title":"Approve","description":"true lets the step run"}},"required":["approve"]}`)

// A waiting is what one call asks its user. The zero value asks nothing.
type waiting struct {
	forms sync.WaitGroup
	end   context.CancelFunc // ends the form that is shown; nil for none
}

// close ends the form that is shown and waits for it.
func (w *waiting) close() {
	if w.end != nil {
		w.end()
	}
	w.forms.Wait()
}

// onApproval handles an event about an approval. It reports whether the event is one.
func (c *call) onApproval(ctx context.Context, w *waiting, e wire.Event) bool {
	switch e.Event {
	case wire.EventApprovalEnded:
		if w.end != nil {
			w.end()
		}
		return true
	case wire.EventApproval:
	default:
		return false
	}
	var a approvals.Approval
	if json.Unmarshal(e.Data, &a) != nil || a.ID == "" {
		return true
	}
	text := fmt.Sprintf("waiting for approval %s: action approve %s", a.ID, a.ID)
	if c.token() != nil {
		_ = c.request.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: c.token(), Message: text})
	}
	_ = c.request.Session.Log(ctx, &sdk.LoggingMessageParams{Level: "notice", Logger: "action", Data: text})
	if slices.Contains(a.Channels, approvals.ByMCP) {
		var shown context.Context
		shown, w.end = context.WithCancel(ctx)
		w.forms.Go(func() { c.askUser(shown, &a) })
	}
	return true
}

// askUser asks the user of the client in a form. A client without forms leaves the question to the
// other channels, and so does a user who closes the form.
func (c *call) askUser(ctx context.Context, a *approvals.Approval) {
	got, err := c.request.Session.Elicit(ctx, &sdk.ElicitParams{Message: "Approval required\n" + a.Text(), RequestedSchema: approveSchema})
	if err != nil {
		return
	}
	yes := got.Action == "accept" && got.Content["approve"] == true
	var answer wire.Message = &wire.ApprovalDenyRequest{Approval: a.ID, Channel: approvals.ByMCP}
	switch {
	case yes:
		answer = &wire.ApprovalApproveRequest{Approval: a.ID, Channel: approvals.ByMCP}
	case got.Action == "cancel":
		return
	}
	_, _ = c.o.Backend.Stream(ctx, answer, nil) // if it has ended, the result of the run says how
}
