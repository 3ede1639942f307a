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
func (o *Outcome) LedTo(ctx context.Context, w World) (nav *driver.Navigation, left bool, err error) {
	o.leaveUnseen(ctx, w)
	same, none, err := o.ended(ctx, w)
	if err == nil && same && none != nil && none.status == 0 {
		// Another navigation may have replaced it and is still to be reported.
		if err = o.worlds.AfterInput(ctx, w); err == nil {
			same, none, err = o.ended(ctx, w)
		}
	}
	if err != nil && (errors.Is(err, dialogs.ErrOpen) || o.closedItself(ctx)) { // the input opened a dialog or closed the tab
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	if same {
		if none, err = o.unlessSent(ctx, none); err != nil {
			return nil, false, err
		}
		if err := o.ledNowhere(none); err != nil {
			return nil, false, err
		}
		return nil, false, o.step.blockedNavigation()
	}
	to, err := o.arrived(ctx, o.worlds.Document)
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
func (o *Outcome) ended(ctx context.Context, w World) (same bool, none *nowhere, err error) {
	err = o.frames.Until(ctx, "the page that the input opened did not load", func() bool {
		same, none = o.frames.doc.id == w.Doc.ID, o.frames.nowhereLocked(w)
		return !o.frames.underWayLocked(w)
	})
	return same, none, err
}

// underWayLocked reports whether the page, or a frame that input in w has navigated, is loading
// another document.
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

// nowhereLocked returns how a navigation of the page, or of a frame navigated by input in w, has
// ended without a document since the step began; nil if none has.
func (t *tree) nowhereLocked(w World) *nowhere {
	if t.nav.none != nil {
		return t.nav.none
	}
	for id, f := range t.frames {
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

// LedFrame returns the document to which a link or a form has led a frame since the step began.
// It returns nil if there is none, or if the page itself has another document (nav).
func (fs *Frames) LedFrame(nav *driver.Navigation) *driver.Navigation {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for _, f := range fs.frames {
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
	p.Step.beginStep(true)
	for _, other := range p.b.linked(p)[1:] {
		other.Frames.forgetMove()
	}
}

// beginStep forgets what earlier input has begun. input says that the step's own input begins.
func (s *Step) beginStep(input bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.blocked, s.input = "", input
	s.before = sentBefore{s.Net.Sent(), s.Net.Writes(), s.opened()}
	s.frames.forgetMoves(input)
}

// forgetMoves forgets how the navigations of the page and of its frames ended. A frame that exists
// now is there before the input of a step, if there will be one.
func (fs *Frames) forgetMoves(input bool) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.nav.none, fs.nav.led = nil, false
	for _, f := range fs.frames {
		f.nav.none, f.nav.led, f.there = nil, false, input
	}
}

// forgetMove forgets how the last navigation of the page ended, for input in another tab.
func (fs *Frames) forgetMove() {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.nav.none, fs.nav.led, fs.nav.saved = nil, false, false
}

// takeSaved reports whether a navigation has ended with an answer that was a file since the last
// call.
func (fs *Frames) takeSaved() (saved bool) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	saved, fs.nav.saved = fs.nav.saved, false
	for _, f := range fs.frames {
		saved, f.nav.saved = saved || f.nav.saved, false
	}
	return saved
}

// leaveUnseen ignores navigations by scripts of frames that the page does not show: pages load
// those for purposes of their own.
func (o *Outcome) leaveUnseen(ctx context.Context, w World) {
	var led []proto.PageFrameID
	o.frames.mu.Lock()
	for id, f := range o.frames.frames {
		if id != w.frame && f.nav.led && f.there && !f.nav.isAsked() {
			led = append(led, id)
		}
	}
	o.frames.mu.Unlock()
	for _, id := range led {
		if o.worlds.showsFrame(ctx, id) {
			continue
		}
		o.frames.mu.Lock()
		if f := o.frames.frames[id]; f != nil {
			f.there = false
		}
		o.frames.mu.Unlock()
	}
}

// unlessSent returns none, or nil if the page has sent a form into an invisible frame. The answer
// to such a form need not be shown, only received.
func (o *Outcome) unlessSent(ctx context.Context, none *nowhere) (*nowhere, error) {
	if none == nil || none.frame == "" || none.status == 0 || o.worlds.showsFrame(ctx, none.frame) {
		return none, nil
	}
	return nil, nil
}

// frameShown reports whether a user can see the element of a frame.
const frameShown = `function(){const r=this.getBoundingClientRect();return r.width>1&&r.height>1&&r.right+scrollX>0&&r.bottom+scrollY>0&&` +
	`this.checkVisibility({visibilityProperty:true,opacityProperty:true})}`

// showsFrame reports whether the element of a frame is visible. It returns false for a frame that
// was removed.
func (ws *Worlds) showsFrame(ctx context.Context, id proto.PageFrameID) bool {
	ws.frames.mu.Lock()
	session, number := ws.link.session, ws.frames.number
	f := ws.frames.frames[id]
	if f == nil {
		ws.frames.mu.Unlock()
		return false
	}
	if outer := ws.frames.frames[f.parent]; outer != nil {
		session, number = outer.session, outer.number
	}
	ws.frames.mu.Unlock()
	var owner proto.DOMGetFrameOwnerResult
	if ws.link.StartIn(ctx, session, proto.DOMGetFrameOwner{FrameID: id}).Wait(&owner) != nil {
		return false
	}
	var node proto.DOMResolveNodeResult
	world := proto.RuntimeExecutionContextID(number)
	if ws.link.StartIn(ctx, session, proto.DOMResolveNode{BackendNodeID: owner.BackendNodeID, ExecutionContextID: world}).Wait(&node) != nil {
		return false
	}
	var seen struct {
		Result struct {
			Value bool `json:"value"`
		} `json:"result"`
	}
	object := node.Object.ObjectID
	err := ws.link.StartIn(ctx, session, proto.RuntimeCallFunctionOn{FunctionDeclaration: frameShown, ObjectID: object, ReturnByValue: true}).Wait(&seen)
	ws.link.StartIn(context.WithoutCancel(ctx), session, proto.RuntimeReleaseObject{ObjectID: object})
	return err == nil && seen.Result.Value
}

// ledNowhere returns the error for a navigation that input has started; nil if it is not an
// error.
func (o *Outcome) ledNowhere(none *nowhere) error {
	switch {
	case none == nil:
		return nil
	case none.stayed:
		return stayedHere()
	case none.failure != "":
		return o.frames.refusedDocument(o.navigationFailed(none.url, none.failure))
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
func (ws *Worlds) AfterInput(ctx context.Context, w World) error {
	k := ws.frames.Start(ctx, eval.CallFunction{FunctionDeclaration: nextTask, UniqueContextID: w.ID, AwaitPromise: true})
	closing := false
	if err := ws.Answer(ctx, k, &closing); err != nil && !errors.Is(err, cdp.ErrGone) {
		return err
	}
	if closing {
		ws.link.AwaitClose(ctx)
	}
	return nil
}

// Finish waits for the replies to input events. A document that was replaced meanwhile had
// received the events.
func (l *Link) Finish(ctx context.Context, calls []*cdp.Call) error {
	for _, k := range calls {
		if err := l.Explain(ctx, k.Wait(nil)); err != nil && !errors.Is(err, cdp.ErrGone) {
			return err
		}
	}
	return nil
}
