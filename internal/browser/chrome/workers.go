package chrome

// Workers and worklets: scripts of pages without a document. Chromium pauses those of a page
// together with its frames, so we attach to them and resume them immediately. Routes and rules
// for hosts apply to their requests as to those of documents. Requests of a page's workers are
// paused in the session of the page, others in that of the worker. Their outcome is reported in
// the session of the worker and counts as the page's too, as does that of the worker's first
// script.

import (
	"context"
	"maps"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
)

// A worker is a worker or worklet that we are attached to.
type worker struct {
	page *Tab // nil for a worker that belongs to no page
	// ruled means that network rules apply to its WebSockets. Chromium requests them on behalf of
	// the frame that has created the worker, which must have a session.
	ruled bool
}

// isShared reports whether a target is a worker that belongs to no page.
func isShared(t *proto.TargetTargetInfo) bool {
	return t.Type == proto.TargetTargetInfoTypeServiceWorker || t.Type == proto.TargetTargetInfoTypeSharedWorker
}

// workerCame sets up a worker and resumes it. It runs in the goroutine that reads replies, and
// does not wait for one.
func (b *Browser) workerCame(w worker, session string) {
	b.mu.Lock()
	if w.page == nil || b.pages[w.page.Link.Session] == w.page {
		b.workers[session] = w
	}
	b.mu.Unlock()
	small := 1                           // as for the page, see firstCalls
	calls := []proto.Request{autoAttach} // attaches to the workers that it creates
	hold := b.first()
	if w.page != nil || len(hold) > 0 {
		calls = append(calls, proto.NetworkEnable{MaxTotalBufferSize: &small, MaxResourceBufferSize: &small})
	}
	if calls = append(calls, hold...); b.rules.Restricted() {
		calls = append(calls, w.without()...)
	}
	for _, req := range append(calls, proto.RuntimeRunIfWaitingForDebugger{}) {
		b.conn.Start(context.Background(), session, req)
	}
}

// without returns the calls that remove what no rule for hosts covers from a worker. A worker's
// WebTransport is defined when its script begins, so it is replaced by a property that cannot be
// configured.
func (w worker) without() []proto.Request {
	calls := []proto.Request{proto.RuntimeEvaluate{Expression: "Object.defineProperty(globalThis, 'WebTransport', { value: undefined })"}}
	if !w.ruled {
		calls = append(calls, proto.RuntimeEvaluate{Expression: "delete globalThis.WebSocket; delete globalThis.WebSocketStream"})
	}
	return calls
}

func (b *Browser) allWorkers() map[string]worker {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.workers)
}

// workerLeft forgets the worker of a session, if any, and its requests, whose end is not
// reported.
func (b *Browser) workerLeft(session string) {
	b.mu.Lock()
	w := b.workers[session]
	delete(b.workers, session)
	b.mu.Unlock()
	if w.page != nil {
		w.page.Net.EndSession(session)
		w.page.Link.Notify()
	}
}

// handleWorker handles an event of a worker.
func (b *Browser) handleWorker(w worker, e *cdp.Event) {
	switch e.Method {
	case "Target.attachedToTarget":
		var v proto.TargetAttachedToTarget
		if cdp.Decode(e, &v) {
			b.workerCame(w, string(v.SessionID))
		}
	case "Target.detachedFromTarget":
		var v proto.TargetDetachedFromTarget
		if cdp.Decode(e, &v) {
			b.workerLeft(string(v.SessionID))
		}
	case "Fetch.requestPaused":
		var v proto.FetchRequestPaused
		if cdp.Decode(e, &v) && v.Request != nil {
			b.answer(e.Session, &v, b.rules.Decide(&v).Reply)
		}
	case "Fetch.authRequired":
		b.answerProxy(e)
	default:
		if w.page != nil {
			w.page.handleNetwork(e)
		} else if e.Method == "Network.webSocketCreated" {
			b.socketOpens(e)
		}
	}
}
