package browser

// Browser storage of pages: localStorage, sessionStorage, IndexedDB.
//
// It is read and written in a document of its origin, in our isolated world, which shares
// only storage with the page. Open pages are not used: one may be busy, or in the middle of
// a change. A hidden tab of the same window opens an empty document under the origin; its
// requests are answered here and reach no network and no service worker.

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/engine"
	"github.com/actionregistry/action/internal/browser/eval"
	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/driver"
)

// maxOrigins bounds the origins that are remembered for a window.
const maxOrigins = 500

// origins are those that a window has shown, the newest last. The zero value is
// ready; it has a lock of its own, under which no other is taken.
type origins struct {
	mu   sync.Mutex
	list []string
}

func (o *origins) add(origin string) {
	if !driver.IsOrigin(origin) { // of a sandbox, or of a blank page
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if slices.Contains(o.list, origin) {
		return
	}
	if o.list = append(o.list, origin); len(o.list) > maxOrigins {
		o.list = slices.Clone(o.list[1:])
	}
}

func (o *origins) all() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.list)
}

// shown records what a frame of the page shows, and wakes waits for that. It runs in the
// goroutine that reads replies.
func (p *Tab) shown(f *proto.PageFrame) {
	if f == nil || p.hidden {
		return
	}
	p.window.origins.add(f.SecurityOrigin)
	if f.ID != p.frame {
		return
	}
	p.mu.Lock()
	script := p.restores[f.SecurityOrigin]
	delete(p.restores, f.SecurityOrigin)
	p.mu.Unlock()
	if script != "" {
		p.b.conn.Start(context.Background(), p.session, proto.PageRemoveScriptToEvaluateOnNewDocument{Identifier: script})
	}
}

// stored calls a function of the storage script in a document of p, and decodes what
// it gives into out.
func (p *Tab) stored(ctx context.Context, method string, arg, out any) error {
	w, err := p.currentWorld(ctx)
	if err != nil {
		return err
	}
	k := p.start(ctx, eval.CallFunction{
		FunctionDeclaration: engine.Storage(), Arguments: eval.Args(method, arg),
		UniqueContextID: w.id, ReturnByValue: true, AwaitPromise: true,
	})
	var text string
	if err := p.answer(ctx, k, &text); err != nil {
		if cdp.IsGone(err) {
			err = diag.New(diag.StepFailed, "the document went away meanwhile").WithHint("run the step again")
		}
		return err
	}
	var r struct {
		OK    json.RawMessage `json:"ok"`
		Error string          `json:"error"`
	}
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return diag.New(diag.Internal, "reading the storage failed: %v", err).WithHint("this is a fault of ours: please report it")
	}
	if r.Error != "" {
		return diag.New(diag.StepFailed, "the storage of %s: %s", orPage(network.OriginOf(w.doc.URL)), visible(r.Error)).
			WithHint("a page of a sandbox, or without an origin, has no storage; else look at what it keeps")
	}
	if out == nil || len(r.OK) == 0 {
		return nil
	}
	return eval.Decode(r.OK, out)
}

func orPage(origin string) string {
	if origin == "" {
		return "the page"
	}
	return origin
}

// StorageItem implements [driver.Storage].
func (b *Browser) StorageItem(ctx context.Context, r driver.ItemRequest) (driver.ItemAnswer, error) {
	_, p := b.activeWindow()
	var a driver.ItemAnswer
	return a, p.stored(ctx, "item", r, &a)
}

// inOrigin calls f with a hidden tab in w that has opened an empty document of the origin.
func (b *Browser) inOrigin(ctx context.Context, h *Tab, origin string, f func() error) error {
	if _, err := h.Open(ctx, origin+"/", driver.Load); err != nil {
		return err
	}
	return f()
}

// openOrigins lists the origins that w has shown and shows, in order.
func (b *Browser) openOrigins(ctx context.Context, w *window) []string {
	for _, p := range b.tabsOf(w) {
		var tree proto.PageGetFrameTreeResult // a tab that existed before us may not have reported anything
		if b.endpoint == nil || p.do(ctx, proto.PageGetFrameTree{}, &tree) != nil {
			continue
		}
		var walk func(t *proto.PageFrameTree)
		walk = func(t *proto.PageFrameTree) {
			w.origins.add(t.Frame.SecurityOrigin)
			for _, inner := range t.ChildFrames {
				walk(inner)
			}
		}
		walk(tree.FrameTree)
	}
	return w.origins.all()
}

// tabsOf lists the tabs of a window, the most recently active first.
func (b *Browser) tabsOf(w *window) []*Tab {
	b.mu.Lock()
	defer b.mu.Unlock()
	var tabs []*Tab
	for _, p := range slices.Backward(b.recent) {
		if p.window == w {
			tabs = append(tabs, p)
		}
	}
	return tabs
}

