package driver

import "context"

// Dialogs handles the dialogs that pages open: alert, confirm, prompt and beforeunload. A dialog
// blocks its page until it is answered. The policy answers most dialogs immediately.
type Dialogs interface {
	// AnswerDialog answers the open dialog of the active tab. If there is none, it answers the
	// oldest open dialog of the other tabs. If no dialog is open, AnswerDialog returns nil, and the
	// answer is used for the next dialog of the active tab.
	AnswerDialog(ctx context.Context, a DialogAnswer) (*Dialog, error)
	// DialogHistory returns the latest dialogs of the session, oldest first. It does not query the
	// browser.
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
	// OpenTab opens a blank tab in the active window, and makes it active. If the session has too
	// many tabs, the error is LIMIT_EXCEEDED.
	OpenTab(ctx context.Context) (id string, err error)
	// SwitchTab makes a tab active. It waits until the first document of a new tab has arrived or
	// failed.
	SwitchTab(ctx context.Context, id string) error
	// CloseTab closes a tab. An empty id means the active tab. If the active tab is closed, the tab
	// that opened it becomes active. If there is none, the previously active tab of the window
	// becomes active. The last tab of a window cannot be closed.
	CloseTab(ctx context.Context, id string) error
}

// Windows manages windows. Only the tabs of the same window share cookies and storage.
type Windows interface {
	// Windows describes every window. It does not query the browser.
	Windows() []WindowInfo
	// OpenWindow opens a window with one blank tab, and makes the tab active. size applies to all
	// tabs of the window. The zero size means the size of the session.
	OpenWindow(ctx context.Context, size Size) (id string, err error)
	// SwitchWindow makes a window active, with the tab that was last active in it.
	SwitchWindow(ctx context.Context, id string) error
	// CloseWindow closes a window with its tabs, cookies and storage. An empty id means the active
	// window. The last window cannot be closed.
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
