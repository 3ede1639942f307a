package program

// Steps in their order: each with its nested steps, then the checks and the returns.

import (
	"cmp"
	"maps"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
)

// Compile compiles the action a of the merged namespace ns. If variant is not nil, the parts that
// it sets replace those of the action. If there are errors, the program is nil.
func Compile(ns *spec.Namespace, a *spec.Action, variant *spec.Variant) (*Program, diag.List) {
	c := &compiler{
		ns: ns, action: a,
		params: make(map[string]bool), env: make(map[string]bool),
		aliases: aliasesOf(ns), outputs: make(map[string]bool), results: make(map[string]map[string][]string), later: make(map[string]bool),
		stale:   make(map[string]staleOutput),
		program: &Program{Namespace: ns, Action: a, aliases: make(map[*spec.Alias][]*selectors.Selector)},
	}
	for _, p := range a.Params {
		c.params[p.Name] = true
	}
	for _, v := range ns.Env {
		c.env[v.Name] = true
	}
	stepList, checks, returns := a.Steps, a.Verify, a.Returns
	if variant != nil {
		if variant.Steps != nil {
			stepList = variant.Steps
		}
		if variant.Verify != nil {
			checks = variant.Verify
		}
		if variant.Returns != nil {
			returns = variant.Returns
		}
	}
	c.items = ItemsOf(stepList)
	c.busy()
	c.scope = c.enterScope(a.Scope)
	c.settle = ns.Settle
	if a.Settle != nil {
		c.settle = a.Settle
	}
	c.calm = a.Calm
	outputsOf(stepList, func(name string, _ diag.Pos) { c.later[name] = true })
	c.program.Steps = c.steps(stepList)
	for _, check := range checks {
		c.program.Verify = append(c.program.Verify, c.check(check))
	}
	if returns != nil {
		c.program.Returns = c.value(steps.ArgValueMap, returns)
	}
	if len(c.errs) > 0 {
		return nil, c.errs.Sorted()
	}
	return c.program, nil
}

// aliasesOf returns all definitions of each alias that may apply, by name. A plain definition
// replaces those of the layers below it. A definition for one version of the library replaces none.
func aliasesOf(ns *spec.Namespace) map[string][]*spec.Alias {
	all := make(map[string][]*spec.Alias)
	for i := range ns.Layers {
		for name, a := range ns.Layers[i].Selectors {
			all[name] = []*spec.Alias{a}
		}
		for j := range ns.Layers[i].Overrides {
			for name, a := range ns.Layers[i].Overrides[j].Selectors {
				all[name] = append(all[name], a)
			}
		}
	}
	return all
}

func (c *compiler) steps(list []*spec.Step) []*steps.Op {
	ops := make([]*steps.Op, 0, len(list))
	for _, s := range list {
		if op := c.step(s); op != nil {
			ops = append(ops, op)
		}
	}
	return ops
}

func (c *compiler) step(s *spec.Step) *steps.Op {
	entry := catalogue.Lookup(s.Action.Value)
	if entry == nil {
		e := c.bad(s.Action.Pos(), "unknown step %q", s.Action.Value)
		if strings.Contains(s.Action.Value, ":") {
			e.WithHint("to run another action, write {action: run, args: {action: %q}}", s.Action.Value)
		} else {
			e.WithHint("%s", cmp.Or(diag.DidYouMean(s.Action.Value, catalogue.Names()), "see docs/steps.md for the catalogue"))
		}
		return nil
	}
	outer, settle, ignores, calm := c.scope, c.settle, c.ignores, c.calm
	c.scope = c.enterScope(s.Scope)
	defer func() { c.scope, c.settle, c.ignores, c.calm = outer, settle, ignores, calm }()
	op := &steps.Op{Spec: s, Entry: entry, Scope: c.scope}
	c.waits(op)
	if s.When != nil {
		op.When = c.condition(s.When.Node)
	}
	c.args(op, s.Args, s.Action.Pos())
	if catalogue.Narrows(s) && !c.narrow {
		c.bad(s.Action.Pos(), "found `narrow` outside of a `foreach`").WithHint("write `narrow` in a `foreach` over the levels of a path; elsewhere write a `scope`")
	}
	switch {
	case entry.Block:
		c.block(op)
	case s.Steps != nil && entry.Cases:
		c.bad(s.Action.Pos(), "%s has steps, expected cases", entry.Name).WithHint("write cases: [{when: …, steps: […]}], and else: […] for all other cases")
	case s.Steps != nil:
		c.bad(s.Action.Pos(), "found `steps` at the step %s, which has no nested steps", entry.Name).WithHint("write nested steps only in `foreach` and `repeat`; otherwise write them after this step")
	}
	switch {
	case entry.Cases:
		c.cases(op)
	case s.Cases != nil || s.Else != nil:
		c.bad(s.Action.Pos(), "found cases at the step %s, expected them only at `choose`", entry.Name).
			WithHint("write the cases in a step that begins with \"- choose:\"")
	}
	if entry.Group == steps.GroupRead && entry.Reads && entry.Once && s.Retry.Times > 0 {
		c.program.Warnings.Add(diag.At(s.Action.Pos(), diag.DefinitionInvalid, "found `retry` at the step %s, which does not fail if nothing matches, so there is nothing to retry", entry.Name).
			WithHint("to wait for something, use `wait`, or write the step in a `repeat` with `until`"))
	}
	// A fallback sees the outputs from before the step failed.
	op.Fallback = c.steps(s.Fallback)
	c.output(s, entry)
	return op
}

