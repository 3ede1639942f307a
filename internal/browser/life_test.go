package browser

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/process"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/selectors"
)

var eventually = testkit.Eventually

func launch(t *testing.T, o startup.Options) (*chrome.Browser, string) {
	t.Helper()
	o.TempDir = t.TempDir()
	b, err := Launch(testContext(t), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close(context.Background()) })
	return b, o.TempDir
}

func wantEmpty(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left in the temporary folder: %v, %v", left, err)
	}
}

func TestCloseLeavesNothing(t *testing.T) {
	testkit.Long(t)
	b, temp := launch(t, startup.Options{})
	if _, err := openPage(testContext(t), b); err != nil {
		t.Fatal(err)
	}
	group := b.Probe().Process.PID()
	for range 2 {
		if err := b.Close(testContext(t)); err != nil {
			t.Fatal(err)
		}
	}
	wantEmpty(t, temp)
	if left := living(group); len(left) > 0 {
		t.Errorf("processes left: %v", left)
	}
	_, err := openPage(testContext(t), b)
	wantCode(t, err, diag.BrowserUnavailable)
}

func TestCloseWithCancelledContext(t *testing.T) {
	b, temp := launch(t, startup.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := b.Close(ctx); err != nil {
		t.Fatal(err)
	}
	wantEmpty(t, temp)
}

func TestOptions(t *testing.T) {
	b, _ := launch(t, startup.Options{UserAgent: "Tester/1", Locale: "de-DE", Viewport: startup.Viewport{Width: 500, Height: 400}})
	ctx := testContext(t)
	p, err := openPage(ctx, b)
	if err != nil {
		t.Fatal(err)
	}
	const says = "[navigator.userAgent,navigator.language,innerWidth,innerHeight,(1234.5).toLocaleString()].join(' ')"
	url := site(t, map[string]string{
		"/": "<!doctype html><iframe width=30 height=20></iframe><script>addEventListener('message',(e)=>{inner=e.data});" +
			"document.querySelector('iframe').src='http://'+(location.hostname=='localhost'?'127.0.0.1':'localhost')+':'+location.port+'/inner'</script>",
		"/inner": "<script>parent.postMessage(" + says + ",'*')</script>",
	})
	for _, origin := range []string{"127.0.0.1", "localhost"} { // each has a process of its own
		if _, err := p.Open(ctx, strings.Replace(url, "127.0.0.1", origin, 1), driver.Load); err != nil {
			t.Fatal(err)
		}
		if got, want := evaluate(t, ctx, p, says), "Tester/1 de-DE 500 400 1.234,5"; got != want {
			t.Errorf("the page sees %v, want %v", got, want)
		}
		if got, want := evaluate(t, ctx, p, "while (!window.inner) await new Promise(requestAnimationFrame); return inner"), "Tester/1 de-DE 30 20 1.234,5"; got != want {
			t.Errorf("a frame of another origin sees %v, want %v", got, want)
		}
	}
}

func TestFullBrowser(t *testing.T) {
	testkit.Long(t)
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal("no full Chromium here, and the shell differs from it: install chromium")
	}
	b, temp := launch(t, startup.Options{Path: path})
	ctx := testContext(t)
	p, err := openPage(ctx, b)
	if err != nil {
		t.Fatal(err)
	}
	url := site(t, map[string]string{"/": "<button>Save</button>"})
	if _, err := p.Open(ctx, url, driver.Load); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Press(ctx, css("button"), driver.PressOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(ctx); err != nil {
		t.Fatal(err)
	}
	wantEmpty(t, temp)
}

func TestLaunchFailures(t *testing.T) {
	script := func(text string) string {
		path := filepath.Join(t.TempDir(), "browser")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tests := []struct{ name, path, text string }{
		{"missing", filepath.Join(t.TempDir(), "none"), "cannot be started"},
		{"ends at once", script("echo it broke >&2; exit 3"), "it broke"},
		{"sandbox", script("echo 'Running as root without --no-sandbox is not supported' >&2; exit 1"), "sandbox"},
		{"profile", script("echo 'Failed to create SingletonLock: File exists' >&2; exit 21"), "in use"},
		{"library", script("echo 'error while loading shared libraries: libnss3.so' >&2; exit 127"), "library is missing"},
		{"no protocol", script(`printf 'hello\0' >&4; exec sleep 600`), "invalid message"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			temp := t.TempDir()
			_, err := Launch(testContext(t), startup.Options{Path: tt.path, TempDir: temp})
			wantCode(t, err, diag.BrowserUnavailable, tt.text)
			wantEmpty(t, temp)
		})
	}
}

func TestLaunchThatHangs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "browser")
	if err := os.WriteFile(path, []byte("#!/bin/sh\nsleep 600\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	_, err := Launch(ctx, startup.Options{Path: path, TempDir: temp})
	wantCode(t, err, diag.BrowserUnavailable, "did not answer")
	wantEmpty(t, temp)
}

func TestFindNothing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := startup.Find(false)
	e := wantCode(t, err, diag.BrowserUnavailable, "no Chromium")
	if !strings.Contains(e.Hint, "install") {
		t.Errorf("hint %q, want how to install one", e.Hint)
	}
}

