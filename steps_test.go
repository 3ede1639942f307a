package action_test

import (
	"go/ast"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/steps/catalogue"
)

// TestStepsAreNamedInTheCatalogue: no package outside the catalogue names a step, or an argument of one, to
// find out what it is for. What has to be known is a field of steps.Entry or a function of
// internal/steps/catalogue/purpose.go, which reads the struct of the step's arguments.
func TestStepsAreNamedInTheCatalogue(t *testing.T) {
	fset, packages := sources(t)
	for dir, files := range packages {
		// The operations of the page engine have names of their own.
		if _, row, _ := rowOf(dir); row < rows["internal/steps"] || within(dir, "internal/steps/catalogue") || within(dir, "internal/browser") {
			continue
		}
		eachProductNode(files, func(n ast.Node) {
			if name := namedStep(n); name != "" {
				t.Errorf("%s: it names %q: ask the catalogue what the step or the argument is for", fset.Position(n.Pos()), name)
			}
		})
	}
}

// namedStep returns the literal by which a node names a step or an argument, "" if it does not.
func namedStep(n ast.Node) string {
	switch n := n.(type) {
	case *ast.IndexExpr: // op.Args["selector"]
		if endsWith(n.X, "Args") {
			return literal(n.Index)
		}
	case *ast.CallExpr: // catalogue.Lookup("wait"), e.Arg("selector"), s.Args.Get("selector")
		f, ok := n.Fun.(*ast.SelectorExpr)
		if !ok || len(n.Args) == 0 {
			return ""
		}
		if callee(n) == "catalogue.Lookup" || f.Sel.Name == "Arg" || f.Sel.Name == "Get" && (endsWith(f.X, "Args") || endsWith(f.X, "Wait")) {
			return literal(n.Args[0])
		}
	case *ast.BinaryExpr: // e.Name == "run", s.Action.Value != "set"
		for _, side := range [][2]ast.Expr{{n.X, n.Y}, {n.Y, n.X}} {
			if name := literal(side[1]); (n.Op == token.EQL || n.Op == token.NEQ) && slices.Contains(catalogue.Names(), name) && (endsWith(side[0], "Name") || endsWith(side[0], "Value")) {
				return name
			}
		}
	}
	return ""
}

func endsWith(x ast.Expr, name string) bool {
	s, ok := x.(*ast.SelectorExpr)
	return ok && s.Sel.Name == name
}

// literal returns the text of a string literal, "" for anything else.
func literal(x ast.Expr) string {
	lit, ok := x.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	text, _ := strconv.Unquote(lit.Value)
	return text
}

// TestBoundArgumentsHaveNoReaders: only the step's own function sees its arguments, as a struct.
func TestBoundArgumentsHaveNoReaders(t *testing.T) {
	a := reflect.TypeFor[*steps.Args]()
	for i := range a.NumMethod() {
		if m := a.Method(i); m.Type.NumIn() > 1 {
			t.Errorf("steps.Args has the method %s with a parameter: nothing outside reads an argument by its name", m.Name)
		}
	}
	for i := range a.Elem().NumField() {
		if f := a.Elem().Field(i); f.IsExported() {
			t.Errorf("steps.Args has the exported field %s", f.Name)
		}
	}
}
