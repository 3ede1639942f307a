package documents

// Events of frames. The goroutine that reads the browser's messages calls the handlers, in the
// order of the messages. Handlers must not wait.
//
// For a new document Chromium sends, in this order: Page.frameStartedNavigating,
// Network.responseReceived, Runtime.executionContextsCleared, Page.frameNavigated,
// Runtime.executionContextCreated. So a new context always belongs to the most recent document.

import (
	"context"
	"encoding/json"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/engine"
	"github.com/actionregistry/action/internal/driver"
)

// arrivalBinding is the name of a function that only the engine's world has. The engine calls it
// after the page's load event, with the address and the title of the page.
const arrivalBinding = "__arrived"

// BindArrival returns the command that adds the function arrivalBinding to the engine's worlds.
func BindArrival() proto.RuntimeAddBinding {
	return proto.RuntimeAddBinding{Name: arrivalBinding, ExecutionContextName: engine.World}
}

// bindingCalled stores the address and the title that the current document has reported.
func (t *tree) bindingCalled(v *proto.RuntimeBindingCalled) {
	s := saying{at: time.Now()}
	if v.Name == arrivalBinding && int(v.ExecutionContextID) == t.number && json.Unmarshal([]byte(v.Payload), &s.info) == nil {
		t.doc.said = &s
	}
}

// on decodes the event e and calls f with mu held. If e cannot be decoded, it does nothing.
func on[E any](fs *Frames, e *cdp.Event, f func(*E)) {
	var v E
	if !cdp.Decode(e, &v) {
		return
	}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f(&v)
	fs.link.Notify()
}

// frameStartedNavigating is an event that rod does not define.
type frameStartedNavigating struct {
	FrameID  proto.PageFrameID `json:"frameId"`
	LoaderID string            `json:"loaderId"`
	URL      string            `json:"url"`
	Type     string            `json:"navigationType"`
}

// Commit handles the event that a frame shows a new document, and returns that frame. The other
// results are set only for the main frame. kept is the world of the previous document, or "" if
// that world no longer exists. trees reports whether the browser kept accessibility trees for the
// tab.
func (fs *Frames) Commit(e *cdp.Event) (shown *proto.PageFrame, kept string, trees bool) {
	on(fs, e, func(v *proto.PageFrameNavigated) {
		shown = v.Frame
		fs.frameNavigated(v)
		if v.Frame != nil && v.Frame.ID == fs.link.Frame {
			kept, trees, fs.keeps = fs.world, fs.keeps, false
		}
	})
	return shown, kept, trees
}

// Handle handles the events of documents, contexts and navigations. It returns the address that the
// page opens in another tab, or "" if the event is about something else.
func (fs *Frames) Handle(e *cdp.Event) (opens string) {
	switch e.Method {
	case "Runtime.executionContextsCleared":
		on(fs, e, func(*proto.RuntimeExecutionContextsCleared) { fs.clearLocked(e.Session) })
	case "Runtime.executionContextDestroyed":
		on(fs, e, fs.contextDestroyed)
	case "Runtime.executionContextCreated":
		on(fs, e, func(v *proto.RuntimeExecutionContextCreated) { fs.contextCreated(e.Session, v) })
	case "Runtime.bindingCalled":
		if e.Session == fs.link.Session {
			on(fs, e, fs.bindingCalled)
		}
	case "Page.frameAttached":
		on(fs, e, func(v *proto.PageFrameAttached) { fs.subframeLocked(v.FrameID).parent = v.ParentFrameID })
	case "Page.frameDetached":
		on(fs, e, func(v *proto.PageFrameDetached) { fs.frameDetached(e.Session, v) })
	case "Page.navigatedWithinDocument":
		on(fs, e, fs.navigatedWithin)
	case "Page.documentOpened":
		on(fs, e, fs.documentOpened)
	case "Page.lifecycleEvent":
		on(fs, e, fs.lifecycle)
	case "Page.domContentEventFired":
		fs.wake(e.Session)
	default:
		return fs.handleNavigation(e)
	}
	return ""
}

