package spec

import (
	"strings"

	"github.com/actionregistry/action/diag"
)

func (d *decoder) actions(key *Key) (map[string]*Action, []string) {
	n := key.Value
	if !d.isMap(n, key.Name, "write for example: actions: {dialog:open: {steps: […]}}") {
		return nil, nil
	}
	out := make(map[string]*Action, len(n.Keys))
	order := make([]string, 0, len(n.Keys))
	for _, k := range n.Keys {
		out[k.Name] = d.action(k)
		order = append(order, k.Name)
	}
	return out, order
}

func (d *decoder) actionName(k Key) {
	if IsAction(k.Name) {
		return
	}
	e := d.errorf(k.Pos, "found %s, expected the name of an action: component:verb", clip(k.Name))
	switch short := strings.TrimPrefix(k.Name, d.namespace+":"); {
	case short != k.Name && IsAction(short):
		e.WithHint("omit the namespace: %s", short)
	case IsAction(strings.ToLower(strings.ReplaceAll(k.Name, "_", "-"))):
		e.WithHint("write %s", strings.ToLower(strings.ReplaceAll(k.Name, "_", "-")))
	default:
		e.WithHint("write for example dialog:open; each part is %s", namespaceForm)
	}
}

func (d *decoder) action(key Key) *Action {
	d.actionName(key)
	a := &Action{Namespace: d.namespace, Name: key.Name, Pos: key.Pos, Source: d.source}
	if !d.isMap(key.Value, "the action "+key.Name, "write its steps: {steps: […]}") {
		return a
	}
	actionTable.decode(d, key.Value, a, key.Name)
	a.Parts = parts(key.Value)
	return a
}

// parts returns the position of each key of an action. For `params`, it returns the position of
// each param instead.
func parts(n *Node) map[string]diag.Pos {
	out := make(map[string]diag.Pos, len(n.Keys))
	for _, k := range n.Keys {
		out[k.Name] = k.Pos
		if k.Name == KeyParams && k.Value.Kind == Map {
			delete(out, KeyParams)
			for _, p := range k.Value.Keys {
				if !IsUse(p) {
					out[KeyParams+"."+p.Name] = p.Pos
				}
			}
		}
	}
	return out
}

func (d *decoder) returns(k *Key) *Node {
	if !d.isMap(k.Value, k.Name, `write for example: returns: {text: "${steps.modal.text}"}`) {
		return nil
	}
	return k.Value
}

func (d *decoder) verify(k *Key) []*Check {
	n := k.Value
	if !d.isList(n, k.Name, "write a list: - {condition: …, message: …}") {
		return nil
	}
	out := make([]*Check, 0, len(n.Items))
	for _, item := range n.Items {
		if c := d.check(item); c != nil {
			out = append(out, c)
		}
	}
	return out
}

func (d *decoder) check(n *Node) *Check {
	if !d.isMap(n, "an entry of verify", "write {condition: …, message: …} or {selector: …, state: visible, message: …}") {
		return nil
	}
	c := checkEntry{Check: &Check{Pos: n.Pos}}
	checkTable.decode(d, n, &c, "")
	if len(c.wait) > 0 {
		c.Wait = &Node{Kind: Map, Pos: n.Pos, Keys: c.wait}
	}
	switch condition := n.Get(KeyCondition); {
	case condition == nil && len(c.wait) == 0:
		d.errorf(n.Pos, "found an entry of `verify` with nothing to check").
			WithHint("add `condition`, `text`, `url`, or `selector` with `state`")
	case condition != nil && len(c.wait) > 0:
		d.errorf(c.wait[0].Pos, "an entry of `verify` has both `condition` and `%s`, expected one of them", c.wait[0].Name).
			WithHint("write two entries of `verify`")
	case condition != nil && c.RequireChange:
		d.errorf(c.change.Pos, "require_change needs selector, text or url: a condition is not evaluated before the run").
			WithHint("write selector, text or url instead of condition, or remove require_change")
	}
	return c.Check
}
