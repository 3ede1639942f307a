package session

// Which definitions hold for a caller: one set for each place, read again when
// its files have changed. Who has begun with a set finishes with it.

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

	"actionregistry/diag"
	"actionregistry/loader"
)

// maxPlaces bounds how many sets of definitions are kept.
const maxPlaces = 64

// A place is what decides which definitions hold.
type place struct {
	cwd     string // the project's root where that is enough, else the folder
	environ string // settings and HOME, joined
}

// places keeps the definitions of each place. It is safe for concurrent use.
type places struct {
	mu   sync.Mutex // guards the creation of an entry
	kept *lru.Cache[place, *holding]
}

func newPlaces() *places {
	kept, err := lru.New[place, *holding](maxPlaces)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &places{kept: kept}
}

// get returns the definitions that hold for o, whose Strict counts. With again
// they are read even when nothing seems to have changed.
func (p *places) get(ctx context.Context, o LoadOptions, again bool) (*Definitions, error) {
	key := placeOf(&o)
	p.mu.Lock()
	h, ok := p.kept.Get(key)
	if !ok {
		h = new(holding)
		p.kept.Add(key, h)
	}
	p.mu.Unlock()
	d, err := h.get(ctx, o, again)
	if err == nil && o.Strict {
		err = d.All().Err()
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// placeOf names the place of o and moves o to it: within a project every folder
// is the same place, unless a setting may be relative to the folder.
func placeOf(o *LoadOptions) place {
	home := lookup(o.Environ, "HOME")
	settings := slices.ContainsFunc(o.Environ, func(kv string) bool {
		return strings.HasPrefix(kv, "ACTION_") && !strings.HasPrefix(kv, "ACTION_PATH=")
	})
	if dir := loader.ProjectFolder(o.Cwd, home, ""); dir != "" && !settings {
		o.Cwd = filepath.Dir(dir)
	}
	return place{o.Cwd, strings.Join(o.Environ, "\x00")}
}

// A holding is the definitions of one place.
type holding struct {
	latest atomic.Pointer[Definitions] // what get returned last; for those who must not wait

	mu     sync.Mutex // held while files are looked at and read; guards what follows
	o      LoadOptions
	defs   *Definitions
	watch  *watch
	looked time.Time     // when files were last looked at
	cost   time.Duration // what that took
}

// Looking at files for every call is cheap until there are very many.
const (
	cheapLook = 200 * time.Microsecond
	lookRatio = 20 // of the time between two looks that are not cheap
	lookEvery = 100 * time.Millisecond
)

func (h *holding) get(ctx context.Context, o LoadOptions, again bool) (*Definitions, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, cancelledCall(ctx)
	}
	if h.defs != nil && !again && !h.changed() {
		return h.defs, nil
	}
	d, w, err := reload(ctx, o, h.defs)
	if err != nil {
		if ctx.Err() != nil {
			err = cancelledCall(ctx)
		}
		return nil, err
	}
	h.o, h.defs, h.watch = o, d, w
	h.latest.Store(d)
	return d, nil
}

// lookAgain reads what has changed at any place, until ctx ends.
func (p *places) lookAgain(ctx context.Context) {
	for _, h := range p.kept.Values() {
		d := h.latest.Load()
		// A place that is being read needs no second look.
		if d == nil || !h.mu.TryLock() {
			continue
		}
		o := h.o
		h.mu.Unlock()
		if _, err := h.get(ctx, o, false); err != nil {
			return // that of ctx
		}
	}
}

// problems returns what the latest looks have found at all places. It waits for
// nothing.
func (p *places) problems() diag.List {
	var all diag.List
	for _, h := range p.kept.Values() {
		if d := h.latest.Load(); d != nil {
			all.Add(d.Problems...)
		}
	}
	return all.Sorted()
}

func (h *holding) changed() bool {
	began := time.Now()
	if h.cost > cheapLook && began.Sub(h.looked) < min(lookRatio*h.cost, lookEvery) {
		return false
	}
	changed := h.watch.changed()
	h.looked = time.Now()
	h.cost = h.looked.Sub(began)
	return changed
}

// reload reads definitions. Of files that have become bad the text stays that
// was good in before, which may be nil.
func reload(ctx context.Context, o LoadOptions, before *Definitions) (*Definitions, *watch, error) {
	w := newWatch()
	d, err := load(ctx, o, w)
	if err != nil || before == nil {
		return d, w, err
	}
	if w.instead = before.stillGood(d); len(w.instead) == 0 {
		return d, w, nil
	}
	kept, err := load(ctx, o, w)
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

// badFiles are those that something is wrong with, or has to do with something
// that is wrong.
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

// keepInstead tells that older texts of some files are in use, and why: what is
// wrong with the newer ones, in bad.
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
