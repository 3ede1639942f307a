package trace

import (
	"fmt"
	"strings"
	"testing"
)

func TestMemory(t *testing.T) {
	var m Memory
	first := m.Masker()
	first.Add("first-secret", []any{"in a list"}, nil, "")
	second := m.Masker()
	second.Add("second-secret")
	const text = "first-secret second-secret in%20a+list"
	for _, test := range []struct {
		name, got, want string
	}{
		{"the first masker knows its own", first.String(text), "*** second-secret ***"},
		{"the second knows both", second.String(text), "*** *** ***"},
		{"so does the memory", m.String(text), "*** *** ***"},
		{"and a third", m.Masker().String(text), "*** *** ***"},
	} {
		if test.got != test.want {
			t.Errorf("%s: %q, want %q", test.name, test.got, test.want)
		}
	}
	var none *Memory
	none.Masker().Add("first-secret")
	if got := none.String(text) + none.Masker().String(text); got != text+text {
		t.Errorf("a nil memory masks: %q", got)
	}
}

func TestMemoryPutsTheLongestFirst(t *testing.T) {
	var m Memory
	m.Masker().Add("secret")
	m.Masker().Add("secret-and-more")
	if got := m.String("secret-and-more secret"); got != "*** ***" {
		t.Errorf("%q, want two masks", got)
	}
}

// TestMemoryIsBounded checks that a full Memory forgets the least recently used secret.
func TestMemoryIsBounded(t *testing.T) {
	name := func(i int) string { return fmt.Sprintf("secret-%03d", i) }
	t.Run("by number", func(t *testing.T) {
		var m Memory
		for i := range memoryTexts {
			m.Masker().Add(name(i))
		}
		m.Masker().Add(name(0)) // used again
		m.Masker().Add(name(memoryTexts))
		for i := range memoryTexts + 1 {
			if got, want := m.String(name(i)) == Mask, i != 1; got != want {
				t.Errorf("%s is masked: %t, want %t", name(i), got, want)
			}
		}
	})
	t.Run("by bytes", func(t *testing.T) {
		var m Memory
		big := func(c string) string { return strings.Repeat(c, memoryBytes/2) }
		m.Masker().Add("small")
		for _, c := range []string{"a", "b", "c"} {
			m.Masker().Add(big(c))
		}
		if got := m.String("small " + big("a") + " " + big("b") + " " + big("c")); got != "small "+big("a")+" *** ***" {
			t.Errorf("%d bytes, want the two newest masked", len(got))
		}
		huge := strings.Repeat("z", 2*memoryBytes)
		m.Masker().Add(huge)
		if got := m.String(huge + " " + big("c")); got != "*** "+big("c") {
			t.Errorf("%d bytes, want the newest alone masked", len(got))
		}
	})
}
