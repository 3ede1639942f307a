package browser

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/rules"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/hosts"
	"github.com/actionregistry/action/internal/testkit"
)

var update = flag.Bool("update", false, "rewrite the table of ways in docs/security.md")

// zone is the DNS of our proxy in these tests. Its names have addresses of this machine.
var zone = testkit.Zone{
	"forbidden.test": {{"127.0.0.1"}}, "mapped.forbidden.test": {{"::ffff:127.0.0.1"}}, "alias.forbidden.test": {{"forbidden.test"}},
	"chain.forbidden.test": {{"alias.forbidden.test"}}, "zero.forbidden.test": {{"0.0.0.0"}}, "mixed.forbidden.test": {{"10.255.255.1", "127.0.0.1"}},
	"*.wild.forbidden.test": {{"127.0.0.1"}}, "trusted.test": {{"127.0.0.1"}},
	"rebound.test": {{"127.0.0.2"}, {"127.0.0.1"}}, "canary.rebound.test": {{"127.0.0.2"}, {"127.0.0.1"}},
	"half.test": {{"127.0.0.1", "127.0.0.2"}},
}

// public allows the page and a trusted name, and denies what is not public, as if these were the
// only public hosts. Check is as in a policy: it knows names and literal addresses only.
func public(t testing.TB) *rules.HostRule {
	t.Helper()
	n := &hosts.Network{DenyPrivate: true}
	for _, text := range []string{"page.localhost", "trusted.test"} {
		d, err := hosts.ParseDestination(text)
		if err != nil {
			t.Fatal(err)
		}
		n.Allow = append(n.Allow, d)
	}
	return &rules.HostRule{Network: n, Check: func(string) error { return nil }}
}

// A form is a way to write a host that leads to this machine.
type form struct {
	name, host string
	far        bool // no machine has a route to it
}

var forms = []form{
	{"a plain address", "127.0.0.1", false}, {"a decimal number", "2130706433", false}, {"an octal number", "017700000001", false},
	{"a hexadecimal number", "0x7f000001", false}, {"a short form", "127.1", false}, {"an octal part", "0177.0.0.1", false},
	{"a hexadecimal part", "0x7f.1", false}, {"a final dot", "127.0.0.1.", false}, {"full-width digits", "１２７.０.０.１", false},
	{"other full stops", "127。0｡0．1", false}, {"percent-encoding", "%31%32%37.0.0.1", false}, {"circled digits", "①②⑦.0.0.1", false},
	{"a user before it", "user:pw@127.0.0.1", false}, {"the unspecified address", "0.0.0.0", false}, {"zero", "0", false},
	{"an IPv4-mapped address", "[::ffff:127.0.0.1]", false}, {"an IPv4-mapped address in hexadecimal", "[::ffff:7f00:1]", false},
	{"an address written in full", "[0:0:0:0:0:ffff:7f00:0001]", false}, {"an IPv4-compatible address", "[::127.0.0.1]", true},
	{"NAT64", "[64:ff9b::127.0.0.1]", true}, {"local NAT64", "[64:ff9b:1::7f00:1]", true}, {"6to4", "[2002:7f00:1::]", true}, {"Teredo", "[2001::80ff:fffe]", true},
	{"cloud metadata", "169.254.169.254", true}, {"cloud metadata in IPv6", "[fd00:ec2::254]", true}, {"cloud metadata as a number", "0xA9FEA9FE", true},
	{"localhost", "localhost", false}, {"localhost in capitals and with a dot", "LOCALHOST.", false}, {"a name below localhost", "a.localhost", false},
	{"a name of DNS", "forbidden.test", false}, {"a name with a final dot", "forbidden.test.", false}, {"a name with a mapped address", "mapped.forbidden.test", false},
	{"a CNAME", "alias.forbidden.test", false}, {"a chain of CNAMEs", "chain.forbidden.test", false}, {"a name of the unspecified address", "zero.forbidden.test", false},
	{"a name with several private addresses", "mixed.forbidden.test", false}, {"a name of a wildcard, as of nip.io", "x.wild.forbidden.test", false},
}

