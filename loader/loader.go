// Package loader reads the definition files of all sources, merges them by priority into
// namespaces, and reads the configuration. Only this package knows YAML.
//
// It does not check the meaning of steps (package validator does), look up actions (package
// registry does) or run anything.
//
// Files, bottom to top: source, text, values, npm, places, policy, approval, network, glue, scalar,
// syntax, guard, parse, settings, config, format_read, format_short, format_write, format, cache, load, nodes,
// layer, extends, paramsets, replaced, merge, loader.
package loader

import (
	"context"
	"slices"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// Options determine what is loaded. The zero value loads only the builtin definitions.
type Options struct {
	// Sources are read in addition to the builtin source. Their order determines only the order of
	// files in messages.
	Sources []Source
	// NoBuiltin omits the builtin definitions.
	NoBuiltin bool
	// Strict makes Load return an error for any problem.
	Strict bool
	// Cache, if not nil, keeps parsed files for the next call.
	Cache *Cache
	// For, if not empty, is the full name of the action to run. Load then omits builtin namespaces
	// that the action does not need.
	For string

	// partial contains the names of sources. Files of these sources are kept even if they have
	// errors. They may be checked, but must not be run.
	partial map[string]bool
}

// A Set holds everything that was loaded. It is read-only.
type Set struct {
	// Namespaces are the merged definitions by name.
	Namespaces map[string]*spec.Namespace
	// Problems lists the errors in files and in their combination. Namespaces does not contain the
	// parts with errors.
	Problems diag.List
	// Files lists the files that were read, lowest priority first.
	Files []File
	// Left lists the builtin namespaces that Load has omitted because of [Options.For]. If a
	// definition does need one of them, Problems contains an error.
	Left []string
	// BuiltinChanged reports whether another source adds to a builtin namespace.
	BuiltinChanged bool

	text map[string][]byte
}

// A File is one definition file of a Set.
type File struct {
	Name      string // as in positions
	Source    spec.Source
	Namespace string // "" when the file is bad
	Actions   int
}

// Text returns the text of a file that was read, or nil for other files. Text can be used as a
// [diag.Printer.Source].
func (s *Set) Text(file string) []byte { return s.text[file] }

// Load reads the sources and merges their definitions. It omits files with errors and reports them
// in Problems. If o.Strict is set, it returns the problems as an error. Otherwise, it returns an
// error only if ctx is done.
func Load(ctx context.Context, o Options) (*Set, error) {
	l := &load{text: make(map[string][]byte), partial: o.partial, cache: o.Cache}
	defer l.close()
	sources := o.Sources
	if !o.NoBuiltin {
		sources = append([]Source{Builtin()}, sources...)
	}
	for _, s := range sources {
		if err := l.open(ctx, s); err != nil {
			return nil, err
		}
	}
	l.order()
	var left []string
	if o.For != "" {
		if err := l.read(ctx, l.files[l.builtins():]); err != nil {
			return nil, err
		}
		left = l.leave(o.For)
		if err := l.read(ctx, l.files[:l.builtins()]); err != nil {
			return nil, err
		}
	} else if err := l.read(ctx, l.files); err != nil {
		return nil, err
	}
	set := l.merge()
	set.Left = left
	if o.Strict && len(set.Problems) > 0 {
		return set, set.Problems.Err()
	}
	return set, nil
}

// CheckFiles loads files and folders together with the definitions of o. A missing path is a
// problem. Unlike Load, CheckFiles keeps the readable parts of files with errors. The actions of
// the set must therefore not be run.
func CheckFiles(ctx context.Context, paths []string, o Options) (*Set, error) {
	o.partial = make(map[string]bool)
	for _, p := range paths {
		o.Sources = append(slices.Clip(o.Sources), Path(spec.Source{Kind: spec.Checked, Name: p}, p))
		o.partial[p] = true
	}
	return Load(ctx, o)
}
