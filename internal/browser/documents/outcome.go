package documents

// The navigations that input has caused, and the documents of new tabs.

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/dialogs"
	"github.com/actionregistry/action/internal/driver"
)

// An Outcome waits for the navigations that input has caused, and for the documents of new tabs.
type Outcome struct {
	link         *Link
	frames       *Frames
	moves        *Moves
	step         *Step
	worlds       *Worlds
	netFailure   func(address, failure string) string
	refusal      func(address string) *diag.Error
	readied      func(context.Context) error
	closedItself func(context.Context) bool
}

// LedTo waits for the end of the navigations that input in w has started. nav is the new document
// of the page, or nil. left reports whether the page no longer shows the document of w. The error
// is NAVIGATION_FAILED if the browser has refused a navigation, or if one has ended without a
// document. A response that is saved as a file is not an error.
func (o *Outcome) LedTo(ctx context.Context, w World) (nav *driver.Navigation, left bool, err error) {
	o.leaveUnseen(ctx, w)
	same, none, err := o.ended(ctx, w)
	if err == nil && same && none != nil && none.status == 0 {
		// Another navigation may have replaced this one, although the browser has not reported that
		// yet.
		if err = o.worlds.AfterInput(ctx, w); err == nil {
			same, none, err = o.ended(ctx, w)
		}
	}
	if err != nil && (errors.Is(err, dialogs.ErrOpen) || o.closedItself(ctx)) { // the input opened a dialog or closed the tab
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	if same {
		if none, err = o.unlessSent(ctx, none); err != nil {
			return nil, false, err
		}
		if err := o.ledNowhere(none); err != nil {
			return nil, false, err
		}
		return nil, false, o.step.blockedNavigation()
	}
	to, err := o.arrived(ctx, o.worlds.Document)
	switch {
	case err != nil:
		return nil, true, err
	case to.URL == blockedAddress:
		return nil, true, diag.New(diag.NavigationFailed, "the page went to an invalid address, so the browser shows a blank page").
			WithDetail("url", to.URL).WithHint("check the address in the link with `get attr SELECTOR href`")
	}
	return &to, true, nil
}

// blockedAddress is the address that the browser opens instead of an invalid one.
const blockedAddress = "about:blank#blocked"

// ended waits until no navigation caused by input in w is pending. same reports whether the page
// still has the document of w. none describes a navigation that has ended without a document, or is
// nil.
func (o *Outcome) ended(ctx context.Context, w World) (same bool, none *nowhere, err error) {
	err = o.frames.Until(ctx, "the page that the input opened did not load", func() bool {
		same, none = o.frames.doc.id == w.Doc.ID, o.frames.nowhereLocked(w)
		return !o.frames.underWayLocked(w)
	})
	return same, none, err
}

// leaveUnseen makes the outcome ignore invisible frames that a script has navigated. Pages load
// such frames in the background.
func (o *Outcome) leaveUnseen(ctx context.Context, w World) {
	var led []proto.PageFrameID
	o.frames.mu.Lock()
	for id, f := range o.frames.frames {
		if id != w.frame && f.nav.led && f.there && !f.nav.isAsked() {
			led = append(led, id)
		}
	}
	o.frames.mu.Unlock()
	for _, id := range led {
		if o.worlds.showsFrame(ctx, id) {
			continue
		}
		o.frames.mu.Lock()
		if f := o.frames.frames[id]; f != nil {
			f.there = false
		}
		o.frames.mu.Unlock()
	}
}

// unlessSent returns nil if the server has responded to a navigation of an invisible frame. A page
// may send a form into a hidden frame, and needs no document there. Otherwise unlessSent returns
// its argument.
func (o *Outcome) unlessSent(ctx context.Context, none *nowhere) (*nowhere, error) {
	if none == nil || none.frame == "" || none.status == 0 || o.worlds.showsFrame(ctx, none.frame) {
		return none, nil
	}
	return nil, nil
}

// ledNowhere returns the error for a navigation that has ended without a document. It returns nil
// if there was none, or if another program opens the address.
func (o *Outcome) ledNowhere(none *nowhere) error {
	switch {
	case none == nil:
		return nil
	case none.stayed:
		return stayedHere()
	case none.failure != "":
		return o.moves.refusedDocument(o.navigationFailed(none.url, none.failure))
	case none.status == 0 && !fetched(none.url):
		return nil // the system opens another program for such an address, so the browser does not navigate
	}
	return o.moves.refusedDocument(withoutPage(none.url, none.status))
}

// fetched reports whether the browser itself loads address. Other programs handle addresses such as
// mailto:.
func fetched(address string) bool {
	scheme, _, _ := strings.Cut(address, ":")
	switch scheme {
	case "http", "https", "file", "blob", "data":
		return true
	}
	return false
}

// withoutPage returns the error for a navigation that ended without a document.
func withoutPage(address string, status int) *diag.Error {
	if withoutContent(status) {
		return noPage(address, "the server answered "+map[int]string{204: "204 No Content", 205: "205 Reset Content"}[status]).
			WithDetail("status", status)
	}
	return noPage(address, "the navigation was stopped")
}

// stayedHere returns the error for a page whose beforeunload dialog was dismissed.
func stayedHere() *diag.Error {
	return diag.New(diag.NavigationFailed, "the page is still open, because its dialog before leaving (beforeunload) was dismissed").
		WithHint("to accept the dialog, set policy.dialogs, or first run: action dialog accept")
}

// arrived returns the navigation to the current document, which it reads with describe. If the
// document is an error page, arrived returns an error.
func (o *Outcome) arrived(ctx context.Context, describe func(context.Context) (driver.Document, error)) (driver.Navigation, error) {
	o.frames.mu.Lock()
	d := o.frames.doc
	o.frames.mu.Unlock()
	if d.unreachable != "" {
		return driver.Navigation{}, o.moves.refusedDocument(o.navigationFailed(d.unreachable, d.failure))
	}
	doc, err := describe(ctx)
	if err != nil {
		return driver.Navigation{}, err
	}
	if doc.ID != d.id { // the document was replaced during the call of describe
		o.frames.mu.Lock()
		d = o.frames.doc
		o.frames.mu.Unlock()
	}
	return driver.Navigation{URL: doc.URL, Title: doc.Title, Status: d.status}, nil
}

// ErrorPage returns the reason why the browser shows the error page doc. It returns nil if doc is
// not an error page.
func (o *Outcome) ErrorPage(doc driver.Document) *diag.Error {
	o.frames.mu.Lock()
	d := o.frames.doc
	o.frames.mu.Unlock()
	if d.unreachable == "" || d.id != doc.ID {
		return nil
	}
	return o.navigationFailed(d.unreachable, d.failure)
}

const errAborted = "net::ERR_ABORTED"

// aborted returns the error for the last navigation, which ended without a document.
func (o *Outcome) aborted(address string) *diag.Error {
	o.frames.mu.Lock()
	status := o.frames.nav.status
	o.frames.mu.Unlock()
	return withoutPage(address, status)
}

func noPage(address, why string) *diag.Error {
	return diag.New(diag.NavigationFailed, "%s has no page to show: %s", address, why).
		WithDetail("url", address).WithHint("check the URL; for a file, use the step `download`; the previous page is still open")
}

// netErrors maps the most common of Chromium's errors to a cause and a hint.
var netErrors = map[string][2]string{
	"ERR_NAME_NOT_RESOLVED":        {"the host is not known", "check the host's name and the network"},
	"ERR_CONNECTION_REFUSED":       {"nothing is listening there", "check the port, and that the server is running"},
	"ERR_CONNECTION_RESET":         {"the server reset the connection", "check that the server is running and speaks this protocol"},
	"ERR_CONNECTION_CLOSED":        {"the server closed the connection", "check that the server is running and speaks this protocol"},
	"ERR_CONNECTION_TIMED_OUT":     {"the server does not answer", "check the address and the network"},
	"ERR_TIMED_OUT":                {"the server does not answer", "check the address and the network"},
	"ERR_EMPTY_RESPONSE":           {"the server sent an empty answer", "check that the server speaks this protocol"},
	"ERR_INTERNET_DISCONNECTED":    {"there is no network", "check the network"},
	"ERR_ADDRESS_UNREACHABLE":      {"the address cannot be reached", "check the address and the network"},
	"ERR_TOO_MANY_REDIRECTS":       {"the server redirects in a loop", "check the redirects of the server; cookies may be missing"},
	"ERR_SSL_PROTOCOL_ERROR":       {"the server does not use TLS", "write http:// if the server has no TLS"},
	"ERR_CERT_AUTHORITY_INVALID":   {"the server's certificate is not trusted", "trust the certificate, or open the session with ignore_https_errors"},
	"ERR_CERT_COMMON_NAME_INVALID": {"the server's certificate is for another host", "check the host, or open the session with ignore_https_errors"},
	"ERR_CERT_DATE_INVALID":        {"the server's certificate has expired", "renew the certificate, or open the session with ignore_https_errors"},
	"ERR_UNSAFE_PORT":              {"Chromium blocks this port", "use another port"},
	"ERR_FILE_NOT_FOUND":           {"there is no such file", "check the path"},
	"ERR_ACCESS_DENIED":            {"the file cannot be read", "check the permissions of the file"},
	"ERR_UNKNOWN_URL_SCHEME":       {"the browser does not know the scheme", "use http or https"},
	"ERR_PROXY_CONNECTION_FAILED":  {"the proxy does not answer", "check browser.proxy"},
	"ERR_TUNNEL_CONNECTION_FAILED": {"the proxy did not connect to the server", "check browser.proxy, and whether it permits this host and port"},
	"ERR_SOCKS_CONNECTION_FAILED":  {"no connection to the server could be made", "check the address and the network"},
	"ERR_BLOCKED_BY_CLIENT":        {"the URL is blocked", "check policy.hosts and the routes of the session"},
	"ERR_BLOCKED_BY_RESPONSE":      {"the server does not allow browsers to show this response here", "open another URL"},
	"ERR_INVALID_URL":              {"the URL is not valid", "check the URL"},
	"ERR_HTTP_RESPONSE_CODE_FAILURE": {"the server answered with an error and without a page",
		"check the URL, and that the server works"},
}

// navigationFailed returns the error for an address that could not be loaded.
func (o *Outcome) navigationFailed(address, failure string) *diag.Error {
	if refused := o.refusal(address); refused != nil {
		return refused.WithDetail("url", address)
	}
	return navigationFailed(address, o.netFailure(address, failure))
}

// navigationFailed returns the error for an address that could not be loaded. failure is Chromium's
// name for the reason, such as net::ERR_TIMED_OUT.
func navigationFailed(address, failure string) *diag.Error {
	name := strings.TrimPrefix(failure, "net::")
	words, ok := netErrors[name]
	if !ok {
		words = [2]string{"the URL cannot be loaded", "check the URL and the network"}
	}
	if name == "" {
		name = "no reason given"
	}
	return diag.New(diag.NavigationFailed, "cannot open %s: %s (%s)", address, words[0], name).
		WithDetail("url", address).WithDetail("reason", name).WithHint("%s", words[1])
}

// Shows waits for the document of a new tab, and returns an error if it cannot be loaded. It
// returns nil if the tab loads no document, for example because the response is a file.
func (o *Outcome) Shows(ctx context.Context) error {
	o.frames.mu.Lock()
	wanted := o.frames.wanted
	o.frames.mu.Unlock()
	if !fetched(wanted) && !o.ledOn(ctx, wanted) {
		return nil
	}
	ended := func() bool { return o.frames.nav.commits > 0 || o.frames.nav.none != nil || o.frames.nav.saved }
	short, cancel := context.WithTimeout(ctx, begunTime)
	defer cancel()
	if o.frames.Until(short, "", func() bool { return ended() || o.frames.nav.pending() }) != nil {
		return nil // a script of the opener may navigate the tab later
	}
	return o.ShowsNext(ctx)
}

// ShowsNext waits for the end of the tab's pending navigation, and returns an error if it has
// failed.
func (o *Outcome) ShowsNext(ctx context.Context) error {
	ended := func() bool { return o.frames.nav.commits > 0 || o.frames.nav.none != nil || o.frames.nav.saved }
	err := o.frames.Until(ctx, "the document of the tab "+o.link.tabID+" did not load", func() bool { return ended() && !o.frames.nav.pending() })
	if err != nil {
		if o.link.IsGone() || errors.Is(err, dialogs.ErrOpen) {
			return nil
		}
		return err
	}
	o.frames.mu.Lock()
	doc, none := o.frames.doc, o.frames.nav.none
	o.frames.mu.Unlock()
	var e *diag.Error
	switch {
	case none != nil && withoutContent(none.status):
		err = o.ledNowhere(none)
	case doc.unreachable != "":
		err = o.moves.refusedDocument(o.navigationFailed(doc.unreachable, doc.failure))
	}
	if errors.As(err, &e) {
		e.WithDetail("tab", o.link.tabID)
	}
	return err
}

// ledOn reports whether a tab that was opened blank is loading a document, or has failed to load
// one.
func (o *Outcome) ledOn(ctx context.Context, wanted string) bool {
	if wanted != "" && wanted != "about:blank" {
		return false
	}
	short, cancel := context.WithTimeout(ctx, begunTime)
	defer cancel()
	if o.readied(short) != nil {
		return false
	}
	o.frames.mu.Lock()
	defer o.frames.mu.Unlock()
	return o.frames.nav.pending() || o.frames.nav.none != nil || o.frames.doc.unreachable != ""
}

// begunTime is how long a tab may take to begin loading its first document.
const begunTime = time.Second

// LoadsFirst waits until the first document of a tab is loaded, or until it is clear that there
// will be none.
func (o *Outcome) LoadsFirst(ctx context.Context) error {
	if o.moves.IsBlank() {
		short, cancel := context.WithTimeout(ctx, begunTime)
		defer cancel()
		// A pop-up never begins to load if it was opened for a download, or if its page opens
		// nothing in it.
		_ = o.frames.Until(short, "", func() bool { return o.frames.nav.commits > 0 || o.frames.nav.pending() })
	}
	return o.frames.Until(ctx, "the document of the tab "+o.link.tabID+" did not load", func() bool {
		return !o.frames.nav.pending() && (o.frames.nav.commits == 0 || o.frames.doc.reached[driver.DOMContentLoaded])
	})
}