// handleNavigation does the work of Handle for the events of navigations.
func (fs *Frames) handleNavigation(e *cdp.Event) (opens string) {
	switch e.Method {
	case "Page.frameScheduledNavigation":
		on(fs, e, func(v *proto.PageFrameScheduledNavigation) {
			// The event with a delay announces a meta refresh, for which nothing has started yet.
			if nav := fs.navLocked(v.FrameID); nav != nil && v.Delay == 0 {
				nav.request(v.Reason, v.URL)
			}
		})
	case "Page.frameRequestedNavigation":
		on(fs, e, func(v *proto.PageFrameRequestedNavigation) {
			switch nav := fs.navLocked(v.FrameID); v.Disposition {
			case proto.PageClientNavigationDispositionCurrentTab:
				if nav != nil {
					nav.request(v.Reason, v.URL)
				}
			case proto.PageClientNavigationDispositionNewTab, proto.PageClientNavigationDispositionNewWindow:
				opens = v.URL
			}
		})
	case "Page.frameClearedScheduledNavigation":
		on(fs, e, func(v *proto.PageFrameClearedScheduledNavigation) {
			if nav := fs.navLocked(v.FrameID); nav != nil {
				nav.cleared()
			}
		})
	case "Page.frameStartedNavigating":
		on(fs, e, func(v *frameStartedNavigating) {
			if nav := fs.navLocked(v.FrameID); nav != nil && !sameDocument(v.Type) {
				nav.start(v.LoaderID, v.URL)
			}
		})
	case "Page.frameStoppedLoading":
		on(fs, e, func(v *proto.PageFrameStoppedLoading) {
			if nav := fs.navLocked(v.FrameID); nav != nil {
				nav.stop()
			}
			if v.FrameID == fs.link.Frame {
				fs.doc.rests = true
			}
		})
	}
	return opens
}

func sameDocument(navigationType string) bool {
	return navigationType == "sameDocument" || navigationType == "historySameDocument"
}

func (t *tree) contextCreated(session string, v *proto.RuntimeExecutionContextCreated) {
	c := v.Context
	if c == nil {
		return
	}
	world, main, number := &t.world, &t.main, &t.number
	if id := proto.PageFrameID(c.AuxData["frameId"].Str()); id != t.link.Frame {
		f := t.subframeLocked(id)
		if f.own != "" && f.own != session { // a context of the document that the frame has just left
			return
		}
		f.session, f.crashed = session, false
		if f.own == session { // the commit may have preceded our attachment
			f.nav.over()
		}
		world, main, number = &f.world, &f.main, &f.number
	}
	switch {
	case c.AuxData["isDefault"].Bool():
		*main = c.UniqueID
	case c.Name == engine.World:
		*world, *number = c.UniqueID, int(c.ID)
	default:
		return
	}
	if session != t.link.Session {
		t.contexts[c.UniqueID] = session
	}
}

// IsOwnContext reports whether the engine has created the execution context with this number in a
// session.
func (fs *Frames) IsOwnContext(session string, number int) bool {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if number == 0 {
		return false
	}
	if session == fs.link.Session && number == fs.number {
		return true
	}
	for _, f := range fs.frames {
		if f.session == session && f.number == number {
			return true
		}
	}
	return false
}

func (t *tree) contextDestroyed(v *proto.RuntimeExecutionContextDestroyed) {
	delete(t.contexts, v.ExecutionContextUniqueID)
	clear := func(world, main *string) {
		switch v.ExecutionContextUniqueID {
		case *world:
			*world = ""
		case *main:
			*main = ""
		}
	}
	clear(&t.world, &t.main)
	for _, f := range t.frames {
		clear(&f.world, &f.main)
	}
}