// formWay uses a form in every basic kind of request.
var formWay = way{html: `<img src="H/x.png">`, script: `fetch('H/f',{mode:'no-cors'}).catch(()=>0);new WebSocket('H/ws'.replace('http','ws'));
	const f=document.createElement('iframe');f.src='H/if';document.body.append(f);await new Promise(r=>{f.onload=r;setTimeout(r,500)})`} // with a user in its address, a frame never loads

// more are ways that matter for addresses: redirects, and documents without a host.
var more = []way{
	{name: "redirect 301", path: "to301?H/r"}, {name: "redirect 302", path: "to302?H/r"}, {name: "redirect 303", path: "to303?H/r"},
	{name: "redirect 307", path: "to307?H/r"}, {name: "redirect 308", path: "to308?H/r"}, {name: "chain of redirects", path: "to301?/to307?/to302?H/r"},
	{name: "Refresh header", head: "Refresh: 0;url=H/r"}, {name: "meta refresh to a redirect", html: `<meta http-equiv=refresh content="0;url=/to?H/r">`},
	{name: "script sets the location", script: `location='H/r';await new Promise(r=>setTimeout(r,300))`}, {name: "script replaces the location", script: `location.replace('/to308?H/r');await new Promise(r=>setTimeout(r,300))`},
	{name: "fetch of a redirect", script: `await fetch('/to307?H/r',{mode:'no-cors'}).catch(()=>0)`}, {name: "picture of a redirect", html: `<img src="/to301?H/r">`},
	{name: "script of a redirect", html: `<script src="/to308?H/r"></script>`}, {name: "frame of a redirect", html: `<iframe src="/to303?H/r"></iframe>`},
	{name: "form by GET", html: `<form id=f action="H/g"><input name=a></form>`, script: `f.submit();await new Promise(r=>setTimeout(r,300))`},
	{name: "form by POST", html: `<form id=f action="H/p" method=post><input name=a></form>`, script: `f.submit();await new Promise(r=>setTimeout(r,300))`},
	{name: "form by POST to a redirect", html: `<form id=f action="/to307?H/p" method=post><input name=a></form>`, script: `f.submit();await new Promise(r=>setTimeout(r,300))`},
	{name: "form into a frame", html: `<iframe name=i></iframe><form id=f action="H/p" method=post target=i></form>`, script: `f.submit();await new Promise(r=>setTimeout(r,300))`},
	{name: "frame", html: `<iframe src="H/f"></iframe>`}, {name: "srcdoc frame", html: `<iframe srcdoc="<img src='H/s'>"></iframe>`},
	{name: "sandboxed frame", html: `<iframe sandbox="allow-scripts" srcdoc="<script>fetch('H/s',{mode:'no-cors'})</script>"></iframe>`},
	{name: "frame of a frame", html: `<iframe srcdoc="<iframe src='H/s'></iframe>"></iframe>`},
	{name: "data: frame", script: "const f=document.createElement('iframe');f.src='data:text/html,<img src=\"H/d\">';document.body.append(f);await new Promise(r=>f.onload=r)"},
	{name: "blob: frame", script: "const f=document.createElement('iframe');f.src=URL.createObjectURL(new Blob([`<img src='H/b'>`],{type:'text/html'}));document.body.append(f);await new Promise(r=>f.onload=r)"},
	{name: "blank frame", script: "const f=document.createElement('iframe');document.body.append(f);await f.contentWindow.fetch('H/b',{mode:'no-cors'}).catch(()=>0)"},
	{name: "worker", script: "new Worker(URL.createObjectURL(new Blob([`fetch('H/w',{mode:'no-cors'})`])));await new Promise(r=>setTimeout(r,300))"},
	{name: "worker of a worker", script: "new Worker(URL.createObjectURL(new Blob([`new Worker(URL.createObjectURL(new Blob([\"fetch('H/w',{mode:'no-cors'})\"])))`])));await new Promise(r=>setTimeout(r,300))"},
	{name: "importScripts of a worker", script: "new Worker(URL.createObjectURL(new Blob([`importScripts('H/i.js')`])));await new Promise(r=>setTimeout(r,300))"},
	{name: "module import", script: `await import('/to?H/m.js').catch(()=>0)`}, {name: "XMLHttpRequest", script: `const x=new XMLHttpRequest();x.open('GET','H/x');x.send()`},
	{name: "synchronous XMLHttpRequest", script: `const x=new XMLHttpRequest();x.open('GET','H/x',false);try{x.send()}catch{}`},
	{name: "stylesheet", html: `<link rel=stylesheet href="H/s.css">`}, {name: "background picture", html: `<div style="background:url(H/b.png)">x</div>`},
	{name: "audio", html: `<audio src="H/a.mp3" preload=auto></audio>`}, {name: "picture set", html: `<img srcset="H/i.png 2x, H/i.png 1x">`},
	{name: "poster", html: `<video poster="H/p.png"></video>`}, {name: "input picture", html: `<input type=image src="H/i.png">`},
	{name: "pop-up of a redirect", script: `open('/to302?H/r')`}, {name: "pop-up written by its opener", script: `open('').document.write("<img src='H/w'>")`},
	{name: "base address", html: `<base href="H/"><img src="b.png">`}, {name: "large upload", script: `fetch('H/u',{method:'POST',mode:'no-cors',body:'x'.repeat(1e6)}).catch(()=>0)`},
}

