package definitions

// When a good file becomes broken, its last good text stays in force: saving a file with a mistake
// does not stop the runs of others.

import (
	"bytes"
	"context"
	"sort"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/loader"
)

// reload is like load, but keeps using the old text of each file that has become invalid. The
// argument "before" is the previous set, with the old texts. It may be nil.
func reload(ctx context.Context, o Options, action string, before *Set, c *loader.Cache) (*Set, *watch, error) {
	w := newWatch()
	d, err := load(ctx, o, action, w, c)
	if err != nil || before == nil {
		return d, w, err
	}
	if w.instead = before.stillGood(d); len(w.instead) == 0 {
		return d, w, nil
	}
	kept, err := load(ctx, o, action, w, c)
	if err != nil {
		return nil, nil, err
	}
	kept.keepInstead(d, w.instead)
	return kept, w, nil
}

// stillGood returns the old texts of files that were valid in d and are invalid in the newer set
// "now". The keys of the map are the names of the files.
func (d *Set) stillGood(now *Set) map[string][]byte {
	bad := now.badFiles()
	if len(bad) == 0 {
		return nil
	}
	texts := make(map[string][]byte)
	was := d.badFiles()
	for file := range bad {
		text := d.files.Text(file)
		if text != nil && !was[file] && !bytes.Equal(text, now.files.Text(file)) {
			texts[file] = text
		}
	}
	return texts
}

// badFiles returns the names of the files in the positions of errors and of their notes.
func (d *Set) badFiles() map[string]bool {
	bad := make(map[string]bool)
	for _, list := range []diag.List{d.files.Problems, d.Errors()} {
		for _, e := range list {
			bad[e.Pos.File] = true
			for _, n := range e.Notes {
				bad[n.Pos.File] = true
			}
		}
	}
	delete(bad, "")
	return bad
}

// keepInstead records that d was read with old texts of some files. The argument "texts" has these
// texts by the names of the files. The set "bad" was read with the new texts. keepInstead adds the
// errors of the new texts to d.
func (d *Set) keepInstead(bad *Set, texts map[string][]byte) {
	for file := range texts {
		d.Kept = append(d.Kept, file)
	}
	sort.Strings(d.Kept)
	for _, e := range bad.All() {
		if _, kept := texts[e.Pos.File]; kept {
			d.Problems.Add(e.Clone().WithNote(diag.Pos{File: e.Pos.File}, "the last good version of this file is in use"))
		}
	}
	d.Problems = d.Problems.Sorted()
}
