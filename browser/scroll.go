package browser

import (
	"context"
	"errors"
	"time"

	"actionregistry/diag"
	"actionregistry/selectors"
	"actionregistry/steps"
)

// A scroll says how far, as the engine reads it: by a direction and an amount, by
// X and Y, or to a place.
type scroll struct {
	Direction steps.Direction `json:"direction,omitempty"`
	Amount    float64         `json:"amount,omitempty"`
	Percent   bool            `json:"percent,omitempty"`
	X         float64         `json:"x,omitempty"`
	Y         float64         `json:"y,omitempty"`
	To        *point          `json:"to,omitempty"`
}

// scrolled is where the box is then.
type scrolled struct {
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	Moved bool    `json:"moved"`
	End   bool    `json:"end"`
	Desc  string  `json:"desc"`
}

// Scroll implements [steps.Scroller].
func (p *Page) Scroll(ctx context.Context, t *steps.Target, by steps.ScrollBy) (steps.Scrolled, error) {
	return p.scroll(ctx, t, &scroll{Direction: by.Direction, Amount: by.Amount, Percent: by.Percent, X: by.X, Y: by.Y})
}

// ScrollTo implements [steps.Scroller].
func (p *Page) ScrollTo(ctx context.Context, t *steps.Target, at steps.Point) (steps.Scrolled, error) {
	return p.scroll(ctx, t, &scroll{To: &point{at.X, at.Y}})
}

func (p *Page) scroll(ctx context.Context, t *steps.Target, how *scroll) (steps.Scrolled, error) {
	var r scrolled
	if t == nil {
		if _, err := p.look(ctx, "scrollPage", how, &r); err != nil {
			return steps.Scrolled{}, err
		}
		return r.plain(), nil
	}
	a, err := p.find(ctx, *t, act{Need: []string{"visible"}, Strict: true, Op: op{Name: "scrollBy", Scroll: how}})
	if err != nil {
		return steps.Scrolled{}, err
	}
	err = p.answer(ctx, p.call(ctx, a.w, "scrolled", nil), &r)
	if errors.Is(err, errWorldGone) {
		return steps.Scrolled{}, diag.New(diag.StepFailed, "%s: the page went to another document while it was scrolled", a.El.label(t.Source)).
			WithHint("look at the page that came")
	}
	return r.plain(), err
}

func (r scrolled) plain() steps.Scrolled {
	return steps.Scrolled{Desc: r.Desc, X: r.X, Y: r.Y, Moved: r.Moved, AtEnd: r.End}
}

// ScrollIntoView implements [steps.Scroller].
func (p *Page) ScrollIntoView(ctx context.Context, t steps.Target) (steps.Element, error) {
	r, err := p.find(ctx, t, act{Need: attached, Strict: true, Op: op{Name: "scroll"}})
	if err != nil {
		return steps.Element{}, err
	}
	return r.El.plain(), nil
}

// listing is what the engine asks and tells of a long list.
type listing struct {
	Box       *selectors.Query `json:"box,omitempty"`
	Stop      *selectors.Query `json:"stop,omitempty"`
	Items     *selectors.Query `json:"items,omitempty"`
	Text      string           `json:"text,omitempty"`
	Count     int              `json:"count,omitempty"`
	Known     int              `json:"known"`
	Direction steps.Direction  `json:"direction,omitempty"`
	ID        int64            `json:"id"`
	Timeout   int64            `json:"timeout"`
}

// WaitMore implements [steps.Lister].
func (p *Page) WaitMore(ctx context.Context, box *steps.Target, d steps.Direction, stop steps.Stop, known int, stall time.Duration) (steps.Listing, error) {
	start := time.Now()
	for {
		w, err := p.currentWorld(ctx)
		if err != nil {
			return steps.Listing{}, err
		}
		ask := listing{Text: stop.Text, Count: stop.Count, Known: known, Direction: d, ID: p.acts.next()}
		ask.Timeout = min(max(stall-time.Since(start), 0), patience(ctx)).Milliseconds()
		for into, t := range map[**selectors.Query]*steps.Target{&ask.Box: box, &ask.Stop: stop.Element, &ask.Items: stop.Items} {
			if t == nil {
				continue
			}
			if *into, err = t.Bind(ctx, w.doc); err != nil {
				return steps.Listing{}, err
			}
		}
		r, err := p.askMore(ctx, w, ask)
		if !errors.Is(err, errWorldGone) {
			return r, err
		}
		if err := p.afterWorld(ctx, w); err != nil {
			return steps.Listing{}, err
		}
	}
}

func (p *Page) askMore(ctx context.Context, w world, ask listing) (steps.Listing, error) {
	for _, q := range []*selectors.Query{ask.Box, ask.Stop, ask.Items} {
		if needsAX(q) {
			p.keepAX(ctx, w)
		}
	}
	var r struct {
		acted
		Items int  `json:"items"`
		Grown bool `json:"grown"`
	}
	guarded, cancel := context.WithTimeout(ctx, time.Duration(ask.Timeout)*time.Millisecond+answerGrace)
	defer cancel()
	err := p.answer(guarded, p.call(guarded, w, "more", ask), &r)
	if err != nil && guarded.Err() != nil {
		p.call(context.WithoutCancel(ctx), w, "cancel", map[string]int64{"id": ask.ID})
	}
	if err != nil {
		return steps.Listing{}, err
	}
	if !r.OK { // a selector that the browser refuses
		s := p.seek(ctx, steps.Target{Source: "the list"})
		return steps.Listing{}, s.failure(ctx, &r.acted)
	}
	return steps.Listing{Reason: r.Reason, Items: r.Items, Grown: r.Grown}, ctx.Err()
}
