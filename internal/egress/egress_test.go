package egress

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/net/proxy"

	"github.com/actionregistry/action/internal/hosts"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start starts a proxy that dials through another one ("": directly) and denies a host ("": none).
func start(t *testing.T, through, deny string) *Proxy {
	t.Helper()
	p, err := Start(through)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	if deny == "" {
		p.Restrict(Rule{})
	} else {
		p.Restrict(denying(deny))
	}
	return p
}

func denying(host string) Rule {
	return Rule{Allows: func(h string) bool { return hosts.Permit(h, nil, hosts.MustParse(host)) }}
}

func (p *Proxy) dial(t *testing.T, target string) (net.Conn, error) {
	t.Helper()
	d, err := proxy.SOCKS5("tcp", p.Address(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	c, err := d.(proxy.ContextDialer).DialContext(ctx, "tcp", target)
	if err == nil {
		t.Cleanup(func() { c.Close() })
	}
	return c, err
}

// echo starts a server that sends back what it receives, on IPv4 and IPv6, and returns its port.
func echo(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	for _, l := range []net.Listener{l, also(port)} {
		if l == nil {
			continue
		}
		t.Cleanup(func() { l.Close() })
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				go func() { defer c.Close(); io.Copy(c, c) }()
			}
		}()
	}
	return port
}

// also listens on the same port of IPv6. It returns nil if IPv6 is not available.
func also(port string) net.Listener {
	l, err := net.Listen("tcp6", "[::1]:"+port)
	if err != nil {
		return nil
	}
	return l
}

func says(c net.Conn) bool {
	c.SetDeadline(time.Now().Add(20 * time.Second))
	fmt.Fprint(c, "hello")
	buf := make([]byte, 5)
	_, err := io.ReadFull(c, buf)
	return err == nil && string(buf) == "hello"
}

// TestRule checks that the rule decides about a host in each of its spellings.
func TestRule(t *testing.T) {
	port := echo(t)
	for _, tt := range []struct{ deny, open, refused string }{
		{"", "127.0.0.1 localhost localhost. a.localhost 0.0.0.0 ::ffff:127.0.0.1 0x7f.1", ""},
		{"denied.localhost", "127.0.0.1 localhost a.localhost", "denied.localhost DENIED.localhost. denied.LOCALHOST"},
		{"127.0.0.1", "", "127.0.0.1 localhost localhost. a.localhost ::1 ::ffff:127.0.0.1 ::ffff:7f00:1 0 0.0.0.0 127.1 2130706433 0x7f.1 127.0.0.2 64:ff9b::7f00:1 2002:7f00:1:: :: %31%32%37.1"},
		{"*.localhost", "127.0.0.1 localhost", "a.localhost b.a.localhost"},
	} {
		p := start(t, "", tt.deny)
		for _, host := range strings.Fields(tt.open) {
			if c, err := p.dial(t, net.JoinHostPort(host, port)); err != nil || !says(c) {
				t.Errorf("deny %s: %s is not reached: %v", tt.deny, host, err)
			}
		}
		for _, host := range strings.Fields(tt.refused) {
			if _, err := p.dial(t, net.JoinHostPort(host, port)); err == nil {
				t.Errorf("deny %s: %s is reached", tt.deny, host)
			}
		}
	}
}

// TestRuleChanges checks that a new rule closes only the connections that it does not allow, and
// that the proxy refuses all hosts before its first rule.
func TestRuleChanges(t *testing.T) {
	port := echo(t)
	p, err := Start("")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if _, err := p.dial(t, "a.localhost:"+port); err == nil {
		t.Error("a host is reached without a rule")
	}
	p.Restrict(Rule{})
	a, errA := p.dial(t, "a.localhost:"+port)
	b, errB := p.dial(t, "b.localhost:"+port)
	if errA != nil || errB != nil || !says(a) || !says(b) {
		t.Fatal(errA, errB)
	}
	p.Restrict(denying("a.localhost"))
	if says(a) {
		t.Error("a connection is open whose host the new rule denies")
	}
	if !says(b) {
		t.Error("a connection to another host was closed")
	}
}

