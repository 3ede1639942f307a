package validator

// The lookup of actions by the names that definitions use for each other.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/spec"
)

// A catalog holds every loaded namespace, by name. It is read-only.
type catalog struct {
	namespaces map[string]*spec.Namespace
	order      []*spec.Namespace // by name
}

func newCatalog(namespaces map[string]*spec.Namespace) *catalog {
	c := &catalog{namespaces: namespaces}
	for _, ns := range namespaces {
		if ns != nil {
			c.order = append(c.order, ns)
		}
	}
	slices.SortFunc(c.order, func(a, b *spec.Namespace) int { return cmp.Compare(a.Name, b.Name) })
	return c
}

// find returns the action with that name, or nil. The name is a full name, or a component:verb of
// the namespace ns.
func (c *catalog) find(ns, name string) *spec.Action {
	if strings.Count(name, ":") == 2 {
		ns, name, _ = strings.Cut(name, ":")
	}
	if n := c.namespaces[ns]; n != nil {
		return n.Actions[name]
	}
	return nil
}

// unknown returns the error for a name that refers to no action.
func (c *catalog) unknown(ns string, name spec.Text) *diag.Error {
	colons := strings.Count(name.Value, ":")
	if colons != 1 && colons != 2 {
		return diag.At(name.Pos(), diag.DefinitionInvalid,
			"found %q, expected the name of an action: component:verb or namespace:component:verb", name.Value).
			WithHint("%s", orElse(diag.DidYouMean(name.Value, c.names(ns, true)), "see the existing names with: action list"))
	}
	owner := ns
	if colons == 2 {
		owner, _, _ = strings.Cut(name.Value, ":")
	}
	var err *diag.Error
	if c.namespaces[owner] == nil {
		err = diag.At(name.Pos(), diag.DefinitionInvalid, "there is no action %s: no namespace %s is loaded", name.Value, owner)
	} else {
		err = diag.At(name.Pos(), diag.DefinitionInvalid, "there is no action %s in the namespace %s", name.Value, owner)
	}
	if hint := diag.DidYouMean(name.Value, c.names(ns, colons == 1)); hint != "" {
		return err.WithHint("%s", hint)
	}
	return err.WithHint("see the existing names with: action list")
}

// names returns the full names of all actions. If short is set, it returns the short names of the
// actions of ns.
func (c *catalog) names(ns string, short bool) []string {
	var names []string
	for _, n := range c.order {
		if short && n.Name != ns {
			continue
		}
		for name := range n.Actions {
			if !short {
				name = n.Name + ":" + name
			}
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// behind follows alias_of from a to an action that is not an alias. If there is none, it returns
// nil.
func (c *catalog) behind(a *spec.Action) *spec.Action {
	for range 32 {
		if a == nil || a.AliasOf == nil {
			return a
		}
		a = c.find(a.Namespace, a.AliasOf.Value)
	}
	return nil
}

// actions returns the actions of ns in the order in which they were written.
func actions(ns *spec.Namespace) []*spec.Action {
	list := make([]*spec.Action, 0, len(ns.Actions))
	for _, a := range ns.Actions {
		list = append(list, a)
	}
	slices.SortFunc(list, func(a, b *spec.Action) int {
		if a.Pos != b.Pos {
			return order(a.Pos, b.Pos)
		}
		return cmp.Compare(a.Name, b.Name)
	})
	return list
}

func order(a, b diag.Pos) int {
	switch {
	case a.Before(b):
		return -1
	case b.Before(a):
		return 1
	}
	return 0
}

// variants returns the variants of an action, lowest layer first.
func variants(ns *spec.Namespace, action string) []*spec.Variant {
	var list []*spec.Variant
	for i := range ns.Layers {
		for j := range ns.Layers[i].Overrides {
			if v := ns.Layers[i].Overrides[j].Actions[action]; v != nil {
				list = append(list, v)
			}
		}
	}
	return list
}

// eachStep calls visit for each step, including nested and fallback steps, in the order of the
// file.
func eachStep(list []*spec.Step, visit func(*spec.Step)) {
	for _, s := range list {
		if s == nil {
			continue
		}
		visit(s)
		s.Nested(func(inner []*spec.Step) { eachStep(inner, visit) })
	}
}

// eachActionStep visits the steps of an action and of all its variants.
func eachActionStep(ns *spec.Namespace, a *spec.Action, visit func(*spec.Step)) {
	eachStep(a.Steps, visit)
	for _, v := range variants(ns, a.Name) {
		eachStep(v.Steps, visit)
	}
}

// runTarget returns the name of the action that a `run` step calls. ok is false for other steps,
// and if the name contains a reference.
func runTarget(s *spec.Step) (target spec.Text, ok bool) {
	n, _, _ := catalogue.Called(s)
	if n == nil || n.Kind != spec.String || n.Str == "" || strings.Contains(n.Str, "${") {
		return spec.Text{}, false
	}
	return spec.Text{Value: n.Str, Node: n}, true
}
