package main

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/testdata/pages"
)

// A warmProgram is the program as `make build` makes it, with a daemon that has a
// page open.
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

// BenchmarkWarmCall is a whole call of the program with a daemon that runs; the
// difference to "version" is not the program's start.
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

// BenchmarkMemory tells what the daemon takes from the system before and after
// 1,000 runs.
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

// BenchmarkParse is what the daemon does with the words of a command line.
func BenchmarkParse(b *testing.B) {
	for _, line := range []string{"get url", "click button.go --timeout 3s", "run web:page:read"} {
		for name, kept := range map[string]*parsers{"new": nil, "kept": newParsers()} {
			b.Run(strings.ReplaceAll(line, " ", "_")+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				words := strings.Fields(line)
				for b.Loop() {
					a := &app{stdout: io.Discard, stderr: io.Discard}
					args, _ := splitCall(words)
					p, err := kept.take(args)
					if err != nil {
						b.Fatal(err)
					}
					if _, err := a.parse(p.Kong, args); err != nil {
						b.Fatal(err)
					}
					kept.put(p)
				}
			})
		}
	}
}
