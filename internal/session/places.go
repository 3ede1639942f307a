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

// maxKept bounds how many sets of definitions are kept.
const maxKept = 64

// A store keeps the definitions of each folder from which it is asked, and reads them again
// when their files have changed. Those used least recently are dropped. Its methods may be
// called concurrently; reading for one folder does not hold up another one. A store starts no
// goroutine: see [store.serve].
type store struct {
	mu     sync.Mutex // guards the creation of an entry
	kept   *lru.Cache[key, *entry]
	read   *loader.Cache
	checks chan chan struct{} // requests to check files; each is closed when that is done
}

// newStore returns an empty store.
func newStore() *store {
	kept, err := lru.New[key, *entry](maxKept)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &store{kept: kept, read: loader.NewCache(), checks: make(chan chan struct{})}
}

// A key is what decides which definitions are in force.
type key struct {
	cwd     string // the project's root if that suffices, otherwise the folder
	environ string // HOME and the ACTION_… settings, joined
}

// A request says what the caller requires. The zero value is the configuration.
type request struct {
	definitions bool   // the definitions too
	action      string // the action to be run, and what it can reach; "": all definitions
	reload      bool   // read even if nothing seems to have changed
}

// serves reports whether d has what r requires. If there are errors, their reason may be
// what was not read.
func (d *Definitions) serves(r request) bool {
	switch {
	case !r.definitions:
		return true
	case d.settings:
		return false
	case d.action == "":
		return true
	}
	return r.action != "" && len(d.Problems) == 0 && d.Runnable(r.action) == nil
}

// get returns what is in force for o. The result is shared, and stays as it is when files
// change. The error is that of ctx, as [executor.NotBegun] has it, or with o.Strict and
// r.Definitions the list of all problems.
func (s *store) get(ctx context.Context, o LoadOptions, r request) (*Definitions, error) {
	if o.Strict {
		r.action = ""
	}
	k := keyOf(&o)
	s.mu.Lock()
	e, ok := s.kept.Get(k)
	if !ok {
		e = newEntry(s.read)
		s.kept.Add(k, e)
	}
	s.mu.Unlock()
	d, err := e.get(ctx, o, r)
	if err == nil && o.Strict && r.definitions {
		err = d.All().Err()
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// has reports whether the definitions for o have been read before. It does not wait.
func (s *store) has(o LoadOptions) bool {
	e, ok := s.kept.Peek(keyOf(&o))
	if !ok {
		return false
	}
	d := e.latest.Load()
	return d != nil && !d.settings
}

// keyOf returns the key of o and reduces o to what decides: other variables only
// concern runs, and within a project every folder is the same, unless a setting may
// be relative to the folder.
func keyOf(o *LoadOptions) key {
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
	return key{o.Cwd, strings.Join(environ, "\x00")}
}

func isRelative(path string) bool { return path != "" && !filepath.IsAbs(path) }

// An entry keeps what is in force for one key.
type entry struct {
	latest atomic.Pointer[Definitions] // the last result of get, for callers that must not wait

	read    *loader.Cache // files that were parsed
	using   chan struct{} // holds one while files are checked and read; guards what follows
	o       LoadOptions
	defs    *Definitions
	watch   *watch
	checked time.Time // when files were last checked
}

func newEntry(read *loader.Cache) *entry {
	return &entry{using: make(chan struct{}, 1), read: read}
}

func (e *entry) get(ctx context.Context, o LoadOptions, r request) (*Definitions, error) {
	if ctx.Err() != nil {
		return nil, executor.NotBegun(ctx)
	}
	select {
	case e.using <- struct{}{}:
	case <-ctx.Done():
		return nil, executor.NotBegun(ctx)
	}
	defer func() { <-e.using }()
	has := e.defs
	stale := has == nil || r.reload || e.changed()
	switch {
	case !stale && has.serves(r):
		return has, nil
	case !r.definitions && (has == nil || has.settings):
		w := newWatch()
		e.keep(o, loadSettings(o, w), w)
		return e.defs, nil
	case has != nil && has.settings:
		has = nil
	}
	before, action := has, r.action
	if has != nil {
		if action = ""; has.serves(r) && !r.reload { // otherwise too little was read
			action = has.action
		}
		if !stale && len(has.Kept) == 0 {
			before = nil // no file has become bad
		}
	}
	if err := e.load(ctx, o, action, before); err != nil {
		return nil, err
	}
	if !e.defs.serves(r) {
		if has != nil {
			before = e.defs
		}
		if err := e.load(ctx, o, "", before); err != nil {
			return nil, err
		}
	}
	return e.defs, nil
}

// load reads definitions, for the run of an action or "" for everything; before are the
// previous ones, or nil.
func (e *entry) load(ctx context.Context, o LoadOptions, action string, before *Definitions) error {
	d, w, err := reload(ctx, o, action, before, e.read)
	if err != nil {
		if ctx.Err() != nil {
			err = executor.NotBegun(ctx)
		}
		return err
	}
	e.keep(o, d, w)
	return nil
}

// keep records what was read.
func (e *entry) keep(o LoadOptions, d *Definitions, w *watch) {
	e.o, e.defs, e.watch = o, d, w
	e.latest.Store(d)
}

// Checking files on every call is cheap until there are very many.
const (
	manyFiles  = 2000
	checkEvery = 100 * time.Millisecond // if there are many
)

func (e *entry) changed() bool {
	now := time.Now()
	if e.watch.len() > manyFiles && now.Sub(e.checked) < checkEvery {
		return false
	}
	e.checked = now
	return e.watch.changed()
}

// checkTime is how long Problems waits for a new check of the files.
const checkTime = 100 * time.Millisecond

// problems returns the errors in the definition files of all folders in use. It has serve
// check them again, but does not wait for a slow file system: then it returns what was known
// before.
func (s *store) problems() diag.List {
	checked := make(chan struct{})
	late := time.NewTimer(checkTime)
	defer late.Stop()
	select {
	case s.checks <- checked:
		select {
		case <-checked:
		case <-late.C:
		}
	case <-late.C:
	}
	var all diag.List
	for _, e := range s.kept.Values() {
		if d := e.latest.Load(); d != nil {
			all.Add(d.Problems...)
		}
	}
	return all.Sorted()
}

// serve checks files for [store.problems] until ctx ends. The owner of the store calls it in
// a goroutine; without it, Problems returns what was last known, after a short wait.
func (s *store) serve(ctx context.Context) {
	for {
		select {
		case checked := <-s.checks:
			s.recheck(ctx)
			close(checked)
		case <-ctx.Done():
			return
		}
	}
}

// recheck reads what has changed for any key, until ctx ends.
func (s *store) recheck(ctx context.Context) {
	for _, e := range s.kept.Values() {
		select {
		case e.using <- struct{}{}:
		default: // another call is checking it
			continue
		}
		o, read := e.o, e.defs != nil
		<-e.using
		if !read {
			continue
		}
		if _, err := e.get(ctx, o, request{}); err != nil {
			return // that of ctx
		}
	}
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
