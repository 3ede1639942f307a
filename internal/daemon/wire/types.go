package wire

// The types of request, derived from the structs of messages.go: the fields of each, and their
// kinds.

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
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
	Map      Kind = "object"         // with any values
	Fields   Kind = "object of"      // with the fields in Field.Fields
	ID       Kind = "text or number" // the id of a request
	Absolute Kind = "absolute path"
)

// kinds maps the types of struct fields to kinds. Pointers to them are optional values of the
// same kind. Pointers to structs are Fields.
var kinds = map[reflect.Type]Kind{
	reflect.TypeFor[string]():            Text,
	reflect.TypeFor[int]():               Integer,
	reflect.TypeFor[bool]():              Boolean,
	reflect.TypeFor[Duration]():          Time,
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

// A Type is one type of request.
type Type struct {
	Name string
	// Control is set for types that are answered immediately, even while other requests run.
	Control bool
	// Effects is set for types that may change a page or a session. Without a reply, the client
	// cannot know whether they did.
	Effects bool
	Fields  []Field // fields besides id and type
	message reflect.Type
}

// New returns an empty message of the type.
func (t *Type) New() Message { return reflect.New(t.message).Interface().(Message) }

type entry struct {
	message Message
	control bool
	effects bool
}

// types is computed on first use, because a client that only sends does not need it.
var types = sync.OnceValue(func() []Type {
	all := make([]Type, len(table))
	for i, e := range table {
		message := reflect.TypeOf(e.message).Elem()
		all[i] = Type{Name: e.message.Type(), Control: e.control, Effects: e.effects, Fields: fieldsOf(message), message: message}
	}
	return all
})

// fieldsOf returns the fields of a struct. Fields of embedded structs count as its own, as in
// JSON. It panics on a struct that it cannot read, which is a bug of this package.
func fieldsOf(t reflect.Type) []Field {
	var fields []Field
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			fields = append(fields, fieldsOf(f.Type)...)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields = append(fields, fieldOf(name, f))
	}
	return fields
}

func fieldOf(name string, f reflect.StructField) Field {
	out := Field{Name: name, Doc: docs[name]}
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
		panic(fmt.Sprintf("wire: invalid declaration of field %s %s `%s`", f.Name, f.Type, f.Tag))
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

// Types returns every type of request. The caller may change the slice, but not its
// elements.
func Types() []Type { return slices.Clone(types()) }

// LookupType returns the type with the given name, or nil.
func LookupType(name string) *Type {
	all := types()
	for i := range all {
		if all[i].Name == name {
			return &all[i]
		}
	}
	return nil
}

func typeNames() []string {
	var names []string
	for _, t := range types() {
		names = append(names, t.Name)
	}
	return names
}
