package program

// Which outputs a reference can see: those of the steps before it, and inside a block also
// those of the block's own earlier steps in the same iteration.

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/spec"
)

// eachOutput calls f with the name of each output of a step.
func eachOutput(s *spec.Step, f func(name string, pos diag.Pos)) {
	if s.Output != nil {
		f(s.Output.Value, s.Output.Pos())
		return
	}
	if values := catalogue.ValuesOf(s); values != nil {
		for _, k := range values.Keys {
			f(k.Name, k.Pos)
		}
	}
}

// outputsOf calls f for every output of the steps, including those in blocks.
func outputsOf(list []*spec.Step, f func(name string, pos diag.Pos)) {
	for _, s := range list {
		eachOutput(s, f)
		s.Nested(func(inner []*spec.Step) { outputsOf(inner, f) })
	}
}

// outputsIn is like outputsOf, but skips the outputs of steps in blocks.
func outputsIn(list []*spec.Step, f func(name string, pos diag.Pos)) {
	for _, s := range list {
		eachOutput(s, f)
		outputsIn(s.Fallback, f)
		outputsIn(s.Else, f)
		for _, c := range s.Cases {
			outputsIn(c.Steps, f)
		}
	}
}

// output makes the step's output visible to the steps after it.
func (c *compiler) output(s *spec.Step, entry *steps.Entry) {
	eachOutput(s, func(name string, _ diag.Pos) {
		if c.results[name] == nil {
			c.results[name] = make(map[string][]string)
		}
		c.results[name][entry.Name] = append(c.results[name][entry.Name], returned(s, entry)...)
		c.outputs[name] = true
		delete(c.stale, name)
	})
}

// anyField stands for fields whose names are known only at run time.
const anyField = "…"

// returned returns the names of the fields that s returns.
func returned(s *spec.Step, entry *steps.Entry) []string {
	if s.Fallback != nil {
		return []string{anyField}
	}
	var names []string
	for _, f := range entry.Result {
		list := strings.Split(f.Name, ", ")
		if last := len(list) - 1; last > 0 && list[last] == anyField { // named by the value of an argument
			list = valuesGiven(s, entry, list[0])
		}
		names = append(names, list...)
	}
	return names
}

// valuesGiven finds the argument of s that accepts the value example, and returns the values that
// this argument may have.
func valuesGiven(s *spec.Step, entry *steps.Entry, example string) []string {
	for i := range entry.Args {
		a := &entry.Args[i]
		if a.Type != steps.ArgEnum || !slices.Contains(a.Values, example) {
			continue
		}
		if n := s.Args.Get(a.Name); n != nil {
			if v, ok := n.Value().(string); ok && slices.Contains(a.Values, v) {
				return []string{v}
			}
		}
		return a.Values
	}
	return []string{anyField}
}

// checkField warns about a reference to a field that is never set, because no step with that output
// returns it.
func (c *compiler) checkField(r *expr.Ref) {
	if len(r.Path) == 0 || r.Path[0].IsIndex {
		return
	}
	var all, named []string
	for step, fields := range c.results[r.Name] {
		all, named = append(all, fields...), append(named, step)
	}
	slices.Sort(all)
	slices.Sort(named)
	all = slices.Compact(all)
	if len(all) == 0 || slices.Contains(all, anyField) || slices.Contains(all, r.Path[0].Name) {
		return
	}
	c.program.Warnings.Add(diag.At(r.Pos, diag.DefinitionInvalid, "steps.%s has no field %s: %s returns %s", r.Name, r.Path[0].Name,
		strings.Join(named, " or "), strings.Join(all, ", ")).
		WithHint("%s", cmp.Or(diag.DidYouMean(r.Path[0].Name, all), "no run sets this field; for the fields of each step, see docs/steps.md")))
}

// enter begins the body of a block, and leave ends it. The outputs of the body are visible until
// then.
func (c *compiler) enter(body []*spec.Step) (leave func()) {
	outer, outerStale := c.outputs, c.stale
	c.outputs, c.stale = maps.Clone(outer), maps.Clone(outerStale)
	mark := func(stale map[string]staleOutput, below bool) {
		outputsIn(body, func(name string, pos diag.Pos) {
			if outer[name] {
				stale[name] = staleOutput{pos: pos, below: below}
			}
		})
	}
	mark(c.stale, false)
	return func() {
		c.outputs, c.stale = outer, outerStale
		mark(c.stale, true)
	}
}

func (c *compiler) stepRef(r *expr.Ref) {
	switch {
	case c.outputs[r.Name]:
		c.checkStale(r)
		c.checkField(r)
	case c.later[r.Name]:
		c.bad(r.Pos, "steps.%s has no value here: a later step sets it, or a step inside a block", r.Name).
			WithHint("use the output only after its step; after a block, only the output of the block itself is left: {count, items}")
	default:
		c.bad(r.Pos, "no step has the output %q", r.Name).
			WithHint("%s", cmp.Or(diag.DidYouMean(r.Name, keys(c.outputs)), "add `output: "+r.Name+"` to the step whose result it is"))
	}
}

// checkStale warns about a reference to a [staleOutput]. The author probably means the output in
// the block.
func (c *compiler) checkStale(r *expr.Ref) {
	s, ok := c.stale[r.Name]
	if !ok {
		return
	}
	what := "steps.%s is the output from before the block in every iteration: an output inside the block lasts for one iteration only"
	if s.below {
		what = "steps.%s is the output from before the block: an output inside the block ends with the block"
	}
	c.program.Warnings.Add(diag.At(r.Pos, diag.DefinitionInvalid, what, r.Name).
		WithNote(s.pos, "the block outputs the same name here").
		WithHint("rename one of the two outputs; for the outputs of all iterations, use `items` in the output of the block"))
}
