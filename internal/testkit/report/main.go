// Command report reads the output of go test -json and prints a report for people: a line for each
// package, the output of each failed test, and at the end the number of tests, the skipped tests,
// the omitted rows (see testkit), the slowest tests and the total time. It runs no tests, and its
// exit code does not tell whether they passed; that of go test does.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/actionregistry/action/internal/testkit"
)

func main() {
	slowest := flag.Int("slowest", 15, "maximum number of tests to list that took a second or more")
	flag.Parse()
	began := time.Now()
	r := &report{out: os.Stdout, output: make(map[string]*strings.Builder)}
	if err := r.read(os.Stdin); err != nil {
		log.Fatal(err)
	}
	r.close(*slowest, time.Since(began))
}

// An event is one line of go test -json.
type event struct {
	Action  string
	Package string
	Test    string // "" for an event of the package
	Elapsed float64
	Output  string
}

type timed struct {
	name    string
	seconds float64
}

// A report collects the events read so far.
type report struct {
	out     io.Writer
	output  map[string]*strings.Builder // by test or package; only of those that have not ended
	passed  int
	failed  []string
	skipped []string // each with its output
	left    []string
	rows    int // number of rows in left
	times   []timed
	seconds float64 // sum of all packages, some of which may have run in parallel
}

func (r *report) read(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		var e event
		switch {
		case len(line) == 0:
		case json.Unmarshal(line, &e) != nil:
			r.out.Write(line) // output of the go command itself
		default:
			r.event(e)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (r *report) event(e event) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "build-output":
		fmt.Fprint(r.out, e.Output)
	case "output":
		r.said(key, e)
	case "pass", "fail", "skip":
		text := ""
		if b := r.output[key]; b != nil {
			text = b.String()
			delete(r.output, key)
		}
		if e.Test == "" {
			r.ended(e, text)
			return
		}
		r.tested(e, text)
	}
}

// said stores the output of a test until its outcome is known.
func (r *report) said(key string, e event) {
	if r.output[key] == nil {
		r.output[key] = new(strings.Builder)
	}
	r.output[key].WriteString(e.Output)
	if n, all, what, ok := testkit.Left(e.Output); ok {
		r.rows += n
		r.left = append(r.left, fmt.Sprintf("%s: %d of %d %s", e.Test, n, all, what))
	}
}

func (r *report) tested(e event, text string) {
	name := e.Package + " " + e.Test
	if !strings.Contains(e.Test, "/") {
		r.times = append(r.times, timed{name, e.Elapsed})
	}
	switch e.Action {
	case "pass":
		r.passed++
	case "fail":
		r.failed = append(r.failed, name)
		fmt.Fprint(r.out, text)
	case "skip":
		if _, _, _, ok := testkit.Left(text); ok {
			return // already listed in r.left
		}
		r.skipped = append(r.skipped, name+"\n"+text)
	}
}

func (r *report) ended(e event, text string) {
	r.seconds += e.Elapsed
	switch {
	case e.Action == "fail":
		fmt.Fprintf(r.out, "%sFAIL %s %.1fs\n", text, e.Package, e.Elapsed)
	case strings.Contains(text, "[no test"): // not worth a line
	default:
		cached := ""
		if strings.Contains(text, "(cached)") {
			cached = " (cached)"
		}
		fmt.Fprintf(r.out, "ok   %s %.1fs%s\n", e.Package, e.Elapsed, cached)
	}
}

// close writes the end of the report. It lists the given number of slowest tests. The argument all
// is the time since the program started.
func (r *report) close(slowest int, all time.Duration) {
	for _, text := range r.skipped {
		fmt.Fprintf(r.out, "skipped: %s", text)
	}
	if len(r.left) > 0 {
		fmt.Fprintf(r.out, "left to make test-all: %d rows\n  %s\n", r.rows, strings.Join(r.left, "\n  "))
	}
	slices.SortFunc(r.times, func(a, b timed) int { return cmp.Compare(b.seconds, a.seconds) })
	for _, t := range r.times[:min(slowest, len(r.times))] {
		if t.seconds >= 1 {
			fmt.Fprintf(r.out, "%7.1fs %s\n", t.seconds, t.name)
		}
	}
	for _, name := range r.failed {
		fmt.Fprintf(r.out, "failed: %s\n", name)
	}
	fmt.Fprintf(r.out, "%d passed, %d failed, %d skipped, %d rows left out; %s, by packages %s\n", r.passed, len(r.failed), len(r.skipped), r.rows,
		all.Round(time.Second), time.Duration(r.seconds*float64(time.Second)).Round(time.Second))
}
