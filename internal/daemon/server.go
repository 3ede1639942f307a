package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/session"
)

// Causes of the cancellation of a request. Their texts appear in errors.
var (
	ErrByRequest = errors.New("cancelled by a cancel request")
	errGone      = errors.New("the client has disconnected")
	errStopping  = errors.New("the daemon is shutting down")
)

// maxDecoding is the maximum number of long lines that are decoded at a time.
const maxDecoding = 2

// A Server is a daemon that is listening. [Server.Serve] must be called once. It also frees the
// resources of [Listen].
type Server struct {
	o       Options
	backend Backend
	socket  *socket
	remains *remains
	began   time.Time
	peerUID func(*net.UnixConn) (int, error) // replaced by tests

	unsent   unsent
	decoding chan struct{} // semaphore for the decoding of long lines
	stopped  chan struct{} // closed when the server accepts no more connections
	hurry    chan struct{} // closed when pending requests must be cancelled

	// mu guards the fields below. It is held only briefly, and never together with the mutex of a
	// connection.
	mu       sync.Mutex
	conns    map[*conn]bool
	stopping bool
	hurrying bool
	requests int // number of pending requests
	held     int // bytes of pending requests and of long lines that are being read
	lastUsed time.Time
	running  sync.WaitGroup // counts the same as requests; grows only until the server stops
}

// Listen creates the socket. If another daemon is running, wire.IsAlreadyRunning reports true for
// the error. If other users could reach the folder of the socket, the error is SECURITY_ERROR.
func Listen(o Options) (*Server, error) {
	o = o.withDefaults()
	s, err := newServer(o)
	reportReady(o, err)
	if err != nil {
		return nil, err
	}
	o.Log.Info("listening", "socket", o.Socket, "pid", os.Getpid(), "version", o.Build.Version)
	return s, nil
}

func newServer(o Options) (*Server, error) {
	sock, err := listen(o.Socket)
	if err != nil {
		return nil, err
	}
	backend := o.Backend
	if backend == nil {
		if backend, err = newManager(o.Log); err != nil {
			return nil, errors.Join(err, sock.close())
		}
	}
	left := &remains{path: o.Socket + remainsSuffix, inPlace: sock.inPlace, log: o.Log}
	if heir, ok := backend.(Heir); ok {
		heir.Inherit(left.read(), left.record)
	}
	now := time.Now()
	return &Server{
		o: o, backend: backend, socket: sock, remains: left, began: now, lastUsed: now, peerUID: peerUID,
		unsent: unsent{max: int64(o.MaxAllUnsent)}, stopped: make(chan struct{}), hurry: make(chan struct{}), decoding: make(chan struct{}, maxDecoding), conns: make(map[*conn]bool),
	}, nil
}

// reportReady reports to the process that has started this daemon.
func reportReady(o Options, err error) {
	if o.Ready == nil {
		return
	}
	reply := wire.Reply{ID: wire.Null, Success: err == nil, Error: coded(err)}
	line, encodeErr := json.Marshal(reply)
	if encodeErr == nil {
		_, encodeErr = o.Ready.Write(append(line, '\n'))
	}
	if encodeErr = errors.Join(encodeErr, o.Ready.Close()); encodeErr != nil {
		o.Log.Warn("the process that started the daemon did not get the report", "error", encodeErr)
	}
}

// Socket returns the path of the socket.
func (s *Server) Socket() string { return s.o.Socket }

// await waits until the channel is closed, but at most for the stop time. The argument late is the
// beginning of the error for a channel that is still open.
func (s *Server) await(done <-chan struct{}, late string) error {
	timer := time.NewTimer(s.o.StopTime)
	defer timer.Stop()
	select {
	case <-done:
		return nil
	case <-timer.C:
		return fmt.Errorf("%s within %s", late, s.o.StopTime)
	}
}

func (s *Server) closeBackend(ctx context.Context) error {
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.o.StopTime)
	defer cancel()
	return s.backend.Close(closing)
}

// stop removes the socket and makes Serve end. If drain is set, Serve first waits for the pending
// requests. lost is the cause that the next daemon reports for the lost sessions. If it is "", the
// next daemon reports none. stop returns the number of pending requests.
func (s *Server) stop(drain bool, lost session.Cause) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stopLocked(drain, lost)
}

func (s *Server) stopLocked(drain bool, lost session.Cause) int {
	if !drain && !s.hurrying {
		s.hurrying = true
		close(s.hurry)
	}
	if !s.stopping {
		s.stopping = true
		s.remains.close(lost)
		if err := s.socket.close(); err != nil {
			s.o.Log.Warn("the socket could not be removed", "error", err)
		}
		close(s.stopped)
	}
	return s.requests
}

// watchIdle stops the server once it has had no request, client or session for the idle time.
func (s *Server) watchIdle() {
	every := 5 * time.Second
	if s.o.Idle > 0 {
		every = min(every, max(s.o.Idle/20, time.Millisecond))
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-s.stopped:
			return
		case now := <-tick.C:
			s.stopIfIdle(now)
		}
	}
}

func (s *Server) stopIfIdle(now time.Time) {
	used := s.o.Idle < 0 || slices.ContainsFunc(s.backend.List(), func(i session.Info) bool { return !i.Gone })
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.stopping:
	case !s.socket.inPlace():
		s.o.Log.Warn("the socket was removed: no client can find this daemon any more", "socket", s.o.Socket)
		s.stopLocked(true, session.LostWithDaemon)
	case used || len(s.conns) > 0:
		s.lastUsed = now
	case now.Sub(s.lastUsed) >= s.o.Idle:
		s.o.Log.Info("idle", "for", s.o.Idle)
		s.stopLocked(false, session.LostExpired)
	}
}

func ending() *diag.Error {
	return diag.New(diag.Cancelled, "%v, and accepts no new requests", errStopping).WithHint("connect again: this starts a new daemon")
}

// begin registers a request of size bytes. line is the number of bytes that were counted while its
// line was read; begin subtracts them. begin returns an error if the server is stopping or holds
// too much.
func (s *Server) begin(size, line int) *diag.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held -= line
	switch {
	case s.stopping:
		return ending()
	case s.fullLocked(size):
		return s.tooMuchLocked()
	}
	s.requests++
	s.held += size
	s.running.Add(1)
	return nil
}

// fullLocked reports whether more bytes would exceed the limit. A single request always fits.
func (s *Server) fullLocked(size int) bool { return s.held > 0 && s.held+size > s.o.MaxHeldBytes }

func (s *Server) tooMuchLocked() *diag.Error {
	return diag.New(diag.LimitExceeded, "the pending requests have %d bytes: with this request they would exceed the limit of %d", s.held, s.o.MaxHeldBytes).
		WithHint("send the request again when others have been answered")
}

// hold counts the memory of a line while the line is read. release frees the memory of a line or of
// a request.
func (s *Server) hold(size int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fullLocked(size) {
		return s.tooMuchLocked()
	}
	s.held += size
	return nil
}

func (s *Server) release(size int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held -= size
}

func (s *Server) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests--
	s.running.Done()
}

func (s *Server) hello() wire.Hello {
	exe, err := os.Executable()
	if err != nil {
		exe = "" // the path is only informative
	}
	return wire.Hello{
		Protocol: wire.Protocol, Build: s.o.Build, Version: s.o.Build.Version, PID: os.Getpid(), Executable: exe,
		Stopping: closed(s.stopped),
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

func peerUID(nc *net.UnixConn) (int, error) {
	peer, err := endpoint.PeerOf(nc)
	return peer.UID, err
}
