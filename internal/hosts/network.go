package hosts

import (
	"errors"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/actionregistry/action/diag"
)

// A Network is the setting policy.network, which says to which addresses connections are allowed.
// The zero value allows all. A Network must not be changed while it is in use.
type Network struct {
	// DenyPrivate refuses all addresses that are not public, except those in Allow.
	DenyPrivate bool
	PrivatePos  diag.Pos // of the setting, if it is in a file
	// Deny lists destinations that are always refused. Allow lists exceptions to DenyPrivate, but
	// not to Deny.
	Allow, Deny []Destination
}

// A Destination is an entry of policy.network: a host, or a network, and optionally a port. The
// zero value matches nothing. Destinations can be compared with ==.
type Destination struct {
	host Pattern
	net  netip.Prefix // valid if the entry is a network
	port string       // "" means all ports
	// Pos is the position of the entry in a file. The zero value means unknown.
	Pos diag.Pos
}

// ParseDestination parses an entry of policy.network: a host as in [Parse], or a network such as
// 10.0.0.0/8. The entry may end in :PORT. An IPv6 address before a port must be in brackets. The
// error says what to write instead.
func ParseDestination(text string) (Destination, error) {
	host, port, err := splitPort(text)
	if err != nil {
		return Destination{}, err
	}
	d := Destination{port: port}
	if address, bits, found := strings.Cut(host, "/"); found && !strings.Contains(host, "://") {
		d.net, err = parsePrefix(address, bits)
		return d, err
	}
	d.host, err = Parse(host)
	return d, err
}

// splitPort splits HOST:PORT, [IPV6]:PORT, [IPV6]/BITS:PORT and NETWORK:PORT.
func splitPort(text string) (host, port string, err error) {
	i := strings.LastIndex(text, ":")
	if i < 0 || strings.Contains(text, "://") {
		return text, "", nil
	}
	host, port = text[:i], text[i+1:]
	if strings.Contains(host, ":") && !strings.Contains(host, "]") || strings.Contains(port, "]") {
		return text, "", nil // IPv6 without a port
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 {
		return "", "", errors.New("write a port from 1 to 65535 after the colon, or remove the colon; write an IPv6 address with a port as [::1]:443")
	}
	return host, strconv.FormatUint(n, 10), nil
}

func parsePrefix(address, bits string) (netip.Prefix, error) {
	a, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(address, "["), "]"))
	n, err2 := strconv.Atoi(bits)
	switch {
	case err != nil || err2 != nil || a.Zone() != "":
		return netip.Prefix{}, errors.New("write a network as ADDRESS/BITS, such as 10.0.0.0/8 or fd00::/8")
	case a.Is4In6():
		if n -= 96; n < 0 {
			return netip.Prefix{}, errors.New("write the network with an IPv4 address, such as 10.0.0.0/8")
		}
		a = a.Unmap()
	}
	p, err := a.Prefix(n)
	switch {
	case err != nil:
		return netip.Prefix{}, errors.New("write at most /32 after an IPv4 address, and at most /128 after an IPv6 address")
	case p.Addr() != a:
		return netip.Prefix{}, errors.New("a network begins with its first address: write " + p.String())
	}
	return p, nil
}

// String returns the entry in its shortest form.
func (d Destination) String() string {
	host := d.host.String()
	if d.net.IsValid() {
		if host = d.net.String(); d.port != "" && d.net.Addr().Is6() {
			host = "[" + d.net.Addr().String() + "]/" + strconv.Itoa(d.net.Bits())
		}
	}
	if d.port != "" {
		return host + ":" + d.port
	}
	return host
}

// allows reports whether an entry of Allow matches a connection. An address must be the same; a
// name must be the one that the browser uses.
func (d Destination) allows(host, port string, a netip.Addr) bool {
	switch {
	case d.port != "" && d.port != port:
		return false
	case d.net.IsValid():
		return d.net.Contains(a.Unmap().WithZone(""))
	case d.host.addr.IsValid():
		return a.IsValid() && d.host.addr.Unmap() == a.Unmap().WithZone("")
	}
	return d.host.Allows(host)
}

// denies reports whether an entry of Deny matches a connection. It also matches other names and
// addresses of the same machine.
func (d Destination) denies(host, port string, a netip.Addr) bool {
	if d.port != "" && d.port != port {
		return false
	}
	if !d.net.IsValid() && d.host.Denies(host) {
		return true
	}
	if !a.IsValid() {
		return false
	}
	for _, m := range machines(a) {
		switch {
		case d.net.IsValid():
			if d.net.Contains(m) {
				return true
			}
		case d.host.IsLocal() && (m.IsLoopback() || m.IsUnspecified()), d.host.addr.IsValid() && d.host.addr.Unmap() == m:
			return true
		}
	}
	return false
}

// Restricts reports whether n refuses anything. n may be nil.
func (n *Network) Restricts() bool { return n != nil && (n.DenyPrivate || len(n.Deny) > 0) }