func TestSandboxWarning(t *testing.T) {
	var warnings []string
	o := startup.Options{Warn: func(m string) { warnings = append(warnings, m) }}
	off := !o.Sandboxed()
	if root := os.Geteuid() == 0; off != root || len(warnings) > 0 != root {
		t.Errorf("root %v: sandbox off %v, warnings %q", root, off, warnings)
	}
	o.Sandbox = startup.SandboxOff
	if warnings = nil; o.Sandboxed() || len(warnings) > 0 {
		t.Errorf("switched off: warnings %q, want none", warnings)
	}
}

func TestPageCrash(t *testing.T) {
	ctx, p := show(t, "x")
	waiting := make(chan error)
	go func() {
		_, err := p.WaitFunction(ctx, "false", nil)
		waiting <- err
	}()
	p.Frames.Start(context.WithoutCancel(ctx), proto.PageCrash{})
	wantCode(t, <-waiting, diag.BrowserUnavailable, "crashed")
	_, err := p.Press(ctx, css("p"), driver.PressOptions{})
	wantCode(t, err, diag.BrowserUnavailable, "crashed")
	if other, err := openPage(ctx, shared); err != nil {
		t.Errorf("another page cannot be opened: %v", err)
	} else if err := other.Close(ctx); err != nil {
		t.Error(err)
	}
}

func TestBrowserKilled(t *testing.T) {
	testkit.Long(t)
	b, _ := launch(t, startup.Options{})
	ctx := testContext(t)
	p, err := openPage(ctx, b)
	if err != nil {
		t.Fatal(err)
	}
	waiting := make(chan error)
	go func() { waiting <- p.WaitText(ctx, "never") }()
	b.Probe().Process.Kill()
	wantCode(t, <-waiting, diag.BrowserUnavailable)
	_, err = p.Open(ctx, "about:blank", driver.Load)
	wantCode(t, err, diag.BrowserUnavailable)
	<-b.Done()
}

func TestCancelWhileWaiting(t *testing.T) {
	tests := []struct {
		name string
		do   func(context.Context, *Page) error
	}{
		{"element", func(ctx context.Context, p *Page) error {
			_, err := p.Press(ctx, within(css("#none"), time.Minute), driver.PressOptions{})
			return err
		}},
		{"text", func(ctx context.Context, p *Page) error { return p.WaitText(ctx, "none") }},
		{"url", func(ctx context.Context, p *Page) error { _, err := p.WaitURL(ctx, urlPattern(t, "none")); return err }},
		{"function", func(ctx context.Context, p *Page) error { _, err := p.WaitFunction(ctx, "false", nil); return err }},
		{"script", func(ctx context.Context, p *Page) error {
			_, err := p.Eval(ctx, "new Promise(()=>{})", nil)
			return err
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			base, p := show(t, `<p id=b>x</p>`)
			ctx, cancel := context.WithCancel(base)
			done := make(chan error)
			go func() { done <- tt.do(ctx, p) }()
			// The page answers this after it has begun to wait.
			if _, err := p.Find(base, css("#b")); err != nil {
				t.Error(err)
			}
			cancel()
			wantCode(t, <-done, diag.Cancelled)
			if _, err := p.Press(base, css("#b"), driver.PressOptions{}); err != nil {
				t.Errorf("the page cannot be used afterwards: %v", err)
			}
		})
	}
}

// A page in an endless loop is reported at the deadline, and another one can be opened.
func TestWedgedPage(t *testing.T) {
	testkit.Long(t)
	b, temp := launch(t, startup.Options{})
	base := testContext(t)
	p, err := openPage(base, b)
	if err != nil {
		t.Fatal(err)
	}
	url := site(t, map[string]string{"/": `<button id=b onclick="for(;;);">x</button>`, "/next": "<title>next</title>"})
	if _, err := p.Open(base, url, driver.Load); err != nil {
		t.Fatal(err)
	}
	short := func() context.Context {
		ctx, cancel := context.WithTimeout(base, 300*time.Millisecond)
		t.Cleanup(cancel)
		return ctx
	}
	_, err = p.Press(short(), css("#b"), driver.PressOptions{})
	wantCode(t, err, diag.Timeout, "does not answer")
	_, err = p.Find(short(), css("#b"))
	wantCode(t, err, diag.Timeout, "does not answer")
	if got, err := p.Open(base, url+"/next", driver.Load); err != nil || got.Title != "next" {
		t.Errorf("opened %+v, %v, want the next page", got, err)
	}
	if err := p.Close(base); err != nil {
		t.Error(err)
	}
	if err := b.Close(base); err != nil {
		t.Error(err)
	}
	wantEmpty(t, temp)
}

