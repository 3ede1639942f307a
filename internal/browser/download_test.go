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
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/downloads"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

// downloadSite serves files. The answer of /broken ends half way. That of /endless ends only after
// a request for /end, of which there may be one.
func downloadSite(t testing.TB) string {
	t.Helper()
	mux := http.NewServeMux()
	file := func(path, disposition, kind, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			if disposition != "" {
				w.Header().Set("Content-Disposition", disposition)
			}
			w.Header().Set("Content-Type", kind)
			fmt.Fprint(w, body)
		})
	}
	file("/report", `attachment; filename="report.csv"`, "text/csv", "a,b\n1,2\n")
	file("/sly", `attachment; filename="../../.profile"`, "text/plain", "sly")
	file("/inline.pdf", `inline; filename="paper.pdf"`, "application/pdf", "%PDF-1.4 no more")
	file("/picture.png", "", "image/png", "no picture")
	file("/page", "", "text/html", "<title>A page</title>")
	file("/other", "", "text/html", "<title>Other</title>")
	file("/frame", "", "text/html", `<a id=inner href=/report>In a frame</a>`)
	mux.HandleFunc("/mine", func(w http.ResponseWriter, r *http.Request) {
		c, err := r.Cookie("who")
		if err != nil {
			http.Error(w, "nobody", http.StatusForbidden)
			return
		}
		w.Header().Set("Content-Disposition", "attachment; filename=mine.txt")
		fmt.Fprint(w, c.Value)
	})
	mux.HandleFunc("/redirect", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/report", http.StatusFound) })
	mux.HandleFunc("/nothing", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) })
	half := func(end func(r *http.Request)) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Disposition", "attachment; filename=half.bin")
			w.Header().Set("Content-Length", "200000")
			fmt.Fprint(w, strings.Repeat("x", 100000))
			w.(http.Flusher).Flush()
			end(r)
		}
	}
	mux.HandleFunc("/broken", half(func(*http.Request) { panic(http.ErrAbortHandler) }))
	ends := make(chan struct{})
	mux.HandleFunc("/endless", half(func(r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-ends:
			panic(http.ErrAbortHandler)
		}
	}))
	mux.HandleFunc("/end", func(http.ResponseWriter, *http.Request) { close(ends) })
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		far := strings.Replace("http://"+r.Host, "127.0.0.1", "localhost", 1)
		fmt.Fprint(w, `<!doctype html><title>Files</title>
<a id=link href=/report>Report</a> <a id=named href=/page download="named.html">Named</a> <a id=new href=/report target=_blank>New tab</a>
<a id=sly href=/sly>Sly</a> <a id=broken href=/broken>Broken</a> <a id=endless href=/endless>Endless</a> <a id=away href=/other>Away</a>
<form method=post action=/report><button id=form>Export</button></form>
<button id=blob onclick="const a = document.createElement('a'); a.href = window.URL.createObjectURL(new Blob(['blob'])); a.download = 'made.txt'; a.click()">Made here</button>
<button id=late onclick="setTimeout(() => location.href = '/report', 200)">Late</button>
<button id=popup onclick="window.open('/report')">Pop-up</button> <button id=tab onclick="window.open('/other')">Tab</button>
<button id=plain>Plain</button> <iframe id=f src="`+far+`/frame"></iframe>`)
	})
	return serve(t, mux)
}

// openDownloads shows the page of downloadSite in a browser for one test.
func openDownloads(t *testing.T, o startup.Options) (context.Context, *chrome.Browser, string) {
	t.Helper()
	t.Parallel()
	ctx := testContext(t)
	b, err := Launch(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(context.Background()); err != nil {
			t.Error("close:", err)
		}
		if _, err := os.Stat(b.SavedFolder()); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the folder of the downloads is left: %v", err)
		}
	})
	p, err := openPage(ctx, b)
	if err != nil {
		t.Fatal(err)
	}
	url := downloadSite(t)
	if _, err := p.Open(ctx, url+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	return ctx, b, url
}

