// Package browser implements [driver.Page] for the tabs of a Chromium (package chrome): it finds
// elements in all frames, acts on them, reads them back, and checks at the end of a run what the
// run has set.
//
// Code that reads a page runs in an isolated world (package engine), in one evaluation per step.
// The package itself finds, waits, sends input and reads. It never repeats input that has reached
// the page.
//
// Files, bottom to top: carried, refs, failure, kept, asking, frame_seek, frame_place, act, mouse,
// acting, scroll, shot, read, pagetools, snapshot, version, preview, keyboard, pointer, slide, forms, drag,
// buttons, taken, upload.
package browser

import (
	"context"

	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
)

var _ driver.Page = (*Page)(nil)

// A Page is one tab, with the parts that act on it. It implements [driver.Page]. Only one run may use
// it at a time, but Close, State and TakeDialogs may be called at any time.
type Page struct {
	*chrome.Tab
	hand *hand

	*binder
	*controls
	*finder
	*typist
	*pointer
	*reader
	*filler
	*scripter
	*scroller
	*printer
	*toolbox
	*previewer
}

// pageFor returns the page through which steps act on the tab t.
func pageFor(t *chrome.Tab) *Page {
	p := &Page{Tab: t, hand: new(hand)}
	p.binder = &binder{Tab: t}
	// The finder uses controls to check what the run has set. In the other direction, controls uses
	// the finder to find a control that the page has rendered again.
	p.controls = &controls{Tab: t, find: func(ctx context.Context, t driver.Target, a act) (*acted, error) { return p.finder.find(ctx, t, a) }}
	p.finder = &finder{Tab: t, hand: p.hand, binder: p.binder, controls: p.controls}
	p.typist = &typist{Tab: t, hand: p.hand, finder: p.finder, controls: p.controls}
	p.pointer = &pointer{Tab: t, hand: p.hand, finder: p.finder, controls: p.controls, typist: p.typist}
	p.reader = &reader{Tab: t, finder: p.finder, binder: p.binder, controls: p.controls}
	p.filler = &filler{Tab: t, finder: p.finder, controls: p.controls, typist: p.typist, pointer: p.pointer, reader: p.reader}
	p.scripter = &scripter{Tab: t, finder: p.finder}
	p.scroller = &scroller{Tab: t, hand: p.hand, finder: p.finder, binder: p.binder}
	p.printer = &printer{Tab: t, finder: p.finder, scroller: p.scroller}
	p.toolbox = &toolbox{Tab: t, controls: p.controls}
	p.previewer = &previewer{finder: p.finder}
	return p
}

// A binder gives elements their refs.
type binder struct{ *chrome.Tab }

// controls implements [driver.Keeper]: it records which controls a run has set, and checks whether
// they keep their values.
type controls struct {
	*chrome.Tab
	find   func(context.Context, driver.Target, act) (*acted, error) // [finder.find]
	keeper keeper
}

// A finder finds elements, and their positions, in all frames of a tab.
type finder struct {
	*chrome.Tab
	hand     *hand
	binder   *binder
	controls *controls
}

// filling is a seeker that puts a value into the control that it finds.
type filling struct {
	*seeker
	by *filler
}

// A typist implements [driver.Keyboard].
type typist struct {
	*chrome.Tab
	hand     *hand
	finder   *finder
	controls *controls
}

// A pointer implements [driver.Pointer] and [driver.Mouse].
type pointer struct {
	*chrome.Tab
	hand     *hand
	finder   *finder
	controls *controls
	typist   *typist
}

// A reader implements [driver.Reader], and waits for elements.
type reader struct {
	*chrome.Tab
	finder   *finder
	binder   *binder
	controls *controls
}

// A filler implements [driver.Forms] and [driver.Uploader].
type filler struct {
	*chrome.Tab
	finder   *finder
	controls *controls
	typist   *typist
	pointer  *pointer
	reader   *reader
}

// A scripter implements [driver.Scripter]. It adds a method to [documents.Scripts] that reads the
// version of an application from its page.
type scripter struct {
	*chrome.Tab
	finder *finder
}

// A scroller implements [driver.Scroller] and [driver.Lister].
type scroller struct {
	*chrome.Tab
	hand   *hand
	finder *finder
	binder *binder
}

// A printer implements [driver.Printer] and [driver.Snapshotter].
type printer struct {
	*chrome.Tab
	finder   *finder
	scroller *scroller
}

// A toolbox implements [driver.PageTools].
type toolbox struct {
	*chrome.Tab
	controls *controls
}

// Launch starts a browser whose tabs are of type [Page]; see [chrome.Start].
func Launch(ctx context.Context, o startup.Options) (*chrome.Browser, error) {
	return chrome.Start(ctx, o, func(t *chrome.Tab) driver.Page { return pageFor(t) })
}
