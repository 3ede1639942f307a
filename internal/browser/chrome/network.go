package chrome

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
			one := p.Net.NoteSent(e.Session, v, network.Origin{Number: p.b.numberRequest(), Main: p.frame, Caused: p.effects.isFresh()})
			body, id = p.Sent.Note(v, one), v.RequestID
			p.effects.request(network.KindOf(v.Request.Method, v.Request.URL))
		})
		if body != nil {
			p.Sent.Fetch(e.Session, id, body)
		}
	case "Network.responseReceived":
		on(p, e, func(v *network.ResponseReceived) {
			p.Net.NoteAnswer(v)
			if string(v.RequestID) == v.LoaderID { // the request for a document
				p.navOfLocked(v.LoaderID).respond(v.LoaderID, v.Response.Status)
			}
		})
	case "Network.dataReceived":
		if p.Net.WaitsForData() { // the event is frequent
			on(p, e, func(v *proto.NetworkDataReceived) {
				p.Net.NoteData(v.RequestID, cmp.Or(max(v.EncodedDataLength, 0), v.DataLength))
			})
		}
	case "Network.loadingFinished":
		on(p, e, func(v *proto.NetworkLoadingFinished) {
			p.Net.NoteEnd(v.RequestID, float64(v.Timestamp))
		})
	case "Network.loadingFailed":
		on(p, e, func(v *proto.NetworkLoadingFailed) {
			p.Net.NoteFailure(v, p.b.netFailure)
			p.navOfLocked(string(v.RequestID)).fail(string(v.RequestID), v.ErrorText, v.Canceled)
		})
	case "Network.webSocketCreated":
		p.b.socketOpens(e)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.Net.NoteSocket(p.doc.id)
	}
}

func (b *Browser) numberRequest() int { return int(b.lastRequest.Add(1)) }

// Requests implements [driver.NetworkReader].
func (p *Tab) Requests() (list []driver.Request, last int) {
	return p.Net.Requests(), int(p.b.lastRequest.Load())
}

// ClearRequests implements [driver.NetworkReader].
func (p *Tab) ClearRequests() { p.Net.Clear() }
