package catalogue

import (
	"context"
	"fmt"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/selectors"
)

type fillFormArgs struct {
	Fields []steps.Pair `arg:"fields,required" pos:"1" doc:"label and value of each field; from the command line as JSON, like {\"Name\": \"Ada\"}"`
	Make   steps.TargetMaker
}

type fillFormResult struct {
	Fields map[string]any `json:"fields" doc:"labels, and the value of each field; *** for a password"`
}

var fillFormSteps = []*steps.Entry{
	steps.Define(steps.Entry{
		Name: "fill_form", Group: steps.GroupForms, Limit: steps.InputTime, Sets: true,
		Summary: "set the fields of a form by their labels",
		Doc: "A text field takes a text, a checkbox or switch takes true or false, and a list takes the text of an option or a list of them. " +
			"A group of radio buttons or checkboxes (by its legend or name) takes the label of the one to check, or a list of them. " +
			"The step sets and verifies each field as fill, check and select do, in the order written: " +
			"that of a map in a file or on the command line, or of a list of {label, value}. " +
			"A map that comes as a value (from a param, or over the protocol) has no order, so its fields are set in the order of their names; " +
			"if one field depends on another, such as cities on a country, pass a list. " +
			"The first failure fails the step, and the error says which fields were set before.",
		Example: "fill_form: {fields: {Name: \"${params.name}\", Country: Norway, Newsletter: true}}",
	}, fillForm),
}

func fillForm(ctx context.Context, env *steps.Env, a *fillFormArgs) (r fillFormResult, err error) {
	if len(a.Fields) == 0 {
		return r, diag.New(diag.ParamInvalid, "fields is empty, expected labels and values").
			WithHint("pass at least one label with a value, such as fields: {Name: Ada}")
	}
	r.Fields = make(map[string]any, len(a.Fields))
	var names []string
	for _, f := range a.Fields {
		held, err := setField(ctx, env, a.Make, f.Label, f.Value)
		if err != nil {
			return r, fieldError(err, f.Label, names)
		}
		r.Fields[f.Label] = held
		names = append(names, f.Label)
	}
	return r, nil
}

// fieldError adds to err the field that failed and the fields that were set before it.
func fieldError(err error, label string, done []string) error {
	e := diag.As(err)
	if e == nil {
		return err
	}
	e = e.Clone()
	e.Msg = fmt.Sprintf("the field %q: %s", label, e.Msg)
	if len(done) > 0 {
		e.Msg += "; done before: " + strings.Join(done, ", ")
	}
	return e.WithDetail("field", label).WithDetail("done", anys(done))
}

// setField sets one field according to its kind, and returns its new value.
func setField(ctx context.Context, env *steps.Env, make steps.TargetMaker, label string, value any) (any, error) {
	t, err := fieldTarget(make, label)
	if err != nil {
		return nil, err
	}
	kind, err := env.Page.Control(ctx, t)
	if err != nil {
		return nil, err
	}
	switch kind {
	case driver.CheckControl:
		return checkField(ctx, env, t, value)
	case driver.GroupControl:
		return checkGroup(ctx, env, t, value)
	case driver.SelectControl:
		wanted, err := fieldTexts(value)
		if err != nil {
			return nil, err
		}
		values, err := env.Page.Select(ctx, t, wanted, "")
		return anys(values), err
	}
	if _, isList := value.([]any); isList {
		return nil, unfit(value, "one text")
	}
	return fillWith(ctx, env, t, expr.Text(value))
}

func checkField(ctx context.Context, env *steps.Env, t driver.Target, value any) (any, error) {
	on, msg := (&steps.Arg{Type: steps.ArgBoolean}).Convert(value, true)
	if msg != "" {
		return nil, unfit(value, "true or false for a checkbox")
	}
	_, err := env.Page.Check(ctx, t, on.(bool))
	return on, err
}

// checkGroup selects checkboxes or radio buttons of a group. The value lists their labels.
func checkGroup(ctx context.Context, env *steps.Env, group driver.Target, value any) (any, error) {
	wanted, err := fieldTexts(value)
	if err != nil {
		return nil, err
	}
	for _, text := range wanted {
		member := group
		member.Source = group.Source + " >> label:" + selectors.Quote(selectors.Label, text)
		member.Bind = func(ctx context.Context, doc driver.Document) (*selectors.Query, error) {
			q, err := group.Bind(ctx, doc)
			if err != nil {
				return nil, err
			}
			return &selectors.Query{Parts: append(q.Parts[:len(q.Parts):len(q.Parts)], selectors.QueryPart{Kind: selectors.Label, Value: text})}, nil
		}
		if _, err := env.Page.Check(ctx, member, true); err != nil {
			return nil, err
		}
	}
	return anys(wanted), nil
}

// fieldTexts converts a value, which is a text or a list of texts, to a list.
func fieldTexts(value any) ([]string, error) {
	texts, ok := steps.Texts(value)
	if !ok {
		return nil, unfit(value, "the text of an option, or a list of them")
	}
	return texts, nil
}

func unfit(value any, want string) error {
	return diag.New(diag.ParamInvalid, "the value is %s, expected %s", steps.Describe(value), want).
		WithHint("pass a value that fits the kind of control; snapshot shows the kind")
}

// fieldTarget returns the target of a control with a label. If there is no control, the target is
// the group of controls with that name.
func fieldTarget(make steps.TargetMaker, label string) (driver.Target, error) {
	sel, err := selectors.Parse("label:"+selectors.Quote(selectors.Label, label), selectors.Options{Literal: true, Code: diag.ParamInvalid})
	if err != nil {
		return driver.Target{}, err
	}
	t := make(sel)
	t.Grace = 0
	plain := t.Bind
	t.Bind = func(ctx context.Context, doc driver.Document) (*selectors.Query, error) {
		q, err := plain(ctx, doc)
		if err != nil {
			return nil, err
		}
		alts := []selectors.QueryAlt{{Parts: q.Parts}}
		scope := q.Parts[: len(q.Parts)-1 : len(q.Parts)-1]
		for _, role := range []string{"radiogroup", "group"} {
			alts = append(alts, selectors.QueryAlt{Parts: append(scope, selectors.QueryPart{
				Kind: selectors.Role, Role: role, Attrs: []selectors.QueryAttr{{Name: "name", Value: label}}})})
		}
		return &selectors.Query{Parts: []selectors.QueryPart{{Kind: selectors.AliasKind, Alts: alts}}}, nil
	}
	t.Decided = nil // not an alias of a definition
	return t, nil
}
