// Command report reads what go test -json writes and prints what a person reads: a
// line for each package, all that a failed test said, and at the end how many tests
// ran, which were skipped, which rows were left out (testkit), which tests took the
// longest, and how long all took. It runs no test; go test says by its exit code whether
// all is well.
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
	slowest := flag.Int("slowest", 15, "list at most that many tests, of those that took a second or more")
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
	Test    string // "" of what is said of the package
	Elapsed float64
	Output  string
}

type timed struct {
	name    string
	seconds float64
}

// A report is what was read until now.
type report struct {
	out     io.Writer
	output  map[string]*strings.Builder // of tests and packages that have not ended
	passed  int
	failed  []string
	skipped []string // with why
	left    []string
	rows    int // of left
	times   []timed
	seconds float64 // of all packages, which may have run side by side
}

func (r *report) read(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		var e event
		switch {
		case len(line) == 0:
		case json.Unmarshal(line, &e) != nil:
			r.out.Write(line) // what go itself says
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

// said keeps what a test says until it is known how it ends.
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
			return // it is among those that are left
		}
		r.skipped = append(r.skipped, name+"\n"+text)
	}
}

func (r *report) ended(e event, text string) {
	r.seconds += e.Elapsed
	switch {
	case e.Action == "fail":
		fmt.Fprintf(r.out, "%sFAIL %s %.1fs\n", text, e.Package, e.Elapsed)
	case strings.Contains(text, "[no test"): // nothing to say
	default:
		cached := ""
		if strings.Contains(text, "(cached)") {
			cached = " (cached)"
		}
		fmt.Fprintf(r.out, "ok   %s %.1fs%s\n", e.Package, e.Elapsed, cached)
	}
}

// close writes the end of the report; all is how long it was waited for the tests.
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
