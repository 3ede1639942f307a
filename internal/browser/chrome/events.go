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
func on[E any](p *Tab, e *cdp.Event, f func(*E)) {
	var v E
	if !cdp.Decode(e, &v) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	f(&v)
	p.notifyLocked()
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
	case "Runtime.executionContextsCleared":
		on(p, e, func(*proto.RuntimeExecutionContextsCleared) { p.clearLocked(e.Session) })
	case "Runtime.executionContextDestroyed":
		on(p, e, p.contextDestroyed)
	case "Runtime.executionContextCreated":
		on(p, e, func(v *proto.RuntimeExecutionContextCreated) { p.contextCreated(e.Session, v) })
	case "Runtime.bindingCalled":
		if e.Session == p.session {
			on(p, e, p.bindingCalled)
		}
	case "Page.frameNavigated":
		kept, trees, shown := "", false, (*proto.PageFrame)(nil)
		on(p, e, func(v *proto.PageFrameNavigated) {
			shown = v.Frame
			p.frameNavigated(v)
			if v.Frame != nil && v.Frame.ID == p.frame {
				kept, trees, p.keeps = p.world, p.keeps, false
			}
		})
		if trees { // the next document may not need them
			p.b.conn.Start(context.Background(), p.session, proto.AccessibilityDisable{})
		}
		p.installAgain(kept)
		p.shown(shown)
	case "Page.frameAttached":
		on(p, e, func(v *proto.PageFrameAttached) { p.subframeLocked(v.FrameID).parent = v.ParentFrameID })
	case "Page.frameDetached":
		on(p, e, func(v *proto.PageFrameDetached) { p.frameDetached(e.Session, v) })
	case "Target.attachedToTarget":
		p.attached(e)
	case "Target.detachedFromTarget":
		p.detached(e)
	case "Page.navigatedWithinDocument":
		on(p, e, p.navigatedWithin)
	case "Page.documentOpened":
		on(p, e, p.documentOpened)
	case "Page.lifecycleEvent":
		on(p, e, p.lifecycle)
	case "Page.domContentEventFired":
		p.wake(e.Session)
	case "Page.javascriptDialogOpening":
		var v proto.PageJavascriptDialogOpening
		if e.Session == p.session && cdp.Decode(e, &v) { // every session of the page reports it
			p.dialogOpened(&v)
		}
	case "Page.javascriptDialogClosed":
		var v proto.PageJavascriptDialogClosed
		if e.Session == p.session && cdp.Decode(e, &v) {
			p.dialogClosed(&v)
		}
	case "Input.dragIntercepted":
		on(p, e, func(v *proto.InputDragIntercepted) { p.carried = v.Data })
	case "Page.fileChooserOpened":
		p.chooserCame(e)
	case "Fetch.requestPaused", "Fetch.authRequired":
		if p.hidden {
			if reply := storage.Answer(e); reply != nil {
				p.b.conn.Start(context.Background(), p.session, reply)
			}
			return
		}
		if e.Method == "Fetch.requestPaused" {
			p.paused(e)
			return
		}
		p.b.answerProxy(e)
	case "Inspector.targetCrashed":
		p.crashed(e.Session)
	case "Tracing.dataCollected":
		p.Timers.Note(e)
	case "Tracing.tracingComplete":
		p.Timers.NoteEnd(e)
	case "Log.entryAdded":
		on(p, e, p.noteBlocked)
	default:
		p.handleNavigation(e)
	}
}

// chooserCame records a file dialog.
func (p *Tab) chooserCame(e *cdp.Event) {
	on(p, e, func(v *proto.PageFileChooserOpened) {
		p.chooser = &Chooser{Session: e.Session, Frame: v.FrameID, Node: v.BackendNodeID}
		if v.BackendNodeID != 0 { // prevents the collection of an input that the page does not reference
			p.b.conn.Start(context.Background(), e.Session, proto.DOMResolveNode{BackendNodeID: v.BackendNodeID, ObjectGroup: FilesGroup})
		}
	})
}

