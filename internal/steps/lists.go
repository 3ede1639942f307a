package steps

import (
	"context"
	"time"

	"github.com/actionregistry/action/diag"
)

// Defaults of the steps for long lists.
const (
	DefaultRounds = 100
	DefaultStall  = 3 * time.Second
)

// Why the reading of a long list stopped.
const (
	stopStalled = "stalled"
	stopMax     = "max_reached"
)

// listStep is how far scroll_until scrolls at a time: a part stays in view, so that it
// misses nothing in a list that renders only what is visible.
var listStep = ScrollBy{Amount: 90, Percent: true}

var stallArg = Arg{Name: "stall", Type: ArgDuration, Default: DefaultStall.String(), Doc: "how long the list may show nothing new"}

var listSteps = []*Entry{
	{
		Name: "scroll_until", Group: GroupLists, Effect: ViewEffect, Limit: NoTime,
		Summary: "scroll a long list until something shows",
		Doc: "Scrolls view by view, waiting each time until the list has rendered, and at the end until the list has grown. " +
			"Ends when stop_selector matches something visible, when stop_text is on the page, when nothing new has come within stall, or after max_scrolls; " +
			"stop_reason says which. Without stop_selector and stop_text it scrolls to the end.",
		Example: "{scroll_until: {scroll_selector: role:feed, stop_text: \"${params.title}\"}, output: scrolled}",
		Args: []Arg{
			{Name: "direction", Type: ArgEnum, Values: directions, Default: string(Down), Doc: "which way"},
			{Name: "scroll_selector", Type: ArgSelector, Doc: "the box that scrolls, also one that only follows the mouse wheel; absent: the page"},
			{Name: "stop_selector", Type: ArgSelector, Doc: "stop when this is visible"},
			{Name: "stop_text", Type: ArgText, Doc: "stop when this text is visible on the page"},
			{Name: "max_scrolls", Type: ArgInteger, Min: num(1), Default: DefaultRounds, Doc: "maximum number of scrolls"}, stallArg},
		Result: []Field{{"stop_reason", "selector_found, text_found, stalled or max_reached"}, {"scrolls_performed", "number of scrolls"}, {"from_start", "whether the box could not be scrolled the other way before"}},
		Run:    scrollUntil,
	},
	{
		Name: "load_more_until", Group: GroupLists, Limit: NoTime,
		Summary: "press a load-more button until there are enough items",
		Doc: "Presses load_more_selector, and each time waits until the number of matches of content_selector changes. " +
			"Ends when there are item_count of them, when stop_text is on the page, when nothing new has come within stall (the button is gone or disabled, or does nothing), or after max_loads; " +
			"stop_reason says which. " +
			"A page that shows neither the button nor any content is ELEMENT_NOT_FOUND.",
		Example: "load_more_until: {load_more_selector: \"role:button[name='Load more']\", content_selector: css:.item, item_count: 50}\noutput: loaded",
		Args: []Arg{
			{Name: "load_more_selector", Type: ArgSelector, Required: true, Doc: "the button"},
			{Name: "content_selector", Type: ArgSelector, Required: true, Doc: "matches each item"},
			{Name: "item_count", Type: ArgInteger, Min: num(1), Doc: "stop when there are this many items"},
			{Name: "stop_text", Type: ArgText, Doc: "stop when this text is visible on the page"},
			{Name: "max_loads", Type: ArgInteger, Min: num(1), Default: DefaultRounds, Doc: "maximum number of presses"}, stallArg},
		Result: []Field{{"stop_reason", "text_found, item_count_reached, stalled or max_reached"},
			{"loads_performed", "number of presses"}, {"final_count", "items at the end"}},
		Run: loadMoreUntil,
	},
	collectEntry,
}

func scrollUntil(ctx context.Context, env *Env, a *Args) (Result, error) {
	box, by := a.Target("scroll_selector"), listStep
	by.Direction = Direction(a.Text("direction"))
	if by.Direction == "" {
		by.Direction = Down
	}
	stop := Stop{Element: a.Target("stop_selector"), Text: a.Text("stop_text")}
	stall, most := a.Duration("stall", DefaultStall), a.Int("max_scrolls", DefaultRounds)
	scrolls, first, fromStart := 0, true, false
	if stop.Text == "" {
		by.Until = stop.Element
	}
	look, err := env.Page.WaitMore(ctx, box, by.Direction, stop, 0, 0)
	for err == nil && look.Reason == "" && scrolls < most {
		by.Most = most - scrolls
		at, failed := env.Page.Scroll(ctx, box, by)
		if failed != nil {
			return nil, failed
		}
		goesOn := at.Moved && !at.AtEnd // there is more already
		wait := stall
		if first {
			first, fromStart = false, at.FromStart
		}
		if at.Moved {
			scrolls += max(at.Times, 1)
		}
		if goesOn {
			wait = 0
		}
		look, err = env.Page.WaitMore(ctx, box, by.Direction, stop, 0, wait)
		if look.Reason == "" && !look.Grown && !goesOn {
			look.Reason = stopStalled
		}
	}
	if err != nil {
		return nil, err
	}
	if look.Reason == "" {
		look.Reason = stopMax
	}
	return Result{"stop_reason": look.Reason, "scrolls_performed": scrolls, "from_start": fromStart}, nil
}

func loadMoreUntil(ctx context.Context, env *Env, a *Args) (Result, error) {
	stop := Stop{Text: a.Text("stop_text"), Items: a.Target("content_selector"), Count: a.Int("item_count", 0)}
	stall, most := a.Duration("stall", DefaultStall), a.Int("max_loads", DefaultRounds)
	button := *a.Target("load_more_selector")
	patience := button.Timeout
	loads := 0
	look, err := env.Page.WaitMore(ctx, nil, "", stop, 0, 0)
	for err == nil && look.Reason == "" && loads < most {
		known := look.Items
		button.Timeout = stall // for a button that disappears at the end
		_, failed := env.Page.Press(ctx, button, PressOptions{})
		if lacks(failed, "hit") { // it exists
			button.Timeout = patience
			_, failed = env.Page.Press(ctx, button, PressOptions{})
		}
		if failed != nil {
			if !exhausted(failed) || known == 0 && loads == 0 {
				return nil, failed
			}
			look.Reason = stopStalled
			break
		}
		loads++
		look, err = env.Page.WaitMore(ctx, nil, "", stop, known, stall)
		if look.Reason == "" && !look.Grown {
			look.Reason = stopStalled
		}
	}
	if err != nil {
		return nil, err
	}
	if look.Reason == "" {
		look.Reason = stopMax
	}
	return Result{"stop_reason": look.Reason, "loads_performed": loads, "final_count": look.Items}, nil
}

// exhausted reports whether a button cannot be pressed because there is nothing more to
// load: it is gone, hidden or disabled.
func exhausted(err error) bool {
	return diag.CodeOf(err) == diag.ElementNotFound || lacks(err, "visible") || lacks(err, "enabled")
}

// lacks reports whether an element existed but lacked this kind of readiness.
func lacks(err error, readiness string) bool {
	e := diag.As(err)
	return e != nil && e.Code == diag.ElementNotInteractable && e.Details["missing"] == readiness
}
