package session_test

// Tests of messages after an answer or a submit. They say that nothing was done, that a permission is
// missing, or that another user is editing the same record. Some messages have no role and are only
// red.

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

var (
	undone = []string{
		"Not permitted for your role", "Your role does not have access", "Unzulässig für Ihre Rolle", "Action non autorisée", "Operazione non consentita",
		"Geen rechten", "Brak uprawnień", "Недостаточно прав", "許可されていません", "권한이 없음",
		"0 orders deleted", "0 of 3 orders deleted", "No orders were deleted", "None of the orders was deleted", "Deleted 0 orders", "0 orders deleted, 3 skipped", "0 von 3 gelöscht",
		"Es wurden keine Aufträge gelöscht", "Aucune commande supprimée", "Ningún pedido eliminado", "Nessun ordine eliminato", "Geen bestellingen verwijderd", "Удалено 0 заказов", "已删除0条", "0件を削除しました",
		"Заказ не удалён", "Commande non supprimée", "Commandes non supprimées", "Pedido no eliminado",
		"Ordine non eliminato", "Zamówienia nie usunięto", "Zamówienie nie usunięte", "Objednávka nesmazána", "订单未删除", "Order not archived", "Tilausta ei poistettu",
		"Order is locked by Bob", "Order 7 is currently being edited by Ann", "In use by Bob", "Verrouillée par Paul", "Bloqueado por Ana", "订单被Bob锁定", "Someone else changed it meanwhile",
		"You need to remove 3 invoices before", "Solo un administrador puede borrar", "Please contact your administrator", "Bitte wenden Sie sich an Ihren Administrator",
	}
	doneAll = []string{
		"0 errors, 3 orders deleted", "0 conflicts", "0 orders left", "No problem, order deleted", "0 created, 3 updated", "10 orders deleted",
		"Order deleted. No e-mails were sent", "No orders left", "3 von 3 gelöscht", "20 Aufträge gelöscht", "Заказ удалён", "已删除10条", "3件を削除しました", "Commande supprimée", "Role permitted",
		"Locked by you", "Order unlocked by Bob", "Order deleted. Please contact your administrator to restore it", "未保存的草稿已删除", "Удалено 10 заказов",
	}
)

// TestMessagesWithNothingDone checks that such messages are failures as a status, an alert and a
// toast.
func TestMessagesWithNothingDone(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler()) + "/asked.html"
	var cases []dialogCase
	for i, kind := range [][]string{undone, doneAll} {
		for j, text := range kind {
			tt := dialogCase{name: text, action: []string{confirms, accepts}[j%2], pressed: "Delete"}
			role := []string{"dialog", "alertdialog"}[j%2]
			as := []string{"role=status", "role=alert", "class=toast"}[j%3]
			row, gone := "", ""
			if i > 0 {
				row, gone = "<table><tr><td>7<tr id=row><td>8</table>", "; row.remove()"
			}
			tt.html = row + box(role, "Delete?", fmt.Sprintf(`<button type=button data-says="%s" onclick="end(this)%s; show('<div %s>' + this.dataset.says + '</div>')">Delete</button>`, text, gone, as)+shut("Cancel"))
			if i == 0 {
				tt.fails = fmt.Sprintf("the page says %q", text)
			}
			cases = append(cases, tt)
		}
	}
	eachDialog(t, base, testkit.Some(t, "messages of nothing done", 16, cases))
}

