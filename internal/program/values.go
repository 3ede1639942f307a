package program

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
)

// arg compiles one argument by its type. It returns nil if it reported an error.
func (c *compiler) arg(e *steps.Entry, a *steps.Arg, n *spec.Node) *steps.Expr {
	switch a.Type {
	case steps.ArgText:
		return c.text(a, n)
	case steps.ArgURL:
		return c.url(a, n)
	case steps.ArgInteger, steps.ArgNumber, steps.ArgBoolean, steps.ArgEnum, steps.ArgDuration:
		return c.scalar(a, n)
	case steps.ArgSelector, steps.ArgCSS, steps.ArgXPath:
		return c.selector(a, n)
	case steps.ArgTextList:
		return c.textList(a, n)
	case steps.ArgTextMap:
		return c.mapOf(a, n, steps.ArgText)
	case steps.ArgValue, steps.ArgValueMap:
		if a.Type == steps.ArgValueMap && n.Kind != spec.Map && !c.isReference(n) {
			c.expects(a, n, "a map").WithHint("%s: %s", a.Name, a.Doc)
			return nil
		}
		if a.TakesParams && !c.hand {
			n = c.passed(n)
		}
		x := c.value(a.Type, n)
		if a.Identifiers {
			c.identifiers(n)
		}
		return x
	case steps.ArgPairs:
		return c.pairs(a, n)
	case steps.ArgScript:
		return c.script(a, n)
	case steps.ArgCondition:
		if cond := c.condition(n); cond != nil {
			return &steps.Expr{Pos: n.Pos, Type: a.Type, Condition: cond}
		}
		return nil
	case steps.ArgAction, steps.ArgName:
		return c.name(a, n)
	case steps.ArgPoint:
		return c.point(a, n)
	case steps.ArgPlace:
		if n.Kind == spec.Map {
			return c.point(a, n)
		}
		return c.selector(a, n)
	case steps.ArgFields:
		return c.fields(a, n, c.field)
	case steps.ArgSelectors:
		return c.fields(a, n, func(k spec.Key) *steps.Expr {
			return c.selector(&steps.Arg{Name: k.Name, Type: steps.ArgSelector}, k.Value)
		})
	case steps.ArgAttrs:
		return c.fields(a, n, c.attr)
	case steps.ArgRows:
		return c.fields(a, n, c.list)
	}
	panic(fmt.Sprintf("steps: %s.%s has the unknown type %d", e.Name, a.Name, a.Type))
}

// passed replaces `use` in the params of a run with the params of those sets. Each is passed on
// under its own name.
func (c *compiler) passed(n *spec.Node) *spec.Node {
	out, unknown := Passed(c.ns, n)
	for _, name := range unknown {
		c.bad(name.Pos, "no param set %q", name.Str).WithHint("%s", cmp.Or(diag.DidYouMean(name.Str, slices.Sorted(maps.Keys(c.ns.ParamSets))), "add it under param_sets"))
	}
	return out
}

// Passed returns the params of a `run` step, as written in ns, with those of the sets that it uses:
// `use: [field]` stands for `label: "${params.label}"` and so on. A param that is also written
// keeps its value. unknown lists the names of sets that do not exist.
func Passed(ns *spec.Namespace, n *spec.Node) (params *spec.Node, unknown []*spec.Node) {
	if n == nil || !slices.ContainsFunc(n.Keys, spec.IsUse) {
		return n, nil
	}
	out := &spec.Node{Kind: n.Kind, Pos: n.Pos}
	for _, k := range n.Keys {
		if !spec.IsUse(k) {
			out.Keys = append(out.Keys, k)
			continue
		}
		for _, set := range k.Value.Items {
			names, known := ns.ParamSets[set.Str]
			if !known {
				unknown = append(unknown, set)
			}
			for _, name := range names {
				if n.Get(name) == nil && out.Get(name) == nil {
					out.Keys = append(out.Keys, spec.Key{Name: name, Pos: set.Pos, Value: &spec.Node{Kind: spec.String, Pos: set.Pos, Str: "${params." + name + "}"}})
				}
			}
		}
	}
	return out, unknown
}

func (c *compiler) expects(a *steps.Arg, n *spec.Node, want string) *diag.Error {
	return c.bad(n.Pos, "%s is %s, expected %s", a.Name, n.Kind, want)
}

// isReference reports whether n is a text with a reference, so that its value is only known
// at run time.
func (c *compiler) isReference(n *spec.Node) bool {
	return !c.hand && n.Kind == spec.String && strings.Contains(n.Str, "${")
}

