package definitions_test

// Which definitions are in force for a caller, and that they follow their files.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/definitions"
	"github.com/actionregistry/action/internal/testkit"
)

// However fast a file is written again, the newest text is in use.
func TestDefinitionsWrittenInOneTick(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	file := actions(f.cwd, "a.yaml")
	rounds := 200
	if !testkit.Full() {
		rounds = 20
		testkit.Leave(t, 180, 200, "rounds")
	}
	for i := range rounds {
		word := fmt.Sprintf("w%03d", i) // always the same size
		testkit.Write(t, file, says("a", word))
		if got := f.said(t, ""); got != "a="+word {
			t.Fatalf("got %q after writing %q", got, word)
		}
	}
}

// What has not changed is not read again, whatever else a caller has.
func TestDefinitionsAreKept(t *testing.T) {
	f := newFolder(t)
	testkit.Write(t, actions(f.cwd, "a.yaml"), says("a", "one"))
	below := filepath.Join(f.cwd, "below")
	if err := os.Mkdir(below, 0o700); err != nil {
		t.Fatal(err)
	}
	testkit.Age(t, f.home, f.cwd)
	if f.Has(f.options("")) {
		t.Error("the definitions are known before anybody has asked")
	}
	first := f.get(t, f.options(""))
	strict := f.options("")
	strict.Strict = true
	for name, o := range map[string]definitions.Options{
		"again": f.options(""), "from a folder of the project": f.options(below),
		"with variables of a run": f.options("", "WHO=ada", "PASSWORD=p"), "for a strict caller": strict,
	} {
		if f.get(t, o) != first || !f.Has(o) {
			t.Errorf("%s: the files were read again", name)
		}
	}
	f.reload(t, "")
	if f.get(t, f.options("")) == first {
		t.Error("reload has read nothing")
	}
}

func TestBrokenFileKeepsItsLastGoodVersion(t *testing.T) {
	t.Parallel()
	broken := map[string]string{
		"no YAML":          "namespace: a\nactions: [",
		"unknown key":      strings.Replace(says("a", "two"), "returns:", "retruns:", 1),
		"wrong meaning":    strings.Replace(says("a", "two"), "{word: two}", "{word: '${params.none}'}", 1),
		"empty":            "",
		"another document": says("a", "two") + "---\n" + says("b", "two"),
	}
	for name, text := range broken {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFolder(t)
			a, b := actions(f.cwd, "a.yaml"), actions(f.cwd, "b.yaml")
			testkit.Write(t, a, says("a", "one"))
			testkit.Write(t, b, says("b", "one"))
			if got := f.said(t, ""); got != "a=one b=one" {
				t.Fatalf("before: %s", got)
			}
			for range 2 { // broken, and once more by the same text
				testkit.Write(t, a, text)
				testkit.Write(t, b, says("b", "two"))
				if got := f.said(t, ""); got != "a=one b=two" {
					t.Errorf("broken: %s, want the last good version of a and the new one of b", got)
				}
				wantProblem(t, f, a)
				d := f.reload(t, "")
				if !slices.Equal(d.Kept, []string{a}) || !problemIn(d.All(), a) {
					t.Errorf("reload tells %v, %v, want %s as kept and why", d.Kept, d.All(), a)
				}
			}
			d := f.get(t, f.options(""))
			if err := d.Runnable("a:word:say"); err != nil {
				t.Errorf("the kept version cannot be run: %v", err)
			}
			if w := d.KeptWarnings("a:word:say"); len(w) != 1 || w[0].Code != definitions.WarnKept || !strings.Contains(w[0].Message, a+":") {
				t.Errorf("warnings of the kept version: %v, want one that names %s", w, a)
			}
			if w := d.KeptWarnings("b:word:say"); len(w) != 0 {
				t.Errorf("warnings of another file: %v, want none", w)
			}
			strict := f.options("")
			strict.Strict = true
			if _, err := f.Get(t.Context(), strict, definitions.Request{Definitions: true}); err == nil {
				t.Error("a strict caller is told nothing")
			}
			testkit.Write(t, a, says("a", "three"))
			if got := f.said(t, ""); got != "a=three b=two" {
				t.Errorf("repaired: %s", got)
			}
			wantNoProblem(t, f)

			testkit.Write(t, a, text)
			if got := f.said(t, ""); got != "a=three b=two" {
				t.Errorf("broken again: %s", got)
			}
			if err := os.Remove(a); err != nil {
				t.Fatal(err)
			}
			if got := f.said(t, ""); got != "b=two" {
				t.Errorf("removed: %s", got)
			}
			wantNoProblem(t, f)
		})
	}
}

