package program

// Compiles what to read from elements and rows: the fields of `extract`, the attributes and lists
// of `look`.

import (
	"cmp"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/spec"
)

// attr compiles one attribute of `look`: its selector and name.
func (c *compiler) attr(k spec.Key) *steps.Expr {
	x := &steps.Expr{Pos: k.Value.Pos, Type: steps.ArgAttrs, Fields: make(map[string]*steps.Expr)}
	if k.Value.Kind != spec.Map || k.Value.Get("selector") == nil || k.Value.Get("name") == nil {
		c.bad(k.Value.Pos, "%s is %s, expected {selector, name}", k.Name, k.Value.Kind).WithHint("write %s: {selector: \"role:link\", name: href}", k.Name)
		return nil
	}
	for _, sub := range k.Value.Keys {
		switch sub.Name {
		case "selector":
			x.Fields["selector"] = c.selector(&steps.Arg{Name: "selector", Type: steps.ArgSelector}, sub.Value)
		case "name":
			x.Fields["name"] = c.text(&steps.Arg{Name: "name", Type: steps.ArgText}, sub.Value)
		default:
			c.bad(sub.Pos, "found %q in an attribute, expected selector or name", sub.Name).WithHint("%s", cmp.Or(diag.DidYouMean(sub.Name, []string{"selector", "name"}), "remove it, or write selector or name"))
		}
	}
	return x
}

// list compiles one list of `look`: its rows, its fields, and the filters that choose rows.
func (c *compiler) list(k spec.Key) *steps.Expr {
	x := &steps.Expr{Pos: k.Value.Pos, Type: steps.ArgRows, Fields: make(map[string]*steps.Expr)}
	if k.Value.Kind != spec.Map || k.Value.Get("rows") == nil || k.Value.Get("fields") == nil {
		c.bad(k.Value.Pos, "%s is %s, expected {rows, fields}", k.Name, k.Value.Kind).WithHint("write %s: {rows: \"css:tbody tr\", fields: {id: \"css:td >> nth:0\"}}", k.Name)
		return nil
	}
	for _, sub := range k.Value.Keys {
		switch sub.Name {
		case "rows":
			x.Fields["rows"] = c.selector(&steps.Arg{Name: "rows", Type: steps.ArgSelector}, sub.Value)
		case "fields":
			x.Fields["fields"] = c.fields(&steps.Arg{Name: "fields", Type: steps.ArgFields}, sub.Value, c.field)
		case "hue":
			x.Fields["hue"] = c.scalar(&steps.Arg{Name: "hue", Type: steps.ArgEnum, Values: catalogue.Hues, Doc: "only rows in that hue"}, sub.Value)
		case "shown", "over":
			c.literalBool(x, sub)
		default:
			c.bad(sub.Pos, "found %q in a list, expected one of rows, fields, shown, hue, over", sub.Name).WithHint("%s", diag.DidYouMean(sub.Name, []string{"rows", "fields", "shown", "hue", "over"}))
		}
	}
	if x.Fields["rows"] == nil || x.Fields["fields"] == nil {
		return nil // the error is already reported
	}
	return x
}

// field compiles one field of `extract`: a selector, or a map with the keys selector, what, attr and
// all.
func (c *compiler) field(k spec.Key) *steps.Expr {
	outer := c.scope // a field is searched in its row
	c.scope, c.inRow = nil, true
	defer func() { c.scope, c.inRow = outer, false }()
	selector := &steps.Arg{Name: "selector", Type: steps.ArgSelector}
	x := &steps.Expr{Pos: k.Value.Pos, Type: steps.ArgFields, Fields: make(map[string]*steps.Expr)}
	if k.Value.Kind != spec.Map {
		x.Fields["selector"] = c.selector(selector, k.Value)
		return x
	}
	for _, sub := range k.Value.Keys {
		switch sub.Name {
		case "selector":
			x.Fields["selector"] = c.selector(selector, sub.Value)
		case "what":
			x.Fields["what"] = c.scalar(&steps.Arg{Name: "what", Type: steps.ArgEnum, Values: readWhats, Doc: "what to read"}, sub.Value)
		case "attr":
			x.Fields["attr"] = c.text(&steps.Arg{Name: "attr", Type: steps.ArgText}, sub.Value)
		case "all":
			c.literalBool(x, sub)
		default:
			c.bad(sub.Pos, "found %q in a field, expected one of selector, what, attr, all", sub.Name).
				WithHint("%s", diag.DidYouMean(sub.Name, []string{"selector", "what", "attr", "all"}))
		}
	}
	if what := k.Value.Get("what"); what != nil && what.Str == "attr" && x.Fields["attr"] == nil {
		c.bad(what.Pos, "found `what: attr` without `attr`, expected the name of the attribute").WithHint("add for example: attr: href")
	}
	return x
}

// literalBool sets the field k of x, which the file must write as true or false.
func (c *compiler) literalBool(x *steps.Expr, k spec.Key) {
	if k.Value.Kind != spec.Bool {
		c.bad(k.Value.Pos, "%s is %s, expected true or false", k.Name, k.Value.Kind)
		return
	}
	x.Fields[k.Name] = &steps.Expr{Pos: k.Value.Pos, Type: steps.ArgBoolean, Literal: k.Value.Bool}
}
