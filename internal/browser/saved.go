package browser

// The files of downloads that stay with the browser: in its private folder, each
// in a folder of its own, under its own name, until the browser ends.

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// SavedFolder returns the folder of the downloads that stay with the browser, or
// "" when there is none yet.
func (b *Browser) SavedFolder() string {
	b.downloads.mu.Lock()
	defer b.downloads.mu.Unlock()
	return b.downloads.folder
}

// keep gives a complete download, which a step has asked for, its own name.
func (d *downloads) keep(one *download) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.nameLocked(one)
}

// countLocked gives a complete download its own name, and counts it towards the
// bounds of those that no step has asked for.
func (d *downloads) countLocked(one *download) string {
	d.kept++
	d.bytes += one.received
	return d.nameLocked(one)
}

func (d *downloads) nameLocked(one *download) string {
	d.named++
	path := filepath.Join(d.folder, one.id)
	folder := filepath.Join(d.folder, fmt.Sprint(d.named))
	named := filepath.Join(folder, one.name)
	if os.Mkdir(folder, 0o700) != nil || os.Chmod(path, 0o600) != nil || os.Rename(path, named) != nil {
		return path
	}
	return named
}

// cleanFileName makes a file name of what a server suggests: of a path its last
// part, without what is hidden, or steers a terminal.
func cleanFileName(suggested string) string {
	name := suggested[strings.LastIndexAny(suggested, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		if visible(string(r)) != string(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	name = strings.TrimRight(strings.TrimLeft(name, ". "), ". ")
	const longest = 200 // bytes: file systems take 255, and names get suffixes
	if len(name) > longest {
		ending := filepath.Ext(name)
		if len(ending) > 20 {
			ending = ""
		}
		name = strings.ToValidUTF8(name[:longest-len(ending)], "") + ending
	}
	return cmp.Or(name, "download")
}
