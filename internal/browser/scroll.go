package browser

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/selectors"
)

// A scroll says how to scroll, in the form that the engine receives. One of these is set: Direction
// and Amount; X and Y; or To.
type scroll struct {
	Direction driver.Direction `json:"direction,omitempty"`
	Amount    float64          `json:"amount,omitempty"`
	Percent   bool             `json:"percent,omitempty"`
	X         float64          `json:"x,omitempty"`
	Y         float64          `json:"y,omitempty"`
	To        *point           `json:"to,omitempty"`
	At        *point           `json:"at,omitempty"` // see [driver.ScrollBy]
}

// scrolled is the engine's report on a box after scrolling: its scroll position in CSS pixels,
// and whether it has moved.
type scrolled struct {
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	By    point   `json:"by"`
	Moved bool    `json:"moved"`
	End   bool    `json:"end"`
	Desc  string  `json:"desc"`
	// Fixed says why nothing has moved. It is set if the box did not move when the mouse wheel
	// turned, or if nothing at the point scrolls.
	Fixed string `json:"fixed"`

	Times     int  `json:"times"`
	FromStart bool `json:"fromStart"`
}

// scrollOnTime is how long the engine may continue to scroll in one call.
const scrollOnTime = time.Second

// A scrollOn makes the engine continue to scroll until the query Stop matches. The engine scrolls
// at most Most times, and for at most MS milliseconds.
type scrollOn struct {
	Stop *selectors.Query `json:"stop"`
	Most int              `json:"most"`
	MS   int64            `json:"ms"`
}

// scrollOn returns the request that makes the engine scroll until by.Until matches. It returns nil
// if by.Until is nil, if by.Most is less than 2, or if w is in a frame.
func (p *scroller) scrollOn(ctx context.Context, w documents.World, by driver.ScrollBy) (*scrollOn, error) {
	if by.Until == nil || by.Most < 2 || w.Outer != nil {
		return nil, nil
	}
	q, err := by.Until.Bind(ctx, w.Doc)
	if err == nil {
		q, err = p.binder.bindRefs(q, w)
	}
	if err != nil {
		return nil, err
	}
	return &scrollOn{q, by.Most, scrollOnTime.Milliseconds()}, nil
}

// Scroll implements [driver.Scroller].
func (p *scroller) Scroll(ctx context.Context, t *driver.Target, by driver.ScrollBy) (driver.Scrolled, error) {
	return p.scroll(ctx, t, &scroll{Direction: by.Direction, Amount: by.Amount, Percent: by.Percent, X: by.X, Y: by.Y, At: (*point)(by.At)}, by)
}

// ScrollTo implements [driver.Scroller].
func (p *scroller) ScrollTo(ctx context.Context, t *driver.Target, at driver.Point) (driver.Scrolled, error) {
	return p.scroll(ctx, t, &scroll{To: &point{at.X, at.Y}}, driver.ScrollBy{})
}

// scroll scrolls the box t, or the page if t is nil, as the argument "how" says. If by.Until is
// set, scroll continues until by.Until matches.
func (p *scroller) scroll(ctx context.Context, t *driver.Target, how *scroll, by driver.ScrollBy) (driver.Scrolled, error) {
	var r scrolled
	if t == nil {
		if how.At != nil {
			if _, _, err := p.finder.whatIsAt(ctx, *how.At); err != nil {
				return driver.Scrolled{}, err
			}
		}
		if _, err := p.Ask(ctx, "scrollPage", how, &r); err != nil {
			return driver.Scrolled{}, err
		}
		if r.Fixed != "" {
			return driver.Scrolled{}, diag.New(diag.StepFailed, "the point %g, %g: %s", how.At.X, how.At.Y, r.Fixed).
				WithHint("set the argument `selector` to the box that scrolls")
		}
		return r.plain(), nil
	}
	a, err := p.finder.find(ctx, *t, act{Need: []string{"visible"}, Strict: true, Op: op{Name: "scrollBy", Scroll: how}})
	if err != nil {
		return driver.Scrolled{}, err
	}
	if a.Wheel != nil && *a.Wheel != (point{}) {
		if err := p.wheel(ctx, *t, *a.Wheel); err != nil {
			return driver.Scrolled{}, err
		}
	}
	on, err := p.scrollOn(ctx, a.w, by)
	if err != nil {
		return driver.Scrolled{}, err
	}
	err = p.Answer(ctx, p.Call(ctx, a.w, "scrolled", on), &r)
	if errors.Is(err, cdp.ErrGone) {
		return driver.Scrolled{}, diag.New(diag.StepFailed, "%s: the page went to another document during the scrolling", a.El.label(t.Source)).
			WithHint("check the new page with `snapshot`")
	}
	if err == nil && r.Fixed != "" {
		return driver.Scrolled{}, diag.New(diag.StepFailed, "%s: %s", t.Source, r.Fixed).
			WithDetail("selector", t.Source).WithHint("name the element that scrolls: this element hides its overflow, and the mouse wheel does not scroll it")
	}
	return r.plain(), err
}

