package loader

import (
	"slices"
	"sort"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/spec"
)

// Merging goes by priority, in three steps. First, the files of one priority become a layer
// (layer.go). Then `extends` puts the layers of parents below those of the child (extends.go).
// Finally, the layers of a namespace become its actions, key by key on the node trees. These are
// then decoded again, so that a merged action passes the checks of a written one. Selectors and
// overrides stay in their layers, because only the page's version decides which of them apply.

// A merger is the state of one merge.
type merger struct {
	load     *load
	problems diag.List
	own      map[string][]*unit // by namespace, lowest priority first
	names    []string           // of own, sorted
	packages map[string]*unit
	fileUnit map[*file]*unit
	lineages map[reach][]*unit
	stack    []ancestor
	broken   map[string]bool // ids in a cycle of extends
}

// merge returns the Set of the files that were read.
func (l *load) merge() *Set {
	m := &merger{
		load: l, own: make(map[string][]*unit), packages: make(map[string]*unit),
		fileUnit: make(map[*file]*unit), lineages: make(map[reach][]*unit), broken: make(map[string]bool),
	}
	m.collect()
	set := &Set{Namespaces: make(map[string]*spec.Namespace, len(m.names)), text: l.text}
	for _, name := range m.names {
		own := m.own[name]
		set.BuiltinChanged = set.BuiltinChanged || own[0].source.Kind == spec.Builtin && len(own) > 1
		m.lineage(namespaceID(name), allSourceKinds)
	}
	for _, name := range m.names {
		if ns := m.namespace(name); ns != nil {
			set.Namespaces[name] = ns
		}
	}
	for _, f := range l.files {
		out := File{Name: f.name, Source: f.source}
		if f.def != nil {
			out.Namespace, out.Actions = f.def.Namespace.Value, len(f.def.Actions)
		}
		set.Files = append(set.Files, out)
		l.text[f.name] = f.data
		l.problems.Add(f.problems...)
	}
	set.Problems = append(l.problems, m.problems...).Sorted()
	return set
}

// collect groups the good files by unit.
func (m *merger) collect() {
	for _, f := range m.load.files {
		if f.def == nil {
			continue
		}
		name := f.def.Namespace.Value
		units := m.own[name]
		if n := len(units); n == 0 || units[n-1].source.Kind != f.source.Kind {
			units = append(units, &unit{source: f.source})
			m.own[name] = units
		}
		last := units[len(units)-1]
		last.files = append(last.files, f)
		if f.source.Kind == spec.Package {
			p := m.packages[f.source.Name]
			if p == nil {
				p = &unit{source: f.source}
				m.packages[f.source.Name] = p
			}
			p.files = append(p.files, f)
		}
	}
	for name := range m.own {
		m.names = append(m.names, name)
	}
	sort.Strings(m.names)
}

// badVersion reports whether a file with errors has the key `version`. A missing version is then
// not reported: its error has already been reported.
func (m *merger) badVersion(own []*unit) bool {
	for _, u := range own {
		for _, f := range u.files {
			if len(f.problems) > 0 && f.def.Root.Get("version") != nil {
				return true
			}
		}
	}
	return false
}

// namespace merges the layers of a namespace, or returns nil if it is unusable.
func (m *merger) namespace(name string) *spec.Namespace {
	if m.broken[namespaceID(name)] {
		return nil
	}
	own := m.own[name]
	top := m.layer(own[len(own)-1])
	ns := &spec.Namespace{Name: name, Pos: top.namespace.Pos(), Actions: make(map[string]*spec.Action)}
	for _, u := range own {
		l := m.layer(u)
		if l.version != nil {
			ns.Version = l.version.Value
		}
		if l.description != nil {
			ns.Description = l.description.Value
		}
	}
	if ns.Version == "" && !m.badVersion(own) {
		m.problems.Add(diag.At(m.layer(own[0]).namespace.Pos(), diag.DefinitionInvalid, "the namespace %s has no version", name).
			WithHint("add for example: version: 1.0.0; a file may omit the version only if a lower source defines the namespace"))
		return nil
	}
	units := m.lineages[reach{namespaceID(name), allSourceKinds}]
	ns.Layers = m.stackLayers(units)
	stages := m.stages(name, units)
	if len(stages) > 1 && stages[0].kind == spec.Builtin && stages[1].kind == spec.Package {
		ns.Builtin = m.stackLayers(stages[0].units)
	}
	m.compat(ns, units)
	sets := m.setsOf(units)
	ns.ParamSets = sets.names()
	m.mergeActions(ns, units, stages, sets)
	return ns
}

