package program

// The arguments of a step: which are given, and each compiled by its type.

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
)

// args compiles the arguments of a step and reports unknown and invalid ones.
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
				continue // the condition sees the outputs of the body, so block compiles it after the body
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

// require checks which arguments are given. It does not check their values.
func (c *compiler) require(op *steps.Op, n *spec.Node, pos diag.Pos) {
	e := op.Entry
	written := func(name string) bool { return n.Get(name) != nil }
	for _, a := range e.Args {
		if a.Required && !written(a.Name) {
			c.missing(pos, "%s needs the argument %s", e.Name, a.Name).WithHint("add %s: %s", a.Name, a.Doc)
		}
		if partner := e.With[a.Name]; partner != "" && written(a.Name) && !written(partner) && !slices.Contains(e.OneOf, a.Name) {
			c.bad(n.Get(a.Name).Pos, "found `%s` without `%s`", a.Name, partner).WithHint("add `%s`, or remove `%s`", partner, a.Name)
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
			WithHint("keep only %s; for the others, write further steps", got[0])
	}
}

// requireVerb checks the arguments of a step with verbs. Each verb has its own required and allowed
// arguments.
func (c *compiler) requireVerb(op *steps.Op, n *spec.Node) {
	e := op.Entry
	at := n.Get(steps.VerbArg)
	if at == nil {
		return // reported as a missing argument
	}
	v := e.Verb(at.Str)
	if at.Kind != spec.String || v == nil {
		if len(c.errs) == 0 || strings.Contains(at.Str, "${") {
			c.bad(at.Pos, "%s of %s is %s, expected one of %s", steps.VerbArg, e.Name, steps.Describe(at.Raw), strings.Join(e.VerbNames(), ", ")).
				WithHint("%s", cmp.Or(diag.DidYouMean(at.Str, e.VerbNames()), "write one of "+strings.Join(e.VerbNames(), ", ")))
		}
		return
	}
	for _, k := range n.Keys {
		if k.Name != steps.VerbArg && e.Arg(k.Name) != nil && !slices.Contains(v.Args, k.Name) {
			c.bad(k.Pos, "%s %s takes no %s", e.Name, v.Name, k.Name).WithHint("%s", takes(v))
		}
	}
	for _, name := range v.Needs {
		if n.Get(name) == nil {
			c.missing(at.Pos, "%s %s needs the argument %s", e.Name, v.Name, name).WithHint("add %s: %s", name, e.Arg(name).Doc)
		}
	}
}

func takes(v *steps.Verb) string {
	if len(v.Args) == 0 {
		return "it takes no other arguments"
	}
	return "it takes " + strings.Join(v.Args, ", ")
}

// arg compiles one argument by its type. It returns nil if it reported an error.
func (c *compiler) arg(e *steps.Entry, a *steps.Arg, n *spec.Node) *steps.Expr {
	switch a.Type {
	case steps.ArgText:
		return c.text(a, n)
	case steps.ArgURL:
		return c.url(a, n)
	case steps.ArgInteger, steps.ArgNumber, steps.ArgBoolean, steps.ArgEnum, steps.ArgDuration:
		return c.scalar(a, n)
	case steps.ArgSelector, steps.ArgCSS, steps.ArgXPath:
		return c.selector(a, n)
	case steps.ArgTextList:
		return c.textList(a, n)
	case steps.ArgTextMap:
		return c.mapOf(a, n, steps.ArgText, c.text)
	case steps.ArgValue, steps.ArgValueMap:
		if a.Type == steps.ArgValueMap && n.Kind != spec.Map && !c.isReference(n) {
			c.expects(a, n, "a map").WithHint("%s: %s", a.Name, a.Doc)
			return nil
		}
		if a.TakesParams && !c.hand {
			n = c.passed(n)
		}
		x := c.value(a.Type, n)
		if a.Identifiers {
			c.identifiers(n)
		}
		return x
	case steps.ArgPairs:
		return c.pairs(a, n)
	case steps.ArgScript:
		return c.script(a, n)
	case steps.ArgCondition:
		if cond := c.condition(n); cond != nil {
			return &steps.Expr{Pos: n.Pos, Type: a.Type, Condition: cond}
		}
		return nil
	case steps.ArgAction, steps.ArgName:
		return c.name(a, n)
	case steps.ArgPoint:
		return c.point(a, n)
	case steps.ArgPlace:
		if n.Kind == spec.Map {
			return c.point(a, n)
		}
		return c.selector(a, n)
	case steps.ArgFields:
		return c.fields(a, n, c.field)
	case steps.ArgSelectors:
		return c.fields(a, n, func(k spec.Key) *steps.Expr {
			return c.selector(&steps.Arg{Name: k.Name, Type: steps.ArgSelector}, k.Value)
		})
	case steps.ArgAttrs:
		return c.fields(a, n, c.attr)
	case steps.ArgRows:
		return c.fields(a, n, c.list)
	}
	panic(fmt.Sprintf("steps: %s.%s has the unknown type %d", e.Name, a.Name, a.Type))
}

// passed calls [Passed] for the namespace of the action, and reports unknown names.
func (c *compiler) passed(n *spec.Node) *spec.Node {
	out, unknown := Passed(c.ns, n)
	for _, name := range unknown {
		c.bad(name.Pos, "no param set %q", name.Str).WithHint("%s", cmp.Or(diag.DidYouMean(name.Str, slices.Sorted(maps.Keys(c.ns.ParamSets))), "add the set under param_sets"))
	}
	return out
}

// Passed replaces `use` in n, the params of a `run` step, by the params of the named sets. With the
// set `field: [label]`, `use: [field]` becomes `label: "${params.label}"`. A param that n itself
// sets keeps its value. The result "unknown" lists the names that are not sets of ns.
func Passed(ns *spec.Namespace, n *spec.Node) (params *spec.Node, unknown []*spec.Node) {
	if n == nil || !slices.ContainsFunc(n.Keys, spec.IsUse) {
		return n, nil
	}
	out := &spec.Node{Kind: n.Kind, Pos: n.Pos}
	for _, k := range n.Keys {
		if !spec.IsUse(k) {
			out.Keys = append(out.Keys, k)
			continue
		}
		for _, set := range k.Value.Items {
			names, known := ns.ParamSets[set.Str]
			if !known {
				unknown = append(unknown, set)
			}
			for _, name := range names {
				if n.Get(name) == nil && out.Get(name) == nil {
					out.Keys = append(out.Keys, spec.Key{Name: name, Pos: set.Pos, Value: &spec.Node{Kind: spec.String, Pos: set.Pos, Str: "${params." + name + "}"}})
				}
			}
		}
	}
	return out, unknown
}
