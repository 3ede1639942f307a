package serve

// The description of the paths, as OpenAPI 3.1. It is generated from the routes, the operations and
// the steps. It does not describe single actions, because definitions change while the server is
// running: GET of an action returns its params.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/ops"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/registry"
)

func showOpenAPI(s *Server, w http.ResponseWriter, r *http.Request) error {
	if _, err := query(r); err != nil {
		return err
	}
	doc, err := openAPI(s.routes, s.o.Version)
	if err != nil {
		return err
	}
	s.write(w, http.StatusOK, doc)
	return nil
}

// object is a JSON object of the OpenAPI description.
type object = map[string]any

// openAPI returns the OpenAPI description of the routes. version is the version of this program.
func openAPI(routes []*route, version string) (object, error) {
	p := &printer{schemas: object{"Problem": problemSchema()}, answers: make(object)}
	paths := make(map[string]object)
	for _, r := range routes {
		for path, operation := range p.operations(r) {
			if paths[path] == nil {
				paths[path] = make(object)
			}
			method := strings.ToLower(r.method)
			if paths[path][method] == nil { // two routes may share a path; the first describes both
				paths[path][method] = operation
			}
		}
	}
	if version == "" {
		version = "0"
	}
	return object{
		"openapi": "3.1.0",
		"info": object{
			"title": "action", "version": version, "description": "Verified actions in a browser. See docs/http.md.",
			"license": object{"name": "Apache-2.0", "identifier": "Apache-2.0"},
		},
		"servers":  []any{object{"url": "/"}},
		"security": []any{object{"token": []any{}}},
		"tags":     tags,
		"paths":    paths,
		"components": object{
			"schemas":         p.schemas,
			"responses":       p.answers,
			"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer"}},
		},
	}, p.err
}

var tags = []any{
	object{"name": "actions", "description": "Find actions and run them."},
	object{"name": "runs", "description": "Follow runs, and cancel them."},
	object{"name": "sessions", "description": "Browsers, and steps in them."},
	object{"name": "server", "description": "The server itself."},
}

// A printer builds an OpenAPI description. It prints the schema of each type once.
type printer struct {
	schemas object
	answers object // answers with errors, by name
	err     error
}

var pathParam = regexp.MustCompile(`\{(\w+)\}`)

// operations returns the operations of a route, by path. The route of the steps has one operation
// for each step. Every other route has one operation.
func (p *printer) operations(r *route) map[string]object {
	if r.op == nil || r.op.Name != "step" {
		return map[string]object{r.path: p.operation(r, r.path, idOf(r.method, r.path), r.doc, nil)}
	}
	all := make(map[string]object)
	for _, name := range catalogue.Names() {
		if e := catalogue.Lookup(name); e.Instead == "" && e.Name == name {
			path := strings.Replace(r.path, "{step}", name, 1)
			all[path] = p.operation(r, path, "step_"+name, e.Summary, stepSchema(e))
		}
	}
	return all
}

// operation describes one operation. If body is not nil, it replaces the schema of the route's
// body.
func (p *printer) operation(r *route, path, id, doc string, body any) object {
	out := object{
		"operationId": id, "summary": strings.TrimSuffix(doc, "."), "tags": []any{tagOf(path)},
		"responses": p.responses(r),
	}
	if r.scope == "" {
		out["security"] = []any{}
	} else {
		out["description"] = "Needs a token of scope " + string(r.scope) + "."
	}
	var params []any
	for _, m := range pathParam.FindAllStringSubmatch(path, -1) {
		params = append(params, object{"name": m[1], "in": "path", "required": true, "schema": object{"type": "string"}})
	}
	for _, name := range r.query {
		params = append(params, object{"name": name, "in": "query", "schema": querySchema(r.op, name)})
	}
	params = append(params, headerParams(r)...)
	if params != nil {
		out["parameters"] = params
	}
	switch {
	case body != nil:
	case r.in != nil:
		body = p.schemaOf(reflect.TypeOf(r.in), false)
	case r.op != nil && r.method == http.MethodPost && strings.Contains(path, "{verb}"):
		body = object{"type": "object", "description": "The params of the action."}
	default:
		return out
	}
	out["requestBody"] = object{"content": object{"application/json": object{"schema": body}}}
	return out
}

