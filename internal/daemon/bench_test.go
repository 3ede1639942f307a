package daemon_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/internal/daemon"
	"github.com/actionregistry/action/internal/session"
)

// benchSocket serves a backend and returns a connection to it.
func benchSocket(b *testing.B, backend daemon.Backend) *benchConn {
	b.Helper()
	path := socketIn(b)
	s, err := daemon.Listen(daemon.Options{Socket: path, Backend: backend})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx) }()
	b.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			b.Error(err)
		}
	})
	nc, err := net.Dial("unix", path)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { nc.Close() })
	return &benchConn{nc, bufio.NewReader(nc)}
}

type benchConn struct {
	net.Conn
	in *bufio.Reader
}

// ask sends a line and reads its reply, which must report success.
func (c *benchConn) ask(b *testing.B, line string) {
	if _, err := io.WriteString(c, line); err != nil {
		b.Fatal(err)
	}
	reply, err := c.in.ReadString('\n')
	if err != nil || !strings.Contains(reply, `"success":true`) {
		b.Fatal(reply, err)
	}
}

// BenchmarkSocket measures the cost of a request that does nothing: reading, checking and answering
// it.
func BenchmarkSocket(b *testing.B) {
	c := benchSocket(b, newFake())
	for _, bench := range []struct{ name, line string }{
		{"hello", `{"id":1,"type":"hello"}` + "\n"},
		{"status", `{"id":1,"type":"status"}` + "\n"},
		{"run", `{"id":1,"type":"action.run","action":"test:echo","params":{"a":1,"b":"text"},"session":"s"}` + "\n"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.ask(b, bench.line)
			}
		})
	}
}

// BenchmarkOwnShare reads the address of a real page, alternately through the socket and by calling
// the session manager. The difference of the medians is the cost of the daemon.
func BenchmarkOwnShare(b *testing.B) {
	backend := realBackend(b)
	c := benchSocket(b, backend)
	c.ask(b, `{"id":1,"type":"step","step":"open","args":{"url":"`+tokenPages(b)+`x"}}`+"\n")
	var direct, socket []time.Duration
	for b.Loop() {
		began := time.Now()
		if r := backend.Step(context.Background(), session.Call{}, "get", map[string]any{"what": "url"}); !r.Success {
			b.Fatal(r.Error)
		}
		called := time.Now()
		c.ask(b, `{"id":1,"type":"step","step":"get","args":{"what":"url"}}`+"\n")
		direct, socket = append(direct, called.Sub(began)), append(socket, time.Since(called))
	}
	b.ReportMetric(median(direct), "direct-ns")
	b.ReportMetric(median(socket), "socket-ns")
	b.ReportMetric(median(socket)-median(direct), "share-ns")
}

func median(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/2])
}

// BenchmarkThousandRuns measures how much the daemon's memory grows in 1,000 runs, after runs that
// fill its caches.
func BenchmarkThousandRuns(b *testing.B) {
	c := benchSocket(b, realBackend(b))
	url, file := tokenPages(b), definition(b, tokenAction)
	runs := func(n int) {
		for i := range n {
			c.ask(b, fmt.Sprintf(`{"id":%d,"type":"action.run","action":"load:token:read","params":{"url":"%[2]sx%[1]d","token":"x%[1]d"},"path":"%[3]s"}`+"\n", i, url, file))
		}
	}
	runs(50)
	before, goroutines := heap(), runtime.NumGoroutine()
	for b.Loop() {
		runs(1000)
	}
	b.ReportMetric(before/1024, "before-KiB")
	b.ReportMetric(heap()/1024, "after-KiB")
	b.ReportMetric(float64(runtime.NumGoroutine()-goroutines), "goroutines-more")
}

// heap returns the size of the live heap in bytes.
func heap() float64 {
	runtime.GC()
	runtime.GC() // objects with finalizers survive the first collection
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
