package documents

import (
	"net/http"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
)

// isAsked reports whether a link or a form has caused the navigation.
func (n *navigation) isAsked() bool {
	switch n.reason {
	case proto.PageClientNavigationReasonAnchorClick, proto.PageClientNavigationReasonFormSubmissionGet,
		proto.PageClientNavigationReasonFormSubmissionPost:
		return true
	}
	return false
}

// A navigation is the state of the navigations of one frame. It is guarded by Frames.mu.
type navigation struct {
	requested bool    // the page has requested a navigation that has not started
	loader    string  // id of the document being fetched; "" for none
	url       string  // its URL
	came      string  // for a frame: the URL with which its document was committed; "" if unknown
	status    int     // status of its answer; 0 before there is one
	asking    bool    // Page.navigate was sent and has not been answered
	ours      bool    // whether Page.navigate has started the loading of loader
	fetches   []fetch // the most recent requests for documents; of several concurrent ones, the browser chooses which to commit

	commits int // documents so far
	within  int // URL changes inside a document so far

	saved bool     // a response was not a document, but a file to save
	none  *nowhere // how the last navigation ended without a document; nil if it did not

	led    bool                             // the last navigation began during the step; see [Step.Begin]
	reason proto.PageClientNavigationReason // why the page requested it
	to     string                           // the URL that the page requested

	asks   bool      // a beforeunload dialog is open
	stayed int       // how many such dialogs were dismissed
	told   *cdp.Call // pending until the page knows about the last dismissal; nil for none
}

// A nowhere describes a navigation that has ended without a document.
type nowhere struct {
	url     string
	status  int               // of the answer; 0 if there was none
	failure string            // net::ERR_… of the error page that was shown instead; "" for none
	stayed  bool              // a beforeunload dialog was dismissed
	frame   proto.PageFrameID // the frame that navigated; "" means the page
}

// A fetch is a request for a document.
type fetch struct {
	loader  string
	status  int    // of its answer; 0 before there is one
	failure string // why it failed (net::ERR_…)
}

// mostFetches is the number of requests that are kept for a frame. The browser may commit the
// document of a request that seemed to be cancelled.
const mostFetches = 8

// fetch returns the request for the document with this loader id, or nil if it is unknown.
func (n *navigation) fetch(loader string) *fetch {
	for i := range n.fetches {
		if n.fetches[i].loader == loader {
			return &n.fetches[i]
		}
	}
	return nil
}

func (n *navigation) pending() bool { return n.requested || n.loader != "" }

func (n *navigation) request(reason proto.PageClientNavigationReason, url string) {
	n.requested, n.led, n.reason, n.to = true, true, reason, url
}

// cleared handles the event that a navigation requested by the page has started or was dropped.
func (n *navigation) cleared() { n.requested = false }

func (n *navigation) start(loader, url string) {
	n.fetches = append(n.fetches, fetch{loader: loader})
	n.fetches = n.fetches[max(0, len(n.fetches)-mostFetches):]
	if !n.requested { // not requested by the page's scripts, such as a reload
		n.led, n.reason = true, ""
	}
	n.requested, n.loader, n.url, n.came, n.status, n.none = false, loader, url, "", 0, nil
	n.ours = n.asking // otherwise loader is the page's own navigation, until ours starts
}

func (n *navigation) respond(loader string, status int) {
	if f := n.fetch(loader); f != nil {
		f.status = status
	}
	if loader == n.loader {
		n.status = status
	}
}

// fail records why a document could not be fetched. If cancelled is set, the navigation ends
// without a document. Otherwise the browser shows an error page next.
func (n *navigation) fail(loader, text string, cancelled bool) {
	if f := n.fetch(loader); f != nil {
		f.failure = text
	}
	if loader != n.loader {
		return
	}
	if cancelled {
		n.end()
	}
}

// end ends the pending navigation without a document.
func (n *navigation) end() {
	switch {
	case n.loader == "":
	case n.status/100 == 2 && !withoutContent(n.status):
		n.saved = true
	default:
		n.none = &nowhere{url: n.url, status: n.status}
	}
	n.loader, n.ours = "", false
}

// over ends the pending navigation, whose document was committed in another process.
func (n *navigation) over() {
	loader := n.loader
	n.loader, n.ours, n.requested = "", false, false
	if f := n.fetch(loader); f != nil && f.failure != "" { // an error page
		n.none = &nowhere{url: n.url, status: f.status, failure: f.failure}
	}
	if n.none != nil && n.none.failure == "" {
		n.none = nil // the navigation only seemed to stop
	}
}

// stop handles the event that the frame has stopped loading. It ends the pending navigation, unless
// we have requested it.
func (n *navigation) stop() {
	if !n.ours {
		n.end()
	}
	n.requested = false
}

// answered handles the reply to Page.navigate, or the error of that call.
func (n *navigation) answered(r *navigateResult, err error) {
	n.asking = false
	switch {
	case err != nil:
		n.ours = false // the navigation has stopped; the frame may report that (see stop)
	case n.ours && r.ErrorText == errAborted:
		n.end()
	}
}

func (n *navigation) commit(loader string) {
	n.commits++
	n.requested, n.none = false, nil
	if loader == n.loader {
		n.loader, n.ours = "", false
	}
}

// byOther reports whether the page of another tab may have caused the navigation. It returns false
// for reloads and refreshes.
func (n *navigation) byOther() bool {
	switch n.reason {
	case proto.PageClientNavigationReasonReload, proto.PageClientNavigationReasonMetaTagRefresh, proto.PageClientNavigationReasonHTTPHeaderRefresh:
		return false
	}
	return true
}

// withoutContent reports whether a response with this status has no document.
func withoutContent(status int) bool {
	return status == http.StatusNoContent || status == http.StatusResetContent
}
