package documents

import (
	"errors"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
)

// A tree is the state of the frames. Its methods require the lock of [Frames].
type tree struct {
	link *Link
	Net  *network.Traffic

	doc     document
	world   string // unique id of the engine's context; "" while a document is replaced
	main    string // unique id of the page's own context
	number  int    // number of world's context; few commands require it instead of the unique id
	nav     navigation
	inner   int       // number of frame navigations so far
	innerAt time.Time // time of the last of them
	rev     int       // counts main-frame documents
	refs    *snapshot.Book
	wanted  string      // the address with which another tab has opened this one
	denied  *diag.Error // why the document that the page was navigating to was refused
	keeps   bool        // the browser keeps accessibility trees in this session, also for later documents
	ending  *cdp.Call   // ends a script, so that the next document can load; nil: none
	frames  map[proto.PageFrameID]*subframe
	// contexts maps the unique id of a context to its session. It omits the contexts of the page's
	// own session.
	contexts map[string]string
}

// saying is the report that a document sends about itself when it has loaded.
type saying struct {
	info
	at time.Time
}

// readFramesLocked records the child frames in a frame tree of the browser.
func (t *tree) readFramesLocked(tree *proto.PageFrameTree) {
	for _, inner := range tree.ChildFrames {
		t.subframeLocked(inner.Frame.ID).parent = tree.Frame.ID
		t.readFramesLocked(inner)
	}
}

// underWayLocked reports whether the page is loading another document, or a frame is loading one
// because of input in w.
func (t *tree) underWayLocked(w World) bool {
	if t.nav.pending() {
		return true
	}
	for id, f := range t.frames {
		if f.nav.pending() && f.isLed(id, w) {
			return true
		}
	}
	return false
}

// nowhereLocked describes a navigation of this step that has ended without a document. It returns
// nil if there is none. A navigation of a frame counts only if input in w has caused it.
func (t *tree) nowhereLocked(w World) *nowhere {
	if t.nav.none != nil {
		return t.nav.none
	}
	for id, f := range t.frames {
		// A navigation that continues in another process seems to have ended. So only an answer
		// without a document, or an error page, counts.
		if n := f.nav.none; n != nil && f.isLed(id, w) && (n.failure != "" || withoutContent(n.status)) {
			led := *n
			led.frame = id
			return &led
		}
	}
	return nil
}

// isLed reports whether input in w counts as the cause of this frame's navigation. It does if the
// frame with the given id received the input, or if a link or a form has caused the navigation. If
// a script has caused it, the frame must have existed before the input.
func (f *subframe) isLed(id proto.PageFrameID, w World) bool {
	return id == w.frame || f.nav.led && (f.nav.isAsked() || f.there)
}

// A subframe is the state of one frame other than the main one.
type subframe struct {
	parent  proto.PageFrameID
	own     string     // its own session; "" if it has none
	session string     // the session of its contexts
	world   string     // unique id of the engine's context; "" while a document is replaced
	main    string     // unique id of the page's own context
	number  int        // number of world's context in its session
	shownBy doorway    // the element that shows it; zero until it is queried
	nav     navigation // the frame's navigation
	there   bool       // whether it existed when the input of the step began; see [Step.Begin]
	ax      bool       // the accessibility tree is kept for its document
	crashed bool
}

// A doorway identifies the element that shows a frame, by its key in a world. The world is "" until
// the element was queried.
type doorway struct {
	world string
	key   int
}

var (
	// ErrAgain means that a frame was removed or moved during a query. The caller must repeat the
	// query.
	ErrAgain = errors.New("a frame changed during the query")
	// errNoFrame means that an element shows no frame.
	errNoFrame = errors.New("the element shows no frame")
	// ErrCrashed means that the process of a frame has crashed.
	ErrCrashed = errors.New("the process of the frame has crashed")
)

// subframeLocked returns the state of a frame and creates it if necessary.
func (t *tree) subframeLocked(id proto.PageFrameID) *subframe {
	f := t.frames[id]
	if f == nil {
		f = &subframe{}
		t.frames[id] = f
	}
	return f
}