// TestFailures checks that the proxy reports why it could not reach a host.
func TestFailures(t *testing.T) {
	p := start(t, "", "denied.test")
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	l.Close()
	_, own, _ := net.SplitHostPort(p.Address())
	var unknown *net.DNSError
	for _, tt := range []struct {
		host, port string
		is         func(error) bool
	}{
		{"127.0.0.1", port, func(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }},
		{"denied.test", port, func(err error) bool { return errors.Is(err, ErrRefused) }},
		{"unknown.invalid", port, func(err error) bool { return errors.As(err, &unknown) }},
		{"localhost", own, func(err error) bool { return err != nil }},
		{"127.0.0.1", own, func(err error) bool { return errors.Is(err, ErrRefused) }},
		{"0.0.0.0", own, func(err error) bool { return err != nil }},
	} {
		if _, err := p.dial(t, net.JoinHostPort(tt.host, tt.port)); err == nil {
			t.Errorf("%s:%s is reached", tt.host, tt.port)
		}
		if err := p.Failure(tt.host, tt.port); !tt.is(err) {
			t.Errorf("%s:%s: %v", tt.host, tt.port, err)
		}
	}
}

// TestOtherProtocols checks that a client of another protocol gets no data and is disconnected.
func TestOtherProtocols(t *testing.T) {
	p := start(t, "", "")
	for _, said := range []string{
		"GET http://127.0.0.1/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "\x04\x01\x00\x50\x7f\x00\x00\x01\x00",
		"\x05\x01\x02", "\x05\x01\x00\x05\x02\x00\x01\x7f\x00\x00\x01\x00\x50", "\x05\x01\x00\x05\x03\x00\x01\x7f\x00\x00\x01\x00\x50",
		"\x05\x01\x00\x05\x01\x00\x09", "\x05\x01\x00\x05\x01\x00\x03\x00\x00\x50", "\x05\x01\x00\x05\x01\x00\x03\x03a\x00b\x00\x50",
	} {
		c, err := net.Dial("tcp", p.Address())
		if err != nil {
			t.Fatal(err)
		}
		c.SetDeadline(time.Now().Add(handshakeTime / 2))
		fmt.Fprint(c, said)
		got, err := io.ReadAll(c)
		var slow net.Error
		if errors.As(err, &slow) && slow.Timeout() || len(got) > 2 && got[3] == replyOK {
			t.Errorf("%q: %q, %v", said, got, err)
		}
		c.Close()
	}
}

// TestOwner checks that the kernel reports the user of a connection.
func TestOwner(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	got, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if !ofOurUser(got) {
		t.Error("our own connection is not ours")
	}
}

// another starts an HTTP proxy that requires a password. It sends each request that it gets to
// asked.
func another(t *testing.T, asked chan<- string) *httptest.Server {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header["Authorization"] = r.Header["Proxy-Authorization"]
		if user, password, _ := r.BasicAuth(); user != "ann" || password != "p@w" {
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		body, _ := io.ReadAll(r.Body)
		asked <- r.Method + " " + r.RequestURI + " " + string(body)
		switch {
		case r.Method != http.MethodConnect:
			fmt.Fprint(w, "plain")
		case strings.HasPrefix(r.RequestURI, "closed.test"):
			w.WriteHeader(http.StatusForbidden)
		default:
			c, _, _ := http.NewResponseController(w).Hijack()
			defer c.Close()
			fmt.Fprint(c, "HTTP/1.1 200 OK\r\n\r\n")
			io.Copy(c, c)
		}
	}))
	t.Cleanup(srv.Close)
	return srv
}

// TestThroughHTTP checks that the user's HTTP proxy gets plain HTTP requests with an absolute
// address, and a CONNECT for everything else, as from a browser.
func TestThroughHTTP(t *testing.T) {
	asked := make(chan string, 10)
	p := start(t, strings.Replace(another(t, asked).URL, "://", "://ann:p%40w@", 1), "denied.test")
	c, err := p.dial(t, "shop.test:80")
	if err != nil {
		t.Fatal(err)
	}
	c.SetDeadline(time.Now().Add(20 * time.Second))
	r := bufio.NewReader(c)
	for _, req := range []string{"GET /a?b HTTP/1.1\r\nHost: shop.test\r\n\r\n", "POST /c HTTP/1.1\r\nHost: shop.test\r\nContent-Length: 4\r\n\r\nbody", "GET /d HTTP/1.1\r\nHost: shop.test\r\n\r\n"} {
		fmt.Fprint(c, req)
		res, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(res.Body); err != nil || string(body) != "plain" {
			t.Errorf("%q: %q, %v", req, body, err)
		}
	}
	for _, want := range []string{"GET http://shop.test/a?b ", "POST http://shop.test/c body", "GET http://shop.test/d "} {
		if got := <-asked; got != want {
			t.Errorf("asked %q, want %q", got, want)
		}
	}
	for _, first := range []string{"\x16\x03\x01", "GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"} {
		c, err := p.dial(t, "shop.test:8443")
		if err != nil {
			t.Fatal(err)
		}
		c.SetDeadline(time.Now().Add(20 * time.Second))
		fmt.Fprint(c, first)
		buf := make([]byte, len(first))
		if _, err := io.ReadFull(c, buf); err != nil || string(buf) != first {
			t.Errorf("%q: %q, %v", first, buf, err)
		}
		if got := <-asked; got != "CONNECT shop.test:8443 " {
			t.Errorf("asked %q", got)
		}
	}
	if _, err := p.dial(t, "denied.test:443"); err == nil || len(asked) > 0 {
		t.Error("the proxy was asked for a host that is denied")
	}
	c, err = p.dial(t, "closed.test:443")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(c, "\x16")
	c.SetDeadline(time.Now().Add(20 * time.Second))
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Error("a tunnel that the proxy refuses is open")
	}
	if err := p.Failure("closed.test", "443"); !errors.Is(err, ErrTunnel) {
		t.Errorf("got %v", err)
	}
}

