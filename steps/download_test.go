package steps

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Files go to their place by a rename, by a link where nothing may be there, and by
// a copy where the place is on another file system.
func TestMove(t *testing.T) {
	// far is a place on another file system than downloads are: only what lies beside
	// it can be put there.
	far := func(put func(from, to string) error) func(from, to string) error {
		return func(from, to string) error {
			if filepath.Dir(from) != filepath.Dir(to) {
				return &os.LinkError{Op: "link", Old: from, New: to, Err: syscall.EXDEV}
			}
			return put(from, to)
		}
	}
	tests := []struct {
		name  string
		put   func(from, to string) error
		there bool // a file
		want  error
	}{
		{"new", putNew, false, nil},
		{"new, where one is", putNew, true, fs.ErrExist},
		{"over another", os.Rename, true, nil},
		{"new, far away", far(putNew), false, nil},
		{"new, far away, where one is", far(putNew), true, fs.ErrExist},
		{"over another, far away", far(os.Rename), true, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			from, dir := filepath.Join(t.TempDir(), "guid"), t.TempDir()
			to := filepath.Join(dir, "report.txt")
			write := func(path, text string) {
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			write(from, "new")
			if tt.there {
				write(to, "old")
			}
			if err := move(from, to, tt.put); !errors.Is(err, tt.want) {
				t.Fatalf("got %v, want %v", err, tt.want)
			}
			want := "new"
			if tt.want != nil {
				want = "old"
			}
			if body, err := os.ReadFile(to); err != nil || string(body) != want {
				t.Errorf("%s holds %q, %v, want %q", to, body, err, want)
			}
			if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
				t.Errorf("beside it are %v, %v", entries, err)
			}
			if _, err := os.Stat(from); (err == nil) != (tt.want != nil) {
				t.Errorf("the download is there: %v, want %v", err == nil, tt.want != nil)
			}
			if info, err := os.Stat(to); tt.want == nil && (err != nil || info.Mode().Perm() != 0o600) {
				t.Errorf("its mode is %v, %v, want 0600", info.Mode(), err)
			}
		})
	}
}
