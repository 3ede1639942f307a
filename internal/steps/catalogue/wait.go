package catalogue

import (
	"context"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/selectors"
)

// scriptWait is the alias of wait for a wait with a script. A policy allows or denies these waits
// by this name.
const scriptWait = "wait_function"

type waitArgs struct {
	Selector *driver.Target `arg:"selector,one" pos:"1" doc:"an element"`
	State    string         `arg:"state" with:"selector" enum:"visible hidden attached detached enabled disabled checked unchecked" default:"visible" doc:"state of the element"`
	Text     *string        `arg:"text,one" with:"selector" alias:"wait_text" doc:"rendered text that the element must contain, or that must be visible on the page"`
	Keep     steps.Kept     `arg:"keep" with:"selector" default:"false" doc:"true: the run has set what is read; it is checked again at the end, like a control that the run has filled (see What a run has set)"`

	URL       *driver.URLPattern `arg:"url,one" doc:"a part of the address, a glob with *, or a pattern between slashes; inserted values are literal. A part that begins with / or has a scheme, and has no ?, does not match in the query"`
	LoadState *driver.LoadState  `arg:"load_state,one" alias:"wait_load_state" doc:"load state to wait for"`
	Function  *steps.Script      `arg:"function,one" alias:"wait_function" doc:"a script in the page's own world, whose value must be truthy"`
	Args      steps.ScriptArgs   `arg:"args" with:"function" doc:"values in the scope of function"`
	Condition *expr.Condition    `arg:"condition,one" doc:"a condition; useful if it reads page.url or page.title"`
	Stable    bool               `arg:"stable,one" doc:"true: no request and no DOM change for 500ms, no busy overlay"`
	Time      *time.Duration     `arg:"time,one" instead:"selector" doc:"a pause; the last resort"`
}

type waitResult struct {
	Role  *string `json:"role,omitempty" doc:"of the element"`
	Name  *string `json:"name,omitempty" doc:"of the element"`
	Text  *string `json:"text,omitempty" doc:"of the element"`
	URL   *string `json:"url,omitempty" doc:"the address that matched"`
	Value *any    `json:"value,omitempty" doc:"of function"`
}

var waitSteps = []*steps.Entry{
	steps.Define(steps.Entry{
		Name: "wait", Aliases: []string{"wait_text", "wait_load_state", scriptWait}, Group: steps.GroupWait, Granted: []string{scriptWait},
		Summary: "wait until a condition holds",
		Doc: "Takes exactly one of selector (with state, text or both), text, url, load_state, function, condition, stable and time. " +
			"While a document is loading, nothing counts as hidden or detached. The element of a ref also counts as detached when its document has left the tab.\n\n" +
			"For networkidle and stable, a fetch whose answer the page does not read counts as answered; " +
			"a long or chunked answer only once nothing of it has arrived for a second, or for three seconds if some has arrived and it is not JSON. " +
			"A wait for a selector fails with ELEMENT_NOT_FOUND or ELEMENT_NOT_INTERACTABLE, other waits with TIMEOUT; the error says what was seen.",
		Example: "wait: {selector: role:dialog, state: hidden}",
	}, wait, steps.Limited(waitLimit), steps.Checks(checkWait), steps.Looks(holdsNow),
		steps.Permitted(func(w *steps.Written[waitArgs]) string {
			if w.Has(&w.Args.Function) {
				return scriptWait
			}
			return "wait"
		}),
		steps.Pageless(func(w *steps.Written[waitArgs]) bool { return w.Has(&w.Args.Time) || w.Has(&w.Args.Condition) }),
		steps.Reading(func(w *steps.Written[waitArgs]) bool { return w.Has(&w.Args.Text) || w.Has(&w.Args.Function) })),
}

func waitLimit(w *steps.Written[waitArgs]) steps.Limit {
	switch {
	case w.Has(&w.Args.Time):
		return steps.NoTime
	case w.Has(&w.Args.Selector) || w.Has(&w.Args.Text):
		return steps.ElementTime
	}
	return steps.PageTime
}

