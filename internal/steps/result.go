package steps

// Results of steps as structs. Each field with a `json` tag is one field of the result. If it has
// no doc, another verb describes it. A nil pointer or map is null, or omitted with omitempty. A
// list is never null.

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// A resultPlan describes how to convert a result struct to plain data.
type resultPlan struct {
	of     reflect.Type
	fields []Field
	parts  []resultPart
}

type resultPart struct {
	name  string
	index []int
	omit  bool // omit the zero value
	plain func(reflect.Value) any
}

var resultKeys = []string{"json", "doc"}

// resultOf returns the plan of a result struct. For [Result], it returns nil.
func resultOf(t reflect.Type) *resultPlan {
	if t == reflect.TypeFor[Result]() {
		return nil
	}
	r := &resultPlan{of: t}
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("steps: the result %s is not a struct", t))
	}
	r.read(t, nil)
	return r
}

func (r *resultPlan) read(t reflect.Type, index []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(slices.Clip(index), i)
		tags, err := tagsOf(f.Tag, resultKeys)
		if err != nil {
			panic(fmt.Sprintf("steps: %s.%s: %v", r.of, f.Name, err))
		}
		name, option, _ := strings.Cut(tags["json"], ",")
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Struct && name == "":
			r.read(f.Type, at)
			continue
		case name == "" || !f.IsExported() || option != "" && option != "omitempty":
			panic(fmt.Sprintf("steps: %s.%s: must be exported, with a json tag that names it", r.of, f.Name))
		case slices.ContainsFunc(r.parts, func(p resultPart) bool { return p.name == name }):
			panic(fmt.Sprintf("steps: %s.%s: the name %q is taken", r.of, f.Name, name))
		}
		r.parts = append(r.parts, resultPart{name: name, index: at, omit: option != "", plain: plainOf(f.Type)})
		r.fields = append(r.fields, Field{Name: name, Doc: tags["doc"], Type: f.Type})
	}
}

func (r *resultPlan) plain(v reflect.Value) Result {
	out := make(Result, len(r.parts))
	for i := range r.parts {
		p := &r.parts[i]
		field := v.FieldByIndex(p.index)
		if !p.omit || !field.IsZero() {
			out[p.name] = p.plain(field)
		}
	}
	return out
}

// plainOf returns the function that converts a value of type t to plain data.
func plainOf(t reflect.Type) func(reflect.Value) any {
	switch t.Kind() {
	case reflect.Pointer:
		inner := plainOf(t.Elem())
		return func(v reflect.Value) any {
			if v.IsNil() {
				return nil
			}
			return inner(v.Elem())
		}
	case reflect.Interface:
		return func(v reflect.Value) any { return v.Interface() }
	case reflect.Map:
		return func(v reflect.Value) any {
			if v.IsNil() {
				return nil
			}
			return v.Interface()
		}
	case reflect.Slice:
		inner := plainOf(t.Elem())
		return func(v reflect.Value) any {
			out := make([]any, v.Len())
			for i := range out {
				out[i] = inner(v.Index(i))
			}
			return out
		}
	case reflect.Struct:
		r := resultOf(t)
		return func(v reflect.Value) any { return map[string]any(r.plain(v)) }
	case reflect.String:
		return func(v reflect.Value) any { return v.String() }
	}
	return func(v reflect.Value) any { return v.Interface() }
}

// A Field is one field of a step's result. A definition refers to it as ${steps.OUTPUT.FIELD}.
type Field struct {
	Name string
	Doc  string
	// Type is the Go type of the field. It is nil if the step returns a [Result] instead of a
	// struct.
	Type reflect.Type
}

// A Result holds the fields of a step's result, as JSON data.
type Result = map[string]any
