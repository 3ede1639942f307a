package egress

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/internal/hosts"
	"github.com/actionregistry/action/internal/testkit"
)

// network returns a rule that denies private addresses, except for those in allow, and the entries
// of deny. Both are separated by spaces.
func network(t *testing.T, allow, deny string) Rule {
	t.Helper()
	n := &hosts.Network{DenyPrivate: true}
	for list, text := range map[*[]hosts.Destination]string{&n.Allow: allow, &n.Deny: deny} {
		for _, entry := range strings.Fields(text) {
			d, err := hosts.ParseDestination(entry)
			if err != nil {
				t.Fatal(err)
			}
			*list = append(*list, d)
		}
	}
	return Rule{Network: n}
}

// resolve makes a proxy use a DNS server with the given zone.
func (p *Proxy) resolve(t *testing.T, zone testkit.Zone) {
	resolver, end := zone.DNS()
	p.up.resolver = resolver
	t.Cleanup(end)
}

// TestNetwork checks that the rule judges the addresses to which names resolve.
func TestNetwork(t *testing.T) {
	port := echo(t)
	at := func(text string) string { return strings.ReplaceAll(text, "PORT", port) }
	for _, tt := range []struct{ name, allow, deny, open, refused string }{
		{"nothing is public here", "", "", "",
			"127.0.0.1 localhost a.localhost localhost. ::1 0.0.0.0 :: ::7f00:1 64:ff9b::7f00:1 64:ff9b:1::7f00:1 2002:7f00:1:: 0x7f.1 0177.1 2130706433 127.1 127.0.0.2 １２７.0.0.1 %31%32%37.1 v4.test v6.test mapped.test alias.test chain.test both.test zero.test nat.test"},
		{"a name is allowed", "v4.test:PORT *.localhost", "", "v4.test V4.test. a.localhost", "127.0.0.1 localhost alias.test mapped.test"},
		{"an address is allowed on one port", "127.0.0.1:PORT", "", "127.0.0.1 localhost v4.test mapped.test both.test alias.test", "127.0.0.2 ::1 v6.test v42.test"},
		{"another port", "127.0.0.1:1", "", "", "127.0.0.1 v4.test"},
		{"a network is allowed", "127.0.0.0/30", "", "127.0.0.1 v4.test mixed.test", "127.0.0.9 ::1"},
		{"deny wins", "127.0.0.0/8 ::1", "127.0.0.2", "", "127.0.0.1 localhost ::1 0.0.0.0 v4.test v42.test"},
		{"a network is denied", "127.0.0.0/8 [::1]:PORT", "127.0.0.2/31", "127.0.0.1 ::1 v4.test mixed.test", "127.0.0.2 127.0.0.3 v42.test"},
		{"a name is denied", "0.0.0.0/0 ::/0", "v4.test *.localhost", "127.0.0.1 alias.test localhost", "v4.test V4.test. a.localhost"},
		{"a port is denied", "0.0.0.0/0", "127.0.0.0/8:PORT", "", "127.0.0.1 0.0.0.0 v4.test"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := start(t, "", "")
			p.resolve(t, testkit.Zone{
				"v4.test": {{"127.0.0.1"}}, "v42.test": {{"127.0.0.2"}}, "v6.test": {{"::1"}}, "mapped.test": {{"::ffff:127.0.0.1"}}, "alias.test": {{"v4.test"}},
				"chain.test": {{"alias.test"}}, "both.test": {{"127.0.0.2", "127.0.0.1", "::1"}}, "zero.test": {{"0.0.0.0", "::"}}, "nat.test": {{"64:ff9b::7f00:1"}},
				"mixed.test": {{"127.0.0.9", "127.0.0.1"}},
			})
			p.Restrict(network(t, at(tt.allow), at(tt.deny)))
			for _, host := range strings.Fields(tt.open) {
				if c, err := p.dial(t, net.JoinHostPort(host, port)); err != nil || !says(c) {
					t.Errorf("%s is not reached: %v, %v", host, err, p.Failure(host, port))
				}
			}
			for _, host := range strings.Fields(tt.refused) {
				if _, err := p.dial(t, net.JoinHostPort(host, port)); err == nil {
					t.Errorf("%s is reached", host)
					continue
				}
				in := host
				if strings.Contains(host, ":") {
					in = "[" + host + "]"
				}
				var refused *hosts.Refusal
				if err := p.Failure(in, port); !errors.Is(err, ErrRefused) || !errors.As(err, &refused) || refused.Coded().Details["rule"] == "" {
					t.Errorf("%s: the failure is %v, want a refusal", host, err)
				}
			}
			if n := len(p.TakeRefused()); (n > 0) != (tt.refused != "") || len(p.TakeRefused()) > 0 {
				t.Errorf("%d refusals are kept", n)
			}
		})
	}
}