// TestWaysByAddress checks that no way reaches a host whose address is forbidden, while the browser
// knows only its name: our proxy alone refuses it. The canary is a browser without our proxy, in
// which the same ways reach the same host.
func TestWaysByAddress(t *testing.T) {
	made := httptest.NewTLSServer(nil)
	cert := made.TLS.Certificates[0]
	made.Close()
	for _, build := range testkit.Some(t, "builds", 2, []struct{ name, path string }{{"shell", ""}, {"full", "chromium"}}) {
		t.Run(build.name, func(t *testing.T) {
			o := startup.Options{Path: build.path, IgnoreHTTPSErrors: true, MaxTabs: 1000, Guard: true}
			b, _ := launch(t, o)
			if err := b.Restrict(testContext(t), public(t)); err != nil {
				t.Fatal(err)
			}
			o.Guard, o.Args = false, []string{"--host-resolver-rules=MAP *.test 127.0.0.1 , MAP *.test. 127.0.0.1", "--enable-features=BackgroundFetch,DeviceBoundSessions,FedCm,NetworkErrorLogging,Prerender2,Prerender2FallbackPrefetchSpecRules,Reporting,WebPayments", "--disable-features=PrefetchSchedulerTesting"}
			free, _ := launch(t, o)
			run := func(t *testing.T, w way, host string) {
				t.Parallel()
				forbidden, control := newCanary(t, cert), newCanary(t, cert)
				err := w.try(t, b, forbidden, host)
				if w.path != "" {
					wantDenied(t, err, host)
				}
				if w.is == off { // only done for hosts that count as secure
					host = "canary.localhost"
				}
				_ = w.try(t, free, control, host)
				if w.is != dead && w.is != race && (w.in == "" || w.in == build.name) {
					eventually(t, "the way without the proxy", func() bool { return control.hits.Load() > 0 })
				}
				if n := forbidden.hits.Load(); n > 0 {
					t.Errorf("a forbidden address was reached %d times", n)
				}
			}
			t.Run("all", func(t *testing.T) {
				i := 0
				for _, w := range testkit.Rows(t, "ways by address", slices.Concat(ways, more), func(way) bool { i++; return i%3 == 0 }) {
					t.Run(w.name, func(t *testing.T) { run(t, w, "forbidden.test") })
				}
				for _, f := range testkit.Some(t, "forms of hosts", 2, forms) {
					w := formWay
					if f.far {
						w.is = dead
					}
					t.Run(f.name, func(t *testing.T) {
						run(t, w, f.host)
						p, err := openPage(testContext(t), b)
						if err != nil {
							t.Fatal(err)
						}
						_, err = p.Open(testContext(t), "http://"+f.host+":1234/", driver.Load)
						if !strings.Contains(f.host, "%") { // not a URL for the step
							wantDenied(t, err, f.host)
						}
						_ = p.Close(testContext(t))
					})
				}
			})
			if refused := b.TakeRefused(); len(refused) == 0 || diag.As(refused[0]).Details["address"] == nil {
				t.Errorf("the refusals of the proxy are %v", refused)
			}
		})
	}
}