func problemIn(list diag.List, file string) bool {
	return slices.ContainsFunc(list, func(e *diag.Error) bool { return e.Pos.File == file && e.Hint != "" })
}

func wantProblem(t *testing.T, f *folder, file string) {
	t.Helper()
	list := f.Problems()
	if !problemIn(list, file) {
		t.Errorf("Problems tells %v, want some of %s with a hint", list, file)
	}
	for _, e := range list {
		if e.Pos.File == file && !slices.ContainsFunc(e.Notes, func(n diag.Note) bool { return strings.Contains(n.Msg, "last good version") }) {
			t.Errorf("%v does not say that the last good version is in use", e)
		}
	}
}

func wantNoProblem(t *testing.T, f *folder) {
	t.Helper()
	if list := f.Problems(); len(list) != 0 {
		t.Errorf("Problems tells %v", list)
	}
	if d := f.reload(t, ""); len(d.All()) != 0 || len(d.Kept) != 0 {
		t.Errorf("reload tells %v, %v", d.All(), d.Kept)
	}
}

// A file that was never good has no last good version: it is left out.
func TestFileThatWasNeverGood(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	a := actions(f.cwd, "a.yaml")
	testkit.Write(t, a, "namespace: a\nactions: [")
	testkit.Write(t, actions(f.cwd, "b.yaml"), says("b", "one"))
	if got := f.said(t, ""); got != "b=one" {
		t.Errorf("got %s", got)
	}
	if d := f.reload(t, ""); len(d.Kept) != 0 || !problemIn(d.All(), a) || d.Registry.Public() == 0 {
		t.Errorf("reload tells %v, %v", d.Kept, d.All())
	}
	if !problemIn(f.Problems(), a) {
		t.Errorf("Problems tells %v", f.Problems())
	}
	testkit.Write(t, a, "namespace: a\nactions: {")
	if got := f.said(t, ""); got != "b=one" {
		t.Errorf("broken otherwise: %s", got)
	}
	testkit.Write(t, a, says("a", "one"))
	if got := f.said(t, ""); got != "a=one b=one" {
		t.Errorf("repaired: %s", got)
	}
	wantNoProblem(t, f)
}

// Problems checks the files itself: no run is required before.
func TestProblemsLooksAgain(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	file := actions(f.cwd, "a.yaml")
	testkit.Write(t, file, says("a", "one"))
	f.said(t, "")
	testkit.Write(t, file, "namespace: a\nactions: [")
	// A slow check is not waited for, also on a busy machine.
	testkit.Eventually(t, "the problem", func() bool { return problemIn(f.Problems(), file) })
	testkit.Write(t, file, says("a", "two"))
	testkit.Eventually(t, "the end of the problem", func() bool { return len(f.Problems()) == 0 })
}

func TestFoldersDoNotMix(t *testing.T) {
	f := newFolder(t)
	dirs := []string{t.TempDir(), t.TempDir()}
	for i, dir := range dirs {
		testkit.Write(t, filepath.Join(dir, ".agent-browser", "actions", "a.yaml"), says("a", fmt.Sprint("project", i)))
		testkit.Write(t, filepath.Join(dir, "sub", "more", "b.yaml"), says("b", fmt.Sprint("below", i)))
		testkit.Write(t, filepath.Join(dir, "more", "b.yaml"), says("b", fmt.Sprint("here", i)))
	}
	relative := []string{"ACTION_PATH=more"} // to the folder of the caller
	for range 2 {
		for i, dir := range dirs {
			for _, tt := range []struct {
				cwd     string
				environ []string
				want    string
			}{
				{dir, nil, "a=project%d"},
				{filepath.Join(dir, "sub"), nil, "a=project%d"},
				{dir, relative, "a=project%[1]d b=here%[1]d"},
				{filepath.Join(dir, "sub"), relative, "a=project%[1]d b=below%[1]d"},
			} {
				if got, want := f.said(t, tt.cwd, tt.environ...), fmt.Sprintf(tt.want, i); got != want {
					t.Errorf("in %s: %q, want %q", tt.cwd, got, want)
				}
			}
		}
	}
	if got := f.said(t, ""); got != "" {
		t.Errorf("outside: %q", got)
	}
	// A broken project is a problem of its own.
	broken := filepath.Join(dirs[0], ".agent-browser", "actions", "a.yaml")
	testkit.Write(t, broken, "namespace: [")
	for i, dir := range dirs {
		if d := f.reload(t, dir); len(d.Kept) != 1-i {
			t.Errorf("project %d: kept %v, want %d", i, d.Kept, 1-i)
		}
	}
}

