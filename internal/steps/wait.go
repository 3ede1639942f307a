package steps

import (
	"context"
	"time"

	"github.com/actionregistry/action/diag"
)

var elementStates = []string{"visible", "hidden", "attached", "detached", "enabled", "disabled", "checked", "unchecked"}

var waitSteps = []*Entry{
	{
		Name: "wait", Aliases: []string{"wait_text", "wait_load_state", "wait_function"}, Group: GroupWait,
		Summary: "wait until a condition holds",
		Doc: "Exactly one of selector (with state, text or both), text, url, load_state, function, condition, stable and time. " +
			"In a document that is still loading nothing counts as hidden or detached. The element of a ref is also detached when its document has left the tab. " +
			"For networkidle and stable, a fetch whose answer the page does not read counts as answered; " +
			"a long or chunked one when nothing of it has come for a second, or for three where some has and it is no JSON. " +
			"A wait for a selector fails with ELEMENT_NOT_FOUND or ELEMENT_NOT_INTERACTABLE, other waits with TIMEOUT, each with what was seen.",
		Example: "wait: {selector: role:dialog, state: hidden}",
		Args: []Arg{
			selectorArg("an element", false),
			{Name: "state", Type: ArgEnum, Values: elementStates, Default: "visible", Doc: "state of the element"},
			{Name: "text", Type: ArgText, Doc: "rendered text that the element must contain, or that must be visible on the page"},
			keepArg,
			{Name: "url", Type: ArgURL, Doc: "a part of the address, a glob with *, or a pattern between slashes; values put in are literal. A part that begins with / or has a scheme, and has no ?, does not match in the query"},
			{Name: "load_state", Type: ArgEnum, Values: []string{string(Load), string(DOMContentLoaded), string(NetworkIdle), string(Commit)}, Doc: "load state to wait for"},
			{Name: "function", Type: ArgScript, Doc: "a script that must return true, in the page's own world"},
			{Name: "args", Type: ArgValueMap, Doc: "values in scope of function"},
			{Name: "condition", Type: ArgCondition, Doc: "a condition; useful if it reads page.url or page.title"},
			{Name: "stable", Type: ArgBoolean, Doc: "true: no request and no DOM change for 500ms, no busy overlay"},
			{Name: "time", Type: ArgDuration, Doc: "a pause; the last resort"},
		},
		OneOf:     []string{"selector", "text", "url", "load_state", "function", "condition", "stable", "time"},
		With:      map[string]string{"state": "selector", "args": "function", "text": "selector", "keep": "selector"},
		Hand:      []string{"selector"},
		AliasHand: map[string][]string{"wait_text": {"text"}, "wait_load_state": {"load_state"}, "wait_function": {"function"}},
		Result: []Field{{"role", "of the element"}, {"name", "of the element"}, {"text", "of the element"},
			{"url", "the address that matched"}, {"value", "of function"}},
		LimitOf: waitLimit, Check: checkWait, Run: wait,
	},
}

func waitLimit(written map[string]*Expr) Limit {
	switch {
	case written["time"] != nil:
		return NoTime
	case written["selector"] != nil || written["text"] != nil:
		return ElementTime
	}
	return PageTime
}

func checkWait(op *Op) diag.List {
	if x := op.Args["stable"]; x != nil && x.literal == false {
		return diag.List{diag.At(x.Pos, diag.DefinitionInvalid, "stable: false waits for nothing").
			WithHint("write stable: true, or drop the step")}
	}
	state, _ := op.Args["state"].literalText()
	if x := op.Args["keep"]; x != nil && (state == "hidden" || state == "detached") {
		return diag.List{diag.At(x.Pos, diag.DefinitionInvalid, "wait for %s keeps nothing", state).
			WithHint("drop keep, or wait for what the control shows")}
	}
	return nil
}

func wait(ctx context.Context, env *Env, a *Args) (Result, error) {
	switch {
	case a.Has("selector"):
		state := a.Text("state")
		if state == "" {
			state = "visible"
		}
		return element(env.Page.WaitElement(ctx, *keeping(a.Target("selector"), a), ElementState{State: state, Text: a.Text("text")}))
	case a.Has("text"):
		return Result{}, env.Page.WaitText(ctx, a.Text("text"))
	case a.Has("url"):
		url, err := env.Page.WaitURL(ctx, a.URL("url"))
		if err != nil {
			return nil, err
		}
		return Result{"url": url}, nil
	case a.Has("load_state"):
		return Result{}, env.Page.WaitLoad(ctx, LoadState(a.Text("load_state")))
	case a.Has("function"):
		value, err := env.Page.WaitFunction(ctx, a.Text("function"), a.Map("args"))
		if err != nil {
			return nil, err
		}
		return Result{"value": value}, nil
	case a.Has("condition"):
		return Result{}, waitCondition(ctx, env, a)
	case a.Has("time"):
		return Result{}, env.Flow.Pause(ctx, a.Duration("time", 0))
	}
	return Result{}, env.Page.WaitStable(ctx)
}

// conditionDelay is the pause between two evaluations of a condition: conditions read the
// address and the title, which no event of the page announces to a script.
const conditionDelay = 50 * time.Millisecond

func waitCondition(ctx context.Context, env *Env, a *Args) error {
	for {
		ok, err := env.Flow.Holds(ctx, a.Condition("condition"))
		if ok {
			return nil
		}
		if err == nil {
			err = env.Flow.Pause(ctx, conditionDelay)
		}
		if err != nil {
			// The time may also end during the query.
			if diag.CodeOf(err) == diag.Timeout {
				return diag.New(diag.Timeout, "the condition %s did not come to hold", a.Condition("condition")).
					WithHint("see the page's address and title, or give the step a longer timeout").Because(err)
			}
			return err
		}
	}
}
