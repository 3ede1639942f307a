package egress

// Outgoing connections: direct, or through another proxy that the user or the environment
// configures.

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/net/http/httpproxy"
	"golang.org/x/net/proxy"
)

var (
	// ErrProxy is the error for a proxy that does not answer.
	ErrProxy = errors.New("the proxy does not answer")
	// ErrTunnel is the error for a proxy that answers but does not open a connection.
	ErrTunnel = errors.New("the proxy did not open a connection")
)

// maxHead limits the size of the head of an HTTP request or response, in bytes.
const maxHead = 1 << 20

type upstream struct {
	control  func(context.Context, string, string, syscall.RawConn) error
	through  *via                               // the user's proxy
	env      func(u *url.URL) (*url.URL, error) // the environment's proxy, used if the user has none
	resolver *net.Resolver                      // nil: the system's
}

// A via is another proxy that our proxy uses.
type via struct {
	scheme, address string
	user            *url.Userinfo
}

func newUpstream(through string) (*upstream, error) {
	if through != "" {
		v, err := parseVia(through)
		return &upstream{through: v}, err
	}
	config := httpproxy.FromEnvironment()
	all := cmp.Or(os.Getenv("ALL_PROXY"), os.Getenv("all_proxy")) // Chromium reads these too
	config.HTTPProxy, config.HTTPSProxy = cmp.Or(config.HTTPProxy, all), cmp.Or(config.HTTPSProxy, all)
	for _, p := range []string{config.HTTPProxy, config.HTTPSProxy} {
		if p == "" {
			continue
		}
		if _, err := parseVia(p); err != nil {
			return nil, err
		}
	}
	return &upstream{env: config.ProxyFunc()}, nil
}

// parseVia parses the address of a proxy. Its error does not contain the address, because the
// address may contain a password.
func parseVia(text string) (*via, error) {
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || strings.Contains(u.Host, ";") {
		return nil, errors.New("found an invalid proxy address")
	}
	v := &via{scheme: strings.ToLower(u.Scheme), user: u.User}
	port := map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080", "socks": "1080"}[v.scheme]
	if port == "" {
		return nil, fmt.Errorf("found the proxy scheme %s, expected http, https or socks5", v.scheme)
	}
	v.address = net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), port))
	return v, nil
}

// of returns the proxy for a host. Nil means a direct connection.
func (u *upstream) of(host, port string) *via {
	if u.through != nil {
		return u.through
	}
	scheme := "https"
	if port == "80" {
		scheme = "http"
	}
	p, err := u.env(&url.URL{Scheme: scheme, Host: host + ":" + port})
	if err != nil || p == nil {
		return nil
	}
	v, _ := parseVia(p.String()) // the address was parsed before
	return v
}

// speaksHTTP reports whether the proxy accepts plain HTTP requests.
func (v *via) speaksHTTP() bool { return v.scheme == "http" || v.scheme == "https" }

// dial connects to a host through v. host is written as in a URL. If plain is set, dial connects
// only to v, for plain HTTP requests.
func (u *upstream) dial(ctx context.Context, v *via, host, port string, plain bool) (net.Conn, error) {
	d := &net.Dialer{ControlContext: u.control}
	target := net.JoinHostPort(strings.Trim(host, "[]"), port)
	if !v.speaksHTTP() {
		return v.socks(ctx, d, target)
	}
	c, err := d.DialContext(ctx, "tcp", v.address)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProxy, err)
	}
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	done := func(c net.Conn, err error) (net.Conn, error) {
		if !stop() && err == nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
		return c, nil
	}
	if v.scheme == "https" {
		name, _, _ := net.SplitHostPort(v.address)
		secure := tls.Client(c, &tls.Config{ServerName: name})
		if err := secure.HandshakeContext(ctx); err != nil {
			return done(c, fmt.Errorf("%w: %w", ErrProxy, err))
		}
		c = secure
	}
	if plain {
		return done(c, nil)
	}
	made, err := v.connect(c, target)
	if err != nil {
		return done(c, fmt.Errorf("%w: %w", ErrTunnel, err))
	}
	return done(made, nil)
}

func (v *via) socks(ctx context.Context, d *net.Dialer, target string) (net.Conn, error) {
	var auth *proxy.Auth
	if v.user != nil {
		password, _ := v.user.Password()
		auth = &proxy.Auth{User: v.user.Username(), Password: password}
	}
	first := &reached{d, false}
	dialer, err := proxy.SOCKS5("tcp", v.address, auth, first)
	if err != nil {
		return nil, err
	}
	c, err := dialer.(proxy.ContextDialer).DialContext(ctx, "tcp", target)
	switch {
	case err == nil:
		return c, nil
	case first.done:
		return nil, fmt.Errorf("%w: %w", ErrTunnel, err)
	}
	return nil, fmt.Errorf("%w: %w", ErrProxy, err)
}

// A reached is a dialer that records whether it has connected.
type reached struct {
	*net.Dialer
	done bool
}

func (r *reached) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := r.Dialer.DialContext(ctx, network, address)
	r.done = err == nil
	return c, err
}

