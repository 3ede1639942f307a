package expr

// The characters of a source: names, numbers and strings. lex.go makes tokens of them.

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/actionregistry/action/diag"
)

type token struct {
	kind       tokenKind
	op         op // of tokEquality and tokRelation
	start, end int
	value      any  // of tokLiteral
	ref        *Ref // of tokRef
}

func (p *parser) text(t token) string { return p.src[t.start:t.end] }

// peek returns the byte n after the current one, or 0.
func (p *parser) peek(n int) byte {
	if p.off+n < len(p.src) {
		return p.src[p.off+n]
	}
	return 0
}

func (p *parser) space() {
	for p.off < len(p.src) {
		switch p.src[p.off] {
		case ' ', '\t', '\n', '\r':
			p.off++
		default:
			return
		}
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isNameStart(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
}

// isNamePart reports whether c may occur in a name. It allows "-", which is common in names of page
// data. The language has no minus.
func isNamePart(c byte) bool { return isNameStart(c) || isDigit(c) || c == '-' }

func isName(s string) bool {
	if s == "" || !isNameStart(s[0]) {
		return false
	}
	for i := 1; i < len(s); i++ {
		if !isNamePart(s[i]) {
			return false
		}
	}
	return true
}

// name reads a name. The current byte must begin one.
func (p *parser) name() string {
	start := p.off
	for p.off < len(p.src) && isNamePart(p.src[p.off]) {
		p.off++
	}
	return p.src[start:p.off]
}

// number reads -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?. The value is an int64 if it has no
// fraction and fits, so that long ids compare exactly.
func (p *parser) number() any {
	start := p.off
	if p.src[p.off] == '-' {
		p.off++
	}
	leadingZero := p.src[p.off] == '0' && isDigit(p.peek(1))
	p.digits()
	if p.peek(0) == '.' && isDigit(p.peek(1)) {
		p.off++
		p.digits()
	}
	if c := p.peek(0); c == 'e' || c == 'E' {
		sign := 1
		if c := p.peek(1); c == '+' || c == '-' {
			sign = 2
		}
		if isDigit(p.peek(sign)) {
			p.off += sign
			p.digits()
		}
	}
	end := p.off
	if c := p.peek(0); leadingZero || isNamePart(c) || c == '.' {
		for isNamePart(p.peek(0)) || p.peek(0) == '.' {
			p.off++
		}
		found := p.src[start:p.off]
		p.fail(start, diag.DefinitionInvalid, "found %s, expected a decimal number", clip(found)).
			WithHint("write a number such as 12, -1.5 or 1e3, or quote it as a text: '%s'", clip(found))
		return nil
	}
	return p.numberValue(start, p.src[start:end])
}

func (p *parser) digits() {
	for isDigit(p.peek(0)) {
		p.off++
	}
}

func (p *parser) numberValue(start int, s string) any {
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		return i
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		p.fail(start, diag.DefinitionInvalid, "found %s, expected a number below 1.8e308", clip(s)).
			WithHint("to use the number as a text, quote it: '%s'", clip(s))
		return nil
	}
	if f == math.Trunc(f) && math.Abs(f) < 1<<63 {
		return int64(f)
	}
	return f
}

// str reads a quoted string. The current byte must be its quote. The argument "what" names the
// string in errors.
func (p *parser) str(what string) string {
	start := p.off
	quote := p.src[p.off]
	p.off++
	n := strings.IndexAny(p.src[p.off:], "\\"+string(quote))
	if n >= 0 && p.src[p.off+n] == quote { // nothing to unescape: no copy
		s := p.src[p.off : p.off+n]
		p.off += n + 1
		return s
	}
	var b strings.Builder
	for p.off < len(p.src) {
		switch c := p.src[p.off]; c {
		case quote:
			p.off++
			return b.String()
		case '\\':
			p.escape(&b, quote)
		default:
			b.WriteByte(c)
			p.off++
		}
	}
	if p.err == nil {
		p.fail(start, diag.DefinitionInvalid, "found an unclosed %s, expected %c at its end", what, quote).
			WithHint(`close the %s with %c; write \%c for a quote inside`, what, quote, quote)
	}
	return ""
}

// escape reads one escape sequence into b.
func (p *parser) escape(b *strings.Builder, quote byte) {
	c := p.peek(1)
	if i := strings.IndexByte(`nrtbf\/'"`, c); i >= 0 && c != 0 {
		b.WriteByte("\n\r\t\b\f\\/'\""[i])
		p.off += 2
		return
	}
	if c == 'u' {
		p.unicodeEscape(b)
		return
	}
	_, n := utf8.DecodeRuneInString(p.src[p.off+1:])
	found := p.src[p.off : p.off+1+n]
	p.fail(p.off, diag.DefinitionInvalid, `found %s, expected one of \n \r \t \b \f \\ \/ \' \" \u0000`, found).
		WithHint(`write \\ for a backslash, as in %c\%s%c`, quote, found, quote)
}

func (p *parser) unicodeEscape(b *strings.Builder) {
	start := p.off
	r, ok := p.hex4()
	if ok && utf16.IsSurrogate(r) {
		low := rune(-1)
		if p.peek(0) == '\\' && p.peek(1) == 'u' {
			low, _ = p.hex4()
		}
		r = utf16.DecodeRune(r, low)
		ok = r != utf8.RuneError
	}
	if !ok {
		p.fail(start, diag.DefinitionInvalid, `found %s, expected \u and the four hex digits of a character`, clip(p.src[start:])).
			WithHint(`write a character beyond \uffff as a pair such as \ud83d\ude00, or write the character itself`)
		return
	}
	b.WriteRune(r)
}

// hex4 reads \uXXXX.
func (p *parser) hex4() (rune, bool) {
	if p.off+6 > len(p.src) {
		return 0, false
	}
	digits := p.src[p.off+2 : p.off+6]
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil {
		return 0, false
	}
	p.off += 6
	return rune(n), true
}

// clip shortens an excerpt of a source.
func clip(s string) string { return diag.Clip(s, 40) }
