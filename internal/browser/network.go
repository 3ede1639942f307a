package browser

import (
	"cmp"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/browser/uploads"
	"github.com/actionregistry/action/internal/driver"
)

// handleNetwork passes the events of requests to their recorders.
func (p *Tab) handleNetwork(e *cdp.Event) {
	switch e.Method {
	case "Network.requestWillBeSent":
		var body *uploads.Body
		var id proto.NetworkRequestID
		on(p, e, func(v *network.RequestWillBeSent) {
			one := p.net.NoteSent(e.Session, v, network.Origin{Number: p.b.numberRequest(), Main: p.frame, Caused: p.effects.isFresh()})
			body, id = p.sent.Note(v, one), v.RequestID
			p.effects.request(network.KindOf(v.Request.Method, v.Request.URL))
		})
		if body != nil {
			p.sent.Fetch(e.Session, id, body)
		}
	case "Network.responseReceived":
		on(p, e, func(v *network.ResponseReceived) {
			p.net.NoteAnswer(v)
			if string(v.RequestID) == v.LoaderID { // the request for a document
				p.navOfLocked(v.LoaderID).respond(v.LoaderID, v.Response.Status)
			}
		})
	case "Network.dataReceived":
		if p.net.WaitsForData() { // the event is frequent
			on(p, e, func(v *proto.NetworkDataReceived) {
				p.net.NoteData(v.RequestID, cmp.Or(max(v.EncodedDataLength, 0), v.DataLength))
			})
		}
	case "Network.loadingFinished":
		on(p, e, func(v *proto.NetworkLoadingFinished) {
			p.net.NoteEnd(v.RequestID, float64(v.Timestamp))
		})
	case "Network.loadingFailed":
		on(p, e, func(v *proto.NetworkLoadingFailed) {
			p.net.NoteFailure(v, p.b.netFailure)
			p.navOfLocked(string(v.RequestID)).fail(string(v.RequestID), v.ErrorText, v.Canceled)
		})
	case "Network.webSocketCreated":
		p.b.socketOpens(e)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.net.NoteSocket(p.doc.id)
	}
}

func (b *Browser) numberRequest() int { return int(b.lastRequest.Add(1)) }

// Requests implements [driver.NetworkReader].
func (p *Tab) Requests() (list []driver.Request, last int) {
	return p.net.Requests(), int(p.b.lastRequest.Load())
}

// ClearRequests implements [driver.NetworkReader].
func (p *Tab) ClearRequests() { p.net.Clear() }
