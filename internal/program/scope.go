package program

// What surrounds a step: its scope, the items of its blocks, and how it waits.

import (
	"slices"

	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
)

// enterScope parses t as a scope inside the current scope. If t is nil, it returns the current
// scope.
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

// busy compiles the selector of loading indicators. The selector may refer to aliases, but not to
// params or other values.
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
			c.bad(t.Pos(), "found %s in `busy`, expected no values: `busy` applies to all actions", &r).WithHint("use ${selectors.NAME}, or write the selector itself")
			return
		}
	}
	c.refs(sel.Refs())
	c.program.Busy = sel
}

// waits compiles the settings of a step that say how it waits. The settings of a block also apply
// to the steps inside it.
func (c *compiler) waits(op *steps.Op) {
	s, e := op.Spec, op.Entry
	block, at := e.Block || e.Cases, s.Action.Pos()
	if s.Settle != nil {
		c.settle = s.Settle
		if !block && !op.IsInput() && !e.Runs() {
			c.bad(s.Settle.Pos, "found `settle` at the step %s, which is not an input step, so there are no effects to wait for", e.Name).
				WithHint("write `settle` at the step whose effects the action must wait for")
		}
	}
	if op.IsInput() || e.Runs() && s.Settle != nil {
		op.Settle = c.settle.Time()
	}
	if s.IgnoresBusy {
		c.ignores = true
		if !block && !e.Reads {
			c.bad(at, "found `busy: ignore` at the step %s, which does not wait for loading content", e.Name).WithHint("remove `busy`: only steps that read, such as get, look and table, wait for loading content")
		}
	}
	op.IgnoresBusy = c.ignores
	if s.Calm != nil {
		c.calm = *s.Calm
		if !block && !e.WaitsForElement() {
			c.bad(at, "found `calm` at the step %s, which does not wait for an element", e.Name).WithHint("write `calm` at the step that waits; for the steps of another action, write `calm` in that action")
		}
	}
	op.Calm = c.calm
	if s.Expect != nil && !op.IsInput() {
		c.bad(s.Expect.Pos(), "found `expect` at the step %s, which is not an input step", e.Name).
			WithHint("write `expect` at an input step, such as click or press; use `verify` to check what the page shows after the run")
	}
}

// ItemsOf returns the names that the steps in list may use for items: "index", "item", and the
// names after `as`. The names are sorted.
func ItemsOf(list []*spec.Step) []string {
	names := []string{"index", catalogue.DefaultItem}
	for _, s := range list {
		if n := catalogue.ItemOf(s); n != nil && n.Kind == spec.String {
			names = append(names, n.Str)
		}
		s.Nested(func(inner []*spec.Step) { names = append(names, ItemsOf(inner)...) })
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (c *compiler) loopNames(op *steps.Op) []string {
	names := []string{"index"}
	if _, ok := catalogue.LoopOf(op); !ok {
		return names
	}
	op.As = catalogue.DefaultItem
	pos, written := op.Spec.Action.Pos(), false
	if n := catalogue.ItemOf(op.Spec); n != nil && n.Kind == spec.String {
		op.As, pos, written = n.Str, n.Pos, true
	}
	switch {
	case c.params[op.As]:
		c.bad(pos, "found the item name %q, which is also the name of a param", op.As).WithHint("choose another name with `as`")
	case reserved(op.As):
		c.bad(pos, "found the item name %q, which is reserved", op.As).WithHint("choose another name with `as`")
	case written && slices.Contains(c.locals, op.As):
		// An unnamed inner item hides the outer one, as index does.
		c.bad(pos, "found the item name %q, which an outer block uses", op.As).WithHint("choose another name with `as`")
	}
	return append(names, op.As)
}

func reserved(name string) bool {
	if name == "index" {
		return true
	}
	for _, root := range expr.Roots() {
		if name == root {
			return name != catalogue.DefaultItem
		}
	}
	return false
}

// narrows reports whether the steps of a block include a narrow step. It skips nested blocks.
func narrows(list []*spec.Step) bool {
	return slices.ContainsFunc(list, func(s *spec.Step) bool {
		if catalogue.Narrows(s) {
			return true
		}
		found := narrows(s.Fallback) || narrows(s.Else)
		for _, one := range s.Cases {
			found = found || narrows(one.Steps)
		}
		return found
	})
}
