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

// Rules say which files the steps of one caller may read and write. These are the files in the
// caller's folder, in the private temporary folder, and in the folders that the policy allows.
// Rules implement [steps.Files].
//
// The zero value allows relative paths below the folder of the process, and the private temporary
// folder. Rules may be used concurrently, but must not be changed while in use.
//
// The error for a forbidden path is POLICY_DENIED, with the path in its details. The error for a
// path that is too long is PARAM_INVALID. Other errors are those of the file system.
type Rules struct {
	// Cwd is the absolute path of the caller's folder, which is the base of relative paths. ""
	// means the folder of the process.
	Cwd   string
	Allow []string // further folders; absolute
	// Saved returns the folder with the downloads of the browser, which steps may read. "" means
	// none. Saved is called at each check, because the folder may be created later. If Saved is
	// nil, there is no such folder.
	Saved func() string
	// Sources are the files and folders with definitions. Steps may not write to them, nor to any
	// folder named [loader.ConfigFolder].
	Sources []string
	Home    string // the user's home folder; "": unknown
	// Packaged means that the running action, or an action that has called it, is from a package.
	// Its steps may then use fewer files.
	Packaged bool
}

var _ steps.Files = Rules{}

// ReadPath returns the path of a file to read, with its links resolved. The result is absolute if
// Cwd is.
func (f Rules) ReadPath(path string) (string, error) {
	_, real, err := f.readable(path)
	return real, err
}

// readable is like ReadPath. root is the allowed folder that contains the file.
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

// WritePath returns the path of a file to write, with its links resolved. The result is absolute if
// Cwd is. The file need not exist.
func (f Rules) WritePath(path string) (string, error) {
	_, real, err := f.writable(path)
	return real, err
}

// writable is like WritePath. root is the allowed folder that contains the file.
func (f Rules) writable(path string) (root, real string, err error) {
	if root, real, err = f.locate(path, ""); err == nil {
		err = f.mayWrite(root, real)
	}
	if err != nil {
		return "", "", err
	}
	return root, real, nil
}
