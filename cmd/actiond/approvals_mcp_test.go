//go:build linux

package main

// Approvals of calls over the Model Context Protocol.

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestModelApprovesNothing: no argument of a tool is an answer, and no tool approves. With mcp in
// approve_by the user of the client answers in a form.
func TestModelApprovesNothing(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	var notes []string
	var mu sync.Mutex
	options := &sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
		mu.Lock()
		defer mu.Unlock()
		notes = append(notes, r.Params.Message)
	}}
	u := approving(t, "approve: [submit, open]")
	a := connect(t, u, options)
	tools, err := a.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		if strings.Contains(strings.ToLower(tool.Name+fmt.Sprint(tool.InputSchema)), "approv") {
			t.Errorf("the tool %s is about approvals", tool.Name)
		}
	}
	for _, args := range []object{
		{"step": "open", "args": object{"url": o.url}, "approve": true},
		{"step": "approve", "args": object{"id": "x"}},
		{"step": "open", "args": object{"url": o.url, "confirm": true, "approval": "approved"}},
	} {
		if text, _, failed := a.do(t, "act", args); !failed {
			t.Errorf("%v succeeds: %s", args, text)
		}
	}
	type outcome struct {
		text   string
		failed bool
	}
	done := make(chan outcome, 1)
	go func() {
		r, err := a.CallTool(t.Context(), &sdk.CallToolParams{Meta: sdk.Meta{"progressToken": "p"}, Name: "act", Arguments: object{"step": "open", "args": object{"url": o.url}}})
		if err != nil {
			done <- outcome{err.Error(), true}
			return
		}
		done <- outcome{fmt.Sprint(r.StructuredContent), r.IsError}
	}()
	id := text(u.pending(t), ".id") // of a server with sessions of its own
	mu.Lock()
	if !slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, "action approve "+id) }) {
		t.Errorf("the client is not told: %v", notes)
	}
	mu.Unlock()
	u.done(t, "deny", id, "--reason", "not now")
	if got := <-done; !got.failed || !strings.Contains(got.text, "POLICY_DENIED") || !strings.Contains(got.text, "not now") {
		t.Errorf("the tool answers %v", got)
	}
	if n := o.count("GET"); n != 0 {
		t.Errorf("%d requests arrived", n)
	}
}

func TestApprovalByElicitation(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	for _, tt := range []struct {
		name, policy string
		answer       *sdk.ElicitResult
		asked        int
		code         string
	}{
		{"yes", "approve: [open], approve_by: [mcp]", &sdk.ElicitResult{Action: "accept", Content: map[string]any{"approve": true}}, 1, ""},
		{"no", "approve: [open], approve_by: [mcp]", &sdk.ElicitResult{Action: "accept", Content: map[string]any{"approve": false}}, 1, "denied"},
		{"declined", "approve: [open], approve_by: [mcp]", &sdk.ElicitResult{Action: "decline"}, 1, "denied"},
		{"not allowed", "approve: [open], approve_timeout: 10s", &sdk.ElicitResult{Action: "accept", Content: map[string]any{"approve": true}}, 0, "expired"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked := 0
			options := &sdk.ClientOptions{ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
				asked++
				return tt.answer, nil
			}}
			a := connect(t, approving(t, tt.policy), options)
			text, _, failed := a.do(t, "act", object{"step": "open", "args": object{"url": o.url}})
			if failed != (tt.code != "") || asked != tt.asked {
				t.Errorf("asked %d times, the tool answers %s", asked, text)
			}
		})
	}
}
