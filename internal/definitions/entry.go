package definitions

// The entry of one key in a store: how much is read, and when it is read again.

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/loader"
)

// An entry of a store holds the definitions for one key.
type entry struct {
	latest atomic.Pointer[Set] // the last set that was read, for callers that must not wait

	read    *loader.Cache // parsed files
	using   chan struct{} // semaphore for checking and reading files; guards the following fields
	o       Options
	defs    *Set
	watch   *watch
	checked time.Time // when files were last checked
}

func newEntry(read *loader.Cache) *entry {
	return &entry{using: make(chan struct{}, 1), read: read}
}

// get returns the definitions for r, as Store.Get does, but ignores o.Strict. If earlier calls
// required more definitions, get reads these too.
func (e *entry) get(ctx context.Context, o Options, r Request) (*Set, error) {
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
	stale := has == nil || r.Reload || e.changed()
	switch {
	case !stale && has.serves(r):
		return has, nil
	case !r.Definitions && (has == nil || has.settings):
		w := newWatch()
		e.keep(o, loadSettings(o, w), w)
		return e.defs, nil
	case has != nil && has.settings:
		has = nil
	}
	before, action := has, r.Action
	if has != nil {
		if action = ""; has.serves(r) && !r.Reload { // otherwise too little was read before
			action = has.action
		}
		if !stale && len(has.Kept) == 0 {
			before = nil // no file has become broken
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

// load calls reload and stores the result.
func (e *entry) load(ctx context.Context, o Options, action string, before *Set) error {
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

// keep stores d. The argument "w" has recorded the files of d.
func (e *entry) keep(o Options, d *Set, w *watch) {
	e.o, e.defs, e.watch = o, d, w
	e.latest.Store(d)
}

// Files are checked in every call, unless there are more than manyFiles. Then at least checkEvery
// must pass between two checks.
const (
	manyFiles  = 2000
	checkEvery = 100 * time.Millisecond
)

// changed reports whether the files must be read again. The caller must hold e.using.
func (e *entry) changed() bool {
	now := time.Now()
	if e.watch.len() > manyFiles && now.Sub(e.checked) < checkEvery {
		return false
	}
	e.checked = now
	return e.watch.changed()
}

// serves reports whether d has the definitions that r requires. If d was read for one action and
// has errors, serves returns false, because the errors may be due to definitions that were not
// read.
func (d *Set) serves(r Request) bool {
	switch {
	case !r.Definitions:
		return true
	case d.settings:
		return false
	case d.action == "":
		return true
	}
	return r.Action != "" && len(d.Problems) == 0 && d.Runnable(r.Action) == nil
}
