package rules

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/proto"

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

// Restrict sets the rule for hosts; nil: all may be reached. It reports whether the sessions of the
// browser have to learn about it: then call Applied when they have.
func (t *Table) Restrict(rule *HostRule) (changed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	changed = t.stale || !rule.equal(t.hosts)
	t.hosts, t.stale = rule, changed
	return changed
}

// Applied records that all sessions know the rule.
func (t *Table) Applied() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stale = false
}

// Unknown records that a proxy, or a session, does not know the rule yet.
func (t *Table) Unknown() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stale = true
}

// Restricted reports whether there is a rule for hosts.
func (t *Table) Restricted() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.hosts != nil
}

// TakeRefused returns why requests of pages were refused since the last call, one error per
// host.
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

// NoteSocket records a WebSocket if the rule refuses it: it is not paused, see [HostRule.Sockets].
func (t *Table) NoteSocket(address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = t.refuse(address) // TakeRefused returns it
}

// maxRefused bounds the hosts recorded for a page.
const maxRefused = 20

// refuse checks whether a request may be sent. A rule for hosts does not concern
// requests that reach no host.
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

// Permit is the rule for the hosts of connections.
func (r *HostRule) Permit() func(host string) bool {
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

// NoDirect removes from documents what connects past every rule: WebRTC, WebTransport, and
// shared workers, because one with a blob: script may send requests before they are
// intercepted. A tab stays without them after the rule ends, until it is closed.
var NoDirect = proto.PageAddScriptToEvaluateOnNewDocument{
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

// Sockets is the call that makes Chromium refuse the WebSockets that r refuses; r may be nil.
// Chromium pauses none: it is passed the hosts without network.
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
