package selectors

// Splits CSS and XPath into texts and holes, and checks them as far as possible without a browser.
// The scanner has already checked that quotes and brackets are balanced.

import "strings"

// A cssLexer reads buf[i:end].
type cssLexer struct {
	*parser
	end   int
	out   pieces
	depth int  // open parentheses
	want  bool // a compound selector must follow: at the start, or after a combinator or comma
	tight bool // the previous byte belongs to the compound selector
}

func (p *parser) css(start, end int) (pieces, error) {
	l := cssLexer{parser: p, end: end, want: true}
	p.i = start
	for p.i < end {
		if err := l.next(); err != nil {
			return nil, err
		}
	}
	if l.want {
		last := end - 1
		return nil, p.fail(last, "found %s at the end, expected a selector after it", p.found(last)).
			WithHint("add the selector that is missing at the end; separate parts with >> and a space on each side")
	}
	return l.out, nil
}

func (l *cssLexer) emit(n int) {
	l.out = l.out.slice(l.buf, l.i, l.i+n)
	l.i += n
}

func (l *cssLexer) done() { l.want, l.tight = false, true }

func (l *cssLexer) next() error {
	c := l.buf[l.i]
	switch {
	case isSpace(c):
		l.emit(1)
		l.tight = false
		return nil
	case c == '/' && l.peek(1) == '*':
		n := strings.Index(l.buf[l.i+2:], "*/") + 4
		if holes := l.refIndexes(l.i, l.i+n); len(holes) > 0 {
			return l.fail(holes[0], "found the reference %s in a CSS comment, expected none", l.found(holes[0])).WithHint("remove the comment, or the reference in it")
		}
		l.emit(n)
		return nil
	case c == holeByte:
		return l.bare()
	case c == '.' || c == '#':
		return l.named(c)
	case c == '[':
		l.done()
		return l.attr()
	case c == ':':
		return l.pseudo()
	case c == '*' || c == '&':
		l.emit(1)
		l.done()
		return nil
	case c == '(' || c == ')':
		return l.paren(c)
	case (c == '"' || c == '\'') && l.depth > 0:
		return l.str()
	case strings.IndexByte(">+~|,", c) >= 0:
		return l.combinator(c)
	case isName(c) || c == '\\':
		if isDigit(c) && l.depth == 0 && !l.tight {
			return l.fail(l.i, "found %c, expected a name that does not begin with a digit", c).
				WithHint("to begin a name with this digit, write \\3%c and a space", c)
		}
		l.done()
		return l.name(integer)
	}
	return l.junk(c)
}

// junk returns the error for an unexpected character. Its hint suggests what was probably meant.
func (l *cssLexer) junk(c byte) error {
	e := l.fail(l.i, "found %s, which is not valid here in a CSS selector", l.found(l.i))
	switch c {
	case '=':
		return e.WithHint(`a kind ends with a colon, as in text:OK; an attribute is in brackets, as in [name="value"]`)
	case '/':
		return e.WithHint("to use XPath, begin with xpath:")
	case '$':
		return e.WithHint("in an action file, write a reference with braces, as in text:${params.name}; on the command line, write the value itself")
	}
	return e.WithHint(`for another kind of selector, write its name first, as in text:OK; in CSS, write this character as \%s`, l.found(l.i))
}

func isName(c byte) bool { return isAlnum(c) || c == '-' || c == '_' || c >= 0x80 }

// bare reads a hole outside strings and names. Its value must be an integer.
func (l *cssLexer) bare() error {
	r, err := l.hole(l.i)
	if err != nil {
		return err
	}
	if l.depth == 0 {
		return l.fail(l.i, "found %s, expected a selector", r).
			WithHint("a value may be a name (.%s, #%s), a string ([title=\"%s\"]) or an integer (:nth-child(%s))", r, r, r, r)
	}
	l.out = append(l.out, piece{ref: r, context: integer})
	l.i++
	return nil
}

// named reads .class or #id.
func (l *cssLexer) named(c byte) error {
	l.emit(1)
	l.done()
	what := map[byte]string{'.': "class", '#': "id"}[c]
	if d := l.at(0); isDigit(d) || d == '-' && isDigit(l.at(1)) {
		return l.fail(l.i, "found %c, expected the name of the %s, which must not begin with a digit", d, what).
			WithHint(`write [%s="…"] instead`, what)
	}
	if d := l.at(0); !isName(d) && d != '\\' {
		return l.fail(l.i, "found %s after %c, expected the name of the %s", l.foundHere(), c, what).
			WithHint(`write a name, or escape the character, as in \%c`, c)
	}
	return l.name(cssIdent)
}

