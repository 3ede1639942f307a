package session_test

// Which definitions hold for a caller, and that they follow their files.

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/definitions"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

// write writes a file, and the folders that it is in.
func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// definitionFiles writes definition files into a folder, and returns it.
func definitionFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	return dir
}

// says is a namespace with one action, which returns word.
func says(namespace, word string) string {
	return fmt.Sprintf(`namespace: %s
version: 1.0.0
description: For tests
actions:
  word:say:
    description: %[2]s
    steps: [{action: set, args: {values: {v: 1}}}]
    returns: {word: %[2]s}
`, namespace, word)
}

// said tells what the namespaces of a caller say, as "a=one b=two". Those of
// which nothing is said are builtin.
func (m *managed) said(t *testing.T, c session.Call) string {
	t.Helper()
	d, err := m.Definitions(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return saidBy(d)
}

func saidBy(d *definitions.Set) string {
	var out []string
	for _, namespace := range []string{"a", "b", "c"} {
		if r, err := d.Registry.Resolve(namespace + ":word:say"); err == nil {
			out = append(out, namespace+"="+r.Action.Description)
		}
	}
	return strings.Join(out, " ")
}

// aged is when what [age] has seen was changed.
var aged = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// age makes everything in folders old: what is young when it is read is read
// twice, which would hide a change that is not noticed.
func age(t *testing.T, dirs ...string) {
	t.Helper()
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Chtimes(name, aged, aged)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// at is a call from a folder.
func at(cwd string) session.Call { return session.Call{Cwd: cwd} }

// However fast a file is written again, the newest text is in use.
func TestDefinitionsWrittenInOneTick(t *testing.T) {
	t.Parallel()
	m := newManager(t, session.ManagerOptions{})
	file := filepath.Join(m.cwd, ".agent-browser", "actions", "a.yaml")
	rounds := 200
	if !testkit.Full() {
		rounds = 20
		testkit.Leave(t, 180, 200, "rounds")
	}
	for i := range rounds {
		word := fmt.Sprintf("w%03d", i) // always the same size
		write(t, file, says("a", word))
		if got := m.said(t, session.Call{}); got != "a="+word {
			t.Fatalf("got %q after writing %q", got, word)
		}
	}
}

// What has not changed is not read again.
func TestDefinitionsAreKept(t *testing.T) {
	m := newManager(t, session.ManagerOptions{})
	write(t, filepath.Join(m.cwd, ".agent-browser", "actions", "a.yaml"), says("a", "one"))
	below := filepath.Join(m.cwd, "below")
	if err := os.Mkdir(below, 0o700); err != nil {
		t.Fatal(err)
	}
	age(t, m.home, m.cwd)
	load := func(c session.Call) *definitions.Set {
		t.Helper()
		d, err := m.Definitions(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first := load(session.Call{})
	env := map[string]string{"WHO": "ada", "PASSWORD": "p"}
	for name, c := range map[string]session.Call{
		"again": {}, "from a folder of the project": at(below), "with variables of a run": {Env: env},
		"for another session": in("b"), "with options of a run": {Debug: true, Strict: true, Timeout: time.Hour},
	} {
		if load(c) != first {
			t.Errorf("%s: the files were read again", name)
		}
	}
	if _, err := m.Reload(t.Context(), session.Call{}); err != nil {
		t.Fatal(err)
	}
	if load(session.Call{}) == first {
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
			m := newManager(t, session.ManagerOptions{})
			dir := filepath.Join(m.cwd, ".agent-browser", "actions")
			a, b := filepath.Join(dir, "a.yaml"), filepath.Join(dir, "b.yaml")
			write(t, a, says("a", "one"))
			write(t, b, says("b", "one"))
			if got := m.said(t, session.Call{}); got != "a=one b=one" {
				t.Fatalf("before: %s", got)
			}
			for range 2 { // broken, and once more by the same text
				write(t, a, text)
				write(t, b, says("b", "two"))
				if got := m.said(t, session.Call{}); got != "a=one b=two" {
					t.Errorf("broken: %s, want the last good version of a and the new one of b", got)
				}
				wantProblem(t, m, a)
				r, err := m.Reload(t.Context(), session.Call{})
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(r.Kept, []string{a}) || !problemIn(r.Problems, a) {
					t.Errorf("Reload tells %+v, want %s as kept and why", r, a)
				}
			}
			// The kept version runs.
			plan := m.DryRun(t.Context(), session.Call{}, "a:word:say", nil)
			if plan.Error != nil {
				t.Errorf("the kept version cannot be run: %v", plan.Error)
			}
			if w := plan.Warnings; len(w) != 1 || w[0].Code != definitions.WarnKept || !strings.Contains(w[0].Message, a+":") {
				t.Errorf("warnings of the kept version: %v, want one that names %s", w, a)
			}
			if w := m.DryRun(t.Context(), session.Call{}, "b:word:say", nil).Warnings; len(w) != 0 {
				t.Errorf("warnings of another file: %v, want none", w)
			}
			c := session.Call{Strict: true}
			if _, err := m.Definitions(t.Context(), c); err == nil {
				t.Error("a strict caller is told nothing")
			}
			write(t, a, says("a", "three"))
			if got := m.said(t, session.Call{}); got != "a=three b=two" {
				t.Errorf("repaired: %s", got)
			}
			wantNoProblem(t, m)

			write(t, a, text)
			if got := m.said(t, session.Call{}); got != "a=three b=two" {
				t.Errorf("broken again: %s", got)
			}
			if err := os.Remove(a); err != nil {
				t.Fatal(err)
			}
			if got := m.said(t, session.Call{}); got != "b=two" {
				t.Errorf("removed: %s", got)
			}
			wantNoProblem(t, m)
		})
	}
}

func problemIn(list diag.List, file string) bool {
	return slices.ContainsFunc(list, func(e *diag.Error) bool { return e.Pos.File == file && e.Hint != "" })
}

func wantProblem(t *testing.T, m *managed, file string) {
	t.Helper()
	list := m.Problems()
	if !problemIn(list, file) {
		t.Errorf("Problems tells %v, want some of %s with a hint", list, file)
	}
	for _, e := range list {
		if e.Pos.File == file && !slices.ContainsFunc(e.Notes, func(n diag.Note) bool { return strings.Contains(n.Msg, "last good version") }) {
			t.Errorf("%v does not say that the last good version is in use", e)
		}
	}
}

func wantNoProblem(t *testing.T, m *managed) {
	t.Helper()
	if list := m.Problems(); len(list) != 0 {
		t.Errorf("Problems tells %v", list)
	}
	r, err := m.Reload(t.Context(), session.Call{})
	if err != nil || len(r.Problems) != 0 || len(r.Kept) != 0 {
		t.Errorf("Reload tells %+v, %v", r, err)
	}
}

// A file that was never good has no last good version: it is left out.
func TestFileThatWasNeverGood(t *testing.T) {
	t.Parallel()
	m := newManager(t, session.ManagerOptions{})
	dir := filepath.Join(m.cwd, ".agent-browser", "actions")
	a := filepath.Join(dir, "a.yaml")
	write(t, a, "namespace: a\nactions: [")
	write(t, filepath.Join(dir, "b.yaml"), says("b", "one"))
	if got := m.said(t, session.Call{}); got != "b=one" {
		t.Errorf("got %s", got)
	}
	r, err := m.Reload(t.Context(), session.Call{})
	if err != nil || len(r.Kept) != 0 || !problemIn(r.Problems, a) || r.Actions == 0 {
		t.Errorf("Reload tells %+v, %v", r, err)
	}
	if !problemIn(m.Problems(), a) {
		t.Errorf("Problems tells %v", m.Problems())
	}
	write(t, a, "namespace: a\nactions: {")
	if got := m.said(t, session.Call{}); got != "b=one" {
		t.Errorf("broken otherwise: %s", got)
	}
	write(t, a, says("a", "one"))
	if got := m.said(t, session.Call{}); got != "a=one b=one" {
		t.Errorf("repaired: %s", got)
	}
	wantNoProblem(t, m)
}

// Problems looks by itself: nobody has to run anything first.
func TestProblemsLooksAgain(t *testing.T) {
	t.Parallel()
	m := newManager(t, session.ManagerOptions{})
	file := filepath.Join(m.cwd, ".agent-browser", "actions", "a.yaml")
	write(t, file, says("a", "one"))
	m.said(t, session.Call{})
	write(t, file, "namespace: a\nactions: [")
	// A look that takes long is not waited for, on a busy machine too.
	eventually(t, "the problem", func() bool { return problemIn(m.Problems(), file) })
	write(t, file, says("a", "two"))
	eventually(t, "the end of the problem", func() bool { return len(m.Problems()) == 0 })
}

// A run ends on the definitions that it began with.
func TestRunKeepsItsDefinitions(t *testing.T) {
	t.Parallel()
	m, s := newManager(t, session.ManagerOptions{}), newSite(t)
	file := filepath.Join(m.cwd, ".agent-browser", "actions", "t.yaml")
	text := func(word string) string {
		return fmt.Sprintf(`namespace: t
version: 1.0.0
description: For tests
actions:
  word:ask:
    description: Ask the site for what it holds back
    steps:
      - {action: eval, args: {script: "fetch('/gate').then((r) => r.status)"}}
      - {action: run, args: {action: "word:say"}, output: said}
    returns: {word: "${steps.said.word}"}
  word:say:
    description: Say it
    steps: [{action: set, args: {values: {v: 1}}}]
    returns: {word: %s}
`, word)
	}
	write(t, file, text("old"))
	m.open(t, "a", s.url)
	running := begin(func() *executor.Result { return m.Run(t.Context(), in("a"), "t:word:ask", nil) })
	get(t, "the request for /gate", s.entered)

	write(t, file, text("new"))
	want(t, data(t, m.run(t, "b", "t:word:say", nil)), "word", "new")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	wantError(t, m.run(t, "b", "t:word:say", nil), diag.ActionNotFound, "t:word:say")
	pending(t, "the run", running)
	s.let()
	want(t, data(t, get(t, "the run", running)), "word", "old")
}

func TestPathAndEnvOfACall(t *testing.T) {
	one := definitionFiles(t, map[string]string{"a.yaml": says("a", "one")})
	two := definitionFiles(t, map[string]string{"a.yaml": says("a", "two"), "b.yaml": says("b", "two")})
	greet := definitionFiles(t, map[string]string{"t.yaml": `namespace: t
version: 1.0.0
description: For tests
env: [{name: WHO, secret: false}]
actions:
  word:greet:
    description: Greet
    steps: [{action: set, args: {values: {v: 1}}}]
    returns: {word: "hello ${env.WHO}"}
`})
	m := newManager(t, session.ManagerOptions{}, "ACTION_PATH="+one, "WHO=manager")
	write(t, filepath.Join(m.home, ".agent-browser", "actions", "c.yaml"), says("c", "home"))
	none, both := "", one+string(os.PathListSeparator)+greet
	for _, tt := range []struct {
		name, want string
		c          session.Call
	}{
		{"the manager's own", "a=one c=home", session.Call{}},
		{"another path", "a=two b=two c=home", session.Call{Path: &two}},
		{"no path", "c=home", session.Call{Path: &none}},
		{"path in the environment", "a=two b=two c=home", session.Call{Env: map[string]string{"ACTION_PATH": two}}},
		{"path before environment", "a=one c=home", session.Call{Path: &one, Env: map[string]string{"ACTION_PATH": two}}},
		{"environment without a path", "c=home", session.Call{Env: map[string]string{"WHO": "x"}}},
		{"another home", "a=one", session.Call{Path: &one, Env: map[string]string{"HOME": t.TempDir()}}},
		{"the manager's own again", "a=one c=home", session.Call{}},
	} {
		if got := m.said(t, tt.c); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	for _, tt := range []struct {
		name, want string
		env        map[string]string
	}{
		{"the manager's", "hello manager", nil},
		{"the call's", "hello ada", map[string]string{"WHO": "ada"}},
		{"none", "hello ", map[string]string{}},
	} {
		r := m.Run(t.Context(), session.Call{Path: &both, Env: tt.env}, "t:word:greet", nil)
		want(t, data(t, r), "word", tt.want)
	}
}

func TestPlacesDoNotMix(t *testing.T) {
	m := newManager(t, session.ManagerOptions{})
	dirs := []string{t.TempDir(), t.TempDir()}
	for i, dir := range dirs {
		write(t, filepath.Join(dir, ".agent-browser", "actions", "a.yaml"), says("a", fmt.Sprint("project", i)))
		write(t, filepath.Join(dir, "sub", "more", "b.yaml"), says("b", fmt.Sprint("below", i)))
		write(t, filepath.Join(dir, "more", "b.yaml"), says("b", fmt.Sprint("here", i)))
	}
	relative := "more" // to the folder of the caller
	for range 2 {
		for i, dir := range dirs {
			for _, tt := range []struct {
				cwd  string
				path *string
				want string
			}{
				{dir, nil, "a=project%d"},
				{filepath.Join(dir, "sub"), nil, "a=project%d"},
				{dir, &relative, "a=project%[1]d b=here%[1]d"},
				{filepath.Join(dir, "sub"), &relative, "a=project%[1]d b=below%[1]d"},
			} {
				if got, want := m.said(t, session.Call{Cwd: tt.cwd, Path: tt.path}), fmt.Sprintf(tt.want, i); got != want {
					t.Errorf("in %s: %q, want %q", tt.cwd, got, want)
				}
			}
		}
	}
	if got := m.said(t, session.Call{}); got != "" {
		t.Errorf("outside: %q", got)
	}
	// A broken project is a problem of its own.
	broken := filepath.Join(dirs[0], ".agent-browser", "actions", "a.yaml")
	write(t, broken, "namespace: [")
	for i, dir := range dirs {
		r, err := m.Reload(t.Context(), at(dir))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := len(r.Kept), 1-i; got != want {
			t.Errorf("project %d: kept %v, want %d", i, r.Kept, want)
		}
	}
}

// The number of places that are kept is bounded; the ones used last stay.
func TestPlacesAreBounded(t *testing.T) {
	const most = 64
	m := newManager(t, session.ManagerOptions{})
	load := func(i int) *definitions.Set {
		t.Helper()
		d, err := m.Definitions(t.Context(), session.Call{Env: map[string]string{"ACTION_NOTHING_AT_ALL": fmt.Sprint(i)}})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first := load(0)
	var last *definitions.Set
	for i := range most {
		last = load(i + 1)
	}
	if load(most) != last {
		t.Error("the place that was used last was read again")
	}
	if load(0) == first {
		t.Errorf("the first place is still kept after %d others", most)
	}
}

func TestCancelledDefinitions(t *testing.T) {
	m := newManager(t, session.ManagerOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Definitions(ctx, session.Call{}); diag.CodeOf(err) != diag.Cancelled {
		t.Errorf("Definitions: %v, want CANCELLED", err)
	}
	if _, err := m.Reload(ctx, session.Call{}); diag.CodeOf(err) != diag.Cancelled {
		t.Errorf("Reload: %v, want CANCELLED", err)
	}
	if r := m.Run(ctx, session.Call{}, "web:page:open", nil); code(r) != diag.Cancelled {
		t.Errorf("Run: %v, want CANCELLED", r.Error)
	}
	if p := m.DryRun(ctx, session.Call{}, "web:page:open", nil); diag.CodeOf(p.Error) != diag.Cancelled {
		t.Errorf("DryRun: %v, want CANCELLED", p.Error)
	}
	m.said(t, session.Call{}) // the next caller is not concerned
}

func TestValidateForACall(t *testing.T) {
	m := newManager(t, session.ManagerOptions{})
	write(t, filepath.Join(m.cwd, "good.yaml"), says("a", "one"))
	write(t, filepath.Join(m.cwd, "bad.yaml"), "namespace: [")
	v, err := m.Validate(t.Context(), session.Call{}, []string{"good.yaml", "bad.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Files) != 2 || v.Actions != 1 || !problemIn(v.Errors, filepath.Join(m.cwd, "bad.yaml")) {
		t.Errorf("got %+v", v)
	}
}
