package chrome

// Frames inside the page.
//
// A world of the engine reaches its own document and the documents of frames of the same origin.
// Every other frame (of another origin, or sandboxed) has its own world: in the page's session if
// Chromium renders it in the same process, otherwise in a separate session. The browser attaches
// us to the latter before they run (Target.setAutoAttach) without further queries, so a page
// without such frames costs no call.
//
// A walk of a document finds the element of such a frame, not the frame. The engine numbers these
// elements: frameKey(el) in the page, and frameAt(key) back. With the keys from a walk in a
// world, a caller gets the worlds behind them from [Tab.FrameWorlds] and calls the engine there
// with [Tab.Call] as usual. Worlds of nested frames are found in the same way. cdp.ErrGone from a
// call in a frame's world means that the frame was replaced, not the page.

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/engine"
	"github.com/actionregistry/action/internal/browser/eval"
)

// A subframe is the state of one frame other than the main one.
type subframe struct {
	parent  proto.PageFrameID
	own     string     // its own session; "" if it has none
	session string     // the session of its contexts
	world   string     // unique id of the engine's context; "" while a document is replaced
	main    string     // unique id of the page's own context
	number  int        // number of world's context in its session
	shownBy doorway    // the element that shows it, once queried
	nav     navigation // the frame's navigation
	there   bool       // it existed when the input of the step began; see Page.beginInput
	ax      bool       // the accessibility tree is kept for its document
	crashed bool
}

// A doorway is the element of a frame, in the world that contains it. The world is "" until the
// element is queried.
type doorway struct {
	world string
	key   int
}

var (
	// ErrAgain means that a frame was removed or moved during a query, which must be repeated.
	ErrAgain = errors.New("a frame changed meanwhile")
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

// has reports whether a frame is one of the tab's.
func (fs *Frames) has(id proto.PageFrameID) bool {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return fs.frame == id || fs.frames[id] != nil
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

// navLocked returns the navigation state of a frame, nil if it is unknown.
func (t *tree) navLocked(id proto.PageFrameID) *navigation {
	if id == t.frame {
		return &t.nav
	}
	if f := t.frames[id]; f != nil {
		return &f.nav
	}
	return nil
}

// navOfLocked returns the navigation state of the frame that has requested the document of
// loader, or the page's if no frame is known to have.
func (t *tree) navOfLocked(loader string) *navigation {
	for _, f := range t.frames {
		if f.nav.fetch(loader) != nil {
			return &f.nav
		}
	}
	return &t.nav
}

// responded records the status of the answer that has the document of loader.
func (fs *Frames) responded(loader string, status int) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.navOfLocked(loader).respond(loader, status)
}

// fetchFailed records that the document of loader could not be fetched.
func (fs *Frames) fetchFailed(loader, text string, cancelled bool) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.navOfLocked(loader).fail(loader, text, cancelled)
}

// frameDetached handles the removal of a frame. The event is also sent in a session that a frame
// leaves for another.
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

// autoAttach makes the browser attach us to frames of other processes before they run. It pauses
// workers and worklets too, whether or not the filter includes them: see workers.go.
var autoAttach = proto.TargetSetAutoAttach{
	AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: true,
	Filter: proto.TargetTargetFilter{
		{Type: "iframe"}, {Type: "worker"}, {Type: "worklet"}, {Type: "auction_worklet"}, {Type: "shared_storage_worklet"},
	},
}

// attachedToTarget is an event of which rod's type lacks fields.
type attachedToTarget struct {
	SessionID  string `json:"sessionId"`
	TargetInfo struct {
		ID     proto.PageFrameID `json:"targetId"`
		Type   string            `json:"type"`
		Parent proto.PageFrameID `json:"parentId"`
		Frame  proto.PageFrameID `json:"parentFrameId"` // the frame that created a worker
	} `json:"targetInfo"`
}

// attached sets up the session of a frame of another process. It does not wait for the replies:
// the frame begins to run with the last call.
func (p *Tab) attached(e *cdp.Event) {
	var v attachedToTarget
	if !cdp.Decode(e, &v) {
		return
	}
	session, ctx, small := v.SessionID, context.Background(), 1 // as for the page, see firstCalls
	if v.TargetInfo.Type != "iframe" {
		p.b.workerCame(worker{page: p, ruled: v.TargetInfo.Frame == v.TargetInfo.Parent}, session)
		return
	}
	if !p.b.addSession(session, p) {
		return
	}
	p.Frames.addSession(v.TargetInfo.ID, session)
	for _, req := range slices.Concat([]proto.Request{
		proto.InspectorEnable{},
		proto.PageEnable{},
		proto.NetworkEnable{MaxTotalBufferSize: &small, MaxResourceBufferSize: &small},
		proto.RuntimeEnable{},
		proto.LogEnable{},
		proto.PageAddScriptToEvaluateOnNewDocument{Source: p.b.engineSource(), WorldName: engine.World, RunImmediately: true},
		autoAttach,
		proto.EmulationSetScriptExecutionDisabled{Value: p.b.opts.NoJavaScript},
	}, p.b.localeCalls(), p.b.first(), []proto.Request{proto.RuntimeRunIfWaitingForDebugger{}}) {
		p.Link.conn.Start(ctx, session, req)
	}
}

