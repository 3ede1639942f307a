package validator

// Warnings about definitions that work, but probably not as their author intended.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/program"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/spec"
)

// globalFlags lists the flags of the command line itself. A param with such a name cannot be passed
// as a flag.
var globalFlags = []string{"json", "session", "headed", "timeout", "cdp", "steps", "strict", "trace", "no-daemon", "help"}

// Warnings returns warnings about the merged namespaces, sorted like the errors of [Check]. A
// warning is about a part that is valid, but probably not what its author wants.
func Warnings(namespaces map[string]*spec.Namespace) diag.List {
	return WarningsOfSome(namespaces, func(*spec.Namespace) bool { return true })
}

// WarningsOfSome is like [Warnings], but only for the namespaces for which the function "keep"
// returns true.
func WarningsOfSome(all map[string]*spec.Namespace, keep func(*spec.Namespace) bool) diag.List {
	c := newCatalog(all)
	var jobs []job
	for _, ns := range c.order {
		if !keep(ns) {
			continue
		}
		jobs = append(jobs, func() diag.List {
			k := &checker{catalog: c, ns: ns}
			k.onlyOverridden()
			k.boundsWithoutVersion()
			k.splitOverrides()
			for _, a := range actions(ns) {
				k.warn(a)
			}
			return k.list
		})
	}
	list := do(jobs)
	for _, e := range list {
		e.Code = diag.Warning
	}
	return list
}

func (c *checker) warn(a *spec.Action) {
	for _, p := range a.Params {
		if flag := strings.ReplaceAll(p.Name, "_", "-"); slices.Contains(globalFlags, flag) {
			c.bad(p.Pos, "the param %s has the same name as the global flag --%s", p.Name, flag).
				WithHint("rename the param: the flag of this name has another meaning, so only --params can set the param")
		}
		if p.Required && p.Default != nil {
			c.bad(p.Pos, "the param %s is required but has a default, so no run has to pass it", p.Name).
				WithHint("remove either `required` or `default`")
		}
	}
	c.deprecatedCalls(a)
	c.idleApprovals(a)
	c.staleOutputs(a)
	c.unconfirmed(a)
}

// unconfirmed warns about a public action that presses something without confirming the effect. A
// run of this action reports verified: false.
func (c *checker) unconfirmed(a *spec.Action) {
	if a.Internal || a.AliasOf != nil || c.confirms(a) {
		return
	}
	if press, _ := c.presses(a, 0); press != nil {
		c.bad(a.Pos, "nothing confirms the effect of %s", a.FullName()).WithNote(press.Action.Pos(), "the press").
			WithHint("add `expect` to the press; or add an entry to `verify` that does not hold before the run, such as `text: Saved`; " +
				"or add a condition to `verify` that compares outputs from before and after the press")
	}
}

// confirms reports whether an entry of `verify` can show a change.
func (c *checker) confirms(a *spec.Action) bool {
	return slices.ContainsFunc(a.Verify, func(check *spec.Check) bool {
		return check.Wait != nil && !check.OnlyAfter || check.Condition != nil && c.compares(a, check)
	})
}

// compares reports whether a condition compares values from before and after the first press of an
// action. The value from before is the output of a step. The value from after is an output too, or
// is read from the page.
func (c *checker) compares(a *spec.Action, check *spec.Check) bool {
	params := make(map[string]bool, len(a.Params))
	for _, p := range a.Params {
		params[p.Name] = true
	}
	cond, err := expr.ParseCondition(check.Condition.Value, expr.Options{Params: params})
	if err != nil {
		return false // Check reports it
	}
	early, pressed := make(map[string]bool), false
	eachStep(a.Steps, func(s *spec.Step) {
		if press, _ := c.pressOf(s, 0); press != nil {
			pressed = true
		}
		if s.Output != nil && !pressed {
			early[s.Output.Value] = true
		}
	})
	var before, after bool
	for _, ref := range cond.Refs() {
		switch {
		case ref.Root == expr.RootSteps && early[ref.Name]:
			before = true
		case ref.Root == expr.RootSteps, ref.Root == expr.RootPage:
			after = true
		}
	}
	return before && after
}

