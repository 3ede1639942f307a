package session

// Which definitions are in force for a caller: one set for each folder, read again when its
// files have changed. A call keeps the set that it began with.

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/loader"
)

// maxPlaces bounds how many sets of definitions are kept.
const maxPlaces = 64

// A place is what decides which definitions are in force.
type place struct {
	cwd     string // the project's root if that suffices, otherwise the folder
	environ string // HOME and the ACTION_… settings, joined
}

// places keeps the definitions of each place. It is safe for concurrent use.
type places struct {
	mu   sync.Mutex // guards the creation of an entry
	kept *lru.Cache[place, *holding]
	read *loader.Cache
}

func newPlaces() *places {
	kept, err := lru.New[place, *holding](maxPlaces)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &places{kept: kept, read: loader.NewCache()}
}

// A need says which definitions the caller requires. The zero value is the configuration.
type need struct {
	definitions bool
	action      string // the action to be run; "": all definitions
	anew        bool   // read even if nothing seems to have changed
}

// serves reports whether d has what n requires. If there are errors, their reason may be
// what was not read.
func (d *Definitions) serves(n need) bool {
	switch {
	case !n.definitions:
		return true
	case d.settings:
		return false
	case d.action == "":
		return true
	}
	return n.action != "" && len(d.Problems) == 0 && d.Runnable(n.action) == nil
}

