package chrome

// State of the active window: its cookies, and the storage of its pages. Packages cookies and
// storage read and set it; this file provides the tabs that they require.

import (
	"context"
	"slices"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cookies"
	"github.com/actionregistry/action/internal/browser/engine"
	"github.com/actionregistry/action/internal/browser/eval"
	"github.com/actionregistry/action/internal/browser/storage"
	"github.com/actionregistry/action/internal/driver"
)

// storage returns the state of the active window.
func (st *states) storage() storage.Window {
	st.roster.mu.Lock()
	p := st.roster.active
	st.roster.mu.Unlock()
	w := p.window
	return storage.Window{
		Jar:     cookies.Jar{Conn: st.host.conn, Context: w.contextToAsk(), Session: p.Link.Session, Explain: st.host.explain},
		Origins: &w.origins,
		Unseen:  st.host.endpoint != nil, // a tab that existed before we attached may not have reported its origin
		Active:  storageTab{p}, Restores: &p.restores, World: engine.World,
		Tabs: func() []storage.Tab { return st.roster.storageTabs(w) },
		Hide: func(ctx context.Context) (storage.HiddenTab, error) { return st.tabs.hiddenTab(ctx, w) },
	}
}

// storageTabs returns the tabs of a window, the most recently active first.
func (r *roster) storageTabs(w *window) []storage.Tab {
	r.mu.Lock()
	defer r.mu.Unlock()
	var tabs []storage.Tab
	for _, p := range slices.Backward(r.recent) {
		if p.window == w {
			tabs = append(tabs, storageTab{p})
		}
	}
	return tabs
}

// Cookies implements [driver.CookieJar].
func (st *states) Cookies(ctx context.Context, f driver.CookieFilter) ([]driver.Cookie, error) {
	return st.storage().Jar.Find(ctx, f)
}

// SetCookie implements [driver.CookieJar].
func (st *states) SetCookie(ctx context.Context, c driver.CookieParam) (driver.Cookie, error) {
	return st.storage().Jar.Set(ctx, c)
}

// RemoveCookies implements [driver.CookieJar].
func (st *states) RemoveCookies(ctx context.Context, f driver.CookieFilter) (int, error) {
	return st.storage().Jar.Remove(ctx, f)
}

// StorageItem implements [driver.Storage].
func (st *states) StorageItem(ctx context.Context, r driver.ItemRequest) (driver.ItemAnswer, error) {
	return storage.Item(ctx, st.storage().Active, r)
}

// ExportState implements [driver.Storage].
func (st *states) ExportState(ctx context.Context, origins []string) (*driver.State, []driver.LeftOut, error) {
	return st.storage().Export(ctx, origins)
}

// ImportState implements [driver.Storage].
func (st *states) ImportState(ctx context.Context, s *driver.State, clear bool) (driver.Imported, []driver.LeftOut, error) {
	return st.storage().Import(ctx, s, clear)
}

// shown records the origin that a frame of the page shows. It runs in the goroutine that reads
// replies.
func (p *Tab) shown(f *proto.PageFrame) {
	if f == nil || p.hidden {
		return
	}
	p.window.origins.Add(f.SecurityOrigin)
	if f.ID != p.Link.Frame {
		return
	}
	if remove := p.restores.Shown(f.SecurityOrigin); remove != nil {
		p.host.conn.Start(context.Background(), p.Link.Session, remove)
	}
}

// storageTab is a tab for package storage.
type storageTab struct{ p *Tab }

func (t storageTab) ID() string { return t.p.id }

func (t storageTab) Address() string {
	address, _ := t.p.State()
	return address
}

func (t storageTab) Do(ctx context.Context, req proto.Request, out any) error {
	return t.p.Link.Do(ctx, req, out)
}

func (t storageTab) Call(ctx context.Context, f eval.CallFunction, out any) (string, error) {
	w, err := t.p.CurrentWorld(ctx)
	if err != nil {
		return "", err
	}
	f.UniqueContextID = w.ID
	return w.Doc.URL, t.p.Answer(ctx, t.p.Frames.Start(ctx, f), out)
}
