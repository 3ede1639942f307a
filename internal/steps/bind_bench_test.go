package steps_test

import (
	"testing"

	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/program"
	"github.com/actionregistry/action/selectors"
)

// BenchmarkBind measures what an attempt of a step pays for its arguments.
func BenchmarkBind(b *testing.B) {
	for _, row := range []struct {
		step string
		args map[string]any
	}{
		{"fill", map[string]any{"selector": "label:User", "value": "ann"}},
		{"click", map[string]any{"selector": "text:Save", "count": 2, "modifiers": []any{"Shift"}}},
		{"route", map[string]any{"do": "mock", "url": "*/api/*", "status": 500, "body": "{}"}},
		{"snapshot", nil},
	} {
		b.Run(row.step, func(b *testing.B) {
			op, errs := program.Hand(row.step, row.args, false)
			if errs != nil {
				b.Fatal(errs)
			}
			s := new(expr.Scope)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := op.Bind(s, func(*selectors.Selector) driver.Target { return driver.Target{} }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
