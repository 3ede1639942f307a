package browser

import (
	"crypto/sha1"
	"encoding/base64"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/rules"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/hosts"
	"github.com/actionregistry/action/internal/testkit"
)

// sockets serves WebSockets, on IPv4 and IPv6, and returns the port. It sends only a message that
// they are open.
func sockets(t *testing.T) string {
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sum := sha1.Sum([]byte(r.Header.Get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
		w.Header().Set("Upgrade", "websocket")
		w.Header().Set("Connection", "Upgrade")
		w.Header().Set("Sec-WebSocket-Accept", base64.StdEncoding.EncodeToString(sum[:]))
		w.WriteHeader(http.StatusSwitchingProtocols)
	})
	srv := httptest.NewServer(answer)
	t.Cleanup(srv.Close)
	_, port, err := net.SplitHostPort(srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if l, err := net.Listen("tcp6", "[::1]:"+port); err == nil { // not every machine has it
		other := &http.Server{Handler: answer}
		go other.Serve(l)
		t.Cleanup(func() { other.Close() })
	}
	return port
}

// denying returns a rule that denies one host.
func denying(host string) *rules.HostRule {
	refused := diag.New(diag.PolicyDenied, "the host %s is denied", host).WithHint("ask")
	return &rules.HostRule{Deny: hosts.MustParse(host), Check: func(address string) error {
		if strings.Contains(address, "://"+host) {
			return refused
		}
		return nil
	}}
}

const dial = `(url) => new Promise((done) => { const s = new WebSocket(url); s.onopen = () => done('open'); s.onerror = () => done('refused') }).catch(() => 'refused')`

// The rules that Chromium receives agree with the policy.
func TestSocketRules(t *testing.T) {
	testkit.Long(t)
	port := sockets(t)
	b, p := ownBrowser(t)
	ctx := testContext(t)
	if _, err := p.Open(ctx, site(t, map[string]string{"/": "<title>t</title>"}), driver.Load); err != nil {
		t.Fatal(err)
	}
	const everything = "127.0.0.1 [::ffff:127.0.0.1] localhost localhost. a.localhost b.a.localhost [::1]"
	all := strings.Fields(everything + " alocalhost")
	denies := func(host string) *rules.HostRule { return &rules.HostRule{Deny: hosts.MustParse(host)} }
	allows := func(host string) *rules.HostRule {
		return &rules.HostRule{Allow: [][]hosts.Pattern{hosts.MustParse(host)}}
	}
	tests := []struct {
		name string
		rule *rules.HostRule
		open string
	}{
		{"none", nil, everything},
		{"deny a name", denies("a.localhost"), "127.0.0.1 [::ffff:127.0.0.1] localhost localhost. b.a.localhost [::1]"},
		{"deny another address", denies("10.0.0.1"), everything},
		{"deny this machine by its name", denies("localhost"), ""},
		{"deny this machine by an address", denies("127.0.0.1"), ""},
		{"deny this machine by an address of IPv6", denies("::1"), ""},
		{"deny this machine by the unspecified address", denies("0.0.0.0"), ""},
		{"deny what is below", denies("*.localhost"), "127.0.0.1 [::ffff:127.0.0.1] localhost localhost. [::1]"},
		{"allow a name", allows("localhost"), "localhost localhost."},
		{"allow an address", allows("127.0.0.1"), "127.0.0.1"},
		{"allow an address inside one of IPv6", allows("::ffff:127.0.0.1"), "[::ffff:127.0.0.1]"},
		{"allow an address of IPv6", allows("::1"), "[::1]"},
		{"allow nothing", &rules.HostRule{Allow: [][]hosts.Pattern{{}}}, ""},
		{"deny wins", &rules.HostRule{Allow: [][]hosts.Pattern{hosts.MustParse("localhost", "*.localhost")}, Deny: hosts.MustParse("a.localhost")}, "localhost localhost. b.a.localhost"},
		{"two lists", &rules.HostRule{Allow: [][]hosts.Pattern{hosts.MustParse("localhost", "*.localhost"), hosts.MustParse("*.a.localhost", "127.0.0.1")}}, "b.a.localhost"},
		{"none again", nil, everything},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.rule != nil {
				tt.rule.Check = func(string) error { return nil }
			}
			if err := b.Restrict(ctx, tt.rule); err != nil {
				t.Fatal(err)
			}
			var open []string
			for _, host := range all {
				got, err := p.Eval(ctx, "return await ("+dial+")(url)", map[string]any{"url": "ws://u:p@" + host + ":" + port + "/a?b=c"})
				if err != nil {
					t.Fatal(err)
				}
				if got == "open" {
					open = append(open, host)
				}
			}
			if got := strings.Join(open, " "); got != tt.open {
				t.Errorf("open are %s; want %s", got, tt.open)
			}
		})
	}
}

