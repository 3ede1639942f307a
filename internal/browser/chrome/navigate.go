package chrome

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/dialogs"
	"github.com/actionregistry/action/internal/driver"
)

// navigateResult is the result of Page.navigate; rod's type lacks isDownload.
type navigateResult struct {
	LoaderID   string `json:"loaderId"`
	ErrorText  string `json:"errorText"`
	IsDownload bool   `json:"isDownload"`
}

// Open implements [driver.Navigator]. The caller decides which schemes are allowed. It never
// allows javascript:, which opens no page.
func (n *Navigation) Open(ctx context.Context, address string, until driver.LoadState) (driver.Navigation, error) {
	if err := checkURL(address); err != nil {
		return driver.Navigation{}, err
	}
	if err := n.outcome.readied(ctx); err != nil {
		return driver.Navigation{}, err
	}
	from := n.frames.mark()
	nav, err := n.open(ctx, address, until)
	for tries := 1; tries < mostOpens && n.frames.isStruck() && n.frames.movedOn(from) && ctx.Err() == nil; tries++ {
		nav, err = n.open(ctx, address, until) // the script that was ended may be the engine
	}
	if err == nil && n.frames.isStruck() {
		return driver.Navigation{}, diag.New(diag.Timeout, "the previous page kept the browser busy; a script of %s may have been ended with that page's", address).
			WithHint("open the URL again")
	}
	return nav, err
}

// mostOpens is how many times Open loads a document that may lack a script.
const mostOpens = 3

// open is Open for a valid address, in a page that is ready.
func (n *Navigation) open(ctx context.Context, address string, until driver.LoadState) (driver.Navigation, error) {
	asked := n.frames.stays(ctx)
	from := n.frames.beginMove()
	r, err := n.navigate(ctx, address, from)
	if err == nil && asked && r.ErrorText == errAborted && !r.IsDownload && n.frames.settle(ctx) == nil && n.frames.mark() == from {
		r, err = n.navigate(ctx, address, from)
	}
	if err != nil {
		return driver.Navigation{}, n.openFailed(ctx, address, err)
	}
	switch {
	case r.ErrorText == "":
		if r.LoaderID == "" { // within the document: done
			return n.outcome.arrived(ctx, n.worlds.Document)
		}
	case r.ErrorText != errAborted:
		// The error page follows; the next step must not find the old document.
		if err := n.frames.settle(ctx); err != nil {
			return driver.Navigation{}, err
		}
		return driver.Navigation{}, n.frames.refusedDocument(n.outcome.navigationFailed(address, r.ErrorText))
	case r.IsDownload:
		return driver.Navigation{}, noPage(address, "it is a download")
	case !n.frames.movedOn(from):
		return driver.Navigation{}, n.outcome.aborted(address)
	}
	nav, err := n.arrive(ctx, from, until)
	n.link.Suspect(err) // the new document may be stuck while loading
	return nav, err
}

// navigate requests a document and waits until it commits or is refused.
func (n *Navigation) navigate(ctx context.Context, address string, from mark) (r navigateResult, err error) {
	probe := n.frames.Start(ctx, proto.RuntimeEvaluate{Expression: "0"})
	n.frames.mu.Lock()
	n.frames.nav.asking = true
	n.frames.mu.Unlock()
	k := n.frames.Start(ctx, proto.PageNavigate{URL: address})
	n.unstick(ctx, probe, from)
	err = k.Wait(&r)
	n.frames.mu.Lock()
	defer n.frames.mu.Unlock()
	n.frames.nav.answered(&r, err)
	n.link.notify()
	return r, err
}

const (
	// probeTime is how long a page that did not answer in time may take to show that it was only
	// busy.
	probeTime = 500 * time.Millisecond
	// busyTime is the same for a page without known problems: on a busy machine a page may be
	// slow for a long time.
	busyTime = 5 * time.Second
)

// unstick ends a script in an endless loop, which would block the next document. probe is a call
// that such a page does not answer. unstick ignores a page that answers, or that has navigated
// since from: it might end the page's next script instead. Queries that nothing waits for any
// more run one after another, and are ended one by one.
func (n *Navigation) unstick(ctx context.Context, probe *cdp.Call, from mark) {
	patience := busyTime
	if n.link.IsStuck() {
		patience = probeTime
	}
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		select {
		case <-probe.Done():
			return
		case <-ctx.Done():
			return
		case <-late.C:
			if n.frames.mark() != from {
				return
			}
			n.endScript(ctx, from)
			late.Reset(probeTime)
		}
	}
}

