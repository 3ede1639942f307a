package network

import (
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/driver"
)

const (
	keptRequests = 500
	longestURL   = 2000 // in bytes; a longer address is cut

	longestAnswer = 16 << 10 // in bytes, compressed; a longer one is not read
)

// These types have only those fields of Network events that are used.
type (
	// RequestWillBeSent is Network.requestWillBeSent.
	RequestWillBeSent struct {
		RequestID proto.NetworkRequestID    `json:"requestId"`
		LoaderID  string                    `json:"loaderId"`
		FrameID   proto.PageFrameID         `json:"frameId"`
		Type      proto.NetworkResourceType `json:"type"`
		Timestamp float64                   `json:"timestamp"`
		Document  string                    `json:"documentURL"`
		Request   struct {
			Method  string          `json:"method"`
			URL     string          `json:"url"`
			HasBody bool            `json:"hasPostData"`
			Headers json.RawMessage `json:"headers"`
		} `json:"request"`
		Redirect *struct {
			Status int `json:"status"`
		} `json:"redirectResponse"`
	}
	// ResponseReceived is Network.responseReceived.
	ResponseReceived struct {
		LoaderID  string                    `json:"loaderId"`
		RequestID proto.NetworkRequestID    `json:"requestId"`
		Type      proto.NetworkResourceType `json:"type"`
		Response  struct {
			Status  int             `json:"status"`
			Cache   bool            `json:"fromDiskCache"`
			Worker  bool            `json:"fromServiceWorker"`
			Type    string          `json:"mimeType"`
			Headers json.RawMessage `json:"headers"`
		} `json:"response"`
	}
)

// HasBody reports whether a request may carry a file to a server. It returns false for redirects
// and beacons.
func (v *RequestWillBeSent) HasBody() bool {
	return v.Request.HasBody && v.Redirect == nil && v.Type != proto.NetworkResourceTypePing
}

// An Origin holds the facts about a request that its event does not contain.
type Origin struct {
	Number int               // of the request, counted over the whole session
	Main   proto.PageFrameID // the tab's main frame
	Caused bool              // the request began soon after an input
	// Private is set if a person has caused the request. The log does not keep the address of such
	// a request, and the list does not show it.
	Private bool
}

// A log holds the last requests of a tab. Traffic.mu guards it.
type log struct {
	list []*Request // oldest first
	open map[proto.NetworkRequestID]*Request
	// writes is the number of requests so far that may store something. It does not count beacons
	// to other origins.
	writes int
	// sockets is the last document that has opened a WebSocket.
	sockets string
	// routed holds the routes of requests that the browser has not reported yet.
	routed map[hop]string
	// main is the first request for the last document of the main frame.
	main *Request
	// began is when the request for the main frame's document was sent, in seconds of the
	// browser's clock.
	began float64
}

// A Request is one request in the log. Times are in seconds of the browser's clock.
type Request struct {
	number                           int // counted over the whole session
	hop                              hop
	method, url, kind, from, failure string
	status                           int
	own                              bool    // whether it was sent to the origin of its document
	document                         float64 // log.began of its document
	sent, done                       float64 // done is 0 while the request has not ended
	caused                           bool    // whether it began soon after an input
	private                          bool    // whether a person has caused it
	text                             bool    // whether its answer may be JSON, also by a server that calls JSON a text
	received                         float64 // bytes of the answer, compressed
	next                             *Request
}

// A hop identifies one request of a chain of redirects.
type hop struct {
	id  proto.NetworkRequestID
	url string // not shortened, without a fragment
}

// An Outcome is the current state of a request, after its redirects.
type Outcome struct {
	Method, URL string // after the last redirect
	Status      int    // 0 before there is an answer
	Failure     string // such as ERR_CONNECTION_RESET; "" for none
	Redirected  bool
}

// Outcome returns the current outcome of r.
func (t *Traffic) Outcome(r *Request) Outcome {
	t.mu.Lock()
	defer t.mu.Unlock()
	last := r
	for last.next != nil {
		last = last.next
	}
	return Outcome{Method: last.method, URL: last.url, Status: last.status, Failure: last.failure, Redirected: last != r}
}

// Method returns the method of r before redirects.
func (r *Request) Method() string { return r.method }

// URL returns the address of r before redirects. A long address is cut.
func (r *Request) URL() string { return r.url }

// sent records a request. If the request is a redirect, sent also records the end of the request
// before it.
func (l *log) sent(v *RequestWillBeSent, o Origin) *Request {
	own := OriginOf(v.Request.URL) == OriginOf(v.Document)
	if !readsOnly(v.Request.Method) && v.Redirect == nil && (own || v.Type != proto.NetworkResourceTypePing) {
		l.writes++
	}
	var before *Request // the request that was redirected
	if v.Redirect != nil {
		if before = l.open[v.RequestID]; before != nil {
			before.status, before.done = v.Redirect.Status, v.Timestamp
		}
	}
	isMain := string(v.RequestID) == v.LoaderID && v.FrameID == o.Main && v.Redirect == nil
	if isMain {
		l.began = v.Timestamp
	}
	from, key := "network", hop{v.RequestID, v.Request.URL}
	if route, ok := l.routed[key]; ok {
		from = route
		delete(l.routed, key)
	}
	one := &Request{
		number: o.Number, method: v.Request.Method, url: cut(v.Request.URL), kind: TypeName(v.Type), hop: key, from: from, own: own,
		document: l.began, sent: v.Timestamp, caused: o.Caused,
	}
	if isMain {
		l.main = one
	}
	if before != nil {
		before.next = one
	}
	if one.private = o.Private || before != nil && before.private; one.private {
		one.url = ""
	} else {
		l.add(one)
	}
	if l.open == nil {
		l.open = make(map[proto.NetworkRequestID]*Request)
	}
	if len(l.open) >= 2*keptRequests { // the browser has never reported the end of most of these
		clear(l.open)
	}
	l.open[v.RequestID] = one
	return one
}

