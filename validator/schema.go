package validator

// The JSON Schema of definition files, for editors. It is draft-07, which the YAML language servers
// of the common editors support best. That draft ignores siblings of $ref, so a reference with a
// description is an allOf.
//
// The schema defines the form of a file. Only [Check] checks its meaning (references, targets of
// run, cycles). The schema accepts every file that loads.

import (
	"bytes"
	"encoding/json"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/spec"
)

// Patterns for the names that spec.IsNamespace and similar functions accept. They are valid both in
// RE2 and in JavaScript.
const (
	namespacePattern = `^[a-z][a-z0-9-]*$`
	actionPattern    = `^[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$`
	targetPattern    = `^([a-z][a-z0-9-]*:)?[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$`
	namePattern      = `^[A-Za-z_][A-Za-z0-9_-]*$`
	envPattern       = `^[A-Za-z_][A-Za-z0-9_]*$`
	semverPattern    = `^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$`
	durationPattern  = `^\+?(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+$`
	// referencePattern matches a text that contains a reference.
	referencePattern = `\$\{`
)

// Schema returns the JSON Schema of definition files. The caller owns the result.
func Schema() *jsonschema.Schema {
	defs := map[string]*jsonschema.Schema{selectorDef: selectorSchema()}
	for _, m := range spec.Mappings() {
		if m.Name != spec.FileMap && !m.Inline {
			defs[string(m.Name)] = mappingSchema(m)
		}
	}
	for _, e := range catalogue.Entries() {
		defs[argsDef(e)] = argsSchema(e)
	}
	s := mappingSchema(spec.MappingOf(spec.FileMap))
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
		panic("validator: the schema does not encode: " + err.Error()) // it contains no data of users
	}
	return buf.Bytes()
})

// SchemaJSON returns [Schema] as indented JSON. It always returns the same bytes.
func SchemaJSON() []byte { return bytes.Clone(schemaJSON()) }
