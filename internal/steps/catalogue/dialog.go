package catalogue

import (
	"context"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

type acceptArgs struct {
	Text *string `arg:"text" pos:"1" doc:"text for a prompt; absent: its default"`
}

type answerResult struct {
	Answer  string  `json:"answer" doc:"of accept and dismiss: accepted or dismissed; for the next dialog: accept or dismiss"`
	Next    bool    `json:"next" doc:"of accept and dismiss: whether the answer is for the next dialog"`
	Kind    *string `json:"kind" doc:"of the dialog that was answered: alert, confirm, prompt or beforeunload; null for the next dialog"`
	Message *string `json:"message" doc:"of the dialog that was answered; null for the next dialog"`
}

type historyResult struct {
	Dialogs []dialogData `json:"dialogs" doc:"of history: the dialogs, oldest first, each with number (from 1, in the session), kind, message, default, answer (accepted, dismissed, open, gone), text, url, tab"`
}

type dialogData struct {
	Number  int    `json:"number"`
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Default string `json:"default"`
	Answer  string `json:"answer"`
	Text    string `json:"text"`
	URL     string `json:"url"`
	Tab     string `json:"tab"`
}

var dialogSteps = []*steps.Entry{steps.DefineVerbs(steps.Entry{
	Name: "dialog", Group: steps.GroupBrowser, Limit: steps.PageTime,
	Summary: "answer a dialog of the page (alert, confirm, prompt, beforeunload)",
	Doc: "An open dialog blocks its page, so dialogs are answered at once: " +
		"alert and beforeunload are accepted, confirm and prompt dismissed, unless `policy.dialogs` says otherwise. " +
		"`accept` and `dismiss` set the answer for the next dialog of the active tab: use them before the step that opens it. A later answer replaces an unused one. " +
		"A run drops an unused answer at its end, with the warning dialog_unused. After a manual step, the answer stays until it is used.\n\n" +
		"If the policy leaves dialogs open, `accept` and `dismiss` answer the open dialog at once. Until then, every step that requires the page fails and names the dialog.",
	Example: "dialog: {do: accept, text: Ada}",
},
	steps.NewVerb(steps.Verb{Name: "accept", Doc: "accept the open dialog, or the next one"}, func(ctx context.Context, env *steps.Env, a *acceptArgs) (answerResult, error) {
		return answerDialog(ctx, env, "accept", driver.DialogAnswer{Accept: true, Text: a.Text})
	}),
	steps.NewVerb(steps.Verb{Name: "dismiss", Doc: "dismiss the open dialog, or the next one"}, func(ctx context.Context, env *steps.Env, _ *noArgs) (answerResult, error) {
		return answerDialog(ctx, env, "dismiss", driver.DialogAnswer{})
	}),
	steps.NewVerb(steps.Verb{Name: "history", Doc: "list the last 10 dialogs of the session", Looks: true}, func(_ context.Context, env *steps.Env, _ *noArgs) (r historyResult, err error) {
		for _, d := range env.Browser.DialogHistory() {
			r.Dialogs = append(r.Dialogs, dialogData(d))
		}
		return r, nil
	}),
)}

func answerDialog(ctx context.Context, env *steps.Env, verb string, answer driver.DialogAnswer) (r answerResult, err error) {
	d, err := env.Browser.AnswerDialog(ctx, answer)
	switch {
	case err != nil:
		return r, err
	case d == nil:
		return answerResult{Answer: verb, Next: true}, nil
	case answer.Text != nil && d.Kind != "prompt":
		return r, diag.New(diag.StepFailed, "the dialog (%s %q) was accepted, but it takes no text", d.Kind, d.Message).
			WithHint("pass a text only for a prompt")
	}
	return answerResult{Answer: d.Answer, Kind: &d.Kind, Message: &d.Message}, nil
}
