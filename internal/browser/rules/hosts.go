package rules

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/internal/egress"
	"github.com/actionregistry/action/internal/hosts"
)

// A HostRule specifies which hosts pages may reach.
type HostRule struct {
	// Check returns an error for the http or https address of a request that may not be sent. It is
	// called in the goroutine that reads replies and must not wait.
	Check func(address string) error
	// Allow and Deny express the same rule as lists of hosts. A host must match every list in
	// Allow, and nothing in Deny.
	Allow [][]hosts.Pattern
	Deny  []hosts.Pattern
	// Network is the rule for the addresses of hosts; nil allows all addresses. Only our proxy can
	// enforce it.
	Network *hosts.Network
}

// Restrict sets the rule for hosts; nil means that all may be reached. It reports whether the
// browser's sessions must be updated: if so, call Applied afterwards.
func (t *Table) Restrict(rule *HostRule) (changed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	changed = t.stale || !rule.equal(t.hosts)
	t.hosts, t.stale, t.ruled = rule, changed, t.ruled || rule != nil
	return changed
}

// Applied records that all sessions have the rule.
func (t *Table) Applied() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stale = false
}

// Unknown records that the proxy, or a session, may lack the rule in force.
func (t *Table) Unknown() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stale = true
}

// Ruled reports whether there has been a rule for hosts.
func (t *Table) Ruled() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ruled
}

// Restricted reports whether there is a rule for hosts.
func (t *Table) Restricted() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.hosts != nil
}

// TakeRefused returns why requests of pages were refused since the last call, one error per host.
func (t *Table) TakeRefused() []error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []error
	for _, host := range slices.Sorted(maps.Keys(t.refused)) {
		out = append(out, t.refused[host])
	}
	t.refused = nil
	return out
}

// NoteSocket records a WebSocket if the rule refuses it. WebSockets are not paused: see
// [HostRule.Sockets].
func (t *Table) NoteSocket(address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = t.refuse(address) // TakeRefused reports it
}

// maxRefused limits the number of hosts that are recorded.
const maxRefused = 20

// refuse returns why a request may not be sent, or nil. It ignores requests that reach no host. The
// caller holds t.mu.
func (t *Table) refuse(address string) error {
	if t.hosts == nil {
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
	refused := t.hosts.Check(address)
	if refused != nil && len(t.refused) < maxRefused {
		if t.refused == nil {
			t.refused = make(map[string]error)
		}
		t.refused[host] = refused
	}
	return refused
}

// Egress returns the rule for the proxy; r may be nil.
func (r *HostRule) Egress() egress.Rule {
	if r == nil {
		return egress.Rule{}
	}
	return egress.Rule{Allows: func(host string) bool { return hosts.Permit(host, r.Allow, r.Deny) }, Network: r.Network}
}

func (r *HostRule) equal(other *HostRule) bool {
	if r == nil || other == nil {
		return r == other
	}
	return r.Network.Equal(other.Network) && slices.Equal(r.Deny, other.Deny) && slices.EqualFunc(r.Allow, other.Allow, slices.Equal[[]hosts.Pattern])
}

// NoDirect removes from documents the interfaces whose requests no rule can intercept: WebRTC,
// WebTransport and shared workers. A shared worker with a blob: script may send requests before
// they are intercepted. The interfaces stay removed until the tab is closed, even if the rule ends.
var NoDirect = proto.PageAddScriptToEvaluateOnNewDocument{
	Source:         "for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'SharedWorker', 'WebTransport']) delete globalThis[name]",
	RunImmediately: true,
}

// networkRules is a call that rod does not have. The first matching rule applies.
type networkRules struct {
	Rules []networkRule `json:"matchedNetworkConditions"`
}

type networkRule struct {
	URLPattern string `json:"urlPattern"`
	Offline    bool   `json:"offline"`
	Latency    int    `json:"latency"`
	Download   int    `json:"downloadThroughput"` // -1: unlimited
	Upload     int    `json:"uploadThroughput"`
}

func (networkRules) ProtoReq() string { return "Network.emulateNetworkConditionsByRule" }

// Sockets returns the call that makes Chromium refuse the WebSockets that r forbids; r may be nil.
// Chromium cannot pause a WebSocket for a decision, so the call lists the hosts that count as
// offline.
func (r *HostRule) Sockets() proto.Request {
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
