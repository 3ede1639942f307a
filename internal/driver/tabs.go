package driver

import "context"

// Dialogs handles the dialogs that pages open: alert, confirm, prompt and beforeunload. Each blocks
// its page until it is answered, so most are answered at once, according to the policy.
type Dialogs interface {
	// AnswerDialog answers the open dialog of the active tab. If that tab has none, it answers the
	// dialog of another tab that has been open longest. If no dialog is open, it stores the answer for
	// the next dialog of the active tab, in place of any stored answer, and returns nil.
	AnswerDialog(ctx context.Context, a DialogAnswer) (*Dialog, error)
	// DialogHistory returns the last dialogs of the session, the newest last. It does not
	// query the browser.
	DialogHistory() []Dialog
}

// A DialogAnswer is an answer to a dialog.
type DialogAnswer struct {
	Accept bool
	Text   *string // for a prompt; nil: its default
}

// A Dialog is a dialog that a page opened.
type Dialog struct {
	Number  int    // from 1, in the order in which the session saw them
	Kind    string // alert, confirm, prompt, beforeunload
	Message string
	Default string // the default of a prompt
	Answer  string // accepted, dismissed, open, or gone together with its page
	Text    string // the text entered into a prompt
	URL     string // of the document that opened it
	Tab     string
}

// The values of [Dialog.Answer].
const (
	DialogAccepted  = "accepted"
	DialogDismissed = "dismissed"
	DialogOpen      = "open"
	DialogGone      = "gone"
)

// Tabs manages the tabs of all windows. For an unknown id, the error is PARAM_INVALID, and its hint
// lists the existing ids.
type Tabs interface {
	// ActiveTab returns the id of the active tab. It does not query the browser.
	ActiveTab() string
	// Tabs describes every tab, grouped by window.
	Tabs(ctx context.Context) ([]TabInfo, error)
	// OpenTab opens a blank tab in the window of the active tab, and makes the new tab active. If the
	// session may not have another tab, the error is LIMIT_EXCEEDED.
	OpenTab(ctx context.Context) (id string, err error)
	// SwitchTab makes a tab active. For a new tab, it first waits until the first document has arrived
	// or has failed.
	SwitchTab(ctx context.Context, id string) error
	// CloseTab closes a tab. An empty id means the active tab. If the closed tab was active, the tab
	// that opened it becomes active or, if there is none, the previously active tab of the window.
	// The last tab of a window cannot be closed.
	CloseTab(ctx context.Context, id string) error
}

// Windows manages windows. The tabs of a window share cookies and storage with each other, but not
// with the tabs of other windows.
type Windows interface {
	// Windows describes every window. It does not query the browser.
	Windows() []WindowInfo
	// OpenWindow opens a window with one blank tab and makes the tab active. size applies to all tabs
	// of the window, also later ones. A zero size means the size of the session.
	OpenWindow(ctx context.Context, size Size) (id string, err error)
	// SwitchWindow makes the last active tab of a window active.
	SwitchWindow(ctx context.Context, id string) error
	// CloseWindow closes a window with its tabs, cookies and storage. An empty id means the window of
	// the active tab. The last window cannot be closed.
	CloseWindow(ctx context.Context, id string) error
}

// A Size is the size of the visible part of pages, in CSS pixels.
type Size struct{ Width, Height int }

// A TabInfo describes a tab.
type TabInfo struct {
	ID, Window string
	URL, Title string
	Active     bool
	Opener     string // the tab whose page opened it; "": none
}

// A WindowInfo describes a window.
type WindowInfo struct {
	ID     string
	Tabs   int
	Active bool   // it contains the active tab
	Tab    string // the last active one of its tabs
}
