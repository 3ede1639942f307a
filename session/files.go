package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"actionregistry/diag"
)

// fileRules decide which paths steps may read and write: those under the
// caller's folder, under the private temporary folder, and under the folders
// that the policy allows. They satisfy [steps.Files].
type fileRules struct {
	cwd   string
	allow []string // absolute
}

// ReadPath returns the absolute path of an existing file.
func (f fileRules) ReadPath(path string) (string, error) { return f.check(path) }

// WritePath returns the absolute path of a file that may be written.
func (f fileRules) WritePath(path string) (string, error) { return f.check(path) }

// TempPath names a new file in the private temporary folder of this user.
func (f fileRules) TempPath(pattern string) (string, error) {
	dir, err := privateTemp()
	if err != nil {
		return "", err
	}
	file, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return "", diag.New(diag.StepFailed, "no file could be made in %s: %v", dir, err).
			WithHint("check the free space and rights of the temporary folder").Because(err)
	}
	return file.Name(), file.Close()
}

func (f fileRules) check(path string) (string, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(f.cwd, path)
	}
	real, err := resolve(path)
	if err != nil {
		return "", diag.New(diag.PolicyDenied, "the path %s cannot be resolved: %v", path, err).
			WithHint("give a path whose folder exists").Because(err)
	}
	for _, root := range append([]string{f.cwd, tempFolder()}, f.allow...) {
		if root, err := resolve(root); err == nil && inside(root, real) {
			return real, nil
		}
	}
	return "", diag.New(diag.PolicyDenied, "the path %s is outside the current folder", path).
		WithDetail("path", path).
		WithHint("use a path under %s, or allow its folder with policy.files in your own config", f.cwd)
}

// resolve follows symbolic links as far as the path exists; what does not exist
// yet is kept.
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
		// A link whose target is missing would be followed by the later write.
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

// tempFolder is the name of the private temporary folder, there or not.
func tempFolder() string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("action-files-%d", os.Getuid()))
}

// privateTemp returns the folder for files that nobody named. It is made when
// first needed, belongs to this user alone, and is refused when it does not.
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
