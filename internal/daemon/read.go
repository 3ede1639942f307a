package daemon

// Reads the requests of one connection. Each request is answered immediately, or in a goroutine of
// its own.

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/ops"
	"github.com/actionregistry/action/internal/session"
)

// serve reads and answers the requests of the connection. It returns when the connection is closed
// and its requests have ended. c.cancel must cancel ctx.
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
	_ = c.nc.Close() // by now, all answers have been written or cannot be written
}

// read reads requests until there are no more. input reports whether the client has closed its side
// for writing. The client may still be reading.
func (c *conn) read(ctx context.Context) (input bool) {
	lines := wire.NewLineReader(c.nc, c.s.o.MaxLineBytes)
	lines.Hold = c.hold
	for {
		c.out.room(ctx)
		line, err := lines.Next()
		var req *ops.Request
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
				WithHint("send less in one request, such as the name of a file instead of its content"))
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

// longLine is the length of a long line in bytes; see maxDecoding.
const longLine = 64 << 10

// parse decodes a line. Long lines take much memory while they are decoded, so only maxDecoding of
// them are decoded at a time.
func (c *conn) parse(line []byte) (*ops.Request, error) {
	if len(line) >= longLine {
		c.s.decoding <- struct{}{}
		defer func() { <-c.s.decoding }()
	}
	return ops.Parse(line)
}

// watchHangup is called when the client has closed its side for writing. If the client then closes
// the connection completely, watchHangup cancels the requests.
//
// For a read, both are the end of input. But the kernel reports POLLHUP only when neither side can
// send any more. On Linux, the runtime's poller wakes us when that changes. The deadline is for
// systems where it might not. We also poll for writability, because macOS otherwise reports a half
// closed connection as hung up.
func (c *conn) watchHangup() (stop func()) {
	var watcher sync.WaitGroup
	done := make(chan struct{})
	watcher.Go(func() {
		raw, err := c.nc.SyscallConn()
		for err == nil && !closed(done) {
			hung := false
			// Use raw.Read, not raw.Write, because another goroutine writes answers at the same time.
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

func hungUp(fd uintptr) bool {
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0 && fds[0].Revents&(unix.POLLHUP|unix.POLLERR) != 0
}

// handle answers a request, or starts a goroutine that answers it. Requests that never wait are
// answered immediately, and do not count as pending.
func (c *conn) handle(ctx context.Context, req *ops.Request) {
	if req.Op.Control() && c.flying(req.ID) != nil {
		c.reply(req.ID, nil, idInUse())
		return
	}
	if req.Op.Class == ops.Instant {
		data, err := c.perform(ctx, req)
		c.reply(req.ID, data, coded(err))
		return
	}
	f := &flight{req: req}
	ctx, cancel := c.outlive(ctx, f)
	f.cancel = cancel
	if req.Op.Control() {
		f.kind = control
	}
	if req.Op.Effects {
		ctx = c.questions(ctx, f)
	}
	if err := c.takeOff(f); err != nil {
		cancel(nil)
		c.reply(req.ID, nil, err)
		return
	}
	c.wg.Go(func() { c.answer(ctx, f) })
}

// answer performs a request and replies.
func (c *conn) answer(ctx context.Context, f *flight) {
	defer f.cancel(nil)
	if f.kind != control {
		defer c.s.end()
	}
	began := time.Now()
	ctx = session.WithCaller(ctx, c.caller)
	data, err := c.perform(ctx, f.req)
	why := cancelled(ctx, err)
	// Call land before the reply is sent, because a client that has the reply may send a new
	// request with the same id, for which there must be room.
	c.land(f)
	if f.kind != control {
		c.s.release(f.req.Bytes)
	}
	c.reply(f.req.ID, data, why)
	c.s.o.Log.Debug("request", "type", f.req.Op.Name, "session", f.req.Session(), "code", codeOf(data, why), "took", time.Since(began))
}

// perform performs a request. If the request panics, perform returns an error.
func (c *conn) perform(ctx context.Context, req *ops.Request) (data any, err error) {
	defer func() {
		if r := recover(); r != nil {
			// Do not log r itself, because it may contain a secret. The stack shows no values.
			c.s.o.Log.Error("fault", "type", req.Op.Name, "stack", string(debug.Stack()))
			data, err = nil, diag.New(diag.Internal, "the daemon failed while it handled this request").
				WithHint("report this as a bug, with the log of: action daemon run")
		}
	}()
	return req.Op.Perform(ctx, c.callOf(ctx, req), req.Body)
}

// cancelled returns err as an error with a code. If err is the cancellation of ctx, the code is
// CANCELLED, and the message is the cause of ctx.
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
