package loader

// The state of one call of Load: the files of all sources, found, put in order and parsed.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/spec"
)

// A load is the state of one call of Load.
type load struct {
	trees    []*Tree
	files    []*file // in order of priority, then source, then path
	problems diag.List
	text     map[string][]byte
	partial  map[string]bool
	cache    *Cache
}

// A file is one definition file on its way into a Set.
type file struct {
	name     string
	path     string // in tree
	tree     *Tree
	source   spec.Source
	data     []byte
	def      *spec.File // nil when the file is bad
	problems diag.List
}

func (l *load) close() {
	for _, t := range l.trees {
		if t.Close != nil {
			t.Close() // an error loses nothing, because nothing was written
		}
	}
}

// open finds the files of a source. The error is that of ctx.
func (l *load) open(ctx context.Context, s Source) error {
	origin := s.Origin()
	t, err := s.Open()
	if err != nil {
		e := fileError(origin.Name, err)
		if e.Pos == (diag.Pos{}) {
			e = e.Clone()
			e.Msg = origin.String() + ": " + e.Msg
		}
		l.problems.Add(e)
		return nil
	}
	if t == nil {
		return nil
	}
	l.trees = append(l.trees, t)
	paths, problems, err := t.list(ctx, origin)
	l.problems.Add(problems...)
	for _, p := range paths {
		l.files = append(l.files, &file{name: t.name(p), path: p, tree: t, source: origin})
	}
	return err
}

// order sorts files by priority. If several sources contain the same file, it keeps the file only
// in the highest one.
func (l *load) order() {
	var byKind [allSourceKinds + 1][]*file
	for _, f := range l.files {
		byKind[f.source.Kind] = append(byKind[f.source.Kind], f)
	}
	seen := make(map[string]bool, len(l.files))
	for kind := len(byKind) - 1; kind >= 0; kind-- {
		kept := byKind[kind][:0]
		for _, f := range byKind[kind] {
			if !seen[f.name] {
				seen[f.name] = true
				kept = append(kept, f)
			}
		}
		byKind[kind] = kept
	}
	l.files = l.files[:0:0]
	for _, files := range byKind {
		l.files = append(l.files, files...)
	}
}

// builtins returns the number of builtin files, which come first.
func (l *load) builtins() int {
	return sort.Search(len(l.files), func(i int) bool { return l.files[i].source.Kind != spec.Builtin })
}

// leave drops the builtin files that a run of an action does not need, and returns their
// namespaces. It keeps the namespace of the action and the namespaces that files of other sources
// mention. It also keeps what a kept builtin file names in `extends` or in a run step.
func (l *load) leave(action string) (left []string) {
	n := l.builtins()
	builtin, others := l.files[:n], l.files[n:]
	named := func(name string) bool {
		if ns, _, _ := strings.Cut(action, ":"); ns == name {
			return true
		}
		return slices.ContainsFunc(others, func(f *file) bool {
			return bytes.Contains(f.data, []byte(name)) || f.def != nil && f.def.Namespace.Value == name
		})
	}
	kept := make(map[*file]bool)
	var keep func(f *file)
	keep = func(f *file) {
		if kept[f] {
			return
		}
		kept[f] = true
		text, _ := f.tree.read(f.path) // reported when the file is read
		for line := range bytes.Lines(text) {
			for _, other := range builtin {
				name := []byte(other.namespace())
				if bytes.HasPrefix(line, []byte("extends:")) && bytes.Contains(line, name) || runs(line, name) {
					keep(other)
				}
			}
		}
	}
	for _, f := range builtin {
		if named(f.namespace()) {
			keep(f)
		}
	}
	l.files = slices.DeleteFunc(l.files, func(f *file) bool {
		drop := f.source.Kind == spec.Builtin && !kept[f]
		if drop {
			left = append(left, f.namespace())
		}
		return drop
	})
	return left
}

// runs reports whether a line of a builtin file runs an action of the namespace by its full name.
func runs(line, namespace []byte) bool {
	_, action, ok := bytes.Cut(line, []byte("action: "))
	rest, ok2 := bytes.CutPrefix(bytes.TrimPrefix(action, []byte{'"'}), namespace)
	return ok && ok2 && bytes.HasPrefix(rest, []byte{':'})
}

// namespace returns the namespace of a builtin file, which is also the name of the file.
func (f *file) namespace() string { return strings.TrimSuffix(f.path, path.Ext(f.path)) }

// read parses files, several at a time.
func (l *load) read(ctx context.Context, files []*file) error {
	var wg sync.WaitGroup
	next := make(chan *file)
	for range min(runtime.GOMAXPROCS(0), 8, len(files)) {
		wg.Go(func() {
			for f := range next {
				f.load(l.cache, l.partial[f.source.Name])
			}
		})
	}
	var err error
	for _, f := range files {
		if err = ctx.Err(); err != nil {
			break
		}
		next <- f
	}
	close(next)
	wg.Wait()
	return err
}

// load reads one file. If partial is set, it keeps the readable parts of a file with errors.
func (f *file) load(c *Cache, partial bool) {
	data, err := f.tree.read(f.path)
	if err != nil {
		if errors.Is(err, errTooLarge) {
			f.problems.Add(tooLarge(f.name))
		} else {
			f.problems.Add(fileError(f.name, err))
		}
		return
	}
	f.data = trimText(data)
	key := cached{f.name, f.source, sha256.Sum256(data)}
	if f.def = c.get(key); f.def != nil {
		return
	}
	root, problems := ParseFile(f.name, data)
	if len(problems) > 0 {
		f.problems = problems
		return
	}
	def, problems := spec.Decode(root, f.source, catalogue.MainArg)
	f.problems = problems
	if len(problems) == 0 || partial && def != nil && def.Namespace.Value != "" {
		f.def = def
	}
	if len(problems) == 0 {
		c.add(key, def)
	}
}

var errTooLarge = errors.New("file too large")

// read returns the content of a file. If the file is too large or is not a regular file, it returns
// an error.
func (t *Tree) read(path string) ([]byte, error) {
	info, err := fs.Stat(t.FS, path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("found a folder or a special file, expected a regular file")
	}
	if info.Size() > MaxFileBytes {
		return nil, errTooLarge
	}
	r, err := t.FS.Open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, MaxFileBytes+1))
	if err == nil && len(data) > MaxFileBytes {
		err = errTooLarge
	}
	return data, err
}
