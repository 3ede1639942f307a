package chrome

// Consequences of input: another document, or a navigation that ends without one.

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/dialogs"
	"github.com/actionregistry/action/internal/browser/eval"
	"github.com/actionregistry/action/internal/driver"
)

// LedTo waits for the end of the navigations that input in w has started, if any. It returns the
// new document of the page, or nil; left reports whether the page no longer shows the document of
// w. If a navigation of the page or of a frame ends without a document, or the browser has
// refused to begin one, the error is NAVIGATION_FAILED. An answer that is saved as a file is not
// an error.
func (p *Tab) LedTo(ctx context.Context, w World) (nav *driver.Navigation, left bool, err error) {
	p.leaveUnseen(ctx, w)
	same, none, err := p.ended(ctx, w)
	if err == nil && same && none != nil && none.status == 0 {
		// Another navigation may have replaced it and is still to be reported.
		if err = p.AfterInput(ctx, w); err == nil {
			same, none, err = p.ended(ctx, w)
		}
	}
	if err != nil && (errors.Is(err, dialogs.ErrOpen) || p.ClosedItself(ctx)) { // the input opened a dialog or closed the tab
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	if same {
		if none, err = p.unlessSent(ctx, none); err != nil {
			return nil, false, err
		}
		if err := p.ledNowhere(none); err != nil {
			return nil, false, err
		}
		return nil, false, p.blockedNavigation()
	}
	to, err := p.arrived(ctx, p.Document)
	switch {
	case err != nil:
		return nil, true, err
	case to.URL == blockedAddress:
		return nil, true, diag.New(diag.NavigationFailed, "the browser shows a blank page instead of an invalid address").
			WithDetail("url", to.URL).WithHint("check the address that the page links to (get attr href)")
	}
	return &to, true, nil
}

// blockedAddress is what the browser opens instead of an address that it cannot follow.
const blockedAddress = "about:blank#blocked"

// ended waits until neither the page nor a frame is navigating because of input in w. It reports
// whether the page still has the document of w; none is how a navigation has ended without a
// document, or nil.
func (p *Tab) ended(ctx context.Context, w World) (same bool, none *nowhere, err error) {
	err = p.Until(ctx, "the page that the input opened did not load", func() bool {
		same, none = p.doc.id == w.Doc.ID, p.nowhereLocked(w)
		return !p.underWayLocked(w)
	})
	return same, none, err
}

// underWayLocked reports whether the page, or a frame that input in w has navigated, is loading
// another document.
func (p *Tab) underWayLocked(w World) bool {
	if p.nav.pending() {
		return true
	}
	for id, f := range p.frames {
		if f.nav.pending() && f.isLed(id, w) {
			return true
		}
	}
	return false
}

// nowhereLocked returns how a navigation of the page, or of a frame navigated by input in w, has
// ended without a document since the step began; nil if none has.
func (p *Tab) nowhereLocked(w World) *nowhere {
	if p.nav.none != nil {
		return p.nav.none
	}
	for id, f := range p.frames {
		// A frame that continues in another process seems to stop: only an answer without a
		// document, or an error page, counts.
		if n := f.nav.none; n != nil && f.isLed(id, w) && (n.failure != "" || withoutContent(n.status)) {
			led := *n
			led.frame = id
			return &led
		}
	}
	return nil
}

// isLed reports whether the frame id is navigating because of input in w: the frame received the
// input, or it is navigated by a link or a form, or it existed before and is navigated by a
// script. Frames that a page adds, such as advertisements, load by themselves.
func (f *subframe) isLed(id proto.PageFrameID, w World) bool {
	return id == w.frame || f.nav.led && (f.nav.isAsked() || f.there)
}

// isAsked reports whether the navigation follows a link or sends a form.
func (n *navigation) isAsked() bool {
	switch n.reason {
	case proto.PageClientNavigationReasonAnchorClick, proto.PageClientNavigationReasonFormSubmissionGet,
		proto.PageClientNavigationReasonFormSubmissionPost:
		return true
	}
	return false
}

// forgetNowhere forgets, at the beginning of a step, navigations that ended before: the step's
// input did not cause them.
func (p *Tab) forgetNowhere() { p.beginStep(false) }

// LedFrame returns the document to which a link or a form has led a frame since the step began.
// It returns nil if there is none, or if the page itself has another document (nav).
func (p *Tab) LedFrame(nav *driver.Navigation) *driver.Navigation {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.frames {
		n := &f.nav
		if nav == nil && n.led && n.isAsked() && !n.pending() && n.none == nil && !n.saved && n.url != "" {
			return &driver.Navigation{URL: cmp.Or(n.came, n.url), Status: n.status}
		}
	}
	return nil
}

// BeginInput marks the moment at which the input of a step begins. A frame that navigates from
// now on does so because of it, and so does another tab that the page can address by name.
func (p *Tab) BeginInput() {
	p.beginStep(true)
	for _, other := range p.b.linked(p)[1:] {
		other.mu.Lock()
		other.nav.none, other.nav.led, other.nav.saved = nil, false, false
		other.mu.Unlock()
	}
}

func (p *Tab) beginStep(input bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.nav.none, p.nav.led, p.blocked, p.input = nil, false, "", input
	p.before = sentBefore{p.Net.Sent(), p.Net.Writes(), len(p.popups.came)}
	for _, f := range p.frames {
		f.nav.none, f.nav.led, f.there = nil, false, input
	}
}

// leaveUnseen ignores navigations by scripts of frames that the page does not show: pages load
// those for purposes of their own.
func (p *Tab) leaveUnseen(ctx context.Context, w World) {
	var led []proto.PageFrameID
	p.mu.Lock()
	for id, f := range p.frames {
		if id != w.frame && f.nav.led && f.there && !f.nav.isAsked() {
			led = append(led, id)
		}
	}
	p.mu.Unlock()
	for _, id := range led {
		if p.showsFrame(ctx, id) {
			continue
		}
		p.mu.Lock()
		if f := p.frames[id]; f != nil {
			f.there = false
		}
		p.mu.Unlock()
	}
}

// unlessSent returns none, or nil if the page has sent a form into an invisible frame. The answer
// to such a form need not be shown, only received.
func (p *Tab) unlessSent(ctx context.Context, none *nowhere) (*nowhere, error) {
	if none == nil || none.frame == "" || none.status == 0 || p.showsFrame(ctx, none.frame) {
		return none, nil
	}
	return nil, nil
}

// frameShown reports whether a user can see the element of a frame.
const frameShown = `function(){const r=this.getBoundingClientRect();return r.width>1&&r.height>1&&r.right+scrollX>0&&r.bottom+scrollY>0&&` +
	`this.checkVisibility({visibilityProperty:true,opacityProperty:true})}`

// showsFrame reports whether the element of a frame is visible. It returns false for a frame that
// was removed.
func (p *Tab) showsFrame(ctx context.Context, id proto.PageFrameID) bool {
	p.mu.Lock()
	session, number := p.session, p.number
	f := p.frames[id]
	if f == nil {
		p.mu.Unlock()
		return false
	}
	if outer := p.frames[f.parent]; outer != nil {
		session, number = outer.session, outer.number
	}
	p.mu.Unlock()
	var owner proto.DOMGetFrameOwnerResult
	if p.StartIn(ctx, session, proto.DOMGetFrameOwner{FrameID: id}).Wait(&owner) != nil {
		return false
	}
	var node proto.DOMResolveNodeResult
	world := proto.RuntimeExecutionContextID(number)
	if p.StartIn(ctx, session, proto.DOMResolveNode{BackendNodeID: owner.BackendNodeID, ExecutionContextID: world}).Wait(&node) != nil {
		return false
	}
	var seen struct {
		Result struct {
			Value bool `json:"value"`
		} `json:"result"`
	}
	object := node.Object.ObjectID
	err := p.StartIn(ctx, session, proto.RuntimeCallFunctionOn{FunctionDeclaration: frameShown, ObjectID: object, ReturnByValue: true}).Wait(&seen)
	p.StartIn(context.WithoutCancel(ctx), session, proto.RuntimeReleaseObject{ObjectID: object})
	return err == nil && seen.Result.Value
}

// ledNowhere returns the error for a navigation that input has started; nil if it is not an
// error.
func (p *Tab) ledNowhere(none *nowhere) error {
	switch {
	case none == nil:
		return nil
	case none.stayed:
		return stayedHere()
	case none.failure != "":
		return p.refusedDocument(p.b.navigationFailed(none.url, none.failure))
	case none.status == 0 && !fetched(none.url):
		return nil // the system opens another program; the browser does not navigate
	}
	return withoutPage(none.url, none.status)
}

// fetched reports whether the browser itself fetches address.
func fetched(address string) bool {
	scheme, _, _ := strings.Cut(address, ":")
	switch scheme {
	case "http", "https", "file", "blob", "data":
		return true
	}
	return false
}

// withoutContent reports whether an answer of this status has no document.
func withoutContent(status int) bool {
	return status == http.StatusNoContent || status == http.StatusResetContent
}

// withoutPage returns the error for a navigation that ended without a document.
func withoutPage(address string, status int) *diag.Error {
	if withoutContent(status) {
		return noPage(address, "the server answered "+map[int]string{204: "204 No Content", 205: "205 Reset Content"}[status]).
			WithDetail("status", status)
	}
	return noPage(address, "the navigation was stopped")
}

// stayedHere returns the error for a page whose beforeunload dialog was dismissed.
func stayedHere() *diag.Error {
	return diag.New(diag.NavigationFailed, "the page opened a dialog before leaving (beforeunload), which was dismissed").
		WithHint("have it accepted: run action dialog accept first, or set policy.dialogs")
}

// nextTask resolves in a separate task, when what earlier input has started, such as the
// navigation of a form, has been reported. Its value is whether the page is closing its tab.
const nextTask = "()=>new Promise(r=>setTimeout(()=>r(closed)))"

// AfterInput waits until the page has handled earlier input.
func (p *Tab) AfterInput(ctx context.Context, w World) error {
	k := p.Start(ctx, eval.CallFunction{FunctionDeclaration: nextTask, UniqueContextID: w.ID, AwaitPromise: true})
	closing := false
	if err := p.Answer(ctx, k, &closing); err != nil && !errors.Is(err, cdp.ErrGone) {
		return err
	}
	if closing {
		p.AwaitClose(ctx)
	}
	return nil
}

// Finish waits for the replies to input events. A document that was replaced meanwhile had
// received the events.
func (p *Tab) Finish(ctx context.Context, calls []*cdp.Call) error {
	for _, k := range calls {
		if err := p.b.explain(ctx, k.Wait(nil)); err != nil && !errors.Is(err, cdp.ErrGone) {
			return err
		}
	}
	return nil
}
