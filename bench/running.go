package main

// The running tools: daemons, a script and browsers, each with an open page.

import (
	"context"
	"errors"
)

// running holds all tools, with their browsers started and their connections open.
type running struct {
	*tools
	socket *actionSocket
	peer   *agentSocket
	script *playwrightLane
	alone  *chromium
	limit  *limitCLI
	// The lane with checks has its own browser, because the two lanes must not see each other's
	// effects in a document.
	checked      checkedChromium
	checkedLimit *limitCLI
}

// start starts all tools and opens url in each.
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

// stop stops all tools, even if the measurement was interrupted.
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

// commands returns the lanes of the tools' command lines, and the limits of a command line.
func (r *running) commands() []Lane {
	return []Lane{actionCLI{actionTool: r.action}, agentCLI{r.agent}, r.limit, r.checkedLimit}
}

// processes returns the lanes for a running program: sockets and a script.
func (r *running) processes() []Lane { return []Lane{r.socket, r.peer, r.script} }

// floors returns the lanes of Chromium without a tool and without a command line.
func (r *running) floors() []Lane { return []Lane{r.alone, r.checked} }
