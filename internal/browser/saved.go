package browser

// Downloads that stay with the browser: in its private folder, each in a separate folder,
// under its own name, until the browser ends.

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// SavedFolder returns the folder of the downloads that stay with the browser, or "" if
// there is none yet.
func (b *Browser) SavedFolder() string {
	b.downloads.mu.Lock()
	defer b.downloads.mu.Unlock()
	return b.downloads.folder
}

// keep gives a complete download that a step has requested its own name.
func (d *downloads) keep(one *download) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.nameLocked(one)
}

// countLocked gives a complete download its own name, and counts it towards the bounds of
// those that no step has requested.
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

// cleanFileName makes a file name from a server's suggestion: the last part of a path,
// without hidden or terminal control characters.
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
