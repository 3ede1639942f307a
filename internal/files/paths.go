package files

// The real paths of files, and the folders that contain them.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/actionregistry/action/diag"
)

// locate resolves a path, and returns the allowed folder that contains it. The argument "more" is a
// further allowed folder, or "".
func (f Rules) locate(path, more string) (root, real string, err error) {
	if len(path) > unix.PathMax { // each part would be resolved, and no system accepts a longer path
		return "", "", diag.New(diag.ParamInvalid, "the path has %d bytes, expected at most %d", len(path), unix.PathMax).WithHint("give a shorter path")
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(f.Cwd, path)
	}
	real, err = resolve(path)
	if err != nil {
		return "", "", diag.New(diag.PolicyDenied, "the path %s cannot be resolved: %v", path, err).
			WithHint("give a path whose folder exists").Because(err)
	}
	roots := append([]string{tempFolder()}, f.Allow...)
	if more != "" {
		roots = append(roots, more)
	}
	for _, root := range append(roots, f.Cwd) {
		if root, err := resolve(root); err == nil && inside(root, real) {
			return root, real, nil
		}
	}
	return "", "", diag.New(diag.PolicyDenied, "the path %s is outside the current folder", path).
		WithDetail("path", path).
		WithHint("use a path under %s; or add the folder of this path to policy.files in your own config", f.Cwd)
}

// resolve resolves the symbolic links in a path. The end of the path need not exist.
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
			return "", fmt.Errorf("%s is a link whose target does not exist", path)
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

// tempFolder returns the path of the private temporary folder. The folder need not exist.
func tempFolder() string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("action-files-%d", os.Getuid()))
}

// privateTemp returns the private temporary folder, and creates it if necessary. If the folder
// belongs to another user or is not private, the error is SECURITY_ERROR.
func privateTemp() (string, error) {
	dir := tempFolder()
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", diag.New(diag.StepFailed, "the temporary folder could not be created: %v", err).
			WithHint("check the permissions of %s", os.TempDir()).Because(err)
	}
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm() != 0o700 || !ours(info) {
		return "", diag.New(diag.SecurityError, "found %s, expected a folder of mode 0700 that belongs to this user", dir).
			WithHint("find out who created the folder, then remove the folder")
	}
	return dir, nil
}

// CreateTemp creates a file of mode 0600 in the private temporary folder, which all steps may read.
// The name of the file is the argument "pattern", with a random text instead of the "*". The caller
// must remove the file.
func CreateTemp(pattern string) (*os.File, error) {
	dir, err := privateTemp()
	if err != nil {
		return nil, err
	}
	return os.CreateTemp(dir, pattern)
}

// ours reports whether the file belongs to the current user.
func ours(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}
