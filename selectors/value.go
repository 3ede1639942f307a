package selectors

// Values inserted into texts with holes, and escaped for their positions.

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
)

// maxValueBytes is the maximum length of a text with its values inserted.
const maxValueBytes = 1 << 20

// join returns ps as a text, with the values of references inserted.
func (b *binder) join(ps pieces) (string, error) {
	if s, ok := ps.literal(); ok {
		return s, nil
	}
	var out strings.Builder
	for i := range ps {
		s, err := b.piece(&ps[i])
		if err != nil {
			return "", err
		}
		out.WriteString(s)
		if out.Len() > maxValueBytes {
			return "", diag.At(ps.pos(), diag.LimitExceeded, "found a selector that is too long after its values were inserted, expected at most %d bytes", maxValueBytes).
				WithHint("use a shorter value")
		}
	}
	return out.String(), nil
}

func (b *binder) piece(p *piece) (string, error) {
	switch {
	case p.context == xpathGroup:
		s, err := b.join(p.group)
		return xpathLiteral(s), err
	case p.ref == nil:
		return p.lit, nil
	case p.context == integer:
		n, err := b.integer(p.ref)
		return strconv.Itoa(n), err
	}
	s, err := b.text(p.ref)
	if err != nil {
		return "", err
	}
	switch p.context {
	case cssString:
		return escapeCSSString(s), nil
	case cssStart:
		if s == "" {
			return "", invalid(p.ref, "%s is empty, expected a name", p.ref).
				WithHint(`to match any value, use an attribute, as in css:[id^="…"]`)
		}
		return escapeCSSIdent(s), nil
	case cssIdent:
		return escapeCSSIdent(s), nil
	}
	return s, nil
}

func invalid(r *expr.Ref, format string, args ...any) *diag.Error {
	return diag.At(r.Pos, diag.ParamInvalid, format, args...)
}

func (b *binder) value(r *expr.Ref) (any, error) {
	scope := b.Scope
	if scope == nil {
		scope = &expr.Scope{}
	}
	return r.Value(scope)
}

// text returns the value of a reference as a text. Invalid UTF-8 becomes U+FFFD.
func (b *binder) text(r *expr.Ref) (string, error) {
	v, err := b.value(r)
	if err != nil {
		return "", err
	}
	return strings.ToValidUTF8(expr.Text(v), "\ufffd"), nil
}

var integerText = lazy(`^(0|-?[1-9][0-9]{0,8})$`)

// integer returns the value of a reference as an integer. It also accepts a text such as "12".
func (b *binder) integer(r *expr.Ref) (int, error) {
	v, err := b.value(r)
	if err != nil {
		return 0, err
	}
	s := expr.Text(v)
	if !integerText().MatchString(s) {
		return 0, invalid(r, "%s is %s, expected an integer", r, describe(v)).
			WithHint("pass an integer, or put the reference in quotes, where any text is allowed")
	}
	return strconv.Atoi(s)
}

func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "missing"
	case string:
		return strconv.Quote(clip(v))
	}
	return clip(expr.Text(v))
}

// escapeCSSString escapes s for a CSS string in single or double quotes. NUL becomes U+FFFD.
func escapeCSSString(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == 0:
			b.WriteRune('\ufffd')
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\%x `, r)
		case r == '"' || r == '\'' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// escapeCSSIdent escapes s for a CSS name, or for a part of one.
func escapeCSSIdent(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == 0:
			b.WriteRune('\ufffd')
		case r < 0x20 || r == 0x7f || i == 0 && '0' <= r && r <= '9', r >= 0x80 && !(r >= 0xc0 && unicode.IsLetter(r)):
			// Newer CSS accepts few unescaped characters other than letters.
			fmt.Fprintf(&b, `\%x `, r)
		case r >= 0x80 || isAlnum(byte(r)) || r == '_' || r == '-' && i > 0:
			b.WriteRune(r)
		default:
			b.WriteByte('\\')
			b.WriteRune(r)
		}
	}
	return b.String()
}

// xpathLiteral returns an XPath 1.0 expression for the string s: a string in quotes or, if s
// contains both kinds of quotes, a call of concat.
func xpathLiteral(s string) string {
	switch {
	case !strings.Contains(s, `'`):
		return "'" + s + "'"
	case !strings.Contains(s, `"`):
		return `"` + s + `"`
	}
	return "concat('" + strings.ReplaceAll(s, `'`, `', "'", '`) + "')"
}
