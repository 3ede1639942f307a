package chrome

// Events of a page. Handlers run in the goroutine that reads the browser's messages, in the order
// of the messages; they change the page's state and return.
//
// For a new document Chromium sends, in this order: Page.frameStartedNavigating,
// Network.responseReceived, Runtime.executionContextsCleared, Page.frameNavigated,
// Runtime.executionContextCreated. So a new context always belongs to the most recent document.

import (
	"context"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/engine"
	"github.com/actionregistry/action/internal/browser/storage"
	"github.com/actionregistry/action/internal/driver"
)

// on decodes e and, if that succeeds, calls f with mu held.
func on[E any](fs *Frames, e *cdp.Event, f func(*E)) {
	var v E
	if !cdp.Decode(e, &v) {
		return
	}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f(&v)
	fs.link.notify()
}

// frameStartedNavigating is an event that rod does not have.
type frameStartedNavigating struct {
	FrameID  proto.PageFrameID `json:"frameId"`
	LoaderID string            `json:"loaderId"`
	URL      string            `json:"url"`
	Type     string            `json:"navigationType"`
}

func (p *Tab) handle(e *cdp.Event) {
	switch e.Method {
	case "Page.frameNavigated":
		p.frameCommitted(e)
	case "Target.attachedToTarget":
		p.attached(e)
	case "Target.detachedFromTarget":
		p.detached(e)
	case "Page.windowOpen":
		var v proto.PageWindowOpen
		if cdp.Decode(e, &v) {
			p.Popups.announce(v.URL)
		}
	case "Page.javascriptDialogOpening":
		var v proto.PageJavascriptDialogOpening
		if e.Session == p.Link.session && cdp.Decode(e, &v) { // every session of the page reports it
			p.dialogOpened(&v)
		}
	case "Page.javascriptDialogClosed":
		var v proto.PageJavascriptDialogClosed
		if e.Session == p.Link.session && cdp.Decode(e, &v) {
			p.dialogClosed(&v)
		}
	case "Input.dragIntercepted", "Page.fileChooserOpened":
		p.Handed.handOver(e)
	case "Fetch.requestPaused", "Fetch.authRequired":
		p.handlePaused(e)
	case "Inspector.targetCrashed":
		p.crashed(e.Session)
	case "Tracing.dataCollected":
		p.Timers.Note(e)
	case "Tracing.tracingComplete":
		p.Timers.NoteEnd(e)
	case "Log.entryAdded":
		var v proto.LogEntryAdded
		if cdp.Decode(e, &v) && v.Entry != nil {
			if blocksTab(v.Entry.Text) {
				p.Popups.withdraw()
			}
			p.Step.noteBlocked(v.Entry.Text)
		}
	default:
		if v := p.Frames.handleFrames(e); v != "" { // a link pressed with a modifier key
			p.Popups.announce(v)
		}
		p.handleNetwork(e)
	}
}

// handlePaused handles a paused request, or a proxy that requires authentication.
func (p *Tab) handlePaused(e *cdp.Event) {
	switch {
	case p.hidden:
		if reply := storage.Answer(e); reply != nil {
			p.Link.conn.Start(context.Background(), p.Link.session, reply)
		}
	case e.Method == "Fetch.requestPaused":
		p.paused(e)
	default:
		p.b.answerProxy(e)
	}
}

// frameCommitted handles the new document of a frame.
func (p *Tab) frameCommitted(e *cdp.Event) {
	shown, kept, trees := p.Frames.commit(e)
	if trees { // the next document may not need them
		p.Link.conn.Start(context.Background(), p.Link.session, proto.AccessibilityDisable{})
	}
	p.installAgain(kept)
	p.shown(shown)
}

// commit records the new document of a frame. If the main frame has it, kept is the world of the
// previous document, if that is still there, and trees reports whether the browser has kept
// accessibility trees.
func (fs *Frames) commit(e *cdp.Event) (shown *proto.PageFrame, kept string, trees bool) {
	on(fs, e, func(v *proto.PageFrameNavigated) {
		shown = v.Frame
		fs.frameNavigated(v)
		if v.Frame != nil && v.Frame.ID == fs.frame {
			kept, trees, fs.keeps = fs.world, fs.keeps, false
		}
	})
	return shown, kept, trees
}

// handleFrames handles the events of documents, contexts and navigations. It returns the address
// that a press opens in another tab; "" for none.
func (fs *Frames) handleFrames(e *cdp.Event) (opens string) {
	switch e.Method {
	case "Runtime.executionContextsCleared":
		on(fs, e, func(*proto.RuntimeExecutionContextsCleared) { fs.clearLocked(e.Session) })
	case "Runtime.executionContextDestroyed":
		on(fs, e, fs.contextDestroyed)
	case "Runtime.executionContextCreated":
		on(fs, e, func(v *proto.RuntimeExecutionContextCreated) { fs.contextCreated(e.Session, v) })
	case "Runtime.bindingCalled":
		if e.Session == fs.link.session {
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

// handleNavigation handles the events of navigations; see handleFrames.
func (fs *Frames) handleNavigation(e *cdp.Event) (opens string) {
	switch e.Method {
	case "Page.frameScheduledNavigation":
		on(fs, e, func(v *proto.PageFrameScheduledNavigation) {
			// A meta refresh is announced with its delay, when nothing has started yet.
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
			if v.FrameID == fs.frame {
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
	if id := proto.PageFrameID(c.AuxData["frameId"].Str()); id != t.frame {
		f := t.subframeLocked(id)
		if f.own != "" && f.own != session { // from the document that the frame has just left
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
	if session != t.link.session {
		t.contexts[c.UniqueID] = session
	}
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
	if f.ID != t.frame {
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

// installAgain installs the engine for a document that reuses the world of the previous one: for
// the first page of its opener's origin, Chromium keeps the contexts of a blank tab and does not
// run the scripts registered for new documents.
func (p *Tab) installAgain(world string) {
	if world != "" {
		p.Link.conn.Start(context.Background(), p.Link.session, proto.RuntimeEvaluate{Expression: p.b.engineSource(), UniqueContextID: world})
	}
}

func (t *tree) movedInside() {
	t.inner++
	t.innerAt = time.Now()
}

func (t *tree) navigatedWithin(v *proto.PageNavigatedWithinDocument) {
	if v.FrameID != t.frame {
		t.movedInside()
		return
	}
	t.doc.url = v.URL
	t.nav.within++
	t.nav.cleared()
}

// documentOpened handles document.open, which gives a document the address of the document whose
// script has called it.
func (t *tree) documentOpened(v *proto.PageDocumentOpened) {
	if f := v.Frame; f != nil && f.ID == t.frame {
		t.doc.url = f.URL + f.URLFragment
	}
}

var lifecycleStates = map[proto.PageLifecycleEventName]driver.LoadState{
	"commit": driver.Commit, "DOMContentLoaded": driver.DOMContentLoaded, "load": driver.Load,
}

func (t *tree) lifecycle(v *proto.PageLifecycleEvent) {
	if v.FrameID != t.frame {
		return
	}
	if t.doc.id == "" { // the first document existed before we attached
		t.doc = document{id: string(v.LoaderID), url: "about:blank", reached: make(map[driver.LoadState]bool)}
	}
	if s, ok := lifecycleStates[v.Name]; ok && string(v.LoaderID) == t.doc.id {
		t.doc.reached[s] = true
	}
}
