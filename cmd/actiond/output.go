package main

import (
	"fmt"
	"io"
	"sort"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
)

// showResult prints the outcome of a run: data on standard output, everything
// about the run on standard error.
func (f *factory) showResult(r *executor.Result) error {
	if f.json {
		f.writeJSON(r)
	} else {
		showData(f.stdout, r.Data)
		f.showRun(r)
	}
	if r.Error != nil {
		return errShown{r.Error}
	}
	return nil
}

func (f *factory) showRun(r *executor.Result) {
	for _, s := range r.Steps {
		showStep(f.stderr, s, 0)
	}
	told := make(map[string]bool) // an alias of several steps is told once
	for _, d := range r.Degraded {
		line := fmt.Sprintf("degraded: %s of %s was found by its fallback %s\n", d.Alias, d.Action, diag.Clean(d.Selector))
		if !told[line] {
			fmt.Fprint(f.stderr, line)
		}
		told[line] = true
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(f.stderr, "warning: %s\n", diag.Clean(w.Message))
	}
	took := time.Duration(r.DurationMS) * time.Millisecond
	if r.Error == nil {
		fmt.Fprintf(f.stderr, "done: %s in %s\n", diag.Clean(r.Action), took)
		return
	}
	f.showRunError(r.Error)
	fmt.Fprintf(f.stderr, "failed: %s after %s\n", diag.Clean(r.Action), took)
}

func (f *factory) showRunError(e *diag.Error) {
	_ = f.printer.Print(f.stderr, e)
	if e.StepAction != "" {
		fmt.Fprintf(f.stderr, "  in %s of %s, at %s\n", e.StepAction, diag.Clean(e.Action), diag.Clean(e.Path))
	}
	keys := make([]string, 0, len(e.Details))
	for k := range e.Details {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		if lines, ok := e.Details[k].([]any); ok {
			for _, line := range lines {
				if strings.Contains(e.Hint, fmt.Sprint(line)) {
					continue
				}
				fmt.Fprintf(f.stderr, "    %s\n", diag.Clean(fmt.Sprint(line)))
			}
		} else if k == "context" {
			fmt.Fprintf(f.stderr, "  context: %s\n", diag.Clean(diag.JSONText(e.Details[k])))
		}
	}
}

func showStep(w io.Writer, s *executor.StepResult, depth int) {
	indent := strings.Repeat("  ", depth)
	line := fmt.Sprintf("%s%d %s %s", indent, s.Index, s.Action, s.Status)
	if s.Attempts > 1 {
		line += fmt.Sprintf(" after %d attempts", s.Attempts)
	}
	line += fmt.Sprintf(" %dms", s.DurationMS)
	if s.Selector != "" {
		line += "  " + s.Selector
	}
	if s.Decision != "" {
		line += "  when " + s.Decision
	}
	fmt.Fprintln(w, diag.Clean(line))
	if s.Input != nil {
		fmt.Fprintf(w, "%s    input  %s\n", indent, diag.Clean(diag.JSONText(s.Input)))
	}
	if s.Output != nil {
		fmt.Fprintf(w, "%s    output %s\n", indent, diag.Clean(diag.JSONText(s.Output)))
	}
	if s.Error != nil {
		fmt.Fprintf(w, "%s    error  %s: %s\n", indent, s.Error.Code, diag.Clean(s.Error.Msg))
	}
	for _, n := range s.Steps {
		showStep(w, n, depth+1)
	}
	for _, n := range s.Fallback {
		showStep(w, n, depth+1)
	}
}

// bare is data that is printed as it is.
type bare struct{ value any }

// showData prints returns as "name: value" lines; what is no text is JSON.
func showData(w io.Writer, data any) {
	if b, ok := data.(bare); ok {
		showBare(w, b.value)
		return
	}
	m, ok := data.(map[string]any)
	if !ok {
		if data != nil {
			fmt.Fprintln(w, diag.Clean(diag.JSONText(data)))
		}
		return
	}
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		if s, ok := m[k].(string); ok {
			fmt.Fprintf(w, "%s: %s\n", diag.Clean(k), diag.Clean(s))
		} else {
			fmt.Fprintf(w, "%s: %s\n", diag.Clean(k), diag.Clean(diag.JSONText(m[k])))
		}
	}
}

// showBare prints a text as it is, and anything else as JSON.
func showBare(w io.Writer, value any) {
	text, ok := value.(string)
	if !ok {
		text = diag.JSONText(value)
	}
	fmt.Fprintln(w, diag.Clean(strings.TrimSuffix(text, "\n")))
}