func checkWait(w *steps.Written[waitArgs]) diag.List {
	if x := w.At(&w.Args.Stable); x != nil && x.Literal == false {
		return diag.List{diag.At(x.Pos, diag.DefinitionInvalid, "found stable: false, expected true").
			WithHint("write `stable: true`, or remove the step")}
	}
	state := w.Text(&w.Args.State)
	if x := w.At(&w.Args.Keep); x != nil && (state == "hidden" || state == "detached") {
		return diag.List{diag.At(x.Pos, diag.DefinitionInvalid, "found `keep` with the state %s, expected a state in which the element exists", state).
			WithHint("remove `keep`, which is only for elements that exist at the end of the run")}
	}
	return nil
}

func wait(ctx context.Context, env *steps.Env, a *waitArgs) (r waitResult, err error) {
	switch {
	case a.Selector != nil:
		state := driver.ElementState{State: a.State}
		if a.Text != nil {
			state.Text = *a.Text
		}
		e, err := env.Page.WaitElement(ctx, a.Keep.On(*a.Selector), state)
		return waitResult{Role: &e.Role, Name: &e.Name, Text: &e.Text}, err
	case a.Text != nil:
		err = env.Page.WaitText(ctx, *a.Text)
	case a.URL != nil:
		url, err := env.Page.WaitURL(ctx, *a.URL)
		return waitResult{URL: &url}, err
	case a.LoadState != nil:
		err = env.Page.WaitLoad(ctx, *a.LoadState)
	case a.Function != nil:
		value, err := env.Page.WaitFunction(ctx, string(*a.Function), a.Args)
		return waitResult{Value: &value}, err
	case a.Condition != nil:
		err = waitCondition(ctx, env, a.Condition)
	case a.Time != nil:
		err = env.Flow.Pause(ctx, *a.Time)
	default:
		err = env.Page.WaitStable(ctx)
	}
	return r, err
}

// holdsNow reports whether the condition of a wait holds now. It does not wait. known is false if
// the wait is not for an element, a text or an address.
func holdsNow(ctx context.Context, env *steps.Env, a *waitArgs) (holds, known bool, err error) {
	switch {
	case a.Selector != nil: // the target does not wait
		_, err = wait(ctx, env, a)
		return true, true, err
	case a.Text != nil:
		n, err := env.Page.Count(ctx, textTarget(*a.Text))
		return n > 0, true, err
	case a.URL != nil:
		over, cancel := env.Over(ctx)
		defer cancel()
		_, err := env.Page.WaitURL(over, *a.URL)
		if diag.CodeOf(err) == diag.Timeout {
			return false, true, nil
		}
		return true, true, err
	}
	return false, false, nil
}

// textTarget returns a target that matches a text anywhere in the page.
func textTarget(text string) driver.Target {
	q := &selectors.Query{Parts: []selectors.QueryPart{{Kind: selectors.TextKind, Op: selectors.Contains, Value: text}}}
	return driver.Target{
		Source: "text*:" + text,
		Bind:   func(context.Context, driver.Document) (*selectors.Query, error) { return q, nil },
	}
}

// conditionDelay is the pause between two evaluations of a condition.
const conditionDelay = 50 * time.Millisecond

func waitCondition(ctx context.Context, env *steps.Env, c *expr.Condition) error {
	for {
		ok, err := env.Flow.Holds(ctx, c)
		if ok {
			return nil
		}
		if err == nil {
			err = env.Flow.Pause(ctx, conditionDelay)
		}
		if err != nil {
			// The time limit may also pass during the query.
			if diag.CodeOf(err) == diag.Timeout {
				return diag.New(diag.Timeout, "the condition %s did not hold in time", c).
					WithHint("check the page's address and title, or use a longer timeout").Because(err)
			}
			return err
		}
	}
}
