package steps

// Steps inside steps: scopes, the bodies of foreach and repeat, the cases of choose.

import (
	"maps"
	"slices"

	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
)

// enterScope returns the scope inside another selector, which may be nil.
func (c *compiler) enterScope(t *spec.Text) *selectors.Selector {
	if t == nil {
		return c.scope
	}
	o := c.selectorOptions(t.Node)
	o.Expr.Pos, o.Fragment = t.Node.At, true
	scope, err := selectors.Parse(t.Value, o)
	if err != nil {
		c.errs.AddErr(err)
		return c.scope
	}
	c.refs(scope.Refs())
	return scope
}

// busy compiles the selector of what shows that a part of the page is loading. It is the same
// for all actions, so it holds no values.
func (c *compiler) busy() {
	t := c.ns.Busy
	if t == nil {
		return
	}
	sel, err := selectors.Parse(t.Value, selectors.Options{Expr: c.options(t.Node)})
	if err != nil {
		c.errs.AddErr(err)
		return
	}
	for _, r := range sel.Refs() {
		if r.Root != expr.RootSelectors {
			c.bad(t.Pos(), "busy uses %s, expected no values: it holds for all actions", &r).WithHint("use ${selectors.NAME}, or write the selector out")
			return
		}
	}
	c.refs(sel.Refs())
	c.program.Busy = sel
}

// waits compiles how a step waits for what is loading, and for what its input causes. What is
// written at a block is for the steps inside it.
func (c *compiler) waits(op *Op) {
	s, e := op.Spec, op.Entry
	block, at := e.Block || e.Cases, s.Action.Pos()
	if s.Settle != nil {
		c.settle = s.Settle
		if !block && !op.IsInput() && !e.Runs() {
			c.bad(s.Settle.Pos, "%s has settle, but it is no input: nothing comes of it", e.Name).WithHint("write settle at the step that causes what is to be waited for")
		}
	}
	if op.IsInput() || e.Runs() && s.Settle != nil {
		op.Settle = c.settle.Time()
	}
	if s.IgnoresBusy {
		c.ignores = true
		if !block && !e.Reads {
			c.bad(at, "%s has busy: ignore, but it does not wait for what is loading", e.Name).WithHint("remove it; steps that read wait, such as get, look, table")
		}
	}
	op.IgnoresBusy = c.ignores
	if s.Calm != nil {
		c.calm = *s.Calm
		if !block && !e.waitsForElement() {
			c.bad(at, "%s has calm, but it waits for no element", e.Name).WithHint("write calm at the step that waits; for the steps of another action, in that action")
		}
	}
	op.Calm = c.calm
	if s.Expect != nil && !op.IsInput() {
		c.bad(s.Expect.Pos(), "%s has expect, but it is no input", e.Name).WithHint("write expect at the input, such as click or press; verify checks what the page shows in the end")
	}
}

// waitsForElement reports whether a step waits for an element that a selector names.
func (e *Entry) waitsForElement() bool {
	return !e.Once && slices.ContainsFunc(e.Args, func(a Arg) bool {
		return a.Type == ArgSelector || a.Type == ArgPlace || a.Type == ArgPairs
	})
}

// block compiles the body of foreach and repeat. Outputs of the body are visible inside it
// and to `until`, not after it.
func (c *compiler) block(op *Op) {
	if len(op.Spec.Steps) == 0 {
		c.bad(op.Spec.Action.Pos(), "%s has no steps", op.Entry.Name).WithHint("add steps: the list to run")
		return
	}
	outerLocals, outerScope, outerNarrow := c.locals, c.scope, c.narrow
	if _, c.narrow = op.Loop(); c.narrow && narrows(op.Spec.Steps) {
		op.Narrows = true
		c.scope = selectors.Narrowing(c.scope, op)
	}
	defer func() { c.scope, c.narrow = outerScope, outerNarrow }()
	leave := c.enter(op.Spec.Steps)
	c.locals = append(append([]string(nil), outerLocals...), c.loopNames(op)...)
	op.Body = c.steps(op.Spec.Steps)
	if arg := op.Entry.argWith(func(a *Arg) bool { return a.Type == ArgCondition }); arg != nil {
		if n := op.Spec.Args.Get(arg.Name); n != nil {
			c.setArg(op, arg, n)
		}
	}
	c.locals = outerLocals
	leave()
}

// ItemsOf returns index, item and the names that the blocks of a list of steps give their
// items.
func ItemsOf(list []*spec.Step) []string {
	names := []string{"index", DefaultItem}
	for _, s := range list {
		if n := itemOf(s); n != nil && n.Kind == spec.String {
			names = append(names, n.Str)
		}
		s.Nested(func(inner []*spec.Step) { names = append(names, ItemsOf(inner)...) })
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// narrows reports whether one of the steps of a block is a narrow; the blocks inside have
// their own.
func narrows(list []*spec.Step) bool {
	return slices.ContainsFunc(list, func(s *spec.Step) bool {
		if isNarrow(s) {
			return true
		}
		found := narrows(s.Fallback) || narrows(s.Else)
		for _, one := range s.Cases {
			found = found || narrows(one.Steps)
		}
		return found
	})
}

// cases compiles those of choose. Each sees the outputs from before the step; what any of
// them outputs is visible after it.
func (c *compiler) cases(op *Op) {
	s := op.Spec
	if len(s.Cases) == 0 {
		c.bad(s.Action.Pos(), "%s has no cases", op.Entry.Name).WithHint("add cases: [{when: …, steps: […]}]")
	}
	before, after := c.outputs, maps.Clone(c.outputs)
	arm := func(list []*spec.Step) []*Op {
		c.outputs = maps.Clone(before)
		ops := c.steps(list)
		maps.Copy(after, c.outputs)
		return ops
	}
	for _, one := range s.Cases {
		a := &Arm{}
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

func (c *compiler) loopNames(op *Op) []string {
	names := []string{"index"}
	if _, ok := op.Loop(); !ok {
		return names
	}
	op.As = DefaultItem
	pos, written := op.Spec.Action.Pos(), false
	if n := itemOf(op.Spec); n != nil && n.Kind == spec.String {
		op.As, pos, written = n.Str, n.Pos, true
	}
	switch {
	case c.params[op.As]:
		c.bad(pos, "the item would be named %q, as a param is", op.As).WithHint("name it otherwise with `as`")
	case reserved(op.As):
		c.bad(pos, "the item would be named %q, which is a root", op.As).WithHint("name it otherwise with `as`")
	case written && slices.Contains(c.locals, op.As):
		// Without a name the inner item hides the outer one, like index.
		c.bad(pos, "the item would be named %q, as that of an outer block is", op.As).WithHint("name it otherwise with `as`")
	}
	return append(names, op.As)
}

func reserved(name string) bool {
	if name == "index" {
		return true
	}
	for _, root := range expr.Roots() {
		if name == root {
			return name != DefaultItem
		}
	}
	return false
}
