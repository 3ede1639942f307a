package chrome

// Interception in all tabs: it begins and ends as routes are added and removed.

import (
	"context"
	"errors"
	"maps"
	"slices"

	rodcdp "github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/browser/cdp"
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

// RemoveRoute implements [driver.Router].
func (g *gate) RemoveRoute(ctx context.Context, id string) error {
	if err := g.rules.Remove(id); err != nil {
		return err
	}
	return g.holdRequests(ctx)
}

// holdRequests applies the current interception of requests to every session, including later ones.
func (g *gate) holdRequests(ctx context.Context) error {
	if g.host.endpoint == nil {
		if err := g.host.do(ctx, g.attachPages(), nil); err != nil {
			return err
		}
	}
	return g.tellSessions(ctx, g.hold())
}

// tellSessions sends a call to the sessions of all pages, frames and workers. It ignores sessions
// that have ended, and workers that do not support the call. The error is errUnknown if a page does
// not support it.
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
