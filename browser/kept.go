package browser

// Controls that a run has set are looked at once more at its end: the engine keeps them,
// in the world of each document (browser/engine/61_kept.js).

import (
	"context"
	"slices"

	"actionregistry/steps"
)

// kept says whose controls are kept. It is used by one run at a time.
type kept struct {
	run    int64 // 0: none
	worlds []world
}

// Keep implements [steps.Keeper].
func (p *Page) Keep() { p.kept = kept{run: p.acts.next()} }

// keepIn notes that a control of w was set.
func (p *Page) keepIn(w world) {
	if p.kept.run == 0 || slices.ContainsFunc(p.kept.worlds, func(k world) bool { return k.id == w.id }) {
		return
	}
	p.kept.worlds = append(p.kept.worlds, w)
}

// Excuse implements [steps.Keeper]. Calls of a world are done in their order, so that
// nobody waits for these.
func (p *Page) Excuse(ctx context.Context) {
	for _, w := range p.kept.worlds {
		p.call(context.WithoutCancel(ctx), w, "excuse", nil)
	}
}

// Reverted implements [steps.Keeper].
func (p *Page) Reverted(ctx context.Context) ([]steps.Reverted, error) {
	k := p.kept
	p.kept = kept{}
	if len(k.worlds) == 0 {
		return nil, nil
	}
	p.mu.Lock()
	busy := len(p.net.open) > 0
	p.mu.Unlock()
	var all []steps.Reverted
	for _, w := range k.worlds {
		var found []steps.Reverted
		err := p.answer(ctx, p.call(ctx, w, "reverted", map[string]any{"run": k.run, "busy": busy}), &found)
		if err != nil && !isGone(err) {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}
