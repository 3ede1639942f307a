package chrome

// Changes of tabs that pages cause: tabs that they open, and tabs that end without us.

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/dialogs"
	"github.com/actionregistry/action/internal/driver"
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
			p.opener.popupCame(nil)
		}
		// A paused tab that is closed blocks its opener for good, so the tab must run before it
		// is closed. Nothing is fetched for it.
		b.conn.Start(ctx, string(v.SessionID), proto.FetchEnable{})
		b.conn.Start(ctx, string(v.SessionID), proto.RuntimeRunIfWaitingForDebugger{})
		b.conn.Start(ctx, "", proto.TargetCloseTarget{TargetID: v.TargetInfo.TargetID})
		return
	case p.opener != nil:
		p.opener.popupCame(p)
	}
	p.prepare(v.WaitingForDebugger)
}

// adopt creates the tab of a target. It returns nil for a target that is not ours; refused means
// that there are too many tabs.
func (b *Browser) adopt(v *proto.TargetAttachedToTarget) (tab *Tab, refused bool) {
	p := &Tab{
		b: b, session: string(v.SessionID), frame: proto.PageFrameID(v.TargetInfo.TargetID), refs: b.opts.Refs,
		frames: make(map[proto.PageFrameID]*subframe), contexts: make(map[string]string),
		left: make(chan struct{}), after: make(chan struct{}),
	}
	p.Net.Init()
	p.Sent.Init(b.conn, &p.Net)
	p.Timers.Init(&b.timers, b.conn, p.session, p.frame, p.left)
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.windowOfLocked(v.TargetInfo.BrowserContextID)
	if w == nil || b.tabOfLocked(v.TargetInfo.TargetID) != nil { // or a second session of a known tab
		return nil, false
	}
	p.window, p.id = w, b.opts.Refs.NextTab()
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
	b.pages[p.session] = p
	w.tabs = append(w.tabs, p)
	b.recent = append([]*Tab{p}, b.recent...)
	return p, false
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
	if p == nil || p.session != session {
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
	b.tell(News{Kind: TabCrashed, Tab: p.id, URL: p.Address()})
	b.mu.Lock()
	p.closing = true
	b.mu.Unlock()
	b.conn.Start(context.Background(), "", proto.TargetCloseTarget{TargetID: proto.TargetTargetID(p.frame)})
}

// drop removes a tab from its window. Pending calls end as if its document had been replaced;
// later ones fail with cause.
func (b *Browser) drop(p *Tab, cause *diag.Error) {
	address, blank := p.Address(), p.isBlank()
	b.mu.Lock()
	if _, open := b.pages[p.session]; !open {
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
	close(p.left)
	p.lose(cause)
	p.b.dialogs.Close(p.session, driver.DialogGone, "")
	b.conn.Forget(p.session)
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

// Address returns the URL that the tab is navigating to, shows, or was opened for.
func (p *Tab) Address() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.nav.loader != "":
		return p.nav.url
	case p.nav.commits == 0 && p.wanted != "":
		return p.wanted
	}
	return p.doc.url
}

// isBlank reports whether the tab has never loaded a document.
func (p *Tab) isBlank() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.nav.commits == 0
}

// announce records that the page is opening a tab. The caller must hold p.mu.
func (p *Tab) announce(address string) { p.popups.announced = append(p.popups.announced, address) }

// withdraw forgets the last tab that was announced and not attached.
func (o *popups) withdraw() {
	if len(o.announced) > len(o.came) {
		o.announced = o.announced[:len(o.announced)-1]
	}
}

// popupCame records a tab that the page has opened; nil means that it was refused.
func (p *Tab) popupCame(tab *Tab) {
	p.mu.Lock()
	n := len(p.popups.came)
	wanted := ""
	if n < len(p.popups.announced) {
		wanted = p.popups.announced[n]
	}
	p.popups.came = append(p.popups.came, tab)
	p.effects.popup(cmp.Or(wanted, "about:blank"))
	p.notifyLocked()
	p.mu.Unlock()
	if tab != nil {
		tab.mu.Lock()
		defer tab.mu.Unlock()
		tab.wanted = wanted
	}
}

// PopupsSoFar returns the number of tabs that the page has opened, for openedTab.
func (p *Tab) PopupsSoFar() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.popups.came)
}

