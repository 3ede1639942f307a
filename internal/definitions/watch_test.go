package definitions

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Of two changes within one tick of the file system's clock, the second does not
// show in the stamp. A file that was young when it was read is read once more.
func TestWatchOfAYoungFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	at := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	put("one")
	for _, tt := range []struct {
		name  string
		began time.Time // of the reading
		want  bool
	}{
		{"written just before", at.Add(tick / 2), true},
		{"written meanwhile", at.Add(-time.Second), true},
		{"written long before", at.Add(2 * tick), false},
	} {
		w := newWatch()
		w.fresh = tt.began.Add(-tick)
		w.note(name)
		put("two")
		if got := w.changed(); got != tt.want {
			t.Errorf("%s: changed is %t, want %t", tt.name, got, tt.want)
		}
		if w.changed() {
			t.Errorf("%s: it seems to change all the time", tt.name)
		}
	}
}
