package session_test

// Tests of questions that open again after they have closed, questions in a tooltip, and messages
// after the answer that report an obstacle or that nothing was done.

import (
	"fmt"
	"testing"

	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

// again returns a button that hides its dialog, or removes it if by is "rendered", and shows it
// again after ms milliseconds.
func again(text string, ms int, by string) string {
	how := "box.hidden = true; later(%d, () => { box.hidden = false })"
	if by == "rendered" {
		how = "const html = box.outerHTML; box.remove(); later(%d, () => show(html))"
	}
	return doing(text, "const box = this.closest('[role]'); "+fmt.Sprintf(how, ms))
}

// tip returns a question in a tooltip.
func tip(html string) string {
	return `<div role=tooltip style="position:fixed;top:60px;left:20px;background:#eee"><p>Delete this row?</p>` + html + `</div>`
}

var againCases = []dialogCase{
	{name: "hidden and shown again soon", html: box("dialog", "Delete?", again("Delete", 200, "hidden")+shut("Cancel")), action: confirms, pressed: "Delete", fails: "is open again"},
	{name: "hidden and shown again", html: box("dialog", "Delete?", again("Delete", 700, "hidden")+shut("Cancel")), action: confirms, pressed: "Delete", fails: "is open again"},
	{name: "rendered anew later", html: box("dialog", "Delete?", again("Delete", 400, "rendered")+shut("Cancel")), action: confirms, pressed: "Delete", fails: "is open again"},
	{name: "rendered anew beside a notice", html: box("dialog", "Delete?", again("Delete", 400, "rendered")+shut("Cancel")) + `<img src=x onerror="later(500, () => show('<div role=alertdialog aria-label=News>News</div>'))">`, action: confirms, pressed: "Delete", fails: "is open again"},
	{name: "a question beside, soon", html: box("alertdialog", "Delete?", again("Delete", 200, "rendered")+shut("Cancel")), action: accepts, pressed: "Delete", fails: "is open again"},
	{name: "a question beside", html: box("alertdialog", "Delete?", again("Delete", 400, "hidden")+shut("Cancel")), action: accepts, pressed: "Delete", fails: "is open again"},
	{name: "a question beside, later", html: box("alertdialog", "Delete?", again("Delete", 700, "rendered")+shut("Cancel")), action: accepts, pressed: "Delete", fails: "is open again"},
	{name: "a tip that is rendered anew", html: tip(again("Delete", 400, "rendered") + shut("Cancel")), action: accepts, pressed: "Delete", fails: "is open again"},
	{name: "the next one, under the same title", html: box("dialog", "Delete?", "<p>Order 1</p>"+doing("Delete", "end(this); later(400, () => show('<div role=dialog><h2>Delete?</h2><p>Order 2</p></div>'))")+shut("Cancel")), action: confirms, pressed: "Delete"},
	{name: "another of the same text", html: box("alertdialog", "Delete?", shut("Delete", "Cancel")) + box("alertdialog", "Delete?", shut("Delete", "Cancel")), action: accepts, params: object{"text": "Delete"}, fails: "matches 2"},
	{name: "another comes later", html: box("dialog", "Delete?", doing("Delete", "end(this); later(300, () => show('<div role=dialog><h2>Deleted</h2></div>'))")+shut("Cancel")), action: confirms, pressed: "Delete"},

	{name: "a beacon that is refused", html: box("dialog", "Delete?", doing("Delete", "end(this); navigator.sendBeacon('/missing', 'x')")+shut("Cancel")), action: confirms, pressed: "Delete", fails: "what it sent has failed"},
	{name: "a beacon that is taken", html: box("dialog", "Delete?", doing("Delete", "end(this); navigator.sendBeacon('/asked.html?taken', 'x')")+shut("Cancel")), action: confirms, pressed: "Delete"},
	{name: "a beacon of telemetry that is refused", html: box("dialog", "Delete?", doing("Delete", "end(this); navigator.sendBeacon('/collect', 'x')")+shut("Cancel")), action: confirms, pressed: "Delete"},
	{name: "a tab that is refused", html: box("dialog", "Delete?", doing("Delete", "end(this); window.open('/missing')")+shut("Cancel")), action: confirms, pressed: "Delete", fails: "is HTTP 404"},
	{name: "a tab", html: box("dialog", "Delete?", doing("Delete", "end(this); window.open('/asked.html')")+shut("Cancel")), action: confirms, pressed: "Delete"},

	{name: "a tip that asks", html: tip(doing("Delete", "this.parentNode.remove()") + doing("Cancel", "this.parentNode.remove()")), action: accepts, pressed: "Delete"},
	{name: "a tip that stays open", html: tip(doing("Delete", "") + doing("Cancel", "this.parentNode.remove()")), action: accepts, pressed: "Delete", fails: "still open"},
	{name: "a tip that only says something", html: `<div role=tooltip>Press here to delete <button>×</button></div>`, action: accepts, fails: "nothing matches"},
	{name: "a tip that is hidden", html: `<div role=tooltip hidden>Delete? ` + shut("Delete", "Cancel") + `</div>`, action: accepts, fails: "nothing matches"},
	{name: "a tip beside a question", html: box("alertdialog", "Delete?", shut("Delete", "Cancel")) + tip(shut("Reject", "Cancel")), action: accepts, pressed: "Delete"},
}

func TestDialogsAgain(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler()) + "/asked.html"
	b := newBench(t, nil, nil)
	for _, tt := range testkit.Some(t, "dialogs again", 8, againCases) {
		t.Run(tt.name, func(t *testing.T) { b.dialogs(t, base, tt) })
	}
}

