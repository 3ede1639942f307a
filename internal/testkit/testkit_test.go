package testkit

import (
	"fmt"
	"slices"
	"testing"
)

// A log is a testing.TB that records log lines.
type log struct {
	testing.TB
	name  string
	lines []string
}

func (l *log) Name() string { return l.name }

func (l *log) Logf(format string, args ...any) {
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}
func (l *log) Helper() {}

func TestSome(t *testing.T) {
	l := &log{TB: t}
	got := Some(l, "letters", 2, []string{"a", "b", "c", "d", "e"})
	if Full() {
		if len(got) != 5 || len(l.lines) != 0 {
			t.Errorf("got %v and the log %q, want all rows and no log", got, l.lines)
		}
		return
	}
	if !slices.Equal(got, []string{"a", "c", "e"}) {
		t.Errorf("got %v, want a, c and e", got)
	}
	if len(l.lines) != 1 {
		t.Fatalf("the log has %q, want one line", l.lines)
	}
	if n, all, what, ok := Left("    a_test.go:1: " + l.lines[0] + "\n"); !ok || n != 2 || all != 5 || what != "letters" {
		t.Errorf("%q is read as %d of %d %s, %v", l.lines[0], n, all, what, ok)
	}
}

func TestKinds(t *testing.T) {
	rows := []string{"a1", "a2", "b3", "a4", "c5", "b6", "c7"}
	got := Kinds(&log{TB: t}, "letters", 4, rows, func(i int) any { return rows[i][0] })
	want := []string{"a1", "b3", "c5"} // c5 is also the fourth after a1
	if Full() {
		want = rows
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := Kinds(&log{TB: t}, "letters", 3, rows, func(int) any { return nil }); !Full() && !slices.Equal(got, []string{"a1", "a4", "c7"}) {
		t.Errorf("of one kind: got %v, want each third", got)
	}
}

func TestOne(t *testing.T) {
	rows := []string{"a", "b", "c"}
	got := make(map[string]bool)
	for _, name := range []string{"TestA", "TestB", "TestC"} {
		some := One(&log{TB: t, name: name}, "letters", rows)
		if Full() != (len(some) == 3) || len(some)%2 == 0 {
			t.Errorf("%s has %v, want one of three with -short", name, some)
		}
		for _, row := range some {
			got[row] = true
		}
	}
	if len(got) != 3 {
		t.Errorf("the tests have %v together, want each row", got)
	}
}

func TestShare(t *testing.T) {
	rows := []string{"a", "b", "c"}
	for n := 1; n <= 5; n++ {
		times := make(map[string]int)
		for i := range n {
			got := Share(&log{TB: t}, "letters", rows, i, n)
			if len(got) == 0 {
				t.Errorf("the place %d of %d has no row", i, n)
			}
			for _, row := range got {
				times[row]++
			}
		}
		for _, row := range rows {
			if most := max(1, (n+len(rows)-1)/len(rows)); times[row] < 1 || !Full() && times[row] > most {
				t.Errorf("%d places run %s %d times, want once, or %d times at most", n, row, times[row], most)
			}
		}
	}
}
