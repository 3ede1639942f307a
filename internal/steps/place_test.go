package steps_test

import (
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

func TestPlaceByHand(t *testing.T) {
	tests := []struct {
		name     string
		from     any
		fromText bool
		point    driver.Point
		source   string // of the selector; "" for a point
	}{
		{"selector", "css:#a", false, driver.Point{}, "css:#a"},
		{"map", map[string]any{"x": 1.5, "y": 2}, false, driver.Point{X: 1.5, Y: 2}, ""},
		{"JSON of the command line", `{"x": 1.5, "y": -2}`, true, driver.Point{X: 1.5, Y: -2}, ""},
		{"selector of the command line", "text:A {b}", true, driver.Point{}, "text:A {b}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			op, errs := steps.Hand("drag", map[string]any{"from": tt.from, "to": "css:b"}, tt.fromText)
			if errs != nil {
				t.Fatal(errs)
			}
			got := steps.ValueOf(bound(t, op), "from").(driver.Place)
			switch {
			case tt.source == "" && (got.Target != nil || got.Point != tt.point):
				t.Errorf("got %+v, want the point %+v", got, tt.point)
			case tt.source != "" && (got.Target == nil || got.Target.Source != tt.source):
				t.Errorf("got %+v, want the selector %s", got, tt.source)
			}
		})
	}
	_, errs := steps.Hand("drag", map[string]any{"from": map[string]any{"x": "left", "y": 1}, "to": "css:b"}, false)
	if len(errs) != 1 || errs[0].Code != diag.ParamInvalid || !strings.Contains(errs[0].Msg, `from.x is "left"`) {
		t.Errorf("got %v, want one error about from.x", errs)
	}
}

// An amount has a unit, or is in pixels.
func TestScrollAmountByHand(t *testing.T) {
	tests := []struct {
		amount any
		fails  bool
	}{
		{"300", false}, {300, false}, {"300px", false}, {"50%", false}, {"12.5 %", false},
		{"0", true}, {"-3", true}, {"5em", true}, {"%", true}, {"1e99", true}, {"NaN", true},
	}
	for _, tt := range tests {
		_, errs := steps.Hand("scroll", map[string]any{"direction": "down", "amount": tt.amount}, false)
		if (len(errs) > 0) != tt.fails {
			t.Errorf("amount %v: got %v, want an error: %v", tt.amount, errs, tt.fails)
		}
		if len(errs) > 0 && errs[0].Hint == "" {
			t.Errorf("amount %v: the error has no hint", tt.amount)
		}
	}
}
