package chrome

// Sessions of frames that run in processes of their own, and of workers: see package documents.

import (
	"context"
	"slices"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/engine"
)

// autoAttach makes the browser attach us to frames of other processes before they run. It also
// pauses workers and worklets, even if the filter excludes them: see workers.go.
var autoAttach = proto.TargetSetAutoAttach{
	AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: true,
	Filter: proto.TargetTargetFilter{
		{Type: "iframe"}, {Type: "worker"}, {Type: "worklet"}, {Type: "auction_worklet"}, {Type: "shared_storage_worklet"},
	},
}

// attachedToTarget is an event with fields that rod's type lacks.
type attachedToTarget struct {
	SessionID  string `json:"sessionId"`
	TargetInfo struct {
		ID     proto.PageFrameID `json:"targetId"`
		Type   string            `json:"type"`
		Parent proto.PageFrameID `json:"parentId"`
		Frame  proto.PageFrameID `json:"parentFrameId"` // the frame that created a worker
	} `json:"targetInfo"`
}

// attached sets up the session of a frame of another process. It does not wait for the replies,
// because the frame does not run before the last call.
func (p *Tab) attached(e *cdp.Event) {
	var v attachedToTarget
	if !cdp.Decode(e, &v) {
		return
	}
	session, ctx, small := v.SessionID, context.Background(), 1 // small: no bodies are kept
	if v.TargetInfo.Type != "iframe" {
		p.workers.workerCame(worker{page: p, ruled: v.TargetInfo.Frame == v.TargetInfo.Parent}, session)
		return
	}
	if !p.roster.addSession(session, p) {
		return
	}
	p.Frames.AddSession(v.TargetInfo.ID, session)
	p.reportTools(session)
	for _, req := range slices.Concat([]proto.Request{
		proto.InspectorEnable{},
		proto.PageEnable{},
		proto.NetworkEnable{MaxTotalBufferSize: &small, MaxResourceBufferSize: &small},
		proto.RuntimeEnable{},
		proto.LogEnable{},
		proto.PageAddScriptToEvaluateOnNewDocument{Source: p.host.engineSource(), WorldName: engine.World, RunImmediately: true},
		autoAttach,
		proto.EmulationSetScriptExecutionDisabled{Value: p.host.opts.NoJavaScript},
	}, p.host.localeCalls(), p.gate.first(), []proto.Request{proto.RuntimeRunIfWaitingForDebugger{}}) {
		p.Link.Conn.Start(ctx, session, req)
	}
}

// detached ends a session of a frame. The frame was removed, or continues in another session.
func (p *Tab) detached(e *cdp.Event) {
	var v proto.TargetDetachedFromTarget
	if !cdp.Decode(e, &v) {
		return
	}
	session := string(v.SessionID)
	p.workers.workerLeft(session)
	p.roster.dropSession(session)
	p.Frames.EndSession(session)
}

// crashed handles the crash of the process of a session. The session continues with the next
// document.
func (p *Tab) crashed(session string) {
	if session == p.Link.Session {
		p.Link.Lose(cdp.Unavailable("the page crashed").WithHint("open the page again"))
		p.b.tabs.crashed(p)
		return
	}
	p.Frames.CrashSession(session)
}
