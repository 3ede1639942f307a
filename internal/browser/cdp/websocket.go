package cdp

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha1"
	"crypto/tls"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
)

// The transport to a browser that was already running: a WebSocket client with the part of RFC
// 6455 that the browser's endpoint requires, without extensions. rod's client does not handle
// fragments and pings, and panics on an invalid length.

const (
	opContinue = 0
	opText     = 1
	opClose    = 8
	opPing     = 9
	opPong     = 10

	finalBit = 0x80
	maskBit  = 0x80
)

// A socket is a WebSocket connection. Only one goroutine may call read.
type socket struct {
	conn net.Conn
	in   *bufio.Reader
	mu   sync.Mutex // held while a frame is written
}

// ErrRefused is the answer of a server that does not speak WebSocket or refuses the connection.
type ErrRefused struct {
	Status int    // of the HTTP response
	Text   string // status line or description of the answer
}

func (e *ErrRefused) Error() string { return fmt.Sprintf("the server answered %s", e.Text) }

// dialSocket connects to a ws: or wss: address with a port. ctx bounds only the connecting.
func dialSocket(ctx context.Context, address *url.URL) (_ *socket, err error) {
	var dialer interface {
		DialContext(ctx context.Context, network, address string) (net.Conn, error)
	} = new(net.Dialer)
	if address.Scheme == "wss" {
		dialer = new(tls.Dialer)
	}
	conn, err := dialer.DialContext(ctx, "tcp", address.Host)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = conn.Close()
		}
	}()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	s := &socket{conn: conn, in: bufio.NewReaderSize(conn, 64<<10)}
	err = s.handshake(address)
	if !stop() {
		return nil, context.Cause(ctx)
	}
	return s, err
}

func (s *socket) handshake(address *url.URL) error {
	nonce := make([]byte, 16)
	_, _ = rand.Read(nonce) // never fails
	key := base64.StdEncoding.EncodeToString(nonce)
	req := &http.Request{Method: http.MethodGet, URL: address, Host: address.Host, Header: http.Header{
		"Upgrade": {"websocket"}, "Connection": {"Upgrade"},
		"Sec-Websocket-Key": {key}, "Sec-Websocket-Version": {"13"},
	}}
	if err := req.Write(s.conn); err != nil {
		return err
	}
	res, err := http.ReadResponse(s.in, req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	if res.StatusCode != http.StatusSwitchingProtocols || res.Header.Get("Sec-Websocket-Accept") != base64.StdEncoding.EncodeToString(sum[:]) {
		body, _ := io.ReadAll(io.LimitReader(res.Body, 300))
		return &ErrRefused{res.StatusCode, FirstLine(res.Status + " " + string(body))}
	}
	return nil
}

// write sends one message.
func (s *socket) write(data []byte) error { return s.frame(opText, data) }

func (s *socket) frame(op byte, data []byte) error {
	header := make([]byte, 2, 14+len(data))
	header[0] = finalBit | op
	switch n := len(data); {
	case n < 126:
		header[1] = maskBit | byte(n)
	case n < 1<<16:
		header[1] = maskBit | 126
		header = binary.BigEndian.AppendUint16(header, uint16(n))
	default:
		header[1] = maskBit | 127
		header = binary.BigEndian.AppendUint64(header, uint64(n))
	}
	// A client must mask its data, to protect proxies; a mask of zeros leaves the data unchanged.
	header = append(header, 0, 0, 0, 0)
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.conn.Write(append(header, data...))
	return err
}

// read returns the next message.
func (s *socket) read() ([]byte, error) {
	var message []byte
	for {
		op, final, data, err := s.next(maxMessageBytes - len(message))
		if err != nil {
			return nil, err
		}
		switch op {
		case opText, opContinue:
			if message = append(message, data...); final {
				return message, nil
			}
		case opPing:
			if err := s.frame(opPong, data); err != nil {
				return nil, err
			}
		case opPong:
		case opClose:
			return nil, io.EOF
		default:
			return nil, fmt.Errorf("the browser sent a frame of unknown kind %d", op)
		}
	}
}

// next reads one frame. The argument "most" is the largest accepted number of bytes.
func (s *socket) next(most int) (op byte, final bool, data []byte, err error) {
	var head [8]byte
	if _, err := io.ReadFull(s.in, head[:2]); err != nil {
		return 0, false, nil, err
	}
	op, final = head[0]&0x0f, head[0]&finalBit != 0
	if head[1]&maskBit != 0 {
		return 0, false, nil, errors.New("the browser sent a masked frame")
	}
	size := uint64(head[1])
	switch size {
	case 126:
		_, err = io.ReadFull(s.in, head[:2])
		size = uint64(binary.BigEndian.Uint16(head[:2]))
	case 127:
		_, err = io.ReadFull(s.in, head[:8])
		size = binary.BigEndian.Uint64(head[:8])
	}
	switch {
	case err != nil:
		return 0, false, nil, err
	case size > uint64(most):
		return 0, false, nil, tooLong()
	}
	var buf bytes.Buffer // grows with the data, whatever length the frame announces
	_, err = io.CopyN(&buf, s.in, int64(size))
	return op, final, buf.Bytes(), err
}

func (s *socket) close() error { return s.conn.Close() }
