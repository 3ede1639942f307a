package validator

// Checks of a namespace as a whole: its name, selector aliases, supported versions and version
// overrides.

import (
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/program"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
	"github.com/actionregistry/action/version"
)

func (c *catalog) namespace(ns *spec.Namespace) diag.List {
	k := &checker{catalog: c, ns: ns}
	k.compat()
	k.overrides()
	k.aliases()
	return k.list
}

// compat checks how the version is found, and which versions are supported.
func (c *checker) compat() {
	found := false
	for _, way := range []*spec.Text{c.ns.Compat.Script, c.ns.Compat.Selector, c.ns.Compat.Meta} {
		if way == nil {
			continue
		}
		found = true
		if strings.TrimSpace(way.Value) == "" {
			c.bad(way.Pos(), "found an empty text, expected a script, a selector or the name of a meta tag").
				WithHint("remove the key, or write the script, the selector or the name that yields the version")
		}
	}
	for _, m := range c.ns.Compat.Markup {
		found = true
		_, err := version.ParseBound(m.Version.Value, m.Version.Node.At)
		c.list.AddErr(err)
		_, err = selectors.Parse(m.Selector.Value, selectors.Options{Expr: expr.Options{Pos: m.Selector.Node.At}, Literal: true})
		c.list.AddErr(err)
	}
	if needy := c.firstOverride(); !found && needy.IsValid() {
		c.bad(needy, "found a version override, but nothing says how to find the version").
			WithHint(howToFindVersions)
	}
	if t := c.ns.Compat.Script; t != nil && strings.TrimSpace(t.Value) != "" {
		_, err := version.ParseScript(t.Value, t.Node.At)
		c.list.AddErr(err)
	}
	if t := c.ns.Compat.Selector; t != nil && strings.TrimSpace(t.Value) != "" {
		_, err := selectors.Parse(t.Value, selectors.Options{Expr: expr.Options{Pos: t.Node.At}, Literal: true})
		c.list.AddErr(err)
	}
	c.supported()
}

const howToFindVersions = "add version_script, version_selector, version_meta or version_markup to compatibility"

// boundsWithoutVersion warns about min_version and max_version in a namespace that cannot find the
// version of a page.
func (c *checker) boundsWithoutVersion() {
	k := &c.ns.Compat
	if k.Script != nil || k.Selector != nil || k.Meta != nil || len(k.Markup) > 0 || c.firstOverride().IsValid() {
		return
	}
	for _, bound := range []*spec.Text{k.Min, k.Max} {
		if bound != nil {
			c.bad(bound.Pos(), "found min_version or max_version, but nothing says how to find the version, so every page counts as supported").WithHint(howToFindVersions)
			return
		}
	}
}

// splitOverrides warns about overrides that cover only a part of a version in version_markup, such
// as an override for 3.5 if the version is 3.x.
func (c *checker) splitOverrides() {
	for _, m := range c.ns.Compat.Markup {
		b, err := version.ParseBound(m.Version.Value, nil)
		if err != nil {
			continue
		}
		for i := range c.ns.Layers {
			for _, o := range c.ns.Layers[i].Overrides {
				if o.Match != nil && o.Match.Splits(version.Open(b)) {
					c.bad(o.Pattern.Pos(), "the override for %s covers only a part of %s: it does not apply to a page whose version is known only as %[2]s",
						o.Pattern.Value, b).
						WithNote(m.Version.Pos(), "the mark").
						WithHint("write the override for %q, or add an entry such as \"3.5.x\": SELECTOR before the entry for %[1]s in version_markup", b)
				}
			}
		}
	}
}

// firstOverride returns the position of the first override, or the zero position if there is none.
func (c *checker) firstOverride() diag.Pos {
	for i := range c.ns.Layers {
		for _, o := range c.ns.Layers[i].Overrides {
			return o.Pattern.Pos()
		}
	}
	return diag.Pos{}
}

func (c *checker) supported() {
	bound := func(t *spec.Text) *version.Bound {
		if t == nil {
			return nil
		}
		b, err := version.ParseBound(t.Value, t.Node.At)
		c.list.AddErr(err)
		return b
	}
	r := version.Range{Min: bound(c.ns.Compat.Min), Max: bound(c.ns.Compat.Max)}
	if r.Empty() {
		c.bad(c.ns.Compat.Min.Pos(), "min_version %s is above max_version %s", r.Min, r.Max).
			WithHint("swap the two values; otherwise no version is supported")
	}
}

// overrides checks the patterns of overrides. It reports overrides of actions that do not exist.
func (c *checker) overrides() {
	names := make([]string, 0, len(c.ns.Actions))
	for name := range c.ns.Actions {
		names = append(names, name)
	}
	slices.Sort(names)
	for i := range c.ns.Layers {
		for _, o := range c.ns.Layers[i].Overrides {
			if o.Pattern != nil {
				_, err := version.ParsePattern(o.Pattern.Value, o.Pattern.Node.At)
				c.list.AddErr(err)
			}
			for name, v := range o.Actions {
				switch a := c.ns.Actions[name]; {
				case a == nil:
					c.bad(v.Pos, "found an override for %s, which the namespace %s does not define", name, c.ns.Name).
						WithHint("%s", orElse(diag.DidYouMean(name, names), "define the action before you override it"))
				case a.AliasOf != nil:
					c.bad(v.Pos, "found an override for %s, which is an alias of %s", name, a.AliasOf.Value).
						WithHint("write the override for %s", a.AliasOf.Value)
				}
			}
		}
	}
}

