package browser

// Controls that a run has set are checked once more at its end: the engine keeps them, in
// the world of each document (browser/engine/page/kept.js).

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/driver"
)

// kept says whose controls are kept. It is used by one run at a time.
type kept struct {
	run    int64 // 0: none
	worlds []*keptWorld

	part     int // of the run: a number for each, in order
	requests int // that existed before its first input; -1: there were none
}

// A keptWorld is one in which the run has set controls.
type keptWorld struct {
	documents.World
	seen    []revert // reverts that it has reported so far
	excused bool     // only already seen changes can be reverts
	carriage
}

type revert struct {
	driver.Reverted
	Files   []string `json:"files"`   // of an input for files: those that it was given
	Lacking []string `json:"lacking"` // of these, those that the page neither holds nor shows
	Sent    int      `json:"sent"`    // requests with a body before them
}

// Keep implements [driver.Keeper].
func (p *controls) Keep(on bool) {
	p.kept = kept{}
	p.Sent.Forget()
	p.Timers.Reset()
	if on {
		p.kept.run, p.kept.requests = p.NextAct(), -1
	}
}

// keepSince records the number of requests before the first input of a run: later only
// answers to newer ones are awaited, and to requests of the last mostAwaited before it,
// which may bring the data with which the page fills its form. An older one may stay open
// for long.
func (p *controls) keepSince(op string) {
	if p.kept.run == 0 || p.kept.requests >= 0 || op == "" || op == "none" || op == "read" {
		return
	}
	p.kept.requests = p.Net.ScriptedSince(time.Now().Add(-mostAwaited))
}

func (k *kept) in(w documents.World) *keptWorld {
	i := slices.IndexFunc(k.worlds, func(have *keptWorld) bool { return have.ID == w.ID })
	if i < 0 {
		return nil
	}
	return k.worlds[i]
}

// keepIn records that a control of w was set.
func (p *controls) keepIn(w documents.World) {
	if k := p.keepWorld(w); k != nil {
		k.bare = true
	}
}

// keepWorld returns the state of w, in which a control was set; nil if none is kept.
func (p *controls) keepWorld(w documents.World) *keptWorld {
	k := p.kept.in(w)
	switch {
	case p.kept.run == 0:
		return nil
	case k == nil:
		k = &keptWorld{World: w}
		p.kept.worlds = append(p.kept.worlds, k)
	}
	k.excused = false
	return k
}

// toldReverts records the reverts that an act in w has reported; nil if it checked none.
func (p *controls) toldReverts(w documents.World, list []revert) {
	if k := p.kept.in(w); k != nil && list != nil {
		k.seen = list
	}
}

// consequence is [chrome.Tab.LedTo] for the run: what it has set in a document that its input led away
// from is not checked there any more.
func (p *controls) consequence(ctx context.Context, w documents.World) (*driver.Navigation, error) {
	nav, left, err := p.Outcome.LedTo(ctx, w)
	if k := p.kept.in(w); left && k != nil {
		k.excused = true
	}
	return nav, err
}

// LookBack implements [driver.Keeper].
func (p *controls) LookBack(ctx context.Context) {
	p.followKept(ctx)
	for _, k := range p.kept.worlds {
		if k.excused {
			continue
		}
		var found []revert
		if p.Answer(ctx, p.Call(ctx, k.World, "lookAround", map[string]any{"run": p.kept.run}), &found) == nil {
			k.seen = found
		}
	}
}

// Excuse implements [driver.Keeper]. Calls of a world are processed in order, so nobody
// waits for these.
func (p *controls) Excuse(ctx context.Context, by driver.Effect) {
	for _, k := range p.kept.worlds {
		if !k.excused {
			p.Call(context.WithoutCancel(ctx), k.World, "excuse", map[string]any{"part": p.kept.part, "rows": by == driver.ViewEffect})
			k.excused = by == driver.AnyEffect
		}
		if by == driver.AnyEffect {
			k.set, k.bare = nil, false
		}
	}
}

// mostAwaited bounds how long the check at the end of a run, or of a part of it, waits for
// the answers to requests that the page has sent since the first input of the run.
const mostAwaited = 3 * time.Second

// awaitAnswers waits for the answers to what scripts have sent beyond the first requests, and
// reports whether there was one to wait for.
func (p *controls) awaitAnswers(ctx context.Context, requests int, until time.Time) bool {
	none := func() (bool, time.Duration) {
		open, again := p.Net.Scripted(requests)
		return open == 0, again
	}
	if ok, _ := none(); ok || !time.Now().Before(until) {
		return false
	}
	ctx, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	_ = p.Link.UntilQuiet(ctx, "", none) // whether or not they came, the page is checked
	return true
}

// A late is the state of what a run has set in a world.
type late struct {
	Lost, Reverted []revert
	Timer          int `json:"timer"` // by which the page's timers can be known, for it depends on these; 0: it does not
}

