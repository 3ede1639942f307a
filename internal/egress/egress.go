// Package egress connects one browser to the network. It is a SOCKS5 proxy on loopback that dials
// only what a rule allows (rule.go), for every kind of request of the browser. A name is resolved
// once, each of its addresses is judged, and only an address that was judged is dialled. The proxy
// does not read the traffic, except for plain HTTP that another proxy needs in a special form (see
// upstream.go).
//
// SOCKS5 makes a tunnel for every scheme, so no request is rewritten. A web page can send HTTP to
// our port, but not SOCKS5. Chromium does not authenticate at SOCKS proxies, so the proxy cannot
// require a password. On Linux it serves only connections of its own user (peer_linux.go). On other
// systems, other users of the machine may use it while the browser is running.
//
// We use no existing proxy. armon/go-socks5 has no deadlines, no shutdown and no releases. goproxy
// and smokescreen speak HTTP, so a page could send them requests; smokescreen is also a program
// with its own roles, files and list of private networks. Package hosts decides which addresses are
// public, by the lists of code.dny.dev/ssrf, which are generated from the IANA registries.
//
// Files, bottom to top: rule, peer, upstream, socks, egress.
package egress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/netip"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/actionregistry/action/internal/hosts"
)

const (
	// maxConns is the maximum number of connections. Chromium opens some hundreds.
	maxConns = 1024
	// handshakeTime limits the wait for the client's target.
	handshakeTime = 10 * time.Second
	// dialTime limits the time to connect to a host.
	dialTime = 30 * time.Second
	// maxFailures is the maximum number of stored errors.
	maxFailures = 200
	// maxRefused is the maximum number of refusals for TakeRefused.
	maxRefused = 20
)

// A Proxy is a running proxy. It is safe for concurrent use.
type Proxy struct {
	listener net.Listener
	port     uint16
	up       *upstream
	ctx      context.Context // ends when the proxy is closed
	cancel   context.CancelFunc
	running  sync.WaitGroup

	mu       sync.Mutex
	rule     *Rule // nil refuses all hosts
	conns    map[*tunnel]struct{}
	failures map[string]error          // last errors by host:port, written as in a URL
	refused  map[string]*hosts.Refusal // since the last TakeRefused
	closed   bool
}

// A tunnel connects the browser with a server. The host is "" until the client has sent it.
type tunnel struct {
	host   string
	port   string
	addr   netip.Addr // of the server; invalid before it is known, and if another proxy resolves the name
	client net.Conn
	server net.Conn
	cancel context.CancelFunc // cancels dialling
}

// Start starts a proxy. It refuses all hosts until [Proxy.Restrict] is called. The argument
// "through" is the address of another proxy that the new one uses: HOST:PORT, or a URL with
// http://, https:// or socks5://. The URL may contain user:password@. If "through" is empty, Start
// uses the proxy that the environment configures, if any.
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
		listener: listener, up: up,
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

// Restrict sets the rule, and closes the connections that the new rule does not allow.
func (p *Proxy) Restrict(rule Rule) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rule = &rule
	clear(p.failures) // they may be due to the old rule
	p.refused = nil
	for t := range p.conns {
		if t.server != nil && rule.fits(t.host, t.port, t.addr) != nil {
			abort(t.client)
			t.end()
		}
	}
}

// TakeRefused returns the connections that have been refused because of their addresses since the
// last call. It returns each host and address once, sorted by host.
func (p *Proxy) TakeRefused() []*hosts.Refusal {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []*hosts.Refusal
	for _, key := range slices.Sorted(maps.Keys(p.refused)) {
		out = append(out, p.refused[key])
	}
	p.refused = nil
	return out
}

// refuseLocked stores a refusal for TakeRefused. The caller must hold p.mu.
func (p *Proxy) refuseLocked(r *hosts.Refusal) {
	if p.refused == nil {
		p.refused = make(map[string]*hosts.Refusal)
	}
	if len(p.refused) < maxRefused {
		p.refused[r.Host+" "+r.Addr.String()] = r
	}
}

// judge returns an error if the rule does not allow an address of the tunnel's host.
func (p *Proxy) judge(t *tunnel, a netip.Addr) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return ErrRefused
	}
	return p.rule.judge(t.host, t.port, a)
}

// Failure returns the error of the last connection to host and port. It returns nil if the
// connection succeeded. host is written as in a URL.
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

// end closes both connections of the tunnel. The caller must hold Proxy.mu.
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
		case err != nil: // perhaps too many files are open; retry when connections have ended
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
	refuse := func(err error) {
		p.note(at, err)
		if errors.Is(err, ErrRefused) {
			reply(replyNotAllowed)
		} else {
			reply(replyFailed)
		}
	}
	if !ok {
		refuse(ErrRefused)
		return
	}
	if err := p.admit(t, host, port); err != nil {
		refuse(err)
		return
	}
	name := absolute(host, asked)
	dialing, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	var first []byte
	via := p.up.of(host, port)
	if via != nil {
		if name, err = p.locate(dialing, t, name); err != nil {
			refuse(err)
			return
		}
		if via.speaksHTTP() { // the request to the other proxy depends on the client's first bytes
			if !reply(replyOK) {
				return
			}
			if first, err = peek(t.client); err != nil {
				return
			}
		}
	}
	server, plain, err := p.connect(dialing, t, via, name, first)
	p.note(at, err)
	if err != nil {
		if first == nil && errors.Is(err, ErrRefused) {
			reply(replyNotAllowed)
		} else if first == nil {
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
		send = func() error { return via.forward(server, t.client, first, name+":"+port) }
	}
	relay(t.client, server, send)
}