// Judge returns nil if a connection is allowed, and otherwise the reason. host is the name that the
// browser uses, in the form of [Canonical]. If a is invalid, Judge checks only the name. n may be
// nil.
func (n *Network) Judge(host, port string, a netip.Addr) *Refusal {
	if !n.Restricts() {
		return nil
	}
	for _, d := range n.Deny {
		if d.denies(host, port, a) {
			return &Refusal{Host: host, Port: port, Addr: a, Rule: "policy.network.deny: " + d.String(), Pos: d.Pos}
		}
	}
	if !n.DenyPrivate || !a.IsValid() {
		return nil
	}
	why := Special(a)
	if why == "" || slices.ContainsFunc(n.Allow, func(d Destination) bool { return d.allows(host, port, a) }) {
		return nil
	}
	return &Refusal{Host: host, Port: port, Addr: a, Rule: "policy.network.private: deny", Why: why, Pos: n.PrivatePos}
}

// Named reports whether an entry of Allow names the host. The host is then allowed, whatever
// address its name resolves to.
func (n *Network) Named(host, port string) bool {
	return slices.ContainsFunc(n.Allow, func(d Destination) bool { return d.allows(host, port, netip.Addr{}) })
}

// Unresolved returns the refusal of a host whose name cannot be resolved here. A proxy that
// resolved it could connect to a forbidden address.
func (n *Network) Unresolved(host, port string) *Refusal {
	r := &Refusal{Host: host, Port: port, Rule: "policy.network.deny", unresolved: true}
	if n.DenyPrivate {
		r.Rule, r.Pos = "policy.network.private: deny", n.PrivatePos
	}
	return r
}

// Fixed returns the addresses of a host that needs no resolver. For an IP address, it returns this
// address. For localhost and the names below it, it returns the loopback addresses, IPv6 first. For
// other names, it returns nil.
func Fixed(host string) []netip.Addr {
	if a := address(host); a.IsValid() {
		return []netip.Addr{a}
	}
	if isLocal(host) {
		return []netip.Addr{netip.IPv6Loopback(), netip.AddrFrom4([4]byte{127, 0, 0, 1})}
	}
	return nil
}

// JudgeName is like Judge, for a host that has not been resolved. It checks the name, and the
// addresses that [Fixed] returns. One allowed address is enough. n may be nil.
func (n *Network) JudgeName(host, port string) *Refusal {
	refused := n.Judge(host, port, netip.Addr{})
	for _, a := range Fixed(host) {
		if refused = n.Judge(host, port, a); refused == nil {
			return nil
		}
	}
	return refused
}

// Equal reports whether two rules are the same. Both may be nil.
func (n *Network) Equal(other *Network) bool {
	if !n.Restricts() || !other.Restricts() {
		return n.Restricts() == other.Restricts()
	}
	return n.DenyPrivate == other.DenyPrivate && n.PrivatePos == other.PrivatePos &&
		slices.Equal(n.Allow, other.Allow) && slices.Equal(n.Deny, other.Deny)
}

// A Refusal is the error for a connection that a rule forbids.
type Refusal struct {
	Host, Port string
	Addr       netip.Addr // invalid if only the name was judged, or if the name could not be resolved
	Rule       string     // the key of the configuration, and the entry
	Why        string     // what the address is, such as loopback; "" for an entry of deny
	Pos        diag.Pos   // position of the rule, if it is in a file

	unresolved bool // the host has no address here
}

// Error implements error.
func (r *Refusal) Error() string {
	host := strings.Trim(r.Host, "[]")
	where := "the host " + host
	if r.Addr.IsValid() && r.Addr.String() != host {
		where += " has the address " + r.Addr.String() + ", which"
	}
	if r.unresolved {
		return where + " is denied: its name cannot be resolved here, so its address cannot be checked (" + r.Rule + ") before the proxy connects to it"
	}
	if r.Why != "" {
		return where + " is denied (" + r.Why + "): " + r.Rule
	}
	return where + " is denied: " + r.Rule
}

// Coded returns the refusal as a POLICY_DENIED error. The details are host, address, rule and
// position.
func (r *Refusal) Coded() *diag.Error {
	e := diag.New(diag.PolicyDenied, "%s", r.Error()).WithDetail("host", r.Host).WithDetail("rule", r.Rule)
	if r.Addr.IsValid() {
		e.WithDetail("address", r.Addr.String())
	}
	if r.Pos.IsValid() {
		e.WithDetail("position", r.Pos.String())
	}
	if r.unresolved || strings.HasPrefix(r.Rule, "policy.network.private") {
		return e.WithHint("if you trust the host, add it to your own configuration: `policy: {network: {allow: [%q]}}`", net.JoinHostPort(strings.Trim(r.Host, "[]"), r.Port))
	}
	return e.WithHint("change policy.network in the configuration, or open another address")
}