// lateLook queries a world (fn) for the state of what the run has set there, once the page
// has the answers that it waits for, and again if it has sent more requests meanwhile.
// enough reports whether the answer is final all the same.
func (p *controls) lateLook(ctx context.Context, w documents.World, fn string, args map[string]any, enough func(*late) bool) (*late, error) {
	args["run"], args["timers"] = p.kept.run, p.Timers.SoFar(w.ID)
	for until := time.Now().Add(mostAwaited); ; {
		args["answered"] = p.awaitAnswers(ctx, p.kept.requests, until)
		args["asks"] = p.Timers.On()
		args["busy"] = p.Net.Busy() > 0
		answer := new(late)
		if err := p.Answer(ctx, p.Call(ctx, w, fn, args), answer); err != nil {
			return nil, err
		}
		if answer.Timer != 0 {
			args["timers"] = p.Timers.Known(ctx, w.ID, answer.Timer, fn == "lost")
			continue
		}
		if enough(answer) {
			return answer, nil
		}
		if more, _ := p.Net.Scripted(p.kept.requests); more == 0 || !time.Now().Before(until) {
			return answer, nil
		}
	}
}

// Part implements [driver.Keeper].
func (p *controls) Part() int {
	p.kept.part++
	return p.kept.part
}

// Lost implements [driver.Keeper].
func (p *controls) Lost(ctx context.Context, parts [][2]int, again bool) (all []driver.Reverted, err error) {
	for i := 0; i < len(p.kept.worlds); i++ { // following one may add one
		k := p.kept.worlds[i]
		args := map[string]any{"parts": parts, "again": again}
		switch now, failed := p.lateLook(ctx, k.World, "lost", args, func(l *late) bool { return len(l.Lost) > 0 }); {
		case failed == nil:
			k.seen = now.Reverted
			all = append(all, p.unsent(ctx, now.Lost)...)
		case !cdp.IsGone(failed):
			err = cmp.Or(err, failed)
		case !k.excused:
			p.follow(ctx, k, nil)
		}
		all = append(all, k.takeLost(parts)...)
	}
	if err == nil && !slices.ContainsFunc(all, func(r driver.Reverted) bool { return r.Led == "" }) {
		for _, k := range p.kept.worlds {
			err = cmp.Or(err, k.withoutFields(parts))
		}
	}
	return all, err
}

// Reverted implements [driver.Keeper].
func (p *controls) Reverted(ctx context.Context) (all []driver.Reverted, err error) {
	for i := 0; i < len(p.kept.worlds); i++ { // following one may add one
		k := p.kept.worlds[i]
		found := k.seen
		if !k.excused {
			switch now, failed := p.lateLook(ctx, k.World, "reverted", map[string]any{}, func(l *late) bool { return len(l.Reverted) > 0 }); {
			case failed == nil:
				found = now.Reverted
			case cdp.IsGone(failed):
				if p.follow(ctx, k, nil); k.unknown { // of a document that shows nothing of them
					err = cmp.Or(err, error(diag.New(diag.StepFailed, "the page has replaced or closed their document by itself").
						WithHint("see whether it has taken what they held")))
				}
			default:
				err = cmp.Or(err, failed)
			}
		}
		all = append(all, p.unsent(ctx, p.takenLater(ctx, k.World, found))...)
		left, unseen := k.left()
		all, err = append(all, left...), cmp.Or(err, unseen)
		p.Call(context.WithoutCancel(ctx), k.World, "forget", nil)
	}
	p.Keep(false)
	return all, err
}

// takenLater gives a page that has taken files out of their input the time to show or to send
// them, and returns the reverts that are left: some take files over a moment after they were
// given, and draw their list a moment after that.
func (p *controls) takenLater(ctx context.Context, w documents.World, list []revert) []revert {
	isLost := func(r revert) bool { return r.Files != nil && p.hasLost(ctx, r) }
	if !slices.ContainsFunc(list, isLost) {
		return list
	}
	look := p.Call(ctx, w, "filesKept", map[string]any{"run": p.kept.run, "wait": takenTime.Milliseconds()})
	for bodies := p.Sent.Count(); p.sentBefore(ctx, look, bodies); bodies = p.Sent.Count() {
		if !slices.ContainsFunc(list, isLost) {
			return list
		}
	}
	var left []revert
	if p.Answer(ctx, look, &left) != nil {
		return list
	}
	return left
}

// unsent removes files that the page has sent.
func (p *controls) unsent(ctx context.Context, list []revert) (all []driver.Reverted) {
	for _, r := range list {
		if p.hasLost(ctx, r) {
			all = append(all, r.Reverted)
		}
	}
	return all
}

// hasLost reports whether what a run has set is gone: files are not where the page has sent them.
func (p *controls) hasLost(ctx context.Context, r revert) bool {
	return r.Files == nil || len(p.Sent.Unsent(ctx, r.Files, r.Lacking, r.Sent)) > 0
}

// Await implements [driver.Effects].
func (p *controls) Await(ctx context.Context, after int, most time.Duration) error {
	if !p.HasInput() {
		return nil
	}
	if err := p.commitKept(ctx); err != nil {
		return err
	}
	return p.AwaitInput(ctx, after, most)
}

// commitKept leaves the field for a number that the run has set last, as the check at the end of the
// run would do it: a page may send it only then.
func (p *controls) commitKept(ctx context.Context) error {
	for _, k := range p.kept.worlds {
		if err := p.Answer(ctx, p.Call(ctx, k.World, "commit", map[string]any{"run": p.kept.run}), nil); err != nil && !cdp.IsGone(err) {
			return err
		}
	}
	return nil
}
