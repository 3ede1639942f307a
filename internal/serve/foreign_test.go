package serve_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/actionregistry/action/internal/ops"
	"github.com/actionregistry/action/internal/testkit"
)

// attack sends requests from a page in every way that a page has, with the token where it can, which
// it would not know. It returns those to which the page got an answer. The form and the beacon give
// none; the log shows what became of them.
const attack = `
const [url, token] = [%q, %q];
const run = url + "/api/v1/actions/test/time/pass";
const bearer = {Authorization: "Bearer " + token};
const opaque = (r) => r.type === "opaque" ? "nothing" : r.status;
const element = (tag, set) => new Promise((ok, no) => {
  const e = document.createElement(tag);
  set(e); e.onload = e.onloadedmetadata = () => ok("loaded"); e.onerror = () => no(new Error("refused"));
  document.documentElement.append(e);
});
const ways = {
  fetch: () => fetch(url + "/api/v1/actions", {headers: bearer}).then((r) => r.status),
  preflighted: () => fetch(run, {method: "POST", headers: {...bearer, "Content-Type": "application/json"}, body: "{}"}).then((r) => r.status),
  put: () => fetch(url + "/api/v1/browser/session/x/storage", {method: "PUT", body: "{}"}).then((r) => r.status),
  simple: () => fetch(run, {method: "POST", body: "{}", mode: "no-cors"}).then(opaque),
  credentials: () => fetch(url + "/api/v1/approvals", {credentials: "include", mode: "no-cors"}).then(opaque),
  redirected: () => fetch("/redirect?to=" + encodeURIComponent(run), {method: "POST", body: "{}", mode: "no-cors"}).then(opaque),
  health: () => fetch(url + "/healthz").then((r) => r.status),
  start: () => fetch(url + "/").then((r) => r.status),
  xhr: () => new Promise((ok, no) => { const x = new XMLHttpRequest(); x.open("GET", url + "/metrics"); x.setRequestHeader("Authorization", bearer.Authorization); x.onload = () => ok(x.status); x.onerror = () => no(new Error("refused")); x.send(); }),
  beacon: () => { navigator.sendBeacon(run, "{}"); return "nothing"; },
  socket: () => new Promise((ok, no) => {
    const s = new WebSocket(url.replace("http", "ws") + "/api/v1/socket", ["token." + token]);
    s.onopen = () => ok("open"); s.onerror = () => no(new Error("refused"));
  }),
  events: () => new Promise((ok, no) => { const s = new EventSource(url + "/api/v1/runs/x/events"); s.onopen = () => ok("open"); s.onerror = () => { s.close(); no(new Error("refused")); }; }),
  image: () => element("img", (e) => e.src = url + "/api/v1/browser/session/x/screenshot"),
  script: () => element("script", (e) => e.src = url + "/healthz"),
  module: () => import(url + "/openapi.json").then(() => "loaded"),
  style: () => element("link", (e) => { e.rel = "stylesheet"; e.href = url + "/"; }),
  video: () => element("video", (e) => e.src = url + "/healthz"),
  worker: () => new Promise((ok, no) => {
    const w = new Worker(URL.createObjectURL(new Blob(["try { importScripts('" + url + "/healthz'); postMessage('loaded') } catch { postMessage('') }"])));
    w.onmessage = (e) => e.data ? ok(e.data) : no(new Error("refused")); w.onerror = () => no(new Error("refused"));
  }),
  form: () => new Promise((ok) => {
    const frame = document.createElement("iframe"), form = document.createElement("form");
    frame.name = "target"; form.target = "target"; form.method = "POST"; form.action = run; form.enctype = "text/plain";
    form.innerHTML = "<input name='{\"ms\":1,\"x' value='\":1}'>";
    document.documentElement.append(frame, form);
    frame.onload = () => { try { ok(frame.contentDocument?.body?.innerText.includes("waited") ? "read" : "nothing"); } catch { ok("nothing"); } };
    form.submit();
  }),
};
const got = {};
for (const [name, go] of Object.entries(ways)) {
  try { const v = await go(); if (v !== "nothing" && v !== 403) got[name] = String(v); } catch { }
}
return JSON.stringify(got);`

// hostile is a server with a page, and a path that redirects.
func hostile(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/redirect" {
		http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusTemporaryRedirect)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, form)
}

