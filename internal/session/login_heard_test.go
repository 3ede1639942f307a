package session_test

// Tests of the request with which a page signs in. The server's answer decides, whatever the page
// shows.

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// TestLoginHeard tests pages that show a way to sign out immediately. The sign-in has succeeded
// only if the server has not refused its request. Other failed requests do not matter.
func TestLoginHeard(t *testing.T) {
	t.Parallel()
	const (
		post  = "const post=(u)=>fetch(u,{method:'POST',body:'{}'}).catch(()=>0);"
		shell = "document.body.innerHTML='<header><button>Sign out</button></header><h1>Dashboard</h1>';"
	)
	tests := []struct {
		name, script string
		fails        string // part of the error: the refused address or the status
	}{
		{"401", shell + "post('/401/api/login')", "/401/api/login: HTTP 401"},
		{"403", shell + "post('/403/api/session')", "HTTP 403"},
		{"400", shell + "post('/400/oauth/token')", "HTTP 400"},
		{"422", shell + "post('/422/signin')", "HTTP 422"},
		{"429", shell + "post('/429/auth/credentials')", "HTTP 429"},
		{"500", shell + "post('/500/users/sign_in')", "HTTP 500"},
		{"by another name", shell + "post('/401/api/l1')", "/401/api/l1: HTTP 401"},
		{"by XMLHttpRequest", shell + "const x=new XMLHttpRequest;x.open('POST','/401/api/l1');x.send()", "HTTP 401"},
		{"before the page is drawn", "post('/401/api/login').then(()=>{" + shell + "})", "HTTP 401"},
		{"with words of no refusal", shell + "post('/401/api/login').then(()=>document.body.insertAdjacentHTML('beforeend','<p>Hmm.</p>'))", "HTTP 401"},
		{"twice", shell + "post('/401/api/login').then(()=>post('/401/api/login'))", "HTTP 401"},
		{"after another one that was taken", shell + "post('/200/api/lookup').then(()=>post('/401/api/login'))", "/401/api/login: HTTP 401"},
		{"before another one that was taken", shell + "post('/401/api/login').then(()=>post('/200/api/events'))", "/401/api/login: HTTP 401"},
		{"behind a report of the press", shell + "post('/collect');post('/401/api/l1')", "/401/api/l1: HTTP 401"},

		{"a session after another one that was taken", "post('/200/api/lookup').then(()=>post('/401/api/session')).then(()=>{" + shell + "})", "/401/api/session: HTTP 401"},
		{"a sign-in after another one that was taken", "post('/200/api/login').then(()=>post('/401/api/session')).then(()=>{" + shell + "})", "/401/api/session: HTTP 401"},
		{"PUT", "fetch('/401/api/login',{method:'PUT',body:'{}'}).then(()=>{" + shell + "})", "PUT http"},
		{"PATCH", shell + "post('/200/api/lookup').then(()=>fetch('/403/session',{method:'PATCH',body:'{}'}))", "PATCH http"},

		{"a page that waits, and leads back", "document.body.innerHTML='<header><button>Sign out</button></header><p>Loading your workspace…</p>';setTimeout(()=>location.reload(),4000)", "still asks for a password"},

		{"taken", shell + "post('/200/api/login')", ""},
		{"taken at the second try", shell + "post('/once/api/login').then(()=>post('/once/api/login'))", ""},
		{"taken at another address", shell + "post('/401/v2/login').then(()=>post('/200/v1/login'))", ""},
		{"a report that is refused", "post('/beacon');post('/200/api/login').then(()=>{" + shell + "post('/telemetry')})", ""},
		{"data that is refused", "post('/200/api/login').then(()=>{" + shell + "post('/403/graphql');post('/500/api/authors')})", ""},
		{"data that is read", "fetch('/401/api/me').then(()=>post('/200/api/login')).then(()=>{" + shell + "fetch('/401/api/session')})", ""},
		{"a token that is not renewed", "post('/200/api/login').then(()=>{" + shell + "post('/401/oauth/token')})", ""},
		{"PUT that was taken", "fetch('/401/api/session').then(()=>fetch('/200/api/session',{method:'PUT',body:'{}'})).then(()=>{" + shell + "})", ""},
		{"settings that are refused", "post('/200/api/login').then(()=>{" + shell + "fetch('/403/settings',{method:'PUT'});fetch('/422/cart',{method:'PATCH'})})", ""},
		{"taken after others that were refused", shell + "post('/401/a/session').then(()=>post('/401/b/session')).then(()=>post('/200/c/session'))", ""},
		{"data of a page that comes", "location='/home'", ""},
		{"taken by another server", "post('OTHER/200/api/login').then(()=>{" + shell + "post('/403/api/presence')})", ""},
	}
	mux := http.NewServeMux()
	answer := func(w http.ResponseWriter, status int) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprint(w, "{}")
	}
	for _, status := range []int{200, 400, 401, 403, 422, 429, 500} {
		mux.HandleFunc(fmt.Sprintf("/%d/", status), func(w http.ResponseWriter, _ *http.Request) { answer(w, status) })
	}
	mux.HandleFunc("/collect", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK) })
	for _, path := range []string{"/beacon", "/telemetry"} {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusForbidden) })
	}
	tried := make(chan bool, 1)
	mux.HandleFunc("/once/", func(w http.ResponseWriter, _ *http.Request) {
		select {
		case tried <- true:
			answer(w, http.StatusUnauthorized)
		default:
			answer(w, http.StatusOK)
		}
	})
	page := func(w http.ResponseWriter, html string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><body>", html)
	}
	mux.HandleFunc("/home", func(w http.ResponseWriter, _ *http.Request) {
		page(w, "<header><button>Sign out</button></header><h1>Dashboard</h1><script>"+post+"post('/403/api/presence')</script>")
	})
	base, other := serve(t, mux), serve(t, mux)
	for i, tt := range tests {
		script := strings.ReplaceAll(tt.script, "OTHER", other)
		mux.HandleFunc(fmt.Sprintf("/in/%d", i), func(w http.ResponseWriter, _ *http.Request) {
			page(w, loginForm+"<script>"+post+"s.onsubmit=(e)=>{e.preventDefault();"+script+"}</script>")
		})
	}
	b := newBench(t, nil, nil)
	rows := make([]int, len(tests))
	for i := range tests {
		rows[i] = i
	}
	for _, i := range testkit.Kinds(t, "answers to a sign-in", 14, rows, func(i int) any { return tests[i].fails != "" }) {
		tt := tests[i]
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := b.beside(t).run(t, "web:login:submit", object{"url": fmt.Sprint(base, "/in/", i), "user": "ada", "password": "s3cret-word"})
			if tt.fails == "" {
				data(t, r)
			} else {
				wantError(t, r, diag.VerifyFailed, tt.fails)
			}
		})
	}
}
