package session_test

// Tests of pages that are a wall, or report a failure, in place of what a link leads to.

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// TestLinkWalls checks that a link that leads to a page with only a password field, a code, a list
// of accounts or a refusing sentence has failed, unless the link names such a page.
func TestLinkWalls(t *testing.T) {
	t.Parallel()
	const (
		password = "<form><label>Password <input type=password></label><button>Confirm</button></form>"
		code     = "<form><label>6-digit code <input inputmode=numeric autocomplete=one-time-code></label><button>Verify</button></form>"
		accounts = "<ul><li><a href=/a>ada@x.org</a></li><li><a href=/b>Use another account</a></li></ul>"
		asks     = "only asks for a"
		says     = "says"
	)
	tests := []struct{ name, text, main, fails string }{
		{"a password", "Invoices", "<h1>Confirm access</h1>" + password, asks},
		{"a password, in German", "Rechnungen", "<h1>Zugriff bestätigen</h1><form><label>Passwort <input type=password></label><button>Weiter</button></form>", asks},
		{"a password, in Japanese", "請求書", "<h1>本人確認</h1><form><label>パスワード <input type=password></label><button>次へ</button></form>", asks},
		{"a code", "Invoices", "<h1>Enter your code</h1>" + code, asks},
		{"a code, in French", "Factures", "<h1>Saisissez le code reçu</h1><input autocomplete=one-time-code>", asks},
		{"accounts", "Invoices", "<h1>Choose an account</h1>" + accounts, says},
		{"accounts, in Chinese", "发票", "<h1>选择账号</h1>" + accounts, says},
		{"a sign-in again", "Invoices", "<h1>Confirm it’s you</h1><p>For your security, sign in again to continue.</p><button>Continue</button>", says},
		{"a sign-in again, in Spanish", "Facturas", "<h1>Confirma tu identidad</h1><p>Es por tu seguridad.</p><button>Seguir</button>", says},
		{"somebody to ask", "Billing", "<h1>Ask your admin for access to Billing</h1>", says},
		{"somebody to ask below the heading", "Billing", "<h1>Billing</h1><p>Ask your admin for access.</p>", says},
		{"somebody to ask, in German", "Rechnungen", "<p>Bitten Sie Ihren Administrator um Zugriff auf Rechnungen.</p>", says},
		{"no team", "Invoices", "<p>You’re not part of a team yet. Ask a colleague to invite you.</p>", says},
		{"no team, in Korean", "청구서", "<p>아직 팀에 속해 있지 않습니다.</p>", says},
		{"blocked", "Invoices", "<h1>Sorry, you have been blocked</h1><p>You are unable to access shop.example</p><p>Ray ID: 8c1</p>", says},
		{"a failure below the heading", "Invoices", "<h1>Invoices</h1><p class=red>Failed to fetch</p>", says},
		{"a failure in Chinese", "发票", "<h1>发票</h1><p>加载失败</p>", says},
		{"a failure in French", "Factures", "<h1>Factures</h1><p>Erreur de chargement</p><button>Réessayer</button>", says},
		{"a failure of a program", "Invoices", "<h2>Application error: a client-side exception has occurred (see the console).</h2>", says},

		{"true: settings", "Security", "<h1>Security</h1><form><label>Current password <input type=password></label><label>New password <input type=password></label><button>Save</button></form>", ""},
		{"true: other settings", "Settings", "<h1>Your address</h1><form><label>Email <input type=email></label><label>Current password <input type=password></label><button>Save</button></form>", ""},
		{"true: what the link says", "Delete account", "<h1>Delete account</h1>" + password, ""},
		{"true: a code that the link names", "Join with a code", "<h1>Enter the code</h1>" + code, ""},
		{"true: a factor to set up", "Invoices", "<h1>Protect it</h1><img alt='QR code' src='data:,' width=99 height=99>" + code, ""},
		{"true: accounts that the link names", "Switch account", "<h1>Choose an account</h1>" + accounts, ""},
		{"true: accounts of a company", "Members", "<h1>Members</h1>" + accounts, ""},
		{"true: no orders", "Orders", "<h1>Orders</h1><p>No orders yet. Create your first order.</p><a href=/new>Create order</a>", ""},
		{"true: no orders, in Spanish", "Pedidos", "<h1>Pedidos</h1><p>No hay pedidos.</p>", ""},
		{"true: no orders, in Japanese", "注文", "<h1>注文</h1><p>注文はまだありません。</p>", ""},
		{"true: no teams", "Teams", "<h1>Teams</h1><p>You’re not part of a team yet.</p><button>Create team</button>", ""},
		{"true: one row", "Invoices", "<h1>Invoices</h1><table><tr><td>204</td><td>Failed to fetch</td></tr></table>", ""},
		{"true: questions", "Help", "<h1>Billing</h1><h2>How do I request access?</h2><p>Ask your admin for access to Billing.</p><h2>What if a link has expired?</h2><p>Request a new one.</p>", ""},
		{"true: help", "Access", "<h1>How to get access</h1><p>Ask your admin for access to Billing.</p>", ""},
		{"true: a short page", "Imprint", "<h1>Imprint</h1><p>Shop Ltd, 1 Main Street.</p>", ""},
		{"true: somebody who is locked", "Bob Miller", "<h1>Bob Miller</h1><p>User is locked.</p>", ""},
		{"true: a page that is loading", "Invoices", "<p id=p>Loading…</p><script>setTimeout(()=>{p.outerHTML='<h1>Invoices</h1><p>Three are open.</p>'},700)</script>", ""},
		{"true: maintenance", "Maintenance", "<h1>Maintenance</h1><p>We are performing maintenance on pump 3.</p>", ""},
	}
	mux := http.NewServeMux()
	page := func(w http.ResponseWriter, link, main string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><meta charset=utf-8><title>Shop</title><header><b>Shop</b> <nav><a href=/home>Home</a> %s</nav></header><main>%s</main>", link, main)
	}
	for i, tt := range tests {
		to := fmt.Sprintf("<a href=/to/%d>%s</a>", i, tt.text)
		mux.HandleFunc(fmt.Sprintf("/from/%d", i), func(w http.ResponseWriter, _ *http.Request) {
			page(w, to, "<h1>Shop</h1><p>Three visits today, and one message.</p>")
		})
		mux.HandleFunc(fmt.Sprintf("/to/%d", i), func(w http.ResponseWriter, _ *http.Request) { page(w, to, tt.main) })
	}
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	for _, i := range testkit.Kinds(t, "walls behind a link", 3, indexes(tests), func(i int) any { return tests[i].fails }) {
		tt := tests[i]
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := b.beside(t).run(t, "web:link:follow", object{"url": fmt.Sprintf("%s/from/%d", base, i), "text": tt.text})
			if tt.fails != "" {
				wantError(t, r, diag.StepFailed, tt.fails)
			} else if r.Error != nil {
				t.Error(describe(r.Error))
			}
		})
	}
}
