package program

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
)

// A compiler compiles one action. It visits the steps in the order in which they run, so that it
// can report a reference to an output that does not exist yet.
type compiler struct {
	ns      *spec.Namespace
	action  *spec.Action
	params  map[string]bool
	env     map[string]bool
	aliases map[string][]*spec.Alias       // by name, of every layer and override
	outputs map[string]bool                // names under steps. that exist so far
	stale   map[string]staleOutput         // those that a block also outputs, invisible here
	results map[string]map[string][]string // fields of each output, by the step that returns them
	later   map[string]bool                // every name that some step of the action outputs
	locals  []string
	items   []string            // the names of the items of all blocks, and index
	scope   *selectors.Selector // scope of the selectors of a step; nil: none
	inRow   bool                // compiling a field of a row
	narrow  bool                // compiling the steps of a foreach
	settle  *spec.Settle        // for steps without their own
	ignores bool                // the steps also read busy content
	calm    bool                // the steps wait no longer than until the page is calm
	program *Program
	errs    diag.List

	// hand is set for a manual step (hand.go): every value is data, and no text in it is a
	// reference.
	hand bool
	// fromText means that numbers and booleans may be given as text.
	fromText bool
}

func compile(ns *spec.Namespace, a *spec.Action, variant *spec.Variant) (*Program, diag.List) {
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

// aliasesOf returns, by name, the aliases that can apply in some document. A plain alias overrides
// everything in the layers below it.
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

func (c *compiler) bad(pos diag.Pos, format string, args ...any) *diag.Error {
	e := diag.At(pos, diag.DefinitionInvalid, format, args...)
	c.errs.Add(e)
	return e
}

// missing is like bad, for something that is not given.
func (c *compiler) missing(pos diag.Pos, format string, args ...any) *diag.Error {
	e := c.bad(pos, format, args...)
	if c.hand {
		e.Code = diag.ParamRequired
	}
	return e
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
			e.WithHint("to run another action write {action: run, args: {action: %q}}", s.Action.Value)
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
		c.bad(s.Action.Pos(), "found narrow outside of a foreach").WithHint("write narrow in a foreach over the levels of a path; elsewhere write a scope")
	}
	switch {
	case entry.Block:
		c.block(op)
	case s.Steps != nil && entry.Cases:
		c.bad(s.Action.Pos(), "%s has steps, expected cases", entry.Name).WithHint("write cases: [{when: …, steps: […]}], and else: […] for all other cases")
	case s.Steps != nil:
		c.bad(s.Action.Pos(), "found steps at %s, which has no nested steps", entry.Name).WithHint("write nested steps only in foreach and repeat; otherwise write them after this step")
	}
	switch {
	case entry.Cases:
		c.cases(op)
	case s.Cases != nil || s.Else != nil:
		c.bad(s.Action.Pos(), "found cases at %s, expected them only at choose", entry.Name).WithHint("write them in a choose step: - choose:")
	}
	if entry.Group == steps.GroupRead && entry.Reads && entry.Once && s.Retry.Times > 0 {
		c.program.Warnings.Add(diag.At(s.Action.Pos(), diag.DefinitionInvalid, "%s does not fail if nothing matches, so it is never retried", entry.Name).
			WithHint("to wait for something, use wait, or write the step in a repeat with until"))
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

// args compiles the arguments of a step and reports those that do not fit it.
func (c *compiler) args(op *steps.Op, n *spec.Node, pos diag.Pos) {
	op.Args = make(map[string]*steps.Expr)
	before := len(c.errs)
	if n != nil {
		if n.Kind != spec.Map {
			c.bad(n.Pos, "args is %s, expected a map", n.Kind).WithHint("write args: {%s: …}", first(op.Entry.ArgNames()))
			return
		}
		for _, k := range n.Keys {
			arg := op.Entry.Arg(k.Name)
			if arg == nil {
				e := c.bad(k.Pos, "%s has no argument %q", op.Entry.Name, k.Name)
				e.WithHint("%s", c.insteadOf(op.Entry, k.Name))
				continue
			}
			if arg.Type == steps.ArgCondition && op.Entry.Block {
				continue // sees the outputs of the body, so it is compiled after that
			}
			c.setArg(op, arg, k.Value)
		}
	}
	c.require(op, n, pos)
	if len(c.errs) == before {
		c.errs.Add(op.CheckArgs()...)
	}
}

// insteadOf returns the hint for an argument that a step does not have.
func (c *compiler) insteadOf(e *steps.Entry, name string) string {
	switch {
	case e.Hints[name] != "":
		return e.Hints[name]
	case slices.Contains(spec.BesideStep(), name) && !c.hand:
		return "write " + name + " beside the step, not in its arguments"
	case e.Arg(steps.SelectorArg) != nil && slices.Contains(selectors.Kinds(), selectors.Kind(name)):
		return "write the kind in the selector: " + steps.SelectorArg + ": \"" + name + ":…\""
	case len(e.Args) == 1 && e.Args[0].Type == steps.ArgValueMap && !c.hand:
		return "write " + e.Name + ": {" + e.Args[0].Name + ": {" + name + ": …}}"
	}
	return cmp.Or(diag.DidYouMean(name, e.ArgNames()), "see docs/steps.md")
}

func (c *compiler) setArg(op *steps.Op, arg *steps.Arg, n *spec.Node) {
	x := c.arg(op.Entry, arg, n)
	if x == nil {
		return
	}
	op.Args[arg.Name] = x
	op.NeedsElement = op.NeedsElement || x.HasSelector()
}

// require checks which arguments are given, not their values.
func (c *compiler) require(op *steps.Op, n *spec.Node, pos diag.Pos) {
	e := op.Entry
	written := func(name string) bool { return n.Get(name) != nil }
	for _, a := range e.Args {
		if a.Required && !written(a.Name) {
			c.missing(pos, "%s needs the argument %s", e.Name, a.Name).WithHint("add %s: %s", a.Name, a.Doc)
		}
		if partner := e.With[a.Name]; partner != "" && written(a.Name) && !written(partner) && !slices.Contains(e.OneOf, a.Name) {
			c.bad(n.Get(a.Name).Pos, "found %s without %s", a.Name, partner).WithHint("add %s, or remove %s", partner, a.Name)
		}
	}
	if len(e.Verbs) > 0 {
		c.requireVerb(op, n)
	}
	if len(e.OneOf) == 0 {
		return
	}
	var got []string
	for _, name := range e.OneOf {
		if written(name) && !(e.With[name] != "" && written(e.With[name])) {
			got = append(got, name)
		}
	}
	switch {
	case len(got) == 0:
		c.missing(pos, "%s needs one of %s", e.Name, strings.Join(e.OneOf, ", ")).WithHint("see docs/steps.md#%s", e.Name)
	case len(got) > 1:
		c.bad(n.Get(got[1]).Pos, "%s takes one of %s, found %s", e.Name, strings.Join(e.OneOf, ", "), strings.Join(got, " and ")).
			WithHint("split it into two steps")
	}
}

// options returns the options of every expression of the action.
func (c *compiler) options(n *spec.Node) expr.Options {
	return expr.Options{Params: c.params, Locals: c.locals, Pos: n.At}
}

func (c *compiler) condition(n *spec.Node) *expr.Condition {
	if c.hand {
		c.bad(n.Pos, "found a condition in a manual step, where it has nothing to refer to").
			WithHint("use eval, or wait with url, text or function")
		return nil
	}
	if n.Kind == spec.Bool {
		n = &spec.Node{Kind: spec.String, Pos: n.Pos, Str: n.Raw}
	}
	if n.Kind != spec.String {
		c.bad(n.Pos, "found %s, expected a condition as text", n.Kind).WithHint("quote it")
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

func (c *compiler) template(n *spec.Node) *expr.Template {
	t, err := expr.ParseTemplate(n.Str, c.options(n))
	if err != nil {
		c.errs.AddErr(err)
		return nil
	}
	c.valueRefs(t.Refs())
	return t
}

// valueRefs is refs for references that must have a value, which an alias does not.
func (c *compiler) valueRefs(refs []expr.Ref) {
	c.refs(refs)
	for _, r := range refs {
		if r.Root == expr.RootSelectors && len(c.aliases[r.Name]) > 0 {
			c.bad(r.Pos, "found selectors.%s, expected a value: an alias is not a value", r.Name).
				WithHint("use it in a selector; to read the element, use look or get in an earlier step")
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
					WithHint("%s", cmp.Or(diag.DidYouMean(r.Name, keys(c.params)), "declare it under params"))
			} else {
				c.memberOf(r)
			}
		case expr.RootEnv:
			if !c.env[r.Name] {
				c.bad(r.Pos, "the namespace may not read the environment variable %q", r.Name).
					WithHint("%s", cmp.Or(diag.DidYouMean(r.Name, keys(c.env)), "add it to `env` at the top of the file"))
			} else if !slices.Contains(c.program.Env, r.Name) {
				c.program.Env = append(c.program.Env, r.Name)
			}
		case expr.RootSelectors:
			c.aliasRef(r)
		case expr.RootSteps:
			c.stepRef(r)
		case expr.RootPage:
			if r.Name != "url" && r.Name != "title" {
				c.bad(r.Pos, "page has no %q", r.Name).WithHint("use page.url or page.title, or read the page with a step")
			} else {
				c.program.UsesPage = true
			}
		}
	}
}

// memberOf checks the member of a date, a time or a duration that a reference names.
func (c *compiler) memberOf(r *expr.Ref) {
	p := c.action.Param(r.Name)
	if p == nil || len(r.Path) == 0 {
		return
	}
	names := expr.TimeMembers(string(p.Type))
	if name := r.Path[0].Name; names != nil && (r.Path[0].IsIndex || !slices.Contains(names, name)) {
		c.bad(r.Pos, "a %s has no %q", p.Type, name).WithHint("%s", cmp.Or(diag.DidYouMean(name, names), "its members are "+strings.Join(names, ", ")))
	}
}

func keys(m map[string]bool) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

func first(s []string) string {
	if len(s) == 0 {
		return "name"
	}
	return s[0]
}
