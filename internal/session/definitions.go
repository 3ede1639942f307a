package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/loader"
	"github.com/actionregistry/action/registry"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
	"github.com/actionregistry/action/validator"
)

// LoadOptions say which definitions and which configuration to load. The zero value finds
// only the builtin definitions.
type LoadOptions struct {
	Cwd     string            // where the search for a project begins
	Environ []string          // NAME=value; HOME, ACTION_PATH and the ACTION_… settings are used
	Sources []loader.Source   // of the program, in addition to those that the configuration names
	Flags   map[string]string // settings given by flags, by key
	Strict  bool              // any problem is an error
}

// Definitions are what is in force in a folder: the merged definitions and the
// configuration. They are read-only and may be shared.
type Definitions struct {
	Config   *loader.Config
	Registry *registry.Registry
	// Problems are the errors in files and configuration. What they concern was left out,
	// except for the files in Kept.
	Problems diag.List
	// Kept are the files that are bad now and whose last good version is in use.
	Kept []string

	set      *loader.Set
	settings bool   // only the configuration was read
	action   string // the action for whose run they were read; builtin namespaces may be missing then
	once     sync.Once
	// errs are the semantic errors of all namespaces; see [Definitions.Errors].
	errs diag.List
	// runnable caches the answers of Runnable: string → error, a nil *diag.Error for an
	// action that can be run.
	runnable sync.Map

	executing sync.Once
	exec      *executor.Executor // see [Definitions.executor]
}

// Load reads configuration and definitions. The error is that of ctx, or with
// Strict the list of all problems.
func Load(ctx context.Context, o LoadOptions) (*Definitions, error) {
	d, err := load(ctx, o, "", nil, nil)
	if err == nil && o.Strict {
		err = d.All().Err()
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// ownFiles keeps what [Load] has read, the builtin files above all.
var ownFiles = sync.OnceValue(loader.NewCache)

// loadSettings reads the configuration alone. Manual steps need nothing else, and it takes
// a fraction of the time; there are no actions then. It ignores o.Strict.
func loadSettings(o LoadOptions, w *watch) *Definitions {
	w.config(o)
	config, problems := readConfig(o)
	return &Definitions{Config: config, Registry: registry.New(nil), Problems: problems.Sorted(), set: new(loader.Set), settings: true}
}

// load reads without regard to Strict: for the run of an action, or "" for everything. w,
// unless nil, records the files that are read.
func load(ctx context.Context, o LoadOptions, action string, w *watch, c *loader.Cache) (*Definitions, error) {
	w.config(o)
	config, problems := readConfig(o)
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
	d := &Definitions{Config: config, Registry: registry.New(set.Namespaces), Problems: problems.Sorted(), set: set}
	if len(set.Left) > 0 {
		d.action = action
	}
	return d, nil
}

// All returns the problems together with the errors in what was not left out; see
// [Definitions.Errors].
func (d *Definitions) All() diag.List {
	all := append(diag.List(nil), d.Problems...)
	all.Add(d.Errors()...)
	return all.Sorted()
}

func readConfig(o LoadOptions) (*loader.Config, diag.List) {
	return loader.ReadConfig(loader.ConfigOptions{
		Home: lookup(o.Environ, "HOME"), Cwd: o.Cwd, Environ: o.Environ, Flags: o.Flags,
	})
}

// lookup finds a variable; the last one of that name wins, as in a process.
func lookup(environ []string, name string) string {
	value, _ := environLookup(environ)(name)
	return value
}

func environLookup(environ []string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for i := len(environ) - 1; i >= 0; i-- {
			if value, ok := strings.CutPrefix(environ[i], name+"="); ok {
				return value, true
			}
		}
		return "", false
	}
}

// Errors returns the semantic errors of the merged definitions: references, selectors,
// cycles. They are computed on the first call.
func (d *Definitions) Errors() diag.List {
	d.once.Do(func() { d.errs = validator.CheckSome(d.set.Namespaces, d.mayErr) })
	return d.errs
}

// mayErr reports whether a namespace has to be checked. Those that are builtin and unchanged
// have no errors, which a test makes sure of: checking them takes longer than everything else
// that is done for a file that has changed.
func (d *Definitions) mayErr(ns *spec.Namespace) bool {
	return d.set.BuiltinChanged || len(ns.Layers) == 0 ||
		slices.ContainsFunc(ns.Layers, func(l spec.Layer) bool { return l.Source.Kind != spec.Builtin })
}

// Source returns the text of a definition file as it was read, or nil.
func (d *Definitions) Source(file string) []byte { return d.set.Text(file) }

// Explain adds to an ACTION_NOT_FOUND that files were left out, which may be the reason.
func (d *Definitions) Explain(err error) error {
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

// Runnable returns why an existing action cannot be run: errors in it, in what its
// namespace shares, or in an action that it runs.
func (d *Definitions) Runnable(name string) error {
	resolved, err := d.Registry.Resolve(name)
	if err != nil {
		return d.Explain(err)
	}
	kept, ok := d.runnable.Load(name)
	if !ok {
		kept, _ = d.runnable.LoadOrStore(name, d.whyNot(resolved))
	}
	if e := kept.(*diag.Error); e != nil {
		return e
	}
	return nil
}

// whyNot finds the errors that keep an action from running; nil if there are none.
func (d *Definitions) whyNot(resolved *registry.Resolved) *diag.Error {
	var errs diag.List
	for _, ns := range d.reached(resolved) {
		if !d.mayErr(ns.namespace) {
			continue
		}
		for _, e := range validator.CheckNamespace(ns.namespace, d.set.Namespaces) {
			if e.Action == "" || ns.actions[e.Action] {
				errs.Add(e)
			}
		}
	}
	if len(errs) == 0 {
		return nil
	}
	sorted := errs.Sorted()
	first := sorted[0].Clone()
	first.Action = resolved.Action.FullName()
	for _, e := range sorted[1:] {
		text := e.Msg
		if e.Hint != "" {
			text += "; " + e.Hint
		}
		first.WithNote(e.Pos, "%s", text)
	}
	return first
}

// A reach is the part of a namespace that a run can reach.
type reach struct {
	namespace *spec.Namespace
	actions   map[string]bool // full names
}

// reached follows `run` from an action through steps, blocks, fallbacks and variants.
func (d *Definitions) reached(from *registry.Resolved) []*reach {
	found := make(map[string]*reach)
	var visit func(ns *spec.Namespace, a *spec.Action)
	visit = func(ns *spec.Namespace, a *spec.Action) {
		r := found[ns.Name]
		if r == nil {
			r = &reach{ns, make(map[string]bool)}
			found[ns.Name] = r
		}
		if r.actions[a.FullName()] {
			return
		}
		r.actions[a.FullName()] = true
		for _, name := range runTargets(ns, a) {
			if next, err := d.Registry.Resolve(name); err == nil {
				visit(next.Namespace, next.Action)
			}
		}
	}
	visit(from.Namespace, from.Action)
	out := make([]*reach, 0, len(found))
	for _, r := range found {
		out = append(out, r)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].namespace.Name < out[j].namespace.Name })
	return out
}

