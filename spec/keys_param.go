package spec

// The keys of a param, and of the items of an array. To add one, add its field to [Param], its
// entry here, and the check of its value in package program.

import "slices"

var (
	paramTable *table[Param]
	itemTable  *table[Param]
)

var (
	paramMapping = Mapping{Name: ParamMap, What: "the param"}
	itemMapping  = Mapping{Name: ItemMap, What: "the param"}
)

// Values of [Field.Rank].
const (
	rankType = iota - 2
	rankParts
	rankLimits // the default
	rankOfName
)

func paramKeys() []entry[Param] {
	return []entry[Param]{
		// Not required, because a file may change a part of a param that a lower file declares.
		{Field: Field{Name: "type", Type: enum(typeNames...), Rank: rankType, Described: -4, Doc: "Type of the value."},
			decode: func(d *decoder, p *Param, k *Key) { p.Type = ParamType(d.oneOf(k.Value, k.Name, typeNames)) },
			value:  func(p *Param) any { return nonZero(string(p.Type)) }},
		{Field: Field{Name: "required", Type: boolValue, OfName: true, Rank: rankOfName, Described: -3, Doc: "Whether a run must pass it."},
			decode: func(d *decoder, p *Param, k *Key) { p.Required = d.boolean(k.Value, k.Name) },
			value:  func(p *Param) any { return nonZero(p.Required) }},
		{Field: Field{Name: "default", Type: anyValue, OfName: true, Rank: rankOfName, Described: -2,
			Doc: "Value if it is not passed.", Note: "It is checked when the file is loaded."},
			decode: func(_ *decoder, p *Param, k *Key) { p.Default = k.Value },
			value:  func(p *Param) any { return p.Default.Value() }},
		{Field: Field{Name: "description", Type: anyText, Rank: rankType, Described: -4, Doc: "Purpose of the param."},
			decode: func(d *decoder, p *Param, k *Key) { p.Description = d.text(k.Value, k.Name).value() },
			value:  func(p *Param) any { return nonZero(p.Description) }},
		{Field: Field{Name: "secret", Type: boolValue, OfName: true, Rank: rankOfName, Described: -3, Doc: "Whether its value is masked in all output."},
			decode: func(d *decoder, p *Param, k *Key) { p.Secret = d.boolean(k.Value, k.Name) },
			value:  func(p *Param) any { return nonZero(p.Secret) }},
		{Field: Field{Name: "pattern", Type: anyText, Types: []ParamType{TypeString}, Doc: "RE2 pattern that a string must match."},
			decode: func(d *decoder, p *Param, k *Key) { p.Pattern = d.pattern(k) },
			value: func(p *Param) any {
				if p.Pattern == nil {
					return nil
				}
				return p.Pattern.Value
			}},
		{Field: Field{Name: "min", Type: anyNumber, Types: []ParamType{TypeNumber, TypeInteger}, Doc: "Smallest number."},
			decode: func(d *decoder, p *Param, k *Key) { p.Min = d.number(k) },
			value:  func(p *Param) any { return given(p.Min) }},
		{Field: Field{Name: "max", Type: anyNumber, Types: []ParamType{TypeNumber, TypeInteger}, Doc: "Largest number."},
			decode: func(d *decoder, p *Param, k *Key) { p.Max = d.number(k) },
			value:  func(p *Param) any { return given(p.Max) }},
		{Field: Field{Name: "min_length", Type: whole(0, 0), Types: []ParamType{TypeString, TypeArray},
			Doc: "Fewest characters of a string, or items of an array."},
			decode: func(d *decoder, p *Param, k *Key) { p.MinLength = d.length(k) },
			value:  func(p *Param) any { return given(p.MinLength) }},
		{Field: Field{Name: "max_length", Type: whole(0, 0), Types: []ParamType{TypeString, TypeArray},
			Doc: "Most characters of a string, or items of an array."},
			decode: func(d *decoder, p *Param, k *Key) { p.MaxLength = d.length(k) },
			value:  func(p *Param) any { return given(p.MaxLength) }},
		{Field: Field{Name: "values", Type: Type{Kind: ListType, Of: []Type{scalar}, Least: 1}, Types: []ParamType{TypeEnum},
			Rank: rankParts, Described: -1, Doc: "The values of an enum."},
			decode: func(d *decoder, p *Param, k *Key) { p.Values = d.values(k) },
			value:  func(p *Param) any { return list(p.Values) }},
		{Field: Field{Name: "items", Type: keysOf(ItemMap), Types: []ParamType{TypeArray}, Rank: rankParts, Described: -1,
			Doc: "Type of the items of an array."},
			decode: func(d *decoder, p *Param, k *Key) { p.Items = d.param(k, itemTable) },
			value: func(p *Param) any {
				if p.Items == nil {
					return nil
				}
				return p.Items
			}},
		{Field: Field{Name: "properties", Type: namesTo(AnyForm, keysOf(ParamMap)), Types: []ParamType{TypeObject}, Rank: rankParts, Described: -1,
			Doc: "Properties of an object."},
			decode: func(d *decoder, p *Param, k *Key) { p.Properties = d.properties(k) },
			value:  func(p *Param) any { return list(p.Properties) }},
	}
}

// A ParamKey is one key that the definition of a param may have, such as min_length, and its value.
type ParamKey struct {
	Name  string
	Value any // plain data, a *Param for the key items, or a []*Param for the key properties
}

// Written returns the keys that the definition of the param has, in the order of `describe`. It
// omits keys with the value false and keys with an empty value. It includes a default of any value
// except null.
func (p *Param) Written() []ParamKey {
	out := make([]ParamKey, 0, 4)
	for _, e := range describedKeys {
		if v := e.value(p); v != nil && (e.Type.Kind == AnyType || !isEmpty(v)) {
			out = append(out, ParamKey{e.Name, v})
		}
	}
	return out
}

// describedKeys lists the entries of params in the order in which `describe` shows them.
var describedKeys []*entry[Param]

func isEmpty(v any) bool {
	switch v := v.(type) {
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case []*Param:
		return len(v) == 0
	}
	return false
}

// itemKeys returns the keys that are allowed in `items`, where params have no names.
func itemKeys() []entry[Param] {
	return slices.DeleteFunc(paramKeys(), func(e entry[Param]) bool { return e.OfName })
}
