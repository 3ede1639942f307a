package catalogue

import (
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

type scrollArgs struct {
	Selector  *driver.Target   `arg:"selector" doc:"the box to scroll; absent: the page"`
	At        *driver.Point    `arg:"at" doc:"instead of a selector: a point of the viewport, in CSS pixels; scrolled is the innermost box under it that can move in the direction, as by a mouse wheel"`
	Direction driver.Direction `arg:"direction,one" pos:"1" doc:"direction of scrolling"`
	Amount    string           `arg:"amount" pos:"2" with:"direction" default:"80%" doc:"how far: CSS pixels like 300, or a part of the visible area like 50%"`
	X         float64          `arg:"x,one" with:"y" doc:"instead of a direction: CSS pixels to the right, negative to the left"`
	Y         float64          `arg:"y,one" doc:"instead of a direction: CSS pixels down, negative up"`
}

type scrollToArgs struct {
	Selector *driver.Target `arg:"selector" doc:"the box to scroll; absent: the page"`
	X        float64        `arg:"x" pos:"1" default:"0" doc:"CSS pixels from the left of what is scrolled"`
	Y        float64        `arg:"y,required" pos:"2" min:"0" doc:"CSS pixels from its top"`
}

type intoViewArgs struct {
	Selector driver.Target `arg:"selector,required" pos:"1" doc:"what to bring into view"`
}

type scrollResult struct {
	X       float64 `json:"x" doc:"scroll position of the box, in CSS pixels"`
	Y       float64 `json:"y" doc:"see x"`
	Moved   bool    `json:"moved" doc:"whether the position has changed"`
	AtEnd   bool    `json:"at_end" doc:"whether it can scroll no further in that direction"`
	Element string  `json:"element" doc:"the box that was scrolled"`
	Pixels  pixels  `json:"scrolled_pixels" doc:"how far the box has moved, {x, y} in CSS pixels: below 0 to the left and up"`
}

type pixels struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

const scrollDoc = "Without a selector it scrolls the document, or if that does not scroll, the box in the middle of the viewport. " +
	"An element that does not scroll is STEP_FAILED, and the error names the nearest one that does. Being at the end already is not a failure: " +
	"moved is then false and at_end true."

const distanceDoc = " A box that is not at its end and does not move, because the page holds it or moves it back, is STEP_FAILED."

var scrollSteps = []*steps.Entry{
	steps.Define(steps.Entry{
		Name: "scroll", Group: steps.GroupPointer, Effect: driver.ViewEffect,
		Summary: "scroll the page or a box by a distance", Doc: scrollDoc + distanceDoc,
		Example: "scroll: {direction: down, amount: 50%}",
	}, scroll, steps.Checks(checkScroll)),
	steps.Define(steps.Entry{
		Name: "scroll_to", Group: steps.GroupPointer, Effect: driver.ViewEffect,
		Summary: "scroll the page or a box to a position", Doc: scrollDoc + " A position beyond the end is the end.",
		Example: "scroll_to: {x: 0, y: 0}",
	}, func(ctx context.Context, env *steps.Env, a *scrollToArgs) (scrollResult, error) {
		return scrolled(env.Page.ScrollTo(ctx, a.Selector, driver.Point{X: a.X, Y: a.Y}))
	}),
	steps.Define(steps.Entry{
		Name: "scroll_into_view", Group: steps.GroupPointer, Effect: driver.ViewEffect,
		Summary: "scroll until an element is in the viewport",
		Example: "scroll_into_view: \"text:Terms\"",
	}, func(ctx context.Context, env *steps.Env, a *intoViewArgs) (elementResult, error) {
		return element(env.Page.ScrollIntoView(ctx, a.Selector))
	}),
}

func scroll(ctx context.Context, env *steps.Env, a *scrollArgs) (scrollResult, error) {
	if a.Selector != nil && a.At != nil {
		return scrollResult{}, diag.New(diag.ParamInvalid, "found both `selector` and `at`, expected one of them").WithHint("remove `selector` or `at`")
	}
	by := driver.ScrollBy{Direction: a.Direction, X: a.X, Y: a.Y, At: a.At}
	if by.Direction != "" {
		var err error
		if by.Amount, by.Percent, err = parseAmount(a.Amount); err != nil {
			return scrollResult{}, err
		}
	}
	s, err := env.Page.Scroll(ctx, a.Selector, by)
	demanded := max(by.Amount, math.Abs(by.X), math.Abs(by.Y)) >= 1
	if err == nil && demanded && !s.Moved && !s.AtEnd {
		return scrollResult{}, diag.New(diag.StepFailed, "%s did not scroll, although its end is not reached", s.Desc).
			WithHint("the page prevents or undoes the scroll: close what prevents it, such as a dialog, or scroll further")
	}
	return scrolled(s, err)
}

func scrolled(s driver.Scrolled, err error) (scrollResult, error) {
	return scrollResult{X: s.X, Y: s.Y, Moved: s.Moved, AtEnd: s.AtEnd, Element: s.Desc, Pixels: pixels{s.By.X, s.By.Y}}, err
}

// parseAmount parses 300, 300px or 50%. An empty text counts as absent.
func parseAmount(text string) (amount float64, percent bool, err error) {
	if text == "" {
		text = "80%"
	}
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	if !percent {
		number = strings.TrimSuffix(number, "px")
	}
	amount, err = strconv.ParseFloat(strings.TrimSpace(number), 64)
	const most = 1e7 // pixels; more than any browser can draw
	if err != nil || !(amount > 0 && amount <= most) {
		return 0, false, diag.New(diag.ParamInvalid, "the amount is %q, expected CSS pixels like 300 or a percentage like 50%%", text).
			WithHint("write a number above 0; `direction` says where to scroll")
	}
	return amount, percent, nil
}

func checkScroll(w *steps.Written[scrollArgs]) diag.List {
	if at := w.At(&w.Args.At); at != nil && w.Has(&w.Args.Selector) {
		return diag.List{diag.At(at.Pos, diag.DefinitionInvalid, "found both `selector` and `at`, expected one of them").WithHint("remove `selector` or `at`")}
	}
	x := w.At(&w.Args.Amount)
	text, literal := x.LiteralText()
	if !literal {
		return nil
	}
	if _, _, err := parseAmount(text); err != nil {
		e := diag.As(err)
		return diag.List{diag.At(x.Pos, diag.DefinitionInvalid, "%s", e.Msg).WithHint("%s", e.Hint)}
	}
	return nil
}

// listStep is the distance of one scroll in a list. It is less than a full view, so that no row is
// skipped.
var listStep = driver.ScrollBy{Amount: 90, Percent: true}
