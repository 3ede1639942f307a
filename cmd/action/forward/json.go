package forward

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// The little JSON that requests and answers need. Package encoding/json is initialised
// behind most of what the program is made of. Tests compare the two.

// appendString appends s as JSON. Bytes that are no UTF-8 become U+FFFD.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < ' ':
			const hex = "0123456789abcdef"
			b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
		i += n
	}
	return append(b, '"')
}

// A member is a name of an object and its value.
type member struct {
	name  string
	value any // string, int, []string or map[string]string
}

// appendObject appends an object in the order of its members.
func appendObject(b []byte, members ...member) []byte {
	b = append(b, '{')
	for i, m := range members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, m.name), ':')
		switch v := m.value.(type) {
		case string:
			b = appendString(b, v)
		case int:
			b = strconv.AppendInt(b, int64(v), 10)
		case []string:
			b = append(b, '[')
			for i, s := range v {
				if i > 0 {
					b = append(b, ',')
				}
				b = appendString(b, s)
			}
			b = append(b, ']')
		case map[string]string:
			var of []member
			for name, value := range v {
				of = append(of, member{name, value})
			}
			b = appendObject(b, of...)
		default:
			panic("forward: a member of another type: " + m.name)
		}
	}
	return append(b, '}')
}

// A reader reads JSON that the daemon has written, and is no judge of all that JSON
// forbids. What it cannot read makes it bad, after which it reads nothing more.
type reader struct {
	s   []byte
	i   int
	bad bool
}

// next returns the byte at the place, behind white space; 0 at the end.
func (r *reader) next() byte {
	for ; !r.bad && r.i < len(r.s); r.i++ {
		switch c := r.s[r.i]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

// take passes c, which must come now.
func (r *reader) take(c byte) {
	if r.next() != c {
		r.bad = true
		return
	}
	r.i++
}

// object reads an object: value is called for each member and must read its value.
func (r *reader) object(value func(name string)) {
	r.take('{')
	for !r.bad && r.next() != '}' {
		name := r.text()
		r.take(':')
		if r.bad {
			return
		}
		value(name)
		if r.next() != '}' {
			r.take(',')
		}
	}
	r.take('}')
}

// text reads a string.
func (r *reader) text() string {
	r.take('"')
	var b []byte
	for !r.bad && r.i < len(r.s) {
		c := r.s[r.i]
		r.i++
		switch c {
		case '"':
			return string(b)
		case '\\':
			b = r.escape(b)
		default:
			b = append(b, c)
		}
	}
	r.bad = true
	return ""
}

// escape appends what stands behind a backslash.
func (r *reader) escape(b []byte) []byte {
	if r.i == len(r.s) {
		r.bad = true
		return b
	}
	c := r.s[r.i]
	r.i++
	switch c {
	case '"', '\\', '/':
		return append(b, c)
	case 'b':
		return append(b, '\b')
	case 'f':
		return append(b, '\f')
	case 'n':
		return append(b, '\n')
	case 'r':
		return append(b, '\r')
	case 't':
		return append(b, '\t')
	case 'u':
		first := r.unit()
		if !utf16.IsSurrogate(first) {
			return utf8.AppendRune(b, first)
		}
		if r.i+1 < len(r.s) && r.s[r.i] == '\\' && r.s[r.i+1] == 'u' {
			before := r.i
			r.i += 2
			if both := utf16.DecodeRune(first, r.unit()); both != utf8.RuneError {
				return utf8.AppendRune(b, both)
			}
			r.i = before
		}
		return utf8.AppendRune(b, utf8.RuneError)
	}
	r.bad = true
	return b
}

// unit reads the four digits of a \u.
func (r *reader) unit() rune {
	if r.i+4 > len(r.s) {
		r.bad = true
		return utf8.RuneError
	}
	n, err := strconv.ParseUint(string(r.s[r.i:r.i+4]), 16, 16)
	r.bad = r.bad || err != nil
	r.i += 4
	return rune(n)
}

// number reads a whole number; what is none is passed and counts as 0.
func (r *reader) number() int {
	n, _ := strconv.Atoi(string(r.skip()))
	return n
}

// skip passes a value and returns it as it stands.
func (r *reader) skip() []byte {
	c := r.next()
	begin := r.i
	switch c {
	case '"':
		r.text()
	case '{':
		r.object(func(string) { r.skip() })
	case '[':
		r.take('[')
		for !r.bad && r.next() != ']' {
			r.skip()
			if r.next() != ']' {
				r.take(',')
			}
		}
		r.take(']')
	default: // a number or a word
		for r.i < len(r.s) && isWord(r.s[r.i]) {
			r.i++
		}
		r.bad = r.bad || r.i == begin
	}
	if r.bad {
		return nil
	}
	return r.s[begin:r.i]
}

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'E'
}
