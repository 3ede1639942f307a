package session_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/definitions"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(runTests(m)) }

// runTests runs the tests with their own temporary folder, and fails if they leave anything.
func runTests(m *testing.M) int {
	addStepCases()
	temp, err := os.MkdirTemp("", "st-")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer os.RemoveAll(temp)
	os.Setenv("TMPDIR", temp)
	code := m.Run()
	if err := browsers.Close(); err != nil {
		fmt.Println(err)
		code = 1
	}
	if left, _ := filepath.Glob(filepath.Join(temp, "action-*")); len(left) > 0 {
		fmt.Println("temporary folders left:", left)
		code = 1
	}
	if err := goleak.Find(); err != nil {
		fmt.Println(err)
		code = 1
	}
	return code
}

// browsers holds the browsers that all tests share.
var browsers session.Pool

// A bench is a session with definitions, and the folder and environment of its runs.
type bench struct {
	*session.Session
	defs    *definitions.Set
	cwd     string
	environ []string
}

// newBench returns a bench with the definitions of files, by name and content, and of the existing
// files at paths. All definitions must be valid. environ has the variables of every run.
func newBench(t *testing.T, files map[string]string, paths []string, environ ...string) *bench {
	t.Helper()
	if files == nil && paths == nil {
		return benchOf(t, builtinDefinitions(t, environ), t.TempDir(), environ)
	}
	cwd, dir := t.TempDir(), t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := dir
	for _, p := range paths {
		full, err := filepath.Abs(p)
		if err != nil {
			t.Fatal(err)
		}
		path += string(os.PathListSeparator) + full
	}
	defs, err := definitions.Load(t.Context(), definitions.Options{Cwd: cwd, Environ: append([]string{"ACTION_PATH=" + path}, environ...), Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	return benchOf(t, defs, cwd, environ)
}

// builtin caches the definitions of benches without files, by environment, because loading them
// takes longer than most rows of a table.
var builtin sync.Map

func builtinDefinitions(t *testing.T, environ []string) *definitions.Set {
	t.Helper()
	load, _ := builtin.LoadOrStore(strings.Join(environ, "\n"), sync.OnceValues(func() (*definitions.Set, error) {
		return definitions.Load(context.Background(), definitions.Options{Cwd: os.TempDir(), Environ: environ, Strict: true})
	}))
	defs, err := load.(func() (*definitions.Set, error))()
	if err != nil {
		t.Fatal(err)
	}
	return defs
}

// benchOf returns a bench with a new session, which runs in cwd.
func benchOf(t *testing.T, defs *definitions.Set, cwd string, environ []string) *bench {
	t.Helper()
	b := &bench{Session: session.NewPooled(session.Options{Definitions: defs}, &browsers), defs: defs, cwd: cwd, environ: environ}
	t.Cleanup(func() {
		if err := b.Close(context.Background()); err != nil {
			t.Error("close:", err)
		}
	})
	return b
}

// withOwnBrowser gives b a new browser, for tests of state that a browser keeps until it ends, such
// as its dialog history and its downloads.
func (b *bench) withOwnBrowser() *bench {
	b.Session = session.New(session.Options{Definitions: b.defs})
	return b
}

// indexes returns the indexes of rows, for tables whose pages have an index in their address.
func indexes[T any](rows []T) []int {
	var list []int
	for i := range rows {
		list = append(list, i)
	}
	return list
}

// A pairOf is a row of one table and a row of another.
type pairOf[A, B any] struct {
	a A
	b B
}

// somePairs returns each row of one table with each row of another or, with -short, every nth of these
// pairs. Each row of the second table then occurs if n and its length have no common divisor.
func somePairs[A, B any](t *testing.T, what string, n int, first []A, second []B) []pairOf[A, B] {
	t.Helper()
	var all []pairOf[A, B]
	for _, a := range first {
		for _, b := range second {
			all = append(all, pairOf[A, B]{a, b})
		}
	}
	return testkit.Some(t, what, n, all)
}

// beside returns a bench with the definitions of b and a new session, for rows that run in
// parallel.
func (b *bench) beside(t *testing.T) *bench {
	t.Helper()
	return benchOf(t, b.defs, t.TempDir(), b.environ)
}

// runTime bounds one run. Only a failing test reaches it.
const runTime = 2 * time.Minute

// run runs an action with typed params.
func (b *bench) run(t *testing.T, action string, params map[string]any) *executor.Result {
	t.Helper()
	return b.runWith(t, action, session.RunOptions{Params: params})
}

func (b *bench) runWith(t *testing.T, action string, o session.RunOptions) *executor.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), runTime)
	defer cancel()
	o.Cwd = b.cwd
	if o.Environ == nil {
		o.Environ = b.environ
	}
	return b.Run(ctx, action, o)
}

// mustRun runs an action, which must succeed, and returns its data.
func (b *bench) mustRun(t *testing.T, action string, params map[string]any) map[string]any {
	t.Helper()
	return data(t, b.run(t, action, params))
}

// data returns the data of a result, which must be a success.
func data(t *testing.T, r *executor.Result) map[string]any {
	t.Helper()
	if r.Error != nil {
		t.Fatalf("%s failed: %s", r.Action, describe(r.Error))
	}
	m, ok := r.Data.(map[string]any)
	if !ok {
		t.Fatalf("%s returned %v, want a map", r.Action, r.Data)
	}
	return m
}

func describe(e *diag.Error) string {
	return fmt.Sprintf("%s: %s (%s) in %s at %s; details %v", e.Code, e.Msg, e.Hint, e.StepAction, e.Path, e.Details)
}

var serve = testkit.Serve

// muxShowing returns a mux that answers every path without another handler with a page whose body
// is *html.
func muxShowing(html *string) *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>Page</title>"+*html)
	})
	return mux
}
