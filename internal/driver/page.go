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

// A Browser holds the windows of a session and their tabs. Each window has its own cookies and
// storage. One tab is active. Package browser implements this interface. The errors of all methods
// are of type *diag.Error. Only one run may use a Browser at a time.
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
// Every method waits until it can act, then acts and verifies the effect. All errors are of type
// *diag.Error. ctx bounds the whole call. If a method is still waiting at the deadline of ctx, the
// error is TIMEOUT and reports what the method saw. If ctx is cancelled, the error is CANCELLED.
// Methods for an element wait only until the end of [Target.Timeout]. Their error is then
// ELEMENT_NOT_FOUND, ELEMENT_AMBIGUOUS or ELEMENT_NOT_INTERACTABLE.
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

// Keeper checks, at the end of a run, whether the controls that the run has set still have their
// values. While the Keeper is off, it costs nothing.
type Keeper interface {
	// Keep turns the Keeper on or off. It forgets all controls that were recorded before.
	Keep(on bool)
	// LookBack records which controls the page has reverted so far. Methods that send input to an
	// element do this themselves. Before any other input, the caller must call LookBack. It costs a
	// round trip if there is something to check.
	LookBack(ctx context.Context)
	// Excuse records which changes a step may cause, now or later, to the controls that were set
	// before the step. Such changes do not count as reverts. NoEffect excuses no changes. Excuse does
	// not affect earlier reverts.
	Excuse(ctx context.Context, by Effect)
	// Reverted lists the controls that no longer have their values, unless later input may have
	// caused the change. Then it turns the Keeper off. It costs a round trip for each frame in which
	// the run has set controls. It waits for requests that the page has begun since the first input,
	// and for timers that are due within half a second. If some controls could not be checked, the
	// error says why; for example, the page has replaced their document without input.
	Reverted(ctx context.Context) ([]Reverted, error)
	// Part begins the next part of a run and returns its number, from 1. [Keeper.Lost] reports a
	// control that has changed, unless later input of the same part may have changed it.
	Part() int
	// Lost lists the controls that no longer have the values that some parts of the run have set,
	// whatever later parts have done. Each element of parts is a range: the numbers of its first and its
	// last part. Lost forgets the controls that it lists, because the caller sets them again. The
	// argument "again" is true for the second check, after the caller has done so. Lost waits like
	// Reverted. For several ranges, it also waits for timers that are due later.
	Lost(ctx context.Context, parts [][2]int, again bool) ([]Reverted, error)
}

// A Reverted is a control that the page has changed by itself after the run had set it. For a
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

// A Document is one main-frame document. Each document has its own ID, which is never reused. The
// ID stays the same when the URL changes within the document.
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

// Label returns a name of the element for messages: the accessible name with the role, such as
// `"Save" button`. If one of the two is missing, it returns Desc or, if that is empty, source.
func (e Element) Label(source string) string {
	switch {
	case e.Name != "" && e.Role != "":
		return fmt.Sprintf("%q %s", e.Name, e.Role)
	case e.Desc != "":
		return e.Desc
	}
	return source
}
