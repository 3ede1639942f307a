package files

// Reading and writing the files of steps and traces. A file is created under a temporary name in
// its folder and then renamed: nothing is ever written through a link, symbolic or hard, and
// readers see either the old or the new file.
//
// The folder is opened name by name below the allowed folder, and no name may be a link. So the
// checked file is the one that is read or written, even if a folder in its path is replaced after
// the check.

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/actionregistry/action/diag"
)

// A destination is an open folder, and the name of a file in it. The file need not exist.
type destination struct {
	folder *os.Root
	name   string
}

// Open opens a regular file for reading, if ReadPath allows its path.
func (f Rules) Open(path string) (*os.File, error) {
	root, real, err := f.readable(path)
	if err != nil {
		return nil, err
	}
	d, err := below(root, real)
	if err != nil {
		return nil, err
	}
	defer d.folder.Close()
	info, err := d.folder.Lstat(d.name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, notRegular(d.name)
	}
	// The file may have become a pipe. Without O_NONBLOCK, opening a pipe waits for a writer.
	file, err := d.folder.OpenFile(d.name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	at, err := file.Stat()
	if err == nil && !os.SameFile(info, at) {
		err = replaced(d.name)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func notRegular(name string) error {
	return &fs.PathError{Op: "open", Path: name, Err: errors.New("it is not a regular file")}
}

// replaced returns the error for a file or folder that was replaced after its path was checked.
func replaced(name string) error {
	return diag.New(diag.PolicyDenied, "%s was replaced while it was being opened", name).
		WithHint("find out what replaces it, then run the step again")
}

// Write writes a file that only its owner can read. The path must be a result of WritePath. If the
// file exists, it is replaced if replace is set. Otherwise the error is [fs.ErrExist].
func (f Rules) Write(ctx context.Context, path string, data io.Reader, replace bool) error {
	d, err := f.open(path)
	if err != nil {
		return err
	}
	defer d.folder.Close()
	there, err := d.free(replace)
	if err != nil {
		return err
	}
	file, temp, err := d.create()
	if err != nil {
		return err
	}
	done := func() error { return nil }
	if f.Packaged {
		content := sha256.New()
		data = io.TeeReader(data, content)
		done = func() error { return mark(file, content) }
	}
	// Sync a replacement: if the machine stops, the old or the new data must exist.
	if err = fill(ctx, file, data, there, done); err == nil {
		// A package may not replace a file that was created after the check of the path.
		err = d.put(temp, replace && (there || !f.Packaged))
	}
	if err != nil {
		return errors.Join(err, d.drop(temp))
	}
	return nil
}

// Create creates an empty file at path, and returns it for writing. It replaces an existing file.
func (f Rules) Create(path string) (*os.File, error) {
	d, err := f.open(path)
	if err != nil {
		return nil, err
	}
	defer d.folder.Close()
	if _, err := d.free(true); err != nil {
		return nil, err
	}
	file, temp, err := d.create()
	if err != nil {
		return nil, err
	}
	if err := d.put(temp, true); err != nil {
		return nil, errors.Join(err, file.Close(), d.drop(temp))
	}
	return file, nil
}

// open checks whether the caller may write to a path, and opens the folder of the file.
func (f Rules) open(path string) (*destination, error) {
	root, real, err := f.writable(path)
	if err != nil {
		return nil, err
	}
	return below(root, real)
}

// below opens the folder that contains the path "real". It opens each folder on the way from root.
// If a folder is replaced meanwhile, below returns an error.
func below(root, real string) (*destination, error) {
	if real == root {
		return nil, &fs.PathError{Op: "open", Path: real, Err: errors.New("it is a folder")}
	}
	rel, err := filepath.Rel(root, filepath.Dir(real))
	if err != nil {
		return nil, err
	}
	info, err := os.Lstat(root)
	if err != nil {
		return nil, err
	}
	folder, err := enter(info, func() (*os.Root, error) { return os.OpenRoot(root) })
	for _, name := range parts(rel) {
		if err != nil {
			return nil, err
		}
		if name == "." {
			continue
		}
		above := folder
		if info, err = above.Lstat(name); err == nil {
			folder, err = enter(info, func() (*os.Root, error) { return above.OpenRoot(name) })
		}
		above.Close()
	}
	if err != nil {
		return nil, err
	}
	return &destination{folder, filepath.Base(real)}, nil
}

// enter opens a folder. It returns an error if the folder is not the one that info describes.
func enter(info fs.FileInfo, open func() (*os.Root, error)) (*os.Root, error) {
	if info.Mode()&fs.ModeSymlink != 0 {
		return nil, replaced(info.Name())
	}
	folder, err := open()
	if err != nil {
		return nil, err
	}
	at, err := folder.Stat(".")
	if err == nil && !os.SameFile(info, at) {
		err = replaced(info.Name())
	}
	if err != nil {
		return nil, errors.Join(err, folder.Close())
	}
	return folder, nil
}

// free reports whether the destination exists. If it exists and replace is not set, free returns an
// error. It also returns an error if the destination is not a regular file, or if its owner may not
// write it.
func (d *destination) free(replace bool) (there bool, err error) {
	info, err := d.folder.Lstat(d.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case !replace:
		err = fs.ErrExist
	case !info.Mode().IsRegular():
		err = errors.New("it already exists and is not a regular file")
	case info.Mode().Perm()&0o200 == 0:
		err = fs.ErrPermission
	default:
		return true, nil
	}
	return true, &fs.PathError{Op: "write", Path: d.name, Err: err}
}

// create creates a file with a temporary name in the folder of the destination. It returns the file
// and its name.
func (d *destination) create() (*os.File, string, error) {
	name := fmt.Sprintf(".%.40s-%s", d.name, rand.Text())
	file, err := d.folder.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	return file, name, err
}

// put renames the file with the temporary name to the destination. If replace is not set and the
// destination exists, the error is [fs.ErrExist].
func (d *destination) put(temp string, replace bool) error {
	if replace {
		return d.folder.Rename(temp, d.name)
	}
	err := d.folder.Link(temp, d.name)
	switch {
	case err == nil:
		return d.folder.Remove(temp)
	case errors.Is(err, fs.ErrExist):
		return err
	}
	// The file system has no hard links.
	if _, err := d.folder.Lstat(d.name); err == nil {
		return fs.ErrExist
	}
	return d.folder.Rename(temp, d.name)
}

// drop removes the file with the temporary name, if it exists.
func (d *destination) drop(temp string) error {
	if err := d.folder.Remove(temp); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// fillBytes is the number of bytes after which fill checks its context.
const fillBytes = 16 << 20

// fill writes data to a new file, calls the function "done" and closes the file. If ctx ends, it
// returns an error. After an error, the caller must remove the file.
func fill(ctx context.Context, file *os.File, data io.Reader, sync bool, done func() error) error {
	var err error
	for err == nil {
		if err = ctx.Err(); err == nil {
			_, err = io.CopyN(file, data, fillBytes)
		}
	}
	if errors.Is(err, io.EOF) {
		if err = done(); err == nil && sync {
			err = file.Sync()
		}
	}
	return cmp.Or(err, file.Close())
}

// WriteTemp writes a new file in the private temporary folder, and returns its path. The name of
// the file is the argument "pattern", with a random text instead of the "*".
func (f Rules) WriteTemp(ctx context.Context, pattern string, data io.Reader) (string, error) {
	dir, err := privateTemp()
	if err != nil {
		return "", err
	}
	file, err := os.CreateTemp(dir, pattern) // mode 0600
	if limit := diag.FileLimit(err); limit != nil {
		return "", limit
	}
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
