package serve

import (
	"context"
	"log/slog"
	"sync"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/ops"
)

// maxPending is the maximum number of pending requests on one connection. It is below the limit of
// the daemon, which is 64, so that cancel requests can always be sent.
const maxPending = 48

// A pool sends requests to the daemon over a few connections. It uses the connection with the
// fewest pending requests, and opens new connections as needed.
type pool struct {
	connect func(ctx context.Context) (Conn, error)
	log     *slog.Logger

	mu     sync.Mutex // guards the fields below
	closed bool
	conns  []*pooled
	dialed chan struct{} // holds a value while nobody is connecting
}

type pooled struct {
	Conn
	pending int
	broken  bool // gets no new requests
}

func newPool(connect func(ctx context.Context) (Conn, error), log *slog.Logger) *pool {
	p := &pool{connect: connect, log: log, dialed: make(chan struct{}, 1)}
	p.dialed <- struct{}{}
	return p
}

// Stream implements [ops.Peer].
func (p *pool) Stream(ctx context.Context, m wire.Message, on func(wire.Event)) (*wire.Reply, error) {
	c, err := p.take(ctx)
	if err != nil {
		return nil, err
	}
	r, err := c.Stream(ctx, m, on)
	p.put(c, r == nil && ctx.Err() == nil)
	return r, err
}

// take returns a connection that has room for a request.
func (p *pool) take(ctx context.Context) (*pooled, error) {
	if c, err := p.free(); c != nil || err != nil {
		return c, err
	}
	select {
	case <-p.dialed:
	case <-ctx.Done():
		return nil, left(ctx)
	}
	defer func() { p.dialed <- struct{}{} }()
	if c, err := p.free(); c != nil || err != nil { // another request has connected since
		return c, err
	}
	conn, err := p.connect(ctx)
	if err != nil {
		return nil, unconnected(ctx, p.log, err)
	}
	c := &pooled{Conn: conn, pending: 1}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		_ = conn.Close()
		return nil, ending()
	}
	p.conns = append(p.conns, c)
	return c, nil
}

func (p *pool) free() (*pooled, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, ending()
	}
	var best *pooled
	for _, c := range p.conns {
		if !c.broken && c.pending < maxPending && (best == nil || c.pending < best.pending) {
			best = c
		}
	}
	if best != nil {
		best.pending++
	}
	return best, nil
}

// put gives a connection back to the pool. broken means that the daemon sent no reply on it. A
// broken connection gets no new requests, and is closed when its last request has ended.
func (p *pool) put(c *pooled, broken bool) {
	p.mu.Lock()
	c.pending--
	c.broken = c.broken || broken
	over := c.broken && c.pending == 0
	if over {
		p.conns = without(p.conns, c)
	}
	p.mu.Unlock()
	if over {
		_ = c.Close() // already broken
	}
}

// close closes all connections, which cancels their requests.
func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	conns := p.conns
	p.conns = nil
	p.mu.Unlock()
	for _, c := range conns {
		_ = c.Close()
	}
}

func without(list []*pooled, c *pooled) (rest []*pooled) {
	for _, other := range list {
		if other != c {
			rest = append(rest, other)
		}
	}
	return rest
}

// unconnected returns the error for a daemon that cannot be reached. It has the code of err. The
// text of err is only logged, because it contains file names.
func unconnected(ctx context.Context, log *slog.Logger, err error) error {
	if ctx.Err() != nil {
		return left(ctx)
	}
	log.Error("no connection to the daemon", "error", err)
	e := diag.As(err)
	if e == nil {
		return err
	}
	return diag.New(e.Code, "the daemon of this server cannot be reached").WithHint("find the reason in the log of: action serve").Because(err)
}

// left returns the error for a request whose context has ended.
func left(ctx context.Context) *diag.Error {
	return diag.New(diag.Cancelled, "cancelled: %v", context.Cause(ctx)).WithHint("send the request again").Because(ctx.Err())
}

func ending() *diag.Error {
	return diag.New(diag.Cancelled, "the server is shutting down").WithHint("send the request again when the server is running")
}

// ask sends a request to the daemon, and decodes the data in the reply.
func (s *Server) ask(ctx context.Context, m wire.Message, into any) error {
	return ops.Ask(ctx, s.daemon, m, into)
}
