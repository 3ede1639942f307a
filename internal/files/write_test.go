package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/actionregistry/action/diag"
)

// TestPathsThatChangeMeanwhile checks that a path is checked again when the file is written.
func TestPathsThatChangeMeanwhile(t *testing.T) {
	tests := []struct {
		name   string
		change func(t *testing.T, cwd string)
	}{
		{"the folder becomes a link", func(t *testing.T, cwd string) {
			if err := os.Remove(filepath.Join(cwd, "reports")); err != nil {
				t.Fatal(err)
			}
			mustSymlink(t, ".agent-browser/actions", filepath.Join(cwd, "reports"))
		}},
		{"the file becomes a link", func(t *testing.T, cwd string) {
			mustSymlink(t, "../.agent-browser/config.yaml", filepath.Join(cwd, "reports/a.yaml"))
		}},
		{"the file becomes a link to nothing", func(t *testing.T, cwd string) {
			mustSymlink(t, "../.agent-browser/actions/planted.yaml", filepath.Join(cwd, "reports/a.yaml"))
		}},
		{"the file becomes another name of one", func(t *testing.T, cwd string) {
			if err := os.Link(filepath.Join(cwd, ".agent-browser/config.yaml"), filepath.Join(cwd, "reports/a.yaml")); err != nil {
				t.Fatal(err)
			}
		}},
		{"the folder leads outside", func(t *testing.T, cwd string) {
			if err := os.Remove(filepath.Join(cwd, "reports")); err != nil {
				t.Fatal(err)
			}
			mustSymlink(t, t.TempDir(), filepath.Join(cwd, "reports"))
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, cwd := guarded(t)
			real, err := f.WritePath("reports/a.yaml")
			if err != nil {
				t.Fatal(err)
			}
			tt.change(t, cwd)
			if err := f.Write(t.Context(), real, strings.NewReader("planted"), true); diag.CodeOf(err) != diag.PolicyDenied {
				t.Errorf("got %v, want POLICY_DENIED", err)
			}
			for path, want := range map[string]string{".agent-browser/config.yaml": "config", ".agent-browser/actions/own.yaml": "own"} {
				if text, err := os.ReadFile(filepath.Join(cwd, path)); err != nil || string(text) != want {
					t.Errorf("%s holds %q, %v", path, text, err)
				}
			}
			if _, err := os.Stat(filepath.Join(cwd, ".agent-browser/actions/planted.yaml")); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the planted file is there: %v", err)
			}
		})
	}
}

// TestFolderSwappedBetween checks that a folder that was replaced after its check is not opened.
func TestFolderSwappedBetween(t *testing.T) {
	dir := t.TempDir()
	mustMkdir(t, filepath.Join(dir, "a"))
	mustMkdir(t, filepath.Join(dir, "b"))
	info, err := os.Lstat(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	if root, err := enter(info, func() (*os.Root, error) { return os.OpenRoot(filepath.Join(dir, "b")) }); diag.CodeOf(err) != diag.PolicyDenied {
		t.Errorf("got %v, %v, want POLICY_DENIED", root, err)
	}
}

// TestOpen checks that Open reads only a regular file, at the path that was checked.
func TestOpen(t *testing.T) {
	f, cwd := guarded(t)
	f.Packaged = true
	mustMkdir(t, filepath.Join(cwd, ".ssh"))
	mustWrite(t, filepath.Join(cwd, ".ssh/a.json"), "key")
	mustWrite(t, filepath.Join(cwd, "reports/a.json"), "report")
	if err := syscall.Mkfifo(filepath.Join(cwd, "reports/pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	mustSymlink(t, "reports/a.json", filepath.Join(cwd, "link.json"))
	mustSymlink(t, ".ssh/a.json", filepath.Join(cwd, "secret.json"))
	read := func(path string) (string, error) {
		file, err := f.Open(path)
		if err != nil {
			return "", err
		}
		defer file.Close()
		text, err := io.ReadAll(file)
		return string(text), err
	}
	for _, path := range []string{"reports/a.json", "link.json", filepath.Join(cwd, "reports", "a.json")} {
		if text, err := read(path); err != nil || text != "report" {
			t.Errorf("%s: got %q, %v, want the report", path, text, err)
		}
	}
	for _, path := range []string{".ssh/a.json", "secret.json", "../x", "reports", "reports/pipe", "reports/none"} {
		if text, err := read(path); err == nil {
			t.Errorf("%s: got %q, want an error", path, text)
		}
	}

	// The folder and a link to the hidden folder are swapped continuously.
	reports, aside := filepath.Join(cwd, "reports"), filepath.Join(cwd, "aside")
	link := filepath.Join(cwd, "swapped")
	mustSymlink(t, ".ssh", link)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			default:
			}
			_ = os.Rename(reports, aside)
			_ = os.Rename(link, reports)
			_ = os.Rename(reports, link)
			_ = os.Rename(aside, reports)
		}
	}()
	for range 2000 {
		if text, err := read("reports/a.json"); err == nil && text != "report" {
			t.Errorf("read %q through a link", text)
			break
		}
	}
	close(done)
	<-ended
}

// TestWrite checks that a file appears only when it is complete, readable only by its owner.
func TestWrite(t *testing.T) {
	tests := []struct {
		name    string
		there   fs.FileMode // mode of the existing file; 0 means none
		replace bool
		want    error
	}{
		{"new", 0, false, nil},
		{"new, or over another", 0, true, nil},
		{"new, where one is", 0o644, false, fs.ErrExist},
		{"over another", 0o644, true, nil},
		{"over one that may not be written", 0o444, true, fs.ErrPermission},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := Rules{Cwd: t.TempDir()}
			path := filepath.Join(f.Cwd, "report.txt")
			other := filepath.Join(t.TempDir(), "other name")
			if tt.there != 0 {
				mustWrite(t, path, "old")
				if err := errors.Join(os.Chmod(path, tt.there), os.Link(path, other)); err != nil {
					t.Fatal(err)
				}
			}
			if err := f.put(t, "report.txt", "new", tt.replace); !errors.Is(err, tt.want) {
				t.Fatalf("got %v, want %v", err, tt.want)
			}
			want := "new"
			if tt.want != nil {
				want = "old"
			}
			if text, err := os.ReadFile(path); err != nil || string(text) != want {
				t.Errorf("it holds %q, %v, want %q", text, err, want)
			}
			if info, err := os.Stat(path); tt.want == nil && (err != nil || info.Mode().Perm() != 0o600) {
				t.Errorf("its mode is %v, %v, want 0600", info.Mode(), err)
			}
			if text, err := os.ReadFile(other); tt.there != 0 && (err != nil || string(text) != "old") {
				t.Errorf("its other name holds %q, %v", text, err)
			}
			if entries, err := os.ReadDir(f.Cwd); err != nil || len(entries) != 1 {
				t.Errorf("beside it are %v, %v", entries, err)
			}
		})
	}
}
