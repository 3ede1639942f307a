package chrome

// Changes of tabs that pages cause: tabs that they open, and tabs that end without us.

import (
	"context"
	"maps"
	"slices"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/documents"
	"github.com/actionregistry/action/internal/browser/engine"
	"github.com/actionregistry/action/internal/browser/storage"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
)

// attached adds a new tab to its window, or closes it if there are too many. It runs in the
// goroutine that reads replies.
func (ts *tabs) attached(v *proto.TargetAttachedToTarget) {
	if ts.hide(v) {
		return
	}
	ctx := context.Background()
	p, refused := ts.adopt(v)
	switch {
	case p == nil:
		ts.host.conn.Start(ctx, string(v.SessionID), proto.RuntimeRunIfWaitingForDebugger{})
		return
	case refused:
		if p.opener != nil {
			p.opener.Popups.add(nil)
		}
		// A paused tab that is closed blocks its opener for good, so the tab must run before it
		// is closed. Nothing is fetched for it.
		ts.host.conn.Start(ctx, string(v.SessionID), proto.FetchEnable{})
		ts.host.conn.Start(ctx, string(v.SessionID), proto.RuntimeRunIfWaitingForDebugger{})
		ts.host.conn.Start(ctx, "", proto.TargetCloseTarget{TargetID: v.TargetInfo.TargetID})
		return
	case p.opener != nil:
		p.opener.Popups.add(p)
	}
	p.prepare(v.WaitingForDebugger)
}

// adopt creates the tab of a target. It returns nil for a target that is not ours. refused means
// that there are too many tabs. A refused tab is not recorded.
func (ts *tabs) adopt(v *proto.TargetAttachedToTarget) (tab *Tab, refused bool) {
	ts.roster.mu.Lock()
	defer ts.roster.mu.Unlock()
	w := ts.roster.windowOfLocked(v.TargetInfo.BrowserContextID)
	if w == nil || ts.roster.tabOfLocked(v.TargetInfo.TargetID) != nil { // not our window, or a second session of a known tab
		return nil, false
	}
	p := ts.makeTab(v, ts.host.opts.Refs.NextTab(), ts.host.opts.Refs)
	p.window = w
	if ts.acting != nil {
		p.page = ts.acting(p)
	}
	p.opener = ts.roster.tabOfLocked(v.TargetInfo.OpenerID)
	heirOf := w.heirOf
	asked := w.asked > 0 && p.opener == nil
	if p.opener == nil && !asked && heirOf == nil {
		p.opener = ts.roster.lastActiveLocked(w) // a link opened with a modifier key
	}
	switch {
	case asked:
	case heirOf != nil && p.opener == nil:
		w.heirOf = nil
		ts.roster.succeedLocked(heirOf, p)
	case ts.roster.tabsLocked() >= ts.host.opts.TabLimit():
		ts.roster.tellLocked(News{Kind: TabRefused, Opener: openerID(p)})
		return p, true
	default:
		ts.roster.tellLocked(News{Kind: TabOpened, Tab: p.id, Opener: openerID(p)})
	}
	ts.roster.pages[p.Link.Session] = p
	w.tabs = append(w.tabs, p)
	ts.roster.recent = append([]*Tab{p}, ts.roster.recent...)
	return p, false
}

// makeTab returns the tab of a target. Its refs are recorded in book.
func (b *Browser) makeTab(v *proto.TargetAttachedToTarget, id string, book *snapshot.Book) *Tab {
	p := &Tab{host: b.host, roster: b.roster, asks: b.asks, gate: b.gate, workers: b.workers, saves: b.saves, b: b, id: id, after: make(chan struct{})}
	p.Popups = &Popups{of: p}
	p.Parts = documents.NewParts(id, documents.Surroundings{
		Conn: b.host.conn, Session: string(v.SessionID), Frame: proto.PageFrameID(v.TargetInfo.TargetID), Refs: book, Timers: &b.host.timers,
		Readings: &b.host.readings, NoScripts: b.host.opts.NoJavaScript,
		Over: b.host.ended, Hindered: p.blockedBy, Beside: p.unblocked, NetFailure: b.host.netFailure, Refusal: p.refusal,
		Ready: p.ready, ClosedItself: p.ClosedItself, Opened: p.Popups.SoFar,
		Latest: func() int { return int(b.host.lastRequest.Load()) },
	})
	return p
}

func openerID(p *Tab) string {
	if p.opener == nil {
		return ""
	}
	return p.opener.id
}

// detached handles the end of a tab's session. We or somebody else has closed the tab. It runs in
// the goroutine that reads replies.
func (ts *tabs) detached(session string) {
	ts.roster.mu.Lock()
	p := ts.roster.pages[session]
	ts.roster.mu.Unlock()
	if p == nil || p.Link.Session != session {
		return
	}
	ts.drop(p, diag.New(diag.StepFailed, "the tab %s was closed", p.id).
		WithHint("another tab is active now: to see which, run: action tab list"))
}

// crashed handles the crash of a tab's process. It closes a background tab. The active tab stays
// until [Browser.Renew] replaces it.
func (ts *tabs) crashed(p *Tab) {
	ts.roster.mu.Lock()
	active := ts.roster.active == p
	ts.roster.mu.Unlock()
	if active {
		return
	}
	ts.roster.tell(News{Kind: TabCrashed, Tab: p.id, URL: p.Moves.Address()})
	ts.roster.mu.Lock()
	p.closing = true
	ts.roster.mu.Unlock()
	ts.host.conn.Start(context.Background(), "", proto.TargetCloseTarget{TargetID: proto.TargetTargetID(p.Link.Frame)})
}

