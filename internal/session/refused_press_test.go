package session_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

// The HTML of a row, a menu item, a tab and a notification. %s is the element to press.
const (
	pressRow    = `<table><tr><th>No<th>State<th></tr><tr><td>A-1<td>open<td>%[1]s<tr><td>A-2<td>open<td>%[1]s</table>`
	pressItem   = `<button id=b aria-haspopup=menu aria-expanded=false aria-controls=m>Actions</button><div role=menu id=m hidden>%s</div><script>b.onclick=()=>{m.hidden=!m.hidden;b.ariaExpanded=String(!m.hidden)}</script>`
	pressMenu   = `<div role=menu>%s</div>`
	pressTab    = `<div role=tablist><a role=tab aria-selected=true href="/">General</a>%s</div><p>x</p>`
	pressNotice = `<div role=alert class=notification id=n><b>Export ready</b> %s</div>`
)

const signsIn = `<h1>Sign in</h1><form><label>Email<input name=u></label><label>Password<input type=password></label><button>Sign in</button></form>`

// tabPage is the page that a tab loads.
const tabPage = `<div role=tablist><a role=tab aria-selected=false href="/">General</a><a role=tab aria-selected=true href="#">Go</a></div>`

// onPress returns a click handler that runs script and closes the menu.
func onPress(script string) string {
	return `onclick="` + script + `;const m=document.querySelector('[role=menu]');if(m)m.hidden=true"`
}

var pressesThatLead = []struct{ where, what, fails string }{
	{pressRow, `<form action=/go/login method=post><button>Go</button></form>`, "asks for a sign-in"},
	{pressRow, `<a href=/status/403>Go</a>`, "answered with 403"},
	{pressRow, `<a href=/status/500 target=_blank>Go</a>`, "answered with 500"},
	{pressRow, `<button onclick="fetch('/status/204',{method:'DELETE'}).then(()=>{location='/login'})">Go</button>`, "asks for a sign-in"},
	{pressRow, `<button onclick="fetch('/status/401').then(()=>{document.body.innerHTML='` + strings.ReplaceAll(signsIn, "<", "\\x3c") + `'})">Go</button>`, "asks for a sign-in"},
	{pressItem, `<a role=menuitem href=/go/login>Go</a>`, "asks for a sign-in"},
	{pressItem, `<a role=menuitem href=/status/403>Go</a>`, "answered with 403"},
	{pressItem, `<form action=/status/500 method=post><button role=menuitem>Go</button></form>`, "HTTP 500"},
	{pressItem, `<button role=menuitem ` + onPress(`fetch('/status/403',{method:'DELETE'})`) + `>Go</button>`, "the server refused DELETE"},
	{pressItem, `<button role=menuitem ` + onPress(`fetch('/status/409',{method:'PATCH'})`) + `>Go</button>`, "the server refused PATCH"},
	{pressMenu, `<a role=menuitem href=/status/404>Go</a>`, "answered with 404"},
	{pressMenu, `<a role=menuitem href=/login>Go</a>`, "asks for a sign-in"},
	{pressTab, `<a role=tab aria-selected=false href=/tab/403>Go</a>`, "answered with 403"},
	{pressTab, `<a role=tab aria-selected=false href=/login>Go</a>`, "asks for a sign-in"},
	{pressNotice, `<button class=close aria-label=Close onclick="n.remove();fetch('/status/500',{method:'POST'})">×</button>`, "the server refused POST"},
	{pressNotice, `<button class=close aria-label=Close onclick="location='/login'">×</button>`, "asks for a sign-in"},

	{pressRow, `<a href=/status/200>Go</a>`, ""},
	{pressRow, `<form action=/go/ method=post><button>Go</button></form>`, ""},
	{pressRow, `<button onclick="fetch('/status/404');this.textContent='Done'">Go</button>`, ""},
	{pressRow, `<button onclick="fetch('/collect',{method:'POST'});this.textContent='Done'">Go</button>`, ""},
	{pressRow, `<button onclick="fetch('/once',{method:'POST'}).then(()=>fetch('/refresh',{method:'POST'})).then(()=>fetch('/once',{method:'POST'}))">Go</button>`, ""},
	{pressItem, `<a role=menuitem href=/status/200>Go</a>`, ""},
	{pressItem, `<button role=menuitem ` + onPress(`fetch('/status/204',{method:'POST'})`) + `>Go</button>`, ""},
	{pressItem, `<a role=menuitem href=/users/new>Go</a>`, ""},
	{pressMenu, `<a role=menuitem href=/status/200>Go</a>`, ""},
	{pressMenu, `<a role=menuitem href=#part>Go</a>`, ""},
	{pressTab, `<a role=tab aria-selected=false href=/tab/200>Go</a>`, ""},
	{pressNotice, `<button class=close aria-label=Close onclick="n.remove()">×</button>`, ""},
	{`<header>` + signsIn + `</header>` + pressMenu, `<a role=menuitem href=/header>Go</a>`, ""},
}

