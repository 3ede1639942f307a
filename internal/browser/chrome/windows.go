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

// A window is a browser context. Browser.mu guards its fields.
type window struct {
	id string
	// context is "" for the browser's own until its first target reports the id.
	context proto.BrowserBrowserContextID
	own     bool   // the context is the browser's own: it stays when the window is closed
	tabs    []*Tab // in the order in which they were opened; only briefly empty
	// heirOf is the last tab, if it has closed itself: the next tab replaces it.
	heirOf *Tab
	asked  int // number of tabs that we are opening
	// downloads is the call that redirects the window's downloads to us; nil if they stay with
	// the browser's user.
	downloads *cdp.Call

	origins storage.Origins // has a lock of its own
	hides   bool            // a hidden tab is being opened
	hidden  *Tab            // the hidden tab, once it is attached
}

// NewPage opens a window with one tab, which becomes active.
func (b *Browser) NewPage(ctx context.Context) (driver.Page, error) {
	p, err := b.newWindow(ctx)
	return acting(p), err
}

func (b *Browser) newWindow(ctx context.Context) (*Tab, error) {
	if err := b.roomForTab(); err != nil {
		return nil, err
	}
	var bc proto.TargetCreateBrowserContextResult
	create := proto.TargetCreateBrowserContext{DisposeOnDetach: b.endpoint != nil}
	if err := b.do(ctx, create, &bc); err != nil {
		return nil, err
	}
	w := &window{context: bc.BrowserContextID}
	b.addWindow(w)
	p, err := b.newTab(ctx, w)
	if err != nil {
		_ = b.endWindow(context.WithoutCancel(ctx), w) // the first error is the one to report
		return nil, err
	}
	b.activate(p)
	return p, nil
}

func (b *Browser) addWindow(w *window) {
	w.id = b.opts.Refs.NextWindow()
	if b.endpoint == nil || !w.own {
		w.downloads = b.downloads.Accept(w.contextToAsk())
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.windows = append(b.windows, w)
}

// endWindow closes a window with its tabs.
func (b *Browser) endWindow(ctx context.Context, w *window) error {
	b.mu.Lock()
	tabs := slices.Clone(w.tabs)
	for _, p := range tabs {
		p.closing = true
	}
	b.windows = slices.DeleteFunc(b.windows, func(other *window) bool { return other == w })
	if w.heirOf != nil {
		close(w.heirOf.after)
		w.heirOf = nil
	}
	b.mu.Unlock()
	for _, p := range tabs {
		b.dropDialogs(ctx, p)
		if p.Link.IsStuck() { // its process would not notice the close
			b.conn.Start(context.WithoutCancel(ctx), p.Link.Session, proto.PageCrash{})
		}
		b.drop(p, cdp.Unavailable("the window %s is closed", w.id).WithHint("open a page first"))
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeGrace)
	defer cancel()
	if w.own {
		for _, p := range tabs {
			if err := b.do(ctx, proto.TargetCloseTarget{TargetID: proto.TargetTargetID(p.Link.Frame)}, nil); err != nil {
				return b.unlessEnded(err)
			}
		}
		return nil
	}
	return b.unlessEnded(b.do(ctx, proto.TargetDisposeBrowserContext{BrowserContextID: w.context}, nil))
}

// unlessEnded returns err, or nil if the browser has ended, which has closed everything anyway.
func (b *Browser) unlessEnded(err error) error {
	select {
	case <-b.conn.Ended():
		return nil
	default:
		return err
	}
}

// Windows implements [driver.Windows].
func (b *Browser) Windows() []driver.WindowInfo {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := make([]driver.WindowInfo, 0, len(b.windows))
	for _, w := range b.windows {
		info := driver.WindowInfo{ID: w.id, Tabs: len(w.tabs), Active: b.active != nil && b.active.window == w}
		if p := b.lastActiveLocked(w); p != nil {
			info.Tab = p.id
		}
		list = append(list, info)
	}
	return list
}

// OpenWindow implements [driver.Windows].
func (b *Browser) OpenWindow(ctx context.Context) (string, error) {
	p, err := b.newWindow(ctx)
	if err != nil {
		return "", err
	}
	return p.window.id, nil
}

// SwitchWindow implements [driver.Windows].
func (b *Browser) SwitchWindow(ctx context.Context, id string) error {
	w, err := b.findWindow(id)
	if err != nil {
		return err
	}
	b.mu.Lock()
	p := b.lastActiveLocked(w)
	b.mu.Unlock()
	if p == nil {
		return diag.New(diag.StepFailed, "the window %s has no tab at the moment", id).WithHint("run the step again")
	}
	return b.show(ctx, p)
}

// CloseWindow implements [driver.Windows].
func (b *Browser) CloseWindow(ctx context.Context, id string) error {
	w, err := b.findWindow(id)
	if err != nil {
		return err
	}
	b.mu.Lock()
	last := len(b.windows) == 1
	b.mu.Unlock()
	if last {
		return diag.New(diag.InvalidRequest, "%s is the only window of the session", w.id).
			WithHint("close the session (action session close), or open another window first")
	}
	if w.own && b.endpoint != nil {
		return diag.New(diag.InvalidRequest, "%s belongs to a browser that was already running", w.id).
			WithHint("close its tabs one by one: action tab close")
	}
	return b.endWindow(ctx, w)
}

// findWindow returns the window with an id; "" means the active one.
func (b *Browser) findWindow(id string) (*window, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	ids := make([]string, len(b.windows))
	for i, w := range b.windows {
		if w.id == id || id == "" && b.active != nil && w == b.active.window {
			return w, nil
		}
		ids[i] = w.id
	}
	return nil, diag.New(diag.ParamInvalid, "there is no window %q", id).WithHint("there are: %s", strings.Join(ids, ", "))
}

// lastActiveLocked returns the tab of a window that was active most recently, its first tab if
// none ever was, or nil if it has no tab. The caller must hold b.mu.
func (b *Browser) lastActiveLocked(w *window) *Tab {
	for _, p := range slices.Backward(b.recent) {
		if p.window == w {
			return p
		}
	}
	if len(w.tabs) == 0 {
		return nil
	}
	return w.tabs[0]
}
