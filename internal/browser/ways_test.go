package browser

import (
	"bufio"
	"cmp"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

// A canary counts what reaches a port: connections, even without a request, and datagrams. It
// answers http and https.
type canary struct {
	port string
	hits atomic.Int64
}

// An inbox is a listener for connections that a canary has counted.
type inbox struct {
	net.Listener
	conns chan net.Conn
	done  chan struct{}
}

func (l inbox) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

type peeked struct {
	net.Conn
	r *bufio.Reader
}

func (p peeked) Read(b []byte) (int, error) { return p.r.Read(b) }

func newCanary(t *testing.T, cert tls.Certificate) *canary {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	c := &canary{port: port}
	in := inbox{l, make(chan net.Conn), make(chan struct{})}
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Headers", "*")
		w.Header().Set("Supports-Loading-Mode", "credentialed-prerender")
		fmt.Fprint(w, "ok")
	})}
	go srv.Serve(in)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			c.hits.Add(1)
			go c.sort(conn, in, cert)
		}
	}()
	t.Cleanup(func() { close(in.done); l.Close(); srv.Close() })
	for _, address := range []string{"127.0.0.1", "::1"} {
		u, err := net.ListenPacket("udp", net.JoinHostPort(address, port))
		if err != nil {
			continue // not every machine has IPv6
		}
		t.Cleanup(func() { u.Close() })
		go func() {
			for {
				if _, _, err := u.ReadFrom(make([]byte, 2000)); err != nil {
					return
				}
				c.hits.Add(1)
			}
		}()
	}
	return c
}

// sort passes a connection on, with TLS if the client's first byte begins a TLS handshake.
func (c *canary) sort(conn net.Conn, in inbox, cert tls.Certificate) {
	r := bufio.NewReader(conn)
	first, err := r.Peek(1)
	if err != nil {
		conn.Close()
		return
	}
	var out net.Conn = peeked{conn, r}
	if first[0] == 0x16 {
		out = tls.Server(out, &tls.Config{Certificates: []tls.Certificate{cert}})
	}
	select {
	case in.conns <- out:
	case <-in.done:
		conn.Close()
	}
}

// A way is a means by which a page makes the browser reach a host. In its texts, H stands for
// http://HOST:PORT, S and SO for https://HOST:PORT.
type way struct {
	name   string
	is     kind
	in     string // the only build that does it: shell, full
	head   string // headers of the page, one a line; those after "103: " come early
	html   string
	script string // run when the page has loaded
	sw     string // source of a service worker
	hover  bool
	pop    string // document of a pop-up at /pop
	shut   bool   // close the tab at the end
	path   string // opened instead of /
}

// A kind says how the rule blocks a way, and so how the test checks that the way works without it.
type kind int

const (
	live kind = iota // the rule blocks it: the same way reaches an allowed host
	off              // disabled at launch, or while there is a rule: otherwise it reaches a host
	dead             // these builds do not support it
	race             // it runs only while something ends, and may come too late
)

