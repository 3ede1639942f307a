// Package egress connects one browser to the network. It is a SOCKS5 proxy on loopback that dials
// only the hosts that a rule allows, for every kind of request of the browser. It does not read the
// traffic, except for plain HTTP that another proxy needs in a special form (see upstream.go).
//
// SOCKS5 makes a tunnel for every scheme, so no request is rewritten. A web page can send HTTP to
// our port, but not SOCKS5. Chromium does not authenticate at SOCKS proxies, so the proxy cannot
// require a password. On Linux it serves only connections of its own user (peer_linux.go). On other
// systems, other users of the machine may use it while the browser is running.
//
// We use no existing library: armon/go-socks5 has no deadlines, no shutdown and no releases,
// others are not available as modules, and goproxy and smokescreen speak HTTP.
package egress

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/actionregistry/action/internal/hosts"
)

const (
	// maxConns bounds the connections of one browser. Chromium opens some hundreds.
	maxConns = 1024
	// handshakeTime is how long a client may take to send its target.
	handshakeTime = 10 * time.Second
	// dialTime is how long establishing a connection may take.
	dialTime = 30 * time.Second
	// maxFailures bounds the number of failed connections that are remembered.
	maxFailures = 200
)

// A Proxy is a running proxy. It is safe for concurrent use.
type Proxy struct {
	listener net.Listener
	port     uint16
	up       *upstream
	ctx      context.Context // ends with the proxy
	cancel   context.CancelFunc
	running  sync.WaitGroup

	mu       sync.Mutex
	allows   func(host string) bool
	conns    map[*tunnel]struct{}
	failures map[string]error // by host:port, as in a URL
	closed   bool
}

// A tunnel is a connection of the browser. Its host is "" until the client has sent it.
type tunnel struct {
	host   string
	client net.Conn
	server net.Conn
	cancel context.CancelFunc // cancels dialling
}

// ErrRefused is the error for a connection that the rule does not allow.
var ErrRefused = errors.New("the host is not allowed")

// Start starts a proxy that refuses every host until it gets a rule. It dials through the proxy
// at the given address: HOST:PORT, or a URL with http://, https:// or socks5://, with
// user:password@ if required. "" means the proxy of the environment, if there is one.
func Start(through string) (*Proxy, error) {
	up, err := newUpstream(through)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("found no free port for the browser's proxy: %w", err)
	}
	p := &Proxy{
		listener: listener, up: up, allows: func(string) bool { return false },
		port:  listener.Addr().(*net.TCPAddr).AddrPort().Port(),
		conns: make(map[*tunnel]struct{}), failures: make(map[string]error),
	}
	up.control = p.notItself
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.running.Go(p.accept)
	return p, nil
}

