package browser

// Calls to the browser. rod's client only has blocking calls; input events must be sent one
// after another without waiting for each reply, so a call here is started and awaited in
// two steps.

import (
	"cmp"
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"

	"github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"
	"github.com/go-rod/rod/lib/utils"
)

// A conn is one connection to a browser.
type conn struct {
	client *cdp.Client
	link   *link
	trace  func(method string)
	// ended is closed when the browser's end of the connection is closed; every call has
	// then failed or is about to.
	ended chan struct{}
	wg    sync.WaitGroup // goroutines of calls, and the one that waits for the end

	answers atomic.Int64 // calls that the browser has answered

	// mu is held while a call is sent: calls reach the browser in the order in which they
	// were started. It guards what follows.
	mu      sync.Mutex
	closed  error            // why no more calls can be made
	pending map[*call]string // to the session of each
	lost    map[string]error // sessions that do not answer any more
}

func newConn(l *link, trace func(string)) *conn {
	c := &conn{
		client: cdp.New().Logger(utils.LoggerQuiet), link: l, trace: trace,
		ended:   make(chan struct{}),
		pending: make(map[*call]string), lost: make(map[string]error),
	}
	c.client.Start(l)
	c.wg.Add(1)
	go func() {
		defer c.wg.Done()
		defer close(c.ended)
		for range c.client.Event() { // none comes: the link keeps events
		}
		c.fail(cmp.Or(l.failed, errConnClosed))
	}()
	return c
}

// A call is one that was started.
type call struct {
	done   chan struct{}
	cancel context.CancelCauseFunc
	result []byte
	err    error
	text   bool // the result is JSON in a string; set by the goroutine that waits
}

// over reports whether the call has ended.
func (k *call) over() bool {
	select {
	case <-k.done:
		return true
	default:
		return false
	}
}

// failedCall is a call that was not sent.
func failedCall(err error) *call {
	k := &call{done: make(chan struct{}), err: err}
	close(k.done)
	return k
}

// start sends req and returns without waiting for the reply. session "" is the browser
// itself. A call that nobody waits for ends with its reply, with ctx, or with its session.
func (c *conn) start(ctx context.Context, session string, req proto.Request) *call {
	return c.startThen(ctx, session, req, func(error) {})
}

// startThen is start, and calls then with the error of a sent call, when it has ended.
func (c *conn) startThen(ctx context.Context, session string, req proto.Request, then func(error)) *call {
	outer := ctx
	ctx, cancel := context.WithCancelCause(outer)
	k := &call{done: make(chan struct{}), cancel: cancel}
	c.mu.Lock()
	defer c.mu.Unlock()
	params, err := json.Marshal(req) // rod's client panics when it cannot
	if err := cmp.Or(c.closed, c.lost[session], ctx.Err(), err); err != nil {
		cancel(err)
		return failedCall(err)
	}
	if c.trace != nil {
		c.trace(req.ProtoReq())
	}
	select {
	case <-c.link.sent: // left by a call that ended before anybody waited for it
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
		case outer.Err() != nil: // of what ended the call, the caller's own part
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

func (c *conn) finish(k *call) {
	k.cancel(nil)
	close(k.done) // before the lock: start may hold it until it sees this
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pending, k)
}

// lose fails the calls of a session, including later ones, until it is forgotten.
func (c *conn) lose(session string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lost[session] = err
	for k, s := range c.pending {
		if s == session {
			k.cancel(err)
		}
	}
}

// forget drops what [conn.lose] keeps; the session must not be used again.
func (c *conn) forget(session string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.lost, session)
}

// fail ends every call, those to come too.
func (c *conn) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed == nil {
		c.closed = err
	}
	for k := range c.pending {
		k.cancel(c.closed)
	}
}

// wait returns the reply decoded into out, which may be nil. It may be called by
// one goroutine.
func (k *call) wait(out any) error {
	<-k.done
	if k.err != nil || out == nil {
		return k.err
	}
	return json.Unmarshal(k.result, out)
}

// do is start and wait.
func (c *conn) do(ctx context.Context, session string, req proto.Request, out any) error {
	return c.start(ctx, session, req).wait(out)
}

// close ends the sending side and returns when no goroutine of the connection is left. A
// browser of ours must have received Browser.close, or have been killed.
func (c *conn) close() {
	c.fail(errConnClosed)
	_ = c.link.close() // the browser may have closed it first
	c.wg.Wait()
}
