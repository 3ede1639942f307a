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

// A scroll says how far, as the engine reads it: by a direction and an amount, by
// X and Y, or to a place.
type scroll struct {
	Direction driver.Direction `json:"direction,omitempty"`
	Amount    float64          `json:"amount,omitempty"`
	Percent   bool             `json:"percent,omitempty"`
	X         float64          `json:"x,omitempty"`
	Y         float64          `json:"y,omitempty"`
	To        *point           `json:"to,omitempty"`
}

// scrolled is where the box is then.
type scrolled struct {
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	Moved bool    `json:"moved"`
	End   bool    `json:"end"`
	Desc  string  `json:"desc"`
	// Fixed is why a box has not moved by the wheel.
	Fixed string `json:"fixed"`

	Times     int  `json:"times"`
	FromStart bool `json:"fromStart"`
}

// scrollOnTime is how long the engine may scroll on by itself.
const scrollOnTime = time.Second

// A scrollOn makes the engine scroll on until Stop matches.
type scrollOn struct {
	Stop *selectors.Query `json:"stop"`
	Most int              `json:"most"`
	MS   int64            `json:"ms"`
}

// scrollOn is what the engine needs to scroll on by itself; nil where it is not to, or where the
// box is in a frame that the selector of the end may lead into from outside.
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
	return p.scroll(ctx, t, &scroll{Direction: by.Direction, Amount: by.Amount, Percent: by.Percent, X: by.X, Y: by.Y}, by)
}

// ScrollTo implements [driver.Scroller].
func (p *scroller) ScrollTo(ctx context.Context, t *driver.Target, at driver.Point) (driver.Scrolled, error) {
	return p.scroll(ctx, t, &scroll{To: &point{at.X, at.Y}}, driver.ScrollBy{})
}

func (p *scroller) scroll(ctx context.Context, t *driver.Target, how *scroll, by driver.ScrollBy) (driver.Scrolled, error) {
	var r scrolled
	if t == nil {
		if _, err := p.Ask(ctx, "scrollPage", how, &r); err != nil {
			return driver.Scrolled{}, err
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
		return driver.Scrolled{}, diag.New(diag.StepFailed, "%s: the page went to another document while it was scrolled", a.El.label(t.Source)).
			WithHint("look at the page that came")
	}
	if err == nil && r.Fixed != "" {
		return driver.Scrolled{}, diag.New(diag.StepFailed, "%s: %s", t.Source, r.Fixed).
			WithDetail("selector", t.Source).WithHint("name the box that scrolls; this one hides what does not fit, and does not follow the mouse wheel")
	}
	return r.plain(), err
}

// wheel turns the mouse wheel over the middle of t. A box that hides its overflow is
// scrolled by its page, which gets the same events as from a person.
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

func (r scrolled) plain() driver.Scrolled {
	return driver.Scrolled{Desc: r.Desc, X: r.X, Y: r.Y, Moved: r.Moved, AtEnd: r.End, Times: r.Times, FromStart: r.FromStart}
}

// ScrollIntoView implements [driver.Scroller].
func (p *scroller) ScrollIntoView(ctx context.Context, t driver.Target) (driver.Element, error) {
	r, err := p.finder.find(ctx, t, act{Need: attached, Strict: true, Op: op{Name: "scroll"}})
	if err != nil {
		return driver.Element{}, err
	}
	return r.El.plain(), nil
}

// A listing is the engine's query about a long list: about the matches of the query,
// otherwise about the page.
type listing struct {
	lookup
	Count     int              `json:"count,omitempty"`
	Known     int              `json:"known"`
	Changing  bool             `json:"changing,omitempty"`
	Direction driver.Direction `json:"direction,omitempty"`
}

// WaitMore implements [driver.Lister].
func (p *scroller) WaitMore(ctx context.Context, box *driver.Target, d driver.Direction, stop driver.Stop, known int, stall time.Duration) (driver.Listing, error) {
	var looks []look
	if d != "" {
		looks = append(looks, p.listLook(box, listing{Direction: d}))
	}
	if stop.Items != nil {
		looks = append(looks, p.listLook(stop.Items, listing{Count: stop.Count, Known: known, Changing: stop.Changing}))
	}
	if stop.Text != "" {
		looks = append(looks, p.textLook(stop.Text))
	}
	if stop.Element != nil {
		looks = append(looks, p.elementLook(*stop.Element))
	}
	var seen driver.Listing
	if stall > 0 {
		var err error
		if seen, err = firstOf(ctx, looks, min(stall, documents.Patience(ctx))); err != nil {
			return driver.Listing{}, err
		}
	}
	// What else holds now: a page often shows more items and the awaited text at once.
	now, err := allOf(ctx, looks)
	return together(now, seen), err
}

// A look waits for d, 0 for a single query, and reports whether its condition holds.
type look func(ctx context.Context, d time.Duration) (l driver.Listing, holds bool, err error)

// firstOf waits for the look that holds first; the others are cancelled, and awaited.
func firstOf(ctx context.Context, looks []look, d time.Duration) (driver.Listing, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	type answer struct {
		l     driver.Listing
		holds bool
		err   error
	}
	answers := make(chan answer, len(looks))
	var group sync.WaitGroup
	defer group.Wait()
	defer cancel(documents.ErrSettled)
	for _, look := range looks {
		group.Go(func() {
			l, holds, err := look(ctx, d)
			answers <- answer{l, holds, err}
		})
	}
	for range looks {
		if a := <-answers; a.holds || a.err != nil {
			return a.l, a.err
		}
	}
	return driver.Listing{}, nil
}

// allOf runs all looks concurrently.
func allOf(ctx context.Context, looks []look) (driver.Listing, error) {
	seen, failed := make([]driver.Listing, len(looks)), make([]error, len(looks))
	var group sync.WaitGroup
	for i, look := range looks {
		group.Go(func() { seen[i], _, failed[i] = look(ctx, 0) })
	}
	group.Wait()
	for _, err := range failed {
		if err != nil {
			return driver.Listing{}, err
		}
	}
	return together(seen...), nil
}

// reasons to stop, the most telling last.
var reasons = []string{"", "item_count_reached", "text_found", "selector_found"}

// together merges the results of several looks; the items are those of the first that
// counts them.
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

// listLook checks whether the matches of t, or else the page, have enough or more.
func (p *scroller) listLook(t *driver.Target, ask listing) look {
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

// elementLook looks for a visible match.
func (p *scroller) elementLook(t driver.Target) look {
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

// textLook checks for a text anywhere on the page.
func (p *scroller) textLook(text string) look {
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

// search runs the query x on the page for d. No match is not a failure.
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
