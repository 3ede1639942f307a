package spec

import (
	"regexp"
	"slices"

	"github.com/actionregistry/action/diag"
)

func (d *decoder) params(n *Node) []*Param {
	if !d.isMap(n, KeyParams, "write for example: params: {name: {type: string}}") {
		return nil
	}
	out := make([]*Param, 0, len(n.Keys))
	for i := range n.Keys {
		k := &n.Keys[i]
		switch {
		case IsUse(*k):
			d.texts(k.Value, UseKey) // the loader replaces it with the params of the sets
			continue
		case !IsName(k.Name):
			d.badName(k.Pos, "a param", k.Name, nameForm)
		case slices.Contains(BareRoots(), k.Name):
			d.errorf(k.Pos, "found the param name %s, which is reserved: ${%s} means something else", k.Name, k.Name).
				WithHint("choose another name for the param")
		}
		out = append(out, d.param(k, paramTable))
	}
	return out
}

// UseKey is the key of the list of param sets in `params`. If its value is not a list, the key is
// the name of an ordinary param.
const UseKey = "use"

// IsUse reports whether an entry of `params` lists param sets.
func IsUse(k Key) bool { return k.Name == UseKey && k.Value != nil && k.Value.Kind == List }

// paramSets checks the param sets of a file. It does not return them.
func (d *decoder) paramSets(key *Key) {
	n := key.Value
	if !d.isMap(n, key.Name, "write for example: param_sets: {field: {label: {type: string}}}") {
		return
	}
	for _, k := range n.Keys {
		if !IsName(k.Name) {
			d.badName(k.Pos, "a param set", k.Name, nameForm)
		}
		if !d.isMap(k.Value, "the param set "+k.Name, "write its params: {label: {type: string}}") {
			continue
		}
		for _, p := range k.Value.Keys {
			if IsUse(p) {
				d.errorf(p.Pos, "the param set %s uses other sets, expected only params", k.Name).
					WithHint("copy the params of those sets into this one, or use those sets in the params of each action")
			}
		}
		d.params(k.Value)
	}
}

// param reads a param, a property or the items of an array.
func (d *decoder) param(key *Key, keys *table[Param]) *Param {
	p := &Param{Name: key.Name, Pos: key.Pos}
	if d.isMap(key.Value, key.Name, "write for example: {type: string}") {
		keys.decode(d, key.Value, p, key.Name)
	}
	return p
}

var typeNames = func() []string {
	var out []string
	for _, t := range ParamTypes() {
		out = append(out, string(t))
	}
	return out
}()

func (d *decoder) pattern(k *Key) *Text {
	t := d.text(k.Value, k.Name)
	if t == nil {
		return nil
	}
	if _, err := regexp.Compile(t.Value); err != nil {
		d.errorf(k.Value.Pos, "found an invalid pattern, expected RE2 syntax: %s", regexpProblem(err)).
			WithHint("avoid look-around and back references, which RE2 does not have")
	}
	return t
}

func (d *decoder) number(k *Key) *float64 {
	n := k.Value
	v := n.Float
	if n.Kind == Int {
		v = float64(n.Int)
	} else if !d.isKind(n, Float, k.Name, "write a number") {
		return nil
	}
	return &v
}

func (d *decoder) length(k *Key) *int {
	v, ok := d.integer(k.Value, k.Name, 0, 1<<20)
	if !ok {
		return nil
	}
	return &v
}

func (d *decoder) values(k *Key) []any {
	n := k.Value
	if !d.isList(n, k.Name, "write for example: values: [text, testid]") {
		return nil
	}
	if len(n.Items) == 0 {
		d.errorf(n.Pos, "values is empty, expected at least one value")
	}
	out := make([]any, 0, len(n.Items))
	for _, item := range n.Items {
		if item.Kind == Null || item.Kind == List || item.Kind == Map {
			d.errorf(item.Pos, "an entry of values is %s, expected a string, a number or a boolean", item.describe()).
				WithHint("write for example: values: [text, testid]")
			continue
		}
		out = append(out, item.Value())
	}
	return out
}

