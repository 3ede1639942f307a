// Package client connects to the daemon, starts one if none is running, sends requests and reads
// the answers.
//
// It serves nothing, parses no command lines and prints nothing. Every failure is a *diag.Error,
// whether it comes from the daemon or from the connection.
//
// Files, bottom to top: build, conn, silence, client, start.
package client

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/ops"
)

// cancelTime is how long the client waits for the answer to a request that it has cancelled.
const cancelTime = 3 * time.Second

// Dial connects to the daemon at path. "" means endpoint.Path. If no daemon answers, the error is
// BROWSER_UNAVAILABLE, and its hint shows how to start one. If the socket belongs to another user,
// the error is SECURITY_ERROR.
func Dial(ctx context.Context, path string) (*Client, error) {
	if path == "" {
		path = endpoint.Path(nil)
	}
	nc, peer, err := endpoint.Dial(ctx, path)
	if err != nil {
		return nil, err
	}
	c := &Client{nc: nc, peer: peer, ended: make(chan struct{}), calls: make(map[int64]*pending)}
	c.Bound(endpoint.Patience{})
	c.heard.Store(time.Now().UnixNano())
	go c.read()
	return c, nil
}

func noDaemon(path string, err error) error { return wire.NoDaemon(path, err) }

// Close closes the connection. The daemon cancels its pending requests.
func (c *Client) Close() error {
	err := c.nc.Close()
	<-c.ended
	return err
}

// Result decodes the reply to action.run, action.debug or step. Its errors are those of
// [wire.Reply.Decode].
func Result(r *wire.Reply) (*executor.Result, error) {
	whole := wire.Reply{Data: r.Line}
	result := new(executor.Result)
	return result, whole.Decode(result)
}

// PID returns the daemon's process id. It returns 0 if the id is unknown.
func (c *Client) PID() int { return c.peer.PID }

// Call sends a request and waits for its reply. It chooses the id of the request. If the reply
// reports an error, Call returns both the reply and the error.
//
// When ctx ends, Call cancels the request, waits a few seconds for the reply, and returns it. If
// ctx ends in the middle of sending the request, Call closes the connection.
func (c *Client) Call(ctx context.Context, m wire.Message) (*wire.Reply, error) {
	return c.Stream(ctx, m, nil)
}

// Stream is like Call, but also receives the events of the request. It calls the function "on" for
// each event, in the goroutine of the caller, before it returns. If on is nil, events are dropped.
// The function must not send requests on this connection: no reply can arrive until it returns.
func (c *Client) Stream(ctx context.Context, m wire.Message, on func(wire.Event)) (*wire.Reply, error) {
	o := ops.Of(m)
	id, call, err := c.send(ctx, m)
	if err != nil {
		return nil, err
	}
	defer c.forget(id, call)
	quiet := c.watch()
	defer quiet.timer.Stop()
	var late <-chan time.Time // set when ctx has ended
	done := ctx.Done()
	for {
		select {
		case got, ok := <-call.messages:
			switch {
			case !ok:
				return nil, c.unanswered(o)
			case got.Event == "":
				return &got.Reply, got.Check()
			case on != nil:
				on(wire.Event{ID: got.ID, Event: got.Event, Data: got.Data, Error: got.Error})
			}
		case <-done:
			done = nil
			if o.Control() {
				return nil, interrupted(ctx) // the daemon answers such a request immediately or never
			}
			timer := time.NewTimer(cancelTime)
			defer timer.Stop()
			late = timer.C
			if err := c.cancel(ctx, id); err != nil {
				return nil, err
			}
		case <-late:
			return nil, interrupted(ctx)
		case <-quiet.timer.C:
			if len(call.messages) > 0 { // on was too slow
				quiet.timer.Reset(c.greet(time.Now()))
				continue
			}
			if err := quiet.check(ctx); err != nil {
				return nil, err
			}
		}
	}
}

// cancel cancels a call whose ctx has ended. It does not wait for the reply to the cancel
// request.
func (c *Client) cancel(ctx context.Context, id int64) error {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
	defer stop()
	target := json.RawMessage(strconv.FormatInt(id, 10))
	cancelling, call, err := c.send(ctx, &wire.CancelRequest{Target: target})
	if err == nil {
		c.forget(cancelling, call)
	}
	return err
}

// unanswered returns the error for a request that has no reply when the connection ends.
func (c *Client) unanswered(o *ops.Operation) error {
	err := c.lost()
	if e := diag.As(err); o.Effects && e.Code == diag.BrowserUnavailable {
		return wire.UnknownOutcome(e.Err)
	}
	return err
}

// Hello requests a description of the daemon.
func (c *Client) Hello(ctx context.Context) (*wire.Hello, error) {
	hello := new(wire.Hello)
	return hello, c.get(ctx, &wire.HelloRequest{}, hello)
}

// Status requests the state of the daemon.
func (c *Client) Status(ctx context.Context) (*wire.Status, error) {
	status := new(wire.Status)
	return status, c.get(ctx, &wire.StatusRequest{}, status)
}

func (c *Client) get(ctx context.Context, m wire.Message, into any) error {
	reply, err := c.Call(ctx, m)
	if err != nil {
		return err
	}
	return reply.Decode(into)
}

// Shutdown requests the end of the daemon. With drain, the daemon first waits for the pending
// requests. When Shutdown returns, the daemon accepts no more connections. See Wait.
func (c *Client) Shutdown(ctx context.Context, drain bool) (*wire.Stopping, error) {
	stopping := new(wire.Stopping)
	return stopping, c.get(ctx, &wire.ShutdownRequest{Drain: drain}, stopping)
}

// replace asks the daemon to end once its runs have ended, so that another build can take its
// place. If the daemon is too old for this request, replace calls Shutdown.
func (c *Client) replace(ctx context.Context) error {
	_, err := c.Call(ctx, &wire.ShutdownRequest{Drain: true, Replace: true})
	if diag.CodeOf(err) == diag.InvalidRequest {
		_, err = c.Shutdown(ctx, true)
	}
	return err
}

// Wait waits until the daemon closes the connection. If Wait is called after Shutdown and returns
// nil, the daemon and all its browsers have ended.
func (c *Client) Wait(ctx context.Context) error {
	quiet := c.watch()
	defer quiet.timer.Stop()
	for {
		select {
		case <-c.ended:
			return nil
		case <-ctx.Done():
			return diag.New(diag.Timeout, "the daemon did not stop in time: %v", context.Cause(ctx)).
				WithHint("to see what the daemon is doing, run: action daemon status").Because(ctx.Err())
		case <-quiet.timer.C:
			if err := quiet.check(ctx); err != nil {
				select {
				case <-c.ended: // it has ended after all
					return nil
				default:
					return err
				}
			}
		}
	}
}
