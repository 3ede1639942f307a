package chrome

// Attaching to a running browser that we did not start. Its own context is the window w1, and its
// front tab is t1. Because the browser belongs to its user, we attach only to the tabs that we
// use and to those that they open. Disconnecting closes what we opened in our own contexts;
// everything else stays.

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/downloads"
	"github.com/actionregistry/action/internal/browser/eval"
)

const (
	// connectTime bounds connecting to a running browser.
	connectTime = 10 * time.Second
	// lookTime bounds the search for the front tab: a tab may not answer.
	lookTime = 2 * time.Second
)

// connect connects to the browser that runs at [startup.Options.CDP].
func (b *Browser) connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	e, err := b.opts.FindRunning(ctx)
	if err != nil {
		return err
	}
	b.endpoint = e
	if b.conn, err = cdp.Dial(ctx, e.Socket, b.dispatch, b.opts.Trace); err != nil {
		return e.Refused(err)
	}
	b.downloads = downloads.New(b.conn, "", b.opts.TempDir)
	var v proto.BrowserGetVersionResult
	// The browser reports the pop-ups of our tabs only with this.
	told := b.conn.Start(ctx, "", proto.TargetSetDiscoverTargets{Discover: true, Filter: onlyPages})
	if err := b.conn.Do(ctx, "", proto.BrowserGetVersion{}, &v); err != nil {
		b.conn.Close()
		return e.Silent(err)
	}
	if err := told.Wait(nil); err != nil {
		b.conn.Close()
		return e.Silent(err)
	}
	b.version, b.userAgent = v.Product, v.UserAgent
	return nil
}

// Begin opens the first window and tab of a session. With a persistent profile, or in a browser
// that was already running, the window is the browser's own; in the latter, the tab is the front
// one.
func (b *Browser) Begin(ctx context.Context) error {
	if b.endpoint == nil && b.opts.Profile == "" {
		_, err := b.NewPage(ctx)
		return err
	}
	var front proto.TargetTargetID
	if b.endpoint != nil {
		var err error
		if front, err = b.front(ctx); err != nil {
			return err
		}
	}
	w := &window{own: true}
	b.addWindow(w)
	if front == "" {
		p, err := b.newTab(ctx, w)
		if err != nil {
			return err
		}
		b.activate(p)
		return nil
	}
	b.ask(w, 1)
	err := b.do(ctx, proto.TargetAttachToTarget{TargetID: front, Flatten: true}, nil)
	b.ask(w, -1)
	if err != nil {
		return err
	}
	p := b.tabOf(front)
	if p == nil {
		return cdp.Unavailable("the front tab of the browser was closed").WithHint("run the step again")
	}
	b.activate(p)
	return p.ready(ctx)
}

// front returns the visible tab of the browser's own context, or the one that was used last; ""
// if the context has no tab.
func (b *Browser) front(ctx context.Context) (proto.TargetTargetID, error) {
	tabs, err := b.OwnTabs(ctx)
	if err != nil || len(tabs) == 0 {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	b.endpoint.SortRecent(ctx, tabs)
	for _, id := range tabs {
		if b.isVisible(ctx, id) {
			return id, nil
		}
	}
	return tabs[0], nil
}

// OwnTabs lists the tabs of the browser's own context.
func (b *Browser) OwnTabs(ctx context.Context) ([]proto.TargetTargetID, error) {
	var targets proto.TargetGetTargetsResult
	if err := b.do(ctx, proto.TargetGetTargets{}, &targets); err != nil {
		return nil, err
	}
	var others proto.TargetGetBrowserContextsResult
	if err := b.do(ctx, proto.TargetGetBrowserContexts{}, &others); err != nil {
		return nil, err
	}
	var tabs []proto.TargetTargetID
	for _, t := range targets.TargetInfos {
		inside := strings.HasPrefix(t.URL, "devtools:") || strings.HasPrefix(t.URL, "chrome-extension:")
		if t.Type == proto.TargetTargetInfoTypePage && !inside && !slices.Contains(others.BrowserContextIDs, t.BrowserContextID) {
			tabs = append(tabs, t.TargetID)
		}
	}
	return tabs, nil
}

// isVisible reports whether a tab is visible in its window. It is false for a tab that does not
// answer.
func (b *Browser) isVisible(ctx context.Context, id proto.TargetTargetID) bool {
	var attached proto.TargetAttachToTargetResult
	if b.conn.Do(ctx, "", proto.TargetAttachToTarget{TargetID: id, Flatten: true}, &attached) != nil {
		return false
	}
	defer b.conn.Start(context.WithoutCancel(ctx), "", proto.TargetDetachFromTarget{SessionID: attached.SessionID})
	ctx, cancel := context.WithTimeout(ctx, lookTime/4)
	defer cancel()
	var r eval.Evaluated
	ask := proto.RuntimeEvaluate{Expression: "document.visibilityState", ReturnByValue: true}
	return b.conn.Do(ctx, string(attached.SessionID), ask, &r) == nil && string(r.Result.Value) == `"visible"`
}

// popupTold attaches to a tab that one of ours has opened, in a browser that does not attach us
// by itself. It runs in the goroutine that reads replies.
func (b *Browser) popupTold(info *proto.TargetTargetInfo) {
	if b.endpoint == nil || info.Attached || info.Type != proto.TargetTargetInfoTypePage || b.tabOf(info.TargetID) != nil {
		return
	}
	if b.tabOf(info.OpenerID) != nil || b.isOurs(info.BrowserContextID) {
		b.conn.Start(context.Background(), "", proto.TargetAttachToTarget{TargetID: info.TargetID, Flatten: true})
	}
}

// isOurs reports whether a context belongs to a window that we opened, and we are opening no tab
// there. Only we and our pages open tabs in such a window.
func (b *Browser) isOurs(context proto.BrowserBrowserContextID) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(b.windows, func(w *window) bool { return !w.own && w.context == context && w.asked == 0 })
}

// readTree reads the state of a page that existed before we attached, which events would
// otherwise have reported.
func (p *Tab) readTree(ctx context.Context) error {
	var tree proto.PageGetFrameTreeResult
	if err := p.Link.Do(ctx, proto.PageGetFrameTree{}, &tree); err != nil {
		return err
	}
	p.Frames.ReadFrames(tree.FrameTree)
	return nil
}

// leave disconnects from a browser that is not ours. It closes what we opened in our own
// contexts; our settings end with the connection.
func (b *Browser) leave(ctx context.Context) error {
	var ends []proto.Request
	b.mu.Lock()
	for _, w := range b.windows {
		if !w.own {
			ends = append(ends, proto.TargetDisposeBrowserContext{BrowserContextID: w.context})
			continue
		}
		for _, p := range w.tabs {
			ends = append(ends, proto.TargetDetachFromTarget{SessionID: proto.TargetSessionID(p.Link.Session)})
		}
	}
	b.windows = nil
	b.mu.Unlock()
	var calls []*cdp.Call
	for _, end := range ends {
		calls = append(calls, b.conn.Start(ctx, "", end))
	}
	for _, k := range calls {
		_ = k.Wait(nil) // it may be closed already
	}
	b.conn.Close()
	return b.downloads.Remove()
}
