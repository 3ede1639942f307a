//go:build linux

package main

import (
	"context"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// An agent hands its browser to a person: by a step, whose progress says so, and by its session.
func TestAgentHandsOver(t *testing.T) {
	t.Parallel()
	progress := make(chan *sdk.ProgressNotificationClientRequest, 100)
	a := newAgent(t, &sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { progress <- r }}, nil)
	a.done(t, "act", object{"step": "open", "args": object{"url": a.site + "/login"}})
	params := &sdk.CallToolParams{Name: "act", Arguments: object{"step": "handoff", "args": object{"message": "log in", "timeout": "5m"}}}
	params.SetProgressToken("person")
	answers := make(chan *sdk.CallToolResult, 1)
	go func() {
		r, err := a.CallTool(t.Context(), params)
		if err != nil {
			t.Error(err)
		}
		answers <- r
	}()
	wantParts(t, (<-progress).Params.Message, "waiting for a person: log in")
	text, _ := a.done(t, "session", object{"op": "list"})
	wantParts(t, text, "held", "a person uses it: log in")
	a.done(t, "session", object{"op": "resume"})
	if r := <-answers; r == nil || r.IsError {
		t.Errorf("the step: %+v", r)
	}
	text, _ = a.done(t, "session", object{"op": "handoff"})
	wantParts(t, text, "held", "resume")
	a.refused(t, "SESSION_HELD", "act", object{"step": "get", "args": object{"what": "title"}})
	a.done(t, "session", object{"op": "resume"})
	a.done(t, "act", object{"step": "get", "args": object{"what": "title"}})
}
