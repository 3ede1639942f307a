package executor

// The state of a run: the run itself, the frame of each action, and the execution of each step;
// its warnings and its trace.

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/trace"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
)

// A run is the state of one call of Run or Hand. It is used by one goroutine.
type run struct {
	x        *Executor
	opts     Options // with defaults
	o        RunOptions
	browser  driver.Browser
	limit    time.Duration
	began    time.Time
	masker   *trace.Masker
	executed int
	spent    bool // a limit of the run is used up: its steps, or the bytes that it keeps
	main     *frame
	failed   origin // origin of the most recent failure
	docs     map[*spec.Namespace]*document
	version  string
	detected string
	warnings []Warning
	warned   map[Warning]bool
	unsaid   int // number of warnings omitted
	degraded []Degraded
	steps    []*StepResult
	acted    []driver.Page // pages that the run has acted on
	inputs   []*input      // presses that were done, in order
	unsure   []Unverified  // everything else that could not be confirmed
	consents bool          // an approval lets the page act by itself
	settling int           // number of enclosing steps that wait for the page to settle

	sizes  *expr.Sizer
	kept   int             // bytes of the step results
	shown  int             // bytes of the inputs in the result
	before int             // number of secrets from earlier runs
	done   <-chan struct{} // closed when the time limit passes or the run is cancelled
}

func newRun(x *Executor, b driver.Browser, o RunOptions) *run {
	r := &run{
		x: x, opts: x.Options.withDefaults(), o: o, browser: b, masker: o.Secrets.Masker(),
		docs: make(map[*spec.Namespace]*document), warned: make(map[Warning]bool), sizes: new(expr.Sizer),
	}
	r.before = r.masker.Len()
	r.began = r.opts.Clock.Now()
	return r
}

// page returns the active tab, or nil without a browser.
func (r *run) page() driver.Page {
	if r.browser == nil {
		return nil
	}
	return r.browser.Active()
}

// A frame is one action of a run: the requested action, or an action that a `run` step calls.
type frame struct {
	*run
	choice
	prog  *annotated
	ns    *spec.Namespace
	name  string // full name of the action
	depth int    // 0 for the first
	chain []string
	scope *scope // scope of the action itself; blocks add their own
	env   []string
	// packaged means that a package wrote part of the action or of one of its callers. The run then
	// has only the rights of a package.
	packaged bool
	// begins is the number of inputs that the run had sent when this action began. An internal action
	// has the number of its caller.
	begins int
}

// isByHand reports whether the frame belongs to a manual step.
func (f *frame) isByHand() bool { return f.prog.Action == nil }

// An entry is a call of an action.
type entry struct {
	caller   *frame // nil for the requested action
	ns       *spec.Namespace
	action   *spec.Action
	given    map[string]any
	fromText bool
	guessed  map[string]bool // params that a plan does not check, because their values are unknown
}

// An execution is a step in progress.
type execution struct {
	*frame
	op    *steps.Op
	scope *scope
	res   *StepResult
	inner *scope // scope of the last iteration, while a block runs
	// narrowing is the narrowing of a foreach. It applies to all iterations.
	narrowing *narrowing
	// verifying means that the execution is a check. looking means that the check is evaluated before
	// the steps, without waiting.
	verifying, looking bool
	// inherits means that the step is in the fallback of a step that requires an approval.
	inherits bool
	// mark identifies the element that a person has approved: see [driver.Target.Expect].
	mark string

	// mu guards preferred and aliases; targets may resolve concurrently.
	mu        sync.Mutex
	preferred []selectors.Key                  // candidates that matched in an earlier attempt and that this attempt tries first
	aliases   map[string][]*selectors.Selector // candidates of the aliases that this attempt has used
	written   map[selectors.Key][]string       // the same candidates as they are written, by document
}

// place describes the step for a message, such as steps[2] (click).
func (e *execution) place() string {
	if e.op.Spec.Path == "" {
		return e.res.Action
	}
	return e.op.Spec.Path + " (" + e.res.Action + ")"
}

// An origin is the source of a failure.
type origin struct {
	*frame
	scope *scope
	path  string
}

// pass returns a masking pass that ends with the run.
func (r *run) pass() *trace.Pass { return r.masker.Until(r.done) }

func (r *run) since(t time.Time) int64 { return milliseconds(r.opts.Clock.Now().Sub(t)) }

// telling reports whether inputs and decisions are included in the result.
func (r *run) telling() bool { return r.o.Debug || r.o.Recorder != nil }

// count uses one step of the run's budget.
func (r *run) count(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.executed >= r.opts.MaxSteps {
		r.spent = true
		return diag.New(diag.LimitExceeded, "found more steps than a run may execute, expected at most %d", r.opts.MaxSteps).
			WithHint("limit the iterations of loops with `max`, or split the action into several runs")
	}
	r.executed++
	return nil
}

// over reports whether ctx has ended or a limit of the run is used up.
func (r *run) over(ctx context.Context) bool { return r.spent || ctx.Err() != nil }

type warner func(code, format string, args ...any)

// warn adds a warning, unless the run already has the same one.
func (r *run) warn(code, format string, args ...any) {
	r.addWarning(Warning{Code: code, Message: fmt.Sprintf(format, args...)})
}

// addWarning adds a warning, unless the run already has the same one. If the run already has
// maxWarnings warnings, addWarning only counts the new one.
func (r *run) addWarning(w Warning) {
	w.Message = cutAt(w.Message, maxWarningBytes)
	switch {
	case r.warned[w]:
	case len(r.warnings) < maxWarnings:
		r.warned[w] = true
		r.warnings = append(r.warnings, w)
	default:
		r.unsaid++
	}
}

func (r *run) record(e trace.Entry) {
	if r.o.Recorder == nil {
		return
	}
	e.Time = r.opts.Clock.Now()
	r.o.Recorder.Record(r.pass(), e)
}
