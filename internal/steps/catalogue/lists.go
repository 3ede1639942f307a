package catalogue

import (
	"context"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

// Reasons why reading a long list stopped.
const (
	stopStalled = "stalled"
	stopMax     = "max_reached"
)

type scrollUntilArgs struct {
	Direction  driver.Direction `arg:"direction" default:"down" doc:"direction of scrolling"`
	Box        *driver.Target   `arg:"scroll_selector" doc:"the box to scroll, also one that reacts only to the mouse wheel; absent: the page"`
	Stop       *driver.Target   `arg:"stop_selector" doc:"stop when this is visible"`
	StopText   string           `arg:"stop_text" doc:"stop when this text is visible on the page"`
	MaxScrolls int              `arg:"max_scrolls" min:"1" default:"100" doc:"maximum number of scrolls"`
	Stall      time.Duration    `arg:"stall" default:"3s" doc:"how long the list may show nothing new"`
}

type scrollUntilResult struct {
	StopReason string `json:"stop_reason" doc:"selector_found, text_found, stalled or max_reached"`
	Scrolls    int    `json:"scrolls_performed" doc:"number of scrolls"`
	FromStart  bool   `json:"from_start" doc:"whether the box was at its start, so that it could not be scrolled the other way"`
}

type loadMoreArgs struct {
	Button    driver.Target `arg:"load_more_selector,required" doc:"the button"`
	Content   driver.Target `arg:"content_selector,required" doc:"matches each item"`
	ItemCount int           `arg:"item_count" min:"1" doc:"stop when there are this many items"`
	StopText  string        `arg:"stop_text" doc:"stop when this text is visible on the page"`
	MaxLoads  int           `arg:"max_loads" min:"1" default:"100" doc:"maximum number of presses"`
	Stall     time.Duration `arg:"stall" default:"3s" doc:"how long the list may show nothing new"`
}

type loadMoreResult struct {
	StopReason string `json:"stop_reason" doc:"text_found, item_count_reached, stalled or max_reached"`
	Loads      int    `json:"loads_performed" doc:"number of presses"`
	FinalCount int    `json:"final_count" doc:"items at the end"`
}

var listSteps = []*steps.Entry{
	steps.Define(steps.Entry{
		Name: "scroll_until", Group: steps.GroupLists, Effect: driver.ViewEffect, Limit: steps.NoTime,
		Summary: "scroll a long list until something appears",
		Doc: "Scrolls view by view. Each time, it waits until the list has rendered, and at the end until the list has grown. " +
			"Ends when stop_selector matches something visible, when stop_text is on the page, when nothing new appears within stall, or after max_scrolls; " +
			"stop_reason says which. Without stop_selector and stop_text it scrolls to the end.",
		Example: "{scroll_until: {scroll_selector: role:feed, stop_text: \"${params.title}\"}, output: scrolled}",
	}, scrollUntil),
	steps.Define(steps.Entry{
		Name: "load_more_until", Group: steps.GroupLists, Limit: steps.NoTime,
		Summary: "press a load-more button until there are enough items",
		Doc: "Presses load_more_selector. Each time, it waits until the number of matches of content_selector changes. " +
			"Ends when there are item_count of them, when stop_text is on the page, when nothing new appears within stall (the button is gone or disabled, or does nothing), or after max_loads; " +
			"stop_reason says which. " +
			"A page that shows neither the button nor any content is ELEMENT_NOT_FOUND.",
		Example: "load_more_until: {load_more_selector: \"role:button[name='Load more']\", content_selector: css:.item, item_count: 50}\noutput: loaded",
	}, loadMoreUntil),
	collectEntry,
}

func scrollUntil(ctx context.Context, env *steps.Env, a *scrollUntilArgs) (r scrollUntilResult, err error) {
	by := listStep
	by.Direction = a.Direction
	stop := driver.Stop{Element: a.Stop, Text: a.StopText}
	scrolls, first, fromStart := 0, true, false
	if stop.Text == "" {
		by.Until = stop.Element
	}
	look, err := env.Page.WaitMore(ctx, a.Box, by.Direction, stop, 0, 0)
	for err == nil && look.Reason == "" && scrolls < a.MaxScrolls {
		by.Most = a.MaxScrolls - scrolls
		at, failed := env.Page.Scroll(ctx, a.Box, by)
		if failed != nil {
			return r, failed
		}
		goesOn := at.Moved && !at.AtEnd // more is already there
		wait := a.Stall
		if first {
			first, fromStart = false, at.FromStart
		}
		if at.Moved {
			scrolls += max(at.Times, 1)
		}
		if goesOn {
			wait = 0
		}
		look, err = env.Page.WaitMore(ctx, a.Box, by.Direction, stop, 0, wait)
		if look.Reason == "" && !look.Grown && !goesOn {
			look.Reason = stopStalled
		}
	}
	if err != nil {
		return r, err
	}
	if look.Reason == "" {
		look.Reason = stopMax
	}
	return scrollUntilResult{StopReason: look.Reason, Scrolls: scrolls, FromStart: fromStart}, nil
}

func loadMoreUntil(ctx context.Context, env *steps.Env, a *loadMoreArgs) (r loadMoreResult, err error) {
	stop := driver.Stop{Text: a.StopText, Items: &a.Content, Count: a.ItemCount}
	button := a.Button
	patience := button.Timeout
	loads := 0
	look, err := env.Page.WaitMore(ctx, nil, "", stop, 0, 0)
	for err == nil && look.Reason == "" && loads < a.MaxLoads {
		known := look.Items
		button.Timeout = a.Stall // the button may disappear when everything is loaded
		_, failed := env.Page.Press(ctx, button, driver.PressOptions{})
		if lacks(failed, "hit") { // the button exists
			button.Timeout = patience
			_, failed = env.Page.Press(ctx, button, driver.PressOptions{})
		}
		if failed != nil {
			if !exhausted(failed) || known == 0 && loads == 0 {
				return r, failed
			}
			look.Reason = stopStalled
			break
		}
		loads++
		look, err = env.Page.WaitMore(ctx, nil, "", stop, known, a.Stall)
		if look.Reason == "" && !look.Grown {
			look.Reason = stopStalled
		}
	}
	if err != nil {
		return r, err
	}
	if look.Reason == "" {
		look.Reason = stopMax
	}
	return loadMoreResult{StopReason: look.Reason, Loads: loads, FinalCount: look.Items}, nil
}

// exhausted reports whether err means that a button is gone, hidden or disabled. A button that
// loads more items is then no longer needed.
func exhausted(err error) bool {
	return diag.CodeOf(err) == diag.ElementNotFound || lacks(err, "visible") || lacks(err, "enabled")
}

// lacks reports whether err means that an element was found but was not, for example, "visible".
func lacks(err error, readiness string) bool {
	e := diag.As(err)
	return e != nil && e.Code == diag.ElementNotInteractable && e.Details["missing"] == readiness
}
