package validator

// The parts that schemas are made of.

import (
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/actionregistry/action/selectors"
)

func selectorSchema() *jsonschema.Schema {
	var kinds []string
	for _, k := range selectors.KindDocs() {
		kinds = append(kinds, k.Usage)
	}
	return text("A selector: kind:body, chained with >>. Without a kind, it is CSS. The kinds are " + strings.Join(kinds, " ") + ".")
}

// A field is one property of an object.
type field struct {
	name     string
	schema   *jsonschema.Schema
	required bool
}

// object returns the schema of a map with these keys and no others.
func object(fields ...field) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: make(map[string]*jsonschema.Schema), AdditionalProperties: nothing()}
	for _, f := range fields {
		s.Properties[f.name] = f.schema
		s.PropertyOrder = append(s.PropertyOrder, f.name)
		if f.required {
			s.Required = append(s.Required, f.name)
		}
	}
	return s
}

// mapOf returns the schema of a map of names to values. An empty pattern allows any name.
func mapOf(names string, value *jsonschema.Schema, description string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Description: description, AdditionalProperties: value}
	if names != "" {
		s.PropertyNames = &jsonschema.Schema{Pattern: names}
	}
	return s
}

func list(items *jsonschema.Schema, description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Items: items, Description: description}
}

func text(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Description: description}
}

func pattern(re, description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: re, Description: description}
}

func boolean(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "boolean", Description: description}
}

func integer(least float64, description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: &least, Description: description}
}

// scalar returns the schema of a field that expects a text but also accepts a number or a boolean.
func scalar(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Types: []string{"string", "number", "boolean"}, Description: description}
}

// condition returns the schema of an expression. true and false are conditions too.
func condition(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Types: []string{"string", "boolean"}, Description: description}
}

func reference() *jsonschema.Schema { return pattern(referencePattern, "") }

func ref(def, description string) *jsonschema.Schema {
	// "/" and "~" do not occur in names of definitions.
	r := &jsonschema.Schema{Ref: "#/definitions/" + def}
	if description == "" {
		return r
	}
	return &jsonschema.Schema{AllOf: []*jsonschema.Schema{r}, Description: description}
}

func anyOf(description string, options ...*jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: options, Description: description}
}

func described(s *jsonschema.Schema, description string) *jsonschema.Schema {
	s.Description = description
	return s
}

// nothing returns a schema that no value matches.
func nothing() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }

func needs(names ...string) *jsonschema.Schema { return &jsonschema.Schema{Required: names} }

func without(s *jsonschema.Schema, name string) *jsonschema.Schema {
	s.Not = needs(name)
	return s
}

func constant(value any, description string) *jsonschema.Schema {
	return &jsonschema.Schema{Const: &value, Description: strings.TrimSpace(description)}
}

func anys(texts []string) []any {
	out := make([]any, len(texts))
	for i, t := range texts {
		out[i] = t
	}
	return out
}