// detached ends a session of a frame, which was removed or continues in another session.
func (p *Tab) detached(e *cdp.Event) {
	var v proto.TargetDetachedFromTarget
	if !cdp.Decode(e, &v) {
		return
	}
	session := string(v.SessionID)
	p.b.workerLeft(session)
	p.b.dropSession(session)
	p.Frames.endSession(session)
}

// addSession records the session of a frame of another process.
func (fs *Frames) addSession(frame proto.PageFrameID, session string) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.subframeLocked(frame).own = session
}

// endSession forgets a session of frames, which were removed or continue in another one.
func (fs *Frames) endSession(session string) {
	fs.mu.Lock()
	fs.clearLocked(session)
	for _, f := range fs.frames {
		if f.own == session {
			f.own = ""
		}
	}
	fs.link.notify()
	fs.mu.Unlock()
	fs.link.conn.Lose(session, cdp.ErrGone)
	fs.link.conn.Forget(session)
}

// wake creates the contexts of a session's document. Chromium creates them with the document,
// except for a document without scripts that replaces a frame of another process.
func (fs *Frames) wake(session string) {
	fs.mu.Lock()
	awake := session == fs.link.session && fs.world != ""
	for _, f := range fs.frames {
		awake = awake || session != fs.link.session && f.session == session && f.world != ""
	}
	fs.mu.Unlock()
	if !awake {
		fs.link.StartIn(context.Background(), session, proto.RuntimeEvaluate{Expression: "0"})
	}
}

// crashed handles the crash of a process, reported in the session of its frames. The session
// continues with the next document.
func (p *Tab) crashed(session string) {
	if session == p.Link.session {
		p.Link.lose(cdp.Unavailable("the page crashed").WithHint("open the page again"))
		p.b.crashed(p)
		return
	}
	p.Frames.crashSession(session)
}

// crashSession records that the process of a session's frames has crashed.
func (fs *Frames) crashSession(session string) {
	fs.mu.Lock()
	for _, f := range fs.frames {
		if f.session == session {
			f.crashed = true
		}
	}
	fs.clearLocked(session)
	fs.link.notify()
	fs.mu.Unlock()
	fs.link.conn.Lose(session, cdp.ErrGone)
	fs.link.conn.Forget(session)
}

// clearLocked forgets the contexts of a session.
func (t *tree) clearLocked(session string) {
	if session == t.link.session {
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

func (fs *Frames) IsCurrent(w World) bool {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return fs.currentLocked(w)
}

// FrameWorlds returns the worlds of the frames shown by the elements with these keys in the world
// w. It omits a frame that was removed meanwhile, or whose process has crashed. cdp.ErrGone means
// that w was replaced.
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

// Enter returns the world of the frame that the element with a key shows. errAgain means that it
// shows none, or that the frame was removed; errCrashed means the same as for frameWorld.
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

// knownFrame returns the frame of an element that was queried before. A frame belongs to its
// element until it is detached.
func (fs *Frames) knownFrame(w World, key int) (proto.PageFrameID, bool) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return fs.knownFrameLocked(w, key)
}

func (t *tree) knownFrameLocked(w World, key int) (proto.PageFrameID, bool) {
	for id, f := range t.frames {
		if f.shownBy == (doorway{w.ID, key}) {
			return id, true
		}
	}
	return "", false
}

// askFrame starts the query for the object of an element.
func (ws *Worlds) askFrame(ctx context.Context, w World, key int) *cdp.Call {
	return ws.frames.Start(ctx, eval.CallFunction{
		FunctionDeclaration: "k=>__action.frameAt(k)", Arguments: eval.Args(key), UniqueContextID: w.ID,
	})
}

// toldFrame returns the frame of the element whose object k has requested.
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

// frameWorld waits until a frame of w can be queried. errAgain means that the frame was removed,
// errCrashed that its process has crashed, cdp.ErrGone that w was replaced.
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

// AfterFrame waits briefly, or for the next event, if an element has no frame: it has just left
// the page, or its frame is being created. It returns errAgain unless waiting fails.
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

// Gone waits until an event also reports the end of a frame's document, which a call has
// reported. It returns errAgain.
func (ws *Worlds) Gone(ctx context.Context, w World) error {
	if err := ws.frames.AfterWorld(ctx, w); err != nil {
		return err
	}
	return ErrAgain
}

// HoldAfter is how long a search in a frame may take before the surrounding document is watched
// as well. Most searches end immediately.
const HoldAfter = 50 * time.Millisecond

const (
	// DeepestFrame limits the nesting of frames of other origins that are walked, mostFrames
	// their number in one document.
	DeepestFrame = 10
	MostFrames   = 50
)

// Outermost returns the world of the page around w.
func (w World) Outermost() World {
	for w.Outer != nil {
		w = *w.Outer
	}
	return w
}

// WorldByID returns the world with that id, of the document of main or of a frame in it.
func (fs *Frames) WorldByID(id string, main World) (World, bool) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return fs.worldByIDLocked(id, main, DeepestFrame+1)
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

// Revived waits until the crashed process of the frame with that key in w runs again, or until no
// time is left.
func (ws *Worlds) Revived(ctx context.Context, w World, key int, left func() time.Duration) error {
	return ws.frames.UntilQuiet(ctx, "", func() (bool, time.Duration) {
		id, known := ws.frames.knownFrameLocked(w, key)
		return !ws.frames.currentLocked(w) || !known || !ws.frames.frames[id].crashed || left() == 0, left()
	})
}