// wantDenied checks a refusal by address.
func wantDenied(t *testing.T, err error, host string) {
	t.Helper()
	e := diag.As(err)
	if e == nil || e.Code != diag.PolicyDenied || e.Details["address"] == nil || e.Details["rule"] != "policy.network.private: deny" {
		t.Errorf("%s: got %v (%+v), want POLICY_DENIED with the address and the rule", host, err, e)
	}
}

// TestRebindingPage checks a page whose name resolves to an allowed address first and to a forbidden
// one later. The canary is a browser with our proxy and without a rule.
func TestRebindingPage(t *testing.T) {
	t.Parallel()
	inner, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(inner.Addr().String())
	outer, err := net.Listen("tcp4", "127.0.0.2:"+port)
	if err != nil {
		t.Skip("this system has no 127.0.0.2:", err)
	}
	var reached atomic.Int64
	for _, l := range []net.Listener{inner, outer} {
		srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if l == inner {
				reached.Add(1)
			}
			w.Header().Set("Connection", "close") // the next request needs a connection, and its name an address
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html><title>", l.Addr(), "</title>")
		})}
		go srv.Serve(l)
		t.Cleanup(func() { srv.Close() })
	}
	allowed, err := hosts.ParseDestination("127.0.0.2:" + port)
	if err != nil {
		t.Fatal(err)
	}
	rule := &rules.HostRule{Network: &hosts.Network{DenyPrivate: true, Allow: []hosts.Destination{allowed}}, Check: func(string) error { return nil }}
	b, _ := launch(t, startup.Options{Guard: true})
	for _, tt := range []struct {
		host string
		rule *rules.HostRule
	}{{"canary.rebound.test", nil}, {"rebound.test", rule}} {
		ctx := testContext(t)
		reached.Store(0)
		if err := b.Restrict(ctx, tt.rule); err != nil {
			t.Fatal(err)
		}
		p, err := openPage(ctx, b)
		if err != nil {
			t.Fatal(err)
		}
		address := "http://" + tt.host + ":" + port + "/"
		if nav, err := p.Open(ctx, address, driver.Load); err != nil || nav.Title != "127.0.0.2:"+port {
			t.Fatalf("%s: %+v, %v", tt.host, nav, err)
		}
		for _, script := range []string{
			`await fetch('/secret').catch(() => 0)`, `new Image().src = '/secret.png'`, `new WebSocket('ws://' + location.host)`,
			`new Worker(URL.createObjectURL(new Blob(["fetch('" + location.href + "').catch(() => 0)"])))`,
			`const f = document.createElement('iframe'); f.src = '/frame'; document.body.append(f); await new Promise((done) => f.onload = done)`,
			`await fetch('/secret', {method: 'POST'}).catch(() => 0)`,
		} {
			if _, err := p.Eval(ctx, script+"\n;return 1", nil); err != nil {
				t.Errorf("%s: %v", script, err)
			}
		}
		_, err = p.Open(ctx, address+"again", driver.Load)
		if tt.rule == nil {
			if err != nil || reached.Load() < 2 {
				t.Errorf("without a rule the other address is reached %d times, %v", reached.Load(), err)
			}
			continue
		}
		wantDenied(t, err, tt.host)
		if e := diag.As(err); e != nil && (e.Details["address"] != "127.0.0.1" || e.Details["host"] != tt.host) {
			t.Errorf("the details are %v", e.Details)
		}
		if n := reached.Load(); n > 0 {
			t.Errorf("the forbidden address was reached %d times", n)
		}
		refused := b.TakeRefused()
		if len(refused) != 1 || !strings.Contains(refused[0].Error(), "the host rebound.test has the address 127.0.0.1, which is denied (loopback)") {
			t.Errorf("refused are %v", refused)
		}
		if nav, err := p.Open(ctx, "http://half.test:"+port+"/", driver.Load); err != nil || nav.Title != "127.0.0.2:"+port {
			t.Errorf("a name with an allowed address: %+v, %v", nav, err)
		}
	}
}

