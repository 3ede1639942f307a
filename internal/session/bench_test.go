package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// benchManager is a manager with a session that shows a page.
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

// BenchmarkManagerStep is one step by hand that asks the page for little: what a
// warm call costs below the socket.
func BenchmarkManagerStep(b *testing.B) {
	m := benchManager(b)
	b.ReportAllocs()
	for b.Loop() {
		if r := m.Step(context.Background(), Call{}, "get", map[string]any{"what": "url"}); r.Error != nil {
			b.Fatal(r.Error)
		}
	}
}

// BenchmarkManager1000Runs tells what is left on the heap after 1,000 runs, and
// how many goroutines.
func BenchmarkManager1000Runs(b *testing.B) {
	m := benchManager(b)
	run := func() {
		if r := m.Run(context.Background(), Call{}, "web:page:read", nil); r.Error != nil {
			b.Fatal(r.Error)
		}
	}
	run() // what is kept from the first on is no growth
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

// BenchmarkLoadAndCheck1000 reads and checks 1,000 actions from 100 files, the
// first time, as a command does.
func BenchmarkLoadAndCheck1000(b *testing.B) {
	_, o := benchFiles(b)
	for b.Loop() {
		d, err := Load(context.Background(), o)
		checkThousand(b, d, err)
	}
}

// BenchmarkLoadAndCheck1000Again is what a daemon does when it is asked again: where
// nothing has changed, and where one file has.
func BenchmarkLoadAndCheck1000Again(b *testing.B) {
	dir, o := benchFiles(b)
	p := newPlaces()
	d, err := p.get(context.Background(), o, need{definitions: true})
	checkThousand(b, d, err)
	for name, change := range map[string]bool{"unchanged": false, "one file changed": true} {
		b.Run(name, func(b *testing.B) {
			for n := 0; b.Loop(); n++ {
				if change {
					text := strings.Replace(benchFile(0), "Benchmark 0", fmt.Sprint("Changed ", n), 1)
					if err := os.WriteFile(filepath.Join(dir, "ns0.yaml"), []byte(text), 0o600); err != nil {
						b.Fatal(err)
					}
				}
				d, err := p.get(context.Background(), o, need{definitions: true})
				checkThousand(b, d, err)
			}
		})
	}
}

// benchFiles writes 100 files with ten actions each.
func benchFiles(b *testing.B) (dir string, o LoadOptions) {
	dir = b.TempDir()
	size := 0
	for f := range 100 {
		text := benchFile(f)
		size += len(text)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("ns%d.yaml", f)), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(size))
	return dir, LoadOptions{Cwd: b.TempDir(), Environ: []string{"ACTION_PATH=" + dir}}
}

func checkThousand(b *testing.B, d *Definitions, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
	if errs := append(d.Problems, d.Errors()...); len(errs) > 0 {
		b.Fatal(errs)
	}
	if n := d.Registry.Len(); n < 1000 {
		b.Fatalf("loaded %d actions, expected at least 1000", n)
	}
}

// benchFile is a namespace of ten actions, about 6.5 KB, with every kind of
// expression that real definitions hold.
func benchFile(n int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "namespace: ns%d\nversion: 1.0.0\ndescription: Benchmark %d\nselectors:\n  dialog: role:dialog\n  ok: {primary: \"role:button[name='OK']\", fallback: [\"css:.ok\"]}\nactions:\n", n, n)
	for a := range 10 {
		fmt.Fprintf(&s, `  form%d:submit:
    description: Fill the form, number %d
    params:
      customer: {type: string, required: true}
      method: {type: enum, values: [text, testid], default: text}
      quantity: {type: integer, default: 1, min: 1, max: 99}
    steps:
      - action: click
        args: {selector: "role:button[name='${customer}']"}
        when: ${method} == 'text' && ${quantity} > 0
      - action: fill
        args: {selector: "css:form[data-name='${customer}'] input", value: "${quantity}"}
      - action: get
        args: {selector: "${selectors.dialog}", what: text}
        output: row
    verify:
      - {condition: "${steps.row.text} contains ${params.customer}", message: Another customer}
    returns: {text: "${steps.row.text}"}
`, a, a)
	}
	return s.String()
}
