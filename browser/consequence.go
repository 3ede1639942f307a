package browser

// What input leads to: another document, or a navigation that ends without one.

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"actionregistry/diag"
	"actionregistry/steps"
)

// consequence waits for the end of the navigation that input in w has started, if it
// has, and returns the new document. A navigation of the page, or of the frame of w, that
// ends without a document is NAVIGATION_FAILED; one whose answer is saved as a file is
// none.
func (p *Page) consequence(ctx context.Context, w world) (*steps.Navigation, error) {
	same, none, err := p.ended(ctx, w)
	if err == nil && same && none != nil && none.status == 0 {
		// Another navigation may have taken its place, which has still to be reported.
		if err = p.afterInput(ctx, w); err == nil {
			same, none, err = p.ended(ctx, w)
		}
	}
	if err != nil && (errors.Is(err, errDialog) || p.closedItself(ctx)) { // as the input wanted
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if same {
		return nil, p.ledNowhere(none)
	}
	nav, err := p.arrived(ctx, p.Document)
	if err != nil {
		return nil, err
	}
	return &nav, nil
}

// ended waits until neither the page nor the frame of w is going to another document. It
// reports whether the page has still that of w, and how a navigation has ended without one.
func (p *Page) ended(ctx context.Context, w world) (same bool, none *nowhere, err error) {
	err = p.until(ctx, "the page that the input led to did not come", func() bool {
		same, none = p.doc.id == w.doc.ID, p.nowhereLocked(w)
		return !p.underWayLocked(w)
	})
	return same, none, err
}

// nowhereLocked returns how a navigation of the page, or of the frame of w, has ended
// without a document since the step began.
func (p *Page) nowhereLocked(w world) *nowhere {
	if p.nav.none != nil {
		return p.nav.none
	}
	// A frame that goes on in another process seems to stop: only an answer counts.
	if f := p.frames[w.frame]; f != nil && f.nav.none != nil && (f.nav.none.status != 0 || f.nav.none.failure != "") {
		return f.nav.none
	}
	return nil
}

// forgetNowhere is for the begin of a step: what ended before is not of its input.
func (p *Page) forgetNowhere() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.nav.none = nil
	for _, f := range p.frames {
		f.nav.none = nil
	}
}

// ledNowhere is the error of a navigation that input has started.
func (p *Page) ledNowhere(none *nowhere) error {
	switch {
	case none == nil:
		return nil
	case none.stayed:
		return stayedHere()
	case none.failure != "":
		return p.refusedDocument(navigationFailed(none.url, none.failure))
	case none.status == 0 && !fetched(none.url):
		return nil // another program is asked, which the browser does not follow
	}
	return withoutPage(none.url, none.status)
}

// fetched reports whether the browser itself fetches what is at address.
func fetched(address string) bool {
	scheme, _, _ := strings.Cut(address, ":")
	switch scheme {
	case "http", "https", "file", "blob", "data":
		return true
	}
	return false
}

// withoutPage is for a navigation that ended without a document.
func withoutPage(address string, status int) *diag.Error {
	switch status {
	case http.StatusNoContent, http.StatusResetContent:
		return noPage(address, "the server answered "+map[int]string{204: "204 No Content", 205: "205 Reset Content"}[status]).
			WithDetail("status", status)
	}
	return noPage(address, "the navigation was stopped")
}

// stayedHere is for a page whose question whether to leave it was dismissed.
func stayedHere() *diag.Error {
	return diag.New(diag.NavigationFailed, "the page asked whether to leave it (beforeunload), which was dismissed").
		WithHint("let it be accepted: action dialog accept before, or policy.dialogs")
}
