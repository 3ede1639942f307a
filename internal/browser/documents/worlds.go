package documents

// Worlds of the frames.
//
// A world of the engine reaches its own document and the documents of frames of the same origin.
// Every other frame has its own world. If Chromium renders the frame in the page's process, that
// world is in the page's session. Otherwise the frame has a separate session. The browser attaches
// us to that session before the frame runs (Target.setAutoAttach).
//
// A walk of a document finds the element that shows the frame, not the frame. The engine numbers
// these elements: frameKey(el) returns the key of an element, and frameAt(key) the element.
// [Worlds.FrameWorlds] returns the worlds of the frames for such keys. [Worlds.Call] calls the
// engine in them. The worlds of nested frames are found in the same way. cdp.ErrGone from a call in
// a frame's world means that the frame was replaced, not the page.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/eval"
	"github.com/actionregistry/action/internal/driver"
)

// Worlds calls the engine in the documents of a tab and of its frames.
type Worlds struct {
	link   *Link
	frames *Frames
	step   *Step
	beside func(context.Context) error
	acts   counter // ids of engine calls that can be cancelled
}

// introduced is like [Worlds.Document], for a document that has just loaded. It uses the report
// that the document sends about itself. If the document sends none, introduced queries it.
func (ws *Worlds) introduced(ctx context.Context) (driver.Document, error) {
	var doc document
	err := ws.frames.Until(ctx, "the page does not report that it is loaded", func() bool {
		if doc.id == "" {
			doc = ws.frames.doc
		}
		if doc.id != ws.frames.doc.id { // replaced during the wait
			return true
		}
		doc = ws.frames.doc
		return doc.said != nil || doc.rests
	})
	if err != nil || doc.said == nil {
		return ws.Document(ctx)
	}
	return driver.Document{ID: doc.id, URL: doc.said.URL, Title: doc.said.Title, Status: doc.status}, nil
}

// restTime is how long rest waits after the load event of a document.
const restTime = 200 * time.Millisecond

// rest waits until the current document has stopped loading. Otherwise the event that it has
// stopped might be taken for the end of the next navigation.
func (ws *Worlds) rest(ctx context.Context) error {
	return ws.frames.UntilQuiet(ctx, "the page does not come to rest", func() (bool, time.Duration) {
		if ws.frames.doc.rests || ws.frames.doc.said == nil {
			return true, 0
		}
		left := restTime - time.Since(ws.frames.doc.said.at)
		return left <= 0, left
	})
}

// frameShown is a JavaScript function. It is called on the element of a frame, and reports whether
// a user can see that element.
const frameShown = `function(){const r=this.getBoundingClientRect();return r.width>1&&r.height>1&&r.right+scrollX>0&&r.bottom+scrollY>0&&` +
	`this.checkVisibility({visibilityProperty:true,opacityProperty:true})}`

