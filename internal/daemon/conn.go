package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// A conn is one connection. One goroutine reads it and answers requests that need not wait. Every
// other request has its own goroutine. One goroutine writes.
type conn struct {
	s      *Server
	nc     *net.UnixConn
	out    *outbox
	cancel context.CancelCauseFunc // ends all requests of the connection
	wg     sync.WaitGroup          // goroutines of requests
	line   int                     // bytes counted in the server for the line being read, or for its request

	mu      sync.Mutex // guards the fields below
	flights map[string]*flight
	counts  [2]int // numbers of requests and of control requests
}

// A flight is a pending request.
type flight struct {
	req    *wire.Request
	kind   int // index of conn.counts
	cancel context.CancelCauseFunc
}

const (
	request = iota
	control
)

func newConn(s *Server, nc *net.UnixConn, cancel context.CancelCauseFunc) *conn {
	return &conn{s: s, nc: nc, cancel: cancel, out: newOutbox(s.o.MaxUnsentBytes, &s.unsent, writeNow(nc)), flights: make(map[string]*flight)}
}

// serve returns when the connection is closed and its requests have ended. c.cancel must end ctx.
func (c *conn) serve(ctx context.Context) {
	defer c.cancel(nil)
	var writer sync.WaitGroup
	writer.Go(func() {
		if err := c.out.run(c.nc, c.s.o.WriteTimeout); err != nil {
			c.drop(err)
		}
	})
	if c.read(ctx) {
		stop := c.watchHangup()
		c.wg.Wait()
		stop()
	} else {
		c.wg.Wait()
	}
	c.out.close()
	writer.Wait()
	_ = c.nc.Close() // all answers are written or cannot be written
}

// drop closes the connection and cancels its requests.
func (c *conn) drop(why error) {
	c.s.o.Log.Debug("a connection was dropped", "error", why)
	c.cancel(errGone)
	_ = c.nc.Close()
}

// finish stops reading. Pending requests are still answered.
func (c *conn) finish() { _ = c.nc.SetReadDeadline(time.Unix(1, 0)) }

// read reads requests until there are no more. input reports that the client has closed its side
// for writing; it may still be reading.
func (c *conn) read(ctx context.Context) (input bool) {
	lines := wire.NewLineReader(c.nc, c.s.o.MaxLineBytes)
	lines.Hold = c.hold
	for {
		c.out.room()
		line, err := lines.Next()
		var req *wire.Request
		var bad error
		if err == nil {
			req, bad = c.parse(line)
		}
		if err != nil || bad != nil {
			c.letGo()
		}
		switch {
		case bad != nil:
			c.reply(req.ID, nil, coded(bad))
		case err == nil:
			c.handle(ctx, req)
			c.letGo()
		case diag.As(err) != nil: // from hold
			c.reply(wire.Null, nil, coded(err))
		case errors.Is(err, wire.ErrLineTooLong):
			c.reply(wire.Null, nil, diag.New(diag.InvalidRequest, "found a line that is too long, expected at most %d bytes", c.s.o.MaxLineBytes).
				WithHint("send less in one request: pass the name of a file instead of its content"))
		case errors.Is(err, io.EOF):
			return true
		case errors.Is(err, os.ErrDeadlineExceeded):
			return false // finish was called
		default:
			c.drop(err)
			return false
		}
	}
}

// longLine is the length in bytes above which only a few lines are decoded at a time.
const longLine = 64 << 10

// parse decodes a line. Decoding a long line takes several times its length in memory, of which
// only the line itself is counted, so only a few are decoded at a time.
func (c *conn) parse(line []byte) (*wire.Request, error) {
	if len(line) >= longLine {
		c.s.decoding <- struct{}{}
		defer func() { <-c.s.decoding }()
	}
	return wire.Parse(line)
}

// hold counts the memory of the line being read. letGo releases it when the request is counted by
// itself, or was not counted.
func (c *conn) hold(bytes int) error {
	if err := c.s.hold(bytes); err != nil {
		return err
	}
	c.line += bytes
	return nil
}

