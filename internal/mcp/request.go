package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/ops"
)

// Requests to the backend.

// get sends a request and decodes the data of its reply.
func (s *server) get(ctx context.Context, m wire.Message, into any) error {
	return ops.Ask(ctx, s.o.Backend, m, into)
}

// snapshot returns the page of a session as text. The text has a line for each element, and text of
// the page is quoted.
func (c *call) snapshot(ctx context.Context, options map[string]any, session string) (string, error) {
	var shot struct {
		Text string `json:"text"`
	}
	err := c.step(ctx, "snapshot", options, session, &shot)
	return diag.Clean(shot.Text), err
}

// step runs a step, and decodes the data of its result.
func (c *call) step(ctx context.Context, step string, args map[string]any, session string, into any) error {
	return c.get(ctx, &wire.StepRequest{Step: step, Args: args, RunOptions: wire.RunOptions{Session: cmp.Or(session, c.o.Session)}, Location: c.o.Location}, into)
}

// perform sends a request that runs an action or a step, and returns the result. If the client
// wants progress, it notifies the client of each step, except for steps of nested actions.
func (c *call) perform(ctx context.Context, m wire.Message) (*executor.Result, error) {
	done := 0
	var waits waiting
	defer waits.close()
	result, err := ops.AskWhole(ctx, c.o.Backend, m, func(e wire.Event) {
		if c.onApproval(ctx, &waits, e) {
			return
		}
		var step executor.StepEvent
		if c.token() == nil || json.Unmarshal(e.Data, &step) != nil || step.Status != executor.Waiting && (step.Depth > 0 || step.Status == executor.Skipped) {
			return
		}
		message := fmt.Sprintf("%s %s at %s of %s", step.Action, step.Status, step.Path, step.In)
		if step.Status == executor.Waiting {
			message = strings.TrimSuffix("waiting for a person: "+diag.Clean(step.Message), ": ")
		}
		done++
		// Ignore the error: it means that the client no longer reads, and the result is sent in any
		// case.
		_ = c.request.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
			ProgressToken: c.token(), Progress: float64(done), Message: message,
		})
	})
	if err != nil {
		return nil, err
	}
	if result.Action == "" && result.Error != nil { // rejected before it began
		return nil, result.Error
	}
	return result, nil
}
