package loader

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/actionregistry/action/spec"
)

// With a Cache, every load is the same as without one, whatever was loaded before, and a file is
// parsed once.
func TestCache(t *testing.T) {
	over := "namespace: app\nactions:\n  dialog:open:\n    params: {name: {default: x}, extra: {type: string}}\n"
	changed := define("app", "Changed")
	bad := "namespace: app\nactions: [\n"
	loads := [][]Source{
		{source(spec.Global, "app.yaml", base)},
		{source(spec.Global, "app.yaml", base), source(spec.Project, "app.yaml", over)},
		{source(spec.Global, "app.yaml", base), source(spec.Project, "app.yaml", changed)},
		{source(spec.Global, "app.yaml", base), source(spec.Project, "app.yaml", bad)},
		{source(spec.Project, "app.yaml", base)}, // the same text, of another source
		{source(spec.Global, "app.yaml", base)},
	}
	cache := NewCache()
	for i, sources := range loads {
		got, err := Load(context.Background(), Options{Sources: sources, NoBuiltin: true, Cache: cache})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(mustLoad(t, sources...), got, cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
			t.Errorf("load %d with a cache (-without +with):\n%s", i, diff)
		}
	}
	if n := cache.files.Len(); n != 4 {
		t.Errorf("the cache has %d files, want the 4 good ones", n)
	}
	keys := cache.files.Keys()
	key := keys[slices.IndexFunc(keys, func(k cached) bool { return k.name == "global/app.yaml" })]
	before, _ := cache.files.Peek(key)
	if _, err := Load(context.Background(), Options{Sources: loads[0], NoBuiltin: true, Cache: cache}); err != nil {
		t.Fatal(err)
	}
	if after, _ := cache.files.Peek(key); after != before {
		t.Error("a file that has not changed was parsed again")
	}
}
