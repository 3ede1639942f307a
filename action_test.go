package action_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/actionregistry/action"
	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/loader"
	"github.com/actionregistry/action/spec"
)

const pricesV1 = `namespace: prices
version: 1.0.0
actions:
  gold:read:
    description: Read the price of gold.
    steps: [{action: eval, args: {script: "1"}}]
`

// embedded makes a registry with nothing but the builtin definitions and sources.
func embedded(t *testing.T, sources ...loader.Source) *action.Registry {
	t.Helper()
	r, err := action.New(action.Options{Dir: t.TempDir(), Environ: []string{}, Sources: sources})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return r
}

func source(name string, kind spec.SourceKind, text string) loader.Source {
	return action.FS(name, kind, fstest.MapFS{"deep/prices.yaml": {Data: []byte(text)}})
}

func TestEmbeddedSources(t *testing.T) {
	ctx := t.Context()
	newer := strings.Replace(pricesV1, "Read the price", "Ask for the price", 1)
	r := embedded(t, source("low", spec.Global, pricesV1), source("high", spec.Project, newer))
	d, err := r.Describe(ctx, "prices:gold:read")
	if err != nil || d.Description != "Ask for the price of gold." || d.Source != "project high" {
		t.Errorf("Describe = %+v, %v, want the definition of the higher kind", d, err)
	}
	if items, err := r.List(ctx, "prices"); err != nil || len(items) != 1 {
		t.Errorf("List = %v, %v", items, err)
	}
	if hits, err := r.Search(ctx, "price gold", 0); err != nil || len(hits) == 0 || hits[0].Name != "prices:gold:read" {
		t.Errorf("Search = %v, %v", hits, err)
	}
	if plan := r.DryRun(ctx, "prices:gold:read", nil); plan.Error != nil || len(plan.Steps) != 1 {
		t.Errorf("DryRun = %+v", plan)
	}
}

// TestEmbeddedPackage: what a package may not do, a source of that kind may not do.
func TestEmbeddedPackage(t *testing.T) {
	r := embedded(t, source("theirs", spec.Package, pricesV1))
	plan := r.DryRun(t.Context(), "prices:gold:read", nil)
	if plan.Error == nil || !strings.Contains(plan.Error.Msg, "may not use the step eval") {
		t.Errorf("DryRun of a package's eval = %v, want that it may not be used", plan.Error)
	}
}

func TestEmbeddedProblems(t *testing.T) {
	ctx := t.Context()
	r := embedded(t, source("mine", spec.Project, pricesV1+"    stepz: []\n"))
	problems, err := r.Problems(ctx)
	if err != nil || len(problems) != 1 || problems[0].Pos.File != "mine/deep/prices.yaml" {
		t.Errorf("Problems = %v, %v, want one in mine/deep/prices.yaml", problems, err)
	}
	if result := r.Run(ctx, "prices:gold:read", nil, action.RunOptions{}); diag.CodeOf(result.Error) != diag.ActionNotFound {
		t.Errorf("Run of an action that was left out = %v, want ACTION_NOT_FOUND", result.Error)
	}
}
