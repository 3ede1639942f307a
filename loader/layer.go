package loader

import (
	"slices"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// A unit holds the files of one namespace that have the same priority. They must not contradict
// each other. A file or a package in `extends` is also a unit.
type unit struct {
	source spec.Source // of the first file
	files  []*file
	merged *layer // set once by (*merger).layer
}

// A layer is the result of merging the files of a unit.
type layer struct {
	spec.Layer
	namespace   spec.Text // of the first file
	version     *spec.Text
	description *spec.Text
	extends     []parent
	env         []spec.EnvVar
	compat      spec.Compat
	busy        *spec.Text
	settle      *spec.Settle
	sets        []paramSet
	actions     map[string]entry
	order       []string

	// Names that files of the unit define differently. All definitions of these names are ignored,
	// also those in lower layers.
	noAlias, noAction map[string]bool
}

// An entry is an action of one layer.
type entry struct {
	key    spec.Key // in its file's `actions`
	action *spec.Action
	file   *file
}

// A parent is one entry of `extends`.
type parent struct {
	spec.Text
	file *file // file that wrote it
}

// layer merges the files of a unit.
func (m *merger) layer(u *unit) *layer {
	if u.merged != nil {
		return u.merged
	}
	l := &layer{
		Layer:   spec.Layer{Source: u.source, Selectors: make(map[string]*spec.Alias)},
		actions: make(map[string]entry), noAlias: make(map[string]bool), noAction: make(map[string]bool),
	}
	u.merged = l
	for i, f := range u.files {
		if i == 0 {
			l.namespace = f.def.Namespace
		}
		l.Files = append(l.Files, f.name)
		m.scalar("version", &l.version, f.def.Version)
		m.scalar("description", &l.description, f.def.Description)
		m.lists(l, f)
		m.scalar("version_script", &l.compat.Script, f.def.Compat.Script)
		m.scalar("version_selector", &l.compat.Selector, f.def.Compat.Selector)
		m.scalar("version_meta", &l.compat.Meta, f.def.Compat.Meta)
		m.markup(l, f.def.Compat.Markup)
		m.scalar("min_version", &l.compat.Min, f.def.Compat.Min)
		m.scalar("max_version", &l.compat.Max, f.def.Compat.Max)
		m.scalar("busy", &l.busy, f.def.Busy)
		m.settle(l, f.def.Settle)
		m.aliases(l, f)
		m.paramSets(l, f)
		m.overrides(l, f)
		m.actions(l, f)
	}
	for name := range l.noAlias {
		delete(l.Selectors, name)
	}
	return l
}

// scalar sets a value of a layer. If the layer has another value, it reports a conflict instead.
func (m *merger) scalar(what string, have **spec.Text, add *spec.Text) {
	switch {
	case add == nil:
	case *have == nil:
		*have = add
	case (*have).Value != add.Value:
		m.conflict(what, (*have).Pos(), add.Pos())
	}
}

// settle sets `settle` of a layer. If the layer has another value, it reports a conflict instead.
func (m *merger) settle(l *layer, add *spec.Settle) {
	switch {
	case add == nil:
	case l.settle == nil:
		l.settle = add
	case l.settle.Time() != add.Time():
		m.conflict("settle", l.settle.Pos, add.Pos)
	}
}

// markup sets the marks of a layer. If the layer has other marks, it reports a conflict instead.
func (m *merger) markup(l *layer, add []spec.Markup) {
	same := slices.EqualFunc(l.compat.Markup, add, func(a, b spec.Markup) bool {
		return a.Version.Value == b.Version.Value && a.Selector.Value == b.Selector.Value
	})
	switch {
	case len(add) == 0 || same:
	case len(l.compat.Markup) == 0:
		l.compat.Markup = add
	default:
		m.conflict("version_markup", l.compat.Markup[0].Version.Pos(), add[0].Version.Pos())
	}
}

func (m *merger) conflict(what string, first, second diag.Pos) {
	m.problems.Add(diag.At(second, diag.DefinitionInvalid, "found different definitions of %s in two files of the same priority", what).
		WithNote(first, "the other definition").WithHint("remove one of the two definitions"))
}

// lists adds the entries of `extends` and `env` in a file to the layer. If a variable is secret in
// only one of two files, lists reports a conflict.
func (m *merger) lists(l *layer, f *file) {
	for _, t := range f.def.Extends {
		known := false
		for _, p := range l.extends {
			known = known || p.Value == t.Value
		}
		if !known {
			l.extends = append(l.extends, parent{t, f})
		}
	}
next:
	for _, v := range f.def.Env {
		for _, have := range l.env {
			if have.Name == v.Name {
				if have.Secret != v.Secret {
					m.conflict("the secrecy of "+v.Name, have.Pos, v.Pos)
				}
				continue next
			}
		}
		l.env = append(l.env, v)
	}
}

func (m *merger) aliases(l *layer, f *file) {
	for _, k := range entries(f.def.Root.Get("selectors")) {
		a := f.def.Selectors[k.Name]
		have := l.Selectors[k.Name]
		if a == nil {
			continue // it could not be read, which is already reported
		}
		if have == nil {
			l.Selectors[k.Name] = a
		} else if !sameAlias(have, a) {
			m.conflict("the selector "+k.Name, have.Pos, a.Pos)
			l.noAlias[k.Name] = true
		}
	}
}

func sameAlias(a, b *spec.Alias) bool {
	if a.Primary.Value != b.Primary.Value || len(a.Fallback) != len(b.Fallback) {
		return false
	}
	for i := range a.Fallback {
		if a.Fallback[i].Value != b.Fallback[i].Value {
			return false
		}
	}
	return true
}

// overrides appends the overrides of a file to the layer. If an earlier file has overridden the
// same alias or action for the same versions, overrides reports a conflict and keeps the earlier
// one.
func (m *merger) overrides(l *layer, f *file) {
	earlier := l.Overrides
	tree := f.def.Root.Get("compatibility").Get("version_overrides")
	for _, o := range f.def.Overrides {
		for _, before := range earlier {
			if before.Pattern.Value != o.Pattern.Value {
				continue
			}
			for _, k := range entries(tree.Get(o.Pattern.Value).Get("selectors")) {
				a, b := before.Selectors[k.Name], o.Selectors[k.Name]
				if a != nil && b != nil && !sameAlias(a, b) {
					m.conflict("the selector "+k.Name+" for version "+o.Pattern.Value, a.Pos, b.Pos)
					delete(o.Selectors, k.Name)
				}
			}
			for _, k := range entries(tree.Get(o.Pattern.Value).Get("actions")) {
				if a := before.Actions[k.Name]; a != nil {
					m.conflict("the action "+k.Name+" for version "+o.Pattern.Value, a.Pos, k.Pos)
					delete(o.Actions, k.Name)
				}
			}
		}
		l.Overrides = append(l.Overrides, o)
	}
}

func (m *merger) actions(l *layer, f *file) {
	for _, k := range entries(f.def.Root.Get("actions")) {
		have, ok := l.actions[k.Name]
		if f.def.Actions[k.Name] == nil {
			continue // it could not be read, which is already reported
		}
		if !ok {
			l.actions[k.Name] = entry{key: k, action: f.def.Actions[k.Name], file: f}
			l.order = append(l.order, k.Name)
		} else if !have.key.Value.Equal(k.Value) {
			m.conflict("the action "+k.Name, have.key.Pos, k.Pos)
			l.noAction[k.Name] = true
		}
	}
}

// entries returns the entries of a map that may be missing.
func entries(n *spec.Node) []spec.Key {
	if n == nil {
		return nil
	}
	return n.Keys
}

// A paramSet is the definition of a param set in one file.
type paramSet struct {
	key    spec.Key
	source spec.Source
}

// paramSets adds the param sets of a file to its layer. If another file of the layer defines a set
// differently, it reports a conflict.
func (m *merger) paramSets(l *layer, f *file) {
	for _, k := range entries(f.def.Root.Get("param_sets")) {
		if k.Value.Kind != spec.Map {
			continue // already reported
		}
		i := slices.IndexFunc(l.sets, func(s paramSet) bool { return s.key.Name == k.Name })
		switch {
		case i < 0:
			l.sets = append(l.sets, paramSet{k, f.source})
		case !l.sets[i].key.Value.Equal(k.Value):
			m.conflict("the param set "+k.Name, l.sets[i].key.Pos, k.Pos)
		}
	}
}
