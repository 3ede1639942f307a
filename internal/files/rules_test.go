package files

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
)

// TestAllowedFolders checks that the target of a path decides, not its spelling.
func TestAllowedFolders(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	cwd, allowed, saved, outside := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	for _, dir := range []string{cwd, allowed, saved, outside} {
		mustWrite(t, filepath.Join(dir, "a.txt"), "text")
	}
	mustSymlink(t, allowed, filepath.Join(cwd, "in"))
	mustSymlink(t, outside, filepath.Join(cwd, "out"))
	mustSymlink(t, "nothing", filepath.Join(cwd, "dangling"))
	rules := Rules{Cwd: cwd, Allow: []string{allowed}, Saved: func() string { return saved }}
	for _, tt := range []struct {
		name, path  string
		read, write diag.Code
	}{
		{"below the folder", "a.txt", "", ""},
		{"in a folder that is not there yet", "new/a.txt", "", ""},
		{"its absolute path", filepath.Join(cwd, "a.txt"), "", ""},
		{"of an allowed folder", filepath.Join(allowed, "a.txt"), "", ""},
		{"by a link into an allowed folder", "in/a.txt", "", ""},
		{"in the private temporary folder", filepath.Join(tempFolder(), "a.txt"), "", ""},
		{"a download that the browser keeps", filepath.Join(saved, "a.txt"), "", diag.PolicyDenied},
		{"outside", filepath.Join(outside, "a.txt"), diag.PolicyDenied, diag.PolicyDenied},
		{"outside, by way of the folder", "../" + filepath.Base(outside) + "/a.txt", diag.PolicyDenied, diag.PolicyDenied},
		{"outside, by a link", "out/a.txt", diag.PolicyDenied, diag.PolicyDenied},
		{"a link to nothing", "dangling", diag.PolicyDenied, diag.PolicyDenied},
		{"a path that no system takes", strings.Repeat("a/", 5000), diag.ParamInvalid, diag.ParamInvalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := rules.ReadPath(tt.path); diag.CodeOf(err) != tt.read || err == nil && !filepath.IsAbs(got) {
				t.Errorf("to read: %q, %v, want the code %q", got, err, tt.read)
			}
			if got, err := rules.WritePath(tt.path); diag.CodeOf(err) != tt.write || err == nil && !filepath.IsAbs(got) {
				t.Errorf("to write: %q, %v, want the code %q", got, err, tt.write)
			}
		})
	}
}

func TestRulesWithoutAFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	mustWrite(t, "a.txt", "text")
	if got, err := (Rules{}).ReadPath("a.txt"); got != "a.txt" || err != nil {
		t.Errorf("below the folder of the process: %q, %v", got, err)
	}
	if got, err := (Rules{}).ReadPath("../a.txt"); diag.CodeOf(err) != diag.PolicyDenied {
		t.Errorf("beside it: %q, %v, want POLICY_DENIED", got, err)
	}
}

// TestWriteTemp checks that only this user can read files without a given path.
func TestWriteTemp(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	rules := Rules{Cwd: t.TempDir(), Packaged: true}
	first, err := rules.WriteTemp(t.Context(), "shot-*.png", strings.NewReader("picture"))
	if err != nil {
		t.Fatal(err)
	}
	second, err := rules.WriteTemp(t.Context(), "shot-*.png", strings.NewReader("another"))
	if err != nil || first == second {
		t.Fatalf("two files: %s and %s, %v", first, second, err)
	}
	text, err := os.ReadFile(first)
	info, statErr := os.Stat(first)
	if err != nil || statErr != nil || string(text) != "picture" || info.Mode().Perm() != 0o600 {
		t.Errorf("%s holds %q, %v, %v; want the picture, mode 0600", first, text, err, info)
	}
	if got, err := rules.ReadPath(first); err != nil || !strings.HasSuffix(got, ".png") {
		t.Errorf("it cannot be read again: %q, %v", got, err)
	}

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if path, err := rules.WriteTemp(ended, "late-*", strings.NewReader("text")); !errors.Is(err, context.Canceled) {
		t.Errorf("of a cancelled call: %q, %v", path, err)
	}
	if left, err := filepath.Glob(filepath.Join(tempFolder(), "late-*")); err != nil || len(left) > 0 {
		t.Errorf("a cancelled call has left %v, %v", left, err)
	}
	if err := os.Chmod(tempFolder(), 0o755); err != nil {
		t.Fatal(err)
	}
	if path, err := rules.WriteTemp(t.Context(), "open-*", strings.NewReader("text")); diag.CodeOf(err) != diag.SecurityError {
		t.Errorf("in a folder that others may enter: %q, %v, want %s", path, err, diag.SecurityError)
	}
}
