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

// Options determine which definitions and configuration are read. With the zero value, only the
// builtin definitions are read.
type Options struct {
	Cwd     string          // folder where the search for a project begins
	Environ []string        // NAME=value; HOME, ACTION_PATH and the ACTION_… settings are used
	Sources []loader.Source // in addition to those that the configuration names
	Strict  bool            // any problem is an error
}

// A Set holds the configuration and the definitions that apply in a folder. It does not change when
// files change. It is safe for concurrent use. A Set is created by this package, not by its
// callers.
type Set struct {
	Config   *loader.Config
	Registry *registry.Registry // without actions if only the configuration was read
	// Problems are the errors in definition files and in the configuration. The parts with errors
	// are not in the set, except for the files in Kept.
	Problems diag.List
	// Kept lists the files that have errors now. Their last version without errors is in the set.
	Kept []string

	files    *loader.Set
	settings bool   // only the configuration was read
	action   string // if set, only the definitions that a run of this action requires were read
	once     sync.Once
	// errs is the result of [Set.Errors].
	errs diag.List
	// runnable caches the results of whyNot by the name of the action.
	runnable sync.Map

	executing sync.Once
	exec      *executor.Executor // see [Set.Executor]
}

// Load reads the configuration and the definitions. It parses only files that have changed since an
// earlier call. If ctx ends, the error is that of [executor.NotBegun]. If o.Strict is set and there
// are problems, the error is the list of all problems.
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

// ownFiles caches the files that [Load] has parsed.
var ownFiles = sync.OnceValue(loader.NewCache)

// loadSettings reads only the configuration, which is enough for manual steps. The set has no
// actions. loadSettings ignores o.Strict.
func loadSettings(o Options, w *watch) *Set {
	w.config(o)
	config, problems := ReadConfig(o)
	return &Set{Config: config, Registry: registry.New(nil), Problems: problems.Sorted(), files: new(loader.Set), settings: true}
}

// load reads the configuration and the definitions. It ignores o.Strict. If action is set, load may
// skip definitions that a run of this action does not need. It records in w which files it
// examines; w may be nil. If c is nil, load uses a cache that all such calls share.
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

// All returns the errors in d.Problems and those of [Set.Errors].
func (d *Set) All() diag.List {
	all := append(diag.List(nil), d.Problems...)
	all.Add(d.Errors()...)
	return all.Sorted()
}

// ReadConfig reads only the configuration. It also returns the errors in it. The parts with errors
// are not in the result.
func ReadConfig(o Options) (*loader.Config, diag.List) {
	return loader.ReadConfig(loader.ConfigOptions{
		Home: lookup(o.Environ, "HOME"), Cwd: o.Cwd, Environ: o.Environ,
	})
}

// Errors returns the semantic errors in the definitions, such as cycles and references to unknown
// names. It computes them on the first call.
func (d *Set) Errors() diag.List {
	d.once.Do(func() { d.errs = validator.CheckSome(d.files.Namespaces, d.mayErr) })
	return d.errs
}

// Source returns the text of a definition file when it was read. It returns nil if the file was not
// read.
func (d *Set) Source(file string) []byte { return d.files.Text(file) }

// Explain adds notes to an ACTION_NOT_FOUND error. The notes name the files with errors, because
// one of them may contain the action. Explain returns other errors unchanged.
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
		e.WithHint("correct the files that were left out; to see their errors, run: action validate")
	}
	return e
}

// Executor returns the executor of these definitions. Every call returns the same one.
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

// mayErr reports whether a namespace must be checked for errors. Builtin namespaces are checked by
// a test of this program, so they are skipped unless they were changed.
func (d *Set) mayErr(ns *spec.Namespace) bool {
	return d.files.BuiltinChanged || len(ns.Layers) == 0 ||
		slices.ContainsFunc(ns.Layers, func(l spec.Layer) bool { return l.Source.Kind != spec.Builtin })
}
