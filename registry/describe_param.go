package registry

// Params in descriptions: every key that the tables of package spec declare, without the values of
// secrets.

import (
	"bytes"
	"encoding/json"

	"github.com/actionregistry/action/spec"
)

// A Param describes a param of an action. It also describes the items of an array or a property of
// an object. Its JSON is an object with the name, followed by Keys.
type Param struct {
	Name        string // "" for an item
	Type        string
	Description string
	Required    bool
	Secret      bool
	Default     any // nil: none
	Values      []any

	// Keys lists all keys that the definition of the param has, in the order of the JSON. They
	// include the keys in the fields above.
	Keys []ParamKey
}

// A ParamKey is one key that the definition of a param has, such as min_length, and its value.
type ParamKey struct {
	Name  string
	Value any // plain data, a *Param for the key items, or a []Param for the key properties
}

// MarshalJSON writes the keys in order.
func (p Param) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // the encoder of the whole description decides about HTML
	keys := p.Keys
	if p.Name != "" {
		keys = append([]ParamKey{{"name", p.Name}}, keys...)
	}
	b.WriteByte('{')
	for i, k := range keys {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := enc.Encode(k.Name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := enc.Encode(k.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func describeParams(params []*spec.Param) []Param {
	var out []Param
	for _, p := range params {
		out = append(out, describeParam(p, p.Secret))
	}
	return out
}

// describeParam describes a param. It masks secrets. The argument secret says whether p is part of
// a secret param.
func describeParam(p *spec.Param, secret bool) Param {
	shown := *p
	if p.Default != nil && (secret || hasSecret(p)) {
		shown.Default = &spec.Node{Kind: spec.String, Str: mask}
	}
	if secret && p.Values != nil {
		shown.Values = []any{mask}
	}
	out := Param{
		Name: p.Name, Type: string(p.Type), Description: p.Description, Required: p.Required, Secret: p.Secret,
		Default: shown.Default.Value(), Values: shown.Values,
	}
	for _, k := range shown.Written() {
		switch v := k.Value.(type) {
		case *spec.Param:
			items := describeParam(v, secret || v.Secret)
			items.Name = ""
			k.Value = &items
		case []*spec.Param:
			list := make([]Param, len(v))
			for i, q := range v {
				list[i] = describeParam(q, secret || q.Secret)
			}
			k.Value = list
		}
		out.Keys = append(out.Keys, ParamKey(k))
	}
	return out
}

// hasSecret reports whether p, its items or one of its properties is secret.
func hasSecret(p *spec.Param) bool {
	if p.Secret || p.Items != nil && hasSecret(p.Items) {
		return true
	}
	for _, q := range p.Properties {
		if hasSecret(q) {
			return true
		}
	}
	return false
}