// endScript ends the running script. If the page is only busy, it ends the next script, which may
// be one of the next document; endScript records that in struck. It is certain that the old
// document's script was ended only if the answer came before the next document.
func (n *Navigation) endScript(ctx context.Context, from mark) {
	k := n.frames.Start(ctx, proto.RuntimeTerminateExecution{})
	n.frames.mu.Lock()
	defer n.frames.mu.Unlock()
	if n.frames.markLocked() == from {
		n.frames.ending = k
	} else {
		n.frames.doc.struck = !k.Over()
	}
}

// isStruck reports whether the document may lack a script that was ended instead of one of the
// previous document.
func (fs *Frames) isStruck() bool {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return fs.doc.struck
}

// checkURL refuses anything but an absolute URL.
func checkURL(address string) error {
	if address == "" {
		return diag.New(diag.ParamInvalid, "the URL is empty").WithHint("give a URL such as https://example.com/")
	}
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return diag.New(diag.ParamInvalid, "%q is not a URL: %v", address, errors.Unwrap(err)).
			WithHint("give a URL such as https://example.com/")
	case u.Scheme == "", strings.Contains(u.Scheme, "."), u.Scheme == "localhost": // example.com:80/x
		return diag.New(diag.ParamInvalid, "%q has no scheme", address).WithHint("write https://%s", address)
	case strings.EqualFold(u.Scheme, "javascript"):
		return diag.New(diag.ParamInvalid, "a javascript: URL opens no page").WithHint("use eval to run a script")
	case (u.Scheme == "http" || u.Scheme == "https") && u.Host == "":
		return diag.New(diag.ParamInvalid, "%q has no host", address).WithHint("give a URL such as https://example.com/")
	}
	return nil
}

// openFailed returns the error for a Page.navigate that was refused or not answered in time.
func (n *Navigation) openFailed(ctx context.Context, address string, err error) error {
	err = n.link.Explain(ctx, err)
	if errors.Is(err, dialogs.ErrOpen) {
		return err
	}
	switch diag.CodeOf(err) {
	case diag.Timeout:
		n.stopLoading(ctx)
		return cdp.Overdue(err, address+" did not answer in time")
	case diag.Cancelled:
		n.stopLoading(ctx)
	case diag.StepFailed:
		return diag.New(diag.ParamInvalid, "%q cannot be opened: %s", address, err).Because(err).
			WithHint("give a URL such as https://example.com/")
	}
	return err
}

// stopLoading ends a navigation that nothing waits for any more, so that it does not replace the
// document during a later step.
func (n *Navigation) stopLoading(ctx context.Context) {
	n.frames.Start(context.WithoutCancel(ctx), proto.PageStopLoading{})
}

// History implements [driver.Navigator].
func (n *Navigation) History(ctx context.Context, delta int) (driver.Navigation, error) {
	if err := n.recorded(ctx); err != nil {
		return driver.Navigation{}, err
	}
	var h proto.PageGetNavigationHistoryResult
	if err := n.link.Do(ctx, proto.PageGetNavigationHistory{}, &h); err != nil {
		return driver.Navigation{}, err
	}
	to := h.CurrentIndex + delta
	if to < 0 || to >= len(h.Entries) {
		way := "forward"
		if delta < 0 {
			way = "back"
		}
		return driver.Navigation{}, diag.New(diag.NavigationFailed, "there is no page to go %s to", way).
			WithHint("open a page instead")
	}
	if err := n.worlds.rest(ctx); err != nil {
		return driver.Navigation{}, err
	}
	n.frames.stays(ctx)
	from := n.frames.beginMove()
	n.frames.mu.Lock()
	inner, last := n.frames.inner, n.Net.Main()
	n.frames.mu.Unlock()
	if err := n.link.Do(ctx, proto.PageNavigateToHistoryEntry{EntryID: h.Entries[to].ID}, nil); err != nil {
		return driver.Navigation{}, err
	}
	if n.wentInFrame(ctx, from, inner, to) {
		return n.outcome.arrived(ctx, n.worlds.Document)
	}
	nav, err := n.arrive(ctx, from, driver.Load)
	nav.Posted = n.Net.Posted(last)
	return nav, err
}

