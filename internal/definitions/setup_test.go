package definitions_test

// What the tests of this package share: a store with a home and a folder of its own, and
// definitions that say who wrote them.

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/definitions"
)

// A folder is a store under test, with a home and a folder of its own.
type folder struct {
	*definitions.Store
	home, cwd string
}

// newFolder returns a store that is served, and finds no definitions of this machine.
func newFolder(t *testing.T) *folder {
	t.Helper()
	f := &folder{Store: definitions.NewStoreForTests(), home: t.TempDir(), cwd: t.TempDir()}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f.Serve(ctx)
	}()
	t.Cleanup(func() {
		stop()
		<-ended
	})
	return f
}

// options are those of a caller in a folder, "" for that of f.
func (f *folder) options(cwd string, environ ...string) definitions.Options {
	if cwd == "" {
		cwd = f.cwd
	}
	return definitions.Options{Cwd: cwd, Environ: append([]string{"HOME=" + f.home}, environ...)}
}

// get returns all definitions in force for o.
func (f *folder) get(t *testing.T, o definitions.Options) *definitions.Set {
	t.Helper()
	d, err := f.Get(t.Context(), o, definitions.Request{Definitions: true})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// reload is get, changed or not.
func (f *folder) reload(t *testing.T, cwd string) *definitions.Set {
	t.Helper()
	d, err := f.Get(t.Context(), f.options(cwd), definitions.Request{Definitions: true, Reload: true})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// said lists what the namespaces of a caller say, as "a=one b=two", without builtin ones.
func (f *folder) said(t *testing.T, cwd string, environ ...string) string {
	t.Helper()
	d := f.get(t, f.options(cwd, environ...))
	var out []string
	for _, namespace := range []string{"a", "b", "c"} {
		if r, err := d.Registry.Resolve(namespace + ":word:say"); err == nil {
			out = append(out, namespace+"="+r.Action.Description)
		}
	}
	return strings.Join(out, " ")
}

// says is a namespace with one action, which returns word.
func says(namespace, word string) string {
	return fmt.Sprintf(`namespace: %s
version: 1.0.0
description: For tests
actions:
  word:say:
    description: %[2]s
    steps: [{action: set, args: {values: {v: 1}}}]
    returns: {word: %[2]s}
`, namespace, word)
}

func actions(dir, name string) string { return filepath.Join(dir, ".agent-browser", "actions", name) }
func config(dir string) string        { return filepath.Join(dir, ".agent-browser", "config.yaml") }
