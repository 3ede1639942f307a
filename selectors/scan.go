package selectors

// The scanner of sources: holes, positions, escapes, and the ends of parts.

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
)

// holeByte replaces each reference in the source while it is scanned. It never occurs in UTF-8. It
// counts as a letter.
const holeByte = '\xff'

// A parser reads one source. Indexes are into buf unless stated otherwise.
type parser struct {
	o     *Options
	src   string
	buf   string            // src with holeByte for each reference, and "${" for each "$${"
	offs  []int             // offset in src of each byte of buf, and of the end
	holes map[int]*expr.Ref // by index
	refs  []expr.Ref
	i     int // index of the next byte
	depth int // enclosing parentheses and frames
	parts int
}

func newParser(src string, o *Options) (*parser, error) {
	p := &parser{o: o, src: src}
	if len(src) > maxBytes {
		return nil, p.errorAt(0, "found a selector of %d bytes, expected at most %d", len(src), maxBytes).
			WithHint("use fewer or shorter parts")
	}
	if !utf8.ValidString(src) {
		return nil, p.errorAt(invalidUTF8(src), "found a byte that is not UTF-8, expected UTF-8").
			WithHint("save the file as UTF-8")
	}
	segments := []expr.Segment{{Text: src, End: len(src)}}
	if !o.Literal {
		t, err := expr.ParseTemplate(src, o.Expr)
		if err != nil {
			return nil, recode(err, o.Code)
		}
		segments, p.refs = t.Segments(), t.Refs()
	}
	p.fill(segments)
	return p, nil
}

// recode sets the code of an error of package expr. It does not change a SECURITY_ERROR.
func recode(err error, code diag.Code) error {
	e := diag.As(err)
	if e == nil || e.Code == diag.SecurityError {
		return err
	}
	e = e.Clone()
	e.Code = code
	return e
}

func invalidUTF8(s string) int {
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return i
			}
		}
	}
	return len(s)
}

func (p *parser) fill(segments []expr.Segment) {
	var b strings.Builder
	p.holes = make(map[int]*expr.Ref)
	p.offs = make([]int, 0, len(p.src)+1)
	for _, s := range segments {
		if s.Ref != nil {
			p.holes[b.Len()] = s.Ref
			b.WriteByte(holeByte)
			p.offs = append(p.offs, s.Start)
			continue
		}
		b.WriteString(s.Text)
		skip := s.End - s.Start - len(s.Text) // the "$" that escapes "${"
		for i := range len(s.Text) {
			p.offs = append(p.offs, s.Start+skip+i)
		}
	}
	p.offs = append(p.offs, len(p.src))
	p.buf = b.String()
}

// pos returns the position of an offset into src.
func (p *parser) pos(off int) diag.Pos {
	if p.o.Expr.Pos != nil {
		return p.o.Expr.Pos(off)
	}
	before := p.src[:off]
	line := strings.LastIndexByte(before, '\n') + 1
	return diag.Pos{Line: 1 + strings.Count(before, "\n"), Column: 1 + off - line}
}

func (p *parser) errorAt(off int, format string, args ...any) *diag.Error {
	return diag.At(p.pos(off), p.o.Code, format, args...)
}

// fail returns an error at an index.
func (p *parser) fail(i int, format string, args ...any) *diag.Error {
	return p.errorAt(p.offs[min(i, len(p.offs)-1)], format, args...)
}

// found describes the source at i, for messages.
func (p *parser) found(i int) string {
	if i >= len(p.buf) {
		return "the end"
	}
	if r := p.holes[i]; r != nil {
		return r.String()
	}
	r, _ := utf8.DecodeRuneInString(p.buf[i:])
	return string(r)
}

// show returns buf[start:end] as written, shortened for a message.
func (p *parser) show(start, end int) string {
	return clip(p.src[p.offs[start]:p.offs[end]])
}

// clip shortens a text for a message.
func clip(s string) string { return diag.Clip(s, 60) }

// peek returns the byte at index p.i+n, or 0 after the end.
func (p *parser) peek(n int) byte {
	if p.i+n < len(p.buf) {
		return p.buf[p.i+n]
	}
	return 0
}

// byteAt returns the byte at i, or 0 after the end.
func (p *parser) byteAt(i int) byte { return p.peek(i - p.i) }

// isHole reports whether there is a hole at i.
func (p *parser) isHole(i int) bool { return i < len(p.buf) && p.buf[i] == holeByte }

func isSpace(c byte) bool { return strings.IndexByte(" \t\n\r\f", c) >= 0 }

func (p *parser) space() {
	for p.i < len(p.buf) && isSpace(p.buf[p.i]) {
		p.i++
	}
}

// separates reports whether a ">>" that separates two parts is at i.
func (p *parser) separates(i int) bool {
	return strings.HasPrefix(p.buf[i:], ">>") &&
		(i == 0 || isSpace(p.buf[i-1])) &&
		(i+2 == len(p.buf) || isSpace(p.buf[i+2]))
}

// around says what encloses a part.
type around uint8

const (
	top      around = iota // nothing
	inParens               // the parentheses of has and similar kinds
	inList                 // the parentheses of any, where " | " ends a part too
)

// bars reports whether a "|" that separates two selectors in parentheses is at i.
func (p *parser) bars(i int) bool {
	return p.buf[i] == '|' &&
		(i == 0 || isSpace(p.buf[i-1]) || p.buf[i-1] == '(') &&
		(i+1 == len(p.buf) || isSpace(p.buf[i+1]) || p.buf[i+1] == ')')
}

// closes reports whether a parenthesis or a bar at i ends the part.
func (p *parser) closes(i int, in around) bool {
	return in != top && p.buf[i] == ')' || in == inList && p.bars(i)
}

