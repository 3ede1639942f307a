package validator

// Checks of declared params, and of values that definitions have for them: defaults, and the params
// of `run`.

import (
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/program"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/spec"
)

// param checks a param, its items and its properties. Other checks are in [spec.Action.Check].
func (c *checker) param(p *spec.Param) {
	seen := make(map[string]bool, len(p.Values))
	for _, v := range p.Values {
		text := expr.Text(v)
		if seen[text] {
			c.bad(p.Pos, "the enum of the param %s has the value %q twice", p.Name, text).WithHint("remove one of the two")
		}
		seen[text] = true
	}
	c.list.Add(program.CheckDefault(p)...)
	if p.Items != nil {
		c.param(p.Items)
	}
	for _, sub := range p.Properties {
		c.param(sub)
	}
}

// value checks a literal value that a `run` step passes to a param.
func (c *checker) value(target *spec.Action, p *spec.Param, n *spec.Node) {
	probe := &spec.Action{Namespace: target.Namespace, Name: target.Name, Params: []*spec.Param{p}}
	_, errs := program.CheckParams(probe, map[string]any{p.Name: n.Value()}, false, nil)
	for _, e := range errs {
		c.bad(n.Pos, "%s: %s", target.FullName(), e.Msg).
			WithNote(p.Pos, "declared here").
			WithHint("%s", orElse(e.Hint, "write a value of type "+string(p.Type)))
	}
}

// passed checks the params that a `run` step passes to the action target.
func (c *checker) passed(s *spec.Step, target *spec.Action) {
	_, params, _ := catalogue.Called(s)
	given, _ := program.Passed(c.ns, params)
	if given != nil && given.Kind != spec.Map {
		return // a single reference, or an error that the argument's type reports
	}
	names := make([]string, len(target.Params))
	for i, p := range target.Params {
		names[i] = p.Name
		if p.Required && p.Default == nil && given.Get(p.Name) == nil {
			c.bad(s.Action.Pos(), "the action %s needs the param %s", target.FullName(), p.Name).
				WithNote(p.Pos, "declared here").
				WithHint("add `params: {%s: …}` to `args`", p.Name)
		}
	}
	if given == nil {
		return
	}
	for _, k := range given.Keys {
		p := target.Param(k.Name)
		if p == nil {
			c.bad(k.Pos, "the action %s has no param %q", target.FullName(), k.Name).
				WithHint("%s", orElse(diag.DidYouMean(k.Name, names), "see `action describe "+target.FullName()+"`"))
			continue
		}
		if isLiteral(k.Value) {
			c.value(target, p, k.Value)
		}
	}
}

// isLiteral reports whether a value contains no reference.
func isLiteral(n *spec.Node) bool {
	switch {
	case n == nil:
		return true
	case n.Kind == spec.String:
		return !strings.Contains(n.Str, "${")
	}
	for _, item := range n.Items {
		if !isLiteral(item) {
			return false
		}
	}
	for _, k := range n.Keys {
		if !isLiteral(k.Value) {
			return false
		}
	}
	return true
}
