package loader

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"syscall"

	"github.com/actionregistry/action/actions"
	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// A Source provides definitions. A program that embeds this module may add its own sources.
type Source interface {
	// Origin identifies the source. Its Kind is the priority of the source. Files of the same
	// priority must not contradict each other.
	Origin() spec.Source
	// Open returns the files to read. It may return nil, without an error, if there are no files.
	// The loader closes the tree.
	Open() (*Tree, error)
}

// A Tree holds the files of one source.
type Tree struct {
	// FS contains the files. It must not follow links that lead out of its root; the file system
	// of an [os.Root] meets this condition.
	FS fs.FS
	// Files lists the slash-separated paths to load. Nil means every .yaml and .yml file, except in
	// node_modules and in folders that start with a dot.
	Files []string
	// Name returns the name of a file in positions. If Name is nil, the name is the path.
	Name func(path string) string
	// Close, if set, is called once when loading has ended.
	Close func() error
}

func (t *Tree) name(path string) string {
	if t.Name == nil {
		return path
	}
	return t.Name(path)
}

// Builtin returns the source of the definitions that are part of the program.
func Builtin() Source { return builtin{} }

type builtin struct{}

func (builtin) Origin() spec.Source { return spec.Source{Kind: spec.Builtin} }

func (builtin) Open() (*Tree, error) {
	return &Tree{FS: actions.FS, Name: func(p string) string { return "builtin/" + p }}, nil
}

// Folder returns a source of every definition file below dir. If required is set, a missing dir is
// an error.
func Folder(origin spec.Source, dir string, required bool) Source {
	return folder{origin: origin, dir: dir, required: required}
}

type folder struct {
	origin   spec.Source
	dir      string
	within   string // for an npm package, the part below its root
	required bool
}

func (f folder) Origin() spec.Source { return f.origin }

func (f folder) Open() (*Tree, error) {
	t, err := openFolder(f.dir, f.within)
	if errors.Is(err, fs.ErrNotExist) && !f.required {
		return nil, nil
	}
	return t, err
}

// openFolder opens the folder dir/within. Links that lead out of it are not followed.
func openFolder(dir, within string) (*Tree, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, err
	}
	if within != "" && within != "." {
		sub, err := root.OpenRoot(within)
		root.Close()
		if err != nil {
			return nil, err
		}
		root, abs = sub, filepath.Join(abs, within)
	}
	return &Tree{
		FS:    root.FS(),
		Name:  func(p string) string { return filepath.Join(abs, filepath.FromSlash(p)) },
		Close: root.Close,
	}, nil
}

// projectActions is the folder of a project's definitions. Links that lead out of the project's
// [ConfigFolder] are errors.
type projectActions struct{ folder }

func (p projectActions) Open() (*Tree, error) {
	if err := notLinked(p.dir); err != nil {
		return nil, err
	}
	return p.folder.Open()
}

// notLinked returns an error if the [ConfigFolder] of a project is a link.
func notLinked(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return err
	}
	return diag.At(diag.Pos{File: dir}, diag.SecurityError, "the project's %s is a link, expected a folder: links are not followed", ConfigFolder).
		WithHint("replace the link with a folder of the project; name other folders of definitions in actions.paths or ACTION_PATH")
}

// openProjectFile opens a file of a project's [ConfigFolder]. A link out of that folder is an
// error.
func openProjectFile(name string) (*os.File, error) {
	dir := filepath.Dir(name)
	if err := notLinked(dir); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.OpenFile(filepath.Base(name), readOnly, 0)
}

// readOnly opens a file of any kind. Without O_NONBLOCK, opening a pipe would wait for a writer.
const readOnly = os.O_RDONLY | syscall.O_NONBLOCK

// Path returns a source of one file, or of every definition file below a folder. A missing path is
// an error.
func Path(origin spec.Source, path string) Source {
	return onePath{origin: origin, path: path}
}

type onePath struct {
	origin spec.Source
	path   string
}

func (s onePath) Origin() spec.Source { return s.origin }

func (s onePath) Open() (*Tree, error) {
	info, err := os.Stat(s.path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return openFolder(s.path, "")
	}
	if s.origin.Kind == spec.Project && !isDefinition(filepath.ToSlash(s.path)) {
		// A project can name any file of the user who opens it, so other files are not read.
		return nil, errNoDefinition
	}
	t, err := openFolder(filepath.Dir(s.path), "")
	if err != nil {
		return nil, err
	}
	t.Files = []string{filepath.Base(s.path)}
	return t, nil
}

// ConfigFolder is the name of the folder with the actions and the configuration of a user or of a
// project.
const ConfigFolder = ".agent-browser"

