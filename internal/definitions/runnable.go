package definitions

// Properties of an action: whether it can be run, and what its run can reach.

import (
	"slices"
	"sort"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/registry"
	"github.com/actionregistry/action/spec"
	"github.com/actionregistry/action/validator"
)

// Runnable returns nil if an action can be run. Otherwise it returns the reason: the action does
// not exist, or it has errors. The errors of its namespace and of the actions that it runs count
// too. The result is cached.
func (d *Set) Runnable(name string) error {
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

// whyNot returns one error with all errors that prevent a run of an action. If there are none, it
// returns nil.
func (d *Set) whyNot(resolved *registry.Resolved) *diag.Error {
	var errs diag.List
	for _, ns := range d.reached(resolved) {
		if !d.mayErr(ns.namespace) {
			continue
		}
		for _, e := range validator.CheckNamespace(ns.namespace, d.files.Namespaces) {
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

// A reach is a namespace, and the names of its actions that a run can reach.
type reach struct {
	namespace *spec.Namespace
	actions   map[string]bool // full names
}

// reached returns the action itself and all actions that its run may run.
func (d *Set) reached(from *registry.Resolved) []*reach {
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

// WarnKept is the code of the warnings of KeptWarnings.
const WarnKept = "last_good_version"

// KeptWarnings returns warnings for a run of an action. There is one for each file with errors of
// which the run uses the last good version.
func (d *Set) KeptWarnings(action string) []executor.Warning {
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

// Describe returns the description of an action. It is that of the registry, with the environment
// variables that a run of the action may read.
func (d *Set) Describe(action string) (*registry.Description, error) {
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

func (d *Set) envOf(resolved *registry.Resolved) []string {
	var names []string
	for _, r := range d.reached(resolved) {
		for _, v := range r.namespace.Env {
			names = append(names, v.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// runTargets returns the full names of the actions that the steps of an action run. It includes the
// steps in overrides for other versions.
func runTargets(ns *spec.Namespace, a *spec.Action) []string {
	var names []string
	var walk func(list []*spec.Step)
	walk = func(list []*spec.Step) {
		for _, s := range list {
			if target, _, _ := catalogue.Called(s); target != nil {
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