var ways = []way{
	{name: "beacon of a pop-up closed by its opener", is: race, pop: `onpagehide=()=>navigator.sendBeacon('H/b','x')`, script: popUp + `w.close()`},
	{name: "beacon of a pop-up that closes itself", is: race, pop: `onpagehide=()=>navigator.sendBeacon('H/b','x');onmessage=()=>close()`, script: popUp + `w.postMessage(1)`},
	{name: "keepalive of a pop-up closed by its opener", is: race, pop: `onpagehide=()=>fetch('H/k',{method:'POST',mode:'no-cors',keepalive:true,body:'x'})`, script: popUp + `w.close()`},
	{name: "keepalive of a pop-up that closes itself", is: race, pop: `onpagehide=()=>fetch('H/k',{method:'POST',mode:'no-cors',keepalive:true,body:'x'});onmessage=()=>close()`, script: popUp + `w.postMessage(1)`},
	{name: "beacon of a tab that is closed", is: race, html: `<script>onpagehide=()=>navigator.sendBeacon('H/b','x')</script>`, shut: true},
	{name: "keepalive of a tab that is closed", is: race, html: `<script>onpagehide=()=>fetch('H/k',{method:'POST',mode:'no-cors',keepalive:true,body:'x'})</script>`, shut: true},
	{name: "fetches of a pop-up closed by its opener", is: race, pop: `setInterval(()=>fetch('H/f',{mode:'no-cors'}).catch(()=>0),1)`, script: popUp + `w.close()`},
	{name: "web sockets of a pop-up closed by its opener", is: race, pop: `setInterval(()=>new WebSocket('H/ws'.replace('http','ws')),1)`, script: popUp + `w.close()`},
	{name: "web sockets in pagehide", is: race, pop: `onpagehide=()=>{for(let i=0;i<20;i++)new WebSocket('H/ws'.replace('http','ws'))};onmessage=()=>close()`, script: popUp + `w.postMessage(1)`},
	{name: "fetches of a tab that is closed", is: race, html: `<script>setInterval(()=>fetch('H/f',{mode:'no-cors'}).catch(()=>0),1)</script>`, shut: true},
	{name: "web sockets of a tab that is closed", is: race, html: `<script>setInterval(()=>new WebSocket('H/ws'.replace('http','ws')),1)</script>`, shut: true},
	{name: "control img", is: live, html: `<img src="H/x.png">`},
	{name: "sr prefetch immediate", is: off, in: "shell", html: `<script type=speculationrules>{"prefetch":[{"source":"list","urls":["H/sp"],"eagerness":"immediate"}]}</script>`},
	{name: "sr prefetch https", is: off, in: "shell", html: `<script type=speculationrules>{"prefetch":[{"source":"list","urls":["S/sp"],"eagerness":"immediate"}]}</script>`},
	{name: "sr prerender", is: off, in: "shell", html: `<script type=speculationrules>{"prerender":[{"source":"list","urls":["H/sp"],"eagerness":"immediate"}]}</script>`},
	{name: "sr prerender same-site https", is: off, in: "shell", html: `<script type=speculationrules>{"prerender":[{"source":"list","urls":["S/sp"],"eagerness":"immediate"}]}</script>`},
	{name: "sr document", is: off, in: "shell", html: `<a href="H/doc">x</a><script type=speculationrules>{"prefetch":[{"source":"document","where":{"href_matches":"H/*"},"eagerness":"immediate"}]}</script>`},
	{name: "sr prerender redirect", is: off, in: "shell", html: `<script type=speculationrules>{"prerender":[{"source":"list","urls":["/to?H/redirected"],"eagerness":"immediate"}]}</script>`},
	{name: "sr prefetch redirect", is: off, in: "shell", html: `<script type=speculationrules>{"prefetch":[{"source":"list","urls":["/to?H/redirected"],"eagerness":"immediate"}]}</script>`},
	{name: "sr header elsewhere", is: live, head: `Speculation-Rules: "H/rules.json"`},
	{name: "favicon", is: dead, html: `<link rel=icon href="H/favicon.png">`},
	{name: "manifest", is: dead, html: `<link rel=manifest href="H/manifest.json">`},
	{name: "preconnect", is: dead, html: `<link rel=preconnect href="H">`},
	{name: "preconnect cors", is: dead, html: `<link rel=preconnect href="H" crossorigin>`},
	{name: "preconnect header", is: dead, head: `Link: <H>; rel=preconnect`},
	{name: "preconnect script", is: dead, script: `const l=document.createElement('link');l.rel='preconnect';l.href='H';document.head.append(l)`},
	{name: "dns-prefetch", is: dead, html: `<link rel=dns-prefetch href="H">`},
	{name: "link prefetch", is: live, html: `<link rel=prefetch href="H/lp">`},
	{name: "link prefetch document", is: live, html: `<link rel=prefetch as=document href="H/lp">`},
	{name: "link prerender", is: dead, html: `<link rel=prerender href="H/lp">`},
	{name: "link next", is: dead, html: `<link rel=next href="H/lp">`},
	{name: "preload", is: live, html: `<link rel=preload as=script href="H/lp.js">`},
	{name: "modulepreload", is: live, html: `<link rel=modulepreload href="H/lp.js">`},
	{name: "preload header", is: live, head: `Link: <H/lp.js>; rel=preload; as=script`},
	{name: "prefetch header", is: live, head: `Link: <H/lp.js>; rel=prefetch`},
	{name: "early hints preload", is: dead, head: `103: Link: <H/lp.js>; rel=preload; as=script`},
	{name: "early hints preconnect", is: dead, head: `103: Link: <H>; rel=preconnect`},
	{name: "ping", is: live, html: `<a id=a href="/done" ping="H/ping">x</a>`, script: `a.click()`},
	{name: "beacon", is: live, script: `navigator.sendBeacon('H/beacon','x')`},
	{name: "beacon in pagehide", is: live, html: `<script>addEventListener('pagehide',()=>navigator.sendBeacon('H/beacon','x'))</script>`, script: `location.href='/done'`},
	{name: "keepalive in pagehide", is: live, html: `<script>addEventListener('pagehide',()=>fetch('H/ka',{method:'POST',mode:'no-cors',keepalive:true}))</script>`, script: `location.href='/done'`},
	{name: "fetchLater", is: live, html: `<script>try{fetchLater('S/later',{method:'POST',activateAfter:0})}catch(e){window.err=String(e)}</script>`, script: `location.href='/done'`},
	{name: "csp report-uri", is: live, head: "Content-Security-Policy: img-src 'none'; report-uri H/csp", html: `<img src="/x.png">`},
	{name: "csp report-uri https", is: live, head: "Content-Security-Policy: img-src 'none'; report-uri S/csp", html: `<img src="/x.png">`},
	{name: "csp report-to", is: off, in: "full", head: "Content-Security-Policy: img-src 'none'; report-to e\nReporting-Endpoints: e=\"S/csp\"", html: `<img src="/x.png">`},
	{name: "csp report-only", is: live, head: "Content-Security-Policy-Report-Only: img-src 'none'; report-uri H/csp", html: `<img src="/x.png">`},
	{name: "report-to + nel", is: dead, head: "Report-To: {\"group\":\"n\",\"max_age\":100000,\"endpoints\":[{\"url\":\"S/nel\"}]}\nNEL: {\"report_to\":\"n\",\"max_age\":100000,\"success_fraction\":1.0,\"failure_fraction\":1.0}", script: `await fetch('/404')`},
	{name: "reporting deprecation", is: dead, head: "Reporting-Endpoints: default=\"S/rep\"\nDocument-Policy: unsized-media=?0", html: `<img src="/x.png">`},
	{name: "coop report", is: off, in: "full", head: "Reporting-Endpoints: e=\"S/coop\"\nCross-Origin-Opener-Policy-Report-Only: same-origin; report-to=\"e\"\nCross-Origin-Embedder-Policy-Report-Only: require-corp; report-to=\"e\"", html: `<iframe src="/done"></iframe>`, script: `open('/done')`},
	{name: "background fetch", is: off, in: "full", sw: "1", script: `const r=await navigator.serviceWorker.ready; await r.backgroundFetch.fetch('b',['H/bg'],{title:'x'})`},
	{name: "background sync", is: dead, sw: "onsync=e=>e.waitUntil(fetch('H/sync',{mode:'no-cors'}))", script: `const r=await navigator.serviceWorker.ready; await r.sync.register('x')`},
	{name: "sw fetch", is: live, sw: "onmessage=e=>e.waitUntil(fetch('H/swf',{mode:'no-cors'}))", script: `const r=await navigator.serviceWorker.ready; r.active.postMessage(1)`},
	{name: "shared worker blob", is: off, script: `new SharedWorker(URL.createObjectURL(new Blob(["fetch('H/shared',{mode:'no-cors'})"],{type:'text/javascript'})))`},
	{name: "sw import", is: live, script: `await navigator.serviceWorker.register('/swimport.js?H/imp.js').catch(()=>0)`},
	{name: "sw redirect passthrough", is: live, sw: "onfetch=e=>{if(e.request.url.includes('pass'))e.respondWith(fetch('H/pass',{mode:'no-cors'}))}", script: `await navigator.serviceWorker.ready; if(!navigator.serviceWorker.controller)await new Promise(r=>navigator.serviceWorker.oncontrollerchange=r); await fetch('/pass').catch(()=>0)`},
	{name: "sw navigation preload", is: live, sw: "onactivate=e=>e.waitUntil(registration.navigationPreload.enable().then(()=>clients.claim()));onfetch=e=>{if(e.request.mode=='navigate')e.respondWith(e.preloadResponse.then(r=>r||fetch(e.request)))}", script: `await navigator.serviceWorker.ready; if(!navigator.serviceWorker.controller)await new Promise(r=>navigator.serviceWorker.oncontrollerchange=r); location.href='/to?H/navpre'`},
	{name: "paint worklet", is: live, script: `await CSS.paintWorklet.addModule('H/pw.js').catch(()=>0)`},
	{name: "audio worklet", is: live, script: `await new OfflineAudioContext(1,128,44100).audioWorklet.addModule('H/aw.js').catch(()=>0)`},
	{name: "shared storage worklet", is: dead, script: `try{await sharedStorage.createWorklet('H/ss.js',{dataOrigin:'script-origin'})}catch(e){throw e}`},
	{name: "eventsource", is: live, script: `new EventSource('H/es')`},
	{name: "websocket", is: live, script: `new WebSocket('H/ws'.replace('http','ws'))`},
	{name: "websocketstream", is: live, script: `new WebSocketStream('H/ws'.replace('http','ws')).opened.catch(()=>0)`},
	{name: "webtransport", is: off, script: `const w=new WebTransport('S/wt'); w.ready.catch(()=>0); w.closed.catch(()=>0)`},
	{name: "webtransport of a worker", is: off, script: "const u=URL.createObjectURL(new Blob([`const w=new WebTransport('S/wt'); w.ready.catch(()=>0); w.closed.catch(()=>0)`]));new Worker(u)"},
	{name: "webtransport of a service worker", is: off, sw: "const w=new WebTransport('S/wt'); w.ready.catch(()=>0); w.closed.catch(()=>0)", script: `if ((await navigator.serviceWorker.getRegistrations()).length) await navigator.serviceWorker.ready`},
	{name: "webrtc turn tcp", is: off, script: `const p=new RTCPeerConnection({iceServers:[{urls:'turn:NAME:PORT?transport=tcp',username:'u',credential:'p'}]});p.createDataChannel('x');await p.setLocalDescription(await p.createOffer())`},
	{name: "webrtc stun udp", is: off, script: `const p=new RTCPeerConnection({iceServers:[{urls:'stun:NAME:PORT'}]});p.createDataChannel('x');await p.setLocalDescription(await p.createOffer())`},
	{name: "webrtc candidate", is: off, script: `const p=new RTCPeerConnection(),q=new RTCPeerConnection();p.createDataChannel('x');await p.setLocalDescription(await p.createOffer());await q.setRemoteDescription(p.localDescription);await q.setLocalDescription(await q.createAnswer());await p.setRemoteDescription(q.localDescription);for(const typ of ['udp 2122260223 127.0.0.1 PORT typ host','tcp 1518280447 127.0.0.1 PORT typ host tcptype passive'])await p.addIceCandidate({candidate:'candidate:1 1 '+typ,sdpMid:'0'})`},
	{name: "payment manifest", is: off, in: "full", script: `const r=new PaymentRequest([{supportedMethods:'S/pay'}],{total:{label:'x',amount:{currency:'USD',value:'1'}}}); await r.canMakePayment(); await r.hasEnrolledInstrument?.().catch(()=>0)`},
	{name: "fedcm", is: off, script: `navigator.credentials.get({identity:{providers:[{configURL:'S/fedcm.json',clientId:'1'}]}}).catch((e)=>window.err=String(e))`},
	{name: "attribution", is: dead, html: `<img attributionsrc="H/attr" src="/x.png">`},
	{name: "attribution https", is: dead, html: `<img attributionsrc="S/attr" src="/x.png"><a id=a href="/done" attributionsrc="S/attr2">x</a>`},
	{name: "sxg", is: dead, script: `const f=document.createElement('iframe');f.src='/sxg?S/fallback';document.body.append(f)`},
	{name: "fenced frame", is: dead, script: `const f=document.createElement('fencedframe');f.config=new FencedFrameConfig('S/ff');document.body.append(f)`},
	{name: "video", is: live, html: `<video src="H/v.mp4" preload=auto autoplay muted></video>`},
	{name: "track", is: dead, html: `<video src="/v.mp4"><track default src="H/t.vtt"></video>`},
	{name: "svg image", is: live, html: `<svg><image href="H/i.png"/></svg>`},
	{name: "svg use", is: dead, html: `<svg><use href="H/i.svg#x"/></svg>`},
	{name: "svg filter", is: dead, html: `<div style="filter:url(H/f.svg#x)">x</div>`},
	{name: "css font", is: live, html: `<style>@font-face{font-family:x;src:url(H/f.woff)}b{font-family:x}</style><b>x</b>`},
	{name: "css import", is: live, html: `<style>@import url(H/f.css)</style>`},
	{name: "xslt", is: dead, script: `const f=document.createElement('iframe');f.src='/xslt?H/x.xsl';document.body.append(f)`},
	{name: "object", is: live, html: `<object data="H/o"></object>`},
	{name: "embed", is: live, in: "full", html: `<embed src="H/o.pdf">`},
	{name: "source map", is: dead, html: `<script>1//# sourceMappingURL=H/map.json</script>`},
	{name: "open search", is: dead, html: `<link rel=search type="application/opensearchdescription+xml" href="H/os.xml">`},
	{name: "touch icon", is: dead, html: `<link rel=apple-touch-icon href="H/ti.png">`},
	{name: "view-source", is: dead, script: `location.href='view-source:H/vs'`},
	{name: "meta refresh", is: live, html: `<meta http-equiv=refresh content="0;url=H/mr">`},
	{name: "popup", is: live, script: `open('H/pop')`},
	{name: "popup noopener", is: live, script: `open('H/pop','_blank','noopener')`},
	{name: "download attr", is: live, html: `<a id=a href="/to?H/dl" download>x</a>`, script: `a.click()`},
	{name: "download cross", is: live, html: `<a id=a href="H/dl" download>x</a>`, script: `a.click()`},
	{name: "compression dictionary", is: dead, html: `<link rel=compression-dictionary href="H/dict">`},
	{name: "protected audience", is: dead, script: `await navigator.joinAdInterestGroup({owner:'SO',name:'x',biddingLogicURL:'S/b.js',lifetimeMs:1e6,ads:[]},1e3); await navigator.runAdAuction({seller:'SO',decisionLogicURL:'S/d.js',interestGroupBuyers:['SO']}).catch(()=>0)`},
	{name: "hover link", is: dead, html: `<a id=a href="H/hover" style="position:fixed;inset:0">x</a>`, hover: true},
	{name: "topics", is: live, script: `await fetch('H/t',{browsingTopics:true,mode:'no-cors'}).catch(()=>0)`},
	{name: "private token", is: dead, script: `await fetch('S/pt',{privateToken:{version:1,operation:'token-request'}}).catch(()=>0)`},
	{name: "cors preflight", is: live, script: `await fetch('H/pf',{method:'PUT'}).catch(()=>0)`},
	{name: "notification icon", is: dead, script: `await Notification.requestPermission(); new Notification('x',{icon:'H/ni.png'})`},
	{name: "import map", is: live, script: `await import('H/m.js').catch(()=>0)`},
	{name: "preconnect in frame", is: dead, html: `<iframe srcdoc="<link rel=preconnect href='H'>"></iframe>`},
}

