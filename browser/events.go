package browser

// What the browser tells about a page. Handlers run on the goroutine that reads
// the browser's messages, in the order of the messages: they change the page's
// state and return.
//
// For a new document Chromium sends, in this order: Page.frameStartedNavigating,
// Network.responseReceived, Runtime.executionContextsCleared,
// Page.frameNavigated, Runtime.executionContextCreated. So a context that is
// created always belongs to the document that was told last.

import (
	"encoding/json"

	"github.com/go-rod/rod/lib/proto"

	"actionregistry/steps"
)

// decode reads the params of e. What does not decode is dropped: rod's types are
// of 2024, and an event that we cannot read must not stop a run.
func decode(e *event, into any) bool {
	return json.Unmarshal(e.Params, into) == nil
}

// on decodes e and calls f with mu held when it did.
func on[E any](p *Page, e *event, f func(*E)) {
	var v E
	if !decode(e, &v) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	f(&v)
	p.notifyLocked()
}

// frameStartedNavigating is an event that rod does not know.
type frameStartedNavigating struct {
	FrameID  proto.PageFrameID `json:"frameId"`
	LoaderID string            `json:"loaderId"`
	URL      string            `json:"url"`
	Type     string            `json:"navigationType"`
}

func (p *Page) handle(e *event) {
	switch e.Method {
	case "Runtime.executionContextsCleared":
		on(p, e, func(*proto.RuntimeExecutionContextsCleared) { p.world, p.main = "", "" })
	case "Runtime.executionContextDestroyed":
		on(p, e, p.contextDestroyed)
	case "Runtime.executionContextCreated":
		on(p, e, p.contextCreated)
	case "Page.frameNavigated":
		on(p, e, p.frameNavigated)
	case "Page.navigatedWithinDocument":
		on(p, e, p.navigatedWithin)
	case "Page.lifecycleEvent":
		on(p, e, p.lifecycle)
	case "Page.frameScheduledNavigation":
		on(p, e, func(v *proto.PageFrameScheduledNavigation) {
			// A meta refresh is announced with its delay; nothing has started yet.
			if v.FrameID == p.frame && v.Delay == 0 {
				p.nav.request()
			}
		})
	case "Page.frameRequestedNavigation":
		on(p, e, func(v *proto.PageFrameRequestedNavigation) {
			if v.FrameID == p.frame && v.Disposition == proto.PageClientNavigationDispositionCurrentTab {
				p.nav.request()
			}
		})
	case "Page.frameClearedScheduledNavigation":
		on(p, e, func(v *proto.PageFrameClearedScheduledNavigation) {
			if v.FrameID == p.frame {
				p.nav.cleared()
			}
		})
	case "Page.frameStartedNavigating":
		on(p, e, func(v *frameStartedNavigating) {
			if v.FrameID == p.frame && !sameDocument(v.Type) {
				p.nav.start(v.LoaderID, v.URL)
			}
		})
	case "Page.frameStoppedLoading":
		on(p, e, func(v *proto.PageFrameStoppedLoading) {
			if v.FrameID == p.frame {
				p.nav.stop()
			}
		})
	case "Page.javascriptDialogOpening":
		var v proto.PageJavascriptDialogOpening
		if decode(e, &v) {
			p.answerDialog(&v)
		}
	case "Inspector.targetCrashed":
		p.lose(unavailable("the page crashed").WithHint("open the page again"))
	default:
		p.handleNetwork(e)
	}
}

func sameDocument(navigationType string) bool {
	return navigationType == "sameDocument" || navigationType == "historySameDocument"
}

func (p *Page) contextCreated(v *proto.RuntimeExecutionContextCreated) {
	c := v.Context
	if c == nil || proto.PageFrameID(c.AuxData["frameId"].Str()) != p.frame {
		return
	}
	switch {
	case c.AuxData["isDefault"].Bool():
		p.main = c.UniqueID
	case c.Name == worldName:
		p.world = c.UniqueID
	}
}

func (p *Page) contextDestroyed(v *proto.RuntimeExecutionContextDestroyed) {
	switch v.ExecutionContextUniqueID {
	case p.world:
		p.world = ""
	case p.main:
		p.main = ""
	}
}

func (p *Page) frameNavigated(v *proto.PageFrameNavigated) {
	f := v.Frame
	if f == nil || f.ID != p.frame {
		return
	}
	id := string(f.LoaderID)
	p.doc = document{
		id: id, url: f.URL + f.URLFragment, unreachable: f.UnreachableURL,
		reached: map[steps.LoadState]bool{steps.Commit: true},
	}
	if id == p.nav.loader {
		p.doc.status, p.doc.failure = p.nav.status, p.nav.failure
	}
	p.nav.commit(id)
	p.net.commit(id)
}

func (p *Page) navigatedWithin(v *proto.PageNavigatedWithinDocument) {
	if v.FrameID != p.frame {
		return
	}
	p.doc.url = v.URL
	p.nav.within++
	p.nav.cleared()
}

var lifecycleStates = map[proto.PageLifecycleEventName]steps.LoadState{
	"commit": steps.Commit, "DOMContentLoaded": steps.DOMContentLoaded, "load": steps.Load,
}

func (p *Page) lifecycle(v *proto.PageLifecycleEvent) {
	if v.FrameID != p.frame {
		return
	}
	if p.doc.id == "" { // the first document was there before us
		p.doc = document{id: string(v.LoaderID), url: "about:blank", reached: make(map[steps.LoadState]bool)}
	}
	if s, ok := lifecycleStates[v.Name]; ok && string(v.LoaderID) == p.doc.id {
		p.doc.reached[s] = true
	}
}
