package chrome

// Attaching to a running browser that we did not start. Its own context is the window w1, and its
// front tab is t1. Because the browser belongs to its user, we attach only to the tabs that we
// use and to those that they open. Disconnecting closes what we opened in our own contexts;
// everything else stays.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/downloads"
	"github.com/actionregistry/action/internal/browser/eval"
	"github.com/actionregistry/action/internal/driver"
)

const (
	// connectTime bounds connecting to a running browser.
	connectTime = 10 * time.Second
	// lookTime bounds the search for the front tab: a tab may not answer.
	lookTime = 2 * time.Second

	startHint = "start it with --remote-debugging-port=9222, or correct the address (--cdp, browser.cdp)"
)

// connect connects to the browser running at o.CDP.
func connect(ctx context.Context, o Options) (*Browser, error) {
	if err := o.checkAttached(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	e, err := findEndpoint(ctx, o.CDP)
	if err != nil {
		return nil, err
	}
	b := &Browser{opts: o, pages: make(map[string]*Tab), workers: make(map[string]worker), endpoint: e}
	if b.conn, err = cdp.Dial(ctx, e.socket, b.dispatch, o.Trace); err != nil {
		return nil, e.refused(err)
	}
	b.downloads = downloads.New(b.conn, "", o.TempDir)
	var v proto.BrowserGetVersionResult
	// The browser reports the pop-ups of our tabs only with this.
	told := b.conn.Start(ctx, "", proto.TargetSetDiscoverTargets{Discover: true, Filter: onlyPages})
	if err := b.conn.Do(ctx, "", proto.BrowserGetVersion{}, &v); err != nil {
		b.conn.Close()
		return nil, e.silent(err)
	}
	if err := told.Wait(nil); err != nil {
		b.conn.Close()
		return nil, e.silent(err)
	}
	b.version, b.userAgent = v.Product, v.UserAgent
	return b, nil
}

// checkAttached refuses options that only a browser that we start can have.
func (o *Options) checkAttached() error {
	for name, set := range map[string]bool{"profile": o.Profile != "", "proxy": o.Proxy != ""} {
		if set {
			return diag.New(diag.InvalidRequest, "%s cannot be set for a browser that is already running", name).
				WithHint("omit %s, or cdp", name)
		}
	}
	return nil
}

// An endpoint is the address at which a running browser listens.
type endpoint struct {
	shown  string   // for messages: without parts that may be secret
	socket *url.URL // of the browser itself
	http   *url.URL // root of its HTTP interface (/json)
}

// findEndpoint finds the WebSocket behind a port, an http: or a ws: address.
func findEndpoint(ctx context.Context, address string) (*endpoint, error) {
	u, err := endpointURL(address)
	if err != nil {
		return nil, err
	}
	e := &endpoint{shown: u.Host, http: &url.URL{Scheme: "http", User: u.User, Host: u.Host}}
	switch u.Scheme {
	case "https", "wss":
		e.http.Scheme = "https"
	}
	if strings.HasPrefix(u.Scheme, "ws") && strings.Trim(u.Path, "/") != "" {
		if strings.HasPrefix(u.Path, "/devtools/page/") {
			return nil, diag.New(diag.ParamInvalid, "%s is the address of one page, expected the browser's", e.shown+u.Path).
				WithHint("give the port of the browser, or its http: address")
		}
		e.socket = u
		return e, nil
	}
	var version struct {
		Socket string `json:"webSocketDebuggerUrl"`
	}
	if err := e.get(ctx, "/json/version", &version); err != nil {
		return nil, e.refused(err)
	}
	if e.socket, err = url.Parse(version.Socket); err != nil || version.Socket == "" || !strings.HasPrefix(e.socket.Scheme, "ws") {
		return nil, e.noChromium("its /json/version has no WebSocket address")
	}
	// The browser reports the host of the request, which a proxy between us may have changed.
	e.socket.Host, e.socket.User, e.socket.RawQuery = u.Host, u.User, u.RawQuery
	if e.http.Scheme == "https" {
		e.socket.Scheme = "wss"
	}
	return e, nil
}

// endpointURL parses a user's address of a running browser and adds the default scheme, host and
// port.
func endpointURL(address string) (*url.URL, error) {
	bad := func() error {
		return diag.New(diag.ParamInvalid, "%q is not the address of a running browser", address).
			WithHint("give its port (9222), or an address such as http://127.0.0.1:9222 or ws://127.0.0.1:9222/devtools/browser/…")
	}
	if port, err := strconv.ParseUint(address, 10, 16); err == nil && port > 0 {
		return &url.URL{Scheme: "http", Host: net.JoinHostPort("127.0.0.1", address)}, nil
	}
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return nil, bad()
	}
	ports := map[string]string{"http": "80", "ws": "80", "https": "443", "wss": "443"}
	port, ok := ports[u.Scheme]
	if !ok {
		return nil, bad()
	}
	if u.Port() == "" {
		u.Host = net.JoinHostPort(u.Hostname(), port)
	}
	return u, nil
}