// headerParams describes the request headers that change the answer, except Accept. OpenAPI derives
// Accept from the content types of the answers.
func headerParams(r *route) []any {
	header := func(name, doc string, schema object) []any {
		return []any{object{"name": name, "in": "header", "description": doc, "schema": schema}}
	}
	switch {
	case r.op != nil && r.op.Whole:
		return header("Prefer", "respond-async answers with 202 before the run has ended", object{"type": "string"})
	case r.path == runPath("{id}")+"/events":
		return header("Last-Event-ID", "number of the last event that has arrived", object{"type": "integer", "minimum": 0})
	}
	return nil
}

// location describes the header Location of an answer. doc is the description.
func location(doc string) object {
	return object{"Location": object{"description": doc, "schema": object{"type": "string"}}}
}

// responses describes the answers of a route, by status.
func (p *printer) responses(r *route) object {
	out := make(object)
	status, kinds := cmp.Or(r.status, http.StatusOK), object{}
	var schema any
	switch {
	case r.out != nil:
		schema = p.schemaOf(reflect.TypeOf(r.out), true)
	case r.op != nil:
		schema = p.resultOf(r.op)
	}
	if schema != nil {
		kinds["application/json"] = object{"schema": schema}
	}
	if r.also != "" {
		kinds[r.also] = object{"schema": object{"type": "string"}}
	}
	if r.op != nil && r.op.Whole {
		kinds[eventType] = object{"schema": object{"type": "string"}}
		out["202"] = object{"description": "The run has begun.", "headers": location("path of the run"), "content": object{"application/json": object{"schema": p.schemaOf(reflect.TypeFor[RunState](), true)}}}
	}
	good := object{"description": http.StatusText(status)}
	if len(kinds) > 0 {
		good["content"] = kinds
	}
	out[strconv.Itoa(status)] = good
	for status, codes := range errorsOf(r) {
		id := "Error" + strconv.Itoa(status)
		text := strings.Join(codes, ", ")
		answer := object{
			"description": text,
			"content":     object{problemType: object{"schema": object{"$ref": "#/components/schemas/Problem"}}},
		}
		if known, ok := p.answers[id]; r.scope == "" || ok && known.(object)["description"] != text {
			out[strconv.Itoa(status)] = answer
			continue
		}
		p.answers[id] = answer
		out[strconv.Itoa(status)] = object{"$ref": "#/components/responses/" + id}
	}
	return out
}

// errorsOf returns the codes of the errors that a route may return, grouped by HTTP status.
func errorsOf(r *route) map[int][]string {
	refused := []string{string(diag.SecurityError)}
	codes := map[int][]string{http.StatusForbidden: refused}
	if r.scope == "" {
		return codes
	}
	codes[http.StatusUnauthorized] = refused
	for _, code := range diag.Codes() {
		status := ops.StatusOf(code)
		if r.op != nil {
			status = r.op.StatusFor(code)
		}
		if code != diag.SecurityError {
			codes[status] = append(codes[status], string(code))
		}
	}
	return codes
}

// resultOf returns the schema of an operation's result. For an operation with Whole, the schema
// also has the id of the run.
func (p *printer) resultOf(o *ops.Operation) any {
	if !o.Whole {
		var list []any
		for _, other := range ops.All() { // operations that share the path
			if other.HTTP.Method == o.HTTP.Method && other.HTTP.Path == o.HTTP.Path {
				list = append(list, p.schemaOf(other.ResultType(), true))
			}
		}
		if len(list) == 1 {
			return list[0]
		}
		return object{"anyOf": list}
	}
	return object{"allOf": []any{
		p.schemaOf(o.ResultType(), true),
		object{"type": "object", "required": []any{"id"}, "properties": object{"id": object{"type": "string", "description": "id of the run"}}},
	}}
}

