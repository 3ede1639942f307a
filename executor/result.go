package executor

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/trace"
)

// A Result is the outcome of a run, the same in every interface. Everything in
// it is masked.
type Result struct {
	Success  bool        `json:"success"`
	Data     any         `json:"data"` // the returns: a map, {} when there are none; null on failure
	Error    *diag.Error `json:"error,omitempty"`
	Warnings []Warning   `json:"warnings,omitempty"`
	Degraded []Degraded  `json:"degraded,omitempty"`
	Verify   []Verified  `json:"verify,omitempty"`
	// Verified is set for a run that has succeeded: true if at its end every control that it
	// has set still held its value, and each press was confirmed, by a check of verify that
	// did not hold before, or by an effect that its step expects. Unverified lists the others.
	Verified   *bool        `json:"verified,omitempty"`
	Unverified []Unverified `json:"unverified,omitempty"`
	Action     string       `json:"action"`            // full name, as requested
	Version    string       `json:"version,omitempty"` // of the page's library, in the last document acted on that has one
	// Detected is "markup" if the page does not say its version, and what it shows does:
	// Version is then like 3.x.
	Detected   string        `json:"detected,omitempty"`
	DurationMS int64         `json:"duration_ms"`
	Steps      []*StepResult `json:"steps,omitempty"` // on debug, on failure, and on request
}

// Codes of warnings.
const (
	WarnDeprecated         = "deprecated"           // the action, or an action that it runs
	WarnShadowed           = "shadowed"             // a source replaces the action of a lower one, or a package a part of it or a selector
	WarnEnvNotSet          = "env_not_set"          // an environment variable that is used has no value
	WarnVersionNotDetected = "version_not_detected" // and a selector or action depends on it
	WarnVersionChanged     = "version_changed"      // the action continued on a page with a version for which it has different steps
	WarnNoEffect           = "no_effect"            // a check already held before the first step, or nothing came of a press
	WarnNotSettled         = "not_settled"          // the page was still at work when the wait for its end was over
	WarnStepFailed         = "step_failed"          // a step failed, with on_error: continue
	WarnFoundAgain         = "found_again"          // a ref's element was rendered again
	WarnRecovered          = "recovered"            // a step failed and its fallback succeeded
	WarnNotLooked          = "not_looked"           // the page did not say what the controls hold in the end
	WarnReleased           = "released"             // keys or buttons were down when the run began or ended
	WarnTrace              = "trace"                // of a run that failed: its trace is not complete
	WarnMore               = "more"                 // there were more warnings than are shown
)

// A Warning is something that the caller of a successful run should know.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// A Degraded says that a fallback of an alias won.
type Degraded struct {
	Alias    string `json:"alias"`
	Selector string `json:"selector"` // the fallback
	Index    int    `json:"index"`    // of the candidate: 1 is the first fallback
	Action   string `json:"action"`   // whose step it was
	Path     string `json:"path"`     // of the step in the action
}

// DetectedByMarkup is the value of [Result.Detected] for a version that version_markup knows.
const DetectedByMarkup = "markup"

// A Verified is the outcome of one check.
type Verified struct {
	OK bool `json:"ok"`
	// Changed is set if the check was also evaluated before the first step: false means
	// that it held already.
	Changed *bool  `json:"changed,omitempty"`
	Message string `json:"message"`
}

// A Status is how a step ended.
type Status string

const (
	OK        Status = "ok"
	Skipped   Status = "skipped"   // its `when` did not hold
	Failed    Status = "failed"    // also if on_error let the run continue
	Recovered Status = "recovered" // it failed and its fallback succeeded
)

// A StepResult reports what one step did.
type StepResult struct {
	Index      int            `json:"index"`  // in its list, from 0
	Action     string         `json:"action"` // name of the step, as written
	Status     Status         `json:"status"`
	Attempts   int            `json:"attempts"` // 0 when it was skipped
	DurationMS int64          `json:"duration_ms"`
	Selector   string         `json:"selector,omitempty"` // of the element, or the candidate that matched
	Input      map[string]any `json:"input,omitempty"`    // on debug
	Decision   string         `json:"decision,omitempty"` // on debug: `when` and its outcome
	Output     any            `json:"output,omitempty"`
	Error      *diag.Error    `json:"error,omitempty"`
	Effect     *Effect        `json:"effect,omitempty"` // of input
	// Iteration is the iteration of the enclosing block, from 0.
	Iteration *int `json:"iteration,omitempty"`
	// Steps are those of all iterations of a block, or of the action that `run` ran;
	// Fallback are those that ran because the step had failed.
	Steps    []*StepResult `json:"steps,omitempty"`
	Fallback []*StepResult `json:"fallback,omitempty"`
}

// A StepEvent reports a finished step while the run continues. Its nested lists are empty:
// they had their own events before.
type StepEvent struct {
	In    string `json:"in"`    // full name of the action that contains the step
	Path  string `json:"path"`  // of the step in that action
	Depth int    `json:"depth"` // of that action: 0 for the requested one
	StepResult
}

func (r *Result) mask(p *trace.Pass) {
	r.Error = p.Error(r.Error) // first: it says why masking was stopped
	for i := range r.Warnings {
		r.Warnings[i].Message = p.String(r.Warnings[i].Message)
	}
	for i := range r.Degraded {
		r.Degraded[i].Selector = p.String(r.Degraded[i].Selector)
	}
	for i := range r.Verify {
		r.Verify[i].Message = p.String(r.Verify[i].Message)
	}
	r.Version = p.String(r.Version)
	r.Data = p.Value(r.Data)
	maskSteps(p, r.Steps)
}

func maskSteps(p *trace.Pass, list []*StepResult) {
	for _, s := range list {
		s.mask(p)
		maskSteps(p, s.Steps)
		maskSteps(p, s.Fallback)
	}
}

// mask masks s without its nested lists.
func (s *StepResult) mask(p *trace.Pass) {
	s.Selector = p.String(s.Selector)
	s.Decision = p.String(s.Decision)
	s.Input = p.Map(s.Input)
	s.Output = p.Value(s.Output)
	s.Error = p.Error(s.Error)
	if s.Effect != nil {
		e := *s.Effect
		for _, text := range []*string{&e.URL, &e.Dialog, &e.Download, &e.Popup, &e.Focus} {
			*text = p.String(*text)
		}
		s.Effect = &e
	}
}

func milliseconds(d time.Duration) int64 { return d.Milliseconds() }

// TraceFailed adds to r the error of a trace that could not be written completely. The run
// cannot be undone, so its outcome is kept in the details: a caller who requested a trace
// must not mistake the file for a complete one.
func (r *Result) TraceFailed(err error) {
	switch {
	case err == nil:
	case r.Error == nil:
		r.Error = noTrace(err, r.Action+" was done, but its trace could not be written whole").WithDetail("data", r.Data)
		r.Error.Action = r.Action
		r.Success, r.Data = false, nil
	case r.Error.Details["reason"] != reasonTrace:
		r.Warnings = append(r.Warnings, Warning{Code: WarnTrace, Message: fmt.Sprintf("the trace is not complete: %v", err)})
	}
}

const reasonTrace = "trace"

func noTrace(err error, what string) *diag.Error {
	said := err
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		said = at.Err // the file had another name when it was created
	}
	e := diag.New(diag.StepFailed, "%s: %v", what, said).WithDetail("reason", reasonTrace).Because(err)
	if diag.IsFullDisk(err) {
		return e.WithHint("make room on the disk of the trace, or give a file on another one")
	}
	return e.WithHint("give a file in a folder that can be written")
}
