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

// block compiles the body of foreach and repeat. Outputs of the body are visible inside it
// and to `until`, not after it.
func (c *compiler) block(op *Op) {
	if len(op.Spec.Steps) == 0 {
		c.bad(op.Spec.Action.Pos(), "%s has no steps", op.Entry.Name).WithHint("add steps: the list to run")
		return
	}
	outerLocals, outerScope, outerNarrow := c.locals, c.scope, c.narrow
	if c.narrow = op.Entry.Name == "foreach"; c.narrow && narrows(op.Spec.Steps) {
		op.Narrows = true
		c.scope = selectors.Narrowing(c.scope, op)
	}
	defer func() { c.scope, c.narrow = outerScope, outerNarrow }()
	leave := c.enter(op.Spec.Steps)
	c.locals = append(append([]string(nil), outerLocals...), c.loopNames(op)...)
	op.Body = c.steps(op.Spec.Steps)
	if arg := op.Entry.Arg("until"); arg != nil {
		if n := op.Spec.Args.Get("until"); n != nil {
			c.setArg(op, arg, n)
		}
	}
	c.locals = outerLocals
	leave()
}

// narrows reports whether one of the steps of a block is a narrow; the blocks inside have
// their own.
func narrows(list []*spec.Step) bool {
	return slices.ContainsFunc(list, func(s *spec.Step) bool {
		if s.Action.Value == "narrow" {
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
	if op.Entry.Arg("as") == nil {
		return names
	}
	op.As = DefaultItem
	pos, written := op.Spec.Action.Pos(), false
	if n := op.Spec.Args.Get("as"); n != nil && n.Kind == spec.String {
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
