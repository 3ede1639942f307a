package main

import (
	"fmt"
	"maps"
	"testing"

	"github.com/actionregistry/action/diag"
)

// TestValuesWithAHyphen: a negative number is a value wherever it stands, and -- ends the
// flags.
func TestValuesWithAHyphen(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want map[string]any // nil: it is an error
	}{
		{[]string{"fill", "label:A", "-5"}, map[string]any{"selector": "label:A", "value": "-5"}},
		{[]string{"fill", "label:A", "-.5", "--session", "x"}, map[string]any{"selector": "label:A", "value": "-.5"}},
		{[]string{"type", "-1,5"}, map[string]any{"text": "-1,5"}},
		{[]string{"fill", "label:A", "--", "-x"}, map[string]any{"selector": "label:A", "value": "-x"}},
		{[]string{"fill", "label:A", "--", "-5"}, map[string]any{"selector": "label:A", "value": "-5"}},
		{[]string{"scroll", "--y", "-100"}, map[string]any{"y": "-100"}},
		{[]string{"storage", "set", "key", "-7"}, map[string]any{"do": "set", "name": "key", "value": "-7"}},
		{[]string{"select", "label:A", "-1", "2"}, map[string]any{"selector": "label:A", "values": []any{"-1", "2"}}},
		{[]string{"fill", "label:A", "-x"}, nil},
		{[]string{"get", "value", "label:A", "--timeout", "-5"}, nil},
	} {
		p, err := newParser(tt.args)
		if err != nil {
			t.Fatal(err)
		}
		a := &app{}
		selected, err := a.parseWords(p, tt.args)
		if tt.want == nil {
			if diag.CodeOf(err) != diag.InvalidRequest {
				t.Errorf("%q: %v, want an error", tt.args, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", tt.args, err)
			continue
		}
		got, err := p.hand[selected.Selected().Name].args()
		if err != nil || !maps.EqualFunc(got, tt.want, func(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }) {
			t.Errorf("%q: got %v, %v; want %v", tt.args, got, err, tt.want)
		}
	}
	p, err := newParser([]string{"fill"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = (&app{}).parseWords(p, []string{"fill", "label:A", "-x"})
	if e := diag.As(err); e == nil || e.Msg != "unknown flag -x" || e.Hint != "a value that begins with - stands behind --, as in: action fill … -- -x; see: action fill --help" {
		t.Errorf("%v, want a hint about --", err)
	}
}

// A flag without its value says so, whatever kind of value it is.
func TestFlagWithoutValue(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"get", "url", "--timeout", "-1s"}, "--timeout: expected a value, found a word that begins with -"},
		{[]string{"get", "url", "--timeout", "-5"}, "--timeout: expected a value, found a word that begins with -"},
		{[]string{"get", "url", "--timeout"}, "--timeout: expected a value"},
		{[]string{"get", "url", "--session", "--json"}, "--session: expected a value, found a word that begins with -"},
		{[]string{"get", "url", "--session"}, "--session: expected a value"},
		{[]string{"get", "url", "--timeout=-1s"}, `--timeout: found "-1s", expected milliseconds as an integer, or a text like 90s`},
	} {
		p, err := newParser(tt.args)
		if err != nil {
			t.Fatal(err)
		}
		_, err = (&app{}).parseWords(p, tt.args)
		if e := diag.As(err); e == nil || e.Code != diag.InvalidRequest || e.Msg != tt.want {
			t.Errorf("%q: %v, want %s", tt.args, err, tt.want)
		}
	}
}
