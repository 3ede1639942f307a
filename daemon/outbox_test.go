package daemon

import (
	"errors"
	"net"
	"os"
	"testing"
	"time"
)

// A slowConn takes some bytes of every write before its deadline, then none.
type slowConn struct {
	net.Conn
	writes int // that take something
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
			b := newOutbox(1000, all)
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
