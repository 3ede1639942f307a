package files

// The files that steps may not touch although their folder is allowed.
//
// Definitions and configuration decide what steps may do, so no step may write them: neither below
// a folder named .agent-browser nor where the configuration reads definitions from. A package is
// somebody else's code: its actions may not touch hidden files either, where shells, Git, SSH and
// editors keep what they run, and may create and replace only what packages.go allows.
//
// Names are compared as in names.go. Folders are also compared by device and inode, so that links,
// mounts and short names do not bypass the rules.

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/actionregistry/action/loader"
)

// Names of folders that packages may not use, in the form of foldName. Hidden folders are always
// forbidden.
var (
	// Files in closedFolders may not be read or written, even if the caller's folder is inside one
	// of them.
	closedFolders = folded(".git", ".ssh", ".gnupg", ".aws", ".kube", ".docker", ".config", ".husky")
	// Files in runFolders may not be written, because other programs run or load them.
	runFolders = folded("node_modules", "LaunchAgents", "LaunchDaemons", "StartupItems", "autostart",
		"cron.d", "crontabs", "init.d", "systemd")
)

var configFolder = foldName(loader.ConfigFolder)

// mayWrite returns an error if the caller may not write a file. The argument "real" is the path of
// the file, without links. root is the allowed folder that contains it.
func (f Rules) mayWrite(root, real string) error {
	for _, name := range parts(real) {
		if foldName(name) == configFolder {
			return closed(real, "definitions and configuration are read from there")
		}
	}
	if f.isConfig(real) {
		return closed(real, "it is, or leads to, a folder "+loader.ConfigFolder+", from which definitions and configuration are read")
	}
	for _, source := range f.Sources {
		if feeds(source, real) {
			return closed(real, "definitions are read from "+source)
		}
	}
	if !f.Packaged {
		return nil
	}
	for _, name := range parts(real) {
		if runFolders[foldName(name)] {
			return closedToPackage("write", real, "other programs run or load the files in "+name)
		}
	}
	if err := f.mayTouch("write", root, real); err != nil {
		return err
	}
	return mayHold(real)
}

// mayRead returns an error if the caller may not read a file. The argument "real" is the path of
// the file, without links. root is the allowed folder that contains it.
func (f Rules) mayRead(root, real string) error {
	if !f.Packaged {
		return nil
	}
	return f.mayTouch("read", root, real)
}

// mayTouch returns an error if a package may not use the path "real". The part of the path after
// root must not contain a hidden name. If root is the caller's folder, it must not be inside a
// closed folder.
func (f Rules) mayTouch(verb, root, real string) error {
	rel, err := filepath.Rel(root, real)
	if err != nil {
		return closedToPackage(verb, real, err.Error())
	}
	for _, name := range parts(rel) {
		if name != "." && (strings.HasPrefix(name, ".") || strings.HasPrefix(foldName(name), ".")) {
			return closedToPackage(verb, real, name+" is hidden")
		}
	}
	if cwd, err := resolve(f.Cwd); err != nil || root != cwd {
		return nil
	}
	for _, name := range parts(root) {
		if closedFolders[foldName(name)] {
			return closedToPackage(verb, real, "it is in "+name)
		}
	}
	return nil
}

// isConfig reports whether a path is in a configuration folder. It also recognises a folder that is
// reached through a link, a mount or a short name.
func (f Rules) isConfig(real string) bool {
	var guarded []fs.FileInfo
	guard := func(dir string) {
		for _, entry := range []string{"", "actions", "config.yaml"} {
			if info, err := os.Stat(filepath.Join(dir, loader.ConfigFolder, entry)); err == nil {
				guarded = append(guarded, info)
			}
		}
	}
	if f.Home != "" {
		guard(f.Home)
	}
	for dir := range loader.Upward(f.Cwd) {
		guard(dir)
	}
	for dir := range loader.Upward(filepath.Dir(real)) {
		guard(dir)
	}
	if len(guarded) == 0 {
		return false
	}
	for path := range loader.Upward(real) {
		info, err := os.Stat(path)
		if err == nil && slices.ContainsFunc(guarded, func(g fs.FileInfo) bool { return os.SameFile(g, info) }) {
			return true
		}
	}
	return false
}

// feeds reports whether definitions are read from path. source is a configured definition file, or
// a folder of definition files. The file at path need not exist.
func feeds(source, path string) bool {
	source, err := resolve(source)
	if err != nil {
		return false
	}
	at, err := os.Stat(source)
	if err != nil {
		return inside(source, path)
	}
	if at.IsDir() && !isYAML(path) {
		return false
	}
	if inside(source, path) {
		return true
	}
	for p := range loader.Upward(path) {
		if info, err := os.Stat(p); err == nil && os.SameFile(at, info) {
			return true
		}
	}
	return false
}

func isYAML(path string) bool {
	for _, name := range readings(filepath.Base(path)) {
		if strings.HasSuffix(name, foldName(".yaml")) || strings.HasSuffix(name, foldName(".yml")) {
			return true
		}
	}
	return false
}