// WarnKept is the code of the warning that a run used the last good version of a file.
const WarnKept = "last_good_version"

// keptWarnings reports the broken files whose last good version a run of an action uses.
func (d *Definitions) keptWarnings(action string) []executor.Warning {
	if len(d.Kept) == 0 {
		return nil
	}
	resolved, err := d.Registry.Resolve(action)
	if err != nil {
		return nil
	}
	var used []string
	for _, r := range d.reached(resolved) {
		for _, layer := range r.namespace.Layers {
			used = append(used, layer.Files...)
		}
	}
	var out []executor.Warning
	for _, file := range d.Kept {
		if !slices.Contains(used, file) {
			continue
		}
		why := file + " cannot be used"
		if i := slices.IndexFunc(d.Problems, func(e *diag.Error) bool { return e.Pos.File == file }); i >= 0 {
			why = d.Problems[i].Pos.String() + ": " + d.Problems[i].Msg
		}
		out = append(out, executor.Warning{Code: WarnKept, Message: "the last good version of a file was used; " + why})
	}
	return out
}

// Describe is that of the registry, plus the environment variables that a run of the action
// may read: those declared by its namespace and by the actions that it runs.
func (d *Definitions) Describe(action string) (*registry.Description, error) {
	description, err := d.Registry.Describe(action)
	if err != nil {
		return nil, d.Explain(err)
	}
	resolved, err := d.Registry.Resolve(action)
	if err != nil {
		return nil, d.Explain(err)
	}
	description.EnvDeclared = d.envOf(resolved)
	return description, nil
}

