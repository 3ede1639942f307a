package chrome

// Changes of tabs that pages cause: tabs that they open, and tabs that end without us.

import (
	"context"
	"maps"
	"slices"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
)

// attached adds a page to its window. It runs in the goroutine that reads replies.
func (b *Browser) attached(v *proto.TargetAttachedToTarget) {
	if b.hide(v) {
		return
	}
	ctx := context.Background()
	p, refused := b.adopt(v)
	switch {
	case p == nil:
		b.conn.Start(ctx, string(v.SessionID), proto.RuntimeRunIfWaitingForDebugger{})
		return
	case refused:
		if p.opener != nil {
			p.opener.Popups.add(nil)
		}
		// A paused tab that is closed blocks its opener for good, so the tab must run before it
		// is closed. Nothing is fetched for it.
		b.conn.Start(ctx, string(v.SessionID), proto.FetchEnable{})
		b.conn.Start(ctx, string(v.SessionID), proto.RuntimeRunIfWaitingForDebugger{})
		b.conn.Start(ctx, "", proto.TargetCloseTarget{TargetID: v.TargetInfo.TargetID})
		return
	case p.opener != nil:
		p.opener.Popups.add(p)
	}
	p.prepare(v.WaitingForDebugger)
}

// adopt creates the tab of a target. It returns nil for a target that is not ours; refused means
// that there are too many tabs.
func (b *Browser) adopt(v *proto.TargetAttachedToTarget) (tab *Tab, refused bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.windowOfLocked(v.TargetInfo.BrowserContextID)
	if w == nil || b.tabOfLocked(v.TargetInfo.TargetID) != nil { // or a second session of a known tab
		return nil, false
	}
	p := b.makeTab(v, b.opts.Refs.NextTab(), b.opts.Refs)
	p.window = w
	if b.acting != nil {
		p.page = b.acting(p)
	}
	p.opener = b.tabOfLocked(v.TargetInfo.OpenerID)
	heirOf := w.heirOf
	asked := w.asked > 0 && p.opener == nil
	if p.opener == nil && !asked && heirOf == nil {
		p.opener = b.lastActiveLocked(w) // a link opened with a modifier key
	}
	switch {
	case asked:
	case heirOf != nil && p.opener == nil:
		w.heirOf = nil
		b.succeedLocked(heirOf, p)
	case b.tabsLocked() >= b.opts.TabLimit():
		b.tellLocked(News{Kind: TabRefused, Opener: openerID(p)})
		return p, true
	default:
		b.tellLocked(News{Kind: TabOpened, Tab: p.id, Opener: openerID(p)})
	}
	b.pages[p.Link.Session] = p
	w.tabs = append(w.tabs, p)
	b.recent = append([]*Tab{p}, b.recent...)
	return p, false
}

// makeTab returns the tab of a target. Its refs are recorded in book.
func (b *Browser) makeTab(v *proto.TargetAttachedToTarget, id string, book *snapshot.Book) *Tab {
	p := &Tab{b: b, id: id, after: make(chan struct{})}
	p.Popups = &Popups{of: p}
	p.Parts = documents.NewParts(id, documents.Surroundings{
		Conn: b.conn, Session: string(v.SessionID), Frame: proto.PageFrameID(v.TargetInfo.TargetID), Refs: book, Timers: &b.timers,
		Over: b.ended, Hindered: p.blockedBy, Beside: p.unblocked, NetFailure: b.netFailure,
		Ready: p.ready, ClosedItself: p.ClosedItself, Opened: p.Popups.SoFar,
		Latest: func() int { return int(b.lastRequest.Load()) },
	})
	return p
}

func openerID(p *Tab) string {
	if p.opener == nil {
		return ""
	}
	return p.opener.id
}

// windowOfLocked returns the window of a context, or nil. The id of the browser's own context
// becomes known with its first target.
func (b *Browser) windowOfLocked(context proto.BrowserBrowserContextID) *window {
	for _, w := range b.windows {
		if w.context == context {
			return w
		}
	}
	for _, w := range b.windows {
		if w.own && w.context == "" {
			w.context = context
			return w
		}
	}
	return nil
}

func (b *Browser) tabsLocked() int {
	n := 0
	for _, w := range b.windows {
		n += len(w.tabs) + w.asked
	}
	return n
}

func (b *Browser) roomForTab() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if most := b.opts.TabLimit(); b.tabsLocked() >= most {
		return diag.New(diag.LimitExceeded, "there are %d tabs, the limit of a session", most).
			WithHint("close one first (action tab close), or raise limits.max_tabs")
	}
	return nil
}

// detached handles a tab that was closed, by itself or by us. It runs in the goroutine that reads
// replies.
func (b *Browser) detached(session string) {
	b.mu.Lock()
	p := b.pages[session]
	b.mu.Unlock()
	if p == nil || p.Link.Session != session {
		return
	}
	b.drop(p, diag.New(diag.StepFailed, "the tab %s was closed", p.id).
		WithHint("another tab is active now: see action tab list"))
}

