package documents

// Waits before a step for the effects of earlier input. Most input causes nothing. A field that
// sends its text does so immediately or shortly after the input. So most steps wait only briefly.

import (
	"context"
	"slices"
	"time"

	"github.com/actionregistry/action/internal/browser/cdp"
)

// timersAwaited is how long after an input AwaitInput still considers timers of the page. The
// engine's TIMERS has the same value.
const timersAwaited = 500 * time.Millisecond

// HasInput reports whether the effects of an input are being watched.
func (es *Effects) HasInput() bool {
	es.mu.Lock()
	defer es.mu.Unlock()
	return es.effects.current() != nil
}

// IsNavigating reports whether the page is loading another document.
func (es *Effects) IsNavigating() bool { return es.moves.isNavigating() }

// AwaitInput implements [driver.Effects.Await].
func (es *Effects) AwaitInput(ctx context.Context, after int, most time.Duration) error {
	es.mu.Lock()
	n := es.effects.after(after)
	if n == nil {
		es.mu.Unlock()
		return nil
	}
	isOpen := func() bool { return len(es.Net.OpenSince(n.before)) > 0 || es.moves.isNavigating() }
	open := isOpen()
	var worlds []World // worlds that received input recently
	for _, by := range es.effects.notes {
		for _, w := range by.worlds {
			if time.Since(by.began) < timersAwaited && !slices.Contains(worlds, w) {
				worlds = append(worlds, w)
			}
		}
	}
	es.mu.Unlock()
	for i := 0; !open && i < len(worlds); i++ {
		number, err := es.timerDue(ctx, worlds[i])
		if err != nil {
			return err
		}
		es.mu.Lock()
		// A response may have arrived since, to which the page reacts with further requests.
		if open = isOpen(); !open {
			if by := es.effects.note(number); by != nil {
				n, open = by, true
			}
		}
		es.mu.Unlock()
	}
	if !open {
		return nil
	}
	_, err := es.Settle(ctx, n.n, n.watching, most)
	return err
}

// timerDue looks for a timer that will fire soon and that the document of w has set in reaction to
// an input. It returns the number of that input, or 0 if there is no such timer.
func (es *Effects) timerDue(ctx context.Context, w World) (int, error) {
	timers := es.Timers.SoFar(w.ID)
	for i := 0; ; i++ {
		var r struct {
			N     int `json:"n"`
			Timer int `json:"timer"`
		}
		arg := map[string]any{"timers": timers, "asks": i == 0 && es.Timers.On()}
		if err := es.worlds.Answer(ctx, es.worlds.Call(ctx, w, "timersOf", arg), &r); cdp.IsGone(err) {
			return 0, nil
		} else if err != nil || r.Timer == 0 || i > 0 {
			return r.N, err
		}
		timers = es.Timers.Known(ctx, w.ID, r.Timer, true)
	}
}
