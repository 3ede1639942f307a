package documents

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/driver"
)

// Moves tracks the navigations of the frames: how far they have gone, and how they have ended. It
// reads and changes them under the lock of [Frames].
type Moves struct{ frames *Frames }

// mark returns the current position in the sequence of the page's navigations.
func (m *Moves) mark() mark {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	return m.frames.markLocked()
}

// beginMove returns the mark before a requested navigation, and forgets how the previous one ended.
func (m *Moves) beginMove() mark {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	m.frames.nav.none = nil
	return m.frames.markLocked()
}

// movedOn reports whether something explains why a navigation was aborted: since the mark "from",
// another navigation has begun or committed, or a beforeunload dialog is open or was dismissed.
func (m *Moves) movedOn(from mark) bool {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	return m.frames.nav.pending() || m.frames.nav.asks || m.frames.nav.commits > from.commits || m.frames.nav.stayed > from.stayed
}

// isStruck reports whether endScript may have ended a script of the current document, although it
// was called to end one of the previous document.
func (m *Moves) isStruck() bool {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	return m.frames.doc.struck
}

// NoteEnding records the call that ends a running script of the document.
func (m *Moves) NoteEnding(k *cdp.Call) {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	m.frames.ending = k
}

// LedFrame returns the document that a link or a form has opened in a frame since the step began.
// It returns nil if there is none, or if nav is not nil: then the page itself has a new document.
func (m *Moves) LedFrame(nav *driver.Navigation) *driver.Navigation {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	for _, f := range m.frames.frames {
		n := &f.nav
		if nav == nil && n.led && n.isAsked() && !n.pending() && n.none == nil && !n.saved && n.url != "" {
			return &driver.Navigation{URL: cmp.Or(n.came, n.url), Status: n.status}
		}
	}
	return nil
}

// forgetMoves forgets how the navigations of the page and of its frames ended. If input is set, the
// input of a step follows, and forgetMoves marks the present frames as older than that input.
func (m *Moves) forgetMoves(input bool) {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	m.frames.nav.none, m.frames.nav.led = nil, false
	for _, f := range m.frames.frames {
		f.nav.none, f.nav.led, f.there = nil, false, input
	}
}

// ForgetMove forgets how the last navigation of the page ended. It is called before input in
// another tab.
func (m *Moves) ForgetMove() {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	m.frames.nav.none, m.frames.nav.led, m.frames.nav.saved = nil, false, false
}

// TakeSaved reports whether, since the last call, a navigation of the page or of a frame has ended
// with a file to save.
func (m *Moves) TakeSaved() (saved bool) {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	saved, m.frames.nav.saved = m.frames.nav.saved, false
	for _, f := range m.frames.frames {
		saved, f.nav.saved = saved || f.nav.saved, false
	}
	return saved
}

// AsksToLeave records whether the open dialog of the page is a beforeunload dialog.
func (m *Moves) AsksToLeave(asks bool) {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	m.frames.nav.asks = asks
}

// HasAsked records that a dialog of the page was answered. If it was a beforeunload dialog and was
// not accepted, the navigation has ended and the page stays.
func (m *Moves) HasAsked(accepted bool) {
	m.frames.mu.Lock()
	stays := m.frames.nav.asks && !accepted
	m.frames.mu.Unlock()
	var told *cdp.Call
	if stays {
		told = m.frames.Start(context.Background(), proto.RuntimeEvaluate{Expression: "0"})
	}
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	m.frames.nav.asks = false
	if stays {
		m.frames.nav.stayed++
		m.frames.nav.none = &nowhere{stayed: true}
		m.frames.nav.told = told
	}
	m.frames.link.Notify()
}

// Responded records the HTTP status of the response that contains the document with this loader id.
func (m *Moves) Responded(loader string, status int) {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	m.frames.navOfLocked(loader).respond(loader, status)
}

// FetchFailed records that the document with this loader id could not be fetched.
func (m *Moves) FetchFailed(loader, text string, cancelled bool) {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	m.frames.navOfLocked(loader).fail(loader, text, cancelled)
}

// LedByOther reports whether the page of another tab may have caused a navigation of this page that
// has begun since input was sent to that tab.
func (m *Moves) LedByOther() bool {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	return m.frames.nav.led && m.frames.nav.byOther()
}

