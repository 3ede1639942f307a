package spec

import (
	"regexp"
	"slices"

	"github.com/actionregistry/action/diag"
)

func (d *decoder) params(n *Node) []*Param {
	if !d.isMap(n, "params", "write for example: params: {name: {type: string}}") {
		return nil
	}
	out := make([]*Param, 0, len(n.Keys))
	for _, k := range n.Keys {
		switch {
		case IsUse(k):
			d.texts(k.Value, UseKey) // the loader puts the params of the sets in its place
			continue
		case !IsName(k.Name):
			d.badName(k.Pos, "a param", k.Name, nameForm)
		case slices.Contains(BareRoots(), k.Name):
			d.errorf(k.Pos, "a param may not be named %s: ${%s} means something else", k.Name, k.Name).
				WithHint("choose another name")
		}
		out = append(out, d.param(k, paramKeys))
	}
	return out
}

// UseKey is the key of `params`, of an action or of `run`, that names param sets if its value
// is a list. With any other value it is a param of that name.
const UseKey = "use"

// IsUse reports whether an entry of `params` names param sets.
func IsUse(k Key) bool { return k.Name == UseKey && k.Value != nil && k.Value.Kind == List }

// paramSets checks the form of a file's sets. The loader merges them.
func (d *decoder) paramSets(n *Node) {
	if !d.isMap(n, "param_sets", "write for example: param_sets: {field: {label: {type: string}}}") {
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
				d.errorf(p.Pos, "the param set %s uses other sets", k.Name).WithHint("write their params into it, or name the sets in the params of the actions")
			}
		}
		d.params(k.Value)
	}
}

var (
	paramKeys = []string{
		"type", "required", "default", "description", "secret", "pattern", "min", "max",
		"min_length", "max_length", "values", "items", "properties",
	}
	itemKeys = []string{"type", "description", "pattern", "min", "max", "min_length", "max_length", "values", "items", "properties"}
)