// wentInFrame waits until a history navigation has shown where it leads. It reports whether it
// has led a frame, and not the page, to the entry. inner is the earlier value of p.inner.
func (n *Navigation) wentInFrame(ctx context.Context, from mark, inner, to int) bool {
	for again := time.Duration(0); ; again += commitTime {
		began, moved := time.Now(), false
		err := n.frames.UntilQuiet(ctx, "", func() (bool, time.Duration) {
			moved = n.frames.inner > inner
			left := again - time.Since(began)
			return n.frames.nav.asks || n.frames.endedLocked() || n.frames.markLocked() != from || moved && left <= 0, max(left, 0)
		})
		if err != nil || !moved || n.frames.mark() != from {
			return false
		}
		var h proto.PageGetNavigationHistoryResult
		if n.link.Do(ctx, proto.PageGetNavigationHistory{}, &h) != nil {
			return false
		}
		if h.CurrentIndex == to {
			return true
		}
	}
}

// commitTime is about how long the browser takes to add a navigation that a frame has reported to
// the history.
const commitTime = 10 * time.Millisecond

// recorded waits until the history contains the last navigation of a frame.
func (n *Navigation) recorded(ctx context.Context) error {
	return n.frames.UntilQuiet(ctx, "", func() (bool, time.Duration) {
		left := 5*commitTime - time.Since(n.frames.innerAt)
		return left <= 0, left
	})
}

// Reload implements [driver.Navigator].
func (n *Navigation) Reload(ctx context.Context, until driver.LoadState) (driver.Navigation, error) {
	if err := n.worlds.rest(ctx); err != nil {
		return driver.Navigation{}, err
	}
	n.frames.stays(ctx)
	from, last := n.frames.beginMove(), n.Net.Main()
	if err := n.link.Do(ctx, proto.PageReload{}, nil); err != nil {
		return driver.Navigation{}, err
	}
	nav, err := n.arrive(ctx, from, until)
	nav.Posted = n.Net.Posted(last)
	return nav, err
}

// A mark identifies a moment in the page's navigations.
type mark struct{ commits, within, stayed int }

func (fs *Frames) mark() mark {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return fs.markLocked()
}

func (t *tree) markLocked() mark { return mark{t.nav.commits, t.nav.within, t.nav.stayed} }

// beginMove is mark for a requested navigation: it forgets how the previous one ended.
func (fs *Frames) beginMove() mark {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.nav.none = nil
	return fs.markLocked()
}

// endedLocked reports whether the last navigation has certainly ended without a document. One
// that continues in another process also seems to end.
func (t *tree) endedLocked() bool {
	return !t.nav.pending() && t.nav.none != nil && withoutContent(t.nav.none.status)
}

// movedOn reports whether another navigation has replaced an aborted one, or a beforeunload
// dialog was opened.
func (fs *Frames) movedOn(from mark) bool {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return fs.nav.pending() || fs.nav.asks || fs.nav.commits > from.commits || fs.nav.stayed > from.stayed
}

// settle waits until no navigation is pending.
func (fs *Frames) settle(ctx context.Context) error {
	return fs.Until(ctx, "the requested page did not load", func() bool { return !fs.nav.pending() })
}

// arrive waits for the document of a navigation, and for those that follow it before the
// requested state is reached.
func (n *Navigation) arrive(ctx context.Context, from mark, until driver.LoadState) (driver.Navigation, error) {
	err := n.frames.UntilQuiet(ctx, "", func() (bool, time.Duration) {
		now := n.frames.markLocked()
		switch {
		case n.frames.nav.pending() || n.frames.nav.asks:
			return false, 0
		case now.commits == from.commits && now.stayed > from.stayed:
			return true, 0
		case now.commits == from.commits:
			return now.within > from.within || n.frames.endedLocked(), 0
		case n.frames.doc.unreachable != "":
			return true, 0
		}
		return n.frames.reachedLocked(until)
	})
	if err != nil {
		err = n.frames.notReached(err, until)
		n.stopLoading(ctx)
		return driver.Navigation{}, err
	}
	now := n.frames.mark()
	if now.commits == from.commits && now.stayed > from.stayed {
		return driver.Navigation{}, stayedHere()
	}
	if now.commits == from.commits && now.within == from.within {
		n.frames.mu.Lock()
		none := n.frames.nav.none
		n.frames.mu.Unlock()
		return driver.Navigation{}, n.outcome.ledNowhere(none)
	}
	if now.commits != from.commits && (until == driver.Load || until == "") {
		return n.outcome.arrived(ctx, n.worlds.introduced)
	}
	return n.outcome.arrived(ctx, n.worlds.Document)
}

