package documents

import (
	"cmp"
	"context"
	"net/url"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/eval"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
)

// Frames records the state of the frames of a tab, including the main frame. The browser's events
// keep it up to date.
type Frames struct {
	mu sync.Mutex // guards the tree; only held briefly, also by the goroutine that reads events
	tree
}

// ReadFrames records the frames of a page that existed before we attached. It does nothing if
// events have already reported them.
func (fs *Frames) ReadFrames(tree *proto.PageFrameTree) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f := tree.Frame
	if fs.rev > 0 || f.ID != fs.link.Frame {
		return
	}
	if fs.doc.id != string(f.LoaderID) {
		fs.doc = document{id: string(f.LoaderID), reached: map[driver.LoadState]bool{driver.Commit: true}}
	}
	fs.doc.url = f.URL + f.URLFragment
	fs.rev = fs.refs.NextPage()
	fs.readFramesLocked(tree)
}

// Sessions returns the tab's own session and those of its frames.
func (fs *Frames) Sessions() []string {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	sessions := []string{fs.link.Session}
	for _, f := range fs.frames {
		if f.own != "" {
			sessions = append(sessions, f.own)
		}
	}
	return sessions
}

// Has reports whether a frame is one of the tab's.
func (fs *Frames) Has(id proto.PageFrameID) bool {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return fs.link.Frame == id || fs.frames[id] != nil
}

// IsCurrent reports whether the document of w still exists.
func (fs *Frames) IsCurrent(w World) bool {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return fs.currentLocked(w)
}

// knownFrame returns the frame that the element with this key in w shows. It returns false if the
// element was never queried.
func (fs *Frames) knownFrame(w World, key int) (proto.PageFrameID, bool) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return fs.knownFrameLocked(w, key)
}

// WorldByID returns the world with the given id. It searches main and the frames inside it.
func (fs *Frames) WorldByID(id string, main World) (World, bool) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return fs.worldByIDLocked(id, main, DeepestFrame+1)
}

// WorldOf waits until a frame has a world that can be read. It returns the world, without its Outer
// worlds, and the number of its context.
func (fs *Frames) WorldOf(ctx context.Context, frame proto.PageFrameID) (w World, number int, err error) {
	err = fs.Until(ctx, "the frame that requests files has no document that can be read", func() bool {
		w = World{ID: fs.world, Doc: driver.Document{ID: fs.doc.id, URL: fs.doc.url, Status: fs.doc.status}}
		number = fs.number
		if f := fs.frames[frame]; f != nil {
			w.ID, w.frame, number = f.world, frame, f.number
		}
		return w.ID != ""
	})
	return w, number, err
}

// Host returns the host of the document's URL. It returns "" for a blank document.
func (fs *Frames) Host() string {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	u, err := url.Parse(fs.doc.url)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// AwaitDocument waits until the page has a document that the engine can read.
func (fs *Frames) AwaitDocument(ctx context.Context) error {
	return fs.Until(ctx, unready, func() bool { return fs.doc.id != "" && fs.world != "" })
}

// ShownURL returns the URL of the document.
func (fs *Frames) ShownURL() string {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return fs.doc.url
}

// Start sends a command to the page; see [cdp.Conn.Start]. A function call is sent to the session
// that has the execution context of the call.
func (fs *Frames) Start(ctx context.Context, req proto.Request) *cdp.Call {
	session := fs.link.Session
	if f, ok := req.(eval.CallFunction); ok {
		session = fs.SessionOf(f.UniqueContextID)
	}
	return fs.link.StartIn(ctx, session, req)
}

// SessionOf returns the session that has the execution context with the given unique id.
func (fs *Frames) SessionOf(context string) string {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return cmp.Or(fs.contexts[context], fs.link.Session)
}

// Book returns the book in which the refs of the tab are recorded.
func (fs *Frames) Book() *snapshot.Book { return fs.refs }

// Until is like [Link.Until], but it calls cond with the lock of the frames held.
func (fs *Frames) Until(ctx context.Context, late string, cond func() bool) error {
	return fs.link.Until(ctx, late, func() bool {
		fs.mu.Lock()
		defer fs.mu.Unlock()
		return cond()
	})
}

// UntilQuiet is like [Link.UntilQuiet], but it calls cond with the lock of the frames held.
func (fs *Frames) UntilQuiet(ctx context.Context, late string, cond func() (bool, time.Duration)) error {
	return fs.link.UntilQuiet(ctx, late, func() (bool, time.Duration) {
		fs.mu.Lock()
		defer fs.mu.Unlock()
		return cond()
	})
}

// Want records the address for which another tab has opened this tab.
func (fs *Frames) Want(address string) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.wanted = address
}

// Counts returns the number of frames inside the main frame, and the number of contexts in the
// sessions of those frames.
func (fs *Frames) Counts() (frames, contexts int) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return len(fs.frames), len(fs.contexts)
}

// UseBook makes the tab record its refs in another book.
func (fs *Frames) UseBook(book *snapshot.Book) { fs.refs = book }

// KeepsAX reports whether the browser keeps the accessibility tree of w's document.
func (fs *Frames) KeepsAX(w World) bool {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	_, kept := fs.axLocked(w)
	return *kept && fs.currentLocked(w)
}

// IsIdle reports whether the page has neither pending requests nor a pending navigation.
func (fs *Frames) IsIdle() bool {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	idle, _ := fs.Net.Idle()
	return idle && !fs.nav.pending()
}

// AfterWorld waits until the document of w is no longer the current one. A caller that has received
// [cdp.ErrGone] for w calls it before it continues.
func (fs *Frames) AfterWorld(ctx context.Context, w World) error {
	return fs.Until(ctx, "the page has no document that can be read", func() bool { return !fs.currentLocked(w) })
}

// DocumentOf describes the main-frame document of w for package snapshot.
func (fs *Frames) DocumentOf(w World) snapshot.Document {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return snapshot.Document{ID: w.Doc.ID, Tab: fs.link.tabID, URL: w.Doc.URL, PageRev: fs.rev}
}

// NumberOf returns the number of w's context, and whether the document of w still exists.
func (fs *Frames) NumberOf(w World) (number int, current bool) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	number = fs.number
	if f := fs.frames[w.frame]; f != nil {
		number = f.number
	}
	return number, fs.currentLocked(w)
}

// MainWorld returns the unique id of the page's own context. It waits until there is one.
func (fs *Frames) MainWorld(ctx context.Context) (string, error) {
	var id string
	err := fs.Until(ctx, "the page has no document to run a script in", func() bool {
		id = fs.main
		return id != ""
	})
	return id, err
}

// CurrentDocument returns the page's current document.
func (fs *Frames) CurrentDocument() driver.Document {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return driver.Document{ID: fs.doc.id, URL: fs.doc.url, Status: fs.doc.status}
}
