package loader

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// Package returns a source of the definitions in an npm package. It searches node_modules in the
// folder from and in the folders above it. The definitions are in the folder actions of the
// package, unless its package.json names another folder: {"agent-browser": {"actions": "dir"}}. No
// code of the package is run.
func Package(name, from string) Source {
	return npmPackage{name: name, from: from}
}

type npmPackage struct{ name, from string }

func (p npmPackage) Origin() spec.Source { return spec.Source{Kind: spec.Package, Name: p.name} }

func (p npmPackage) Open() (*Tree, error) {
	if !isPackageName(p.name) {
		return nil, diag.New(diag.DefinitionInvalid, "found %s, expected the name of an npm package", clip(p.name)).
			WithHint("write the name as in package.json: name or @scope/name")
	}
	dir, err := p.find()
	if err != nil {
		return nil, err
	}
	within, err := actionsFolder(dir)
	if err != nil {
		return nil, err
	}
	t, err := openFolder(dir, within)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, diag.New(diag.DefinitionInvalid, "the npm package %s has no folder %s", p.name, within).Because(err).
			WithHint("check that the package contains definitions; if they are in another folder, name that folder in package.json under agent-browser.actions")
	}
	return t, err
}

// find returns the folder of the package. It searches node_modules in each folder upward, as Node
// does, and resolves links.
func (p npmPackage) find() (string, error) {
	from, err := filepath.Abs(p.from)
	if err != nil {
		return "", err
	}
	for dir := range Upward(from) {
		if filepath.Base(dir) == "node_modules" {
			continue
		}
		found, err := filepath.EvalSymlinks(filepath.Join(dir, "node_modules", filepath.FromSlash(p.name)))
		if err == nil {
			return found, nil
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			return "", err
		}
	}
	return "", diag.New(diag.DefinitionInvalid, "the npm package %s is not installed", p.name).
		WithHint("install it with: npm install %s", p.name)
}

// isPackageName reports whether s is a valid package name, such as name or @scope/name.
func isPackageName(s string) bool {
	scope, name, scoped := strings.Cut(s, "/")
	if scoped != strings.HasPrefix(s, "@") {
		return false
	}
	if !scoped {
		return isPackagePart(s)
	}
	return isPackagePart(scope[1:]) && isPackagePart(name)
}

func isPackagePart(s string) bool {
	return s != "" && s[0] != '.' && s[0] != '_' && len(s) <= 214 &&
		strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~") == ""
}

// actionsFolder returns the folder of a package that contains its definitions.
func actionsFolder(dir string) (string, error) {
	name := filepath.Join(dir, "package.json")
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	f, err := root.OpenFile("package.json", readOnly, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return "actions", nil
	}
	if err != nil {
		return "", fileError(name, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", diag.At(diag.Pos{File: name}, diag.DefinitionInvalid, "found a folder or a special file, expected a regular file").
			WithHint("make package.json a regular file, or install the package again")
	}
	var manifest struct {
		AgentBrowser struct {
			Actions string `json:"actions"`
		} `json:"agent-browser"`
	}
	const most = 4 << 20
	if err := json.NewDecoder(io.LimitReader(f, most)).Decode(&manifest); err != nil {
		return "", diag.At(diag.Pos{File: name}, diag.DefinitionInvalid,
			"package.json cannot be read: %s", jsonProblem(err)).Because(err)
	}
	if manifest.AgentBrowser.Actions == "" {
		return "actions", nil
	}
	within := filepath.Clean(filepath.FromSlash(manifest.AgentBrowser.Actions))
	if !filepath.IsLocal(within) {
		return "", diag.At(diag.Pos{File: name}, diag.SecurityError,
			"agent-browser.actions is %s, expected a folder inside the package", clip(manifest.AgentBrowser.Actions)).
			WithHint("report this to the package's author")
	}
	return within, nil
}

func jsonProblem(err error) string {
	var typ *json.UnmarshalTypeError
	if errors.As(err, &typ) {
		return fmt.Sprintf("%s is %s, expected %s", typ.Field, typ.Value, typ.Type)
	}
	return err.Error()
}
