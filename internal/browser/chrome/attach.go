package chrome

// Attaching to a running browser that we did not start. Its own context is the window w1, and its
// front tab is t1. Because the browser belongs to its user, we attach only to the tabs that we use
// and to the tabs that these open. When we disconnect, the contexts that we have created are closed
// with their tabs; everything else stays open.

import (
	"context"
	"slices"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/eval"
)

const (
	// connectTime bounds connecting to a running browser.
	connectTime = 10 * time.Second
	// lookTime bounds the search for the front tab, because some tabs never answer.
	lookTime = 2 * time.Second
)

// Begin opens the first window and tab of a session. With a persistent profile, the window is the
// browser's own context. In a browser that was already running, Begin uses a tab of that context
// instead: the one that [startup.Options.Target] selects, or else the tab in front. If there is no
// tab, Begin opens one.
func (o *windows) Begin(ctx context.Context) error {
	if o.host.endpoint == nil && o.host.opts.Profile == "" {
		_, err := o.NewPage(ctx)
		return err
	}
	var front proto.TargetTargetID
	if o.host.endpoint != nil {
		var err error
		if o.host.opts.Target != "" {
			front, err = o.target(ctx, o.host.opts.Target)
		} else {
			front, err = o.front(ctx)
		}
		if err != nil {
			return err
		}
	}
	w := &window{own: true}
	o.addWindow(w)
	if front == "" {
		p, err := o.tabs.newTab(ctx, w)
		if err != nil {
			return err
		}
		o.roster.activate(p)
		return nil
	}
	o.roster.ask(w, 1)
	err := o.host.do(ctx, proto.TargetAttachToTarget{TargetID: front, Flatten: true}, nil)
	o.roster.ask(w, -1)
	if err != nil {
		return err
	}
	p := o.roster.tabOf(front)
	if p == nil {
		return cdp.Unavailable("the front tab of the browser was closed").WithHint("run the step again")
	}
	o.roster.activate(p)
	return p.ready(ctx)
}

// front returns the visible tab of the browser's own context. If no tab is visible, it returns the
// most recently used one. It returns "" if the context has no tab.
func (o *windows) front(ctx context.Context) (proto.TargetTargetID, error) {
	tabs, err := o.OwnTabs(ctx)
	if err != nil || len(tabs) == 0 {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	o.host.endpoint.SortRecent(ctx, tabs)
	for _, id := range tabs {
		if o.isVisible(ctx, id) {
			return id, nil
		}
	}
	return tabs[0], nil
}

// OwnTabs lists the tabs of the browser's own context.
func (o *windows) OwnTabs(ctx context.Context) ([]proto.TargetTargetID, error) {
	infos, err := o.host.ownTabs(ctx)
	if err != nil {
		return nil, err
	}
	var tabs []proto.TargetTargetID
	for _, t := range infos {
		tabs = append(tabs, t.TargetID)
	}
	return tabs, nil
}

// isVisible reports whether a tab is visible in its window. It returns false for a tab that does
// not answer.
func (o *windows) isVisible(ctx context.Context, id proto.TargetTargetID) bool {
	var attached proto.TargetAttachToTargetResult
	if o.host.conn.Do(ctx, "", proto.TargetAttachToTarget{TargetID: id, Flatten: true}, &attached) != nil {
		return false
	}
	defer o.host.conn.Start(context.WithoutCancel(ctx), "", proto.TargetDetachFromTarget{SessionID: attached.SessionID})
	ctx, cancel := context.WithTimeout(ctx, lookTime/4)
	defer cancel()
	var r eval.Evaluated
	ask := proto.RuntimeEvaluate{Expression: "document.visibilityState", ReturnByValue: true}
	return o.host.conn.Do(ctx, string(attached.SessionID), ask, &r) == nil && string(r.Result.Value) == `"visible"`
}

// popupTold attaches to a new tab that one of our tabs has opened. It does nothing in a browser
// that we have started, because such a browser attaches us by itself. It runs in the goroutine that
// reads replies.
func (ts *tabs) popupTold(info *proto.TargetTargetInfo) {
	if ts.host.endpoint == nil || info.Attached || info.Type != proto.TargetTargetInfoTypePage || ts.roster.tabOf(info.TargetID) != nil {
		return
	}
	if ts.roster.tabOf(info.OpenerID) != nil || ts.roster.isOurs(info.BrowserContextID) {
		ts.host.conn.Start(context.Background(), "", proto.TargetAttachToTarget{TargetID: info.TargetID, Flatten: true})
	}
}

// isOurs reports whether a new tab in a context was opened by one of our pages. That is so if we
// have opened the window of that context and are not opening a tab in it now.
func (r *roster) isOurs(context proto.BrowserBrowserContextID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.windows, func(w *window) bool { return !w.own && w.context == context && w.asked == 0 })
}

// leave disconnects from a browser that we did not start. It closes the contexts that we created,
// with their tabs. The browser itself drops our settings when the connection ends.
func (b *Browser) leave(ctx context.Context) error {
	var ends []proto.Request
	for _, w := range b.roster.forgetWindows() {
		if !w.own {
			ends = append(ends, proto.TargetDisposeBrowserContext{BrowserContextID: w.context})
			continue
		}
		for _, p := range b.roster.tabsIn(w) {
			ends = append(ends, proto.TargetDetachFromTarget{SessionID: proto.TargetSessionID(p.Link.Session)})
		}
	}
	var calls []*cdp.Call
	for _, end := range ends {
		calls = append(calls, b.host.conn.Start(ctx, "", end))
	}
	for _, k := range calls {
		_ = k.Wait(nil) // it may be closed already
	}
	b.host.conn.Close()
	return b.downloads.Remove()
}
