package browser

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

// guarded starts a browser that reaches the network through our proxy, which denies the host
// denied.localhost, and opens a tab.
func guarded(t *testing.T, o startup.Options) (*chrome.Browser, *Page) {
	t.Helper()
	o.Guard, o.IgnoreHTTPSErrors = true, true
	b, _ := launch(t, o)
	if err := b.Restrict(testContext(t), denying("denied.localhost")); err != nil {
		t.Fatal(err)
	}
	if err := b.Begin(testContext(t)); err != nil {
		t.Fatal(err)
	}
	return b, activePage(b)
}

// traffic answers every kind of request that goes through the proxy.
func traffic(next chan struct{}) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/next", func(http.ResponseWriter, *http.Request) { next <- struct{}{} })
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!doctype html><title>%s</title>", r.Host)
	})
	mux.HandleFunc("/peer", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.RemoteAddr) })
	mux.HandleFunc("/large", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, strings.Repeat("0123456789abcdef", 1<<20))
	})
	mux.HandleFunc("/sum", func(w http.ResponseWriter, r *http.Request) {
		sum := sha256.New()
		n, _ := io.Copy(sum, r.Body)
		fmt.Fprintf(w, "%d %x", n, sum.Sum(nil)[:4])
	})
	mux.HandleFunc("/file", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=f.txt")
		fmt.Fprint(w, "saved")
	})
	mux.HandleFunc("/auth", func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "ann" || password != "pw" {
			w.Header().Set("WWW-Authenticate", `Basic realm="site"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>signed in</title>")
	})
	mux.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 3 {
			fmt.Fprintf(w, "data: %d\n\n", i)
			w.(http.Flusher).Flush()
			select { // the next one once this has arrived
			case <-next:
			case <-r.Context().Done():
				return
			}
		}
	})
	return mux
}

// Allowed requests go through the proxy unchanged.
func TestGuardedTraffic(t *testing.T) {
	testkit.Long(t)
	for _, build := range []string{"", "chromium"} {
		t.Run("build "+build, func(t *testing.T) {
			b, p := guarded(t, startup.Options{Path: build})
			ctx := testContext(t)
			next := make(chan struct{}, 10)
			srv := httptest.NewServer(traffic(next))
			t.Cleanup(func() { srv.CloseClientConnections(); srv.Close() })
			_, port, _ := net.SplitHostPort(srv.Listener.Addr().String())
			secure := httptest.NewTLSServer(traffic(next))
			t.Cleanup(secure.Close)
			addresses := []string{"http://127.0.0.1:" + port, "http://localhost:" + port, "http://a.localhost:" + port, secure.URL}
			if l, err := net.Listen("tcp6", "[::1]:"+port); err == nil {
				six := &http.Server{Handler: traffic(next)}
				go six.Serve(l)
				t.Cleanup(func() { six.Close() })
				addresses = append(addresses, "http://[::1]:"+port)
			}
			for _, address := range addresses {
				nav, err := p.Open(ctx, address+"/", driver.Load)
				if want := strings.TrimPrefix(strings.TrimPrefix(address, "http://"), "https://"); err != nil || nav.Title != want || nav.Status != 200 {
					t.Errorf("%s: %+v, %v", address, nav, err)
				}
			}
			home := "http://localhost:" + port
			if nav, err := p.Open(ctx, strings.Replace(home, "://", "://ann:pw@", 1)+"/auth", driver.Load); err != nil || nav.Title != "signed in" {
				t.Errorf("a site that wants a user: %+v, %v", nav, err)
			}
			if nav, err := p.Open(ctx, "http://a.localhost:"+port+"/auth", driver.Load); err == nil && nav.Status != http.StatusUnauthorized {
				t.Errorf("a site that wants a user, without one: %+v", nav)
			}
			if _, err := p.Open(ctx, home+"/", driver.Load); err != nil {
				t.Fatal(err)
			}
			large := sha256.Sum256([]byte(strings.Repeat("u", 5<<20)))
			for _, tt := range []struct{ name, script, want string }{
				{"a large body", `const t = await (await fetch('/large')).text(); return t.length + t.slice(-3)`, "16777216def"},
				{"a large upload", `return await (await fetch('/sum', {method: 'POST', body: 'u'.repeat(5 << 20)})).text()`, fmt.Sprintf("5242880 %x", large[:4])},
				{"kept connections", `const a = await (await fetch('/peer')).text(); return a === await (await fetch('/peer')).text()`, "true"},
				{"a stream", `const s = new EventSource('/events'), got = []; await new Promise((done) => { s.onmessage = (e) => { got.push(e.data); fetch('/next'); if (got.length === 3) { s.close(); done() } } }); return got.join()`, "0,1,2"},
				{"a web socket", "return await (" + dial + ")('ws://localhost:" + sockets(t) + "/')", "open"},
				{"a denied web socket", "return await (" + dial + ")('ws://denied.localhost:" + port + "/')", "refused"},
				{"forty streams at once", `const all = []; for (let i = 0; i < 40; i++) all.push(fetch('http://s' + i + '.localhost:` + port + `/', {mode: 'no-cors'})); return (await Promise.all(all)).length`, "40"},
			} {
				got, err := p.Eval(ctx, tt.script, nil)
				if err != nil || fmt.Sprint(got) != tt.want {
					t.Errorf("%s: %v, %v; want %s", tt.name, got, err, tt.want)
				}
			}
			d, err := b.Download(ctx, driver.DownloadOptions{URL: home + "/file", Accept: func(string) error { return nil }})
			if err != nil {
				t.Errorf("a download: %v", err)
			} else if text, err := os.ReadFile(d.Path); err != nil || string(text) != "saved" {
				t.Errorf("a download: %q, %v", text, err)
			}
			if refused := b.TakeRefused(); len(refused) != 1 {
				t.Errorf("refused are %v", refused)
			}

			// Failures behind the proxy have the same messages as without it.
			gone, err := net.Listen("tcp4", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			gone.Close()
			for address, want := range map[string]string{
				"http://" + gone.Addr().String() + "/": "nothing is listening there (ERR_CONNECTION_REFUSED)",
				"http://unknown.invalid/":              "the host is not known (ERR_NAME_NOT_RESOLVED)",
				"https://unknown.invalid/":             "the host is not known (ERR_NAME_NOT_RESOLVED)",
			} {
				_, err := p.Open(ctx, address, driver.Load)
				wantCode(t, err, diag.NavigationFailed, want)
				_, err = b.Download(ctx, driver.DownloadOptions{URL: address})
				wantCode(t, err, diag.NavigationFailed, want)
			}
			_, err = p.Open(ctx, "http://denied.localhost:"+port+"/", driver.Load)
			wantCode(t, err, diag.PolicyDenied, "denied")

			// The canary: without the proxy nothing is reached.
			b.Probe().Egress.Close()
			if _, err := p.Open(ctx, home+"/", driver.Load); err == nil {
				t.Error("a page is reached without the proxy")
			}
			q, err := b.OpenTab(ctx)
			_ = q
			if err != nil {
				t.Fatal(err)
			}
			for _, address := range addresses {
				if _, err := activePage(b).Open(ctx, address+"/", driver.Load); err == nil {
					t.Errorf("%s is reached without the proxy", address)
				}
			}
		})
	}
}

// While their browser ends or is killed, a page and its workers reach no denied host.
func TestGuardedEnd(t *testing.T) {
	testkit.Long(t)
	for _, end := range []struct {
		name string
		how  func(b *chrome.Browser)
	}{
		{"closed", func(b *chrome.Browser) { b.Close(testContext(t)) }},
		{"killed", func(b *chrome.Browser) { b.Probe().Process.Kill(); b.Close(testContext(t)) }},
		{"left", func(b *chrome.Browser) { b.Probe().Process.Out.Close(); <-b.Done(); b.Close(testContext(t)) }},
	} {
		t.Run(end.name, func(t *testing.T) {
			b, p := guarded(t, startup.Options{})
			var mu sync.Mutex
			hosts := make(map[string]int)
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				hosts[strings.Split(r.Host, ":")[0]]++
				mu.Unlock()
				_, port, _ := net.SplitHostPort(r.Host)
				loop := `setInterval(() => { for (const host of ['denied', 'allowed']) { fetch('http://' + host + '.localhost:` + port + `/', {mode: 'no-cors'}).catch(() => 0); new WebSocket('ws://' + host + '.localhost:` + port + `/') } }, 2)`
				if r.URL.Path == "/w.js" {
					w.Header().Set("Content-Type", "text/javascript")
					fmt.Fprint(w, loop)
					return
				}
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprint(w, `<script>`+loop+`; new Worker('/w.js'); onpagehide = () => navigator.sendBeacon('http://denied.localhost:`+port+`/', 'x')</script>`)
			}))
			t.Cleanup(func() { srv.CloseClientConnections(); srv.Close() })
			if _, err := p.Open(testContext(t), strings.Replace(srv.URL, "127.0.0.1", "localhost", 1), driver.DOMContentLoaded); err != nil {
				t.Fatal(err)
			}
			eventually(t, "requests", func() bool { mu.Lock(); defer mu.Unlock(); return hosts["allowed.localhost"] > 20 })
			end.how(b)
			srv.CloseClientConnections()
			mu.Lock()
			defer mu.Unlock()
			if n := hosts["denied.localhost"]; n > 0 {
				t.Errorf("a host that is denied was reached %d times", n)
			}
		})
	}
}

// Flags of the user that would bypass the proxy are refused.
func TestGuardedArgs(t *testing.T) {
	for _, arg := range []string{"--no-proxy-server", "--proxy-server=127.0.0.1:1", "-proxy-pac-url=http://x/", "--host-resolver-rules=MAP * 127.0.0.1"} {
		_, err := Launch(testContext(t), startup.Options{Guard: true, Args: []string{arg}, TempDir: t.TempDir()})
		wantCode(t, err, diag.BrowserUnavailable, "conflicts with policy.hosts")
	}
	_, err := Launch(testContext(t), startup.Options{Guard: true, Proxy: "socks4://u:secret@127.0.0.1:1", TempDir: t.TempDir()})
	wantCode(t, err, diag.BrowserUnavailable, "socks4")
}