// popUp opens the pop-up of a way and waits for its script.
const popUp = `const w=open('/pop');await new Promise(r=>onmessage=r);`

// fill inserts a host into a text of a way.
func (c *canary) fill(text, host string) string {
	at := host + ":" + c.port
	var pairs []string
	for _, before := range []string{"'", "\"", "<", "?", "(", "=", " ", ":"} {
		for _, after := range []string{"'", "\"", ">", "/", ""} {
			if after == "" && before != "?" {
				continue
			}
			pairs = append(pairs, before+"SO"+after, before+"https://"+at+after,
				before+"H"+after, before+"http://"+at+after, before+"S"+after, before+"https://"+at+after)
		}
	}
	return strings.NewReplacer(append(pairs, "NAME", host, "PORT", c.port)...).Replace(text)
}

// serve serves the page of a way that leads to a host, and returns its address.
func (w way) serve(t *testing.T, c *canary, host string) string {
	head, html, sw := c.fill(w.head, host), c.fill(w.html, host), c.fill(w.sw, host)
	if !strings.Contains(sw, "onactivate") {
		sw = "onactivate = (e) => e.waitUntil(clients.claim());" + sw
	}
	texts := map[string]string{
		"/sw.js": "text/javascript oninstall = () => skipWaiting();" + sw, "/swimport.js": "text/javascript importScripts('QUERY')",
		"/xslt":  `text/xml <?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="QUERY"?><a/>`,
		"/rules": `application/speculationrules+json {"prefetch":[{"source":"list","urls":["QUERY/sp"],"eagerness":"immediate"}]}`,
		"/done":  "text/html <!doctype html>done",
		"/pop":   "text/html <!doctype html><script>" + c.fill(w.pop, host) + ";opener.postMessage(1,'*')</script>",
	}
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		text, found := texts[r.URL.Path]
		switch {
		case strings.HasPrefix(r.URL.Path, "/to"):
			status, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/to"))
			http.Redirect(rw, r, r.URL.RawQuery, cmp.Or(status, http.StatusFound))
			return
		case r.URL.Path == "/":
			for line := range strings.Lines(head) {
				line, early := strings.CutPrefix(strings.TrimSpace(line), "103: ")
				name, value, _ := strings.Cut(line, ": ")
				rw.Header().Set(name, value)
				if early {
					rw.WriteHeader(http.StatusEarlyHints)
					rw.Header().Del(name)
				}
			}
			text = "text/html <!doctype html><title>t</title><body>" + html
		case !found:
			http.NotFound(rw, r)
			return
		}
		kind, text, _ := strings.Cut(text, " ")
		rw.Header().Set("Content-Type", kind)
		fmt.Fprint(rw, strings.ReplaceAll(text, "QUERY", r.URL.RawQuery))
	}))
	if all := w.head + w.html + w.script + w.pop; strings.Contains(all, "S/") || strings.Contains(all, "'SO'") {
		srv.StartTLS()
	} else {
		srv.Start()
	}
	t.Cleanup(func() { srv.CloseClientConnections(); srv.Close() })
	return strings.Replace(srv.URL, "127.0.0.1", "page.localhost", 1) + "/" + c.fill(w.path, host)
}

