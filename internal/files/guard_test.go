package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
)

func (f Rules) put(t *testing.T, path, text string, replace bool) error {
	t.Helper()
	real, err := f.WritePath(path)
	if err != nil {
		return err
	}
	return f.Write(t.Context(), real, strings.NewReader(text), replace)
}

func mustMkdir(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
}

func mustWrite(t *testing.T, path, text string) {
	t.Helper()
	mustMkdir(t, filepath.Dir(path))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func mustSymlink(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}

// guarded creates a project below a home folder. The user's .agent-browser is a link into dotfiles,
// a folder as people use it to keep their settings in a repository.
func guarded(t *testing.T) (Rules, string) {
	t.Helper()
	home := t.TempDir()
	cwd := filepath.Join(home, "work")
	mustMkdir(t, filepath.Join(cwd, "reports"))
	mustWrite(t, filepath.Join(cwd, ".agent-browser/actions/own.yaml"), "own")
	mustWrite(t, filepath.Join(cwd, ".agent-browser/config.yaml"), "config")
	mustSymlink(t, ".agent-browser/actions", filepath.Join(cwd, "linked"))
	mustWrite(t, filepath.Join(cwd, "dotfiles/ab/actions/user.yaml"), "user")
	mustSymlink(t, filepath.Join(cwd, "dotfiles/ab"), filepath.Join(home, ".agent-browser"))
	mustMkdir(t, filepath.Join(cwd, "more"))
	return Rules{Cwd: cwd, Home: home, Sources: []string{filepath.Join(cwd, "more"), filepath.Join(cwd, "one.txt")}}, cwd
}

// TestNobodyWritesDefinitions checks that no step can write definitions, by whatever name.
func TestNobodyWritesDefinitions(t *testing.T) {
	f, cwd := guarded(t)
	for _, path := range []string{
		".agent-browser/actions/planted.yaml", ".agent-browser/config.yaml", ".agent-browser/new/shot.png", ".agent-browser",
		".Agent-Browser/actions/planted.yaml", ".AGENT-BROWSER/config.yaml", ".agent-browſer/config.yaml",
		".agent-bro\u200bwser/config.yaml", ".agent-browser./config.yaml", ".agent‐browser/config.yaml",
		"．ａｇｅｎｔ-browser/config.yaml", ".agent-browser::$INDEX_ALLOCATION/config.yaml",
		"reports/../.agent-browser/actions/planted.yaml", "reports/.agent-browser/actions/planted.yaml",
		"linked/planted.yaml", "dotfiles/ab/actions/planted.yaml", "dotfiles/ab/config.yaml", "dotfiles/ab/actions/user.yaml",
		"more/planted.yaml", "more/deeper/planted.YML", "more/shot.png:planted.yaml", "more/planted.yaml:shot.png", "one.txt",
		filepath.Join(cwd, ".agent-browser/actions/planted.yaml"),
	} {
		if err := f.put(t, path, "planted", true); diag.CodeOf(err) != diag.PolicyDenied {
			t.Errorf("%s: %v, want POLICY_DENIED", path, err)
		} else if e := diag.As(err); e.Hint == "" || e.Details["path"] == nil || e.Details["reason"] == nil {
			t.Errorf("%s: %v lacks hint, path or reason", path, e)
		}
		if file, err := f.Create(path); diag.CodeOf(err) != diag.PolicyDenied {
			t.Errorf("Create %s: %v, %v", path, file, err)
		}
	}
	for _, path := range []string{"reports/a.yaml", "a.png", "more/shot.png", ".bashrc", ".git/hooks/pre-commit", "Makefile", "dotfiles/a.png"} {
		mustMkdir(t, filepath.Dir(filepath.Join(cwd, path)))
		if err := f.put(t, path, "fine", false); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(cwd, ".agent-browser/config.yaml")); err != nil || string(text) != "config" {
		t.Errorf("the configuration holds %q, %v", text, err)
	}
}