// direct connects to a host. It uses only addresses for which judge returns nil. As in Chromium,
// localhost and the names below it always mean this machine.
func (u *upstream) direct(ctx context.Context, host, port string, judge func(netip.Addr) error) (net.Conn, error) {
	g := &guard{judge: judge}
	d := &net.Dialer{Resolver: u.resolver, ControlContext: func(ctx context.Context, network, address string, raw syscall.RawConn) error {
		if err := u.control(ctx, network, address, raw); err != nil {
			return err
		}
		return g.control(ctx, network, address, raw)
	}}
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	if name != "localhost" && !strings.HasSuffix(name, ".localhost") {
		c, err := d.DialContext(ctx, "tcp", net.JoinHostPort(strings.Trim(host, "[]"), port))
		return c, g.explain(err)
	}
	c, err := d.DialContext(ctx, "tcp", net.JoinHostPort("::1", port))
	if err != nil {
		c, err = d.DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", port))
	}
	return c, g.explain(err)
}

// connect asks an HTTP proxy to open a tunnel to target. c is the connection to the proxy. To
// cancel connect, close c.
func (v *via) connect(c net.Conn, target string) (net.Conn, error) {
	if _, err := fmt.Fprintf(c, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n%s\r\n", target, target, v.credentials()); err != nil {
		return nil, err
	}
	limited := &io.LimitedReader{R: c, N: maxHead}
	r := bufio.NewReader(limited)
	res, err := http.ReadResponse(r, &http.Request{Method: http.MethodConnect})
	if err != nil {
		return nil, err
	}
	if res.StatusCode/100 != 2 {
		return nil, fmt.Errorf("the proxy answered %s", res.Status)
	}
	if r.Buffered() > 0 { // data of the server has already arrived
		limited.N = int64(r.Buffered())
		return &ahead{c, io.MultiReader(io.LimitReader(r, limited.N), c)}, nil
	}
	return c, nil
}

// An ahead is a connection from which some bytes have already been read.
type ahead struct {
	net.Conn
	r io.Reader
}

func (a *ahead) Read(b []byte) (int, error) { return a.r.Read(b) }

// credentials returns the header line with the user's credentials for the proxy, and its line
// break. It returns "" if there are none.
func (v *via) credentials() string {
	if v.user == nil {
		return ""
	}
	password, _ := v.user.Password()
	return "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(v.user.Username()+":"+password)) + "\r\n"
}

// peek reads the first bytes from a client.
func peek(c net.Conn) ([]byte, error) {
	buf := make([]byte, 16<<10)
	n, err := c.Read(buf)
	if n == 0 && err == nil {
		err = io.ErrNoProgress
	}
	return buf[:n], err
}

// isPlainHTTP reports whether the first bytes of a client are a plain HTTP request. A request to
// open a web socket is not plain.
func isPlainHTTP(first []byte) bool {
	return len(first) > 0 && first[0] >= 'A' && first[0] <= 'Z' && !bytes.Contains(bytes.ToLower(first), []byte("\r\nupgrade:"))
}

// forward sends a client's requests to an HTTP proxy. It adds the host and our credentials to each
// request.
func (v *via) forward(to io.Writer, from io.Reader, first []byte, at string) error {
	r := bufio.NewReader(io.MultiReader(bytes.NewReader(first), from))
	at = strings.TrimSuffix(at, ":80")
	for {
		head, err := readHead(r)
		if err != nil || len(head) == 0 {
			return err
		}
		method, rest, found := strings.Cut(head, " ")
		line, headers, whole := strings.Cut(rest, "\r\n")
		if !found || !whole || !strings.HasPrefix(line, "/") && !strings.HasPrefix(line, "* ") {
			return errors.New("found another protocol, expected HTTP")
		}
		if _, err := io.WriteString(to, method+" http://"+at+strings.TrimPrefix(line, "*")+"\r\n"+v.credentials()+headers); err != nil {
			return err
		}
		var length int64
		for header := range strings.SplitSeq(headers, "\r\n") {
			name, value, _ := strings.Cut(header, ":")
			switch strings.ToLower(name) {
			case "content-length":
				if length, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64); err != nil || length < 0 {
					return errors.New("found an invalid content length")
				}
			case "transfer-encoding", "upgrade": // we cannot find the end of such a body
				length = -1
			}
			if length < 0 {
				break
			}
		}
		if length < 0 {
			_, err = io.Copy(to, r)
			return err
		}
		if _, err := io.CopyN(to, r, length); err != nil {
			return err
		}
	}
}

// readHead reads the head of a request, including the empty line at its end. It returns "" at the
// end of the input.
func readHead(r *bufio.Reader) (string, error) {
	var head []byte
	for {
		line, err := r.ReadSlice('\n')
		head = append(head, line...)
		switch {
		case errors.Is(err, io.EOF) && len(head) == 0:
			return "", nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return "", err
		case len(head) > maxHead:
			return "", errors.New("the head of a request is too long")
		case bytes.HasSuffix(head, []byte("\r\n\r\n")):
			return string(head), nil
		}
	}
}
