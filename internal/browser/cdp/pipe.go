package cdp

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"sync"

	rodcdp "github.com/go-rod/rod/lib/cdp"

	"github.com/actionregistry/action/diag"
)

// The transport below rod's client: messages over the two pipes of a Chromium that is started
// with --remote-debugging-pipe. Unlike a port, a pipe is accessible to no other process. Chromium
// exits by itself when our end closes, however our process ends. A browser that was already
// running is reached over a WebSocket: see websocket.go.

// maxMessageBytes limits the size of a message from the browser. It prevents a page from filling
// our memory with one value.
const maxMessageBytes = 256 << 20

// messages exchanges messages with a browser. Only one goroutine at a time may call write, and only
// one may call read. The caller owns the bytes that read returns.
type messages interface {
	write(data []byte) error
	read() ([]byte, error)
	close() error
}

// A link passes replies to rod's client and events to a handler. It implements rod's
// WebSocketable.
type link struct {
	messages
	// events receives every event, in order. When a reply reaches its caller, all earlier events
	// have been handled. So the caller of a click knows whether the click has started a navigation.
	events func(*Event)
	// sent is signalled after each message that is written.
	sent chan struct{}
	// failed is the reason why reading ended. It is nil if the browser has ended. It is set before
	// Read returns its error.
	failed error

	mu sync.Mutex // held while a message is written
}

func newLink(m messages, events func(*Event)) *link {
	return &link{messages: m, events: events, sent: make(chan struct{}, 1)}
}

// An Event is an event of the browser; Session is "" for events of the browser itself.
type Event struct {
	Session string
	Method  string
	Params  json.RawMessage
}

// Send writes one message.
func (l *link) Send(data []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.write(data); err != nil {
		return err
	}
	select {
	case l.sent <- struct{}{}:
	default:
	}
	return nil
}

// Read returns the next reply. It ends with an error at an invalid message, because rod's client
// would panic.
func (l *link) Read() ([]byte, error) {
	for {
		data, err := l.read()
		if err != nil {
			if coded := diag.As(err); coded != nil {
				l.failed = coded
			}
			return nil, err
		}
		var m struct {
			rodcdp.Response
			Session string          `json:"sessionId"`
			Method  string          `json:"method"`
			Params  json.RawMessage `json:"params"`
		}
		if err := json.Unmarshal(data, &m); err != nil {
			l.failed = diag.New(diag.BrowserUnavailable, "the browser sent an invalid message: %v", err).
				WithHint("check that browser.path is a Chromium executable")
			return nil, l.failed
		}
		switch {
		case m.ID != 0:
			return data, nil
		case m.Method != "":
			l.events(&Event{Session: m.Session, Method: m.Method, Params: m.Params})
		}
	}
}

// A pipe exchanges messages that are terminated by NUL.
type pipe struct {
	in  *bufio.Reader
	out *os.File
}

func newPipe(in io.Reader, out *os.File) *pipe {
	return &pipe{in: bufio.NewReaderSize(in, 64<<10), out: out}
}

func (p *pipe) write(data []byte) error {
	_, err := p.out.Write(append(data, 0))
	return err
}

func (p *pipe) close() error { return p.out.Close() }

// read returns one message without its terminator.
func (p *pipe) read() ([]byte, error) {
	var data []byte
	for {
		part, err := p.in.ReadSlice(0)
		data = append(data, part...)
		switch {
		case err == nil:
			return data[:len(data)-1], nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		case len(data) > maxMessageBytes:
			return nil, tooLong()
		}
	}
}

func tooLong() error {
	return diag.New(diag.BrowserUnavailable, "the browser sent a message of more than %d MB", maxMessageBytes>>20).
		WithHint("read less from the page at a time")
}