// wheel turns the mouse wheel over the middle of t. Some boxes hide their overflow and scroll only
// on wheel events.
func (p *scroller) wheel(ctx context.Context, t driver.Target, by point) error {
	r, err := p.finder.find(ctx, t, act{Need: []string{"visible", "hit"}, Strict: true, Op: op{Name: "point"}})
	if err != nil {
		return err
	}
	p.hand.at = r.Point
	return p.Link.Finish(ctx, []*cdp.Call{p.Frames.Start(ctx, proto.InputDispatchMouseEvent{
		Type: proto.InputDispatchMouseEventTypeMouseWheel, X: r.Point.X, Y: r.Point.Y, DeltaX: by.X, DeltaY: by.Y, Modifiers: p.hand.bits(),
	})})
}

// plain returns r as a [driver.Scrolled], for callers outside the package.
func (r scrolled) plain() driver.Scrolled {
	return driver.Scrolled{Desc: r.Desc, X: r.X, Y: r.Y, By: driver.Point(r.By), Moved: r.Moved, AtEnd: r.End, Times: r.Times, FromStart: r.FromStart}
}

// ScrollIntoView implements [driver.Scroller].
func (p *scroller) ScrollIntoView(ctx context.Context, t driver.Target) (driver.Element, error) {
	r, err := p.finder.find(ctx, t, act{Need: attached, Strict: true, Op: op{Name: "scroll"}})
	if err != nil {
		return driver.Element{}, err
	}
	return r.El.plain(), nil
}

// A listing is a request for the length of a list. The list consists of the matches of the query.
// Without a query, it is the whole page.
type listing struct {
	lookup
	Count     int              `json:"count,omitempty"`
	Known     int              `json:"known"`
	Changing  bool             `json:"changing,omitempty"`
	Direction driver.Direction `json:"direction,omitempty"`
}

// WaitMore implements [driver.Lister].
func (p *scroller) WaitMore(ctx context.Context, box *driver.Target, d driver.Direction, stop driver.Stop, known int, stall time.Duration) (driver.Listing, error) {
	var conditions []condition
	if d != "" {
		conditions = append(conditions, p.listCondition(box, listing{Direction: d}))
	}
	if stop.Items != nil {
		conditions = append(conditions, p.listCondition(stop.Items, listing{Count: stop.Count, Known: known, Changing: stop.Changing}))
	}
	if stop.Text != "" {
		conditions = append(conditions, p.textCondition(stop.Text))
	}
	if stop.Element != nil {
		conditions = append(conditions, p.elementCondition(*stop.Element))
	}
	var seen driver.Listing
	if stall > 0 {
		var err error
		if seen, err = firstOf(ctx, conditions, min(stall, documents.Patience(ctx))); err != nil {
			return driver.Listing{}, err
		}
	}
	// Other conditions may hold too: a page often shows more items and the awaited text at once.
	now, err := allOf(ctx, conditions)
	return together(now, seen), err
}

// A condition waits for something to become true, for at most d. The result "holds" reports whether
// it is true. If d is 0, the condition makes a single query.
type condition func(ctx context.Context, d time.Duration) (l driver.Listing, holds bool, err error)