// The number of folders whose definitions are kept is bounded; those used last stay.
func TestStoreIsBounded(t *testing.T) {
	const most = 64
	f := newFolder(t)
	load := func(i int) *definitions.Set {
		t.Helper()
		return f.get(t, f.options("", fmt.Sprint("ACTION_NOTHING_AT_ALL=", i)))
	}
	first := load(0)
	var last *definitions.Set
	for i := range most {
		last = load(i + 1)
	}
	if load(most) != last {
		t.Error("what was used last was read again")
	}
	if load(0) == first {
		t.Errorf("the first is still kept after %d others", most)
	}
}

// A caller that has gone gets a coded error, and the next one is not concerned.
func TestCancelled(t *testing.T) {
	f := newFolder(t)
	testkit.Write(t, filepath.Join(f.cwd, "good.yaml"), says("a", "one"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, r := range []definitions.Request{{}, {Definitions: true}, {Definitions: true, Reload: true}, {Definitions: true, Action: "web:page:open"}} {
		if _, err := f.Get(ctx, f.options(""), r); diag.CodeOf(err) != diag.Cancelled {
			t.Errorf("%+v: %v, want CANCELLED", r, err)
		}
	}
	if _, err := definitions.Load(ctx, f.options("")); diag.CodeOf(err) != diag.Cancelled {
		t.Errorf("Load: %v, want CANCELLED", err)
	}
	if _, err := definitions.Validate(ctx, f.options(""), []string{"good.yaml"}); diag.CodeOf(err) != diag.Cancelled {
		t.Errorf("Validate: %v, want CANCELLED", err)
	}
	f.said(t, "")
}

// If nothing serves the store, what was known before is reported.
func TestProblemsOfAStoreThatNobodyServes(t *testing.T) {
	f := &folder{Store: definitions.NewStoreForTests(), home: t.TempDir(), cwd: t.TempDir()}
	if got := f.Problems(); len(got) != 0 {
		t.Errorf("before anything is read: %v", got)
	}
	file := actions(f.cwd, "a.yaml")
	testkit.Write(t, file, "namespace: [")
	f.said(t, "")
	testkit.Write(t, file, says("a", "one"))
	if got := f.Problems(); !problemIn(got, file) {
		t.Errorf("got %v, want the known problem of %s", got, file)
	}
}

func TestValidate(t *testing.T) {
	f := newFolder(t)
	bad := filepath.Join(f.cwd, "bad.yaml")
	testkit.Write(t, filepath.Join(f.cwd, "good.yaml"), says("a", "one"))
	testkit.Write(t, bad, "namespace: [")
	v, err := definitions.Validate(t.Context(), f.options(""), []string{"good.yaml", "bad.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Files) != 2 || v.Actions != 1 || !problemIn(v.Errors, bad) || string(v.Source(bad)) != "namespace: [" {
		t.Errorf("got %+v", v)
	}
	v, err = definitions.Validate(t.Context(), f.options(""), []string{"none.yaml"})
	if err != nil || len(v.Errors) == 0 {
		t.Errorf("of a file that does not exist: %+v, %v", v, err)
	}
	if got := f.said(t, ""); got != "" {
		t.Errorf("what was checked is in force: %s", got)
	}
}

func TestVariables(t *testing.T) {
	get := definitions.Variables([]string{"A=one", "AB=x", "A=two", "EMPTY=", "C"})
	for name, want := range map[string]string{"A": "two", "AB": "x", "EMPTY": ""} {
		if got, ok := get(name); got != want || !ok {
			t.Errorf("%s: %q, %t, want %q", name, got, ok, want)
		}
	}
	if got, ok := get("C"); ok {
		t.Errorf("of a word that is no variable: %q", got)
	}
}
