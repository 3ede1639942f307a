package daemon

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

var errSlowReader = errors.New("the client does not read its answers")

// writeNow returns a function that writes as much as the socket accepts without waiting, and
// returns the number of bytes. The function reports no errors. The next blocking write reports
// them.
func writeNow(c *net.UnixConn) func(line []byte) int {
	raw, err := c.SyscallConn()
	if err != nil {
		return nil
	}
	return func(line []byte) (n int) {
		_ = raw.Write(func(fd uintptr) bool {
			n, _ = unix.Write(int(fd), line)
			return true // do not wait until it accepts more
		})
		return max(n, 0)
	}
}

// unsent limits the unread answers of all connections together.
type unsent struct {
	max   int64
	bytes atomic.Int64
}

// An outbox queues the lines that the client of a connection has not read yet, up to a limit. So a
// client that reads slowly blocks no requests.
type outbox struct {
	max int
	all *unsent
	// now writes as much of a line as possible without waiting, and returns the number of bytes. If
	// now is nil, all lines are queued.
	now func(line []byte) int

	mu      sync.Mutex // guards the fields below
	changed sync.Cond  // uses mu
	lines   net.Buffers
	bytes   int  // of queued lines and of lines being written
	writing bool // whether run is writing lines; new lines must wait until it has
	closed  bool
	err     error // reason why nothing can be written any more
}

func newOutbox(max int, all *unsent, now func(line []byte) int) *outbox {
	b := &outbox{max: max, all: all, now: now}
	b.changed.L = &b.mu
	return b
}

// put writes a line, or queues it if the write would have to wait. After an error, the connection
// must be dropped.
func (b *outbox) put(line []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil || b.closed {
		return nil
	}
	if b.now != nil && !b.writing && len(b.lines) == 0 {
		if line = line[b.now(line):]; len(line) == 0 {
			return nil
		}
	}
	// A connection without unsent lines may always queue one. Otherwise a limit below the size of a
	// line would block everything, and other clients, which do not read, could block one that has
	// read all its answers.
	if b.bytes > 0 && (b.bytes+len(line) > b.max || b.all.bytes.Load()+int64(len(line)) > b.all.max) {
		b.failLocked(errSlowReader)
		return errSlowReader
	}
	b.lines = append(b.lines, line)
	b.countLocked(len(line))
	return nil
}

// room waits until at most half of the limit is unsent, or until ctx has ended. So requests and
// events are slowed down if the client reads its answers slowly.
func (b *outbox) room(ctx context.Context) {
	stop := context.AfterFunc(ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.changed.Broadcast()
	})
	defer stop()
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.bytes > b.max/2 && b.err == nil && ctx.Err() == nil {
		b.changed.Wait()
	}
}

// close marks the end of the lines. run ends when the remaining lines are written.
func (b *outbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.changed.Broadcast()
}

func (b *outbox) countLocked(n int) {
	b.bytes += n
	b.all.bytes.Add(int64(n))
	b.changed.Broadcast()
}

func (b *outbox) failLocked(err error) {
	b.err, b.lines = err, nil
	b.countLocked(-b.bytes)
}

// run writes lines until the outbox is closed and empty. It fails if a write fails, or if no byte
// can be written for the duration of patience.
func (b *outbox) run(c net.Conn, patience time.Duration) error {
	for {
		lines, err := b.take()
		if lines == nil {
			return err
		}
		for len(lines) > 0 {
			err := c.SetWriteDeadline(time.Now().Add(patience))
			var n int64
			if err == nil {
				n, err = lines.WriteTo(c)
			}
			if n > 0 && errors.Is(err, os.ErrDeadlineExceeded) {
				err = nil // the client is slow, but reads
			}
			if err = b.wrote(int(n), err); err != nil {
				return err
			}
		}
	}
}

// take waits for lines to write. An empty result means that no more lines will come.
func (b *outbox) take() (net.Buffers, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.writing = false
	for len(b.lines) == 0 && !b.closed && b.err == nil {
		b.changed.Wait()
	}
	lines := b.lines
	b.lines, b.writing = nil, len(lines) > 0
	return lines, b.err
}

// wrote records that n bytes were written, and that the write has failed if err is not nil. It
// returns the reason why nothing more can be written, or nil.
func (b *outbox) wrote(n int, err error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.countLocked(-n)
	}
	if b.err == nil && err != nil {
		b.failLocked(err)
	}
	return b.err
}