// ProjectFolder searches for the path ConfigFolder/entry in cwd and in the folders above it. It
// returns the nearest path that exists, or "" if there is none. It skips the home folder.
func ProjectFolder(cwd, home, entry string) string {
	for dir := range Upward(cwd) {
		candidate := filepath.Join(dir, ConfigFolder, entry)
		if _, err := os.Stat(candidate); err == nil && (home == "" || !sameFile(dir, home)) {
			return candidate
		}
	}
	return ""
}

// Upward yields path and every folder above it, from the nearest to the root. It yields nothing if
// path is empty. It does not access the file system.
func Upward(path string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if path == "" {
			return
		}
		for at := filepath.Clean(path); yield(at); at = filepath.Dir(at) {
			if at == filepath.Dir(at) {
				return
			}
		}
	}
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// Limits of a folder of definitions.
const (
	maxFiles   = 10_000  // definition files of one source
	maxVisited = 100_000 // files and folders visited to find them
	maxNested  = 64      // nesting of folders
)

// list returns the definition files of the tree, sorted, and the problems of files that cannot be
// read. It returns an error only if ctx is done.
func (t *Tree) list(ctx context.Context, origin spec.Source) ([]string, diag.List, error) {
	if t.Files != nil {
		files := append([]string(nil), t.Files...)
		sort.Strings(files) // the order of a listing must not decide anything
		return files, nil, nil
	}
	w := finder{tree: t, origin: origin}
	err := fs.WalkDir(t.FS, ".", func(p string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return w.visit(p, d, err)
	})
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil {
		w.problems.Add(fileError(t.name("."), err))
	}
	sort.Strings(w.files)
	return w.files, w.problems, nil
}

// A finder finds the definition files of a tree.
type finder struct {
	tree     *Tree
	origin   spec.Source
	seen     int  // number of entries
	deep     bool // set once the nesting of folders was reported as too deep
	files    []string
	problems diag.List
}

// visit is a [fs.WalkDirFunc].
func (w *finder) visit(p string, d fs.DirEntry, err error) error {
	w.seen++
	t := w.tree
	switch {
	case err != nil && p == ".":
		return err
	case err != nil:
		w.problems.Add(fileError(t.name(p), err))
	case d.IsDir() && p != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
		return fs.SkipDir
	case d.IsDir() && strings.Count(p, "/") >= maxNested:
		if !w.deep {
			w.tooMuch("folders that are nested too deeply and were not searched, expected at most %d levels", maxNested)
		}
		w.deep = true
		return fs.SkipDir
	case d.IsDir():
	case d.Type()&fs.ModeSymlink != 0 && path.Ext(p) == "":
		// A link without an extension may lead to a folder, which must not be omitted silently.
		if _, err := fs.Stat(t.FS, p); err != nil {
			w.problems.Add(fileError(t.name(p), err))
		}
	case isDefinition(p):
		w.files = append(w.files, p)
	}
	switch {
	case len(w.files) > maxFiles:
		w.tooMuch("too many definition files, expected at most %d", maxFiles)
		return fs.SkipAll
	case w.seen > maxVisited:
		w.tooMuch("too many files and folders, expected at most %d; the rest was not searched", maxVisited)
		return fs.SkipAll
	}
	return nil
}

func (w *finder) tooMuch(what string, most int) {
	w.problems.Add(diag.New(diag.LimitExceeded, "%s has "+what, w.origin, most).
		WithHint("use a folder that contains only definitions"))
}

func isDefinition(p string) bool {
	ext := path.Ext(p)
	return (ext == ".yaml" || ext == ".yml") && !strings.HasPrefix(path.Base(p), ".")
}

// errNoDefinition is the error for a file that is not a definition file.
var errNoDefinition = errors.New("the name does not end in .yaml or .yml")

// fileError returns the error for a file that cannot be read. If err has a code, fileError returns
// it unchanged.
func fileError(name string, err error) *diag.Error {
	pos := diag.Pos{File: name}
	if e := diag.As(err); e != nil {
		return e
	}
	switch {
	case strings.Contains(err.Error(), "escapes from parent"):
		return diag.At(pos, diag.SecurityError, "the path leads out of the folder of its source").Because(err).
			WithHint("copy the file into that folder, or add the folder of the file to actions.paths or ACTION_PATH")
	case errors.Is(err, fs.ErrNotExist):
		return diag.At(pos, diag.DefinitionInvalid, "there is no such file or folder").Because(err).
			WithHint("correct the path, or remove it from the configuration")
	case errors.Is(err, fs.ErrPermission):
		return diag.At(pos, diag.DefinitionInvalid, "the permission to read the path is missing").Because(err).
			WithHint("change the permissions of the path so that you may read it")
	}
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return diag.At(pos, diag.DefinitionInvalid, "the file cannot be read: %v", err).Because(err).
		WithHint("make the file readable, or remove it from the folder of definitions")
}
