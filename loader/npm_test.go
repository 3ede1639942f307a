package loader

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// npm runs npm without a network: everything comes from a tarball.
func npm(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "npm", append(args, "--offline", "--no-audit", "--no-fund", "--ignore-scripts", "--cache", t.TempDir())...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		stderr := ""
		if e := (*exec.ExitError)(nil); errors.As(err, &e) {
			stderr = string(e.Stderr)
		}
		t.Fatalf("npm %v: %v\n%s", args, err, stderr)
	}
	return string(out)
}

// TestNpmPackage packs a package as its author would, and installs it as its user would.
func TestNpmPackage(t *testing.T) {
	author, project := t.TempDir(), t.TempDir()
	write(t, author,
		"package.json", `{"name": "@company/ab-actions-base", "version": "1.0.0", "agent-browser": {"actions": "defs"}}`,
		"defs/base.yaml", "namespace: base\nversion: 1.0.0\nactions:\n  a:b:\n    steps: [{action: back}]\n",
		"other/not.yaml", "not: a definition")
	npm(t, author, "pack", "--pack-destination", project)
	tarballs, err := filepath.Glob(filepath.Join(project, "*.tgz"))
	if err != nil || len(tarballs) != 1 {
		t.Fatalf("npm pack made %v, %v", tarballs, err)
	}
	write(t, project, "package.json", `{"name": "app", "version": "1.0.0"}`,
		".agent-browser/actions/app.yaml", "namespace: app\nversion: 1.0.0\nextends: [\"@company/ab-actions-base\"]\n",
		"src/deep/x", "")
	npm(t, project, "install", tarballs[0])

	p := Places{Cwd: filepath.Join(project, "src", "deep"), Packages: []string{"@company/ab-actions-base"}}
	set := mustLoad(t, p.Sources()...)
	noProblems(t, set)
	a := set.Namespaces["base"].Actions["a:b"]
	if want := (spec.Source{Kind: spec.Package, Name: "@company/ab-actions-base"}); a.Source != want || len(a.StepSources) != 1 || a.StepSources[0] != want {
		t.Errorf("a:b is of %v with steps of %v, want %v", a.Source, a.StepSources, want)
	}
	if a := set.Namespaces["app"].Actions["a:b"]; a == nil || a.StepSources[0].Kind != spec.Package {
		t.Errorf("app:a:b = %+v, want the package's by extends", a)
	}
}

func TestPackageLookup(t *testing.T) {
	dir := t.TempDir()
	write(t, dir,
		"node_modules/plain/actions/p.yaml", define("plain", "x"),
		"node_modules/out/package.json", `{"agent-browser": {"actions": "../../secret"}}`,
		"node_modules/wrong/package.json", `{"agent-browser": {"actions": 3}}`,
		"node_modules/empty/package.json", `{}`,
		"store/linked/actions/l.yaml", define("linked", "x"),
		"secret/s.yaml", define("secret", "x"),
		"a/node_modules/plain/actions/p.yaml", define("nearer", "x"),
		"a/b/c", "")
	if err := os.Symlink(filepath.Join(dir, "store/linked"), filepath.Join(dir, "node_modules/linked")); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, pkg, from, namespace string
		code                       diag.Code
		msg                        string
	}{
		{"here", "plain", ".", "plain", "", ""},
		{"nearest first", "plain", "a/b", "nearer", "", ""},
		{"a link of a package manager", "linked", "a/b", "linked", "", ""},
		{"not installed", "nope", "a/b", "", diag.DefinitionInvalid, "is not installed"},
		{"no folder", "empty", ".", "", diag.DefinitionInvalid, "has no folder actions"},
		{"out of the package", "out", ".", "", diag.SecurityError, "expected a folder inside the package"},
		{"bad manifest", "wrong", ".", "", diag.DefinitionInvalid, "package.json cannot be read"},
		{"a path as a name", "../secret", ".", "", diag.DefinitionInvalid, "expected the name of an npm package"},
		{"a path as a scope", "@x/../secret", ".", "", diag.DefinitionInvalid, "expected the name of an npm package"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			set, err := Load(context.Background(), Options{NoBuiltin: true, Sources: []Source{Package(tt.pkg, filepath.Join(dir, tt.from))}})
			if err != nil {
				t.Fatal(err)
			}
			if tt.namespace != "" {
				noProblems(t, set)
				if set.Namespaces[tt.namespace] == nil {
					t.Errorf("namespaces = %v, want %s", set.Namespaces, tt.namespace)
				}
				return
			}
			if len(set.Problems) != 1 || set.Problems[0].Code != tt.code || !strings.Contains(set.Problems[0].Msg, tt.msg) {
				t.Errorf("problems = %v, want %s %q", set.Problems, tt.code, tt.msg)
			}
		})
	}
}
