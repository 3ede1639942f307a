package session_test

// The builtin web actions on pages that do less than they seem to.

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"actionregistry/diag"
)

const loginForm = `<title>Sign in</title><form id=s action=/sent method=post><label>User <input name=user autocomplete=username></label>
	<label>Password <input id=p type=password name=password></label><button id=b type=submit>Sign in</button></form><p id=m></p>`

// loginPages are sign-in pages by name, and what is behind them.
func loginPages() http.Handler {
	scripted := func(script string) string {
		return loginForm + "<script>s.onsubmit=(e)=>{e.preventDefault();" + script + "}</script>"
	}
	pages := map[string]string{
		"/hides":      scripted(`s.hidden=true;setTimeout(()=>{s.hidden=false;m.textContent='Wrong password'},600)`),
		"/locked":     scripted(`s.outerHTML='<h1>Account locked</h1>'`),
		"/lockedout":  scripted(`s.outerHTML='<h1>Account locked</h1><a href=/logout>Sign out</a>'`),
		"/toggled":    scripted(`p.type='text';m.textContent='Wrong password'`),
		"/rerendered": scripted(`history.pushState(null,'','/home');s.innerHTML='<label>Password <input name=password></label>';m.textContent='Wrong password'`),
		"/silent":     scripted(``),
		"/vanishes":   scripted(`s.remove()`),
		"/otp":        scripted(`history.pushState(null,'','/next');s.outerHTML='<label>Code <input autocomplete=one-time-code></label>'`),
		"/denied":     scripted(`history.pushState(null,'','/next');s.outerHTML='<h1>访问</h1><p>密码错误，请重试</p>'`),
		"/again":      scripted(`location.href='/signin-error'`),
		"/out":        scripted(`s.outerHTML='<button>Log out</button>'`),
		"/zh":         scripted(`s.outerHTML='<a href=#>退出登录</a>'`),
		"/moves":      scripted(`history.pushState(null,'','/home');s.outerHTML='<h1>Orders</h1>'`),
		"/text":       scripted(`setTimeout(()=>{s.outerHTML='<h1>Welcome, Ada</h1>'},300)`),
		"/posts":      loginForm,
		"/two":        `<label>User <input autocomplete=username></label><button>Next</button>`,
	}
	mux := http.NewServeMux()
	serve := func(path, html string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html>", html)
		})
	}
	for path, html := range pages {
		serve(path, html)
	}
	serve("/home", "<title>Home</title><h1>Orders</h1>")
	serve("/signin-error", "<title>Again</title><p>Hello</p>")
	mux.HandleFunc("/sent", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/home", http.StatusSeeOther) })
	return mux
}

// TestLoginNeedsEvidence: web:login:submit succeeds only where something shows it.
func TestLoginNeedsEvidence(t *testing.T) {
	base := serve(t, loginPages())
	b := newBench(t, nil, nil, shortWait)
	tests := []struct {
		page   string
		expect map[string]any
		code   diag.Code // "": success
		says   string
	}{
		{"hides", nil, diag.VerifyFailed, "still asks for"},
		{"locked", nil, diag.VerifyFailed, "refused sign-in"},
		{"lockedout", nil, diag.VerifyFailed, "refused sign-in"},
		{"toggled", nil, diag.VerifyFailed, "still asks for"},
		{"rerendered", nil, diag.VerifyFailed, "still asks for"},
		{"silent", nil, diag.VerifyFailed, "still asks for"},
		{"vanishes", nil, diag.VerifyFailed, "expect_text or expect_url"},
		{"otp", nil, diag.VerifyFailed, "asks for a code"},
		{"denied", nil, diag.VerifyFailed, "refused sign-in"},
		{"again", nil, diag.VerifyFailed, "expect_text or expect_url"},
		{"text", nil, diag.VerifyFailed, "expect_text or expect_url"},
		{"text", map[string]any{"expect_text": "Welcome, Ada"}, "", ""},
		{"otp", map[string]any{"expect_text": "Code"}, "", ""},
		{"moves", map[string]any{"expect_url": "/home"}, "", ""},
		{"out", nil, "", ""},
		{"zh", nil, "", ""},
		{"moves", nil, "", ""},
		{"posts", nil, "", ""},
		{"two", nil, diag.ElementNotFound, ""},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.page, tt.expect), func(t *testing.T) {
			params := map[string]any{"url": base + "/" + tt.page, "user": "ada", "password": "s3cret-word"}
			for name, v := range tt.expect {
				params[name] = v
			}
			r := b.run(t, "web:login:submit", params)
			if tt.code != "" {
				wantError(t, r, tt.code, tt.says)
			} else {
				data(t, r)
			}
			if text := encode(t, r); strings.Contains(text, "s3cret-word") {
				t.Errorf("the result has the password: %s", text)
			}
		})
	}
}

// TestLinkFollowNeedsAnAddress: web:link:follow succeeds only where the link led somewhere.
func TestLinkFollowNeedsAnAddress(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><title>Start</title>
			<a href=/next onclick="event.preventDefault()">Prevented</a> <a href=/none>None</a> <a href=/slow>Slow</a> <a href=/file>File</a>
			<a href=/next target=_blank>Blank</a> <a href=#part>Part</a> <a href="javascript:void(0)">Script</a>
			<a href=# onclick="m.hidden=false">Menu</a><p id=m hidden>menu</p>
			<a href=/next onclick="event.preventDefault();setTimeout(()=>history.pushState(null,'','/routed'),200)">Routed</a>
			<a href=/next onclick="event.preventDefault();setTimeout(()=>{location='/next'},200)">Later</a>`)
	})
	mux.HandleFunc("/next", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>Next</title>")
	})
	mux.HandleFunc("/none", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		select { // longer than an element is waited for
		case <-time.After(2500 * time.Millisecond):
			http.Redirect(w, r, "/next", http.StatusFound)
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=x.bin")
		fmt.Fprint(w, "data")
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil, shortWait)
	for _, tt := range []struct {
		text string
		code diag.Code // "": success
		want string    // of the message, or the address
	}{
		{"Prevented", diag.StepFailed, "led to no other address"},
		{"None", diag.NavigationFailed, "204 No Content"},
		{"File", diag.StepFailed, "led to no other address"},
		{"Script", diag.StepFailed, "led to no other address"},
		{"Menu", diag.StepFailed, "led to no other address"},
		{"Slow", "", "/next"},
		{"Blank", "", "/next"},
		{"Part", "", "/#part"},
		{"Routed", "", "/routed"},
		{"Later", "", "/next"},
	} {
		t.Run(tt.text, func(t *testing.T) {
			r := b.run(t, "web:link:follow", map[string]any{"url": base + "/", "text": tt.text})
			if tt.code != "" {
				wantError(t, r, tt.code, tt.want)
				return
			}
			got := data(t, r)
			want(t, got, "url", base+tt.want)
			want(t, got, "from", base+"/")
		})
	}
}

// TestTableExtractNeedsATable: a page without the table is not an empty table.
func TestTableExtractNeedsATable(t *testing.T) {
	base := serve(t, loginPages())
	b := newBench(t, nil, nil, shortWait)
	wantError(t, b.run(t, "web:table:extract", map[string]any{"url": base + "/home"}), diag.ElementNotFound, "css:table")
}
