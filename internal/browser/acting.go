// Package browser implements [driver.Page] for the tabs of a Chromium (package chrome): it finds
// elements in all frames, acts on them, reads them back, and checks at the end of a run that the
// controls still hold what the run has set.
//
// The code that reads a page runs in an isolated world (package engine), in one evaluation per step.
// The package does not start processes, manage tabs or navigate: package chrome does. It never
// repeats input that has reached the page.
package browser

import (
	"context"

	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/driver"
)

var _ driver.Page = (*Page)(nil)

// A Page is one tab, with the state that acting on it requires. It implements [driver.Page]. Only
// one run may use it at a time, but Close, State and TakeDialogs may be called at any time.
type Page struct {
	*chrome.Tab

	keeper keeper // documents whose controls the current run has set
	hand   hand   // state of the mouse and the keyboard; used only by the current call
}

// Launch is [chrome.Start] for a browser whose tabs are [Page]s.
func Launch(ctx context.Context, o chrome.Options) (*chrome.Browser, error) {
	o.Acting = func(t *chrome.Tab) driver.Page { return &Page{Tab: t} }
	return chrome.Start(ctx, o)
}
