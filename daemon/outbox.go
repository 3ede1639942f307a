package daemon

import (
	"errors"
	"net"
	"sync"
	"time"
)

var errSlowReader = errors.New("the client does not take its answers")

// An outbox keeps the lines that a connection has not taken yet, so that a slow
// reader holds up nobody: neither the run that reports its steps nor the other
// requests of its connection. What it may keep is bounded.
type outbox struct {
	max  int
	wake chan struct{} // holds one

	mu     sync.Mutex // guards what follows
	lines  net.Buffers
	bytes  int
	closed bool  // no more lines will come
	err    error // why nothing can be written any more
}

func newOutbox(max int) *outbox { return &outbox{max: max, wake: make(chan struct{}, 1)} }

// put queues a line, which it keeps. It never waits. The error says that the
// connection is to be dropped; lines behind it are passed over.
func (b *outbox) put(line []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil || b.closed {
		return nil
	}
	// One line always fits, or a limit below that of lines would end everything.
	if b.bytes > 0 && b.bytes+len(line) > b.max {
		b.failLocked(errSlowReader)
		return errSlowReader
	}
	b.lines = append(b.lines, line)
	b.bytes += len(line)
	b.signal()
	return nil
}

// close says that no more lines will come; run ends when the rest is written.
func (b *outbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.signal()
}

func (b *outbox) failLocked(err error) {
	b.err, b.lines, b.bytes = err, nil, 0
	b.signal()
}

func (b *outbox) signal() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// run writes until the outbox is closed and empty, or writing fails. patience is
// how long one write may take.
func (b *outbox) run(c net.Conn, patience time.Duration) error {
	for range b.wake {
		for {
			lines, size, done, err := b.take()
			if err != nil || done {
				return err
			}
			if size == 0 {
				break
			}
			err = c.SetWriteDeadline(time.Now().Add(patience))
			if err == nil {
				_, err = lines.WriteTo(c)
			}
			b.mu.Lock()
			b.bytes -= size
			if err != nil && b.err == nil {
				b.failLocked(err)
			}
			b.mu.Unlock()
		}
	}
	return nil
}

// take returns the lines to write now. They count as unsent until they are
// written.
func (b *outbox) take() (lines net.Buffers, size int, done bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	lines, b.lines = b.lines, nil
	for _, line := range lines {
		size += len(line)
	}
	return lines, size, b.closed && size == 0, b.err
}
