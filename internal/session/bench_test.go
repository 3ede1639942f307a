package session

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
)

// benchManager returns a manager with a session that shows a page.
func benchManager(b *testing.B) *Manager {
	m := NewManager(ManagerOptions{Cwd: b.TempDir(), Environ: append(os.Environ(), "HOME="+b.TempDir())})
	b.Cleanup(func() {
		if err := m.Close(context.Background()); err != nil {
			b.Error(err)
		}
	})
	r := m.Step(context.Background(), Call{}, "open", map[string]any{"url": "about:blank"})
	if r.Error != nil {
		b.Fatal(r.Error)
	}
	return m
}

// BenchmarkManagerStep measures a manual step with little work in the page: the cost of a warm call
// below the socket.
func BenchmarkManagerStep(b *testing.B) {
	m := benchManager(b)
	b.ReportAllocs()
	for b.Loop() {
		if r := m.Step(context.Background(), Call{}, "get", map[string]any{"what": "url"}); r.Error != nil {
			b.Fatal(r.Error)
		}
	}
}

// BenchmarkManager1000Runs reports the heap and the number of goroutines after 1,000 runs.
func BenchmarkManager1000Runs(b *testing.B) {
	m := benchManager(b)
	run := func() {
		if r := m.Run(context.Background(), Call{}, "web:page:read", nil); r.Error != nil {
			b.Fatal(r.Error)
		}
	}
	run() // the first run fills caches, which do not count as growth
	for b.Loop() {
		before, goroutines := heapInUse(), runtime.NumGoroutine()
		for range 1000 {
			run()
		}
		after := heapInUse()
		b.ReportMetric(float64(before)/1024, "KiB-before")
		b.ReportMetric(float64(after)/1024, "KiB-after")
		b.ReportMetric(float64(runtime.NumGoroutine()-goroutines), "goroutines-more")
	}
}

func heapInUse() uint64 {
	debug.FreeOSMemory()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}
