package steps

import (
	"context"
	"time"
)

var buttonArg = pressArgs[0]

var spotFields = []Field{
	{"x", "where the mouse is, in CSS pixels of the viewport"}, {"y", "see x"},
	{"element", "what is there"}, {"held", "buttons that are down"},
}

var mouseSteps = []*Entry{
	{
		Name: "drag", Group: GroupPointer, Limit: InputTime,
		Summary: "drag an element, or a point, onto another",
		Doc: "Waits until both are visible and stable and from would be hit. Where the page starts a drag of the browser (draggable elements, links, pictures) the drop is one too; " +
			"else it is a press, moves and a release. A target that is out of view is scrolled to while the button is down, once the browser has begun its drag. Verifies that the page saw both ends: a target that refuses the drop, an element that the button press disables, or one that the page has made draggable and of which the browser began no drag, is STEP_FAILED. A warning no_effect says that the page did not change; that it was scrolled, or that text was selected, is no change.",
		Example: "{action: drag, args: {from: \"text:Write report\", to: \"role:list[name='Done']\"}}",
		Args: []Arg{{Name: "from", Type: ArgPlace, Required: true, Doc: "what to take"},
			{Name: "to", Type: ArgPlace, Required: true, Doc: "where to drop it"}},
		Hand: []string{"from", "to"},
		Result: []Field{{"role", "ARIA role of what was dragged"}, {"name", "its accessible name"},
			{"kind", "native for a drag of the browser, pointer for press, moves and release"},
			{"changed", "whether the page changed by it"}, {"navigated", "whether it led to a new document"}},
		Run: drag,
	},
	{
		Name: "click_and_hold", Group: GroupPointer, Limit: InputTime,
		Summary: "press an element and hold it",
		Doc: "As click, but the button is let go after the duration, wherever the page has put the element by then. " +
			"An element that the button press disables, or that is gone because the field before lost the focus, is STEP_FAILED with details.reason; one that changes later was held.",
		Example: "{action: click_and_hold, args: {selector: \"role:button[name='Delete']\", duration: 1s}}",
		Args:    []Arg{selectorArg("what to press", true), {Name: "duration", Type: ArgDuration, Default: "1s", Doc: "how long"}},
		Hand:    []string{"selector", "duration"}, Result: pressFields,
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
			return pressed(env.Page.Hold(ctx, *a.Target("selector"), a.Duration("duration", time.Second)))
		},
	},
	{
		Name: "mouse_move", Group: GroupPointer, Effect: ViewEffect,
		Summary: "move the mouse to a point", Doc: "Buttons that are down stay down. A point outside of the viewport is STEP_FAILED.",
		Example: "{action: mouse_move, args: {x: 120, y: 300}}",
		Args: []Arg{{Name: "x", Type: ArgNumber, Required: true, Doc: "place in the viewport, in CSS pixels"},
			{Name: "y", Type: ArgNumber, Required: true, Doc: "see x"}},
		Hand: []string{"x", "y"}, Result: spotFields,
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
			return spot(env.Page.MoveTo(ctx, Point{a.Float("x"), a.Float("y")}))
		},
	},
	buttonStep("mouse_down", "press a mouse button where the mouse is", "It stays down until mouse_up, from step to step, or until the end of the action, which lets it go with the warning released. One that is down already is STEP_FAILED.", true),
	buttonStep("mouse_up", "let a mouse button go where the mouse is", "One that is not down is STEP_FAILED. Where the release starts a navigation the step ends when the new document is committed.", false),
}

func drag(ctx context.Context, env *Env, a *Args) (Result, error) {
	d, err := env.Page.Drag(ctx, a.Place("from"), a.Place("to"))
	if err != nil {
		return nil, err
	}
	kind := "pointer"
	if d.Native {
		kind = "native"
	}
	if !d.Changed && d.Navigated == nil {
		env.Warn("no_effect", "%s was dragged to %s and the page did not change", d.Desc, d.To.Desc)
	}
	return Result{"role": d.Role, "name": d.Name, "kind": kind, "changed": d.Changed, "navigated": d.Navigated != nil}, nil
}

func buttonStep(name, summary, doc string, down bool) *Entry {
	return &Entry{
		Name: name, Group: GroupPointer, Limit: InputTime, Summary: summary, Doc: doc,
		Example: "{action: " + name + "}", Args: []Arg{buttonArg}, Hand: []string{"button"}, Result: spotFields,
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
			button := a.Text("button")
			if button == "" {
				button = "left"
			}
			return spot(env.Page.Button(ctx, button, down))
		},
	}
}

func spot(s Spot, err error) (Result, error) {
	if err != nil {
		return nil, err
	}
	return Result{"x": s.X, "y": s.Y, "element": s.Desc, "held": anys(s.Held)}, nil
}
