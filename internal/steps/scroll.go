package steps

import (
	"context"
	"strconv"
	"strings"

	"github.com/actionregistry/action/diag"
)

var (
	directions = []string{string(Up), string(Down), string(Left), string(Right)}

	scrollFields = []Field{
		{"x", "scroll position of the box, in CSS pixels"}, {"y", "see x"},
		{"moved", "whether the position has changed"},
		{"at_end", "whether it can scroll no further in that direction"},
		{"element", "the box that was scrolled"},
	}
)

const scrollDoc = "Without a selector it scrolls the document, or if that does not scroll, the box in the middle of the viewport. " +
	"An element that does not scroll is STEP_FAILED, and the error names the nearest one that does. Being at the end already is not a failure: " +
	"moved is then false and at_end true."

// DefaultScroll is how far scroll moves a box by default.
const DefaultScroll = "80%"

var scrollSteps = []*Entry{
	{
		Name: "scroll", Group: GroupPointer, Effect: ViewEffect,
		Summary: "scroll the page or a box by a distance", Doc: scrollDoc,
		Example: "scroll: {direction: down, amount: 50%}",
		Args: []Arg{selectorArg("the box that scrolls; absent: the page", false),
			{Name: "direction", Type: ArgEnum, Values: directions, Doc: "which way"},
			{Name: "amount", Type: ArgText, Default: DefaultScroll, Doc: "how far: CSS pixels like 300, or a part of the visible area like 50%"},
			{Name: "x", Type: ArgNumber, Doc: "instead of a direction: CSS pixels to the right, negative to the left"},
			{Name: "y", Type: ArgNumber, Doc: "instead of a direction: CSS pixels down, negative up"}},
		OneOf: []string{"direction", "x", "y"}, With: map[string]string{"x": "y", "amount": "direction"},
		Hand: []string{"direction", "amount"}, Result: scrollFields, Check: checkAmount,
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
			by := ScrollBy{Direction: Direction(a.Text("direction")), X: a.Float("x"), Y: a.Float("y")}
			if by.Direction != "" {
				var err error
				if by.Amount, by.Percent, err = parseAmount(a.Text("amount")); err != nil {
					return nil, err
				}
			}
			return scrolled(env.Page.Scroll(ctx, a.Target("selector"), by))
		},
	},
	{
		Name: "scroll_to", Group: GroupPointer, Effect: ViewEffect,
		Summary: "scroll the page or a box to a position", Doc: scrollDoc + " A position beyond the end is the end.",
		Example: "scroll_to: {x: 0, y: 0}",
		Args: []Arg{selectorArg("the box that scrolls; absent: the page", false),
			{Name: "x", Type: ArgNumber, Default: 0, Doc: "CSS pixels from the left of what is scrolled"},
			{Name: "y", Type: ArgNumber, Required: true, Min: num(0), Doc: "CSS pixels from its top"}},
		Hand: []string{"x", "y"}, Result: scrollFields,
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
			return scrolled(env.Page.ScrollTo(ctx, a.Target("selector"), Point{a.Float("x"), a.Float("y")}))
		},
	},
	{
		Name: "scroll_into_view", Group: GroupPointer, Effect: ViewEffect,
		Summary: "scroll until an element is in the viewport",
		Example: "scroll_into_view: \"text:Terms\"",
		Args:    []Arg{selectorArg("what to bring into view", true)},
		Hand:    []string{"selector"}, Result: elementFields,
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
			return element(env.Page.ScrollIntoView(ctx, *a.Target("selector")))
		},
	},
}

func scrolled(s Scrolled, err error) (Result, error) {
	if err != nil {
		return nil, err
	}
	return Result{"x": s.X, "y": s.Y, "moved": s.Moved, "at_end": s.AtEnd, "element": s.Desc}, nil
}

// parseAmount parses 300, 300px or 50%.
func parseAmount(text string) (amount float64, percent bool, err error) {
	if text == "" {
		text = DefaultScroll
	}
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	if !percent {
		number = strings.TrimSuffix(number, "px")
	}
	amount, err = strconv.ParseFloat(strings.TrimSpace(number), 64)
	const most = 1e7 // pixels; more than any browser can draw
	if err != nil || !(amount > 0 && amount <= most) {
		return 0, false, diag.New(diag.ParamInvalid, "the amount is %q, expected CSS pixels like 300 or a part like 50%%", text).
			WithHint("write a number above 0; the direction says which way")
	}
	return amount, percent, nil
}

func checkAmount(op *Op) diag.List {
	text, literal := op.Args["amount"].literalText()
	if !literal {
		return nil
	}
	if _, _, err := parseAmount(text); err != nil {
		e := diag.As(err)
		return diag.List{diag.At(op.Args["amount"].Pos, diag.DefinitionInvalid, "%s", e.Msg).WithHint("%s", e.Hint)}
	}
	return nil
}