func (l *log) add(r *Request) {
	if len(l.list) >= keptRequests {
		l.list = slices.Delete(l.list, 0, len(l.list)-keptRequests+1)
	}
	l.list = append(l.list, r)
}

func (l *log) answered(v *ResponseReceived) {
	r := l.open[v.RequestID]
	if r == nil {
		return
	}
	r.status, r.text = v.Response.Status, isJSON(v.Response.Type) || strings.HasPrefix(v.Response.Type, "text/")
	switch {
	case r.from != "network": // a route has answered
	case v.Response.Worker:
		r.from = "service_worker"
	case v.Response.Cache:
		r.from = "cache"
	}
}

func (l *log) ended(id proto.NetworkRequestID, at float64, failure string, explain func(address, failure string) string) {
	r := l.open[id]
	if r == nil {
		return
	}
	if explain != nil {
		failure = explain(r.url, failure)
	}
	r.done, r.failure = at, failure
	if r.private {
		r.hop = hop{}
	}
	delete(l.open, id)
}

// Posted reports whether the last document of the main frame was requested by a POST that reached a
// server. The argument is an earlier result of Main. If there was no later request, Posted returns
// false.
func (t *Traffic) Posted(since *Request) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.log.main
	return r != nil && r != since && r.method == http.MethodPost && r.from != "cache"
}

// Main returns the first request for the last document of the main frame. It returns nil if there
// is none yet.
func (t *Traffic) Main() *Request {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.log.main
}

// NoteMade records the download of a file that a script of the page has created. The list shows it
// as a request after all others so far.
func (t *Traffic) NoteMade(number int, address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := &t.log
	at := l.began
	if n := len(l.list); n > 0 {
		at = max(at, l.list[n-1].sent)
	}
	l.add(&Request{number: number, method: http.MethodGet, url: cut(address), kind: "document", own: true, from: "page", document: l.began, sent: at, done: at})
}

// Writes returns the number of requests so far that may store something. It does not count
// beacons to other origins.
func (t *Traffic) Writes() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.log.writes
}

// NoteSocket records that a document, or a frame in it, has opened a WebSocket.
func (t *Traffic) NoteSocket(document string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.log.sockets = document
}

// UsesSockets reports whether the last WebSocket was opened by this document or by a frame in it.
func (t *Traffic) UsesSockets(document string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.log.sockets == document
}

// NoteRoute records which route has decided about a request. It may be called before or after the
// request is recorded.
func (t *Traffic) NoteRoute(id proto.NetworkRequestID, url, route string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l, key := &t.log, hop{id, url}
	if r := l.open[id]; r != nil && r.hop == key {
		r.from = route
		return
	}
	if l.routed == nil || len(l.routed) >= keptRequests { // some requests are never reported
		l.routed = make(map[hop]string)
	}
	l.routed[key] = route
}

// Requests returns the last requests, oldest first.
func (t *Traffic) Requests() []driver.Request {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := make([]driver.Request, len(t.log.list))
	for i, r := range t.log.list {
		out[i] = driver.Request{
			Number: r.number, Method: r.method, URL: r.url, Type: r.kind, Status: r.status, SameOrigin: r.own, From: r.from, Error: r.failure,
			Started: milliseconds(r.sent - r.document), Duration: -1,
		}
		if r.done > 0 {
			out[i].Duration = milliseconds(r.done - r.sent)
		}
	}
	return out
}

// Answered returns the id of the request with this number if its answer can be read as JSON.
// Otherwise it returns "". Only a fetch or an XMLHttpRequest with a status below 400 has such an
// answer. arriving reports whether the answer is still incomplete.
func (t *Traffic) Answered(number int) (id proto.NetworkRequestID, arriving bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.log.list {
		if r.number != number {
			continue
		}
		if r.text && r.failure == "" && r.status < http.StatusBadRequest && r.received <= longestAnswer && (r.kind == "fetch" || r.kind == "xhr") {
			return r.hop.id, r.done == 0
		}
		break
	}
	return "", false
}

// Clear empties the list that Requests returns.
func (t *Traffic) Clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.log.list = nil
}

// milliseconds converts seconds to milliseconds, rounded to a tenth.
func milliseconds(seconds float64) float64 {
	return math.Round(seconds*float64(time.Second/time.Millisecond)*10) / 10
}

func readsOnly(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

// cut limits the length of an address.
func cut(address string) string {
	if len(address) > longestURL {
		return address[:longestURL] + "…"
	}
	return address
}

// TypeName returns the name of a request type in [driver.ResourceTypes].
func TypeName(t proto.NetworkResourceType) string {
	if name := strings.ToLower(string(t)); slices.Contains(driver.ResourceTypes, name) {
		return name
	}
	return "other"
}

// OriginOf returns the origin of an http or https address, and "" for any other address.
func OriginOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// isJSON reports whether a media type is that of a single JSON text. It is false for types with one
// JSON text per line.
func isJSON(mime string) bool {
	return mime == "application/json" || strings.HasSuffix(mime, "+json")
}
