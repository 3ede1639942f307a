package browser

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

// attachWith connects, with options, to a browser that a person has started.
func attachWith(t *testing.T, o startup.Options) (context.Context, *chrome.Browser) {
	t.Helper()
	t.Parallel()
	o.CDP, _ = running(t, "chromium-headless-shell")
	return attachAs(t, o)
}

// The storage of the user's window can be copied to a window of ours and back. The user's tabs stay
// where they are.
func TestAttachedStorage(t *testing.T) {
	testkit.Long(t)
	var asked atomic.Int64
	base := keep(t, &asked)
	ctx, b := attachWith(t, startup.Options{})
	p := activePage(b)
	if _, err := p.Open(ctx, base+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	evaluate(t, ctx, p, fillStorage)
	evaluate(t, ctx, p, "document.cookie = 'sid=s3'")
	want := evaluate(t, ctx, p, tellStorage)

	// A later connection knows the origin only from what the tab shows.
	port := b.Probe().Options.CDP
	if err := b.Close(ctx); err != nil {
		t.Fatal(err)
	}
	ctx, b = attachTo(t, port)
	before := asked.Load()
	state := exported(t, ctx, b)
	if len(state.Cookies) != 1 || len(state.Origins) != 1 || len(state.Origins[0].SessionStorage) != 1 {
		t.Fatalf("exported %+v", state)
	}
	if _, err := b.OpenWindow(ctx, driver.Size{}); err != nil {
		t.Fatal(err)
	}
	done, left, err := b.ImportState(ctx, state, false)
	if err != nil || len(left) > 0 || done.Cookies != 1 || done.Records != 22 || len(done.Pending) != 1 {
		t.Fatalf("import: %+v, left out %v, %v", done, left, err)
	}
	if n := asked.Load(); n != before {
		t.Errorf("the server was asked %d times by export and import", n-before)
	}
	wantTabs(t, ctx, b, "t1 t2*")
	if _, err := activePage(b).Open(ctx, base+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	if got := evaluate(t, ctx, activePage(b), tellStorage); got != want {
		t.Errorf("the window of our own has\n%v\nwant\n%v", got, want)
	}
	if got := evaluate(t, ctx, activePage(b), "seen + document.cookie"); got != "3sid=s3" {
		t.Errorf("the window of our own has %v", got)
	}

	// Back into the user's window, with clear.
	if err := b.SwitchTab(ctx, "t1"); err != nil {
		t.Fatal(err)
	}
	few := &driver.State{Origins: []driver.StateOrigin{{Origin: base, LocalStorage: []driver.StateItem{{Name: "only", Value: "one"}}}}}
	if _, _, err := b.ImportState(ctx, few, true); err != nil {
		t.Fatal(err)
	}
	if got := evaluate(t, ctx, activePage(b), tellStorage); got != "only=one" {
		t.Errorf("with clear the user's window has\n%v", got)
	}
	if got := evaluate(t, ctx, activePage(b), "document.cookie"); got != "" {
		t.Errorf("with clear the user's window has the cookies %v", got)
	}
	if tabs, err := b.OwnTabs(ctx); err != nil || len(tabs) != 1 {
		t.Errorf("the user's window has the tabs %v, %v; want the one", tabs, err)
	}
}

const askingPage = `<!doctype html><button id=a onclick="alert('hi'); out.value='alerted'">x</button>
<button id=c onclick="out.value=String(confirm('Sure?'))">x</button><button id=p onclick="out.value=String(prompt('Name?','Ann'))">x</button><input id=out>`

// Dialogs are answered, or left open, as in a browser of our own. After we disconnect, the user can
// answer those that are still open.
func TestAttachedDialogs(t *testing.T) {
	testkit.Long(t)
	ctx, b := attachWith(t, startup.Options{})
	if _, err := activePage(b).Open(ctx, site(t, map[string]string{"/": askingPage})+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	p := activePage(b)
	for _, tt := range []struct {
		name, button string
		policy       chrome.DialogPolicy
		prepare      func()
		want         string
	}{
		{"an alert", "#a", nil, func() {}, "alerted"},
		{"a confirm", "#c", nil, func() {}, "false"},
		{"a prompt", "#p", nil, func() {}, "null"},
		{"a confirm by policy", "#c", chrome.DialogPolicy{"confirm": "accept"}, func() {}, "true"},
		{"a prompt by policy", "#p", chrome.DialogPolicy{"prompt": "accept"}, func() {}, "Ann"},
		{"a prompt by step", "#p", nil, func() { answer(t, ctx, b, true, "Bob") }, "Bob"},
		{"once only", "#p", nil, func() {}, "null"},
	} {
		b.BeginCall(tt.policy, true)
		tt.prepare()
		mustPress(t, ctx, p, tt.button)
		if got := evaluate(t, ctx, p, "out.value"); got != tt.want {
			t.Errorf("%s: the page got %q, want %q", tt.name, got, tt.want)
		}
	}
	b.BeginCall(leaveAll, true)
	mustPress(t, ctx, p, "#p")
	_, err := p.Document(ctx)
	if e := wantCode(t, err, diag.StepFailed, `prompt "Name?"`); e.Hint != chrome.DialogHint {
		t.Errorf("hint %q", e.Hint)
	}
	if d := answer(t, ctx, b, true, "Cleo"); d.Answer != "accepted" {
		t.Errorf("answered %+v", d)
	}
	if got := evaluate(t, ctx, p, "out.value"); got != "Cleo" {
		t.Errorf("the page got %q", got)
	}
	mustPress(t, ctx, p, "#c")
	if err := b.Close(ctx); err != nil {
		t.Fatal(err)
	}
	ctx, b = attachTo(t, b.Probe().Options.CDP)
	if got := evaluate(t, ctx, activePage(b), "out.value"); got != "false" {
		t.Errorf("when we have left, the page got %q", got)
	}
}

// serveTLS serves a page with an invalid certificate. The page shows what the browser says about
// itself, in its request and to scripts.
func serveTLS(t *testing.T) string {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		other := strings.Replace(r.Host, "127.0.0.1", "localhost", 1)
		frame := ""
		if r.URL.Path == "/" {
			frame = "<iframe src='//" + other + "/frame'></iframe><a id=link href=/pop target=_blank>x</a><button id=pop onclick=window.open('/pop')>x</button>"
		}
		fmt.Fprintf(w, `<!doctype html><title>t</title><script>window.said = [%q, %q, navigator.userAgent, navigator.language, new Intl.NumberFormat().resolvedOptions().locale].join(' | ');
			if (top !== window) parent.postMessage(said, '*'); onmessage = (e) => window.inner = e.data</script>%s`,
			r.UserAgent(), r.Header.Get("Accept-Language"), frame)
	}))
	srv.Config.ErrorLog = log.New(io.Discard, "", 0) // discards errors about refused certificates
	srv.StartTLS()
	t.Cleanup(srv.Close)
	return srv.URL
}

