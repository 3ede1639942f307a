package expr_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"

	"pgregory.net/rapid"
)

// The expanded size of a shared value is the size of the same value written out, whether its parts
// are cached or not.
func TestSizeOfSharedValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kept := new(expr.Sizer)
		var parts []any
		for range rapid.IntRange(1, 12).Draw(t, "parts") {
			pick := func() any {
				if len(parts) > 0 && rapid.Bool().Draw(t, "shared") {
					return rapid.SampledFrom(parts).Draw(t, "part")
				}
				return rapid.SampledFrom([]any{nil, true, "text", 1.5, strings.Repeat("x", 3000)}).Draw(t, "leaf")
			}
			v := any([]any{pick(), pick()})
			if rapid.Bool().Draw(t, "map") {
				v = map[string]any{"a": pick(), "b": pick()}
			}
			parts = append(parts, v)
			got, err := kept.Keep(v)
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			var plain any
			if err := json.Unmarshal(data, &plain); err != nil {
				t.Fatal(err)
			}
			if want := (*expr.Sizer)(nil).Size(plain); got != want || kept.Size(v) != want {
				t.Fatalf("Keep = %d, Size = %d, want %d as written out", got, kept.Size(v), want)
			}
			if got > 8*len(data) || len(data) > 8*got {
				t.Fatalf("size %d of %d bytes of JSON", got, len(data))
			}
		}
	})
}

func TestSizeBounds(t *testing.T) {
	var doubled, nested any = []any{"x"}, "x"
	for range 60 {
		doubled = []any{doubled, doubled}
	}
	for range 100_000 {
		nested = map[string]any{"a": nested}
	}
	tests := []struct {
		name  string
		value any
		text  string
	}{
		{"doubled 60 times", doubled, "at most 8388608 bytes"},
		{"nested deeply", nested, "at most 1000 levels"},
		{"a long text", strings.Repeat("x", 9<<20), "at most 8388608 bytes"},
		{"other types", map[string]any{"a": []string{strings.Repeat("x", 9<<20)}}, "at most 8388608 bytes"},
	}
	for _, tt := range tests {
		for _, sizer := range []*expr.Sizer{nil, new(expr.Sizer)} {
			_, err := sizer.Keep(tt.value)
			if diag.CodeOf(err) != diag.LimitExceeded || !strings.Contains(err.Error(), tt.text) || diag.As(err).Hint == "" {
				t.Errorf("%s: Keep = %v, want LIMIT_EXCEEDED with %q and a hint", tt.name, err, tt.text)
			}
			if got := sizer.Size(tt.value); got <= expr.MaxValueBytes {
				t.Errorf("%s: Size = %d, want more than the bound", tt.name, got)
			}
		}
	}
	if _, err := new(expr.Sizer).Keep(strings.Repeat("x", 8<<20-2)); err != nil {
		t.Errorf("a value at the bound: %v", err)
	}
}

func TestMatchingStops(t *testing.T) {
	c, err := expr.ParseCondition("${params.text} matches ${params.pattern}", expr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	s := &expr.Scope{Done: done, Params: map[string]any{"text": strings.Repeat("ab", 1<<20) + "c", "pattern": "b+c$"}}
	if ok, err := c.Eval(s); !ok || err != nil {
		t.Errorf("Eval = %v, %v, want true", ok, err)
	}
	close(done)
	if ok, err := c.Eval(s); ok || err == nil {
		t.Errorf("Eval = %v, %v, want an error once it is to stop", ok, err)
	}
}