// drop removes a tab from its window. Pending calls end as if its document had been replaced. Later
// calls fail with cause.
func (ts *tabs) drop(p *Tab, cause *diag.Error) {
	address, blank := p.Moves.Address(), p.Moves.IsBlank()
	ts.roster.mu.Lock()
	if _, open := ts.roster.pages[p.Link.Session]; !open {
		ts.roster.mu.Unlock()
		return
	}
	maps.DeleteFunc(ts.roster.pages, func(_ string, of *Tab) bool { return of == p })
	isTab := func(other *Tab) bool { return other == p }
	w := p.window
	w.tabs, ts.roster.recent = slices.DeleteFunc(w.tabs, isTab), slices.DeleteFunc(ts.roster.recent, isTab)
	next, orphaned := ts.roster.heirLocked(p)
	switch {
	case orphaned:
		w.heirOf = p
	case next != nil:
		ts.roster.succeedLocked(p, next)
	default:
		close(p.after)
	}
	if !p.closing {
		if !blank || !ts.roster.forgetNewsLocked(p) { // a tab for a download was never reported
			ts.roster.tellLocked(News{Kind: TabClosed, Tab: p.id, URL: address, Active: ts.roster.idIfActiveLocked(next)})
		}
	}
	ts.roster.mu.Unlock()
	ts.gate.attachedTo.dropOf(p)
	p.Timers.Free()
	close(p.Link.Left)
	p.Link.Lose(cause)
	ts.asks.dialogs.Close(p.Link.Session, driver.DialogGone, "")
	ts.host.conn.Forget(p.Link.Session)
	if orphaned {
		ts.makeHeir(w)
	}
}

// makeHeir opens a blank tab in a window that has lost its last tab. In a browser that was already
// running, it also attaches to the new tab, because such a browser does not do that by itself.
func (ts *tabs) makeHeir(w *window) {
	made := ts.host.conn.Start(context.Background(), "", proto.TargetCreateTarget{URL: "about:blank", BrowserContextID: w.contextToAsk()})
	if ts.host.endpoint == nil {
		return
	}
	go func() { // ends with the connection
		var target proto.TargetCreateTargetResult
		if made.Wait(&target) == nil {
			ts.host.conn.Start(context.Background(), "", proto.TargetAttachToTarget{TargetID: target.TargetID, Flatten: true})
		}
	}()
}

// heirLocked returns the tab that becomes active after the tab p was closed, or nil if there is
// none. orphaned reports whether p was the last tab of a window that stays open.
func (r *roster) heirLocked(p *Tab) (next *Tab, orphaned bool) {
	if len(p.window.tabs) == 0 && slices.Contains(r.windows, p.window) {
		return nil, true
	}
	if r.active != p {
		return nil, false
	}
	if p.opener != nil && slices.Contains(p.window.tabs, p.opener) {
		return p.opener, false
	}
	if len(p.window.tabs) > 0 {
		return r.lastActiveLocked(p.window), false
	}
	if n := len(r.recent); n > 0 { // the window closes too, so take a tab of another window
		return r.recent[n-1], false
	}
	return nil, false
}

// succeedLocked records that next has replaced the closed tab p. If p was active, next becomes
// active. The recorded news about p then name next as the active tab.
func (r *roster) succeedLocked(p, next *Tab) {
	if r.active == p {
		r.activateLocked(next)
	}
	for i := range r.news {
		if r.news[i].Tab == p.id && r.news[i].Kind == TabClosed {
			r.news[i].Active = r.idIfActiveLocked(next)
		}
	}
	close(p.after)
}

func (r *roster) idIfActiveLocked(p *Tab) string {
	if p == nil || p != r.active {
		return ""
	}
	return p.id
}

// ClosedItself reports whether the tab was closed by its page or by the browser's user, and not by
// us. If that tab was the active one, ClosedItself waits until another tab is active and ready.
func (p *Tab) ClosedItself(ctx context.Context) bool {
	p.roster.mu.Lock()
	ours := p.closing
	p.roster.mu.Unlock()
	if ours || !p.Link.IsGone() {
		return false
	}
	select {
	case <-p.after:
		p.roster.mu.Lock()
		next := p.roster.active
		p.roster.mu.Unlock()
		_ = next.ready(ctx) // if this fails, the next step reports it
	case <-p.host.conn.Ended():
	case <-ctx.Done():
	}
	return true
}

// hide sets up a hidden tab if hiddenTab has requested the target, and reports whether it has. It
// runs in the goroutine that reads replies.
func (ts *tabs) hide(v *proto.TargetAttachedToTarget) bool {
	ts.roster.mu.Lock()
	w := ts.roster.windowOfLocked(v.TargetInfo.BrowserContextID)
	if w == nil || !w.hides || ts.roster.tabOfLocked(v.TargetInfo.OpenerID) != nil {
		ts.roster.mu.Unlock()
		return false
	}
	h := ts.makeTab(v, "", new(snapshot.Book))
	h.window, h.hidden, h.closing = w, true, true
	w.hides, w.hidden = false, h
	ts.roster.pages[h.Link.Session] = h
	ts.roster.mu.Unlock()
	ctx := context.Background()
	var setup []*cdp.Call
	for _, req := range storage.Setup(engine.World) {
		setup = append(setup, ts.host.conn.Start(ctx, h.Link.Session, req))
	}
	if v.WaitingForDebugger {
		setup = append(setup, ts.host.conn.Start(ctx, h.Link.Session, proto.RuntimeRunIfWaitingForDebugger{}))
	}
	h.Link.SetUp(setup)
	return true
}
