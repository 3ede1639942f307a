package registry

// Params in descriptions: every key that the tables of package spec declare, without the values of
// secrets.

import (
	"bytes"
	"encoding/json"

	"github.com/actionregistry/action/spec"
)

// A Param describes a param, an item or a property. Its JSON is an object with its name, followed
// by its keys.
type Param struct {
	Name        string // "" for an item
	Type        string
	Description string
	Required    bool
	Secret      bool
	Default     any // nil: none
	Values      []any

	// Keys lists all keys that have a value, including those above, in the order of the JSON.
	Keys []ParamKey
}

// A ParamKey is one key of a param, with its name in definition files. Value is plain data. For the
// key items it is a *Param, and for the key properties a []Param.
type ParamKey struct {
	Name  string
	Value any
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

// describeParam describes a param. It masks the default of a secret, and secrets inside a default.
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

// hasSecret reports whether the param or a part of it is secret. In both cases, the default of the
// param contains a secret.
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
