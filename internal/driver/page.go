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
// storage. The errors of all methods are of type *diag.Error. Only one run may use a Browser at a
// time.
type Browser interface {
	Tabs
	Windows
	Dialogs
	CookieJar
	Storage
	Downloader
	Router
	Consenter
	// Active returns the active tab. The result is never nil. If the tab is closed or has crashed,
	// its methods return an error. Active does not query the browser.
	Active() Page
}

// Page is the document that steps act on. Only one run may use a Page at a time.
//
// Every method waits until it can act, acts, and verifies the effect. All errors are of type
// *diag.Error. If ctx is cancelled, the error is CANCELLED. If the deadline of ctx passes, the
// error is TIMEOUT.
//
// A method for an element waits no longer than [Target.Timeout]. After that, its error is
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

// An Effect says which later changes of the page may be caused by a step.
type Effect uint8

const (
	AnyEffect  Effect = iota // any: the step is input
	ViewEffect               // rows redrawn for other items of a list: the step moves the view
	NoEffect                 // none: the step only reads, or the page cannot notice it
)

// Keeper checks, at the end of a run, whether the controls still have the values that the run has
// set. A Keeper that is off costs nothing.
type Keeper interface {
	// Keep turns the Keeper on or off. It also forgets all controls.
	Keep(on bool)
	// LookBack records which controls the page has reverted so far. It must be called before input
	// that is not sent to an element. For other input, the methods of Page call it. It costs a
	// round trip if there are controls to check.
	LookBack(ctx context.Context)
	// Excuse records that a step may change controls that were set before it. The argument "by"
	// says in which way. Such a change does not count as a revert. Excuse does not affect earlier
	// reverts.
	Excuse(ctx context.Context, by Effect)
	// Reverted lists the controls that the page has reverted, and turns the Keeper off. It does not
	// list changes that later input may have caused. If some controls could not be checked, the
	// error says why.
	//
	// It waits for requests that the page has sent since the first input, and for timers that are
	// due within half a second. It costs a round trip for each frame with controls.
	Reverted(ctx context.Context) ([]Reverted, error)
	// Part begins the next part of the run and returns its number, from 1. See Lost.
	Part() int
	// Lost lists the controls that no longer have the values that were set in some parts of the
	// run. It does not list changes that later input of the same part may have caused. Each element
	// of the argument "parts" is a range: the numbers of its first and its last part.
	//
	// Lost forgets the controls that it lists. The caller should set them again, and then call Lost
	// once more, with the argument "again" set. Lost waits like Reverted. For several ranges, it
	// also waits for timers that are due later.
	Lost(ctx context.Context, parts [][2]int, again bool) ([]Reverted, error)
}

// A Reverted is a control whose value the page has changed after the run had set it. For a
// password, Set and Holds are empty.
type Reverted struct {
	Desc   string `json:"desc"`
	Secret bool   `json:"secret"`
	Set    string `json:"set"`
	Holds  string `json:"holds"`
	Part   int    `json:"part"` // of the run
	// Led is the address of the document that has replaced the document of the control. It is "" if
	// the document has not been replaced.
	Led string `json:"led"`
}

// A Document is a document in the main frame of a tab. Its ID is never used for another document.
// The ID does not change when only the URL changes.
type Document struct {
	ID     string
	URL    string
	Title  string
	Status int // HTTP status; 0 if there is none (about:blank, cache of history)
}

// An Element describes an element of the page, for messages and results.
type Element struct {
	Role string // ARIA role, "" if it has none
	Name string // accessible name
	Text string // rendered text, cut at 200 bytes
	Desc string // like <button#save "Save">
}

// Label returns a name of the element for messages, such as `"Save" button`. It consists of the
// accessible name and the role. If one of them is missing, Label returns Desc, or source if Desc is
// empty.
func (e Element) Label(source string) string {
	switch {
	case e.Name != "" && e.Role != "":
		return fmt.Sprintf("%q %s", e.Name, e.Role)
	case e.Desc != "":
		return e.Desc
	}
	return source
}
