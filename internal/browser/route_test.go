package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/rules"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

// A teller is a server that records its requests.
type teller struct {
	mu    sync.Mutex
	asked []string // METHOD PATH X-Test
	url   string
}

func newTeller(t *testing.T) *teller {
	s := &teller{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, strings.TrimSpace(r.Method+" "+r.URL.Path+" "+r.Header.Get("X-Test")))
		s.mu.Unlock()
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<!doctype html><title>Home</title><img src=/pic.png><script src=/lib.js></script><a id=a href=/other target=_blank>Other</a>`)
		case "/moved":
			http.Redirect(w, r, "/data", http.StatusFound)
		case "/missing":
			http.NotFound(w, r)
		case "/script.js":
			w.Header().Set("Content-Type", "text/javascript")
			w.Header().Set("Access-Control-Allow-Origin", "*")
			fmt.Fprint(w, "self.real = 'real'")
		default:
			w.Header().Set("Access-Control-Allow-Origin", "*")
			fmt.Fprint(w, "real")
		}
	}))
	t.Cleanup(srv.Close)
	s.url = srv.URL
	return s
}

func (s *teller) was(what string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.asked {
		if strings.HasPrefix(a+" ", what+" ") {
			return true
		}
	}
	return false
}

func pattern(t *testing.T, text string) driver.URLPattern {
	t.Helper()
	p, err := driver.ParseURLPattern(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// ownBrowser starts a browser for one test, because routes apply to a whole browser.
func ownBrowser(t *testing.T) (*chrome.Browser, *Page) {
	t.Helper()
	ctx := testContext(t)
	b, err := Launch(ctx, startup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(testContext(t)); err != nil {
			t.Error(err)
		}
	})
	p, err := openPage(ctx, b)
	if err != nil {
		t.Fatal(err)
	}
	return b, p
}

const fetchText = "return await fetch(url, {method}).then((r) => r.text().then((s) => r.status + ' ' + s), (e) => 'failed')"

func TestRoutes(t *testing.T) {
	s, other := newTeller(t), newTeller(t)
	b, p := ownBrowser(t)
	ctx := testContext(t)
	open := func() {
		t.Helper()
		if _, err := p.Open(ctx, s.url+"/", driver.Load); err != nil {
			t.Fatal(err)
		}
	}
	fetch := func(url, want string) {
		t.Helper()
		if got, err := p.Eval(ctx, fetchText, map[string]any{"url": url, "method": "GET"}); err != nil || got != want {
			t.Errorf("fetch %s gave %v (%v), want %q", url, got, err, want)
		}
	}
	add := func(r driver.Route) string {
		t.Helper()
		id, err := b.AddRoute(ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	open()
	blocked := add(driver.Route{Does: driver.RouteBlock, URL: pattern(t, "*.png"), Types: []string{"image"}})
	mock := add(driver.Route{Does: driver.RouteMock, URL: pattern(t, "/data"), Status: 503, Body: []byte("mocked"), Headers: map[string]string{"X-Of": "us"}})
	s.asked = nil
	open()
	if s.was("GET /pic.png") || !s.was("GET /lib.js") {
		t.Errorf("the server was asked %q, want lib.js and not pic.png", s.asked)
	}
	fetch("/data", "503 mocked")
	fetch("/moved", "503 mocked") // after a redirect
	fetch(other.url+"/data", "503 mocked")
	if s.was("GET /data") || other.was("GET /data") {
		t.Error("a mocked request has reached a server")
	}
	newer := add(driver.Route{Does: driver.RouteHeaders, URL: pattern(t, "/data"), Set: map[string]string{"X-Test": "yes"}, Method: "GET"})
	fetch("/data", "200 real")
	if !s.was("GET /data yes") {
		t.Errorf("the server was asked %q, want X-Test: yes", s.asked)
	}
	matched := map[string]int{}
	for _, r := range b.Routes() {
		matched[r.ID] = r.Matched
	}
	if matched[blocked] != 1 || matched[mock] != 3 || matched[newer] != 1 {
		t.Errorf("routes were used %v, want %s once, %s three times, %s once", matched, blocked, mock, newer)
	}
	wantCode(t, b.RemoveRoute(ctx, "r99"), diag.ParamInvalid, `there is no route "r99"`)
	if err := b.RemoveRoute(ctx, newer); err != nil {
		t.Error(err)
	}
	fetch("/data", "503 mocked")
	if err := b.RemoveRoute(ctx, ""); err != nil {
		t.Error(err)
	}
	fetch("/data", "200 real")
}

// Before a request that is not simple, the browser sends a preflight request to the other origin.
// If the answer is mocked, there may be no server for it.
func TestMockOfAnotherOrigin(t *testing.T) {
	testkit.Long(t)
	s, other := newTeller(t), newTeller(t)
	b, p := ownBrowser(t)
	ctx := testContext(t)
	for _, r := range []driver.Route{
		{Does: driver.RouteMock, URL: pattern(t, other.url+"/put"), Method: "PUT", Status: 201, Body: []byte("mocked")},
		{Does: driver.RouteBlock, URL: pattern(t, other.url+"/blocked")},
		{Does: driver.RouteHeaders, URL: pattern(t, other.url+"/asked"), Set: map[string]string{"X-Test": "yes"}},
	} {
		if _, err := b.AddRoute(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.Open(ctx, s.url+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	const put = "return await fetch(url, {method: 'PUT', headers: {'X-Asked': '1', 'Content-Type': 'application/json'}, body: '{}', credentials: 'include'})" +
		".then((r) => r.text().then((s) => r.status + ' ' + s), () => 'failed')"
	send := func(path, want string) {
		t.Helper()
		got, err := p.Eval(ctx, put, map[string]any{"url": other.url + path})
		if err != nil || got != want {
			t.Errorf("%s: got %v, %v; want %s", path, got, err, want)
		}
	}
	send("/put", "201 mocked")
	send("/blocked", "failed")
	send("/asked", "failed")
	if want := []string{"OPTIONS /asked"}; !slices.Equal(other.asked, want) {
		t.Errorf("the other server was asked %q, want %q, which it refuses", other.asked, want)
	}
	if got := b.Routes()[0].Matched; got != 1 {
		t.Errorf("the first route was used %d times, want once", got)
	}
	if err := b.RemoveRoute(ctx, ""); err != nil {
		t.Fatal(err)
	}
	typed := driver.Route{Does: driver.RouteMock, URL: pattern(t, "/typed"), Types: []string{"fetch"}, Status: 200, Body: []byte("mocked")}
	if _, err := b.AddRoute(ctx, typed); err != nil { // other types are not held up any more
		t.Fatal(err)
	}
	send("/typed", "200 mocked")
}

// A request that is intercepted follows a redirect to another origin as it does without us, with
// the headers of a route.
func TestRoutesAlongRedirects(t *testing.T) {
	testkit.Long(t)
	var last string
	told := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Headers", "X-Asked")
		switch {
		case r.Method == http.MethodOptions:
		case r.URL.Path == "/hop":
			http.Redirect(w, r, last+"/end", http.StatusTemporaryRedirect)
		default:
			fmt.Fprint(w, strings.TrimSpace(r.Method+" "+r.Header.Get("X-Test")))
		}
	}
	home, hop, end := newTeller(t), httptest.NewServer(http.HandlerFunc(told)), httptest.NewServer(http.HandlerFunc(told))
	t.Cleanup(hop.Close)
	t.Cleanup(end.Close)
	last = end.URL
	b, p := ownBrowser(t)
	ctx := testContext(t)
	for _, held := range []string{"", "by a rule for hosts", "by a route"} {
		mark := ""
		switch held {
		case "by a rule for hosts":
			if err := b.Restrict(ctx, &rules.HostRule{Check: func(string) error { return nil }}); err != nil {
				t.Fatal(err)
			}
		case "by a route":
			mark = " yes"
			if _, err := b.AddRoute(ctx, driver.Route{Does: driver.RouteHeaders, URL: pattern(t, "*"), Set: map[string]string{"X-Test": "yes"}}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := p.Open(ctx, home.url+"/", driver.Load); err != nil {
			t.Fatal(err)
		}
		for name, options := range map[string]map[string]any{
			"GET": {"method": "GET"}, "POST": {"method": "POST", "body": "a"},
			"GET with a question before": {"method": "GET", "headers": map[string]any{"X-Asked": "1"}},
		} {
			want := "200 " + options["method"].(string) + mark
			got, err := p.Eval(ctx, "return await fetch(url, options).then((r) => r.text().then((s) => r.status + ' ' + s), String)",
				map[string]any{"url": hop.URL + "/hop", "options": options})
			if err != nil || got != want {
				t.Errorf("held up %s: %s gave %v (%v), want %q", held, name, got, err, want)
			}
		}
		form := "document.body.innerHTML = '<form method=post action=' + url + '><button id=a>Go'"
		if _, err := p.Eval(ctx, form, map[string]any{"url": hop.URL + "/hop"}); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Press(ctx, css("#a"), driver.PressOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := p.WaitLoad(ctx, driver.Load); err != nil {
			t.Fatal(err)
		}
		if doc, err := p.Document(ctx); err != nil || doc.URL != end.URL+"/end" {
			t.Errorf("held up %s: the form led to %s (%v), want %s", held, doc.URL, err, end.URL)
		}
	}
}

// A route with headers leaves the browser's cookies alone, also those that come with a redirect.
func TestRouteHeadersLeaveCookies(t *testing.T) {
	testkit.Long(t)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/set" {
			http.SetCookie(w, &http.Cookie{Name: "a", Value: "new", HttpOnly: true})
			http.Redirect(w, r, "/see", http.StatusFound)
			return
		}
		fmt.Fprint(w, r.Header.Get("X-Test"), " ", r.Header["Cookie"])
	}))
	t.Cleanup(srv.Close)
	b, p := ownBrowser(t)
	ctx := testContext(t)
	if _, err := b.AddRoute(ctx, driver.Route{Does: driver.RouteHeaders, URL: pattern(t, "*"), Set: map[string]string{"X-Test": "yes"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Open(ctx, srv.URL+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	const again = "document.cookie = 'b=1'; return await fetch('/set').then((r) => r.text())"
	for _, want := range []string{"yes [b=1; a=new]", "yes [b=1; a=new]"} {
		if got, err := p.Eval(ctx, again, nil); err != nil || got != want {
			t.Errorf("the server is sent %v (%v), want %s", got, err, want)
		}
	}
}

// Routes apply to the first request of a pop-up, and of a frame in another process.
func TestRoutesOfLaterTabs(t *testing.T) {
	testkit.Long(t)
	s := newTeller(t)
	b, p := ownBrowser(t)
	ctx := testContext(t)
	if _, err := p.Open(ctx, s.url+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	mock := driver.Route{Does: driver.RouteMock, URL: pattern(t, "/other"), Status: 200, Body: []byte("<title>Mocked</title>"), Headers: map[string]string{"Content-Type": "text/html"}}
	if _, err := b.AddRoute(ctx, mock); err != nil {
		t.Fatal(err)
	}
	press, err := p.Press(ctx, css("#a"), driver.PressOptions{})
	if err != nil || press.Tab == "" {
		t.Fatalf("got %+v, %v; want a tab", press, err)
	}
	if err := b.SwitchTab(ctx, press.Tab); err != nil {
		t.Fatal(err)
	}
	if doc, err := b.Active().Document(ctx); err != nil || doc.Title != "Mocked" {
		t.Errorf("the new tab shows %q (%v), want the mocked answer", doc.Title, err)
	}
	frame := strings.Replace(s.url, "127.0.0.1", "localhost", 1) + "/other"
	if _, err := p.Eval(ctx, "document.body.innerHTML = '<iframe src=' + url + '></iframe>'", map[string]any{"url": frame}); err != nil {
		t.Fatal(err)
	}
	if err := p.WaitLoad(ctx, driver.NetworkIdle); err != nil {
		t.Fatal(err)
	}
	if s.was("GET /other") {
		t.Error("a mocked document has reached the server")
	}
}

// Hosts that the policy denies are denied for every kind of request.
func TestRestrict(t *testing.T) {
	s, other := newTeller(t), newTeller(t)
	b, p := ownBrowser(t)
	ctx := testContext(t)
	refused := diag.New(diag.PolicyDenied, "the host is denied").WithHint("ask")
	if err := b.Restrict(ctx, &rules.HostRule{Check: func(address string) error {
		if strings.HasPrefix(address, other.url) {
			return refused
		}
		return nil
	}}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Open(ctx, s.url+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	if got, err := p.Eval(ctx, fetchText, map[string]any{"url": other.url + "/data", "method": "GET"}); err != nil || got != "failed" {
		t.Errorf("a fetch gave %v, %v; want a failure", got, err)
	}
	_, err := p.Open(ctx, other.url+"/", driver.Load)
	wantCode(t, err, diag.PolicyDenied, "the host is denied")
	if got := b.TakeRefused(); len(got) != 1 || other.was("GET /data") || other.was("GET /") {
		t.Errorf("told %v; the refused server was asked %q", got, other.asked)
	}
	if err := b.Restrict(ctx, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Open(ctx, other.url+"/", driver.Load); err != nil {
		t.Error("without a rule:", err)
	}
}

func TestRequests(t *testing.T) {
	s := newTeller(t)
	b, p := ownBrowser(t)
	ctx := testContext(t)
	if _, err := b.AddRoute(ctx, driver.Route{Does: driver.RouteBlock, URL: pattern(t, "/secret")}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Open(ctx, s.url+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/moved", "/missing", "/secret"} {
		if _, err := p.Eval(ctx, fetchText, map[string]any{"url": path, "method": "POST"}); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	list, last := p.Requests()
	for i, r := range list {
		if r.Number <= 0 || r.Number > last || i > 0 && r.Number <= list[i-1].Number {
			t.Errorf("%s has number %d, the last is %d: want rising ones", r.URL, r.Number, last)
		}
		if r.Duration < 0 || r.Started < 0 {
			t.Errorf("%s took %g from %g, want times", r.URL, r.Duration, r.Started)
		}
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s %d %s %s", r.Method, strings.TrimPrefix(r.URL, s.url), r.Type, r.Status, r.From, r.Error)))
	}
	want := map[string]bool{
		"GET / document 200 network": true, "GET /pic.png image 200 network": true, "GET /lib.js script 200 network": true,
		"POST /moved fetch 302 network": true, "GET /data fetch 200 network": true, "POST /missing fetch 404 network": true,
		"POST /secret fetch 0 r1 ERR_BLOCKED_BY_CLIENT": true,
	}
	for _, line := range got {
		if !want[line] {
			t.Errorf("unexpected: %s", line)
		}
		delete(want, line)
	}
	if len(want) > 0 {
		t.Errorf("missing %v in %q", want, got)
	}
	p.ClearRequests()
	if list, after := p.Requests(); len(list) != 0 || after != last {
		t.Errorf("%d requests after they were cleared, the last is %d, want none and %d", len(list), after, last)
	}
}

// A download of an address ignores the routes for other addresses. It follows those for its own, in
// the tab that has them.
func TestRoutesBesideDownload(t *testing.T) {
	testkit.Long(t)
	ctx, b, url := openDownloads(t, startup.Options{})
	p := activePage(b)
	routes := []driver.Route{
		{Does: driver.RouteMock, URL: pattern(t, "/data"), Status: 200, Body: []byte("mocked")},
		{Does: driver.RouteMock, URL: pattern(t, "/made"), Status: 200, Body: []byte("made here"), Headers: map[string]string{"Content-Type": "text/csv"}},
		{Does: driver.RouteMock, URL: pattern(t, "/gone"), Status: 404, Body: []byte{}},
		{Does: driver.RouteBlock, URL: pattern(t, "/blocked")},
		{Does: driver.RouteHeaders, URL: pattern(t, "/mine"), Set: map[string]string{"Cookie": "who=Eve"}},
	}
	for _, r := range routes {
		if _, err := b.AddRoute(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		path, body string
		code       diag.Code
		says       string
	}{
		{"/report", "a,b\n1,2\n", "", ""},
		{"/redirect", "a,b\n1,2\n", "", ""},
		{"/picture.png", "no picture", "", ""},
		{"/made", "made here", "", ""},
		{"/mine", "Eve", "", ""},
		{"/gone", "", diag.StepFailed, "404"},
		{"/blocked", "", diag.NavigationFailed, "BLOCKED_BY_CLIENT"},
	} {
		t.Run(tt.path, func(t *testing.T) {
			d, err := b.Download(ctx, driver.DownloadOptions{URL: url + tt.path, Accept: func(string) error { return nil }})
			if tt.code != "" {
				wantCode(t, err, tt.code, tt.says)
			} else if err != nil {
				t.Fatal(err)
			} else if body, err := os.ReadFile(d.Path); err != nil || string(body) != tt.body {
				t.Errorf("got %q, %v; want %q", body, err, tt.body)
			}
			if got := evaluate(t, ctx, p, "document.title"); got != "Files" {
				t.Errorf("the page is %v now, want Files", got)
			}
			if got, err := p.Eval(ctx, fetchText, map[string]any{"url": "/data", "method": "GET"}); err != nil || got != "200 mocked" {
				t.Errorf("the page fetched %v, %v; want the mocked answer", got, err)
			}
		})
	}
}

// Intercepted requests continue while a dialog is open.
func TestRoutesBesideDialog(t *testing.T) {
	testkit.Long(t)
	s := newTeller(t)
	ctx, b, p := ownDialogs(t, leaveAll, "")
	if _, err := b.AddRoute(ctx, driver.Route{Does: driver.RouteHeaders, URL: pattern(t, "/data"), Set: map[string]string{"X-Test": "yes"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Open(ctx, s.url+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	evaluate(t, ctx, p, "document.body.innerHTML = `<button id=b onclick=\"window.got = fetch('/data').then((r) => r.text()); confirm('Sure?')\">x</button>`; 0")
	mustPress(t, ctx, p, "#b")
	eventually(t, "the request", func() bool { return s.was("GET /data yes") })
	answer(t, ctx, b, true)
	if got := evaluate(t, ctx, p, "return await got"); got != "real" {
		t.Errorf("the page got %v, want real", got)
	}
}

// A status without a name is valid too. An answer that the browser does not accept makes the
// request fail, and does not let it hang.
func TestOddMocks(t *testing.T) {
	testkit.Long(t)
	s := newTeller(t)
	b, p := ownBrowser(t)
	ctx := testContext(t)
	for _, r := range []driver.Route{
		{Does: driver.RouteMock, URL: pattern(t, "/odd"), Status: 499, Body: []byte("odd")},
		{Does: driver.RouteMock, URL: pattern(t, "/bad"), Status: 200, Body: []byte("bad"), Headers: map[string]string{"No Name": "x"}},
		{Does: driver.RouteHeaders, URL: pattern(t, "/worse"), Set: map[string]string{"No Name": "x"}},
	} {
		if _, err := b.AddRoute(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.Open(ctx, s.url+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"/odd": "499 odd", "/bad": "failed", "/worse": "failed"} {
		if got, err := p.Eval(ctx, fetchText, map[string]any{"url": path, "method": "GET"}); err != nil || got != want {
			t.Errorf("%s: got %v, %v; want %s", path, got, err, want)
		}
	}
}