// handleNavigation handles the events of navigations.
func (p *Tab) handleNavigation(e *cdp.Event) {
	switch e.Method {
	case "Page.frameScheduledNavigation":
		on(p, e, func(v *proto.PageFrameScheduledNavigation) {
			// A meta refresh is announced with its delay, when nothing has started yet.
			if nav := p.navLocked(v.FrameID); nav != nil && v.Delay == 0 {
				nav.request(v.Reason, v.URL)
			}
		})
	case "Page.frameRequestedNavigation":
		on(p, e, func(v *proto.PageFrameRequestedNavigation) {
			switch nav := p.navLocked(v.FrameID); v.Disposition {
			case proto.PageClientNavigationDispositionCurrentTab:
				if nav != nil {
					nav.request(v.Reason, v.URL)
				}
			case proto.PageClientNavigationDispositionNewTab, proto.PageClientNavigationDispositionNewWindow:
				p.announce(v.URL) // a link pressed with a modifier key
			}
		})
	case "Page.windowOpen":
		on(p, e, func(v *proto.PageWindowOpen) { p.announce(v.URL) })
	case "Page.frameClearedScheduledNavigation":
		on(p, e, func(v *proto.PageFrameClearedScheduledNavigation) {
			if nav := p.navLocked(v.FrameID); nav != nil {
				nav.cleared()
			}
		})
	case "Page.frameStartedNavigating":
		on(p, e, func(v *frameStartedNavigating) {
			if nav := p.navLocked(v.FrameID); nav != nil && !sameDocument(v.Type) {
				nav.start(v.LoaderID, v.URL)
			}
		})
	case "Page.frameStoppedLoading":
		on(p, e, func(v *proto.PageFrameStoppedLoading) {
			if nav := p.navLocked(v.FrameID); nav != nil {
				nav.stop()
			}
			if v.FrameID == p.frame {
				p.doc.rests = true
			}
		})
	default:
		p.handleNetwork(e)
	}
}

func sameDocument(navigationType string) bool {
	return navigationType == "sameDocument" || navigationType == "historySameDocument"
}

func (p *Tab) contextCreated(session string, v *proto.RuntimeExecutionContextCreated) {
	c := v.Context
	if c == nil {
		return
	}
	world, main, number := &p.world, &p.main, &p.number
	if id := proto.PageFrameID(c.AuxData["frameId"].Str()); id != p.frame {
		f := p.subframeLocked(id)
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
	if session != p.session {
		p.contexts[c.UniqueID] = session
	}
}

func (p *Tab) contextDestroyed(v *proto.RuntimeExecutionContextDestroyed) {
	delete(p.contexts, v.ExecutionContextUniqueID)
	clear := func(world, main *string) {
		switch v.ExecutionContextUniqueID {
		case *world:
			*world = ""
		case *main:
			*main = ""
		}
	}
	clear(&p.world, &p.main)
	for _, f := range p.frames {
		clear(&f.world, &f.main)
	}
}

func (p *Tab) frameNavigated(v *proto.PageFrameNavigated) {
	f := v.Frame
	if f == nil {
		return
	}
	id := string(f.LoaderID)
	p.dropFramesInLocked(f.ID)
	if f.ID != p.frame {
		p.movedInside()
		inner := p.subframeLocked(f.ID)
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
		p.Net.Leave(f.ID, id)
		return
	}
	p.doc = document{
		id: id, url: f.URL + f.URLFragment, unreachable: f.UnreachableURL,
		reached: map[driver.LoadState]bool{driver.Commit: true},
		struck:  p.ending != nil && !p.ending.Over(),
	}
	p.ending = nil
	p.rev = p.refs.NextPage()
	if f.UnreachableURL == "" {
		p.denied = nil
	}
	if fetched := p.nav.fetch(id); fetched != nil {
		p.doc.status, p.doc.failure = fetched.status, fetched.failure
	}
	p.nav.commit(id)
	p.Net.Commit(id)
}

// installAgain installs the engine for a document that reuses the world of the previous one: for
// the first page of its opener's origin, Chromium keeps the contexts of a blank tab and does not
// run the scripts registered for new documents.
func (p *Tab) installAgain(world string) {
	if world != "" {
		p.b.conn.Start(context.Background(), p.session, proto.RuntimeEvaluate{Expression: p.b.engineSource(), UniqueContextID: world})
	}
}

func (p *Tab) movedInside() {
	p.inner++
	p.innerAt = time.Now()
}

func (p *Tab) navigatedWithin(v *proto.PageNavigatedWithinDocument) {
	if v.FrameID != p.frame {
		p.movedInside()
		return
	}
	p.doc.url = v.URL
	p.nav.within++
	p.nav.cleared()
}

// documentOpened handles document.open, which gives a document the address of the document whose
// script has called it.
func (p *Tab) documentOpened(v *proto.PageDocumentOpened) {
	if f := v.Frame; f != nil && f.ID == p.frame {
		p.doc.url = f.URL + f.URLFragment
	}
}

var lifecycleStates = map[proto.PageLifecycleEventName]driver.LoadState{
	"commit": driver.Commit, "DOMContentLoaded": driver.DOMContentLoaded, "load": driver.Load,
}

func (p *Tab) lifecycle(v *proto.PageLifecycleEvent) {
	if v.FrameID != p.frame {
		return
	}
	if p.doc.id == "" { // the first document existed before we attached
		p.doc = document{id: string(v.LoaderID), url: "about:blank", reached: make(map[driver.LoadState]bool)}
	}
	if s, ok := lifecycleStates[v.Name]; ok && string(v.LoaderID) == p.doc.id {
		p.doc.reached[s] = true
	}
}
