package validator

// The JSON Schema of definition files, for editors. It is draft-07, which the YAML language
// servers of the common editors support best. In that draft siblings of $ref are ignored,
// so a reference with a description is an allOf.
//
// It defines the form of a file; only [Check] checks its meaning (references, targets of
// run, cycles). It accepts every file that loads.

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/spec"
)

// Patterns of names: what spec.IsNamespace and its siblings accept, in the common subset of
// RE2 and JavaScript. A test compares them.
const (
	namespacePattern = `^[a-z][a-z0-9-]*$`
	actionPattern    = `^[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$`
	targetPattern    = `^([a-z][a-z0-9-]*:)?[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$`
	namePattern      = `^[A-Za-z_][A-Za-z0-9_-]*$`
	envPattern       = `^[A-Za-z_][A-Za-z0-9_]*$`
	semverPattern    = `^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$`
	durationPattern  = `^\+?(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+$`
	// referencePattern matches a text whose value is only known at run time.
	referencePattern = `\$\{`
)

// Schema returns the JSON Schema of definition files. The result is the
// caller's.
func Schema() *jsonschema.Schema {
	defs := map[string]*jsonschema.Schema{
		"action":        actionSchema(),
		"alias":         aliasSchema(),
		"case":          caseSchema(),
		"check":         checkSchema(),
		"compatibility": compatibilitySchema(),
		"item":          itemSchema(),
		"override":      overrideSchema(),
		"param":         paramSchema(),
		"selector":      selectorSchema(),
		"step":          stepSchema(),
	}
	for _, e := range steps.Entries() {
		defs[argsDef(e)] = argsSchema(e)
	}
	s := object(
		field{"namespace", pattern(namespacePattern, "Name that the actions of this file begin with."), true},
		field{"version", pattern(semverPattern, "Version of these definitions, as 1.2.0. May be left out in a file that only changes a namespace of a lower source."), false},
		field{"description", text("What the namespace is for."), false},
		field{"extends", list(text(""), "Namespaces, packages or files whose definitions lie below these."), false},
		field{"env", list(envSchema(), "Environment variables that the definitions may read as ${env.NAME}."), false},
		field{"compatibility", ref("compatibility", "Versions of the page's library that are supported."), false},
		field{"busy", text("Selector of what shows that a part of a page is loading: reads wait for its end."), false},
		field{"settle", settleSchema("Whether the input steps of all actions wait for the end of what they have caused."), false},
		field{"selectors", mapOf(namePattern, ref("alias", ""), "Selectors by name, used as ${selectors.name}."), false},
		field{"param_sets", mapOf(namePattern, paramsSchema(false), "Params by name of the set, which actions share: params: {use: [name]}."), false},
		field{"actions", mapOf(actionPattern, ref("action", ""), "Actions by name: component:verb."), false},
	)
	s.Schema = "http://json-schema.org/draft-07/schema#"
	s.Title = "Action definitions"
	s.Description = "Actions of one namespace: what can be done on a web application, and how."
	s.Definitions = defs
	return s
}

var schemaJSON = sync.OnceValue(func() []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetIndent("", "  ")
	if err := enc.Encode(Schema()); err != nil {
		panic("validator: the schema does not encode: " + err.Error()) // it holds no data of users
	}
	return buf.Bytes()
})

// SchemaJSON returns [Schema] as indented JSON, the same bytes each time.
func SchemaJSON() []byte { return bytes.Clone(schemaJSON()) }

func actionSchema() *jsonschema.Schema {
	return described(object(
		field{"description", text("What the action does."), false},
		field{"since", pattern(semverPattern, "Version of the definitions that first had it."), false},
		field{"deprecated", boolean("Running it works, with a warning."), false},
		field{"deprecated_message", text("What to use instead."), false},
		field{"internal", boolean("A part of other actions: it runs, and no list tells it."), false},
		field{"alias_of", pattern(targetPattern, "The action that this is another name of."), false},
		field{"params", paramsSchema(true), false},
		field{"scope", scopeSchema(), false},
		field{"calm", boolean("Whether its steps wait for their elements no longer than until the page is calm."), false},
		field{"settle", settleSchema("Whether its input steps wait for the end of what they have caused."), false},
		field{"steps", stepsSchema("What is done, in order."), false},
		field{"verify", list(ref("check", ""), "What must hold in the end."), false},
		field{"returns", returnsSchema(), false},
	), "A named flow.")
}

func scopeSchema() *jsonschema.Schema {
	return text("Selector that is put before every selector inside; one that begins with document: leaves it.")
}

func settleSchema(description string) *jsonschema.Schema {
	return anyOf(description+" true waits 5s at most; a duration says how long.", boolean(""), duration(1, ""))
}

func returnsSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Description: "Data of the result, by name: texts with ${…}, lists and maps of them."}
}

func stepsSchema(description string) *jsonschema.Schema {
	return list(ref("step", ""), description)
}

func envSchema() *jsonschema.Schema {
	return anyOf("",
		pattern(envPattern, ""),
		object(field{"name", pattern(envPattern, "Name of the variable."), true},
			field{"secret", boolean("Whether its value is masked in all output. Default true."), false}))
}

