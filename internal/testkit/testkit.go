// Package testkit has what tests of several packages share: the tier that they run
// in, and what a tier leaves out. Only tests import it; it starts no browser, and what
// a package's tests alone need stays beside them.
//
// There are two amounts of tests. With -short (make check, make test) a long table
// runs the rows that are the likeliest to find a fault, and long tests do not run; without
// it (make test-all, and go test by hand) everything runs. What -short leaves out is logged
// in the words that the report of make test counts.
package testkit

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"
)

// Full reports whether everything runs.
func Full() bool { return !testing.Short() }

// Long leaves the whole test to make test-all. For tests that take seconds of processor
// time and whose subject changes rarely, such as what a browser does on its own; a test
// beside it, or a row of it, tries the same code in make test.
func Long(t testing.TB) {
	t.Helper()
	if Full() {
		return
	}
	Leave(t, 1, 1, "long tests")
	t.SkipNow()
}

// left is how a test says what it leaves out: how many, of how many, and of what.
const left = "-short leaves out %d of %d %s"

var leftOut = regexp.MustCompile(`-short leaves out (\d+) of (\d+) (.+)`)

// Rows returns the rows to run: all, or with -short those that keep chooses, at least
// one. what names the rows in the log.
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

// Leave logs that n of all are left out, unless there are none. For tests that choose
// their rows themselves; Rows calls it.
func Leave(t testing.TB, n, all int, what string) {
	t.Helper()
	if n > 0 {
		t.Logf(left, n, all, what)
	}
}

// Left reads a line of a log that Leave has written.
func Left(line string) (n, all int, what string, ok bool) {
	m := leftOut.FindStringSubmatch(line)
	if m == nil {
		return 0, 0, "", false
	}
	n, _ = strconv.Atoi(m[1])
	all, _ = strconv.Atoi(m[2])
	return n, all, m[3], true
}

// Some returns the rows of a table whose rows are alike: all, or with -short the first and
// every nth after it.
func Some[T any](t testing.TB, what string, n int, rows []T) []T {
	t.Helper()
	i := -1
	return Rows(t, what, rows, func(T) bool { i++; return i%n == 0 })
}

// Kinds returns the rows of a table whose rows differ in what comes of them: all, or with
// -short the first of each kind, and every nth row. kind says of what kind the i-th row is,
// such as the error that it expects: so each way to fail that a table has is tried.
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

// One returns the rows to run if each repeats the whole test, such as on another build of
// the browser or version of a library: all, or with -short one, chosen by the test's name,
// so that the tests together cover each row.
func One[T any](t testing.TB, what string, rows []T) []T {
	t.Helper()
	sum, i := 0, -1
	for _, c := range t.Name() {
		sum += int(c)
	}
	return Rows(t, what, rows, func(T) bool { i++; return i == sum%len(rows) })
}

// Share returns the rows of the i-th of n places that try the same rows: all, or with
// -short those that are its share, so that the places together run each row once. Where
// there are fewer rows than places some are shared, so that no place has none.
func Share[T any](t testing.TB, what string, rows []T, i, n int) []T {
	t.Helper()
	at := -1
	return Rows(t, what, rows, func(T) bool {
		at++
		return at%n == i || i >= len(rows) && at == i%len(rows)
	})
}

// patience bounds every wait; only what is broken is waited for to its end.
const patience = time.Minute

// Eventually waits until cond holds, which it asks every few milliseconds.
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
			t.Fatalf("it did not happen within %s: %s", patience, what)
		}
	}
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

// Write writes a file, and the folders that it is in.
func Write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Aged is when what [Age] has seen was changed.
var Aged = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// Age makes everything in folders old: definitions that are young when they are read are read
// twice, which would hide a change that is not noticed.
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