func problemSchema() object {
	word := object{"type": "string"}
	return object{
		"type": "object", "required": []any{"type", "title", "status", "code", "detail"}, "additionalProperties": true,
		"description": "An error by RFC 9457. A failed run also has the fields of its result.",
		"properties": object{
			"type": word, "title": word, "status": object{"type": "integer"}, "detail": word, "instance": word,
			"code": object{"type": "string", "enum": diag.Codes()}, "suggestion": object{"type": "string", "description": "what to do next"},
			"details": object{"type": "object"}, "id": object{"type": "string", "description": "id of the run"},
		},
	}
}

// loose returns the schemas of types whose schema cannot be derived from their fields. Some of
// these types contain themselves, and the others have their own JSON encoding.
func loose() map[reflect.Type]*jsonschema.Schema {
	anyObject := &jsonschema.Schema{Type: "object"}
	out := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[wire.Duration]():     {Description: "milliseconds, or a text such as 5s", AnyOf: []*jsonschema.Schema{{Type: "integer"}, {Type: "string"}}},
		reflect.TypeFor[diag.List]():         {Type: "array", Items: anyObject},
		reflect.TypeFor[json.RawMessage]():   {Description: "any value"}, // an empty schema would be encoded as true, which some generators do not accept
		reflect.TypeFor[any]():               {Description: "any value"},
		reflect.TypeFor[executor.Warning]():  anyObject,
		reflect.TypeFor[executor.Verified](): anyObject,
	}
	for _, t := range []reflect.Type{
		reflect.TypeFor[diag.Error](), reflect.TypeFor[diag.Pos](), reflect.TypeFor[executor.StepResult](), reflect.TypeFor[executor.PlanStep](),
		reflect.TypeFor[registry.Param](), reflect.TypeFor[registry.Step](), reflect.TypeFor[executor.PlanCheck](),
	} {
		out[t] = anyObject
	}
	return out
}

// schemaOf returns a reference to the schema of a type. The schema of a result allows unknown
// fields, so that later versions can add fields. The schema of a request does not.
func (p *printer) schemaOf(t reflect.Type, result bool) any {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Map {
		return object{"type": "object"}
	}
	if shaped, ok := reflect.Zero(t).Interface().(ops.Shaped); ok {
		var list []any
		for _, shape := range shaped.Shapes() {
			list = append(list, p.schemaOf(reflect.TypeOf(shape), result))
		}
		return object{"anyOf": list}
	}
	if _, ok := p.schemas[t.Name()]; !ok {
		s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: loose()})
		if err != nil {
			p.err = fmt.Errorf("the schema of %s: %w", t, err)
			return nil
		}
		described(s, t)
		switch {
		case result:
			open(s)
		case t == reflect.TypeFor[ActionRequest](): // said, so that generated clients can send the arguments of every step
			s.AdditionalProperties = new(jsonschema.Schema)
			s.Properties["value"] = anyKind() // without kinds, they would send null for none
		}
		p.schemas[t.Name()] = s
	}
	return object{"$ref": "#/components/schemas/" + t.Name()}
}

// anyKind returns the schema of a value that is not null.
func anyKind() *jsonschema.Schema {
	s := &jsonschema.Schema{Description: "any value but null"}
	for _, kind := range []string{"string", "number", "boolean", "array", "object"} {
		s.AnyOf = append(s.AnyOf, &jsonschema.Schema{Type: kind})
	}
	return s
}

// described adds descriptions to the fields of a schema. It takes them from the table of
// operations.
func described(s *jsonschema.Schema, t reflect.Type) {
	for name, field := range s.Properties {
		if field.Description == "" {
			field.Description = ops.ResultDoc(t, name)
		}
	}
}