// TestThroughSOCKS checks that the user's SOCKS proxy gets the name of the host.
func TestThroughSOCKS(t *testing.T) {
	port := echo(t)
	second := start(t, "", "")
	first := start(t, "socks5://"+second.Address(), "denied.localhost")
	c, err := first.dial(t, "shop.localhost:"+port)
	if err != nil || !says(c) {
		t.Fatal(err)
	}
	second.Restrict(denying("shop.localhost"))
	if says(c) {
		t.Error("the connection did not go through the proxy")
	}
	if _, err := first.dial(t, "shop.localhost:"+port); err == nil || !errors.Is(first.Failure("shop.localhost", port), ErrTunnel) {
		t.Errorf("got %v, %v", err, first.Failure("shop.localhost", port))
	}
	second.Close()
	if _, err := first.dial(t, "other.localhost:"+port); err == nil || !errors.Is(first.Failure("other.localhost", port), ErrProxy) {
		t.Errorf("got %v, %v", err, first.Failure("other.localhost", port))
	}
}

// TestThroughWhat checks that the error for an invalid address does not contain the password.
func TestThroughWhat(t *testing.T) {
	for _, address := range []string{"socks4://u:secret@a:1", "quic://a", "http://u:secret@", "http=a:1;https=b:1", "http://u:secret@a:x", "direct://"} {
		if p, err := Start(address); err == nil {
			p.Close()
			t.Errorf("%s is taken", address)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// TestEnvironment checks that the proxy of the environment is used if the user configures none, but
// not for hosts of this machine.
func TestEnvironment(t *testing.T) {
	for _, name := range []string{"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"} {
		t.Setenv(name, "")
	}
	t.Setenv("https_proxy", "http://one:1")
	t.Setenv("ALL_PROXY", "socks5://two:2")
	t.Setenv("no_proxy", "near.test")
	u, err := newUpstream("")
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[string]string{"far.test:443": "one:1", "far.test:80": "two:2", "near.test:443": "", "localhost:80": "", "127.0.0.1:443": "", "[::1]:80": ""} {
		parsed, _ := url.Parse("http://" + at)
		got := ""
		if v := u.of(parsed.Hostname(), parsed.Port()); v != nil {
			got = v.address
		}
		if strings.HasPrefix(at, "[") {
			if v := u.of("[::1]", "80"); v != nil {
				t.Errorf("%s: %v", at, v)
			}
			continue
		}
		if got != want {
			t.Errorf("%s goes through %q, want %q", at, got, want)
		}
	}
}

// TestBrokenBody checks that the browser notices when the server resets a connection.
func TestBrokenBody(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Read(make([]byte, 1))
			fmt.Fprint(c, "part")
			c.Read(make([]byte, 1)) // the client has received the part
			c.(*net.TCPConn).SetLinger(0)
			c.Close()
		}
	}()
	p := start(t, "", "")
	c, err := p.dial(t, l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(c, "x")
	io.ReadFull(c, make([]byte, 4))
	fmt.Fprint(c, "x")
	if got, err := io.ReadAll(c); err == nil {
		t.Errorf("a body that breaks off ends as a whole one: %q", got)
	}
}

// TestClose checks that Close ends all connections, including those that are still being
// established.
func TestClose(t *testing.T) {
	port := echo(t)
	p := start(t, "", "")
	open, err := p.dial(t, "127.0.0.1:"+port)
	if err != nil {
		t.Fatal(err)
	}
	idle, err := net.Dial("tcp", p.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if says(open) || says(idle) {
		t.Error("a connection has outlived its proxy")
	}
	if err := p.Close(); err != nil {
		t.Error("again:", err)
	}
}
