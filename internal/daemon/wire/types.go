package wire

// The types of request, as the structs of messages.go declare them: which fields each may
// have, and of which kind.

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
	Time     Kind = "duration" // milliseconds as an integer, or like 500ms and 5s
	Texts    Kind = "list of texts"
	Env      Kind = "environment"    // a map of texts by the names of variables
	Map      Kind = "object"         // of any values
	Fields   Kind = "object of"      // of the fields that Field.Fields lists
	ID       Kind = "text or number" // the id of a request
	Absolute Kind = "absolute path"
)

// kinds are those of the types of struct fields. Pointers to them are optional values of
// the same kind; pointers to structs are Fields.
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
	Min, Max int      // of an Integer; Max 0: 2147483647
	Values   []string // allowed values of a Text; nil: any
	Fields   []Field  // of an object with known fields
	Doc      string   // description in Markdown; "" for those of an object
}

// A Type is one type of request.
type Type struct {
	Name string
	// Control is set for types that are answered at once, even while others run.
	Control bool
	// Effects is set for types that may change a page or a session: without a reply, the
	// client cannot know whether they did.
	Effects bool
	Fields  []Field // without id and type
	message reflect.Type
}

// New returns an empty message of the type.
func (t *Type) New() Message { return reflect.New(t.message).Interface().(Message) }

type entry struct {
	message Message
	control bool
	effects bool
}

// types is made on first use: a client that only sends does not need it.
var types = sync.OnceValue(func() []Type {
	all := make([]Type, len(table))
	for i, e := range table {
		message := reflect.TypeOf(e.message).Elem()
		all[i] = Type{Name: e.message.Type(), Control: e.control, Effects: e.effects, Fields: fieldsOf(message), message: message}
	}
	return all
})

// fieldsOf lists the fields of a struct; those of embedded structs count as its own, as in
// JSON. A struct that it cannot read is a bug of this package.
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
		panic(fmt.Sprintf("wire: field %s %s `%s` cannot be declared so", f.Name, f.Type, f.Tag))
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

// LookupType returns the type with that name, or nil.
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
