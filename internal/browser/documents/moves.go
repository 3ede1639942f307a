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

// Moves reports the progress and the results of navigations. Its state is part of [Frames] and has
// the same lock.
type Moves struct{ frames *Frames }

// mark returns the current position in the sequence of the page's navigations.
func (m *Moves) mark() mark {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	return m.frames.markLocked()
}

// beginMove prepares for a navigation that we request. It forgets how the previous navigation
// ended, and returns the current mark.
func (m *Moves) beginMove() mark {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	m.frames.nav.none = nil
	return m.frames.markLocked()
}

// movedOn reports whether the browser had a reason to abort a navigation: another navigation since
// the given mark, or a beforeunload dialog that is open or was dismissed.
func (m *Moves) movedOn(from mark) bool {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	return m.frames.nav.pending() || m.frames.nav.asks || m.frames.nav.commits > from.commits || m.frames.nav.stayed > from.stayed
}

// isStruck reports whether endScript may have ended a script of the wrong document, namely the
// current one.
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

// LedFrame returns the document that a link or a form has opened in a frame since the step began,
// or nil if there is none. If nav is not nil, the page itself has a new document, and LedFrame
// returns nil.
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

// forgetMoves forgets how the navigations of the page and of its frames ended. The argument input
// reports whether input follows. If it does, the present frames are marked as older than the input.
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

// TakeSaved reports whether a navigation of the page or of a frame has ended in a download since
// the last call of TakeSaved.
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

// HasAsked records the answer to a dialog of the page. If a beforeunload dialog is not accepted, it
// ends the navigation.
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

// Responded records the HTTP status of the document with this loader id.
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

// LedByOther reports whether a navigation of this page has begun since [Moves.ForgetMove] was
// called. It ignores navigations that only the page itself can cause.
func (m *Moves) LedByOther() bool {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	return m.frames.nav.led && m.frames.nav.byOther()
}

// isLed reports whether a navigation has begun during the step. In a frame that is newer than the
// step's input, only the navigations by a link or a form count.
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

// leadsTo reports whether a log entry of the browser mentions the address of a navigation of the
// step.
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

// Deny records why the document to which the page was navigating was refused.
func (m *Moves) Deny(err error) {
	m.frames.mu.Lock()
	defer m.frames.mu.Unlock()
	m.frames.denied = diag.As(err)
}

// refusedDocument returns nil if err is nil. Otherwise it returns the policy's refusal of the
// document, or err if the policy has not refused it.
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

// progress describes how far the page has loaded. The text explains why the page has not reached
// the state s.
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

// notReached gives a TIMEOUT error a message that says how far the page has loaded. It returns
// other errors unchanged.
func (m *Moves) notReached(err error, s driver.LoadState) error {
	if e := diag.As(err); e != nil && e.Code == diag.Timeout {
		e.Msg = fmt.Sprintf("the page did not reach %s: %s", s, m.progress(s))
	}
	return err
}

// stays reports whether a beforeunload dialog was dismissed since the last call of stays. If so, it
// first waits until the page knows of the dismissal. Until then, the browser may abort the next
// navigation.
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

// Status returns the HTTP status of the response to the last navigation. It returns 0 if there was
// no response.
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

// Address returns the URL that the tab is loading, or else the URL that it shows. For a tab that
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