func (c *compiler) text(a *steps.Arg, n *spec.Node) *steps.Expr {
	switch n.Kind {
	case spec.String:
		if c.hand {
			return &steps.Expr{Pos: n.Pos, Type: a.Type, Literal: n.Str}
		}
		if t := c.template(n); t != nil {
			return &steps.Expr{Pos: n.Pos, Type: a.Type, Template: t}
		}
	case spec.Int, spec.Float, spec.Bool:
		// As written: 010 and 1.50 are texts here.
		return &steps.Expr{Pos: n.Pos, Type: a.Type, Literal: n.Raw}
	default:
		c.expects(a, n, "text").WithHint("quote it if it is meant as text")
	}
	return nil
}

// url compiles a URL pattern. It checks one without references at once.
func (c *compiler) url(a *steps.Arg, n *spec.Node) *steps.Expr {
	x := c.text(a, n)
	if text, literal := x.LiteralText(); literal {
		if _, err := driver.ParseURLPattern(text); err != nil {
			e := diag.As(err)
			c.bad(n.Pos, "%s", e.Msg).WithHint("%s", e.Hint)
			return nil
		}
	}
	return x
}

// scalar compiles arguments other than texts. It checks a literal at once; a reference is checked
// when its value is known.
func (c *compiler) scalar(a *steps.Arg, n *spec.Node) *steps.Expr {
	if c.isReference(n) {
		t := c.template(n)
		if t == nil {
			return nil
		}
		if _, literal := t.Literal(); !literal {
			return &steps.Expr{Pos: n.Pos, Type: a.Type, Template: t}
		}
	}
	v, msg := a.Convert(n.Value(), c.fromText)
	if msg != "" {
		e := c.bad(n.Pos, "%s is %s", a.Name, msg)
		if n.Kind == spec.String && a.Type == steps.ArgEnum {
			e.WithHint("%s", diag.DidYouMean(n.Str, a.Values))
		} else {
			e.WithHint("%s: %s", a.Name, a.Doc)
		}
		return nil
	}
	return &steps.Expr{Pos: n.Pos, Type: a.Type, Literal: v}
}

func (c *compiler) selector(a *steps.Arg, n *spec.Node) *steps.Expr {
	if n.Kind != spec.String {
		c.expects(a, n, "a selector as text").WithHint("quote it: selector: \"css:…\"")
		return nil
	}
	src, shift := n.Str, 0
	switch a.Type {
	case steps.ArgCSS:
		src, shift = "css:"+n.Str, len("css:")
	case steps.ArgXPath:
		src, shift = "xpath:"+n.Str, len("xpath:")
	}
	o := c.selectorOptions(n)
	o.Expr.Pos = func(offset int) diag.Pos { return n.At(max(offset-shift, 0)) }
	sel, err := selectors.Parse(src, o)
	if err != nil {
		c.errs.AddErr(c.ofArgument(a, n, err))
		return nil
	}
	c.refs(sel.Refs())
	return &steps.Expr{Pos: n.Pos, Type: a.Type, Selector: sel}
}

func (c *compiler) selectorOptions(n *spec.Node) selectors.Options {
	if c.hand {
		return selectors.Options{Literal: true, Code: diag.ParamInvalid}
	}
	return selectors.Options{
		Expr: c.options(n), Scope: c.scope, Inside: c.inRow,
		IsSelectorParam: func(name string) bool {
			p := c.action.Param(name)
			return p != nil && p.Type == spec.TypeSelector
		},
	}
}

// aliasRef compiles the alias that r names, in every layer and version.
func (c *compiler) aliasRef(r *expr.Ref) {
	defs := c.aliases[r.Name]
	if len(defs) == 0 {
		names := make([]string, 0, len(c.aliases))
		for name := range c.aliases {
			names = append(names, name)
		}
		c.bad(r.Pos, "no selector alias %q", r.Name).
			WithHint("%s", cmp.Or(diag.DidYouMean(r.Name, names), "add it under `selectors`"))
		return
	}
	for _, a := range defs {
		if _, done := c.program.aliases[a]; !done {
			c.program.aliases[a] = nil // ends the recursion of a cycle, which the validator reports
			c.program.aliases[a] = c.aliasCandidates(a, r)
		}
		c.aliasLocals(a, r, make(map[*spec.Alias]bool))
	}
}