func (t *tree) frameNavigated(v *proto.PageFrameNavigated) {
	f := v.Frame
	if f == nil {
		return
	}
	id := string(f.LoaderID)
	t.dropFramesInLocked(f.ID)
	if f.ID != t.link.Frame {
		t.movedInside()
		inner := t.subframeLocked(f.ID)
		inner.ax = false
		fetched := inner.nav.fetch(id)
		inner.nav.commit(id)
		inner.nav.came = f.URL + f.URLFragment
		if f.UnreachableURL != "" {
			inner.nav.none = &nowhere{url: f.UnreachableURL}
			if fetched != nil {
				inner.nav.none.status, inner.nav.none.failure = fetched.status, fetched.failure
			}
		}
		t.Net.Leave(f.ID, id)
		return
	}
	t.doc = document{
		id: id, url: f.URL + f.URLFragment, unreachable: f.UnreachableURL,
		reached: map[driver.LoadState]bool{driver.Commit: true},
		struck:  t.ending != nil && !t.ending.Over(),
	}
	t.ending = nil
	t.rev = t.refs.NextPage()
	if f.UnreachableURL == "" {
		t.denied = nil
	}
	if fetched := t.nav.fetch(id); fetched != nil {
		t.doc.status, t.doc.failure = fetched.status, fetched.failure
	}
	t.nav.commit(id)
	t.Net.Commit(id)
}

func (t *tree) movedInside() {
	t.inner++
	t.innerAt = time.Now()
}

func (t *tree) navigatedWithin(v *proto.PageNavigatedWithinDocument) {
	if v.FrameID != t.link.Frame {
		t.movedInside()
		return
	}
	t.doc.url = v.URL
	t.nav.within++
	t.nav.cleared()
}

// documentOpened records the new address of the main frame's document after a script has called
// document.open.
func (t *tree) documentOpened(v *proto.PageDocumentOpened) {
	if f := v.Frame; f != nil && f.ID == t.link.Frame {
		t.doc.url = f.URL + f.URLFragment
	}
}

var lifecycleStates = map[proto.PageLifecycleEventName]driver.LoadState{
	"commit": driver.Commit, "DOMContentLoaded": driver.DOMContentLoaded, "load": driver.Load,
}

func (t *tree) lifecycle(v *proto.PageLifecycleEvent) {
	if v.FrameID != t.link.Frame {
		return
	}
	if t.doc.id == "" { // the first document existed before we attached
		t.doc = document{id: string(v.LoaderID), url: "about:blank", reached: make(map[driver.LoadState]bool)}
	}
	if s, ok := lifecycleStates[v.Name]; ok && string(v.LoaderID) == t.doc.id {
		t.doc.reached[s] = true
	}
}

// frameDetached handles the end of a frame in a session. The frame was removed, or it has moved to
// another session.
func (t *tree) frameDetached(session string, v *proto.PageFrameDetached) {
	f := t.frames[v.FrameID]
	switch {
	case f == nil:
	case v.Reason != proto.PageFrameDetachedReasonSwap:
		t.dropFrameLocked(v.FrameID)
	case f.session == session:
		f.world, f.main = "", ""
	}
}

// AddSession records the session of a frame that does not run in the process of the page.
func (fs *Frames) AddSession(frame proto.PageFrameID, session string) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.subframeLocked(frame).own = session
}

// EndSession forgets a session of frames that has ended. Its pending calls fail with [cdp.ErrGone].
func (fs *Frames) EndSession(session string) {
	fs.mu.Lock()
	fs.clearLocked(session)
	for _, f := range fs.frames {
		if f.own == session {
			f.own = ""
		}
	}
	fs.link.Notify()
	fs.mu.Unlock()
	fs.link.Conn.Lose(session, cdp.ErrGone)
	fs.link.Conn.Forget(session)
}

// wake makes Chromium create the missing contexts of a session's document. Contexts are missing if
// a document without scripts replaces a frame in another process.
func (fs *Frames) wake(session string) {
	fs.mu.Lock()
	awake := session == fs.link.Session && fs.world != ""
	for _, f := range fs.frames {
		awake = awake || session != fs.link.Session && f.session == session && f.world != ""
	}
	fs.mu.Unlock()
	if !awake {
		fs.link.StartIn(context.Background(), session, proto.RuntimeEvaluate{Expression: "0"})
	}
}

// CrashSession records that the process of a session's frames has crashed.
func (fs *Frames) CrashSession(session string) {
	fs.mu.Lock()
	for _, f := range fs.frames {
		if f.session == session {
			f.crashed = true
		}
	}
	fs.clearLocked(session)
	fs.link.Notify()
	fs.mu.Unlock()
	fs.link.Conn.Lose(session, cdp.ErrGone)
	fs.link.Conn.Forget(session)
}
