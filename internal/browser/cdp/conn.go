// Package cdp is the connection to a browser: calls and events of the DevTools protocol over
// pipes or a WebSocket. It uses rod's client and types.
//
// rod's client has only blocking calls. Input events must be sent one after another without
// waiting for each reply, so a call here is started and awaited in two steps.
//
// Files, bottom to top: pipe, errors, coded, websocket, conn.
package cdp

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	rodcdp "github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"
	"github.com/go-rod/rod/lib/utils"

	"github.com/actionregistry/action/diag"
)

// A Conn is a connection to a browser, made by [OverPipes] or [Dial]. It is safe for concurrent
// use. The owner must call Close.
type Conn struct {
	client *rodcdp.Client
	link   *link
	trace  func(method string)
	ended  chan struct{}
	wg     sync.WaitGroup // goroutines of calls, and the one that waits for the end

	answers atomic.Int64 // calls that the browser has answered

	// mu is held while a call is sent, so that calls reach the browser in the order in which they
	// were started. It guards the following fields.
	mu      sync.Mutex
	closed  error            // the error of later calls; nil while the connection is open
	pending map[*Call]string // maps each pending call to its session
	lost    map[string]error // sessions that no longer answer, and why
}

// OverPipes returns the connection to a browser. It reads messages from in and writes messages to
// out. It calls the function "events" with each event, in order. A reply reaches its caller only
// after all earlier events were handled. The function "trace" receives the method of each call. It
// may be nil.
func OverPipes(in io.Reader, out *os.File, events func(*Event), trace func(method string)) *Conn {
	return newConn(newLink(newPipe(in, out), events), trace)
}

// Dial connects to a running browser at a ws: or wss: address with a port. The arguments events and
// trace are as for [OverPipes]. ctx bounds only connecting. If the server refuses, the error is
// [ErrRefused].
func Dial(ctx context.Context, address *url.URL, events func(*Event), trace func(method string)) (*Conn, error) {
	s, err := dialSocket(ctx, address)
	if err != nil {
		return nil, err
	}
	return newConn(newLink(s, events), trace), nil
}

func newConn(l *link, trace func(string)) *Conn {
	c := &Conn{
		client: rodcdp.New().Logger(utils.LoggerQuiet), link: l, trace: trace,
		ended:   make(chan struct{}),
		pending: make(map[*Call]string), lost: make(map[string]error),
	}
	c.client.Start(l)
	c.wg.Add(1)
	go func() {
		defer c.wg.Done()
		defer close(c.ended)
		for range c.client.Event() { // never runs: the link consumes the events
		}
		c.fail(cmp.Or(l.failed, ErrClosed))
	}()
	return c
}

// Ended returns a channel that is closed when the browser has closed its end of the connection. By
// then, every call has failed or will fail immediately.
func (c *Conn) Ended() <-chan struct{} { return c.ended }

// Answers returns the number of calls that the browser has answered.
func (c *Conn) Answers() int64 { return c.answers.Load() }

// A Call is a call that was started. The zero Call never ends.
type Call struct {
	done   chan struct{}
	cancel context.CancelCauseFunc
	result []byte
	err    error
	Text   bool // the result is JSON inside a string; set by the goroutine that waits
}

// Done returns a channel that is closed when the call has ended.
func (k *Call) Done() <-chan struct{} { return k.done }

// Over reports whether the call has ended.
func (k *Call) Over() bool {
	select {
	case <-k.done:
		return true
	default:
		return false
	}
}

// Failed returns a call that has ended with err and was never sent.
func Failed(err error) *Call {
	k := &Call{done: make(chan struct{}), err: err}
	close(k.done)
	return k
}

// Start sends req and returns without waiting for the reply. session "" means the browser itself.
// The call ends when its reply arrives, or when ctx or the session ends.
func (c *Conn) Start(ctx context.Context, session string, req proto.Request) *Call {
	return c.StartThen(ctx, session, req, func(error) {})
}

// StartThen is like [Conn.Start], but calls the argument "then" with the call's error when the call
// has ended. If the call fails before it is sent, StartThen does not call it.
func (c *Conn) StartThen(ctx context.Context, session string, req proto.Request, then func(error)) *Call {
	outer := ctx
	ctx, cancel := context.WithCancelCause(outer)
	k := &Call{done: make(chan struct{}), cancel: cancel}
	c.mu.Lock()
	defer c.mu.Unlock()
	params, err := json.Marshal(req) // rod's client panics if this fails
	if err := cmp.Or(c.closed, c.lost[session], ctx.Err(), err); err != nil {
		cancel(err)
		return Failed(err)
	}
	if c.trace != nil {
		c.trace(req.ProtoReq())
	}
	select {
	case <-c.link.sent: // left by a call that ended before its Start received it
	default:
	}
	c.pending[k] = session
	c.wg.Add(1)
	go func() {
		defer c.wg.Done()
		k.result, k.err = c.client.Call(ctx, session, req.ProtoReq(), json.RawMessage(params))
		switch {
		case k.err == nil:
			c.answers.Add(1)
		case outer.Err() != nil: // prefer the caller's reason for ending the call
			k.err = outer.Err()
		case ctx.Err() != nil:
			k.err = context.Cause(ctx)
		}
		c.finish(k)
		then(k.err)
	}()
	select {
	case <-c.link.sent:
	case <-k.done:
	}
	return k
}

func (c *Conn) finish(k *Call) {
	k.cancel(nil)
	close(k.done) // before Lock: StartThen may hold the lock until k is done
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pending, k)
}

// Lose makes all pending calls of a session fail with err, and all later calls until [Conn.Forget].
func (c *Conn) Lose(session string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lost[session] = err
	for k, s := range c.pending {
		if s == session {
			k.cancel(err)
		}
	}
}

// Forget drops the error that [Conn.Lose] has set for a session. The session must not be used
// again.
func (c *Conn) Forget(session string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.lost, session)
}

// fail makes all pending and later calls return err. Only the first call of fail has an effect.
func (c *Conn) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed == nil {
		c.closed = err
	}
	for k := range c.pending {
		k.cancel(c.closed)
	}
}

// Wait waits for the call to end and decodes the reply into out, which may be nil. Only one
// goroutine may call it.
func (k *Call) Wait(out any) error {
	<-k.done
	if k.err != nil || out == nil {
		return k.err
	}
	return json.Unmarshal(k.result, out)
}

// Do starts a call and waits for its reply; see [Conn.Start] and [Call.Wait].
func (c *Conn) Do(ctx context.Context, session string, req proto.Request, out any) error {
	return c.Start(ctx, session, req).Wait(out)
}

// Held returns the number of open calls and of lost sessions, for tests that check for leaks.
func (c *Conn) Held() (calls, sessions int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.pending), len(c.lost)
}

// Close closes the connection and waits for all its goroutines. If we have started the browser, it
// must have received Browser.close or have been killed before.
func (c *Conn) Close() {
	c.fail(ErrClosed)
	_ = c.link.close() // the browser may have closed it first
	c.wg.Wait()
}

// Interrupt makes the pending calls of a session fail, except those in keep. The argument "why" is
// their error.
func (c *Conn) Interrupt(session string, why *diag.Error, keep []*Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k, s := range c.pending {
		if s == session && !slices.Contains(keep, k) {
			k.cancel(why.Clone())
		}
	}
}
