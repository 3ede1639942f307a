package validator_test

import (
	"slices"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/actionregistry/action/spec"
	"github.com/actionregistry/action/validator"
)

// TestSchemaHasEveryKey checks that each key of each table is a property of the schema, with a
// description, and that the schema has no others.
func TestSchemaHasEveryKey(t *testing.T) {
	s := validator.Schema()
	for _, m := range spec.Mappings() {
		object := objectOf(s, m)
		if object == nil {
			t.Errorf("the schema has no map of kind %s", m.Name)
			continue
		}
		for i := range m.Fields {
			f := &m.Fields[i]
			switch property := object.Properties[f.Name]; {
			case property == nil:
				t.Errorf("the schema has no key %s of %s", f.Name, m.Name)
			case property.Description == "":
				t.Errorf("the schema does not describe %s of %s", f.Name, m.Name)
			}
			if slices.Contains(object.Required, f.Name) != f.Required {
				t.Errorf("the schema requires %s of %s: want %v", f.Name, m.Name, f.Required)
			}
		}
		for name := range object.Properties {
			if m.Field(name) == nil && m.Name != spec.StepMap { // a step may be written by its name
				t.Errorf("the schema has %s of %s, which no table has", name, m.Name)
			}
		}
	}
}

// objectOf returns the schema of a kind of map.
func objectOf(s *jsonschema.Schema, m *spec.Mapping) *jsonschema.Schema {
	var found *jsonschema.Schema
	switch m.Name {
	case spec.FileMap:
		found = s
	case spec.EnvMap:
		found = s.Properties["env"].Items
	case spec.RetryMap:
		found = s.Definitions["step"].Properties["retry"]
	case spec.VariantMap:
		found = s.Definitions["override"].Properties["actions"].AdditionalProperties
	default:
		found = s.Definitions[string(m.Name)]
	}
	if m.Short != nil && found != nil { // a short form, or the map
		return found.AnyOf[1]
	}
	return found
}
