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
func (p *Tab) Open(ctx context.Context, address string, until driver.LoadState) (driver.Navigation, error) {
	if err := checkURL(address); err != nil {
		return driver.Navigation{}, err
	}
	if err := p.ready(ctx); err != nil {
		return driver.Navigation{}, err
	}
	from := p.mark()
	nav, err := p.open(ctx, address, until)
	for tries := 1; tries < mostOpens && p.isStruck() && p.movedOn(from) && ctx.Err() == nil; tries++ {
		nav, err = p.open(ctx, address, until) // the script that was ended may be the engine
	}
	if err == nil && p.isStruck() {
		return driver.Navigation{}, diag.New(diag.Timeout, "the previous page kept the browser busy; a script of %s may have been ended with that page's", address).
			WithHint("open the URL again")
	}
	return nav, err
}

// mostOpens is how many times Open loads a document that may lack a script.
const mostOpens = 3

// open is Open for a valid address, in a page that is ready.
func (p *Tab) open(ctx context.Context, address string, until driver.LoadState) (driver.Navigation, error) {
	asked := p.stays(ctx)
	from := p.beginMove()
	r, err := p.navigate(ctx, address, from)
	if err == nil && asked && r.ErrorText == errAborted && !r.IsDownload && p.settle(ctx) == nil && p.mark() == from {
		r, err = p.navigate(ctx, address, from)
	}
	if err != nil {
		return driver.Navigation{}, p.openFailed(ctx, address, err)
	}
	switch {
	case r.ErrorText == "":
		if r.LoaderID == "" { // within the document: done
			return p.arrived(ctx, p.Document)
		}
	case r.ErrorText != errAborted:
		// The error page follows; the next step must not find the old document.
		if err := p.settle(ctx); err != nil {
			return driver.Navigation{}, err
		}
		return driver.Navigation{}, p.refusedDocument(p.b.navigationFailed(address, r.ErrorText))
	case r.IsDownload:
		return driver.Navigation{}, noPage(address, "it is a download")
	case !p.movedOn(from):
		return driver.Navigation{}, p.aborted(address)
	}
	nav, err := p.arrive(ctx, from, until)
	p.Suspect(err) // the new document may be stuck while loading
	return nav, err
}

// navigate requests a document and waits until it commits or is refused.
func (p *Tab) navigate(ctx context.Context, address string, from mark) (r navigateResult, err error) {
	probe := p.Start(ctx, proto.RuntimeEvaluate{Expression: "0"})
	p.mu.Lock()
	p.nav.asking = true
	p.mu.Unlock()
	k := p.Start(ctx, proto.PageNavigate{URL: address})
	p.unstick(ctx, probe, from)
	err = k.Wait(&r)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.nav.answered(&r, err)
	p.notifyLocked()
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
func (p *Tab) unstick(ctx context.Context, probe *cdp.Call, from mark) {
	patience := busyTime
	if p.IsStuck() {
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
			if p.mark() != from {
				return
			}
			p.endScript(ctx, from)
			late.Reset(probeTime)
		}
	}
}

// endScript ends the running script. If the page is only busy, it ends the next script, which may
// be one of the next document; endScript records that in struck. It is certain that the old
// document's script was ended only if the answer came before the next document.
func (p *Tab) endScript(ctx context.Context, from mark) {
	k := p.Start(ctx, proto.RuntimeTerminateExecution{})
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.markLocked() == from {
		p.ending = k
	} else {
		p.doc.struck = !k.Over()
	}
}

// isStruck reports whether the document may lack a script that was ended instead of one of the
// previous document.
func (p *Tab) isStruck() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.doc.struck
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
func (p *Tab) openFailed(ctx context.Context, address string, err error) error {
	err = p.b.explain(ctx, err)
	if errors.Is(err, dialogs.ErrOpen) {
		return err
	}
	switch diag.CodeOf(err) {
	case diag.Timeout:
		p.stopLoading(ctx)
		return cdp.Overdue(err, address+" did not answer in time")
	case diag.Cancelled:
		p.stopLoading(ctx)
	case diag.StepFailed:
		return diag.New(diag.ParamInvalid, "%q cannot be opened: %s", address, err).Because(err).
			WithHint("give a URL such as https://example.com/")
	}
	return err
}