// presses returns a step that presses something and whose effect nothing confirms. It returns nil
// if there is none. An `expect` confirms the effect, and so does a later step that reads back the
// outcome. presses also searches the internal actions that the action runs. read reports whether
// any step reads back an outcome.
func (c *checker) presses(a *spec.Action, depth int) (press *spec.Step, read bool) {
	lists := [][]*spec.Step{a.Steps}
	for _, v := range variants(c.ns, a.Name) {
		lists = append(lists, v.Steps)
	}
	for _, list := range lists {
		var last *spec.Step
		eachStep(list, func(s *spec.Step) {
			found, reads := c.pressOf(s, depth)
			if reads {
				last, read = nil, true
			}
			last = cmp.Or(last, found)
		})
		press = cmp.Or(press, last)
	}
	return press, read
}

// pressOf is like [checker.presses], but for one step. It does not search the steps inside it.
func (c *checker) pressOf(s *spec.Step, depth int) (press *spec.Step, read bool) {
	e := catalogue.Lookup(s.Action.Value)
	if e == nil {
		return nil, false
	}
	if e.Presses(s) && s.Expect == nil {
		return s, false
	}
	if catalogue.Keeps(s) {
		return nil, true
	}
	target, ok := runTarget(s)
	if !ok || depth >= 10 {
		return nil, false
	}
	found := c.find(c.ns.Name, target.Value)
	if found == nil || !found.Internal {
		return nil, false
	}
	press, read = c.presses(found, depth+1)
	if c.confirms(found) {
		press = nil
	}
	return press, read
}

// idleApprovals warns about approvals of steps that only read or wait.
func (c *checker) idleApprovals(a *spec.Action) {
	eachActionStep(c.ns, a, func(s *spec.Step) {
		e := catalogue.Lookup(s.Action.Value)
		if e == nil || !s.Approval || e.Block || e.Cases || e.Runs() || len(e.Granted) > 0 {
			return
		}
		switch e.Group {
		case steps.GroupRead, steps.GroupWait, steps.GroupFlow:
			c.bad(s.Pos, "found `approval` at the step `%s`, which does nothing that a person could approve", e.Name).
				WithHint("write `approval` at the step that acts, such as `click`, or at the action")
		}
	})
}

// staleOutputs reports the warnings of the compiler for the action and its variants. It does not
// report errors.
func (c *checker) staleOutputs(a *spec.Action) {
	if a.AliasOf != nil || len(a.Steps) == 0 {
		return
	}
	for _, v := range append([]*spec.Variant{nil}, variants(c.ns, a.Name)...) {
		if p, errs := program.Compile(c.ns, a, v); len(errs) == 0 {
			c.list.Add(p.Warnings...)
		}
	}
}

func (c *checker) deprecatedCalls(a *spec.Action) {
	if a.Deprecated {
		return // actions that call this one are warned, so do not also warn about its own calls
	}
	eachActionStep(c.ns, a, func(s *spec.Step) {
		target, ok := runTarget(s)
		if !ok {
			return
		}
		if found := c.find(c.ns.Name, target.Value); found != nil && found.Deprecated {
			c.bad(target.Pos(), "the action %s is deprecated", found.FullName()).WithHint("%s", replacement(found))
		}
	})
}

// replacement returns the hint for the use of a deprecated action.
func replacement(a *spec.Action) string {
	switch {
	case a.DeprecatedMessage != "":
		return a.DeprecatedMessage
	case a.AliasOf != nil:
		return "use " + a.AliasOf.Value
	}
	return "see `action describe " + a.FullName() + "`"
}

// onlyOverridden warns about aliases that are defined only in version overrides.
func (c *checker) onlyOverridden() {
	plain := make(map[string]bool)
	for i := range c.ns.Layers {
		for name := range c.ns.Layers[i].Selectors {
			plain[name] = true
		}
	}
	for i := range c.ns.Layers {
		for _, o := range c.ns.Layers[i].Overrides {
			for name, a := range o.Selectors {
				if !plain[name] {
					c.bad(a.Pos, "the selector %s is defined only for versions %s", name, o.Pattern.Value).
						WithHint("add the selector under `selectors` too: it is used for pages whose version is not known")
				}
			}
		}
	}
}
