package program

// Expressions and selectors, and what they refer to: params, variables, outputs and aliases.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
)

// options returns the parser options for every expression of the action.
func (c *compiler) options(n *spec.Node) expr.Options {
	return expr.Options{Params: c.params, Locals: c.locals, Pos: n.At}
}

func (c *compiler) selectorOptions(n *spec.Node) selectors.Options {
	if c.hand {
		return selectors.Options{Literal: true, Code: diag.ParamInvalid}
	}
	return selectors.Options{
		Expr: c.options(n), Scope: c.scope, Inside: c.inRow,
		IsSelectorParam: func(name string) bool {
			p := c.action.Param(name)
			return p != nil && p.Type == spec.TypeSelector
		},
	}
}

func (c *compiler) condition(n *spec.Node) *expr.Condition {
	if c.hand {
		return c.handCondition(n)
	}
	if n.Kind == spec.Bool {
		n = &spec.Node{Kind: spec.String, Pos: n.Pos, Str: n.Raw}
	}
	if n.Kind != spec.String {
		c.bad(n.Pos, "found %s, expected a condition as text", n.Kind).WithHint("write the condition in quotes")
		return nil
	}
	cond, err := expr.ParseCondition(n.Str, c.options(n))
	if err != nil {
		c.errs.AddErr(err)
		return nil
	}
	c.valueRefs(cond.Refs())
	return cond
}

// handCondition compiles the condition of a manual step, which may refer only to page.url and
// page.title.
func (c *compiler) handCondition(n *spec.Node) *expr.Condition {
	if n.Kind == spec.String {
		cond, err := expr.ParseCondition(n.Str, expr.Options{})
		if err != nil {
			c.errs.AddErr(err)
			return nil
		}
		ofPage := func(r expr.Ref) bool { return r.Root == expr.RootPage && (r.Name == "url" || r.Name == "title") }
		if refs := cond.Refs(); len(refs) > 0 && !slices.ContainsFunc(refs, func(r expr.Ref) bool { return !ofPage(r) }) {
			return cond
		}
	}
	c.bad(n.Pos, "a condition in a manual step must refer to page.url or page.title, and to nothing else").
		WithHint("use the step `eval`, or `wait` with `url`, `text` or `function`")
	return nil
}

func (c *compiler) template(n *spec.Node) *expr.Template {
	t, err := expr.ParseTemplate(n.Str, c.options(n))
	if err != nil {
		c.errs.AddErr(err)
		return nil
	}
	c.valueRefs(t.Refs())
	return t
}

// valueRefs is like refs, but also reports references to aliases, which have no value.
func (c *compiler) valueRefs(refs []expr.Ref) {
	c.refs(refs)
	for _, r := range refs {
		if r.Root == expr.RootSelectors && len(c.aliases[r.Name]) > 0 {
			c.bad(r.Pos, "found selectors.%s, expected a value: an alias is not a value", r.Name).
				WithHint("use the alias in a selector; to read the element, use `look` or `get` in an earlier step")
		}
	}
}

// refs checks that the targets of references exist.
func (c *compiler) refs(refs []expr.Ref) {
	for i := range refs {
		r := &refs[i]
		switch r.Root {
		case expr.RootParams:
			if !c.params[r.Name] {
				c.bad(r.Pos, "the action declares no param %q", r.Name).
					WithHint("%s", cmp.Or(diag.DidYouMean(r.Name, keys(c.params)), "declare the param under params"))
			} else {
				c.memberOf(r)
			}
		case expr.RootEnv:
			if !c.env[r.Name] {
				c.bad(r.Pos, "the namespace may not read the environment variable %q", r.Name).
					WithHint("%s", cmp.Or(diag.DidYouMean(r.Name, keys(c.env)), "add the variable to `env` at the top of the file"))
			} else if !slices.Contains(c.program.Env, r.Name) {
				c.program.Env = append(c.program.Env, r.Name)
			}
		case expr.RootSelectors:
			c.aliasRef(r)
		case expr.RootSteps:
			c.stepRef(r)
		case expr.RootPage:
			if r.Name != "url" && r.Name != "title" {
				c.bad(r.Pos, "page has no field %q", r.Name).WithHint("use page.url or page.title, or read the page with a step")
			} else {
				c.program.UsesPage = true
			}
		}
	}
}

