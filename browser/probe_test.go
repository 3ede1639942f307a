package browser

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"actionregistry/diag"
	"actionregistry/steps"
)

func TestProbe(t *testing.T) {
	ln, _ := net.Listen("tcp", "127.0.0.1:0")
	defer ln.Close()
	var mu sync.Mutex
	var hit []string
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				r, err := http.ReadRequest(bufio.NewReader(c))
				mu.Lock()
				if err == nil {
					hit = append(hit, r.URL.Path+" "+r.Header.Get("Upgrade"))
				} else {
					hit = append(hit, "conn")
				}
				mu.Unlock()
				fmt.Fprint(c, "HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 2\r\n\r\nhi")
			}()
		}
	}()
	denied := "http://" + ln.Addr().String()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		js := func(s string) { w.Header().Set("Content-Type", "text/javascript"); fmt.Fprint(w, s) }
		switch r.URL.Path {
		case "/worker.js":
			js("fetch('" + denied + "/worker').then(()=>postMessage('got'),()=>postMessage('no'))")
		case "/shared.js":
			js("onconnect=(e)=>fetch('" + denied + "/shared').then(()=>e.ports[0].postMessage('got'),()=>e.ports[0].postMessage('no'))")
		case "/sw.js":
			js("oninstall=(e)=>{skipWaiting();e.waitUntil(fetch('" + denied + "/swinstall').catch(()=>{}))};onactivate=(e)=>e.waitUntil(clients.claim());onfetch=(e)=>{ if(e.request.url.endsWith('/viasw')) e.respondWith(fetch('" + denied + "/swfetch')) }")
		case "/go":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<title>go</title><a id=a href='"+denied+"/link'>x</a><link rel=prefetch href='"+denied+"/prefetch'><link rel=preconnect href='"+denied+"'>")
		case "/redir":
			http.Redirect(w, r, denied+"/redir", 302)
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<title>hi</title>")
		}
	}))
	defer srv.Close()
	b, p := ownBrowser(t)
	ctx := testContext(t)
	refused := diag.New(diag.PolicyDenied, "the host is denied").WithHint("ask")
	b.Restrict(ctx, func(a string) error {
		if strings.HasPrefix(a, denied) {
			return refused
		}
		return nil
	})
	show := func(what string) {
		time.Sleep(300 * time.Millisecond)
		mu.Lock()
		t.Logf("%s: hits %q refused %v", what, hit, b.TakeRefused())
		hit = nil
		mu.Unlock()
	}
	if _, err := p.Open(ctx, srv.URL+"/", steps.Load); err != nil {
		t.Fatal(err)
	}
	ev := func(what, s string) {
		v, err := p.Eval(ctx, s, map[string]any{"d": denied})
		t.Logf("%s -> %v %v", what, v, err)
		show(what)
	}
	ev("ws", "return await new Promise(r=>{const w=new WebSocket(d.replace('http','ws')+'/ws');w.onopen=()=>r('open');w.onerror=()=>r('error')})")
	ev("worker", "return await new Promise(r=>{const w=new Worker('/worker.js');w.onmessage=e=>r(e.data)})")
	ev("shared", "return await new Promise(r=>{const w=new SharedWorker('/shared.js');w.port.onmessage=e=>r(e.data)})")
	ev("beacon", "return navigator.sendBeacon(d+'/beacon')")
	ev("keepalive", "return await fetch(d+'/ka',{keepalive:true}).then(()=>1,()=>0)")
	ev("es", "return await new Promise(r=>{const w=new EventSource(d+'/es');w.onerror=()=>r('error')})")
	ev("css", "document.body.innerHTML='<div style=\"background:url('+d+'/bg)\">a</div><img src='+d+'/img><a ping='+d+'/ping href=#x id=p>x</a>';document.querySelector('#p').click()")
	ev("sw", "await navigator.serviceWorker.register('/sw.js');await navigator.serviceWorker.ready;return 'ready'")
	ev("viasw", "await new Promise(r=>setTimeout(r,200)); return await fetch('/viasw').then(r=>r.text(),e=>'fail '+e)")
	ev("popup", "window.open(d+'/popup');return 1")
	_, err := p.Open(ctx, srv.URL+"/redir", steps.Load)
	t.Logf("open redir: %v", err)
	show("redir")
	_, err = p.Open(ctx, srv.URL+"/go", steps.Load)
	t.Logf("open go: %v", err)
	show("go")
	pr, err := p.Press(ctx, css("#a"), steps.PressOptions{})
	t.Logf("press: %+v %v", pr, err)
	show("press")
	err = p.WaitLoad(ctx, steps.Load)
	t.Logf("waitload: %v", err)
	d, err := p.Document(ctx)
	t.Logf("doc: %+v %v", d, err)
	_, err = p.Open(ctx, "http://127.0.0.1:1/", steps.Load)
	t.Logf("open unsafe after: %v", err)
	ln2, _ := net.Listen("tcp", "127.0.0.1:0")
	ln2.Close()
	_, err = p.Open(ctx, "http://"+ln2.Addr().String()+"/", steps.Load)
	t.Logf("open refused after: %v", err)
}
