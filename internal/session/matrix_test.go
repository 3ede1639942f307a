package session_test

// The matrix: every action of a component library on every version of it, by its
// name, through a session. What an action did is read from the page's own state,
// not from the action. docs/libraries.md is written from it (make docs-libraries).

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

// A matrixCase runs one action, on a fresh page unless it keeps the one that the
// case before has left.
type matrixCase struct {
	keeps  bool
	name   string // beside that of the action, where it has several cases
	action string // component:verb
	query  string // of the page's address
	before []call // actions that bring the page there
	params map[string]any
	data   map[string]string // what it must return, by path
	state  map[string]string // what the page must then hold, by path
	only   string            // the library that has this; "" each
	not    string            // the page that has it not all the same
	code   diag.Code         // what it must fail with
	says   string            // a part of the message then
	next   string            // a part of the next step then
}

// isFor reports whether a page has what the case is about.
func (c matrixCase) isFor(p libraries.Page) bool {
	return (c.only == "" || c.only == p.Library) && c.not != p.Name
}

// A call is one action with its params.
type call struct {
	action string
	params map[string]any
}

// A cell of the matrix: how the cases of one action went on one page.
type cell struct {
	ms      int64 // of the slowest case that succeeds
	won     []string
	failed  bool
	refused bool // VERSION_INCOMPATIBLE, with a reason
}

type matrix struct {
	mu    sync.Mutex
	cells map[string]map[string]*cell // by action, by page
	some  []string                    // only the first case of these actions; nil: all
	smoke map[string][]int            // by page, which cases; nil: all
}

// matrixLocales are the languages in which the i-th page is tested: both with
// MATRIX_LOCALES=en,zh (make matrix), else one after the other, so that each run
// has both.
func matrixLocales(i int) []string {
	if s := os.Getenv("MATRIX_LOCALES"); s != "" {
		return strings.Split(s, ",")
	}
	return []string{[]string{"en", "zh"}[i%2]}
}

// matrixGlobals says whether the i-th page has the global of its library: with -short one of
// the two.
func matrixGlobals(i int) []string {
	both := []string{"", "bundled"}
	if testkit.Full() {
		return both
	}
	return both[1-i%2 : 2-i%2]
}

// matrixTime bounds one run, also where the machine is busy or slowed down.
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
	// If the processor is slowed, a fallback may find first what appears late: the page shows which
	// selectors win at full speed.
	whole := m.whole()
	if *update && !whole {
		t.Error("the page is written of the whole matrix, without -short and -run")
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
	fresh, last := true, 0 // whether the page cannot be kept, and which case ran last
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
			// In the smoke the case before is another one than in the whole table: it
			// has passed, and what it has left open the action has to cope with. But it may
			// have deleted a row.
			if fresh || !c.keeps || last != i-1 && (m.smoke == nil || strings.HasPrefix(c.action, "table:")) {
				b.open(t, url+c.query)
			}
			fresh, last = true, i // whatever becomes of this case
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
				m.smoke != nil && strings.HasSuffix(c.action, ":open") // what closes it may not be in the smoke
		})
	}
	testkit.Leave(t, left, len(cases), "cases")
}

// An application may change the prefix of the library's class names. The style
// sheets of versions 3 and 4 are made for one prefix.
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

// defaultTimeout is what a slow machine is given: the builtin one as many times as the
// processor is slower, and not less than is enough beside other browsers, for which a
// page may have to wait longer than the builtin time before it has drawn anything.
func defaultTimeout(t *testing.T, slowdown string) time.Duration {
	t.Helper()
	times, err := strconv.Atoi(slowdown)
	if err != nil {
		t.Fatalf("MATRIX_SLOWDOWN is %q, expected an integer", slowdown)
	}
	return max(15*time.Second, time.Duration(times)*5*time.Second)
}

// long runs an action in the time of the matrix.
func (b *bench) long(t *testing.T, action string, params map[string]any) *executor.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), matrixTime)
	defer cancel()
	return b.Run(ctx, action, session.RunOptions{Params: params, Steps: true, Cwd: b.cwd, Environ: b.environ})
}

// unverified are the actions of which only the page's own author knows what has to come, and
// those that press in order to read.
var unverified = []string{"button:click", "menu:select", "dropdown:choose", "table:row-action", "table:filter", "select:options", "notification:close"}

// checkCase compares what an action returned with the values of the page.
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

// lookup follows a path such as rows[0].Customer, written with dots: rows.0.Customer;
// -1 is the last. What is missing is "<nil>".
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
	if tt.code == "" { // a refusal waits for what does not come
		c.ms = max(c.ms, r.DurationMS)
	}
	c.failed = c.failed || !ok
	c.refused = c.refused || r.Error != nil && r.Error.Code == diag.VersionIncompatible
	for _, d := range r.Degraded {
		c.won = append(c.won, d.Alias)
	}
}