func compatibilitySchema() *jsonschema.Schema {
	s := object(
		field{"version_script", text("Member path in the page that gives the version: window.antd && antd.version."), false},
		field{"version_selector", text("Selector of an element whose text or attribute is the version."), false},
		field{"version_meta", text("Name of the meta tag that holds the version."), false},
		field{"version_markup", mapOf("", text(""), "Versions, as \"3.x\", with a selector of what a page of that version shows; the first that matches decides where the page says no version."), false},
		field{"min_version", text("Lowest version supported, quoted: \"3.0.0\"."), false},
		field{"max_version", text("Highest version supported, quoted: \"6.x\" means below 7.0.0."), false},
		field{"version_overrides", mapOf("", ref("override", ""), "What differs, by range of versions: \"3.x\", \">=4.2.0\"."), false},
	)
	s.Not = anyOf("", needs("version_script", "version_selector"), needs("version_script", "version_meta"), needs("version_selector", "version_meta"))
	return s
}

func overrideSchema() *jsonschema.Schema {
	return object(
		field{"selectors", mapOf(namePattern, ref("alias", ""), "Selectors that differ."), false},
		field{"actions", mapOf(actionPattern, object(
			field{"steps", stepsSchema("The steps in these versions."), false},
			field{"verify", list(ref("check", ""), "What must hold in these versions."), false},
			field{"returns", returnsSchema(), false},
		), "Actions that differ."), false},
	)
}

func aliasSchema() *jsonschema.Schema {
	return anyOf("A selector, or a primary one with fallbacks.",
		ref("selector", ""),
		object(field{"primary", ref("selector", "The selector that is looked for first."), true},
			field{"fallback", list(ref("selector", ""), "Selectors that are taken when nothing matches the primary."), false}))
}

func selectorSchema() *jsonschema.Schema {
	var kinds []string
	for _, k := range selectors.KindDocs() {
		kinds = append(kinds, k.Usage)
	}
	return text("A selector: kind:body, chained by >>. Without a kind it is CSS. The kinds are " + strings.Join(kinds, " ") + ".")
}

// paramsSchema refuses the names of roots: ${name} is short for ${params.name}.
func paramsSchema(uses bool) *jsonschema.Schema {
	s := mapOf(namePattern, ref("param", ""), "What the action takes.")
	if uses {
		s.Properties = map[string]*jsonschema.Schema{
			spec.UseKey: anyOf("Param sets of the namespace, or a param of this name.", list(text(""), "Names of param sets."), ref("param", "")),
		}
	}
	s.PropertyNames.Not = &jsonschema.Schema{Enum: anys(spec.BareRoots())}
	return s
}

func paramSchema() *jsonschema.Schema {
	return object(append(typeFields(),
		field{"required", boolean("Whether a run must give it."), false},
		field{"default", described(&jsonschema.Schema{}, "Value when it is not given."), false},
		field{"secret", boolean("Whether its value is masked in all output."), false},
	)...)
}

// itemSchema is a param without the keys that only make sense with a name.
func itemSchema() *jsonschema.Schema { return object(typeFields()...) }

func typeFields() []field {
	types := make([]any, 0, len(spec.ParamTypes()))
	for _, t := range spec.ParamTypes() {
		types = append(types, string(t))
	}
	number := func(description string) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "number", Description: description}
	}
	values := list(scalar(""), "The values of an enum.")
	values.MinItems = jsonschema.Ptr(1)
	return []field{
		// Not required: a file may change a part of a param that a lower one declares.
		{"type", &jsonschema.Schema{Enum: types, Description: "Type of the value."}, false},
		{"description", text("What it is for."), false},
		{"values", values, false},
		{"items", ref("item", "Type of the items of an array."), false},
		{"properties", mapOf("", ref("param", ""), "Properties of an object."), false},
		{"pattern", text("RE2 pattern that a string must match."), false},
		{"min", number("Smallest number."), false},
		{"max", number("Largest number."), false},
		{"min_length", integer(0, "Fewest characters of a string, or items of an array."), false},
		{"max_length", integer(0, "Most characters of a string, or items of an array."), false},
	}
}

// checkSchema allows a condition, or one way of waiting.
func checkSchema() *jsonschema.Schema {
	wait := steps.CheckStep()
	fields := []field{{"condition", condition("A condition that must hold."), false}}
	for _, name := range spec.CheckArgs() {
		fields = append(fields, field{name, argSchema(wait.Arg(name)), false})
	}
	fields = append(fields,
		field{"message", text("What is wrong when it does not hold."), false},
		field{"require_change", boolean("Whether it must not have held before the run; false: that is not looked at, else it is a warning."), false})
	s := object(fields...)
	s.OneOf = append([]*jsonschema.Schema{needs("condition")}, exactlyOne(wait, spec.CheckArgs())...)
	s.DependencyStrings = dependencies(wait, spec.CheckArgs())
	change := needs("condition", "require_change") // a condition is not evaluated before the run
	change.Properties = map[string]*jsonschema.Schema{"require_change": constant(true, "")}
	s.Not = change
	return s
}

func errorCodes() []any {
	codes := diag.Codes()
	out := make([]any, len(codes))
	for i, c := range codes {
		out[i] = string(c)
	}
	return out
}

// A field is one property of an object.
type field struct {
	name     string
	schema   *jsonschema.Schema
	required bool
}

// object is a map with these keys and no other.
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

// mapOf is a map of names to values. An empty pattern allows any name.
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

// scalar is a value that may be written for a text.
func scalar(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Types: []string{"string", "number", "boolean"}, Description: description}
}

// condition is an expression; true and false are conditions too.
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

// nothing is the schema that no value matches.
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
