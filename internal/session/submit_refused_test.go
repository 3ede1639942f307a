package session_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// refusingHeadings replace a form whose POST was answered with status 200, and refuse it.
var refusingHeadings = []string{
	"Paiement refusé", "Échec du paiement", "Une erreur est survenue", "Impossible d’enregistrer la commande", "Pago rechazado", "Error al guardar",
	"Algo salió mal", "Pagamento rifiutato", "Pagamento non riuscito", "Si è verificato un errore", "Pagamento recusado", "Não foi possível salvar",
	"Betaling mislukt", "Er is iets misgegaan", "Płatność odrzucona", "Nie udało się zapisać", "Platba zamítnuta", "Uložení se nezdařilo",
	"Платёж отклонён", "Не удалось сохранить", "お支払いに失敗しました", "エラーが発生しました", "결제 실패", "저장하지 못했습니다", "支付被拒绝", "Betalningen misslyckades",
	"Något gick fel", "Betalingen mislykkedes", "Maksu epäonnistui", "Ödeme reddedildi", "Sipariş kaydedilemedi", "We couldn’t process your order",
	"A mentés nem sikerült", "Nem sikerült elmenteni", "A rendelés nem lett elmentve",
	"Uložení se nepodařilo", "Zákazník nebyl uložen", "Nie zapisano zmian", "Zamówienie nie zostało wysłane", "Tallennus ei onnistunut",
	"Tilausta ei voitu lähettää", "Ändringarna sparades inte", "Det gick inte att spara", "Ordren blev ikke gemt", "Bestillingen ble ikke sendt",
	"De bestelling is niet opgeslagen", "Opslaan is niet gelukt", "Sipariş kaydedilmedi", "Comanda nu a fost salvată", "Salvarea a eșuat",
	"Η αποθήκευση δεν ήταν δυνατή", "Η παραγγελία δεν αποθηκεύτηκε", "Не вдалося зберегти", "El pedido no se guardó", "Transaction unsuccessful", "Sorry, that didn’t work", "Order not placed", "Zahlung abgelehnt",
}

// otherHeadings replace the form too, but report success or head lists of refused entries.
var otherHeadings = []string{
	"Paiement accepté", "Paiements refusés", "Pagos rechazados", "Pago aceptado", "Pagamenti rifiutati", "Ordine confermato", "Pagamento aprovado",
	"Betaling gelukt", "Odrzucone płatności", "Platba přijata", "Отклонённые платежи", "Платёж принят", "お支払いが完了しました", "결제 완료", "支付成功",
	"Betalningen lyckades", "Ödeme alındı", "Thank you: your card has not been charged yet", "Errors of this week", "Abgelehnte Anträge",
	"Sikeres mentés", "Nem mentett vázlatok", "Uloženo", "Zapisano", "Tallennettu", "Ikke sendte ordrer", "Niet-opgeslagen wijzigingen", "Opgeslagen",
	"Sipariş kaydedildi", "Comanda a fost salvată", "Αποθηκεύτηκε", "Ordren er gemt", "Ikke læste beskeder",
}

// TestFormSubmitRefusedInLanguages tests headings that replace a form and refuse it, in many
// languages.
func TestFormSubmitRefusedInLanguages(t *testing.T) {
	t.Parallel()
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.Method == http.MethodPost {
			fmt.Fprintf(w, "<!doctype html><title>t</title><h1>Shop</h1><h2>%s</h2><table><tr><th>Name<tr><td>Ada</table>", html.EscapeString(r.URL.Query().Get("says")))
			return
		}
		fmt.Fprint(w, "<!doctype html><title>t</title><h1>Shop</h1><form method=post><label>Name <input name=n></label><button>OK</button></form>")
	}))
	b := newBench(t, nil, nil)
	send := func(t *testing.T, heading, fails string) {
		t.Parallel()
		b := b.beside(t)
		b.open(t, base+"/?says="+url.QueryEscape(heading))
		r := b.run(t, "components:form:submit", nil)
		if fails == "" {
			data(t, r)
			return
		}
		wantError(t, r, diag.StepFailed, fails)
	}
	for _, heading := range testkit.Some(t, "headings that refuse", 32, refusingHeadings) {
		t.Run(heading, func(t *testing.T) { send(t, heading, heading) })
	}
	for _, heading := range testkit.Some(t, "other headings", 32, otherHeadings) {
		t.Run(heading, func(t *testing.T) { send(t, heading, "") })
	}
}
