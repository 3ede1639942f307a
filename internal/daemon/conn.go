package daemon

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/ops"
)

// A conn is one connection. One goroutine reads it and answers requests that need not wait. Every
// other request has its own goroutine. One goroutine writes.
type conn struct {
	s      *Server
	nc     *net.UnixConn
	out    *outbox
	base   context.Context         // ends when the server cancels all requests
	cancel context.CancelCauseFunc // ends all requests of the connection
	wg     sync.WaitGroup          // goroutines of requests
	caller string                  // such as pid 4711; "" if unknown
	line   int                     // bytes counted in the server for the line being read, or for the request that it contains

	mu      sync.Mutex // guards the fields below
	flights map[string]*flight
	counts  [2]int // numbers of requests and of control requests
}

// A flight is a pending request.
type flight struct {
	req    *ops.Request
	kind   int // index in conn.counts
	waits  int // number of its approvals that wait for an answer; guarded by conn.mu
	cancel context.CancelCauseFunc
}

const (
	request = iota
	control
)

func newConn(s *Server, nc *net.UnixConn, cancel context.CancelCauseFunc) *conn {
	return &conn{s: s, nc: nc, cancel: cancel, caller: callerOf(nc), out: newOutbox(s.o.MaxUnsentBytes, &s.unsent, writeNow(nc)), flights: make(map[string]*flight)}
}

// callerOf returns the process of a client, such as pid 4711. It returns "" if the process is
// unknown.
func callerOf(nc *net.UnixConn) string {
	peer, err := endpoint.PeerOf(nc)
	if err != nil || peer.PID == 0 {
		return ""
	}
	return fmt.Sprintf("pid %d", peer.PID)
}

// drop closes the connection and cancels its requests.
func (c *conn) drop(why error) {
	c.s.o.Log.Debug("a connection was dropped", "error", why)
	c.cancel(errGone)
	_ = c.nc.Close()
}

// finish makes the connection read no more requests. Pending requests are still answered.
func (c *conn) finish() { _ = c.nc.SetReadDeadline(time.Unix(1, 0)) }

// hold counts the memory of the line being read. letGo releases that memory.
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

func idInUse() *diag.Error {
	return diag.New(diag.InvalidRequest, "found the id of a pending request, expected a new id").
		WithHint("use a different id for each request; an id may be used again after its answer")
}

func (c *conn) flying(id json.RawMessage) *flight {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.flights[wire.Key(id)]
}

// takeOff registers a request as pending. It returns an error if the request must be rejected.
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
	err := c.s.begin(f.req.Bytes, c.line)
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

// reply sends the last line of a request, even if the request was cancelled. If the answer exceeds
// the limit, reply sends an error instead.
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
