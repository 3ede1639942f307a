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
func (b *Browser) AddRoute(ctx context.Context, r driver.Route) (string, error) {
	id, err := b.rules.Add(r)
	if err != nil {
		return "", err
	}
	return id, b.holdRequests(ctx)
}

// Routes implements [driver.Router].
func (b *Browser) Routes() []driver.Route { return b.rules.Routes() }

// RemoveRoute implements [driver.Router].
func (b *Browser) RemoveRoute(ctx context.Context, id string) error {
	if err := b.rules.Remove(id); err != nil {
		return err
	}
	return b.holdRequests(ctx)
}

// hold returns the call of [rules.Table.Hold], first the calls of [rules.Table.First].
func (b *Browser) hold() proto.Request { return b.rules.Hold(b.proxyUser() != nil) }

func (b *Browser) first() []proto.Request { return b.rules.First(b.proxyUser() != nil) }

// holdRequests updates every session; later sessions begin with the new state.
func (b *Browser) holdRequests(ctx context.Context) error {
	if b.endpoint == nil {
		if err := b.do(ctx, b.attachPages(), nil); err != nil {
			return err
		}
	}
	return b.tellSessions(ctx, b.hold())
}

// tellSessions sends a call to the sessions of all pages, frames and workers. It ignores a
// session that ends meanwhile and a worker that does not know the call. If a page does not know
// it, the error is errUnknown.
func (b *Browser) tellSessions(ctx context.Context, req proto.Request) error {
	b.mu.Lock()
	workers := slices.Sorted(maps.Keys(b.workers))
	var pages []string
	for session, p := range b.pages {
		if !p.hidden {
			pages = append(pages, session)
		}
	}
	b.mu.Unlock()
	slices.Sort(pages)
	var started []*cdp.Call
	for _, session := range slices.Concat(pages, workers) {
		started = append(started, b.conn.Start(ctx, session, req))
	}
	for i, k := range started {
		var refused *rodcdp.Error
		switch err := k.Wait(nil); {
		case err != nil && ctx.Err() != nil:
			return b.explain(ctx, err)
		case errors.Is(err, cdp.ErrClosed):
			return b.ended(err)
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
	d := p.b.rules.Decide(&v)
	if d.Refused != nil && v.ResourceType == proto.NetworkResourceTypeDocument && v.FrameID == p.Link.Frame {
		p.Moves.Deny(d.Refused)
	}
	if d.Route != "" {
		p.Net.NoteRoute(v.NetworkID, v.Request.URL, d.Route)
	}
	p.b.answer(e.Session, &v, d.Reply)
}

// answer answers a paused request, even while a dialog blocks its page. If Chromium refuses the
// answer, the request must fail, as it would hang otherwise.
func (b *Browser) answer(session string, v *proto.FetchRequestPaused, reply proto.Request) {
	b.conn.StartThen(context.Background(), session, reply, func(err error) {
		var refused *rodcdp.Error
		if errors.As(err, &refused) { // or the request is over, which makes no difference
			b.conn.Start(context.Background(), session, rules.Fail(v, proto.NetworkErrorReasonFailed))
		}
	})
}
