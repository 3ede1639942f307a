package steps

// Steps with several verbs: `tab` opens, lists, switches and closes.

import (
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// VerbArg names the argument that selects a step's verb. It is literal, because the other arguments
// depend on it.
const VerbArg = "do"

// A Verb is one of the alternatives of a step.
type Verb struct {
	Name  string
	Doc   string   // a phrase: what it does
	Args  []string // the arguments that it accepts
	Needs []string // those that it requires
	// Hand names the positional arguments after the verb on the command line. The last may repeat
	// if it is an ArgTextList.
	Hand []string
	// Shown is like Entry.Shown, for this verb.
	Shown string
	Looks bool // the effect is NoEffect

	plan   *plan
	run    runner
	result []Field
	hooks  hooks
}

// Verb returns the verb of that name, or nil.
func (e *Entry) Verb(name string) *Verb {
	for i := range e.Verbs {
		if e.Verbs[i].Name == name {
			return &e.Verbs[i]
		}
	}
	return nil
}

// VerbNames returns the names of the verbs in order.
func (e *Entry) VerbNames() []string {
	names := make([]string, len(e.Verbs))
	for i := range e.Verbs {
		names[i] = e.Verbs[i].Name
	}
	return names
}

// ShownFor names the field of the result to print for a manual step with these arguments;
// "": all of them.
func (e *Entry) ShownFor(args map[string]any) string {
	if name, ok := args[VerbArg].(string); ok {
		if v := e.Verb(name); v != nil {
			return v.Shown
		}
	}
	return e.Shown
}

// withVerbs completes an entry with verbs: its first argument selects the verb.
func withVerbs(e *Entry) {
	if len(e.Verbs) == 0 {
		return
	}
	what := Arg{Name: VerbArg, Type: ArgEnum, Values: e.VerbNames(), Required: true, Doc: "what to do; literal"}
	e.Args = append([]Arg{what}, e.Args...)
	e.Hand = []string{VerbArg}
}

// requireVerb checks the arguments that accompany the verb.
func (c *compiler) requireVerb(op *Op, n *spec.Node) {
	e := op.Entry
	at := n.Get(VerbArg)
	if at == nil {
		return // reported as a missing argument
	}
	v := e.Verb(at.Str)
	if at.Kind != spec.String || v == nil {
		if len(c.errs) == 0 || strings.Contains(at.Str, "${") {
			c.bad(at.Pos, "%s of %s is %s, expected one of %s", VerbArg, e.Name, describe(at.Raw), strings.Join(e.VerbNames(), ", ")).
				WithHint("%s", orElse(diag.DidYouMean(at.Str, e.VerbNames()), "write one of them"))
		}
		return
	}
	for _, k := range n.Keys {
		if k.Name != VerbArg && e.Arg(k.Name) != nil && !slices.Contains(v.Args, k.Name) {
			c.bad(k.Pos, "%s %s takes no %s", e.Name, v.Name, k.Name).WithHint("%s", v.takes())
		}
	}
	for _, name := range v.Needs {
		if n.Get(name) == nil {
			c.missing(at.Pos, "%s %s needs the argument %s", e.Name, v.Name, name).WithHint("add %s: %s", name, e.Arg(name).Doc)
		}
	}
}

func (v *Verb) takes() string {
	if len(v.Args) == 0 {
		return "it takes no other arguments"
	}
	return "it takes " + strings.Join(v.Args, ", ")
}