// A denied host is denied, with an error, for every kind of worker; other hosts are not. A worker
// whose WebSockets cannot be attributed to it gets none. A tab that has had a rule gets no shared
// workers.
func TestRestrictWorkers(t *testing.T) {
	testkit.Long(t)
	other := newTeller(t)
	port := sockets(t)
	for _, job := range testkit.Some(t, "ways to load", 2, []struct {
		name, source string
		cannot       []string // kinds that never can
		none         []string // kinds that cannot where there is a rule
	}{
		{"fetch", "const job = () => fetch('" + other.url + "/data').then(() => 'open', () => 'refused')", nil, nil},
		{"import", "const job = async () => { try { importScripts('" + other.url + "/script.js'); return 'open' } catch (e) { return 'refused' } }",
			[]string{"no worker", "no worker in a frame", "no worker in a frame elsewhere", "module", "service"}, nil},
		{"socket", "const job = () => (" + dial + ")('ws://127.0.0.1:" + port + "')", nil, []string{"of a frame", "of a frame elsewhere"}},
		{"socket, frames in processes of their own", "const job = () => (" + dial + ")('ws://127.0.0.1:" + port + "')", nil, []string{"of a frame"}},
	}) {
		t.Run(job.name, func(t *testing.T) {
			t.Parallel()
			ctx := testContext(t)
			o := startup.Options{}
			if strings.Contains(job.name, "processes") {
				o.Args = []string{"--site-per-process"}
			}
			b, _ := launch(t, o)
			p, err := openPage(ctx, b)
			if err != nil {
				t.Fatal(err)
			}
			url := workerSite(t, job.source)
			ruled := false
			for _, host := range []string{"", "127.0.0.1", "", "elsewhere.test"} {
				var rule *rules.HostRule
				if host != "" {
					rule, ruled = denying(host), true
				}
				if err := b.Restrict(ctx, rule); err != nil {
					t.Fatal(err)
				}
				if _, err := p.Open(ctx, url, driver.Load); err != nil {
					t.Fatal(err)
				}
				for _, kind := range workerScripts {
					if slices.Contains(job.cannot, kind.name) {
						continue
					}
					none := slices.Contains(job.none, kind.name) && rule != nil
					want, told := "open", 0
					if host == "127.0.0.1" || none {
						want = "refused"
					}
					if host == "127.0.0.1" && !none {
						told = 1
					}
					got, err := p.Eval(ctx, kind.script, nil)
					if ruled && kind.name == "shared" {
						if err == nil || !strings.Contains(err.Error(), "SharedWorker is not defined") {
							t.Errorf("shared, refusing %q: it is %v (%v), want no SharedWorker", host, got, err)
						}
						continue
					}
					if list := b.TakeRefused(); err != nil || got != want || len(list) != told {
						t.Errorf("%s, refusing %q: it is %v (%v), told %v; want %s, told %d times", kind.name, host, got, err, list, want, told)
					}
				}
			}
		})
	}
}

// A rule also applies to workers that are already running, except for the requests of shared ones.
func TestRestrictLater(t *testing.T) {
	testkit.Long(t)
	other := newTeller(t)
	b, p := ownBrowser(t)
	ctx := testContext(t)
	if _, err := p.Open(ctx, workerSite(t, "const job = () => fetch('"+other.url+"/data').then(() => 'open', () => 'refused')"), driver.Load); err != nil {
		t.Fatal(err)
	}
	evaluate(t, ctx, p, `await navigator.serviceWorker.register('/service.js'); await navigator.serviceWorker.ready
		if (!navigator.serviceWorker.controller) await new Promise((done) => navigator.serviceWorker.oncontrollerchange = done)
		window.made = new Worker('data:text/javascript,onmessage = (e) => fetch(e.data).then(() => "open", () => "refused").then(postMessage)')
		return 1`)
	for _, want := range []string{"open", "refused", "open"} {
		var rule *rules.HostRule
		if want == "refused" {
			rule = denying("127.0.0.1")
		}
		if err := b.Restrict(ctx, rule); err != nil {
			t.Fatal(err)
		}
		for name, script := range map[string]string{
			"the service worker": "navigator.serviceWorker.controller.postMessage(''); return await new Promise((done) => navigator.serviceWorker.onmessage = (e) => done(e.data))",
			"the worker":         "made.postMessage('" + other.url + "/data'); return await new Promise((done) => made.onmessage = (e) => done(e.data))",
		} {
			if got := evaluate(t, ctx, p, script); got != want {
				t.Errorf("%s: %v, want %s", name, got, want)
			}
		}
	}
}
