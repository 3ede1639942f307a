package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/actionregistry/action/diag"
)

// A tool is one tool of the server. See [define].
type tool struct {
	sdk.Tool
	anytime bool // whether its calls do not wait for other calls of their session
	run     func(ctx context.Context, c *call, raw json.RawMessage) (*reply, error)
}

// A call is one call of a tool.
type call struct {
	*server
	request *sdk.CallToolRequest
	paused  *paused // not nil if the call can return a question and be continued
}

// token returns the token for notifications about the progress of the call. It returns nil if the
// client wants none.
func (c *call) token() any { return c.request.Params.GetProgressToken() }

// A reply is the answer of a tool.
type reply struct {
	text   string
	data   json.RawMessage // structured content; nil if the tool has no output schema
	image  *sdk.ImageContent
	failed bool
	ask    *sdk.ElicitParams // the question to the user; nil if there is none
	askID  string            // name of that input; "" means askID
	state  string            // id of the question, which the client sends when it repeats the call
}

// define returns a tool. A is the struct of its arguments. Its json tags are their names, and its
// jsonschema tags describe them to the model.
func define[A any](name, about string, hints sdk.ToolAnnotations, run func(ctx context.Context, c *call, args *A) (*reply, error)) *tool {
	return &tool{
		Tool: sdk.Tool{Name: name, Description: about, InputSchema: schemaOf[A](), Annotations: &hints},
		run: func(ctx context.Context, c *call, raw json.RawMessage) (*reply, error) {
			args := new(A)
			if err := decodeArgs(raw, args); err != nil {
				return nil, err
			}
			return run(ctx, c, args)
		},
	}
}

// always lets the calls of a tool run without waiting for other calls of their session.
func (t *tool) always() *tool {
	t.anytime = true
	return t
}

// answers sets the output schema of a tool to that of an answer.
func (t *tool) answers() *tool {
	t.OutputSchema = answerSchema
	return t
}

// answerSchema is the JSON Schema of an answer. It is short to save tokens.
var answerSchema = json.RawMessage(`{"type":"object","properties":{"ok":{"type":"boolean"},"data":{},"verified":{"type":"boolean"},"error":{"type":"object"}},"required":["ok"]}`)

// schemaOf returns the input schema of a tool. A is the struct of its arguments. The schema allows
// other arguments, because [decodeArgs] reports them with a better error.
func schemaOf[A any]() *jsonschema.Schema {
	s, err := jsonschema.For[A](nil)
	if err != nil {
		panic(fmt.Sprintf("mcp: %v", err)) // a bug of this package
	}
	s.AdditionalProperties = nil
	for _, p := range s.Properties {
		if len(p.Types) == 2 { // a pointer: remove null from the types, because optional arguments are omitted
			p.Type, p.Types = p.Types[1], nil
		}
		if p.Type == "object" {
			p.AdditionalProperties = nil
		}
	}
	return s
}

// decodeArgs decodes the arguments of a tool into a struct. If a name is unknown or a type is
// wrong, the error says what is expected.
func decodeArgs(raw json.RawMessage, args any) error {
	names := fieldNames(reflect.TypeOf(args).Elem())
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("{}")
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		return diag.New(diag.InvalidRequest, "found arguments that are not an object, expected an object").WithHint("the arguments are %s", strings.Join(names, ", "))
	}
	for name := range given {
		if !slices.Contains(names, name) {
			return diag.New(diag.InvalidRequest, "found the argument %s, which the tool does not have", oneLine(name, 60)).
				WithHint("the arguments are %s", strings.Join(names, ", "))
		}
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(args); err != nil {
		return wrongType(err)
	}
	return nil
}

// wrongType returns the error for an argument of a wrong type.
func wrongType(err error) error {
	var e *json.UnmarshalTypeError
	if !errors.As(err, &e) {
		return diag.New(diag.InvalidRequest, "found arguments that do not fit the schema of the tool: %s", oneLine(err.Error(), maxLineOf)).WithHint("see the input schema of the tool")
	}
	expected := "an object"
	switch e.Type.Kind() {
	case reflect.String:
		expected = "a text"
	case reflect.Bool:
		expected = "true or false"
	case reflect.Int:
		expected = "an integer"
	}
	return diag.New(diag.InvalidRequest, "found the argument %q of type %s, expected %s", e.Field, e.Value, expected).WithHint("see the input schema of the tool")
}

func fieldNames(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

// into decodes an object into a struct. An unknown name is an error.
func (o object) into(v any) error {
	raw, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return decodeArgs(raw, v)
}

// An object is a JSON object. It may also be written as a JSON text that contains the object, as
// some models do.
type object map[string]any

// UnmarshalJSON implements [json.Unmarshaler].
func (o *object) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil && text != "" {
		data = []byte(text)
	}
	var m map[string]any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&m); err != nil {
		return fmt.Errorf("expected an object: %w", err)
	}
	*o = m
	return nil
}

// begin waits until earlier calls of the same session have been answered. If anytime is true, it
// does not wait. The caller must call the function "end" when the call has ended.
func (c *call) begin(ctx context.Context, anytime bool) (end func(), err error) {
	number, _ := c.request.Params.Meta[ticketKey].(float64)
	end = func() { c.order.end(int(number)) }
	if anytime {
		return end, nil
	}
	if err := c.order.wait(ctx, int(number)); err != nil {
		return end, diag.New(diag.Cancelled, "the call was cancelled while it waited for other calls of the session").Because(err)
	}
	return end, nil
}

// coded returns err as a *diag.Error. An error without a code becomes INTERNAL.
func coded(err error) *diag.Error {
	if e := diag.As(err); e != nil {
		return e
	}
	return diag.New(diag.Internal, "%v", err).Because(err)
}
