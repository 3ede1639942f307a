package chrome

// Routes. Like rules for hosts (see hosts.go), they pause requests (Fetch.requestPaused), which
// costs one message in each direction for each request. Without routes or rules nothing is paused.

import (
	"context"
	"errors"

	rodcdp "github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/rules"
	"github.com/actionregistry/action/internal/driver"
)

// Routes implements [driver.Router].
func (g *gate) Routes() []driver.Route { return g.rules.Routes() }

// hold returns the call that applies the current interception to a session: see [rules.Table.Hold].
func (g *gate) hold() proto.Request { return g.rules.Hold(g.host.proxyUser() != nil) }

// first returns the calls that set up the interception in a new session: see [rules.Table.First].
func (g *gate) first() []proto.Request { return g.rules.First(g.host.proxyUser() != nil) }

// errUnknown means that the browser does not know a method or its parameters.
var errUnknown = errors.New("the browser does not know the method")

// JSON-RPC error codes for errUnknown.
const noMethod, badParams = -32601, -32602

// paused answers a paused request according to the rules. It runs in the goroutine that reads
// replies and does not wait. A request whose page was closed needs no answer.
func (p *Tab) paused(e *cdp.Event) {
	var v proto.FetchRequestPaused
	if !cdp.Decode(e, &v) || v.Request == nil {
		return
	}
	if reply := p.refused(&v); reply != nil {
		p.gate.answer(e.Session, &v, reply)
		return
	}
	d := p.gate.rules.Decide(&v)
	if v.ResourceType == proto.NetworkResourceTypeDocument {
		p.led.Store(v.Request.URL)
	}
	if d.Refused != nil && v.ResourceType == proto.NetworkResourceTypeDocument && v.FrameID == p.Link.Frame {
		p.Moves.Deny(d.Refused)
	}
	if d.Route != "" {
		p.Net.NoteRoute(v.NetworkID, v.Request.URL, d.Route)
	}
	p.gate.answer(e.Session, &v, d.Reply)
}

// answer answers a paused request, even while a dialog blocks its page. If Chromium refuses the
// answer, the request fails.
func (g *gate) answer(session string, v *proto.FetchRequestPaused, reply proto.Request) {
	g.host.conn.StartThen(context.Background(), session, reply, func(err error) {
		var refused *rodcdp.Error
		if errors.As(err, &refused) { // Chromium refuses the answer; if that is because the request has ended, this call has no effect
			g.host.conn.Start(context.Background(), session, rules.Fail(v, proto.NetworkErrorReasonFailed))
		}
	})
}

// socketOpens records a WebSocket that a rule refuses.
func (g *gate) socketOpens(e *cdp.Event) {
	var v proto.NetworkWebSocketCreated
	if cdp.Decode(e, &v) {
		g.rules.NoteSocket(v.URL)
	}
}
