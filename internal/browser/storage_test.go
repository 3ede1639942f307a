package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/chrome"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

// fillStorage writes one item of every kind; tellStorage reads them back as text.
const fillStorage = `
localStorage.setItem('theme', 'dark'); localStorage.setItem('odd ${x}', 'two\nlines 漢字'); sessionStorage.setItem('step', '3');
const open = (name, version, up) => new Promise((done, fail) => {
	const r = indexedDB.open(name, version);
	r.onupgradeneeded = () => up(r.result); r.onsuccess = () => done(r.result); r.onerror = () => fail(r.error);
});
const ended = (tx) => new Promise((done) => { tx.oncomplete = done; });
let db = await open('plain', 3, (db) => {
	db.createObjectStore('users', { keyPath: 'id' }).createIndex('byName', ['last', 'first'], { unique: true });
	db.createObjectStore('log', { autoIncrement: true }).createIndex('tags', 'tags', { multiEntry: true });
	db.createObjectStore('empty');
});
let tx = db.transaction(['users', 'log'], 'readwrite');
tx.objectStore('users').put({ id: 7, last: 'Byron', first: 'Ada', deep: [1, { a: null, b: true }], __proto__x: 1 });
tx.objectStore('log').put({ text: 'first', tags: ['a', 'b'] }); tx.objectStore('log').put('second');
await ended(tx); db.close();
db = await open('odd', 1, (db) => db.createObjectStore('all'));
tx = db.transaction('all', 'readwrite');
const s = tx.objectStore('all'), shared = { n: 1 }, loop = { name: 'loop' };
loop.self = loop;
s.put(new Date(86400000), 'date'); s.put(new Date(NaN), 'nodate'); s.put(new Map([['k', new Set([1, 'two'])]]), 'map'); s.put(/a+/gi, 'regexp');
s.put(123456789012345678901234567890n, 'bigint'); s.put(undefined, 'undefined'); s.put(-0, 'zero'); s.put([NaN, Infinity, -Infinity], 'numbers');
s.put(new Uint8Array([1, 2, 255]).buffer, 'buffer'); s.put(new Float32Array([1.5, -2]), 'floats'); s.put(new DataView(new ArrayBuffer(3)), 'view');
s.put(new Blob(['héllo'], { type: 'text/plain' }), 'blob'); s.put(new File(['x'], 'a.txt', { type: 'text/plain', lastModified: 5 }), 'file');
s.put([shared, shared], 'shared'); s.put(loop, 'loop'); s.put(new TypeError('bad'), 'error'); s.put(null, 'null'); s.put('by date', new Date(5)); s.put('by bytes', new Uint8Array([9]));
await ended(tx); db.close();
return 'filled'`

const tellStorage = `
const open = (name) => new Promise((done, fail) => { const r = indexedDB.open(name); r.onsuccess = () => done(r.result); r.onerror = () => fail(r.error); });
const wait = (r) => new Promise((done, fail) => { r.onsuccess = () => done(r.result); r.onerror = () => fail(r.error); });
const show = async (v) => {
	if (v instanceof Date) return 'Date ' + v.getTime();
	if (v instanceof Map) return 'Map ' + JSON.stringify(await Promise.all([...v].map(async ([k, x]) => [k, await show(x)])));
	if (v instanceof Set) return 'Set ' + [...v].join();
	if (v instanceof File) return 'File ' + v.name + ' ' + v.type + ' ' + v.lastModified + ' ' + await v.text();
	if (v instanceof Blob) return 'Blob ' + v.type + ' ' + await v.text();
	if (v instanceof ArrayBuffer) return 'ArrayBuffer ' + new Uint8Array(v);
	if (ArrayBuffer.isView(v)) return v.constructor.name + ' ' + (v instanceof DataView ? v.byteLength : v);
	if (v instanceof Error) return v.name + ': ' + v.message;
	if (Array.isArray(v)) return v[0] === v[1] && typeof v[0] === 'object' ? 'shared ' + v[0].n : '[' + v + ']';
	if (v && v.self === v) return 'a loop ' + v.name;
	return v === undefined || typeof v === 'bigint' || v instanceof RegExp ? String(v) : Object.is(v, -0) ? '-0' : JSON.stringify(v);
};
const out = Object.keys(localStorage).sort().map((k) => k + '=' + localStorage.getItem(k));
for (const { name, version } of (await indexedDB.databases()).sort((a, b) => (a.name < b.name ? -1 : 1))) {
	const db = await open(name);
	for (const n of db.objectStoreNames) {
		const s = db.transaction(n).objectStore(n);
		out.push([name, version, n, JSON.stringify(s.keyPath), s.autoIncrement, ...[...s.indexNames].map((i) => s.index(i)).map((i) => [i.name, i.keyPath, i.unique, i.multiEntry])].join(' '));
		const keys = await wait(s.getAllKeys()), values = await wait(s.getAll());
		for (let i = 0; i < keys.length; i++) out.push('  ' + await show(keys[i]) + ': ' + await show(values[i]));
	}
	db.close();
}
return out.join('\n')`

