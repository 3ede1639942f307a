// Package registry finds actions by name or by words, and describes them.
//
// It does not load or check definitions (packages loader and validator do), and runs nothing.
//
// Files, bottom to top: registry, search, describe_param, describe, namespaces, text.
package registry

import (
	"sort"
	"strings"
	"sync"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// A Registry holds the actions of a set of namespaces. It is immutable and safe for concurrent use.
// The namespaces must not be changed after New.
type Registry struct {
	namespaces map[string]*spec.Namespace
	entries    []entry // by full name
	byName     map[string]int
	byShort    map[string][]int // component:verb to entries

	once  sync.Once // builds index, on the first search
	index *index
}

// An entry is one action with its namespace.
type entry struct {
	name   string
	ns     *spec.Namespace
	action *spec.Action
}

// New returns a registry of namespaces, in the form of loader.Set. A nil map gives an empty one.
func New(namespaces map[string]*spec.Namespace) *Registry {
	r := &Registry{namespaces: namespaces, byShort: make(map[string][]int)}
	for _, ns := range namespaces {
		for _, a := range ns.Actions {
			r.entries = append(r.entries, entry{ns.Name + ":" + a.Name, ns, a})
		}
	}
	sort.Slice(r.entries, func(i, j int) bool { return r.entries[i].name < r.entries[j].name })
	r.byName = make(map[string]int, len(r.entries))
	for i, e := range r.entries {
		r.byName[e.name] = i
		r.byShort[e.action.Name] = append(r.byShort[e.action.Name], i)
	}
	return r
}

// Len returns the number of actions.
func (r *Registry) Len() int { return len(r.entries) }

// Public returns the number of actions that [Registry.List] lists.
func (r *Registry) Public() int {
	n := 0
	for _, e := range r.entries {
		if !e.action.Internal {
			n++
		}
	}
	return n
}

// Namespace returns a namespace by name, or nil.
func (r *Registry) Namespace(name string) *spec.Namespace { return r.namespaces[name] }

// Namespaces returns every namespace, by name.
func (r *Registry) Namespaces() []*spec.Namespace {
	out := make([]*spec.Namespace, 0, len(r.namespaces))
	for _, ns := range r.namespaces {
		out = append(out, ns)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// Lookup returns the action with that full name. It does not follow alias_of. For an unknown name,
// the error is an ACTION_NOT_FOUND. Its hint and its detail "suggestions" contain similar names.
func (r *Registry) Lookup(name string) (*spec.Namespace, *spec.Action, error) {
	if i, ok := r.byName[name]; ok {
		return r.entries[i].ns, r.entries[i].action, nil
	}
	return nil, nil, r.notFound(name)
}

func (r *Registry) notFound(name string) *diag.Error {
	e := diag.New(diag.ActionNotFound, "no action is named %q", clip(name))
	names := r.nearest(name)
	switch {
	case len(names) > 0:
		e.WithHint("did you mean %s?", strings.Join(names, " or ")).WithDetail("suggestions", names)
	case len(r.entries) == 0:
		e.WithHint("there are no definitions: add a definition file, for example under .agent-browser/actions")
	default:
		ns, _, _ := strings.Cut(name, ":")
		if r.namespaces[ns] != nil {
			e.WithHint("see the actions of the namespace with: action list %s", ns)
		} else {
			e.WithHint("see all actions with: action list; find some with: action search WORDS")
		}
	}
	return e
}

// nearest returns up to three names of actions that are similar to name.
func (r *Registry) nearest(name string) []string {
	const most = 3
	var out []string
	// Users most often omit the namespace, which is not a misspelling.
	for _, i := range r.byShort[name] {
		if out = append(out, r.entries[i].name); len(out) == most {
			return out
		}
	}
	if len(out) > 0 {
		return out
	}
	// Compare names with as many parts: a name without a namespace is compared to component:verb.
	want := strings.Count(name, ":") + 1
	candidates := make([]string, 0, len(r.entries))
	full := make(map[string]string, len(r.entries))
	for _, e := range r.entries {
		if e.action.Internal {
			continue
		}
		candidate := e.name
		if want < 3 {
			candidate = e.action.Name
		}
		candidates = append(candidates, candidate)
		if _, ok := full[candidate]; !ok {
			full[candidate] = e.name
		}
	}
	for len(out) < most {
		near := diag.Nearest(name, candidates)
		if near == "" {
			return out
		}
		out = append(out, full[near])
		kept := candidates[:0]
		for _, c := range candidates {
			if c != near {
				kept = append(kept, c)
			}
		}
		candidates = kept
	}
	return out
}

// maxAliases is the maximum length of a chain of alias_of.
const maxAliases = 16

// A Resolved is the result of [Registry.Resolve].
type Resolved struct {
	Namespace *spec.Namespace
	Action    *spec.Action
	// Names lists the requested name, the aliases that it leads to, and the name of Action.
	Names []string
	// Warnings contains a message for each of Names that is deprecated.
	Warnings []string
}

// Resolve returns the action with that full name. If the action is an alias, Resolve follows
// alias_of to an action that is not.
func (r *Registry) Resolve(name string) (*Resolved, error) {
	out := &Resolved{}
	for range maxAliases {
		ns, a, err := r.Lookup(name)
		if err != nil {
			if len(out.Names) > 0 {
				from := out.Names[len(out.Names)-1]
				return nil, diag.At(out.Action.AliasOf.Pos(), diag.DefinitionInvalid,
					"%s is an alias of %s, which does not exist", from, name).WithHint("%s", diag.As(err).Hint)
			}
			return nil, err
		}
		out.Namespace, out.Action, out.Names = ns, a, append(out.Names, a.FullName())
		if w := deprecation(ns, a); w != "" {
			out.Warnings = append(out.Warnings, w)
		}
		if a.AliasOf == nil {
			return out, nil
		}
		name = aliasTarget(ns, a)
	}
	return nil, diag.At(out.Action.AliasOf.Pos(), diag.DefinitionInvalid, "found a cycle of alias_of: %s", strings.Join(out.Names, " -> ")).
		WithHint("write the name of the action itself, not of an alias, as the value of alias_of")
}

// aliasTarget returns the full name of an alias's target.
func aliasTarget(ns *spec.Namespace, a *spec.Action) string {
	if strings.Count(a.AliasOf.Value, ":") == 1 {
		return ns.Name + ":" + a.AliasOf.Value
	}
	return a.AliasOf.Value
}

func deprecation(ns *spec.Namespace, a *spec.Action) string {
	switch {
	case a.DeprecatedMessage != "":
		return a.FullName() + " is deprecated: " + a.DeprecatedMessage
	case a.Deprecated && a.AliasOf != nil:
		return a.FullName() + " is deprecated: use " + aliasTarget(ns, a)
	case a.Deprecated:
		return a.FullName() + " is deprecated"
	}
	return ""
}

// An Item is one line of a list of actions.
type Item struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Source      string   `json:"source"`
	Deprecated  bool     `json:"deprecated,omitempty"`
	AliasOf     string   `json:"alias_of,omitempty"`
	Shadows     []string `json:"shadows,omitempty"` // positions of the definitions that this one replaces
}

// List returns the actions of a namespace, sorted by name. If namespace is empty, it returns the
// actions of all namespaces. It omits internal actions. For an unknown namespace, the error is an
// ACTION_NOT_FOUND.
func (r *Registry) List(namespace string) ([]Item, error) {
	if namespace != "" && r.namespaces[namespace] == nil {
		return nil, r.noNamespace(namespace)
	}
	out := []Item{}
	for _, e := range r.entries {
		if (namespace == "" || e.ns.Name == namespace) && !e.action.Internal {
			out = append(out, item(e))
		}
	}
	return out, nil
}

func item(e entry) Item {
	it := Item{Name: e.name, Description: e.action.Description, Source: e.action.Source.String(), Deprecated: e.action.Deprecated}
	if e.action.AliasOf != nil {
		it.AliasOf = aliasTarget(e.ns, e.action)
	}
	for _, pos := range e.action.Shadows {
		it.Shadows = append(it.Shadows, pos.String())
	}
	return it
}

// clip shortens a name for a message.
func clip(s string) string { return diag.Clip(s, 40) }

// noNamespace returns the error for an unknown namespace.
func (r *Registry) noNamespace(name string) error {
	var names []string
	for _, ns := range r.Namespaces() {
		names = append(names, ns.Name)
	}
	e := diag.New(diag.ActionNotFound, "there is no namespace %q", clip(name))
	if e.Hint = diag.DidYouMean(name, names); e.Hint == "" {
		e.WithHint("see all namespaces with: action list")
	}
	return e
}
