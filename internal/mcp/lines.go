package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/sys/unix"
)

// maxLine is the maximum number of bytes of one message from the client.
const maxLine = 8 << 20

// watchTime is the interval, in milliseconds, at which the server checks whether it must still
// watch the output of a client.
const watchTime = 100

// A stream is the transport of one client: one JSON-RPC message per line, in both directions.
//
// The transport of the SDK ends at the first line that is not a message. A stream answers such a
// line with an error and goes on, because a stray line of a wrapper script must not end a session
// and its browser.
type stream struct {
	in  io.Reader
	out io.Writer

	messages chan jsonrpc.Message
	done     chan struct{} // closed by Close
	once     sync.Once

	order *order

	writing sync.Mutex // guards writes to out
	end     error      // why reading ended; set before messages is closed

	mu      sync.Mutex    // guards the fields below
	pending int           // calls that have not been answered
	idle    chan struct{} // closed when no call is pending; nil unless drain waits
}

func newStream(in io.Reader, out io.Writer, o *order) *stream {
	return &stream{in: in, out: out, order: o, messages: make(chan jsonrpc.Message), done: make(chan struct{})}
}

// Connect implements [sdk.Transport]. The goroutine that reads ends only when the input ends,
// because a read from a terminal or a pipe cannot be interrupted.
func (s *stream) Connect(context.Context) (sdk.Connection, error) {
	go s.read()
	return s, nil
}

// SessionID implements [sdk.Connection]. A stream has one session without a name.
func (s *stream) SessionID() string { return "" }

// Read implements [sdk.Connection].
func (s *stream) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m, ok := <-s.messages:
		if !ok {
			return nil, s.end
		}
		return m, nil
	case <-s.done:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write implements [sdk.Connection].
func (s *stream) Write(_ context.Context, m jsonrpc.Message) error {
	line, err := jsonrpc.EncodeMessage(m)
	if err == nil {
		err = s.write(line)
	}
	s.order.answered(m)
	if _, ok := m.(*jsonrpc.Response); ok {
		s.count(-1)
	}
	return err
}

// Close implements [sdk.Connection].
func (s *stream) Close() error {
	s.once.Do(func() { close(s.done) })
	return nil
}

func (s *stream) write(line []byte) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	_, err := s.out.Write(append(line, '\n'))
	return err
}

// read delivers the messages of the input to the SDK until the input ends.
func (s *stream) read() {
	defer close(s.messages)
	in := bufio.NewReaderSize(s.in, 64<<10)
	for {
		line, long, err := readLine(in)
		if bad := s.deliver(line, long); bad != nil {
			err = bad
		}
		if err != nil {
			s.drain()
			s.end = err
			return
		}
	}
}

// count adds n to the number of pending calls: 1 when a call arrives, -1 when one is answered.
func (s *stream) count(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending += n
	if s.pending == 0 && s.idle != nil {
		close(s.idle)
		s.idle = nil
	}
}

// drain waits until every call has been answered, because the SDK drops all outstanding answers
// when the input ends. It stops waiting when the client has closed the output.
func (s *stream) drain() {
	idle := make(chan struct{})
	s.mu.Lock()
	s.idle = idle
	s.mu.Unlock()
	s.count(0)
	stop := make(chan struct{})
	defer close(stop)
	select {
	case <-idle:
	case <-s.done:
	case <-unread(s.out, stop):
	}
}

// unread returns a channel that is closed when nobody can read the output any more. It watches the
// output until stop is closed.
func unread(out io.Writer, stop <-chan struct{}) <-chan struct{} {
	gone := make(chan struct{})
	file, ok := out.(*os.File)
	if !ok {
		return gone
	}
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			fds := []unix.PollFd{{Fd: int32(file.Fd())}}
			if n, err := unix.Poll(fds, watchTime); err == nil && n > 0 && fds[0].Revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) != 0 {
				close(gone)
				return
			}
		}
	}()
	return gone
}

// deliver gives the message of a line to the SDK. If the line is not a message, it answers with an
// error.
func (s *stream) deliver(line []byte, long bool) error {
	line = bytes.TrimSpace(line)
	switch {
	case long:
		return s.reject(jsonrpc.CodeInvalidRequest, "found a line of more than 8 MiB, expected a shorter message")
	case len(line) == 0:
		return nil
	case !json.Valid(line):
		return s.reject(jsonrpc.CodeParseError, "found a line that is not JSON, expected one JSON-RPC message per line")
	}
	m, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return s.reject(jsonrpc.CodeInvalidRequest, "found JSON that is not a JSON-RPC 2.0 message, expected one message per line, and no batch")
	}
	s.order.take(m)
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		s.count(1)
	}
	select {
	case s.messages <- m:
		return nil
	case <-s.done:
		return io.EOF
	}
}

// reject answers a line whose id is unknown.
func (s *stream) reject(code int, message string) error {
	line, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": message},
	})
	if err != nil {
		return err
	}
	return s.write(line)
}

// readLine returns the next line. If the line is too long, readLine skips the rest of the line and
// reports it in the result "long". At the end of the input, err is io.EOF, and the result "line" may
// be a last line without a line break.
func readLine(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			line, long = nil, true
		}
		if !long {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}
