//go:build linux

package main

import (
	"context"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// An agent hands its browser to a person: by a step, whose progress says so, and by its session. The
// person ends it with a command that finds the session in the server of the agent; the agent cannot.
func TestAgentHandsOver(t *testing.T) {
	t.Parallel()
	progress := make(chan *sdk.ProgressNotificationClientRequest, 100)
	u, site := shopUser(t)
	a := connect(t, u, &sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { progress <- r }})
	a.done(t, "act", object{"step": "open", "args": object{"url": site + "/login"}})
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
	u.done(t, "session", "resume")
	if r := <-answers; r == nil || r.IsError {
		t.Errorf("the step: %+v", r)
	}
	text, _ = a.done(t, "session", object{"op": "handoff"})
	wantParts(t, text, "held", "resume")
	a.refused(t, "INVALID_REQUEST", "session", object{"op": "resume"})
	a.refused(t, "SESSION_HELD", "act", object{"step": "get", "args": object{"what": "title"}})
	u.done(t, "session", "resume")
	a.done(t, "act", object{"step": "get", "args": object{"what": "title"}})
}
