package steps

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

	"actionregistry/diag"
)

// DownloadOptions say what starts a download: a press of Target, or where that is
// nil loading URL.
type DownloadOptions struct {
	Target *Target
	URL    string
	// Accept is told the file's name as soon as that is known; its error ends the
	// download and is returned. nil accepts all.
	Accept func(name string) error
}

// A Downloaded is a file that is complete.
type Downloaded struct {
	Path string // in the browser's private folder; the caller may move it away
	Name string // that the server suggests, without a path
	URL  string
	Size int64
}

// Downloader saves what pages and addresses offer as files.
type Downloader interface {
	// Download starts a download and waits until the file is complete. One that is
	// broken off is STEP_FAILED; none that begins, or ends, in time is TIMEOUT.
	Download(ctx context.Context, o DownloadOptions) (Downloaded, error)
}

var downloadSteps = []*Entry{{
	Name: "download", Group: GroupBrowser, Limit: PageTime,
	Summary: "save a file that the page offers",
	Doc: "Presses an element as click does, or loads an address in the window of the active tab, whose page stays, and waits until the file is complete. " +
		"An address is saved whatever is there, a page or a picture too; an error of the server is STEP_FAILED.\n\n" +
		"`path` is a file, or a folder that there is, where the file gets the name that the server suggests; without it the file goes into the private temporary folder. " +
		"A file that is there already is refused before the press, in a folder as soon as the name is known, unless `overwrite` is set. " +
		"A download that breaks off is STEP_FAILED, with how much of it came; where none begins the error says what the press did instead.",
	Example: "{action: download, args: {selector: \"text:Export\", path: reports/}, output: report}",
	Args: []Arg{selectorArg("what to press", false),
		{Name: "url", Type: ArgText, Doc: "instead of a selector: the address of the file"},
		{Name: "path", Type: ArgText, Doc: "the file, or the folder that it goes into; absent: a new temporary file"},
		{Name: "overwrite", Type: ArgBoolean, Default: false, Doc: "whether a file that is there is replaced"}},
	OneOf: []string{"selector", "url"}, With: map[string]string{"overwrite": "path"},
	Hand: []string{"selector"},
	Result: []Field{{"path", "where the file is"}, {"filename", "name that the server suggests"},
		{"size", "in bytes"}, {"url", "where it came from"}},
	Run: runDownload,
}}

func runDownload(ctx context.Context, env *Env, a *Args) (Result, error) {
	o := DownloadOptions{Target: a.Target("selector"), URL: a.Text("url")}
	if o.Target == nil {
		check := env.CheckURL
		if check == nil {
			check = CheckWebURL
		}
		if err := check(o.URL); err != nil {
			return nil, err
		}
	}
	to, err := placeFor(env.Files, a.Text("path"), a.Bool("overwrite"))
	if err != nil {
		return nil, err
	}
	o.Accept = to.name
	d, err := env.Browser.Download(ctx, o)
	if err != nil {
		return nil, err
	}
	path, err := to.take(d)
	if err != nil {
		return nil, err
	}
	return Result{"path": path, "filename": d.Name, "size": d.Size, "url": d.URL}, nil
}

// A saving is where a download goes.
type saving struct {
	rules     Files
	said      string
	folder    bool
	path      string // "": a new temporary file; of a folder until the name is known
	overwrite bool
}

// placeFor checks where a download is to go before anything is pressed for it.
func placeFor(rules Files, said string, overwrite bool) (*saving, error) {
	s := &saving{rules: rules, said: said, overwrite: overwrite}
	if said == "" {
		return s, nil
	}
	var err error
	if s.path, err = rules.WritePath(said); err != nil {
		return nil, err
	}
	info, err := os.Stat(s.path)
	switch {
	case err == nil && info.IsDir():
		s.folder = true
		return s, nil
	case strings.HasSuffix(said, "/"):
		return nil, diag.New(diag.ParamInvalid, "there is no folder %s", said).WithHint("make it first, or give the path of a file")
	}
	if parent, err := os.Stat(filepath.Dir(s.path)); err != nil || !parent.IsDir() {
		return nil, diag.New(diag.ParamInvalid, "there is no folder %s for the download", filepath.Dir(said)).WithHint("make it first")
	}
	return s, s.free()
}

// name is told the name of the file.
func (s *saving) name(name string) error {
	if !s.folder {
		return nil
	}
	var err error
	if s.path, err = s.rules.WritePath(filepath.Join(s.path, name)); err != nil {
		return err
	}
	s.folder = false
	return s.free()
}

// free refuses a file that is there already.
func (s *saving) free() error {
	info, err := os.Lstat(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return unwritable(s.path, err)
	case !info.Mode().IsRegular():
		return diag.New(diag.ParamInvalid, "%s is there already and no file", s.path).WithHint("give another path")
	case !s.overwrite:
		return s.taken()
	}
	return nil
}

func (s *saving) taken() error {
	return diag.New(diag.StepFailed, "the file %s is there already", s.path).
		WithDetail("path", s.path).WithHint("give another path, or overwrite: true")
}

func unwritable(path string, err error) error {
	return diag.New(diag.StepFailed, "the file could not be written: %v", err).
		WithHint("check the rights and the free space of the folder of %s", path).Because(err)
}

// take moves a complete download to its place.
func (s *saving) take(d Downloaded) (string, error) {
	path, put := s.path, putNew
	if s.said == "" {
		ending := filepath.Ext(d.Name)
		pattern := strings.ReplaceAll(strings.TrimSuffix(d.Name, ending)+"-\x00"+ending, "*", "_")
		var err error
		if path, err = s.rules.TempPath(strings.Replace(pattern, "\x00", "*", 1)); err != nil {
			return "", err
		}
		put = os.Rename
	}
	if s.overwrite {
		put = os.Rename
	}
	err := move(d.Path, path, put)
	switch {
	case errors.Is(err, fs.ErrExist):
		return "", s.taken()
	case err != nil:
		return "", unwritable(path, err)
	}
	return path, nil
}

// putNew moves a file to where none is.
func putNew(from, to string) error {
	if err := os.Link(from, to); err != nil {
		if errors.Is(err, fs.ErrExist) || errors.Is(err, syscall.EXDEV) {
			return err
		}
		// A file system without links.
		if _, err := os.Lstat(to); err == nil {
			return fs.ErrExist
		}
		return os.Rename(from, to)
	}
	return os.Remove(from)
}

// move moves a file by put, which cannot reach another file system: there it is
// copied beside its place before.
func move(from, to string, put func(from, to string) error) error {
	if err := os.Chmod(from, 0o600); err != nil {
		return err
	}
	err := put(from, to)
	if !errors.Is(err, syscall.EXDEV) {
		return err
	}
	beside, err := copyBeside(from, to)
	if err != nil {
		return err
	}
	if err := put(beside, to); err != nil {
		return errors.Join(err, os.Remove(beside))
	}
	return os.Remove(from)
}

// copyBeside copies a file into the folder of to, under a name of its own.
func copyBeside(from, to string) (path string, err error) {
	source, err := os.Open(from)
	if err != nil {
		return "", err
	}
	defer source.Close()
	file, err := os.CreateTemp(filepath.Dir(to), fmt.Sprintf(".%.40s-*", filepath.Base(to))) // mode 0600
	if err != nil {
		return "", err
	}
	_, err = io.Copy(file, source)
	if err = errors.Join(err, file.Close()); err != nil {
		return "", errors.Join(err, os.Remove(file.Name()))
	}
	return file.Name(), nil
}
