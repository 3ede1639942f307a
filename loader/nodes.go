package loader

// Merging the trees of two layers, key by key.

import "github.com/actionregistry/action/spec"

// mergeAction merges a higher layer's action into a lower one's.
func mergeAction(low, high *spec.Node) *spec.Node {
	// steps and alias_of are alternatives: writing one replaces the other.
	if high.Get("steps") != nil && high.Get("alias_of") == nil {
		low = dropKey(low, "alias_of")
	} else if high.Get("alias_of") != nil && high.Get("steps") == nil {
		low = dropKey(low, "steps")
	}
	return mergeNodes(low, high, "")
}

func dropKey(n *spec.Node, key string) *spec.Node {
	out := *n
	out.Keys = nil
	for _, k := range n.Keys {
		if k.Name != key {
			out.Keys = append(out.Keys, k)
		}
	}
	return &out
}

// mergeNodes merges two maps key by key. For other nodes, it returns high. The keys keep the order
// of low. The `default` of a param is not merged, even if it is a map. top is the key of the action
// that contains the nodes, such as "params", or "" for the action itself.
func mergeNodes(low, high *spec.Node, top string) *spec.Node {
	if low.Kind != spec.Map || high.Kind != spec.Map {
		return high
	}
	out := &spec.Node{Kind: spec.Map, Pos: high.Pos, Keys: append([]spec.Key(nil), low.Keys...)}
	for _, k := range high.Keys {
		i := 0
		for i < len(out.Keys) && out.Keys[i].Name != k.Name {
			i++
		}
		if i == len(out.Keys) {
			out.Keys = append(out.Keys, k)
			continue
		}
		within := top
		if top == "" {
			within = k.Name
		}
		if within != "params" || k.Name != "default" {
			k.Value = mergeNodes(out.Keys[i].Value, k.Value, within)
		}
		out.Keys[i] = k
	}
	return out
}
