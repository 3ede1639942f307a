package chrome

// Workers and worklets: scripts of pages without a document. Chromium pauses those of a page
// together with its frames, so we attach to them and resume them immediately. Routes and rules for
// hosts apply to their requests as to those of documents. A request of a page's worker is paused in
// the session of the page; a request of another worker is paused in the session of that worker. The
// outcome of a request is reported in the session of the worker, and counts for the page too. So
// does the outcome of the request for the worker's first script.

import (
	"context"
	"maps"
	"sync"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
)

// A worker is a worker or worklet that we are attached to.
type worker struct {
	page *Tab // nil for a worker that belongs to no page
	// ruled means that network rules cover the worker's WebSockets. They do if we have a session of
	// the frame that created the worker.
	ruled bool
}

// isShared reports whether a target is a worker that belongs to no page.
func isShared(t *proto.TargetTargetInfo) bool {
	return t.Type == proto.TargetTargetInfoTypeServiceWorker || t.Type == proto.TargetTargetInfoTypeSharedWorker
}

// workerCame sets up a worker and resumes it. It runs in the goroutine that reads replies and does
// not wait.
func (s *workers) workerCame(w worker, session string) {
	s.gate.attachedTo.add(session, w, func() bool { return w.page == nil || s.roster.isOpen(w.page) })
	small := 1                           // no bodies are kept
	calls := []proto.Request{autoAttach} // attaches to the workers that it creates
	hold := s.gate.first()
	if w.page != nil || len(hold) > 0 {
		calls = append(calls, proto.NetworkEnable{MaxTotalBufferSize: &small, MaxResourceBufferSize: &small})
	}
	if calls = append(calls, hold...); s.gate.rules.Restricted() {
		calls = append(calls, w.without()...)
	}
	for _, req := range append(calls, proto.RuntimeRunIfWaitingForDebugger{}) {
		s.host.conn.Start(context.Background(), session, req)
	}
}

// without returns the calls that disable some kinds of connections in a worker: the kinds to which
// no rule for hosts applies. The worker cannot define WebTransport again.
func (w worker) without() []proto.Request {
	calls := []proto.Request{proto.RuntimeEvaluate{Expression: "Object.defineProperty(globalThis, 'WebTransport', { value: undefined })"}}
	if !w.ruled {
		calls = append(calls, proto.RuntimeEvaluate{Expression: "delete globalThis.WebSocket; delete globalThis.WebSocketStream"})
	}
	return calls
}

// A workerSet maps sessions to workers. The zero value is empty.
type workerSet struct {
	mu      sync.Mutex
	workers map[string]worker
}

// add adds a worker if the argument "open" returns true, which means that the page of the worker is
// open. It calls open with the lock held.
func (s *workerSet) add(session string, w worker, open func() bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !open() {
		return
	}
	if s.workers == nil {
		s.workers = make(map[string]worker)
	}
	s.workers[session] = w
}

func (s *workerSet) of(session string) (w worker, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, ok = s.workers[session]
	return w, ok
}

func (s *workerSet) all() map[string]worker {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.workers)
}

// drop forgets the worker of a session and returns it. It returns the zero value if there is none.
func (s *workerSet) drop(session string) worker {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.workers[session]
	delete(s.workers, session)
	return w
}

// dropOf forgets the workers of a page.
func (s *workerSet) dropOf(p *Tab) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.workers, func(_ string, w worker) bool { return w.page == p })
}

// workerLeft forgets the worker of a session, if there is one. It also ends the requests of the
// worker that are still pending.
func (s *workers) workerLeft(session string) {
	w := s.gate.attachedTo.drop(session)
	if w.page != nil {
		w.page.Net.EndSession(session)
		w.page.Link.Notify()
	}
}

// handleWorker handles an event of a worker.
func (s *workers) handleWorker(w worker, e *cdp.Event) {
	switch e.Method {
	case "Target.attachedToTarget":
		var v proto.TargetAttachedToTarget
		if cdp.Decode(e, &v) {
			s.workerCame(w, string(v.SessionID))
		}
	case "Target.detachedFromTarget":
		var v proto.TargetDetachedFromTarget
		if cdp.Decode(e, &v) {
			s.workerLeft(string(v.SessionID))
		}
	case "Fetch.requestPaused":
		var v proto.FetchRequestPaused
		if cdp.Decode(e, &v) && v.Request != nil {
			s.gate.answer(e.Session, &v, s.gate.rules.Decide(&v).Reply)
		}
	case "Fetch.authRequired":
		s.gate.answerProxy(e)
	default:
		if w.page != nil {
			w.page.handleNetwork(e)
		} else if e.Method == "Network.webSocketCreated" {
			s.gate.socketOpens(e)
		}
	}
}