// TestForeignPages attacks the server from pages in a real browser: those of other origins, and one
// whose name leads to the server after it has been opened (DNS rebinding). Its control is a page of an
// origin that the server allows.
func TestForeignPages(t *testing.T) {
	var log testkit.Buffer
	friend := httptest.NewServer(http.HandlerFunc(hostile))
	defer friend.Close()
	s := start(t, waiting, func(o *serveOptions) {
		o.Log, o.Origins = slog.New(slog.NewJSONHandler(&log, nil)), []string{friend.URL}
	})
	base := "/api/v1/browser/session/" + s.do("POST", "/api/v1/browser/session", "").must(201).data["id"].(string)
	victim, err := s.tokens.Add("victim", ops.Admin)
	if err != nil {
		t.Fatal(err)
	}
	stranger := httptest.NewServer(http.HandlerFunc(hostile))
	defer stranger.Close()
	front := newSwitch(t, stranger.Listener.Addr().String())
	rebinding := fmt.Sprintf("http://rebinding.localhost:%d", front.Addr().(*net.TCPAddr).Port)
	local := func(url string) string { return strings.Replace(url, "127.0.0.1", "localhost", 1) }
	for _, test := range []struct {
		name, page, target string
		then               func() // between the opening of the page and the attack
	}{
		{"another origin", stranger.URL, s.url, nil},
		{"another port of localhost", local(stranger.URL), local(s.url), nil},
		{"another site", strings.Replace(stranger.URL, "127.0.0.1", "evil.localhost", 1), local(s.url), nil},
		{"DNS rebinding", rebinding, rebinding, func() { front.lead(strings.TrimPrefix(s.url, "http://")) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			s.do("POST", base+"/open", fmt.Sprintf(`{"url":%q}`, test.page)).must(200)
			if test.then != nil {
				test.then()
			}
			before := len(log.String())
			if got := s.attack(base, test.target, victim); got != "{}" {
				t.Errorf("the page got %s", got)
			}
			refused := 0
			for line := range strings.Lines(log.String()[before:]) {
				switch {
				case strings.Contains(line, `"token":"default"`): // this test
				case strings.Contains(line, `"status":403`) && strings.Contains(line, `"token":""`):
					refused++
				default:
					t.Errorf("a request of the page was not refused: %s", line)
				}
			}
			t.Logf("%d requests were refused", refused)
			if refused < 12 {
				t.Errorf("%d requests of the page arrived, want at least 12", refused)
			}
		})
	}
	s.do("POST", base+"/open", fmt.Sprintf(`{"url":%q}`, friend.URL)).must(200)
	if got := s.attack(base, s.url, victim); !strings.Contains(got, `"fetch":"200"`) || !strings.Contains(got, `"preflighted":"200"`) {
		t.Errorf("the page of an origin that is allowed got %s", got)
	}
}

// attack attacks target from the page of a session, and returns what the page got.
func (s *server) attack(base, target, token string) string {
	s.t.Helper()
	script, err := json.Marshal(fmt.Sprintf(attack, target, token))
	if err != nil {
		s.t.Fatal(err)
	}
	got, _ := s.do("POST", base+"/action", fmt.Sprintf(`{"type":"eval","script":%s}`, script)).must(200).at("result.value").(string)
	return got
}

// A switched listener passes each connection on to the address to which it leads at that time, as a
// name does whose address changes.
type switched struct {
	net.Listener
	to atomic.Pointer[string]

	mu    sync.Mutex
	conns []net.Conn
}

func newSwitch(t *testing.T, to string) *switched {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &switched{Listener: l}
	s.to.Store(&to)
	var all sync.WaitGroup
	all.Go(func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", *s.to.Load())
			if err != nil {
				in.Close()
				continue
			}
			s.mu.Lock()
			s.conns = append(s.conns, in, out)
			s.mu.Unlock()
			for _, pair := range [][2]net.Conn{{in, out}, {out, in}} {
				all.Go(func() {
					_, _ = io.Copy(pair[0], pair[1])
					pair[0].Close()
				})
			}
		}
	})
	t.Cleanup(func() {
		l.Close()
		s.drop()
		all.Wait()
	})
	return s
}

// lead makes the listener lead to another address. Its connections end.
func (s *switched) lead(to string) {
	s.to.Store(&to)
	s.drop()
}

func (s *switched) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		c.Close()
	}
	s.conns = nil
}
