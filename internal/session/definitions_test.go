package session_test

// Tests of the definitions that calls get from the manager. Package definitions tests that changed
// files are read again.

import (
	"context"
	"fmt"
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

// definitionFiles writes definition files into a folder, and returns it.
func definitionFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		testkit.Write(t, filepath.Join(dir, name), text)
	}
	return dir
}

// says returns a namespace with one action that returns word.
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

func actions(dir, name string) string { return filepath.Join(dir, ".agent-browser", "actions", name) }
func config(dir string) string        { return filepath.Join(dir, ".agent-browser", "config.yaml") }

// said returns the words of a caller's namespaces, except builtin ones, as "a=one b=two".
func (m *managed) said(t *testing.T, c session.Call) string {
	t.Helper()
	d, err := m.Definitions(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, namespace := range []string{"a", "b", "c"} {
		if r, err := d.Registry.Resolve(namespace + ":word:say"); err == nil {
			out = append(out, namespace+"="+r.Action.Description)
		}
	}
	return strings.Join(out, " ")
}

// TestCallsShareDefinitions checks that calls with different options share the definitions, because
// definitions do not depend on the options of a call.
func TestCallsShareDefinitions(t *testing.T) {
	m := newManager(t, session.ManagerOptions{})
	testkit.Write(t, actions(m.cwd, "a.yaml"), says("a", "one"))
	testkit.Age(t, m.home, m.cwd)
	load := func(c session.Call) *definitions.Set {
		t.Helper()
		d, err := m.Definitions(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first := load(session.Call{})
	for name, c := range map[string]session.Call{
		"with variables of a run": {Env: map[string]string{"WHO": "ada", "PASSWORD": "p"}},
		"for another session":     in("b"), "with options of a run": {Debug: true, Strict: true, Timeout: time.Hour},
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

// TestRunOnALastGoodVersion checks that a run with the last good version of a file has a warning,
// and that Reload reports the problem.
func TestRunOnALastGoodVersion(t *testing.T) {
	t.Parallel()
	m := newManager(t, session.ManagerOptions{})
	a := actions(m.cwd, "a.yaml")
	testkit.Write(t, a, says("a", "one"))
	testkit.Write(t, actions(m.cwd, "b.yaml"), says("b", "one"))
	m.said(t, session.Call{})
	testkit.Write(t, a, "namespace: a\nactions: [")
	r, err := m.Reload(t.Context(), session.Call{})
	if err != nil || !slices.Equal(r.Kept, []string{a}) || len(r.Problems) == 0 || r.Actions == 0 {
		t.Errorf("Reload returns %+v, %v, want the kept file %s and its problem", r, err, a)
	}
	eventually(t, "the problem", func() bool { return len(m.Problems()) > 0 })
	plan := m.DryRun(t.Context(), session.Call{}, "a:word:say", nil)
	if w := plan.Warnings; plan.Error != nil || len(w) != 1 || w[0].Code != definitions.WarnKept || !strings.Contains(w[0].Message, a+":") {
		t.Errorf("the plan has the error %v and the warnings %v, want one that names %s", plan.Error, w, a)
	}
	if w := m.DryRun(t.Context(), session.Call{}, "b:word:say", nil).Warnings; len(w) != 0 {
		t.Errorf("warnings of another file: %v, want none", w)
	}
}

// TestRunKeepsItsDefinitions checks that a run uses the same definitions from beginning to end.
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
	testkit.Write(t, file, text("old"))
	m.open(t, "a", s.url)
	running := begin(func() *executor.Result { return m.Run(t.Context(), in("a"), "t:word:ask", nil) })
	get(t, "the request for /gate", s.entered)

	testkit.Write(t, file, text("new"))
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
	testkit.Write(t, filepath.Join(m.home, ".agent-browser", "actions", "c.yaml"), says("c", "home"))
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
	m.said(t, session.Call{}) // the cancelled calls do not affect the next caller
}

func TestValidateForACall(t *testing.T) {
	m := newManager(t, session.ManagerOptions{})
	testkit.Write(t, filepath.Join(m.cwd, "good.yaml"), says("a", "one"))
	testkit.Write(t, filepath.Join(m.cwd, "bad.yaml"), "namespace: [")
	v, err := m.Validate(t.Context(), session.Call{}, []string{"good.yaml", "bad.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Files) != 2 || v.Actions != 1 || len(v.Errors) != 1 {
		t.Errorf("got %+v", v)
	}
}
