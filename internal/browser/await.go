package browser

// The end of what the last input has begun, where most input begins nothing: a field that sends
// what is typed does so at once or a moment later, and any other is not to wait for that.

import (
	"context"
	"time"
)

// Await implements [steps.Effects].
func (p *Page) Await(ctx context.Context, most time.Duration) error {
	p.mu.Lock()
	n := p.effects.current()
	p.mu.Unlock()
	if n == nil {
		return nil
	}
	if err := p.commitKept(ctx); err != nil {
		return err
	}
	c, err := p.Caused(ctx, n.n, true)
	if err != nil || !c.Pending {
		return err
	}
	p.mu.Lock()
	open := p.causedOpenLocked(n) > 0 || p.nav.pending()
	p.mu.Unlock()
	if !open {
		if due, err := p.timerDue(ctx, n); err != nil || !due {
			return err
		}
	}
	_, err = p.Settle(ctx, n.n, n.watching, most)
	return err
}

// commitKept leaves the field for a number that the run has set last, as the check at the end of the
// run would do it: a page may send it only then.
func (p *Page) commitKept(ctx context.Context) error {
	for _, k := range p.kept.worlds {
		if err := p.answer(ctx, p.call(ctx, k.world, "commit", map[string]any{"run": p.kept.run}), nil); err != nil && !isGone(err) {
			return err
		}
	}
	return nil
}

// timerDue reports whether a timer that the page has set since an input is still to fire soon, as
// far as that is known: a page that sets others all the time may have one.
func (p *Page) timerDue(ctx context.Context, n *effectNote) (bool, error) {
	w, err := p.currentWorld(ctx)
	if err != nil {
		return false, err
	}
	timers := p.timersSoFar(w)
	for i := range 2 {
		var r struct {
			Due   bool `json:"due"`
			Timer int  `json:"timer"`
		}
		arg := map[string]any{"n": n.n, "timers": timers, "asks": i == 0 && p.recordsTimers()}
		if err := p.answer(ctx, p.call(ctx, w, "timersOf", arg), &r); isGone(err) {
			return true, nil
		} else if err != nil || r.Timer == 0 {
			return r.Due, err
		}
		timers = p.knownTimers(ctx, w, r.Timer, true)
	}
	return true, nil
}
