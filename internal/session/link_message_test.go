package session_test

// Tests of messages on the page to which a link has led: the page that the link names, or another
// page.

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/testkit"
)

// awayMessages appear on another page, and say that the target of the link is forbidden or missing.
var awayMessages = []string{
	`<div role=alert class="alert alert-danger">You do not have permission to view orders.</div>`,
	`<div class="flash error">Access denied</div>`,
	`<div class="flash alert-danger">You are not authorized to access this page.</div>`,
	`<div class="toast error" role=alert>Zugriff verweigert</div>`,
	`<div class=alert role=alert>Order not found</div>`,
	`<p class=notice>You must be an administrator to view that page.</p>`,
	`<div class=toast>You have no access to orders</div>`,
	`<div role=status><strong>Error!</strong> The order 77 does not exist.</div>`,
	`<div class="alert"><button>×</button><h4>Access denied</h4><p>Ask Bob.</p></div>`,
	`<ul class=messages><li class=error>Please log in to view this page.</li></ul>`,
	`<div class=notification><span>Error: You can’t view this project.</span></div>`,
	`<div aria-live=polite>Only administrators can open that area.</div>`,
	`<div class=snackbar>We could not find that order.</div>`,
	`<div class=alert>Something went wrong</div>`,
	`<div class=alert>Orders could not be loaded</div>`,
	`<div class=alert>Your session has expired.</div>`,
	`<div class="flash-message">Die Bestellung wurde nicht gefunden.</div>`,
	`<div class=alert>Sie dürfen diese Seite nicht öffnen.</div>`,
	`<div class=alert>Nur Administratoren dürfen das.</div>`,
	`<div class=alert>Commande introuvable.</div>`,
	`<div class=alert>Vous devez être administrateur pour voir cette page.</div>`,
	`<div class=alert>Pedido no encontrado</div>`,
	`<div class=alert>No tienes permiso para ver los pedidos.</div>`,
	`<div class=alert>Ordine non trovato</div>`,
	`<div class=alert>Devi essere amministratore per vedere questa pagina.</div>`,
	`<div class=alert>Pedido não encontrado</div>`,
	`<div class=alert>Você precisa ser administrador para ver isto.</div>`,
	`<div class=alert>Bestelling niet gevonden</div>`,
	`<div class=alert>U moet beheerder zijn om dit te zien.</div>`,
	`<div class=alert>Nie znaleziono zamówienia.</div>`,
	`<div class=alert>Musisz być administratorem, aby to zobaczyć.</div>`,
	`<div class=alert>Заказ не найден</div>`,
	`<div class=alert>订单不存在</div>`,
	`<div class=alert>您没有权限查看订单</div>`,
	`<div class=alert>注文が見つかりません</div>`,
	`<div class=alert>このページを表示する権限がありません</div>`,
	`<div class=alert>주문을 찾을 수 없습니다</div>`,
}

// otherMessages appear on any page, and do not say that the target of the link is forbidden or
// missing.
var otherMessages = []string{
	`<div role=alert>You have 3 unread messages</div>`,
	`<div class=cookie-banner>We use cookies to keep you signed in. Not all of them are required.</div>`,
	`<div class=alert>Welcome back, Ann!</div>`,
	`<div class=alert>Scheduled maintenance on Sunday.</div>`,
	`<div class=alert>Scheduled maintenance: Sunday</div>`,
	`<div class=alert>Your payment for order 7 failed.</div>`,
	`<div class=alert>No orders found.</div>`,
	`<div class=alert>2 requests were denied last week.</div>`,
	`<div class=toast>Only 2 members are online</div>`,
	`<div role=status>14 orders</div>`,
	`<div class=notice>If an order was not found, ask us.</div>`,
	`<span class=notification-count>404</span>`,
	`<div class=alert>Die Bestellung wurde gespeichert.</div>`,
	`<div class=alert>Il y a 3 commandes.</div>`,
	`<div class=messages><div class=message><b>Bob</b><p>Order not found</p></div><div class=message><b>Ann</b><p>Access denied</p></div></div>`,
	`<article><div class=alert>Access denied</div></article>`,
	`<table><tr><td><span class=alert>Order not found</span></td></tr></table>`,
}

