package session_test

// Tests of messages that say that a page is missing or forbidden, in all known languages.

import (
	"context"
	"testing"

	"github.com/actionregistry/action/executor"
)

// TestLinkWords tests messages that refuse a page after an apology or in unusual words, and messages
// that only mention pages.
func TestLinkWords(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	is := func(text string, want bool) {
		t.Helper()
		r := j.Run(context.Background(), nil, "web:page:refuses", object{"text": text}, executor.RunOptions{})
		if got := data(t, r)["bad"]; got != want {
			t.Errorf("%q: %v, want %v (%v)", text, got, want, data(t, r))
		}
	}
	for _, text := range []string{
		"This link has expired", "This invitation is no longer valid", "We couldn’t find that report", "That order could not be found", "410 Gone", "Dieser Link ist abgelaufen", "Diese Datei wurde gelöscht",
		"Ce lien a expiré", "Este enlace ha caducado", "链接已过期", "Reports are a Pro feature", "Members only", "Upgrade to see your reports", "Verify your email to continue", "Your trial has ended", "Slow down", "仅限会员访问",
		"Sorry, you are not allowed to see this.", "Diese Seite gibt es nicht", "Leider gibt es diese Seite nicht mehr.", "Ups, hier ist nichts", "Cette page n’existe pas", "Désolé, cette page n'existe plus.", "Esta página no existe", "页面不存在", "抱歉，您访问的页面不存在", "此页面不存在", "这里什么都没有",
		"Sorry but you are not allowed to see this", "Sorry! Access denied.", "We're sorry, but something went wrong.", "Es tut uns leid, etwas ist schiefgelaufen", "Oops", "Oops! We lost it", "404 Oops", "Error 404: Page not found", "Error: Page not found", "Sorry, page not found",
		"Die Seite, die Sie suchen, existiert nicht.", "La page que vous cherchez n'existe pas.", "La página que buscas no existe", "Questa pagina non esiste", "Esta página não existe", "Deze pagina bestaat niet", "Ta strona nie istnieje", "Tato stránka neexistuje", "Такой страницы не существует", "Эта страница не найдена", "Такої сторінки немає",
		"Den här sidan finns inte", "Denne side findes ikke", "Denne siden finnes ikke", "Tätä sivua ei ole olemassa", "Böyle bir sayfa yok", "Bu sayfa mevcut değil", "Ez az oldal nem létezik", "Această pagină nu există", "Αυτή η σελίδα δεν υπάρχει", "Trang này không tồn tại", "Halaman ini tidak ada", "このページは存在しません", "이 페이지는 존재하지 않습니다",
		"We couldn't find that page", "Wir konnten diese Seite nicht finden", "Nous ne trouvons pas cette page", "No hemos podido encontrar la página", "Non troviamo la pagina", "Não encontramos esta página", "We kunnen de pagina niet vinden", "没有找到该页面", "This page has been removed", "Nothing here", "There is nothing here.", "Il n’y a rien ici", "Aquí no hay nada", "Qui non c'è niente", "Não há nada aqui", "Hier is niets", "Nic tu nie ma", "Здесь ничего нет", "Här finns inget", "Täällä ei ole mitään", "ここには何もありません",
		"You can’t view this page.", "Entschuldigung, du darfst diese Seite nicht sehen", "Vous ne pouvez pas consulter cette page", "No puedes ver esta página", "Non puoi visualizzare questa pagina", "Você não pode acessar esta página", "您不能访问此页面", "このページを表示できません", "You are not allowed to view this.", "Unfortunately, you don't have permission to view this",
		"Your account has been suspended.", "Account suspended", "Ihr Konto wurde gesperrt", "Votre compte a été suspendu", "Su cuenta ha sido suspendida", "Il tuo account è stato sospeso", "Sua conta foi suspensa",
		"Uw account is geblokkeerd", "Twoje konto zostało zawieszone", "Ваш аккаунт заблокирован", "您的账户已被停用", "アカウントが停止されました", "계정이 정지되었습니다",
		"Accept our new terms", "Please accept our new terms of service.", "Bitte akzeptieren Sie unsere neuen AGB", "Veuillez accepter nos nouvelles conditions", "Acepte nuestros nuevos términos",
		"Accetta i nuovi termini", "Aceite os novos termos", "Accepteer onze nieuwe voorwaarden", "Zaakceptuj nowy regulamin", "Примите новые условия", "请接受新的服务条款", "新しい利用規約に同意してください",
		"Invoice not found", "Rechnung nicht gefunden", "Facture introuvable", "Factura no encontrada", "Fattura non trovata", "Fatura não encontrada", "Factuur niet gevonden", "Nie znaleziono faktury", "Счёт не найден",
		"未找到发票", "請求書が見つかりません", "Internal Server Error", "null", "This feature is not part of your plan", "Ask your administrator for access", "Link expired", "Checking your browser",
	} {
		is(text, true)
	}
	for _, text := range []string{
		"Links expire after a week", "Expired links", "Members", "Upgrade", "Your trial", "Order 17 is closed", "Reports", "File deleted", "Subscription plans", "Verify your work",
		"Sorry", "Sorry we missed you", "Sorry, we are closed on Sundays", "Page design", "Pages", "This page explains why it matters", "How to build a page that does not exist", "Diese Seite ist nicht verschlüsselt", "This page is not available in German", "Only members can comment.", "You can't view archived orders in the list", "No orders found", "Find a page", "Nothing new", "Orders", "Seite 2 von 3", "Not all pages are shown", "Diese Seite wurde gespeichert", "Cette page est vide", "La página existe", "Startseite", "抱歉我们周日休息", "Log in to comment on this", "Neue Seite", "Help! The page", "Error handling", "Errors: 3", "A page no one reads", "Страница 2: заказов нет", "Sayfa 2: sipariş yok", "このページに注文はありません", "이 페이지에 데이터가 없습니다", "Di halaman ini pesanan tidak ada",
		"Account suspended users", "Suspended accounts", "Terms of service", "Our new terms explained", "How to accept new terms", "Gesperrte Konten", "Conditions générales", "Lost and found", "Comptes suspendus",
		"Plans and prices", "Null hypothesis", "Your account", "Account blocked out for June", "Found", "已停用的账户", "利用規約", "Link list", "Invoices found",
	} {
		is(text, false)
	}
}