// keep serves an empty page and counts its requests.
func keep(t *testing.T, asked *atomic.Int64) string {
	return serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/favicon.ico" {
			asked.Add(1)
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><script>window.seen = sessionStorage.getItem('step')</script>")
	}))
}

func exported(t *testing.T, ctx context.Context, b *chrome.Browser, origins ...string) *driver.State {
	t.Helper()
	state, left, err := b.ExportState(ctx, origins)
	if err != nil || len(left) > 0 {
		t.Fatalf("export: %v, left out %v", err, left)
	}
	return state
}

func TestStateGoesToAnotherWindow(t *testing.T) {
	testkit.Long(t)
	var asked atomic.Int64
	base := keep(t, &asked)
	ctx, b, p := ownDialogs(t, nil, "")
	if _, err := p.Open(ctx, base+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	evaluate(t, ctx, p, fillStorage)
	want := evaluate(t, ctx, p, tellStorage)
	if _, err := b.SetCookie(ctx, driver.CookieParam{URL: base, Cookie: driver.Cookie{Name: "sid", Value: "s3", HTTPOnly: true}}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Open(ctx, "about:blank", driver.Load); err != nil { // no frame shows it any more
		t.Fatal(err)
	}
	before := asked.Load()
	state := exported(t, ctx, b)
	data, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	read, err := driver.ParseState("state.json", data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.OpenWindow(ctx, driver.Size{}); err != nil {
		t.Fatal(err)
	}
	done, left, err := b.ImportState(ctx, read, false)
	if err != nil || len(left) > 0 || done.Cookies != 1 || done.Origins != 1 || done.Items != 2 || done.Databases != 2 || done.Records != 22 {
		t.Fatalf("import: %+v, left out %v, %v", done, left, err)
	}
	if n := asked.Load(); n != before {
		t.Errorf("the server was asked %d times by export and import", n-before)
	}
	if tabs, err := b.Tabs(ctx); err != nil || len(tabs) != 2 || b.State().Tabs != 2 {
		t.Errorf("tabs %v, %v", tabs, err)
	}
	if _, err := activePage(b).Open(ctx, base+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	if got := evaluate(t, ctx, activePage(b), tellStorage); got != want {
		t.Errorf("the other window has\n%v\nwant\n%v", got, want)
	}
	again, err := json.Marshal(exported(t, ctx, b))
	if err != nil || !bytes.Equal(again, data) {
		t.Errorf("exported again it is\n%s\nwant\n%s", again, data)
	}
	if list, more := b.TakeNews(), 0; len(list) != more {
		t.Errorf("news %v", list)
	}
}

func TestSessionStorageIsRestoredOnce(t *testing.T) {
	testkit.Long(t)
	var asked atomic.Int64
	base := keep(t, &asked)
	ctx, b, p := ownDialogs(t, nil, "")
	if _, err := p.Open(ctx, base+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	evaluate(t, ctx, p, "sessionStorage.setItem('step', '3')")
	state := exported(t, ctx, b)
	if _, err := b.OpenWindow(ctx, driver.Size{}); err != nil {
		t.Fatal(err)
	}
	p = activePage(b)
	done, _, err := b.ImportState(ctx, state, false)
	if err != nil || strings.Join(done.Pending, " ") != base {
		t.Fatalf("import: %+v, %v", done, err)
	}
	for _, page := range []string{"about:blank", base + "/a"} {
		if _, err := p.Open(ctx, page, driver.Load); err != nil {
			t.Fatal(err)
		}
	}
	if got := evaluate(t, ctx, p, "seen"); got != "3" {
		t.Errorf("the first script saw %v", got)
	}
	evaluate(t, ctx, p, "sessionStorage.setItem('step', '4')")
	if _, err := p.Reload(ctx, driver.Load); err != nil {
		t.Fatal(err)
	}
	if got := evaluate(t, ctx, p, "seen"); got != "4" {
		t.Errorf("after a reload the script saw %v", got)
	}
	done, _, err = b.ImportState(ctx, state, false)
	if got := evaluate(t, ctx, p, "sessionStorage.getItem('step')"); err != nil || len(done.Pending) > 0 || got != "3" {
		t.Errorf("import into the shown origin: %+v, %v, the page has %v", done, err, got)
	}
}

func TestImportClears(t *testing.T) {
	testkit.Long(t)
	var asked atomic.Int64
	base := keep(t, &asked)
	ctx, b, p := ownDialogs(t, nil, "")
	if _, err := p.Open(ctx, base+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	evaluate(t, ctx, p, fillStorage)
	evaluate(t, ctx, p, "document.cookie = 'a=b'")
	few := &driver.State{Cookies: []driver.StateCookie{
		{Name: "old", Value: "1", Domain: "127.0.0.1", Path: "/", Expires: 10},
		{Name: "new", Value: "1", Domain: "127.0.0.1", Path: "/", Expires: -1},
	}, Origins: []driver.StateOrigin{{Origin: base, LocalStorage: []driver.StateItem{{Name: "only", Value: "one"}}}}}
	done, left, err := b.ImportState(ctx, few, false)
	if err != nil || len(left) != 1 || !strings.Contains(left[0].Place, `"old" of 127.0.0.1`) || done.Cookies != 1 {
		t.Fatalf("import: %+v, %v, %v", done, left, err)
	}
	if got := fmt.Sprint(evaluate(t, ctx, p, tellStorage)); !strings.Contains(got, "theme=dark") || !strings.Contains(got, "only=one") {
		t.Errorf("without clear the page has\n%s", got)
	}
	if _, _, err := b.ImportState(ctx, few, true); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(evaluate(t, ctx, p, tellStorage), " ", cookieNames(t, b, driver.CookieFilter{})); got != "only=one new" {
		t.Errorf("with clear the page has\n%s", got)
	}
}

func TestImportRefusals(t *testing.T) {
	testkit.Long(t)
	var asked atomic.Int64
	base := keep(t, &asked)
	ctx, b, p := ownDialogs(t, nil, "")
	if _, err := p.Open(ctx, base+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	evaluate(t, ctx, p, fillStorage)
	with := func(database string) *driver.State {
		s, err := driver.ParseState("x", []byte(`{"origins":[{"origin":"`+base+`","indexedDB":[`+database+`]}]}`))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, tt := range []struct {
		name, database, says string
	}{
		{"an older version", `{"name":"plain","version":2,"stores":[]}`, "the database plain has the version 3, newer than 2 in the state"},
		{"a store that is not there", `{"name":"plain","version":3,"stores":[{"name":"more","records":[]}]}`, "has no store more"},
		{"an unknown form", `{"name":"x1","version":1,"stores":[{"name":"s","records":[{"key":1,"valueEncoded":{"zz":1}}]}]}`, "has the unknown form {zz}"},
		{"a record without its key", `{"name":"x2","version":1,"stores":[{"name":"s","keyPath":"id","records":[{"value":{"no":1}}]}]}`, "could not be written"},
	} {
		_, _, err := b.ImportState(ctx, with(tt.database), false)
		wantCode(t, err, diag.StepFailed, tt.says)
	}
	evaluate(t, ctx, p, "new Promise((done) => { indexedDB.open('plain').onsuccess = (e) => { window.held = e.target.result; done(1) } })")
	_, _, err := b.ImportState(ctx, with(`{"name":"plain","version":9,"stores":[]}`), false)
	wantCode(t, err, diag.StepFailed, "is open in a page")
	bad := &driver.State{Cookies: []driver.StateCookie{{Name: "__Host-x", Value: "1", Domain: "127.0.0.1", Path: "/", Expires: -1}}}
	_, _, err = b.ImportState(ctx, bad, false)
	wantCode(t, err, diag.StepFailed, "__Host-x", "needs secure")
}

// Items that cannot be exported are reported with their position, and the rest is exported.
func TestExportLeavesOut(t *testing.T) {
	testkit.Long(t)
	var asked atomic.Int64
	base := keep(t, &asked)
	ctx, b, p := ownDialogs(t, nil, "")
	if _, err := p.Open(ctx, base+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	evaluate(t, ctx, p, `
		const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 128 }, false, ['encrypt']);
		const db = await new Promise((done) => { const r = indexedDB.open('keys', 1); r.onupgradeneeded = () => r.result.createObjectStore('k'); r.onsuccess = () => done(r.result) });
		const tx = db.transaction('k', 'readwrite');
		tx.objectStore('k').put({ key }, 'secret'); tx.objectStore('k').put('plain', 'other');
		await new Promise((done) => { tx.oncomplete = done });
		db.close();
		return 1`)
	state, left, err := b.ExportState(ctx, nil)
	if err != nil || len(left) != 1 || left[0].Place != base+`: the record "secret" of keys/k` || !strings.Contains(left[0].Why, "CryptoKey") {
		t.Fatalf("left out %+v, %v", left, err)
	}
	if n := len(state.Origins[0].IndexedDB[0].Stores[0].Records); n != 1 {
		t.Errorf("%d records are exported, want the other one", n)
	}
	if state.Origins[0].Origin != base {
		t.Errorf("the origin is %s", state.Origins[0].Origin)
	}
}

// A service worker, a busy page and an open dialog do not disturb an export.
func TestExportBesideThePage(t *testing.T) {
	testkit.Long(t)
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sw.js" {
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, `addEventListener('install', () => skipWaiting()); addEventListener('activate', (e) => e.waitUntil(clients.claim()));
				addEventListener('fetch', (e) => e.respondWith(new Response('<script>localStorage.setItem("worker", "was here")</script>', { headers: { 'Content-Type': 'text/html' } })));`)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><button id=b onclick=\"confirm('sure?')\">x</button>")
	}))
	ctx, b, p := ownDialogs(t, leaveAll, "")
	if _, err := p.Open(ctx, base+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	evaluate(t, ctx, p, `localStorage.setItem('mine', '1'); navigator.serviceWorker.register('/sw.js'); await navigator.serviceWorker.ready;
		if (!navigator.serviceWorker.controller) await new Promise((done) => navigator.serviceWorker.oncontrollerchange = done); return 1`)
	mustPress(t, ctx, p, "#b")
	state, left, err := b.ExportState(ctx, nil)
	if err != nil || len(left) != 1 || left[0].Place != "the sessionStorage of "+p.Probe().ID {
		t.Fatalf("export: %v, left out %v", err, left)
	}
	if got := fmt.Sprint(state.Origins); got != fmt.Sprintf("[{%s [{mine 1}] [] []}]", base) {
		t.Errorf("exported %s", got)
	}
	answer(t, ctx, b, true)
}

func TestStorageItems(t *testing.T) {
	var asked atomic.Int64
	ctx, b, p := ownDialogs(t, nil, "")
	if _, err := p.Open(ctx, keep(t, &asked), driver.Load); err != nil {
		t.Fatal(err)
	}
	item := func(act, area, name, value string) string {
		t.Helper()
		a, err := b.StorageItem(ctx, driver.ItemRequest{Act: act, Area: area, Name: name, Value: value})
		if err != nil {
			t.Fatal(err)
		}
		if a.Value != nil {
			return *a.Value
		}
		return fmt.Sprint(a.Removed)
	}
	for _, area := range []string{"local", "session"} {
		item("set", area, "length", "a\n漢")
		item("set", area, "b", area)
		got := fmt.Sprint(item("get", area, "length", ""), item("get", area, "none", ""), item("remove", area, "b", ""), item("remove", area, "b", ""), item("clear", area, "", ""))
		if got != "a\n漢 0 1 0 1" && got != "a\n漢0101" {
			t.Errorf("%s: got %q", area, got)
		}
	}
	if _, err := p.Open(ctx, "about:blank", driver.Load); err != nil {
		t.Fatal(err)
	}
	_, err := b.StorageItem(ctx, driver.ItemRequest{Act: "get", Area: "local", Name: "x"})
	wantCode(t, err, diag.StepFailed, "the storage of the page")
}

func TestStateOfAnUnknownOrigin(t *testing.T) {
	testkit.Long(t)
	ctx, b, _ := ownDialogs(t, nil, "")
	state := &driver.State{Origins: []driver.StateOrigin{{Origin: "https://nowhere.example", LocalStorage: []driver.StateItem{{Name: "a", Value: "b"}}}}}
	if _, _, err := b.ImportState(ctx, state, false); err != nil {
		t.Fatal(err)
	}
	got := exported(t, ctx, b, "http://also.example:8080")
	if text := fmt.Sprint(got.Origins); text != "[{https://nowhere.example [{a b}] [] []}]" {
		t.Errorf("exported %s", text)
	}
}