// Several queries with a slow pattern were given up; each is still running, one after the other.
func TestPageWithSlowPatterns(t *testing.T) {
	testkit.Long(t)
	ctx, p := newPage(t)
	url := site(t, map[string]string{"/": "<p>" + strings.Repeat("a", 5000) + "!</p>", "/next": "<title>next</title>"})
	if _, err := p.Open(ctx, url, driver.Load); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		short, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
		_, err := p.Count(short, query(selectors.QueryPart{Kind: selectors.TextKind, Op: selectors.Matches, Value: "(a+)+$"}))
		cancel()
		wantCode(t, err, diag.Timeout)
	}
	if got, err := p.Open(ctx, url+"/next", driver.Load); err != nil || got.Title != "next" {
		t.Errorf("opened %+v, %v, want the next page", got, err)
	}
}

// An exception in the engine is reported.
func TestEngineThrows(t *testing.T) {
	ctx, p := show(t, "x")
	w, err := p.CurrentWorld(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var nothing struct{}
	err = p.Answer(ctx, p.Call(ctx, w, "nothing", nil), &nothing)
	wantCode(t, err, diag.Internal, "__action[m] is not a function")
}

func TestClosedPage(t *testing.T) {
	ctx := testContext(t)
	p, err := openPage(ctx, shared)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := p.Close(ctx); err != nil {
			t.Fatal(err)
		}
	}
	_, err = p.Document(ctx)
	wantCode(t, err, diag.BrowserUnavailable, "closed")
	eventually(t, "forgetting a closed page", func() bool {
		calls, lost := shared.Probe().Conn.Held()
		return calls == 0 && lost == 0
	})
}

func TestCloseAsksNothing(t *testing.T) {
	ctx := testContext(t)
	p, err := openPage(ctx, shared)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Open(ctx, site(t, map[string]string{"/": `<button onclick="onbeforeunload=e=>e.preventDefault()">x</button>`}), driver.Load); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Press(ctx, css("button"), driver.PressOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(ctx); err != nil {
		t.Error(err)
	}
}

func TestCancelCause(t *testing.T) {
	base, p := show(t, "x")
	ctx, cancel := context.WithCancelCause(base)
	cancel(errors.New("the caller's own"))
	_, err := p.Press(ctx, css("#none"), driver.PressOptions{})
	wantCode(t, err, diag.Cancelled)
}

func TestPagesAreIsolated(t *testing.T) {
	url := site(t, map[string]string{"/": "x"})
	ctx, one := newPage(t)
	_, two := newPage(t)
	for _, p := range []*Page{one, two} {
		if _, err := p.Open(ctx, url, driver.Load); err != nil {
			t.Fatal(err)
		}
	}
	evaluate(t, ctx, one, "document.cookie='a=1';localStorage.x=1")
	if v := evaluate(t, ctx, two, "document.cookie+localStorage.length"); v != "0" {
		t.Errorf("the other page sees %v, want nothing", v)
	}
}

const ownerVariable = "BROWSER_TEST_OWNER"

// If the process that started a browser is killed, the browser and its folder go too.
func TestOwnerKilled(t *testing.T) {
	if os.Getenv(ownerVariable) != "" {
		own(t)
		return
	}
	temp := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestOwnerKilled$")
	cmd.Env = append(os.Environ(), ownerVariable+"=1", "TMPDIR="+temp)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	group, convErr := strconv.Atoi(strings.TrimSpace(line))
	if err := errors.Join(err, convErr, cmd.Process.Kill()); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed
	eventually(t, "the end of the browser", func() bool { return len(living(group)) == 0 })
	eventually(t, "the removal of its folder", func() bool {
		left, err := filepath.Glob(filepath.Join(temp, "bt-*", process.Prefix+strconv.Itoa(cmd.Process.Pid)+"-*"))
		return err == nil && len(left) == 0
	})
}

// own reports the process group of the shared browser and waits to be killed.
func own(t *testing.T) {
	if _, err := openPage(testContext(t), shared); err != nil {
		t.Fatal(err)
	}
	fmt.Println(shared.Probe().Process.PID())
	<-testContext(t).Done()
}
