package ops

// The fields of requests, derived from their structs.

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/actionregistry/action/internal/daemon/wire"
)

// A Kind is the type of a field's value.
type Kind string

const (
	Text     Kind = "text"
	Integer  Kind = "integer"
	Boolean  Kind = "boolean"
	Time     Kind = "duration" // an integer of milliseconds, or a text such as 500ms or 5s
	Texts    Kind = "list of texts"
	Env      Kind = "environment"    // a map from names of variables to texts
	Map      Kind = "object"         // an object with any fields
	Fields   Kind = "object of"      // an object with the fields in Field.Fields
	ID       Kind = "text or number" // the id of a request
	Absolute Kind = "absolute path"
)

// kinds maps the Go types of fields to kinds. A pointer to one of these types has the same kind. A
// struct has the kind Fields.
var kinds = map[reflect.Type]Kind{
	reflect.TypeFor[string]():            Text,
	reflect.TypeFor[int]():               Integer,
	reflect.TypeFor[bool]():              Boolean,
	reflect.TypeFor[wire.Duration]():     Time,
	reflect.TypeFor[[]string]():          Texts,
	reflect.TypeFor[map[string]string](): Env,
	reflect.TypeFor[map[string]any]():    Map,
	reflect.TypeFor[json.RawMessage]():   ID,
}

// A Field is one field of a request.
type Field struct {
	Name     string
	Kind     Kind
	Required bool
	Min, Max int      // bounds of an Integer; Max 0 means 2147483647
	Values   []string // allowed values of a Text; nil allows all
	Fields   []Field  // fields of an object with known fields
	Doc      string   // description in Markdown; "" for the fields of an object
}

// fieldsOf returns the fields of the struct t, including those of embedded structs. It panics if a
// field is declared in a way that it does not know.
func fieldsOf(t reflect.Type) []Field {
	var fields []Field
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			fields = append(fields, fieldsOf(f.Type)...)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields = append(fields, fieldOf(t, name, f))
	}
	return fields
}

func fieldOf(of reflect.Type, name string, f reflect.StructField) Field {
	out := Field{Name: name, Doc: docOf(of, name)}
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	out.Kind = kinds[t]
	if out.Kind == "" && t.Kind() == reflect.Struct {
		out.Kind, out.Fields = Fields, fieldsOf(t)
	}
	known := name != "" && out.Kind != ""
	for rule := range strings.SplitSeq(f.Tag.Get("wire"), ",") {
		key, value, _ := strings.Cut(rule, "=")
		bound, err := strconv.Atoi(value)
		switch {
		case key == "":
		case key == "required":
			out.Required = true
		case key == "absolute" && out.Kind == Text:
			out.Kind = Absolute
		case key == "one-of" && out.Kind == Text:
			out.Values = strings.Split(value, "|")
		case key == "min" && err == nil:
			out.Min = bound
		case key == "max" && err == nil:
			out.Max = bound
		default:
			known = false
		}
	}
	if !known {
		panic(fmt.Sprintf("ops: invalid declaration of field %s %s `%s`", f.Name, f.Type, f.Tag))
	}
	return out
}

// lookupField finds a field by its name.
func lookupField(fields []Field, name string) *Field {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}
