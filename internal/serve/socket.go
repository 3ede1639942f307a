package serve

// The socket's protocol over a WebSocket: each message is one line.

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/endpoint"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// closeTime is the maximum time of the closing handshake. Otherwise, a client that sends only part
// of a frame could delay it forever.
const closeTime = 10 * time.Second

// ping is the time between two pings, which check that the client is still connected.
const ping = 30 * time.Second

// webSocket connects a client to the daemon's socket. Each message of the client becomes one line
// to the daemon, and each line of the daemon one message to the client. When one connection ends,
// webSocket closes the other.
func webSocket(s *Server, w http.ResponseWriter, r *http.Request) error {
	if _, err := query(r); err != nil {
		return err
	}
	if !headerHas(r, "Connection", "upgrade") || !headerHas(r, "Upgrade", "websocket") {
		f := fail(http.StatusUpgradeRequired, diag.InvalidRequest, "found a plain HTTP request, expected a WebSocket handshake").hint("connect with a WebSocket client")
		f.header = http.Header{"Upgrade": {"websocket"}, "Connection": {"Upgrade"}}
		return f
	}
	if err := s.ask(r.Context(), &wire.HelloRequest{}, new(wire.Hello)); err != nil { // this starts the daemon if necessary
		return err
	}
	nc, _, err := endpoint.Dial(r.Context(), s.o.Socket)
	if err != nil {
		return unconnected(r.Context(), s.o.Log, err)
	}
	defer nc.Close()
	// checkOrigin has already checked the origin, as for all paths.
	taken := &hijacked{ResponseWriter: w}
	ws, err := websocket.Accept(taken, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return nil // Accept has answered
	}
	s.working.Add(1)
	defer s.working.Done()
	ws.SetReadLimit(wire.MaxLineBytes)
	ctx, cancel := context.WithCancelCause(s.base)
	defer cancel(nil)
	s.bridge(ctx, cancel, ws, nc, taken.conn)
	return nil
}

// A hijacked records the connection that a WebSocket takes over.
type hijacked struct {
	http.ResponseWriter
	conn net.Conn
}

// Hijack implements [http.Hijacker].
func (h *hijacked) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(h.ResponseWriter).Hijack()
	h.conn = conn
	return conn, rw, err
}

// bridge passes messages both ways until one side ends. conn is the connection that ws uses.
func (s *Server) bridge(ctx context.Context, cancel context.CancelCauseFunc, ws *websocket.Conn, nc *net.UnixConn, conn net.Conn) {
	done := make(chan struct{}, 3)
	go func() {
		cancel(requestsOf(ctx, ws, nc))
		done <- struct{}{}
	}()
	go func() {
		cancel(s.answersTo(ctx, ws, nc))
		done <- struct{}{}
	}()
	go func() {
		cancel(s.pings(ctx, ws))
		done <- struct{}{}
	}()
	<-ctx.Done()
	status, why := websocket.StatusNormalClosure, ""
	switch {
	case s.base.Err() != nil:
		status, why = websocket.StatusGoingAway, "the server is shutting down"
	case errors.Is(context.Cause(ctx), io.EOF):
		status, why = websocket.StatusGoingAway, "the daemon has ended"
	}
	_ = nc.Close() // cancels the requests of the client
	late := time.AfterFunc(min(closeTime, s.o.WriteTime), func() { _ = conn.Close() })
	_ = ws.Close(status, why)
	late.Stop()
	for range cap(done) {
		<-done
	}
}

// requestsOf sends each message of the client to the daemon as one line. Line breaks in a message
// become spaces.
func requestsOf(ctx context.Context, ws *websocket.Conn, nc *net.UnixConn) error {
	for {
		kind, message, err := ws.Read(ctx)
		if err != nil {
			return err
		}
		if kind != websocket.MessageText {
			return ws.Close(websocket.StatusUnsupportedData, "expected text")
		}
		line := bytes.Map(func(c rune) rune {
			if c == '\n' || c == '\r' {
				return ' '
			}
			return c
		}, message)
		if _, err := nc.Write(append(line, '\n')); err != nil {
			return err
		}
	}
}

// answersTo sends each line of the daemon to the client as one message. A client that does not read
// is disconnected.
func (s *Server) answersTo(ctx context.Context, ws *websocket.Conn, nc *net.UnixConn) error {
	lines := wire.NewLineReader(nc, 0)
	for {
		line, err := lines.Next()
		if err != nil {
			return err
		}
		writing, cancel := context.WithTimeout(ctx, s.o.WriteTime)
		err = ws.Write(writing, websocket.MessageText, line)
		cancel()
		if err != nil {
			return err
		}
	}
}

func (s *Server) pings(ctx context.Context, ws *websocket.Conn) error {
	tick := time.NewTicker(ping)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		waiting, cancel := context.WithTimeout(ctx, s.o.WriteTime)
		err := ws.Ping(waiting)
		cancel()
		if err != nil {
			return err
		}
	}
}
