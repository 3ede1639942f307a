package steps

import (
	"context"

	"github.com/actionregistry/action/diag"
)

var pressArgs = []Arg{
	{Name: "button", Type: ArgEnum, Values: []string{"left", "middle", "right"}, Default: "left", Doc: "mouse button"},
	{Name: "modifiers", Type: ArgTextList, Doc: "keys held during the press: Alt, Control, Meta, Shift; ${modifier} is Meta on macOS, otherwise Control"},
	{Name: "position", Type: ArgPoint, Doc: "where to press, relative to the element's top left corner"},
}

var pressFields = []Field{
	{"role", "ARIA role of the element"},
	{"name", "its accessible name"},
	{"navigated", "whether the press led to a new document"},
	{"url", "address of the new document, if there is one"},
	{"frame", "{url, status} of the document that a link or form led a frame of the page to; null if there is none"},
	{"tab", "id of the tab that the press opened, or navigated by its name; null if there is none"},
	{"tab_status", "HTTP status of the document in that tab, 0 where there is none; null without a tab"},
	{"not_sent", "why the browser has not sent the form of the button, where neither has the page; null if there is none"},
}

var pointArgs = []Arg{
	{Name: "x", Type: ArgNumber, Doc: "instead of a selector: position in the viewport, in CSS pixels"},
	{Name: "y", Type: ArgNumber, Doc: "see x"},
}

const pressDoc = "Waits until the element is visible, stable, enabled and would be hit. A button that shows that it is busy (aria-busy, a class such as is-loading, data-loading) is not enabled, unless it declares that it opens something. A press that would hit anything else does not reach the page.\n\n" +
	"A press that begins without a click following is STEP_FAILED, with details.reason: the element was disabled, the field that lost the focus changed the page or covered it, the page rendered the same control again, or its content, as when a row becomes selected (a control is the same with another id, reference or class, but for a class of a state, such as active), or the press of a button or link has laid a mask over it, in which there is nothing to choose. So is a click that the element is expected to ignore: the press has set aria-disabled on it, or another field has lost the focus and the element has shown since then that it is busy or, where a link or another element is the button, by its class that it is disabled; at a point, where nothing is waited for, also what was disabled or busy before. " +
	"An element that acts when the mouse button goes down, such as an option that disappears, a button that is rendered anew as chosen or with other words, a press with which the address changes or a message or a list comes, or a list that opens over its field, is not a failure: a warning removed or covered says so, " +
	"unless the element declares what it opened (aria-expanded). " +
	"A visually hidden checkbox, radio or switch is pressed through its label, or else through the small box that its parent draws for it.\n\n" +
	"If the press makes the browser or a script of the page find a field invalid (an invalid event, also in a frame of the same origin, but not in a closed shadow root or one that the press makes), the step is STEP_FAILED and names the field, unless a form is sent after it; " +
	"validation caused by a checkbox, a tab or another control that only changes a state does not count, nor does validation when a field loses the focus. " +
	"A form that the browser does not send, because the button's own click handlers take it off the page, or disable the button or take it out of its form, is STEP_FAILED if it has an address (action) and no other button that sends it; " +
	"otherwise it is the warning not_sent, for a button may only close its form, or store it in another way. It is neither if the page has prevented the click's default, sent anything but a GET, or gone elsewhere.\n\n" +
	"If the press starts a navigation, of the page or of a frame, the step ends when the new document is committed; a navigation without a document (204, 205, refused, stopped, prevented by beforeunload) is NAVIGATION_FAILED, " +
	"and so is one that the browser does not let begin (a sandbox, the page's Content Security Policy, a link to a file). " +
	"The step does not wait for a frame that the press adds, or for an invisible frame that a script navigates; a form sent into such a frame only has to reach its server. " +
	"A tab that the press opens with an address, or navigates by its name, must show its document too. " +
	"A download is neither a navigation nor a failure: a warning names it. The step does not wait for what the page starts later, from a timer."

