package program

// Values of arguments, compiled by their types, and the values that `returns` and `run` take.

import (
	"regexp"
	"strings"
	"sync"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
)

func (c *compiler) expects(a *steps.Arg, n *spec.Node, want string) *diag.Error {
	return c.bad(n.Pos, "%s is %s, expected %s", a.Name, n.Kind, want)
}

// isReference reports whether n is a text with a reference.
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
		c.expects(a, n, "text").WithHint("quote the value if it is meant as text")
	}
	return nil
}

// url compiles a URL pattern. A pattern without references is checked immediately.
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

// scalar compiles a number, a boolean, an enum or a duration. A literal is checked immediately, and
// a reference at run time.
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
		c.expects(a, n, "a selector as text").WithHint("quote the selector: selector: \"css:…\"")
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

// mapOf compiles a map from names to values of one type. It calls the function "one" for each
// value.
func (c *compiler) mapOf(a *steps.Arg, n *spec.Node, of steps.ArgType, one func(*steps.Arg, *spec.Node) *steps.Expr) *steps.Expr {
	if c.isReference(n) {
		return c.text(a, n)
	}
	if n.Kind != spec.Map {
		c.expects(a, n, "a map").WithHint("%s: %s", a.Name, a.Doc)
		return nil
	}
	x := &steps.Expr{Pos: n.Pos, Type: a.Type, Fields: make(map[string]*steps.Expr)}
	for _, k := range n.Keys {
		sub := one(&steps.Arg{Name: a.Name + "." + k.Name, Type: of, Doc: a.Doc}, k.Value)
		if sub != nil {
			x.Keys = append(x.Keys, k.Name)
			x.Fields[k.Name] = sub
		}
	}
	return x
}

// value compiles a value of any kind, also a list or a map. Texts in it are templates, except in a
// manual step.
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

// identifier matches a JavaScript identifier.
var identifier = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`) })

// identifiers checks that the names of script arguments are JavaScript identifiers.
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
			WithHint("write one step for each name, each with its own `when`")
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
	return c.mapOf(a, n, steps.ArgNumber, c.scalar)
}

// readWhats lists the values that `what` may have in a field of `extract`.
var readWhats = []string{"text", "own", "html", "value", "attr", "name", "digest", "asked", "shares", "fits", "refused"}

// fields compiles a non-empty map from names to values. It calls the function "one" for each value.
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

// ofArgument adds the name and the value of an argument to an error of a manual step. It does not
// change errors of steps in files, which have positions.
func (c *compiler) ofArgument(a *steps.Arg, n *spec.Node, err error) error {
	e := diag.As(err)
	if !c.hand || e == nil {
		return err
	}
	e = e.Clone()
	e.Msg = a.Name + " " + steps.Describe(n.Str) + ": " + e.Msg
	return e
}