// open makes a schema allow fields that it does not list.
func open(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Not != nil {
		s.AdditionalProperties = nil
	}
	for _, field := range s.Properties {
		open(field)
	}
	open(s.Items)
}

// querySchema returns the schema of a query parameter.
func querySchema(o *ops.Operation, name string) object {
	if o != nil {
		for _, f := range o.Fields {
			if f.Name != name {
				continue
			}
			out := object{"type": "string", "description": f.Doc}
			switch f.Kind {
			case ops.Boolean:
				out["type"] = "boolean"
			case ops.Integer:
				out["type"] = "integer"
			}
			return out
		}
	}
	switch name {
	case "q":
		return object{"type": "string", "description": "words to search for"}
	case "limit", "after", "status":
		return object{"type": "integer"}
	case "fullPage", "failed":
		return object{"type": "boolean"}
	}
	return object{"type": "string"}
}

// argSchemas holds the schema of each type of argument. All other types are texts.
var argSchemas = map[steps.ArgType]object{
	steps.ArgInteger:   {"type": "integer"},
	steps.ArgNumber:    {"type": "number"},
	steps.ArgBoolean:   {"type": "boolean"},
	steps.ArgDuration:  either(object{"type": "integer"}, object{"type": "string"}),
	steps.ArgTextList:  either(object{"type": "string"}, object{"type": "array", "items": object{"type": "string"}}),
	steps.ArgTextMap:   {"type": "object", "additionalProperties": object{"type": "string"}},
	steps.ArgValue:     {},
	steps.ArgValueMap:  {"type": "object"},
	steps.ArgPairs:     either(object{"type": "object"}, object{"type": "array", "items": object{"type": "object"}}),
	steps.ArgPoint:     {"type": "object"},
	steps.ArgPlace:     either(object{"type": "string"}, object{"type": "object"}),
	steps.ArgFields:    {"type": "object"},
	steps.ArgSelectors: {"type": "object"},
	steps.ArgAttrs:     {"type": "object"},
	steps.ArgRows:      {"type": "object"},
}

// either returns the schema of a value that has one of several kinds. It uses anyOf: some
// generators do not accept a list of types.
func either(kinds ...any) object { return object{"anyOf": kinds} }

// stepSchema returns the schema of a step's arguments.
func stepSchema(e *steps.Entry) object {
	properties, required := object{}, []any{}
	for i := range e.Args {
		a := &e.Args[i]
		s := maps.Clone(argSchemas[a.Type])
		if s == nil {
			s = object{"type": "string"}
		}
		if a.Doc != "" {
			s["description"] = a.Doc
		}
		if a.Type == steps.ArgEnum {
			s["enum"] = a.Values
		}
		properties[a.Name] = s
		if a.Required {
			required = append(required, a.Name)
		}
	}
	if properties[steps.SelectorArg] != nil {
		properties["ref_id"] = object{"type": "string", "description": "instead of a selector: a ref of a snapshot, such as e5"}
		required = slices.DeleteFunc(required, func(name any) bool { return name == steps.SelectorArg })
	}
	out := object{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

// idOf returns the operationId of a path. Client generators use it as the name of a function.
func idOf(method, path string) string {
	name := strings.ToLower(method)
	path = strings.TrimPrefix(strings.TrimPrefix(path, "/api/v1"), "/browser")
	for part := range strings.SplitSeq(path, "/") {
		part = strings.Trim(strings.ReplaceAll(part, ".", "_"), "{}")
		if part != "" {
			name += "_" + strings.ReplaceAll(part, "-", "_")
		}
	}
	return name
}

func tagOf(path string) string {
	switch {
	case strings.HasPrefix(path, sessionsPath):
		return "sessions"
	case strings.HasPrefix(path, "/api/v1/runs"):
		return "runs"
	case strings.HasPrefix(path, "/api/v1/actions"), path == "/api/v1/reload":
		return "actions"
	}
	return "server"
}