// try runs a way to a host, in a tab that stays open until the test ends. It returns the error of
// opening the page.
func (w way) try(t *testing.T, b *chrome.Browser, c *canary, host string) error {
	t.Helper()
	ctx := testContext(t)
	p, err := openPage(ctx, b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close(testContext(t)) })
	// The rest may be refused, or fail in a browser without the feature: only the
	// canary says whether the host was reached.
	_, opened := p.Open(ctx, w.serve(t, c, host), driver.Load)
	if w.sw != "" {
		_, _ = p.Eval(ctx, "await navigator.serviceWorker.register('/sw.js')", nil)
	}
	if w.script != "" {
		_, _ = p.Eval(ctx, c.fill(w.script, host)+"\n;return 1", nil)
	}
	if w.hover {
		_, _ = p.Hover(ctx, css("#a"), driver.PressOptions{})
	}
	_, _ = p.Eval(ctx, "await fetch('/done'); return 1", nil)
	if w.shut {
		_ = p.Close(ctx)
	}
	return opened
}

// No way reaches a denied host, not even with a connection. Each way works: it reaches another
// host, or did so before the rule.
func TestWaysOut(t *testing.T) {
	made := httptest.NewTLSServer(nil)
	cert := made.TLS.Certificates[0]
	made.Close()
	for _, build := range []struct {
		name, path string
		every      int
	}{{"shell", "", 30}, {"full", "chromium", 60}} {
		t.Run(build.name, func(t *testing.T) {
			o := startup.Options{Path: build.path, IgnoreHTTPSErrors: true, MaxTabs: 500, Guard: true}
			b, _ := launch(t, o)
			if err := b.Restrict(testContext(t), denying("denied.localhost")); err != nil {
				t.Fatal(err)
			}
			// Flags that a browser of ours is started without.
			o.Guard, o.Args = false, []string{"--enable-features=BackgroundFetch,DeviceBoundSessions,FedCm,NetworkErrorLogging,Prerender2,Prerender2FallbackPrefetchSpecRules,Reporting,WebPayments", "--disable-features=PrefetchSchedulerTesting"}
			free, _ := launch(t, o)
			t.Run("all", func(t *testing.T) {
				// With -short, each build tries a sixth of the ways that only it has, and a few of
				// the others.
				i, own := 0, 0
				for _, w := range testkit.Rows(t, "ways out", ways, func(w way) bool {
					if i++; w.in == build.name {
						own++
						return own%6 == 1
					}
					return i%build.every == 0
				}) {
					t.Run(w.name, func(t *testing.T) {
						t.Parallel()
						denied, control := newCanary(t, cert), newCanary(t, cert)
						_ = w.try(t, b, denied, "denied.localhost")
						other := b
						if w.is != live {
							other = free
						}
						_ = w.try(t, other, control, "allowed.localhost")
						if w.is != dead && w.is != race && (w.in == "" || w.in == build.name) {
							eventually(t, "the way to an allowed host", func() bool { return control.hits.Load() > 0 })
						}
						if n := denied.hits.Load(); n > 0 {
							t.Errorf("a host that is denied was reached %d times", n)
						}
					})
				}
			})
		})
	}
}

// A link that a page asks to prefetch, which is not done, opens like any other address.
func TestPrefetchedLink(t *testing.T) {
	ctx, p := show(t, `<a href="/?next">Next</a>
		<script type=speculationrules>{"prefetch":[{"source":"list","urls":["/?next"],"eagerness":"immediate"}],"prerender":[{"source":"list","urls":["/?next"],"eagerness":"immediate"}]}</script>`)
	if _, err := p.Press(ctx, css("a"), driver.PressOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the page behind the link", func() bool { return strings.HasSuffix(p.Moves.Address(), "/?next") })
}
