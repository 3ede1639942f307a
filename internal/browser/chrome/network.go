package chrome

import (
	"cmp"
	"context"
	"time"

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
		var v network.RequestWillBeSent
		if !cdp.Decode(e, &v) {
			return
		}
		p.NoteRequest(network.KindOf(v.Request.Method, v.Request.URL), func(fresh bool) {
			one := p.Net.NoteSent(e.Session, &v, network.Origin{Number: p.host.numberRequest(), Main: p.Link.Frame, Caused: fresh, Private: p.host.isPrivate()})
			if !p.host.isPrivate() {
				body, id = p.Sent.Note(&v, one), v.RequestID
			}
		})
		if body != nil {
			p.Sent.Fetch(e.Session, id, body)
		}
	case "Network.responseReceived":
		var v network.ResponseReceived
		if !cdp.Decode(e, &v) {
			return
		}
		p.Net.NoteAnswer(&v)
		if string(v.RequestID) == v.LoaderID { // the request for a document
			p.Moves.Responded(v.LoaderID, v.Response.Status)
		}
		p.Link.Notify()
	case "Network.dataReceived":
		if p.Net.WaitsForData() { // the event is frequent
			var v proto.NetworkDataReceived
			if cdp.Decode(e, &v) {
				p.Net.NoteData(v.RequestID, cmp.Or(max(v.EncodedDataLength, 0), v.DataLength))
				p.Link.Notify()
			}
		}
	case "Network.loadingFinished":
		var v proto.NetworkLoadingFinished
		if cdp.Decode(e, &v) {
			p.Net.NoteEnd(v.RequestID, float64(v.Timestamp), v.EncodedDataLength)
			p.Link.Notify()
		}
	case "Network.loadingFailed":
		var v proto.NetworkLoadingFailed
		if cdp.Decode(e, &v) {
			p.Net.NoteFailure(&v, p.host.netFailure)
			p.Moves.FetchFailed(string(v.RequestID), v.ErrorText, v.Canceled)
			p.Link.Notify()
		}
	case "Network.webSocketCreated":
		p.gate.socketOpens(e)
		p.Net.NoteSocket(p.Frames.CurrentDocument().ID)
	}
}

func (h *host) numberRequest() int { return int(h.lastRequest.Add(1)) }

// Requests implements [driver.NetworkReader].
func (p *Tab) Requests() (list []driver.Request, last int) {
	return p.Net.Requests(), int(p.host.lastRequest.Load())
}

// arrivalTime bounds the wait for the end of an answer that has begun. If the page does not read an
// answer, the browser never reports its end.
const arrivalTime = 200 * time.Millisecond

// JSONAnswer implements [driver.NetworkReader].
func (p *Tab) JSONAnswer(ctx context.Context, number int) []byte {
	id, arriving := p.Net.Answered(number)
	if arriving {
		short, cancel := context.WithTimeout(ctx, arrivalTime)
		defer cancel()
		_ = p.Link.Until(short, "", func() bool {
			id, arriving = p.Net.Answered(number)
			return !arriving
		})
	}
	if id == "" || arriving {
		return nil
	}
	var body proto.NetworkGetResponseBodyResult
	if p.Link.Do(ctx, proto.NetworkGetResponseBody{RequestID: id}, &body) != nil || body.Base64Encoded {
		return nil
	}
	return []byte(body.Body)
}

// Console implements [driver.ConsoleReader].
func (p *Tab) Console() (list []driver.Message, dropped int) { return p.console.Messages() }

// ClearRequests implements [driver.NetworkReader].
func (p *Tab) ClearRequests() { p.Net.Clear() }
