package browser

import (
	"context"
	"errors"
	"strings"
	"time"

	"actionregistry/diag"
	"actionregistry/steps"
)

// WaitElement implements [steps.Waiter].
func (p *Page) WaitElement(ctx context.Context, t steps.Target, want steps.ElementState) (steps.Element, error) {
	if want.State == "" {
		want.State = "visible"
	}
	r, err := p.find(ctx, t, act{Op: op{Name: "none"}, State: &state{want.State, want.Text}})
	if err != nil {
		return steps.Element{}, err
	}
	return r.El.plain(), nil
}

// waiting is the engine's answer to a wait that is about no element.
type waiting struct {
	OK     bool   `json:"ok"`
	Reason string `json:"reason"`
	Seen   lines  `json:"seen"`
}

// WaitText implements [steps.Waiter].
func (p *Page) WaitText(ctx context.Context, text string) error {
	r, err := p.wait(ctx, "waitText", map[string]any{"text": text})
	if err == nil && r.OK || err != nil && diag.CodeOf(err) != diag.Timeout {
		return err
	}
	e := diag.New(diag.Timeout, "the text %q did not appear", text).WithDetail("text", text).Because(err).
		WithHint("check the text against the page, or give the step more time")
	if len(r.Seen) > 0 {
		e.WithDetail("seen", []string(r.Seen))
	}
	return e
}

// wait calls a waiting function of the engine with the time that ctx leaves, in
// the current document and those that replace it.
func (p *Page) wait(ctx context.Context, method string, arg map[string]any) (waiting, error) {
	for {
		w, err := p.currentWorld(ctx)
		if err != nil {
			return waiting{}, err
		}
		id := p.acts.next()
		arg["id"], arg["timeout"] = id, patience(ctx).Milliseconds()
		var r waiting
		err = p.answer(ctx, p.call(ctx, w, method, arg), &r)
		switch {
		case errors.Is(err, errWorldGone):
			if err := p.afterWorld(ctx, w); err != nil {
				return r, err
			}
			continue
		case err != nil && ctx.Err() != nil:
			p.call(context.WithoutCancel(ctx), w, "cancel", map[string]int64{"id": id})
		}
		return r, err
	}
}

// patience is the time that ctx leaves for waiting in the page: all but what
// it takes to say what was seen. Without a deadline it is a day.
func patience(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return 24 * time.Hour
	}
	return max(time.Until(deadline)-reportMargin, 0)
}

// WaitURL implements [steps.Waiter].
func (p *Page) WaitURL(ctx context.Context, pattern steps.URLPattern) (string, error) {
	var at string
	err := p.until(ctx, "", func() bool {
		at = p.doc.url
		return pattern.Match(at)
	})
	if e := diag.As(err); e != nil && e.Code == diag.Timeout {
		e.Msg = "the URL is " + at + ", expected " + pattern.String()
		e.WithDetail("url", at).WithHint("check the pattern: a part of the URL, a glob with *, or /a pattern/")
	}
	return at, err
}

// WaitLoad implements [steps.Waiter].
func (p *Page) WaitLoad(ctx context.Context, s steps.LoadState) error {
	return p.untilQuiet(ctx, "the page did not reach "+string(s)+" in time", func() (bool, time.Duration) {
		if p.nav.pending() {
			return false, 0
		}
		return p.reachedLocked(s)
	})
}

// WaitStable implements [steps.Waiter].
func (p *Page) WaitStable(ctx context.Context) error {
	for {
		if err := p.WaitLoad(ctx, steps.NetworkIdle); err != nil {
			return err
		}
		r, err := p.wait(ctx, "waitStable", map[string]any{"quiet": quietTime.Milliseconds()})
		if err != nil && diag.CodeOf(err) != diag.Timeout {
			return err
		}
		if !r.OK {
			e := diag.New(diag.Timeout, "the page does not come to rest").Because(err).
				WithHint("wait for what the next step needs instead")
			if len(r.Seen) > 0 {
				e.Msg += ": " + strings.Join(r.Seen, "; ")
			}
			return e
		}
		if p.isIdle() { // both at the same time
			return nil
		}
	}
}

func (p *Page) isIdle() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	idle, _ := p.net.idle()
	return idle && !p.nav.pending()
}
