package catalogue

import (
	"context"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

// Handoff is the name of the step that lets a person use the browser.
const Handoff = "handoff"

// The time for which handoff waits for a person.
const (
	handoffTime    = 10 * time.Minute
	longestHandoff = 24 * time.Hour
)

type handoffArgs struct {
	Message string          `arg:"message" pos:"1" default:"" doc:"what the person should do"`
	Until   *expr.Condition `arg:"until" doc:"a condition that ends the wait, such as one about page.url or page.title; without it, only a person does"`
}

type handoffResult struct {
	Ended string `json:"ended" doc:"resumed or condition"`
}

var handoffSteps = []*steps.Entry{
	steps.Define(steps.Entry{
		Name: Handoff, Group: steps.GroupBrowser, Limit: steps.NoTime,
		Summary: "let a person use the browser, and wait",
		Doc: "Waits until somebody resumes the session (action session resume), until the condition holds, or until timeout is over: 10m by default, at most 24h. Then the step fails with TIMEOUT. " +
			"Meanwhile, other calls of the session fail with SESSION_HELD, and nothing that happens in the browser is recorded: requests, console, dialogs, downloads. Dialogs are left to the person. " +
			"The time does not count for the time limits of the run. Refs from before are stale afterwards. See docs/sessions.md.",
		Example: "{handoff: {message: \"log in, please\", until: \"${page.url} contains '/home'\"}, timeout: 20m}",
		Effect:  driver.AnyEffect,
	}, handoff, steps.Checks(checkHandoff)),
}

func checkHandoff(w *steps.Written[handoffArgs]) diag.List {
	if limit := w.Op.Spec.Timeout; limit != nil && *limit > longestHandoff {
		return diag.List{diag.At(w.Op.Spec.Pos, diag.DefinitionInvalid, "found the timeout %s, expected at most 24h", *limit).
			WithHint("write a shorter timeout; if no person comes in that time, run the action again")}
	}
	return nil
}

func handoff(ctx context.Context, env *steps.Env, a *handoffArgs) (handoffResult, error) {
	limit := env.Timeout
	if limit == 0 {
		limit = handoffTime
	}
	end, err := env.Flow.Handoff(ctx, steps.Handoff{Message: a.Message, Until: a.Until, Timeout: min(limit, longestHandoff)})
	return handoffResult{Ended: end}, err
}
