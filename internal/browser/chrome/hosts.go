package chrome

// Hosts that pages may not reach. A browser that we start connects through a proxy that enforces the
// rule for every connection (package egress, startup.Options.Guard), and alone enforces the rule for
// addresses. The code here provides the errors and warnings. In a browser that we did not start, it
// is the only protection.
//
// A request is refused while it is intercepted (see route.go). Chromium does not intercept
// WebSockets: Restrict passes it the hosts that have no network access, and removes WebSockets
// from workers to which that does not apply. WebRTC and WebTransport are removed from pages while
// a rule is in force. The browser also makes requests by itself, which cannot be intercepted: these
// are disabled at launch (package startup, [process.PredictNothing]). ways_test.go lists every way
// that was tried to get around the rule.

import (
	"context"
	"errors"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/rules"
)

// Restrict sets which hosts pages may reach from now on. Nil means all hosts. The error is
// BROWSER_UNAVAILABLE if the browser cannot block WebSockets by host.
func (g *gate) Restrict(ctx context.Context, rule *rules.HostRule) error {
	if !g.rules.Restrict(rule) {
		return nil
	}
	if g.host.egress != nil {
		g.host.egress.Restrict(rule.Egress())
	} else if rule != nil && rule.Network.Restricts() {
		g.rules.Unknown()
		return cdp.Unavailable("the browser cannot enforce policy.network, because it does not connect through our proxy").
			WithHint("remove browser.cdp, so that a new browser is started, or remove policy.network")
	}
	if !g.rules.Ruled() { // there never was a rule, so sessions need no change
		g.rules.Applied()
		return nil
	}
	if err := g.holdRequests(ctx); err != nil {
		return err
	}
	switch err := g.tellSessions(ctx, rule.Sockets()); {
	case errors.Is(err, errUnknown) && rule != nil:
		return cdp.Unavailable("the browser cannot block WebSockets by host, which policy.hosts requires").
			WithHint("use a newer Chromium (this one is %s), or remove policy.hosts", g.host.version)
	case err != nil && !errors.Is(err, errUnknown):
		return err
	}
	if rule != nil {
		if err := g.tellSessions(ctx, rules.NoDirect); err != nil {
			return err
		}
		for session, w := range g.attachedTo.all() {
			for _, req := range w.without() {
				g.host.conn.Start(context.WithoutCancel(ctx), session, req)
			}
		}
	}
	g.rules.Applied()
	return nil
}

// Unguarded reports whether we have started the browser without [startup.Options.Guard]. In such a
// browser, a rule for hosts covers only requests that can be intercepted.
func (h *host) Unguarded() bool { return h.process != nil && h.egress == nil }

// TakeRefused returns errors for the requests that were refused since its last call: one error for
// each host. For a host whose requests were not intercepted, it returns one error for each network
// address.
func (g *gate) TakeRefused() []error {
	out := g.rules.TakeRefused()
	if g.host.egress == nil {
		return out
	}
	said := make(map[string]bool)
	for _, err := range out {
		said[err.Error()] = true
	}
	for _, refused := range g.host.egress.TakeRefused() {
		if !said[refused.Error()] {
			out = append(out, refused.Coded())
		}
	}
	return out
}
