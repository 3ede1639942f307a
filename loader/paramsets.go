package loader

// Param sets are params that actions share. They are merged key by key over the layers of a
// namespace, like the params of an action. Then the params of the sets that an action uses are put
// below its own.

import (
	"maps"
	"slices"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// paramSets maps the names of the param sets of a namespace to their definitions. Each layer may
// define a set; the definition in the lowest layer comes first.
type paramSets map[string][]paramSet

func (m *merger) setsOf(units []*unit) paramSets {
	all := make(paramSets)
	for _, u := range units {
		for _, s := range m.layer(u).sets {
			all[s.key.Name] = append(all[s.key.Name], s)
		}
	}
	return all
}

// merged returns the set with the definitions of all layers merged, or nil if there is no set.
func (s paramSets) merged(name string) *spec.Node {
	var out *spec.Node
	for _, layer := range s[name] {
		if out == nil {
			out = layer.key.Value
			continue
		}
		out = mergeNodes(out, layer.key.Value, "params")
	}
	return out
}

func (s paramSets) names() map[string][]string {
	out := make(map[string][]string, len(s))
	for name := range s {
		out[name] = []string{}
		for _, k := range s.merged(name).Keys {
			out[name] = append(out[name], k.Name)
		}
	}
	return out
}

// writers returns the sources that define at least one of the sets.
func (s paramSets) writers(sets []string) []spec.Source {
	var out []spec.Source
	for _, name := range sets {
		for _, layer := range s[name] {
			if !slices.Contains(out, layer.source) {
				out = append(out, layer.source)
			}
		}
	}
	return out
}

// usedBy returns the nodes with the names of the param sets that an action uses.
func usedBy(action *spec.Node) []*spec.Node {
	for _, k := range entries(action.Get("params")) {
		if spec.IsUse(k) {
			return k.Value.Items
		}
	}
	return nil
}

func (p *pile) uses() []string {
	var names []string
	for _, n := range usedBy(p.key.Value) {
		names = append(names, n.Str)
	}
	return names
}

// use returns an action with the params of its param sets added. The action's own params have
// priority. If the action uses no sets, use returns nil.
func (s paramSets) use(key spec.Key) (*spec.Key, diag.List) {
	names := usedBy(key.Value)
	if names == nil {
		return nil, nil
	}
	var problems diag.List
	params := &spec.Node{Kind: spec.Map, Pos: key.Value.Get("params").Pos}
	from := make(map[string]string) // set of each param
	for _, n := range names {
		set := s.merged(n.Str)
		if n.Kind != spec.String {
			continue // already reported
		}
		if set == nil {
			problems.Add(diag.At(n.Pos, diag.DefinitionInvalid, "there is no param set %q", n.Str).
				WithHint("%s", orHint(diag.DidYouMean(n.Str, slices.Sorted(maps.Keys(s))), "add the set under param_sets")))
			continue
		}
		for _, k := range set.Keys {
			if other, twice := from[k.Name]; twice && other != n.Str {
				problems.Add(diag.At(n.Pos, diag.DefinitionInvalid, "found the param sets %s and %s with the same param %q", other, n.Str, k.Name).
					WithHint("use only one of the two sets, and write the other params into the action"))
				continue
			}
			if from[k.Name] == "" {
				params.Keys = append(params.Keys, k)
			}
			from[k.Name] = n.Str
		}
	}
	out := key
	out.Value = withKey(key.Value, "params", mergeNodes(params, key.Value.Get("params"), "params"))
	return &out, problems
}

func orHint(hint, other string) string {
	if hint != "" {
		return hint
	}
	return other
}

// withKey returns a copy of n with another value for an existing key.
func withKey(n *spec.Node, name string, value *spec.Node) *spec.Node {
	out := *n
	out.Keys = slices.Clone(n.Keys)
	for i := range out.Keys {
		if out.Keys[i].Name == name {
			out.Keys[i].Value = value
		}
	}
	return &out
}
