package catalogue

import (
	"context"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

type dragArgs struct {
	From driver.Place `arg:"from,required" pos:"1" doc:"what to drag"`
	To   driver.Place `arg:"to,required" pos:"2" doc:"where to drop it"`
}

type dragResult struct {
	Role      string `json:"role" doc:"ARIA role of what was dragged"`
	Name      string `json:"name" doc:"its accessible name"`
	Kind      string `json:"kind" doc:"native for a native drag, pointer for press, moves and release"`
	Changed   bool   `json:"changed" doc:"whether the page changed"`
	Navigated bool   `json:"navigated" doc:"whether it led to a new document"`
}

type holdArgs struct {
	Selector *driver.Target `arg:"selector,one" pos:"1" doc:"what to press"`
	X        *float64       `arg:"x,one" doc:"instead of a selector: position in the viewport, in CSS pixels"`
	Y        *float64       `arg:"y" with:"x" doc:"see x"`
	Duration time.Duration  `arg:"duration" pos:"2" default:"1s" doc:"how long"`
}

type moveArgs struct {
	X float64 `arg:"x,required" pos:"1" doc:"position in the viewport, in CSS pixels"`
	Y float64 `arg:"y,required" pos:"2" doc:"see x"`
}

type buttonArgs struct {
	Button string `arg:"button" pos:"1" enum:"left middle right" default:"left" doc:"mouse button"`
}

type spotResult struct {
	X       float64  `json:"x" doc:"where the mouse is, in CSS pixels of the viewport"`
	Y       float64  `json:"y" doc:"see x"`
	Element string   `json:"element" doc:"what is there"`
	Held    []string `json:"held" doc:"buttons that are down"`
}

var mouseSteps = []*steps.Entry{
	steps.Define(steps.Entry{
		Name: "drag", Group: steps.GroupPointer, Limit: steps.InputTime,
		Summary: "drag an element, or a point, onto another",
		Doc: "Waits until both elements are visible and stable and a press would hit from. If the page starts a native drag (draggable elements, links, pictures), the drop is native too; otherwise the step sends a press, moves and a release. " +
			"A target out of view is scrolled into view while the button is down, once the browser has begun its drag. Verifies that the page saw both ends. " +
			"A target that refuses the drop, an element that the press disables, or a draggable element for which the browser began no drag, is STEP_FAILED. " +
			"The warning no_effect means that the page did not change; scrolling and selected text do not count as a change.",
		Example: "drag: {from: \"text:Write report\", to: \"role:list[name='Done']\"}",
	}, drag),
	steps.Define(steps.Entry{
		Name: "click_and_hold", Group: steps.GroupPointer, Limit: steps.InputTime,
		Summary: "press an element, or a point, and hold it",
		Doc: "Like click, also at a point, but the button is released after the duration, wherever the element is by then. " +
			"An element that the press disables, or that disappears because another field lost the focus, is STEP_FAILED with details.reason; " +
			"a later change is not a failure.",
		Example: "click_and_hold: {selector: \"role:button[name='Delete']\", duration: 1s}",
	}, func(ctx context.Context, env *steps.Env, a *holdArgs) (pressResult, error) {
		if a.Selector == nil {
			p, err := env.Page.HoldAt(ctx, driver.Point{X: *a.X, Y: *a.Y}, a.Duration) // both are written: see needsY
			return pressed(env, p, err)
		}
		p, err := env.Page.Hold(ctx, *a.Selector, a.Duration)
		return pressed(env, p, err)
	}, steps.Checks(func(w *steps.Written[holdArgs]) diag.List { return needsY(w.At(&w.Args.X), w.At(&w.Args.Y)) })),
	steps.Define(steps.Entry{
		Name: "mouse_move", Group: steps.GroupPointer, Part: true, Effect: driver.ViewEffect,
		Summary: "move the mouse to a point", Doc: "Buttons that are down stay down. A point outside the viewport is STEP_FAILED.",
		Example: "mouse_move: {x: 120, y: 300}",
	}, func(ctx context.Context, env *steps.Env, a *moveArgs) (spotResult, error) {
		return spot(env.Page.MoveTo(ctx, driver.Point{X: a.X, Y: a.Y}))
	}),
	buttonStep("mouse_down", "press a mouse button where the mouse is", "It stays down across steps until mouse_up, or until the end of the action, which releases it with the warning released. A button that is already down is STEP_FAILED.", true),
	buttonStep("mouse_up", "release a mouse button where the mouse is", "A button that is not down is STEP_FAILED. If the release starts a navigation, the step ends when the new document is committed.", false),
}

func drag(ctx context.Context, env *steps.Env, a *dragArgs) (dragResult, error) {
	d, err := env.Page.Drag(ctx, a.From, a.To)
	if err != nil {
		return dragResult{}, err
	}
	kind := "pointer"
	if d.Native {
		kind = "native"
	}
	if !d.Changed && d.Navigated == nil {
		env.Warn("no_effect", "%s was dragged to %s, but the page did not change", d.Desc, d.To.Desc)
	}
	return dragResult{Role: d.Role, Name: d.Name, Kind: kind, Changed: d.Changed, Navigated: d.Navigated != nil}, nil
}

func buttonStep(name, summary, doc string, down bool) *steps.Entry {
	return steps.Define(steps.Entry{
		Name: name, Group: steps.GroupPointer, Part: true, Limit: steps.InputTime, Summary: summary, Doc: doc,
		Example: name + ":",
	}, func(ctx context.Context, env *steps.Env, a *buttonArgs) (spotResult, error) {
		return spot(env.Page.Button(ctx, a.Button, down))
	})
}

func spot(s driver.Spot, err error) (spotResult, error) {
	return spotResult{X: s.X, Y: s.Y, Element: s.Desc, Held: s.Held}, err
}
