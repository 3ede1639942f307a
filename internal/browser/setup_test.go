package browser

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/process"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/selectors"
)

// shared is the browser of most tests: starting one takes longer than a test.
var shared *chrome.Browser

func TestMain(m *testing.M) {
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	temp, err := os.MkdirTemp("", "bt-")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer os.RemoveAll(temp)
	os.Setenv("TMPDIR", temp)
	resolver, endDNS := zone.DNS()
	net.DefaultResolver = resolver // used by our proxy; a browser without it has its own
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	shared, err = Launch(ctx, startup.Options{})
	if err != nil {
		fmt.Println("a Chromium is needed:", err, diag.As(err).Details)
		return 1
	}
	code := m.Run()
	if err := errors.Join(shared.Close(ctx), closeFrameBrowsers(ctx), closeNameless(ctx)); err != nil {
		fmt.Println("close:", err)
		code = 1
	}
	if left, _ := filepath.Glob(filepath.Join(temp, process.Prefix+"*")); len(left) > 0 {
		fmt.Println("profile folders left:", left)
		code = 1
	}
	if left := children(os.Getpid()); len(left) > 0 {
		fmt.Println("processes left:", left)
		code = 1
	}
	endDNS()
	if err := goleak.Find(); err != nil {
		fmt.Println(err)
		code = 1
	}
	return code
}

// A status is what /proc says about a process.
type status struct {
	pid, parent, group int
	state, name        string
}

func processes() []status {
	var list []status
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		text := string(data)
		end := strings.LastIndex(text, ")")
		var s status
		fmt.Sscan(text, &s.pid)
		fmt.Sscan(text[end+1:], &s.state, &s.parent, &s.group)
		s.name = text[strings.Index(text, "(") : end+1]
		list = append(list, s)
	}
	return list
}

// living lists the processes of a group, except for those that init has yet to reap.
func living(group int) []status {
	var list []status
	for _, s := range processes() {
		if s.group == group && s.state != "Z" {
			list = append(list, s)
		}
	}
	return list
}

// children lists the children of pid.
func children(pid int) []status {
	var list []status
	for _, s := range processes() {
		if s.parent == pid {
			list = append(list, s)
		}
	}
	return list
}

// testTime limits one test. No test measures against it.
const testTime = 2 * time.Minute

func testContext(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testTime)
	t.Cleanup(cancel)
	return ctx
}

// openPage opens a window in b.
func openPage(ctx context.Context, b *chrome.Browser) (*Page, error) {
	p, err := b.NewPage(ctx)
	if err != nil {
		return nil, err
	}
	return p.(*Page), nil
}

// activePage returns the active tab of b, or nil.
func activePage(b *chrome.Browser) *Page {
	p, _ := b.Active().(*Page)
	return p
}

func newPage(t testing.TB) (context.Context, *Page) {
	t.Helper()
	ctx := testContext(t)
	p, err := openPage(ctx, shared)
	if err != nil {
		t.Fatal(err)
	}
	p.Frames.UseBook(new(snapshot.Book)) // whatever other tests have shown
	t.Cleanup(func() {
		if err := p.Close(context.Background()); err != nil {
			t.Error("close:", err)
		}
	})
	return ctx, p
}

// site serves pages by path. Any other path is 404.
func site(t testing.TB, pages map[string]string) string {
	t.Helper()
	mux := http.NewServeMux()
	for path, html := range pages {
		if path == "/" {
			path = "/{$}"
		}
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, html)
		})
	}
	return serve(t, mux)
}

var serve = testkit.Serve

// used are the pages of tests that have ended, for the next ones. A page in a new context has a new
// process, whose start takes five times as long as most tests. The oldest page is the first.
var used struct {
	mu    sync.Mutex
	pages []*Page
}

// maxUsed limits the number of unused pages, because their scripts go on running.
const maxUsed = 4