func TestDownload(t *testing.T) {
	ctx, b, url := openDownloads(t, startup.Options{})
	p := b.Active().(*Page)
	evaluate(t, ctx, p, "document.cookie = 'who=Ada; SameSite=Strict'; 0")
	tests := []struct {
		name, selector, path string
		file, body           string
	}{
		{"a link", "#link", "", "report.csv", "a,b\n1,2\n"},
		{"a link that names it", "#named", "", "named.html", "<title>A page</title>"},
		{"what the page has made", "#blob", "", "made.txt", "blob"},
		{"a form", "#form", "", "report.csv", "a,b\n1,2\n"},
		{"a press that takes a while", "#late", "", "report.csv", "a,b\n1,2\n"},
		{"a link to a new tab", "#new", "", "report.csv", "a,b\n1,2\n"},
		{"a pop-up", "#popup", "", "report.csv", "a,b\n1,2\n"},
		{"a name with a path", "#sly", "", "_.._.profile", "sly"},
		{"an address", "", "/report", "report.csv", "a,b\n1,2\n"},
		{"an address that redirects", "", "/redirect", "report.csv", "a,b\n1,2\n"},
		{"the address of a PDF", "", "/inline.pdf", "paper.pdf", "%PDF-1.4 no more"},
		{"the address of a picture", "", "/picture.png", "picture.png", "no picture"},
		{"the address of a page", "", "/page", "page.html", "<title>A page</title>"},
		{"with the cookies of the window", "", "/mine", "mine.txt", "Ada"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := driver.DownloadOptions{URL: url + tt.path}
			if tt.selector != "" {
				target := css(tt.selector)
				o.Target = &target
			}
			told := ""
			o.Accept = func(name string) error { told = name; return nil }
			d, err := b.Download(ctx, o)
			if err != nil {
				t.Fatal(err)
			}
			body, err := os.ReadFile(d.Path)
			if err != nil {
				t.Fatal(err)
			}
			if string(body) != tt.body || d.Size != int64(len(tt.body)) || d.Name != strings.TrimPrefix(tt.file, "/") || told != d.Name {
				t.Errorf("got %+v with %q, want %s with %q; told %s", d, body, tt.file, tt.body, told)
			}
			if got := evaluate(t, ctx, p, "document.title"); got != "Files" {
				t.Errorf("the page shows %v, want what it did before", got)
			}
			if left := b.TakeDownloads(); len(left) > 0 {
				t.Errorf("what a step has asked for is told: %v", left)
			}
		})
	}
}

func TestDownloadInAFrame(t *testing.T) {
	testkit.Long(t)
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		if _, err := p.Open(ctx, downloadSite(t)+"/", driver.Load); err != nil {
			t.Fatal(err)
		}
		d, err := downloadIn(ctx, p, inFrame(t, "#inner"))
		if err != nil {
			t.Fatal(err)
		}
		if d.Name != "report.csv" {
			t.Errorf("got %+v, want report.csv", d)
		}
	})
}

