package browser

// A final check of the controls that a run has set: do they still hold their values? The engine
// keeps the controls, in the world of each document (engine/page/kept.js).

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

// A keeper lists the documents in which a run has set controls. The zero value keeps nothing. Only
// one run may use it at a time.
type keeper struct {
	run    int64 // number of the run; 0: nothing is kept
	worlds []*keptWorld

	part     int // number of the current part of the run, from 1; 0: none has begun
	requests int // number of requests before the run, whose answers are not awaited; -1: the run has sent no input yet
}

// A keptWorld is a world in which the run has set controls.
type keptWorld struct {
	documents.World
	seen    []revert // reverts that the world has reported so far
	excused bool     // changes from now on are no reverts: input has caused them
	carryOver
}

// A revert is a control that no longer holds the value that a run has set.
type revert struct {
	driver.Reverted
	Files   []string `json:"files"`   // names of the files that a file input was given; nil for other controls
	Lacking []string `json:"lacking"` // those of Files that the page neither holds nor shows
	Sent    int      `json:"sent"`    // number of requests with a body before the files were given
}

// Keep implements [driver.Keeper].
func (p *controls) Keep(on bool) {
	p.keeper = keeper{}
	p.Sent.Forget()
	p.Timers.Reset()
	if on {
		p.keeper.run, p.keeper.requests = p.NextAct(), -1
	}
}

// keepSince must be called before each operation op. Before the first input of a run, it records
// how many requests are older than mostAwaited. The check at the end of the run waits only for the
// answers to later requests.
func (p *controls) keepSince(op string) {
	if p.keeper.run == 0 || p.keeper.requests >= 0 || op == "" || op == "none" || op == "read" {
		return
	}
	p.keeper.requests = p.Net.ScriptedSince(time.Now().Add(-mostAwaited))
}

// keepIn records that the run has set a control of w that only the engine knows.
func (p *controls) keepIn(w documents.World) {
	if k := p.keepWorld(w); k != nil {
		k.untracked = true
	}
}

// noteReverts stores the reverts that an act in w has reported. Nil means that the act has checked
// no controls.
func (p *controls) noteReverts(w documents.World, list []revert) {
	if k := p.keeper.in(w); k != nil && list != nil {
		k.seen = list
	}
}

// consequence returns the navigation that an input in w has caused; see [documents.Outcome.LedTo].
// If the document of w was replaced, the controls of w are no longer checked.
func (p *controls) consequence(ctx context.Context, w documents.World) (*driver.Navigation, error) {
	nav, left, err := p.Outcome.LedTo(ctx, w)
	if k := p.keeper.in(w); left && k != nil {
		k.excused = true
	}
	return nav, err
}

// LookBack implements [driver.Keeper].
func (p *controls) LookBack(ctx context.Context) {
	p.followKept(ctx)
	for _, k := range p.keeper.worlds {
		if k.excused {
			continue
		}
		var found []revert
		if p.Answer(ctx, p.Call(ctx, k.World, "lookAround", map[string]any{"run": p.keeper.run}), &found) == nil {
			k.seen = found
		}
	}
}

// Excuse implements [driver.Keeper]. It does not wait for replies: a world handles calls in order.
func (p *controls) Excuse(ctx context.Context, by driver.Effect) {
	for _, k := range p.keeper.worlds {
		if !k.excused {
			p.Call(context.WithoutCancel(ctx), k.World, "excuse", map[string]any{"part": p.keeper.part, "rows": by == driver.ViewEffect})
			k.excused = by == driver.AnyEffect
		}
		if by == driver.AnyEffect {
			k.set, k.untracked = nil, false
		}
	}
}

// mostAwaited limits how long a check of the set controls waits for the answers to requests of the
// page.
const mostAwaited = 3 * time.Second

// awaitAnswers waits for the answers to requests that scripts of the page have sent, and for the next
// document of a page that navigates, at most until the given time. It ignores the first requests of
// the tab; the argument "requests" is their number. It reports whether there was anything to wait for.
func (p *controls) awaitAnswers(ctx context.Context, requests int, until time.Time) bool {
	none := func() (bool, time.Duration) {
		open, again := p.Net.Scripted(requests)
		return open == 0 && !p.IsNavigating(), again
	}
	if ok, _ := none(); ok || !time.Now().Before(until) {
		return false
	}
	ctx, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	_ = p.Link.UntilQuiet(ctx, "", none) // ignore the error: the page is checked even if answers are missing
	return true
}

// late is the engine's report on the controls that a run has set in a world.
type late struct {
	Lost, Reverted []revert
	Timer          int `json:"timer"` // timer by which to find the page's own timers, if the report depends on them; otherwise 0
}