func (c *conn) letGo() {
	if c.line > 0 {
		c.s.release(c.line)
		c.line = 0
	}
}

// watchHangup cancels the requests when a client that has closed its side for writing closes the
// connection completely.
//
// A read cannot distinguish the two, because both are the end of input. The kernel can: it
// reports POLLHUP only when neither side can send any more. On Linux the runtime's poller wakes
// us when that changes; the deadline is for systems where it might not. We also poll for
// writability, because macOS otherwise reports the half closed connection as hung up.
func (c *conn) watchHangup() (stop func()) {
	var watcher sync.WaitGroup
	done := make(chan struct{})
	watcher.Go(func() {
		raw, err := c.nc.SyscallConn()
		for err == nil && !closed(done) {
			hung := false
			// Use the lock for reading, not for writing, because answers are written meanwhile.
			err = raw.Read(func(fd uintptr) bool {
				hung = hungUp(fd)
				return hung || closed(done)
			})
			if hung {
				c.drop(errGone)
				return
			}
			if errors.Is(err, os.ErrDeadlineExceeded) && !closed(done) {
				err = c.nc.SetReadDeadline(time.Now().Add(time.Second))
			}
		}
	})
	_ = c.nc.SetReadDeadline(time.Now().Add(time.Second))
	return func() {
		close(done)
		c.finish()
		watcher.Wait()
	}
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func hungUp(fd uintptr) bool {
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0 && fds[0].Revents&(unix.POLLHUP|unix.POLLERR) != 0
}

// handle answers a request, or starts answering it.
func (c *conn) handle(ctx context.Context, req *wire.Request) {
	t := wire.LookupType(req.Body.Type())
	if t.Control && c.flying(req.ID) != nil {
		c.reply(req.ID, nil, idInUse())
		return
	}
	answered := false
	data, err := c.guard(req, func() (data any, err error) {
		data, answered = c.inline(req)
		return data, nil
	})
	if answered || err != nil {
		c.reply(req.ID, data, coded(err))
		return
	}
	ctx, cancel := context.WithCancelCause(ctx)
	f := &flight{req: req, cancel: cancel}
	if t.Control {
		f.kind = control
	}
	if err := c.takeOff(f); err != nil {
		cancel(nil)
		c.reply(req.ID, nil, err)
		return
	}
	c.wg.Go(func() { c.answer(ctx, f) })
}

func idInUse() *diag.Error {
	return diag.New(diag.InvalidRequest, "found the id of a pending request, expected a new id").
		WithHint("use a different id for each request; an id may be used again after its answer")
}

func (c *conn) flying(id json.RawMessage) *flight {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.flights[wire.Key(id)]
}

// takeOff registers a request. It returns an error if the request is rejected.
func (c *conn) takeOff(f *flight) *diag.Error {
	key := wire.Key(f.req.ID)
	c.mu.Lock()
	switch {
	case c.flights[key] != nil:
		c.mu.Unlock()
		return idInUse()
	case c.counts[f.kind] >= c.s.o.MaxRequests:
		c.mu.Unlock()
		return diag.New(diag.LimitExceeded, "found too many pending requests on this connection, expected at most %d", c.s.o.MaxRequests).
			WithHint("send the request again when another one has been answered")
	}
	c.flights[key] = f
	c.counts[f.kind]++
	c.mu.Unlock()
	if f.kind == control {
		return nil
	}
	err := c.s.begin(f.req.Bytes(), c.line)
	c.line = 0
	if err != nil {
		c.land(f)
	}
	return err
}

func (c *conn) land(f *flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.flights, wire.Key(f.req.ID))
	c.counts[f.kind]--
}

