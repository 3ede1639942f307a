package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/actionregistry/action/diag"
)

// example is the hint for lines that are not requests.
const example = `send one JSON object per line, such as {"id": 1, "type": "status"}`

// Parse parses one line. It always returns a request. If the error, INVALID_REQUEST, is not nil,
// only the ID of the request is valid. Messages contain the names of fields but no values, which
// may be secret.
func Parse(line []byte) (*Request, error) {
	r := &Request{ID: Null}
	if !utf8.Valid(line) {
		return r, invalid("found a request that is not UTF-8").WithHint("%s", example)
	}
	m := measure(line)
	if err := m.tooMuch(); err != nil && json.Valid(line) {
		if m.ids == 1 && checkID(m.id) == nil {
			r.ID = bytes.Clone(m.id)
		}
		return r, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		return r, notObject(line, err)
	}
	if fields == nil {
		return r, invalid("found null as the request, expected an object").WithHint("%s", example)
	}
	r.bytes = len(line) + m.size
	twice, err := scan(line)
	if id, ok := fields["id"]; ok && twice != "id" && checkID(id) == nil {
		r.ID = id
	}
	if err != nil {
		return r, err
	}
	t, err := check(fields)
	if err != nil {
		return r, err
	}
	body := t.New()
	if err := json.Unmarshal(line, body); err != nil {
		// Types are checked above. The remaining case is a number beyond the range of a float.
		var number *json.UnmarshalTypeError
		if errors.As(err, &number) {
			return r, invalid("found a number in %s that is too large", number.Field).WithHint("send the number as a text")
		}
		return r, invalid("the request could not be read: %v", err).WithHint("%s", example)
	}
	r.Body = body
	return r, nil
}

func notObject(line []byte, err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return invalid("found invalid JSON: %v, at byte %d of %d", syntax, syntax.Offset, len(line)).WithHint("%s", example)
	}
	return invalid("found %s as the request, expected an object", kindOf(line)).WithHint("%s", example)
}

// scan searches a valid JSON object for duplicate names, which package json accepts. twice is the
// name if it is one of the request's own fields.
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
				return twice, invalid("found the field %q twice in one object", short(name)).WithHint("write the field once")
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

// CheckValues rejects a JSON object that exceeds [MaxDepth] or [MaxValues], or has a duplicate
// name. It does not report invalid JSON.
func CheckValues(object []byte) error {
	if err := measure(object).tooMuch(); err != nil {
		return err
	}
	_, err := scan(object)
	return err
}

// check checks the names and values of all fields, and returns the type of the request.
func check(fields map[string]json.RawMessage) (*Type, error) {
	id, ok := fields["id"]
	if !ok {
		return nil, invalid("found a request without an id").WithHint("%s", example)
	}
	if problem := checkID(id); problem != nil {
		return nil, invalid("id is %v", problem).WithHint("use a different id for each request: a text or a number")
	}
	var name string
	raw, ok := fields["type"]
	if !ok {
		return nil, invalid("found a request without a type").WithHint("%s", example)
	}
	if json.Unmarshal(raw, &name) != nil || kindOf(raw) != "a text" {
		return nil, invalid("type is %s, expected a text", kindOf(raw)).WithHint("%s", example)
	}
	t := LookupType(name)
	if t == nil {
		err := invalid("found the unknown type %q", short(name))
		if near := diag.DidYouMean(name, typeNames()); near != "" {
			return nil, err.WithHint("%s", near)
		}
		return nil, err.WithHint("the types are: %s", strings.Join(typeNames(), ", "))
	}
	rest := make(map[string]json.RawMessage, len(fields))
	for key, value := range fields {
		if key != "id" && key != "type" {
			rest[key] = value
		}
	}
	return t, checkFields(t.Name, t.Fields, rest)
}

// checkFields checks the fields of one object. where names it in messages.
func checkFields(where string, known []Field, got map[string]json.RawMessage) error {
	for _, name := range slices.Sorted(maps.Keys(got)) {
		f := lookupField(known, name)
		if f == nil {
			return unknownField(where, known, name)
		}
		if string(got[name]) == "null" {
			continue // null counts as missing
		}
		if err := f.check(where, got[name]); err != nil {
			return err
		}
	}
	for _, f := range known {
		if raw := string(got[f.Name]); f.Required && (raw == "" || raw == "null" || raw == `""`) {
			return f.missing(where)
		}
	}
	return nil
}

func (f *Field) missing(where string) error {
	return invalid("found %s without %s, which is required", where, f.Name).WithHint("add %q, %s", f.Name, article(f.Kind))
}

func unknownField(where string, known []Field, name string) error {
	err := invalid("found the unknown field %[2]q in %[1]s", where, short(name))
	names := make([]string, len(known))
	for i, f := range known {
		names[i] = f.Name
	}
	if near := diag.Nearest(name, names); near != "" {
		return err.WithHint("did you mean %s?", near)
	}
	if len(names) == 0 {
		return err.WithHint("use only the fields id and type")
	}
	return err.WithHint("use one of the fields: %s", strings.Join(names, ", "))
}