var redCases = []dialogCase{
	{name: "red", html: after("later(300, () => show('<p style=color:red>Order 17 could not be deleted</p>'))"), action: confirms, pressed: "Delete", fails: "in red \"Order 17 could not be deleted\""},
	{name: "red at once", html: after("show('<p style=color:#c00>Order is locked by Bob</p>')"), action: confirms, pressed: "Delete", fails: "in red \"Order is locked by Bob\""},
	{name: "red when the server has answered", html: posted("/asked.html?taken", "show('<div><span style=color:red>Order has invoices</span></div>')"), action: confirms, pressed: "Delete", fails: "in red \"Order has invoices\""},
	{name: "red beside a question", html: box("alertdialog", "Delete?", doing("Delete", "end(this); show('<p style=color:red>0 orders deleted</p>')")+shut("Cancel")), action: accepts, pressed: "Delete", fails: "in red \"0 orders deleted\""},

	{name: "plain", html: posted("/asked.html", "show('<p>The invoice could not be removed</p>')"), action: confirms, pressed: "Delete", fails: "the page says \"The invoice could not be removed\""},
	{name: "plain, in German", html: posted("/asked.html", "show('<p>Die Rechnung konnte nicht gelöscht werden</p>')"), action: confirms, pressed: "Delete", fails: "konnte nicht gelöscht werden"},
	{name: "plain, in French", html: posted("/asked.html", "show('<p>Impossible de supprimer la facture</p>')"), action: confirms, pressed: "Delete", fails: "Impossible de supprimer"},
	{name: "plain, in Chinese", html: posted("/asked.html", "show('<p>无法删除该发票</p>')"), action: confirms, pressed: "Delete", fails: "无法删除"},

	{name: "plain before", html: `<p>Invoice 9 could not be removed</p>` + posted("/asked.html", ""), action: confirms, pressed: "Delete"},
	{name: "plain of success", html: posted("/asked.html", "show('<p>The invoice was removed and cannot be opened any more</p>')"), action: confirms, pressed: "Delete"},
	{name: "a row that failed", html: posted("/asked.html", "show('<table><tr><td>17<td>Could not be sent</table>')"), action: confirms, pressed: "Delete"},
	{name: "red before", html: `<p style="color:red">Order 9 could not be deleted</p>` + after(""), action: confirms, pressed: "Delete"},
	{name: "red of success", html: after("show('<p style=color:red>Order 17 deleted</p>')"), action: confirms, pressed: "Delete"},
	{name: "a row with a red state", html: after("show('<table><tr><td>17<td style=color:red>Payment failed</table>')"), action: confirms, pressed: "Delete"},
	{name: "a red mark of a state", html: after("show('<p style=color:red>Failed</p><table><tr><td>17</table>')"), action: confirms, pressed: "Delete"},
	{name: "grey", html: after("show('<p>Errors of this week</p><table><tr><td>17</table>')"), action: confirms, pressed: "Delete"},
	{name: "red on another page", html: after("location.search = 'html=' + encodeURIComponent('<p style=color:red>Order 3 could not be sent</p>')"), action: confirms, pressed: "", fails: "Order 3 could not be sent"},
}

// TestMessagesWithoutARole tests messages in red that appear after the answer to a question.
func TestMessagesWithoutARole(t *testing.T) {
	t.Parallel()
	eachDialog(t, serve(t, pages.Handler())+"/asked.html", testkit.Some(t, "messages in red", 6, redCases))
}

// TestFormSubmitOfNothingDone tests the same messages after a submit.
func TestFormSubmitOfNothingDone(t *testing.T) {
	t.Parallel()
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>t</title><h1>Shop</h1><form onsubmit="event.preventDefault();const f=this;fetch('/p',{method:'POST'}).then(()=>{f.n.value='';t.textContent=t.dataset.says;r.textContent=r.dataset.says})">`+
			`<label>Name <input name=n value=Ada></label><button>Save</button></form><div role=status id=t data-says="%s"></div><table><tr><td>7<tr><td id=r data-says="%s"></table>`, html.EscapeString(r.URL.Query().Get("says")), r.URL.Query().Get("row"))
	}))
	b := newBench(t, nil, nil)
	for i, kind := range [][]string{undone, doneAll} {
		for _, text := range testkit.Some(t, "submits of nothing done", 16, kind) {
			t.Run(text, func(t *testing.T) {
				t.Parallel()
				b := b.beside(t)
				b.open(t, fmt.Sprint(base, "/?says=", url.QueryEscape(text), "&row=", []string{"", "Ada"}[i]))
				r := b.run(t, "components:form:submit", nil)
				if i > 0 {
					data(t, r)
					return
				}
				wantError(t, r, diag.StepFailed, text)
			})
		}
	}
}
