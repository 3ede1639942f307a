package expr

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// CheckJSON reports faults in data that package encoding/json repairs silently: bytes that are not
// UTF-8, half of a surrogate pair in an escape, and a duplicate name in an object. Messages contain
// positions and names, never values. CheckJSON does not report other invalid JSON.
func CheckJSON(data []byte) error {
	if at, what := invalidText(data); at >= 0 {
		return fmt.Errorf("found %s at byte %d of the JSON, expected valid UTF-8", what, at+1)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	type level struct {
		names map[string]bool // nil in an array
		value bool            // the next token is the value of a name
		name  string
		index int
	}
	var stack []level
	for {
		token, err := dec.Token()
		if err != nil {
			return nil
		}
		top := len(stack) - 1
		if name, ok := token.(string); ok && top >= 0 && stack[top].names != nil && !stack[top].value {
			if stack[top].names[name] {
				var path strings.Builder
				for _, l := range stack[:top] {
					if l.names != nil {
						path.WriteString("." + shortName(l.name))
					} else {
						path.WriteString("[" + strconv.Itoa(l.index) + "]")
					}
				}
				place := ""
				if path.Len() > 0 {
					place = " of " + strings.TrimPrefix(path.String(), ".")
				}
				return fmt.Errorf("found the name %q twice in one object%s, at byte %d of the JSON, expected unique names", shortName(name), place, dec.InputOffset())
			}
			stack[top].names[name], stack[top].value, stack[top].name = true, true, name
			continue
		}
		switch token {
		case json.Delim('{'):
			stack = append(stack, level{names: make(map[string]bool)})
			continue
		case json.Delim('['):
			stack = append(stack, level{})
			continue
		case json.Delim('}'), json.Delim(']'):
			stack = stack[:top]
			top--
		}
		if top >= 0 {
			stack[top].value = false
			stack[top].index++
		}
	}
}

func shortName(name string) string {
	if chars := []rune(name); len(chars) > 40 {
		return string(chars[:40]) + "…"
	}
	return name
}

// invalidText returns the offset and a description of the first fault in a JSON text: a byte that
// is not UTF-8, or an escape that is half of a surrogate pair. The offset is -1 if there is none.
func invalidText(data []byte) (at int, what string) {
	if !utf8.Valid(data) {
		return invalidUTF8(string(data)), "a byte that is not UTF-8"
	}
	for i := 0; i+1 < len(data); i++ {
		if data[i] != '\\' {
			continue
		}
		r, ok := escaped(data[i:])
		switch {
		case !ok || r < 0xd800 || r > 0xdfff:
			i++ // the escaped character, which may be a backslash
			continue
		case r < 0xdc00:
			if low, ok := escaped(data[i+6:]); ok && low >= 0xdc00 && low <= 0xdfff {
				i += 11
				continue
			}
		}
		return i, "half of a surrogate pair"
	}
	return -1, ""
}

// escaped reads \uXXXX.
func escaped(data []byte) (rune, bool) {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(data[2:6]), 16, 16)
	return rune(n), err == nil
}
