package console

// The text of a call of the console: its arguments as a console writes them.

import (
	"encoding/json"
	"strings"
)

// An object holds the used fields of a Runtime.RemoteObject.
type object struct {
	Type        string          `json:"type"`
	Subtype     string          `json:"subtype"`
	Value       json.RawMessage `json:"value"`
	Number      string          `json:"unserializableValue"` // such as NaN or 12n
	Description string          `json:"description"`
	Preview     *preview        `json:"preview"`
}

// A preview has the first properties of an object.
type preview struct {
	Subtype    string `json:"subtype"`
	Overflow   bool   `json:"overflow"`
	Properties []struct {
		Name  string `json:"name"`
		Type  string `json:"type"`
		Value string `json:"value"`
	} `json:"properties"`
}

// text returns the text that a console shows for o. For an object or an array, it lists the first
// properties.
func (o *object) text() string {
	switch {
	case o.Type == "string":
		var s string
		if json.Unmarshal(o.Value, &s) == nil {
			return s
		}
	case o.Type == "undefined":
		return "undefined"
	case o.Number != "":
		return o.Number
	case o.Type == "object" && (o.Subtype == "" || o.Subtype == "array") && o.Preview != nil:
		return o.Preview.text()
	case o.Type != "object" && o.Type != "function" && o.Type != "symbol" || o.Subtype == "null":
		return string(o.Value)
	}
	return o.Description
}

func (p *preview) text() string {
	list := p.Subtype == "array"
	parts := make([]string, 0, len(p.Properties)+1)
	for _, f := range p.Properties {
		value := f.Value
		if f.Type == "string" {
			value = `"` + value + `"`
		}
		if !list {
			value = f.Name + ": " + value
		}
		parts = append(parts, value)
	}
	if p.Overflow {
		parts = append(parts, "…")
	}
	if list {
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// written returns the arguments of a console call as one text. If the first argument is a text, its
// directives are replaced by the next arguments. The directives are %s, %d, %i, %f, %o, %O and %c.
// The argument of %c is dropped, because it is a style.
func written(args []object) string {
	if len(args) == 0 {
		return ""
	}
	format, rest := args[0].text(), args[1:]
	var b strings.Builder
	if args[0].Type != "string" {
		b.WriteString(format)
		format = ""
	}
	for format != "" {
		before, after, found := strings.Cut(format, "%")
		b.WriteString(before)
		if format = after; !found {
			break
		}
		switch {
		case strings.HasPrefix(after, "%"):
			b.WriteByte('%')
			format = after[1:]
		case after != "" && strings.ContainsRune("sdifoOc", rune(after[0])) && len(rest) > 0:
			if after[0] != 'c' {
				b.WriteString(rest[0].text())
			}
			format, rest = after[1:], rest[1:]
		default:
			b.WriteByte('%')
		}
	}
	for i := range rest {
		b.WriteByte(' ')
		b.WriteString(rest[i].text())
	}
	return b.String()
}
