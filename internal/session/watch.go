package session

// Noticing that definitions have changed. While they are read, everything that
// is looked at is noted with its stamp: files, folders, what is not there. They
// have changed when any stamp has. That sees every way in which files change,
// on every file system, and costs a microsecond a file.

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/actionregistry/action/loader"
)

// A stamp tells versions of a file apart. The zero value is a file that is not
// there.
type stamp struct {
	size        int64
	mode        fs.FileMode
	changed     int64 // of the content, in nanoseconds
	device, ino uint64
}

func stampOf(name string) stamp {
	info, err := os.Stat(name)
	if err != nil {
		return stamp{mode: fs.ModeIrregular} // there or not, it cannot be read
	}
	s := stamp{size: info.Size(), mode: info.Mode(), changed: info.ModTime().UnixNano()}
	s.device, s.ino = identity(info)
	return s
}

// tick is longer than the clock of a file system stands still: of two changes
// within one, the second does not show in the stamp.
const tick = 50 * time.Millisecond

// A watch is what was looked at while definitions were read. A nil watch notes
// nothing. It is used by one load at a time.
type watch struct {
	// instead are the texts that are read in place of files.
	instead map[string][]byte

	mu    sync.Mutex // files are read in parallel
	seen  map[string]stamp
	fresh time.Time // files that were changed after it may have changed again unseen; zero once looked at
}

func newWatch() *watch {
	return &watch{seen: make(map[string]stamp), fresh: time.Now().Add(-tick)}
}

// note keeps the stamp that name had when it was first looked at: what is read
// of it is at least as new.
func (w *watch) note(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.seen[name]; !ok {
		w.seen[name] = stampOf(name)
	}
}

// len returns how many files and folders are looked at.
func (w *watch) len() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.seen)
}

// changed reports whether anything may be different from what was read.
func (w *watch) changed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	from, to := w.fresh.UnixNano(), int64(0)
	if !w.fresh.IsZero() {
		to = time.Now().UnixNano()
		w.fresh = time.Time{}
	}
	for name, was := range w.seen {
		if stampOf(name) != was || from < was.changed && was.changed < to {
			return true
		}
	}
	return false
}

// config notes where configuration and a project are looked for.
func (w *watch) config(o LoadOptions) {
	if w == nil {
		return
	}
	if home := lookup(o.Environ, "HOME"); home != "" {
		w.note(filepath.Join(home, loader.ConfigFolder, "config.yaml"))
	}
	upward(o.Cwd, func(dir string) {
		for _, entry := range []string{"", "config.yaml", "actions"} {
			w.note(filepath.Join(dir, loader.ConfigFolder, entry))
		}
	})
}

// upward calls f for dir and every folder above it.
func upward(dir string, f func(dir string)) {
	if dir == "" {
		return
	}
	for dir = filepath.Clean(dir); ; dir = filepath.Dir(dir) {
		f(dir)
		if dir == filepath.Dir(dir) {
			return
		}
	}
}

// sources returns the sources of a configuration, which note what is read.
func (w *watch) sources(c *loader.Config, o LoadOptions) []loader.Source {
	all := append(c.Sources(), o.Sources...)
	if w == nil {
		return all
	}
	upward(o.Cwd, func(dir string) {
		for _, name := range c.Actions.Packages {
			at := filepath.Join(dir, "node_modules", filepath.FromSlash(name))
			w.note(at)
			w.note(filepath.Join(at, "package.json"))
		}
	})
	for i, s := range all {
		all[i] = watched{s, w}
	}
	return all
}

// watched is a source whose reading is noted.
type watched struct {
	loader.Source
	watch *watch
}

// Open implements [loader.Source].
func (s watched) Open() (*loader.Tree, error) {
	if name := s.Origin().Name; filepath.IsAbs(name) {
		s.watch.note(name) // it may not be there
	}
	t, err := s.Source.Open()
	if t == nil || t.Name == nil || err != nil {
		return t, err
	}
	out := *t
	out.FS = watchedFS{t.FS, t.Name, s.watch}
	return &out, nil
}

// watchedFS notes what of a file system is looked at, and has other texts for
// some of its files.
type watchedFS struct {
	fs.FS
	name  func(path string) string
	watch *watch
}

// Open implements [fs.FS].
func (f watchedFS) Open(path string) (fs.File, error) {
	name := f.name(path)
	f.watch.note(name)
	if text, ok := f.watch.instead[name]; ok {
		return newText(path, text), nil
	}
	return f.FS.Open(path)
}

// Stat implements [fs.StatFS].
func (f watchedFS) Stat(path string) (fs.FileInfo, error) {
	name := f.name(path)
	f.watch.note(name)
	if text, ok := f.watch.instead[name]; ok {
		return newText(path, text).Stat()
	}
	return fs.Stat(f.FS, path)
}

// ReadDir implements [fs.ReadDirFS].
func (f watchedFS) ReadDir(path string) ([]fs.DirEntry, error) {
	f.watch.note(f.name(path))
	return fs.ReadDir(f.FS, path)
}

// A text is a file in memory, and its own description.
type text struct {
	*bytes.Reader
	name string
}

func newText(path string, data []byte) *text {
	return &text{bytes.NewReader(data), filepath.Base(path)}
}

func (t *text) Stat() (fs.FileInfo, error) { return t, nil }
func (t *text) Close() error               { return nil }
func (t *text) Name() string               { return t.name }
func (t *text) Mode() fs.FileMode          { return 0o400 }
func (t *text) ModTime() time.Time         { return time.Time{} }
func (t *text) IsDir() bool                { return false }
func (t *text) Sys() any                   { return nil }
