package loader

import (
	"io/fs"
	"path"
	"sort"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// An ancestor is one element of a chain of `extends`: an id, and the entry for the next id.
type ancestor struct {
	id   string
	next parent
}

func namespaceID(name string) string { return "namespace:" + name }

// A reach is the pair of arguments of lineage.
type reach struct {
	id string
	to spec.SourceKind
}

const allSourceKinds = spec.Checked

// lineage returns the units that make up the namespace, package or file with this id, parents
// first. It includes only sources of the kind given by the argument "to" or of a lower kind. It
// reports problems only if this kind is allSourceKinds.
func (m *merger) lineage(id string, to spec.SourceKind) []*unit {
	if units, ok := m.lineages[reach{id, to}]; ok {
		return units
	}
	for i, a := range m.stack {
		if a.id == id {
			if to == allSourceKinds {
				m.cycle(m.stack[i:])
			}
			return nil
		}
	}
	own := unitsTo(m.unitsOf(id), to)
	var units []*unit
	seen := make(map[*unit]bool)
	add := func(list []*unit) {
		for _, u := range list {
			if !seen[u] {
				seen[u] = true
				units = append(units, u)
			}
		}
	}
	m.stack = append(m.stack, ancestor{id: id})
	for _, p := range m.parents(own) {
		m.stack[len(m.stack)-1].next = p
		known := len(m.problems)
		parentID := m.resolve(p)
		if to != allSourceKinds {
			m.problems = m.problems[:known]
		}
		if parentID != "" {
			add(m.lineage(parentID, to))
		}
	}
	m.stack = m.stack[:len(m.stack)-1]
	add(own)
	m.lineages[reach{id, to}] = units
	return units
}

// unitsTo returns the units whose source has the kind given by the argument "to" or a lower one. It
// always includes the lowest unit.
func unitsTo(units []*unit, to spec.SourceKind) []*unit {
	n := len(units)
	for n > 1 && units[n-1].source.Kind > to {
		n--
	}
	return units[:n]
}

// parents returns the entries of `extends` of the highest layer that has any.
func (m *merger) parents(own []*unit) []parent {
	for i := len(own) - 1; i >= 0; i-- {
		if l := m.layer(own[i]); len(l.extends) > 0 {
			return l.extends
		}
	}
	return nil
}

func (m *merger) unitsOf(id string) []*unit {
	kind, name, _ := strings.Cut(id, ":")
	switch kind {
	case "namespace":
		return m.own[name]
	case "package":
		return []*unit{m.packages[name]}
	}
	for f, u := range m.fileUnit {
		if f.name == name {
			return []*unit{u}
		}
	}
	return nil
}

// resolve returns the id of the namespace, package or file that an entry of `extends` names. If
// there is none, it reports an error and returns "".
func (m *merger) resolve(p parent) string {
	name := p.Value
	if strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
		return m.resolveFile(p)
	}
	if m.own[name] != nil {
		return namespaceID(name)
	}
	if m.packages[name] != nil {
		return "package:" + name
	}
	e := diag.At(p.Pos(), diag.DefinitionInvalid, "found %s in extends, expected a namespace, a package or a file", clip(name))
	candidates := append([]string(nil), m.names...)
	for n := range m.packages {
		candidates = append(candidates, n)
	}
	sort.Strings(candidates)
	switch {
	case diag.Nearest(name, candidates) != "":
		e.WithHint("did you mean %s?", diag.Nearest(name, candidates))
	case strings.HasPrefix(name, "@"):
		e.WithHint("list the package under actions.packages in the configuration, and install it")
	case isDefinition(name):
		e.WithHint("write the file as ./%s", name)
	default:
		e.WithHint("write a namespace, a package that actions.packages lists, or a file, such as ./file.yaml")
	}
	m.problems.Add(e)
	return ""
}

// resolveFile returns the id of a file in `extends`. The path is relative to the file that contains
// the entry, and must not leave its source.
func (m *merger) resolveFile(p parent) string {
	target := path.Join(path.Dir(p.file.path), p.Value)
	if !fs.ValidPath(target) {
		m.problems.Add(diag.At(p.Pos(), diag.SecurityError, "found the path %s, which leads out of the folder of its source", clip(p.Value)).
			WithHint("write the name of a namespace instead of a path"))
		return ""
	}
	f := m.file(p.file.tree, target, p.file.source)
	if f.def == nil {
		e := diag.At(p.Pos(), diag.DefinitionInvalid, "the file %s cannot be used", clip(p.Value)).
			WithHint("correct the problems of that file first")
		for _, problem := range f.problems {
			e.WithNote(problem.Pos, "%s", problem.Msg)
		}
		m.problems.Add(e)
		return ""
	}
	if m.fileUnit[f] == nil {
		m.fileUnit[f] = &unit{source: f.source, files: []*file{f}}
	}
	return "file:" + f.name
}

// file returns a file of a tree. It reads the file unless it has been read before.
func (m *merger) file(t *Tree, target string, source spec.Source) *file {
	name := t.name(target)
	for _, f := range m.load.files {
		if f.name == name {
			return f
		}
	}
	for f := range m.fileUnit {
		if f.name == name {
			return f
		}
	}
	f := &file{name: name, path: target, tree: t, source: source}
	f.load(m.load.cache, false)
	m.load.text[name] = f.data
	return f
}

// cycle reports a cycle of `extends` and marks all its members as broken. The message begins with
// the member whose file comes first.
func (m *merger) cycle(chain []ancestor) {
	rank := make(map[*file]int, len(m.load.files))
	for i, f := range m.load.files {
		rank[f] = i + 1
	}
	first := 0
	for i, a := range chain {
		if rank[a.next.file] < rank[chain[first].next.file] {
			first = i
		}
		m.broken[a.id] = true
	}
	var names []string
	for i := range len(chain) + 1 {
		_, name, _ := strings.Cut(chain[(first+i)%len(chain)].id, ":")
		names = append(names, path.Base(name))
		if strings.HasPrefix(name, "@") {
			names[i] = name
		}
	}
	m.problems.Add(diag.At(chain[first].next.Pos(), diag.DefinitionInvalid, "found a cycle of extends: %s",
		strings.Join(names, " -> ")).WithHint("remove one of these entries from `extends`"))
}
