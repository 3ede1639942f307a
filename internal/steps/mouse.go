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
		Doc: "Waits until both are visible and stable and from would be hit. If the page starts a native drag (draggable elements, links, pictures) the drop is native too; otherwise it is a press, moves and a release. " +
			"A target out of view is scrolled into view while the button is down, once the browser has begun its drag. Verifies that the page saw both ends: " +
			"a target that refuses the drop, an element that the press disables, or a draggable element of which the browser began no drag, is STEP_FAILED. " +
			"A warning no_effect says that the page did not change; scrolling and selected text do not count as a change.",
		Example: "drag: {from: \"text:Write report\", to: \"role:list[name='Done']\"}",
		Args: []Arg{{Name: "from", Type: ArgPlace, Required: true, Doc: "what to drag"},
			{Name: "to", Type: ArgPlace, Required: true, Doc: "where to drop it"}},
		Hand: []string{"from", "to"},
		Result: []Field{{"role", "ARIA role of what was dragged"}, {"name", "its accessible name"},
			{"kind", "native for a native drag, pointer for press, moves and release"},
			{"changed", "whether the page changed"}, {"navigated", "whether it led to a new document"}},
		Run: drag,
	},
	{
		Name: "click_and_hold", Group: GroupPointer, Limit: InputTime,
		Summary: "press an element and hold it",
		Doc: "Like click, but the button is released after the duration, wherever the element is by then. " +
			"An element that the press disables, or that disappears because another field lost the focus, is STEP_FAILED with details.reason; " +
			"a later change is not a failure.",
		Example: "click_and_hold: {selector: \"role:button[name='Delete']\", duration: 1s}",
		Args:    []Arg{selectorArg("what to press", true), {Name: "duration", Type: ArgDuration, Default: "1s", Doc: "how long"}},
		Hand:    []string{"selector", "duration"}, Result: pressFields,
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
			p, err := env.Page.Hold(ctx, *a.Target("selector"), a.Duration("duration", time.Second))
			return pressed(env, p, err)
		},
	},
	{
		Name: "mouse_move", Group: GroupPointer, Part: true, Effect: ViewEffect,
		Summary: "move the mouse to a point", Doc: "Buttons that are down stay down. A point outside the viewport is STEP_FAILED.",
		Example: "mouse_move: {x: 120, y: 300}",
		Args: []Arg{{Name: "x", Type: ArgNumber, Required: true, Doc: "place in the viewport, in CSS pixels"},
			{Name: "y", Type: ArgNumber, Required: true, Doc: "see x"}},
		Hand: []string{"x", "y"}, Result: spotFields,
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
			return spot(env.Page.MoveTo(ctx, Point{a.Float("x"), a.Float("y")}))
		},
	},
	buttonStep("mouse_down", "press a mouse button where the mouse is", "It stays down across steps until mouse_up, or until the end of the action, which releases it with the warning released. A button that is already down is STEP_FAILED.", true),
	buttonStep("mouse_up", "release a mouse button where the mouse is", "A button that is not down is STEP_FAILED. If the release starts a navigation, the step ends when the new document is committed.", false),
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
		Name: name, Group: GroupPointer, Part: true, Limit: InputTime, Summary: summary, Doc: doc,
		Example: name + ":", Args: []Arg{buttonArg}, Hand: []string{"button"}, Result: spotFields,
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
