package documents

import (
	"context"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/driver"
)

// Waits implements [driver.Waiter], except for its waits for elements.
type Waits struct {
	frames *Frames
	moves  *Moves
	worlds *Worlds
}

// WaitText implements [driver.Waiter].
func (ws *Waits) WaitText(ctx context.Context, text string) error {
	r, err := ws.ForText(text, Patience(ctx)).Wait(ctx)
	if err == nil && r.OK || err != nil && diag.CodeOf(err) != diag.Timeout {
		return err
	}
	if err == nil && r.Reason == "op" {
		return r.Failure()
	}
	e := diag.New(diag.Timeout, "the text %q did not appear", text).WithDetail("text", text).Because(err).
		WithHint("check the text against the page, or give the step more time")
	if len(r.Seen) > 0 {
		e.WithDetail("seen", []string(r.Seen))
	}
	return e
}

// WaitURL implements [driver.Waiter].
func (ws *Waits) WaitURL(ctx context.Context, pattern driver.URLPattern) (string, error) {
	var at string
	err := ws.frames.Until(ctx, "", func() bool {
		at = ws.frames.doc.url
		return pattern.MatchPage(at)
	})
	if e := diag.As(err); e != nil && e.Code == diag.Timeout {
		e.Msg = "the URL is " + at + ", expected " + pattern.String()
		e.WithDetail("url", at).WithHint("check the pattern: write a part of the URL, a glob with *, or a regular expression between slashes")
	}
	return at, err
}

// WaitLoad implements [driver.Waiter].
func (ws *Waits) WaitLoad(ctx context.Context, s driver.LoadState) error {
	err := ws.frames.UntilQuiet(ctx, "", func() (bool, time.Duration) {
		if ws.frames.nav.pending() {
			return false, 0
		}
		return ws.frames.reachedLocked(s)
	})
	return ws.moves.notReached(err, s)
}

// ForText returns a patrol that waits for at most d until a document shows text.
func (ws *Waits) ForText(text string, d time.Duration) *patrol {
	return &patrol{p: ws.worlds, method: "waitText", until: time.Now().Add(d), arg: func() map[string]any { return map[string]any{"text": text} }}
}

// WaitStable implements [driver.Waiter].
func (ws *Waits) WaitStable(ctx context.Context) error {
	wait := ws.worlds.acts.next()
	for {
		ws.beginRest(ctx, wait)
		err := ws.WaitLoad(ctx, driver.NetworkIdle)
		if e := diag.As(err); e != nil && e.Code == diag.Timeout {
			e.Msg = "the page does not come to rest: " + ws.moves.progress(driver.NetworkIdle)
		}
		if err != nil {
			return err
		}
		r, err := ws.forRest(wait, Patience(ctx)).Wait(ctx)
		if err != nil && diag.CodeOf(err) != diag.Timeout {
			return err
		}
		if err == nil && r.Reason == "op" {
			return r.Failure()
		}
		if !r.OK {
			e := diag.New(diag.Timeout, "the page does not come to rest").Because(err).
				WithHint("instead, wait for the element or the text that the next step needs")
			if len(r.Seen) > 0 {
				e.Msg += ": " + strings.Join(r.Seen, "; ")
			}
			return e
		}
		if r.worlds > 1 { // more than one: all must be at rest at the same moment
			if r, err = ws.forRest(wait, 0).Wait(ctx); err != nil || !r.OK {
				continue
			}
		}
		if ws.frames.IsIdle() { // the worlds and the network are at rest at the same moment
			return nil
		}
	}
}

// beginRest makes the documents begin the given wait, if the network is not at rest yet: both must
// rest for the same time, so one wait need not begin after the other.
func (ws *Waits) beginRest(ctx context.Context, wait int64) {
	if !ws.frames.IsIdle() && ws.WaitLoad(ctx, driver.DOMContentLoaded) == nil {
		_, _ = ws.forRest(wait, 0).Wait(ctx) // ignore the result: the documents are asked again
	}
}

// forRest returns a patrol that waits until all documents are at rest. wait is an id; the engine
// treats patrols with the same id as one wait.
func (ws *Waits) forRest(wait int64, d time.Duration) *patrol {
	return &patrol{p: ws.worlds, method: "waitStable", all: true, until: time.Now().Add(d), arg: func() map[string]any {
		return map[string]any{"quiet": network.QuietTime.Milliseconds(), "wait": wait}
	}}
}
