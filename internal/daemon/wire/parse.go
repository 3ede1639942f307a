package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// Example is the hint for lines that are not requests.
const Example = `send one JSON object per line, such as {"id": 1, "type": "status"}`

// A Head is a line whose fields are not decoded yet.
type Head struct {
	// ID is the id as the client wrote it: a JSON text or number. It is [Null] if it could not be
	// read.
	ID     json.RawMessage
	Type   string                     // name of the operation
	Fields map[string]json.RawMessage // fields besides id and type
	Bytes  int                        // approximate memory of the decoded request
}

// Parse parses one line. It decodes only the id and the type. All its errors are INVALID_REQUEST.
// If there is an error, the result has only the ID. The messages of errors contain no values,
// because values may be secret.
func Parse(line []byte) (*Head, error) {
	h := &Head{ID: Null}
	if !utf8.Valid(line) {
		return h, invalid("found a request that is not UTF-8").WithHint("%s", Example)
	}
	m := measure(line)
	if err := m.tooMuch(); err != nil && json.Valid(line) {
		if m.ids == 1 && CheckID(m.id) == nil {
			h.ID = bytes.Clone(m.id)
		}
		return h, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		return h, notObject(line, err)
	}
	if fields == nil {
		return h, invalid("found null as the request, expected an object").WithHint("%s", Example)
	}
	h.Bytes = len(line) + m.size
	twice, err := scan(line)
	if id, ok := fields["id"]; ok && twice != "id" && CheckID(id) == nil {
		h.ID = id
	}
	if err != nil {
		return h, err
	}
	return h, h.take(fields)
}

// take sets the fields of h. It returns an error if the id or the type is missing or invalid.
func (h *Head) take(fields map[string]json.RawMessage) error {
	id, ok := fields["id"]
	if !ok {
		return invalid("found a request without the field \"id\"").WithHint("%s", Example)
	}
	if problem := CheckID(id); problem != nil {
		return invalid("the field \"id\" is %v", problem).WithHint("use a different id for each request: a text or a number")
	}
	raw, ok := fields["type"]
	if !ok {
		return invalid("found a request without the field \"type\"").WithHint("%s", Example)
	}
	if json.Unmarshal(raw, &h.Type) != nil || KindOf(raw) != "a text" {
		return invalid("the field \"type\" is %s, expected a text", KindOf(raw)).WithHint("%s", Example)
	}
	delete(fields, "id")
	delete(fields, "type")
	h.Fields = fields
	return nil
}

func notObject(line []byte, err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return invalid("found invalid JSON: %v, at byte %d of %d", syntax, syntax.Offset, len(line)).WithHint("%s", Example)
	}
	return invalid("found %s as the request, expected an object", KindOf(line)).WithHint("%s", Example)
}

// scan returns an error if an object in line has the same name twice. If it is the outermost
// object, scan also returns the name. The line must be valid JSON.
func scan(line []byte) (twice string, err error) {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.UseNumber() // numbers need no conversion
	type level struct {
		names map[string]bool // nil in an array
		value bool            // the next token is the value of a name
	}
	var stack []level
	for {
		token, err := dec.Token()
		if err != nil {
			return "", nil // the end of a valid line
		}
		top := len(stack) - 1
		if name, ok := token.(string); ok && top >= 0 && stack[top].names != nil && !stack[top].value {
			if stack[top].names[name] {
				if top == 0 {
					twice = name
				}
				return twice, invalid("found the field %q twice in one object", Short(name)).WithHint("write the field once")
			}
			stack[top].names[name], stack[top].value = true, true
			continue
		}
		if top >= 0 {
			stack[top].value = false
		}
		switch token {
		case json.Delim('{'):
			stack = append(stack, level{names: make(map[string]bool)})
		case json.Delim('['):
			stack = append(stack, level{})
		case json.Delim('}'), json.Delim(']'):
			stack = stack[:top]
		}
	}
}

// CheckValues returns an error if a JSON object exceeds [MaxDepth] or [MaxValues], or contains the
// same name twice in one object. It does not report invalid JSON.
func CheckValues(object []byte) error {
	if err := measure(object).tooMuch(); err != nil {
		return err
	}
	_, err := scan(object)
	return err
}

// CheckID returns an error if an id is invalid. The text of the error completes a sentence that
// begins with "the id is".
func CheckID(raw json.RawMessage) error {
	switch kind := KindOf(raw); {
	case kind != "a text" && kind != "a number":
		return fmt.Errorf("%s, expected a text or a number", kind)
	case len(raw) > MaxIDBytes:
		return fmt.Errorf("%d bytes long, expected at most %d", len(raw), MaxIDBytes)
	}
	return nil
}

// Key returns a text that is the same for equal ids, even if they are escaped differently. raw must
// be a valid id.
func Key(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return `"` + text
	}
	return string(raw)
}

// KindOf returns the type of a JSON value in words, such as "a list". It examines only the first
// byte.
func KindOf(raw []byte) string {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// Short shortens a name that a client has sent, for an error message.
func Short(name string) string {
	const most = 40
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return name
}
