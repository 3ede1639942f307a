package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/actionregistry/action/diag"
)

// fileRules decide which paths steps may read and write: those under the caller's folder,
// under the private temporary folder, and under the folders that the policy allows.
// guard.go says what nobody, or no package, may touch in these. All reading and writing
// goes through Open, Write, WriteTemp and Create (write.go); only uploads are read by the
// browser, by their paths. They implement [steps.Files].
type fileRules struct {
	cwd   string
	allow []string      // absolute; from the user's own configuration
	saved func() string // where the browser keeps downloads, which may be read; nil: nowhere
	// sources are the files and folders that definitions come from, in addition to those
	// named .agent-browser.
	sources []string
	home    string // the user's home folder; "": unknown
	// packaged means that a package has written a part of the action, or of one that runs
	// it.
	packaged bool
}

// ReadPath returns the absolute path of an existing file.
func (f fileRules) ReadPath(path string) (string, error) {
	_, real, err := f.readable(path)
	return real, err
}

// readable resolves the path of a file to read. root is the allowed folder that contains
// it.
func (f fileRules) readable(path string) (root, real string, err error) {
	saved := ""
	if f.saved != nil {
		saved = f.saved()
	}
	if root, real, err = f.locate(path, saved); err == nil {
		err = f.mayRead(root, real)
	}
	return root, real, err
}

// WritePath returns the absolute path of a file that may be written.
func (f fileRules) WritePath(path string) (string, error) {
	_, real, err := f.writable(path)
	return real, err
}

// writable resolves the path of a file to write. root is the allowed folder that contains
// it.
func (f fileRules) writable(path string) (root, real string, err error) {
	if root, real, err = f.locate(path, ""); err == nil {
		err = f.mayWrite(root, real)
	}
	if err != nil {
		return "", "", err
	}
	return root, real, nil
}

// WriteTemp writes a new file in the private temporary folder of this user; a
// "*" in pattern becomes something unique.
func (f fileRules) WriteTemp(ctx context.Context, pattern string, data io.Reader) (string, error) {
	dir, err := privateTemp()
	if err != nil {
		return "", err
	}
	file, err := os.CreateTemp(dir, pattern) // mode 0600
	if err != nil {
		return "", diag.New(diag.StepFailed, "no file could be made in %s: %v", dir, err).
			WithHint("check the free space and rights of the temporary folder").Because(err)
	}
	if err := fill(ctx, file, data, false, func() error { return nil }); err != nil {
		if err = errors.Join(err, os.Remove(file.Name())); ctx.Err() != nil {
			return "", err
		}
		return "", diag.New(diag.StepFailed, "the file could not be written: %v", err).
			WithHint("check the free space of the temporary folder").Because(err)
	}
	return file.Name(), nil
}

// locate resolves a path and finds the allowed folder that contains it. more, unless "", is
// another allowed folder.
func (f fileRules) locate(path, more string) (root, real string, err error) {
	if len(path) > unix.PathMax { // each part is looked up, and no system accepts a longer path
		return "", "", diag.New(diag.ParamInvalid, "the path has %d bytes, the most is %d", len(path), unix.PathMax).WithHint("give a shorter path")
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(f.cwd, path)
	}
	real, err = resolve(path)
	if err != nil {
		return "", "", diag.New(diag.PolicyDenied, "the path %s cannot be resolved: %v", path, err).
			WithHint("give a path whose folder exists").Because(err)
	}
	roots := append([]string{tempFolder()}, f.allow...)
	if more != "" {
		roots = append(roots, more)
	}
	for _, root := range append(roots, f.cwd) {
		if root, err := resolve(root); err == nil && inside(root, real) {
			return root, real, nil
		}
	}
	return "", "", diag.New(diag.PolicyDenied, "the path %s is outside the current folder", path).
		WithDetail("path", path).
		WithHint("use a path under %s, or allow its folder with policy.files in your own config", f.cwd)
}

// resolve follows symbolic links as far as the path exists; the rest is kept.
func resolve(path string) (string, error) {
	path = filepath.Clean(path)
	rest := ""
	for {
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		// A later write would follow a link whose target is missing.
		if _, err := os.Lstat(path); err == nil {
			return "", fmt.Errorf("%s is a link to nothing", path)
		}
		parent := filepath.Dir(path)
		if parent == path {
			return "", err
		}
		rest = filepath.Join(filepath.Base(path), rest)
		path = parent
	}
}

func inside(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// tempFolder is the name of the private temporary folder, whether or not it exists.
func tempFolder() string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("action-files-%d", os.Getuid()))
}

// privateTemp returns the folder for files without a given path. It is made on first use,
// belongs to this user alone, and is refused if it does not.
func privateTemp() (string, error) {
	dir := tempFolder()
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", diag.New(diag.StepFailed, "the temporary folder could not be made: %v", err).
			WithHint("check the rights of %s", os.TempDir()).Because(err)
	}
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm() != 0o700 || !ours(info) {
		return "", diag.New(diag.SecurityError, "%s is not a private folder of this user", dir).
			WithHint("remove it, and see who made it")
	}
	return dir, nil
}
