package executor

// Limits on what one run may keep and report. Single values are bounded where they are created
// (see [expr.MaxValueBytes]). This file bounds their sum.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/steps"
)

const (
	// maxRunBytes bounds the total size of all step results of a run, which stay in memory until the
	// run ends.
	maxRunBytes = 64 << 20
	// maxReportBytes bounds the inputs and outputs in the steps of a result. Together with the
	// returns, they must fit into one line of the protocol.
	maxReportBytes = 2 << 20
	// maxMessageBytes bounds each message, hint and selector in a result.
	maxMessageBytes = 16 << 10
	// maxWarnings bounds the number of warnings of a run, and the number of its degraded aliases.
	// maxWarningBytes bounds the message of one warning.
	maxWarnings     = 200
	maxWarningBytes = 2 << 10
	// maxSecrets bounds the number of texts that a run masks. Masking searches every text of the
	// result for each of them.
	maxSecrets = 1000
)

// keep adds the size of a step's result to the size of the data that the run keeps.
func (r *run) keep(result steps.Result) error {
	size, err := r.sizes.Keep(map[string]any(result))
	if err != nil {
		return err
	}
	return r.charge(size)
}

// charge adds to the size of the data that the run keeps. Above maxRunBytes, the error is
// LIMIT_EXCEEDED.
func (r *run) charge(bytes int) error {
	if r.kept += bytes; r.kept <= maxRunBytes {
		return nil
	}
	r.spent = true
	return diag.New(diag.LimitExceeded, "found step results that are too large in total, expected at most %d bytes in one run", maxRunBytes).
		WithHint("keep only the fields that later steps need, or split the action into several runs")
}

// trim shortens the texts of a finished step and counts them towards the limit of the run.
func (r *run) trim(s *StepResult) error {
	s.Selector, s.Decision = cut(s.Selector), cut(s.Decision)
	bytes := len(s.Selector) + len(s.Decision)
	if s.Error != nil {
		bytes += len(s.Error.Msg) + len(s.Error.Hint)
	}
	return r.charge(bytes)
}

// reported returns the input of a step for the result. If the inputs of the run exceed
// maxReportBytes, it returns a note instead.
func (r *run) reported(input map[string]any) map[string]any {
	if r.shown += r.sizes.Size(input); r.shown <= maxReportBytes {
		return input
	}
	r.shown -= r.sizes.Size(input)
	return map[string]any{"…": expr.Omitted}
}

// cut shortens a text to maxMessageBytes.
func cut(text string) string { return cutAt(text, maxMessageBytes) }

func cutAt(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(strings.Clone(text[:most]), "") + fmt.Sprintf("… (%d bytes)", len(text))
}

// cutError shortens the texts of e in place.
func cutError(e *diag.Error) *diag.Error {
	e.Msg, e.Hint = cut(e.Msg), cut(e.Hint)
	for i := range e.Notes {
		e.Notes[i].Msg = cut(e.Notes[i].Msg)
	}
	return e
}

// fit replaces outputs of steps until the others fit into *left bytes. It replaces the oldest
// first, because the last steps explain a failure.
func (r *run) fit(list []*StepResult, left *int) {
	for _, s := range slices.Backward(list) {
		r.fit(s.Fallback, left)
		r.fit(s.Steps, left)
		*left -= r.sizes.Size(s.Input)
		if s.Error != nil {
			if *left -= len(s.Error.Msg) + len(s.Error.Hint); *left < 0 {
				s.Error = &diag.Error{Code: s.Error.Code, Msg: cutAt(s.Error.Msg, 100), Pos: s.Error.Pos}
			}
		}
		if size := r.sizes.Size(s.Output); size <= *left {
			*left -= size
		} else {
			s.Output = expr.Omitted
		}
	}
}

// fitMap returns a copy of m that takes at most *left bytes. It replaces values that do not fit by
// [expr.Omitted], and subtracts the sizes of the others from *left.
func (r *run) fitMap(m map[string]any, left *int) map[string]any {
	out := make(map[string]any, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		size := r.sizes.Size(m[name]) + len(name)
		if size <= *left {
			out[name] = m[name]
			*left -= size
		} else {
			out[name] = expr.Omitted
		}
	}
	return out
}

func (r *run) tooManySecrets() bool { return r.masker.Len()-r.before > maxSecrets }

// checkSecrets fails if there are too many secrets to mask in reasonable time.
func (r *run) checkSecrets() error {
	if !r.tooManySecrets() {
		return nil
	}
	return diag.New(diag.LimitExceeded, "found too many secrets in the params, expected at most %d", maxSecrets).
		WithHint("pass fewer secrets in one run")
}
