// Package executor runs actions: it looks them up, checks their params, runs their steps in order
// with waiting, retry, fallback and time limits, verifies the effect and builds the result. It
// can also plan a run without a page.
//
// It does not know the browser, reads no files and no environment by itself, and does not load or
// check definitions. It receives the page, the catalog and the rest as interfaces. Its only
// goroutines are those of its timers and of callbacks for contexts that have ended.
//
// A run proceeds as follows. [Executor.Run] (run.go) finds the action (lookup.go), makes a frame
// (state.go) with the compiled program (program.go) and runs the steps (step.go). Each attempt of a
// step (attempt.go) binds its arguments in the scope (scope.go) and turns selectors into targets
// (target.go), for which it detects the version of the document (version.go). Blocks and `run` call
// the executor through [steps.Flow] (flow.go). fault.go gives a failure its position and code.
// After the steps, the run evaluates the checks (verify.go), and then completes and masks the
// result (result.go).
//
// Files, bottom to top: clock, deadline, result, executor, bounds, program, state, fault, lookup, limits,
// scope, version, variant, target, effect, held, files, question, approve, attempt, verify, change,
// step, run, check, hand, handoff, flow, dryrun.
package executor

import (
	"context"
	"sync"
	"time"

	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/trace"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
)

// A Catalog finds actions. Package registry implements it.
type Catalog interface {
	// Lookup returns the action with the given full name. The action may be an alias of another
	// action. The error is ACTION_NOT_FOUND with the nearest names.
	Lookup(name string) (*spec.Namespace, *spec.Action, error)
}

// A Policy denies operations to definitions. The errors are POLICY_DENIED.
type Policy interface {
	// Step is called before a step of action a runs; a is nil for a manual step. The argument "step"
	// is the name that users write in a policy, such as click. A `wait` step that waits for a function
	// has the name wait_function.
	Step(a *spec.Action, step string) error
	// Env is called before an environment variable is read for the namespace ns.
	Env(ns *spec.Namespace, v spec.EnvVar) error
	// URL is called before a step navigates to url. The argument "manual" is true for a manual step
	// that a person has chosen.
	URL(url string, manual bool) error
}

// Options configures an [Executor]. The zero value finds no actions and uses the defaults.
type Options struct {
	Catalog Catalog
	Clock   Clock  // nil means the clock of the machine
	Policy  Policy // nil allows everything
	// Approve lists the risks ([steps.Risks]) and the steps that a person must approve.
	Approve []string
	// Cache remembers which candidate of each alias matched last. Nil remembers none.
	Cache *selectors.Cache
	// TestIDAttribute is the attribute that selectors such as `testid:save` compare. "" means
	// data-testid.
	TestIDAttribute string
	// NoVersions disables the detection of versions. Runs then use only selectors and steps without a
	// version.
	NoVersions bool

	DefaultTimeout time.Duration // of an attempt that waits for an element; 0 means 5s
	PageTimeout    time.Duration // of an attempt of any other step that waits; 0 means 30s
	ActionTimeout  time.Duration // of a run, including nested runs; 0 means 300s
	VerifyTimeout  time.Duration // of one check of the page; 0 means 5s, or DefaultTimeout if longer
	FallbackGrace  time.Duration // time for which a fallback waits for the primary selector; 0 means 500ms
	MaxDepth       int           // nesting depth of actions that run other actions; 0 means 10
	MaxSteps       int           // steps that a run executes, including retries; 0 means 10,000
}

func (o Options) withDefaults() Options {
	setDefault(&o.Clock, Clock(wallClock{}))
	setDefault(&o.DefaultTimeout, 5*time.Second)
	setDefault(&o.PageTimeout, 30*time.Second)
	setDefault(&o.ActionTimeout, 300*time.Second)
	setDefault(&o.VerifyTimeout, max(5*time.Second, o.DefaultTimeout))
	setDefault(&o.FallbackGrace, 500*time.Millisecond)
	setDefault(&o.MaxDepth, 10)
	setDefault(&o.MaxSteps, 10_000)
	return o
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// RunOptions configures one run. The zero value works.
type RunOptions struct {
	// FromText means that param values are texts to be converted to the declared types, as on the
	// command line.
	FromText bool
	// Unattended means that no person has chosen the manual step. The step may then open only the
	// addresses that a definition may open.
	Unattended bool
	// Timeout bounds the whole run. 0 means [Options.ActionTimeout].
	Timeout time.Duration
	// Steps includes the steps in the result even if the run succeeds.
	Steps bool
	// Debug includes the input and the decision of each step, and the context of a failure
	// in error.details.context.
	Debug bool
	// Secrets holds the secrets of earlier runs of the session. The run masks them too, and adds its
	// own secrets. Nil means that there are no earlier secrets.
	Secrets *trace.Memory
	// Session is part of the key under which [Options.Cache] remembers a candidate.
	Session string
	// Environ reads an environment variable. Nil means that no variable is set.
	Environ func(name string) (value string, ok bool)
	// Files controls access to files. Nil denies every file.
	Files steps.Files
	// PackageFiles replaces Files for actions of packages, and for every action that they run. Nil
	// means Files.
	PackageFiles steps.Files
	// Approver asks a person for approvals. Nil denies all approvals.
	Approver Approver
	// OnStep is called after each step, including skipped ones, on the goroutine of the run. Secrets
	// in the event are masked.
	OnStep func(StepEvent)
	// Recorder writes the trace. Nil means no trace.
	Recorder *trace.Recorder
	// Handoff lets a person use the browser; see [Handoff]. If it is nil, the step handoff fails.
	Handoff func(context.Context, Handoff) (ended string, err error)
	// After is called once when the run has ended. The warnings that it returns are added to the
	// result.
	After func() []Warning
}

// An Executor runs the actions of one catalog. The catalog must not change, because the Executor
// caches compiled programs. An Executor is safe for concurrent use and must not be copied after its
// first use.
type Executor struct {
	Options

	programs sync.Map // programKey → *annotated
	views    sync.Map // viewKey → *spec.View
	probes   sync.Map // *spec.Namespace → *probe
}

// New returns an Executor.
func New(o Options) *Executor { return &Executor{Options: o} }