// param reads a param, a property or the items of an array.
func (d *decoder) param(key Key, known []string) *Param {
	p := &Param{Name: key.Name, Pos: key.Pos}
	n := key.Value
	if !d.isMap(n, key.Name, "write for example: {type: string}") {
		return p
	}
	for _, k := range n.Keys {
		if !contains(known, k.Name) {
			d.unknown(k, "the param "+key.Name, known)
			continue
		}
		switch k.Name {
		case "type":
			p.Type = ParamType(d.oneOf(k.Value, k.Name, typeNames))
		case "required":
			p.Required = d.boolean(k.Value, k.Name)
		case "default":
			p.Default = k.Value
		case "description":
			p.Description = d.text(k.Value, k.Name).value()
		case "secret":
			p.Secret = d.boolean(k.Value, k.Name)
		case "pattern":
			p.Pattern = d.pattern(k.Value)
		case "min":
			p.Min = d.number(k.Value, k.Name)
		case "max":
			p.Max = d.number(k.Value, k.Name)
		case "min_length":
			p.MinLength = d.length(k.Value, k.Name)
		case "max_length":
			p.MaxLength = d.length(k.Value, k.Name)
		case "values":
			p.Values = d.values(k.Value)
		case "items":
			p.Items = d.param(Key{Name: "items", Pos: k.Pos, Value: k.Value}, itemKeys)
		case "properties":
			p.Properties = d.properties(k.Value)
		}
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

func (d *decoder) pattern(n *Node) *Text {
	t := d.text(n, "pattern")
	if t == nil {
		return nil
	}
	if _, err := regexp.Compile(t.Value); err != nil {
		d.errorf(n.Pos, "pattern is no RE2 pattern: %s", regexpProblem(err)).
			WithHint("look-around and back references are not available")
	}
	return t
}

func (d *decoder) number(n *Node, what string) *float64 {
	v := n.Float
	if n.Kind == Int {
		v = float64(n.Int)
	} else if !d.isKind(n, Float, what, "write a number") {
		return nil
	}
	return &v
}

func (d *decoder) length(n *Node, what string) *int {
	v, ok := d.integer(n, what, 0, 1<<20)
	if !ok {
		return nil
	}
	return &v
}

func (d *decoder) values(n *Node) []any {
	if !d.isList(n, "values", "write for example: values: [text, testid]") {
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

func (d *decoder) properties(n *Node) []*Param {
	if !d.isMap(n, "properties", "write for example: properties: {street: {type: string}}") {
		return nil
	}
	out := make([]*Param, 0, len(n.Keys))
	for _, k := range n.Keys {
		out = append(out, d.param(k, paramKeys))
	}
	return out
}

func regexpProblem(err error) string {
	if e, ok := err.(interface{ Unwrap() error }); ok && e.Unwrap() != nil {
		return e.Unwrap().Error()
	}
	return err.Error()
}

func contains(list []string, s string) bool {
	for _, v := range list {
		if v == s {
			return true
		}
	}
	return false
}

// Check reports what is wrong with an action as a whole, as its files define it together:
// missing parts, or parts that do not fit together.
func (a *Action) Check() diag.List {
	var out diag.List
	switch {
	case a.AliasOf == nil && len(a.Steps) == 0:
		out.Add(diag.At(a.Pos, diag.DefinitionInvalid, "%s has no steps", a.FullName()).
			WithHint("add steps, or alias_of with the name of another action"))
	case a.AliasOf != nil && len(a.Steps) > 0:
		out.Add(diag.At(a.AliasOf.Pos(), diag.DefinitionInvalid, "%s has steps and alias_of, expected one of them", a.FullName()).
			WithHint("an alias takes its steps from %s: drop steps or alias_of", a.AliasOf.Value))
	}
	if a.AliasOf != nil && a.Settle != nil {
		out.Add(diag.At(a.Settle.Pos, diag.DefinitionInvalid, "%s has settle and alias_of, expected one of them", a.FullName()).
			WithHint("write settle in the action that it is another name of"))
	}
	if a.AliasOf != nil && a.Calm {
		out.Add(diag.At(a.AliasOf.Pos(), diag.DefinitionInvalid, "%s has calm and alias_of, expected one of them", a.FullName()).
			WithHint("write calm in the action that it is another name of"))
	}
	if a.AliasOf != nil && a.Scope != nil {
		out.Add(diag.At(a.Scope.Pos(), diag.DefinitionInvalid, "%s has scope and alias_of, expected one of them", a.FullName()).
			WithHint("an alias runs %s as it is: drop the scope, or run that action from a step", a.AliasOf.Value))
	}
	for _, p := range a.Params {
		p.check(&out)
	}
	return out
}

// fits lists the keys that a type may have, besides the common ones.
var fits = map[string][]ParamType{
	"pattern":    {TypeString},
	"min_length": {TypeString, TypeArray},
	"max_length": {TypeString, TypeArray},
	"min":        {TypeNumber, TypeInteger},
	"max":        {TypeNumber, TypeInteger},
	"values":     {TypeEnum},
	"items":      {TypeArray},
	"properties": {TypeObject},
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
	for _, c := range []struct {
		key string
		set bool
	}{
		{"pattern", p.Pattern != nil}, {"min", p.Min != nil}, {"max", p.Max != nil},
		{"min_length", p.MinLength != nil}, {"max_length", p.MaxLength != nil},
		{"values", p.Values != nil}, {"items", p.Items != nil}, {"properties", p.Properties != nil},
	} {
		if !c.set {
			continue
		}
		ok := false
		for _, t := range fits[c.key] {
			ok = ok || t == p.Type
		}
		if !ok {
			bad("the %s %s may not have %s", p.Type, p.Name, c.key).
				WithHint("%s is for type %s", c.key, joinTypes(fits[c.key]))
		}
	}
	if p.Min != nil && p.Max != nil && *p.Min > *p.Max {
		bad("the param %s has a min of %v over its max of %v", p.Name, *p.Min, *p.Max).WithHint("exchange them")
	}
	if p.MinLength != nil && p.MaxLength != nil && *p.MinLength > *p.MaxLength {
		bad("the param %s has a min_length of %d over its max_length of %d", p.Name, *p.MinLength, *p.MaxLength).WithHint("exchange them")
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
