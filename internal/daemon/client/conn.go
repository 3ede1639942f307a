package client

// The connection of a client. It writes the requests of calls, and delivers each line that it reads
// to the call that waits for it.

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// A Client is one connection to a daemon. Its methods may be called concurrently. It must be
// closed.
type Client struct {
	nc    *net.UnixConn
	peer  endpoint.Peer
	ended chan struct{} // closed when nothing more can be read
	heard atomic.Int64  // time of the last answer, in Unix nanoseconds

	greet, answer func(now time.Time) time.Duration // see endpoint.Patience

	writing sync.Mutex // serializes the writing of lines

	mu    sync.Mutex // guards the fields below
	next  int64
	calls map[int64]*pending
	err   error // reason why the connection ended
}

// A pending is a call that has no reply yet.
type pending struct {
	messages chan *message // events, then the reply
	gone     chan struct{} // closed when nobody reads messages any more
}

// A message is a line from the daemon. It is an event if Event is set, otherwise a reply.
type message struct {
	wire.Reply
	Event string `json:"event"`
}

// Bound sets how long calls wait for a daemon that sends nothing. Bound must be called before any
// other method.
func (c *Client) Bound(p endpoint.Patience) { c.greet, c.answer = p.Greet, p.Answer }

func (c *Client) silent() error {
	return wire.Silent(c.peer.PID, time.Since(time.Unix(0, c.heard.Load())))
}

func interrupted(ctx context.Context) error {
	return diag.New(diag.Cancelled, "interrupted before the daemon answered: %v", context.Cause(ctx)).
		WithHint("to see what the daemon is doing, run: action daemon status").Because(ctx.Err())
}

// unreadable returns the error for an invalid answer of the daemon. pid is the process id of the
// daemon, or 0 if it is unknown.
func unreadable(pid int, err error) error {
	e := wire.BadPeer(err)
	if pid == 0 {
		return e
	}
	return e.WithDetail("pid", pid)
}

// send sends a request. It returns the id of the request, and the call that receives its reply.
func (c *Client) send(ctx context.Context, m wire.Message) (int64, *pending, error) {
	call := &pending{messages: make(chan *message, 16), gone: make(chan struct{})}
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return 0, nil, c.lost()
	}
	c.next++
	id := c.next
	c.calls[id] = call
	c.mu.Unlock()
	if err := c.write(ctx, wire.Request{ID: json.RawMessage(strconv.FormatInt(id, 10)), Body: m}); err != nil {
		c.forget(id, call)
		return 0, nil, err
	}
	return id, call, nil
}

func (c *Client) write(ctx context.Context, req wire.Request) error {
	line, err := json.Marshal(req)
	if err != nil {
		return diag.New(diag.InvalidRequest, "the request cannot be encoded as JSON: %v", err).
			WithHint("use only JSON values").Because(err)
	}
	if len(line) > wire.MaxLineBytes {
		return diag.New(diag.InvalidRequest, "found a request of %d bytes, expected at most %d", len(line), wire.MaxLineBytes).
			WithHint("pass the name of a file instead of its content")
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	_ = c.nc.SetWriteDeadline(time.Now().Add(c.answer(time.Now()))) // the write reports a failure
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		_ = c.nc.SetWriteDeadline(time.Unix(1, 0))
	})
	n, err := c.nc.Write(append(line, '\n'))
	if !stop() {
		<-ended
		_ = c.nc.SetWriteDeadline(time.Time{})
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		if n > 0 {
			_ = c.nc.Close() // nothing can follow an incomplete line
		}
		if ctx.Err() == nil {
			return c.silent()
		}
		return interrupted(ctx)
	}
	<-c.ended // the daemon may have sent the reason before it closed the connection
	return c.lost()
}

func (c *Client) forget(id int64, call *pending) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls[id] == call {
		delete(c.calls, id)
		close(call.gone)
	}
}

// read reads replies and events, and passes each to the call that waits for it. It returns when the
// connection ends.
func (c *Client) read() {
	defer close(c.ended)
	lines := wire.NewLineReader(c.nc, 0)
	for {
		line, err := lines.Next()
		if err == nil {
			err = c.deliver(line)
		}
		if err != nil && lines.Cut() && !json.Valid(line) {
			err = io.ErrUnexpectedEOF // the daemon has ended while it wrote
		}
		if err == nil {
			continue
		}
		_ = c.nc.Close() // also for ErrLineTooLong, because we cannot know to which call the lost answer belongs
		c.mu.Lock()
		c.err = err
		for id, call := range c.calls {
			delete(c.calls, id)
			close(call.messages)
		}
		c.mu.Unlock()
		return
	}
}

// deliver passes one line to the call that waits for it. If it returns an error, the connection
// must be closed.
func (c *Client) deliver(line []byte) error {
	m := &message{Reply: wire.Reply{Line: line}}
	if err := json.Unmarshal(line, m); err != nil {
		return unreadable(c.peer.PID, err)
	}
	if m.Event == "" { // an event does not show that the daemon answers greetings
		c.heard.Store(time.Now().UnixNano())
	}
	id, err := strconv.ParseInt(string(m.ID), 10, 64)
	if err != nil {
		// The line has no id of our requests. So the daemon has rejected the whole connection, or
		// could not read a request; we cannot know which.
		if m.Error != nil {
			return m.Error
		}
		return unreadable(c.peer.PID, err)
	}
	c.mu.Lock()
	call := c.calls[id]
	c.mu.Unlock()
	if call != nil {
		select {
		case call.messages <- m:
		case <-call.gone:
		}
	}
	return nil
}

func (c *Client) lost() error {
	c.mu.Lock()
	err := c.err
	c.mu.Unlock()
	if e := diag.As(err); e != nil {
		return e
	}
	return diag.New(diag.BrowserUnavailable, "the daemon closed the connection").
		WithHint("send the request again; if this repeats, find the reason with: action daemon run").Because(err)
}
