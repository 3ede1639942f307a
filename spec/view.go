package spec

import (
	"maps"

	"github.com/actionregistry/action/version"
)

// A View is a namespace as it applies to one version of the page's library.
type View struct {
	Aliases map[string]*Alias
	// Replaced holds the builtin aliases that a package has replaced.
	Replaced map[string]*Alias
	variants map[string]*Variant
	written  map[string][]*Variant // the variants from which each entry of variants is merged
}

// At returns the namespace as it applies to version v. A selector of a higher layer replaces the
// selectors and the overrides of lower layers. Within a layer, a matching override replaces a
// selector. If v is nil, no override matches.
func (n *Namespace) At(v *version.Version) *View {
	view := viewOf(n.Layers, v)
	if n.Builtin == nil {
		return view
	}
	for name, low := range viewOf(n.Builtin, v).Aliases {
		// If the alias that applies is builtin too, an `extends` has put it above low.
		if a := view.Aliases[name]; a != nil && a != low && a.Source.Kind <= Package {
			view.Replaced[name] = low
		}
	}
	return view
}

func viewOf(layers []Layer, v *version.Version) *View {
	view := &View{
		Aliases: make(map[string]*Alias), Replaced: make(map[string]*Alias),
		variants: make(map[string]*Variant), written: make(map[string][]*Variant),
	}
	for i := range layers {
		maps.Copy(view.Aliases, layers[i].Selectors)
		for j := range layers[i].Overrides {
			o := &layers[i].Overrides[j]
			if v == nil || o.Match == nil || !o.Match.Match(v) {
				continue
			}
			maps.Copy(view.Aliases, o.Selectors)
			for name, variant := range o.Actions {
				view.variants[name] = variant.over(view.variants[name])
				view.written[name] = append(view.written[name], variant)
			}
		}
	}
	return view
}

// Variant returns the parts that overrides replace in the action component:verb. If they replace
// nothing, it returns nil.
func (v *View) Variant(name string) *Variant { return v.variants[name] }

// Written returns the variants from which the result of [View.Variant] is merged, lowest first.
func (v *View) Written(name string) []*Variant { return v.written[name] }

// over returns a copy of v with the parts of the variant "below" that v does not have. If the
// variant "below" is nil, it returns v.
func (v *Variant) over(below *Variant) *Variant {
	if below == nil {
		return v
	}
	merged := *v
	if merged.Steps == nil {
		merged.Steps = below.Steps
	}
	if merged.Verify == nil {
		merged.Verify = below.Verify
	}
	if merged.Returns == nil {
		merged.Returns = below.Returns
	}
	return &merged
}

// HasOverrides reports whether a layer overrides the alias for some versions.
func (n *Namespace) HasOverrides(alias string) bool {
	for i := range n.Layers {
		for j := range n.Layers[i].Overrides {
			if _, ok := n.Layers[i].Overrides[j].Selectors[alias]; ok {
				return true
			}
		}
	}
	return false
}
