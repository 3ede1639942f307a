package expr_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
)

// A conformanceCase is one entry of testdata/conformance.json.
type conformanceCase struct {
	Name     string         `json:"name"`
	Expr     string         `json:"expr"`
	Template string         `json:"template"`
	Context  map[string]any `json:"context"`
	Want     any            `json:"want"`
	Error    diag.Code      `json:"error"`
}

func readConformance(t testing.TB) (file struct {
	Conditions      []conformanceCase `json:"conditions"`
	ConditionErrors []conformanceCase `json:"condition_errors"`
	Templates       []conformanceCase `json:"templates"`
}) {
	t.Helper()
	data, err := os.ReadFile("testdata/conformance.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	return file
}

// scopeOf reads a context as `action expr --context` gives it.
func scopeOf(context map[string]any) *expr.Scope {
	part := func(name string) map[string]any {
		m, _ := context[name].(map[string]any)
		return m
	}
	s := &expr.Scope{
		Params: part("params"), Env: part("env"), Selectors: part("selectors"),
		Steps: part("steps"), Page: part("page"),
	}
	s.Modifier, _ = context["modifier"].(string)
	for _, name := range []string{"item", "index"} {
		if v, ok := context[name]; ok {
			s.Locals = append(s.Locals, expr.Local{Name: name, Value: v})
		}
	}
	return s
}

// optionsOf declares every param and local of s.
func optionsOf(s *expr.Scope) expr.Options {
	o := expr.Options{Params: map[string]bool{}}
	for name := range s.Params {
		o.Params[name] = true
	}
	for _, l := range s.Locals {
		o.Locals = append(o.Locals, l.Name)
	}
	return o
}

func TestConformance(t *testing.T) {
	file := readConformance(t)
	for _, c := range append(file.Conditions, file.ConditionErrors...) {
		t.Run("condition/"+c.Name, func(t *testing.T) {
			s := scopeOf(c.Context)
			got, err := evalCondition(c.Expr, s, optionsOf(s))
			checkResult(t, c, got, err)
		})
	}
	for _, c := range file.Templates {
		t.Run("template/"+c.Name, func(t *testing.T) {
			s := scopeOf(c.Context)
			got, err := evalTemplate(c.Template, s, optionsOf(s))
			checkResult(t, c, got, err)
		})
	}
}

func evalCondition(src string, s *expr.Scope, o expr.Options) (any, error) {
	c, err := expr.ParseCondition(src, o)
	if err != nil {
		return nil, err
	}
	return c.Eval(s)
}

func evalTemplate(src string, s *expr.Scope, o expr.Options) (any, error) {
	t, err := expr.ParseTemplate(src, o)
	if err != nil {
		return nil, err
	}
	return t.Eval(s)
}

func checkResult(t *testing.T, c conformanceCase, got any, err error) {
	t.Helper()
	if c.Error != "" {
		e := diag.As(err)
		if e == nil || e.Code != c.Error {
			t.Fatalf("got %v, %v; want error %s", got, err, c.Error)
		}
		if !e.Pos.IsValid() || e.Hint == "" {
			t.Errorf("error %q has position %v and hint %q; want both", e, e.Pos, e.Hint)
		}
		return
	}
	if err != nil {
		t.Fatalf("got error %v, want %v", err, c.Want)
	}
	if diff := cmp.Diff(c.Want, got); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
}
