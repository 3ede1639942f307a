package session_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// chains are the scripts with which a page stores something. Each ends with a request, usually after
// another request. The address of the last request replaces %s. failed is a part of the expected
// error.
var chains = []struct{ name, script, to, failed string }{
	{"a cookie first", `await fetch('/wait/100'); await fetch('%s', {method: 'POST'})`, "/status/403", "/status/403: HTTP 403"},
	{"one that is there at once", `await fetch('/wait/0'); await fetch('%s', {method: 'PUT'})`, "/status/409", "/status/409: HTTP 409"},
	{"one that takes its time", `await fetch('/wait/800'); await fetch('%s', {method: 'POST'})`, "/status/500", "/status/500: HTTP 500"},
	{"only the head", `await fetch('/wait/300', {method: 'HEAD'}); await fetch('%s', {method: 'DELETE'})`, "/status/403", "/status/403: HTTP 403"},
	{"one that takes longer", `await fetch('/wait/1700'); await fetch('%s', {method: 'POST'})`, "/status/500", "/status/500: HTTP 500"},
	{"two of them", `await fetch('/wait/150'); await fetch('/wait/200'); await fetch('%s', {method: 'PATCH'})`, "/status/403", "/status/403: HTTP 403"},
	{"one whose data is read", `const r = await (await fetch('/wait/50')).json(); await fetch('%s', {method: 'POST', body: r.token})`, "/status/419", "/status/419: HTTP 419"},
	{"one of the older kind", `const x = new XMLHttpRequest; x.open('GET', '/wait/120'); x.onload = () => fetch('%s', {method: 'POST'}); x.send()`, "/status/403", "/status/403: HTTP 403"},
	{"one that is refused", `await fetch('/status/401'); await fetch('/wait/60'); await fetch('%s', {method: 'POST'})`, "/status/403", "/status/403: HTTP 403"},

	{"taken", `await fetch('/wait/100'); await fetch('%s', {method: 'POST'})`, "/status/200", ""},
	{"taken after a while", `await fetch('/wait/600'); await fetch('%s', {method: 'POST'})`, "/wait/400", ""},
	{"taken the second time", `await fetch('/wait/50'); await fetch('%[1]s', {method: 'POST'}); await fetch('/wait/50'); await fetch('%[1]s', {method: 'POST'})`, "/once", ""},
	{"nothing stored", `await fetch('/status/404'); await fetch('%s')`, "/wait/50", ""},
	{"only reported", `await fetch('/wait/50'); await fetch('%s', {method: 'POST'})`, "/collect", ""},
}

// TestControlsThatSendAfterAnAnswer tests controls and presses that store something only after the
// answer to another request, such as one for a token. The server refuses to store it.
func TestControlsThatSendAfterAnAnswer(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/wait/{ms}", func(w http.ResponseWriter, r *http.Request) {
		var ms int
		fmt.Sscan(r.PathValue("ms"), &ms)
		time.Sleep(time.Duration(ms) * time.Millisecond)
		fmt.Fprint(w, `{"token": "t"}`)
	})
	mux.HandleFunc("/status/{code}", func(w http.ResponseWriter, r *http.Request) {
		var status int
		fmt.Sscan(r.PathValue("code"), &status)
		w.WriteHeader(status)
	})
	mux.HandleFunc("/collect", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusForbidden) })
	mux.HandleFunc("/once", func(w http.ResponseWriter, r *http.Request) {
		cookie := &http.Cookie{Name: "again", Value: r.Referer()}
		if c, err := r.Cookie("again"); err == nil && c.Value == r.Referer() {
			return
		}
		http.SetCookie(w, cookie)
		w.WriteHeader(http.StatusUnauthorized)
	})
	uses := []struct {
		html, on, action string
		params           object
	}{
		{`<table><tr><th>Name<th>Do</tr><tr><td>Ann<td><button>Archive</button><tr><td>Bob<td><button id=e>Archive</button></table>`, "e.onclick", "table:row-action", object{"row": "Bob", "text": "Archive"}},
		{`<label><input type=checkbox role=switch id=e> Alerts</label>`, "e.onchange", "switch:set", object{"label": "Alerts"}},
		{`<label><input type=checkbox id=e> Alerts</label>`, "e.onchange", "checkbox:set", object{"label": "Alerts"}},
		{`<label>State <select id=e><option>Open<option>Paid</select></label>`, "e.onchange", "select:choose", object{"label": "State", "option": "Paid"}},
		{`<button aria-haspopup=menu aria-expanded=false aria-controls=m onclick="m.hidden=!m.hidden">More</button><div id=m role=menu hidden><div role=menuitem tabindex=-1 id=e>Export</div></div>`,
			"m.addEventListener('click', () => { m.hidden = true }); e.onclick", "dropdown:choose", object{"text": "More", "option": "Export"}},
		{`<div role=menu><div role=menuitem tabindex=-1 id=e>Sync</div></div>`, "e.onclick", "menu:select", object{"path": []any{"Sync"}}},
		{`<fieldset><legend>Plan</legend><label><input type=radio name=p id=e> Large</label><label><input type=radio name=p> Small</label></fieldset>`, "e.onchange", "radio:choose", object{"label": "Plan", "option": "Large"}},
		{`<label>Title <input id=e></label>`, "e.onchange = e.oninput", "input:fill", object{"label": "Title", "value": "New"}},
		{`<label>Due <input type=date id=e></label>`, "e.onchange", "date:pick", object{"label": "Due", "value": "2026-12-05"}},
		{`<label>Volume <input type=range id=e></label>`, "e.onchange", "field:set", object{"label": "Volume", "value": "70"}},
		{`<div role=alert class=notification id=n><b>Export ready</b> <button class=close aria-label=Close id=e>×</button></div>`, "n.addEventListener('click', () => { n.remove() }); e.onclick", "notification:close", nil},
		{`<div role=dialog aria-modal=true id=d aria-labelledby=h><h2 id=h>Delete Bob?</h2><button>Cancel</button><button id=e>Delete</button></div>`, "d.addEventListener('click', () => { d.remove() }); e.onclick", "dialog:confirm", nil},
	}
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		var use, chain int
		fmt.Sscan(r.URL.Query().Get("i"), &use, &chain)
		fmt.Fprintf(w, "<!doctype html><h1>Users</h1>%s<script>%s = async () => { %s }</script>", uses[use].html, uses[use].on, fmt.Sprintf(chains[chain].script, chains[chain].to))
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	type row struct{ use, chain int }
	var rows []row
	for i := range uses {
		for j := range chains {
			rows = append(rows, row{i, j})
		}
	}
	for _, i := range testkit.Some(t, "chains", 38, rows) {
		use, chain := uses[i.use], chains[i.chain]
		t.Run(use.action+"/"+chain.name, func(t *testing.T) {
			t.Parallel()
			b := b.beside(t)
			b.open(t, strings.ReplaceAll(fmt.Sprintf("%s/?i=%d %d", base, i.use, i.chain), " ", "%20"))
			r := b.run(t, "components:"+use.action, use.params)
			if chain.failed != "" {
				wantError(t, r, diag.StepFailed, chain.failed)
			} else if r.Error != nil {
				t.Error(describe(r.Error))
			}
		})
	}
}
