package browser

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

// settled waits, in a frame that is loaded, until the browser itself knows the document of the
// frame. Chromium 156 may lose a worker that a frame makes before that: its script is not
// requested, or the answer never arrives. That also happens without a client of its protocol (in
// one of some hundred frames on a busy machine).
const settled = "navigator.locks.request('settled', () => 0)"

// workerScripts make a worker of each kind; each returns what the worker has sent.
var workerScripts = []struct{ name, script string }{
	{"no worker", "return await job()"},
	{"no worker in a frame", `const f = document.createElement('iframe'); f.src = '/'; document.body.append(f); await new Promise((done) => f.onload = done); return await f.contentWindow.job()`},
	{"no worker in a frame elsewhere", `const f = document.createElement('iframe'); f.src = location.href.replace('//', '//a.') + 'plain'; document.body.append(f);
		return await new Promise((done) => onmessage = (e) => done(e.data))`},
	{"dedicated", "const w = new Worker('/worker.js'); return await new Promise((done) => w.onmessage = (e) => done(e.data))"},
	{"module", "const w = new Worker('/worker.js', {type: 'module'}); return await new Promise((done) => w.onmessage = (e) => done(e.data))"},
	{"nested", "const w = new Worker('/outer.js'); return await new Promise((done) => w.onmessage = (e) => done(e.data))"},
	{"of a frame", `const f = document.createElement('iframe'); f.src = '/'; document.body.append(f); await new Promise((done) => f.onload = done)
		await f.contentWindow.` + settled + `; const w = new f.contentWindow.Worker('/worker.js'); return await new Promise((done) => w.onmessage = (e) => done(e.data))`},
	{"of a frame elsewhere", `const f = document.createElement('iframe'); f.src = location.href.replace('//', '//a.') + 'framed'; document.body.append(f);
		return await new Promise((done) => onmessage = (e) => done(e.data))`},
	{"shared", "const w = new SharedWorker('/shared.js', String(Math.random())); return await new Promise((done) => w.port.onmessage = (e) => done(e.data))"},
	{"service", `await navigator.serviceWorker.register('/service.js')
		const ready = await navigator.serviceWorker.ready
		return await new Promise((done) => { navigator.serviceWorker.onmessage = (e) => done(e.data); ready.active.postMessage('') })`},
}

// workerSite serves a page and, for workerScripts, workers that send the result of the function
// job() in source.
func workerSite(t *testing.T, source string) string {
	mux := http.NewServeMux()
	serveText := func(path, kind, text string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			fmt.Fprint(w, text)
		})
	}
	script := func(path, text string) { serveText(path, "text/javascript", source+"\n"+text) }
	serveText("/", "text/html", "<!doctype html><title>t</title><body><script>"+source+"; window.job = job</script>")
	serveText("/plain", "text/html", "<!doctype html><script>"+source+"; job().then((s) => parent.postMessage(s, '*'))</script>")
	serveText("/framed", "text/html", "<!doctype html><script>onload = () => "+settled+
		".then(() => new Worker('/worker.js').onmessage = (e) => parent.postMessage(e.data, '*'))</script>")
	script("/worker.js", "job().then(postMessage)")
	script("/outer.js", "const w = new Worker('/worker.js'); w.onmessage = (e) => postMessage(e.data)")
	script("/shared.js", "onconnect = (e) => job().then((s) => e.ports[0].postMessage(s))")
	script("/service.js", "oninstall = () => skipWaiting(); onactivate = (e) => e.waitUntil(clients.claim()); onmessage = (e) => job().then((s) => e.source.postMessage(s))")
	return strings.Replace(serve(t, mux), "127.0.0.1", "localhost", 1) + "/"
}

// No part of a page waits for us for ever.
func TestWorkersRun(t *testing.T) {
	testkit.Long(t)
	url := workerSite(t, "const job = async () => 'done'")
	ctx, p := newPage(t)
	if _, err := p.Open(ctx, url, driver.Load); err != nil {
		t.Fatal(err)
	}
	for _, kind := range append(workerScripts, struct{ name, script string }{"audio", `const c = new OfflineAudioContext(1, 128, 44100)
		await c.audioWorklet.addModule('data:text/javascript,registerProcessor("x", class extends AudioWorkletProcessor { process() { return false } })')
		new AudioWorkletNode(c, 'x').connect(c.destination); await c.startRendering(); return 'done'`}) {
		if got, err := p.Eval(ctx, kind.script, nil); err != nil || got != "done" {
			t.Fatalf("%s: got %v, %v; want done", kind.name, got, err)
		}
	}
}

// Routes also apply to the requests of workers.
func TestRoutesOfWorkers(t *testing.T) {
	testkit.Long(t)
	b, p := ownBrowser(t)
	ctx := testContext(t)
	if _, err := b.AddRoute(ctx, driver.Route{Does: driver.RouteMock, URL: pattern(t, "/asked"), Status: 200, Body: []byte("mocked")}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Open(ctx, workerSite(t, "const job = () => fetch('/asked').then((r) => r.text())"), driver.Load); err != nil {
		t.Fatal(err)
	}
	for _, kind := range workerScripts {
		if got, err := p.Eval(ctx, kind.script, nil); err != nil || got != "mocked" {
			t.Errorf("%s: got %v, %v; want mocked", kind.name, got, err)
		}
	}
}

// Nothing is kept of workers that have ended, however they ended.
func TestWorkersAreForgotten(t *testing.T) {
	testkit.Long(t)
	b, p := ownBrowser(t)
	ctx := testContext(t)
	if err := b.Restrict(ctx, denying("elsewhere.test")); err != nil {
		t.Fatal(err)
	}
	url := workerSite(t, "const job = async () => 'done'")
	count := func() int { return b.Probe().Workers }
	for _, end := range []struct{ name, script, open string }{
		{"terminated", "all.forEach((w) => w.terminate()); 0", ""},
		{"with their document", "", url},
		{"with their process", "", strings.Replace(url, "localhost", "127.0.0.1", 1)},
		{"with their frame", "document.querySelector('iframe').remove(); 0", ""},
		{"with their tab", "", ""},
	} {
		if _, err := b.OpenTab(ctx); err != nil {
			t.Fatal(err)
		}
		q := activePage(b)
		if _, err := q.Open(ctx, url, driver.Load); err != nil {
			t.Fatal(err)
		}
		evaluate(t, ctx, q, `const f = document.createElement('iframe'); f.src = '/'; document.body.append(f); await new Promise((done) => f.onload = done); await f.contentWindow.`+settled+`
			const from = location.href && "`+end.name+`" === "with their frame" ? f.contentWindow : window
			window.all = Array.from({ length: 10 }, () => new from.Worker('/outer.js'))
			await Promise.all(all.map((w) => new Promise((done) => w.onmessage = done))); return 1`)
		if n := count(); n != 20 {
			t.Errorf("%s: there are %d workers, want 20", end.name, n)
		}
		if end.script != "" {
			evaluate(t, ctx, q, end.script)
		}
		if end.open != "" {
			if _, err := q.Open(ctx, end.open, driver.Load); err != nil {
				t.Fatal(err)
			}
		}
		if end.script == "" && end.open == "" {
			if err := b.CloseTab(ctx, ""); err != nil {
				t.Fatal(err)
			}
		}
		eventually(t, "the end of the workers "+end.name, func() bool { return count() == 0 })
		if err := b.SwitchTab(ctx, p.Probe().ID); err != nil {
			t.Fatal(err)
		}
	}
	evaluate(t, ctx, p, "0")
}