// Options for pages also apply in a browser that somebody else has started, as long as we are
// connected.
func TestAttachedOptions(t *testing.T) {
	testkit.Long(t)
	ctx, b := attachWith(t, startup.Options{UserAgent: "Tester/1", Locale: "de-DE", IgnoreHTTPSErrors: true, Viewport: startup.Viewport{Width: 500, Height: 400}})
	url := serveTLS(t)
	p := activePage(b)
	const want = "Tester/1 | de-DE | Tester/1 | de-DE | de-DE"
	if _, err := p.Open(ctx, url+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	if got := evaluate(t, ctx, p, "said"); got != want {
		t.Errorf("the page has %v, want %s", got, want)
	}
	if got := evaluate(t, ctx, p, "innerWidth + 'x' + innerHeight"); got != "500x400" {
		t.Errorf("the page has %v", got)
	}
	if got := evaluate(t, ctx, p, "while (!window.inner) await new Promise((f) => setTimeout(f, 10)); return inner"); got != want {
		t.Errorf("a frame has %v, want %s", got, want)
	}
	// The first document of a pop-up begins before we can send it any command.
	for _, id := range []string{"#link", "#pop"} {
		tab := pressIn(t, ctx, b, id, driver.PressOptions{}).Tab
		if err := b.SwitchTab(ctx, tab); err != nil {
			t.Fatal(err)
		}
		if _, err := activePage(b).Open(ctx, url+"/second", driver.Load); err != nil {
			t.Fatal(err)
		}
		if got := evaluate(t, ctx, activePage(b), "said"); got != want {
			t.Errorf("the next document of a pop-up has %v, want %s", got, want)
		}
		if err := b.SwitchTab(ctx, "t1"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.OpenTab(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := activePage(b).Open(ctx, url+"/third", driver.Load); err != nil {
		t.Fatal(err)
	}
	if got := evaluate(t, ctx, activePage(b), "said"); got != want {
		t.Errorf("a new tab has %v, want %s", got, want)
	}
	if err := b.Close(ctx); err != nil {
		t.Fatal(err)
	}
	ctx, b = attachTo(t, b.Probe().Options.CDP)
	_, err := activePage(b).Open(ctx, serveTLS(t)+"/", driver.Load) // an origin to which no connection is open
	wantCode(t, err, diag.NavigationFailed, "CERT")
	if got := fmt.Sprint(evaluate(t, ctx, activePage(b), "navigator.userAgent + navigator.language")); strings.Contains(got, "Tester") || strings.Contains(got, "de") {
		t.Errorf("when we have left, the browser says %s", got)
	}
}

func TestAttachedWithoutJavaScript(t *testing.T) {
	testkit.Long(t)
	ctx, b := attachWith(t, startup.Options{NoJavaScript: true})
	base := site(t, map[string]string{"/": "<!doctype html><p id=p>plain</p><script>p.textContent='scripted'</script><noscript><b>no script</b></noscript>"})
	if _, err := activePage(b).Open(ctx, base+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	if r, err := activePage(b).Read(ctx, css("#p"), driver.ReadOptions{What: "text"}); err != nil || r.Value != "plain" {
		t.Errorf("the page has %v, %v; want plain", r.Value, err)
	}
	_, err := activePage(b).Eval(ctx, "1", nil)
	wantCode(t, err, diag.StepFailed, "JavaScript")
	if err := b.Close(ctx); err != nil {
		t.Fatal(err)
	}
	ctx, b = attachTo(t, b.Probe().Options.CDP)
	if _, err := activePage(b).Open(ctx, base+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	if got := evaluate(t, ctx, activePage(b), "p.textContent"); got != "scripted" {
		t.Errorf("when we have left, the page has %v; want scripted", got)
	}
}