// crashed handles the crash of a tab's process. A background tab is removed; the active one stays
// until it is replaced: see [Browser.Renew].
func (b *Browser) crashed(p *Tab) {
	b.mu.Lock()
	active := b.active == p
	b.mu.Unlock()
	if active {
		return
	}
	b.tell(News{Kind: TabCrashed, Tab: p.id, URL: p.Moves.Address()})
	b.mu.Lock()
	p.closing = true
	b.mu.Unlock()
	b.conn.Start(context.Background(), "", proto.TargetCloseTarget{TargetID: proto.TargetTargetID(p.Link.Frame)})
}

// drop removes a tab from its window. Pending calls end as if its document had been replaced;
// later ones fail with cause.
func (b *Browser) drop(p *Tab, cause *diag.Error) {
	address, blank := p.Moves.Address(), p.Moves.IsBlank()
	b.mu.Lock()
	if _, open := b.pages[p.Link.Session]; !open {
		b.mu.Unlock()
		return
	}
	maps.DeleteFunc(b.pages, func(_ string, of *Tab) bool { return of == p })
	maps.DeleteFunc(b.workers, func(_ string, w worker) bool { return w.page == p })
	isTab := func(other *Tab) bool { return other == p }
	w := p.window
	w.tabs, b.recent = slices.DeleteFunc(w.tabs, isTab), slices.DeleteFunc(b.recent, isTab)
	next, orphaned := b.heirLocked(p)
	switch {
	case orphaned:
		w.heirOf = p
	case next != nil:
		b.succeedLocked(p, next)
	default:
		close(p.after)
	}
	if !p.closing {
		if !blank || !b.forgetNewsLocked(p) { // a tab for a download was never reported
			b.tellLocked(News{Kind: TabClosed, Tab: p.id, URL: address, Active: b.idIfActiveLocked(next)})
		}
	}
	b.mu.Unlock()
	p.Timers.Free()
	close(p.Link.Left)
	p.Link.Lose(cause)
	p.b.dialogs.Close(p.Link.Session, driver.DialogGone, "")
	b.conn.Forget(p.Link.Session)
	if orphaned {
		b.makeHeir(w)
	}
}

// makeHeir opens a blank tab in a window that has lost its last one. In a browser that was
// already running it must also attach to it: we are only attached to the tabs of our pages there.
func (b *Browser) makeHeir(w *window) {
	made := b.conn.Start(context.Background(), "", proto.TargetCreateTarget{URL: "about:blank", BrowserContextID: w.contextToAsk()})
	if b.endpoint == nil {
		return
	}
	go func() { // ends with the connection
		var target proto.TargetCreateTargetResult
		if made.Wait(&target) == nil {
			b.conn.Start(context.Background(), "", proto.TargetAttachToTarget{TargetID: target.TargetID, Flatten: true})
		}
	}()
}

// heirLocked returns the tab that becomes active in place of p, nil for none, and whether p
// leaves its window open without a tab.
func (b *Browser) heirLocked(p *Tab) (next *Tab, orphaned bool) {
	if len(p.window.tabs) == 0 && slices.Contains(b.windows, p.window) {
		return nil, true
	}
	if b.active != p {
		return nil, false
	}
	if p.opener != nil && slices.Contains(p.window.tabs, p.opener) {
		return p.opener, false
	}
	if len(p.window.tabs) > 0 {
		return b.lastActiveLocked(p.window), false
	}
	if n := len(b.recent); n > 0 { // the window closes too
		return b.recent[n-1], false
	}
	return nil, false
}

// succeedLocked replaces the closed tab p by next.
func (b *Browser) succeedLocked(p, next *Tab) {
	if b.active == p {
		b.activateLocked(next)
	}
	for i := range b.news {
		if b.news[i].Tab == p.id && b.news[i].Kind == TabClosed {
			b.news[i].Active = b.idIfActiveLocked(next)
		}
	}
	close(p.after)
}

func (b *Browser) idIfActiveLocked(p *Tab) string {
	if p == nil || p != b.active {
		return ""
	}
	return p.id
}

// statusOf returns the HTTP status of the document that a tab shows, or of the response that
// brought no document; 0 if there is no such status or tab.
func (b *Browser) statusOf(id string) int {
	if id == "" { // findTab would return the active tab
		return 0
	}
	tab, err := b.FindTab(id)
	if err != nil {
		return 0
	}
	return tab.Moves.Status()
}

// ClosedItself reports whether the tab has closed without us. If so, it waits until another tab
// is active, if this one was.
func (p *Tab) ClosedItself(ctx context.Context) bool {
	p.b.mu.Lock()
	ours := p.closing
	p.b.mu.Unlock()
	if ours || !p.Link.IsGone() {
		return false
	}
	select {
	case <-p.after:
		p.b.mu.Lock()
		next := p.b.active
		p.b.mu.Unlock()
		_ = next.ready(ctx) // if this fails, the next step reports it
	case <-p.b.conn.Ended():
	case <-ctx.Done():
	}
	return true
}
