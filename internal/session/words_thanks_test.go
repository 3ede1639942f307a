package session_test

import "testing"

// politeWords are messages of thanks or welcome that go on to ask for something, to refuse, or to
// make the user wait, and messages that ask in words of thanks. None is a success.
var politeWords = []string{
	"Merci de corriger votre saisie.", "Merci d'accepter nos conditions pour continuer.", "Merci d’accepter nos conditions pour continuer.",
	"Merci de contacter votre administrateur.", "Merci de réessayer plus tard.", "Merci de vous reconnecter.", "Merci de remplir tous les champs.",
	"Merci de vérifier votre adresse.", "Merci de passer à la formule Pro.", "Merci de bien vouloir patienter", "Merci de ne pas fermer cette page",
	"Merci de nous rejoindre plus tard", "Merci de les saisir à nouveau", "Merci d'avance de compléter le formulaire", "Merci d'utiliser une adresse confirmée",
	"Merci de mettre à jour votre profil", "Merci de lire les conditions", "Merci de revoir votre demande", "Merci d'attendre",
	"Merci, mais les inscriptions sont complètes", "Merci. Veuillez vous reconnecter.",
	"Thanks for your interest, but sign-up is full.", "Thank you. Registration is closed.", "Thank you for waiting. You are number 113.",
	"Thank you for your interest. However, we are not hiring.", "Thank you. You are in the queue.", "Thanks! Please sign in again.", "Thank you, please try again later.",
	"Thank you. Please contact your administrator.", "Thank you for your order, but we do not ship to Norway", "Thank you for your cooperation",
	"Thanks. You must accept our terms to continue.", "Welcome. Please pick a workspace to go on.",
	"Danke für Ihr Interesse, aber die Plätze sind weg", "Danke, bitte melden Sie sich erneut an", "Danke fürs Warten", "Danke, dass Sie warten. Sie sind Nummer 113.",
	"Vielen Dank. Bitte wenden Sie sich an den Support.", "Vielen Dank für Ihre Mithilfe", "Willkommen. Bitte wählen Sie einen Tarif.",
	"Gracias por esperar", "Gracias por su interés, pero el cupo está lleno", "Gracias. Por favor, inicie sesión de nuevo.", "Gracias, inténtelo más tarde",
	"Obrigado, mas o limite foi atingido.", "Obrigado por aguardar", "Obrigada. Por favor, entre novamente.", "Obrigado pela espera",
	"Grazie, ma il limite è stato raggiunto", "Grazie per l’attesa", "Grazie. Si prega di accedere di nuovo.",
	"Bedankt, maar de lijst is vol", "Bedankt voor het wachten", "Bedankt. U moet opnieuw inloggen.",
	"Dziękujemy, ale limit został osiągnięty", "Dziękujemy za cierpliwość", "Dziękujemy. Proszę zalogować się ponownie.",
	"Děkujeme, ale kapacita je plná", "Спасибо, но лимит достигнут", "Спасибо за ожидание", "Спасибо. Пожалуйста, войдите снова.",
	"Tack, men listan är full", "Tak, men listen er fuld", "Takk, men listen er full", "Kiitos, mutta lista on täynnä", "Teşekkürler, ancak kontenjan doldu",
	"Köszönjük, azonban a lista megtelt", "Mulțumim, dar lista este plină", "Ευχαριστούμε, αλλά η λίστα είναι γεμάτη", "Дякуємо, але список заповнено",
	"谢谢，但名额已满", "感谢您的等待", "谢谢，请重新登录", "ありがとうございます。ただし定員に達しています", "감사합니다. 하지만 정원이 찼습니다",
	"Thanks, but only pictures are accepted", "Merci de votre intérêt, mais les places sont réservées", "Danke, aber nur Kunden werden registriert",
	"Session terminée", "Votre session est terminée",
}

// thankingWords show success only by their thanks.
var thankingWords = []string{
	"Thanks!", "Thank you, Eva", "Thank you for your order. Please keep this number.", "Thank you for signing up! Please verify your e-mail.", "Thanks, see you soon", "Thank you. You may close this window.",
	"Thank you! If you have questions, please contact us.", "Thanks, we have your message", "Thank you for your interest.", "Thanks for reaching out",
	"Merci", "Merci !", "Merci, Eva Lang", "Merci de votre commande", "Merci de votre message.", "Merci d'avoir répondu", "Merci de nous avoir contactés", "Merci de vous être inscrit",
	"Merci pour votre inscription", "Merci de votre confiance", "Merci d’avoir commandé. Veuillez conserver ce numéro.", "Merci beaucoup", "Merci à vous",
	"Danke", "Vielen Dank für Ihre Anfrage", "Danke für Ihre Bestellung. Bitte bewahren Sie die Nummer auf.", "¡Gracias!", "Gracias por su mensaje", "Gracias por registrarse", "Grazie", "Grazie per averci contattato",
	"Obrigado!", "Obrigado pelo contato", "Bedankt voor uw bericht", "Bedankt", "Dziękujemy za zamówienie", "Děkujeme", "Спасибо за заказ", "Спасибо!", "Tack för din beställning", "Tak", "Takk", "Kiitos",
	"Teşekkürler", "Köszönjük", "Mulțumim", "Ευχαριστούμε", "Дякуємо", "谢谢", "感谢您的反馈", "ありがとうございます", "감사합니다", "Terima kasih", "Cảm ơn", "تم الحفظ، شكرا", "תודה", "Welcome, Eva", "Bienvenue",
}

// TestMessagesOfThanks checks that thanks are a success, unless a request, a refusal or a wait
// follows them.
func TestMessagesOfThanks(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for _, text := range politeWords {
		if got := j.says(t, "form:judge", text, ""); got["good"] == true {
			t.Errorf("%q is a success: %v", text, got)
		}
	}
	for _, text := range thankingWords {
		if got := j.says(t, "form:judge", text, ""); got["bad"] == true || got["good"] != true {
			t.Errorf("%q is no success: %v", text, got)
		}
	}
	for text, wants := range map[string]bool{
		"Please sign in again": true, "Veuillez vous reconnecter": true, "Bitte melden Sie sich an": true, "请重新登录": true, "Please keep this number": false, "We answer within two days": false,
	} {
		if got := j.says(t, "form:judge", text, ""); got["wants"] != wants {
			t.Errorf("%q asks to do something: %v", text, got)
		}
	}
}