// maxPathBytes bounds the path of a folder. No system accepts longer paths.
const maxPathBytes = 4096

// check checks the type of a value that is not null.
func (f *Field) check(where string, raw json.RawMessage) error {
	wrong := func() error {
		return invalid("%s of %s is %s, expected %s", f.Name, where, kindOf(raw), article(f.Kind)).
			WithHint("see docs/protocol.md for the fields of %s", where)
	}
	kind := kindOf(raw)
	switch f.Kind {
	case Text, Absolute:
		var text string
		if kind != "a text" || json.Unmarshal(raw, &text) != nil {
			return wrong()
		}
		if f.Kind == Absolute && len(text) > maxPathBytes {
			return invalid("%s of %s has %d bytes, expected at most %d", f.Name, where, len(text), maxPathBytes).WithHint("send the caller's working directory")
		}
		if f.Kind == Absolute && !filepath.IsAbs(text) {
			return invalid("%s of %s is a relative path, expected an absolute path", f.Name, where).WithHint("send the caller's working directory")
		}
		if f.Values != nil && !slices.Contains(f.Values, text) {
			return invalid("%s of %s has an unknown value, expected one of %s", f.Name, where, strings.Join(f.Values, ", ")).
				WithHint("see docs/protocol.md for the fields of %s", where)
		}
		return f.plain(where, text)
	case Boolean:
		if kind != "a boolean" {
			return wrong()
		}
	case Integer:
		most := int64(cmp.Or(f.Max, math.MaxInt32))
		if n, err := strconv.ParseInt(string(raw), 10, 32); err != nil || n < int64(f.Min) || n > most {
			return invalid("%s of %s is %s, expected an integer from %d to %d", f.Name, where, kind, f.Min, most).
				WithHint("see docs/protocol.md for the fields of %s", where)
		}
	case Time:
		if _, err := parseDuration(raw); err != nil {
			return invalid("%s of %s is %s, %v", f.Name, where, kind, err).WithHint("write a time as 5000 or 5s")
		}
	case ID:
		if problem := checkID(raw); problem != nil {
			return invalid("%s of %s is %v", f.Name, where, problem).WithHint("pass the id of a request on this connection")
		}
	case Map:
		if kind != "an object" {
			return wrong()
		}
	case Texts:
		var items []*string // a nil item is null, which is not a text
		if json.Unmarshal(raw, &items) != nil || slices.Contains(items, nil) {
			return wrong()
		}
		if f.Required && len(items) == 0 {
			return f.missing(where)
		}
		for _, item := range items {
			if err := f.plain(where, *item); err != nil {
				return err
			}
		}
	case Env:
		return f.checkEnv(where, raw, wrong)
	case Fields:
		var items map[string]json.RawMessage
		if json.Unmarshal(raw, &items) != nil {
			return wrong()
		}
		return checkFields(f.Name, f.Fields, items)
	}
	return nil
}

// plain rejects characters that no name, path or variable can contain.
func (f *Field) plain(where, text string) error {
	if strings.ContainsRune(text, 0) {
		return invalid("%s of %s contains a NUL character", f.Name, where).WithHint("remove the character")
	}
	return nil
}

// checkEnv checks variables of an environment.
func (f *Field) checkEnv(where string, raw json.RawMessage, wrong func() error) error {
	var items map[string]*string
	if json.Unmarshal(raw, &items) != nil {
		return wrong()
	}
	for name, value := range items {
		switch {
		case value == nil:
			return wrong()
		case name == "" || strings.Contains(name, "="):
			return invalid("%s of %s contains a variable with an empty name or with = in its name", f.Name, where).
				WithHint("write variables as {\"NAME\": \"value\"}")
		}
		if err := f.plain(where, name+*value); err != nil {
			return err
		}
	}
	return nil
}

// checkID describes what is wrong with an id, as a phrase to follow "is".
func checkID(raw json.RawMessage) error {
	switch kind := kindOf(raw); {
	case kind != "a text" && kind != "a number":
		return fmt.Errorf("%s, expected a text or a number", kind)
	case len(raw) > MaxIDBytes:
		return fmt.Errorf("%d bytes long, expected at most %d", len(raw), MaxIDBytes)
	}
	return nil
}

// Key returns the same key for ids that a client would consider equal. raw must be from a
// [Request].
func Key(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return `"` + text
	}
	return string(raw)
}

// kindOf describes the type of a JSON value by its first byte.
func kindOf(raw []byte) string {
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

func article(k Kind) string {
	switch k {
	case Integer, Absolute, Map, Env:
		return "an " + string(k)
	case Fields:
		return "an object"
	}
	return "a " + string(k)
}

// short shortens a name from a client for a message.
func short(name string) string {
	const most = 40
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return name
}
