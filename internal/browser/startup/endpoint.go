package startup

// The address of a browser that is already running.

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

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
)

const startHint = "start the browser with --remote-debugging-port=9222, or correct the address (--cdp, browser.cdp)"

// FindRunning finds the running browser at the address [Options.CDP].
func (o *Options) FindRunning(ctx context.Context) (*Endpoint, error) {
	if err := o.checkAttached(); err != nil {
		return nil, err
	}
	return findEndpoint(ctx, o.CDP)
}

// checkAttached returns INVALID_REQUEST for options that require a browser that we start.
func (o *Options) checkAttached() error {
	for name, set := range map[string]bool{"profile": o.Profile != "", "proxy": o.Proxy != ""} {
		if set {
			return diag.New(diag.InvalidRequest, "the option %s cannot be set for a browser that is already running", name).
				WithHint("omit %s; or omit cdp, which starts a new browser", name)
		}
	}
	return nil
}

// An Endpoint is the address at which a running browser listens.
type Endpoint struct {
	shown  string   // for messages: without parts that may be secret
	Socket *url.URL // of the browser itself
	http   *url.URL // root of its HTTP interface (/json)
}

// findEndpoint finds the WebSocket of the browser at address, which is a port, an http: or a ws:
// address.
func findEndpoint(ctx context.Context, address string) (*Endpoint, error) {
	u, err := endpointURL(address)
	if err != nil {
		return nil, err
	}
	e := &Endpoint{shown: u.Host, http: &url.URL{Scheme: "http", User: u.User, Host: u.Host}}
	switch u.Scheme {
	case "https", "wss":
		e.http.Scheme = "https"
	}
	if strings.HasPrefix(u.Scheme, "ws") && strings.Trim(u.Path, "/") != "" {
		if strings.HasPrefix(u.Path, "/devtools/page/") {
			return nil, diag.New(diag.ParamInvalid, "%s is the address of one page, expected the address of the browser", e.shown+u.Path).
				WithHint("give the port of the browser, or its http: address")
		}
		e.Socket = u
		return e, nil
	}
	var version struct {
		Socket string `json:"webSocketDebuggerUrl"`
	}
	if err := e.get(ctx, "/json/version", &version); err != nil {
		return nil, e.Refused(err)
	}
	if e.Socket, err = url.Parse(version.Socket); err != nil || version.Socket == "" || !strings.HasPrefix(e.Socket.Scheme, "ws") {
		return nil, e.noChromium("its /json/version has no WebSocket address")
	}
	// Use the host of our address: the browser reports the Host header of the request, which a
	// proxy on the way may have changed.
	e.Socket.Host, e.Socket.User, e.Socket.RawQuery = u.Host, u.User, u.RawQuery
	if e.http.Scheme == "https" {
		e.Socket.Scheme = "wss"
	}
	return e, nil
}

// endpointURL parses a user's address of a running browser and adds the default scheme, host and
// port.
func endpointURL(address string) (*url.URL, error) {
	bad := func() error {
		return diag.New(diag.ParamInvalid, "%q is not the address of a running browser", address).
			WithHint("give the browser's port (9222), or an address such as http://127.0.0.1:9222 or ws://127.0.0.1:9222/devtools/browser/…")
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
func (e *Endpoint) get(ctx context.Context, path string, out any) error {
	// The transport is used only once, so it must leave no connection open.
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

// Lost returns the error for a connection that was lost.
func (e *Endpoint) Lost(err error) *diag.Error {
	return cdp.Unavailable("the connection to the browser at %s was lost", e.shown).
		WithHint("check that the browser is still running; the next step connects again").Because(fmt.Errorf("%w", err))
}

// SortRecent sorts tabs by their last activity, newest first. If the browser does not answer,
// SortRecent leaves the order unchanged.
func (e *Endpoint) SortRecent(ctx context.Context, tabs []proto.TargetTargetID) {
	var order []struct {
		ID proto.TargetTargetID `json:"id"`
	}
	if e.get(ctx, "/json/list", &order) != nil {
		return
	}
	rank := make(map[proto.TargetTargetID]int)
	for i, t := range order { // most recently active first
		rank[t.ID] = i - len(order) // a tab that is not listed sorts last
	}
	slices.SortStableFunc(tabs, func(a, b proto.TargetTargetID) int { return rank[a] - rank[b] })
}

// Refused returns the error for a connection that could not be made.
func (e *Endpoint) Refused(err error) error {
	var answer *cdp.ErrRefused
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return cdp.Unavailable("no browser is listening at %s", e.shown).WithHint("%s", startHint).Because(err)
	case errors.As(err, &answer) && (answer.Status == http.StatusForbidden || answer.Status == http.StatusUnauthorized):
		return cdp.Unavailable("the browser at %s refuses the connection: %v", e.shown, err).
			WithHint("start the browser with --remote-debugging-port=9222 --remote-allow-origins=*, and give its IP address instead of a host name").Because(err)
	case errors.As(err, &answer):
		return e.noChromium(err.Error()).Because(err)
	case errors.Is(err, context.Canceled):
		return cdp.Cancelled(err)
	case errors.Is(err, context.DeadlineExceeded):
		return e.Silent(err)
	}
	var netErr net.Error
	if errors.As(err, &netErr) {
		return cdp.Unavailable("the browser at %s cannot be reached: %v", e.shown, unwrapURL(err)).WithHint("%s", startHint).Because(err)
	}
	return e.noChromium(err.Error()).Because(err)
}

func (e *Endpoint) noChromium(why string) *diag.Error {
	return cdp.Unavailable("the server at %s is not Chromium: %s", e.shown, why).WithHint("%s", startHint)
}

// Silent returns the error for a server that accepts the connection but does not answer like a
// browser.
func (e *Endpoint) Silent(err error) error {
	if coded := diag.As(err); coded != nil {
		return coded
	}
	if errors.Is(err, context.Canceled) {
		return cdp.Cancelled(err)
	}
	return cdp.Unavailable("the server at %s does not answer as a browser: %v", e.shown, err).WithHint("%s", startHint).Because(err)
}

func unwrapURL(err error) error {
	if e := (*url.Error)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}