// aliasLocals checks that the blocks around a use of an alias define the names that the alias uses,
// directly or through other aliases.
func (c *compiler) aliasLocals(a *spec.Alias, user *expr.Ref, seen map[*spec.Alias]bool) {
	seen[a] = true
	for _, sel := range c.program.aliases[a] {
		for _, ref := range sel.Refs() {
			switch {
			case ref.Root == expr.RootLocal && !slices.Contains(c.locals, ref.Name):
				c.bad(ref.Pos, "the alias %s uses %s, which no block around its use defines", a.Name, ref.String()).
					WithNote(user.Pos, "the alias is used here").
					WithHint("use it inside a foreach whose item has that name")
			case ref.Root == expr.RootSelectors:
				for _, used := range c.aliases[ref.Name] {
					if !seen[used] {
						c.aliasLocals(used, user, seen)
					}
				}
			}
		}
	}
}

// aliasCandidates parses the candidates of an alias in the scope of this action. An alias may use
// the params of the actions that use it, and the items of the blocks in which they use it.
func (c *compiler) aliasCandidates(a *spec.Alias, user *expr.Ref) []*selectors.Selector {
	outer := c.locals
	c.locals = c.items
	defer func() { c.locals = outer }()
	var out []*selectors.Selector
	for _, text := range a.Candidates() {
		o := c.selectorOptions(text.Node)
		o.Fragment, o.Alias, o.Inside, o.Scope = true, true, false, nil
		sel, err := selectors.Parse(text.Value, o)
		if err != nil {
			c.errs.AddErr(err)
			continue
		}
		for _, ref := range sel.Refs() {
			if ref.Root == expr.RootParams && !c.params[ref.Name] {
				c.bad(ref.Pos, "the alias %s uses the param %q, which %s does not declare", a.Name, ref.Name, c.action.FullName()).
					WithNote(user.Pos, "the alias is used here").
					WithHint("declare the param, or write the selector into the step")
				continue
			}
			c.refs([]expr.Ref{ref})
		}
		out = append(out, sel)
	}
	return out
}

func (c *compiler) textList(a *steps.Arg, n *spec.Node) *steps.Expr {
	if n.Kind != spec.List {
		if n.Kind == spec.Map || n.Kind == spec.Null {
			c.expects(a, n, "text or a list of texts").WithHint("%s: %s", a.Name, a.Doc)
			return nil
		}
		return c.text(a, n)
	}
	x := &steps.Expr{Pos: n.Pos, Type: a.Type, Items: []*steps.Expr{}}
	for _, item := range n.Items {
		if sub := c.text(a, item); sub != nil {
			x.Items = append(x.Items, sub)
		}
	}
	return x
}

func (c *compiler) mapOf(a *steps.Arg, n *spec.Node, of steps.ArgType) *steps.Expr {
	if c.isReference(n) {
		return c.text(a, n)
	}
	if n.Kind != spec.Map {
		c.expects(a, n, "a map").WithHint("%s: %s", a.Name, a.Doc)
		return nil
	}
	x := &steps.Expr{Pos: n.Pos, Type: a.Type, Fields: make(map[string]*steps.Expr)}
	for _, k := range n.Keys {
		sub := c.arg(nil, &steps.Arg{Name: a.Name + "." + k.Name, Type: of, Doc: a.Doc}, k.Value)
		if sub != nil {
			x.Keys = append(x.Keys, k.Name)
			x.Fields[k.Name] = sub
		}
	}
	return x
}

// value compiles any tree of values; texts in it are templates.
func (c *compiler) value(t steps.ArgType, n *spec.Node) *steps.Expr {
	x := &steps.Expr{Pos: n.Pos, Type: t}
	switch n.Kind {
	case spec.String:
		if c.hand {
			x.Literal = n.Str
			break
		}
		x.Template = c.template(n)
		if x.Template == nil {
			return nil
		}
	case spec.List:
		x.Items = []*steps.Expr{}
		for _, item := range n.Items {
			if sub := c.value(steps.ArgValue, item); sub != nil {
				x.Items = append(x.Items, sub)
			}
		}
	case spec.Map:
		x.Fields = make(map[string]*steps.Expr, len(n.Keys))
		for _, k := range n.Keys {
			if sub := c.value(steps.ArgValue, k.Value); sub != nil {
				x.Keys = append(x.Keys, k.Name)
				x.Fields[k.Name] = sub
			}
		}
	default:
		x.Literal = n.Value()
	}
	return x
}

