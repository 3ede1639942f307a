package main

// Tools that run: daemons, a script and a browser with a page each.

import (
	"context"
	"errors"
)

// running is every tool with its browser started and its connection open.
type running struct {
	*tools
	socket *actionSocket
	peer   *agentSocket
	script *playwrightLane
	alone  *chromium
	limit  *limitCLI
	// With checks, in a browser of their own: what one has done in a document, the other
	// must not find done.
	checked      checkedChromium
	checkedLimit *limitCLI
}

// start starts all and shows url in each.
func (t *tools) start(ctx context.Context, url string) (_ *running, err error) {
	r := &running{tools: t}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.stop())
		}
	}()
	if _, err := (actionCLI{actionTool: t.action}).Do(ctx, Args{"open", url}); err != nil {
		return nil, err
	}
	lines, err := dialLines(ctx, t.action.socket)
	if err != nil {
		return nil, err
	}
	r.socket = &actionSocket{t.action, lines}
	if _, err := t.agent.first(ctx, "open", url); err != nil {
		return nil, err
	}
	if r.peer, err = t.agent.dial(ctx); err != nil {
		return nil, err
	}
	if r.script, err = t.playwright.serve(ctx); err != nil {
		return nil, err
	}
	if _, err := r.script.Do(ctx, Args{"open", url}); err != nil {
		return nil, err
	}
	if r.alone, err = startChromium(ctx, t.browser, t.dir); err != nil {
		return nil, err
	}
	if _, err := r.alone.Do(ctx, Args{"open", url}); err != nil {
		return nil, err
	}
	if r.limit, err = newLimit(r.alone, limitName, r.alone.do, t.limit, t.dir); err != nil {
		return nil, err
	}
	if r.checked.chromium, err = startChromium(ctx, t.browser, t.dir); err != nil {
		return nil, err
	}
	if _, err := r.checked.Do(ctx, Args{"open", url}); err != nil {
		return nil, err
	}
	r.checkedLimit, err = newLimit(r.checked.chromium, checkedLimitName, r.checked.doChecked, t.limit, t.dir)
	return r, err
}

// stop ends all that was started, also when the measuring was interrupted.
func (r *running) stop() error {
	ctx := context.Background()
	errs := []error{r.action.stop(ctx), r.agent.stop(ctx)}
	if r.socket != nil {
		r.socket.lines.close()
	}
	if r.peer != nil {
		r.peer.lines.close()
	}
	if r.script != nil {
		errs = append(errs, r.script.close())
	}
	for _, limit := range []*limitCLI{r.limit, r.checkedLimit} {
		if limit != nil {
			limit.stop()
		}
	}
	for _, c := range []*chromium{r.alone, r.checked.chromium} {
		if c != nil {
			errs = append(errs, c.stop())
		}
	}
	return errors.Join(errs...)
}

// commands are the tools that have a command line, and the limits of one.
func (r *running) commands() []Lane {
	return []Lane{actionCLI{actionTool: r.action}, agentCLI{r.agent}, r.limit, r.checkedLimit}
}

// processes are the tools as a program that runs uses them.
func (r *running) processes() []Lane { return []Lane{r.socket, r.peer, r.script} }

// floors are what Chromium alone does without a command line.
func (r *running) floors() []Lane { return []Lane{r.alone, r.checked} }