// stopLoading ends a navigation that nothing waits for any more, so that it does not replace the
// document during a later step.
func (p *Tab) stopLoading(ctx context.Context) {
	p.Start(context.WithoutCancel(ctx), proto.PageStopLoading{})
}

// History implements [driver.Navigator].
func (p *Tab) History(ctx context.Context, delta int) (driver.Navigation, error) {
	if err := p.recorded(ctx); err != nil {
		return driver.Navigation{}, err
	}
	var h proto.PageGetNavigationHistoryResult
	if err := p.Do(ctx, proto.PageGetNavigationHistory{}, &h); err != nil {
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
	if err := p.rest(ctx); err != nil {
		return driver.Navigation{}, err
	}
	p.stays(ctx)
	from := p.beginMove()
	p.mu.Lock()
	inner, last := p.inner, p.Net.Main()
	p.mu.Unlock()
	if err := p.Do(ctx, proto.PageNavigateToHistoryEntry{EntryID: h.Entries[to].ID}, nil); err != nil {
		return driver.Navigation{}, err
	}
	if p.wentInFrame(ctx, from, inner, to) {
		return p.arrived(ctx, p.Document)
	}
	nav, err := p.arrive(ctx, from, driver.Load)
	nav.Posted = p.Net.Posted(last)
	return nav, err
}

// wentInFrame waits until a history navigation has shown where it leads. It reports whether it
// has led a frame, and not the page, to the entry. inner is the earlier value of p.inner.
func (p *Tab) wentInFrame(ctx context.Context, from mark, inner, to int) bool {
	for again := time.Duration(0); ; again += commitTime {
		began, moved := time.Now(), false
		err := p.UntilQuiet(ctx, "", func() (bool, time.Duration) {
			moved = p.inner > inner
			left := again - time.Since(began)
			return p.nav.asks || p.endedLocked() || p.markLocked() != from || moved && left <= 0, max(left, 0)
		})
		if err != nil || !moved || p.mark() != from {
			return false
		}
		var h proto.PageGetNavigationHistoryResult
		if p.Do(ctx, proto.PageGetNavigationHistory{}, &h) != nil {
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
func (p *Tab) recorded(ctx context.Context) error {
	return p.UntilQuiet(ctx, "", func() (bool, time.Duration) {
		left := 5*commitTime - time.Since(p.innerAt)
		return left <= 0, left
	})
}

// Reload implements [driver.Navigator].
func (p *Tab) Reload(ctx context.Context, until driver.LoadState) (driver.Navigation, error) {
	if err := p.rest(ctx); err != nil {
		return driver.Navigation{}, err
	}
	p.stays(ctx)
	from, last := p.beginMove(), p.Net.Main()
	if err := p.Do(ctx, proto.PageReload{}, nil); err != nil {
		return driver.Navigation{}, err
	}
	nav, err := p.arrive(ctx, from, until)
	nav.Posted = p.Net.Posted(last)
	return nav, err
}

// A mark identifies a moment in the page's navigations.
type mark struct{ commits, within, stayed int }

func (p *Tab) mark() mark {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.markLocked()
}

func (p *Tab) markLocked() mark { return mark{p.nav.commits, p.nav.within, p.nav.stayed} }

// beginMove is mark for a requested navigation: it forgets how the previous one ended.
func (p *Tab) beginMove() mark {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.nav.none = nil
	return p.markLocked()
}

// endedLocked reports whether the last navigation has certainly ended without a document. One
// that continues in another process also seems to end.
func (p *Tab) endedLocked() bool {
	return !p.nav.pending() && p.nav.none != nil && withoutContent(p.nav.none.status)
}

// movedOn reports whether another navigation has replaced an aborted one, or a beforeunload
// dialog was opened.
func (p *Tab) movedOn(from mark) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.nav.pending() || p.nav.asks || p.nav.commits > from.commits || p.nav.stayed > from.stayed
}

// settle waits until no navigation is pending.
func (p *Tab) settle(ctx context.Context) error {
	return p.Until(ctx, "the requested page did not load", func() bool { return !p.nav.pending() })
}

// arrive waits for the document of a navigation, and for those that follow it before the
// requested state is reached.
func (p *Tab) arrive(ctx context.Context, from mark, until driver.LoadState) (driver.Navigation, error) {
	err := p.UntilQuiet(ctx, "", func() (bool, time.Duration) {
		now := p.markLocked()
		switch {
		case p.nav.pending() || p.nav.asks:
			return false, 0
		case now.commits == from.commits && now.stayed > from.stayed:
			return true, 0
		case now.commits == from.commits:
			return now.within > from.within || p.endedLocked(), 0
		case p.doc.unreachable != "":
			return true, 0
		}
		return p.reachedLocked(until)
	})
	if err != nil {
		err = p.notReached(err, until)
		p.stopLoading(ctx)
		return driver.Navigation{}, err
	}
	now := p.mark()
	if now.commits == from.commits && now.stayed > from.stayed {
		return driver.Navigation{}, stayedHere()
	}
	if now.commits == from.commits && now.within == from.within {
		p.mu.Lock()
		none := p.nav.none
		p.mu.Unlock()
		return driver.Navigation{}, p.ledNowhere(none)
	}
	if now.commits != from.commits && (until == driver.Load || until == "") {
		return p.arrived(ctx, p.introduced)
	}
	return p.arrived(ctx, p.Document)
}

// reachedLocked reports whether the document has reached the requested state, and otherwise after
// how long to check again.
func (p *Tab) reachedLocked(s driver.LoadState) (bool, time.Duration) {
	switch s {
	case driver.Commit:
		return true, 0
	case driver.NetworkIdle:
		if !p.doc.reached[driver.Load] {
			return false, 0
		}
		return p.Net.Idle()
	case "":
		s = driver.Load
	}
	return p.doc.reached[s], 0
}

// arrived returns the current document, described by describe, or NAVIGATION_FAILED if it is an
// error page.
func (p *Tab) arrived(ctx context.Context, describe func(context.Context) (driver.Document, error)) (driver.Navigation, error) {
	p.mu.Lock()
	d := p.doc
	p.mu.Unlock()
	if d.unreachable != "" {
		return driver.Navigation{}, p.refusedDocument(p.b.navigationFailed(d.unreachable, d.failure))
	}
	doc, err := describe(ctx)
	if err != nil {
		return driver.Navigation{}, err
	}
	if doc.ID != d.id { // replaced meanwhile
		p.mu.Lock()
		d = p.doc
		p.mu.Unlock()
	}
	return driver.Navigation{URL: doc.URL, Title: doc.Title, Status: d.status}, nil
}

// ErrorPage returns why doc could not be loaded, if doc is the browser's own error page; nil for
// any other document.
func (p *Tab) ErrorPage(doc driver.Document) *diag.Error {
	p.mu.Lock()
	d := p.doc
	p.mu.Unlock()
	if d.unreachable == "" || d.id != doc.ID {
		return nil
	}
	return p.b.navigationFailed(d.unreachable, d.failure)
}

const errAborted = "net::ERR_ABORTED"

// aborted returns why a navigation ended without a document.
func (p *Tab) aborted(address string) *diag.Error {
	p.mu.Lock()
	status := p.nav.status
	p.mu.Unlock()
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

func (b *Browser) navigationFailed(address, failure string) *diag.Error {
	name := strings.TrimPrefix(b.netFailure(address, failure), "net::")
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
