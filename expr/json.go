package expr

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// DecodeJSON decodes one JSON value. Unlike package encoding/json, it keeps whole numbers exact: they
// become int64 values. All other numbers become float64 values. A whole number that neither type
// holds exactly is an error, whose text does not contain it. DecodeJSON does not report what
// [CheckJSON] reports.
func DecodeJSON(data []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("found more than one value, expected one")
	}
	return Numbers(v)
}

// Numbers converts every json.Number in v, as [DecodeJSON] does. It changes the lists and maps in v.
func Numbers(v any) (any, error) {
	var err error
	switch v := v.(type) {
	case json.Number:
		return Number(v)
	case []any:
		for i := range v {
			if v[i], err = Numbers(v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for k := range v {
			if v[k], err = Numbers(v[k]); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// Number returns the int64 or the float64 for n, as [DecodeJSON] does.
func Number(n json.Number) (any, error) {
	if i, err := n.Int64(); err == nil {
		return i, nil
	}
	f, err := n.Float64()
	if err != nil {
		return nil, errors.New("found a number that is too large, expected it as a text, in quotes")
	}
	if whole, ok := new(big.Int).SetString(n.String(), 10); ok {
		if same, _ := new(big.Float).SetFloat64(f).Int(nil); same.Cmp(whole) != 0 {
			return nil, errors.New("found a whole number that would lose digits, expected it as a text, in quotes")
		}
	}
	return f, nil
}

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
