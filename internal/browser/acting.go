// Package browser implements [driver.Page] for the tabs of a Chromium (package chrome): it finds
// elements in all frames, acts on them, reads them back, and checks at the end of a run what the run
// has set.
//
// Code that reads a page runs in an isolated world (package engine), in one evaluation per step.
// Finding, waiting, input and reading are its own; it never retries what has reached the page.
package browser

import (
	"context"

	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
)

var _ driver.Page = (*Page)(nil)

// A Page is one tab, with the state that acting on it requires. It implements [driver.Page]. Only one
// run may use it at a time, but Close, State and TakeDialogs may be called at any time.
type Page struct {
	*chrome.Tab

	kept kept // controls that the run has set
	hand hand // what the mouse and the keyboard hold; only during a call
}

// Launch is [chrome.Start] for a browser whose tabs are [Page]s.
func Launch(ctx context.Context, o startup.Options) (*chrome.Browser, error) {
	return chrome.Start(ctx, o, func(t *chrome.Tab) driver.Page { return &Page{Tab: t} })
}