// Messages that the page shows in an alert after the answer. The action must fail for each
// obstacle.
var (
	obstacles = []string{
		"Order has invoices", "Customer has 3 open invoices.", "The customer still has orders", "Category has children", "The order is already paid",
		"The order has already been shipped", "You may not delete this row", "This row may not be deleted", "You aren't allowed to do this", "It is used by 12 orders",
		"Warehouse still in use", "3 orders depend on it", "You must first close the order", "Remove the invoices first", "Only admins can delete orders", "The folder is not empty",
		"Auftrag hat Rechnungen", "Der Kunde hat noch offene Rechnungen", "Bitte zuerst die Rechnungen löschen", "La commande a des factures", "La commande est déjà payée",
		"El pedido tiene facturas", "El pedido ya está pagado", "L'ordine ha delle fatture", "De bestelling is al betaald", "Zamówienie ma jeszcze faktury", "У заказа есть счета",
		"订单有发票", "请先删除发票", "請求書があります", "먼저 송장을 삭제하세요",
	}
	notices = []string{
		"Order deleted", "Order 7 has been deleted", "2 invoices moved", "Undo", "Row removed. Undo", "Order has moved to invoices", "Your cart has 2 items", "You have 3 new messages",
		"Team now has 3 members", "Table has 3 rows", "Anna has access", "You still have 3 days to undo this", "You don't have to do anything", "Version 3 is now in use",
		"Only you can see this page", "Changes may not appear immediately", "First order saved", "Auftrag gelöscht", "Anna hat den Auftrag gelöscht", "Sie haben 3 neue Nachrichten",
		"Vous avez 3 nouveaux messages", "Il y a 3 commandes", "Se ha eliminado el pedido", "Anna ha eliminato la riga", "Заказ удалён", "已移动2张发票", "优先处理", "新着メッセージがあります", "2 dakika önce silindi",
	}
)

func TestMessagesWithAnAnswer(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler()) + "/asked.html"
	var cases []dialogCase
	for i, kind := range [][]string{obstacles, notices} {
		for j, text := range kind {
			tt := dialogCase{name: text, action: []string{confirms, accepts}[j%2], pressed: "Delete"}
			role := []string{"dialog", "alertdialog"}[j%2]
			row, gone := "", ""
			if i > 0 {
				row, gone = "<table><tr><td>7<tr id=row><td>8</table>", "; row.remove()"
			}
			tt.html = row + box(role, "Delete?", fmt.Sprintf(`<button type=button data-says="%s" onclick="end(this)%s; show('<div role=alert>' + this.dataset.says + '</div>')">Delete</button>`, text, gone)+shut("Cancel"))
			if i == 0 {
				tt.fails = fmt.Sprintf("the page says %q", text)
			}
			cases = append(cases, tt)
		}
	}
	cases = testkit.Some(t, "messages", 12, cases)
	eachDialog(t, base, cases)
}
