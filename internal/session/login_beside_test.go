package session_test

// Tests of sign-in forms beside registration forms.

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
)

func TestLoginBesideRegistration(t *testing.T) {
	t.Parallel()
	const (
		login    = `<form method=post action=LOGIN><h2>Login</h2><label>Username or email<input name=user AUTO1></label><label>Password<input type=password name=pw AUTO2></label>BUTTON1</form>`
		register = `<form method=post action=/register><h2>Register</h2><label>Email<input name=user AUTO3></label><label>Password<input type=password name=pw AUTO4></label>BUTTON2</form>`
	)
	tests := []struct{ name, auto, buttons string }{
		{"marked", "autocomplete=username|autocomplete=current-password|type=email autocomplete=email|autocomplete=new-password", "<button name=login>Log in</button>|<button name=register>Register</button>"},
		{"words alone", "type=text||type=email|", "<button>Log in</button>|<button>Create account</button>"},
		{"German", "type=email||type=email|", "<button>Anmelden</button>|<button>Konto erstellen</button>"},
		{"Chinese", "type=text||type=text|", "<input type=submit value=登录>|<input type=submit value=注册>"},
		{"a user name to register", "type=text||autocomplete=username|autocomplete=new-password", "<button>Sign in</button>|<button>Sign up</button>"},
	}
	mux := http.NewServeMux()
	write := func(w http.ResponseWriter, html string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><meta charset=utf-8><title>My account</title>", html)
	}
	mux.HandleFunc("POST /register", func(w http.ResponseWriter, _ *http.Request) {
		write(w, `<h1>Welcome, new customer</h1><a href=/out>Log out</a>`)
	})
	page := func(i int, target string, turned bool) string {
		auto, buttons := strings.Split(tests[i].auto, "|"), strings.Split(tests[i].buttons, "|")
		first := strings.NewReplacer("LOGIN", target, "AUTO1", auto[0], "AUTO2", auto[1], "BUTTON1", buttons[0]).Replace(login)
		second := strings.NewReplacer("AUTO3", auto[2], "AUTO4", auto[3], "BUTTON2", buttons[1]).Replace(register)
		if turned {
			return second + first
		}
		return first + second
	}
	mux.HandleFunc("POST /login/{i}", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("user") != "ann@x.org" || r.FormValue("pw") != "s3cret-word" {
			http.Error(w, "wrong form", http.StatusBadRequest)
			return
		}
		write(w, `<h1>My account</h1><p>Hello Ann</p><a href=/out>Log out</a>`)
	})
	mux.HandleFunc("POST /wrong/{i}", func(w http.ResponseWriter, r *http.Request) {
		var i int
		fmt.Sscan(r.PathValue("i"), &i)
		write(w, `<p role=alert>The password is wrong.</p>`+page(i, r.URL.Path, false))
	})
	mux.HandleFunc("GET /{how}/{i}", func(w http.ResponseWriter, r *http.Request) {
		var i int
		fmt.Sscan(r.PathValue("i"), &i)
		how := r.PathValue("how")
		write(w, page(i, fmt.Sprintf("/%s/%d", strings.TrimPrefix(how, "turned-"), i), strings.HasPrefix(how, "turned-")))
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	for _, row := range somePairs(t, "sign-ins beside a registration", 4, indexes(tests), []string{"login", "turned-login", "wrong"}) {
		i, tt, how := row.a, tests[row.a], row.b
		code := map[string]diag.Code{"wrong": diag.VerifyFailed}[how]
		t.Run(tt.name+", "+how, func(t *testing.T) {
			t.Parallel()
			r := b.beside(t).run(t, "web:login:submit", object{"url": fmt.Sprintf("%s/%s/%d", base, how, i), "user": "ann@x.org", "password": "s3cret-word"})
			if code != "" {
				wantError(t, r, code, "still asks")
			} else {
				data(t, r)
			}
		})
	}
}
