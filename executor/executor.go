// Package executor runs actions: it looks them up, checks their params, runs their steps in
// order with waiting, retry, fallback and time limits, verifies the effect and builds the
// result. It also makes the plan of a run without a page.
//
// It does not know the browser, reads no files or environment by itself, and does not load
// or check definitions: a page, a catalog and the rest are passed in as interfaces. It
// starts no goroutines.
//
// The life of one run: [Executor.Run] (run.go) finds the action (lookup.go), makes a frame
// for it with its compiled program (program.go) and goes through its steps (step.go);
// fault.go gives a failure its position and code. A step binds its arguments in the scope
// (scope.go) and turns selectors into targets (target.go), for which the version of the
// document is detected (version.go). Blocks and `run` come back through [steps.Flow]
// (flow.go). Then come the checks (verify.go) and the result, which is masked last
// (result.go).
package executor

import (
	"sync"
	"time"

	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/trace"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
)

// A Catalog finds actions. Package registry implements it.
type Catalog interface {
	// Lookup returns the action with that full name as written, which may be an
	// alias of another. Its error is ACTION_NOT_FOUND with the nearest names.
	Lookup(name string) (*spec.Namespace, *spec.Action, error)
}

// A Policy refuses what a definition may not do. The errors are POLICY_DENIED.
type Policy interface {
	// Step is called before a step of a runs. step is the name that users type: a wait for
	// a function is wait_function.
	Step(a *spec.Action, step string) error
	// Env is called before a variable is read for ns.
	Env(ns *spec.Namespace, v spec.EnvVar) error
	// URL is called before a goes to url.
	URL(a *spec.Action, url string) error
}

// Options are the options of an [Executor]. The zero value finds no actions and has the
// defaults named here.
type Options struct {
	Catalog Catalog
	Clock   Clock  // nil: the time of the machine
	Policy  Policy // nil: everything is allowed
	// Cache remembers which candidates of aliases won. nil: nothing is remembered.
	Cache *selectors.Cache
	// TestIDAttribute is the attribute that testid: compares. "": data-testid.
	TestIDAttribute string
	// NoVersions disables the detection of versions: plain selectors only.
	NoVersions bool

	DefaultTimeout time.Duration // of one attempt that waits for an element; 0: 5s
	PageTimeout    time.Duration // of one attempt of the other steps that wait; 0: 30s
	ActionTimeout  time.Duration // of a run, nested ones included; 0: 300s
	VerifyTimeout  time.Duration // of one check of the page; 0: 5s, or DefaultTimeout if that is longer
	FallbackGrace  time.Duration // how long a fallback waits for an absent primary; 0: 500ms
	MaxDepth       int           // depth of actions that run other actions; 0: 10
	MaxSteps       int           // steps that a run executes, extra attempts included; 0: 10,000
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

// RunOptions are the options of one run. The zero value works.
type RunOptions struct {
	// FromText says that param values are text to be converted to the declared
	// types, as those of the command line.
	FromText bool
	// Timeout bounds the whole run; 0: [Options.ActionTimeout].
	Timeout time.Duration
	// Steps includes the steps in the result of a success too.
	Steps bool
	// Debug includes the input and the decision of each step, and the context of a failure
	// in error.details.context.
	Debug bool
	// Secrets are those of earlier runs of the session, which are masked too; those of this
	// run are added. nil: none are masked or remembered.
	Secrets *trace.Memory
	// Session is part of the key under which winners of aliases are remembered.
	Session string
	// Environ reads an environment variable. nil: none is set.
	Environ func(name string) (value string, ok bool)
	// Files decides which paths may be used. nil: every file is refused.
	Files steps.Files
	// PackageFiles decides for actions of packages, and for whatever those run.
	// nil: as Files.
	PackageFiles steps.Files
	// OnStep is called after each step, including skipped ones, from the goroutine of the
	// run. Everything in the event is masked.
	OnStep func(StepEvent)
	// Recorder writes the trace. nil: none.
	Recorder *trace.Recorder
	// After is called once when the run has ended; its warnings are added, such as those
	// about dialogs that were answered during the run.
	After func() []Warning
}

// An Executor runs actions of one catalog. It caches compiled programs, so replace it when
// the catalog is replaced. It is safe for concurrent use and must not be copied after its
// first use.
type Executor struct {
	Options

	programs sync.Map // programKey → *program
	views    sync.Map // viewKey → *spec.View
	probes   sync.Map // *spec.Namespace → *probe
}

// New returns an Executor.
func New(o Options) *Executor { return &Executor{Options: o} }
