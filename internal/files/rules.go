// Package files decides which files steps may read and write, and reads and writes them.
//
// [Rules] check a path and then open it, name by name and without following links, so that the
// checked file is the one that is read or written. Files are written completely or not at all. The
// package does not read the configuration: the caller puts what the configuration allows into
// [Rules]. It keeps no state and starts no goroutine.
//
// paths.go finds the allowed folder of a path, guard.go refuses what no step may write and what no
// package may touch, packages.go limits what packages create and replace, names.go compares names,
// and write.go reads and writes.
//
// Files, bottom to top: names, paths, packages, guard, rules, write.
package files

import (
	"github.com/actionregistry/action/internal/steps"
)

// Rules decide which paths the steps of one caller may read and write: those under the caller's
// folder, under the private temporary folder, and under the folders that the policy allows. All
// reading and writing goes through Open, Write, WriteTemp and Create. Uploads are the exception:
// the browser itself reads their files.
//
// The zero value allows relative paths below the folder of the process, and the private temporary
// folder. Rules may be used concurrently, but must not be changed while in use. The error for a
// refused path is POLICY_DENIED, with the path in its details. For a path that is too long, it is
// PARAM_INVALID. Other errors are those of the file system. Rules implement [steps.Files].
type Rules struct {
	// Cwd is the caller's folder, on which relative paths are based. It is absolute. An empty Cwd
	// means the folder of the process.
	Cwd   string
	Allow []string // further folders; absolute
	// Saved returns the folder where the browser keeps downloads. Steps may read this folder. A nil
	// Saved or an empty result means that there is no such folder. Saved is called at each check,
	// because a browser creates the folder on first use.
	Saved func() string
	// Sources are files and folders from which definitions are read. No step may write there. The
	// same holds for all folders with the name [loader.ConfigFolder], which need not be in Sources.
	Sources []string
	Home    string // the user's home folder; "": unknown
	// Packaged means that a part of the running action, or of one of its callers, comes from a
	// package. In that case, further limits apply.
	Packaged bool
}

var _ steps.Files = Rules{}

// ReadPath returns the real path of a file to read. The result is absolute if Cwd is.
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

// WritePath returns the real path of a file to write. The result is absolute if Cwd is. The file
// need not exist.
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
