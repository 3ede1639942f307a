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

// maxLine is the maximum length of a message from the client, in bytes.
const maxLine = 8 << 20

// watchTime is the interval, in milliseconds, at which unread checks whether it should stop.
const watchTime = 100

// A stream is the connection to one client. It has one JSON-RPC message on each line, in both
// directions.
//
// Unlike the transport of the SDK, a stream does not end at a line that is not a message. It
// replies with an error. A wrapper script may print such a line.
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

// Connect implements [sdk.Transport]. It starts a goroutine that ends only when the input ends.
func (s *stream) Connect(context.Context) (sdk.Connection, error) {
	go s.read()
	return s, nil
}

// SessionID implements [sdk.Connection].
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

// read passes the messages of the client to the SDK. It returns at the end of the input.
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

// count adds n to the number of pending calls.
func (s *stream) count(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending += n
	if s.pending == 0 && s.idle != nil {
		close(s.idle)
		s.idle = nil
	}
}

// drain waits until all calls have been answered, or until the client has closed the output. It
// must be called before the SDK sees the end of the input, because the SDK then drops all other
// answers.
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

// unread returns a channel that is closed once the client has closed the output. The caller must
// close the channel "stop" at the end.
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

// deliver passes the message in a line to the SDK. If the line is not a valid message, deliver
// replies with an error.
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

// reject replies with an error that has no id.
func (s *stream) reject(code int, message string) error {
	line, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": message},
	})
	if err != nil {
		return err
	}
	return s.write(line)
}

// readLine returns the next line. If the line is too long, it is skipped, and the result "long" is
// true. At the end of the input, the error is io.EOF, and the last line may have no line break.
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
