package wire

// The content of a line, counted before any of it is decoded: decoded, a line of maximum
// length can take up a hundred times as much.

import "strings"

// Memory of a value in addition to its bytes in the line.
const (
	objectBytes = 400
	valueBytes  = 64
)

// A measured is what measure finds in a line. It is meaningless if the line is not JSON.
type measured struct {
	values int    // names and values, and the ends of lists and objects
	depth  int    // the deepest nesting
	size   int    // memory of the values, in addition to that of the line
	ids    int    // how often the request itself has the name "id"
	id     []byte // the last value of it that is a text or a number; a part of the line
}

// measure counts the content of line. It allocates nothing.
func measure(line []byte) (m measured) {
	depth := 0
	var before byte // the last of {}[],: that was passed
	isID := false   // the name "id" of the request was read, its value follows
	for i := 0; i < len(line); {
		c, end := line[i], i+1
		switch c {
		case ' ', '\t', '\r', '\n':
			i = end
			continue
		case ',', ':':
			before = c
			i = end
			continue
		case '{', '[':
			depth++
			m.depth = max(m.depth, depth)
			if c == '{' {
				m.size += objectBytes
			}
			before = c
		case '}', ']':
			depth--
			before = c
		case '"':
			end = textEnd(line, i)
		default:
			end = i + 1
			for end < len(line) && strings.IndexByte(" \t\r\n,:{}[]\"", line[end]) < 0 {
				end++
			}
		}
		m.values++
		m.size += valueBytes
		token := line[i:end]
		if isID && c != '{' && c != '[' {
			m.id = token
		}
		isID = depth == 1 && (before == '{' || before == ',') && string(token) == `"id"`
		if isID {
			m.ids++
		}
		i = end
	}
	return m
}

// textEnd is the index after the text that begins at i.
func textEnd(line []byte, i int) int {
	for i++; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(line)
}

// tooMuch says which limit the line exceeds.
func (m measured) tooMuch() error {
	switch {
	case m.depth > MaxDepth:
		return invalid("the request is nested deeper than %d levels", MaxDepth).WithHint("send flatter values")
	case m.values > MaxValues+1:
		return invalid("the request holds more than %d names and values", MaxValues).
			WithHint("send less in one request: name a file instead of sending its content")
	}
	return nil
}
