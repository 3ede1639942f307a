package ops

// The fields of results, derived from their types.

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
)

// A Value is one field of a result.
type Value struct {
	Name     string
	Type     reflect.Type
	Optional bool   // absent if its value is empty
	Doc      string // description in Markdown
}

// Shaped is implemented by results that may be of several types.
type Shaped interface {
	// Shapes returns a zero value of each type.
	Shapes() []any
}

// valuesOf returns the fields of a result. t is a struct or a pointer to a struct. If the result is
// Shaped, valuesOf returns the fields of the first type.
func valuesOf(t reflect.Type) []Value {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if shaped, ok := reflect.Zero(t).Interface().(Shaped); ok {
		return valuesOf(reflect.TypeOf(shaped.Shapes()[0]))
	}
	var values []Value
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			values = append(values, valuesOf(f.Type)...)
			continue
		}
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		values = append(values, Value{Name: name, Type: f.Type, Optional: strings.Contains(rest, "omit"), Doc: ResultDoc(t, name)})
	}
	return values
}

// marshal encodes a value as JSON, as in the replies of the socket.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
