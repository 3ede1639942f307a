// Package definitions reads what is in force in a folder: the configuration and the merged
// definitions. It answers what depends on these alone, such as whether an action can be run.
//
// [Load] reads a [Set] once. A [Store] keeps a set for each folder and reads it again when a
// file has changed. [Validate] checks files without putting them in force. The package runs no
// action, does not depend on browsers or sessions, and starts no goroutine.
//
// definitions.go reads a set, runnable.go follows what an action runs, and validate.go checks
// files. store.go chooses the set of a caller, entry.go decides how much is read and when,
// watch.go detects changed files, and lastgood.go keeps the last good version of a broken file.
//
// Files, bottom to top: environ, watch, definitions, validate, lastgood, runnable, entry, store.
package definitions

import (
	"context"
	"slices"
	"sync"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/loader"
	"github.com/actionregistry/action/registry"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
	"github.com/actionregistry/action/validator"
)

// Options determine which definitions and which configuration to read. The zero value yields only
// the builtin definitions.
type Options struct {
	Cwd     string          // folder where the search for a project begins
	Environ []string        // NAME=value; HOME, ACTION_PATH and the ACTION_… settings are used
	Sources []loader.Source // in addition to those that the configuration names
	Strict  bool            // any problem is an error
}

// A Set holds the definitions and the configuration that apply in a folder. Only this package
// creates one. A Set is read-only and safe for concurrent use; it does not change when files
// change.
type Set struct {
	Config   *loader.Config
	Registry *registry.Registry // without actions if only the configuration was read
	// Problems are the errors in files and configuration. The parts with errors were left out,
	// except for the files in Kept.
	Problems diag.List
	// Kept are the broken files whose last good version is in use.
	Kept []string

	files    *loader.Set
	settings bool   // only the configuration was read
	action   string // if set, only the definitions that a run of this action requires were read
	once     sync.Once
	// errs are the semantic errors of all namespaces; see [Set.Errors].
	errs diag.List
	// runnable caches the results of Runnable by name: a *diag.Error, which is nil for an action
	// that can be run.
	runnable sync.Map

	executing sync.Once
	exec      *executor.Executor // see [Set.Executor]
}

// Load reads configuration and definitions. It does not store the set, but caches parsed files:
// only changed files are parsed again. If ctx ends, the error is that of [executor.NotBegun]. If
// o.Strict is set and there are problems, the error is the list of all problems.
func Load(ctx context.Context, o Options) (*Set, error) {
	d, err := load(ctx, o, "", nil, nil)
	if err == nil && o.Strict {
		err = d.All().Err()
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// ownFiles caches the files that [Load] has read, mainly the builtin ones.
var ownFiles = sync.OnceValue(loader.NewCache)

// loadSettings reads only the configuration. That is much faster, and suffices for manual steps.
// The set has no actions. o.Strict is ignored.
func loadSettings(o Options, w *watch) *Set {
	w.config(o)
	config, problems := ReadConfig(o)
	return &Set{Config: config, Registry: registry.New(nil), Problems: problems.Sorted(), files: new(loader.Set), settings: true}
}

// load reads configuration and definitions; o.Strict is ignored. If action is set, load may read
// only the definitions that a run of that action requires. w records which files it examines; it
// may be nil.
func load(ctx context.Context, o Options, action string, w *watch, c *loader.Cache) (*Set, error) {
	w.config(o)
	config, problems := ReadConfig(o)
	if c == nil {
		c = ownFiles()
	}
	set, err := loader.Load(ctx, loader.Options{Sources: w.sources(config, o), Cache: c, For: action})
	if ctx.Err() != nil {
		return nil, executor.NotBegun(ctx)
	}
	if err != nil {
		return nil, err
	}
	problems.Add(set.Problems...)
	d := &Set{Config: config, Registry: registry.New(set.Namespaces), Problems: problems.Sorted(), files: set}
	if len(set.Left) > 0 {
		d.action = action
	}
	return d, nil
}

// All returns the problems, and the semantic errors of the definitions in use; see [Set.Errors].
func (d *Set) All() diag.List {
	all := append(diag.List(nil), d.Problems...)
	all.Add(d.Errors()...)
	return all.Sorted()
}

// ReadConfig reads only the configuration and caches nothing. It returns the errors as a list;
// parts with errors are missing in the configuration.
func ReadConfig(o Options) (*loader.Config, diag.List) {
	return loader.ReadConfig(loader.ConfigOptions{
		Home: lookup(o.Environ, "HOME"), Cwd: o.Cwd, Environ: o.Environ,
	})
}

// Errors returns the semantic errors of the merged definitions, such as those in references and
// selectors, and cycles. It computes them on the first call.
func (d *Set) Errors() diag.List {
	d.once.Do(func() { d.errs = validator.CheckSome(d.files.Namespaces, d.mayErr) })
	return d.errs
}

// Source returns the text of a definition file as it was read, or nil.
func (d *Set) Source(file string) []byte { return d.files.Text(file) }

// Explain adds notes to an ACTION_NOT_FOUND error: the files that were left out, because one of
// them may contain the action. It returns other errors unchanged.
func (d *Set) Explain(err error) error {
	e := diag.As(err)
	if e == nil || e.Code != diag.ActionNotFound || len(d.Problems) == 0 {
		return err
	}
	e = e.Clone()
	for _, p := range d.Problems {
		e.WithNote(p.Pos, "this file was left out: %s", p.Msg)
	}
	if e.Hint == "" {
		e.WithHint("correct the files that were left out; see: action validate")
	}
	return e
}

// Executor returns the executor of these definitions. It keeps compiled programs and matched
// candidates from run to run, until the definitions are replaced.
func (d *Set) Executor() *executor.Executor {
	d.executing.Do(func() {
		c := d.Config
		d.exec = executor.New(executor.Options{
			Catalog: d.Registry, Policy: &c.Policy, Approve: c.Policy.Approve, Cache: selectors.NewCache(),
			TestIDAttribute: c.Browser.TestIDAttribute, NoVersions: !c.Actions.DetectVersion,
			DefaultTimeout: c.Actions.DefaultTimeout, PageTimeout: c.Limits.PageTimeout,
			ActionTimeout: c.Limits.ActionTimeout, MaxDepth: c.Limits.MaxDepth, MaxSteps: c.Limits.MaxSteps,
		})
	})
	return d.exec
}

// mayErr reports whether a namespace must be checked. Unchanged builtin namespaces have no errors;
// a test ensures that. Checking them would take longer than all other work after a change of a
// file.
func (d *Set) mayErr(ns *spec.Namespace) bool {
	return d.files.BuiltinChanged || len(ns.Layers) == 0 ||
		slices.ContainsFunc(ns.Layers, func(l spec.Layer) bool { return l.Source.Kind != spec.Builtin })
}
