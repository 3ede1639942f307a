package wire

// Measures a line before any of it is decoded. After decoding, a line of maximum length can take a
// hundred times as much memory.

import "strings"

// Estimates of the memory that a decoded value needs in addition to its text.
const (
	objectBytes = 400
	valueBytes  = 64
)

// A measured describes the content of a line. It is meaningless if the line is not JSON.
type measured struct {
	values int    // number of names, values, and ends of lists and objects
	depth  int    // depth of the deepest nesting
	size   int    // memory of the values, without the line itself
	ids    int    // how often the outermost object has the name "id"
	id     []byte // the last id that is a text or a number; a slice of the line
}

// measure measures the content of line. It allocates nothing.
func measure(line []byte) (m measured) {
	depth := 0
	var before byte // the last of {}[],: before the current byte
	isID := false   // the next value belongs to the request's name "id"
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

// textEnd returns the index after the end of a JSON string. The string begins at index i.
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

// tooMuch returns an error if the line exceeds [MaxDepth] or [MaxValues].
func (m measured) tooMuch() error {
	switch {
	case m.depth > MaxDepth:
		return invalid("found a request nested too deeply, expected at most %d levels", MaxDepth).WithHint("send values with fewer levels")
	case m.values > MaxValues+1:
		return invalid("found a request with too many names and values, expected at most %d", MaxValues).
			WithHint("send less in one request: pass the name of a file instead of its content")
	}
	return nil
}
