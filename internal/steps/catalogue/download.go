package catalogue

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/steps"
)

type downloadArgs struct {
	Selector  *driver.Target `arg:"selector,one" pos:"1" doc:"what to press"`
	URL       string         `arg:"url,one" doc:"instead of a selector: the address of the file"`
	Path      string         `arg:"path" doc:"the file, or the folder for it; absent: a private folder, deleted with the session"`
	Overwrite bool           `arg:"overwrite" with:"path" default:"false" doc:"replace an existing file"`
}

type downloadResult struct {
	Path     string `json:"path" doc:"where the file is"`
	Filename string `json:"filename" doc:"name suggested by the server"`
	Size     int64  `json:"size" doc:"in bytes"`
	URL      string `json:"url" doc:"where it came from"`
}

var downloadSteps = []*steps.Entry{steps.Define(steps.Entry{
	Name: "download", Group: steps.GroupBrowser, Limit: steps.PageTime,
	Summary: "save a file that the page offers",
	Doc: "Presses an element as click does, or loads an address in the window of the active tab, whose page stays. Then it waits until the file is complete. " +
		"An address is saved even if it is a page or a picture; an error of the server is STEP_FAILED.\n\n" +
		"`path` is a file, or an existing folder, where the file gets the name suggested by the server; " +
		"without it the file stays in a private folder of the browser, where `upload` can read it, until the session ends. " +
		"An existing file is refused before the press, in a folder as soon as the name is known, unless `overwrite` is set. " +
		"A download that breaks off is STEP_FAILED, with the amount received; if none begins, the error says what the press did instead. " +
		"The late file of an earlier press is not mistaken for that of this press, but only causes a warning. If it could belong to either press, the step is STEP_FAILED.",
	Example: "{download: {selector: \"text:Export\", path: reports/}, output: report}",
}, download)}

func download(ctx context.Context, env *steps.Env, a *downloadArgs) (r downloadResult, err error) {
	o := driver.DownloadOptions{Target: a.Selector, URL: a.URL}
	if o.Target == nil {
		if err := checkURL(env, o.URL); err != nil {
			return r, err
		}
	}
	to, err := destinationFor(env.Files, a.Path, a.Overwrite)
	if err != nil {
		return r, err
	}
	o.Accept, o.Keep = to.name, to.said == ""
	d, err := env.Browser.Download(ctx, o)
	if err != nil {
		return r, err
	}
	path, err := to.take(ctx, d)
	return downloadResult{Path: path, Filename: d.Name, Size: d.Size, URL: d.URL}, err
}

// A destination is the path at which a download will be saved.
type destination struct {
	rules     steps.Files
	said      string
	folder    bool
	path      string // the file, or its folder until the name is known; "" leaves the file with the browser
	overwrite bool
}

// destinationFor returns the destination for a path in a definition. It returns an error if no file
// can be written there.
func destinationFor(rules steps.Files, said string, overwrite bool) (*destination, error) {
	s := &destination{rules: rules, said: said, overwrite: overwrite}
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
		return nil, diag.New(diag.ParamInvalid, "there is no folder %s", said).WithHint("create the folder first, or pass the path of a file")
	}
	if parent, err := os.Stat(filepath.Dir(s.path)); err != nil || !parent.IsDir() {
		return nil, diag.New(diag.ParamInvalid, "there is no folder %s for the download", filepath.Dir(said)).WithHint("create the folder first")
	}
	return s, s.free()
}

// name appends the name of the downloaded file if the destination is a folder.
func (s *destination) name(name string) error {
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

// free returns an error if the destination exists and may not be overwritten.
func (s *destination) free() error {
	info, err := os.Lstat(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return unwritable(s.path, err)
	case !info.Mode().IsRegular():
		return diag.New(diag.ParamInvalid, "found %s, expected a regular file", s.path).WithHint("use another path")
	case !s.overwrite:
		return s.taken()
	}
	return nil
}

func (s *destination) taken() error {
	return diag.New(diag.StepFailed, "the file %s already exists", s.path).
		WithDetail("path", s.path).WithHint("use another path, or set `overwrite: true`")
}

// unwritable returns the error for a failed write to a path. If err has a code or comes from a
// cancelled context, unwritable returns it unchanged.
func unwritable(path string, err error) error {
	if diag.As(err) != nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if limit := diag.FileLimit(err); limit != nil {
		return limit
	}
	why := err.Error()
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		why = at.Path + ": " + at.Err.Error() // without the name of the system call
	}
	return diag.New(diag.StepFailed, "the file could not be written: %s", why).
		WithHint("check that the folder of %s exists, is writable and has free space", path).Because(err)
}

// take moves a complete download to the destination and returns its path. If the destination has no
// path, take leaves the file where it is.
func (s *destination) take(ctx context.Context, d driver.Downloaded) (string, error) {
	if s.said == "" {
		return d.Path, nil
	}
	source, err := os.Open(d.Path)
	if err != nil {
		return "", unwritable(s.path, err)
	}
	err = s.rules.Write(ctx, s.path, source, s.overwrite)
	err = cmp.Or(err, source.Close(), os.Remove(d.Path))
	switch {
	case errors.Is(err, fs.ErrExist):
		return "", s.taken()
	case err != nil:
		return "", unwritable(s.path, err)
	}
	return s.path, nil
}
