package browser

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

func TestOpen(t *testing.T) {
	mux := http.NewServeMux()
	html := func(path string, status int, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(status)
			fmt.Fprint(w, "<!doctype html>", body)
		})
	}
	html("/{$}", 200, "<title>start</title>")
	html("/lost", 404, "<title>lost</title>")
	html("/broken", 500, "<title>broken</title>")
	html("/refresh", 200, `<title>r</title><script>location.replace('/')</script>`)
	html("/late", 200, `<title>late</title><script>addEventListener('load',()=>location.href='/')</script>`)
	html("/alert", 200, `<script>alert(1)</script><title>alerted</title>`)
	html("/fetch", 200, `<title>f</title><script>fetch('/slow').then(()=>document.title='fetched')</script>`)
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) })
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		select { // long enough that load comes first
		case <-time.After(100 * time.Millisecond):
		case <-r.Context().Done():
		}
	})
	url := serve(t, mux)
	tests := []struct {
		path   string
		until  driver.LoadState
		title  string
		status int
		at     string
	}{
		{"/", driver.Load, "start", 200, "/"},
		{"/", "", "start", 200, "/"},
		{"/", driver.DOMContentLoaded, "start", 200, "/"},
		{"/", driver.Commit, "", 200, "/"},
		{"/#part", driver.Load, "start", 200, "/#part"},
		{"/moved", driver.Load, "start", 200, "/"},
		{"/refresh", driver.Load, "start", 200, "/"},
		{"/late", driver.Load, "start", 200, "/"},
		{"/lost", driver.Load, "lost", 404, "/lost"},
		{"/broken", driver.Load, "broken", 500, "/broken"},
		{"/alert", driver.Load, "alerted", 200, "/alert"},
		{"/fetch", driver.NetworkIdle, "fetched", 200, "/fetch"},
	}
	for _, tt := range tests {
		t.Run(strings.TrimPrefix(tt.path, "/")+" "+string(tt.until), func(t *testing.T) {
			ctx, p := sharedPage(t)
			got, err := p.Open(ctx, url+tt.path, tt.until)
			if err != nil {
				t.Fatal(err)
			}
			if got.URL != url+tt.at || got.Status != tt.status || (got.Title != tt.title && tt.until != driver.Commit) {
				t.Errorf("got %+v, want title %q, status %d at %s", got, tt.title, tt.status, tt.at)
			}
			if shown, err := p.Shown(ctx); err != nil || shown.Status != tt.status {
				t.Errorf("the document shown is %+v (%v), want status %d", shown, err, tt.status)
			}
		})
	}
}

func TestOpenAboutBlank(t *testing.T) {
	ctx, p := show(t, "x")
	got, err := p.Open(ctx, "about:blank", driver.Load)
	if err != nil || got.URL != "about:blank" || got.Status != 0 {
		t.Errorf("got %+v, %v, want about:blank without a status", got, err)
	}
}