// memberOf checks a reference to a member of a date, a time or a duration.
func (c *compiler) memberOf(r *expr.Ref) {
	p := c.action.Param(r.Name)
	if p == nil || len(r.Path) == 0 {
		return
	}
	names := expr.TimeMembers(string(p.Type))
	if name := r.Path[0].Name; names != nil && (r.Path[0].IsIndex || !slices.Contains(names, name)) {
		c.bad(r.Pos, "a %s has no member %q", p.Type, name).WithHint("%s", cmp.Or(diag.DidYouMean(name, names), "the members are "+strings.Join(names, ", ")))
	}
}

// aliasRef compiles all definitions of the alias that r names.
func (c *compiler) aliasRef(r *expr.Ref) {
	defs := c.aliases[r.Name]
	if len(defs) == 0 {
		names := make([]string, 0, len(c.aliases))
		for name := range c.aliases {
			names = append(names, name)
		}
		c.bad(r.Pos, "no selector alias %q", r.Name).
			WithHint("%s", cmp.Or(diag.DidYouMean(r.Name, names), "add the alias under `selectors`"))
		return
	}
	for _, a := range defs {
		if _, done := c.program.aliases[a]; !done {
			c.program.aliases[a] = nil // ends the recursion of a cycle, which the validator reports
			c.program.aliases[a] = c.aliasCandidates(a, r)
		}
		c.aliasLocals(a, r, make(map[*spec.Alias]bool))
	}
}

// aliasLocals checks that an alias is used inside the block whose item it reads. It also checks the
// aliases that the alias itself uses.
func (c *compiler) aliasLocals(a *spec.Alias, user *expr.Ref, seen map[*spec.Alias]bool) {
	seen[a] = true
	for _, sel := range c.program.aliases[a] {
		for _, ref := range sel.Refs() {
			switch {
			case ref.Root == expr.RootLocal && !slices.Contains(c.locals, ref.Name):
				c.bad(ref.Pos, "the alias %s uses %s, but no block around the step defines that item", a.Name, ref.String()).
					WithNote(user.Pos, "the alias is used here").
					WithHint("use the alias inside a `foreach` whose item is %s", ref.Name)
			case ref.Root == expr.RootSelectors:
				for _, used := range c.aliases[ref.Name] {
					if !seen[used] {
						c.aliasLocals(used, user, seen)
					}
				}
			}
		}
	}
}

// aliasCandidates parses the selectors of an alias: the primary one and the fallbacks. They may
// read the params of the action and the items of its blocks.
func (c *compiler) aliasCandidates(a *spec.Alias, user *expr.Ref) []*selectors.Selector {
	outer := c.locals
	c.locals = c.items
	defer func() { c.locals = outer }()
	var out []*selectors.Selector
	for _, text := range a.Candidates() {
		o := c.selectorOptions(text.Node)
		o.Fragment, o.Alias, o.Inside, o.Scope = true, true, false, nil
		sel, err := selectors.Parse(text.Value, o)
		if err != nil {
			c.errs.AddErr(err)
			continue
		}
		for _, ref := range sel.Refs() {
			if ref.Root == expr.RootParams && !c.params[ref.Name] {
				c.bad(ref.Pos, "the alias %s uses the param %q, which %s does not declare", a.Name, ref.Name, c.action.FullName()).
					WithNote(user.Pos, "the alias is used here").
					WithHint("declare the param, or write the selector into the step")
				continue
			}
			c.refs([]expr.Ref{ref})
		}
		out = append(out, sel)
	}
	return out
}
