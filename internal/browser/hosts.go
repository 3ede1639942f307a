package browser

// Hosts that pages may not reach. A browser that we start under a rule connects through a
// proxy that enforces it for every connection (package egress, Options.Guard). The code
// here provides the errors and warnings, and is the only protection in a browser that we
// have not started.
//
// A request is refused while it is intercepted (see route.go). Chromium does not intercept
// WebSockets: Restrict passes it the hosts without network; workers that this does not
// reach have no WebSockets. WebRTC and WebTransport are removed from pages while a rule is
// in force. Requests that the browser makes by itself, and does not intercept, are switched
// off at launch (offFeatures, predictNothing). ways_test.go lists every way that was tried.

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/hosts"
)

// A HostRule says which hosts pages may reach.
type HostRule struct {
	// Check refuses the address of a request, http or https. It is called in the goroutine
	// that reads replies, and must not wait.
	Check func(address string) error
	// Allow and Deny express the same as lists of hosts. A host must match one of each list
	// of Allow, and none of Deny.
	Allow [][]hosts.Pattern
	Deny  []hosts.Pattern
}

// Restrict sets which hosts pages may reach from now on; nil: all. It costs nothing if
// nothing changes. A browser that cannot block WebSockets by host is BROWSER_UNAVAILABLE.
func (b *Browser) Restrict(ctx context.Context, rule *HostRule) error {
	b.routes.mu.Lock()
	same := !b.routes.stale && rule.equal(b.routes.hosts)
	b.routes.hosts, b.routes.stale = rule, !same
	b.routes.mu.Unlock()
	if same {
		return nil
	}
	if b.egress != nil {
		b.egress.Restrict(rule.permit())
	}
	if err := b.holdRequests(ctx); err != nil {
		return err
	}
	switch err := b.tellSessions(ctx, rule.socketCall()); {
	case errors.Is(err, errUnknown) && rule != nil:
		return unavailable("the browser cannot be told which web sockets to refuse, as policy.hosts wants").
			WithHint("use a newer Chromium (this one is %s), or do without policy.hosts", b.version)
	case err != nil && !errors.Is(err, errUnknown):
		return err
	}
	if rule != nil {
		if err := b.tellSessions(ctx, noDirect); err != nil {
			return err
		}
		for session, w := range b.allWorkers() {
			for _, req := range w.without() {
				b.conn.Start(context.WithoutCancel(ctx), session, req)
			}
		}
	}
	b.routes.mu.Lock()
	defer b.routes.mu.Unlock()
	b.routes.stale = false
	return nil
}

// Unguarded reports whether a browser that we have started reaches the network without
// [Options.Guard], so that a rule only covers intercepted requests.
func (b *Browser) Unguarded() bool { return b.process != nil && b.egress == nil }

func (b *Browser) restricted() bool {
	b.routes.mu.Lock()
	defer b.routes.mu.Unlock()
	return b.routes.hosts != nil
}

// permit is the rule for the hosts of connections.
func (r *HostRule) permit() func(host string) bool {
	if r == nil {
		return nil
	}
	return func(host string) bool { return hosts.Permit(host, r.Allow, r.Deny) }
}

func (r *HostRule) equal(other *HostRule) bool {
	if r == nil || other == nil {
		return r == other
	}
	return slices.Equal(r.Deny, other.Deny) && slices.EqualFunc(r.Allow, other.Allow, slices.Equal[[]hosts.Pattern])
}

// TakeRefused returns why requests of pages were refused since the last call, one error per
// host.
func (b *Browser) TakeRefused() []error {
	b.routes.mu.Lock()
	defer b.routes.mu.Unlock()
	var out []error
	for _, host := range slices.Sorted(maps.Keys(b.routes.refused)) {
		out = append(out, b.routes.refused[host])
	}
	b.routes.refused = nil
	return out
}

// maxRefused bounds the hosts recorded for a page.
const maxRefused = 20

// refuseLocked checks whether a request may be sent. A rule for hosts does not concern
// requests that reach no host.
func (r *routes) refuseLocked(address string) error {
	if r.hosts == nil {
		return nil
	}
	host := address
	if u, err := url.Parse(address); err == nil {
		switch u.Scheme {
		case "ws", "wss":
			address = "http" + strings.TrimPrefix(address, "ws")
		case "http", "https":
		default:
			return nil
		}
		host = u.Host
	}
	refused := r.hosts.Check(address)
	if refused != nil && len(r.refused) < maxRefused {
		if r.refused == nil {
			r.refused = make(map[string]error)
		}
		r.refused[host] = refused
	}
	return refused
}

// socketOpens records a refused WebSocket.
func (b *Browser) socketOpens(e *cdp.Event) {
	var v proto.NetworkWebSocketCreated
	if cdp.Decode(e, &v) {
		b.routes.mu.Lock()
		defer b.routes.mu.Unlock()
		_ = b.routes.refuseLocked(v.URL) // it is kept to be told
	}
}

// noDirect removes from documents what connects past every rule: WebRTC, WebTransport, and
// shared workers, because one with a blob: script may send requests before they are
// intercepted. A tab stays without them after the rule ends, until it is closed.
var noDirect = proto.PageAddScriptToEvaluateOnNewDocument{
	Source:         "for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'SharedWorker', 'WebTransport']) delete globalThis[name]",
	RunImmediately: true,
}

// networkRules is a call that rod does not know. The first matching rule applies.
type networkRules struct {
	Rules []networkRule `json:"matchedNetworkConditions"`
}

type networkRule struct {
	URLPattern string `json:"urlPattern"`
	Offline    bool   `json:"offline"`
	Latency    int    `json:"latency"`
	Download   int    `json:"downloadThroughput"` // -1: as it is
	Upload     int    `json:"uploadThroughput"`
}

func (networkRules) ProtoReq() string { return "Network.emulateNetworkConditionsByRule" }

// socketCall translates a rule for WebSockets to Chromium's.
func (r *HostRule) socketCall() networkRules {
	call := networkRules{Rules: []networkRule{}}
	if r == nil {
		return call
	}
	add := func(offline bool, host string) {
		host = strings.ReplaceAll(host, ":", `\:`)
		for _, scheme := range []string{"ws", "wss"} {
			call.Rules = append(call.Rules, networkRule{URLPattern: scheme + "://" + host + ":*/*", Offline: offline, Download: -1, Upload: -1})
		}
	}
	for _, p := range r.Deny {
		for _, host := range p.DenyGlobs() {
			add(true, host)
		}
	}
	if len(r.Allow) == 0 {
		return call
	}
	allowed := r.Allow[0]
	for _, list := range r.Allow[1:] {
		allowed = hosts.InBoth(allowed, list)
	}
	for _, p := range allowed {
		for _, host := range p.Globs() {
			add(false, host)
		}
	}
	add(true, "*")
	return call
}

// deny records why the document that the page was navigating to was refused.
func (p *Page) deny(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.denied = diag.As(err)
}

// refusedDocument returns err, or why the policy refused the document if that is the
// reason.
func (p *Page) refusedDocument(err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	denied := p.denied
	p.denied = nil
	if err == nil || denied == nil {
		return err
	}
	return denied.Clone()
}