// ExportState implements [driver.Storage].
func (b *Browser) ExportState(ctx context.Context, more []string) (*driver.State, []driver.LeftOut, error) {
	w, _ := b.activeWindow()
	cookies, err := b.cookiesOf(ctx, w)
	if err != nil {
		return nil, nil, err
	}
	state := &driver.State{Cookies: make([]driver.StateCookie, len(cookies)), Origins: []driver.StateOrigin{}}
	for i, c := range cookies {
		state.Cookies[i] = stateCookie(c)
	}
	list := append(b.openOrigins(ctx, w), more...)
	slices.Sort(list)
	list = slices.Compact(list)
	session, left := b.sessionItems(ctx, w)
	if len(list) == 0 {
		return state, left, nil
	}
	h, err := b.hiddenTab(ctx, w)
	if err != nil {
		return nil, nil, err
	}
	defer b.closeTab(ctx, h)
	room := driver.MaxState
	for _, origin := range list {
		var r struct {
			driver.StateOrigin
			Left []struct{ Place, Why string } `json:"left"`
		}
		err := b.inOrigin(ctx, h, origin, func() error { return h.stored(ctx, "read", map[string]int{"limit": room}, &r) })
		if err != nil {
			if ctx.Err() != nil {
				return nil, nil, b.explain(ctx, err)
			}
			left = append(left, driver.LeftOut{Place: origin, Why: err.Error()})
			continue
		}
		for _, l := range r.Left {
			left = append(left, driver.LeftOut{Place: fmt.Sprintf("%s: %s", origin, visible(l.Place)), Why: visible(l.Why)})
		}
		r.Origin, r.SessionStorage = origin, session[origin]
		if len(r.LocalStorage)+len(r.SessionStorage)+len(r.IndexedDB) > 0 {
			room -= size(r.StateOrigin)
			state.Origins = append(state.Origins, r.StateOrigin)
		}
	}
	return state, left, nil
}

func size(v any) int {
	data, err := json.Marshal(v)
	if err != nil {
		return 0 // it came as JSON
	}
	return len(data)
}

// sessionTime bounds how long reading a page's sessionStorage may take.
const sessionTime = 2 * time.Second

// sessionItems reads the sessionStorage of the tabs of w, which each have their own: if two
// show one origin, that of the most recently active tab.
func (b *Browser) sessionItems(ctx context.Context, w *window) (map[string][]driver.StateItem, []driver.LeftOut) {
	all := make(map[string][]driver.StateItem)
	var left []driver.LeftOut
	for _, p := range b.tabsOf(w) {
		address, _ := p.State()
		origin := network.OriginOf(address)
		if _, known := all[origin]; known || origin == "" {
			continue
		}
		short, cancel := context.WithTimeout(ctx, sessionTime)
		var items []driver.StateItem
		err := p.stored(short, "session", nil, &items)
		cancel()
		if err != nil {
			left = append(left, driver.LeftOut{Place: "the sessionStorage of " + p.id, Why: err.Error()})
			continue
		}
		all[origin] = items
	}
	return all, left
}

func stateCookie(c driver.Cookie) driver.StateCookie {
	s := driver.StateCookie{
		Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, Expires: -1,
		HTTPOnly: c.HTTPOnly, Secure: c.Secure, SameSite: c.SameSite, Partition: c.Partition, CrossSite: c.CrossSite,
	}
	if !c.Expires.IsZero() {
		s.Expires = float64(c.Expires.UnixMilli()) / 1000
	}
	return s
}

func plainCookie(s driver.StateCookie) driver.Cookie {
	c := driver.Cookie{
		Name: s.Name, Value: s.Value, Domain: s.Domain, Path: s.Path,
		HTTPOnly: s.HTTPOnly, Secure: s.Secure, SameSite: s.SameSite, Partition: s.Partition, CrossSite: s.CrossSite,
	}
	if s.Expires >= 0 {
		c.Expires = time.UnixMilli(int64(s.Expires * 1000))
	}
	return c
}

