package definitions

// The definitions in force for a caller: one set for each folder, read again when its files have
// changed. A call keeps the set that it began with.

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/loader"
)

// maxKept is the maximum number of folders in a store.
const maxKept = 64

// A Store holds the definitions of several folders. It reads them on the first request, and again
// when files have changed. It drops the folders that were used least recently. A Store is safe for
// concurrent use: a call for one folder does not wait for calls for other folders.
type Store struct {
	mu     sync.Mutex // guards the creation of an entry
	kept   *lru.Cache[key, *entry]
	read   *loader.Cache
	checks chan chan struct{} // requests to check files; each is closed when done
}

// NewStore returns an empty store.
func NewStore() *Store {
	kept, err := lru.New[key, *entry](maxKept)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &Store{kept: kept, read: loader.NewCache(), checks: make(chan chan struct{})}
}

// A key identifies a set of definitions.
type key struct {
	cwd     string // the project's root if all its folders have the same definitions, otherwise the caller's folder
	environ string // HOME and the ACTION_… settings, joined
}

// A Request says what to read. The zero value means only the configuration.
type Request struct {
	Definitions bool   // also read definitions
	Action      string // only this action and what its run can reach; "": all definitions
	Reload      bool   // read again even if no file seems to have changed
}

// Get returns the definitions for o. It reads them again if files have changed. o.Sources must be
// the same in every call. If ctx ends, the error is that of [executor.NotBegun]. If both o.Strict
// and r.Definitions are set, and there are problems, the error is the list of all problems.
func (s *Store) Get(ctx context.Context, o Options, r Request) (*Set, error) {
	if o.Strict {
		r.Action = ""
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
	if err == nil && o.Strict && r.Definitions {
		err = d.All().Err()
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Has reports whether the definitions for o have already been read. It does not wait.
func (s *Store) Has(o Options) bool {
	e, ok := s.kept.Peek(keyOf(&o))
	if !ok {
		return false
	}
	d := e.latest.Load()
	return d != nil && !d.settings
}

// keyOf returns the key of o. It removes all variables from o.Environ that are not part of the key.
// If all folders of the project have the same definitions, it replaces o.Cwd by the project's root.
func keyOf(o *Options) key {
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

// checkTime is the time for which Problems waits for a check of the files.
const checkTime = 100 * time.Millisecond

// Problems returns the errors in the definition files of all folders in the store. It first lets
// [Store.Serve] check the files. If the check takes too long, Problems returns the errors of the
// previous check.
func (s *Store) Problems() diag.List {
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

// Serve checks files for [Store.Problems]. It returns when ctx ends. The owner of the store must
// call it in a goroutine. Without Serve, Problems returns old errors after a short wait.
func (s *Store) Serve(ctx context.Context) {
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

// recheck checks the files of all folders, and reads those again that have changed. It stops when
// ctx ends.
func (s *Store) recheck(ctx context.Context) {
	for _, e := range s.kept.Values() {
		select {
		case e.using <- struct{}{}:
		default: // another call is checking this entry
			continue
		}
		o, read := e.o, e.defs != nil
		<-e.using
		if !read {
			continue
		}
		if _, err := e.get(ctx, o, Request{}); err != nil {
			return // ctx has ended
		}
	}
}
