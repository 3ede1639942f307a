package forward

import (
	"errors"
	"io"
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
	watchTime  = 2 * time.Millisecond
	greetTime  = 500 * time.Millisecond // after which the daemon is asked whether it lives
	cancelTime = 3 * time.Second        // for a command that is interrupted to end
)

// A conn is a connection to a daemon of this user. It is a bare socket, which
// blocks: package net is initialised late, and its goroutines take threads.
type conn struct {
	fd       int
	peer     endpoint.Peer
	alive    time.Duration  // for the daemon to answer at all
	watching chan os.Signal // nil: not yet
	greeted  bool
	unread   []byte // what has been read behind the last line

	interrupted atomic.Bool
	mu          sync.Mutex // guards closed, and what an interrupt does to fd
	closed      bool
}

func dial() (*conn, error) {
	path := endpoint.Path(nil)
	if err := endpoint.CheckFolder(path); err != nil {
		return nil, err
	}
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(fd)
	c := &conn{fd: fd, alive: 15 * time.Second}
	err = errors.Join(c.timeout(syscall.SO_SNDTIMEO, c.alive), c.timeout(syscall.SO_RCVTIMEO, watchTime))
	if err == nil {
		err = syscall.Connect(fd, &syscall.SockaddrUnix{Name: path})
	}
	if err == nil {
		c.peer, err = endpoint.PeerOf(fd)
	}
	if err == nil && c.peer.UID != os.Geteuid() {
		err = errElsewhere
	}
	if err != nil {
		c.end()
		return nil, err
	}
	return c, nil
}

// timeout sets how long the socket blocks; 0: without an end.
func (c *conn) timeout(option int, d time.Duration) error {
	t := syscall.NsecToTimeval(int64(d))
	return os.NewSyscallError("setsockopt", syscall.SetsockoptTimeval(c.fd, syscall.SOL_SOCKET, option, &t))
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
	_ = syscall.Close(c.fd)
}

// Read reads what the daemon says. The error is io.EOF when it has closed the
// connection, a reset when it has not read all before, and os.ErrDeadlineExceeded
// when it does not answer.
func (c *conn) Read(p []byte) (int, error) {
	for {
		n, err := syscall.Read(c.fd, p)
		switch {
		case err == syscall.EINTR:
		case err == syscall.EAGAIN && c.watching == nil:
			c.watch()
			if err := c.timeout(syscall.SO_RCVTIMEO, greetTime); err != nil {
				return 0, err
			}
		case err == syscall.EAGAIN && !c.greeted:
			c.greeted = true
			if err := errors.Join(c.send(member{"id", greeting}, member{"type", "hello"}), c.timeout(syscall.SO_RCVTIMEO, c.alive)); err != nil {
				return 0, err
			}
		case err == syscall.EAGAIN:
			return 0, os.ErrDeadlineExceeded
		case err != nil:
			return 0, os.NewSyscallError("read", err)
		case n == 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

// Write writes all of p.
func (c *conn) Write(p []byte) (int, error) {
	for n := 0; ; {
		m, err := syscall.Write(c.fd, p[n:])
		switch n += max(m, 0); {
		case err != nil && err != syscall.EINTR:
			return n, os.NewSyscallError("write", err)
		case n == len(p):
			return n, nil
		}
	}
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
