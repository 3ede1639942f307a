package validator

// The part of the schema that is generated from the step catalogue.

import (
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/spec"
)

func argsDef(e *steps.Entry) string { return "args_" + e.Name }

// selectorDef is the name of the schema of a selector under `definitions`.
const selectorDef = "selector"

// stepRules adds to the schema of a step the rules for every step in the catalogue.
func stepRules(s *jsonschema.Schema) {
	s.OneOf = []*jsonschema.Schema{needs(spec.KeyAction)}
	for _, e := range catalogue.Entries() {
		s.AllOf = append(s.AllOf, stepRule(e))
		for _, name := range append([]string{e.Name}, e.Aliases...) {
			s.Properties[name] = shortSchema(e, name)
			s.PropertyOrder = append(s.PropertyOrder, name)
			s.OneOf = append(s.OneOf, needs(name))
		}
	}
}

// shortSchema returns the schema of the value after the name of a step in the short form.
func shortSchema(e *steps.Entry, name string) *jsonschema.Schema {
	options := []*jsonschema.Schema{ref(argsDef(e), "")}
	if main, _ := catalogue.MainArg(name); main == steps.VerbArg && e.Arg(main) == nil {
		options = append(options, text(""))
	} else if main != "" {
		value := argType(e.Arg(main))
		options = append(options, &jsonschema.Schema{Not: &jsonschema.Schema{Type: "object"}, AllOf: []*jsonschema.Schema{value}})
	}
	if !anyRequired(e) && len(e.OneOf) == 0 {
		options = append(options, &jsonschema.Schema{Type: "null"})
	}
	return anyOf(e.Summary, options...)
}

// stepNames returns a schema that lists the names one by one, so that an editor describes each.
func stepNames(doc string) *jsonschema.Schema {
	s := &jsonschema.Schema{Description: doc}
	for _, e := range catalogue.Entries() {
		s.AnyOf = append(s.AnyOf, constant(e.Name, e.Summary+"\n\n"+e.Doc))
		for _, alias := range e.Aliases {
			s.AnyOf = append(s.AnyOf, constant(alias, "another name of "+e.Name+": "+e.Summary))
		}
	}
	return s
}

func stepRule(e *steps.Entry) *jsonschema.Schema {
	names := []any{e.Name}
	for _, alias := range e.Aliases {
		names = append(names, alias)
	}
	then := &jsonschema.Schema{Properties: map[string]*jsonschema.Schema{spec.KeyArgs: ref(argsDef(e), "")}}
	long := &jsonschema.Schema{If: needs(spec.KeyAction), Then: needs(spec.KeyArgs)}
	if len(e.OneOf) > 0 || anyRequired(e) {
		then.AllOf = append(then.AllOf, long)
	}
	if e.Cases {
		then.Required = append(then.Required, spec.KeyCases)
	} else {
		then.Properties[spec.KeyCases], then.Properties[spec.KeyElse] = nothing(), nothing()
	}
	if e.Block {
		then.Properties[spec.KeySteps] = &jsonschema.Schema{MinItems: jsonschema.Ptr(1)}
		then.Required = append(then.Required, spec.KeySteps)
	} else {
		then.Properties[spec.KeySteps] = nothing()
	}
	is := anyOf("", &jsonschema.Schema{
		Properties: map[string]*jsonschema.Schema{spec.KeyAction: {Enum: names}},
		Required:   []string{spec.KeyAction},
	})
	for _, name := range names {
		is.AnyOf = append(is.AnyOf, needs(name.(string)))
	}
	return &jsonschema.Schema{If: is, Then: then}
}

func anyRequired(e *steps.Entry) bool {
	for i := range e.Args {
		if e.Args[i].Required {
			return true
		}
	}
	return false
}

// duration returns the schema of a duration: milliseconds, or a text with a unit.
func duration(least float64, description string) *jsonschema.Schema {
	return anyOf(description, integer(least, ""), pattern(durationPattern, ""))
}

// argsSchema describes the arguments of one step.
func argsSchema(e *steps.Entry) *jsonschema.Schema {
	fields := make([]field, len(e.Args))
	for i := range e.Args {
		fields[i] = field{e.Args[i].Name, argSchema(&e.Args[i]), e.Args[i].Required}
	}
	s := described(object(fields...), e.Summary)
	s.OneOf = exactlyOne(e, e.ArgNames())
	for i := range e.Verbs {
		s.AllOf = append(s.AllOf, verbRule(e, &e.Verbs[i]))
	}
	s.DependencyStrings = dependencies(e, e.ArgNames())
	return s
}

// dependencies returns which of the named arguments require another argument. The keys of the
// result are these arguments, and the values are the arguments that they require.
func dependencies(e *steps.Entry, names []string) map[string][]string {
	var out map[string][]string
	for name, partner := range e.With {
		if contains(names, name) && !contains(e.OneOf, name) {
			if out == nil {
				out = make(map[string][]string)
			}
			out[name] = []string{partner}
		}
	}
	return out
}

