package serve

// The path that performs one action in a session. The body names the type of the action.

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/daemon/wire"
	"github.com/actionregistry/action/internal/steps/catalogue"
)

// An actionType describes one type of actions: the step that performs them, and how their fields
// become its arguments.
type actionType struct {
	step   string
	fixed  map[string]any    // arguments that are always the same
	names  map[string]string // fields whose argument has another name, with the name of the argument
	result string            // the field of the step's result that is the result of the action; "" means all fields
}

// actionTypes holds the types of actions that need more than the name of a step. Every other type
// is the name of a step, in camelCase.
var actionTypes = map[string]actionType{
	"type":           {step: "type", names: map[string]string{"value": "text"}},
	"select":         {step: "select", names: map[string]string{"value": "values"}},
	"wait":           {step: "wait", names: map[string]string{"loadState": "load_state", "timeout": "time", "ms": "time"}},
	"scrollIntoView": {step: "scroll_into_view"},
	"getText":        {step: "get", fixed: map[string]any{"what": "text"}, result: "text"},
	"getInnerHTML":   {step: "get", fixed: map[string]any{"what": "html"}, result: "html"},
	"getInputValue":  {step: "get", fixed: map[string]any{"what": "value"}, result: "value"},
	"getAttribute":   {step: "get", fixed: map[string]any{"what": "attr"}, names: map[string]string{"attribute": "name"}, result: "attr"},
	"getTitle":       {step: "get", fixed: map[string]any{"what": "title"}, result: "title"},
	"getUrl":         {step: "get", fixed: map[string]any{"what": "url"}, result: "url"},
	"isVisible":      {step: "is", fixed: map[string]any{"state": "visible"}, result: "visible"},
	"isEnabled":      {step: "is", fixed: map[string]any{"state": "enabled"}, result: "enabled"},
	"isChecked":      {step: "is", fixed: map[string]any{"state": "checked"}, result: "checked"},
}

// ActionTypes returns the names of all types of actions.
func ActionTypes() []string {
	names := slices.Collect(maps.Keys(actionTypes))
	for _, step := range catalogue.Names() {
		if name := camel(step); !slices.Contains(names, name) && catalogue.Lookup(step).Instead == "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// typeOf returns the type of actions with this name.
func typeOf(name string) (actionType, error) {
	if t, ok := actionTypes[name]; ok {
		return t, nil
	}
	if e := catalogue.Lookup(snake(name)); e != nil && e.Instead == "" {
		return actionType{step: e.Name}, nil
	}
	err := diag.New(diag.InvalidRequest, "found the unknown type of action %q", wire.Short(name))
	if near := diag.Nearest(name, ActionTypes()); near != "" {
		return actionType{}, err.WithHint("did you mean %s?", near)
	}
	return actionType{}, err.WithHint("the types are: %s", strings.Join(ActionTypes(), ", "))
}

// Action is the answer to an action.
type Action struct {
	Success bool `json:"success"`
	// Result is the result of the step. For a getter, such as getText, it is only the value that
	// was read.
	Result any `json:"result"`
}

// act performs one action of a session.
func act(s *Server, w http.ResponseWriter, r *http.Request) error {
	if _, err := query(r); err != nil {
		return err
	}
	body, err := s.readBody(w, r)
	if err != nil {
		return err
	}
	var name string
	if raw, ok := body["type"]; !ok || json.Unmarshal(raw, &name) != nil || name == "" {
		return diag.New(diag.InvalidRequest, "found an action without the field \"type\", expected a type such as click").WithHint("the types are: %s", strings.Join(ActionTypes(), ", "))
	}
	delete(body, "type")
	t, err := typeOf(name)
	if err != nil {
		return err
	}
	limit, err := t.limit(body)
	if err != nil {
		return err
	}
	args, err := t.args(body)
	if err != nil {
		return err
	}
	data, err := s.step(r, t.step, args, limit)
	if err != nil {
		return err
	}
	out := Action{Success: true, Result: camelKeys(data)}
	if t.result != "" {
		out.Result = data[t.result]
	}
	s.write(w, http.StatusOK, out)
	return nil
}

// limit removes the field "timeout" from the body and returns it as the time limit of the action.
// If there is no such field, it returns 0, which means no limit. For actions such as wait,
// "timeout" is an argument of the step. limit then leaves the field in the body and returns 0.
func (t actionType) limit(body fields) (time.Duration, error) {
	raw, ok := body["timeout"]
	if _, own := t.names["timeout"]; !ok || own {
		return 0, nil
	}
	delete(body, "timeout")
	var d wire.Duration
	if err := d.UnmarshalJSON(raw); err != nil {
		return 0, diag.New(diag.InvalidRequest, "the field \"timeout\" of the body is %s, %v", wire.KindOf(raw), err).WithHint("write the time in milliseconds, such as 5000")
	}
	return time.Duration(d), nil
}

// args converts the fields of an action to the arguments of its step.
func (t actionType) args(body fields) (map[string]any, error) {
	if err := byRef(body, "refId"); err != nil {
		return nil, err
	}
	out := maps.Clone(t.fixed)
	if out == nil {
		out = make(map[string]any)
	}
	for name, raw := range body {
		value, err := expr.DecodeJSON(raw)
		if err != nil {
			return nil, diag.New(diag.InvalidRequest, "the field %q is invalid: %v", wire.Short(name), err).WithHint("correct the field")
		}
		arg := snake(name)
		if other, ok := t.names[name]; ok {
			arg = other
		}
		if selector, ok := value.(string); ok && arg == "selector" {
			value = selectorOf(selector)
		}
		if _, twice := out[arg]; twice {
			return nil, diag.New(diag.InvalidRequest, "the field %q sets an argument that another field or the type of the action has already set", wire.Short(name)).
				WithHint("remove the field")
		}
		out[arg] = value
	}
	return out, nil
}

// snake converts a name from camelCase to snake_case, which the steps use.
func snake(name string) string {
	var b strings.Builder
	for _, c := range name {
		if c >= 'A' && c <= 'Z' {
			b.WriteByte('_')
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}

// camel converts a name from snake_case to camelCase.
func camel(name string) string {
	parts := strings.Split(name, "_")
	for i, p := range parts[1:] {
		if p != "" {
			parts[i+1] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, "")
}

// camelKeys returns a copy of data with its names in camelCase. It does not change names in nested
// objects.
func camelKeys(data map[string]any) map[string]any {
	out := make(map[string]any, len(data))
	for name, v := range data {
		out[camel(name)] = v
	}
	return out
}

// camelList calls camelKeys for each object of a list.
func camelList(v any) []any {
	list, _ := v.([]any)
	out := make([]any, len(list))
	for i, item := range list {
		out[i] = item
		if object, ok := item.(map[string]any); ok {
			out[i] = camelKeys(object)
		}
	}
	return out
}
