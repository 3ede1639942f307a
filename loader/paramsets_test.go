package loader

import (
	"fmt"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/program"
	"github.com/actionregistry/action/spec"
)

const withSets = `
namespace: app
version: 1.0.0
param_sets:
  field:
    label: {type: string, description: Label of the field}
    within: {type: string, default: ""}
  pair: {first: {type: string}}
actions:
  field:fill:
    params:
      use: [field, pair]
      value: {type: string, required: true}
      label: {required: true}
    steps:
      - run: {action: field:look, params: {use: [field], first: "${first}"}}
  field:look:
    params: {use: [field], first: {type: string}}
    steps: [{find: {label: "${label}"}}]
  field:plain:
    params: {use: {type: array, items: {type: string}}}
    steps: [{back: }]
`

// paramsOf lists the params of an action: their names in order, with ! for a required one.
func paramsOf(a *spec.Action) string {
	var out []string
	for _, p := range a.Params {
		name := p.Name
		if p.Required {
			name += "!"
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

func TestParamSets(t *testing.T) {
	set := mustLoad(t, source(spec.Project, "p.yaml", withSets))
	noProblems(t, set)
	ns := set.Namespaces["app"]
	for name, want := range map[string]string{"field:fill": "label! within first value!", "field:look": "label within first", "field:plain": "use"} {
		if got := paramsOf(ns.Actions[name]); got != want {
			t.Errorf("%s has the params %s, want %s", name, got, want)
		}
	}
	label := ns.Actions["field:fill"].Param("label")
	if label.Description != "Label of the field" || label.Type != spec.TypeString {
		t.Errorf("label is %+v, want the set's, with what the action adds", label)
	}
	if got := fmt.Sprint(ns.ParamSets); got != "map[field:[label within] pair:[first]]" {
		t.Errorf("the sets are %s", got)
	}
}

func TestParamSetsOfLayers(t *testing.T) {
	set := mustLoad(t, source(spec.Builtin, "b.yaml", withSets), source(spec.Package, "k.yaml", `
namespace: app
param_sets:
  field: {label: {default: Name}, more: {type: integer}}
`), source(spec.Project, "p.yaml", `
namespace: child
version: 1.0.0
extends: [app]
param_sets: {field: {own: {type: string}}}
actions:
  field:clear:
    params: {use: [field]}
    steps: [{clear: "label:${label}"}]
`))
	noProblems(t, set)
	app, child := set.Namespaces["app"], set.Namespaces["child"]
	if got := paramsOf(app.Actions["field:look"]); got != "label within more first" {
		t.Errorf("the params are %s, want those of the package too", got)
	}
	if got := paramsOf(child.Actions["field:clear"]) + "; " + paramsOf(child.Actions["field:look"]); got != "label within more own; label within more own first" {
		t.Errorf("the params in a child are %s", got)
	}
	a := app.Actions["field:look"]
	if !a.FromPackage() {
		t.Error("the action does not count as one that a package has written a part of")
	}
	var parts []string
	for _, r := range a.Replaced {
		parts = append(parts, fmt.Sprint(r.What, " by ", r.By))
	}
	if got := strings.Join(parts, ", "); !strings.HasPrefix(got, "params.label by package") {
		t.Errorf("what is replaced is %q, want the param that the package has changed", got)
	}
}

func TestBadParamSets(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"no such set", "use: [field, pair]", "use: [feild, pair]", `no param set "feild"`},
		{"no such set in run", "params: {use: [field], first: \"${first}\"}}", "params: {use: [pairs]}}", `no param set "pairs"`},
		{"one param in two sets", "pair: {first:", "pair: {label: {type: string}, first:", `with the same param "label"`},
		{"a set in a set", "pair: {first:", "pair: {use: [field], first:", "the param set pair uses other sets"},
		{"a set that is no map", "pair: {first: {type: string}}", "pair: [first]", "the param set pair is a list, expected a map"},
		{"no name of a set", "  pair: {first:", "  a b: {first:", "as the name of a param set"},
		{"a param without a type", "within: {type: string, default: \"\"}", "within: {default: \"\"}", "the param within has no type"},
		{"a set that is no text", "use: [field, pair]", "use: [field, {pair: }]", "an entry of use is"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(withSets, c.old, c.new, 1)
			if text == withSets {
				t.Fatal("nothing was replaced")
			}
			set := mustLoad(t, source(spec.Project, "p.yaml", text))
			problems := set.Problems
			if ns := set.Namespaces["app"]; len(problems) == 0 && ns != nil {
				problems = compiled(ns)
			}
			if got := fmt.Sprint(problems); !strings.Contains(got, c.want) || !strings.Contains(got, "p.yaml:") {
				t.Errorf("the problems are %s, want one with %q and a place", got, c.want)
			}
		})
	}
}

// compiled lists the problems of the actions of a namespace.
func compiled(ns *spec.Namespace) diag.List {
	var list diag.List
	for _, name := range ns.Order {
		_, problems := program.Compile(ns, ns.Actions[name], nil)
		list.Add(problems...)
	}
	return list
}