// isLed reports whether a navigation has begun since the step began. The navigations of the page
// count, and those of frames that existed before the step's input. A navigation in a new frame
// counts only if a link or a form has caused it.
func (m *Moves) isLed() bool {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	if m.frames.nav.led {
		return true
	}
	for _, f := range m.frames.frames {
		if f.nav.led && (f.nav.isAsked() || f.there) {
			return true
		}
	}
	return false
}

// leadsTo reports whether text, a log entry of the browser, is about a navigation of the step. The
// entry may also be about an image or another resource.
func (m *Moves) leadsTo(text string) bool {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	leads := func(n *navigation) bool { return n.led && n.to != "" && strings.Contains(text, n.to) }
	for _, f := range m.frames.frames {
		if leads(&f.nav) {
			return true
		}
	}
	return leads(&m.frames.nav)
}

// isNavigating reports whether the page is loading another document.
func (m *Moves) isNavigating() bool {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	return m.frames.nav.pending()
}

// ByForm reports whether a form has requested the pending navigation of a frame.
func (m *Moves) ByForm(frame proto.PageFrameID) bool {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	n := m.frames.navLocked(frame)
	if n == nil || !n.pending() {
		return false
	}
	return n.reason == proto.PageClientNavigationReasonFormSubmissionGet || n.reason == proto.PageClientNavigationReasonFormSubmissionPost
}

// Deny records that the document to which the page was navigating was refused, and why.
func (m *Moves) Deny(err error) {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	m.frames.denied = diag.As(err)
}

// refusedDocument returns err, with one exception: if err is not nil and the policy has refused the
// document, it returns that refusal.
func (m *Moves) refusedDocument(err error) error {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	denied := m.frames.denied
	m.frames.denied = nil
	if err == nil || denied == nil {
		return err
	}
	return denied.Clone()
}

// progress describes how far the page has loaded. The text is part of the error that the page has
// not reached the state s.
func (m *Moves) progress(s driver.LoadState) string {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	reached := driver.Commit
	for _, state := range []driver.LoadState{driver.DOMContentLoaded, driver.Load} {
		if m.frames.doc.reached[state] {
			reached = state
		}
	}
	open := m.frames.Net.Busy()
	switch {
	case m.frames.nav.pending():
		return fmt.Sprintf("the next document has not arrived; the page still shows %s", m.frames.doc.url)
	case s != driver.NetworkIdle || reached != driver.Load:
		return fmt.Sprintf("%s is at %s", m.frames.doc.url, reached)
	case open == 1:
		return "one request is under way"
	case open > 1:
		return fmt.Sprintf("%d requests are under way", open)
	}
	return fmt.Sprintf("the last request was less than %s ago", network.QuietTime)
}

// notReached adds to a TIMEOUT how far the page has loaded. It returns other errors unchanged.
func (m *Moves) notReached(err error, s driver.LoadState) error {
	if e := diag.As(err); e != nil && e.Code == diag.Timeout {
		e.Msg = fmt.Sprintf("the page did not reach %s: %s", s, m.progress(s))
	}
	return err
}

// stays reports whether a beforeunload dialog was dismissed since the last call of stays. If so, it
// first waits until the page has noticed the dismissal. Otherwise the browser may take the page's
// late message for a reply to the next navigation, and end that navigation immediately.
func (m *Moves) stays(ctx context.Context) (asked bool) {
	m.frames.mu.Lock()
	told := m.frames.nav.told
	m.frames.nav.told = nil
	m.frames.mu.Unlock()
	if told == nil {
		return false
	}
	select {
	case <-told.Done():
	case <-ctx.Done():
	}
	return true
}

// settle waits until no navigation is pending.
func (m *Moves) settle(ctx context.Context) error {
	return m.frames.Until(ctx, "the requested page did not load", func() bool { return !m.frames.nav.pending() })
}

// Status returns the HTTP status of the page's document. If the last navigation has ended without a
// document, it returns the status of that response. It returns 0 if there was no response.
func (m *Moves) Status() int {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	if none := m.frames.nav.none; none != nil {
		return none.status
	}
	return m.frames.doc.status
}

// IsBlank reports whether the tab has never loaded a document.
func (m *Moves) IsBlank() bool {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	return m.frames.nav.commits == 0
}

// Address returns the URL to which the tab is navigating, or else the URL that it shows. If the tab
// has never loaded a document, it returns the URL for which the tab was opened.
func (m *Moves) Address() string {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	switch {
	case m.frames.nav.loader != "":
		return m.frames.nav.url
	case m.frames.nav.commits == 0 && m.frames.wanted != "":
		return m.frames.wanted
	}
	return m.frames.doc.url
}
