package expr_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
)

// TestDocumentation runs every "source => result" line of the fenced
// condition and template blocks of docs/expressions.md, with the values of its
// json block.
func TestDocumentation(t *testing.T) {
	data, err := os.ReadFile("../docs/expressions.md")
	if err != nil {
		t.Fatal(err)
	}
	var context map[string]any
	if err := json.Unmarshal([]byte(fenced(string(data), "json")[0]), &context); err != nil {
		t.Fatal(err)
	}
	s := scopeOf(context)
	for kind, eval := range map[string]func(string, *expr.Scope, expr.Options) (any, error){
		"condition": evalCondition, "template": evalTemplate,
	} {
		for _, block := range fenced(string(data), kind) {
			for line := range strings.Lines(block) {
				t.Run(kind+"/"+strings.TrimSpace(line), func(t *testing.T) {
					src, want, ok := strings.Cut(line, "=> ")
					if !ok {
						t.Fatalf("got %q, want SOURCE => RESULT", line)
					}
					got, err := eval(strings.TrimSpace(src), s, optionsOf(s))
					checkDocumented(t, strings.TrimSpace(want), got, err)
				})
			}
		}
	}
}

// fenced returns the fenced blocks of a kind; there is at least one.
func fenced(text, kind string) []string {
	var blocks []string
	for _, part := range strings.Split(text, "```"+kind+"\n")[1:] {
		block, _, _ := strings.Cut(part, "```")
		blocks = append(blocks, block)
	}
	if len(blocks) == 0 {
		panic("no block of kind " + kind)
	}
	return blocks
}

// checkDocumented compares a result with the documented one: JSON, or an error code.
func checkDocumented(t *testing.T, want string, got any, err error) {
	t.Helper()
	if code := diag.Code(want); code.Known() {
		if diag.CodeOf(err) != code {
			t.Errorf("got %v, %v; want %s", got, err, code)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal([]byte(want), &value); err != nil {
		t.Fatalf("%q: %v", want, err)
	}
	if expr.Equal(value, got) {
		return // numbers by value: a length is an integer, JSON's numbers are not
	}
	if diff := cmp.Diff(value, got); diff != "" {
		t.Errorf("value (-want +got):\n%s", diff)
	}
}
