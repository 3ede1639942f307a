package session_test

import "testing"

// overWords say that an offer is over, full or gone, that another one has done something, or that
// nothing is sent yet, with the participles of success. None is a success.
var overWords = []string{
	"Sorry, this item is out of stock", "Insufficient funds. Your order was saved as a draft.", "Not enough credit. Your request was saved.", "在庫切れです", "余额不足，订单已保存", "残高不足です",
	"Guthaben nicht ausreichend", "Solde insuffisant", "Saldo insuficiente. Pedido guardado.", "Fondi insufficienti", "Saldo ontoereikend", "Niewystarczające środki", "Недостаточно средств", "잔액 부족",
	"This position has been filled. Thank you for your interest.", "Position filled", "Voting has ended", "Voting has ended. Thank you for your interest.", "Registration for this course is closed",
	"All 5 seats are taken", "Applications closed", "Too late", "Too late. Your request was received after the deadline.", "Your request was received after the deadline.", "The deadline has passed. Your answers were saved.",
	"This customer was updated by Bob a minute ago.", "This customer was deleted by Bob.", "The record has been changed by Ann Lee", "Bob has just updated this record",
	"Stelle besetzt", "Diese Stelle wurde bereits besetzt. Vielen Dank für Ihr Interesse.", "Die Umfrage ist bereits abgeschlossen.", "Anmeldung geschlossen", "Der Kurs ist voll", "Ihre Bewerbung ist zu spät eingegangen",
	"Der Datensatz wurde von Bob geändert", "Die Abstimmung ist seit gestern beendet",
	"Inscriptions closes", "Les inscriptions sont terminées depuis le 1er mai.", "Le vote est terminé", "Poste pourvu", "Trop tard", "Cette fiche a été modifiée par Paul", "Demande reçue après la date limite",
	"Inscripción cerrada", "El plazo de inscripción ha finalizado.", "La votación ha terminado", "Puesto cubierto", "Demasiado tarde", "El registro fue actualizado por Ana",
	"Iscrizioni chiuse", "Il concorso è terminato", "Troppo tardi", "La scheda è stata modificata da Anna", "Inscrições encerradas", "O prazo terminou", "O registro foi alterado por Ana", "Tarde demais",
	"Inschrijving gesloten", "De vacature is vervuld", "Te laat", "Het record is door Jan gewijzigd", "Zapisy zakończone", "Głosowanie zostało zakończone", "Za późno", "Rekord został zmieniony przez Anna",
	"Приём заявок завершён", "Голосование завершено", "Слишком поздно", "Запись изменена пользователем Анна",
	"报名已结束", "名额已满", "职位已招满", "您已参与过本次调查", "记录已被Bob修改", "受付終了", "受付は5月1日に完了しました。", "すでに申込が完了しています。", "募集は終了しました", "Bobさんがこの顧客を更新しました", "접수가 마감되었습니다", "투표 종료", "모집 마감",
	"You are offline. Your changes will be sent later.", "Your changes will be saved when you are back online", "Sie sind offline. Ihre Änderungen werden später gesendet.", "Vous êtes hors ligne. Vos modifications seront envoyées plus tard.",
	"Está sin conexión. Sus cambios se enviarán más tarde.", "Sei offline. Le modifiche saranno inviate più tardi.", "Você está offline. As alterações serão enviadas mais tarde.", "U bent offline. Uw wijzigingen worden later verzonden.",
	"Jesteś offline. Zmiany zostaną wysłane później.", "Вы не в сети. Изменения будут отправлены позже.", "当前离线，更改将在稍后发送", "オフラインです。変更は後で送信されます。", "오프라인입니다. 나중에 전송됩니다.",
	"Umfrage abgeschlossen", "Survey completed", "Sondage terminé", "Encuesta finalizada",
	"The bus has left. Thank you for your interest.", "All places are full: registration closed.", "Anmeldung zum Kurs: Frist abgelaufen", "Alle Plätze sind vergeben",
}

// doneWords are near to those, and successes.
var doneWords = []string{
	"Order completed", "Registration complete", "Survey completed. Thank you!", "Umfrage abgeschlossen. Danke für Ihre Teilnahme", "Import finished. 120 rows imported.", "Votre inscription est terminée", "Inscription terminée",
	"Inscripción completada", "Registro finalizado con éxito", "Rejestracja zakończona pomyślnie", "Регистрация завершена", "注册完成", "受付が完了しました", "受付完了", "登録が完了しました", "신청이 완료되었습니다",
	"Customer saved. You are back online.", "Order placed. A confirmation e-mail will be sent later.", "Your registration was received before the deadline", "Thank you for your interest. We will get back to you.",
	"Saved. It was last edited by you.", "Booking confirmed. It is never too late to bring a friend.", "Changes saved. You will be notified when the position is filled.",
	"Thanks for your registration for the full-day workshop", "Application for the course full-time submitted", "Ihr Termin wurde vergeben und gespeichert", "Ihr Angebot wurde erfolgreich eingestellt",
	"Les résultats seront publiés après la clôture. Participation enregistrée.", "Results will be sent after the deadline. Entry saved.", "Dépôt terminé. Fichier envoyé.", "Aanmelding met vol pension geboekt",
	"Order placed. Tracking is currently unavailable.", "Sprzedaż zakończona", "Продажа завершена",
	"Pedido realizado", "Número de pedido: 7712", "Rendez-vous pris", "Numéro de commande : 7712", "Ihre Buchungsnummer lautet 88-1203.", "Numero d'ordine: 7712", "Número do pedido: 7712", "Ordernummer: 7712",
	"Numer zamówienia: 7712", "Номер заказа: 7712", "订单编号：7712", "ご注文番号: 7712", "주문번호: 7712",
	"Termin vereinbart", "Rendez-vous fixé", "Cita agendada", "Reserva efectuada", "Appuntamento fissato", "Ordine effettuato", "Pedido efetuado", "Consulta marcada", "Afspraak gemaakt", "Zamówienie złożone", "Заказ оформлен",
}

// closingWords name what was to be done.
var closingWords = [][2]string{
	{"Close survey", "The survey is closed"}, {"End voting", "Voting has ended"}, {"Umfrage beenden", "Die Abstimmung wurde beendet"}, {"Fermer le vote", "Le vote a été fermé"},
	{"Save draft", "Saved as a draft"}, {"Send later", "Your message will be sent later"},
}

// TestMessagesOfWhatIsOver checks that what is over is no success, though its words are those of
// what was done.
func TestMessagesOfWhatIsOver(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for _, text := range overWords {
		if got := j.says(t, "form:judge", text, ""); got["good"] == true && got["bad"] == false {
			t.Errorf("%q is a success: %v", text, got)
		}
	}
	for _, text := range doneWords {
		if got := j.says(t, "form:judge", text, ""); got["bad"] == true || got["good"] != true {
			t.Errorf("%q is no success: %v", text, got)
		}
	}
	for _, tt := range closingWords {
		if got := j.says(t, "form:judge", tt[1], tt[0]); got["bad"] == true {
			t.Errorf("%q after %q is a refusal: %v", tt[1], tt[0], got)
		}
	}
	for asked, text := range map[string]string{"Publish": "Saved as a draft", "Bestellen": "Als Entwurf gespeichert"} {
		if got := j.says(t, "form:judge", text, asked); got["bad"] != true {
			t.Errorf("%q after %q is no refusal: %v", text, asked, got)
		}
	}
}
