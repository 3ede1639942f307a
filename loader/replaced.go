package loader

import (
	"slices"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// To find out what a source replaces, this file compares a namespace before and after the files of
// the source, and their `extends`, are added.

// A stage is a namespace after the sources up to one kind have been merged.
type stage struct {
	kind  spec.SourceKind
	units []*unit
}

// stages returns the stages of a namespace, lowest first. If there is only one stage, it returns
// nil.
func (m *merger) stages(name string, units []*unit) []stage {
	var out []stage
	for kind := spec.Builtin; kind <= allSourceKinds; kind++ {
		if slices.ContainsFunc(units, func(u *unit) bool { return u.source.Kind == kind }) {
			out = append(out, stage{kind: kind})
		}
	}
	if len(out) < 2 {
		return nil
	}
	for i := range out {
		out[i].units = m.lineage(namespaceID(name), out[i].kind)
	}
	return out
}

// compare records in the action which of its parts were replaced by higher sources.
func (m *merger) compare(ns *spec.Namespace, a *spec.Action, stages []stage) {
	if len(stages) < 2 {
		return
	}
	var replaced []spec.Replacement
	low := m.parts(stages[0].units, a.Name)
	body, first := stages[0], low.top("")
	for _, s := range stages[1:] {
		high := m.parts(s.units, a.Name)
		if low.top("") != high.top("") {
			body = s
		}
		if first == (partWriter{}) {
			first = high.top("")
		}
		if low.top("") == (partWriter{}) {
			low = high
			continue // the action is new in the higher source
		}
		for _, part := range both(low.order, high.order) {
			if slices.Equal(low.writers[part], high.writers[part]) {
				continue
			}
			r := spec.Replacement{What: part, By: m.author(s, low.writers[part], high.writers[part]), At: low.top(part).pos}
			r.Added = part != "" && len(low.writers[part]) == 0
			if r.Added && slices.Contains(findsVersion, part) {
				continue // changes for versions are recorded separately
			}
			if part == "" || r.Added {
				r.At = first.pos
			}
			replaced = slices.DeleteFunc(replaced, func(r spec.Replacement) bool { return r.What == part })
			if part == "" || r.By.Kind == spec.Package {
				replaced = append(replaced, r)
			}
		}
		low = high
	}
	// A source that has replaced everything that the action does is reported once.
	whole := slices.IndexFunc(replaced, func(r spec.Replacement) bool { return r.What == "" })
	for _, r := range replaced {
		if whole < 0 || r.What == "" || r.By != replaced[whole].By {
			a.Replaced = append(a.Replaced, r)
		}
	}
	a.Overridden = m.overridden(ns, a.Name, body, low.top("").pos)
}

// both returns the parts of low, followed by the parts that are only in high.
func both(low, high []string) []string {
	out := slices.Clone(low)
	for _, part := range high {
		if !slices.Contains(low, part) {
			out = append(out, part)
		}
	}
	return out
}

// overridden returns the variants of the action that were added by sources above a stage. This
// stage, body, has defined the steps of the action, and pos is their position.
func (m *merger) overridden(ns *spec.Namespace, action string, body stage, pos diag.Pos) map[*spec.Variant]spec.Replacement {
	known := make(map[*spec.Variant]bool)
	for _, u := range body.units {
		for _, o := range m.layer(u).Overrides {
			known[o.Actions[action]] = true
		}
	}
	var out map[*spec.Variant]spec.Replacement
	for _, l := range ns.Layers {
		for _, o := range l.Overrides {
			v := o.Actions[action]
			if v == nil || known[v] {
				continue
			}
			if out == nil {
				out = make(map[*spec.Variant]spec.Replacement)
			}
			out[v] = spec.Replacement{What: o.Pattern.Value, By: v.Source, At: pos}
		}
	}
	return out
}

// author returns the source that has changed the writers of a part from low to high. If this source
// did not define the part itself, its `extends` added a namespace that does.
func (m *merger) author(s stage, low, high []partWriter) spec.Source {
	for _, w := range slices.Backward(high) {
		if !slices.Contains(low, w) && (w.source.Kind == s.kind || len(low) > 0 && w.source.Kind > low[0].source.Kind) {
			return w.source
		}
	}
	for _, u := range slices.Backward(s.units) {
		if u.source.Kind == s.kind && len(m.layer(u).extends) > 0 {
			return u.source
		}
	}
	return spec.Source{Kind: s.kind}
}

// A partWriter is a source that defines a part of an action, and the position of the part.
type partWriter struct {
	pos    diag.Pos
	source spec.Source
}

// parts maps each part of an action to the sources that define it, lowest first. Sources that were
// replaced by a higher source are omitted. The part "" is the steps or alias_of. Each param is a
// part, and so is each other key of the action, except those in aboutOnly. The parts in ofNamespace
// belong to the namespace.
type parts struct {
	order   []string
	writers map[string][]partWriter
}

func (p *parts) top(part string) partWriter {
	if w := p.writers[part]; len(w) > 0 {
		return w[len(w)-1]
	}
	return partWriter{}
}

// add records a writer of a part. If merges is set, the part is merged with its lower definitions,
// and add keeps their writers. Otherwise, it removes them.
func (p *parts) add(part string, merges bool, w partWriter) {
	have, ok := p.writers[part]
	if !ok {
		p.order = append(p.order, part)
	}
	if !merges {
		have = nil
	}
	p.writers[part] = append(have, w)
}

// ofNamespace lists the parts that all actions of a namespace share.
var ofNamespace = []string{"version check", "min_version", "max_version", "version markup", "env", "busy", "settle"}

// findsVersion lists the parts that say how to find the version of a page.
var findsVersion = []string{"version check", "version markup"}

// aboutOnly lists the keys that have no effect on a run of an action.
var aboutOnly = []string{"description", "since", "deprecated", "deprecated_message"}

func (m *merger) parts(units []*unit, action string) *parts {
	p := &parts{writers: make(map[string][]partWriter)}
	m.partsOfSets(p, units, action)
	for _, u := range units {
		l := m.layer(u)
		for i, text := range []*spec.Text{l.compat.Script, l.compat.Selector, l.compat.Meta, l.compat.Min, l.compat.Max} {
			if text != nil {
				p.add(ofNamespace[max(i-2, 0)], false, partWriter{text.Pos(), u.source})
			}
		}
		if marks := l.compat.Markup; len(marks) > 0 {
			p.add("version markup", false, partWriter{marks[0].Version.Pos(), u.source})
		}
		if len(l.env) > 0 {
			p.add("env", false, partWriter{l.env[0].Pos, u.source})
		}
		if l.busy != nil {
			p.add("busy", false, partWriter{l.busy.Pos(), u.source})
		}
		if l.settle != nil {
			p.add("settle", false, partWriter{l.settle.Pos, u.source})
		}
		e, ok := l.actions[action]
		if !ok {
			continue
		}
		for _, k := range e.key.Value.Keys {
			w := partWriter{k.Pos, e.file.source}
			switch k.Name {
			case "steps", "alias_of":
				p.add("", false, partWriter{e.key.Pos, e.file.source})
			case "params":
				for _, param := range k.Value.Keys {
					if spec.IsUse(param) {
						continue // the params of the sets are parts
					}
					p.add("params."+param.Name, param.Value.Kind == spec.Map, partWriter{param.Pos, e.file.source})
				}
			default:
				if !slices.Contains(aboutOnly, k.Name) {
					p.add(actionPart(k.Name), k.Value.Kind == spec.Map, w)
				}
			}
		}
	}
	return p
}

// actionPart returns the name of the part for a key of an action. The part for busy is "own busy",
// because "busy" is the part of the namespace. The same applies to other parts in ofNamespace.
func actionPart(key string) string {
	if slices.Contains(ofNamespace, key) {
		return "own " + key
	}
	return key
}

// partsOfSets records the writers of the params that an action takes from param sets. The sets are
// those in the `use` of the highest unit that has one.
func (m *merger) partsOfSets(p *parts, units []*unit, action string) {
	var uses []*spec.Node
	for _, u := range units {
		if e, ok := m.layer(u).actions[action]; ok {
			if used := usedBy(e.key.Value); used != nil {
				uses = used
			}
		}
	}
	sets := m.setsOf(units)
	for _, n := range uses {
		for _, layer := range sets[n.Str] {
			for _, param := range layer.key.Value.Keys {
				p.add("params."+param.Name, param.Value.Kind == spec.Map, partWriter{param.Pos, layer.source})
			}
		}
	}
}