// stackLayers returns the layers of units, lowest first.
func (m *merger) stackLayers(units []*unit) []spec.Layer {
	var layers []spec.Layer
	hidden := make(map[string]bool)
	for i := len(units) - 1; i >= 0; i-- {
		// A conflict hides its alias in the layers below, until a higher one defines it.
		l := m.layer(units[i])
		for name := range l.noAlias {
			hidden[name] = true
		}
		layers = append(layers, without(l.Layer, hidden))
	}
	slices.Reverse(layers)
	return layers
}

// compat sets the compatibility, env, busy and settle of a namespace. A value in a higher layer
// replaces the value in a lower layer.
func (m *merger) compat(ns *spec.Namespace, units []*unit) {
	for _, u := range units {
		l := m.layer(u)
		if l.env != nil {
			ns.Env = l.env
		}
		if l.busy != nil {
			ns.Busy = l.busy
		}
		if l.settle != nil {
			ns.Settle = l.settle
		}
		c := l.compat
		if c.Script != nil || c.Selector != nil || c.Meta != nil {
			// These are alternatives: if a higher layer chooses one, it replaces another one of a
			// lower layer.
			ns.Compat.Script, ns.Compat.Selector, ns.Compat.Meta = c.Script, c.Selector, c.Meta
		}
		if len(c.Markup) > 0 {
			ns.Compat.Markup = c.Markup
		}
		if c.Min != nil {
			ns.Compat.Min = c.Min
		}
		if c.Max != nil {
			ns.Compat.Max = c.Max
		}
	}
}

func without(l spec.Layer, hidden map[string]bool) spec.Layer {
	for name := range hidden {
		if l.Selectors[name] == nil {
			continue
		}
		kept := make(map[string]*spec.Alias, len(l.Selectors))
		for n, a := range l.Selectors {
			if !hidden[n] {
				kept[n] = a
			}
		}
		l.Selectors = kept
		break
	}
	return l
}

// A pile is an action during the merge, with the sources that have defined parts of it so far.
type pile struct {
	entry
	merged  bool
	own     bool          // not from a parent
	steps   *spec.Source  // source that wrote the steps
	sources []spec.Source // sources that wrote any part
	shadows []diag.Pos
	// approved is set if the action keeps an approval that a package wanted to replace.
	approved bool
}

func (m *merger) mergeActions(ns *spec.Namespace, units []*unit, stages []stage, sets paramSets) {
	piles := make(map[string]*pile)
	refused := make(map[string]bool)
	for _, u := range units {
		l := m.layer(u)
		own := u.files[0].def.Namespace.Value == ns.Name && m.isOwn(ns.Name, u)
		for _, name := range l.order {
			if refused[name] = refused[name] || l.noAction[name]; refused[name] {
				continue
			}
			e := l.actions[name]
			if p := piles[name]; p != nil {
				p.add(e, own)
				continue
			}
			piles[name] = &pile{entry: e, own: own, steps: e.stepSource(), sources: []spec.Source{e.file.source}}
			ns.Order = append(ns.Order, name)
		}
	}
	kept := ns.Order[:0]
	for _, name := range ns.Order {
		if a := m.action(ns, piles[name], sets); a != nil && !refused[name] {
			m.compare(ns, a, stages)
			ns.Actions[name] = a
			kept = append(kept, name)
		}
	}
	ns.Order = kept
}

