// Package driver defines what steps require of a browser: the interfaces that they act on, and the
// plain types of their inputs and outputs. Package browser implements them for Chromium, and so do
// fakes in tests for faults that cannot be produced otherwise. The package has no logic except for
// the formats that both sides read: patterns of URLs, and files of browser state.
//
// Files, bottom to top: target, tabs, consent, effects, url, network, read, script, pagetools, scroll, state, storage,
// page, navigate, pointer, forms.
package driver

import (
	"context"
	"fmt"
)

// A Browser holds the windows of a session, each with its own cookies and storage, and their tabs,
// one of which is active. Package browser implements it. Like those of [Page], its methods return a
// *diag.Error, and only one run may use them at a time.
type Browser interface {
	Tabs
	Windows
	Dialogs
	CookieJar
	Storage
	Downloader
	Router
	Consenter
	// Active returns the tab that steps act on. It is never nil. It may be a closed or crashed tab,
	// whose methods return an error. Active does not query the browser.
	Active() Page
}

// Page is the document that steps act on. Package browser implements it, and so do fakes for faults
// that cannot be produced otherwise. Only one run may use a Page at a time.
//
// Every method waits until it can act and verifies the effect; otherwise it returns a *diag.Error.
// ctx bounds the whole call: a method that is still waiting at ctx's deadline returns TIMEOUT and
// reports what it saw, and for a cancelled ctx the error is CANCELLED. Element methods stop waiting
// earlier, at the end of [Target.Timeout], with ELEMENT_NOT_FOUND, ELEMENT_AMBIGUOUS or
// ELEMENT_NOT_INTERACTABLE.
type Page interface {
	Navigator
	Pointer
	Mouse
	Scroller
	Keyboard
	Forms
	Reader
	Waiter
	Snapshotter
	Lister
	Scripter
	PageTools
	Printer
	Uploader
	NetworkReader
	ConsoleReader
	Keeper
	Effects
	Previewer
}

// An Effect determines which later changes of the page a step may cause.
type Effect uint8

const (
	AnyEffect  Effect = iota // any: the step is input
	ViewEffect               // rows redrawn for other items of a list: the step moves the view
	NoEffect                 // none: the step only reads, or the page cannot notice it
)

// Keeper checks at the end of a run the controls that the run has set. While it is off, it costs
// nothing.
type Keeper interface {
	// Keep starts keeping, with no controls, or stops it.
	Keep(on bool)
	// LookBack records which controls have been reverted so far. It must be called before input that
	// goes to no element; the methods for input to an element do this themselves. It costs a round
	// trip if there is something to check.
	LookBack(ctx context.Context)
	// Excuse records which changes a step may cause, now or later, to the controls that were set
	// before it. Such changes do not count as reverts. NoEffect excuses no changes. Excuse does not
	// affect earlier reverts.
	Excuse(ctx context.Context, by Effect)
	// Reverted stops keeping and lists the controls whose value has changed without later input
	// that could be the cause. It costs a round trip for each frame with such controls. It waits
	// for requests that the page has begun since the input, and for timers that are due within half
	// a second. The error says why some controls could not be checked, such as those of a document
	// that was replaced without input.
	Reverted(ctx context.Context) ([]Reverted, error)
	// Part begins the next part of a run and returns its number, from 1. Only later input of the
	// same part may change what a part has set.
	Part() int
	// Lost lists the controls that no longer have the values set by the given parts, whatever later
	// parts have done. Each element of parts holds the first and the last number of a range of
	// parts. Lost drops these controls, because the caller sets them again. again means that the
	// caller has done so, and that this is the second check. Lost waits like Reverted, and longer
	// for the timers of a page with several parts.
	Lost(ctx context.Context, parts [][2]int, again bool) ([]Reverted, error)
}

// A Reverted is a control that the page has changed by itself after it was set. For a
// password, Set and Holds are empty.
type Reverted struct {
	Desc   string `json:"desc"`
	Secret bool   `json:"secret"`
	Set    string `json:"set"`
	Holds  string `json:"holds"`
	Part   int    `json:"part"` // of the run
	// Led is the address of the document that has replaced the control's document, or "" if none
	// has.
	Led string `json:"led"`
}

// A Document is one main-frame document. Each has a new ID, which is never reused; a change
// of the URL within the document keeps it.
type Document struct {
	ID     string
	URL    string
	Title  string
	Status int // HTTP status; 0 if there is none (about:blank, cache of history)
}

// An Element describes what was found, for messages and results.
type Element struct {
	Role string // ARIA role, "" if it has none
	Name string // accessible name
	Text string // rendered text, cut at 200 bytes
	Desc string // like <button#save "Save">
}

// Label names e for a message: `"Save" button`, otherwise its tag, otherwise the selector source.
func (e Element) Label(source string) string {
	switch {
	case e.Name != "" && e.Role != "":
		return fmt.Sprintf("%q %s", e.Name, e.Role)
	case e.Desc != "":
		return e.Desc
	}
	return source
}