// An aliasDef is one definition of an alias, with the names of the aliases that it uses.
type aliasDef struct {
	alias *spec.Alias
	uses  []string
}

// aliases checks every alias. It also reports cycles of aliases.
func (c *checker) aliases() {
	defs := c.aliasDefs()
	names := make([]string, 0, len(defs))
	for name := range defs {
		names = append(names, name)
	}
	slices.Sort(names)
	selectorParams := c.anyParam(spec.TypeSelector)
	o := selectors.Options{
		Fragment:        true,
		Alias:           true,
		Expr:            expr.Options{Params: c.anyParam(""), Locals: c.anyItem()},
		IsSelectorParam: func(name string) bool { return selectorParams[name] },
	}
	for _, name := range names {
		for i := range defs[name] {
			c.aliasDef(&defs[name][i], o, names)
		}
	}
	for _, cycle := range aliasCycles(names, defs) {
		c.bad(defs[cycle[0]][0].alias.Pos, "found a cycle of selectors: %s", strings.Join(shorten(append(cycle, cycle[0])), " → ")).
			WithHint("change one of the selectors so that it does not use the others")
	}
}

// aliasDef checks one definition and records which aliases it uses. The argument names lists all
// aliases. Its messages must be the same as those of [program.Compile], so that an error in an
// alias is reported only once.
func (c *checker) aliasDef(def *aliasDef, o selectors.Options, names []string) {
	for _, text := range def.alias.Candidates() {
		o.Expr.Pos = text.Node.At
		sel, err := selectors.Parse(text.Value, o)
		if err != nil {
			c.list.AddErr(err)
			continue
		}
		for _, r := range sel.Refs() {
			switch r.Root {
			case expr.RootSelectors:
				def.uses = append(def.uses, r.Name)
				if !slices.Contains(names, r.Name) {
					c.bad(r.Pos, "no selector alias %q", r.Name).
						WithHint("%s", orElse(diag.DidYouMean(r.Name, names), "add the alias under `selectors`"))
				}
			case expr.RootSteps:
				c.bad(r.Pos, "the selector %s uses %s, which only some steps can read", def.alias.Name, r.String()).
					WithHint("write the selector into the step, or replace %s with a param that every action with this selector declares", r.String())
			}
		}
	}
}

// aliasDefs returns the definitions of each alias that apply to at least one version. A definition
// without a version replaces all definitions in lower layers.
func (c *checker) aliasDefs() map[string][]aliasDef {
	defs := make(map[string][]aliasDef)
	for i := range c.ns.Layers {
		layer := &c.ns.Layers[i]
		for name, a := range layer.Selectors {
			defs[name] = []aliasDef{{alias: a}}
		}
		for _, o := range layer.Overrides {
			for name, a := range o.Selectors {
				defs[name] = append(defs[name], aliasDef{alias: a})
			}
		}
	}
	return defs
}

// anyParam returns the names of the params of all actions that have type t. If t is empty, it
// returns the names of all params.
func (c *checker) anyParam(t spec.ParamType) map[string]bool {
	names := make(map[string]bool)
	for _, a := range c.ns.Actions {
		for _, p := range a.Params {
			if t == "" || p.Type == t {
				names[p.Name] = true
			}
		}
	}
	return names
}

// anyItem returns the names of the items of all blocks in all actions. It omits names that are also
// names of params.
func (c *checker) anyItem() []string {
	names := program.ItemsOf(nil)
	for _, a := range c.ns.Actions {
		names = append(names, program.ItemsOf(a.Steps)...)
	}
	for i := range c.ns.Layers {
		for _, o := range c.ns.Layers[i].Overrides {
			for _, v := range o.Actions {
				names = append(names, program.ItemsOf(v.Steps)...)
			}
		}
	}
	params := c.anyParam("")
	names = slices.DeleteFunc(names, func(name string) bool { return params[name] })
	slices.Sort(names)
	return slices.Compact(names)
}

// aliasCycles returns the cycles of aliases. Each cycle begins with its first name in sorted order.
func aliasCycles(names []string, defs map[string][]aliasDef) [][]string {
	var cycles [][]string
	state := make(map[string]visit)
	var path []string
	var walk func(name string)
	walk = func(name string) {
		switch state[name] {
		case done:
			return
		case onPath:
			cycle := path[slices.Index(path, name):]
			cycles = append(cycles, fromFirst(cycle))
			return
		}
		state[name] = onPath
		path = append(path, name)
		for _, def := range defs[name] {
			for _, used := range def.uses {
				walk(used)
			}
		}
		path = path[:len(path)-1]
		state[name] = done
	}
	for _, name := range names {
		walk(name)
	}
	return cycles
}

// fromFirst rotates a cycle so that it begins with its smallest name.
func fromFirst(cycle []string) []string {
	first := slices.Index(cycle, slices.Min(cycle))
	return slices.Concat(cycle[first:], cycle[:first])
}
