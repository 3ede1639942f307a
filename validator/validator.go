// Package validator checks merged definitions before they run, and describes definition files as a
// JSON Schema for editors.
//
// It checks what only the merged result shows: that every action has steps; that targets of `run`
// and alias_of exist and accept the params that they are given; that nothing calls itself forever;
// that names, versions, patterns, defaults and limits make sense. Package program compiles
// expressions, references, selectors and step arguments. Its errors are reported here too.
//
// It does not read files or know YAML (package loader rejects invalid files), merge sources
// (package loader does), run anything, or use a browser.
//
// Files, bottom to top: join, schema_parts, schema_steps, schema_keys, schema, problem, catalog,
// cycle, namespace, shape, param, validator, warnings.
package validator

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/program"
	"github.com/actionregistry/action/spec"
)

// Check returns the errors of the merged namespaces, sorted by position and without duplicates.
// Their codes are DEFINITION_INVALID, LIMIT_EXCEEDED and SECURITY_ERROR. Check does not change the
// namespaces. It uses all processors.
func Check(namespaces map[string]*spec.Namespace) diag.List {
	return CheckSome(namespaces, func(*spec.Namespace) bool { return true })
}

// CheckSome is like [Check], but checks only the namespaces for which the function "keep" returns
// true. It reports cycles in all namespaces.
func CheckSome(all map[string]*spec.Namespace, keep func(*spec.Namespace) bool) diag.List {
	c := newCatalog(all)
	jobs := []job{func() diag.List { return c.cycles("") }}
	for _, ns := range c.order {
		if keep(ns) {
			jobs = append(jobs, c.jobs(ns)...)
		}
	}
	return do(jobs)
}

// CheckNamespace is like [Check], but returns only the errors of the namespace ns. The map "all"
// contains all namespaces, including ns.
func CheckNamespace(ns *spec.Namespace, all map[string]*spec.Namespace) diag.List {
	c := newCatalog(all)
	return do(append(c.jobs(ns), func() diag.List { return c.cycles(ns.Name) }))
}

// A job checks one thing. Jobs may run concurrently.
type job func() diag.List

func (c *catalog) jobs(ns *spec.Namespace) []job {
	jobs := []job{func() diag.List { return c.namespace(ns) }}
	for _, a := range actions(ns) {
		jobs = append(jobs, func() diag.List { return owned(a, c.action(ns, a)) })
	}
	return jobs
}

// owned sets the action of each error to a.
func owned(a *spec.Action, list diag.List) diag.List {
	for _, e := range list {
		e.Action = a.FullName()
	}
	return list
}

// do runs jobs on all processors and joins their results.
func do(jobs []job) diag.List {
	results := make([]diag.List, len(jobs))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(jobs)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(jobs); i = int(next.Add(1)) - 1 {
				results[i] = guarded(jobs[i])
			}
		})
	}
	wg.Wait()
	return slices.Concat(results...).Sorted()
}

// guarded runs a job. If the job panics, guarded returns an error.
func guarded(j job) (list diag.List) {
	defer func() {
		if p := recover(); p != nil {
			list = diag.List{diag.New(diag.Internal, "checking a definition failed: %v", p).
				WithHint("report this as a bug, with the definition")}
		}
	}()
	return j()
}

// action checks one action with all its variants.
func (c *catalog) action(ns *spec.Namespace, a *spec.Action) diag.List {
	k := &checker{catalog: c, ns: ns}
	k.list.Add(whole(a).Check()...)
	k.list.Add(checkShape(a, a.Steps)...)
	for _, p := range a.Params {
		k.param(p)
	}
	k.alias(a)
	k.returns(a.Returns)
	if a.AliasOf == nil && len(a.Steps) > 0 {
		k.steps(a, a.Steps)
		_, errs := program.Compile(ns, a, nil)
		k.list.Add(errs...)
	}
	for _, v := range variants(ns, a.Name) {
		k.variant(a, v)
	}
	return k.list
}

// whole returns a for [spec.Action.Check]. If the steps of a could not be read, it returns a copy
// with a step, so that Check does not report missing steps.
func whole(a *spec.Action) *spec.Action {
	if a.Steps != nil || a.AliasOf != nil || !a.Parts[spec.KeySteps].IsValid() {
		return a
	}
	b := *a
	b.Steps = []*spec.Step{nil}
	return &b
}

// variant checks the parts of an action that an override replaces.
func (c *checker) variant(a *spec.Action, v *spec.Variant) {
	if v.Steps != nil && len(v.Steps) == 0 {
		c.bad(v.Pos, "found an override of %s without steps", a.FullName()).WithHint("omit `steps` to keep the steps of the action")
		return
	}
	c.list.Add(checkShape(a, v.Steps)...)
	c.returns(v.Returns)
	c.steps(a, v.Steps)
	if a.AliasOf != nil || len(a.Steps) == 0 {
		return // reported elsewhere: there is nothing to override
	}
	_, errs := program.Compile(c.ns, a, v)
	c.list.Add(errs...)
}

// alias checks an action that is an alias of another one.
func (c *checker) alias(a *spec.Action) {
	if a.AliasOf == nil {
		return
	}
	refuse := func(key string, pos diag.Pos) {
		c.bad(pos, "the action %s has both alias_of and %s, expected one of them", a.FullName(), key).
			WithNote(a.AliasOf.Pos(), "alias_of is here").
			WithHint("remove one of the two keys: an alias takes everything from %s", a.AliasOf.Value)
	}
	if len(a.Params) > 0 {
		refuse(spec.KeyParams, a.Params[0].Pos)
	}
	if len(a.Verify) > 0 {
		refuse(spec.KeyVerify, partPos(a, spec.KeyVerify))
	}
	if a.Returns != nil {
		refuse(spec.KeyReturns, partPos(a, spec.KeyReturns))
	}
	if c.find(c.ns.Name, a.AliasOf.Value) == nil {
		c.list.Add(c.unknown(c.ns.Name, *a.AliasOf))
	}
}

// steps checks a list of steps: their number, and what they run.
func (c *checker) steps(a *spec.Action, list []*spec.Step) {
	count := 0
	eachStep(list, func(s *spec.Step) {
		if count++; count == maxSteps+1 {
			c.bad(s.Pos, "the action %s has too many steps, expected at most %d, including nested and fallback steps", a.FullName(), maxSteps).
				WithHint("move some of the steps to another action, and run that action")
		}
		target, ok := runTarget(s)
		if !ok {
			return
		}
		found := c.find(c.ns.Name, target.Value)
		if found == nil {
			c.list.Add(c.unknown(c.ns.Name, target))
			return
		}
		if found = c.behind(found); found != nil {
			c.passed(s, found)
		}
	})
}

// returns reports names in `returns` that a reference could not use.
func (c *checker) returns(n *spec.Node) {
	if n == nil {
		return
	}
	for _, k := range n.Keys {
		switch k.Name {
		case "":
			c.bad(k.Pos, "found an empty name in `returns`").WithHint("write a name for the value")
		case "__proto__", "constructor", "prototype":
			c.list.Add(diag.At(k.Pos, diag.SecurityError, "found the name %s in `returns`, which is not allowed", k.Name).
				WithHint("choose another name: references to this one are rejected"))
		}
		c.returns(k.Value)
	}
	for _, item := range n.Items {
		if item != nil {
			c.returns(item)
		}
	}
}