// get requests path from the browser's web server and decodes its JSON into out.
func (e *endpoint) get(ctx context.Context, path string, out any) error {
	// Used only once: no connection should remain.
	transport := &http.Transport{DisableKeepAlives: true}
	defer transport.CloseIdleConnections()
	address := *e.http
	address.Path = path
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return err
	}
	res, err := transport.RoundTrip(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	switch {
	case err != nil:
		return err
	case res.StatusCode != http.StatusOK:
		return &cdp.ErrRefused{Status: res.StatusCode, Text: cdp.FirstLine(res.Status)}
	}
	if err := json.Unmarshal(body, out); err != nil {
		return &cdp.ErrRefused{Status: res.StatusCode, Text: "invalid JSON"}
	}
	return nil
}

// refused returns the error for a connection that could not be made.
func (e *endpoint) refused(err error) error {
	var answer *cdp.ErrRefused
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return cdp.Unavailable("no browser is listening at %s", e.shown).WithHint("%s", startHint).Because(err)
	case errors.As(err, &answer) && (answer.Status == http.StatusForbidden || answer.Status == http.StatusUnauthorized):
		return cdp.Unavailable("the browser at %s refuses the connection: %v", e.shown, err).
			WithHint("start it with --remote-debugging-port=9222 --remote-allow-origins=*, and name it by its IP address").Because(err)
	case errors.As(err, &answer):
		return e.noChromium(err.Error()).Because(err)
	case errors.Is(err, context.Canceled):
		return cdp.Cancelled(err)
	case errors.Is(err, context.DeadlineExceeded):
		return e.silent(err)
	}
	var netErr net.Error
	if errors.As(err, &netErr) {
		return cdp.Unavailable("the browser at %s cannot be reached: %v", e.shown, unwrapURL(err)).WithHint("%s", startHint).Because(err)
	}
	return e.noChromium(err.Error()).Because(err)
}

func (e *endpoint) noChromium(why string) *diag.Error {
	return cdp.Unavailable("the server at %s is not Chromium: %s", e.shown, why).WithHint("%s", startHint)
}

// silent returns the error for a server that accepts the connection but does not answer as a
// browser.
func (e *endpoint) silent(err error) error {
	if coded := diag.As(err); coded != nil {
		return coded
	}
	if errors.Is(err, context.Canceled) {
		return cdp.Cancelled(err)
	}
	return cdp.Unavailable("the server at %s does not answer as a browser: %v", e.shown, err).WithHint("%s", startHint).Because(err)
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
	var order []struct {
		ID proto.TargetTargetID `json:"id"`
	}
	if b.endpoint.get(ctx, "/json/list", &order) == nil { // most recently active first
		place := make(map[proto.TargetTargetID]int)
		for i, t := range order {
			place[t.ID] = i - len(order) // a tab that is not listed sorts last
		}
		slices.SortStableFunc(tabs, func(a, b proto.TargetTargetID) int { return place[a] - place[b] })
	}
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
	if err := p.Do(ctx, proto.PageGetFrameTree{}, &tree); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	f := tree.FrameTree.Frame
	if p.rev > 0 || f.ID != p.frame {
		return nil // an event has reported it meanwhile
	}
	if p.doc.id != string(f.LoaderID) {
		p.doc = document{id: string(f.LoaderID), reached: map[driver.LoadState]bool{driver.Commit: true}}
	}
	p.doc.url = f.URL + f.URLFragment
	p.rev = p.refs.NextPage()
	p.readFramesLocked(tree.FrameTree)
	return nil
}

func (p *Tab) readFramesLocked(tree *proto.PageFrameTree) {
	for _, inner := range tree.ChildFrames {
		p.subframeLocked(inner.Frame.ID).parent = tree.Frame.ID
		p.readFramesLocked(inner)
	}
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
			ends = append(ends, proto.TargetDetachFromTarget{SessionID: proto.TargetSessionID(p.session)})
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

// lostConnection returns the error for a lost connection to a browser that is not ours.
func (b *Browser) lostConnection(err error) *diag.Error {
	return cdp.Unavailable("the connection to the browser at %s was lost", b.endpoint.shown).
		WithHint("check that it is still running; the next step connects again").Because(fmt.Errorf("%w", err))
}