var pointerSteps = []*Entry{
	{
		Name: "click", Group: GroupPointer, Limit: InputTime,
		Summary: "press an element", Doc: pressDoc,
		Example: "click: \"role:button[name='Save']\"",
		Args: args([]Arg{selectorArg("what to press", false)}, pointArgs, pressArgs,
			[]Arg{{Name: "count", Type: ArgInteger, Min: num(1), Max: num(3), Default: 1, Doc: "how many times, as one gesture"}}),
		OneOf: []string{"selector", "x"}, With: map[string]string{"y": "x", "position": "selector"},
		Hand: []string{"selector"}, Result: pressFields, Check: needsY,
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
			return click(ctx, env, a, a.Int("count", 1))
		},
	},
	{
		Name: "dblclick", Group: GroupPointer, Limit: InputTime,
		Summary: "press an element twice", Doc: "As click, with count 2.",
		Example: "dblclick: \"text:Total\"",
		Args:    args([]Arg{selectorArg("what to press", false)}, pointArgs, pressArgs),
		OneOf:   []string{"selector", "x"}, With: map[string]string{"y": "x", "position": "selector"},
		Hand: []string{"selector"}, Result: pressFields, Check: needsY,
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) { return click(ctx, env, a, 2) },
	},
	{
		Name: "hover", Group: GroupPointer, Effect: ViewEffect,
		Summary: "move the mouse over an element",
		Doc:     "Waits until the element is visible, stable and would be hit; verifies that the mouse has reached it.",
		Example: "hover: \"role:menuitem[name='File']\"",
		Args:    args([]Arg{selectorArg("where to go", true)}, pressArgs[1:]),
		Hand:    []string{"selector"}, Result: elementFields,
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
			o, err := pressOptions(a, 0)
			if err != nil {
				return nil, err
			}
			return element(env.Page.Hover(ctx, *a.Target("selector"), o))
		},
	},
}

func click(ctx context.Context, env *Env, a *Args, count int) (Result, error) {
	o, err := pressOptions(a, count)
	if err != nil {
		return nil, err
	}
	if t := a.Target("selector"); t != nil {
		p, err := env.Page.Press(ctx, *t, o)
		if p.Covered != "" {
			env.Warn("covered", "the press brought %s over %s: the release went there and no click followed", p.Covered, p.Desc)
		}
		if p.Removed {
			env.Warn("removed", "the page took %s away when the button went down on it: no click followed", p.Desc)
		}
		return pressed(env, p, err)
	}
	p, err := env.Page.PressAt(ctx, Point{a.Float("x"), a.Float("y")}, o)
	return pressed(env, p, err)
}

func pressOptions(a *Args, count int) (PressOptions, error) {
	o := PressOptions{Button: a.Text("button"), Count: count, Modifiers: a.Texts("modifiers"), Position: a.Point("position")}
	for _, m := range o.Modifiers {
		switch m {
		case "Alt", "Control", "Meta", "Shift":
		default:
			return o, diag.New(diag.ParamInvalid, "unknown modifier %q", m).
				WithHint("%s", diag.DidYouMean(m, []string{"Alt", "Control", "Meta", "Shift"}))
		}
	}
	return o, nil
}

func pressed(env *Env, p Press, err error) (Result, error) {
	if err != nil {
		return nil, err
	}
	if p.NotSent != "" {
		env.Warn("not_sent", "the browser has not sent the form of the button: %s when it was clicked, and the page has sent nothing itself that stores anything; that is right for a button that only closes its form, otherwise check whether what was filled in is stored", p.NotSent)
	}
	r := Result{"role": p.Role, "name": p.Name, "navigated": p.Navigated != nil, "frame": nil, "tab": orNull(p.Tab), "tab_status": nil, "not_sent": orNull(p.NotSent)}
	if p.Frame != nil {
		r["frame"] = map[string]any{"url": p.Frame.URL, "status": p.Frame.Status}
	}
	if p.Tab != "" {
		r["tab_status"] = p.TabStatus
	}
	if p.Navigated != nil {
		r["url"] = p.Navigated.URL
	}
	return r, nil
}

// needsY refuses x without y: With refuses the reverse.
func needsY(op *Op) diag.List {
	if op.Args["x"] == nil || op.Args["y"] != nil {
		return nil
	}
	return diag.List{diag.At(op.Args["x"].Pos, diag.DefinitionInvalid, "x is written without y").
		WithHint("write both, or use selector")}
}

var elementFields = []Field{
	{"role", "ARIA role of the element"},
	{"name", "its accessible name"},
	{"text", "its rendered text, cut"},
}

func element(e Element, err error) (Result, error) {
	if err != nil {
		return nil, err
	}
	return Result{"role": e.Role, "name": e.Name, "text": e.Text}, nil
}

func selectorArg(doc string, required bool) Arg {
	return Arg{Name: "selector", Type: ArgSelector, Required: required, Doc: doc}
}

func args(groups ...[]Arg) []Arg {
	var all []Arg
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

func num(f float64) *float64 { return &f }
