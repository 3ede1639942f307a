package chrome

// Windows: browser contexts, each with its own cookies and storage.

import (
	"context"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/storage"
	"github.com/actionregistry/action/internal/driver"
)

// A window is a browser context. roster.mu guards its fields.
type window struct {
	id string
	// context is the id of the browser context. The id of the browser's own context is "" until its
	// first target reports it.
	context proto.BrowserBrowserContextID
	own     bool   // the context is the browser's own: it stays when the window is closed
	tabs    []*Tab // in the order in which they were opened; only briefly empty
	// heirOf is the last tab of the window if it has closed itself and no new tab has replaced it
	// yet. Otherwise it is nil.
	heirOf *Tab
	asked  int // number of tabs that we are opening
	// downloads is the call that redirects the window's downloads to us. It is nil if the browser's
	// user gets them.
	downloads *cdp.Call

	origins storage.Origins // has a lock of its own
	hides   bool            // a hidden tab is being opened
	hidden  *Tab            // the hidden tab, once it is attached

	size driver.Size // of its pages, zero for that of the session; it does not change
}

// NewPage opens a window with one tab, which becomes active.
func (o *windows) NewPage(ctx context.Context) (driver.Page, error) {
	p, err := o.newWindow(ctx, driver.Size{})
	return acting(p), err
}

func (o *windows) newWindow(ctx context.Context, size driver.Size) (*Tab, error) {
	if err := o.roster.roomForTab(); err != nil {
		return nil, err
	}
	var bc proto.TargetCreateBrowserContextResult
	create := proto.TargetCreateBrowserContext{DisposeOnDetach: o.host.endpoint != nil}
	if err := o.host.do(ctx, create, &bc); err != nil {
		return nil, err
	}
	w := &window{context: bc.BrowserContextID, size: size}
	o.addWindow(w)
	p, err := o.tabs.newTab(ctx, w)
	if err != nil {
		_ = o.endWindow(context.WithoutCancel(ctx), w) // the first error is the one to report
		return nil, err
	}
	o.roster.activate(p)
	return p, nil
}

func (o *windows) addWindow(w *window) {
	w.id = o.host.opts.Refs.NextWindow()
	if o.host.endpoint == nil || !w.own {
		w.downloads = o.saves.downloads.Accept(w.contextToAsk())
	}
	o.roster.mu.Lock()
	defer o.roster.mu.Unlock()
	o.roster.windows = append(o.roster.windows, w)
}

// endWindow closes a window with its tabs.
func (o *windows) endWindow(ctx context.Context, w *window) error {
	o.roster.mu.Lock()
	tabs := slices.Clone(w.tabs)
	for _, p := range tabs {
		p.closing = true
	}
	o.roster.windows = slices.DeleteFunc(o.roster.windows, func(other *window) bool { return other == w })
	if w.heirOf != nil {
		close(w.heirOf.after)
		w.heirOf = nil
	}
	o.roster.mu.Unlock()
	for _, p := range tabs {
		o.tabs.dropDialogs(ctx, p)
		if p.Link.IsStuck() { // its process would not notice the close
			o.host.conn.Start(context.WithoutCancel(ctx), p.Link.Session, proto.PageCrash{})
		}
		o.tabs.drop(p, cdp.Unavailable("the window %s is closed", w.id).WithHint("open a page first"))
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeGrace)
	defer cancel()
	if w.own {
		for _, p := range tabs {
			if err := o.host.do(ctx, proto.TargetCloseTarget{TargetID: proto.TargetTargetID(p.Link.Frame)}, nil); err != nil {
				return o.host.unlessEnded(err)
			}
		}
		return nil
	}
	return o.host.unlessEnded(o.host.do(ctx, proto.TargetDisposeBrowserContext{BrowserContextID: w.context}, nil))
}

// Windows implements [driver.Windows].
func (o *windows) Windows() []driver.WindowInfo {
	o.roster.mu.Lock()
	defer o.roster.mu.Unlock()
	list := make([]driver.WindowInfo, 0, len(o.roster.windows))
	for _, w := range o.roster.windows {
		info := driver.WindowInfo{ID: w.id, Tabs: len(w.tabs), Active: o.roster.active != nil && o.roster.active.window == w}
		if p := o.roster.lastActiveLocked(w); p != nil {
			info.Tab = p.id
		}
		list = append(list, info)
	}
	return list
}

// OpenWindow implements [driver.Windows].
func (o *windows) OpenWindow(ctx context.Context, size driver.Size) (string, error) {
	p, err := o.newWindow(ctx, size)
	if err != nil {
		return "", err
	}
	return p.window.id, nil
}

// SwitchWindow implements [driver.Windows].
func (o *windows) SwitchWindow(ctx context.Context, id string) error {
	w, err := o.roster.findWindow(id)
	if err != nil {
		return err
	}
	o.roster.mu.Lock()
	p := o.roster.lastActiveLocked(w)
	o.roster.mu.Unlock()
	if p == nil {
		return diag.New(diag.StepFailed, "the window %s has no tab at the moment", id).WithHint("run the step again")
	}
	return o.tabs.show(ctx, p)
}

// CloseWindow implements [driver.Windows].
func (o *windows) CloseWindow(ctx context.Context, id string) error {
	w, err := o.roster.findWindow(id)
	if err != nil {
		return err
	}
	o.roster.mu.Lock()
	last := len(o.roster.windows) == 1
	o.roster.mu.Unlock()
	if last {
		return diag.New(diag.InvalidRequest, "cannot close the window %s: it is the only window of the session", w.id).
			WithHint("close the session (action session close), or open another window first")
	}
	if w.own && o.host.endpoint != nil {
		return diag.New(diag.InvalidRequest, "cannot close the window %s: it belongs to a browser that was already running", w.id).
			WithHint("close the tabs of the window one by one: action tab close")
	}
	return o.endWindow(ctx, w)
}

// findWindow returns the window with an id. The id "" means the active window.
func (r *roster) findWindow(id string) (*window, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	ids := make([]string, len(r.windows))
	for i, w := range r.windows {
		if w.id == id || id == "" && r.active != nil && w == r.active.window {
			return w, nil
		}
		ids[i] = w.id
	}
	return nil, diag.New(diag.ParamInvalid, "there is no window %q", id).WithHint("the open windows are: %s", strings.Join(ids, ", "))
}

// Close closes the tab. If its window has no other tab, Close closes the window too. It does not
// run beforeunload. It takes a few seconds at most, even if ctx is cancelled. Closing twice is
// allowed.
func (p *Tab) Close(ctx context.Context) error {
	p.roster.mu.Lock()
	_, open := p.roster.pages[p.Link.Session]
	only := len(p.window.tabs) == 1
	p.roster.mu.Unlock()
	switch {
	case !open:
		return nil
	case only:
		return p.b.windows.endWindow(ctx, p.window)
	}
	return p.b.tabs.closeTab(ctx, p)
}
