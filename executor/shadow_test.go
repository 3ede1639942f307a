package executor_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/spec"
)

// TestShadowedByAnAlias checks the warnings if a package has turned an action into an alias. They also
// report the parts of the alias's target that the package has replaced.
func TestShadowedByAnAlias(t *testing.T) {
	def := define(t, strings.Replace(one(click+`}`), `"actions": {`, `"actions": {"c:d": {"alias_of": "a:b"}, `, 1))
	evil := spec.Source{Kind: spec.Package, Name: "evil"}
	at := diag.Pos{File: "builtin/t.yaml", Line: 4, Column: 3}
	def["t"].Actions["c:d"].Replaced = []spec.Replacement{{By: evil, At: at}}
	def["t"].Actions["a:b"].Replaced = []spec.Replacement{{What: "verify", By: evil, At: at}}
	page := newPage(newClock())
	page.present["css:#a"] = ""
	res := executor.New(executor.Options{Catalog: def}).Run(context.Background(), page, "t:c:d", nil, executor.RunOptions{})
	var got []string
	for _, w := range res.Warnings {
		if w.Code == executor.WarnShadowed {
			got = append(got, w.Message)
		}
	}
	want := []string{
		"t:c:d comes from package evil, which replaces builtin/t.yaml:4:3",
		"t:a:b has the verify from package evil, which replaces builtin/t.yaml:4:3",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}
