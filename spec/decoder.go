package spec

// What all decoding of nodes shares: the decoder, its problems, and values of one kind.

import (
	"strconv"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
)

// A decoder converts nodes to typed data and collects the problems.
type decoder struct {
	source    Source
	namespace string
	main      MainArg
	problems  diag.List
}

// errorf reports a problem with a general hint. The caller may replace the hint.
func (d *decoder) errorf(pos diag.Pos, format string, args ...any) *diag.Error {
	e := diag.At(pos, diag.DefinitionInvalid, format, args...).WithHint("see docs/definitions.md for what is allowed here")
	d.problems.Add(e)
	return e
}

func (d *decoder) badName(pos diag.Pos, what, name, form string) {
	e := d.errorf(pos, "found %s as the name of %s, expected %s", clip(name), what, form).
		WithHint("choose another name, such as %s", plainName(name))
	if lower := strings.ReplaceAll(strings.ToLower(plainName(name)), "_", "-"); form == namespaceForm && IsNamespace(lower) {
		e.WithHint("write %s", lower)
	}
}

const (
	namespaceForm = "a lower-case letter, then lower-case letters, digits and -"
	nameForm      = "a letter or _, then letters, digits, _ and -"
)

func (d *decoder) isMap(n *Node, what, hint string) bool { return d.isKind(n, Map, what, hint) }

func (d *decoder) isList(n *Node, what, hint string) bool { return d.isKind(n, List, what, hint) }

func (d *decoder) isKind(n *Node, kind Kind, what, hint string) bool {
	if n != nil && n.Kind == kind {
		return true
	}
	var pos diag.Pos
	if n != nil {
		pos = n.Pos
	}
	e := d.errorf(pos, "%s is %s, expected %s", what, n.describe(), kind)
	e.Hint = hint
	if hint == "" && (n == nil || n.Kind == Null) {
		e.Hint = "write the value, or remove the key"
	}
	return false
}

// text reads a string. It reports any other value.
func (d *decoder) text(n *Node, what string) *Text {
	if n != nil && n.Kind == String {
		return &Text{Value: n.Str, Node: n}
	}
	hint := ""
	switch {
	case n == nil || n.Kind == Null:
	case n.Kind == Map || n.Kind == List:
		hint = "quote a text that starts with { or [, or that contains \": \""
	default:
		hint = `quote the value: "` + n.Raw + `"`
	}
	d.isKind(n, String, what, hint)
	return nil
}

// condition reads an expression. true and false need no quotes.
func (d *decoder) condition(n *Node, what string) *Text {
	if n != nil && n.Kind == Bool {
		return &Text{Value: strconv.FormatBool(n.Bool), Node: n}
	}
	return d.text(n, what)
}

// version reads a version or a range of versions.
func (d *decoder) version(n *Node, what string) *Text {
	if n != nil && (n.Kind == Int || n.Kind == Float) {
		d.errorf(n.Pos, "%s is the number %s in YAML, expected a string", what, n.Raw).
			WithHint(`quote the value: "%s"`, n.Raw)
		return nil
	}
	return d.text(n, what)
}

func (d *decoder) texts(n *Node, what string) []Text {
	if !d.isList(n, what, "write a list: ["+what+"1, "+what+"2]") {
		return nil
	}
	out := make([]Text, 0, len(n.Items))
	for _, item := range n.Items {
		if t := d.text(item, "an entry of "+what); t != nil {
			out = append(out, *t)
		}
	}
	return out
}

func (d *decoder) boolean(n *Node, what string) bool {
	if n != nil && n.Kind == Bool {
		return n.Bool
	}
	d.isKind(n, Bool, what, "write true or false")
	return false
}

func (d *decoder) integer(n *Node, what string, least, most int) (int, bool) {
	if !d.isKind(n, Int, what, "write an integer") {
		return 0, false
	}
	if n.Int < int64(least) || n.Int > int64(most) {
		d.errorf(n.Pos, "%s is %s, expected %d to %d", what, n.Raw, least, most).
			WithHint("write a number in that range, or omit %s", what)
		return 0, false
	}
	return int(n.Int), true
}

// oneOf reads a string that must be one of values.
func (d *decoder) oneOf(n *Node, what string, values []string) string {
	t := d.text(n, what)
	if t == nil {
		return ""
	}
	for _, v := range values {
		if v == t.Value {
			return v
		}
	}
	e := d.errorf(n.Pos, "%s is %s, expected one of: %s", what, clip(t.Value), strings.Join(values, ", "))
	e.WithHint("write one of: %s", strings.Join(values, ", "))
	if near := diag.Nearest(t.Value, values); near != "" {
		e.WithHint("did you mean %s?", near)
	}
	return ""
}

// plainName returns a valid name that is similar to name.
func plainName(name string) string {
	plain := strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') {
			return r
		}
		return '_'
	}, clip(name))
	plain = strings.Trim(plain, "_0123456789")
	if plain == "" {
		return "name"
	}
	return plain
}

func (d *decoder) duration(n *Node, what string) *time.Duration {
	t, err := DurationOf(n)
	if err != nil {
		err.Msg = what + ": " + err.Msg
		d.problems.Add(err)
		return nil
	}
	return &t
}
