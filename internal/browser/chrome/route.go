package chrome

// Routes. Like rules for hosts (see hosts.go), they pause requests (Fetch.requestPaused), each
// for one message each way. Without routes or rules nothing is paused.

import (
	"context"
	"errors"
	"maps"
	"slices"

	rodcdp "github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/rules"
	"github.com/actionregistry/action/internal/driver"
)

// AddRoute implements [driver.Router].
func (g *gate) AddRoute(ctx context.Context, r driver.Route) (string, error) {
	id, err := g.rules.Add(r)
	if err != nil {
		return "", err
	}
	return id, g.holdRequests(ctx)
}

// Routes implements [driver.Router].
func (g *gate) Routes() []driver.Route { return g.rules.Routes() }

// RemoveRoute implements [driver.Router].
func (g *gate) RemoveRoute(ctx context.Context, id string) error {
	if err := g.rules.Remove(id); err != nil {
		return err
	}
	return g.holdRequests(ctx)
}

// hold returns the call of [rules.Table.Hold], first the calls of [rules.Table.First].
func (g *gate) hold() proto.Request { return g.rules.Hold(g.host.proxyUser() != nil) }

func (g *gate) first() []proto.Request { return g.rules.First(g.host.proxyUser() != nil) }

// holdRequests updates every session; later sessions begin with the new state.
func (g *gate) holdRequests(ctx context.Context) error {
	if g.host.endpoint == nil {
		if err := g.host.do(ctx, g.attachPages(), nil); err != nil {
			return err
		}
	}
	return g.tellSessions(ctx, g.hold())
}

// tellSessions sends a call to the sessions of all pages, frames and workers. It ignores a
// session that ends meanwhile and a worker that does not know the call. If a page does not know
// it, the error is errUnknown.
func (g *gate) tellSessions(ctx context.Context, req proto.Request) error {
	pages, workers := g.roster.sessions(), slices.Sorted(maps.Keys(g.attachedTo.all()))
	var started []*cdp.Call
	for _, session := range slices.Concat(pages, workers) {
		started = append(started, g.host.conn.Start(ctx, session, req))
	}
	for i, k := range started {
		var refused *rodcdp.Error
		switch err := k.Wait(nil); {
		case err != nil && ctx.Err() != nil:
			return g.host.explain(ctx, err)
		case errors.Is(err, cdp.ErrClosed):
			return g.host.ended(err)
		case i < len(pages) && errors.As(err, &refused) && (refused.Code == noMethod || refused.Code == badParams):
			return errUnknown

		}
	}
	return nil
}

// errUnknown means that the browser does not know a method or its parameters.
var errUnknown = errors.New("the browser does not know the method")

// JSON-RPC error codes for errUnknown.
const noMethod, badParams = -32601, -32602

// paused decides about a paused request. It runs in the goroutine that reads replies and does not
// wait. If the request's page was closed, there is nothing to answer.
func (p *Tab) paused(e *cdp.Event) {
	var v proto.FetchRequestPaused
	if !cdp.Decode(e, &v) || v.Request == nil {
		return
	}
	d := p.gate.rules.Decide(&v)
	if d.Refused != nil && v.ResourceType == proto.NetworkResourceTypeDocument && v.FrameID == p.Link.Frame {
		p.Moves.Deny(d.Refused)
	}
	if d.Route != "" {
		p.Net.NoteRoute(v.NetworkID, v.Request.URL, d.Route)
	}
	p.gate.answer(e.Session, &v, d.Reply)
}

// answer answers a paused request, even while a dialog blocks its page. If Chromium refuses the
// answer, the request must fail, as it would hang otherwise.
func (g *gate) answer(session string, v *proto.FetchRequestPaused, reply proto.Request) {
	g.host.conn.StartThen(context.Background(), session, reply, func(err error) {
		var refused *rodcdp.Error
		if errors.As(err, &refused) { // or the request is over, which makes no difference
			g.host.conn.Start(context.Background(), session, rules.Fail(v, proto.NetworkErrorReasonFailed))
		}
	})
}
