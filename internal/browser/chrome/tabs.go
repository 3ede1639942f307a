package chrome

// Tabs: those that we open, those that pages open, and how they end.
//
// The browser attaches us to each new page before it runs (attachPages). It reports that
// (Target.attachedToTarget) before the reply to Target.createTarget, and after the
// Page.windowOpen of the page that opened it. In a browser that was already running this is not
// enabled, because it would pause its user's tabs: see attach.go.

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/dialogs"
	"github.com/actionregistry/action/internal/browser/rules"
	"github.com/actionregistry/action/internal/driver"
)

// attachPages returns the call that makes the browser attach us to new pages, including pop-ups,
// and pause them until they are set up. While requests are intercepted, it also attaches us to
// workers that belong to no page. Such workers then live until we disconnect.
func (g *gate) attachPages() proto.TargetSetAutoAttach {
	call := proto.TargetSetAutoAttach{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: true, Filter: onlyPages}
	if rules.Holds(g.hold()) {
		call.Filter = slices.Concat(onlyPages, proto.TargetTargetFilter{{Type: "service_worker"}, {Type: "shared_worker"}})
	}
	return call
}

var onlyPages = proto.TargetTargetFilter{{Type: "page"}}

// Active implements [driver.Browser]. If the active tab has just closed itself, it waits for the
// successor.
func (ts *tabs) Active() driver.Page {
	ts.roster.mu.Lock()
	p := ts.roster.active
	waits := p != nil && !p.closing && p.Link.IsGone()
	ts.roster.mu.Unlock()
	if !waits {
		return acting(p)
	}
	late := time.NewTimer(popupTime)
	defer late.Stop()
	select {
	case <-p.after:
	case <-ts.host.conn.Ended():
	case <-late.C:
	}
	ts.roster.mu.Lock()
	defer ts.roster.mu.Unlock()
	return acting(ts.roster.active)
}

// acting returns the page through which steps act on a tab, or nil for a nil tab.
func acting(t *Tab) driver.Page {
	if t == nil {
		return nil
	}
	return t.page
}

// ActiveTab implements [driver.Tabs].
func (ts *tabs) ActiveTab() string {
	ts.roster.mu.Lock()
	defer ts.roster.mu.Unlock()
	if ts.roster.active == nil {
		return ""
	}
	return ts.roster.active.id
}

func (r *roster) activate(p *Tab) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.activateLocked(p)
}

// newTab opens a blank tab in w. It does not become active.
func (ts *tabs) newTab(ctx context.Context, w *window) (*Tab, error) {
	ts.roster.ask(w, 1)
	var target proto.TargetCreateTargetResult
	create := proto.TargetCreateTarget{URL: "about:blank", BrowserContextID: w.contextToAsk()}
	err := ts.host.do(ctx, create, &target)
	if err == nil && ts.host.endpoint != nil {
		err = ts.host.do(ctx, proto.TargetAttachToTarget{TargetID: target.TargetID, Flatten: true}, nil)
	}
	ts.roster.ask(w, -1)
	if err != nil {
		return nil, err
	}
	p := ts.roster.tabOf(target.TargetID)
	if p == nil {
		return nil, cdp.Unavailable("the new tab closed immediately").WithHint("run the step again")
	}
	ts.roster.forgetNews(p)
	return p, p.ready(ctx)
}

func (r *roster) ask(w *window, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w.asked += n
}

// tabOf returns the tab of a target, or nil.
func (r *roster) tabOf(id proto.TargetTargetID) *Tab {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tabOfLocked(id)
}

// Tabs implements [driver.Tabs].
func (ts *tabs) Tabs(ctx context.Context) ([]driver.TabInfo, error) {
	var all proto.TargetGetTargetsResult
	if err := ts.host.do(ctx, proto.TargetGetTargets{}, &all); err != nil {
		return nil, err
	}
	titles := make(map[proto.PageFrameID]string)
	for _, t := range all.TargetInfos {
		titles[proto.PageFrameID(t.TargetID)] = t.Title
	}
	ts.roster.mu.Lock()
	var list []driver.TabInfo
	var tabs []*Tab
	for _, w := range ts.roster.windows {
		for _, p := range w.tabs {
			tabs = append(tabs, p)
			list = append(list, driver.TabInfo{ID: p.id, Window: w.id, Active: p == ts.roster.active, Title: titles[p.Link.Frame], Opener: openerID(p)})
		}
	}
	ts.roster.mu.Unlock()
	for i, p := range tabs {
		list[i].URL = p.Frames.ShownURL()
		list[i].Title = titleOf(list[i].Title, list[i].URL)
	}
	return list, nil
}

// titleChars is the length at which the browser cuts the titles of tabs, in UTF-16 code units.
const titleChars = 4096

// titleOf returns the title of a tab, whose address is given. A title that the browser has cut ends
// with an ellipsis. The title is "" if the page has none.
func titleOf(title, address string) string {
	switch {
	case untitled(title, address):
		return ""
	case len(title) >= titleChars && len(utf16.Encode([]rune(title))) >= titleChars:
		return title + "…"
	}
	return title
}

// untitled reports whether the browser has made a title from the address because the page has none.
func untitled(title, address string) bool {
	short := func(s string) string {
		s = strings.TrimPrefix(strings.TrimPrefix(s, "https://"), "http://")
		return strings.TrimSuffix(s, "/")
	}
	return short(title) == short(address)
}

