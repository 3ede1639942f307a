package session_test

// The matrix: every action of a component library, by name, on every version of the library. The
// tests read the effect of an action from the state of the page, not from the result.
// docs/libraries.md is generated from the matrix (make docs-libraries).

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/libraries"
	"github.com/actionregistry/action/testdata/npm"
)

var update = flag.Bool("update", false, "rewrite the pages that are written from tests: docs/libraries.md")

// A matrixCase runs one action on a newly loaded page. If keeps is set, it runs the action on the page
// of the previous case.
type matrixCase struct {
	keeps  bool
	name   string // name of the case, if the action has several
	action string // component:verb
	query  string // query of the page's address
	before []call // actions that prepare the page
	params map[string]any
	data   map[string]string // expected data of the result, by path
	state  map[string]string // expected state of the page afterwards, by path
	only   string            // the only library with this case; "" means all
	not    string            // a page without this case
	code   diag.Code         // expected error
	says   string            // part of the error's message
	next   string            // part of the error's hint
}

// isFor reports whether the case applies to a page.
func (c matrixCase) isFor(p libraries.Page) bool {
	return (c.only == "" || c.only == p.Library) && c.not != p.Name
}

// A call is one action with its params.
type call struct {
	action string
	params map[string]any
}

// A cell of the matrix is the outcome of the cases of one action on one page.
type cell struct {
	ms      int64 // time of the slowest successful case
	won     []string
	failed  bool
	refused bool // VERSION_INCOMPATIBLE, with a reason
}

type matrix struct {
	mu    sync.Mutex
	cells map[string]map[string]*cell // by action, by page
	some  []string                    // only the first case of these actions; nil: all
	smoke map[string][]int            // indexes of the cases to run, by page; nil: all
}

// matrixLocales returns the languages in which to test the i-th page: those of MATRIX_LOCALES, which
// make matrix sets to en,zh. If it is not set, they are English for even i and Chinese for odd i.
func matrixLocales(i int) []string {
	if s := os.Getenv("MATRIX_LOCALES"); s != "" {
		return strings.Split(s, ",")
	}
	return []string{[]string{"en", "zh"}[i%2]}
}

// matrixGlobals returns the variants of the i-th page to test: with the global variable of its
// library (""), and without it ("bundled"); with -short, one of them.
func matrixGlobals(i int) []string {
	both := []string{"", "bundled"}
	if testkit.Full() {
		return both
	}
	return both[1-i%2 : 2-i%2]
}

// matrixTime bounds one run. It is enough for a busy machine, or a slowed processor.
const matrixTime = 3 * time.Minute

func TestMatrix(t *testing.T) {
	t.Parallel()
	modules, err := npm.Dir()
	if err != nil {
		t.Fatal(err)
	}
	base := serve(t, libraries.Handler(modules))
	m := &matrix{cells: make(map[string]map[string]*cell)}
	if !testkit.Full() {
		m.smoke = smoke(matrixCases(words("en")), libraries.Pages())
	}
	t.Run("pages", func(t *testing.T) {
		for i, page := range libraries.Pages() {
			for _, locale := range matrixLocales(i) {
				for _, bundled := range matrixGlobals(i) {
					t.Run(strings.TrimSpace(page.Name+" "+locale+" "+bundled), func(t *testing.T) {
						t.Parallel()
						m.page(t, page, locale, base+"/"+page.Name+"?locale="+locale+"&"+bundled)
					})
				}
			}
		}
	})
	// docs/libraries.md shows which selectors match at full speed. On a slowed processor, a fallback
	// may match before the primary.
	whole := m.whole()
	if *update && !whole {
		t.Error("docs/libraries.md needs the whole matrix: run it without -short and -run")
	}
	if cmp.Or(os.Getenv("MATRIX_SLOWDOWN"), "1") == "1" && !t.Failed() && whole {
		m.compare(t)
	}
}

func (m *matrix) page(t *testing.T, page libraries.Page, locale, url string) {
	slowdown := cmp.Or(os.Getenv("MATRIX_SLOWDOWN"), "1") // make matrix sets it
	b := newBench(t, nil, nil,
		"ACTION_BROWSER_CPU_SLOWDOWN="+slowdown, "ACTION_ACTIONS_DEFAULT_TIMEOUT="+defaultTimeout(t, slowdown).String())
	if err := os.WriteFile(filepath.Join(b.cwd, "contract.txt"), []byte("agreed"), 0o600); err != nil {
		t.Fatal(err)
	}
	fresh, last := true, 0 // whether the next case needs a new page, and the index of the last case
	cases, left := matrixCases(words(locale)), 0
	for i, c := range cases {
		if !c.isFor(page) || m.some != nil && (c.name != "" || !slices.Contains(m.some, c.action)) {
			continue
		}
		if m.smoke != nil && !slices.Contains(m.smoke[page.Name], i) {
			left++
			continue
		}
		t.Run(strings.TrimSpace(c.action+" "+c.name), func(t *testing.T) {
			got := m.cell(c.action, page.Name)
			// With smoke, the previous case is another one than in the whole table. Actions must cope
			// with anything that it has left open, but those of tables may need a row that it has
			// deleted.
			if fresh || !c.keeps || last != i-1 && (m.smoke == nil || strings.HasPrefix(c.action, "table:")) {
				b.open(t, url+c.query)
			}
			fresh, last = true, i // in case this test ends early
			for _, before := range c.before {
				data(t, b.long(t, page.Library+":"+before.action, before.params))
			}
			r := b.long(t, page.Library+":"+c.action, c.params)
			m.note(got, c, r, checkCase(t, b, c, r))
			want := page.Version
			if strings.HasSuffix(url, "bundled") {
				want, _, _ = strings.Cut(want, ".")
				want += ".x"
			}
			if r.Version != "" && !strings.HasPrefix(r.Version, want) {
				t.Errorf("version %q, want %s", r.Version, want)
			}
			fresh = t.Failed() || c.query != "" || c.code == diag.StepFailed ||
				m.smoke != nil && strings.HasSuffix(c.action, ":open") // smoke may lack the case that closes what the action has opened
		})
	}
	testkit.Leave(t, left, len(cases), "cases")
}

