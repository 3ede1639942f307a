package selectors_test

import (
	"strconv"
	"sync"
	"testing"

	"github.com/actionregistry/action/selectors"
)

func TestCache(t *testing.T) {
	c := selectors.NewCache()
	a := selectors.Key{Session: "s", Namespace: "n", Action: "a", Alias: "ok", Document: "d1"}
	b := a
	b.Document = "d2"
	check := func(when string, k selectors.Key, index int, ok bool) {
		t.Helper()
		if i, found := c.Get(k); i != index || found != ok {
			t.Errorf("%s: Get(%+v) = %d, %v, want %d, %v", when, k, i, found, index, ok)
		}
	}
	check("empty", a, 0, false)
	c.Put(a, 2)
	c.Put(b, 1)
	check("put", a, 2, true)
	check("put", b, 1, true)
	c.Drop("d1")
	check("document dropped", a, 0, false)
	check("other document", b, 1, true)
	c.Remove(b)
	check("removed", b, 0, false)
	for i := range 1001 {
		c.Put(selectors.Key{Alias: strconv.Itoa(i)}, i)
	}
	check("least recently used", selectors.Key{Alias: "0"}, 0, false)
	check("most recently used", selectors.Key{Alias: "1000"}, 1000, true)
	c.Clear()
	check("cleared", selectors.Key{Alias: "1000"}, 0, false)
}

func TestCacheConcurrently(t *testing.T) {
	c := selectors.NewCache()
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := range 100 {
				k := selectors.Key{Alias: strconv.Itoa(j), Document: strconv.Itoa(i)}
				c.Put(k, j)
				c.Get(k)
				c.Drop(strconv.Itoa(j % 4))
			}
		})
	}
	wg.Wait()
}

// TestSelectorConcurrently binds one selector from several goroutines; the race
// detector watches.
func TestSelectorConcurrently(t *testing.T) {
	s, err := selectors.Parse(`css:[a="${x}"] >> text~:a${x} >> role:row[name='${x}'] >> nth:${n}`, options())
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			v := strconv.Itoa(i)
			for range 50 {
				q, err := s.Bind(selectors.Binding{Scope: withX(v)})
				if err != nil || q.Parts[0].Value != `[a="`+v+`"]` {
					t.Errorf("Bind with %s = %+v, %v", v, q, err)
				}
				if s.String() == s.Source(withX(v)) {
					t.Error("Source is String")
				}
			}
		})
	}
	wg.Wait()
}
