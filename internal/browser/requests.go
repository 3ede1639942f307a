package browser

import (
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/driver"
)

const (
	keptRequests = 500
	longestURL   = 2000 // bytes of an address that are kept
)

// A log holds the last requests of a tab. Guarded by Page.mu.
type requestLog struct {
	list []*logged // the oldest first
	open map[proto.NetworkRequestID]*logged
	// bodies is the number of requests with a body sent so far, without beacons.
	bodies int
	// writes is the number of requests sent so far that may store something, without
	// beacons to other origins.
	writes int
	// sockets is the last document that has opened a WebSocket, over which it may send anything.
	sockets string
	// routed holds the routes of requests that have not been reported yet.
	routed map[routedRequest]string
	// main is the first request for the last document of the main frame.
	main *logged
	// began is when the request of the main frame's document was sent, by the
	// browser's clock in seconds.
	began float64
}

// A logged is one request: times are those of the browser's clock in seconds.
type logged struct {
	number                           int // in the order of the whole session
	hop                              routedRequest
	method, url, kind, from, failure string
	status                           int
	own                              bool    // to the origin of the document that sent it
	document                         float64 // began of its document
	sent, done                       float64 // done 0: not yet
	caused                           bool    // it began soon after an input
	next                             *logged // the request that a redirect has led to
}

// last is the request that the redirects of r have led to; r itself without one.
func (r *logged) last() *logged {
	for r.next != nil {
		r = r.next
	}
	return r
}

// A routedRequest is one hop of a request.
type routedRequest struct {
	id  proto.NetworkRequestID
	url string // whole, without a fragment
}

func (l *requestLog) add(id proto.NetworkRequestID, r *logged) {
	if l.open == nil {
		l.open = make(map[proto.NetworkRequestID]*logged)
	}
	if len(l.list) >= keptRequests {
		l.list = slices.Delete(l.list, 0, len(l.list)-keptRequests+1)
	}
	if len(l.open) >= 2*keptRequests { // whose end was never told
		clear(l.open)
	}
	l.list = append(l.list, r)
	l.open[id] = r
}

// noteSent records a request, and the redirect that it follows.
func (p *Page) noteSent(v *requestWillBeSent) *logged {
	l := &p.log
	if v.carries() {
		l.bodies++
	}
	own := originOf(v.Request.URL) == originOf(v.Document)
	if !readsOnly(v.Request.Method) && v.Redirect == nil && (own || v.Type != proto.NetworkResourceTypePing) {
		l.writes++
	}
	var before *logged // what was redirected
	if v.Redirect != nil {
		if before = l.open[v.RequestID]; before != nil {
			before.status, before.done = v.Redirect.Status, v.Timestamp
		}
	}
	isMain := string(v.RequestID) == v.LoaderID && v.FrameID == p.frame && v.Redirect == nil
	if isMain {
		l.began = v.Timestamp
	}
	from, hop := "network", routedRequest{v.RequestID, v.Request.URL}
	if route, ok := l.routed[hop]; ok {
		from = route
		delete(l.routed, hop)
	}
	address := v.Request.URL
	if len(address) > longestURL {
		address = address[:longestURL] + "…"
	}
	one := &logged{number: p.b.numberRequest(), method: v.Request.Method, url: address, kind: typeName(v.Type), hop: hop, from: from, own: own, document: l.began, sent: v.Timestamp, caused: p.effects.isFresh()}
	if isMain {
		l.main = one
	}
	if before != nil {
		before.next = one
	}
	l.add(v.RequestID, one)
	return one
}

// carries reports whether a request may bring a file to a server: it has a body, and is no beacon.
func (v *requestWillBeSent) carries() bool {
	return v.Request.HasBody && v.Redirect == nil && v.Type != proto.NetworkResourceTypePing
}

func readsOnly(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

func (b *Browser) numberRequest() int { return int(b.lastRequest.Add(1)) }

// posted reports whether the last document of the main frame was requested by a POST that
// has reached a server. since is the earlier value of main.
func (p *Page) posted(since *logged) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.log.main
	return r != nil && r != since && r.method == http.MethodPost && r.from != "cache"
}

func (p *Page) mainRequest() *logged {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.main
}

// noteMade records a file that a script of the page has created and saves: for readers of
// the requests it is like a file of the server. The browser does not report the time, so it
// comes after everything sent before.
func (p *Page) noteMade(address string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := &p.log
	at := l.began
	if n := len(l.list); n > 0 {
		at = max(at, l.list[n-1].sent)
	}
	if len(address) > longestURL {
		address = address[:longestURL] + "…"
	}
	one := &logged{number: p.b.numberRequest(), method: "GET", url: address, kind: "document", own: true, from: "page", document: l.began, sent: at, done: at}
	l.list = append(l.list[max(0, len(l.list)-keptRequests+1):], one)
}

func (p *Page) bodiesSoFar() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.bodies
}

// noteSocket records that the page has opened a WebSocket.
func (p *Page) noteSocket() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log.sockets = p.doc.id
}

// usesSockets reports whether the document of w, or a frame in it, has opened a WebSocket.
func (p *Page) usesSockets(w world) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.sockets == w.doc.ID
}

// askedSoFar is the number of requests that the page has begun.
func (p *Page) askedSoFar() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.net.sent
}

func (p *Page) noteAnswer(v *responseReceived) {
	r := p.log.open[v.RequestID]
	if r == nil {
		return
	}
	r.status = v.Response.Status
	switch {
	case r.from != "network": // a route has answered
	case v.Response.Worker:
		r.from = "service_worker"
	case v.Response.Cache:
		r.from = "cache"
	}
}

func (p *Page) noteEnd(id proto.NetworkRequestID, at float64, failure string) {
	if r := p.log.open[id]; r != nil {
		r.done, r.failure = at, p.b.netFailure(r.url, failure)
		delete(p.log.open, id)
	}
}

// routed records which route has decided on a request. Another process reports the request
// itself, before or after.
func (p *Page) routed(id proto.NetworkRequestID, url, route string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l, hop := &p.log, routedRequest{id, url}
	if r := l.open[id]; r != nil && r.hop == hop {
		r.from = route
		return
	}
	if l.routed == nil || len(l.routed) >= keptRequests { // some are never told
		l.routed = make(map[routedRequest]string)
	}
	l.routed[hop] = route
}

// Requests implements [driver.NetworkReader].
func (p *Page) Requests() (list []driver.Request, last int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make([]driver.Request, len(p.log.list))
	for i, r := range p.log.list {
		out[i] = driver.Request{
			Number: r.number, Method: r.method, URL: r.url, Type: r.kind, Status: r.status, SameOrigin: r.own, From: r.from, Error: r.failure,
			Started: milliseconds(r.sent - r.document), Duration: -1,
		}
		if r.done > 0 {
			out[i].Duration = milliseconds(r.done - r.sent)
		}
	}
	return out, int(p.b.lastRequest.Load())
}

// ClearRequests implements [driver.NetworkReader].
func (p *Page) ClearRequests() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log.list = nil
}

// milliseconds of a time of the browser's clock, to a tenth.
func milliseconds(seconds float64) float64 {
	return math.Round(seconds*float64(time.Second/time.Millisecond)*10) / 10
}