// Address returns the host:port on which the proxy is listening.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Restrict sets the rule and closes the connections that it does not allow. The rule receives
// hosts in the form of [hosts.Canonical]. A nil rule allows all hosts.
func (p *Proxy) Restrict(allows func(host string) bool) {
	if allows == nil {
		allows = func(string) bool { return true }
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.allows = allows
	for t := range p.conns {
		if t.host != "" && !allows(t.host) {
			abort(t.client)
			t.end()
		}
	}
}

// Failure returns the error of the last connection to a host and port, written as in a URL. It
// returns nil if the connection succeeded.
func (p *Proxy) Failure(host, port string) error {
	host, _ = hosts.Canonical(host)
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failures[host+":"+port]
}

// Close closes the proxy and all its connections. It returns when all its goroutines have ended.
func (p *Proxy) Close() error {
	p.mu.Lock()
	p.closed = true
	for t := range p.conns {
		t.end()
	}
	p.mu.Unlock()
	p.cancel()
	err := p.listener.Close()
	p.running.Wait()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// end closes both ends of the tunnel. The caller must hold Proxy.mu.
func (t *tunnel) end() {
	t.cancel()
	_ = t.client.Close() // its users notice the closing
	if t.server != nil {
		_ = t.server.Close()
	}
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		switch {
		case p.ctx.Err() != nil || errors.Is(err, net.ErrClosed):
			if err == nil {
				_ = client.Close()
			}
			return
		case err != nil: // perhaps too many open files; retry when connections have ended
			select {
			case <-p.ctx.Done():
			case <-time.After(10 * time.Millisecond):
			}
			continue
		}
		ctx, cancel := context.WithCancel(p.ctx)
		t := &tunnel{client: client, cancel: cancel}
		p.mu.Lock()
		full := p.closed || len(p.conns) >= maxConns
		if !full {
			p.conns[t] = struct{}{}
		}
		p.mu.Unlock()
		if full {
			cancel()
			_ = client.Close()
			continue
		}
		p.running.Go(func() {
			p.serve(ctx, t)
			p.mu.Lock()
			t.end()
			delete(p.conns, t)
			p.mu.Unlock()
		})
	}
}

// Replies of SOCKS5.
const (
	replyOK         = 0
	replyFailed     = 1
	replyNotAllowed = 2
	replyUnknown    = 7 // unknown command
)

func (p *Proxy) serve(ctx context.Context, t *tunnel) {
	if !ofOurUser(t.client) || t.client.SetDeadline(time.Now().Add(handshakeTime)) != nil {
		return
	}
	asked, port, err := greet(t.client)
	if err != nil {
		return
	}
	_ = t.client.SetDeadline(time.Time{}) // on a closed connection the next write fails
	reply := func(code byte) bool {
		_, err := t.client.Write([]byte{5, code, 0, 1, 0, 0, 0, 0, 0, 0})
		return err == nil
	}
	host, ok := hosts.Canonical(asked)
	at := host + ":" + port
	if !ok || !p.allow(t, host) {
		p.note(at, ErrRefused)
		reply(replyNotAllowed)
		return
	}
	var first []byte
	via := p.up.of(host, port)
	if via != nil && via.speaksHTTP() { // the request to the other proxy depends on the client's first bytes
		if !reply(replyOK) {
			return
		}
		if first, err = peek(t.client); err != nil {
			return
		}
	}
	plain := via != nil && isPlainHTTP(first)
	dialing, cancel := context.WithTimeout(ctx, dialTime)
	name := host
	if strings.HasSuffix(asked, ".") && !strings.HasPrefix(host, "[") && net.ParseIP(host) == nil {
		name += "." // resolved as an absolute name
	}
	server, err := p.up.dial(dialing, via, name, port, plain)
	cancel()
	p.note(at, err)
	if err != nil {
		if first == nil {
			reply(replyFailed)
		}
		return
	}
	if !p.join(t, server) { // the rule has changed, or the proxy is closed
		_ = server.Close()
		return
	}
	if first == nil && !reply(replyOK) {
		return
	}
	send := func() error {
		if _, err := server.Write(first); err != nil {
			return err
		}
		_, err := io.Copy(server, t.client)
		return err
	}
	if plain {
		send = func() error { return via.forward(server, t.client, first, at) }
	}
	var sending sync.WaitGroup
	sending.Go(func() {
		// A browser closes both directions together, so nobody reads the rest of the server's answer.
		if send() != nil {
			abort(server)
		}
		_ = server.Close()
	})
	if _, err = io.Copy(t.client, server); err != nil || closeWrite(t.client) != nil {
		abort(t.client)
	}
	sending.Wait()
}

// closeWrite signals the end of the server's data to the browser, which may continue sending.
func closeWrite(c net.Conn) error {
	half, ok := c.(interface{ CloseWrite() error })
	if !ok {
		return errors.ErrUnsupported
	}
	return half.CloseWrite()
}

// abort resets a connection instead of closing it. Otherwise a partial body whose end is the end of
// the connection would look complete.
func abort(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}

// allow checks the rule and records the host in the tunnel, so that later rules apply to it.
func (p *Proxy) allow(t *tunnel, host string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || !p.allows(host) {
		return false
	}
	t.host = host
	return true
}

// join makes server the other end of the tunnel, unless the rule has changed since.
func (p *Proxy) join(t *tunnel, server net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || !p.allows(t.host) {
		return false
	}
	t.server = server
	return true
}

// note records the outcome of a connection.
func (p *Proxy) note(at string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil {
		delete(p.failures, at)
		return
	}
	if len(p.failures) >= maxFailures {
		clear(p.failures)
	}
	p.failures[at] = err
}

// notItself prevents the proxy from dialling itself, which would be an endless loop.
func (p *Proxy) notItself(_ context.Context, _, address string, _ syscall.RawConn) error {
	a, err := netip.ParseAddrPort(address)
	if err == nil && a.Port() == p.port && (a.Addr().Unmap().IsLoopback() || a.Addr().Unmap().IsUnspecified()) {
		return ErrRefused
	}
	return nil
}

// errProtocol is the error for a client that speaks another protocol.
var errProtocol = errors.New("found another protocol, expected SOCKS5")

// greet reads the target of a client. The host is as in a URL, with IPv6 in brackets.
func greet(c net.Conn) (host, port string, err error) {
	var buf [256]byte
	read := func(n int) []byte {
		if err == nil {
			_, err = io.ReadFull(c, buf[:n])
		}
		return buf[:n]
	}
	head := read(2)
	if err != nil || head[0] != 5 {
		return "", "", errors.Join(errProtocol, err)
	}
	methods := read(int(head[1]))
	if err != nil || !strings.Contains(string(methods), "\x00") {
		return "", "", errors.Join(errProtocol, err)
	}
	if _, err := c.Write([]byte{5, 0}); err != nil {
		return "", "", err
	}
	head = read(4)
	if err != nil || head[0] != 5 {
		return "", "", errors.Join(errProtocol, err)
	}
	if head[1] != 1 { // listening and datagrams are not supported
		_, _ = c.Write([]byte{5, replyUnknown, 0, 1, 0, 0, 0, 0, 0, 0})
		return "", "", errProtocol
	}
	switch head[3] {
	case 1:
		host = netip.AddrFrom4([4]byte(read(4))).String()
	case 3:
		host = string(read(int(read(1)[0])))
	case 4:
		host = netip.AddrFrom16([16]byte(read(16))).String()
	default:
		return "", "", errProtocol
	}
	if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") {
		host = "[" + host + "]"
	}
	return host, strconv.Itoa(int(binary.BigEndian.Uint16(read(2)))), err
}
