package catalogue_test

import (
	"testing"

	"github.com/actionregistry/action/internal/program"
)

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
		_, errs := program.Hand("scroll", map[string]any{"direction": "down", "amount": tt.amount}, false)
		if (len(errs) > 0) != tt.fails {
			t.Errorf("amount %v: got %v, want an error: %v", tt.amount, errs, tt.fails)
		}
		if len(errs) > 0 && errs[0].Hint == "" {
			t.Errorf("amount %v: the error has no hint", tt.amount)
		}
	}
}
