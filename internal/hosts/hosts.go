// Package hosts compares the hosts of URLs with the entries of policy.hosts, and the addresses of
// connections with the entries of policy.network. It parses hosts as the URL standard does: 0x7f.1
// is 127.0.0.1, and MÜNCHEN.test. is xn--mnchen-3ya.test. It does not resolve names. A caller that
// has resolved a name passes the address to [Network.Judge].
//
// code.dny.dev/ssrf decides which addresses are public, because its lists are generated from the
// IANA registries of special-purpose addresses. go4.org/netipx has sets of networks, but no such
// list. The lists of stripe/smokescreen are part of a whole proxy.
//
// Files, bottom to top: hosts, rule, public, network.
package hosts

import (
	"errors"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// A Pattern matches one host, or all names below a name. The zero value matches nothing. Patterns
// can be compared with ==.
type Pattern struct {
	name  string     // as in a URL, without the * of *.NAME
	below bool       // the pattern is *.NAME
	addr  netip.Addr // invalid unless the pattern is an address
}

// Parse parses an entry of policy.hosts. The entry is a name, *.NAME for all names below NAME, or
// an IP address. IPv6 addresses may be in brackets. The error says what to write instead.
func Parse(text string) (Pattern, error) {
	name, below := strings.CutPrefix(text, "*.")
	switch {
	case strings.Contains(name, "://"):
		return Pattern{}, errors.New("write only the host, without scheme and path")
	case isNetwork(name):
		return Pattern{}, errors.New("write each address, or a name: networks are not supported here")
	case strings.Contains(name, "*"):
		return Pattern{}, errors.New("write a name, such as example.test, or *.example.test for all names below example.test")
	case strings.ContainsAny(name, "/@?#\\"):
		return Pattern{}, errors.New("write only the host, without scheme and path")
	case hasPort(name):
		return Pattern{}, errors.New("omit the port: a rule applies to all ports of a host")
	case strings.Contains(name, "%") && strings.Contains(name, ":"):
		return Pattern{}, errors.New("remove the zone (the part after %): addresses of web pages have no zone")
	}
	host, ok := Canonical(bracketed(name))
	if !ok {
		return Pattern{}, errors.New("write a name such as example.test, *.example.test for all names below example.test, or an IP address")
	}
	p := Pattern{name: host, below: below, addr: address(host)}
	if below && p.addr.IsValid() {
		return Pattern{}, errors.New("write the address without *. because there are no names below an address")
	}
	return p, nil
}

func isNetwork(s string) bool {
	s, bits, found := strings.Cut(s, "/")
	_, err := strconv.Atoi(bits)
	_, ok := Canonical(bracketed(s))
	return found && err == nil && ok
}

func bracketed(s string) string {
	if strings.Contains(s, ":") && !strings.HasPrefix(s, "[") {
		return "[" + s + "]"
	}
	return s
}

func hasPort(s string) bool {
	i := strings.LastIndex(s, ":")
	return i >= 0 && (strings.Count(s, ":") == 1 || strings.HasSuffix(s[:i], "]"))
}

// MustParse parses constant patterns. It panics if one of them is invalid.
func MustParse(texts ...string) []Pattern {
	out := make([]Pattern, len(texts))
	for i, text := range texts {
		var err error
		if out[i], err = Parse(text); err != nil {
			panic(text + ": " + err.Error())
		}
	}
	return out
}

// String returns the pattern as it is written in policy.hosts.
func (p Pattern) String() string {
	if p.below {
		return "*." + p.name
	}
	return p.name
}

// mapping implements the "domain to ASCII" algorithm of the URL standard.
var mapping = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.BidiRule(), idna.CheckJoiners(true),
	idna.CheckHyphens(false), idna.StrictDomainName(false), idna.VerifyDNSLength(false))

// Canonical returns a host as a browser writes it in a URL: in lower case and punycode, without a
// final dot. Addresses have their shortest form, and IPv6 addresses are in brackets. Canonical
// returns false if the host is invalid.
func Canonical(host string) (string, bool) {
	if inner, ok := strings.CutPrefix(host, "["); ok {
		addr, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
		if err != nil || !addr.Is6() || addr.Zone() != "" || !strings.HasSuffix(inner, "]") {
			return "", false
		}
		return "[" + ipv6(addr) + "]", true
	}
	decoded, err := url.PathUnescape(host)
	if err != nil || !utf8.ValidString(decoded) || strings.ContainsRune(decoded, utf8.RuneError) {
		return "", false
	}
	name := strings.ToLower(decoded)
	if strings.HasPrefix(name, "xn--") || strings.Contains(name, ".xn--") || !isASCII(name) {
		if name, err = mapping.ToASCII(name); err != nil {
			return "", false
		}
	}
	name = strings.TrimSuffix(name, ".")
	if name == "" || strings.ContainsFunc(name, forbidden) || slices.Contains(strings.Split(name, "."), "") {
		return "", false
	}
	if !endsInNumber(name) {
		return name, true
	}
	return ipv4(name)
}

// OfURL returns the host of a URL in the form of Canonical. It returns false if the host is
// invalid.
func OfURL(u *url.URL) (string, bool) { return Canonical(bracketed(u.Hostname())) }

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 })
}

func forbidden(r rune) bool {
	return r <= ' ' || r == 0x7f || strings.ContainsRune("#%/:<>?@[\\]^|", r)
}

func endsInNumber(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if strings.Trim(last, "0123456789") == "" {
		return true
	}
	_, ok := number(last)
	return ok
}

// number parses a part of an IPv4 address: a decimal, octal (0…) or hexadecimal (0x…) number.
func number(s string) (uint64, bool) {
	base := 10
	switch {
	case strings.HasPrefix(s, "0x"):
		s, base = s[2:], 16
	case len(s) > 1 && s[0] == '0':
		s, base = s[1:], 8
	}
	if s == "" {
		return 0, base == 16 // "0x" without digits means 0
	}
	if strings.ContainsAny(s, "+-_") {
		return 0, false
	}
	n, err := strconv.ParseUint(s, base, 64)
	return n, err == nil
}

// ipv4 parses an IPv4 address of one to four numbers, and returns its usual form. The last number
// fills the remaining bytes, so 127.1 means 127.0.0.1.
func ipv4(name string) (string, bool) {
	parts := strings.Split(name, ".")
	if len(parts) > 4 {
		return "", false
	}
	var sum uint64
	for i, part := range parts {
		n, ok := number(part)
		left := 8 * (4 - i) // remaining bits
		switch {
		case !ok:
			return "", false
		case i < len(parts)-1 && n > 255, i == len(parts)-1 && n >= 1<<left:
			return "", false
		case i < len(parts)-1:
			n <<= left - 8
		}
		sum += n
	}
	return netip.AddrFrom4([4]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}).String(), true
}

// ipv6 returns an address in the form that URLs use.
func ipv6(a netip.Addr) string {
	if !a.Is4In6() {
		return a.String()
	}
	b := a.As16()
	part := func(i int) string { return strconv.FormatUint(uint64(b[i])<<8|uint64(b[i+1]), 16) }
	return "::ffff:" + part(12) + ":" + part(14)
}

// address returns the IP address of a canonical host. The result is invalid if the host is a name.
func address(host string) netip.Addr {
	a, err := netip.ParseAddr(strings.Trim(host, "[]"))
	if err != nil {
		return netip.Addr{}
	}
	return a
}