// at returns the byte at index l.i+n, or 0 after the end of the body.
func (l *cssLexer) at(n int) byte {
	if l.i+n < l.end {
		return l.buf[l.i+n]
	}
	return 0
}

func (l *cssLexer) foundHere() string {
	if l.i >= l.end {
		return "the end"
	}
	return l.found(l.i)
}

// name reads the characters of a name. The argument "where" is the context of the holes in it.
func (l *cssLexer) name(where context) error {
	start := l.i
	for l.i < l.end {
		switch c := l.buf[l.i]; {
		case c == '\\':
			if err := l.escape(); err != nil {
				return err
			}
		case c == holeByte:
			r, err := l.hole(l.i)
			if err != nil {
				return err
			}
			x := piece{ref: r, context: where}
			if where == cssIdent && strings.Trim(l.buf[start:l.i], "-") == "" {
				x.context = cssStart
			}
			l.out = append(l.out, x)
			l.i++
		case isName(c):
			l.emit(1)
		default:
			return nil
		}
	}
	return nil
}

// escape reads a backslash and the escaped character.
func (l *cssLexer) escape() error {
	if l.i+1 >= l.end {
		return l.fail(l.i, `found \ at the end, expected a character after it`).WithHint(`write a backslash as \\`)
	}
	if l.isHole(l.i + 1) {
		return l.fail(l.i, `found \ before %s, expected a character`, l.found(l.i+1)).
			WithHint("remove the backslash: values are escaped automatically")
	}
	n := 1
	for n < 7 && isHex(l.at(n)) {
		n++
	}
	if n == 1 {
		l.emit(2)
		return nil
	}
	l.emit(n)
	switch c := l.at(0); {
	case isSpace(c):
		l.emit(1)
	case c == holeByte:
		l.out = l.out.text(" ") // so that the value is not read as more digits
	}
	return nil
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// str reads a string.
func (l *cssLexer) str() error {
	quote := l.buf[l.i]
	l.emit(1)
	for l.i < l.end {
		switch c := l.buf[l.i]; c {
		case quote:
			l.emit(1)
			return nil
		case '\\':
			if err := l.escape(); err != nil {
				return err
			}
		case '\n', '\r', '\f':
			return l.fail(l.i, "found a line break in a CSS string, expected its escape").WithHint(`write a line break as \a and a space`)
		case holeByte:
			r, err := l.hole(l.i)
			if err != nil {
				return err
			}
			l.out = append(l.out, piece{ref: r, context: cssString})
			l.i++
		default:
			l.emit(1)
		}
	}
	return l.fail(l.i, "found an unclosed string, expected %c at its end", quote).WithHint("close the string with %c", quote)
}

func (l *cssLexer) pseudo() error {
	start := l.i
	l.emit(1)
	if l.at(0) == ':' {
		l.emit(1)
	}
	l.done()
	if l.isHole(l.i) && l.i < l.end {
		return l.fail(l.i, "found %s, expected the name of a pseudo-class", l.found(l.i)).
			WithHint("write the name of the pseudo-class itself; a reference may be only inside its parentheses")
	}
	if c := l.at(0); !isName(c) && c != '\\' || isDigit(c) {
		return l.fail(l.i, "found %s after :, expected the name of a pseudo-class", l.foundHere()).
			WithHint(`escape a colon in a name as \:`)
	}
	name := pseudoName().FindString(l.buf[l.i:l.end])
	if hint := notCSS[name]; hint != "" && l.i == start+1 {
		return l.fail(start, "found :%s, expected a pseudo-class of CSS", name).WithHint("%s", hint)
	}
	return l.name(integer)
}

func (l *cssLexer) paren(c byte) error {
	if c == ')' {
		l.depth--
		l.emit(1)
		l.done()
		return nil
	}
	if l.depth == 0 && (!l.tight || !isName(l.buf[l.i-1])) {
		return l.fail(l.i, "found (, expected a selector").
			WithHint("write parentheses only after a pseudo-class, as in :not(.x); for XPath write xpath:")
	}
	l.depth++
	l.emit(1)
	return nil
}

func (l *cssLexer) combinator(c byte) error {
	if strings.HasPrefix(l.buf[l.i:l.end], ">>") {
		return l.fail(l.i, "found >>, expected a space on each side of it").
			WithHint("chain selectors as in css:a >> css:b")
	}
	if l.depth == 0 && c != '|' {
		if l.want {
			return l.fail(l.i, "found %c, expected a selector before it", c).
				WithHint("to begin at the element in which the selector searches, write `:scope`, as in css::scope > td")
		}
		l.want = true
	}
	l.tight = false
	l.emit(1)
	return nil
}

// attr reads [name], [name=value] or [name=value i].
func (l *cssLexer) attr() error {
	l.emit(1)
	l.spaces()
	start := l.i
	for l.i < l.end {
		if c := l.at(0); c == '*' && l.at(1) == '|' || c == '|' && l.at(1) != '=' {
			l.emit(1)
			continue
		}
		at := l.i
		if err := l.name(cssIdent); err != nil {
			return err
		}
		if l.i == at {
			break
		}
	}
	if l.i == start {
		return l.fail(l.i, "found %s after [, expected the name of an attribute", l.foundHere()).
			WithHint(`write [name="value"]`)
	}
	l.spaces()
	if l.at(0) == ']' {
		l.emit(1)
		return nil
	}
	if err := l.attrOp(); err != nil {
		return err
	}
	l.spaces()
	if err := l.attrValue(); err != nil {
		return err
	}
	l.spaces()
	if c := l.at(0) | 0x20; c == 'i' || c == 's' {
		l.emit(1)
		l.spaces()
	}
	if l.at(0) != ']' {
		return l.fail(l.i, "found %s, expected ]", l.foundHere()).WithHint(`put the value in quotes: [name="value"]`)
	}
	l.emit(1)
	return nil
}

func (l *cssLexer) spaces() {
	for isSpace(l.at(0)) && l.i < l.end {
		l.emit(1)
	}
}

func (l *cssLexer) attrOp() error {
	n := 1
	if c := l.at(0); strings.IndexByte("~|^$*", c) >= 0 && c != 0 {
		n = 2
	}
	if l.at(n-1) != '=' {
		return l.fail(l.i, "found %s, expected ] or =", l.foundHere()).
			WithHint("use =, ~=, |=, ^=, $= or *=")
	}
	l.emit(n)
	return nil
}

// attrValue reads a string or a name. A name with a hole becomes a string.
func (l *cssLexer) attrValue() error {
	if c := l.at(0); c == '"' || c == '\'' {
		return l.str()
	}
	start := l.i
	end := start
	for end < l.end && !isSpace(l.buf[end]) && l.buf[end] != ']' {
		if l.buf[end] == '\\' {
			end++
		}
		end++
	}
	holes := len(l.refIndexes(start, end)) > 0
	if d := l.at(0); !holes && (isDigit(d) || d == '-' && isDigit(l.at(1)) || !isName(d) && d != '\\') {
		return l.fail(start, "found %s, expected a value in quotes", l.foundHere()).
			WithHint(`put the value in quotes: [name="value"]`)
	}
	if !holes {
		return l.name(cssIdent)
	}
	l.out = l.out.text(`"`)
	if err := l.name(cssString); err != nil {
		return err
	}
	l.out = l.out.text(`"`)
	return nil
}

// xpath splits an XPath expression into texts and holes. A string with holes becomes one piece.
func (p *parser) xpath(start, end int) (pieces, error) {
	var out pieces
	for i := start; i < end; i++ {
		switch c := p.buf[i]; c {
		case '"', '\'':
			stop := p.stringEnd(i, false)
			group, err := p.data(i+1, stop)
			if err != nil {
				return nil, err
			}
			if _, ok := group.literal(); ok {
				out = out.slice(p.buf, i, stop+1)
			} else {
				out = append(out, piece{context: xpathGroup, group: group})
			}
			i = stop
		case holeByte:
			r, err := p.hole(i)
			if err != nil {
				return nil, err
			}
			out = append(out, piece{ref: r, context: integer})
		default:
			out = out.slice(p.buf, i, i+1)
		}
	}
	return out, nil
}
