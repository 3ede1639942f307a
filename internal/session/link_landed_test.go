package session_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// TestLinkLandsElsewhere checks that a link that leads to a sign-in or an error page has failed,
// whatever the HTTP status, unless the text of the link names such a page.
func TestLinkLandsElsewhere(t *testing.T) {
	t.Parallel()
	const (
		signIn  = `<h1>Sign in</h1><form><label>Email <input name=e></label><label>Password <input type=password></label><button>Sign in</button></form>`
		article = `<article><p>Something went wrong, said the first one.</p><p>Access denied, said the other.</p></article>`
		many    = `<p>One</p><p>Two</p><p>Three</p><p>Four</p><p>Five</p><p>Six</p><p>Seven</p><p>Eight</p>`
	)
	asked, says := "asks for a sign-in", func(what string) string { return "led to a page that says " + fmt.Sprintf("%q", what) }
	tests := []struct{ name, text, title, body, script, fails string }{
		{"a redirect to the sign-in", "Invoices", "", "", "login", asked},
		{"a script that leads to the sign-in", "Invoices", "", `<script>setTimeout(()=>location.replace('/login'),200)</script>`, "", asked},
		{"a sign-in at the same address", "Invoices", "", signIn, "", asked},
		{"a sign-in without a password", "Invoices", "", `<h1>Anmelden</h1><form><label>Email <input type=email name=email></label><button>Weiter</button></form>`, "", asked},
		{"a route that is the sign-in", "Invoices", "", "", `history.pushState(0,'','/inv');setTimeout(()=>{history.replaceState(0,'','/login');v.innerHTML='<h2>Sign in</h2><input type=password>'},300)`, asked},
		{"a page that checks something first", "Invoices", "", `<p>Checking your access…</p><script>setTimeout(()=>location.replace('/login'),4000)</script>`, "", asked},
		{"a page that declares where it goes", "Invoices", "", `<meta http-equiv=Refresh content="4; url=/login"><p>Hello</p>`, "", asked},
		{"a redirect to its own page", "Invoices", "", "", "back", "led back to the page it is on"},
		{"a redirect to its own page, which changes", "Invoices", "", "", "back again", "led back to the page it is on"},
		{"not found", "Invoices", "", "<h1>Page not found</h1><p>Error 404</p>", "", says("Page not found")},
		{"not found, in German", "Rechnungen", "", "<h1>Seite nicht gefunden</h1>", "", says("Seite nicht gefunden")},
		{"not found, in Japanese", "Invoices", "", "<h1>お探しのページは見つかりませんでした</h1>", "", "見つかりません"},
		{"not found, by its title", "Invoices", "404 Not Found | Shop", "<p>Nothing is to be seen.</p>", "", "404 Not Found"},
		{"a page that is offline", "Invoices", "", "<h1>You are offline</h1><button>Retry</button>", "", says("You are offline")},
		{"a limit of requests", "Invoices", "", "<h1>Rate limit exceeded</h1><p>Try again in a minute.</p>", "", says("Rate limit exceeded")},
		{"another plan", "Invoices", "", "<h1>Upgrade required</h1><p>Invoices are part of the Pro plan.</p>", "", says("Upgrade required")},
		{"another country", "Invoices", "", "<h1>This page is not available in your country</h1>", "", "not available in your country"},
		{"a script that is missing", "Invoices", "", "<h1>Please enable JavaScript to continue</h1>", "", "enable JavaScript"},
		{"no service, in French", "Factures", "", "<h1>Service indisponible</h1>", "", says("Service indisponible")},
		{"no right, in Japanese", "Invoices", "", "<h1>アクセス権がありません</h1>", "", "アクセス権"},
		{"a page about limits", "Limits", "", "<h1>Rate limits</h1><p>Each key has a limit of requests.</p>", "", ""},
		{"a long page about what is exceeded", "Errors", "", "<h1>Rate limit exceeded</h1>" + strings.Repeat("<h2>Causes</h2><p>A key that is used by several programs at once may get this answer from the server.</p>", 12), "", ""},
		{"a session that is over", "Invoices", "", "<h1>Session expired</h1><p>Begin again.</p>", "", says("Session expired")},
		{"a session that is over, in German", "Rechnungen", "", "<h1>Ihre Sitzung ist abgelaufen</h1>", "", says("Ihre Sitzung ist abgelaufen")},
		{"denied", "Invoices", "", "<h1>Access denied</h1><p>You may not see invoices.</p>", "", says("Access denied")},
		{"denied, in French", "Factures", "", "<h2>403 – Accès refusé</h2>", "", "Accès refusé"},
		{"denied, in Chinese", "Invoices", "", "<h1>403</h1><p>抱歉</p>", "", says("403")},
		{"broken", "Invoices", "", "<main><h1>Oops! Something went wrong.</h1><button>Reload</button></main>", "", "Something went wrong"},
		{"upkeep", "Invoices", "", "<h1>We’ll be back soon</h1><p>Scheduled maintenance</p>", "", "be back soon"},
		{"upkeep, in Spanish", "Facturas", "", "<h1>Sitio en mantenimiento</h1>", "", "en mantenimiento"},
		{"a route that is not found", "Invoices", "", "", `history.pushState(0,'','/inv');v.innerHTML='<h2>404</h2><p>Nothing here</p>'`, says("404")},
		{"a route that could not be loaded", "Invoices", "", "", `history.pushState(0,'','/inv');fetch('/broken').then(()=>{v.innerHTML='<p>Invoices could not be loaded</p>'})`, "could not be loaded"},

		{"a route that one may not see", "Orders", "", "", `history.pushState(0,'','/orders');v.innerHTML='<h1>Orders</h1><p>Sorry, you are not allowed to see this.</p>'`, "not allowed to see this"},
		{"a page that there is not, in German", "Rechnungen", "", "<h1>Diese Seite gibt es nicht</h1><p>Vielleicht wurde sie gelöscht.</p>", "", says("Diese Seite gibt es nicht")},
		{"nothing, in German", "Rechnungen", "", "<p>Ups, hier ist nichts</p>", "", says("Ups, hier ist nichts")},

		{"a page that is loading first", "Invoices", "", `<p id=p>Loading invoices…</p><script>setTimeout(()=>{p.textContent='Invoices'},4000)</script>`, "", ""},
		{"a page that loads itself again now and then", "Invoices", "", `<meta http-equiv=refresh content=300><p>Invoices</p>`, "", ""},
		{"a redirect to its own page in another language", "Deutsch", "", "", "back", ""},
		{"an empty list", "Inbox", "", "<h1>Inbox</h1><p>Nothing here.</p>", "", ""},
		{"what the link says", "Access denied: what to do", "Access denied: what to do", "<h1>Access denied: what to do</h1>", "", ""},
		{"the words of the link", "Something went wrong", "", "<h1>Something went wrong</h1>", "", ""},
		{"a link to the sign-in", "Sign in", "", signIn, "", ""},
		{"a link to the sign-in, in French", "Se connecter", "", signIn, "", ""},
		{"a link to the registration", "Register", "", `<h1>Register</h1><form><label>Email <input name=e></label><label>Password <input type=password></label><button>Register</button></form>`, "", ""},
		{"a new user", "Add user", "", `<h1>New user</h1><form><label>Name <input></label><label>Password <input type=password></label><button>Save</button></form>`, "", ""},
		{"a design of such pages", "404 page design", "404 page design – Blog", "<h1>404 page design</h1><p>How to.</p>", "", ""},
		{"an article", "Invoices", "", "<h1>Invoices</h1>" + article, "", ""},
		{"a list", "Errors", "", "<h1>Log</h1><ul><li>Page not found</li><li>Access denied</li></ul>", "", ""},
		{"a part below another heading", "Invoices", "", "<h1>Invoices</h1>" + many + "<h2>Not found</h2><h2>Others</h2>" + many, "", ""},
		{"a number", "Invoices", "", "<h1>Invoices</h1><h3>500</h3><p>open</p><h3>403</h3><p>paid</p>", "", ""},
		{"maintenance of a machine", "Maintenance", "", "<h1>Maintenance</h1><p>Pump 3</p>", "", ""},
		{"a checkout with a sign-in", "Zur Kasse", "", `<h1>Kasse</h1><h2>Ich bin neu hier</h2><form><label>E-Mail <input name=g></label><label>Name <input></label><button>Weiter</button></form><h2>Ich bin bereits Kunde</h2><form><label>E-Mail <input name=e></label><label>Passwort <input type=password></label><button>Anmelden</button></form>`, "", ""},
		{"reviews with a sign-in", "Reviews", "", `<h1>Reviews</h1><p>Great chair!</p><h2>Write a review</h2><form><label>Email <input name=e></label><label>Password <input type=password></label><button>Log in</button></form>`, "", ""},
		{"a sign-in with another heading", "Invoices", "", `<h1>Example</h1><form><label>Email <input name=e></label><label>Password <input type=password></label><button>Log in</button></form>`, "", asked},
		{"a sign-in beside the page", "Invoices", "", "<header>" + signIn + "</header><h1>Invoices</h1>" + many, "", ""},
	}
	mux := http.NewServeMux()
	page := func(w http.ResponseWriter, title, body string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><title>%s</title><body>%s", title, body)
	}
	mux.HandleFunc("/login", func(w http.ResponseWriter, _ *http.Request) { page(w, "Shop", signIn) })
	mux.HandleFunc("/broken", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	for i, tt := range tests {
		to, script := fmt.Sprintf("/to/%d", i), ""
		if tt.script != "" && tt.script != "login" && !strings.HasPrefix(tt.script, "back") {
			script = "<script>k.onclick=(e)=>{e.preventDefault();" + tt.script + "}</script>"
		}
		mux.HandleFunc(fmt.Sprintf("/from/%d", i), func(w http.ResponseWriter, r *http.Request) {
			if tt.fails == "" && r.URL.RawQuery != "" {
				page(w, "Start", "<h1>Start</h1>")
				return
			}
			again := ""
			if tt.script == "back again" {
				again = "<p>Rendered for " + r.URL.RawQuery + "</p>"
			}
			page(w, "Home", fmt.Sprintf("<nav><a id=k href=%s>%s</a></nav><h1>Home</h1><main id=v></main>%s%s", to, tt.text, again, script))
		})
		mux.HandleFunc(to, func(w http.ResponseWriter, r *http.Request) {
			if tt.script == "login" {
				http.Redirect(w, r, "/login?next="+to, http.StatusFound)
				return
			}
			if strings.HasPrefix(tt.script, "back") {
				http.Redirect(w, r, fmt.Sprintf("/from/%d?next=%s", i, to), http.StatusFound)
				return
			}
			title := tt.title
			if title == "" {
				title = "Shop"
			}
			page(w, title, tt.body)
		})
	}
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	type at struct{ i int }
	rows := make([]at, len(tests))
	for i := range tests {
		rows[i] = at{i}
	}
	for _, row := range testkit.Some(t, "rows", 12, rows) {
		tt := tests[row.i]
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := b.beside(t)
			r := b.run(t, "web:link:follow", object{"url": fmt.Sprintf("%s/from/%d", base, row.i), "text": tt.text})
			if tt.fails != "" {
				wantError(t, r, diag.StepFailed, tt.fails)
			} else if r.Error != nil {
				t.Error(describe(r.Error))
			}
		})
	}
}
