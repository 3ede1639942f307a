package browser

// Pending requests, and the outcome of the requests of documents.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
)

// quietTime is how long no request may be pending for the network to be idle.
const quietTime = 500 * time.Millisecond

// network counts the requests of the current document. Guarded by Page.mu.
type network struct {
	sent  int // requests so far
	mark  int // how many there were when a table was read
	began int // since then, of those by which a page may come by data
	datas int // such requests so far

	failed  int    // of these, how many have failed
	failure string // of the last one of them: HTTP 500, ERR_CONNECTION_REFUSED

	open  map[proto.NetworkRequestID]requester
	quiet time.Time // since when none is open
}

// A requester is the document that sent a request.
type requester struct {
	loader string
	frame  proto.PageFrameID
	by     string // the session that told of it
	number int    // how many requests there were, with it
	began  time.Time
	data   bool // a page may come by data by it
	asks   bool // a script asks for it
	failed bool // it is counted as such
	// unread is from when on an answer waits for the page to read it, if nothing of it has
	// come by then; zero for others. The browser reports the end of a request only when the
	// page has read its answer, which it may never do, though the browser has taken it over.
	unread time.Time
	length int // of the answer in bytes, -1 where it does not say so
	got    int // of these
	json   bool
}

// isUnread reports whether the answer of a request waits for the page to read it.
func (by requester) isUnread() bool { return !by.unread.IsZero() && !time.Now().Before(by.unread) }

// mostUnread bounds an answer that counts as completely sent when it has begun.
const mostUnread = 64 << 10

// A server may be silent for silentAnswer when another answer has begun, and for silentRest when
// more of it has come: a page that reads it may show it bit by bit. Data in JSON is of no use before
// its end, so servers send it in one go: silentAnswer is enough for that.
const (
	silentAnswer = time.Second
	silentRest   = 3 * time.Second
)

func (n *network) init() {
	n.open = make(map[proto.NetworkRequestID]requester)
	n.quiet = time.Now()
}

// commit forgets the requests of earlier documents: their end is not reported.
func (n *network) commit(loader string) {
	for id, by := range n.open {
		if by.loader != loader {
			delete(n.open, id)
		}
	}
	n.quiet = time.Now()
}

// leave forgets the requests of a frame that has gone, or shows the document of loader now.
func (n *network) leave(frame proto.PageFrameID, loader string) {
	for id, by := range n.open {
		if by.frame == frame && by.loader != loader {
			n.finish(id)
		}
	}
}

// endSession forgets the requests that a session has reported.
func (n *network) endSession(session string) {
	for id, by := range n.open {
		if by.by == session {
			n.finish(id)
		}
	}
}

func (n *network) finish(id proto.NetworkRequestID) {
	if _, ok := n.open[id]; ok {
		delete(n.open, id)
		n.quiet = time.Now()
	}
}

// idle reports whether the network has been idle for quietTime, and otherwise when to check
// again (0: not before a request ends).
func (n *network) idle() (bool, time.Duration) {
	left := quietTime - time.Since(n.quiet)
	for _, by := range n.open {
		if by.unread.IsZero() {
			return false, 0
		}
		left = max(left, quietTime-time.Since(by.unread))
	}
	return left <= 0, left
}

// busy is the number of unanswered requests.
func (n *network) busy() int {
	count := 0
	for _, by := range n.open {
		if !by.isUnread() {
			count++
		}
	}
	return count
}

// openAfter is the number of open requests that count, after so many requests.
func (n *network) openAfter(after int, counts func(requester) bool) int {
	count := 0
	for _, by := range n.open {
		if by.number > after && counts(by) {
			count++
		}
	}
	return count
}

// asked is the number of unanswered requests of scripts, after so many requests, or none
// after -1; and when to check again (0: not before a request ends).
func (n *network) asked(after int) (open int, again time.Duration) {
	if after < 0 {
		return 0, 0
	}
	open = n.openAfter(after, func(by requester) bool {
		if !by.asks || by.isUnread() {
			return false
		}
		again = max(again, time.Until(by.unread))
		return true
	})
	return open, again
}

// askedSince is the number of requests before the first of those that scripts have begun
// since, and that are unanswered.
func (n *network) askedSince(since time.Time) int {
	before := n.sent
	for _, by := range n.open {
		if by.asks && !by.isUnread() && by.began.After(since) {
			before = min(before, by.number-1)
		}
	}
	return before
}

// markHere begins what marked counts.
func (n *network) markHere() { n.mark, n.began, n.failed = n.sent, 0, 0 }

// fail records that a request has failed, if marked counts it.
func (n *network) fail(id proto.NetworkRequestID, why string) {
	by, ok := n.open[id]
	if !ok || by.failed || !by.data || by.number <= n.mark {
		return
	}
	by.failed = true
	n.open[id] = by
	n.failed, n.failure = n.failed+1, why
}

func isAsked(t proto.NetworkResourceType) bool {
	return t == proto.NetworkResourceTypeXHR || t == proto.NetworkResourceTypeFetch || t == proto.NetworkResourceTypeScript
}

// marked is the number of data requests begun since mark, and of the unanswered ones among
// them. An answer that waits for the page to read it counts as answered when it has waited
// for quietTime.
func (n *network) marked() (began, open int) {
	return n.began, n.openAfter(n.mark, func(by requester) bool {
		return by.data && (!by.isUnread() || time.Since(by.unread) < quietTime)
	})
}