// The file of an earlier press may arrive after the next press.
func TestDownloadAfterAnotherPress(t *testing.T) {
	testkit.Long(t)
	mux := http.NewServeMux()
	mux.HandleFunc("/wait", func(w http.ResponseWriter, r *http.Request) {
		d, _ := time.ParseDuration(r.FormValue("for"))
		time.Sleep(d)
		if name := r.FormValue("file"); name != "" {
			w.Header().Set("Content-Disposition", "attachment; filename="+name)
		}
		fmt.Fprint(w, "x")
	})
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><title>Reports</title><button id=a>A</button> <button id=b disabled>B</button><script>
const wait = (time) => fetch('/wait?for=' + time).then((r) => r.blob());
const save = (name) => { const l = document.createElement('a'); l.href = URL.createObjectURL(new Blob([name])); l.download = name; l.click() };
const frame = (name, time) => { document.body.append(Object.assign(document.createElement('iframe'), { src: '/wait?for=' + time + '&file=' + name })) };
const on = (time = 0) => setTimeout(() => { b.disabled = false }, time);
</script>`)
	})
	url := serve(t, mux)
	ctx, br, _ := openDownloads(t, startup.Options{})
	p := br.Active().(*Page)
	for _, tt := range []struct {
		name, first, second string
		want                string // the file, "" for a failure
	}{
		{"the file of the first comes first", "wait('700ms').then(() => save('a.txt')); on()", "wait('1400ms').then(() => save('b.txt'))", "b.txt"},
		{"the file of the first comes before the press", "wait('300ms').then(() => save('a.txt')); on(1200)", "wait('100ms').then(() => save('b.txt'))", "b.txt"},
		{"the file of the first comes last", "wait('1500ms').then(() => save('a.txt')); on()", "wait('100ms').then(() => save('b.txt'))", "b.txt"},
		{"in frames", "frame('a.txt', '900ms'); on()", "frame('b.txt', '1600ms')", "b.txt"},
		{"beside what the page waits for", "wait('9s'); on()", "save('b.txt')", "b.txt"},
		{"one that may be of both", "wait('900ms').then(() => save('a.txt')); on()", "0", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := p.Open(ctx, url, driver.Load); err != nil {
				t.Fatal(err)
			}
			evaluate(t, ctx, p, "a.onclick = () => { "+tt.first+" }; b.onclick = () => { "+tt.second+" }; 0")
			if _, err := p.Press(ctx, css("#a"), driver.PressOptions{}); err != nil {
				t.Fatal(err)
			}
			target := css("#b")
			d, err := br.Download(ctx, driver.DownloadOptions{Target: &target})
			if tt.want == "" {
				wantCode(t, err, diag.StepFailed, "perhaps because of an earlier press")
			} else if err != nil || d.Name != tt.want {
				t.Errorf("got %+v, %v, want %s", d, err, tt.want)
			}
			br.TakeDownloads()
		})
	}
}

// downloadIn downloads in the tab p of a shared browser. Each test there has its own window.
func downloadIn(ctx context.Context, p *Page, t driver.Target) (driver.Downloaded, error) {
	return p.Download(ctx, driver.DownloadOptions{Target: &t})
}

func TestDownloadRefusals(t *testing.T) {
	testkit.Long(t)
	ctx, b, url := openDownloads(t, startup.Options{})
	no := diag.New(diag.StepFailed, "not this one").WithHint("another one")
	tests := []struct {
		name, selector, path string
		accept               error
		code                 diag.Code
		says                 string
	}{
		{"broken off", "#broken", "", nil, diag.StepFailed, "half.bin failed"},
		{"not complete", "#endless", "", nil, diag.Timeout, "half.bin is not complete: 100000 of 200000 bytes received"},
		{"refused by name", "#endless", "", no, diag.StepFailed, "not this one"},
		{"nothing", "#plain", "", nil, diag.Timeout, `no download began: the press of "Plain" button led to no other page`},
		{"no element", "#none", "", nil, diag.ElementNotFound, "#none"},
		{"an error of the server", "", "/missing", nil, diag.StepFailed, "the server answered 404"},
		{"no content", "", "/nothing", nil, diag.NavigationFailed, "204"},
		{"nobody there", "", "http://" + nobody(t) + "/x", nil, diag.NavigationFailed, "nothing is listening there (ERR_CONNECTION_REFUSED)"},
		{"a blank page", "", "about:blank", nil, diag.ParamInvalid, "expected an http or https address"},
		{"a new tab", "#tab", "", nil, diag.Timeout, `the press of "Tab" button opened the tab t`},
		{"another page", "#away", "", nil, diag.Timeout, `the press of "Away" link led to ` + url + "/other"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
			defer cancel()
			o := driver.DownloadOptions{URL: tt.path, Accept: func(string) error { return tt.accept }}
			if strings.HasPrefix(tt.path, "/") {
				o.URL = url + tt.path
			}
			if tt.selector != "" {
				target := within(css(tt.selector), time.Second)
				o.Target = &target
			}
			if tt.code == diag.Timeout {
				var stop context.CancelFunc
				ctx, stop = context.WithTimeout(ctx, 1500*time.Millisecond)
				defer stop()
			}
			_, err := b.Download(ctx, o)
			wantCode(t, err, tt.code, tt.says)
			if address, _ := b.Active().(*Page).State(); tt.name != "another page" && address != url+"/" {
				t.Errorf("the page shows %s, want what it did before", address)
			}
			if left := b.TakeDownloads(); len(left) > 0 {
				t.Errorf("what a step has asked for is told: %v", left)
			}
		})
	}
}

// nobody returns an address at which nothing is listening.
func nobody(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// Downloads that no step has requested are kept, up to a limit.
func TestDownloadsNobodyAskedFor(t *testing.T) {
	testkit.Long(t)
	ctx, b, _ := openDownloads(t, startup.Options{})
	p := b.Active().(*Page)
	if _, err := p.Press(ctx, css("#blob"), driver.PressOptions{}); err != nil {
		t.Fatal(err)
	}
	list := takeSome(t, ctx, b)
	if len(list) != 1 || list[0].State != downloads.Complete || list[0].Name != "made.txt" || filepath.Base(list[0].Path) != "made.txt" {
		t.Fatalf("got %+v, want made.txt, complete", list)
	}
	if body, err := os.ReadFile(list[0].Path); err != nil || string(body) != "blob" {
		t.Errorf("it holds %q, %v, want blob", body, err)
	}
	if again := b.TakeDownloads(); len(again) > 0 {
		t.Errorf("told twice: %v", again)
	}
}

// takeSome waits for downloads and takes them.
func takeSome(t *testing.T, ctx context.Context, b *chrome.Browser) []downloads.Kept {
	t.Helper()
	for ctx.Err() == nil {
		if list := b.TakeDownloads(); len(list) > 0 {
			return list
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("no download began")
	return nil
}

// A download in progress is reported when it has begun, and again when it has ended.
func TestDownloadUnderWay(t *testing.T) {
	testkit.Long(t)
	ctx, b, url := openDownloads(t, startup.Options{})
	p := b.Active().(*Page)
	if _, err := p.Press(ctx, css("#endless"), driver.PressOptions{}); err != nil {
		t.Fatal(err)
	}
	list := takeSome(t, ctx, b)
	if len(list) != 1 || list[0].State != downloads.UnderWay {
		t.Fatalf("got %+v, want one under way", list)
	}
	if r, err := http.Get(url + "/end"); err != nil {
		t.Fatal(err)
	} else if err := r.Body.Close(); err != nil {
		t.Fatal(err)
	}
	if list := takeSome(t, ctx, b); len(list) != 1 || list[0].State != downloads.Failed {
		t.Errorf("got %+v, want one failed", list)
	}
}

// In a browser that we did not start, the user's downloads go to the usual folder, except during a
// step.
func TestDownloadInARunningBrowser(t *testing.T) {
	testkit.Long(t)
	for _, program := range []string{"chromium-headless-shell", "chromium"} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			port, _ := running(t, program)
			ctx, b := attachTo(t, port)
			p := b.Active().(*Page)
			if _, err := p.Open(ctx, downloadSite(t)+"/", driver.Load); err != nil {
				t.Fatal(err)
			}
			target := css("#link")
			d, err := b.Download(ctx, driver.DownloadOptions{Target: &target})
			if err != nil {
				t.Fatal(err)
			}
			if body, err := os.ReadFile(d.Path); err != nil || string(body) != "a,b\n1,2\n" {
				t.Errorf("it holds %q, %v", body, err)
			}
			if _, err := p.Press(ctx, target, driver.PressOptions{}); err != nil {
				t.Fatal(err)
			}
			if list := b.TakeDownloads(); len(list) > 0 {
				t.Errorf("we are told of a download of the user's: %v", list)
			}
			if entries, err := os.ReadDir(b.SavedFolder()); err != nil || len(entries) != 1 {
				t.Errorf("our folder holds %v, %v, want what the step has asked for", entries, err)
			}
			// A window of our own is not the user's.
			if _, err := b.OpenWindow(ctx, driver.Size{}); err != nil {
				t.Fatal(err)
			}
			if err := b.Close(ctx); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(b.SavedFolder()); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the folder of the downloads is left: %v", err)
			}
		})
	}
}