// relay copies data in both directions until a connection ends. It calls the function "send" to
// copy the browser's data to the server.
func relay(client, server net.Conn, send func() error) {
	var sending sync.WaitGroup
	sending.Go(func() {
		// A browser closes both directions together, so when it has closed, it does not read the
		// rest of the server's answer.
		if send() != nil {
			abort(server)
		}
		_ = server.Close()
	})
	if _, err := io.Copy(client, server); err != nil || closeWrite(client) != nil {
		abort(client)
	}
	sending.Wait()
}

// closeWrite signals to the browser that the server has sent all its data. The browser may continue
// to send.
func closeWrite(c net.Conn) error {
	half, ok := c.(interface{ CloseWrite() error })
	if !ok {
		return errors.ErrUnsupported
	}
	return half.CloseWrite()
}

// abort resets a connection. If it were closed normally, the browser could take an incomplete
// answer for a complete one.
func abort(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}

// admit checks whether the rule allows a host, and stores the host in the tunnel.
func (p *Proxy) admit(t *tunnel, host, port string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return ErrRefused
	}
	if err := p.rule.judge(host, port, netip.Addr{}); err != nil {
		return err
	}
	t.host, t.port = host, port
	return nil
}

// locate returns the host to which another proxy should connect. If the rule restricts addresses,
// this is an allowed address of the host, so that the other proxy need not resolve the name. It is
// the name itself if the name needs no resolver, or if it is trusted and cannot be resolved here.
func (p *Proxy) locate(ctx context.Context, t *tunnel, host string) (string, error) {
	p.mu.Lock()
	rule := p.rule
	p.mu.Unlock()
	if rule == nil || !rule.Network.Restricts() {
		return host, nil
	}
	for _, a := range hosts.Fixed(t.host) {
		if rule.judge(t.host, t.port, a) == nil {
			p.setAddr(t, a)
			return host, nil
		}
	}
	list, err := p.resolver().LookupNetIP(ctx, "ip", host)
	switch {
	case ctx.Err() != nil:
		return "", err
	case err != nil || len(list) == 0:
		if rule.Network.Named(t.host, t.port) {
			return host, nil
		}
		return "", fmt.Errorf("%w: %w", ErrRefused, rule.Network.Unresolved(t.host, t.port))
	}
	slices.SortStableFunc(list, func(a, b netip.Addr) int { return a.Unmap().BitLen() - b.Unmap().BitLen() }) // IPv4 first: more proxies support it
	var refused error
	for _, a := range list {
		a = a.Unmap()
		if err := rule.judge(t.host, t.port, a); err != nil {
			refused = errors.Join(refused, err)
			continue
		}
		p.setAddr(t, a)
		if a.Is6() {
			return "[" + a.String() + "]", nil
		}
		return a.String(), nil
	}
	return "", refused
}

func (p *Proxy) setAddr(t *tunnel, a netip.Addr) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t.addr = a.Unmap()
}

func (p *Proxy) resolver() *net.Resolver {
	if p.up.resolver != nil {
		return p.up.resolver
	}
	return net.DefaultResolver
}

// connect connects to the host of a tunnel. It connects through v, or directly if v is nil. If v is
// an HTTP proxy, the argument "first" has the first bytes from the client. If the result "plain" is
// true, v is connected but has opened no tunnel, and the caller must send it HTTP requests.
func (p *Proxy) connect(ctx context.Context, t *tunnel, v *via, name string, first []byte) (server net.Conn, plain bool, err error) {
	if v == nil {
		server, err = p.up.direct(ctx, name, t.port, func(a netip.Addr) error { return p.judge(t, a) })
		if err == nil {
			if remote, ok := server.RemoteAddr().(*net.TCPAddr); ok {
				p.setAddr(t, remote.AddrPort().Addr())
			}
		}
		return server, false, err
	}
	plain = isPlainHTTP(first)
	if plain && t.addr.IsValid() {
		// name is an address instead of the host here, and the other proxy may put the address into
		// the Host header. In a tunnel the header stays, but not every proxy makes a tunnel for
		// HTTP.
		if server, err = p.up.dial(ctx, v, name, t.port, false); !errors.Is(err, ErrTunnel) {
			return server, false, err
		}
	}
	server, err = p.up.dial(ctx, v, name, t.port, plain)
	return server, plain, err
}

// join stores the connection to the server in the tunnel. It returns false if the current rule does
// not allow the connection, or if the proxy is closed.
func (p *Proxy) join(t *tunnel, server net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.rule.fits(t.host, t.port, t.addr) != nil {
		return false
	}
	t.server = server
	return true
}

// note stores the error of a connection for Failure; nil means that it succeeded.
func (p *Proxy) note(at string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil {
		delete(p.failures, at)
		return
	}
	var refused *hosts.Refusal
	if errors.As(err, &refused) {
		p.refuseLocked(refused)
	}
	if len(p.failures) >= maxFailures {
		clear(p.failures)
	}
	p.failures[at] = err
}

// notItself returns an error for the address of the proxy itself, to prevent an endless loop.
func (p *Proxy) notItself(_ context.Context, _, address string, _ syscall.RawConn) error {
	a, err := netip.ParseAddrPort(address)
	if err == nil && a.Port() == p.port && (a.Addr().Unmap().IsLoopback() || a.Addr().Unmap().IsUnspecified()) {
		return ErrRefused
	}
	return nil
}
