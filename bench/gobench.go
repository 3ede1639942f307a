package main

// Go benchmarks of action's packages, for functions that the other tools do not have.

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// A GoBenchmark is a Go benchmark with the medians of its runs.
type GoBenchmark struct {
	Package string  `json:"package"`
	Name    string  `json:"name"`
	NsPerOp float64 `json:"ns_per_op"`
	Runs    int     `json:"runs"`
}

// goBenchmarks lists the benchmarks to run, by package. The patterns select the benchmarks with
// targets in docs/performance.md, and one to compare with.
var goBenchmarks = []struct{ folder, pattern string }{
	{"./expr", "ConditionEval"},
	{"./registry", "Search"},
	{"./internal/definitions", "LoadAndCheck"},
}

func takeGoBenchmarks(ctx context.Context, b *bed, r *Results) error {
	const count = 5
	for _, g := range goBenchmarks {
		cmd := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", g.pattern, "-count", strconv.Itoa(count), "-benchtime", "200ms", g.folder)
		cmd.Dir = b.root
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("%s: %w: %s%s", strings.Join(cmd.Args, " "), err, out, stderr.Bytes())
		}
		r.Go = append(r.Go, parseBenchmarks(strings.TrimPrefix(g.folder, "./"), string(out))...)
	}
	return nil
}

var benchmarkLine = regexp.MustCompile(`(?m)^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+([0-9.]+) ns/op`)

// parseBenchmarks parses the output of `go test -bench`, sorted by name.
func parseBenchmarks(pkg, out string) []GoBenchmark {
	samples := make(map[string][]float64)
	var names []string
	for _, m := range benchmarkLine.FindAllStringSubmatch(out, -1) {
		ns, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			continue
		}
		if samples[m[1]] == nil {
			names = append(names, m[1])
		}
		samples[m[1]] = append(samples[m[1]], ns)
	}
	var list []GoBenchmark
	for _, name := range names {
		list = append(list, GoBenchmark{pkg, name, newCell(samples[name]).Median, len(samples[name])})
	}
	return list
}