// firstOf waits for conditions concurrently, for at most d. It returns the result of the first that
// holds, cancels the others and waits for them. If none holds, the result is empty.
func firstOf(ctx context.Context, conditions []condition, d time.Duration) (driver.Listing, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	type answer struct {
		l     driver.Listing
		holds bool
		err   error
	}
	answers := make(chan answer, len(conditions))
	var group sync.WaitGroup
	defer group.Wait()
	defer cancel(documents.ErrSettled)
	for _, holds := range conditions {
		group.Go(func() {
			l, is, err := holds(ctx, d)
			answers <- answer{l, is, err}
		})
	}
	for range conditions {
		if a := <-answers; a.holds || a.err != nil {
			return a.l, a.err
		}
	}
	return driver.Listing{}, nil
}

// allOf checks all conditions concurrently, each with a single query, and merges their results.
func allOf(ctx context.Context, conditions []condition) (driver.Listing, error) {
	seen, failed := make([]driver.Listing, len(conditions)), make([]error, len(conditions))
	var group sync.WaitGroup
	for i, holds := range conditions {
		group.Go(func() { seen[i], _, failed[i] = holds(ctx, 0) })
	}
	group.Wait()
	for _, err := range failed {
		if err != nil {
			return driver.Listing{}, err
		}
	}
	return together(seen...), nil
}

// reasons are the reasons to stop, by ascending priority.
var reasons = []string{"", "item_count_reached", "text_found", "selector_found"}

// together merges the results of several conditions. The number of items comes from the first
// condition that counts them.
func together(seen ...driver.Listing) driver.Listing {
	var all driver.Listing
	for _, l := range seen {
		all.Items = cmp.Or(all.Items, l.Items)
		all.Grown = all.Grown || l.Grown
		if slices.Index(reasons, l.Reason) > slices.Index(reasons, all.Reason) {
			all.Reason = l.Reason
		}
	}
	all.Grown = all.Grown && all.Reason == ""
	return all
}

// listCondition returns a condition on the length of the list t, or of the page if t is nil. The
// condition holds when the list has enough items, or more items than before.
func (p *scroller) listCondition(t *driver.Target, ask listing) condition {
	if t == nil {
		t = &driver.Target{Source: "the page"}
	}
	return func(ctx context.Context, d time.Duration) (driver.Listing, bool, error) {
		r, err := p.search(ctx, *t, d, question{method: "more", match: state{State: "attached"}, with: func(l lookup) any {
			asked := ask
			asked.lookup = l
			return asked
		}})
		if err != nil {
			return driver.Listing{}, false, err
		}
		l := driver.Listing{Grown: r.Grown}
		if ask.Direction == "" {
			l.Items = r.Count
		}
		if r.Enough {
			l.Reason = "item_count_reached"
		}
		return l, r.Enough || r.Grown, nil
	}
}

// elementCondition returns a condition that holds when t has a visible match.
func (p *scroller) elementCondition(t driver.Target) condition {
	visible := state{State: "visible"}
	return func(ctx context.Context, d time.Duration) (driver.Listing, bool, error) {
		r, err := p.search(ctx, t, d, question{method: "act", match: visible, with: func(l lookup) any {
			return act{lookup: l, Inner: l.in.Outer != nil, Op: op{Name: "none"}, State: &visible}
		}})
		if err != nil || !r.OK {
			return driver.Listing{}, false, err
		}
		return driver.Listing{Reason: "selector_found"}, true, nil
	}
}

// textCondition returns a condition that holds when the page shows text anywhere.
func (p *scroller) textCondition(text string) condition {
	return func(ctx context.Context, d time.Duration) (driver.Listing, bool, error) {
		r, err := p.ForText(text, d).Wait(ctx)
		if err == nil && r.Reason == "op" {
			err = r.Failure()
		}
		if err != nil || !r.OK {
			return driver.Listing{}, false, err
		}
		return driver.Listing{Reason: "text_found"}, true, nil
	}
}

// search sends x to the page, with the query of t, and waits for a match for at most d. If d is 0,
// it makes a single query. If nothing matches, the error is nil.
func (p *scroller) search(ctx context.Context, t driver.Target, d time.Duration, x question) (*acted, error) {
	s := p.finder.seek(ctx, t)
	s.limit, x.once = d, d == 0
	r, err := s.search(ctx, x)
	switch {
	case err != nil:
		return nil, err
	case r.OK:
		s.decided(r.doc, r)
	case r.Reason != "none" && r.Reason != "missing" && r.Reason != "state": // such as a selector that the browser refuses
		return nil, s.failure(ctx, r)
	}
	return r, ctx.Err()
}