func (m *merger) isOwn(name string, u *unit) bool {
	for _, own := range m.own[name] {
		if own == u {
			return true
		}
	}
	return false
}

// add merges an entry of a higher layer into the pile. own is false if the layer belongs to a
// parent in `extends`.
func (p *pile) add(e entry, own bool) {
	if own && p.own && hasBody(e.key.Value) && hasBody(p.key.Value) {
		p.shadows = append(p.shadows, bodyPos(p.key))
	}
	p.keepApproval(e)
	p.key = spec.Key{Name: e.key.Name, Pos: e.key.Pos, Value: mergeAction(p.key.Value, e.key.Value), Marks: e.key.Marks}
	p.action, p.file = e.action, e.file
	p.merged, p.own = true, own
	p.sources = append(p.sources, e.file.source)
	if s := e.stepSource(); s != nil {
		p.steps = s
	}
}

func hasBody(n *spec.Node) bool { return n.Get("steps") != nil || n.Get("alias_of") != nil }

// bodyPos returns the position of an action. If its steps are in another file, bodyPos returns the
// position of the steps.
func bodyPos(k spec.Key) diag.Pos {
	for _, part := range k.Value.Keys {
		if part.Name == "steps" || part.Name == "alias_of" {
			if part.Pos.File != k.Pos.File {
				return part.Pos
			}
		}
	}
	return k.Pos
}

// action returns the final form of a pile, or nil if it is unusable.
func (m *merger) action(ns *spec.Namespace, p *pile, sets paramSets) *spec.Action {
	a := p.action
	// The readable part of a bad file is kept so that its meaning can be checked.
	partial := len(p.file.problems) > 0
	used, problems := sets.use(p.key)
	m.problems.Add(problems...)
	if len(problems) > 0 && !partial {
		return nil
	}
	if used != nil {
		p.key, p.merged = *used, true
		p.sources = append(p.sources, sets.writers(p.uses())...)
	}
	if p.merged {
		decoded, problems := spec.DecodeAction(ns.Name, p.key, p.file.source, catalogue.MainArg)
		m.problems.Add(problems...)
		if decoded == nil || len(problems) > 0 && !partial {
			return nil
		}
		a = decoded
	} else {
		// The file's own action is not changed, because a child of its namespace or another layer
		// may use it too.
		copied := *a
		copied.Namespace = ns.Name
		a = &copied
	}
	if problems := a.Check(); len(problems) > 0 && !partial {
		m.problems.Add(problems...)
		return nil
	}
	a.Approval = a.Approval || p.approved || packageVariant(ns, a)
	a.Shadows = p.shadows
	a.StepSources = stepSources(ns, p)
	a.Sources = allSources(ns, p)
	return a
}

// stepSource returns the source of the entry's steps, or nil if it has none.
func (e entry) stepSource() *spec.Source {
	if e.key.Value.Get("steps") == nil {
		return nil
	}
	return &e.file.source
}

// stepSources lists the sources of the steps that the action may run. They include the sources of
// version overrides that replace the steps.
func stepSources(ns *spec.Namespace, p *pile) []spec.Source {
	var out []spec.Source
	if p.steps != nil {
		out = append(out, *p.steps)
	}
	for _, l := range ns.Layers {
		for _, o := range l.Overrides {
			if v := o.Actions[p.key.Name]; v != nil && v.Steps != nil && !slices.Contains(out, v.Source) {
				out = append(out, v.Source)
			}
		}
	}
	return out
}

// allSources lists the sources that define a part of the action or of a version override for it.
func allSources(ns *spec.Namespace, p *pile) []spec.Source {
	out := p.sources
	for _, l := range ns.Layers {
		for _, o := range l.Overrides {
			if v := o.Actions[p.key.Name]; v != nil {
				out = append(out, v.Source)
			}
		}
	}
	return out
}
