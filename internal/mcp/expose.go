package mcp

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// Actions that are tools themselves, with their params as the input schema.

// longestName is the maximum length of the name of a tool.
const longestName = 64

var nameOfTool = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// exposed returns a tool for each action that a pattern selects. A pattern is a namespace, a
// namespace with a component, or the name of an action. It is an error if a pattern selects no
// action, or if the name of an action is too long for a tool.
func (s *server) exposed(ctx context.Context, patterns []string) (tools []*tool, err error) {
	var all struct {
		Actions []hit `json:"actions"`
	}
	if len(patterns) == 0 {
		return nil, nil
	}
	if err := s.get(ctx, &wire.ListRequest{Location: s.o.Location}, &all); err != nil {
		return nil, err
	}
	var names []string
	for _, pattern := range patterns {
		found := false
		for _, a := range all.Actions {
			if a.Name == pattern || strings.HasPrefix(a.Name, pattern+":") {
				found = true
				names = append(names, a.Name)
			}
		}
		if !found {
			return nil, diag.New(diag.ActionNotFound, "found `--expose %s`, which selects no action", oneLine(pattern, 80)).
				WithHint("give a namespace, a namespace with a component, or an action; for the names, see: action list")
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		t, err := s.expose(ctx, name)
		if err != nil {
			return nil, err
		}
		tools = append(tools, t)
	}
	return tools, nil
}

// expose returns the tool of an action.
func (s *server) expose(ctx context.Context, action string) (*tool, error) {
	name := strings.ReplaceAll(action, ":", "__")
	if len(name) > longestName || !nameOfTool.MatchString(name) {
		return nil, diag.New(diag.DefinitionInvalid, "the action %s would become a tool with the name %s, expected at most %d letters, digits, _ and -", action, name, longestName).
			WithHint("give the action a shorter alias, and expose that alias")
	}
	d, err := s.describe(ctx, action)
	if err != nil {
		return nil, err
	}
	t := &tool{
		Tool: sdk.Tool{Name: name, Description: oneLine(d.Description, maxLineOf), InputSchema: paramsSchema(d.Params), Annotations: new(sdk.ToolAnnotations)},
		run: func(ctx context.Context, c *call, raw json.RawMessage) (*reply, error) {
			var params object
			if len(raw) > 0 {
				if err := params.UnmarshalJSON(raw); err != nil {
					return nil, diag.New(diag.InvalidRequest, "found arguments that are not an object, expected an object with the params of %s", action).Because(err)
				}
			}
			return c.runAction(ctx, action, params, "")
		},
	}
	return t.answers(), nil
}

// paramsSchema returns the JSON Schema of params. Secret params are always optional in it, because
// the user may enter them on a page.
func paramsSchema(params []param) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: make(map[string]*jsonschema.Schema)}
	for i := range params {
		p := &params[i]
		s.Properties[p.Name] = p.schema()
		s.PropertyOrder = append(s.PropertyOrder, p.Name)
		if p.Required && !p.Secret {
			s.Required = append(s.Required, p.Name)
		}
	}
	return s
}

func (p *param) schema() *jsonschema.Schema {
	s := &jsonschema.Schema{Description: oneLine(p.Description, maxLineOf), Pattern: p.Pattern, Minimum: p.Min, Maximum: p.Max}
	if p.Default != nil && !p.Secret {
		s.Default, _ = json.Marshal(p.Default) // does not fail: it was decoded from JSON
	}
	switch p.Type {
	case "string", "number", "integer", "boolean":
		s.Type = p.Type
	case "any", "":
	case "enum":
		s.Enum = p.Values
	case "array":
		s.Type, s.MinItems, s.MaxItems = p.Type, p.MinLength, p.MaxLength
		if p.Items != nil {
			s.Items = p.Items.schema()
		}
		return s
	case "object":
		inner := paramsSchema(p.Properties)
		inner.Description, inner.Default = s.Description, s.Default
		return inner
	default: // a text of a certain form, such as an address
		s.Type = "string"
		s.Description = strings.TrimSpace(s.Description + " (" + p.Type + ")")
	}
	s.MinLength, s.MaxLength = p.MinLength, p.MaxLength
	return s
}
