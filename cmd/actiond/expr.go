package main

import (
	"context"
	"fmt"
	"runtime"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
)

type exprCmd struct {
	Text     string `arg:"" help:"The condition, or with --template the text."`
	Context  string `help:"Values of the roots, such as '{\"params\": {\"n\": 1}}'." placeholder:"JSON" default:"{}"`
	Template bool   `help:"Read the text as one with references instead of a condition."`
}

// Run evaluates a condition or a text. Every key of context.params counts as a
// declared param, every unknown root of the context as an item of a foreach.
func (c *exprCmd) Run(_ context.Context, a *app) error {
	value, err := c.eval()
	if a.json {
		if err != nil {
			a.writeJSON(map[string]any{"error": diag.As(err)})
			return errShown{err}
		}
		a.writeJSON(map[string]any{"value": value})
		return nil
	}
	if err != nil {
		a.printer.Source = func(string) []byte { return []byte(c.Text) }
		return err
	}
	if s, ok := value.(string); ok {
		fmt.Fprintln(a.stdout, diag.Clean(s))
	} else {
		fmt.Fprintln(a.stdout, diag.Clean(jsonText(value)))
	}
	return nil
}

func (c *exprCmd) eval() (any, error) {
	values, err := jsonObject("--context", []byte(c.Context))
	if e := diag.As(err); e != nil {
		return nil, e.WithHint(`write an object, such as '{"params": {"n": 1}}'`)
	}
	scope, o := scopeOf(values)
	if c.Template {
		t, err := expr.ParseTemplate(c.Text, o)
		if err != nil {
			return nil, err
		}
		return t.Eval(scope)
	}
	cond, err := expr.ParseCondition(c.Text, o)
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
	for name, v := range values {
		if into := roots[name]; into != nil {
			*into, _ = v.(map[string]any)
			continue
		}
		if name == "modifier" {
			s.Modifier = expr.Text(v)
			continue
		}
		s.Locals = append(s.Locals, expr.Local{Name: name, Value: v})
	}
	for name := range s.Params {
		o.Params[name] = true
	}
	return s, o
}
