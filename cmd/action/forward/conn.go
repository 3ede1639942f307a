package forward

import (
	"errors"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"actionregistry/daemon/endpoint"
)

const (
	// watchTime is what a command may take before interrupts are looked after, for
	// which Go needs a thread. One that comes earlier ends the process and with the
	// connection the command, as it would before main.
	watchTime  = 20 * time.Millisecond
	greetTime  = 500 * time.Millisecond // after which the daemon is asked whether it lives
	maxLine    = 8<<20 + 1              // of the daemon's, with its line break
	cancelTime = 3 * time.Second        // for a command that is interrupted to end
)

// A conn is a connection to a daemon of this user. It is a bare socket, for package net
// is initialised late. It is waited for by Go's poller: while a thread blocks in a
// call of the system, Go's watchdog looks after it every 20 µs, at the cost of the
// browser, which waits for a processor.
type conn struct {
	fd       int // of file
	file     *os.File
	peer     endpoint.Peer
	patience endpoint.Patience
	heard    time.Time      // when the daemon was last heard; or is known to be there
	watching chan os.Signal // nil: not yet
	greeted  bool
	asked    bool   // a greeting has not been answered
	unread   []byte // what has been read behind the last line

	interrupted atomic.Bool
	mu          sync.Mutex // guards closed, and what an interrupt does to fd
	closed      bool
}

func dial(patience endpoint.Patience) (*conn, error) {
	path := endpoint.Path(nil)
	if err := endpoint.CheckFolder(path); err != nil {
		return nil, err
	}
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(fd)
	c := &conn{fd: fd, patience: patience, heard: time.Now()}
	err = syscall.SetNonblock(fd, true) // before NewFile, which else leaves the poller out
	if err == nil {
		err = syscall.Connect(fd, &syscall.SockaddrUnix{Name: path})
	}
	if err == nil {
		c.peer, err = endpoint.PeerOf(fd)
	}
	if err == nil && c.peer.UID != os.Geteuid() {
		err = errElsewhere
	}
	c.file = os.NewFile(uintptr(fd), path)
	if err == nil {
		err = c.within(watchTime)
	}
	if err != nil {
		c.end()
		return nil, err
	}
	return c, nil
}

// within sets for how long the daemon is waited for from now on; 0: without an end.
func (c *conn) within(d time.Duration) error {
	if d == 0 {
		return c.file.SetReadDeadline(time.Time{})
	}
	return c.file.SetReadDeadline(time.Now().Add(d))
}

// end ends the connection.
func (c *conn) end() {
	if c.watching != nil {
		signal.Stop(c.watching)
		close(c.watching)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	_ = c.file.Close()
}

// Read reads what the daemon says. The error is io.EOF when it has closed the
// connection, a reset when it has not read all before, and os.ErrDeadlineExceeded
// when it does not answer.
func (c *conn) Read(p []byte) (int, error) {
	for {
		n, err := c.file.Read(p)
		switch late := errors.Is(err, os.ErrDeadlineExceeded); {
		case late && c.watching == nil:
			c.watch()
			if err := c.within(greetTime); err != nil {
				return 0, err
			}
		case late && !c.asked:
			c.greeted, c.asked = true, true
			if err := errors.Join(c.send(member{"id", greeting}, member{"type", "hello"}), c.within(c.patience.Answer(time.Now()))); err != nil {
				return 0, err
			}
		default:
			return n, err
		}
	}
}

// Write writes all of p. The time counts from now on: a cancel may come long after the
// command.
func (c *conn) Write(p []byte) (int, error) {
	if err := c.file.SetWriteDeadline(time.Now().Add(c.patience.Answer(time.Now()))); err != nil {
		return 0, err
	}
	return c.file.Write(p)
}

// watch has an interrupt cancel the command, from now on.
func (c *conn) watch() {
	c.watching = make(chan os.Signal, 1)
	signal.Notify(c.watching, os.Interrupt, syscall.SIGTERM)
	go func() {
		if _, ok := <-c.watching; !ok {
			return
		}
		c.interrupted.Store(true)
		c.unlessClosed(func() { _ = c.send(member{"id", cancelling}, member{"type", "cancel"}, member{"target", running}) })
		// The daemon has a little time to answer; then reading ends.
		time.AfterFunc(cancelTime, func() {
			c.unlessClosed(func() { _ = syscall.Shutdown(c.fd, syscall.SHUT_RDWR) })
		})
	}()
}

func (c *conn) unlessClosed(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		do()
	}
}