// sharedPage is newPage for tests of what a page shows. The page may be that of another test, which
// has passed and left it as new. Tests that need their own context call newPage.
func sharedPage(t testing.TB) (context.Context, *Page) {
	t.Helper()
	ctx, p := testContext(t), takeUsed()
	if p == nil {
		var err error
		if p, err = openPage(ctx, shared); err != nil {
			t.Fatal(err)
		}
	}
	p.Frames.UseBook(new(snapshot.Book))
	*p.hand = hand{}
	p.Keep(false)
	t.Cleanup(func() {
		if err := leaveUsed(p, !t.Failed() && p.Probe().Plain); err != nil {
			t.Error("close:", err)
		}
	})
	return ctx, p
}

func takeUsed() *Page {
	used.mu.Lock()
	defer used.mu.Unlock()
	last := len(used.pages) - 1
	if last < 0 {
		return nil
	}
	p := used.pages[last]
	used.pages = used.pages[:last]
	return p
}

// leaveUsed keeps p for the next test if p can be used again, and otherwise closes it.
func leaveUsed(p *Page, good bool) error {
	if !good {
		return p.Close(context.Background())
	}
	used.mu.Lock()
	used.pages = append(used.pages, p)
	var old *Page
	if len(used.pages) > maxUsed {
		old = used.pages[0]
		used.pages = used.pages[1:]
	}
	used.mu.Unlock()
	if old == nil {
		return nil
	}
	return old.Close(context.Background())
}

// show opens a page with the given HTML. The test runs in parallel with others, because most of the
// time it waits for the browser.
func show(t testing.TB, html string) (context.Context, *Page) {
	t.Helper()
	if t, ok := t.(*testing.T); ok {
		t.Parallel()
	}
	ctx, p := sharedPage(t)
	if _, err := p.Open(ctx, site(t, map[string]string{"/": "<!doctype html>" + html})+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	return ctx, p
}

func query(part selectors.QueryPart) driver.Target {
	return driver.Target{
		Source:  string(part.Kind) + ":" + part.Value + part.Role,
		Timeout: 5 * time.Second,
		Bind: func(context.Context, driver.Document) (*selectors.Query, error) {
			return &selectors.Query{Parts: []selectors.QueryPart{part}}, nil
		},
	}
}

func css(selector string) driver.Target {
	return query(selectors.QueryPart{Kind: selectors.CSS, Value: selector})
}

// within returns t with another timeout.
func within(t driver.Target, d time.Duration) driver.Target {
	t.Timeout = d
	return t
}

// evaluate runs a script in the page's world.
func evaluate(t testing.TB, ctx context.Context, p *Page, script string) any {
	t.Helper()
	v, err := p.Eval(ctx, script, nil)
	if err != nil {
		t.Fatalf("eval %s: %v", script, err)
	}
	return v
}

// wantCode fails unless err has the code, a hint, and every text in its message.
func wantCode(t testing.TB, err error, code diag.Code, texts ...string) *diag.Error {
	t.Helper()
	e := diag.As(err)
	if e == nil {
		t.Fatalf("got error %v, want %s", err, code)
	}
	if e.Code != code {
		t.Fatalf("got %s (%v), want %s", e.Code, err, code)
	}
	for _, text := range texts {
		if !strings.Contains(e.Msg, text) {
			t.Errorf("message %q, want it to contain %q", e.Msg, text)
		}
	}
	if e.Hint == "" {
		t.Errorf("%s (%v) has no hint", e.Code, err)
	}
	return e
}

// targetOf returns the target of a parsed selector, as the executor does.
func targetOf(sel *selectors.Selector) driver.Target {
	return driver.Target{
		Source: sel.String(), Timeout: 1500 * time.Millisecond,
		Bind: func(context.Context, driver.Document) (*selectors.Query, error) {
			return sel.Bind(selectors.Binding{Scope: new(expr.Scope), TestIDAttr: "data-testid"})
		},
	}
}