// finalReport waits for the answers to the requests of the page. Then it calls the function fn of
// the engine in w, which reports on the controls that the run has set there. If the page has sent
// more requests by then, or navigates, finalReport waits and calls fn again. It returns a report at once if the
// function "enough" returns true for it.
func (p *controls) finalReport(ctx context.Context, w documents.World, fn string, args map[string]any, enough func(*late) bool) (*late, error) {
	args["run"], args["timers"] = p.keeper.run, p.Timers.SoFar(w.ID)
	for until := time.Now().Add(mostAwaited); ; {
		args["answered"] = p.awaitAnswers(ctx, p.keeper.requests, until)
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
		if more, _ := p.Net.Scripted(p.keeper.requests); more == 0 && !p.IsNavigating() || !time.Now().Before(until) {
			return answer, nil
		}
	}
}

// Part implements [driver.Keeper].
func (p *controls) Part() int {
	p.keeper.part++
	return p.keeper.part
}

// Lost implements [driver.Keeper].
func (p *controls) Lost(ctx context.Context, parts [][2]int, again bool) (all []driver.Reverted, err error) {
	for i := 0; i < len(p.keeper.worlds); i++ { // follow may add a world
		k := p.keeper.worlds[i]
		args := map[string]any{"parts": parts, "again": again}
		switch now, failed := p.finalReport(ctx, k.World, "lost", args, func(l *late) bool { return len(l.Lost) > 0 }); {
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
		for _, k := range p.keeper.worlds {
			err = cmp.Or(err, k.missingControls(parts))
		}
	}
	return all, err
}

// Reverted implements [driver.Keeper].
func (p *controls) Reverted(ctx context.Context) (all []driver.Reverted, err error) {
	for i := 0; i < len(p.keeper.worlds); i++ { // follow may add a world
		k := p.keeper.worlds[i]
		found := k.seen
		if !k.excused {
			switch now, failed := p.finalReport(ctx, k.World, "reverted", map[string]any{}, func(l *late) bool { return len(l.Reverted) > 0 }); {
			case failed == nil:
				found = now.Reverted
			case cdp.IsGone(failed):
				if p.follow(ctx, k, nil); k.unknown { // the next document does not show them
					err = cmp.Or(err, error(diag.New(diag.StepFailed, "the page has replaced or closed the document that contained the controls").
						WithHint("check whether the page has stored the values")))
				}
			default:
				err = cmp.Or(err, failed)
			}
		}
		all = append(all, p.unsent(ctx, p.awaitFiles(ctx, k.World, found))...)
		left, unseen := k.lost()
		all, err = append(all, left...), cmp.Or(err, unseen)
		p.Call(context.WithoutCancel(ctx), k.World, "forget", nil)
	}
	p.Keep(false)
	return all, err
}

// awaitFiles waits for the page to show or send the files that it has taken out of their inputs. It
// returns the reverts that remain after the wait.
func (p *controls) awaitFiles(ctx context.Context, w documents.World, list []revert) []revert {
	isLost := func(r revert) bool { return r.Files != nil && p.hasLost(ctx, r) }
	if !slices.ContainsFunc(list, isLost) {
		return list
	}
	look := p.Call(ctx, w, "filesKept", map[string]any{"run": p.keeper.run, "wait": takenTime.Milliseconds()})
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

// unsent returns those reverts in list for which hasLost is true.
func (p *controls) unsent(ctx context.Context, list []revert) (all []driver.Reverted) {
	for _, r := range list {
		if p.hasLost(ctx, r) {
			all = append(all, r.Reverted)
		}
	}
	return all
}

// hasLost reports whether a value was lost with the revert r. Files are not lost if the page has
// sent them.
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

// commitKept takes the focus from the number field that the run has set last, and then gives it
// back. Some pages send a number only when its field loses the focus.
func (p *controls) commitKept(ctx context.Context) error {
	for _, k := range p.keeper.worlds {
		if err := p.Answer(ctx, p.Call(ctx, k.World, "commit", map[string]any{"run": p.keeper.run}), nil); err != nil && !cdp.IsGone(err) {
			return err
		}
	}
	return nil
}

// sentBefore reports whether the page sends another request with a body before the call "look"
// ends. The argument "sent" is the number of these requests so far. sentBefore waits for at most
// takenTime.
func (p *controls) sentBefore(ctx context.Context, look *cdp.Call, sent int) bool {
	short, cancel := context.WithTimeout(ctx, takenTime)
	defer cancel()
	go func() { // a request is reported by an event, the end of look by a reply
		select {
		case <-look.Done():
			cancel()
		case <-short.Done():
		}
	}()
	return p.Link.Until(short, "", func() bool { return p.Sent.Count() > sent }) == nil
}