// OpenedTab returns the id of the last tab that the page has opened since popupsSoFar returned
// since, or else of one that its input has navigated by name; "" for none. It waits for tabs that
// are being opened, and for the document of the last one. If that does not load, the error is
// NAVIGATION_FAILED.
func (p *Tab) OpenedTab(ctx context.Context, since int) (string, error) {
	short, cancel := context.WithTimeout(ctx, popupTime)
	defer cancel()
	wait := func() bool { return len(p.popups.came) >= len(p.popups.announced) }
	if err := p.Until(short, "", wait); err != nil {
		p.mu.Lock() // the browser blocked the tab
		p.popups.announced = p.popups.announced[:min(len(p.popups.announced), len(p.popups.came))]
		p.mu.Unlock()
	}
	p.mu.Lock()
	came := slices.Clone(p.popups.came[since:])
	p.mu.Unlock()
	for _, tab := range slices.Backward(came) {
		if tab == nil || tab.isGone() {
			continue
		}
		var err error
		if p.blockedBy() == nil { // a dialog would block a tab of the same process
			err = tab.shows(ctx)
		}
		if !tab.isGone() {
			return tab.id, err
		}
	}
	return p.ledTab(ctx)
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
	tab.mu.Lock()
	defer tab.mu.Unlock()
	if none := tab.nav.none; none != nil {
		return none.status
	}
	return tab.doc.status
}

// ledTab returns the id of another tab that the page has navigated since its input began, once
// the document is loaded; "" for none.
func (p *Tab) ledTab(ctx context.Context) (string, error) {
	if p.blockedBy() != nil {
		return "", nil
	}
	for _, tab := range p.b.linked(p)[1:] {
		tab.mu.Lock()
		led := tab.nav.led && tab.nav.byOther()
		tab.mu.Unlock()
		if !led {
			continue
		}
		err := tab.showsNext(ctx)
		if !tab.isGone() {
			return tab.id, err
		}
	}
	return "", nil
}

// byOther reports whether the page of another tab may have requested the navigation. A reload may
// be the page's own.
func (n *navigation) byOther() bool {
	switch n.reason {
	case proto.PageClientNavigationReasonReload, proto.PageClientNavigationReasonMetaTagRefresh, proto.PageClientNavigationReasonHTTPHeaderRefresh:
		return false
	}
	return true
}

// shows waits for the document that the tab was opened with, if one is being fetched, and reports
// its failure. A tab need not show one: the response may be a file, or a script may close or stop
// the tab.
func (p *Tab) shows(ctx context.Context) error {
	p.mu.Lock()
	wanted := p.wanted
	p.mu.Unlock()
	if !fetched(wanted) && !p.ledOn(ctx, wanted) {
		return nil
	}
	ended := func() bool { return p.nav.commits > 0 || p.nav.none != nil || p.nav.saved }
	short, cancel := context.WithTimeout(ctx, begunTime)
	defer cancel()
	if p.Until(short, "", func() bool { return ended() || p.nav.pending() }) != nil {
		return nil // a script of its opener may navigate it later
	}
	return p.showsNext(ctx)
}

// showsNext waits for the end of the tab's pending navigation and reports its failure.
func (p *Tab) showsNext(ctx context.Context) error {
	ended := func() bool { return p.nav.commits > 0 || p.nav.none != nil || p.nav.saved }
	err := p.Until(ctx, "the document of the tab "+p.id+" did not load", func() bool { return ended() && !p.nav.pending() })
	if err != nil {
		if p.isGone() || errors.Is(err, dialogs.ErrOpen) {
			return nil
		}
		return err
	}
	p.mu.Lock()
	doc, none := p.doc, p.nav.none
	p.mu.Unlock()
	var e *diag.Error
	switch {
	case none != nil && withoutContent(none.status):
		err = p.ledNowhere(none)
	case doc.unreachable != "":
		err = p.refusedDocument(p.b.navigationFailed(doc.unreachable, doc.failure))
	}
	if errors.As(err, &e) {
		e.WithDetail("tab", p.id)
	}
	return err
}

// ledOn reports whether a tab that was opened blank loads a document: then the script that opened
// it has navigated it.
func (p *Tab) ledOn(ctx context.Context, wanted string) bool {
	if wanted != "" && wanted != "about:blank" {
		return false
	}
	short, cancel := context.WithTimeout(ctx, begunTime)
	defer cancel()
	if p.ready(short) != nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.nav.pending() || p.nav.none != nil || p.doc.unreachable != ""
}

func (p *Tab) isGone() bool {
	select {
	case <-p.left:
		return true
	default:
		return false
	}
}

// ClosedItself reports whether the tab has closed without us. If so, it waits until another tab
// is active, if this one was.
func (p *Tab) ClosedItself(ctx context.Context) bool {
	p.b.mu.Lock()
	ours := p.closing
	p.b.mu.Unlock()
	if ours || !p.isGone() {
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

// AwaitClose waits until the tab that its page is closing is closed.
func (p *Tab) AwaitClose(ctx context.Context) {
	late := time.NewTimer(popupTime)
	defer late.Stop()
	select {
	case <-p.left:
	case <-p.b.conn.Ended():
	case <-ctx.Done():
	case <-late.C: // the browser blocked the close
	}
}