// TestMatrixWithAnotherPrefix tests applications that change the prefix of the library's class
// names. The style sheets of versions 3 and 4 support only one prefix.
func TestMatrixWithAnotherPrefix(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	modules, err := npm.Dir()
	if err != nil {
		t.Fatal(err)
	}
	base := serve(t, libraries.Handler(modules))
	some := []string{"form:fill", "form:errors", "select:choose", "date:pick", "dialog:confirm", "drawer:close", "table:read", "table:sort", "table:row-action",
		"menu:select", "tree:select", "message:read"}
	pages := slices.DeleteFunc(libraries.Pages(), func(p libraries.Page) bool {
		return p.Name != "antd5" && p.Name != "antd6" && p.Name != "elementplus"
	})
	for _, page := range somePages(t, pages) {
		t.Run(page.Name, func(t *testing.T) {
			t.Parallel()
			m := &matrix{cells: make(map[string]map[string]*cell), some: some}
			m.page(t, page, "en", base+"/"+page.Name+"?prefix=acme")
		})
	}
}

// defaultTimeout returns the timeout of steps: the builtin timeout multiplied by the slowdown of the
// processor, and at least 15s. While other browsers are running, a page may draw nothing for longer
// than the builtin timeout.
func defaultTimeout(t *testing.T, slowdown string) time.Duration {
	t.Helper()
	times, err := strconv.Atoi(slowdown)
	if err != nil {
		t.Fatalf("MATRIX_SLOWDOWN is %q, expected an integer", slowdown)
	}
	return max(15*time.Second, time.Duration(times)*5*time.Second)
}

// long runs an action with matrixTime as its time limit.
func (b *bench) long(t *testing.T, action string, params map[string]any) *executor.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), matrixTime)
	defer cancel()
	return b.Run(ctx, action, session.RunOptions{Params: params, Steps: true, Cwd: b.cwd, Environ: b.environ})
}

// unverified are the actions whose expected effect only the author of the page knows, and those
// that press only to read.
var unverified = []string{"button:click", "menu:select", "dropdown:choose", "table:row-action", "table:filter", "select:options", "notification:close"}

// checkCase compares the result of an action and the state of the page with the case. It reports
// whether they are as expected.
func checkCase(t *testing.T, b *bench, c matrixCase, r *executor.Result) bool {
	t.Helper()
	switch {
	case r.Error != nil && r.Error.Code == diag.VersionIncompatible && r.Error.Msg != "":
		return true
	case c.code != "":
		wantError(t, r, c.code, c.says)
		if r.Error != nil && !strings.Contains(r.Error.Hint, c.next) {
			t.Errorf("the next step is %q, want it to name %q", r.Error.Hint, c.next)
		}
	case r.Error != nil:
		t.Errorf("%s failed: %s\n%s", r.Action, describe(r.Error), encode(t, r))
		return false
	case !slices.Contains(unverified, c.action) && (r.Verified == nil || !*r.Verified):
		t.Errorf("%s is not verified: %v", r.Action, r.Unverified)
	}
	for path, want := range c.data {
		if got := lookup(r.Data, path); got != want {
			t.Errorf("returned %s = %q, want %q", path, got, want)
		}
	}
	if len(c.state) > 0 {
		state := b.state(t)
		for path, want := range c.state {
			if got := lookup(state, path); got != want {
				t.Errorf("the page holds %s = %q, want %q", path, got, want)
			}
		}
	}
	return !t.Failed()
}

// state reads the state of the application.
func (b *bench) state(t *testing.T) any {
	t.Helper()
	r := b.Step(t.Context(), "get", session.RunOptions{Params: map[string]any{"selector": "css:#state", "what": "html"}, Cwd: b.cwd})
	var state any
	if err := json.Unmarshal([]byte(fmt.Sprint(data(t, r)["html"])), &state); err != nil {
		t.Fatal(err)
	}
	return state
}

// lookup returns the text at a path such as rows.0.Customer; the index -1 is the last item. If
// there is none, it returns "<nil>".
func lookup(v any, path string) string {
	for _, key := range strings.Split(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[key]
		case []any:
			var i int
			if _, err := fmt.Sscan(key, &i); err != nil {
				return "<nil>"
			}
			if i < 0 {
				i += len(x)
			}
			if i < 0 || i >= len(x) {
				return "<nil>"
			}
			v = x[i]
		default:
			return "<nil>"
		}
	}
	return fmt.Sprint(v)
}

func (m *matrix) cell(action, page string) *cell {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.cells[action] == nil {
		m.cells[action] = make(map[string]*cell)
	}
	if m.cells[action][page] == nil {
		m.cells[action][page] = &cell{}
	}
	return m.cells[action][page]
}

func (m *matrix) note(c *cell, tt matrixCase, r *executor.Result, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if tt.code == "" { // an error comes only after a timeout
		c.ms = max(c.ms, r.DurationMS)
	}
	c.failed = c.failed || !ok
	c.refused = c.refused || r.Error != nil && r.Error.Code == diag.VersionIncompatible
	for _, d := range r.Degraded {
		c.won = append(c.won, d.Alias)
	}
}