func TestOpenHashKeepsDocument(t *testing.T) {
	ctx, p := show(t, "x")
	before, err := p.Document(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Open(ctx, before.URL+"#x", driver.Load); err != nil {
		t.Fatal(err)
	}
	after, err := p.Document(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if after.ID != before.ID || !strings.HasSuffix(after.URL, "#x") {
		t.Errorf("got %+v, want the document %s at #x", after, before.ID)
	}
}

func TestOpenFailures(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refused := "http://" + closed.Addr().String() + "/"
	closed.Close()
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<title>start</title>") })
	mux.HandleFunc("/none", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(204) })
	mux.HandleFunc("/file", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", "attachment")
		fmt.Fprint(w, "data")
	})
	mux.HandleFunc("/empty", func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("/circle", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/circle", http.StatusFound) })
	url := serve(t, mux)
	tests := []struct {
		name, url string
		code      diag.Code
		text      string
	}{
		{"refused", refused, diag.NavigationFailed, "nothing is listening there (ERR_CONNECTION_REFUSED)"},
		{"unsafe port", "http://127.0.0.1:1/", diag.NavigationFailed, "ERR_UNSAFE_PORT"},
		{"204", url + "/none", diag.NavigationFailed, "204 No Content"},
		{"download", url + "/file", diag.NavigationFailed, "download"},
		{"empty", url + "/empty", diag.NavigationFailed, "ERR_EMPTY_RESPONSE"},
		{"circle", url + "/circle", diag.NavigationFailed, "redirects in a loop"},
		{"no scheme", "example.com/x", diag.ParamInvalid, "no scheme"},
		{"port without scheme", "localhost:80/x", diag.ParamInvalid, "no scheme"},
		{"no host", "http:///x", diag.ParamInvalid, "no host"},
		{"empty text", "", diag.ParamInvalid, "empty"},
		{"bad", "http://a b/", diag.ParamInvalid, "not a URL"},
		{"javascript", "JavaScript:alert(1)", diag.ParamInvalid, "javascript:"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := sharedPage(t)
			if _, err := p.Open(ctx, url+"/", driver.Load); err != nil {
				t.Fatal(err)
			}
			_, err := p.Open(ctx, tt.url, driver.Load)
			wantCode(t, err, tt.code, tt.text)
			if _, err := p.Open(ctx, url+"/", driver.Load); err != nil {
				t.Errorf("the page cannot be used afterwards: %v", err)
			}
		})
	}
}

func TestOpenDeadline(t *testing.T) {
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	ctx, p := newPage(t)
	short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	_, err := p.Open(short, url, driver.Load)
	wantCode(t, err, diag.Timeout, "did not answer in time")
	if _, err := p.Open(ctx, "about:blank", driver.Load); err != nil {
		t.Errorf("the page cannot be used afterwards: %v", err)
	}
}

func TestOpenNeverLoads(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<img src=/hang>`)
	})
	mux.HandleFunc("/hang", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	url := serve(t, mux)
	ctx, p := newPage(t)
	short, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	_, err := p.Open(short, url, driver.Load)
	wantCode(t, err, diag.Timeout, "load")
}

func TestHistoryAndReload(t *testing.T) {
	url := site(t, map[string]string{"/": "<title>one</title>", "/two": "<title>two</title>"})
	ctx, p := newPage(t)
	for _, path := range []string{"/", "/two"} {
		if _, err := p.Open(ctx, url+path, driver.Load); err != nil {
			t.Fatal(err)
		}
	}
	moves := []struct {
		name  string
		do    func() (driver.Navigation, error)
		title string
	}{
		{"back", func() (driver.Navigation, error) { return p.History(ctx, -1) }, "one"},
		{"forward", func() (driver.Navigation, error) { return p.History(ctx, 1) }, "two"},
		{"reload", func() (driver.Navigation, error) { return p.Reload(ctx, driver.Load) }, "two"},
	}
	seen := map[string]bool{}
	for _, m := range moves {
		got, err := m.do()
		if err != nil {
			t.Fatalf("%s: %v", m.name, err)
		}
		if got.Title != m.title {
			t.Errorf("%s: title %q, want %q", m.name, got.Title, m.title)
		}
		doc, err := p.Document(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if seen[doc.ID] {
			t.Errorf("%s: document id %s was used before", m.name, doc.ID)
		}
		seen[doc.ID] = true
	}
	_, err := p.History(ctx, 1)
	wantCode(t, err, diag.NavigationFailed, "no page to go forward to")
	_, err = p.History(ctx, -9)
	wantCode(t, err, diag.NavigationFailed, "no page to go back to")
}

// Going to a document of the history that the server no longer has ends when the answer arrives.
func TestMovesThatLeadNowhere(t *testing.T) {
	var gone atomic.Bool
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Type", "text/html")
		switch {
		case r.URL.Path == "/mid" || !gone.Load():
			fmt.Fprintf(w, "<title>%s</title>", r.URL.Path)
		default:
			w.WriteHeader(http.StatusNoContent)
		}
	}))
	ctx, p := newPage(t)
	for _, path := range []string{"/none", "/mid", "/late"} {
		if _, err := p.Open(ctx, url+path, driver.Load); err != nil {
			t.Fatal(err)
		}
	}
	gone.Store(true)
	_, err := p.Reload(ctx, driver.Load)
	wantCode(t, err, diag.NavigationFailed, "204 No Content")
	if _, err := p.History(ctx, -1); err != nil {
		t.Fatal(err)
	}
	_, err = p.History(ctx, -1)
	wantCode(t, err, diag.NavigationFailed, "204 No Content")
	_, err = p.History(ctx, 1)
	wantCode(t, err, diag.NavigationFailed, "204 No Content")
	if doc, err := p.Document(ctx); err != nil || doc.Title != "/mid" {
		t.Errorf("the page is %q, %v; want /mid", doc.Title, err)
	}
}

func TestHistoryWithinDocument(t *testing.T) {
	ctx, p := show(t, `<script>history.pushState({},'','/pushed')</script>`)
	got, err := p.History(ctx, -1)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(got.URL, "/pushed") {
		t.Errorf("still at %s, want the entry before", got.URL)
	}
}

// Entries of the history may belong to a frame.
func TestHistoryOfFrames(t *testing.T) {
	testkit.Long(t)
	mux := http.NewServeMux()
	page := func(path, html string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html>", strings.ReplaceAll(html, "FAR", "http://"+strings.Replace(r.Host, "127.0.0.1", "localhost", 1)))
		})
	}
	page("/first", "first page")
	page("/near", "<iframe src=/one></iframe>")
	page("/far", "<iframe src=FAR/one></iframe>")
	page("/one", "<p>one</p><a id=next href=/two>Next</a><a id=hash href='#x'>Hash</a>")
	page("/two", "<p>two</p>")
	url := serve(t, mux)
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		text := func() string { return readText(t, ctx, p, chain(framePart("iframe"), cssPart("body"))) }
		for _, path := range []string{"/near", "/far"} {
			for _, at := range []string{"/first", path} {
				if _, err := p.Open(ctx, url+at, driver.Load); err != nil {
					t.Fatal(err)
				}
			}
			for _, id := range []string{"#hash", "#next"} {
				if _, err := p.Press(ctx, chain(framePart("iframe"), cssPart(id)), driver.PressOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			moves := []struct {
				delta       int
				page, frame string
			}{{-1, path, "one"}, {1, path, "two"}, {-1, path, "one"}, {-1, path, "one"}, {-1, "/first", ""}, {3, path, "two"}}
			for i, m := range moves {
				got, err := p.History(ctx, m.delta)
				if err != nil || got.URL != url+m.page {
					t.Fatalf("%s, move %d: at %s, %v, want %s", path, i, got.URL, err, m.page)
				}
				if m.frame != "" && !strings.Contains(text(), m.frame) {
					t.Errorf("%s, move %d: the frame shows %q, want %s", path, i, text(), m.frame)
				}
			}
		}
	})
}

func TestCrossOriginNavigation(t *testing.T) {
	url := site(t, map[string]string{"/": `<title>one</title><button id=b onclick="location.href=location.href.replace('127.0.0.1','localhost')+'two'">x</button>`, "/two": "<title>two</title>"})
	ctx, p := newPage(t)
	if _, err := p.Open(ctx, url, driver.Load); err != nil {
		t.Fatal(err)
	}
	got, err := p.Press(ctx, css("#b"), driver.PressOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Navigated == nil || !strings.HasPrefix(got.Navigated.URL, "http://localhost:") {
		t.Errorf("got %+v, want a navigation to localhost", got.Navigated)
	}
	if el, err := p.Find(ctx, css("title")); err != nil || el.Count != 1 {
		t.Errorf("found %+v, %v, want the title of the new document", el, err)
	}
}

// Open returns the title of the loaded document, however that was set.
func TestOpenTellsTheTitle(t *testing.T) {
	url := site(t, map[string]string{
		"/plain":   `<title>Plain</title>`,
		"/load":    `<title>Before</title><script>onload = () => { document.title = 'Loaded' }</script>`,
		"/show":    `<title>Before</title><script>document.addEventListener('DOMContentLoaded', () => { document.title = 'Ready' })</script>`,
		"/anew":    `<title>Before</title><script>onload = () => { document.open(); document.write('<title>Anew</title>'); document.close() }</script>`,
		"/earlier": `<title>Before</title><script>document.addEventListener('DOMContentLoaded', () => { document.open(); document.write('<title>Anew</title>'); document.close() })</script>`,
		"/on":      `<title>Before</title><script>location.replace('/plain')</script>`,
		"/frames":  `<title>Outer</title><iframe src=/plain></iframe>`,
	})
	ctx, p := newPage(t)
	for path, want := range map[string]string{
		"/plain": "Plain", "/load": "Loaded", "/show": "Ready", "/anew": "Anew", "/earlier": "Anew", "/on": "Plain", "/frames": "Outer",
	} {
		if nav, err := p.Open(ctx, url+path, driver.Load); err != nil || nav.Title != want {
			t.Errorf("open %s: %+v, %v; want the title %q", path, nav, err, want)
		}
		if nav, err := p.Reload(ctx, driver.Load); err != nil || nav.Title != want {
			t.Errorf("reload of %s: %+v, %v; want the title %q", path, nav, err, want)
		}
	}
}

// A page sends its title by itself, whatever process it is in. It is queried only if it is busy for
// long in its load event.
func TestOpenAsksNothing(t *testing.T) {
	testkit.Long(t)
	var asked atomic.Int32
	ctx, b, _ := fresh(t, startup.Options{Trace: func(method string) {
		if method == (proto.RuntimeCallFunctionOn{}).ProtoReq() {
			asked.Add(1)
		}
	}}, openers)
	p := b.Active().(*Page)
	one := site(t, map[string]string{"/": "<title>one</title>", "/two": "<title>two</title><iframe src=/></iframe>"})
	two := strings.Replace(one, "127.0.0.1", "localhost", 1)
	without := make(map[string]bool)
	for range 10 {
		for path, want := range map[string]string{one: "one", one + "/two": "two", two: "one", two + "/two": "two"} {
			asked.Store(0)
			if nav, err := p.Open(ctx, path, driver.Load); err != nil || nav.Title != want || nav.Status != 200 {
				t.Fatalf("open %s: %+v, %v; want the title %q and the status 200", path, nav, err, want)
			}
			if asked.Load() == 0 {
				without[path] = true
			}
		}
	}
	if len(without) != 4 {
		t.Errorf("without being asked the title was told of %v, want of all four", without)
	}
}

// Open waits for a page that is busy in its load event, so that what the page does there is not
// mistaken for the end of the next step.
func TestOpenAfterABusyLoad(t *testing.T) {
	testkit.Long(t)
	ctx, p := newPage(t)
	busy := `<title>busy</title><script>const busy = () => { for (const end = performance.now() + 60; performance.now() < end;); document.title += '.' }
		onload = busy; onpageshow = busy</script>`
	url := site(t, map[string]string{"/busy": busy, "/next": "<title>next</title>",
		"/away": "<title>away</title><script>onpageshow = () => location.replace('/next')</script>",
		"/anew": "<title>old</title><script>onload = () => { document.open(); document.write('<title>anew</title>'); document.close() }</script>"})
	for i := range 5 {
		for _, tt := range []struct{ path, title string }{{"/busy", "busy."}, {"/next", "next"}, {"/busy", "busy."}, {"/anew", "anew"}, {"/next", "next"}} {
			if nav, err := p.Open(ctx, url+tt.path, driver.Load); err != nil || !strings.HasPrefix(nav.Title, tt.title) || nav.Status != 200 || nav.URL != url+tt.path {
				t.Fatalf("round %d, open %s: %+v, %v; want the title %q and the status 200", i, tt.path, nav, err, tt.title)
			}
		}
		nav, err := p.Open(ctx, url+"/away", driver.Load)
		if err != nil || nav.Status != 200 || nav.Title != strings.TrimPrefix(nav.URL, url+"/") {
			t.Fatalf("open a page that goes elsewhere: %+v, %v; want one of the two pages", nav, err)
		}
	}
}

// Open does not wait for what a page begins to load in its load event.
func TestOpenEndsWithTheLoadEvent(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/never", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><title>There</title><body><script>onload = () => { const f = document.createElement('iframe'); f.src = '/never'; document.body.append(f) }</script>`)
	})
	url := serve(t, mux)
	ctx, p := newPage(t)
	for range 3 {
		if nav, err := p.Open(ctx, url, driver.Load); err != nil || nav.Title != "There" || nav.Status != 200 {
			t.Fatalf("open: %+v, %v; want the title There and the status 200", nav, err)
		}
	}
}