// OpenTab implements [driver.Tabs].
func (ts *tabs) OpenTab(ctx context.Context) (string, error) {
	if err := ts.roster.roomForTab(); err != nil {
		return "", err
	}
	ts.roster.mu.Lock()
	w := ts.roster.active.window
	ts.roster.mu.Unlock()
	p, err := ts.newTab(ctx, w)
	if err != nil {
		return "", err
	}
	ts.roster.activate(p)
	return p.id, nil
}

// SwitchTab implements [driver.Tabs].
func (ts *tabs) SwitchTab(ctx context.Context, id string) error {
	p, err := ts.FindTab(id)
	if err != nil {
		return err
	}
	return ts.show(ctx, p)
}

// show makes a tab active, once it is ready.
func (ts *tabs) show(ctx context.Context, p *Tab) error {
	if err := p.usable(ctx); err != nil && !errors.Is(err, dialogs.ErrOpen) { // an open dialog may be answered there
		return err
	}
	if ts.host.visible() {
		if err := p.Link.Do(ctx, proto.PageBringToFront{}, nil); err != nil {
			return err
		}
	}
	ts.roster.activate(p)
	return nil
}

// usable waits until the first document of the tab is loaded.
func (p *Tab) usable(ctx context.Context) error {
	if err := p.ready(ctx); err != nil {
		return err
	}
	return p.begun(ctx)
}

// begun waits for the first document of a tab that was opened by another tab. It returns when that
// document is loaded, or when it is clear that none will load. Only the first call waits.
func (p *Tab) begun(ctx context.Context) error {
	if p.opener == nil || p.begins.Swap(true) {
		return nil
	}
	return p.Outcome.LoadsFirst(ctx)
}

// CloseTab implements [driver.Tabs].
func (ts *tabs) CloseTab(ctx context.Context, id string) error {
	p, err := ts.FindTab(id)
	if err != nil {
		return err
	}
	ts.roster.mu.Lock()
	last, windows := len(p.window.tabs) == 1, len(ts.roster.windows)
	ts.roster.mu.Unlock()
	if last && windows == 1 {
		return diag.New(diag.InvalidRequest, "cannot close the tab %s: it is the only tab of the session", p.id).
			WithHint("close the session (action session close), or open another tab first")
	}
	if last {
		return diag.New(diag.InvalidRequest, "cannot close the tab %s: it is the only tab of the window %s", p.id, p.window.id).
			WithHint("to close the window and delete its cookies and storage: action window close %s", p.window.id)
	}
	return ts.closeTab(ctx, p)
}

// closeTab closes a tab that is not the only one of its window, and returns when it is closed.
func (ts *tabs) closeTab(ctx context.Context, p *Tab) error {
	ts.roster.mu.Lock()
	p.closing = true
	ts.roster.mu.Unlock()
	ts.dropDialogs(ctx, p)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeGrace)
	defer cancel()
	if p.Link.IsStuck() { // its process would not notice the close
		ts.host.conn.Start(ctx, p.Link.Session, proto.PageCrash{})
	}
	if err := ts.host.do(ctx, proto.TargetCloseTarget{TargetID: proto.TargetTargetID(p.Link.Frame)}, nil); err != nil && !p.Link.IsGone() {
		return ts.host.unlessEnded(err)
	}
	select {
	case <-p.Link.Left:
	case <-ts.host.conn.Ended():
	case <-ctx.Done():
		ts.host.conn.Start(context.WithoutCancel(ctx), p.Link.Session, proto.PageCrash{})
		ts.drop(p, cdp.Unavailable("the tab %s is closed", p.id).WithHint("open a page first"))
	}
	return nil
}

// FindTab returns the tab with an id. The id "" means the active tab.
func (ts *tabs) FindTab(id string) (*Tab, error) {
	ts.roster.mu.Lock()
	defer ts.roster.mu.Unlock()
	var ids []string
	for _, w := range ts.roster.windows {
		for _, p := range w.tabs {
			if p.id == id || id == "" && p == ts.roster.active {
				return p, nil
			}
			ids = append(ids, p.id)
		}
	}
	return nil, diag.New(diag.ParamInvalid, "there is no tab %q", id).WithHint("the open tabs are: %s", strings.Join(ids, ", "))
}

// State is the last known state of the browser.
type State struct {
	Tab, Window   string // the active ones
	URL           string // of the active tab
	Tabs, Windows int
	Crashed       bool // the active tab has crashed
}

// State returns the state of the browser. It may be called at any time.
func (ts *tabs) State() State {
	ts.roster.mu.Lock()
	p, s := ts.roster.active, State{Windows: len(ts.roster.windows)}
	for _, w := range ts.roster.windows {
		s.Tabs += len(w.tabs)
	}
	ts.roster.mu.Unlock()
	if p == nil {
		return s
	}
	s.Tab, s.Window = p.id, p.window.id
	address, lost := p.State()
	s.URL, s.Crashed = address, lost != nil && !p.Link.IsGone()
	return s
}

// Renew ensures that the active tab can be used. If the tab has crashed, Renew replaces it by a
// blank tab in the same window. The window keeps its cookies and its other tabs.
func (ts *tabs) Renew(ctx context.Context) error {
	ts.roster.mu.Lock()
	p := ts.roster.active
	ts.roster.mu.Unlock()
	if p.ClosedItself(ctx) {
		return nil
	}
	if _, lost := p.State(); lost == nil {
		return nil
	}
	fresh, err := ts.newTab(ctx, p.window)
	if err != nil {
		return err
	}
	ts.roster.activate(fresh)
	return ts.closeTab(ctx, p)
}
