package validator_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/loader"
	"github.com/actionregistry/action/spec"
	"github.com/actionregistry/action/validator"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// lines returns the problems as "line: message".
func lines(list diag.List) []string {
	var out []string
	for _, e := range list {
		out = append(out, fmt.Sprintf("%d: %s", e.Pos.Line, e.Msg))
	}
	return out
}

// TestShippedDefinitions checks that the builtin definitions, and those of testdata that other
// packages run, have no problem and no warning.
func TestShippedDefinitions(t *testing.T) {
	var paths []string
	for _, name := range definitionFiles(t) {
		if !strings.HasPrefix(name, checks) {
			paths = append(paths, name)
		}
	}
	set, err := loader.CheckFiles(t.Context(), paths, loader.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Namespaces) < 2 {
		t.Errorf("got %d namespaces, want the builtin ones and those of testdata", len(set.Namespaces))
	}
	for _, e := range validator.Join(set.Problems, validator.Check(set.Namespaces)) {
		t.Errorf("problem: %v", e)
	}
	left := maps.Clone(unconfirmed)
	for _, e := range validator.Warnings(set.Namespaces) {
		if name, ok := strings.CutPrefix(e.Msg, "nothing confirms the effect of "); ok && e.Pos.File != "" && unconfirmed[name[strings.Index(name, ":")+1:]] {
			delete(left, name[strings.Index(name, ":")+1:])
			continue
		}
		t.Errorf("warning: %v", e)
	}
	if len(left) > 0 {
		t.Errorf("these are confirmed now: %v", slices.Sorted(maps.Keys(left)))
	}
}

// unconfirmed lists the public actions of the builtin namespaces whose effect nothing confirms in a
// result. Of most, only the page's own author knows the expected effect. select:options presses in
// order to read, a filter may keep all rows, and a notification may replace a similar one.
var unconfirmed = map[string]bool{
	"button:click": true, "button:press": true, "menu:select": true, "dropdown:choose": true, "table:row-action": true,
	"select:options": true, "table:filter": true, "notification:close": true,
}

const callsB = `
namespace: a
version: 1.0.0
actions:
  page:open: {steps: [{action: run, args: {action: "b:page:open"}}]}
`

const callsA = `
namespace: b
version: 1.0.0
actions:
  page:open: {steps: [{action: back}, {action: run, args: {action: "b:page:show"}}]}
  page:show: {alias_of: "a:page:open"}
`

