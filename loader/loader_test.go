package loader

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/actionregistry/action/actions"
	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// memory is a source for tests, like that of an embedding program.
type memory struct {
	origin spec.Source
	files  map[string]string
}

func (m memory) Origin() spec.Source { return m.origin }

func (m memory) Open() (*Tree, error) {
	fsys := fstest.MapFS{}
	for name, text := range m.files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return &Tree{FS: fsys, Name: func(p string) string { return m.origin.Kind.String() + "/" + p }}, nil
}

func source(kind spec.SourceKind, files ...string) Source {
	m := memory{origin: spec.Source{Kind: kind, Name: "test"}, files: make(map[string]string)}
	for i := 0; i < len(files); i += 2 {
		m.files[files[i]] = files[i+1]
	}
	return m
}

func mustLoad(t *testing.T, sources ...Source) *Set {
	t.Helper()
	set, err := Load(context.Background(), Options{Sources: sources, NoBuiltin: true})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func noProblems(t *testing.T, set *Set) {
	t.Helper()
	if len(set.Problems) > 0 {
		t.Fatalf("problems: %v", set.Problems)
	}
}

const base = `
namespace: app
version: 1.0.0
description: Base
env: [A, B]
compatibility:
  version_script: app.version
  min_version: "1.0.0"
  version_overrides:
    "1.x":
      selectors: {ok: "css:.v1"}
selectors:
  ok: css:.ok
  cancel: {primary: "css:.cancel", fallback: ["css:.no"]}
actions:
  dialog:open:
    description: Open
    params:
      name: {type: string, required: true}
      by: {type: object, default: {a: 1, b: 2}}
    steps:
      - action: click
        args: {selector: "${selectors.ok}"}
    returns: {a: "1", b: "2"}
  dialog:close:
    steps: [{action: click, args: {selector: "css:.x"}}]
`

func TestMergeByPriority(t *testing.T) {
	set := mustLoad(t,
		source(spec.Project, "p.yaml", `
namespace: app
selectors: {cancel: "css:.project"}
actions:
  dialog:open:
    params:
      by: {default: {c: 3}}
      extra: {type: string}
    returns: {b: "3"}
`),
		source(spec.Global, "g.yaml", base),
		source(spec.Env, "e.yaml", `
namespace: app
version: 2.0.0
env: [C]
compatibility: {version_meta: app-version, max_version: "6.x"}
actions:
  dialog:close:
    steps: [{action: press, args: {key: Escape}}]
`))
	noProblems(t, set)
	ns := set.Namespaces["app"]
	if ns.Version != "2.0.0" || ns.Description != "Base" {
		t.Errorf("got version %q description %q, want 2.0.0 of env and Base of global", ns.Version, ns.Description)
	}
	if got := ns.Pos.File; got != "env/e.yaml" {
		t.Errorf("namespace is at %s, want the highest file env/e.yaml", got)
	}
	if len(ns.Env) != 1 || ns.Env[0].Name != "C" || ns.Env[0].Source.Kind != spec.Env {
		t.Errorf("env = %+v, want the list of the highest source only", ns.Env)
	}
	if ns.Compat.Script != nil || ns.Compat.Meta.Value != "app-version" {
		t.Errorf("compat = %+v, want version_meta instead of version_script", ns.Compat)
	}
	if ns.Compat.Min.Value != "1.0.0" || ns.Compat.Max.Value != "6.x" {
		t.Errorf("compat = %+v, want min of global and max of env", ns.Compat)
	}
	if len(ns.Layers) != 3 || ns.Layers[0].Source.Kind != spec.Global || len(ns.Layers[0].Overrides) != 1 {
		t.Errorf("layers = %+v, want global, project, env", ns.Layers)
	}
	aliases := ns.At(nil).Aliases
	if a := aliases["cancel"]; a.Primary.Value != "css:.project" || len(a.Fallback) != 0 || a.Source.Kind != spec.Project {
		t.Errorf("cancel = %+v, want the project's, replaced whole", a)
	}
	open := ns.Actions["dialog:open"]
	if got := fmt.Sprint(open.Param("by").Default.Value()); got != "map[c:3]" {
		t.Errorf("default = %s, want one value, replaced whole", got)
	}
	if open.Param("by").Type != spec.TypeObject || open.Param("extra") == nil || !open.Param("name").Required {
		t.Errorf("params = %+v, want a merge key by key", open.Params)
	}
	if got := fmt.Sprint(open.Returns.Value()); got != "map[a:1 b:3]" {
		t.Errorf("returns = %s, want a merge key by key", got)
	}
	if len(open.Shadows) != 0 {
		t.Errorf("shadows = %v, want none: no steps were replaced", open.Shadows)
	}
	for part, want := range map[string]string{
		"steps": "global/g.yaml", "params.name": "global/g.yaml", "params.by": "project/p.yaml", "returns": "project/p.yaml",
	} {
		if got := open.Parts[part].File; got != want {
			t.Errorf("part %s is of %q, want %q", part, got, want)
		}
	}
	shut := ns.Actions["dialog:close"]
	if len(shut.Shadows) != 1 || shut.Shadows[0].File != "global/g.yaml" || shut.Source.Kind != spec.Env {
		t.Errorf("close: shadows %v source %v, want the global one shadowed by env", shut.Shadows, shut.Source)
	}
	if got := strings.Join(ns.Order, " "); got != "dialog:open dialog:close" {
		t.Errorf("order = %q", got)
	}
}

func TestConflicts(t *testing.T) {
	set := mustLoad(t,
		source(spec.Builtin, "b.yaml", "namespace: app\nversion: 1.0.0\nselectors: {x: css:.low, y: css:.low}\nactions: {\"a:b\": {steps: [{action: back}]}}"),
		source(spec.Global,
			"1.yaml", "namespace: app\nversion: 1.0.0\nselectors: {x: css:.one, y: css:.same}\nactions: {\"a:b\": {steps: [{action: reload}]}, \"a:c\": {steps: [{action: back}]}}",
			"2.yaml", "namespace: app\nversion: 1.0.1\nselectors: {x: css:.two, y: css:.same}\nactions: {\"a:b\": {steps: [{action: forward}]}, \"a:c\": {steps: [{action: back}]}}"))
	var got []string
	for _, e := range set.Problems {
		got = append(got, fmt.Sprintf("%v (%v)", e, e.Notes[0].Pos))
	}
	want := []string{
		"global/2.yaml:2:10: found different definitions of version in two files of the same priority (global/1.yaml:2:10)",
		"global/2.yaml:3:13: found different definitions of the selector x in two files of the same priority (global/1.yaml:3:13)",
		"global/2.yaml:4:11: found different definitions of the action a:b in two files of the same priority (global/1.yaml:4:11)",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("problems:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	ns := set.Namespaces["app"]
	if ns.Actions["a:b"] != nil || ns.Actions["a:c"] == nil {
		t.Errorf("actions = %v, want a:c only: nobody knows which a:b was meant", ns.Order)
	}
	if a := ns.At(nil).Aliases; a["x"] != nil || a["y"].Primary.Value != "css:.same" {
		t.Errorf("aliases = %v, want y only, not the builtin x below a conflict", a)
	}
}

func TestBadFileIsLeftOut(t *testing.T) {
	files := source(spec.Global,
		"bad.yaml", "namespace: bad\nversion: 1.0\nactons: {}",
		"good.yaml", "namespace: good\nversion: 1.0.0",
		"noversion.yaml", "namespace: nov",
		"notes.txt", "not: [yaml",
		".hidden/x.yaml", "not: [yaml")
	set := mustLoad(t, files)
	if len(set.Namespaces) != 1 || set.Namespaces["good"] == nil {
		t.Errorf("namespaces = %v, want good only", set.Namespaces)
	}
	if len(set.Problems) != 3 {
		t.Errorf("problems = %v, want two of bad.yaml and one of noversion.yaml", set.Problems)
	}
	set, err := Load(context.Background(), Options{Sources: []Source{files}, Strict: true})
	if err == nil || diag.CodeOf(err) != diag.DefinitionInvalid || set == nil {
		t.Errorf("strict: got error %v, want the problems", err)
	}
}

func TestBuiltin(t *testing.T) {
	set, err := Load(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	noProblems(t, set)
	if set.Namespaces["web"] == nil || set.Text("builtin/web.yaml") == nil {
		t.Errorf("namespaces = %v, want web", set.Namespaces)
	}
}

func TestBuiltinChanged(t *testing.T) {
	for text, want := range map[string]bool{
		"namespace: shop\nversion: 1.0.0\nextends: [web]\n": false,
		"namespace: web\nselectors: {more: css:a}\n":        true,
	} {
		set, err := Load(t.Context(), Options{Sources: []Source{source(spec.Project, "a.yaml", text)}})
		if err != nil {
			t.Fatal(err)
		}
		noProblems(t, set)
		if set.BuiltinChanged != want {
			t.Errorf("%q: changed is %v, want %v", text, set.BuiltinChanged, want)
		}
	}
}

func TestExtends(t *testing.T) {
	common := "namespace: common\nversion: 1.0.0\nenv: [A]\ncompatibility: {version_meta: v}\nselectors: {ok: css:.common, no: css:.no}\nactions: {\"d:open\": {description: low, steps: [{action: back}]}, \"d:shut\": {steps: [{action: back}]}}"
	t.Run("a namespace", func(t *testing.T) {
		set := mustLoad(t, source(spec.Builtin, "c.yaml", common),
			source(spec.Project, "a.yaml", "namespace: app\nversion: 2.0.0\nextends: [common]\nselectors: {ok: css:.app}\nactions: {\"d:open\": {steps: [{action: reload}]}}"))
		noProblems(t, set)
		ns := set.Namespaces["app"]
		a := ns.At(nil).Aliases
		if a["ok"].Primary.Value != "css:.app" || a["no"].Primary.Value != "css:.no" {
			t.Errorf("aliases = %v", a)
		}
		if ns.Version != "2.0.0" || ns.Compat.Meta == nil || len(ns.Env) != 1 {
			t.Errorf("got %+v, want compat and env of the parent, version of the child", ns)
		}
		open, shut := ns.Actions["d:open"], ns.Actions["d:shut"]
		if open.Description != "low" || open.Steps[0].Action.Value != "reload" || open.FullName() != "app:d:open" {
			t.Errorf("d:open = %+v, want the child's steps over the parent's", open)
		}
		if len(open.Shadows) != 0 {
			t.Errorf("shadows = %v: a child's own action shadows nothing", open.Shadows)
		}
		if shut.FullName() != "app:d:shut" || set.Namespaces["common"].Actions["d:shut"].FullName() != "common:d:shut" {
			t.Errorf("names = %s, want the child's, with the parent's kept", shut.FullName())
		}
	})
	t.Run("a file", func(t *testing.T) {
		set := mustLoad(t, source(spec.Project, "sub/shared.yaml", common,
			"sub/a.yaml", "namespace: app\nversion: 2.0.0\nextends: [./shared.yaml]"))
		noProblems(t, set)
		if set.Namespaces["app"].Actions["d:shut"] == nil {
			t.Error("the file's actions are not there")
		}
	})
	t.Run("a diamond", func(t *testing.T) {
		// common is below both, so c must not undo what b changes of it.
		set := mustLoad(t, source(spec.Builtin, "c.yaml", common,
			"l.yaml", "namespace: left\nversion: 1.0.0\nextends: [common]\nselectors: {ok: css:.left}",
			"r.yaml", "namespace: right\nversion: 1.0.0\nextends: [common]",
			"x.yaml", "namespace: child\nversion: 1.0.0\nextends: [left, right]"))
		noProblems(t, set)
		if got := set.Namespaces["child"].At(nil).Aliases["ok"].Primary.Value; got != "css:.left" {
			t.Errorf("ok = %s, want css:.left", got)
		}
	})
	errs := []struct {
		name, extends, want, hint string
	}{
		{"unknown", "comon", "app.yaml:3:11: found \"comon\" in extends", "did you mean common?"},
		{"unknown package", `"@x/y"`, "in extends, expected a namespace", "actions.packages"},
		{"missing file", "./nope.yaml", "the file \"./nope.yaml\" cannot be used", "correct"},
		{"outside", "../../etc/x.yaml", "leads out of the folder", "write the name of a namespace"},
		{"file without ./", "shared.yaml", "in extends, expected a namespace", "./shared.yaml"},
	}
	for _, tt := range errs {
		t.Run(tt.name, func(t *testing.T) {
			set := mustLoad(t, source(spec.Builtin, "common.yaml", common),
				source(spec.Project, "app.yaml", "namespace: app\nversion: 1.0.0\nextends: ["+tt.extends+"]"))
			if len(set.Problems) != 1 || !strings.Contains(set.Problems[0].Error(), tt.want) || !strings.Contains(set.Problems[0].Hint, tt.hint) {
				t.Errorf("problems = %v hint %v, want %q with hint %q", set.Problems, set.Problems, tt.want, tt.hint)
			}
		})
	}
}

func TestExtendsCycle(t *testing.T) {
	set := mustLoad(t, source(spec.Global,
		"1.yaml", "namespace: zeta\nversion: 1.0.0\nextends: [alpha]",
		"2.yaml", "namespace: alpha\nversion: 1.0.0\nextends: [mid]",
		"3.yaml", "namespace: mid\nversion: 1.0.0\nextends: [zeta]",
		"4.yaml", "namespace: other\nversion: 1.0.0"))
	if len(set.Problems) != 1 {
		t.Fatalf("problems = %v, want one", set.Problems)
	}
	want := "global/1.yaml:3:11: found a cycle of extends: zeta -> alpha -> mid -> zeta"
	if got := set.Problems[0].Error(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if len(set.Namespaces) != 1 || set.Namespaces["other"] == nil {
		t.Errorf("namespaces = %v, want other only", set.Namespaces)
	}
}

func write(t *testing.T, dir string, files ...string) {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		name := filepath.Join(dir, files[i])
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func define(ns, description string) string {
	return "namespace: " + ns + "\nversion: 1.0.0\ndescription: " + description + "\n"
}

func TestPlaces(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	cwd := filepath.Join(project, "a", "b")
	write(t, home, ".agent-browser/actions/x.yaml", define("x", "global"), ".agent-browser/actions/deep/g.yml", define("g", "global"))
	write(t, project, ".agent-browser/actions/x.yaml", define("x", "project"), ".agent-browser/actions/p.yaml", define("p", "project"))
	write(t, project, "a/b/one.yaml", define("x", "env"), "a/b/other.yaml", define("not", "loaded"), "more/m.yaml", define("m", "path"))
	p := Places{Home: home, Cwd: cwd, ProjectPaths: []string{filepath.Join(project, "more")}, Path: []string{"one.yaml", "missing.yaml"}, Packages: []string{"@no/such"}}
	set := mustLoad(t, p.Sources()...)
	var got []string
	for name, ns := range set.Namespaces {
		got = append(got, name+"="+ns.Description)
	}
	if want := "g=global m=path p=project x=env"; strings.Join(sorted(got), " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if len(set.Problems) != 2 || !strings.Contains(set.Problems.Error(), "missing.yaml") || !strings.Contains(set.Problems.Error(), "@no/such is not installed") {
		t.Errorf("problems = %v, want the missing path and the missing package", set.Problems)
	}
	if kinds := fmt.Sprint(set.Namespaces["x"].Layers[0].Source.Kind, set.Namespaces["x"].Layers[2].Source.Kind); kinds != "global env" {
		t.Errorf("layers of x go from %s, want from global to env", kinds)
	}
	if got := ProjectFolder(home, home, "actions"); got != "" {
		t.Errorf("the user's own folder is taken for a project: %s", got)
	}
}

func TestNothingLeavesTheRoot(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	write(t, outside, "secret.yaml", define("secret", "x"))
	write(t, dir, "ok.yaml", define("ok", "x"), "real/in.yaml", define("in", "x"))
	for from, to := range map[string]string{
		"file.yaml": filepath.Join(outside, "secret.yaml"), "folder": outside, "inside.yaml": "real/in.yaml", "dangling.yaml": "nowhere",
	} {
		if err := os.Symlink(to, filepath.Join(dir, from)); err != nil {
			t.Fatal(err)
		}
	}
	set := mustLoad(t, Folder(spec.Source{Kind: spec.Global, Name: dir}, dir, true))
	if set.Namespaces["secret"] != nil || set.Namespaces["ok"] == nil || set.Namespaces["in"] == nil {
		t.Errorf("namespaces = %v, want ok and in", set.Namespaces)
	}
	codes := map[string]diag.Code{}
	for _, e := range set.Problems {
		codes[filepath.Base(e.Pos.File)] = e.Code
	}
	if len(codes) != 3 || codes["file.yaml"] != diag.SecurityError || codes["folder"] != diag.SecurityError || codes["dangling.yaml"] != diag.DefinitionInvalid {
		t.Errorf("problems = %v", set.Problems)
	}
}

func TestLargeFileIsNotRead(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "big.yaml")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(10 << 30); err != nil { // sparse: reading it would not end well
		t.Fatal(err)
	}
	f.Close()
	set := mustLoad(t, Path(spec.Source{Kind: spec.Env}, name))
	if len(set.Problems) != 1 || !strings.Contains(set.Problems[0].Msg, "at most 256 KiB") {
		t.Errorf("problems = %v", set.Problems)
	}
}

func sorted(s []string) []string {
	out := append([]string(nil), s...)
	for i := range out {
		for j := i; j > 0 && out[j] < out[j-1]; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

// For the run of an action, builtin namespaces that nothing requires are omitted. Those that are
// kept are complete.
func TestLoadFor(t *testing.T) {
	const app = "namespace: app\nversion: 1.0.0\nactions:\n  a:b:\n    steps: [{action: wait, args: {time: 1}}]\n"
	for _, tt := range []struct{ action, text, left string }{
		{"app:a:b", app, "answers antd components dates element lists parts traffic web words"},
		{"web:page:read", app, "answers antd components dates element lists parts words"},
		{"antd:button:click", app, "element web"},
		{"components:button:click", app, "antd element web"},
		{"app:a:b", app + "# as in element\n", "antd web"},
		{"app:a:b", strings.Replace(app, "app", `"\u0077eb"`, 1), "answers antd components dates element lists parts words"},
		{"", app, ""},
	} {
		set, err := Load(t.Context(), Options{Sources: []Source{source(spec.Project, "app.yaml", tt.text)}, For: tt.action})
		if err != nil {
			t.Fatal(err)
		}
		noProblems(t, set)
		if got := strings.Join(set.Left, " "); got != tt.left {
			t.Errorf("for %q with %q: left out %q, want %q", tt.action, tt.text, got, tt.left)
		}
		if got := len(set.Files) + len(set.Left); got != 11 {
			t.Errorf("for %q: %d files", tt.action, got)
		}
	}
}

// What the actions of a builtin namespace run is present, whichever namespace is loaded.
func TestLoadForHasWhatIsRun(t *testing.T) {
	all, err := Load(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name := range all.Namespaces {
		set, err := Load(t.Context(), Options{For: name + ":a:b"})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range set.Files {
			text, err := fs.ReadFile(actions.FS, strings.TrimPrefix(f.Name, "builtin/"))
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`(?:run|action): "?([a-z]+):[a-z]+:[a-z]+`).FindAllSubmatch(text, -1) {
				if set.Namespaces[string(m[1])] == nil {
					t.Errorf("for %s: %s runs %s, whose namespace is left out", name, f.Name, m[0])
				}
			}
		}
	}
}

// A builtin file is found by its name if its namespace is required.
func TestBuiltinFilesAreNamedAsTheirNamespaces(t *testing.T) {
	set, err := Load(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range set.Files {
		if want := "builtin/" + f.Namespace + ".yaml"; f.Name != want {
			t.Errorf("the file %s has the namespace %s", f.Name, f.Namespace)
		}
	}
}

func TestUpward(t *testing.T) {
	for path, want := range map[string]string{
		"": "", "/": "/", "/a/b/../c/": "/a/c /a /", "a/b": "a/b a .",
	} {
		if got := strings.Join(slices.Collect(Upward(path)), " "); got != want {
			t.Errorf("from %q: %s, want %s", path, got, want)
		}
	}
	for range Upward("/a/b") {
		break // a caller may stop early
	}
}
