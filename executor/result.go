package executor

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/trace"
)

// A Result is the outcome of a run. Secrets in it are masked.
type Result struct {
	Success  bool        `json:"success"`
	Data     any         `json:"data"` // the returns: a map, {} if there are none; null on failure
	Error    *diag.Error `json:"error,omitempty"`
	Warnings []Warning   `json:"warnings,omitempty"`
	Degraded []Degraded  `json:"degraded,omitempty"`
	Verify   []Verified  `json:"verify,omitempty"`
	// Verified is set for a successful run. It is true if every press was confirmed, and every control
	// still had the value that the run had set. A press is confirmed by a check of verify that did not
	// hold before, or by the effect that the step expects. Unverified lists the exceptions.
	Verified   *bool        `json:"verified,omitempty"`
	Unverified []Unverified `json:"unverified,omitempty"`
	Action     string       `json:"action"`            // full name, as requested
	Version    string       `json:"version,omitempty"` // of the page's library, in the last document with a version that the run acted on
	// Detected is "markup" if the version was recognized by the markup of the page. Version is then a
	// range such as 3.x.
	Detected   string        `json:"detected,omitempty"`
	DurationMS int64         `json:"duration_ms"`
	Steps      []*StepResult `json:"steps,omitempty"` // with debug, on failure, and on request
}

// Codes of warnings.
const (
	WarnDeprecated         = "deprecated"           // the action, or an action that it runs, is deprecated
	WarnShadowed           = "shadowed"             // a source replaces an action of a lower source, or a package replaces a selector or part of an action
	WarnEnvNotSet          = "env_not_set"          // a variable that the action uses is not set
	WarnVersionNotDetected = "version_not_detected" // the version is unknown, and a selector or action depends on it
	WarnVersionChanged     = "version_changed"      // the action continued on a page for whose version it has other steps
	WarnNoEffect           = "no_effect"            // a check already held before the first step, or a press had no effect
	WarnNotSettled         = "not_settled"          // the page did not settle in time
	WarnStepFailed         = "step_failed"          // a step failed, with on_error: continue
	WarnFoundAgain         = "found_again"          // the element of a ref was rendered again
	WarnRecovered          = "recovered"            // a step failed and its fallback succeeded
	WarnNotLooked          = "not_looked"           // the values of the controls could not be read at the end
	WarnReleased           = "released"             // keys or buttons were down when the run began or ended
	WarnTrace              = "trace"                // the trace of a failed run is incomplete
	WarnMore               = "more"                 // some warnings were omitted
)

// A Warning is something that the caller should know even if the run succeeded.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// A Degraded reports that a fallback of an alias matched instead of its first candidate.
type Degraded struct {
	Alias    string `json:"alias"`
	Selector string `json:"selector"` // the fallback
	Index    int    `json:"index"`    // index of the candidate: 1 is the first fallback
	Action   string `json:"action"`   // action that contains the step
	Path     string `json:"path"`     // of the step in the action
}

// DetectedByMarkup is the value of [Result.Detected] for a version detected by version_markup.
const DetectedByMarkup = "markup"

// A Verified is the outcome of one check.
type Verified struct {
	OK bool `json:"ok"`
	// Changed is set if the check was also evaluated before the steps. It is false if the check
	// already held then.
	Changed *bool  `json:"changed,omitempty"`
	Message string `json:"message"`
}

// A Status is the outcome of a step.
type Status string

const (
	OK        Status = "ok"
	Skipped   Status = "skipped"   // its `when` did not hold
	Failed    Status = "failed"    // even if on_error let the run continue
	Recovered Status = "recovered" // the step failed and its fallback succeeded
	Waiting   Status = "waiting"   // for a person; only in events
)

// A StepResult reports what one step did.
type StepResult struct {
	Index      int            `json:"index"`  // in its list, from 0
	Action     string         `json:"action"` // name of the step, as written
	Status     Status         `json:"status"`
	Attempts   int            `json:"attempts"` // 0 if the step was skipped
	DurationMS int64          `json:"duration_ms"`
	Selector   string         `json:"selector,omitempty"` // selector of the element, or the candidate that matched
	Input      map[string]any `json:"input,omitempty"`    // with debug
	Decision   string         `json:"decision,omitempty"` // with debug: `when` and its outcome
	Output     any            `json:"output,omitempty"`
	Error      *diag.Error    `json:"error,omitempty"`
	Effect     *Effect        `json:"effect,omitempty"` // effect of an input
	// Iteration is the iteration of the enclosing block, from 0.
	Iteration *int `json:"iteration,omitempty"`
	// Steps holds the steps of all iterations of a block, or of the action that `run` called.
	// Fallback holds the steps that ran because the step had failed.
	Steps    []*StepResult `json:"steps,omitempty"`
	Fallback []*StepResult `json:"fallback,omitempty"`
}

// A StepEvent reports a finished step while the run continues. Nested steps have their own events,
// so its lists of steps are empty. With the status [Waiting], it reports that a step has begun to
// wait for a person.
type StepEvent struct {
	In    string `json:"in"`    // full name of the action that contains the step
	Path  string `json:"path"`  // of the step in that action
	Depth int    `json:"depth"` // nesting depth of that action: 0 for the requested one
	// Message says what the person should do, if the status is [Waiting].
	Message string `json:"message,omitempty"`
	StepResult
}

func (r *Result) mask(p *trace.Pass) {
	r.Error = p.Error(r.Error) // first, so that it is readable even if the time runs out: it says why
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

// TraceFailed adds to r the error of an incomplete trace. If the run succeeded, r becomes a
// failure, and the details of the error contain the data of the run. If the run failed, r gets a
// warning.
func (r *Result) TraceFailed(err error) {
	switch {
	case err == nil:
	case r.Error == nil:
		r.Error = noTrace(err, r.Action+" was done, but its trace could not be written completely").WithDetail("data", r.Data)
		r.Error.Action = r.Action
		r.Success, r.Data = false, nil
	case r.Error.Details["reason"] != reasonTrace:
		r.Warnings = append(r.Warnings, Warning{Code: WarnTrace, Message: fmt.Sprintf("the trace is incomplete: %v", err)})
	}
}

const reasonTrace = "trace"

func noTrace(err error, what string) *diag.Error {
	said := err
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		said = at.Err // without the path: it may be a temporary name of the file
	}
	e := diag.New(diag.StepFailed, "%s: %v", what, said).WithDetail("reason", reasonTrace).Because(err)
	if diag.IsFullDisk(err) {
		return e.WithHint("free space on the disk of the trace, or write the trace to another disk")
	}
	return e.WithHint("write the trace to a file in a writable folder")
}