// dropFrameLocked forgets a frame and the frames inside it.
func (t *tree) dropFrameLocked(id proto.PageFrameID) {
	delete(t.frames, id)
	t.Net.Leave(id, "")
	t.dropFramesInLocked(id)
}

// dropFramesInLocked forgets the frames of a document that has been replaced.
func (t *tree) dropFramesInLocked(id proto.PageFrameID) {
	for inner, f := range t.frames {
		if f.parent == id {
			t.dropFrameLocked(inner)
		}
	}
}

// navLocked returns the navigation state of a frame, or nil if the frame is unknown.
func (t *tree) navLocked(id proto.PageFrameID) *navigation {
	if id == t.link.Frame {
		return &t.nav
	}
	if f := t.frames[id]; f != nil {
		return &f.nav
	}
	return nil
}

// navOfLocked returns the navigation state of the frame that has requested the document with this
// loader id. For an unknown document, it returns the navigation state of the page.
func (t *tree) navOfLocked(loader string) *navigation {
	for _, f := range t.frames {
		if f.nav.fetch(loader) != nil {
			return &f.nav
		}
	}
	return &t.nav
}

// clearLocked forgets the contexts of a session.
func (t *tree) clearLocked(session string) {
	if session == t.link.Session {
		t.world, t.main = "", ""
	}
	for _, f := range t.frames {
		if f.session == session {
			f.world, f.main = "", ""
		}
	}
	for id, s := range t.contexts {
		if s == session {
			delete(t.contexts, id)
		}
	}
}

// currentLocked reports whether w's document still exists.
func (t *tree) currentLocked(w World) bool {
	if w.frame == "" {
		return t.world == w.ID
	}
	f := t.frames[w.frame]
	return f != nil && f.world == w.ID
}

func (t *tree) knownFrameLocked(w World, key int) (proto.PageFrameID, bool) {
	for id, f := range t.frames {
		if f.shownBy == (doorway{w.ID, key}) {
			return id, true
		}
	}
	return "", false
}

func (t *tree) worldByIDLocked(id string, main World, depth int) (World, bool) {
	if id == main.ID {
		return main, true
	}
	if id == "" || depth == 0 {
		return World{}, false
	}
	for frame, f := range t.frames {
		if f.world != id {
			continue
		}
		outer, ok := t.worldByIDLocked(f.shownBy.world, main, depth-1)
		return World{ID: id, Doc: main.Doc, frame: frame, Outer: &outer, Key: f.shownBy.key}, ok
	}
	return World{}, false
}

func (t *tree) markLocked() mark { return mark{t.nav.commits, t.nav.within, t.nav.stayed} }

// endedLocked reports whether the last navigation has ended with a response without content. Other
// navigations may only seem to end, and continue in another process.
func (t *tree) endedLocked() bool {
	return !t.nav.pending() && t.nav.none != nil && withoutContent(t.nav.none.status)
}

// reachedLocked reports whether the document has reached the state s. If not, it also returns how
// long to wait before the next check. 0 means until the next event.
func (t *tree) reachedLocked(s driver.LoadState) (bool, time.Duration) {
	switch s {
	case driver.Commit:
		return true, 0
	case driver.NetworkIdle:
		if !t.doc.reached[driver.Load] {
			return false, 0
		}
		return t.Net.Idle()
	case "":
		s = driver.Load
	}
	return t.doc.reached[s], 0
}

// A document is the state of the main frame's document.
type document struct {
	id          string // loader id
	url         string
	status      int
	unreachable string // the URL that could not be loaded, if this is an error page
	failure     string // reason for the error page (net::ERR_…)
	reached     map[driver.LoadState]bool
	struck      bool    // a script of this document may have been ended instead of one of the previous document
	ax          bool    // the accessibility tree is kept for it
	said        *saying // its report with the load event; nil before
	rests       bool    // it has stopped loading
}

// axLocked returns the frame of w and a pointer to its field ax.
func (t *tree) axLocked(w World) (proto.PageFrameID, *bool) {
	if f := t.frames[w.frame]; f != nil {
		return w.frame, &f.ax
	}
	return t.link.Frame, &t.doc.ax
}
