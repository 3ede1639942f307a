package definitions

// Detecting changed definitions. While definitions are read, a stamp is recorded for everything
// examined: files, folders, and paths that do not exist. Definitions have changed if any stamp
// has. This detects every kind of change, on every file system, and costs a microsecond per file.

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/actionregistry/action/loader"
)

// A stamp is the state of a file, by which a change is detected.
type stamp struct {
	size        int64
	mode        fs.FileMode
	changed     int64 // of the content, in nanoseconds
	device, ino uint64
}

func stampOf(name string) stamp {
	info, err := os.Stat(name)
	if err != nil {
		return stamp{mode: fs.ModeIrregular} // whether or not it exists, it cannot be read
	}
	s := stamp{size: info.Size(), mode: info.Mode(), changed: info.ModTime().UnixNano()}
	s.device, s.ino = identity(info)
	return s
}

// identity returns numbers that change when a file is replaced by another one of the same name.
func identity(info fs.FileInfo) (device, ino uint64) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Dev), st.Ino
	}
	return 0, 0
}

// tick is longer than the resolution of the clocks of file systems. Two changes of a file within
// one tick may have the same time.
const tick = 50 * time.Millisecond

// A watch records which files were examined while definitions were read, to detect changes. A nil
// watch records nothing. Only one load at a time may use a watch.
type watch struct {
	// instead has the texts that are used in place of files, by the names of the files.
	instead map[string][]byte

	mu    sync.Mutex // files are read in parallel
	seen  map[string]stamp
	fresh time.Time // files that changed later than this may have changed again without a new stamp; zero once checked
}

func newWatch() *watch {
	return &watch{seen: make(map[string]stamp), fresh: time.Now().Add(-tick)}
}

// note records the stamp of a file. It must be called before the file is read, so that later
// changes are detected.
func (w *watch) note(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.seen[name]; !ok {
		w.seen[name] = stampOf(name)
	}
}

// len returns the number of recorded paths.
func (w *watch) len() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.seen)
}

// changed reports whether any recorded file may have changed.
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

// config records all paths at which a configuration or a project could be.
func (w *watch) config(o Options) {
	if w == nil {
		return
	}
	if home := lookup(o.Environ, "HOME"); home != "" {
		w.note(filepath.Join(home, loader.ConfigFolder, "config.yaml"))
	}
	for dir := range loader.Upward(o.Cwd) {
		for _, entry := range []string{"", "config.yaml", "actions"} {
			w.note(filepath.Join(dir, loader.ConfigFolder, entry))
		}
	}
}

// sources returns the sources of a configuration. The watch records all files that are read from
// them.
func (w *watch) sources(c *loader.Config, o Options) []loader.Source {
	all := append(c.Sources(), o.Sources...)
	if w == nil {
		return all
	}
	for dir := range loader.Upward(o.Cwd) {
		for _, name := range c.Actions.Packages {
			at := filepath.Join(dir, "node_modules", filepath.FromSlash(name))
			w.note(at)
			w.note(filepath.Join(at, "package.json"))
		}
	}
	for i, s := range all {
		all[i] = watched{s, w}
	}
	return all
}

// A watched is a source whose files are recorded by a watch.
type watched struct {
	loader.Source
	watch *watch
}

// Open implements [loader.Source].
func (s watched) Open() (*loader.Tree, error) {
	if name := s.Origin().Name; filepath.IsAbs(name) {
		s.watch.note(name) // it may not exist
	}
	t, err := s.Source.Open()
	if t == nil || t.Name == nil || err != nil {
		return t, err
	}
	out := *t
	out.FS = watchedFS{t.FS, t.Name, s.watch}
	return &out, nil
}

// A watchedFS is a file system whose files are recorded by a watch. It returns the texts of
// watch.instead in place of their files.
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

// A text is an open file whose content is in memory. It is also its own [fs.FileInfo].
type text struct {
	*bytes.Reader
	name string
}

func newText(path string, data []byte) *text {
	return &text{bytes.NewReader(data), filepath.Base(path)}
}

func (t *text) Stat() (fs.FileInfo, error) { return t, nil }

func (t *text) Close() error { return nil }

func (t *text) Name() string { return t.name }

func (t *text) Mode() fs.FileMode { return 0o400 }

func (t *text) ModTime() time.Time { return time.Time{} }

func (t *text) IsDir() bool { return false }

func (t *text) Sys() any { return nil }