// TestLinkMessages checks that a link has failed if it leads to another page with a message that
// refuses access.
func TestLinkMessages(t *testing.T) {
	t.Parallel()
	const dashboard = `<h1>Dashboard</h1><p>14 orders</p>`
	var long string
	for i := range 30 {
		long += fmt.Sprintf("<p>Line %d</p>", i)
	}
	type row struct {
		name, href, to string // to: target of the server's redirect; "" means no redirect
		stood          string // content of the page with the link
		script         string // runs on a press of the link
		body           string
		fails          bool
	}
	const spa = `setTimeout(()=>{history.replaceState(0,'','/home');v.innerHTML='<h1>Home</h1><div class=toast>You have no access</div>'},300)`
	rows := []row{
		{"a route that is replaced", "/orders", "", "", "history.pushState(0,'','/orders');" + spa, "", true},
		{"a route in the fragment", "#/orders", "", "", `location.hash='#/orders';setTimeout(()=>{location.hash='#/home';v.innerHTML='<div role=alert>You have no access to orders</div>'},300)`, "", true},
		{"a message on the page itself", "/own/denied", "", "", "", `<h1>Orders</h1><div role=alert>You do not have permission to view orders.</div>`, true},
		{"a relative address", "../own/up", "/home/up", "", "", `<div class=alert>Order not found</div>` + dashboard, true},

		{"a part of the page itself", "/own/part", "", "", "", `<h1>Orders</h1><div role=alert>Customer not found</div><p>14 orders</p>`, false},
		{"a page that may only be read", "/own/read", "", "", "", `<h1>Orders</h1><div role=alert>You do not have permission to edit orders.</div>` + long, false},
		{"a widget of a page with much", "/own/much", "", "", "", `<h1>Orders</h1><div role=alert>You do not have access to sales.</div>` + long, false},
		{"a message that stood there", "/own/stood", "/home/stood", `<div class=alert>Access denied</div>`, "", `<div class=alert>Access denied</div>` + dashboard, false},
		{"a slash at the end", "/own/slash", "/own/slash/", "", "", `<h1>Orders</h1><div class=alert>Customer not found</div>`, false},
		{"a language before it", "/own/lang", "/de/own/lang", "", "", `<h1>Orders</h1><div class=alert>Customer not found</div>`, false},
		{"a name for a number", "/own/77", "/own/blue-shoes", "", "", `<h1>Blue shoes</h1><div class=alert>Only 2 left</div>`, false},
		{"a route that is as it says", "/orders", "", "", `history.pushState(0,'','/orders');v.innerHTML='<h1>Orders</h1><div class=toast>Saved</div>'`, "", false},
	}
	for i, html := range awayMessages {
		rows = append(rows, row{"away: " + html, fmt.Sprintf("/away/%d", i), fmt.Sprintf("/home/%d", i), "", "", html + dashboard, true})
	}
	for i, html := range otherMessages {
		rows = append(rows,
			row{"away: " + html, fmt.Sprintf("/other/%d", i), fmt.Sprintf("/start/%d", i), "", "", html + dashboard, false},
			row{"own: " + html, fmt.Sprintf("/own/%d", i), "", "", "", html + dashboard, false})
	}

	mux := http.NewServeMux()
	page := func(w http.ResponseWriter, html string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>Shop</title><body>", html)
	}
	for i, tt := range rows {
		mux.HandleFunc(fmt.Sprintf("/from/%d", i), func(w http.ResponseWriter, _ *http.Request) {
			html := fmt.Sprintf("%s<nav><a id=k href=%s>Orders</a></nav><h1>Start</h1><main id=v></main>", tt.stood, tt.href)
			if tt.script != "" {
				html += "<script>k.onclick=(e)=>{e.preventDefault();" + tt.script + "}</script>"
			}
			page(w, html)
		})
		if tt.script != "" {
			continue
		}
		from, to := tt.href, tt.to
		if from[0] == '.' {
			from = from[2:]
		}
		if to != "" {
			mux.HandleFunc(from+"/{$}", func(w http.ResponseWriter, _ *http.Request) { page(w, tt.body) })
			mux.HandleFunc(from, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) })
			from = to
		}
		if from[len(from)-1] != '/' {
			mux.HandleFunc(from, func(w http.ResponseWriter, _ *http.Request) { page(w, tt.body) })
		}
	}
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	numbers := make([]int, len(rows))
	for i := range rows {
		numbers[i] = i
	}
	for _, i := range testkit.Kinds(t, "messages behind a link", 32, numbers, func(i int) any { return rows[i].fails }) {
		t.Run(rows[i].name, func(t *testing.T) {
			t.Parallel()
			r := b.beside(t).run(t, "web:link:follow", object{"url": fmt.Sprintf("%s/from/%d", base, i), "text": "Orders"})
			if rows[i].fails {
				wantError(t, r, diag.StepFailed, " says")
			} else if r.Error != nil {
				t.Error(describe(r.Error))
			}
		})
	}
}