// answer performs a request and replies.
func (c *conn) answer(ctx context.Context, f *flight) {
	defer f.cancel(nil)
	if f.kind != control {
		defer c.s.end()
	}
	began := time.Now()
	data, err := c.guard(f.req, func() (any, error) { return c.perform(ctx, f.req) })
	why := cancelled(ctx, err)
	// Before the reply, because a client that has the reply may reuse the id and the memory.
	c.land(f)
	if f.kind != control {
		c.s.release(f.req.Bytes())
	}
	c.reply(f.req.ID, data, why)
	c.s.o.Log.Debug("request", "type", f.req.Body.Type(), "session", wire.SessionOf(f.req.Body), "code", codeOf(data, why), "took", time.Since(began))
}

// guard prevents a panic in one request from ending all others.
func (c *conn) guard(req *wire.Request, do func() (any, error)) (data any, err error) {
	defer func() {
		if r := recover(); r != nil {
			// Do not log r itself, because it may contain a secret. The stack shows no values.
			c.s.o.Log.Error("fault", "type", req.Body.Type(), "stack", string(debug.Stack()))
			data, err = nil, diag.New(diag.Internal, "the daemon failed in this request").
				WithHint("report this as a bug, with the log of: action daemon run")
		}
	}()
	return do()
}

// cancelled returns a CANCELLED error with the cause of ctx.
func cancelled(ctx context.Context, err error) *diag.Error {
	if err == nil || diag.As(err) != nil || !errors.Is(err, context.Canceled) || ctx.Err() == nil {
		return coded(err)
	}
	return diag.New(diag.Cancelled, "%v", context.Cause(ctx)).WithHint("send the request again").Because(err)
}

func codeOf(data any, err *diag.Error) diag.Code {
	if result, ok := data.(*executor.Result); ok && result.Error != nil {
		return result.Error.Code
	}
	if err != nil {
		return err.Code
	}
	return ""
}

// reply sends the last line of a request. It ignores deadlines and cancellation, because a
// partial answer would be useless. A later cancel finds no request, and the result of a run
// bounds the size to encode.
func (c *conn) reply(id json.RawMessage, data any, why *diag.Error) {
	line, err := encodeReply(id, data, why)
	if err == nil && len(line)-1 > c.s.o.MaxLineBytes {
		err = c.tooLong(len(line))
	}
	if err != nil {
		line, err = encodeReply(id, nil, coded(err))
	}
	if err != nil {
		c.drop(err)
		return
	}
	c.send(line)
}

func (c *conn) tooLong(size int) *diag.Error {
	return diag.New(diag.LimitExceeded, "found an answer of %d bytes, expected at most %d", size, c.s.o.MaxLineBytes).
		WithHint("request less: narrow the selector, or write to a file")
}

// event sends a line about a pending request.
func (c *conn) event(id json.RawMessage, name string, data any) {
	type event struct {
		ID    json.RawMessage `json:"id"`
		Event string          `json:"event"`
		Data  any             `json:"data,omitempty"`
		Error *diag.Error     `json:"error,omitempty"`
	}
	line, err := encode(event{ID: id, Event: name, Data: data})
	if err == nil && len(line)-1 > c.s.o.MaxLineBytes {
		err = c.tooLong(len(line))
	}
	if err != nil {
		line, err = encode(event{ID: id, Event: name, Error: coded(err)})
	}
	if err != nil {
		c.drop(err)
		return
	}
	c.send(line)
}

func (c *conn) send(line []byte) {
	if err := c.out.put(line); err != nil {
		c.drop(err)
	}
}

// encodeReply encodes a reply. The fields of an executor.Result are at the top level of the
// reply.
func encodeReply(id json.RawMessage, data any, why *diag.Error) ([]byte, error) {
	if result, ok := data.(*executor.Result); ok && why == nil {
		return encode(struct {
			ID json.RawMessage `json:"id"`
			*executor.Result
		}{id, result})
	}
	if why != nil {
		data = nil
	}
	return encode(struct {
		ID      json.RawMessage `json:"id"`
		Success bool            `json:"success"`
		Data    any             `json:"data,omitempty"`
		Error   *diag.Error     `json:"error,omitempty"`
	}{id, why == nil, data, why})
}
