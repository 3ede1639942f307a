package loader

// Where the definitions of a program that runs in a folder are.

import (
	"path/filepath"
	"strings"

	"github.com/actionregistry/action/spec"
)

// Places lists the folders, files and packages in which a program searches for definitions. All
// fields may be empty.
type Places struct {
	Home         string   // the user's home folder
	Cwd          string   // where the search for a project begins
	Packages     []string // npm packages
	UserPaths    []string // files or folders of the user's config, or of its variables and flags
	ProjectPaths []string // files or folders of the project's config
	Path         []string // entries of ACTION_PATH
}

// Sources returns the sources of definitions, lowest priority first. They do not include the
// builtin source.
func (p Places) Sources() []Source {
	var out []Source
	add := func(kind spec.SourceKind, paths []string) {
		for _, path := range paths {
			origin := spec.Source{Kind: kind, Name: path}
			if p.isDefault(p.abs(path)) { // may be missing, even if it is named
				out = append(out, Folder(origin, p.abs(path), false))
			} else {
				out = append(out, Path(origin, p.abs(path)))
			}
		}
	}
	from := p.Cwd
	if dir := ProjectFolder(p.Cwd, p.Home, ""); dir != "" {
		from = filepath.Dir(dir)
	}
	for _, name := range p.Packages {
		out = append(out, Package(name, from))
	}
	if p.Home != "" {
		dir := filepath.Join(p.Home, ConfigFolder, "actions")
		out = append(out, Folder(spec.Source{Kind: spec.Global, Name: dir}, dir, false))
	}
	add(spec.Global, p.UserPaths)
	if dir := ProjectFolder(p.Cwd, p.Home, "actions"); dir != "" {
		out = append(out, projectActions{folder{origin: spec.Source{Kind: spec.Project, Name: dir}, dir: filepath.Dir(dir), within: "actions"}})
	}
	add(spec.Project, p.ProjectPaths)
	add(spec.Env, p.Path)
	return out
}

// isDefault reports whether a path is the folder of definitions of the user, or of a project that
// contains Cwd. These folders are always searched.
func (p Places) isDefault(path string) bool {
	inside, entry := filepath.Split(filepath.Clean(path))
	dir, folder := filepath.Split(filepath.Clean(inside))
	if entry != "actions" || folder != ConfigFolder {
		return false
	}
	dir = filepath.Clean(dir)
	below, err := filepath.Rel(dir, filepath.Clean(p.Cwd))
	return p.Home != "" && dir == filepath.Clean(p.Home) || p.Cwd != "" && err == nil && !strings.HasPrefix(below, "..")
}

// abs makes a path absolute. "~/" at its beginning means the home folder. Other relative paths
// start at Cwd.
func (p Places) abs(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && p.Home != "" {
		return filepath.Join(p.Home, rest)
	}
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(p.Cwd, path)
}
