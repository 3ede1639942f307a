package documents

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/dialogs"
	"github.com/actionregistry/action/internal/browser/downloads"
	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/driver"
)

// Navigation opens addresses. Together with [Worlds], it implements [driver.Navigator].
type Navigation struct {
	link    *Link
	Net     *network.Traffic
	frames  *Frames
	moves   *Moves
	worlds  *Worlds
	outcome *Outcome
}

// Fetch downloads the file at address into store. The page keeps its document. The error is
// PARAM_INVALID if address is not an http or https URL. It is STEP_FAILED or NAVIGATION_FAILED if
// the server sends no file.
func (n *Navigation) Fetch(ctx context.Context, store *downloads.Store, address string) error {
	if u, err := url.Parse(address); err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return diag.New(diag.ParamInvalid, "%q cannot be downloaded, expected an http or https address", address).
			WithHint("give an address such as https://example.test/report.pdf")
	}
	if err := n.outcome.readied(ctx); err != nil {
		return err
	}
	l, err := store.Load(ctx, n.link.Frame)
	if err != nil {
		return n.link.Explain(ctx, err)
	}
	defer l.End()
	var r navigateResult
	if err := n.frames.Start(ctx, proto.PageNavigate{URL: address}).Wait(&r); err != nil {
		return n.openFailed(ctx, address, err)
	}
	switch status, failure := l.Refused(); {
	case failure != "":
		return n.outcome.navigationFailed(address, failure)
	case status == http.StatusNoContent, status == http.StatusResetContent:
		return noPage(address, fmt.Sprintf("the server answered %d %s", status, http.StatusText(status))).WithDetail("status", status)
	case status != 0:
		return diag.New(diag.StepFailed, "%s cannot be downloaded: the server answered %d", address, status).
			WithDetail("status", status).WithDetail("url", address).WithHint("check the address, and that this session has access to it")
	case r.IsDownload:
		return nil
	case r.ErrorText == errAborted:
		return n.outcome.aborted(address)
	case r.ErrorText != "":
		if err := n.moves.settle(ctx); err != nil { // the error page follows
			return err
		}
		return n.outcome.navigationFailed(address, r.ErrorText)
	}
	return diag.New(diag.StepFailed, "%s is a position in the open page, not a download", address).
		WithHint("give the address of a file")
}

// navigateResult is the result of Page.navigate; rod's type lacks isDownload.
type navigateResult struct {
	LoaderID   string `json:"loaderId"`
	ErrorText  string `json:"errorText"`
	IsDownload bool   `json:"isDownload"`
}

// Open implements [driver.Navigator]. It refuses javascript: URLs. The caller checks whether other
// schemes are allowed.
func (n *Navigation) Open(ctx context.Context, address string, until driver.LoadState) (driver.Navigation, error) {
	if err := checkURL(address); err != nil {
		return driver.Navigation{}, err
	}
	if err := n.outcome.readied(ctx); err != nil {
		return driver.Navigation{}, err
	}
	from := n.moves.mark()
	nav, err := n.open(ctx, address, until)
	for tries := 1; tries < mostOpens && n.moves.isStruck() && n.moves.movedOn(from) && ctx.Err() == nil; tries++ {
		nav, err = n.open(ctx, address, until) // again, because the script that was ended may be the engine
	}
	if err == nil && n.moves.isStruck() {
		return driver.Navigation{}, diag.New(diag.Timeout, "the previous page kept the browser busy: the script of that page was stopped, and perhaps a script of %s too",
			address).
			WithHint("open the URL again")
	}
	return nav, err
}

// mostOpens is how many times Open tries to load a document. It tries again if endScript may have
// ended a script of the new document.
const mostOpens = 3

// open does the work of Open, for a valid address and a page that is ready.
func (n *Navigation) open(ctx context.Context, address string, until driver.LoadState) (driver.Navigation, error) {
	asked := n.moves.stays(ctx)
	from := n.moves.beginMove()
	r, err := n.navigate(ctx, address, from)
	if err == nil && asked && r.ErrorText == errAborted && !r.IsDownload && n.moves.settle(ctx) == nil && n.moves.mark() == from {
		r, err = n.navigate(ctx, address, from)
	}
	if err != nil {
		return driver.Navigation{}, n.openFailed(ctx, address, err)
	}
	switch {
	case r.ErrorText == "":
		if r.LoaderID == "" { // a navigation within the document has already ended
			return n.outcome.arrived(ctx, n.worlds.Document)
		}
	case r.ErrorText != errAborted:
		// The error page follows; the next step must not find the old document.
		if err := n.moves.settle(ctx); err != nil {
			return driver.Navigation{}, err
		}
		return driver.Navigation{}, n.moves.refusedDocument(n.outcome.navigationFailed(address, r.ErrorText))
	case r.IsDownload:
		return driver.Navigation{}, noPage(address, "it is a download")
	case !n.moves.movedOn(from):
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
	n.link.Notify()
	return r, err
}

const (
	// probeTime is how long unstick waits for a page that has not answered the last call.
	probeTime = 500 * time.Millisecond
	// busyTime is how long unstick waits for any other page, which may be slow on a busy machine.
	busyTime = 5 * time.Second
)

// unstick ends scripts that run too long, because they would block the next document. The page
// answers probe as soon as no script is running. unstick returns after that answer, or when the
// page has navigated since the given mark.
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
			if n.moves.mark() != from {
				return
			}
			n.endScript(ctx, from)
			late.Reset(probeTime)
		}
	}
}

// endScript ends the running script. If none is running, the browser ends the next script instead,
// which may belong to the next document. isStruck reports that possibility.
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

// checkURL returns an error unless address is an absolute URL that can open a page.
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
		return diag.New(diag.ParamInvalid, "a javascript: URL opens no page").WithHint("use the step `eval` to run a script")
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

// stopLoading ends an abandoned navigation. It does not wait for the browser's reply.
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
	n.moves.stays(ctx)
	from := n.moves.beginMove()
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

// wentInFrame waits for the effect of a history navigation. It reports whether only a frame has
// changed. The argument inner is the number of frame navigations before, and to is the index of the
// new history entry.
func (n *Navigation) wentInFrame(ctx context.Context, from mark, inner, to int) bool {
	for again := time.Duration(0); ; again += commitTime {
		began, moved := time.Now(), false
		err := n.frames.UntilQuiet(ctx, "", func() (bool, time.Duration) {
			moved = n.frames.inner > inner
			left := again - time.Since(began)
			return n.frames.nav.asks || n.frames.endedLocked() || n.frames.markLocked() != from || moved && left <= 0, max(left, 0)
		})
		if err != nil || !moved || n.moves.mark() != from {
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

// commitTime is roughly how long the browser takes to add a navigation of a frame to the history.
const commitTime = 10 * time.Millisecond

// recorded waits until the browser has had time to add the last navigation of a frame to the
// history.
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
	n.moves.stays(ctx)
	from, last := n.moves.beginMove(), n.Net.Main()
	if err := n.link.Do(ctx, proto.PageReload{}, nil); err != nil {
		return driver.Navigation{}, err
	}
	nav, err := n.arrive(ctx, from, until)
	nav.Posted = n.Net.Posted(last)
	return nav, err
}

// A mark counts the navigations of the page and its dismissed beforeunload dialogs so far.
type mark struct{ commits, within, stayed int }

// arrive waits until the document of a navigation reaches the requested state. If the page
// navigates again before that, arrive waits for the next document instead.
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
		err = n.moves.notReached(err, until)
		n.stopLoading(ctx)
		return driver.Navigation{}, err
	}
	now := n.moves.mark()
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