// TestRebinding checks that a name is resolved once for each connection, so that a later answer of
// the resolver has no effect, and that each connection is judged anew.
func TestRebinding(t *testing.T) {
	port := echo(t)
	p := start(t, "", "")
	p.resolve(t, testkit.Zone{
		"first.test": {{"127.0.0.1"}, {"127.0.0.2"}},                // first an allowed address, then a denied one
		"late.test":  {{"192.0.2.1"}, {"127.0.0.2"}, {"127.0.0.1"}}, // only the third answer is allowed
		"slow.test":  {{"127.0.0.2", "192.0.2.1"}, {"127.0.0.1"}},   // none is allowed
		"six.test":   {{"127.0.0.1", "::1"}, {"127.0.0.1", "::1"}},  // one of two
		"odd.test":   {{"::ffff:127.0.0.2"}, {"::ffff:127.0.0.1"}},  // IPv4 inside IPv6
		"cname.test": {{"to.first.test"}}, "to.first.test": {{"127.0.0.2"}, {"127.0.0.1"}},
	})
	p.Restrict(network(t, "127.0.0.1:"+port, ""))
	for _, tt := range []struct {
		host string
		open []bool // by connection
	}{
		{"first.test", []bool{true, false, false}}, {"late.test", []bool{false, false, true}}, {"slow.test", []bool{false, true}},
		{"six.test", []bool{true, true}}, {"odd.test", []bool{false, true}}, {"cname.test", []bool{false, true}},
	} {
		for i, want := range tt.open {
			c, err := p.dial(t, tt.host+":"+port)
			if got := err == nil && says(c); got != want {
				t.Errorf("%s, connection %d: reached %v (%v), want %v", tt.host, i+1, got, err, want)
			}
		}
	}
}

// TestNetworkChanges checks that a new rule closes the connections to addresses that it denies.
func TestNetworkChanges(t *testing.T) {
	port := echo(t)
	p := start(t, "", "")
	a, errA := p.dial(t, "127.0.0.1:"+port)
	b, errB := p.dial(t, "a.localhost:"+port)
	if errA != nil || errB != nil || !says(a) || !says(b) {
		t.Fatal(errA, errB)
	}
	p.Restrict(network(t, "*.localhost", ""))
	if says(a) {
		t.Error("a connection is open whose address the new rule denies")
	}
	if !says(b) {
		t.Error("a connection to an allowed name was closed")
	}
}

// TestNetworkComesLater checks that a rule closes a connection whose address only another proxy
// knows, unless its name is trusted.
func TestNetworkComesLater(t *testing.T) {
	asked := make(chan string, 10)
	p := start(t, strings.Replace(another(t, asked).URL, "://", "://ann:p%40w@", 1), "")
	open := func(host string) net.Conn {
		c, err := p.dial(t, host)
		if err != nil || !says(c) { // the other proxy echoes the data after a CONNECT
			t.Fatal(host, err)
		}
		<-asked
		return c
	}
	a, b, c := open("shop.test:443"), open("trusted.test:443"), open("8.8.8.8:443")
	p.Restrict(network(t, "trusted.test", ""))
	if says(a) || says(c) {
		t.Error("a connection is open whose address is not known")
	}
	if !says(b) {
		t.Error("a connection to a trusted name was closed")
	}
	if d := open("8.8.8.8:443"); !says(d) {
		t.Error("an address is not reached through the other proxy")
	}
}