func (c *compiler) check(s *spec.Check) *Check {
	out := &Check{Spec: s}
	before := len(c.errs)
	if s.Message != nil {
		out.Message = c.template(s.Message.Node)
	}
	if s.Condition != nil {
		out.Condition = c.condition(s.Condition.Node)
	} else {
		wait := &spec.Step{Pos: s.Pos, Path: "verify", Args: s.Wait}
		wait.Action.Value = catalogue.CheckStep().Name
		out.Wait = &steps.Op{Spec: wait, Entry: catalogue.CheckStep()}
		c.args(out.Wait, s.Wait, s.Pos)
	}
	if len(c.errs) > before {
		return out
	}
	var refs []expr.Ref
	if out.Condition != nil {
		refs = out.Condition.Refs()
	} else {
		for _, x := range out.Wait.Args {
			refs = append(refs, x.Refs()...)
		}
	}
	for i := range refs {
		switch refs[i].Root {
		case expr.RootSteps:
			out.UsesSteps = true
			out.Outputs = append(out.Outputs, refs[i].Name)
		case expr.RootPage:
			out.ReadsPage = true
		}
	}
	return out
}

// block compiles the body of foreach and repeat. Outputs of the body are visible in the body and in
// `until`, but not after the block.
func (c *compiler) block(op *steps.Op) {
	if len(op.Spec.Steps) == 0 {
		c.bad(op.Spec.Action.Pos(), "found `%s` without steps", op.Entry.Name).WithHint("add `steps` with the list to run")
		return
	}
	outerLocals, outerScope, outerNarrow := c.locals, c.scope, c.narrow
	if _, c.narrow = catalogue.LoopOf(op); c.narrow && narrows(op.Spec.Steps) {
		op.Narrows = true
		c.scope = selectors.Narrowing(c.scope, op)
	}
	defer func() { c.scope, c.narrow = outerScope, outerNarrow }()
	leave := c.enter(op.Spec.Steps)
	c.locals = append(append([]string(nil), outerLocals...), c.loopNames(op)...)
	op.Body = c.steps(op.Spec.Steps)
	if arg := op.Entry.ArgOf(steps.ArgCondition); arg != nil {
		if n := op.Spec.Args.Get(arg.Name); n != nil {
			c.setArg(op, arg, n)
		}
	}
	c.locals = outerLocals
	leave()
}

// cases compiles the cases of choose. A case cannot use the outputs of another case. The steps
// after choose can use the outputs of all cases.
func (c *compiler) cases(op *steps.Op) {
	s := op.Spec
	if len(s.Cases) == 0 {
		c.bad(s.Action.Pos(), "found `%s` without cases", op.Entry.Name).WithHint("add cases: [{when: …, steps: […]}]")
	}
	before, after := c.outputs, maps.Clone(c.outputs)
	arm := func(list []*spec.Step) []*steps.Op {
		c.outputs = maps.Clone(before)
		ops := c.steps(list)
		maps.Copy(after, c.outputs)
		return ops
	}
	for _, one := range s.Cases {
		a := &steps.Arm{}
		if one.When != nil {
			c.outputs = before
			a.When = c.condition(one.When.Node)
		}
		a.Steps = arm(one.Steps)
		op.Cases = append(op.Cases, a)
	}
	op.Else, op.HasElse = arm(s.Else), s.Else != nil
	c.outputs = after
}
