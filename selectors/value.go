package selectors

// Texts with holes, and the escaping of values for their positions.

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
)

// A context is the kind of text around a hole, which determines how its value is escaped.
type context uint8

const (
	plain      context = iota // compared as data, not escaped
	integer                   // CSS or XPath outside strings and names
	cssString                 // inside a CSS string
	cssIdent                  // inside a CSS name
	cssStart                  // at the beginning of a CSS name
	xpathGroup                // an XPath string that has holes
)

// A piece is a text, a hole, or an XPath string with holes in it.
type piece struct {
	lit     string
	end     int // end of lit in the source if lit is an unchanged part of it; otherwise 0
	ref     *expr.Ref
	context context
	group   pieces // pieces of an xpathGroup
}

type pieces []piece

// text appends a text. It joins the text with a preceding one.
func (ps pieces) text(s string) pieces {
	if s == "" {
		return ps
	}
	if n := len(ps); n > 0 && ps[n-1].ref == nil && ps[n-1].group == nil {
		ps[n-1].lit += s
		ps[n-1].end = 0
		return ps
	}
	return append(ps, piece{lit: s})
}

// slice is like text, for buf[from:to]. It does not copy a text that directly follows the last
// one, because callers append a byte at a time.
func (ps pieces) slice(buf string, from, to int) pieces {
	if n := len(ps); n > 0 && ps[n-1].end == from && from > 0 {
		ps[n-1].lit, ps[n-1].end = buf[from-len(ps[n-1].lit):to], to
		return ps
	}
	before := len(ps)
	if ps = ps.text(buf[from:to]); len(ps) > before {
		ps[before].end = to
	}
	return ps
}

// literal returns the text of pieces without holes.
func (ps pieces) literal() (string, bool) {
	switch {
	case len(ps) == 0:
		return "", true
	case len(ps) == 1 && ps[0].ref == nil && ps[0].group == nil:
		return ps[0].lit, true
	}
	return "", false
}

// maxValueBytes bounds a text with its values inserted, as for templates.
const maxValueBytes = 1 << 20

// join inserts the values.
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
			return "", diag.At(ps.pos(), diag.LimitExceeded, "found a selector that is too long with its values inserted, expected at most %d bytes", maxValueBytes).
				WithHint("use a shorter value")
		}
	}
	return out.String(), nil
}

// pos returns the position of the first hole.
func (ps pieces) pos() diag.Pos {
	for i := range ps {
		if ps[i].ref != nil {
			return ps[i].ref.Pos
		}
		if ps[i].group != nil {
			return ps[i].group.pos()
		}
	}
	return diag.Pos{}
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

// text returns the value as data. Invalid UTF-8, including lone surrogates, becomes U+FFFD, as in
// a browser.
func (b *binder) text(r *expr.Ref) (string, error) {
	v, err := b.value(r)
	if err != nil {
		return "", err
	}
	return strings.ToValidUTF8(expr.Text(v), "\ufffd"), nil
}

var integerText = lazy(`^(0|-?[1-9][0-9]{0,8})$`)

// integer accepts numbers without a fraction and decimal texts, which pages return. Neither can
// be syntax.
func (b *binder) integer(r *expr.Ref) (int, error) {
	v, err := b.value(r)
	if err != nil {
		return 0, err
	}
	s := expr.Text(v)
	if !integerText().MatchString(s) {
		return 0, invalid(r, "%s is %s, expected an integer", r, describe(v)).
			WithHint("pass an integer, or put the reference in quotes, which may contain any text")
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

// escapeCSSString escapes s for the inside of a CSS string with any quotes. CSS cannot represent
// NUL, which becomes U+FFFD, as in CSS.escape.
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

// escapeCSSIdent escapes s for a CSS name. It always escapes leading digits and hyphens, so that
// the result does not depend on the preceding text.
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

// xpathLiteral returns s as an XPath 1.0 expression. XPath has no escapes, so a text with both
// kinds of quotes becomes a call of concat.
func xpathLiteral(s string) string {
	switch {
	case !strings.Contains(s, `'`):
		return "'" + s + "'"
	case !strings.Contains(s, `"`):
		return `"` + s + `"`
	}
	return "concat('" + strings.ReplaceAll(s, `'`, `', "'", '`) + "')"
}

// jsonEscape reads an escape of JSON or of a single quote. The current byte must be the
// backslash.
func (p *parser) jsonEscape() (string, error) {
	start := p.i
	c := p.peek(1)
	p.i += 2
	switch c {
	case '"', '\'', '\\', '/':
		return string(c), nil
	case 'b':
		return "\b", nil
	case 'f':
		return "\f", nil
	case 'n':
		return "\n", nil
	case 'r':
		return "\r", nil
	case 't':
		return "\t", nil
	case 'u':
		r, ok := p.hex4()
		if ok && utf16.IsSurrogate(r) {
			ok = p.peek(0) == '\\' && p.peek(1) == 'u'
			if ok {
				p.i += 2
				var low rune
				low, ok = p.hex4()
				r = utf16.DecodeRune(r, low)
				ok = ok && r != '\ufffd'
			}
		}
		if ok {
			return string(r), nil
		}
		return "", p.fail(start, `found an incomplete \u, expected four hex digits of a character`).
			WithHint(`write the character itself, or both halves of a pair as in \ud83d\ude00`)
	}
	return "", p.fail(start, `found the escape \%s, expected one of \" \' \\ \/ \b \f \n \r \t \u0000`, p.found(start+1)).
		WithHint(`write a backslash as \\`)
}

func (p *parser) hex4() (rune, bool) {
	if p.i+4 > len(p.buf) {
		return 0, false
	}
	n, err := strconv.ParseUint(p.buf[p.i:p.i+4], 16, 16)
	if err != nil {
		return 0, false
	}
	p.i += 4
	return rune(n), true
}

func isAlpha(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isAlnum(c byte) bool { return isAlpha(c) || isDigit(c) }