// TestPressesThatLeadAway tests presses that lead to a sign-in or an error page, or whose request
// the server refuses.
func TestPressesThatLeadAway(t *testing.T) {
	t.Parallel()
	page := func(w http.ResponseWriter, html string) { fmt.Fprintf(w, "<!doctype html><title>t</title>%s", html) }
	once := false
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		var status int
		switch path := r.URL.Path; {
		case path == "/login":
			page(w, signsIn)
		case path == "/header":
			page(w, `<header>`+signsIn+`</header><h2>Orders</h2>`)
		case path == "/users/new":
			page(w, `<h1>New user</h1><form><label>Name<input></label><label>Password<input type=password></label><button>Create user</button></form>`)
		case path == "/go/login", path == "/go/":
			http.Redirect(w, r, strings.TrimPrefix(path, "/go"), http.StatusSeeOther)
		case path == "/collect", path == "/once" && !once:
			once = once || path == "/once"
			w.WriteHeader(http.StatusUnauthorized)
		case strings.HasPrefix(path, "/status/") || strings.HasPrefix(path, "/tab/"):
			fmt.Sscan(path[strings.LastIndex(path, "/")+1:], &status)
			w.WriteHeader(status)
			page(w, `<h1>That page</h1>`)
			if strings.HasPrefix(path, "/tab/") {
				page(w, tabPage)
			}
		default:
			var i int
			fmt.Sscan(r.URL.Query().Get("i"), &i)
			page(w, `<h1>Orders</h1>`+fmt.Sprintf(pressesThatLead[i].where, pressesThatLead[i].what))
		}
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	rows := make([]int, len(pressesThatLead))
	for i := range rows {
		rows[i] = i
	}
	for _, i := range testkit.Some(t, "presses", 12, rows) {
		tt := pressesThatLead[i]
		t.Run(tt.what, func(t *testing.T) {
			b.open(t, fmt.Sprint(base, "/?i=", i))
			action, params := "components:menu:select", object{"path": []any{"Go"}}
			switch tt.where {
			case pressRow:
				action, params = "components:table:row-action", object{"row": "A-2", "text": "Go"}
			case pressItem:
				action, params = "components:dropdown:choose", object{"text": "Actions", "option": "Go"}
			case pressTab:
				action, params = "components:tabs:switch", object{"text": "Go"}
			case pressNotice:
				action, params = "components:notification:close", nil
			}
			r := b.run(t, action, params)
			if tt.fails != "" {
				wantError(t, r, diag.StepFailed, tt.fails)
			} else {
				data(t, r)
			}
		})
	}
	t.Run("by its own name", func(t *testing.T) {
		for _, name := range []string{"Sign out", "Log in", "Anmelden", "退出登录"} {
			b.open(t, base+"/?i=0")
			b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": "document.body.innerHTML='<div role=menu><a role=menuitem href=/login>" + name + "</a></div>'"}, Cwd: b.cwd})
			data(t, b.run(t, "components:menu:select", object{"path": []any{name}}))
		}
	})
}
