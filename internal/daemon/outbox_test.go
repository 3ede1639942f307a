package daemon

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A slowConn accepts at most 3 bytes of each of the first writes. Every later write times out.
type slowConn struct {
	net.Conn
	writes int // number of writes that succeed
	took   int
}

func (c *slowConn) SetWriteDeadline(time.Time) error { return nil }

func (c *slowConn) Write(p []byte) (int, error) {
	if c.writes == 0 {
		return 0, os.ErrDeadlineExceeded
	}
	c.writes--
	n := min(3, len(p))
	c.took += n
	if n < len(p) {
		return n, os.ErrDeadlineExceeded
	}
	return n, nil
}

func TestSlowIsNotStuck(t *testing.T) {
	tests := []struct {
		name         string
		writes, took int
		err          error
	}{
		{"slow", 100, 20, nil},
		{"stuck in the end", 4, 10, os.ErrDeadlineExceeded},
		{"stuck", 0, 0, os.ErrDeadlineExceeded},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			all := &unsent{max: 1000}
			b := newOutbox(1000, all, nil)
			for range 2 {
				if err := b.put([]byte("0123456789")); err != nil {
					t.Fatal(err)
				}
			}
			b.close()
			c := &slowConn{writes: test.writes}
			if err := b.run(c, time.Second); !errors.Is(err, test.err) || c.took != test.took {
				t.Errorf("run = %v with %d bytes taken, want %v with %d", err, c.took, test.err, test.took)
			}
			if left := all.bytes.Load(); left != 0 || b.bytes != 0 {
				t.Errorf("%d bytes are still counted, %d of all", b.bytes, left)
			}
		})
	}
}

// TestWrittenAtOnce checks that put writes a line directly while the socket accepts it, and that
// the remaining lines follow completely and in order.
func TestWrittenAtOnce(t *testing.T) {
	ours, theirs := socketPair(t)
	all := &unsent{max: 1 << 30}
	b := newOutbox(1<<30, all, writeNow(ours))
	var want bytes.Buffer
	put := func(line string) {
		want.WriteString(line)
		if err := b.put([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	put("first\n")
	if got := make([]byte, 6); !read(t, theirs, got) || string(got) != "first\n" || all.bytes.Load() != 0 {
		t.Fatalf("read %q without a writer, %d bytes unsent, want the line and none", got, all.bytes.Load())
	}
	want.Reset()
	for i := 0; all.bytes.Load() == 0; i++ { // until the socket is full
		put(fmt.Sprintln(i, strings.Repeat("x", 50_000)))
	}
	for i := range 20 {
		put(fmt.Sprintln("behind", i))
	}
	b.close()
	done := make(chan error, 1)
	go func() { done <- b.run(ours, time.Minute) }()
	got := make([]byte, want.Len())
	if !read(t, theirs, got) || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("read %d bytes that are not the %d that were put", len(got), want.Len())
	}
	if err := <-done; err != nil || all.bytes.Load() != 0 {
		t.Errorf("run = %v with %d bytes unsent, want nil and none", err, all.bytes.Load())
	}
}

// TestWrittenInOrder checks that the lines of one goroutine stay in order, whether put or run
// writes them.
func TestWrittenInOrder(t *testing.T) {
	ours, theirs := socketPair(t)
	b := newOutbox(1<<30, &unsent{max: 1 << 30}, writeNow(ours))
	done := make(chan error, 1)
	go func() { done <- b.run(ours, time.Minute) }()
	const lines = 2000
	fill := strings.Repeat("x", 1000)
	go func() {
		for i := range lines {
			if err := b.put([]byte(fmt.Sprintln(i, fill))); err != nil {
				t.Error(err)
			}
		}
		b.close()
	}()
	in := bufio.NewScanner(theirs)
	for i := range lines {
		if !in.Scan() || in.Text() != fmt.Sprint(i, " ", fill) {
			t.Fatalf("line %d: got %.20q, %v", i, in.Text(), in.Err())
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func read(t *testing.T, c net.Conn, all []byte) bool {
	t.Helper()
	_, err := io.ReadFull(c, all)
	if err != nil {
		t.Error(err)
	}
	return err == nil
}

// socketPair returns both ends of a connection.
func socketPair(t *testing.T) (ours, theirs *net.UnixConn) {
	t.Helper()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	conns := make([]*net.UnixConn, len(fds))
	for i, fd := range fds {
		file := os.NewFile(uintptr(fd), "socket")
		c, err := net.FileConn(file)
		if err := errors.Join(err, file.Close()); err != nil {
			t.Fatal(err)
		}
		conns[i] = c.(*net.UnixConn)
		t.Cleanup(func() { _ = c.Close() })
	}
	return conns[0], conns[1]
}
