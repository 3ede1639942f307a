package session_test

// Tests of pages that have a menu of an account and say in a heading or in their title that the
// sign-in has failed.

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// TestLoginWorded checks that the words of a failed sign-in count more than the menu of an account.
func TestLoginWorded(t *testing.T) {
	t.Parallel()
	const (
		menu   = `<header><button aria-label="Account menu">Account</button></header>`
		avatar = `<header><button aria-haspopup=menu aria-label="User menu"><img alt="avatar of Ann" src="data:,"></button></header>`
		closed = `<header><div class=dropdown><button class="btn dropdown-toggle" data-bs-toggle=dropdown>%s</button><ul class=dropdown-menu style="display:none"><li>%s</ul></div></header>`
		says   = "refused sign-in"
		titled = "The title of the page"
	)
	own := fmt.Sprintf(closed, "Ada Byron", `<a href=/logout>Sign out</a>`)
	tests := []struct{ name, title, body, fails string }{
		{"a heading", "Shop", menu + "<h1>No account with this name</h1><a href=/new>Register</a>", says},
		{"a heading beside a picture", "Shop", avatar + "<h1>No account with this name</h1>", says},
		{"a German heading", "Shop", avatar + "<h1>Kein Konto mit diesem Namen</h1>", ""},
		{"a French heading", "Shop", menu + "<h1>Aucun compte avec ce nom</h1>", ""},
		{"a Chinese heading", "Shop", menu + "<h1>找不到该用户</h1>", ""},
		{"a title", "Login failed", menu + "<main>Welcome</main>", titled},
		{"a title behind the name of the site", "Shop | Sign-in error", menu + "<main>Welcome</main>", titled},
		{"a German title", "Anmeldung fehlgeschlagen – Shop", menu + "<main>Hallo</main>", titled},
		{"a French title", "Échec de la connexion", menu + "<main>Bonjour</main>", titled},
		{"a Chinese title", "登录失败", menu + "<main>首页</main>", titled},
		{"another German title", "Anmeldung nicht möglich", menu + "<main>Hallo</main>", titled},
		{"another French title", "Connexion impossible", menu + "<main>Bonjour</main>", titled},
		{"another Chinese title", "无法登录", menu + "<main>首页</main>", titled},
		{"a title with a way to sign out", "Access denied", menu + signOut + "<main>Welcome</main>", titled},

		{"a closed menu without a way to sign out", "Shop", fmt.Sprintf(closed, "Products", `<a href=/new>New</a>`) + "<h1>Shop</h1>", "nothing shows"},
		{"a closed menu that also offers to sign in", "Shop", fmt.Sprintf(closed, "Account", `<a href=/in>Sign in</a><li><a href=/logout>Sign out</a>`) + "<h1>Shop</h1>", "nothing shows"},
		{"a closed menu beside words of refusal", "Shop", own + "<h1>No account with this name</h1>", says},
		{"true: a closed menu with a way to sign out", "Shop", own + "<h1>Dashboard</h1><p>3 open invoices</p>", "-"},
		{"true: one with German words", "Shop", fmt.Sprintf(closed, "Ada Byron", `<a href=/raus>Abmelden</a>`) + "<h1>Übersicht</h1>", "-"},

		{"true: a heading", "Shop", menu + "<h1>No orders with this name</h1>", "-"},
		{"true: a picture", "Shop", avatar + "<h1>Accounts</h1><p>Accounts with no name: 3</p>", "-"},
		{"true: the title of a list", "Failed logins – Admin", menu + signOut + "<h1>Today</h1><ul><li>Ann<li>Bob</ul>", "-"},
		{"true: a title that begins alike", "Forbidden Planet", menu + "<h1>New books</h1>", "-"},
		{"true: the title of the form", "Sign in", menu + "<h1>New books</h1>", "-"},
	}
	mux := http.NewServeMux()
	write := func(w http.ResponseWriter, html string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><meta charset=utf-8>", html)
	}
	mux.HandleFunc("GET /in/{page}", func(w http.ResponseWriter, r *http.Request) {
		write(w, "<title>Sign in</title>"+strings.Replace(loginForm, "/sent", "/answer/"+r.PathValue("page"), 1))
	})
	mux.HandleFunc("POST /answer/{page}", func(w http.ResponseWriter, r *http.Request) {
		i, err := strconv.Atoi(r.PathValue("page"))
		if err != nil || i >= len(tests) {
			http.NotFound(w, r)
			return
		}
		write(w, "<title>"+tests[i].title+"</title>"+tests[i].body)
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	kind := func(i int) any {
		return tests[i].fails + strconv.FormatBool(strings.Contains(tests[i].body, "dropdown"))
	}
	for _, i := range testkit.Kinds(t, "answers to a sign-in", len(tests), indexes(tests), kind) {
		tt := tests[i]
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := b.beside(t).run(t, "web:login:submit", object{"url": fmt.Sprint(base, "/in/", i), "user": "ada", "password": "s3cret-word"})
			if tt.fails == "-" {
				data(t, r)
			} else {
				wantError(t, r, diag.VerifyFailed, tt.fails)
			}
		})
	}
}