// TestRefusedSteps checks the error of each step that leads to a forbidden address.
func TestRefusedSteps(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, port, _ := net.SplitHostPort(r.Host)
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>t</title><a id=a href="http://forbidden.test:%s/">A</a> <a id=r href="/to">R</a>
			<form action="http://forbidden.test:%s/" method=post><button id=s>S</button></form><iframe name=i></iframe><a id=f target=i href="http://forbidden.test:%s/">F</a>`, port, port, port)
	}))
	t.Cleanup(srv.Close)
	home := strings.Replace(srv.URL, "127.0.0.1", "page.localhost", 1) + "/"
	forbidden := strings.Replace(srv.URL, "127.0.0.1", "forbidden.test", 1) + "/"
	b, _ := launch(t, startup.Options{Guard: true})
	ctx := testContext(t)
	if err := b.Restrict(ctx, public(t)); err != nil {
		t.Fatal(err)
	}
	if err := b.Begin(ctx); err != nil {
		t.Fatal(err)
	}
	p := activePage(b)
	for _, id := range []string{"a", "s", "f"} {
		if _, err := p.Open(ctx, home, driver.Load); err != nil {
			t.Fatal(err)
		}
		_, err := p.Press(ctx, css("#"+id), driver.PressOptions{})
		wantDenied(t, err, "a press on "+id)
	}
	_, err := b.Download(ctx, driver.DownloadOptions{URL: forbidden})
	wantDenied(t, err, "a download")
	_, err = p.Open(ctx, strings.Replace(forbidden, "http:", "https:", 1), driver.Load)
	wantDenied(t, err, "https")
	if nav, err := p.Open(ctx, strings.Replace(home, "page.localhost", "trusted.test", 1), driver.Load); err != nil || nav.Title != "t" {
		t.Errorf("a trusted name: %+v, %v", nav, err)
	}
	if _, err := p.Open(ctx, "http://page.localhost:1/", driver.Load); diag.As(err) == nil || diag.As(err).Code != diag.NavigationFailed {
		t.Errorf("a failure that is no refusal: %v", err)
	}
	plain, _ := launch(t, startup.Options{})
	err = plain.Restrict(ctx, public(t))
	wantCode(t, err, diag.BrowserUnavailable, "does not connect through our proxy")
}

const waysBegin, waysEnd = "<!-- ways: written by go test ./internal/browser -run TestWaysTable -update -->", "<!-- end of the ways -->"

// TestWaysTable compares the table of ways in docs/security.md with the ways that are tested.
func TestWaysTable(t *testing.T) {
	const name = "../../docs/security.md"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), waysBegin)
	old, after, ok2 := strings.Cut(rest, waysEnd)
	if !ok || !ok2 {
		t.Fatalf("%s has no %s", name, waysBegin)
	}
	var s strings.Builder
	s.WriteString("\n\n| way | how it is refused |\n| --- | --- |\n")
	for _, w := range slices.Concat(ways, more) {
		how := map[kind]string{live: "by the proxy", off: "switched off", dead: "these browsers do not do it; tried", race: "by the proxy, while the page ends"}[w.is]
		fmt.Fprintf(&s, "| %s | %s |\n", w.name, how)
	}
	for _, f := range forms {
		how := "by the proxy"
		if f.far {
			how += "; this machine has no route to it, so there is no canary"
		}
		fmt.Fprintf(&s, "| %s: `%s` | %s |\n", f.name, f.host, how)
	}
	s.WriteString("\n")
	if s.String() == old {
		return
	}
	if !*update {
		t.Fatalf("the table of ways is out of date: run make docs")
	}
	if err := os.WriteFile(name, []byte(before+waysBegin+s.String()+waysEnd+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