func (d *decoder) properties(key *Key) []*Param {
	n := key.Value
	if !d.isMap(n, key.Name, "write for example: properties: {street: {type: string}}") {
		return nil
	}
	out := make([]*Param, 0, len(n.Keys))
	for i := range n.Keys {
		out = append(out, d.param(&n.Keys[i], paramTable))
	}
	return out
}

func regexpProblem(err error) string {
	if e, ok := err.(interface{ Unwrap() error }); ok && e.Unwrap() != nil {
		return e.Unwrap().Error()
	}
	return err.Error()
}

// Check returns the errors of a merged action: missing parts, and parts that contradict each other.
func (a *Action) Check() diag.List {
	var out diag.List
	switch {
	case a.AliasOf == nil && len(a.Steps) == 0:
		out.Add(diag.At(a.Pos, diag.DefinitionInvalid, "%s has no steps", a.FullName()).
			WithHint("add `steps`, or add `alias_of` with the name of another action"))
	case a.AliasOf != nil && len(a.Steps) > 0:
		out.Add(diag.At(a.AliasOf.Pos(), diag.DefinitionInvalid, "%s has both `steps` and `alias_of`, expected one of them", a.FullName()).
			WithHint("remove `steps` or `alias_of`: an alias takes its steps from %s", a.AliasOf.Value))
	}
	if a.AliasOf != nil && a.Settle != nil {
		out.Add(diag.At(a.Settle.Pos, diag.DefinitionInvalid, "%s has both `settle` and `alias_of`, expected one of them", a.FullName()).
			WithHint("write `settle` in the action that the alias refers to"))
	}
	if a.AliasOf != nil && a.Calm {
		out.Add(diag.At(a.AliasOf.Pos(), diag.DefinitionInvalid, "%s has both `calm` and `alias_of`, expected one of them", a.FullName()).
			WithHint("write `calm` in the action that the alias refers to"))
	}
	if a.AliasOf != nil && a.Approval {
		out.Add(diag.At(a.AliasOf.Pos(), diag.DefinitionInvalid, "%s has both `approval` and `alias_of`, expected one of them", a.FullName()).
			WithHint("write `approval` in the action that the alias refers to"))
	}
	if a.AliasOf != nil && a.Scope != nil {
		out.Add(diag.At(a.Scope.Pos(), diag.DefinitionInvalid, "%s has both `scope` and `alias_of`, expected one of them", a.FullName()).
			WithHint("remove `scope`, or run the other action from a step: an alias runs %s unchanged", a.AliasOf.Value))
	}
	for _, p := range a.Params {
		p.check(&out)
	}
	return out
}

func (p *Param) check(out *diag.List) {
	bad := func(format string, args ...any) *diag.Error {
		e := diag.At(p.Pos, diag.DefinitionInvalid, format, args...)
		out.Add(e)
		return e
	}
	if p.Type == "" {
		bad("the param %s has no type", p.Name).WithHint("add type: string")
		return
	}
	if p.Type == TypeEnum && p.Values == nil {
		bad("the enum %s has no values", p.Name).WithHint("write for example: values: [text, testid]")
	}
	for i := range paramTable.entries {
		e := &paramTable.entries[i]
		if e.Types == nil || slices.Contains(e.Types, p.Type) || e.value(p) == nil {
			continue
		}
		bad("the %s param %s may not have `%s`", p.Type, p.Name, e.Name).
			WithHint("use `%s` only with type %s", e.Name, joinTypes(e.Types))
	}
	if p.Min != nil && p.Max != nil && *p.Min > *p.Max {
		bad("the param %s has a min of %v above its max of %v", p.Name, *p.Min, *p.Max).WithHint("swap the two values")
	}
	if p.MinLength != nil && p.MaxLength != nil && *p.MinLength > *p.MaxLength {
		bad("the param %s has a min_length of %d above its max_length of %d", p.Name, *p.MinLength, *p.MaxLength).WithHint("swap the two values")
	}
	if p.Items != nil {
		p.Items.check(out)
	}
	for _, q := range p.Properties {
		q.check(out)
	}
}

func joinTypes(types []ParamType) string {
	s := ""
	for i, t := range types {
		if i > 0 {
			s += " or "
		}
		s += string(t)
	}
	return s
}
