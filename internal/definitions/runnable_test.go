package definitions_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/definitions"
	"github.com/actionregistry/action/internal/testkit"
)

// chain has actions that run others, in their namespace and in another one.
const chain = `namespace: a
version: 1.0.0
description: For tests
env: [{name: OF_A, secret: false}]
actions:
  good:alone: {description: Alone, steps: [{action: set, args: {values: {v: 1}}}]}
  good:pair: {description: Run another, steps: [{action: run, args: {action: "good:alone"}}]}
  bad:itself: {description: Has an error, steps: [{action: set, args: {values: {v: "${params.none}"}}}]}
  bad:runs: {description: Run it, steps: [{action: run, args: {action: "bad:itself"}}]}
  far:away: {description: Run one of b, steps: [{action: run, args: {action: "b:good:alone"}}]}
`

const far = `namespace: b
version: 1.0.0
description: For tests
env: [{name: OF_B, secret: false}]
actions:
  good:alone: {description: Alone, steps: [{action: set, args: {values: {v: 1}}}]}
`

// An action with an error in what it runs cannot be run; others of its namespace can.
func TestRunnable(t *testing.T) {
	f := newFolder(t)
	testkit.Write(t, actions(f.cwd, "a.yaml"), chain)
	testkit.Write(t, actions(f.cwd, "b.yaml"), far)
	d := f.get(t, f.options(""))
	for name, want := range map[string]bool{
		"a:good:alone": true, "a:good:pair": true, "a:far:away": true,
		"a:bad:itself": false, "a:bad:runs": false, "a:none:here": false,
	} {
		for range 2 { // computed, and kept
			err := d.Runnable(name)
			if (err == nil) != want {
				t.Errorf("%s: %v, want runnable = %t", name, err, want)
			}
			if e := diag.As(err); !want && (e == nil || e.Code == diag.Internal) {
				t.Errorf("%s: %v is no coded error", name, err)
			}
		}
	}
}

// The variables that a run may read are those of every namespace that it comes to.
func TestDescribeNamesTheVariables(t *testing.T) {
	f := newFolder(t)
	testkit.Write(t, actions(f.cwd, "a.yaml"), chain)
	testkit.Write(t, actions(f.cwd, "b.yaml"), far)
	d := f.get(t, f.options(""))
	for name, want := range map[string][]string{"a:good:pair": {"OF_A"}, "a:far:away": {"OF_A", "OF_B"}, "b:good:alone": {"OF_B"}} {
		got, err := d.Describe(name)
		if err != nil || !slices.Equal(got.EnvDeclared, want) {
			t.Errorf("%s: %+v, %v, want the variables %v", name, got, err, want)
		}
	}
}

// An action that does not exist may be in a file that was left out.
func TestExplain(t *testing.T) {
	f := newFolder(t)
	bad := actions(f.cwd, "c.yaml")
	testkit.Write(t, bad, "namespace: [")
	d, err := definitions.Load(t.Context(), f.options(""))
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Describe("c:word:say")
	e := diag.As(err)
	if e == nil || e.Code != diag.ActionNotFound || e.Hint == "" ||
		!slices.ContainsFunc(e.Notes, func(n diag.Note) bool { return n.Pos.File == bad && strings.Contains(n.Msg, "left out") }) {
		t.Errorf("got %v, want %s with a note about %s", err, diag.ActionNotFound, bad)
	}
	strict := f.options("")
	strict.Strict = true
	if d, err := definitions.Load(t.Context(), strict); err == nil || d != nil {
		t.Errorf("a strict caller gets %v, %v, want the problems", d, err)
	}
}
