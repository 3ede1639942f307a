package browser

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/internal/driver"
)

// messages returns the messages of the console as lines, once there are n.
func messages(t *testing.T, p *Page, n int) (lines []string) {
	t.Helper()
	eventually(t, fmt.Sprintf("%d messages", n), func() bool {
		list, dropped := p.Console()
		lines = nil
		for _, m := range list {
			lines = append(lines, fmt.Sprintf("%s %s %s line %d of %s", m.Level, m.Source, m.Text, m.Line, m.URL[strings.LastIndex(m.URL, "/")+1:]))
			if since := time.Since(m.Time); since < -time.Minute || since > time.Hour {
				t.Errorf("%s was written %s ago", m.Text, since)
			}
		}
		return len(list) >= n && dropped == 0
	})
	return lines
}

// The console of a page is that of its document: what its scripts write, what they do not catch,
// and what the browser reports, also of frames of another process.
func TestConsole(t *testing.T) {
	pages := map[string]string{
		"/page": "<!doctype html><link rel=icon href=data:,><script>\nconsole.log('begun', 7, {a: 1});\nconsole.warn('%s is old', 'x');\nconsole.error(new TypeError('shown').message);\n" +
			"console.debug('detail');console.assert(1 > 2, 'sum');console.clear()\n</script>\n" +
			"<script>\nnull.never\n</script><script>Promise.reject(new Error('unheard'))</script><img src=/missing.png>",
		"/other": "<!doctype html><link rel=icon href=data:,><title>other</title><script>console.info('second document')</script>",
		"/inner": "<!doctype html><script>console.info('from a frame');setTimeout(() => { throw 'a text' })</script>",
		"/outer": "<!doctype html><link rel=icon href=data:,><iframe src=FAR/inner></iframe>",
	}
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) { testConsole(t, ctx, p, pages) })
}

func testConsole(t *testing.T, ctx context.Context, p *Page, pages map[string]string) {
	here, _ := frameSite(t, pages)
	visit := func(path string) {
		t.Helper()
		if _, err := p.Open(ctx, here+path, driver.Load); err != nil {
			t.Fatal(err)
		}
	}
	visit("/page")
	got := strings.Join(messages(t, p, 8), "\n")
	for _, want := range []string{
		"log console begun 7 {a: 1} line 2 of page", "warning console x is old line 3 of page", "error console shown line 4 of page", "debug console detail line 5 of page",
		"error console assertion failed: sum line 5 of page", "error exception Uncaught TypeError: Cannot read properties of null (reading 'never')",
		"error exception Uncaught (in promise) Error: unheard", "error network Failed to load resource: the server responded with a status of 404 (Not Found) line 0 of missing.png",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no message %q in\n%s", want, got)
		}
	}
	visit("/other")
	if got := messages(t, p, 1); len(got) != 1 || got[0] != "info console second document line 1 of other" {
		t.Errorf("in the next document there are %q", got)
	}
	visit("/outer")
	got = strings.Join(messages(t, p, 2), "\n")
	if !strings.Contains(got, "info console from a frame line 1 of inner") || !strings.Contains(got, "error exception Uncaught a text line 1 of inner") {
		t.Errorf("of a frame there are\n%s", got)
	}
	if _, err := p.Eval(ctx, "history.pushState(null, '', '/moved')", nil); err != nil {
		t.Fatal(err)
	}
	if got := messages(t, p, 2); len(got) != 2 {
		t.Errorf("after a move inside the document there are %q", got)
	}
}
