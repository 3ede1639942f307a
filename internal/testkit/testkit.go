// Package testkit holds the helpers that tests of several packages share. It chooses the tests that
// a tier runs, waits for conditions, and plays the peer of a DevTools connection. Only tests import
// it. It starts no browser. A helper for the tests of one package stays in that package.
//
// There are two tiers. With -short (make check, make test), long tests do not run, and a long table
// runs only the rows that are most likely to find a fault. Without -short (make test-all, plain go
// test), everything runs. Each omission is logged in a form that the report of make test counts;
// see [Left].
package testkit

import (
	"bytes"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Full reports whether all tests run, that is, without -short.
func Full() bool { return !testing.Short() }

// Long skips the test with -short. It is for tests that take seconds of CPU time. Another test must
// cover the same code without Long.
func Long(t testing.TB) {
	t.Helper()
	if Full() {
		return
	}
	Leave(t, 1, 1, "long tests")
	t.SkipNow()
}

// left is the format of the log line for omitted rows: how many, of how many, and their name.
const left = "-short leaves out %d of %d %s"

var leftOut = regexp.MustCompile(`-short leaves out (\d+) of (\d+) (.+)`)

// Rows returns the rows to run. It returns all rows or, with -short, only those for which the
// function keep returns true. If there is none, the test fails. The argument what names the rows in
// the log.
func Rows[T any](t testing.TB, what string, rows []T, keep func(T) bool) []T {
	t.Helper()
	if Full() {
		return rows
	}
	var some []T
	for _, row := range rows {
		if keep(row) {
			some = append(some, row)
		}
	}
	if len(some) == 0 && len(rows) > 0 {
		t.Fatalf("-short keeps none of %d %s", len(rows), what)
	}
	Leave(t, len(rows)-len(some), len(rows), what)
	return some
}

// Leave logs that n of all rows are omitted. If n is 0, it logs nothing. A test that does not use
// Rows, and omits rows itself, must call Leave.
func Leave(t testing.TB, n, all int, what string) {
	t.Helper()
	if n > 0 {
		t.Logf(left, n, all, what)
	}
}

// Left parses a log line that Leave has written. ok is false for any other line.
func Left(line string) (n, all int, what string, ok bool) {
	m := leftOut.FindStringSubmatch(line)
	if m == nil {
		return 0, 0, "", false
	}
	n, _ = strconv.Atoi(m[1])
	all, _ = strconv.Atoi(m[2])
	return n, all, m[3], true
}

// Some returns all rows of a table test or, with -short, every nth row, beginning with the first. It
// suits tables whose rows are similar.
func Some[T any](t testing.TB, what string, n int, rows []T) []T {
	t.Helper()
	i := -1
	return Rows(t, what, rows, func(T) bool { i++; return i%n == 0 })
}

// Kinds returns the rows to run of a table with rows of several kinds. It returns all rows. With
// -short, it returns only the first row of each kind, and every nth row of the table. The function
// kind returns the kind of the i-th row, such as its expected error.
func Kinds[T any](t testing.TB, what string, n int, rows []T, kind func(i int) any) []T {
	t.Helper()
	i, seen := -1, make(map[any]bool)
	return Rows(t, what, rows, func(T) bool {
		i++
		k := kind(i)
		first := !seen[k]
		seen[k] = true
		return first || i%n == 0
	})
}

// One returns all rows of a table test or, with -short, only one of them. It suits tests that are
// repeated in the same way for each row, such as each version of a library. The name of the test
// decides which row it is, so that different tests run different rows.
func One[T any](t testing.TB, what string, rows []T) []T {
	t.Helper()
	sum, i := 0, -1
	for _, c := range t.Name() {
		sum += int(c)
	}
	return Rows(t, what, rows, func(T) bool { i++; return i == sum%len(rows) })
}

// Share divides rows among n tests and returns the share of test i, counted from 0. Without -short,
// it returns all rows. If there are fewer rows than tests, some tests share a row.
func Share[T any](t testing.TB, what string, rows []T, i, n int) []T {
	t.Helper()
	at := -1
	return Rows(t, what, rows, func(T) bool {
		at++
		return at%n == i || i >= len(rows) && at == i%len(rows)
	})
}

// patience is the time limit of Eventually. Only a failing test reaches it.
const patience = time.Minute

// Eventually waits until cond returns true. It calls cond every few milliseconds, and fails the
// test after a minute. The argument "what" names the condition in the failure.
func Eventually(t testing.TB, what string, cond func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	end := time.NewTimer(patience)
	defer end.Stop()
	for !cond() {
		select {
		case <-tick.C:
		case <-end.C:
			t.Fatalf("did not happen within %s: %s", patience, what)
		}
	}
}

// A Buffer is a buffer that several goroutines may use, such as the log of a server. Its zero value is
// empty.
type Buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements [io.Writer].
func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// Serve serves h on loopback until the test ends, and returns its address.
func Serve(t testing.TB, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL
}

// Write writes a file and creates its folders.
func Write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Aged is the modification time that [Age] sets.
var Aged = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// Age sets the modification time of everything in the folders to [Aged]. Files that have just been
// written are read again in any case, even if they have not changed. A test of whether a change is
// noticed must therefore age its files first.
func Age(t testing.TB, dirs ...string) {
	t.Helper()
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Chtimes(name, Aged, Aged)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
