package browser

// Requests in flight, and what became of the requests of documents.

import (
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// quietTime is how long no request may be under way for the network to be idle.
const quietTime = 500 * time.Millisecond

// network counts the requests of the current document. Guarded by Page.mu.
type network struct {
	sent int // requests so far

	open  map[proto.NetworkRequestID]requester
	quiet time.Time // since when none is open
}

// A requester is the document that a request is of.
type requester struct {
	loader string
	frame  proto.PageFrameID
}

func (n *network) init() {
	n.open = make(map[proto.NetworkRequestID]requester)
	n.quiet = time.Now()
}

// commit forgets the requests of earlier documents: their end is not told.
func (n *network) commit(loader string) {
	for id, by := range n.open {
		if by.loader != loader {
			delete(n.open, id)
		}
	}
	n.quiet = time.Now()
}

// leave forgets the requests of a frame that has gone, or shows the document of loader
// now.
func (n *network) leave(frame proto.PageFrameID, loader string) {
	for id, by := range n.open {
		if by.frame == frame && by.loader != loader {
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

// idle reports whether the network has been idle for quietTime, and else when to
// ask again (0: not before a request ends).
func (n *network) idle() (bool, time.Duration) {
	if len(n.open) > 0 {
		return false, 0
	}
	left := quietTime - time.Since(n.quiet)
	return left <= 0, left
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

// These are the parts of Network events that are used: the events come for every
// request of a page, with headers that need not be decoded.
type (
	requestWillBeSent struct {
		RequestID proto.NetworkRequestID    `json:"requestId"`
		LoaderID  string                    `json:"loaderId"`
		FrameID   proto.PageFrameID         `json:"frameId"`
		Type      proto.NetworkResourceType `json:"type"`
		Timestamp float64                   `json:"timestamp"`
		Request   struct {
			Method  string `json:"method"`
			URL     string `json:"url"`
			HasBody bool   `json:"hasPostData"`
		} `json:"request"`
		Redirect *struct {
			Status int `json:"status"`
		} `json:"redirectResponse"`
	}
	responseReceived struct {
		LoaderID  string                 `json:"loaderId"`
		RequestID proto.NetworkRequestID `json:"requestId"`
		Response  struct {
			Status int  `json:"status"`
			Cache  bool `json:"fromDiskCache"`
			Worker bool `json:"fromServiceWorker"`
		} `json:"response"`
	}
)

func (p *Page) handleNetwork(e *event) {
	switch e.Method {
	case "Network.requestWillBeSent":
		on(p, e, func(v *requestWillBeSent) {
			p.noteSent(v)
			p.net.sent++
			if !endless(v.Type) {
				p.net.open[v.RequestID] = requester{v.LoaderID, v.FrameID}
			}
		})
	case "Network.responseReceived":
		on(p, e, func(v *responseReceived) {
			p.noteAnswer(v)
			if string(v.RequestID) == v.LoaderID { // the request of a document
				p.navOfLocked(v.LoaderID).respond(v.LoaderID, v.Response.Status)
			}
		})
	case "Network.loadingFinished":
		on(p, e, func(v *proto.NetworkLoadingFinished) {
			p.net.finish(v.RequestID)
			p.noteEnd(v.RequestID, float64(v.Timestamp), "")
		})
	case "Network.loadingFailed":
		on(p, e, func(v *proto.NetworkLoadingFailed) {
			p.net.finish(v.RequestID)
			p.noteEnd(v.RequestID, float64(v.Timestamp), strings.TrimSuffix(strings.TrimPrefix(v.ErrorText, "net::"), ".Inspector"))
			p.navOfLocked(string(v.RequestID)).fail(string(v.RequestID), v.ErrorText, v.Canceled)
		})
	case "Network.webSocketCreated":
		p.b.socketOpens(e)
	}
}
