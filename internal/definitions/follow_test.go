package definitions_test

// The ways in which definition files change.

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/actionregistry/action/internal/testkit"
)

// callerFolders are where things are for a caller: root is a project, or could be
// one, and cwd is in it.
type callerFolders struct{ home, root, cwd string }

func touch(t *testing.T, name string, at time.Time) {
	t.Helper()
	if err := os.Chtimes(name, at, at); err != nil {
		t.Fatal(err)
	}
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// following are changes, and what is said before and after.
var following = []struct {
	name          string
	before, after string
	prepare       func(t *testing.T, p callerFolders)
	change        func(t *testing.T, p callerFolders)
}{
	{"file changed", "a=one", "a=other",
		func(t *testing.T, p callerFolders) { testkit.Write(t, actions(p.root, "a.yaml"), says("a", "one")) },
		func(t *testing.T, p callerFolders) { testkit.Write(t, actions(p.root, "a.yaml"), says("a", "other")) }},
	{"same size in the same second", "a=one", "a=two",
		func(t *testing.T, p callerFolders) { testkit.Write(t, actions(p.root, "a.yaml"), says("a", "one")) },
		func(t *testing.T, p callerFolders) {
			testkit.Write(t, actions(p.root, "a.yaml"), says("a", "two"))
			touch(t, actions(p.root, "a.yaml"), testkit.Aged.Add(time.Millisecond))
		}},
	{"renamed over, same size and time", "a=one", "a=two",
		func(t *testing.T, p callerFolders) { testkit.Write(t, actions(p.root, "a.yaml"), says("a", "one")) },
		func(t *testing.T, p callerFolders) {
			other := filepath.Join(p.home, "new")
			testkit.Write(t, other, says("a", "two"))
			touch(t, other, testkit.Aged)
			rename(t, other, actions(p.root, "a.yaml"))
		}},
	{"file added", "a=one", "a=one b=two",
		func(t *testing.T, p callerFolders) { testkit.Write(t, actions(p.root, "a.yaml"), says("a", "one")) },
		func(t *testing.T, p callerFolders) { testkit.Write(t, actions(p.root, "b.yml"), says("b", "two")) }},
	{"file added in a folder below", "a=one", "a=one b=two",
		func(t *testing.T, p callerFolders) { testkit.Write(t, actions(p.root, "a.yaml"), says("a", "one")) },
		func(t *testing.T, p callerFolders) { testkit.Write(t, actions(p.root, "x/y/b.yaml"), says("b", "two")) }},
	{"file removed", "a=one b=two", "a=one",
		func(t *testing.T, p callerFolders) {
			testkit.Write(t, actions(p.root, "a.yaml"), says("a", "one"))
			testkit.Write(t, actions(p.root, "b.yaml"), says("b", "two"))
		},
		func(t *testing.T, p callerFolders) {
			if err := os.Remove(actions(p.root, "b.yaml")); err != nil {
				t.Fatal(err)
			}
		}},
	{"file renamed", "a=one", "",
		func(t *testing.T, p callerFolders) { testkit.Write(t, actions(p.root, "a.yaml"), says("a", "one")) },
		func(t *testing.T, p callerFolders) {
			rename(t, actions(p.root, "a.yaml"), actions(p.root, "a.yaml.off"))
		}},
	{"project appears here", "", "a=one",
		func(*testing.T, callerFolders) {},
		func(t *testing.T, p callerFolders) { testkit.Write(t, actions(p.cwd, "a.yaml"), says("a", "one")) }},
	{"project appears above", "", "a=one",
		func(*testing.T, callerFolders) {},
		func(t *testing.T, p callerFolders) { testkit.Write(t, actions(p.root, "a.yaml"), says("a", "one")) }},
	{"project appears below another", "a=one", "a=two",
		func(t *testing.T, p callerFolders) { testkit.Write(t, actions(p.root, "a.yaml"), says("a", "one")) },
		func(t *testing.T, p callerFolders) { testkit.Write(t, actions(p.cwd, "a.yaml"), says("a", "two")) }},
	{"project goes", "a=one", "",
		func(t *testing.T, p callerFolders) { testkit.Write(t, actions(p.root, "a.yaml"), says("a", "one")) },
		func(t *testing.T, p callerFolders) {
			rename(t, filepath.Join(p.root, ".agent-browser"), filepath.Join(p.root, "off"))
		}},
	{"global file changed", "a=one", "a=two",
		func(t *testing.T, p callerFolders) { testkit.Write(t, actions(p.home, "a.yaml"), says("a", "one")) },
		func(t *testing.T, p callerFolders) { testkit.Write(t, actions(p.home, "a.yaml"), says("a", "two")) }},
	{"global folder appears", "", "a=one",
		func(*testing.T, callerFolders) {},
		func(t *testing.T, p callerFolders) { testkit.Write(t, actions(p.home, "a.yaml"), says("a", "one")) }},
	{"config of the project changes", "", "b=two",
		func(t *testing.T, p callerFolders) {
			testkit.Write(t, config(p.root), "limits: {max_depth: 5}\n")
			testkit.Write(t, filepath.Join(p.root, "more", "b.yaml"), says("b", "two"))
		},
		func(t *testing.T, p callerFolders) { testkit.Write(t, config(p.root), "actions: {paths: [more]}\n") }},
	{"config of the user appears", "", "b=two",
		func(t *testing.T, p callerFolders) {
			testkit.Write(t, filepath.Join(p.home, "more", "b.yaml"), says("b", "two"))
		},
		func(t *testing.T, p callerFolders) { testkit.Write(t, config(p.home), "actions: {paths: [~/more]}\n") }},
	{"file that the config names changes", "b=one", "b=two",
		func(t *testing.T, p callerFolders) {
			testkit.Write(t, config(p.root), "actions: {paths: [more/b.yaml]}\n")
			testkit.Write(t, filepath.Join(p.root, "more", "b.yaml"), says("b", "one"))
		},
		func(t *testing.T, p callerFolders) {
			testkit.Write(t, filepath.Join(p.root, "more", "b.yaml"), says("b", "two"))
		}},
	{"file that the config names is renamed over, same size and time", "b=one", "b=two",
		func(t *testing.T, p callerFolders) {
			testkit.Write(t, config(p.root), "actions: {paths: [more/b.yaml]}\n")
			testkit.Write(t, filepath.Join(p.root, "more", "b.yaml"), says("b", "one"))
		},
		func(t *testing.T, p callerFolders) {
			testkit.Write(t, filepath.Join(p.root, "more", "new"), says("b", "two"))
			touch(t, filepath.Join(p.root, "more", "new"), testkit.Aged)
			rename(t, filepath.Join(p.root, "more", "new"), filepath.Join(p.root, "more", "b.yaml"))
		}},
	{"package changes", "a=one", "a=two",
		func(t *testing.T, p callerFolders) {
			testkit.Write(t, config(p.home), `actions: {packages: ["@x/pack"]}`)
			testkit.Write(t, filepath.Join(p.root, "node_modules/@x/pack/package.json"), `{"name": "@x/pack"}`)
			testkit.Write(t, filepath.Join(p.root, "node_modules/@x/pack/actions/a.yaml"), says("a", "one"))
		},
		func(t *testing.T, p callerFolders) {
			testkit.Write(t, filepath.Join(p.root, "node_modules/@x/pack/actions/a.yaml"), says("a", "two"))
		}},
	{"package appears", "", "a=one",
		func(t *testing.T, p callerFolders) {
			testkit.Write(t, config(p.home), `actions: {packages: ["@x/pack"]}`)
		},
		func(t *testing.T, p callerFolders) {
			testkit.Write(t, filepath.Join(p.root, "node_modules/@x/pack/package.json"), `{"name": "@x/pack"}`)
			testkit.Write(t, filepath.Join(p.root, "node_modules/@x/pack/actions/a.yaml"), says("a", "one"))
		}},
	{"package is shadowed by a nearer one", "a=one", "a=two",
		func(t *testing.T, p callerFolders) {
			testkit.Write(t, config(p.home), "actions: {packages: [pack]}")
			testkit.Write(t, filepath.Join(p.root, "node_modules/pack/package.json"), "{}")
			testkit.Write(t, filepath.Join(p.root, "node_modules/pack/actions/a.yaml"), says("a", "one"))
		},
		func(t *testing.T, p callerFolders) {
			testkit.Write(t, filepath.Join(p.cwd, "node_modules/pack/package.json"), "{}")
			testkit.Write(t, filepath.Join(p.cwd, "node_modules/pack/actions/a.yaml"), says("a", "two"))
		}},
	{"package names another folder", "a=one", "a=two",
		func(t *testing.T, p callerFolders) {
			testkit.Write(t, config(p.home), "actions: {packages: [pack]}")
			testkit.Write(t, filepath.Join(p.root, "node_modules/pack/package.json"), "{}")
			testkit.Write(t, filepath.Join(p.root, "node_modules/pack/actions/a.yaml"), says("a", "one"))
			testkit.Write(t, filepath.Join(p.root, "node_modules/pack/defs/a.yaml"), says("a", "two"))
		},
		func(t *testing.T, p callerFolders) {
			testkit.Write(t, filepath.Join(p.root, "node_modules/pack/package.json"), `{"agent-browser": {"actions": "defs"}}`)
		}},
	{"link leads elsewhere", "a=one", "a=two",
		func(t *testing.T, p callerFolders) {
			testkit.Write(t, filepath.Join(p.root, "v1", "a.yaml"), says("a", "one"))
			testkit.Write(t, filepath.Join(p.root, "v2", "a.yaml"), says("a", "two"))
			testkit.Write(t, config(p.root), "actions: {paths: [current]}\n")
			if err := os.Symlink("v1", filepath.Join(p.root, "current")); err != nil {
				t.Fatal(err)
			}
		},
		func(t *testing.T, p callerFolders) {
			if err := os.Symlink("v2", filepath.Join(p.root, "next")); err != nil {
				t.Fatal(err)
			}
			rename(t, filepath.Join(p.root, "next"), filepath.Join(p.root, "current"))
		}},
}

func TestDefinitionsFollowTheirFiles(t *testing.T) {
	t.Parallel()
	for _, tt := range testkit.Some(t, "changes of files", 6, following) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newFolder(t)
			p := callerFolders{home: f.home, root: t.TempDir()}
			p.cwd = filepath.Join(p.root, "below")
			if err := os.Mkdir(p.cwd, 0o700); err != nil {
				t.Fatal(err)
			}
			tt.prepare(t, p)
			testkit.Age(t, p.home, p.root)
			for range 2 {
				if got := f.said(t, p.cwd); got != tt.before {
					t.Fatalf("before: %q, want %q", got, tt.before)
				}
			}
			tt.change(t, p)
			for range 2 {
				if got := f.said(t, p.cwd); got != tt.after {
					t.Errorf("after: %q, want %q", got, tt.after)
				}
			}
			if got := f.Problems(); len(got) != 0 {
				t.Errorf("problems: %v", got)
			}
		})
	}
}
