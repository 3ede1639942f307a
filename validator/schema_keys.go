package validator

// The part of the schema that is generated from the tables of keys: see spec.Mappings.

import (
	"cmp"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/spec"
)

// mappingSchema returns the schema of one kind of map, and of the values that may be written
// instead of it.
func mappingSchema(m *spec.Mapping) *jsonschema.Schema {
	var fields []field
	for _, f := range slices.SortedStableFunc(slices.Values(m.Fields), func(a, b spec.Field) int { return cmp.Compare(a.Rank, b.Rank) }) {
		fields = append(fields, field{f.Name, fieldSchema(&f), f.Required})
	}
	s := object(fields...)
	needed(s, m)
	exclusive(s, m)
	switch m.Name {
	case spec.CheckMap:
		checkRules(s)
	case spec.StepMap:
		stepRules(s)
	}
	if m.Short != nil {
		return anyOf(m.Doc, typeSchema(*m.Short, m.Short.Doc), s)
	}
	return described(s, m.Doc)
}

// needed adds to a schema a rule for each key that requires another key.
func needed(s *jsonschema.Schema, m *spec.Mapping) {
	for _, f := range m.Fields {
		if f.Needs == "" {
			continue
		}
		if s.DependencyStrings == nil {
			s.DependencyStrings = make(map[string][]string)
		}
		s.DependencyStrings[f.Name] = []string{f.Needs}
	}
}

// exclusive adds to a schema a rule for each pair of keys that must not both be present.
func exclusive(s *jsonschema.Schema, m *spec.Mapping) {
	names := m.Names(func(f *spec.Field) bool { return f.Exclusive })
	var pairs []*jsonschema.Schema
	for i, name := range names {
		for _, other := range names[i+1:] {
			pairs = append(pairs, needs(name, other))
		}
	}
	if pairs != nil {
		s.Not = anyOf("", pairs...)
	}
}

// fieldSchema describes the value of a key.
func fieldSchema(f *spec.Field) *jsonschema.Schema {
	if f.Type.Kind == spec.WaitType {
		return argSchema(catalogue.CheckStep().Arg(f.Name))
	}
	return typeSchema(f.Type, f.Plain())
}

// typeSchema describes the values of a type.
func typeSchema(t spec.Type, doc string) *jsonschema.Schema {
	switch t.Kind {
	case spec.TextType:
		return pattern(formPatterns[t.Form], doc)
	case spec.BoolType:
		return boolean(doc)
	case spec.WholeType:
		s := integer(float64(t.Least), doc)
		if t.Most > 0 {
			s.Maximum = jsonschema.Ptr(float64(t.Most))
		}
		return s
	case spec.NumberType:
		return &jsonschema.Schema{Type: "number", Description: doc}
	case spec.ScalarType:
		return scalar(doc)
	case spec.DurationType:
		return duration(float64(t.Least), doc)
	case spec.ConditionType:
		return condition(doc)
	case spec.SelectorType:
		return ref(selectorDef, doc)
	case spec.EnumType:
		return &jsonschema.Schema{Enum: anys(t.Values), Description: doc}
	case spec.ListType:
		s := list(typeSchema(t.Of[0], t.Of[0].Doc), doc)
		if t.Least > 0 {
			s.MinItems = &t.Least
		}
		return s
	case spec.NamedType:
		return mapOf(formPatterns[t.Form], typeSchema(t.Of[0], t.Of[0].Doc), doc)
	case spec.ObjectType:
		return &jsonschema.Schema{Type: "object", Description: doc}
	case spec.EitherType:
		s := anyOf(doc)
		for _, option := range t.Of {
			s.AnyOf = append(s.AnyOf, typeSchema(option, option.Doc))
		}
		return s
	case spec.KeysType:
		return keysSchema(spec.MappingOf(t.Map), doc)
	case spec.ParamsType, spec.UsedType:
		return paramsSchema(t.Kind == spec.UsedType, doc)
	case spec.StepNameType:
		return stepNames(doc)
	}
	return &jsonschema.Schema{Description: doc}
}

// formPatterns maps forms of texts to patterns. A form without a pattern allows any text.
var formPatterns = map[spec.Form]string{
	spec.NamespaceForm: namespacePattern,
	spec.ActionForm:    actionPattern,
	spec.TargetForm:    targetPattern,
	spec.NameForm:      namePattern,
	spec.EnvForm:       envPattern,
	spec.VersionForm:   semverPattern,
}

// keysSchema returns the schema of one kind of map, or a reference to its definition.
func keysSchema(m *spec.Mapping, doc string) *jsonschema.Schema {
	if !m.Inline {
		return ref(string(m.Name), doc)
	}
	s := mappingSchema(m)
	if doc != "" {
		s.Description = doc
	}
	return s
}

// paramsSchema returns the schema of the params of an action. It does not allow the names of
// [spec.BareRoots].
func paramsSchema(uses bool, doc string) *jsonschema.Schema {
	s := mapOf(namePattern, ref(string(spec.ParamMap), ""), doc)
	if uses {
		s.Properties = map[string]*jsonschema.Schema{
			spec.UseKey: anyOf("Param sets of the namespace, or a param of this name.", list(text(""), "Names of param sets."), ref(string(spec.ParamMap), "")),
		}
	}
	s.PropertyNames.Not = &jsonschema.Schema{Enum: anys(spec.BareRoots())}
	return s
}

// checkRules restricts an entry of `verify` to a condition or one way of waiting.
func checkRules(s *jsonschema.Schema) {
	wait := catalogue.CheckStep()
	s.OneOf = append([]*jsonschema.Schema{needs(spec.KeyCondition)}, exactlyOne(wait, spec.CheckArgs())...)
	s.DependencyStrings = dependencies(wait, spec.CheckArgs())
	change := needs(spec.KeyCondition, spec.KeyRequireChange) // a condition is not evaluated before the run
	change.Properties = map[string]*jsonschema.Schema{spec.KeyRequireChange: constant(true, "")}
	s.Not = change
}
