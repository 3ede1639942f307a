package daemon_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"

	"actionregistry/daemon"
)

// BenchmarkSocket is the daemon's own share of a request: reading, checking and
// answering it over the socket.
func BenchmarkSocket(b *testing.B) {
	dir, err := os.MkdirTemp("", "dm-")
	if err != nil {
		b.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "action", "daemon.sock")
	s, err := daemon.Listen(daemon.Options{Socket: path, Backend: newFake()})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx) }()
	defer func() {
		cancel()
		if err := <-ended; err != nil {
			b.Error(err)
		}
	}()
	for _, bench := range []struct{ name, line string }{
		{"status", `{"id":1,"type":"status"}` + "\n"},
		{"run", `{"id":1,"type":"action.run","action":"test:echo","params":{"a":1,"b":"text"},"session":"s"}` + "\n"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			nc, err := net.Dial("unix", path)
			if err != nil {
				b.Fatal(err)
			}
			defer nc.Close()
			in := bufio.NewReader(nc)
			for b.Loop() {
				if _, err := io.WriteString(nc, bench.line); err != nil {
					b.Fatal(err)
				}
				if _, err := in.ReadSlice('\n'); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
