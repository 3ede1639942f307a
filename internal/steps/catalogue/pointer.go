package catalogue

import (
	"context"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

type heldKeys struct {
	Modifiers []string `arg:"modifiers" doc:"keys held during the press: Alt, Control, Meta, Shift; ${modifier} is Meta on macOS, otherwise Control"`
}

type mouseButton struct {
	Button string `arg:"button" enum:"left middle right" default:"left" doc:"mouse button"`
}

// pressPlace determines where and how to press.
type pressPlace struct {
	Selector *driver.Target `arg:"selector,one" pos:"1" doc:"what to press"`
	X        *float64       `arg:"x,one" doc:"instead of a selector: position in the viewport, in CSS pixels"`
	Y        *float64       `arg:"y" with:"x" doc:"see x"`
	mouseButton
	heldKeys
	Position *driver.Point `arg:"position" with:"selector" doc:"where to press, relative to the element's top left corner"`
}

type clickArgs struct {
	pressPlace
	Count int `arg:"count" default:"1" min:"1" max:"3" doc:"how many times, as one gesture"`
}

type hoverArgs struct {
	Selector driver.Target `arg:"selector,required" pos:"1" doc:"the element to move to"`
	heldKeys
	Position *driver.Point `arg:"position" doc:"where to move, relative to the element's top left corner"`
}

type pressResult struct {
	Role      string       `json:"role" doc:"ARIA role of the element"`
	Name      string       `json:"name" doc:"its accessible name"`
	Navigated bool         `json:"navigated" doc:"whether the press led to a new document"`
	URL       *string      `json:"url,omitempty" doc:"address of the new document, if there is one"`
	Frame     *frameResult `json:"frame" doc:"{url, status} of the document that a link or form opened in a frame of the page; null if there is none"`
	Tab       *string      `json:"tab" doc:"id of the tab that the press opened, or navigated by its name; null if there is none"`
	TabStatus *int         `json:"tab_status" doc:"HTTP status of the document in that tab, 0 if it has none; null without a tab"`
	NotSent   *string      `json:"not_sent" doc:"why the browser has not sent the form of the button, if the page has not sent it either; null if there is no such form"`
}

type frameResult struct {
	URL    string `json:"url"`
	Status int    `json:"status"`
}

const pressDoc = "Waits until the element is visible, stable and enabled and the press would hit it. A text field that has the focus is left first if the element is still disabled when the page's requests and timers are over (a page may enable it then), or is in another row of the same list whose rows have the same fields. A button that shows that it is busy (aria-busy, a class such as is-loading, data-loading) does not count as enabled, unless it declares that it opens something. A press that would hit anything else does not reach the page.\n\n" +
	"A page that updates the rows of a list in place may give the element to another record during the press: the selector then no longer matches the element, and its name or its row has changed. The rest of the press does not reach the page then. " +
	"If the field that lost the focus caused the change, the element is found and pressed again, unless the page changed its words or sent something when the button went down. Otherwise the step is STEP_FAILED with details.reason changed (STALE_REF for a ref of the run itself), because the page may have acted when the mouse button went down.\n\n" +
	"A press that begins but is not followed by a click is STEP_FAILED, and details.reason says why:\n\n" +
	"- The element was disabled.\n" +
	"- The field that lost the focus changed the page or covered the element.\n" +
	"- The page rendered the same control or its content again, as when a row becomes selected. A control with another id, reference or class is still the same, unless the class is that of a state, such as active.\n" +
	"- The press of a button or link laid a mask over it, in which there is nothing to choose.\n\n" +
	"A click that the element is expected to ignore is STEP_FAILED too. That is so if the press has set aria-disabled on the element, or if another field has lost the focus and the element has shown since then that it is busy. So is a prevented click on a button that shows since the mouse button went down that it is busy, if nothing was sent. For a link or another element that serves as a button, a class that means disabled counts like busy. At a point, where the step waits for nothing, this includes an element that was disabled or busy before.\n\n" +
	"It is not a failure if the element acts when the mouse button goes down: an option disappears, a button is rendered again as selected or with other words, the address changes, a message or a list appears, a calendar turns its month, another field gets a value, or a list opens over its field. The warning removed or covered says so, " +
	"unless the element declares what it opened (aria-expanded). " +
	"A visually hidden checkbox, radio or switch is pressed through its label, or otherwise through the small box that its parent draws for it.\n\n" +
	"If the press makes the browser or a script of the page find a field invalid (an invalid event, also in a frame of the same origin, but not in a closed shadow root or one that the press creates), the step is STEP_FAILED and names the field, unless a form is sent after it. " +
	"Validation caused by a checkbox, a tab or another control that only changes a state does not count, nor does validation when a field loses the focus. " +
	"If the browser does not send a form because the button's own click handlers remove it from the page, disable the button or move the button out of its form, the step is STEP_FAILED if the form has an address (action) and no other button that sends it. " +
	"Otherwise the step has the warning not_sent, because a button may only close its form, or store it in another way. Neither applies if the page has prevented the click's default, sent anything but a GET, or gone elsewhere.\n\n" +
	"If the press starts a navigation, of the page or of a frame, the step ends when the new document is committed. A navigation without a document (204, 205, refused, stopped, prevented by beforeunload) is NAVIGATION_FAILED, " +
	"and so is one that the browser does not allow to begin (a sandbox, the page's Content Security Policy, a link to a file). " +
	"The step does not wait for a frame that the press adds, or for an invisible frame that a script navigates; a form sent into such a frame only has to reach its server. " +
	"A tab that the press opens with an address, or navigates by its name, must show its document too. " +
	"A download is neither a navigation nor a failure; a warning names it. The step does not wait for what the page starts later, from a timer."

var pointerSteps = []*steps.Entry{
	steps.Define(steps.Entry{
		Name: "click", Group: steps.GroupPointer, Limit: steps.InputTime,
		Summary: "press an element", Doc: pressDoc,
		Example: "click: \"role:button[name='Save']\"",
	}, func(ctx context.Context, env *steps.Env, a *clickArgs) (pressResult, error) {
		return click(ctx, env, &a.pressPlace, a.Count)
	}, steps.Checks(func(w *steps.Written[clickArgs]) diag.List { return needsY(w.At(&w.Args.X), w.At(&w.Args.Y)) })),
	steps.Define(steps.Entry{
		Name: "dblclick", Group: steps.GroupPointer, Limit: steps.InputTime,
		Summary: "press an element twice", Doc: "As click, with count 2.",
		Example: "dblclick: \"text:Total\"",
	}, func(ctx context.Context, env *steps.Env, a *pressPlace) (pressResult, error) {
		return click(ctx, env, a, 2)
	}, steps.Checks(func(w *steps.Written[pressPlace]) diag.List { return needsY(w.At(&w.Args.X), w.At(&w.Args.Y)) })),
	steps.Define(steps.Entry{
		Name: "hover", Group: steps.GroupPointer, Effect: driver.ViewEffect,
		Summary: "move the mouse over an element",
		Doc:     "Waits until the element is visible and stable and the mouse would hit it. Verifies that the mouse has reached it.",
		Example: "hover: \"role:menuitem[name='File']\"",
	}, func(ctx context.Context, env *steps.Env, a *hoverArgs) (elementResult, error) {
		if err := checkModifiers(a.Modifiers); err != nil {
			return elementResult{}, err
		}
		return element(env.Page.Hover(ctx, a.Selector, driver.PressOptions{Modifiers: a.Modifiers, Position: a.Position}))
	}),
}

func click(ctx context.Context, env *steps.Env, a *pressPlace, count int) (pressResult, error) {
	if err := checkModifiers(a.Modifiers); err != nil {
		return pressResult{}, err
	}
	o := driver.PressOptions{Button: a.Button, Count: count, Modifiers: a.Modifiers, Position: a.Position}
	if t := a.Selector; t != nil {
		p, err := env.Page.Press(ctx, *t, o)
		if p.Covered != "" {
			env.Warn("covered", "the press opened %s over %s: the release went there and no click followed", p.Covered, p.Desc)
		}
		if p.Removed {
			env.Warn("removed", "the page removed %s when the button went down on it: no click followed", p.Desc)
		}
		return pressed(env, p, err)
	}
	p, err := env.Page.PressAt(ctx, driver.Point{X: *a.X, Y: *a.Y}, o) // both are written: see needsY
	return pressed(env, p, err)
}

func checkModifiers(modifiers []string) error {
	for _, m := range modifiers {
		switch m {
		case "Alt", "Control", "Meta", "Shift":
		default:
			return diag.New(diag.ParamInvalid, "unknown modifier %q, expected Alt, Control, Meta or Shift", m).
				WithHint("%s", diag.DidYouMean(m, []string{"Alt", "Control", "Meta", "Shift"}))
		}
	}
	return nil
}

func pressed(env *steps.Env, p driver.Press, err error) (pressResult, error) {
	if err != nil {
		return pressResult{}, err
	}
	if p.NotSent != "" {
		env.Warn("not_sent", "the browser has not sent the form of the button: %s when it was clicked, and the page itself has sent nothing that stores anything; this is expected for a button that only closes its form, otherwise check whether the input was stored", p.NotSent)
	}
	r := pressResult{Role: p.Role, Name: p.Name, Navigated: p.Navigated != nil, Tab: orNil(p.Tab), NotSent: orNil(p.NotSent)}
	if p.Frame != nil {
		r.Frame = &frameResult{p.Frame.URL, p.Frame.Status}
	}
	if p.Tab != "" {
		r.TabStatus = &p.TabStatus
	}
	if p.Navigated != nil {
		r.URL = &p.Navigated.URL
	}
	return r, nil
}

// orNil returns nil for an empty text, otherwise a pointer to it.
func orNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// needsY returns an error if x is given without y. The struct tag of y covers the opposite case.
func needsY(x, y *steps.Expr) diag.List {
	if x == nil || y != nil {
		return nil
	}
	return diag.List{diag.At(x.Pos, diag.DefinitionInvalid, "found `x` without `y`, expected both").
		WithHint("write both `x` and `y`, or use `selector`")}
}

type elementResult struct {
	Role string `json:"role" doc:"ARIA role of the element"`
	Name string `json:"name" doc:"its accessible name"`
	Text string `json:"text" doc:"its rendered text, shortened"`
}

func element(e driver.Element, err error) (elementResult, error) {
	return elementResult{Role: e.Role, Name: e.Name, Text: e.Text}, err
}