// verbRule returns a rule that allows only the arguments of a verb if a step has this verb.
func verbRule(e *steps.Entry, v *steps.Verb) *jsonschema.Schema {
	then := &jsonschema.Schema{Required: v.Needs, Properties: map[string]*jsonschema.Schema{}}
	for _, name := range e.ArgNames() {
		if name != steps.VerbArg && !contains(v.Args, name) {
			then.Properties[name] = nothing()
		}
	}
	return &jsonschema.Schema{
		If: &jsonschema.Schema{
			Properties: map[string]*jsonschema.Schema{steps.VerbArg: constant(v.Name, "")},
			Required:   []string{steps.VerbArg},
		},
		Then: then,
	}
}

// exactlyOne returns one schema for each of the named arguments that is in e.OneOf. A step must
// match exactly one of these schemas.
func exactlyOne(e *steps.Entry, names []string) []*jsonschema.Schema {
	var options []*jsonschema.Schema
	for _, name := range e.OneOf {
		if !contains(names, name) {
			continue
		}
		option := needs(name)
		if partner := e.With[name]; partner != "" {
			without(option, partner)
		}
		options = append(options, option)
	}
	return options
}

func contains(list []string, name string) bool {
	for _, s := range list {
		if s == name {
			return true
		}
	}
	return false
}

// argSchema returns the schema of one argument.
func argSchema(a *steps.Arg) *jsonschema.Schema {
	s := argType(a)
	s.Description = argDoc(a)
	if a.Default != nil {
		if raw, err := json.Marshal(a.Default); err == nil {
			s.Default = raw
		}
	}
	return s
}

func argDoc(a *steps.Arg) string {
	if a.Doc == "" {
		return a.Type.String()
	}
	return fmt.Sprintf("%s (%s)", a.Doc, a.Type)
}

// argType returns the schema for the type of an argument. Instead of a number or a boolean, for
// example, a file may also contain a reference.
func argType(a *steps.Arg) *jsonschema.Schema {
	switch a.Type {
	case steps.ArgInteger, steps.ArgNumber:
		n := &jsonschema.Schema{Type: "number", Minimum: a.Min, Maximum: a.Max}
		if a.Type == steps.ArgInteger {
			n.Type = "integer"
		}
		return anyOf("", n, reference())
	case steps.ArgBoolean:
		return anyOf("", boolean(""), reference())
	case steps.ArgEnum:
		return anyOf("", &jsonschema.Schema{Enum: anys(a.Values)}, reference())
	case steps.ArgDuration:
		return anyOf("", integer(0, ""), pattern(durationPattern, ""), pattern(`^[0-9]+$`, ""), reference())
	case steps.ArgSelector:
		return ref(selectorDef, "")
	case steps.ArgCSS, steps.ArgXPath, steps.ArgScript:
		return text("")
	case steps.ArgText:
		return scalar("")
	case steps.ArgTextList:
		return &jsonschema.Schema{Types: []string{"string", "number", "boolean", "array"}, Items: scalar("")}
	case steps.ArgTextMap:
		return anyOf("", mapOf("", scalar(""), ""), reference())
	case steps.ArgValueMap:
		return anyOf("", &jsonschema.Schema{Type: "object"}, reference())
	case steps.ArgPairs:
		pair := object(field{"label", scalar(""), true}, field{"value", &jsonschema.Schema{}, true})
		return anyOf("", &jsonschema.Schema{Type: "object"}, &jsonschema.Schema{Type: "array", Items: anyOf("", pair, reference())}, reference())
	case steps.ArgCondition:
		return condition("")
	case steps.ArgAction:
		return pattern(targetPattern, "")
	case steps.ArgName:
		return pattern(`^[A-Za-z_$][A-Za-z0-9_$]*$`, "")
	case steps.ArgPoint:
		return point()
	case steps.ArgPlace:
		return anyOf("", text(""), point())
	case steps.ArgSelectors:
		return mapOf("", text(""), "")
	case steps.ArgAttrs:
		return mapOf("", object(field{"selector", text("The element."), true}, field{"name", scalar("Name of the attribute."), true}), "")
	case steps.ArgFields:
		return rowFields()
	case steps.ArgRows:
		yes := &jsonschema.Schema{Type: "boolean"}
		return mapOf("", object(field{"rows", text("Matches each row."), true}, field{"fields", rowFields(), true},
			field{"shown", yes, false}, field{"over", yes, false}, field{"hue", text("Only rows in that hue."), false}), "")
	}
	return &jsonschema.Schema{} // any value
}

// rowFields returns the schema of a field of a row: a selector, or a map with more details.
func rowFields() *jsonschema.Schema {
	return mapOf("", anyOf("", text(""), object(
		field{"selector", text("Selector inside the row."), false},
		field{"what", text("What to read: text, html, value, attr."), false},
		field{"attr", text("Name of the attribute."), false},
		field{"all", &jsonschema.Schema{Type: "boolean", Description: "A list of every match, instead of the first."}, false})), "")
}

func point() *jsonschema.Schema {
	return object(field{"x", coordinate(), true}, field{"y", coordinate(), true})
}

func coordinate() *jsonschema.Schema {
	return anyOf("", &jsonschema.Schema{Type: "number"}, reference())
}