// reachedLocked reports whether the document has reached the requested state, and otherwise after
// how long to check again.
func (t *tree) reachedLocked(s driver.LoadState) (bool, time.Duration) {
	switch s {
	case driver.Commit:
		return true, 0
	case driver.NetworkIdle:
		if !t.doc.reached[driver.Load] {
			return false, 0
		}
		return t.Net.Idle()
	case "":
		s = driver.Load
	}
	return t.doc.reached[s], 0
}

// arrived returns the current document, described by describe, or NAVIGATION_FAILED if it is an
// error page.
func (o *Outcome) arrived(ctx context.Context, describe func(context.Context) (driver.Document, error)) (driver.Navigation, error) {
	o.frames.mu.Lock()
	d := o.frames.doc
	o.frames.mu.Unlock()
	if d.unreachable != "" {
		return driver.Navigation{}, o.frames.refusedDocument(o.navigationFailed(d.unreachable, d.failure))
	}
	doc, err := describe(ctx)
	if err != nil {
		return driver.Navigation{}, err
	}
	if doc.ID != d.id { // replaced meanwhile
		o.frames.mu.Lock()
		d = o.frames.doc
		o.frames.mu.Unlock()
	}
	return driver.Navigation{URL: doc.URL, Title: doc.Title, Status: d.status}, nil
}

// ErrorPage returns why doc could not be loaded, if doc is the browser's own error page; nil for
// any other document.
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

// aborted returns why a navigation ended without a document.
func (o *Outcome) aborted(address string) *diag.Error {
	o.frames.mu.Lock()
	status := o.frames.nav.status
	o.frames.mu.Unlock()
	return withoutPage(address, status)
}

func noPage(address, why string) *diag.Error {
	return diag.New(diag.NavigationFailed, "%s has no page to show: %s", address, why).
		WithDetail("url", address).WithHint("the previous page is still open; check the URL, and use download for a file")
}

// netErrors has the cause and the hint for the most common of Chromium's errors.
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
	"ERR_TOO_MANY_REDIRECTS":       {"it redirects in a loop", "check the redirects of the server; cookies may be missing"},
	"ERR_SSL_PROTOCOL_ERROR":       {"the server does not use TLS", "write http:// if the server has no TLS"},
	"ERR_CERT_AUTHORITY_INVALID":   {"its certificate is not trusted", "trust the certificate, or open the session with ignore_https_errors"},
	"ERR_CERT_COMMON_NAME_INVALID": {"its certificate is for another host", "check the host, or open the session with ignore_https_errors"},
	"ERR_CERT_DATE_INVALID":        {"its certificate has expired", "renew it, or open the session with ignore_https_errors"},
	"ERR_UNSAFE_PORT":              {"Chromium blocks this port", "use another port"},
	"ERR_FILE_NOT_FOUND":           {"there is no such file", "check the path"},
	"ERR_ACCESS_DENIED":            {"the file cannot be read", "check the permissions of the file"},
	"ERR_UNKNOWN_URL_SCHEME":       {"the browser does not know the scheme", "use http or https"},
	"ERR_PROXY_CONNECTION_FAILED":  {"the proxy does not answer", "check browser.proxy"},
	"ERR_TUNNEL_CONNECTION_FAILED": {"the proxy did not connect to it", "check browser.proxy, and whether it permits this host and port"},
	"ERR_SOCKS_CONNECTION_FAILED":  {"it cannot be connected to", "check the address and the network"},
	"ERR_BLOCKED_BY_CLIENT":        {"it is blocked", "check policy.hosts and the routes of the session"},
	"ERR_BLOCKED_BY_RESPONSE":      {"the server does not allow it to be shown here", "open another URL"},
	"ERR_INVALID_URL":              {"the URL is not valid", "check the URL"},
	"ERR_HTTP_RESPONSE_CODE_FAILURE": {"the server answered with an error and without a page",
		"check the URL, and that the server works"},
}

// navigationFailed returns the error for an address that could not be loaded.
func (o *Outcome) navigationFailed(address, failure string) *diag.Error {
	return navigationFailed(address, o.netFailure(address, failure))
}

// navigationFailed returns the error for an address that could not be loaded, for the reason that
// Chromium names failure.
func navigationFailed(address, failure string) *diag.Error {
	name := strings.TrimPrefix(failure, "net::")
	words, ok := netErrors[name]
	if !ok {
		words = [2]string{"it cannot be loaded", "check the URL and the network"}
	}
	if name == "" {
		name = "no reason given"
	}
	return diag.New(diag.NavigationFailed, "cannot open %s: %s (%s)", address, words[0], name).
		WithDetail("url", address).WithDetail("reason", name).WithHint("%s", words[1])
}
