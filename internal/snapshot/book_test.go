package snapshot

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/actionregistry/action/diag"
)

func wantCode(t *testing.T, err error, code diag.Code, text string) *diag.Error {
	t.Helper()
	e := diag.As(err)
	if e == nil || e.Code != code {
		t.Fatalf("got %v (%s), want %s", err, diag.CodeOf(err), code)
	}
	if !strings.Contains(e.Msg, text) || e.Hint == "" {
		t.Errorf("message %q, hint %q, want a hint and a message with %q", e.Msg, e.Hint, text)
	}
	return e
}

func button(local int, name string) *Node {
	return &Node{Key: Key{"d", local}, Class: Interactive, Role: "button", Name: name}
}

// nameOf returns the name of a ref, or nil if s does not show the ref.
func nameOf(s *Snapshot, ref string) any {
	shown, _ := s.Refs()[ref].(map[string]any)
	return shown["name"]
}

func TestNumbers(t *testing.T) {
	b := new(Book)
	take(t, b, reading(button(7, "A"), button(3, "B")), Options{})
	// When a new element comes before them, the others keep their numbers.
	s := take(t, b, reading(button(9, "C"), button(7, "A"), button(3, "B")), Options{})
	for ref, name := range map[string]string{"e1": "A", "e2": "B", "e3": "C"} {
		if got := nameOf(s, ref); got != name {
			t.Errorf("%s is %q, want %q", ref, got, name)
		}
	}
	other := reading(button(7, "A"))
	other.ID = "d2"
	if s = take(t, b, other, Options{}); nameOf(s, "e4") != "A" {
		t.Errorf("refs %v, want a new number for another document", s.Refs())
	}
	// Elements that a snapshot does not show get no number.
	third := reading(button(20, "X"), button(21, "Y"), button(22, "Z"))
	take(t, b, third, Options{MaxNodes: 1})
	if s = take(t, b, reading(button(30, "N")), Options{}); nameOf(s, "e6") != "N" {
		t.Errorf("refs %v, want e6", s.Refs())
	}
}

func TestResolve(t *testing.T) {
	b := new(Book)
	doc := Document{ID: "d", PageRev: 3, URL: "https://example.test/"}
	old := take(t, b, reading(button(1, "A")), Options{})
	now := take(t, b, reading(button(1, "A2"), button(2, "B")), Options{})
	tests := []struct{ ref, snapshot, name string }{
		{"e1", "", "A2"}, {"e1", old.ID, "A"}, {"e1", now.ID, "A2"}, {"e2", "", "B"},
	}
	for _, tt := range tests {
		e, err := b.Resolve(tt.ref, tt.snapshot, doc)
		if err != nil || e.Name != tt.name || e.Key.Document != "d" {
			t.Errorf("%s of %q: %+v, %v, want %s", tt.ref, tt.snapshot, e, err, tt.name)
		}
	}
	for _, ref := range []string{"e3", "e0", "e-1", "e99999999999999999999", "x", ""} {
		_, err := b.Resolve(ref, "", doc)
		wantCode(t, err, diag.ElementNotFound, "@"+ref)
	}
	_, err := b.Resolve("e2", old.ID, doc)
	wantCode(t, err, diag.ElementNotFound, "found @e2, which the snapshot")
	_, err = b.Resolve("e1", "snap_none", doc)
	wantCode(t, err, diag.ElementNotFound, "snap_none")
	_, err = b.Resolve("e1", "", Document{ID: "d2", PageRev: 4, URL: "https://example.test/next"})
	e := wantCode(t, err, diag.StaleRef, "another document")
	if e.Details["ref"] != "e1" || e.Details["snapshot_page_rev"] != 3 || e.Details["current_page_rev"] != 4 ||
		e.Details["url"] != "https://example.test/next" || e.Details["was"] != `button "A2"` {
		t.Errorf("details %v", e.Details)
	}
}

// TestDropped checks that a Book keeps the five most recently used snapshots.
func TestDropped(t *testing.T) {
	b := new(Book)
	doc := reading().Document
	var ids []string
	for i := range 8 {
		if i > 0 { // the first stays in use
			if _, err := b.Resolve("e1", ids[0], doc); err != nil {
				t.Fatal(err)
			}
		}
		ids = append(ids, take(t, b, reading(button(i+1, fmt.Sprint("B", i))), Options{}).ID)
	}
	for i, id := range ids {
		_, err := b.Resolve(fmt.Sprint("e", i+1), id, doc)
		if dropped := i >= 1 && i <= 3; dropped {
			if e := wantCode(t, err, diag.StaleRef, "not one of the last 5"); e.Details["was"] != fmt.Sprintf("button %q", fmt.Sprint("B", i)) {
				t.Errorf("snapshot %d: details %v", i, e.Details)
			}
		} else if err != nil {
			t.Errorf("snapshot %d: %v", i, err)
		}
	}
	_, err := b.Take(reading(), Options{Delta: ids[2]})
	wantCode(t, err, diag.StaleRef, ids[2])
}