func TestAcrossNamespaces(t *testing.T) {
	tests := []struct {
		name  string
		texts []string
		want  []string
	}{
		{"cycle", []string{callsB, callsA}, []string{"5: found a cycle of `run`: a:page:open → b:page:open → b:page:show → a:page:open"}},
		{"missing namespace", []string{callsB}, []string{"5: there is no action b:page:open: no namespace b is loaded"}},
		{"none", nil, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := lines(validator.Check(load(t, test.texts...)))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("problems differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCheckNamespace(t *testing.T) {
	all := load(t, callsB, callsA, "namespace: c\nversion: 1.0.0\nactions:\n  page:open: {steps: [{action: clik}]}\n")
	tests := []struct {
		ns   string
		want []string
	}{
		{"a", []string{"5: found a cycle of `run`: a:page:open → b:page:open → b:page:show → a:page:open"}},
		{"b", nil},
		{"c", []string{`4: unknown step "clik"`}},
	}
	for _, test := range tests {
		t.Run(test.ns, func(t *testing.T) {
			got := lines(validator.CheckNamespace(all[test.ns], all))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("problems differ (-want +got):\n%s", diff)
			}
		})
	}
}

// TestShadowedSelectors checks that a definition that a higher layer replaces takes no part in a
// cycle, because it never applies.
func TestShadowedSelectors(t *testing.T) {
	const low = "namespace: t\nversion: 1.0.0\nselectors: {a: '${selectors.b}', b: css:b}\n"
	const high = "namespace: t\nselectors: {b: '${selectors.a}', a: css:a}\n"
	const higher = "namespace: t\nselectors: {a: '${selectors.b} >> css:x'}\n"
	tests := []struct {
		name   string
		layers []string
		want   []string
	}{
		{"replaced", []string{low, high}, nil},
		{"still round", []string{low, high, higher}, []string{"2: found a cycle of selectors: a → b → a"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ns := &spec.Namespace{Name: "t"}
			for _, text := range test.layers {
				ns.Layers = append(ns.Layers, load(t, text)["t"].Layers...)
			}
			got := lines(validator.Check(map[string]*spec.Namespace{"t": ns}))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("problems differ (-want +got):\n%s", diff)
			}
		})
	}
}

// TestLongCycle checks that a cycle through many actions is reported by its ends, and that the walk
// visits each action only once.
func TestLongCycle(t *testing.T) {
	const n = 300
	var b strings.Builder
	b.WriteString("namespace: t\nversion: 1.0.0\nactions:\n")
	for i := range n {
		fmt.Fprintf(&b, "  page:a%d: {steps: [{action: run, args: {action: \"page:a%d\"}}]}\n", i, (i+1)%n)
	}
	list := validator.Check(load(t, b.String()))
	if len(list) != 1 || list[0].Pos.Line != 4 {
		t.Fatalf("got %v, want one cycle in line 4", list)
	}
	if got := list[0]; !strings.Contains(got.Msg, "…") || len(got.Msg) > 500 || len(got.Notes) > 10 {
		t.Errorf("got a message of %d bytes and %d notes, want it cut: %s", len(got.Msg), len(got.Notes), got.Msg)
	}
}

// TestManyCycles uses actions that all run each other.
func TestManyCycles(t *testing.T) {
	const n = 60
	var b strings.Builder
	b.WriteString("namespace: t\nversion: 1.0.0\nactions:\n")
	for i := range n {
		fmt.Fprintf(&b, "  page:a%d:\n    steps:\n", i)
		for j := range n {
			fmt.Fprintf(&b, "      - {action: run, args: {action: \"page:a%d\"}}\n", j)
		}
	}
	list := validator.Check(load(t, b.String()))
	if len(list) == 0 || len(list) > n*n {
		t.Errorf("got %d problems, want some, at most one for each run", len(list))
	}
	for _, e := range list {
		if !strings.Contains(e.Msg, "cycle of `run`: ") {
			t.Errorf("got %q, want cycles only", e.Msg)
		}
	}
}

func TestSameResultEachTime(t *testing.T) {
	var texts []string
	for _, name := range glob(t, filepath.Join(checks, "err", "r*.txt")) {
		for i, c := range cases(t, name) {
			id := fmt.Sprintf("namespace: t%s%d\n", strings.TrimSuffix(filepath.Base(name), ".txt"), i)
			texts = append(texts, strings.Replace(c.text, "namespace: t\n", id, 1))
		}
	}
	var all []map[string]*spec.Namespace
	for range 5 {
		m := make(map[string]*spec.Namespace)
		for _, text := range texts {
			root, _ := parse(text)
			file, _ := spec.Decode(root, spec.Source{}, catalogue.MainArg)
			m[file.Namespace.Value] = namespaceOf(file)
		}
		all = append(all, m)
	}
	want := validator.Check(all[0]).Error()
	if strings.Count(want, "\n") < 20 {
		t.Fatalf("got few problems, want those of all cases:\n%s", want)
	}
	for _, m := range all[1:] {
		if diff := cmp.Diff(want, validator.Check(m).Error()); diff != "" {
			t.Errorf("a second check differs (-first +second):\n%s", diff)
		}
	}
}

func TestJoin(t *testing.T) {
	at := func(line int, msg string) *diag.Error {
		return diag.At(diag.Pos{File: "f", Line: line, Column: 1}, diag.DefinitionInvalid, "%s", msg)
	}
	tests := []struct {
		name               string
		structure, meaning diag.List
		want               []string
	}{
		{"meaning alone", nil, diag.List{at(2, "b"), at(0, "nowhere")}, []string{"0: nowhere", "2: b"}},
		{"same line", diag.List{at(2, "a")}, diag.List{at(2, "b"), at(1, "c")}, []string{"1: c", "2: a"}},
		{"without a place", diag.List{at(2, "a")}, diag.List{at(0, "b")}, []string{"2: a"}},
		{"structure alone", diag.List{at(2, "a"), at(1, "b")}, nil, []string{"1: b", "2: a"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, lines(validator.Join(test.structure, test.meaning))); diff != "" {
				t.Errorf("problems differ (-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzCheck checks for any file that no check panics, and that the schema accepts what the checks
// accept.
func FuzzCheck(f *testing.F) {
	for _, pattern := range []string{"ok/*.yaml", "err/*.txt"} {
		names, err := filepath.Glob(filepath.Join(checks, pattern))
		if err != nil || len(names) == 0 {
			f.Fatalf("no seeds in %s (%v)", pattern, err)
		}
		for _, name := range names {
			for _, part := range strings.Split(read(f, name), "\n=== ") {
				_, text, _ := strings.Cut(part, "\n")
				f.Add(text)
			}
		}
	}
	schema := resolved(f)
	f.Fuzz(func(t *testing.T, text string) {
		root, _ := parse(text)
		if root == nil {
			return
		}
		file, structure := spec.Decode(root, spec.Source{}, catalogue.MainArg)
		ns := namespaceOf(file)
		problems := validator.Check(map[string]*spec.Namespace{ns.Name: ns})
		for _, e := range problems {
			if e.Code == diag.Internal {
				t.Errorf("a check failed: %s", e.Msg)
			}
		}
		if len(structure) == 0 && len(problems) == 0 {
			if err := schema.Validate(instance(t, root)); err != nil {
				t.Errorf("the checks accept what the schema refuses: %v", err)
			}
		}
	})
}
