package expr_test

import (
	"testing"

	peer "github.com/expr-lang/expr"

	"github.com/actionregistry/action/expr"
)

const benchSource = `${params.method} == "text" && ${params.timeout} > 0`

func benchScope() *expr.Scope {
	return &expr.Scope{Params: map[string]any{
		"method": "text", "timeout": 5000, "trigger": "new", "a": 1, "b": 2,
	}}
}

func BenchmarkConditionCompile(b *testing.B) {
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := expr.ParseCondition(benchSource, expr.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("expr-lang", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := peer.Compile(`params.method == "text" && params.timeout > 0`); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkConditionEval(b *testing.B) {
	s := benchScope()
	b.Run("ours", func(b *testing.B) {
		c, err := expr.ParseCondition(benchSource, expr.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if ok, err := c.Eval(s); !ok || err != nil {
				b.Fatal(ok, err)
			}
		}
	})
	b.Run("expr-lang", func(b *testing.B) {
		program, err := peer.Compile(`params.method == "text" && params.timeout > 0`)
		if err != nil {
			b.Fatal(err)
		}
		env := map[string]any{"params": s.Params}
		b.ReportAllocs()
		for b.Loop() {
			if ok, err := peer.Run(program, env); ok != true || err != nil {
				b.Fatal(ok, err)
			}
		}
	})
}

func BenchmarkInterpolate(b *testing.B) {
	t, err := expr.ParseTemplate("text:${params.trigger} (${params.timeout} ms)", expr.Options{})
	if err != nil {
		b.Fatal(err)
	}
	s := benchScope()
	b.ReportAllocs()
	for b.Loop() {
		if got, err := t.Text(s); got != "text:new (5000 ms)" || err != nil {
			b.Fatal(got, err)
		}
	}
}