// ends reports whether the part ends at i, or after white space at i.
func (p *parser) ends(i int, in around) bool {
	for i < len(p.buf) && isSpace(p.buf[i]) {
		i++
	}
	return i == len(p.buf) || p.separates(i) || p.closes(i, in)
}

// trim moves start and end over white space.
func (p *parser) trim(start, end int) (int, int) {
	for start < end && isSpace(p.buf[start]) {
		start++
	}
	for end > start && isSpace(p.buf[end-1]) {
		end--
	}
	return start, end
}

// textEnd returns the end of a plain text. Inside parentheses, a text may contain balanced
// parentheses.
func (p *parser) textEnd(in around) int {
	open := 0
	for i := p.i; i < len(p.buf); i++ {
		switch c := p.buf[i]; {
		case p.separates(i), open == 0 && p.closes(i, in):
			return i
		case c == '(':
			open++
		case c == ')':
			open--
		}
	}
	return len(p.buf)
}

var closing = map[byte]byte{'(': ')', '[': ']', '{': '}'}

// codeEnd returns the end of an XPath text, or of a CSS text if css is set. It checks that quotes
// and brackets are balanced.
func (p *parser) codeEnd(in around, css bool) (int, error) {
	var open []int
	for i := p.i; i < len(p.buf); i++ {
		switch c := p.buf[i]; c {
		case '\\':
			if css {
				i++
			}
		case '"', '\'':
			end := p.stringEnd(i, css)
			if end < 0 {
				return 0, p.fail(i, "found an unclosed %c, expected another %[1]c at the end", c).
					WithHint("close the quote with %c", c)
			}
			i = end
		case '/':
			if css && strings.HasPrefix(p.buf[i:], "/*") {
				n := strings.Index(p.buf[i+2:], "*/")
				if n < 0 {
					return 0, p.fail(i, "found an unclosed comment, expected */").WithHint("close the comment with */")
				}
				i += n + 3
			}
		case '(', '[', '{':
			open = append(open, i)
		case ')', ']', '}':
			if len(open) == 0 {
				if in != top && c == ')' {
					return i, nil
				}
				return 0, p.fail(i, "found %c without an opening bracket", c).WithHint("remove the bracket, or add the opening one")
			}
			if want := closing[p.buf[open[len(open)-1]]]; c != want {
				return 0, p.fail(i, "found %c, expected %c", c, want).WithHint("close the innermost bracket first")
			}
			open = open[:len(open)-1]
		case '>', '|':
			if len(open) == 0 && (p.separates(i) || p.closes(i, in)) {
				return i, nil
			}
		}
	}
	if len(open) > 0 {
		c := p.buf[open[len(open)-1]]
		return 0, p.fail(open[len(open)-1], "found an unclosed %c, expected %c", c, closing[c]).WithHint("close the bracket with %c", closing[c])
	}
	return len(p.buf), nil
}

// stringEnd returns the index of the quote that ends the string at i, or -1.
func (p *parser) stringEnd(i int, escapes bool) int {
	quote := p.buf[i]
	for i++; i < len(p.buf); i++ {
		switch {
		case p.buf[i] == quote:
			return i
		case p.buf[i] == '\\' && escapes:
			i++
		}
	}
	return -1
}

// hole returns the reference at i inside a part. It returns an error for an alias and for a param
// of type selector: these must be whole parts.
func (p *parser) hole(i int) (*expr.Ref, error) {
	r := p.holes[i]
	switch {
	case r.Root == expr.RootSelectors:
		return nil, p.fail(i, "found the alias %s inside a part, expected it as a whole part", r).
			WithHint("write the alias between >>, as in %s >> css:button", r)
	case r.Root == expr.RootParams && len(r.Path) == 0 && p.isSelectorParam(r.Name):
		return nil, p.fail(i, "found the selector param %s inside a part, expected it as a whole part", r).
			WithHint("write the param between >>, as in %s >> css:button, or declare the param with type: string", r)
	}
	return r, nil
}

func (p *parser) isSelectorParam(name string) bool {
	return p.o.IsSelectorParam != nil && p.o.IsSelectorParam(name)
}

// refIndexes returns the indexes of the holes in buf[start:end], in order.
func (p *parser) refIndexes(start, end int) []int {
	var out []int
	for i := range p.holes {
		if i >= start && i < end {
			out = append(out, i)
		}
	}
	slices.Sort(out)
	return out
}

// data splits buf[start:end] into texts and holes.
func (p *parser) data(start, end int) (pieces, error) {
	var out pieces
	for _, i := range p.refIndexes(start, end) {
		r, err := p.hole(i)
		if err != nil {
			return nil, err
		}
		out = out.text(p.buf[start:i])
		out = append(out, piece{ref: r})
		start = i + 1
	}
	return out.text(p.buf[start:end]), nil
}

// quoted reads a quoted string with the escapes of JSON. The current byte must be the opening
// quote. It stops after the closing quote.
func (p *parser) quoted() (pieces, error) {
	quote := p.buf[p.i]
	end := p.stringEnd(p.i, true)
	if end < 0 {
		return nil, p.fail(p.i, "found an unclosed %c, expected another %[1]c at the end", quote).WithHint("close the quote with %c", quote)
	}
	var out pieces
	for p.i++; p.i < end; {
		switch c := p.buf[p.i]; c {
		case holeByte:
			r, err := p.hole(p.i)
			if err != nil {
				return nil, err
			}
			out = append(out, piece{ref: r})
			p.i++
		case '\\':
			s, err := p.jsonEscape()
			if err != nil {
				return nil, err
			}
			out = out.text(s)
		default:
			out = out.slice(p.buf, p.i, p.i+1)
			p.i++
		}
	}
	p.i++
	return out, nil
}

// lazy returns a function that compiles a pattern at its first call.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
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
