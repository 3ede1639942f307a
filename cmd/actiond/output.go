package main

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
)

// showResult prints the outcome of a run: data on standard output, everything else on standard
// error.
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
	if r.Error == nil || f.globals.Steps || debugged(r.Steps) {
		showSteps(f.stderr, r.Steps, 0)
	} else {
		showFailedPath(f.stderr, r)
	}
	reported := make(map[string]bool) // report an alias once, even if several steps used it
	for _, d := range r.Degraded {
		line := fmt.Sprintf("degraded: %s of %s used its fallback %s\n", d.Alias, d.Action, diag.Clean(d.Selector))
		if !reported[line] {
			fmt.Fprint(f.stderr, line)
		}
		reported[line] = true
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(f.stderr, "warning: %s\n", diag.Clean(w.Message))
	}
	took := time.Duration(r.DurationMS) * time.Millisecond
	if r.Error == nil {
		fmt.Fprintf(f.stderr, "done: %s in %s%s\n", diag.Clean(r.Action), took, diag.Clean(confirmed(r)))
		return
	}
	f.showRunError(r.Error)
	fmt.Fprintf(f.stderr, "failed: %s after %s\n", diag.Clean(r.Action), took)
}

// confirmed returns the end of the message about a successful run: that a check has verified it, or
// which presses were not confirmed. It may be empty.
func confirmed(r *executor.Result) string {
	if r.Verified != nil && *r.Verified && len(r.Verify) > 0 {
		return ", verified"
	}
	if len(r.Unverified) == 0 {
		return ""
	}
	var presses []string
	for _, u := range r.Unverified {
		if u.Step == "" {
			presses = append(presses, u.Why)
			continue
		}
		presses = append(presses, fmt.Sprintf("%s at %s of %s", u.Step, u.Path, u.Action))
	}
	const most = 3
	if more := len(presses) - most; more > 0 {
		presses = append(presses[:most], fmt.Sprintf("%d more", more))
	}
	return "; not confirmed: " + strings.Join(presses, ", ")
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

// showFailedPath prints the steps that lead to the failed step, from the outermost block to the
// step itself.
func showFailedPath(w io.Writer, r *executor.Result) {
	depth, list := 0, r.Steps
	for s := lastFailed(list); s != nil; s = lastFailed(list) {
		showStep(w, s, depth)
		if s.Error != nil && s.Error.Msg != r.Error.Msg {
			fmt.Fprintf(w, "%s    error  %s: %s\n", strings.Repeat("  ", depth), s.Error.Code, diag.Clean(s.Error.Msg))
		}
		depth++
		if list = s.Steps; lastFailed(list) == nil {
			list = s.Fallback
		}
	}
	if more := countSteps(r.Steps) - depth; more > 0 {
		fmt.Fprintf(w, "%d more steps; show them with --steps\n", more)
	}
}

// debugged reports whether the steps come from a debug run.
func debugged(list []*executor.StepResult) bool {
	return slices.ContainsFunc(list, func(s *executor.StepResult) bool { return s.Input != nil || s.Decision != "" })
}

// lastFailed returns the last failed step of list, or nil.
func lastFailed(list []*executor.StepResult) *executor.StepResult {
	for _, s := range slices.Backward(list) {
		if s.Status == executor.Failed {
			return s
		}
	}
	return nil
}

func countSteps(list []*executor.StepResult) int {
	n := len(list)
	for _, s := range list {
		n += countSteps(s.Steps) + countSteps(s.Fallback)
	}
	return n
}

// showSteps prints every step of list with its nested steps.
func showSteps(w io.Writer, list []*executor.StepResult, depth int) {
	indent := strings.Repeat("  ", depth)
	for _, s := range list {
		showStep(w, s, depth)
		if s.Error != nil {
			fmt.Fprintf(w, "%s    error  %s: %s\n", indent, s.Error.Code, diag.Clean(s.Error.Msg))
		}
		showSteps(w, s.Steps, depth+1)
		showSteps(w, s.Fallback, depth+1)
	}
}

// showStep prints one step, with its input and output if they were recorded.
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
	if s.Effect != nil {
		line += "  → " + s.Effect.String()
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
}

// bare is data that is printed without the name of a field.
type bare struct{ value any }

// showData prints the data of a result. It prints a line "name: value" for each field of an object.
// All other data, and the values of fields that are not texts, are printed as JSON.
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

// showBare prints a text unchanged and any other value as JSON.
func showBare(w io.Writer, value any) {
	text, ok := value.(string)
	if !ok {
		text = diag.JSONText(value)
	}
	fmt.Fprintln(w, diag.Clean(strings.TrimSuffix(text, "\n")))
}
