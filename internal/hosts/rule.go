package hosts

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// Allows reports whether the pattern matches a canonical host. An address in another form does not
// match.
func (p Pattern) Allows(host string) bool {
	if p.below {
		return strings.HasSuffix(host, "."+p.name)
	}
	return p.name != "" && host == p.name
}

// Denies reports whether the pattern matches a canonical host. It also matches other forms of an
// address: an IPv6 address that contains an IPv4 address counts as the IPv4 address. If the pattern
// is local, it matches all names and addresses of this machine; see IsLocal.
func (p Pattern) Denies(host string) bool {
	if p.Allows(host) {
		return true
	}
	if p.IsLocal() {
		return isLocal(host)
	}
	a := address(host)
	return p.addr.IsValid() && a.IsValid() && slices.Contains(forms(a), p.addr.Unmap())
}

// IsLocal reports whether the pattern is this machine: localhost, a loopback address, or the
// unspecified address. It returns false for names below localhost.
func (p Pattern) IsLocal() bool {
	return !p.below && isLocal(p.name) && !strings.HasSuffix(p.name, ".localhost")
}

func isLocal(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	a := address(host)
	return a.IsValid() && slices.ContainsFunc(forms(a), func(f netip.Addr) bool { return f.IsLoopback() || f.IsUnspecified() })
}

// forms returns an address, and the IPv4 address that it contains, if any. It knows IPv4-mapped,
// IPv4-compatible, NAT64 and 6to4 addresses.
func forms(a netip.Addr) []netip.Addr {
	out := []netip.Addr{a.Unmap()}
	if !a.Is6() || a.Is4In6() {
		return out
	}
	b := a.As16()
	switch {
	case a == netip.IPv6Unspecified() || a == netip.IPv6Loopback():
	case compatible.Contains(a), nat64.Contains(a):
		out = append(out, netip.AddrFrom4([4]byte(b[12:16])))
	case sixToFour.Contains(a):
		out = append(out, netip.AddrFrom4([4]byte(b[2:6])))
	}
	return out
}

var (
	compatible = netip.MustParsePrefix("::/96")
	nat64      = netip.MustParsePrefix("64:ff9b::/96")
	sixToFour  = netip.MustParsePrefix("2002::/16")
)

// Permit reports whether a canonical host is allowed. Each list in allow must have a pattern that
// allows the host. No pattern in deny may deny it.
func Permit(host string, allow [][]Pattern, deny []Pattern) bool {
	if slices.ContainsFunc(deny, func(p Pattern) bool { return p.Denies(host) }) {
		return false
	}
	for _, list := range allow {
		if !slices.ContainsFunc(list, func(p Pattern) bool { return p.Allows(host) }) {
			return false
		}
	}
	return true
}

// Globs returns the hosts that the pattern allows, as URL patterns in which * matches any text.
func (p Pattern) Globs() []string {
	if p.name == "" || p.addr.IsValid() {
		return []string{p.name}
	}
	return []string{p.String(), p.String() + "."} // a final dot does not change the host
}

// DenyGlobs returns the hosts that the pattern denies, as URL patterns in which * matches any text.
// They only approximate Denies: they may match other addresses in reserved networks, and they match
// only some addresses of 127.0.0.0/8.
func (p Pattern) DenyGlobs() []string {
	if p.IsLocal() {
		out := []string{"localhost", "localhost.", "*.localhost", "*.localhost.", "127.0.0.1", "127.0.1.1", "0.0.0.0", "[::1]", "[::]"}
		for _, inside := range []string{"::ffff:", "::", "64:ff9b::", "2002:"} {
			out = append(out, "["+inside+"7f*]")
		}
		if p.addr.IsValid() {
			out = append(out, p.name)
		}
		return append(out, "[::ffff:0:0]", "[64:ff9b::]", "[2002::*]", "[2002:0:0:*]")
	}
	out := p.Globs()
	a := p.addr.Unmap()
	if !a.Is4() {
		return out
	}
	b := a.As4()
	var wide [16]byte
	copy(wide[12:], b[:])
	high, low := uint16(b[0])<<8|uint16(b[1]), uint16(b[2])<<8|uint16(b[3])
	for _, inside := range []netip.Addr{netip.AddrFrom16(wide), nat64Of(wide)} {
		out = append(out, "["+ipv6(inside)+"]")
	}
	return append(out, a.String(), fmt.Sprintf("[::ffff:%x:%x]", high, low), fmt.Sprintf("[2002:%x:%x:*]", high, low))
}

func nat64Of(b [16]byte) netip.Addr {
	b[1], b[2], b[3] = 0x64, 0xff, 0x9b
	return netip.AddrFrom16(b)
}

// InBoth returns patterns that allow exactly the hosts that both lists allow.
func InBoth(a, b []Pattern) []Pattern {
	var out []Pattern
	for _, x := range a {
		for _, y := range b {
			switch {
			case x == y, y.covers(x):
				out = append(out, x)
			case x.covers(y):
				out = append(out, y)
			}
		}
	}
	return out
}

// covers reports whether p allows all hosts that the pattern "narrow" allows, and others.
func (p Pattern) covers(narrow Pattern) bool { return p.below && p != narrow && p.Allows(narrow.name) }
