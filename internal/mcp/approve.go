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

// Approvals of a call. A model cannot approve anything: no tool answers an approval, and no
// argument of a tool does. The user answers over another channel, or in a form of the client if
// policy.approve_by lists mcp.

// approveSchema describes the form in which the user answers.
var approveSchema = json.RawMessage(`{"type":"object","properties":{"approve":{"type":"boolean","title":"Approve","description":"true lets the step run"}},"required":["approve"]}`)

// A waiting holds the forms that one call shows to its user.
type waiting struct {
	forms sync.WaitGroup
	end   context.CancelFunc // closes the form that is shown; nil if none is
}

// close closes the forms, and waits until they are closed.
func (w *waiting) close() {
	if w.end != nil {
		w.end()
	}
	w.forms.Wait()
}

// onApproval handles an event about an approval. It returns false for all other events.
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
	if slices.Contains(a.Channels, approvals.ByMCP) {
		if c.paused != nil {
			c.paused.asks <- &a
			return true
		}
		var shown context.Context
		shown, w.end = context.WithCancel(ctx)
		w.forms.Go(func() { c.askUser(shown, &a) })
	}
	return true
}

// askUser asks the user in a form of the client. If the client has no forms, or the user closes the
// form, no answer is sent.
func (c *call) askUser(ctx context.Context, a *approvals.Approval) {
	got, err := c.request.Session.Elicit(ctx, &sdk.ElicitParams{Message: "Approval required\n" + a.Text(), RequestedSchema: approveSchema})
	if err != nil {
		return
	}
	c.pass(ctx, a.ID, got)
}

// pass sends the user's answer to the backend. It sends nothing if the user has closed the form,
// because another channel may still answer.
func (c *call) pass(ctx context.Context, id string, got *sdk.ElicitResult) {
	var answer wire.Message = &wire.ApprovalDenyRequest{Approval: id, Channel: approvals.ByMCP}
	switch {
	case got.Action == "accept" && got.Content["approve"] == true:
		answer = &wire.ApprovalApproveRequest{Approval: id, Channel: approvals.ByMCP}
	case got.Action == "cancel":
		return
	}
	_, _ = c.o.Backend.Stream(ctx, answer, nil) // ignore the error: if the approval has ended, the result of the run says how
}

// approvalInput is the name of the input that contains the answer to an approval.
const approvalInput = "approval"

// A paused is a call that waits for an answer of its user. Since the protocol of 2026-07, the
// server replies to the request with a question. The client then sends the request again, with the
// answer.
type paused struct {
	asks chan *approvals.Approval
	done chan struct{} // closed when the call has ended and the fields below are set
	r    *reply
	err  error
}

// perhapsAsking runs the tool. If the request has the user's answer to an earlier question, it
// continues the paused call instead. The argument "serving" is the context of [Serve].
func (c *call) perhapsAsking(ctx, serving context.Context, t *tool) (*reply, error) {
	if p := c.continued(); p != nil {
		c.answered(ctx)
		return c.await(ctx, p)
	}
	if !c.asksByAnswer() {
		return t.run(ctx, c, c.request.Params.Arguments)
	}
	p := &paused{asks: make(chan *approvals.Approval, 1), done: make(chan struct{})}
	c.paused = p
	running, cancel := context.WithCancel(serving)
	stop := context.AfterFunc(ctx, cancel)
	c.running.Go(func() {
		defer cancel()
		defer close(p.done)
		p.r, p.err = t.run(running, c, c.request.Params.Arguments)
	})
	r, err := c.await(ctx, p)
	if r != nil && r.ask != nil {
		stop() // the run outlives this request
	}
	return r, err
}

// asksByAnswer reports whether the client shows forms by the newer protocol; see [paused].
func (c *call) asksByAnswer() bool {
	capabilities, params := c.request.ClientCapabilities(), c.request.Session.InitializeParams()
	return capabilities != nil && capabilities.Elicitation != nil && params != nil && params.ProtocolVersion >= "2026-07-28"
}

// await waits until the call ends, or until it has a question for its user.
func (c *call) await(ctx context.Context, p *paused) (*reply, error) {
	select {
	case <-p.done:
	case a := <-p.asks:
		c.mu.Lock()
		if c.server.paused == nil {
			c.server.paused = make(map[string]*paused)
		}
		c.server.paused[a.ID] = p
		c.mu.Unlock()
		return &reply{askID: approvalInput, state: a.ID, ask: &sdk.ElicitParams{Message: "Approval required\n" + a.Text(), RequestedSchema: approveSchema}}, nil
	case <-ctx.Done():
		<-p.done
	}
	return p.r, p.err
}

// continued returns the paused call to which this request has the answer. It returns nil if there
// is none.
func (c *call) continued() *paused {
	id := c.request.Params.RequestState
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.server.paused[id]
	delete(c.server.paused, id)
	return p
}

// answered sends the user's answer, which is in this request, to the backend.
func (c *call) answered(ctx context.Context) {
	got, _ := c.request.Params.InputResponses[approvalInput].(*sdk.ElicitResult)
	if got != nil {
		c.pass(ctx, c.request.Params.RequestState, got)
	}
}
