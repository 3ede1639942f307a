package main

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
)

type exprOptions struct {
	*factory
	Text     string
	Context  string // a JSON object
	Template bool   // Text is a template instead of a condition
}

func newExprCmd(f *factory, runF func(context.Context, *exprOptions) error) *cobra.Command {
	o := &exprOptions{factory: f, Context: "{}"}
	cmd := &cobra.Command{
		Use:   "expr",
		Short: "Evaluate a condition or a template",
		Example: `action expr '${n} > 3' --context '{"n": 4}'
action expr --template 'Hello ${params.name}!' --context '{"params": {"name": "Ada"}}'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Text = args[0]
			return call(cmd, o, runF, runExpr)
		},
	}
	cmd.Flags().SortFlags = false
	addText(cmd.Flags(), &o.Context, "context", "JSON", `Values by name, as in '{"n": 1}', or by root, as in '{"params": {"n": 1}}'.`)
	addBool(cmd.Flags(), &o.Template, "template", "Evaluate the text as a template instead of a condition.")
	return f.takes(cmd, positional{name: "text", doc: "The condition, or the template with --template."})
}

// runExpr evaluates a condition or a template. The context contains the values of roots, such as
// params and steps. Every other name in the context is a variable of a foreach.
func runExpr(_ context.Context, o *exprOptions) error {
	value, err := o.eval()
	if o.json {
		if err != nil {
			o.writeJSON(map[string]any{"error": diag.As(err)})
			return errShown{err}
		}
		o.writeJSON(map[string]any{"value": value})
		return nil
	}
	if err != nil {
		o.printer.Source = func(string) []byte { return []byte(o.Text) }
		return err
	}
	if s, ok := value.(string); ok {
		fmt.Fprintln(o.stdout, diag.Clean(s))
	} else {
		fmt.Fprintln(o.stdout, diag.Clean(diag.JSONText(value)))
	}
	return nil
}

func (o *exprOptions) eval() (any, error) {
	values, err := jsonObject("--context", []byte(o.Context))
	if e := diag.As(err); e != nil {
		return nil, e.WithHint(`write an object, such as '{"params": {"n": 1}}'`)
	}
	scope, options := scopeOf(values)
	if o.Template {
		t, err := expr.ParseTemplate(o.Text, options)
		if err != nil {
			return nil, err
		}
		return t.Eval(scope)
	}
	cond, err := expr.ParseCondition(o.Text, options)
	if err != nil {
		return nil, err
	}
	return cond.Eval(scope)
}

func scopeOf(values map[string]any) (*expr.Scope, expr.Options) {
	o := expr.Options{Params: make(map[string]bool), Locals: []string{"item", "index"}}
	s := &expr.Scope{Modifier: "Control"}
	if runtime.GOOS == "darwin" {
		s.Modifier = "Meta"
	}
	roots := map[string]*map[string]any{
		"params": &s.Params, "env": &s.Env, "selectors": &s.Selectors, "steps": &s.Steps, "page": &s.Page,
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		v := values[name]
		if into := roots[name]; into != nil {
			*into, _ = v.(map[string]any)
			continue
		}
		if name == "modifier" {
			s.Modifier = expr.Text(v)
			continue
		}
		s.Locals = append(s.Locals, expr.Local{Name: name, Value: v})
		if !slices.Contains(o.Locals, name) {
			o.Locals = append(o.Locals, name)
		}
	}
	for name := range s.Params {
		o.Params[name] = true
	}
	return s, o
}