// TestMessagesThatDeny tests messages that say that the target of a link is missing or forbidden, and
// messages that only mention something missing or forbidden.
func TestMessagesThatDeny(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	is := func(text string, away, want bool) {
		t.Helper()
		r := j.Run(context.Background(), nil, "web:message:refuses", object{"text": text, "away": away}, executor.RunOptions{})
		if got := data(t, r)["bad"]; got != want {
			t.Errorf("%q, on another page %v: %v, want %v", text, away, got, want)
		}
	}
	for _, text := range []string{
		"Order not found", "Order #77 was not found.", "The invoice could not be found", "That project no longer exists.", "No such order",
		"Warning! You can’t open that page.", "×\nError\nOrder not found", "Only owners can open billing.", "Reserved for administrators",
		"You need to be a member to view this group.", "Admin access required", "Please sign in first to see your orders",
		"This area is restricted", "Additional permissions are required",
		"Die Rechnung existiert nicht mehr.", "Sie müssen Mitglied sein.", "Ihnen fehlt die nötige Berechtigung.", "Bitte melden Sie sich an, um fortzufahren",
		"La facture n’existe plus", "Réservé aux administrateurs", "Connectez-vous pour voir vos commandes", "Vous ne pouvez pas consulter cette page",
		"La factura no existe", "Inicia sesión para continuar", "Solo los administradores pueden verlo", "No estás autorizado a ver esto",
		"La fattura non esiste più", "Accedi per continuare", "Non puoi visualizzare questa pagina",
		"A fatura não existe", "Faça login para continuar", "Você não pode acessar esta página",
		"De factuur bestaat niet meer", "Log in om verder te gaan", "Alleen beheerders mogen dit zien",
		"Zamówienie nie istnieje", "Zaloguj się, aby kontynuować", "Tylko administrator może to zobaczyć",
		"Счёт не найден", "Только администраторы могут это видеть", "Ordern hittades inte", "Ordren blev ikke fundet", "Tilausta ei löytynyt", "Sipariş bulunamadı",
		"请先登录", "需要管理员权限", "该订单不存在或已删除", "先にログインしてください", "管理者のみ閲覧できます", "관리자만 볼 수 있습니다",
	} {
		is(text, true, true)
	}
	for _, text := range []string{
		"No orders found", "Nothing is due today", "3 orders not yet paid", "Your order was not changed", "You have 3 unread messages", "Saved",
		"We use cookies to sign you in", "You can view your orders here", "You may not want to miss this offer", "You must be happy", "Only 3 left in stock",
		"Scheduled maintenance", "Die Bestellung ist noch nicht bezahlt", "Nur noch 2 Mitglieder fehlen", "Il ne manque rien", "No hay pedidos", "Non ci sono ordini",
		"Er zijn geen bestellingen", "Brak zamówień", "暂无订单", "注文はありません", "Sign in to another account from the menu",
	} {
		is(text, true, false)
	}
	for _, text := range []string{"Access denied", "You do not have permission to view this page.", "Seite nicht gefunden", "Your session has expired"} {
		is(text, false, true)
	}
	for _, text := range []string{"Order not found", "You do not have permission to edit orders.", "Something went wrong", "Nothing to see here", "404"} {
		is(text, false, false)
	}
}