// TestThroughAnother checks that a rule for addresses holds behind another proxy, which gets the
// address that was judged, while the server gets the name.
func TestThroughAnother(t *testing.T) {
	asked := make(chan string, 10)
	p := start(t, strings.Replace(another(t, asked).URL, "://", "://ann:p%40w@", 1), "")
	p.resolve(t, testkit.Zone{"shop.test": {{"2a00::1", "8.8.8.8", "10.0.0.1"}}, "inner.test": {{"10.0.0.1"}}, "closed.test": {{"9.9.9.9"}}})
	p.Restrict(network(t, "trusted.test", ""))
	send := func(target, first string) (string, error) {
		c, err := p.dial(t, target)
		if err != nil {
			return "", err
		}
		c.SetDeadline(time.Now().Add(20 * time.Second))
		fmt.Fprint(c, first)
		_, _ = bufio.NewReader(c).Peek(1)
		return <-asked, nil
	}
	for _, tt := range []struct{ target, first, want string }{
		{"shop.test:443", "\x16\x03\x01", "CONNECT 8.8.8.8:443 "},
		{"shop.test:80", "GET /a HTTP/1.1\r\nHost: shop.test\r\n\r\n", "CONNECT 8.8.8.8:80 "},
		{"trusted.test:443", "\x16\x03\x01", "CONNECT trusted.test:443 "},
	} {
		if got, err := send(tt.target, tt.first); err != nil || got != tt.want {
			t.Errorf("%s: asked %q, %v; want %q", tt.target, got, err, tt.want)
		}
	}
	for target, want := range map[string]string{"inner.test:443": "10.0.0.1", "127.0.0.1:80": "loopback", "gone.test:443": "cannot be resolved here", "localhost:80": "loopback"} {
		_, err := p.dial(t, target)
		host, port, _ := net.SplitHostPort(target)
		if failure := p.Failure(host, port); err == nil || !errors.Is(failure, ErrRefused) || !strings.Contains(failure.Error(), want) {
			t.Errorf("%s: %v, %v; want %q", target, err, failure, want)
		}
	}
	for _, r := range p.TakeRefused() {
		if e := r.Coded(); r.Host == "gone.test" && !strings.Contains(e.Hint, `allow: ["gone.test:443"]`) {
			t.Errorf("the hint is %s", e.Hint)
		}
	}
}

// TestPlainThroughAnother checks plain HTTP behind a proxy that makes no tunnel for it: the request
// names the address, and keeps its Host header.
func TestPlainThroughAnother(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan *http.Request, 2)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			req, err := http.ReadRequest(bufio.NewReader(c))
			if err == nil && req.Method == http.MethodConnect {
				fmt.Fprint(c, "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
			} else if err == nil {
				got <- req
				fmt.Fprint(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
			}
			c.Close()
		}
	}()
	p := start(t, l.Addr().String(), "")
	p.resolve(t, testkit.Zone{"shop.test": {{"8.8.8.8"}}})
	p.Restrict(network(t, "", ""))
	c, err := p.dial(t, "shop.test:80")
	if err != nil {
		t.Fatal(err)
	}
	c.SetDeadline(time.Now().Add(20 * time.Second))
	fmt.Fprint(c, "GET /a HTTP/1.1\r\nHost: shop.test\r\nX-Kept: 1\r\n\r\n")
	buf := make([]byte, 12)
	if n, _ := c.Read(buf); string(buf[:n]) != "HTTP/1.1 200" {
		t.Errorf("answered %q", buf)
	}
	if req := <-got; !strings.HasPrefix(req.RequestURI, "http://8.8.8.8/a") || req.Header.Get("X-Kept") != "1" {
		t.Errorf("asked %s, %v", req.RequestURI, req.Header)
	}
}