// showsFrame reports whether the element of a frame is visible. It returns false for a frame that
// was removed.
func (ws *Worlds) showsFrame(ctx context.Context, id proto.PageFrameID) bool {
	ws.frames.mu.Lock()
	session, number := ws.link.Session, ws.frames.number
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

// nextTask is a JavaScript function. Its promise resolves when the page has handled earlier input.
// The result is true if the page is closing its tab.
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

// FrameWorlds returns the worlds of frames in w. A frame is identified by the key of the element
// that shows it, in keys and in the result. FrameWorlds omits frames that were removed or have
// crashed. The error is [cdp.ErrGone] if the document of w was replaced.
func (ws *Worlds) FrameWorlds(ctx context.Context, w World, keys []int) (map[int]World, error) {
	ids := make(map[int]proto.PageFrameID, len(keys))
	asked := make(map[int]*cdp.Call)
	for _, key := range keys {
		if id, ok := ws.frames.knownFrame(w, key); ok {
			ids[key] = id
		} else {
			asked[key] = ws.askFrame(ctx, w, key)
		}
	}
	worlds := make(map[int]World, len(keys))
	for _, key := range keys {
		id, ok := ids[key]
		if !ok {
			var err error
			id, err = ws.toldFrame(ctx, w, key, asked[key])
			if errors.Is(err, errNoFrame) {
				continue
			}
			if err != nil {
				return nil, err
			}
		}
		inner, err := ws.frameWorld(ctx, w, key, id)
		switch {
		case errors.Is(err, ErrAgain), errors.Is(err, ErrCrashed):
		case err != nil:
			return nil, err
		default:
			worlds[key] = inner
		}
	}
	return worlds, nil
}

// Enter returns the world of the frame that the element with this key in w shows. The error is
// [ErrAgain] if there is no such frame, [ErrCrashed] if its process has crashed, and [cdp.ErrGone]
// if the document of w was replaced.
func (ws *Worlds) Enter(ctx context.Context, w World, key int) (World, error) {
	id, ok := ws.frames.knownFrame(w, key)
	if !ok {
		var err error
		if id, err = ws.toldFrame(ctx, w, key, ws.askFrame(ctx, w, key)); errors.Is(err, errNoFrame) {
			return World{}, ws.AfterFrame(ctx)
		} else if err != nil {
			return World{}, err
		}
	}
	return ws.frameWorld(ctx, w, key, id)
}

// askFrame requests the element with this key in w. Pass the call to toldFrame.
func (ws *Worlds) askFrame(ctx context.Context, w World, key int) *cdp.Call {
	return ws.frames.Start(ctx, eval.CallFunction{
		FunctionDeclaration: "k=>__action.frameAt(k)", Arguments: eval.Args(key), UniqueContextID: w.ID,
	})
}

// toldFrame waits for the reply to k, a call of askFrame. It returns the frame that the element
// shows. The error is errNoFrame if the element shows none.
func (ws *Worlds) toldFrame(ctx context.Context, w World, key int, k *cdp.Call) (proto.PageFrameID, error) {
	var r eval.Evaluated
	if err := ws.link.Explain(ctx, k.Wait(&r)); err != nil {
		return "", err
	}
	object := proto.RuntimeRemoteObjectID(r.Result.ObjectID)
	if object == "" {
		return "", errNoFrame
	}
	session := ws.frames.SessionOf(w.ID)
	describe := ws.link.StartIn(ctx, session, proto.DOMDescribeNode{ObjectID: object})
	ws.link.StartIn(context.WithoutCancel(ctx), session, proto.RuntimeReleaseObject{ObjectID: object})
	var d struct {
		Node struct {
			FrameID proto.PageFrameID `json:"frameId"`
		} `json:"node"`
	}
	err := ws.link.Explain(ctx, describe.Wait(&d))
	switch {
	case diag.CodeOf(err) == diag.StepFailed: // the element or the document was removed
		return "", errNoFrame
	case err != nil:
		return "", err
	case d.Node.FrameID == "":
		return "", errNoFrame
	}
	ws.frames.mu.Lock()
	defer ws.frames.mu.Unlock()
	ws.frames.subframeLocked(d.Node.FrameID).shownBy = doorway{w.ID, key}
	return d.Node.FrameID, nil
}

// frameWorld waits until the frame id in w can be queried, and returns its world. The error is
// [ErrAgain] if the frame was removed, [ErrCrashed] if its process has crashed, and [cdp.ErrGone]
// if the document of w was replaced.
func (ws *Worlds) frameWorld(ctx context.Context, w World, key int, id proto.PageFrameID) (World, error) {
	inner := World{Doc: w.Doc, frame: id, Outer: &w, Key: key}
	var err error
	late := ws.frames.Until(ctx, "a frame of the page has no document that can be read", func() bool {
		f := ws.frames.frames[id]
		switch {
		case !ws.frames.currentLocked(w):
			err = cdp.ErrGone
		case f == nil:
			err = ErrAgain
		case f.crashed:
			err = ErrCrashed
		default:
			inner.ID = f.world
		}
		return err != nil || inner.ID != ""
	})
	if late != nil {
		return World{}, late
	}
	return inner, err
}

// AfterFrame waits for the next event, but at most for HoldAfter. It is called when an element
// shows no frame yet. It returns [ErrAgain], unless the wait fails.
func (ws *Worlds) AfterFrame(ctx context.Context) error {
	asked := false
	err := ws.frames.UntilQuiet(ctx, "", func() (bool, time.Duration) {
		was := asked
		asked = true
		return was, HoldAfter
	})
	if err != nil {
		return err
	}
	return ErrAgain
}

// Gone waits for the event that the document of w was replaced, after a call has failed for that
// reason. It returns [ErrAgain], unless the wait fails.
func (ws *Worlds) Gone(ctx context.Context, w World) error {
	if err := ws.frames.AfterWorld(ctx, w); err != nil {
		return err
	}
	return ErrAgain
}

// HoldAfter is how long a search in a frame may take before the surrounding document is watched
// too.
const HoldAfter = 50 * time.Millisecond

const (
	// Frames of other origins are read up to the depth DeepestFrame, and at most MostFrames of them
	// in one document.
	DeepestFrame = 10
	MostFrames   = 50
)

// Revived waits until a crashed frame in w runs again or was removed. The element with this key
// shows the frame. left returns the remaining time; if it is 0, Revived gives up.
func (ws *Worlds) Revived(ctx context.Context, w World, key int, left func() time.Duration) error {
	return ws.frames.UntilQuiet(ctx, "", func() (bool, time.Duration) {
		id, known := ws.frames.knownFrameLocked(w, key)
		return !ws.frames.currentLocked(w) || !known || !ws.frames.frames[id].crashed || left() == 0, left()
	})
}

// NextAct returns a new id for an engine call that can be cancelled.
func (ws *Worlds) NextAct() int64 { return ws.acts.next() }

// KeepAX makes the browser keep the accessibility tree of w's document. It does not wait for the
// browser's reply.
func (ws *Worlds) KeepAX(ctx context.Context, w World) {
	ws.frames.mu.Lock()
	id, kept := ws.frames.axLocked(w)
	ask := !*kept && ws.frames.currentLocked(w)
	if ask {
		*kept = true
		ws.frames.keeps = ws.frames.keeps || ws.frames.contexts[w.ID] == "" // a frame with its own session does not count
	}
	ws.frames.mu.Unlock()
	if ask {
		ctx = context.WithoutCancel(ctx) // the next query needs the tree too
		session := ws.frames.SessionOf(w.ID)
		ws.link.StartIn(ctx, session, proto.AccessibilityEnable{})
		ws.link.StartIn(ctx, session, proto.AccessibilityGetRootAXNode{FrameID: id})
	}
}

// CurrentWorld waits until the current document can be queried, and returns its world.
func (ws *Worlds) CurrentWorld(ctx context.Context) (World, error) {
	var w World
	if err := ws.beside(ctx); err != nil {
		return w, err
	}
	ws.step.Begin(false) // what has ended before is not caused by this step
	err := ws.frames.Until(ctx, "the page has no document that can be read", func() bool {
		w = World{ID: ws.frames.world, Doc: driver.Document{ID: ws.frames.doc.id, URL: ws.frames.doc.url, Status: ws.frames.doc.status}}
		return w.ID != ""
	})
	return w, err
}

// Call starts a call of a function of the engine in w. Answer waits for its result.
func (ws *Worlds) Call(ctx context.Context, w World, method string, arg any) *cdp.Call {
	k := ws.frames.Start(ctx, engineCall(w.ID, method, arg))
	k.Text = true
	return k
}

// maxAnswerChars is the maximum length of the answer to an engine call, in characters. The page
// refuses to send a longer answer.
const maxAnswerChars = 32 << 20

var engineFunction = fmt.Sprintf(
	"async(m,a)=>{const s=JSON.stringify(await __action[m](a));if(s&&s.length>%d)throw new RangeError(%q);return s}",
	maxAnswerChars, eval.TooLarge)

// engineCall returns the call of a function of the engine. Its result is JSON as text.
func engineCall(world, method string, arg any) eval.CallFunction {
	return eval.CallFunction{
		FunctionDeclaration: engineFunction,
		Arguments:           eval.Args(method, arg),
		UniqueContextID:     world, ReturnByValue: true, AwaitPromise: true,
	}
}

// Answer waits for a call of the engine and decodes its result into out. It returns cdp.ErrGone if
// the document was replaced before the reply.
func (ws *Worlds) Answer(ctx context.Context, k *cdp.Call, out any) error {
	if !k.Text {
		var r eval.Evaluated
		if err := ws.link.hear(ctx, k, &r); err != nil {
			return err
		}
		return r.ExceptionDetails.OrDecode(r.Result.Value, out)
	}
	var r eval.EvaluatedText
	err := ws.link.hear(ctx, k, &r)
	if noText := (*json.UnmarshalTypeError)(nil); errors.As(err, &noText) {
		var r eval.Evaluated // an exception's value is an object
		if err := ws.link.hear(ctx, k, &r); err != nil {
			return err
		}
		return r.ExceptionDetails.OrDecode(r.Result.Value, out)
	}
	if err != nil {
		return err
	}
	return r.ExceptionDetails.OrDecode([]byte(r.Result.Value), out)
}

// ErrSettled is the cause of calls that were cancelled because another answer came first.
var ErrSettled = errors.New("another answer came first")

// Ask calls a function of the engine in the current document. If that document is replaced before
// the reply, Ask repeats the call in the next one.
func (ws *Worlds) Ask(ctx context.Context, method string, arg, out any) (World, error) {
	for {
		w, err := ws.CurrentWorld(ctx)
		if err != nil {
			return w, err
		}
		err = ws.Answer(ctx, ws.Call(ctx, w, method, arg), out)
		if !errors.Is(err, cdp.ErrGone) {
			return w, err
		}
		if err := ws.frames.AfterWorld(ctx, w); err != nil {
			return w, err
		}
	}
}

// Document implements [driver.Navigator].
func (ws *Worlds) Document(ctx context.Context) (driver.Document, error) {
	var i info
	w, err := ws.Ask(ctx, "info", struct{}{}, &i)
	if err != nil {
		return driver.Document{}, err
	}
	w.Doc.URL, w.Doc.Title = i.URL, i.Title
	return w.Doc, nil
}

// Shown implements [driver.Navigator].
func (ws *Worlds) Shown(ctx context.Context) (driver.Document, error) {
	w, err := ws.CurrentWorld(ctx)
	return w.Doc, err
}
