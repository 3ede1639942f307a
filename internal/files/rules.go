// Package files decides which files steps may read and write, and reads and writes them.
//
// [Rules] check a path and then open it, name by name and without following links, so that what
// was checked is what is read or written. Files are written whole. The package does not read the
// configuration: the caller puts what that allows into [Rules]. It keeps no state and starts no
// goroutine.
//
// rules.go finds the allowed folder of a path, guard.go refuses what no step may write and what no
// package may touch, packages.go limits what packages create and replace, and write.go reads and
// writes.
package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps"
)

// Rules decide which paths the steps of one caller may read and write: those under the
// caller's folder, under the private temporary folder, and under the folders that the policy
// allows. All reading and writing goes through Open, Write, WriteTemp and Create, except for
// uploads, which the browser reads by their paths.
//
// The zero value allows relative paths below the folder of the process, and the private temporary
// folder. Rules must not be changed while in use, and may then be used concurrently. The error for
// a refused path is POLICY_DENIED, with the path in its details; for a path that is too long, it
// is PARAM_INVALID. Other errors are those of the file system. Rules implement [steps.Files].
type Rules struct {
	// Cwd is the caller's folder, the base of relative paths; absolute, or "" for that of the
	// process.
	Cwd   string
	Allow []string // further folders; absolute
	// Saved returns the folder where the browser keeps downloads, which may be read; nil or ""
	// means none. It is called at each check, since a browser creates that folder on first use.
	Saved func() string
	// Sources are the files and folders that definitions come from, in addition to those
	// named [loader.ConfigFolder]. No step may write them.
	Sources []string
	Home    string // the user's home folder; "": unknown
	// Packaged means that the action, or one that runs it, comes at least in part from a
	// package. Further limits then apply.
	Packaged bool
}

var _ steps.Files = Rules{}

// ReadPath returns the real path of a file to read. It is absolute if Cwd is.
func (f Rules) ReadPath(path string) (string, error) {
	_, real, err := f.readable(path)
	return real, err
}

// readable resolves the path of a file to read. root is the allowed folder that contains the file.
func (f Rules) readable(path string) (root, real string, err error) {
	saved := ""
	if f.Saved != nil {
		saved = f.Saved()
	}
	if root, real, err = f.locate(path, saved); err == nil {
		err = f.mayRead(root, real)
	}
	return root, real, err
}

// WritePath returns the real path of a file to write. It is absolute if Cwd is. The file does not
// have to exist.
func (f Rules) WritePath(path string) (string, error) {
	_, real, err := f.writable(path)
	return real, err
}

// writable resolves the path of a file to write. root is the allowed folder that contains the
// file.
func (f Rules) writable(path string) (root, real string, err error) {
	if root, real, err = f.locate(path, ""); err == nil {
		err = f.mayWrite(root, real)
	}
	if err != nil {
		return "", "", err
	}
	return root, real, nil
}

// WriteTemp writes a new file in the private temporary folder of this user and returns its path.
// It replaces a "*" in pattern as [os.CreateTemp] does.
func (f Rules) WriteTemp(ctx context.Context, pattern string, data io.Reader) (string, error) {
	dir, err := privateTemp()
	if err != nil {
		return "", err
	}
	file, err := os.CreateTemp(dir, pattern) // mode 0600
	if err != nil {
		return "", diag.New(diag.StepFailed, "no file could be created in %s: %v", dir, err).
			WithHint("check the free space and the permissions of the temporary folder").Because(err)
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

// locate resolves a path and finds the allowed folder that contains it. more is another allowed
// folder, or "".
func (f Rules) locate(path, more string) (root, real string, err error) {
	if len(path) > unix.PathMax { // each part would be resolved, and no system accepts a longer path
		return "", "", diag.New(diag.ParamInvalid, "the path has %d bytes, the most is %d", len(path), unix.PathMax).WithHint("give a shorter path")
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
		WithHint("use a path under %s, or allow its folder with policy.files in your own config", f.Cwd)
}

// resolve follows symbolic links as far as the path exists, and keeps the rest.
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

// tempFolder returns the path of the private temporary folder, whether or not it exists.
func tempFolder() string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("action-files-%d", os.Getuid()))
}

// privateTemp returns the folder for files without a given path. It creates the folder on first
// use, and refuses one that other users own or can open.
func privateTemp() (string, error) {
	dir := tempFolder()
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", diag.New(diag.StepFailed, "the temporary folder could not be created: %v", err).
			WithHint("check the permissions of %s", os.TempDir()).Because(err)
	}
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm() != 0o700 || !ours(info) {
		return "", diag.New(diag.SecurityError, "%s is not a private folder of this user", dir).
			WithHint("find out who created it, and remove it")
	}
	return dir, nil
}

// ours reports whether the file belongs to this user.
func ours(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}