// ImportState implements [driver.Storage].
func (b *Browser) ImportState(ctx context.Context, s *driver.State, clear bool) (driver.Imported, []driver.LeftOut, error) {
	var done driver.Imported
	w, p := b.activeWindow()
	if clear {
		if err := b.do(ctx, proto.StorageClearCookies{BrowserContextID: w.contextToAsk()}, nil); err != nil {
			return done, nil, err
		}
	}
	left, err := b.importCookies(ctx, w, s.Cookies, &done)
	if err != nil {
		return done, nil, err
	}
	list := make([]string, 0, len(s.Origins))
	if clear {
		list = b.openOrigins(ctx, w)
	}
	of := make(map[string]*driver.StateOrigin)
	for i := range s.Origins {
		list = append(list, s.Origins[i].Origin)
		of[s.Origins[i].Origin] = &s.Origins[i]
	}
	slices.Sort(list)
	if list = slices.Compact(list); len(list) == 0 {
		return done, left, nil
	}
	h, err := b.hiddenTab(ctx, w)
	if err != nil {
		return done, nil, err
	}
	defer b.closeTab(ctx, h)
	for _, origin := range list {
		if clear {
			remove := proto.StorageClearDataForOrigin{Origin: origin, StorageTypes: "local_storage,indexeddb"}
			if err := b.explain(ctx, b.conn.Do(ctx, h.session, remove, nil)); err != nil {
				return done, nil, err
			}
		}
		if o := of[origin]; o != nil {
			if err := b.importOrigin(ctx, p, h, o, &done); err != nil {
				return done, nil, err
			}
			w.origins.add(origin)
		}
	}
	return done, left, nil
}

// importCookies sets cookies, and reports those that have expired.
func (b *Browser) importCookies(ctx context.Context, w *window, cookies []driver.StateCookie, done *driver.Imported) ([]driver.LeftOut, error) {
	var left []driver.LeftOut
	now := time.Now()
	var set []driver.CookieParam
	for _, s := range cookies {
		c := driver.CookieParam{Cookie: plainCookie(s)}
		if !c.Expires.IsZero() && !c.Expires.After(now) {
			left = append(left, driver.LeftOut{Place: fmt.Sprintf("the cookie %q of %s", visible(c.Name), visible(c.Domain)), Why: "it has expired"})
			continue
		}
		if err := refusedCookie(c, now); err != nil {
			return nil, err
		}
		set = append(set, c)
	}
	for _, c := range set {
		if err := b.setCookie(ctx, w, c); err != nil {
			return nil, err
		}
	}
	all, err := b.cookiesOf(ctx, w)
	if err != nil {
		return nil, err
	}
	for _, c := range set {
		kept := func(k driver.Cookie) bool {
			return k.Name == c.Name && k.Value == c.Value && isOf(k, c) && k.Path == c.Path && k.Partition == c.Partition
		}
		if !slices.ContainsFunc(all, kept) {
			return nil, cookieFailed(c, "the browser did not keep it")
		}
	}
	done.Cookies = len(set)
	return left, nil
}

// importOrigin sets the storage of one origin in the hidden tab h, and its sessionStorage
// in p.
func (b *Browser) importOrigin(ctx context.Context, p, h *Tab, o *driver.StateOrigin, done *driver.Imported) error {
	var r struct{ Items, Databases, Records int }
	err := b.inOrigin(ctx, h, o.Origin, func() error { return h.stored(ctx, "write", o, &r) })
	if err != nil {
		return err
	}
	done.Origins++
	done.Items += r.Items
	done.Databases += r.Databases
	done.Records += r.Records
	if len(o.SessionStorage) == 0 {
		return nil
	}
	if address, _ := p.State(); network.OriginOf(address) == o.Origin {
		return p.stored(ctx, "setSession", o.SessionStorage, nil)
	}
	done.Pending = append(done.Pending, o.Origin)
	return p.restoreLater(ctx, o)
}

// restoreLater sets sessionStorage when the tab next shows a document of the origin, before
// its scripts run.
func (p *Tab) restoreLater(ctx context.Context, o *driver.StateOrigin) error {
	data, err := json.Marshal(o)
	if err != nil {
		return diag.New(diag.Internal, "the state cannot be written: %v", err).WithHint("this is a fault of ours: please report it")
	}
	source := `(o => {
	if (window !== top || location.origin !== o.origin) return;
	for (const { name, value } of o.sessionStorage) sessionStorage.setItem(name, value);
})(` + string(data) + `)`
	var added proto.PageAddScriptToEvaluateOnNewDocumentResult
	if err := p.do(ctx, proto.PageAddScriptToEvaluateOnNewDocument{Source: source, WorldName: worldName}, &added); err != nil {
		return err
	}
	p.mu.Lock()
	before := p.restores[o.Origin]
	if p.restores == nil {
		p.restores = make(map[string]proto.PageScriptIdentifier)
	}
	p.restores[o.Origin] = added.Identifier
	p.mu.Unlock()
	if before != "" { // of an import that was not used
		return p.do(ctx, proto.PageRemoveScriptToEvaluateOnNewDocument{Identifier: before}, nil)
	}
	return nil
}