// get returns the definitions in force for o; Strict concerns only definitions.
func (p *places) get(ctx context.Context, o LoadOptions, n need) (*Definitions, error) {
	if o.Strict {
		n.action = ""
	}
	key := placeOf(&o)
	p.mu.Lock()
	h, ok := p.kept.Get(key)
	if !ok {
		h = newHolding(p.read)
		p.kept.Add(key, h)
	}
	p.mu.Unlock()
	d, err := h.get(ctx, o, n)
	if err == nil && o.Strict && n.definitions {
		err = d.All().Err()
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// know reports whether the definitions for o have been read before.
func (p *places) know(o LoadOptions) bool {
	h, ok := p.kept.Peek(placeOf(&o))
	if !ok {
		return false
	}
	d := h.latest.Load()
	return d != nil && !d.settings
}

// placeOf returns the place of o and reduces o to what decides: other variables only
// concern runs, and within a project every folder is the same place, unless a setting may
// be relative to the folder.
func placeOf(o *LoadOptions) place {
	var environ []string
	pinned := false
	for _, kv := range o.Environ {
		name, value, _ := strings.Cut(kv, "=")
		switch {
		case name == "ACTION_PATH":
			pinned = pinned || slices.ContainsFunc(filepath.SplitList(value), isRelative)
		case strings.HasPrefix(name, "ACTION_"):
			pinned = true
		case name != "HOME":
			continue
		}
		environ = append(environ, kv)
	}
	o.Environ = environ
	if dir := loader.ProjectFolder(o.Cwd, lookup(environ, "HOME"), ""); dir != "" && !pinned {
		o.Cwd = filepath.Dir(dir)
	}
	return place{o.Cwd, strings.Join(environ, "\x00")}
}

func isRelative(path string) bool { return path != "" && !filepath.IsAbs(path) }

// A holding holds the definitions of one place.
type holding struct {
	latest atomic.Pointer[Definitions] // the last result of get, for callers that must not wait

	read   *loader.Cache // files that were parsed
	using  chan struct{} // holds one while files are checked and read; guards what follows
	o      LoadOptions
	defs   *Definitions
	watch  *watch
	looked time.Time // when files were last checked
}

func newHolding(read *loader.Cache) *holding {
	return &holding{using: make(chan struct{}, 1), read: read}
}

func (h *holding) get(ctx context.Context, o LoadOptions, n need) (*Definitions, error) {
	if ctx.Err() != nil {
		return nil, executor.NotBegun(ctx)
	}
	select {
	case h.using <- struct{}{}:
	case <-ctx.Done():
		return nil, executor.NotBegun(ctx)
	}
	defer func() { <-h.using }()
	has := h.defs
	stale := has == nil || n.anew || h.changed()
	switch {
	case !stale && has.serves(n):
		return has, nil
	case !n.definitions && (has == nil || has.settings):
		w := newWatch()
		h.keep(o, loadSettings(o, w), w)
		return h.defs, nil
	case has != nil && has.settings:
		has = nil
	}
	before, action := has, n.action
	if has != nil {
		if action = ""; has.serves(n) && !n.anew { // otherwise too little was read
			action = has.action
		}
		if !stale && len(has.Kept) == 0 {
			before = nil // no file has become bad
		}
	}
	if err := h.load(ctx, o, action, before); err != nil {
		return nil, err
	}
	if !h.defs.serves(n) {
		if has != nil {
			before = h.defs
		}
		if err := h.load(ctx, o, "", before); err != nil {
			return nil, err
		}
	}
	return h.defs, nil
}

// load reads definitions, for the run of an action or "" for everything; before are the
// previous ones, or nil.
func (h *holding) load(ctx context.Context, o LoadOptions, action string, before *Definitions) error {
	d, w, err := reload(ctx, o, action, before, h.read)
	if err != nil {
		if ctx.Err() != nil {
			err = executor.NotBegun(ctx)
		}
		return err
	}
	h.keep(o, d, w)
	return nil
}

// keep records what was read.
func (h *holding) keep(o LoadOptions, d *Definitions, w *watch) {
	h.o, h.defs, h.watch = o, d, w
	h.latest.Store(d)
}

// Checking files on every call is cheap until there are very many.
const (
	manyFiles = 2000
	lookEvery = 100 * time.Millisecond // if there are many
)

func (h *holding) changed() bool {
	now := time.Now()
	if h.watch.len() > manyFiles && now.Sub(h.looked) < lookEvery {
		return false
	}
	h.looked = now
	return h.watch.changed()
}

// lookAgain reads what has changed at any place, until ctx ends.
func (p *places) lookAgain(ctx context.Context) {
	for _, h := range p.kept.Values() {
		select {
		case h.using <- struct{}{}:
		default: // another call is checking it
			continue
		}
		o, read := h.o, h.defs != nil
		<-h.using
		if !read {
			continue
		}
		if _, err := h.get(ctx, o, need{}); err != nil {
			return // that of ctx
		}
	}
}

// problems returns what the latest checks have found at all places. It does not wait.
func (p *places) problems() diag.List {
	var all diag.List
	for _, h := range p.kept.Values() {
		if d := h.latest.Load(); d != nil {
			all.Add(d.Problems...)
		}
	}
	return all.Sorted()
}

// reload is load, but for files that have become bad it keeps the text that was good in
// before, which may be nil.
func reload(ctx context.Context, o LoadOptions, action string, before *Definitions, c *loader.Cache) (*Definitions, *watch, error) {
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

// stillGood returns the texts of files that were good in d and are bad in now.
func (d *Definitions) stillGood(now *Definitions) map[string][]byte {
	bad := now.badFiles()
	if len(bad) == 0 {
		return nil
	}
	texts := make(map[string][]byte)
	was := d.badFiles()
	for file := range bad {
		text := d.set.Text(file)
		if text != nil && !was[file] && !bytes.Equal(text, now.set.Text(file)) {
			texts[file] = text
		}
	}
	return texts
}

// badFiles are the files with errors, or involved in an error.
func (d *Definitions) badFiles() map[string]bool {
	bad := make(map[string]bool)
	for _, list := range []diag.List{d.set.Problems, d.Errors()} {
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

// keepInstead reports that older texts of some files are in use, and why: the errors of the
// newer ones, in bad.
func (d *Definitions) keepInstead(bad *Definitions, texts map[string][]byte) {
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
