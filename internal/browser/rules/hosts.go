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
	// Check returns an error if a request to an http or https address may not be sent. It runs in
	// the goroutine that reads the browser's replies, so it must not wait.
	Check func(address string) error
	// Allow and Deny express the rule of Check as lists of hosts. A host is allowed if it matches a
	// pattern of every list in Allow, and no pattern in Deny.
	Allow [][]hosts.Pattern
	Deny  []hosts.Pattern
	// Network is the rule for the IP addresses of hosts. Only our proxy can enforce it. A nil
	// Network allows all addresses.
	Network *hosts.Network
}

// Restrict sets the rule for hosts. A nil rule allows all hosts. Restrict reports whether the
// browser's sessions must be updated. If so, the caller updates them and then calls Applied.
func (t *Table) Restrict(rule *HostRule) (changed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	changed = t.stale || !rule.equal(t.hosts)
	t.hosts, t.stale, t.ruled = rule, changed, t.ruled || rule != nil
	return changed
}

// Applied records that all sessions have the current rule.
func (t *Table) Applied() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stale = false
}

// Unknown records that the proxy or a session may not have the current rule.
func (t *Table) Unknown() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stale = true
}

// Ruled reports whether there has ever been a rule for hosts.
func (t *Table) Ruled() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ruled
}

// Restricted reports whether there is a rule for hosts now.
func (t *Table) Restricted() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.hosts != nil
}

// TakeRefused returns an error for each host to which requests were refused since the last call.
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

// NoteSocket records a refusal if the rule forbids the WebSocket to address. Chromium itself
// refuses the WebSocket; see [HostRule.Sockets].
func (t *Table) NoteSocket(address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = t.refuse(address) // TakeRefused reports it
}

// maxRefused is the maximum number of hosts for which refusals are recorded.
const maxRefused = 20

// refuse returns an error if the rule forbids requests to address, and records that error. It
// ignores addresses without a host, such as data: URLs. The caller holds t.mu.
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

// Egress returns r in the form that the proxy uses. The receiver may be nil.
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

// NoDirect is a script that removes WebRTC, WebTransport and shared workers from documents. Rules
// cannot intercept all of their requests. The script stays in effect until the tab is closed.
var NoDirect = proto.PageAddScriptToEvaluateOnNewDocument{
	Source:         "for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'SharedWorker', 'WebTransport']) delete globalThis[name]",
	RunImmediately: true,
}

// networkRules is a protocol call that rod does not define. Chromium applies the first rule that
// matches.
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

// Sockets returns the call that makes Chromium refuse the WebSockets that r forbids. The receiver
// may be nil.
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
