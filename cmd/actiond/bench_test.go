package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/registry"
	"github.com/actionregistry/action/testdata/pages"
)

// A warmProgram is the program, built as by `make build`, with a running daemon that has a page
// open.
type warmProgram struct {
	path    string
	environ []string
}

func warm(b *testing.B) *warmProgram {
	b.Helper()
	dir, err := os.MkdirTemp("", "ac-")
	if err != nil {
		b.Fatal(err)
	}
	p := &warmProgram{path: filepath.Join(dir, "bin", "action"), environ: append(os.Environ(), "HOME="+dir, "XDG_RUNTIME_DIR="+dir)}
	b.Cleanup(func() {
		if err := endDaemon(p.path, dir); err != nil {
			b.Error(err)
		}
	})
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", p.path, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	p.run(b, "open", serve(b.Cleanup, pages.Handler())+"/echo")
	return p
}

func (p *warmProgram) run(b *testing.B, args ...string) []byte {
	cmd := exec.Command(p.path, args...)
	cmd.Env = p.environ
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("%s: %v", strings.Join(args, " "), err)
	}
	return out
}

// BenchmarkWarmCall measures a whole call of the program while the daemon is running. "version"
// measures only the start of the program.
func BenchmarkWarmCall(b *testing.B) {
	p := warm(b)
	for _, args := range [][]string{{"version"}, {"get", "url"}, {"get", "text", "css:body"}, {"run", "web:page:read"}} {
		b.Run(strings.Join(args, "_"), func(b *testing.B) {
			for b.Loop() {
				p.run(b, args...)
			}
		})
	}
}

// BenchmarkMemory measures the memory of the daemon before and after 1,000 runs.
func BenchmarkMemory(b *testing.B) {
	p := warm(b)
	memory := func() wire.Memory {
		var status wire.Status
		if err := json.Unmarshal(p.run(b, "daemon", "status", "--json"), &status); err != nil {
			b.Fatal(err)
		}
		return status.Memory
	}
	p.run(b, "run", "web:page:read")
	before := memory()
	for b.Loop() {
		for range 1000 {
			p.run(b, "run", "web:page:read")
		}
	}
	after := memory()
	b.ReportMetric(float64(before.TotalBytes), "bytes-before")
	b.ReportMetric(float64(after.TotalBytes), "bytes-after")
	b.ReportMetric(float64(after.HeapBytes), "heap-after")
}

// BenchmarkParse measures how long the daemon takes to parse a command line.
func BenchmarkParse(b *testing.B) {
	d := &registry.Description{Params: []registry.Param{{Name: "url", Type: "string"}, {Name: "within", Type: "selector"}}}
	d.Name = "web:page:read"
	for _, line := range []string{"get url", "click button.go --timeout 3s", "run web:page:read"} {
		b.Run(strings.ReplaceAll(line, " ", "_"), func(b *testing.B) {
			b.ReportAllocs()
			words := strings.Fields(line)
			for b.Loop() {
				f := &factory{stdout: io.Discard, stderr: io.Discard}
				f.setUp(words)
				root := newRootCmd(f)
				nothing := func(c stepCommand) *cobra.Command {
					return newStepCmd(f, c, func(context.Context, *stepOptions) error { return nil })
				}
				cmd, rest, err := f.find(root, numbered(words), nothing)
				if err != nil {
					b.Fatal(err)
				}
				if cmd.Name() == "run" {
					cmd.RunE = func(*cobra.Command, []string) error { return nil }
				}
				if err := f.execute(context.Background(), root, cmd, rest); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("params", func(b *testing.B) {
		b.ReportAllocs()
		words := numbered([]string{"--url", "http://a.test/"})
		for b.Loop() {
			f := &factory{stdout: io.Discard, stderr: io.Discard}
			if _, _, err := newActionCmd(f, "run", d).parse(context.Background(), words); err != nil {
				b.Fatal(err)
			}
		}
	})
}
