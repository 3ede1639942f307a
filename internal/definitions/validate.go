package definitions

// Checking files that need not be in force.

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/loader"
	"github.com/actionregistry/action/spec"
	"github.com/actionregistry/action/validator"
)

// absolute returns the absolute forms of paths. Relative paths start at cwd.
func absolute(cwd string, paths []string) []string {
	out := make([]string, len(paths))
	for i, p := range paths {
		if out[i] = filepath.Clean(p); !filepath.IsAbs(p) {
			out[i] = filepath.Join(cwd, p)
		}
	}
	return out
}

// A Validation is the result of checking files.
type Validation struct {
	Files    []string // absolute paths of the files that were checked
	Actions  int      // number of actions that they define
	Errors   diag.List
	Warnings diag.List
	Source   func(file string) []byte // the text of a file as it was read, or nil
}

// Validate checks files together with the definitions for o. paths lists definition files and
// folders; relative paths start at o.Cwd. Validate ignores o.Strict. The problems of the files are
// in the result, not in the error. If ctx ends, the error is that of [executor.NotBegun].
func Validate(ctx context.Context, o Options, paths []string) (*Validation, error) {
	config, _ := ReadConfig(o) // problems of the configuration are not reported here
	paths = absolute(o.Cwd, paths)
	set, err := loader.CheckFiles(ctx, paths, loader.Options{Sources: append(config.Sources(), o.Sources...)})
	if ctx.Err() != nil {
		return nil, executor.NotBegun(ctx)
	}
	if err != nil {
		return nil, err
	}
	v := &Validation{Source: set.Text}
	asked := make(map[string]bool)
	isAsked := func(s spec.Source) bool { return s.Kind == spec.Checked && slices.Contains(paths, s.Name) }
	// The position of a problem is in a file of the namespace in which it is found. Other
	// namespaces need no check, and the builtin ones are large.
	concerned := func(ns *spec.Namespace) bool {
		return len(ns.Layers) == 0 || slices.ContainsFunc(ns.Layers, func(l spec.Layer) bool { return isAsked(l.Source) })
	}
	for _, f := range set.Files {
		if !isAsked(f.Source) {
			continue
		}
		asked[f.Name] = true
		v.Files = append(v.Files, f.Name)
		v.Actions += f.Actions
	}
	about := func(list diag.List) diag.List {
		var out diag.List
		for _, e := range list {
			if e.Pos.File == "" || asked[e.Pos.File] {
				out.Add(e)
			}
		}
		return out
	}
	v.Errors = about(validator.Join(set.Problems, validator.CheckSome(set.Namespaces, concerned)))
	if ctx.Err() != nil {
		return nil, executor.NotBegun(ctx)
	}
	v.Warnings = about(validator.WarningsOfSome(set.Namespaces, concerned))
	for _, p := range paths {
		if _, err := os.Stat(p); errors.Is(err, os.ErrNotExist) && len(v.Errors) == 0 {
			v.Errors.Add(diag.New(diag.InvalidRequest, "there is no %s", p).WithHint("give a definition file or a folder of them"))
		}
	}
	return v, nil
}
