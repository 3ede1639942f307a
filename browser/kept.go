package browser

// Controls that a run has set are looked at once more at its end: the engine keeps them,
// in the world of each document (browser/engine/61_kept.js).

import (
	"cmp"
	"context"
	"slices"

	"actionregistry/diag"
	"actionregistry/steps"
)

// kept says whose controls are kept. It is used by one run at a time.
type kept struct {
	run    int64 // 0: none
	worlds []*keptWorld
	sent   int // requests with a body, before files were given
}

// A keptWorld is one in which the run has set controls.
type keptWorld struct {
	world
	seen    []revert // reverts that it has reported so far
	excused bool     // nothing but seen can be a revert any more
}

type revert struct {
	steps.Reverted
	Files bool `json:"files"` // of an input for files
}

// Keep implements [steps.Keeper].
func (p *Page) Keep(on bool) {
	p.kept = kept{}
	if on {
		p.kept.run = p.acts.next()
	}
}

func (k *kept) in(w world) *keptWorld {
	i := slices.IndexFunc(k.worlds, func(have *keptWorld) bool { return have.id == w.id })
	if i < 0 {
		return nil
	}
	return k.worlds[i]
}

// keepIn notes that a control of w was set.
func (p *Page) keepIn(w world) {
	switch k := p.kept.in(w); {
	case p.kept.run == 0:
	case k == nil:
		p.kept.worlds = append(p.kept.worlds, &keptWorld{world: w})
	default:
		k.excused = false
	}
}

// toldReverts notes what an act in w has reported; nil where it looked at nothing.
func (p *Page) toldReverts(w world, list []revert) {
	if k := p.kept.in(w); k != nil && list != nil {
		k.seen = list
	}
}

// LookBack implements [steps.Keeper].
func (p *Page) LookBack(ctx context.Context) {
	for _, k := range p.kept.worlds {
		if k.excused {
			continue
		}
		var found []revert
		if p.answer(ctx, p.call(ctx, k.world, "lookAround", map[string]any{"run": p.kept.run}), &found) == nil {
			k.seen = found
		}
	}
}

// Excuse implements [steps.Keeper]. Calls of a world are done in their order, so that
// nobody waits for these.
func (p *Page) Excuse(ctx context.Context) {
	for _, k := range p.kept.worlds {
		if !k.excused {
			p.call(context.WithoutCancel(ctx), k.world, "excuse", nil)
			k.excused = true
		}
	}
}

// Reverted implements [steps.Keeper].
func (p *Page) Reverted(ctx context.Context) (all []steps.Reverted, err error) {
	p.mu.Lock()
	busy := p.net.busy() > 0
	p.mu.Unlock()
	for _, k := range p.kept.worlds {
		found := k.seen
		if !k.excused {
			var now []revert
			switch failed := p.answer(ctx, p.call(ctx, k.world, "reverted", map[string]any{"run": p.kept.run, "busy": busy}), &now); {
			case failed == nil:
				found = now
			case isGone(failed):
				err = cmp.Or(err, error(diag.New(diag.StepFailed, "the page has replaced or closed their document by itself").
					WithHint("see whether it has taken what they held")))
			default:
				err = cmp.Or(err, failed)
			}
		}
		for _, r := range found {
			if !r.Files || p.bodiesSoFar() <= p.kept.sent { // the page has not sent them
				all = append(all, r.Reverted)
			}
		}
	}
	p.Keep(false)
	return all, err
}
