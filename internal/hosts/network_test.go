package hosts

import (
	"net/netip"
	"strings"
	"testing"

	"code.dny.dev/ssrf"
)

// TestSpecial checks the first and the last address of each special network, and their neighbours.
func TestSpecial(t *testing.T) {
	for _, tt := range []struct{ addresses, want string }{
		{"127.0.0.0 127.0.0.1 127.255.255.255 ::1", "loopback"},
		{"10.0.0.0 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255", "private"},
		{"169.254.0.0 169.254.255.255 fe80:: febf:ffff::1 fe80::1%eth0", "link-local"},
		{"169.254.169.254", "metadata"},
		{"fc00:: fd00:ec2::254 fdff:ffff::1", "unique local"},
		{"100.64.0.0 100.100.100.200 100.127.255.255", "shared"},
		{"224.0.0.1 239.255.255.255 ff02::1 ffff:ffff::1", "multicast"},
		{"255.255.255.255", "broadcast"},
		{"0.0.0.0 0.0.0.1 0.255.255.255 ::", "unspecified"},
		{"192.0.2.1 198.51.100.255 203.0.113.1 2001:db8::1 3fff:: 3fff:fff:ffff::1", "documentation"},
		{"198.18.0.0 198.19.255.255", "benchmarks"},
		{"192.0.0.0 192.0.0.255 192.88.99.1 2001:10::1 2001:1ff::1 2620:4f:8000::1", "special purpose"},
		{"240.0.0.0 255.255.255.254", "reserved"},
		{"100::1 100::ffff:ffff:ffff:ffff", "discarded"},
		{"fec0::1 feff::1", "site-local"},
		{"::ffff:127.0.0.1 ::ffff:7f00:1", "loopback"},
		{"::ffff:10.0.0.1", "private"},
		{"::8.8.8.8 ::2", "inside IPv6"},
		{"64:ff9b::8.8.8.8 64:ff9b:1::1", "NAT64"},
		{"2002:808:808::1", "6to4"},
		{"2001::1", "Teredo"},
		{"2600::5efe:8.8.8.8 2600::200:5efe:10.0.0.1", "ISATAP"},
		{"1::1 64:ff9b:2::1 4000::1 5f00::1 8000::1", "outside"},
		{"8.8.8.8 1.1.1.1 9.255.255.255 11.0.0.0 126.255.255.255 128.0.0.0 172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 169.253.255.255 169.255.0.0 100.63.255.255 100.128.0.0 223.255.255.255 198.17.255.255 198.20.0.0 ::ffff:8.8.8.8 2600::1 2a00:1450::1 2400::1 3ffe::1 2003::1 2001:200::1", ""},
	} {
		for _, text := range strings.Fields(tt.addresses) {
			got := Special(netip.MustParseAddr(text))
			if got != tt.want && (tt.want == "" || !strings.Contains(got, tt.want)) {
				t.Errorf("%s is %q, want %q", text, got, tt.want)
			}
		}
	}
	// Nothing in the registries is missing.
	for _, list := range [][]netip.Prefix{ssrf.IPv4DeniedPrefixes, ssrf.IPv6DeniedPrefixes} {
		for _, p := range list {
			if Special(p.Addr()) == "" {
				t.Errorf("%s is public", p)
			}
		}
	}
	if Special(netip.Addr{}) == "" {
		t.Error("no address is public")
	}
}

// TestParseDestination checks entries of policy.network in their shortest form, and their errors.
func TestParseDestination(t *testing.T) {
	for text, want := range map[string]string{
		"shop.test": "shop.test", "SHOP.test.:80": "shop.test:80", "*.shop.test:443": "*.shop.test:443", "10.0.0.1": "10.0.0.1", "0xa.1:8080": "10.0.0.1:8080",
		"::1": "[::1]", "[::1]": "[::1]", "[::1]:80": "[::1]:80", "10.0.0.0/8": "10.0.0.0/8", "10.0.0.0/8:22": "10.0.0.0/8:22", "fd00::/8": "fd00::/8",
		"[fd00::]/8:443": "[fd00::]/8:443", "[fd00::]/8": "fd00::/8", "::ffff:10.0.0.0/104": "10.0.0.0/8", "0.0.0.0/0": "0.0.0.0/0", "::/0": "::/0",
	} {
		if d, err := ParseDestination(text); err != nil || d.String() != want {
			t.Errorf("%s: got %s, %v; want %s", text, d, err, want)
		}
	}
	for text, want := range map[string]string{
		"http://a.test": "without scheme", "a.test/b": "ADDRESS/BITS", "a.test:": "port", "a.test:0": "port", "a.test:70000": "port", "a.test:http": "port",
		"10.0.0.1/8": "10.0.0.0/8", "10.0.0.0/33": "at most /32", "fe80::1%eth0": "zone", "*": "name", "*.10.0.0.1": "no names below", "": "write a name", "10.0.0.0/": "ADDRESS/BITS",
	} {
		if d, err := ParseDestination(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %s, %v; want an error with %q", text, d, err, want)
		}
	}
}

// TestJudgeForms checks that a denied network covers the forms of its addresses inside IPv6.
func TestJudgeForms(t *testing.T) {
	d, err := ParseDestination("10.0.0.0/8")
	if err != nil {
		t.Fatal(err)
	}
	local, err := ParseDestination("127.0.0.0/8")
	if err != nil {
		t.Fatal(err)
	}
	n := &Network{Deny: []Destination{d, local}}
	for _, text := range strings.Fields("10.1.2.3 ::ffff:10.1.2.3 ::a01:203 64:ff9b::a01:203 64:ff9b:1::a01:203 64:ff9b:1:a01:2:300:: 2002:a01:203::1 2001:0:808:808::f5fe:fdfc 2600::5efe:a01:203 0.0.0.0 ::") {
		if n.Judge("a.test", "80", netip.MustParseAddr(text)) == nil {
			t.Errorf("%s is allowed", text)
		}
	}
	for _, text := range strings.Fields("8.8.8.8 ::1 64:ff9b::808:808 2002:808:808::1 192.168.0.1") {
		if r := n.Judge("a.test", "80", netip.MustParseAddr(text)); r != nil {
			t.Errorf("%s: %v", text, r)
		}
	}
}
