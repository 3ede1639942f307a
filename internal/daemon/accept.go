package daemon

// Accepts connections, and closes them when the server stops.

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/session"
)

// Serve serves until ctx ends, a client requests shutdown, or the daemon has been idle for
// [Options.Idle]. Before it returns, it ends all sessions, requests and connections. The error
// reports each part that could not be ended in time.
func (s *Server) Serve(ctx context.Context) error {
	// The end of ctx must not cut off replies. Requests have their own context, which is cancelled
	// below.
	requests, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	var all sync.WaitGroup
	all.Go(func() { s.accept(requests, &all) })
	all.Go(s.watchIdle)
	select {
	case <-ctx.Done():
		s.stop(false, session.LostBySignal)
	case <-s.stopped:
	}
	replied := make(chan struct{})
	go func() {
		s.running.Wait()
		close(replied)
	}()
	drained := time.NewTimer(s.o.DrainTime)
	defer drained.Stop()
	select {
	case <-replied:
	case <-s.hurry:
	case <-ctx.Done():
	case <-drained.C:
	}
	cancel(errStopping)
	err := s.await(replied, "requests did not end")
	err = errors.Join(err, s.closeBackend(ctx), s.closeConns(&all))
	s.o.Log.Info("ended", "error", err)
	return err
}

// closeConns closes every connection once its answers are delivered. It is called last: for a
// client, the end of the connection means that the daemon has ended.
func (s *Server) closeConns(all *sync.WaitGroup) error {
	ended := make(chan struct{})
	go func() {
		all.Wait()
		close(ended)
	}()
	s.eachConn((*conn).finish)
	if s.await(ended, "") == nil {
		return nil
	}
	s.eachConn(func(c *conn) { c.drop(errStopping) })
	return s.await(ended, "connections did not end")
}

func (s *Server) eachConn(do func(*conn)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		do(c)
	}
}

// accept accepts connections until the socket is closed.
func (s *Server) accept(ctx context.Context, all *sync.WaitGroup) {
	spare, _ := os.Open(os.DevNull)      // for shed; nil if it cannot be opened
	defer func() { _ = spare.Close() }() // a closure, because spare changes; Close accepts nil
	for {
		nc, err := s.socket.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			// Usually there are too many open files, a temporary state.
			s.o.Log.Warn("a connection could not be accepted", "error", err)
			if why := diag.FileLimit(err); why != nil {
				spare = s.shed(spare, why)
			}
			if !s.pause(100 * time.Millisecond) {
				return
			}
			continue
		}
		of, cancel := context.WithCancelCause(ctx)
		c := s.admit(nc, cancel)
		if c == nil {
			cancel(nil)
			continue
		}
		c.base = ctx
		all.Go(func() {
			defer s.leave(c)
			c.serve(of)
		})
	}
}

// shed refuses a connection with the error why when no file descriptor is left. It closes the spare
// file to get a descriptor for the connection. Then it opens and returns a new spare file.
func (s *Server) shed(spare *os.File, why *diag.Error) *os.File {
	if spare == nil {
		return nil
	}
	_ = spare.Close()
	// The client may have disconnected by now.
	err := s.socket.SetDeadline(time.Now().Add(100 * time.Millisecond))
	if err == nil {
		var nc *net.UnixConn
		if nc, err = s.socket.AcceptUnix(); err == nil {
			s.refuse(nc, why)
		}
	}
	if err = errors.Join(err, s.socket.SetDeadline(time.Time{})); err != nil {
		s.o.Log.Debug("a connection was not refused", "error", err)
	}
	spare, _ = os.Open(os.DevNull) // nil if the descriptor is already in use again
	return spare
}

// pause waits for d. It returns false if the server is stopping.
func (s *Server) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-s.stopped:
		return false
	case <-timer.C:
		return true
	}
}

// admit returns the connection for a client. It returns nil if it has refused the client.
func (s *Server) admit(nc *net.UnixConn, cancel context.CancelCauseFunc) *conn {
	uid, err := s.peerUID(nc)
	if err != nil || uid != os.Geteuid() {
		s.o.Log.Warn("a connection of another user was refused", "uid", uid, "error", err)
		s.refuse(nc, diag.New(diag.SecurityError, "found the daemon of another user, expected your own").WithHint("start your own daemon: action daemon start"))
		return nil
	}
	c := newConn(s, nc, cancel)
	s.mu.Lock()
	stopping, full := s.stopping, len(s.conns) >= s.o.MaxConns
	if !stopping && !full {
		s.conns[c] = true
	}
	s.mu.Unlock()
	switch {
	case stopping:
		s.refuse(nc, ending())
	case full:
		s.refuse(nc, diag.New(diag.LimitExceeded, "found too many connections, expected at most %d", s.o.MaxConns).
			WithHint("close some of the connections, or send several requests over one"))
	default:
		return c
	}
	return nil
}

func (s *Server) refuse(nc *net.UnixConn, why *diag.Error) {
	line, err := encodeReply(wire.Null, nil, why)
	if err == nil {
		err = nc.SetWriteDeadline(time.Now().Add(time.Second))
	}
	if err == nil {
		_, err = nc.Write(line)
	}
	if err = errors.Join(err, nc.Close()); err != nil {
		s.o.Log.Debug("the error for a rejected connection could not be sent", "error", err)
	}
}

func (s *Server) leave(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	s.lastUsed = time.Now()
}