// answered records that the answer of a fetch has begun. A short one with a Content-Length has
// arrived whole. Nothing shows the end of another one that the page does not read.
func (n *network) answered(v *responseReceived) {
	by, ok := n.open[v.RequestID]
	if !ok || v.Type != proto.NetworkResourceTypeFetch {
		return
	}
	by.unread, by.length, by.json = time.Now(), lengthOf(v.Response.Headers), isJSON(v.Response.Type)
	if !by.isShort() {
		by.unread = by.unread.Add(silentAnswer)
	}
	n.open[v.RequestID] = by
}

// isJSON reports whether a media type is one of a single text in JSON, not of a line after the other.
func isJSON(mime string) bool {
	return mime == "application/json" || strings.HasSuffix(mime, "+json")
}

// isShort reports whether an answer is taken for sent whole.
func (by requester) isShort() bool { return by.length >= 0 && by.length <= mostUnread }

// lengthOf is the Content-Length of headers, -1 without.
func lengthOf(data json.RawMessage) int {
	var headers map[string]string
	if json.Unmarshal(data, &headers) != nil {
		return -1
	}
	for name, value := range headers {
		if strings.EqualFold(name, "Content-Length") {
			if length, err := strconv.Atoi(value); err == nil && length >= 0 {
				return length
			}
		}
	}
	return -1
}

func (p *Page) hasUnread() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, by := range p.net.open {
		if !by.unread.IsZero() || by.got > 0 {
			return true
		}
	}
	return false
}

// came notes that some bytes of an answer have come, be it that the page reads it or that the
// browser takes them over. A short one that is not complete is still under way.
func (n *network) came(id proto.NetworkRequestID, bytes int) {
	by, ok := n.open[id]
	if !ok || by.unread.IsZero() && by.got == 0 {
		return
	}
	by.got += bytes
	switch {
	case by.length >= 0 && by.got >= by.length:
		by.unread = time.Now()
	case by.isShort():
		by.unread = time.Time{}
	case by.json:
		by.unread = time.Now().Add(silentAnswer)
	default:
		by.unread = time.Now().Add(silentRest)
	}
	n.open[id] = by
}

// endless are requests that stay open by design.
func endless(t proto.NetworkResourceType) bool {
	switch t {
	case proto.NetworkResourceTypeEventSource, proto.NetworkResourceTypeWebSocket,
		proto.NetworkResourceTypeMedia, proto.NetworkResourceTypePing:
		return true
	}
	return false
}

// bringsData reports whether a page may get from such a request what it then renders as
// text.
func bringsData(t proto.NetworkResourceType) bool {
	switch t {
	case proto.NetworkResourceTypeDocument, proto.NetworkResourceTypeXHR, proto.NetworkResourceTypeFetch, proto.NetworkResourceTypeScript:
		return true
	}
	return false
}

// These are the parts of Network events that are used: the events come for every request of
// a page, with headers that need not be decoded.
type (
	requestWillBeSent struct {
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
	responseReceived struct {
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

func (p *Page) handleNetwork(e *cdp.Event) {
	switch e.Method {
	case "Network.requestWillBeSent":
		var body *sentBody
		var id proto.NetworkRequestID
		on(p, e, func(v *requestWillBeSent) {
			body, id = p.noteBodyLocked(v, p.noteSent(v)), v.RequestID
			p.effects.request(kindOf(v.Request.Method, v.Request.URL))
			p.net.sent++
			data := bringsData(v.Type)
			if data {
				p.net.began++
				p.net.datas++
			}
			if !endless(v.Type) {
				p.net.open[v.RequestID] = requester{
					data: data, number: p.net.sent, began: time.Now(), asks: isAsked(v.Type), loader: v.LoaderID, frame: v.FrameID, by: e.Session,
				}
			}
		})
		if body != nil {
			p.fetchBody(e.Session, id, body)
		}
	case "Network.responseReceived":
		on(p, e, func(v *responseReceived) {
			p.noteAnswer(v)
			p.net.answered(v)
			if v.Response.Status >= 400 {
				p.net.fail(v.RequestID, fmt.Sprint("HTTP ", v.Response.Status))
			}
			if string(v.RequestID) == v.LoaderID { // the request of a document
				p.navOfLocked(v.LoaderID).respond(v.LoaderID, v.Response.Status)
			}
		})
	case "Network.dataReceived":
		if p.hasUnread() { // the event comes often
			on(p, e, func(v *proto.NetworkDataReceived) {
				p.net.came(v.RequestID, cmp.Or(max(v.EncodedDataLength, 0), v.DataLength))
			})
		}
	case "Network.loadingFinished":
		on(p, e, func(v *proto.NetworkLoadingFinished) {
			p.net.finish(v.RequestID)
			p.noteEnd(v.RequestID, float64(v.Timestamp), "")
		})
	case "Network.loadingFailed":
		on(p, e, func(v *proto.NetworkLoadingFailed) {
			if !v.Canceled && v.BlockedReason == "" {
				p.net.fail(v.RequestID, strings.TrimPrefix(v.ErrorText, "net::"))
			}
			p.net.finish(v.RequestID)
			p.noteEnd(v.RequestID, float64(v.Timestamp), strings.TrimSuffix(strings.TrimPrefix(v.ErrorText, "net::"), ".Inspector"))
			p.navOfLocked(string(v.RequestID)).fail(string(v.RequestID), v.ErrorText, v.Canceled)
		})
	case "Network.webSocketCreated":
		p.b.socketOpens(e)
		p.noteSocket()
	}
}
