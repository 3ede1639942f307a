package program

import (
	"cmp"
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/spec"
)

// requireVerb checks the arguments that accompany the verb.
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
				WithHint("%s", cmp.Or(diag.DidYouMean(at.Str, e.VerbNames()), "write one of them"))
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
