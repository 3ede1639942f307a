package steps

import (
	"context"
	"reflect"

	"github.com/actionregistry/action/diag"
)

// collectMax is how often collect scrolls at most, unless it is told.
const collectMax = 1000

var collectEntry = &Entry{
	Name: "collect", Group: GroupLists, Effect: ViewEffect, Limit: NoTime,
	Summary: "read all rows of a list that draws only what is in view",
	Doc: "As extract, from the start of the list to its end, view by view, each once the list has drawn it: what one view has in common with the one before counts once (so do rows that are alike at that place). " +
		"A list that does not scroll is read as it is. One that is longer than max_scrolls is LIMIT_EXCEEDED, and one whose views have nothing in common is STEP_FAILED: rows would be missing.",
	Example: "{action: collect, args: {scroll_selector: role:listbox, rows: role:option, fields: {text: {what: text}}}, output: options}",
	Args: []Arg{
		{Name: "rows", Type: ArgSelector, Required: true, Doc: "matches every row"},
		{Name: "fields", Type: ArgFields, Required: true, Doc: "name of each field and where it stands, as in extract"},
		{Name: "scroll_selector", Type: ArgSelector, Doc: "the box that scrolls, also one that only follows the mouse wheel; absent: the page"},
		{Name: "max_scrolls", Type: ArgInteger, Min: num(1), Default: collectMax, Doc: "most times to scroll"},
		{Name: "stall", Type: ArgDuration, Default: "0s", Doc: "how long the end of the list may take to grow"}},
	Result: []Field{{"rows", "a list of objects"}, {"count", "how many"}, {"scrolls_performed", "how many times it was scrolled"}},
	Run:    collect,
}

func collect(ctx context.Context, env *Env, a *Args) (Result, error) {
	box, most, stall := a.Target("scroll_selector"), a.Int("max_scrolls", collectMax), a.Duration("stall", 0)
	if err := toStart(ctx, env, box); err != nil {
		return nil, err
	}
	all, err := readRows(ctx, env, a)
	for scrolls := 0; err == nil; scrolls++ {
		more, failed := env.Page.WaitMore(ctx, box, Down, Stop{}, 0, stall)
		if failed != nil {
			return nil, failed
		}
		if !more.Grown {
			return rowsResult(all, Result{"scrolls_performed": scrolls}), nil
		}
		if scrolls == most {
			return nil, diag.New(diag.LimitExceeded, "the list goes on after %d scrolls; %d rows were read", scrolls, len(all)).
				WithHint("raise max_scrolls, or read a part of it with extract")
		}
		all, err = nextView(ctx, env, a, box, all)
	}
	return nil, err
}

// nextView scrolls on, and adds what has come into view to the rows read before. Some
// of these are still in view then. Where they are not, the list was drawn anew with
// other heights, and the place between is looked at too.
func nextView(ctx context.Context, env *Env, a *Args, box *Target, all []map[string]any) ([]map[string]any, error) {
	moves := []ScrollBy{listStep, {Direction: Up, Amount: listStep.Amount / 2, Percent: true}}
	moves[0].Direction = Down
	for _, by := range moves {
		if _, err := env.Page.Scroll(ctx, box, by); err != nil {
			return nil, err
		}
		view, err := readRows(ctx, env, a)
		if err != nil {
			return nil, err
		}
		if joined, ok := joinRows(all, view); ok {
			return joined, nil
		}
	}
	return nil, diag.New(diag.StepFailed, "after a scroll the list shows none of the rows of before: some would be missing").
		WithDetail("rows", len(all)).WithHint("name the box that holds just this list as scroll_selector")
}

// toStart waits for a list and scrolls to its beginning.
func toStart(ctx context.Context, env *Env, box *Target) error {
	if box != nil {
		if _, err := env.Page.WaitElement(ctx, *box, ElementState{}); err != nil {
			return err
		}
	}
	back, err := env.Page.WaitMore(ctx, box, Up, Stop{}, 0, 0)
	if err == nil && back.Grown {
		_, err = env.Page.ScrollTo(ctx, box, Point{})
	}
	return err
}

// joinRows appends the rows of a view to those read before, whose last ones it
// begins with; ok is false when it does not.
func joinRows(all, view []map[string]any) (joined []map[string]any, ok bool) {
	if len(all) == 0 || len(view) == 0 {
		return append(all, view...), true
	}
	for n := min(len(all), len(view)); n > 0; n-- {
		if reflect.DeepEqual(all[len(all)-n:], view[:n]) {
			return append(all, view[n:]...), true
		}
	}
	return nil, false
}