func (d *Definitions) envOf(resolved *registry.Resolved) []string {
	var names []string
	for _, r := range d.reached(resolved) {
		for _, v := range r.namespace.Env {
			names = append(names, v.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// runTargets are the full names of the actions that a runs in any version.
func runTargets(ns *spec.Namespace, a *spec.Action) []string {
	var names []string
	var walk func(list []*spec.Step)
	walk = func(list []*spec.Step) {
		for _, s := range list {
			if target, _, _ := steps.Called(s); target != nil {
				name := target.Str
				if strings.Count(name, ":") == 1 {
					name = ns.Name + ":" + name
				}
				names = append(names, name)
			}
			s.Nested(walk)
		}
	}
	walk(a.Steps)
	for i := range ns.Layers {
		for j := range ns.Layers[i].Overrides {
			if v := ns.Layers[i].Overrides[j].Actions[a.Name]; v != nil {
				walk(v.Steps)
			}
		}
	}
	return names
}

// executor returns the executor of these definitions. Its compiled programs and remembered
// selectors are kept from run to run, until the definitions are replaced.
func (d *Definitions) executor() *executor.Executor {
	d.executing.Do(func() {
		c := d.Config
		d.exec = executor.New(executor.Options{
			Catalog: d.Registry, Policy: &c.Policy, Cache: selectors.NewCache(),
			TestIDAttribute: c.Browser.TestIDAttribute, NoVersions: !c.Actions.DetectVersion,
			DefaultTimeout: c.Actions.DefaultTimeout, PageTimeout: c.Limits.PageTimeout,
			ActionTimeout: c.Limits.ActionTimeout, MaxDepth: c.Limits.MaxDepth, MaxSteps: c.Limits.MaxSteps,
		})
	})
	return d.exec
}

// absolute makes paths of a caller in cwd absolute, so that a file has one name however it
// is reached.
func absolute(cwd string, paths []string) []string {
	out := make([]string, len(paths))
	for i, p := range paths {
		if out[i] = filepath.Clean(p); !filepath.IsAbs(p) {
			out[i] = filepath.Join(cwd, p)
		}
	}
	return out
}

// A Validation is the result of checking files.
type Validation struct {
	Files    []string
	Actions  int
	Errors   diag.List
	Warnings diag.List
	Source   func(file string) []byte
}

// Validate checks files and folders on top of everything that o loads. The error is that of
// ctx; the problems of the files are in the result.
func Validate(ctx context.Context, o LoadOptions, paths []string) (*Validation, error) {
	config, _ := readConfig(o) // the configuration is not the subject here
	paths = absolute(o.Cwd, paths)
	set, err := loader.CheckFiles(ctx, paths, loader.Options{Sources: append(config.Sources(), o.Sources...)})
	if ctx.Err() != nil {
		return nil, executor.NotBegun(ctx)
	}
	if err != nil {
		return nil, err
	}
	v := &Validation{Source: set.Text}
	asked := make(map[string]bool)
	isAsked := func(s spec.Source) bool { return s.Kind == spec.Checked && slices.Contains(paths, s.Name) }
	// A problem has its position in a file of the namespace that it is found in, and the
	// builtin ones are large.
	concerned := func(ns *spec.Namespace) bool {
		return len(ns.Layers) == 0 || slices.ContainsFunc(ns.Layers, func(l spec.Layer) bool { return isAsked(l.Source) })
	}
	for _, f := range set.Files {
		if !isAsked(f.Source) {
			continue
		}
		asked[f.Name] = true
		v.Files = append(v.Files, f.Name)
		v.Actions += f.Actions
	}
	about := func(list diag.List) diag.List {
		var out diag.List
		for _, e := range list {
			if e.Pos.File == "" || asked[e.Pos.File] {
				out.Add(e)
			}
		}
		return out
	}
	v.Errors = about(validator.Join(set.Problems, validator.CheckSome(set.Namespaces, concerned)))
	if ctx.Err() != nil {
		return nil, executor.NotBegun(ctx)
	}
	v.Warnings = about(validator.WarningsOfSome(set.Namespaces, concerned))
	for _, p := range paths {
		if _, err := os.Stat(p); errors.Is(err, os.ErrNotExist) && len(v.Errors) == 0 {
			v.Errors.Add(diag.New(diag.InvalidRequest, "there is no %s", p).WithHint("give a definition file or a folder of them"))
		}
	}
	return v, nil
}
