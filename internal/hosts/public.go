package hosts

import (
	"net/netip"

	"code.dny.dev/ssrf"
)

// Special returns the kind of an address that is not public, such as "loopback". It returns "" for
// a public address. The kinds follow the IANA registries of special-purpose addresses. An
// IPv4-mapped IPv6 address counts as its IPv4 address. Other IPv6 addresses that contain an IPv4
// address are not public.
func Special(a netip.Addr) string {
	a = a.Unmap().WithZone("")
	if !a.IsValid() {
		return "no address"
	}
	for _, s := range special {
		if s.net.Contains(a) {
			return s.name
		}
	}
	if a.Is6() && isISATAP(a) {
		return "an IPv4 address inside IPv6 (ISATAP)"
	}
	if guardian.SafeAddr(a) == nil {
		return ""
	}
	if a.Is6() && !ssrf.IPv6GlobalUnicast.Contains(a) {
		return "outside the public IPv6 addresses"
	}
	return "reserved for a special purpose"
}

// guardian checks whether an address is reserved, by the IANA registries.
var guardian = ssrf.New(ssrf.WithAnyPort(), ssrf.WithAnyNetwork())

// special has names for the most common reserved networks. The first match applies.
var special = func() []named {
	var out []named
	for _, s := range [][2]string{
		{"127.0.0.0/8", "loopback"}, {"::1/128", "loopback"}, {"0.0.0.0/8", "unspecified"}, {"::/128", "unspecified"},
		{"10.0.0.0/8", "private"}, {"172.16.0.0/12", "private"}, {"192.168.0.0/16", "private"}, {"fc00::/7", "unique local"},
		{"169.254.169.254/32", "link-local: the metadata service of a cloud"}, {"169.254.0.0/16", "link-local"}, {"fe80::/10", "link-local"},
		{"100.64.0.0/10", "shared address space"}, {"fec0::/10", "site-local"},
		{"224.0.0.0/4", "multicast"}, {"ff00::/8", "multicast"}, {"255.255.255.255/32", "broadcast"}, {"240.0.0.0/4", "reserved"},
		{"192.0.2.0/24", "for documentation"}, {"198.51.100.0/24", "for documentation"}, {"203.0.113.0/24", "for documentation"},
		{"2001:db8::/32", "for documentation"}, {"3fff::/20", "for documentation"}, {"198.18.0.0/15", "for benchmarks"},
		{"2001:2::/48", "for benchmarks"}, {"100::/64", "discarded"},
		{"::/96", "an IPv4 address inside IPv6"}, {"64:ff9b::/96", "an IPv4 address inside IPv6 (NAT64)"},
		{"64:ff9b:1::/48", "an IPv4 address inside IPv6 (NAT64)"}, {"2002::/16", "an IPv4 address inside IPv6 (6to4)"},
		{"2001::/32", "an IPv4 address inside IPv6 (Teredo)"},
	} {
		out = append(out, named{netip.MustParsePrefix(s[0]), s[1]})
	}
	return out
}()

type named struct {
	net  netip.Prefix
	name string
}

// isISATAP reports whether an IPv6 address contains an IPv4 address in the form of ISATAP (RFC
// 5214).
func isISATAP(a netip.Addr) bool {
	b := a.As16()
	return b[8]&^2 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe
}

var (
	nat64Local = netip.MustParsePrefix("64:ff9b:1::/48")
	teredo     = netip.MustParsePrefix("2001::/32")
)

// machines returns all addresses that a connection to a may reach. These are a and the IPv4
// addresses in it. If one of them is the unspecified address, loopback is added, because Linux
// connects to it.
func machines(a netip.Addr) []netip.Addr {
	a = a.WithZone("")
	out := forms(a)
	if a.Is6() && !a.Is4In6() {
		b := a.As16()
		switch {
		case nat64Local.Contains(a): // the two formats of RFC 6052 for prefixes of this length
			out = append(out, netip.AddrFrom4([4]byte(b[12:16])), netip.AddrFrom4([4]byte{b[6], b[7], b[9], b[10]}))
		case teredo.Contains(a):
			out = append(out, netip.AddrFrom4([4]byte(b[4:8])), netip.AddrFrom4([4]byte{^b[12], ^b[13], ^b[14], ^b[15]}))
		case isISATAP(a):
			out = append(out, netip.AddrFrom4([4]byte(b[12:16])))
		}
	}
	for _, m := range out {
		if m.IsUnspecified() {
			out = append(out, netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback())
		}
	}
	return out
}