func TestGive(t *testing.T) {
	b := new(Book)
	doc := reading().Document
	if e := b.Give(doc, Key{"d", 1}, "button", "A", 1, nil); e.Ref != "e1" {
		t.Errorf("got %s, want e1", e.Ref)
	}
	s := take(t, b, reading(button(2, "B"), button(1, "A")), Options{})
	if nameOf(s, "e1") != "A" || nameOf(s, "e2") != "B" {
		t.Errorf("refs %v", s.Refs())
	}
	e := b.Give(doc, Key{"d", 3}, "link", "C", 1, nil)
	if got, err := b.Resolve(e.Ref, "", doc); err != nil || got.Role != "link" || got.Name != "C" {
		t.Errorf("resolved %+v, %v", got, err)
	}
	for i := range 2 * mostGiven {
		b.Give(doc, Key{"d", 10 + i}, "link", "many", 1, nil)
	}
	_, err := b.Resolve(e.Ref, "", doc)
	wantCode(t, err, diag.StaleRef, "")
	if len(b.given) > mostGiven || len(b.stubs) > mostStubs {
		t.Errorf("%d given, %d stubs are kept", len(b.given), len(b.stubs))
	}
}

func TestDelta(t *testing.T) {
	b := new(Book)
	before := take(t, b, reading(button(1, "A"), button(2, "B"), button(3, "C")), Options{})
	pressed := with(button(2, "B"), state("pressed", "true"))
	got := body(take(t, b, reading(button(4, "New"), button(1, "A"), pressed), Options{Delta: before.ID}))
	want := `[snapshot snap_ab12cd] url=https://example.test/ title="Prices" page_rev=3 nodes=3 truncated=false delta=snap_ab12cd added=1 changed=1 removed=1
- added:
  - button "New" [ref=e4]
- changed:
  - button "B" [pressed] [ref=e2]
- removed:
  - button "C" [ref=e3]
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	other := reading(button(1, "A"))
	other.ID = "d2"
	if got := take(t, b, other, Options{Delta: before.ID}).Text(); !strings.Contains(got, "delta=new_document\n- button \"A\" [ref=e5]") {
		t.Errorf("another document: %s", got)
	}
}

func TestDeltaOfEqualTreesIsEmpty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := new(Book)
		r, o := drawReading(t, new(shape)), drawOptions(t)
		s, err := b.Take(r, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Delta, o.JSON = s.ID, false
		if s, err = b.Take(r, o); err != nil || s.Nodes != 0 || !strings.Contains(s.Text(), "added=0 changed=0 removed=0") {
			t.Fatalf("delta of the same page: %v\n%s", err, s.Text())
		}
	})
}

// TestNumbersAreUnique checks that a number never names a second element, whichever snapshots are
// taken and dropped.
func TestNumbersAreUnique(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := new(Book)
		owner, ids := make(map[string]Key), make(map[string]bool)
		last := 0
		for range rapid.IntRange(1, 12).Draw(t, "snapshots") {
			var s shape
			r := drawReading(t, &s)
			r.ID = rapid.SampledFrom([]string{"a", "b"}).Draw(t, "document")
			o := drawOptions(t)
			o.JSON = false
			got := take2(t, b, r, o)
			if ids[got.ID] {
				t.Fatalf("%s was given twice", got.ID)
			}
			ids[got.ID] = true
			for ref := range got.Refs() {
				e, err := b.Resolve(ref, got.ID, r.Document)
				if err != nil {
					t.Fatal(err)
				}
				key := Key{r.ID, e.Key.Local}
				if owned, ok := owner[ref]; ok && owned != key {
					t.Fatalf("%s was %v and is %v", ref, owned, key)
				}
				owner[ref] = key
			}
			if b.last < last || len(b.kept) > keptSnapshots {
				t.Fatalf("last number %d after %d, %d snapshots kept", b.last, last, len(b.kept))
			}
			last = b.last
		}
	})
}

func TestConcurrentUse(t *testing.T) {
	b := new(Book)
	doc := reading().Document
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range 50 {
				s, err := b.Take(reading(button(100*i+j+1, "A")), Options{})
				if err != nil {
					t.Error(err)
					return
				}
				for ref := range s.Refs() {
					if _, err := b.Resolve(ref, "", doc); err != nil && diag.CodeOf(err) != diag.StaleRef {
						t.Error(err)
					}
				}
				b.Give(doc, Key{"d", 9000 + i}, "link", "", 0, nil)
			}
		}()
	}
	wg.Wait()
}