// pairs compiles a map of labels to values, or a list of {label, value}.
func (c *compiler) pairs(a *steps.Arg, n *spec.Node) *steps.Expr {
	const want, example = "a map, or a list of {label, value}", "write it like {Name: Ada}, or [{label: Name, value: Ada}]"
	switch {
	case n.Kind == spec.List:
		for _, item := range n.Items {
			if c.isReference(item) {
				continue
			}
			if item.Kind != spec.Map || len(item.Keys) != 2 || item.Get("label") == nil || item.Get("value") == nil {
				c.bad(item.Pos, "an item of %s is %s, expected {label: …, value: …}", a.Name, item.Kind).WithHint(example)
				return nil
			}
		}
	case n.Kind != spec.Map && !c.isReference(n):
		c.expects(a, n, want).WithHint(example)
		return nil
	}
	return c.value(a.Type, n)
}

// identifier is compiled on first use, so that a program without steps to check does not wait for
// it.
var identifier = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`) })

// identifiers checks the names of script arguments, which become names in the script.
func (c *compiler) identifiers(n *spec.Node) {
	for _, k := range n.Keys {
		if !identifier().MatchString(k.Name) {
			c.bad(k.Pos, "found the name %q, expected a name that a script can use", k.Name).WithHint("use letters, digits and _, and no digit first")
		}
	}
}

func (c *compiler) script(a *steps.Arg, n *spec.Node) *steps.Expr {
	if n.Kind != spec.String || strings.TrimSpace(n.Str) == "" {
		c.expects(a, n, "a script as text").WithHint("write the script in quotes or as a block (|)")
		return nil
	}
	// A manual step inserts nothing, so ${…} belongs to JavaScript.
	if i := strings.Index(n.Str, "${"); i >= 0 && !c.hand {
		c.bad(n.At(i), "found ${…} in a script, expected no references: a value never becomes code").
			WithHint("pass the value in args: {name: \"${…}\"} and use `name` in the script; join texts with +")
		return nil
	}
	return &steps.Expr{Pos: n.Pos, Type: a.Type, Literal: n.Str}
}

func (c *compiler) name(a *steps.Arg, n *spec.Node) *steps.Expr {
	switch {
	case n.Kind != spec.String || n.Str == "":
		c.expects(a, n, "a name").WithHint("%s: %s", a.Name, a.Doc)
	case c.isReference(n):
		c.bad(n.Pos, "%s must be a literal name, found %q", a.Name, n.Str).
			WithHint("write one step for each name, each with its own when")
	case a.Type == steps.ArgName && !identifier().MatchString(n.Str):
		c.bad(n.Pos, "found the name %q, expected letters, digits and _", n.Str).WithHint("use letters, digits and _, and no digit first")
	default:
		return &steps.Expr{Pos: n.Pos, Type: a.Type, Literal: n.Str}
	}
	return nil
}

func (c *compiler) point(a *steps.Arg, n *spec.Node) *steps.Expr {
	if n.Kind != spec.Map || len(n.Keys) != 2 || n.Get("x") == nil || n.Get("y") == nil {
		c.expects(a, n, "{x: …, y: …}").WithHint("%s: %s", a.Name, a.Doc)
		return nil
	}
	return c.mapOf(a, n, steps.ArgNumber)
}

// readWhats lists what a field of extract may read.
var readWhats = []string{"text", "html", "value", "attr", "name", "digest", "asked", "shares", "fits", "refused"}

// fields compiles a map of names, which must not be empty. It compiles each value with one.
func (c *compiler) fields(a *steps.Arg, n *spec.Node, one func(spec.Key) *steps.Expr) *steps.Expr {
	example := "write " + a.Name + ": {name: \"css:td >> nth:0\"}"
	switch a.Type {
	case steps.ArgRows:
		example = "write " + a.Name + ": {orders: {rows: \"css:tbody tr\", fields: {id: \"css:td >> nth:0\"}}}"
	case steps.ArgAttrs:
		example = "write " + a.Name + ": {link: {selector: \"role:link\", name: href}}"
	}
	if n.Kind == spec.Map && len(n.Keys) == 0 {
		c.bad(n.Pos, "%s is empty, expected a %s", a.Name, a.Type).WithHint("%s", example)
		return nil
	}
	if n.Kind != spec.Map {
		c.expects(a, n, "a "+a.Type.String()).WithHint("%s", example)
		return nil
	}
	x := &steps.Expr{Pos: n.Pos, Type: a.Type, Fields: make(map[string]*steps.Expr)}
	for _, k := range n.Keys {
		if sub := one(k); sub != nil {
			x.Keys = append(x.Keys, k.Name)
			x.Fields[k.Name] = sub
		}
	}
	return x
}
