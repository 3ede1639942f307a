package session_test

// Tests of how messages of pages are judged: as a refusal, a success, neither, or an obstacle. They
// need no page.

import (
	"context"
	"testing"

	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/loader"
	"github.com/actionregistry/action/registry"
	"github.com/actionregistry/action/selectors"
)

// refusingWords are messages that refuse: someone else was first, the state is already reached,
// something is closed, or another value is required.
var refusingWords = []string{
	"Import finished: 0 added, 3 skipped", "3 rows skipped", "0 rows imported", "Imported 0 of 3 rows", "Ada was not created", "Ada wasn't saved.", "Die Zeilen wurden nicht importiert", "La fiche n'a pas été créée", "No se ha guardado el cliente",
	"Zamówienie zostało już wysłane", "Pozvánka již byla odeslána", "Заявка уже отправлена", "该申请已提交过", "Clientul a fost deja creat", "Deze uitnodiging is al verzonden",
	"Thank you. Applications are closed.", "Vielen Dank! Leider sind alle Plätze vergeben.", "Der Name ist reserviert", "Ce nom est réservé", "Name reserved by Bob", "ada@x.org is registered with another account",
	"Booked out", "Fully booked", "Sold out", "Ausgebucht", "Ausverkauft", "Agotado", "Esaurito", "Uitverkocht", "已售罄", "已约满", "満席です", "売り切れ", "매진",
	"Slot was just booked by another guest",
	"Der Termin wurde gerade von jemand anderem gebucht",
	"Ce créneau vient d’être réservé par un autre client",
	"El registro fue actualizado por otro usuario",
	"Il record è stato modificato da un altro utente",
	"Registro atualizado por outro usuário. Recarregue a página.",
	"Rekord został zmieniony przez innego użytkownika",
	"Запись была изменена другим пользователем",
	"Kayıt başka bir kullanıcı tarafından güncellendi",
	"このメールアドレスは登録済みです",
	"该数据已由其他用户更新",
	"Het record is gewijzigd door een andere gebruiker",
	"Posten har uppdaterats av en annan användare",
	"Záznam byl mezitím uložen jiným uživatelem",
	"Tietue on päivitetty toisen käyttäjän toimesta",
	"Posten er ændret af en anden bruger",
	"다른 사용자가 수정했습니다",
	"A rekordot egy másik felhasználó módosította",
	"Înregistrarea a fost salvată de alt utilizator",
	"Запис змінено іншим користувачем",
	"他のユーザーによって更新されました",
	"Der Platz wurde von einem anderen Gast reserviert",
	"Ein anderer Benutzer hat den Datensatz geändert",
	"Un autre utilisateur a modifié la fiche",
	"Otro usuario ha guardado cambios",
	"Un altro utente ha salvato il record",
	"Outro usuário salvou este registro",
	"Een andere gebruiker heeft het record opgeslagen",
	"Inny użytkownik zapisał rekord",
	"Другой пользователь сохранил запись",
	"Saved by someone else",
	"Someone just booked this slot",
	"Name is in the blocklist",
	"Your address is on our blacklist",
	"Der Name steht auf der Sperrliste",
	"2 customers with this name exist",
	"You’ve already applied", "Enter the code sent to ••••42", "Your cart is currently empty.", "Ihr Warenkorb ist leer",
	"购物车是空的", "You're already subscribed",
	"Die Überweisung wurde nicht ausgeführt", "Votre demande n’a pas été transmise", "Bob could not be invited",
	"エラーが発生しました。", "保存中にエラーが発生しました。", "登録処理中に問題が発生しました。", "登録できる顧客数の上限に達しました。",
	"セッションがタイムアウトしました。", "決済が拒否されました。", "アカウントがロックされました。", "処理が中断されました。", "送信に失敗しました。",
	"오류가 발생했습니다.", "저장 중 오류가 발생했습니다.", "등록 가능한 고객 수를 초과했습니다.", "세션이 만료되었습니다.", "등록에 실패했습니다.",
	"요청이 거부되었습니다.", "연결이 끊어졌습니다.", "신청 기간이 종료되었습니다.",
	"This record was changed by Bob in the meantime.", "Ada was updated by Bob. Reload the page.", "This customer was already added.",
	"Cet e-mail est déjà enregistré.", "Ce créneau vient d’être réservé.", "Le nombre de clients enregistrés est atteint.",
	"Dieser Name ist bereits registriert.", "Die Anzahl registrierter Kunden ist erreicht.", "El número de clientes registrados fue alcanzado.",
	"Mit diesem Namen gibt es 2 Kunden",
	"2 clients avec ce nom existent",
	"Please call us, as this form is closed",
	"Thank you! Your message is important to us. Please call us, as this form is closed.",
	"Die Anmeldung ist geschlossen",
	"Les inscriptions sont fermées",
	"报名已结束",
	"Success rate of this card: low. Use another card.",
	"Pick another name",
	"Please choose a different date",
	"Wählen Sie einen anderen Namen",
	"Choisissez un autre nom",
	"Elija otro nombre",
	"Scegli un altro nome",
	"Kies een andere naam",
	"Wybierz inną nazwę",
	"Выберите другое имя",
	"请换一个名称",
	"別の名前を入力してください",
	"다른 이름을 사용하세요",
	"该邮箱已注册",
	"Este correo ya está registrado",
	"Questa email è già registrata",
	"Diese E-Mail ist bereits gespeichert",
	"Dieser Termin wurde schon gebucht",
	"This order was already paid",
	"Order already paid by Maria",
	"To e-mail jest już zarejestrowany",
	"Этот адрес уже зарегистрирован",
	"0 emails sent, 2 failed",
	"8 emails sent, 10 failed",
	"2 emails sent, 0 skipped, 1 failed",
	"2 sent, 0 failed. The rest could not be sent",
	"3 gesendet, 20 fehlgeschlagen",
	"发送成功3条，失败10条",
	"We’ve sent a request to your bank. Do not close this page.", "Your session was restored. Please check your details and place the order again.", "SMS-Code eingeben", "Der Code wurde an +49 ••• 42 gesendet.",
	"Validez le paiement", "Une notification a été envoyée à votre application bancaire.", "A verification email has been sent. You need to verify your address before you can comment.", "Bestellung bereits aufgegeben",
	"Wir haben Ihnen eine E-Mail geschickt. Erst danach wird Ihre Bestellung ausgeführt.", "Vous êtes déjà inscrit", "Enter the code sent to ••••42", "Geben Sie den Code ein", "Introduzca el código que le enviamos",
	"Inserisci il codice", "Digite o código", "Voer de code in", "Wpisz kod z SMS", "Введите код из SMS", "请输入验证码", "認証コードを入力してください", "인증번호를 입력하세요", "Confirme el pago en la app de su banco", "Conferma il pagamento",
	"Confirme o pagamento no app do seu banco", "Bevestig de betaling", "Potwierdź płatność w aplikacji bankowej", "Подтвердите платёж в приложении банка", "请确认支付", "お支払いを承認してください", "결제를 승인해 주세요",
}

// noNewsWords contain words of success, but in a condition, a wish, a question, the future or the
// distant past.
var noNewsWords = []string{
	"内容を確認してください", "この顧客はまだ登録されていません", "ボタンを押すと登録されます", "変更を保存していません", "저장하려면 누르세요", "아직 등록되지 않았습니다",
	"You applied to this job on 3 February.", "Pago no realizado", "Bonifico non eseguito", "受付は終了しました", "모집이 마감되었습니다",
	"저장 안 됨", "취소됨", "No hecho", "Hecho con lana", "Un fait divers", "Feito à mão",
	"Create anyway", "Scheduled maintenance", "Scheduled downtime on Sunday", "Creating a customer takes a moment", "Opened by Ada", "Merge conflict", "Copy of order 7",
	"Please complete the captcha before the customer can be saved",
	"Please finish your profile before the post is published",
	"Bitte lösen Sie das Captcha, bevor der Kunde gespeichert werden kann",
	"Veuillez valider l’e-mail avant que le client soit enregistré",
	"Confirme el correo antes de que el pedido sea enviado",
	"Completa il profilo prima che il cliente sia salvato",
	"Will be saved once an administrator approves your account",
	"Your message will be sent when you confirm your address",
	"Wird gespeichert, sobald ein Administrator zustimmt",
	"Sera enregistré dès qu’un administrateur l’approuve",
	"Se guardará cuando el administrador lo apruebe; será guardado",
	"审核通过后将会保存，完成审核后才能发布",
	"Almost done! Choose a billing plan to create customers",
	"Fast fertig! Wählen Sie einen Tarif",
	"Presque terminé !",
	"¡Casi listo!",
	"Quasi completato",
	"Bijna voltooid",
	"Prawie gotowe",
	"Почти готово",
	"Last saved 3 days ago",
	"Saved 5 minutes ago",
	"Zuletzt gespeichert vor 3 Tagen",
	"Enregistré il y a 2 heures",
	"Guardado hace 3 días",
	"Salvato 3 giorni fa",
	"Salvo há 3 dias",
	"Opgeslagen 3 dagen geleden",
	"Zapisano 3 dni temu",
	"Uloženo před 3 dny",
	"Сохранено 3 дня назад",
	"Sparat för 3 dagar sedan",
	"3天前已保存",
	"3日前に保存しました",
	"3일 전에 저장되었습니다",
	"Updated an hour ago",
	"Thank you for your patience",
	"Thank you for your patience, we are very busy right now",
	"Vielen Dank für Ihre Geduld",
	"Merci de votre patience",
	"Gracias por su paciencia",
	"Grazie per la pazienza",
	"Спасибо за терпение",
	"感谢您的耐心等待",
	"お待ちいただきありがとうございます",
	"기다려 주셔서 감사합니다",
	"Submitted to the wrong queue? Choose a team first",
	"Would you like it to be saved?",
	"Do you want your changes to be saved?",
	"Soll der Kunde gespeichert werden?",
	"Voulez-vous que le client soit enregistré ?",
	"¿Quiere que se guarde? ¿guardado?",
	"To get your account created, choose a plan",
	"Once it is approved, it is published",
	"As soon as you confirm your address, your account is created",
	"Sobald Sie bestätigen, wird das Konto erstellt",
	"Your post is not yet published",
	"Save pending",
	"Waiting to be published",
	"Your order has to be confirmed",
	"Click the link to have it published",
	"Saving is paused while the backup is running",
	"Saved by Maria Weber 2 minutes ago, reload to continue",
	"Your changes have yet to be saved",
	"Something to be done",
	"A customer with this name was created by Maria last week.",
	"Registration was completed on 1 May",
	"Verify your email", "Log in to comment", "Your comment was saved and will be posted once you’re logged in.", "Waiting for your bank", "Verify your email We’ve sent a link to ada@example.com",
	"Verify your email Check your inbox", "You're in the queue", "You’re in line", "Vous n’êtes pas inscrit", "Vous n'êtes pas inscrit", "Sie stehen nicht auf der Warteliste", "Return", "Return not started",
	"Return could not be started", "Start return", "Return will be started once you confirm", "You will be on the waitlist once you pay", "Join the waitlist", "Are you on the waitlist?", "Auf die Warteliste?",
	"Let us know", "Verifica tu correo", "Verifica la tua email", "Verifique seu e-mail", "Verifieer uw e-mailadres", "Potwierdź swój adres e-mail", "Подтвердите адрес электронной почты", "请验证您的邮箱", "メールアドレスを確認してください",
	"이메일을 인증해 주세요", "Verifica tu correo. Hemos enviado un enlace.", "请验证您的邮箱 我们已向您发送邮件",
}

// newsWords report that something was done. Some of them also say something else.
var newsWords = []string{
	"저장됨", "삭제됨", "등록됨", "Hecho", "¡Hecho!", "Feito", "C’est fait", "Gjort", "Gedaan", "Сделано",
	"Registration complete", "Import finished", "Your ticket number is 5012", "You're on the list!", "3 Kontakte importiert", "Upload complete.", "10 rows imported", "Imported 20 rows",
	"We will get back to you within two days.", "Wir melden uns innerhalb von zwei Tagen.", "Nous vous répondrons sous deux jours.", "Le contestaremos en dos días.", "Odpowiemy w ciągu dwóch dni.",
	"All set!", "C'est noté", "Vos modifications ont été prises en compte", "Cambios aplicados", "Zmiany wprowadzono", "Fatto", "Modifiche applicate", "Klaar", "Wijzigingen doorgevoerd", "Bob has been notified", "Ihr Tisch ist reserviert",
	"Ticket #4711 opened", "3 in cart", "Version 7 is live", "Edited · just now", "Payment refunded", "Clientul a fost creat",
	"Saved",
	"Customer saved",
	"Order created. You will be notified before it is shipped.",
	"Order placed, we will email you when it is shipped",
	"Your order was placed and will be confirmed when it is paid",
	"Thank you, your order will be processed when we receive the payment",
	"Thank you for your order. It will be confirmed by mail.",
	"Thank you for your order, thanks for your patience",
	"If an account exists, an email will be sent to you",
	"An e-mail will be sent to you shortly",
	"Saved just now",
	"Saved a few seconds ago",
	"Saved 5 seconds ago",
	"Last saved: just now",
	"All changes saved at 14:02",
	"Saved. Would you like to add another?",
	"Saved! Anything else?",
	"Vielen Dank! Ihre Bestellung wird bearbeitet, sobald die Zahlung eingeht.",
	"Gespeichert vor 3 Sekunden",
	"Bestellung aufgegeben und gespeichert",
	"Message sent by you",
	"Merci, votre message a bien été envoyé.",
	"已保存",
	"保存しました",
	"Ihr Urlaubsantrag wurde eingereicht.", "Ihr Auftrag wurde entgegengenommen.", "Überweisung ausgeführt", "Ihre Bestellung wurde aufgegeben. Bestellnummer: 10482",
	"bob@example.com has been invited.", "Votre demande a bien été transmise.", "Su solicitud ha sido presentada.",
	"Il bonifico è stato eseguito.", "Pagamento realizado com sucesso", "Uw bestelling is geplaatst.",
	"登録しました",
	"登録済み", "お問い合わせを受け付けました", "予約が確定しました。", "変更が反映されました", "注文を承りました", "正常に送信されました",
	"고객이 등록되었습니다.", "성공적으로 전송되었습니다", "예약이 확정되었습니다", "신청이 접수되었습니다", "설정을 변경했습니다",
	"저장되었습니다",
	"Kunde angelegt",
	"Shared with another user. Changes saved",
	"Partagé avec un autre utilisateur. Modifications enregistrées",
	"다른 사용자에게 공유되었습니다",
	"已分享给其他用户，保存成功",
	"An einen anderen Benutzer gesendet",
	"Enviado a otro usuario",
	"Inviato a un altro utente",
	"Order moved to another list and saved",
	"The customer “Acme GmbH” was changed successfully.",
	"Customer was successfully created.",
	"Booking confirmed: you can change it until it is paid",
	"Registration completed. Check your inbox to get started",
	"If an account exists for ada@example.com, you will receive a reset link.",
	"If that address is in our database, we will send you an email to reset your password.",
	"Order placed — no. 20417",
	"Your changes are saved and can be published",
	"Welcome back",
	"Thanks for your message, we answer before noon",
	"2 emails sent, 0 failed",
	"0 errors, 3 orders deleted",
	"3 gesendet, 0 fehlgeschlagen",
	"3 envoyés, 0 échec",
	"3 enviados, 0 fallidos",
	"3 inviati, 0 errori",
	"3 verzonden, 0 mislukt",
	"Отправлено 3, ошибок 0",
	"发送成功3条，失败0条",
	"3件送信しました、失敗0件",
	"Imported: 10, failed: 0",
	"10 rows imported, 0 rejected",
	"10 rows imported, no rows failed",
	"We’ve sent a link to ada@example.com.", "We’ve got your order", "Return started", "You’re on the waitlist. We’ll write when a place is free.", "You're on the waitlist", "You are on the waiting list",
	"You’re in! See you on Friday.", "Vous êtes inscrit !", "Vous êtes inscrit(e)", "Vous êtes inscrite.", "Sie stehen auf der Warteliste", "Du stehst jetzt auf der Warteliste.", "Vous êtes sur liste d’attente",
	"Estás en la lista de espera", "Cita solicitada. Te llamaremos.", "Parking started. 10:00–11:00", "Your post will be visible after it has been approved by a moderator.", "Your comment is awaiting moderation.",
	"Rückgabe gestartet", "Rücksendung eingeleitet", "Retour initié", "Sei in lista d'attesa", "Sei iscritta", "Você está na lista de espera", "U staat op de wachtlijst", "Jesteś na liście oczekujących", "Вы в листе ожидания",
	"退货申请已发起", "返品手続きを開始しました", "반품이 접수되었습니다", "대기자 명단에 등록되었습니다", "已加入候补名单", "キャンセル待ちリストに登録しました", "Vous êtes inscrit à la newsletter", "Got it – we’ll let Ada know.", "Thank you for signing up! Please verify your e-mail.",
	"Registration completed. Check your inbox to get started", "Thank you, your order will be processed when we receive the payment", "Your order was placed and will be confirmed when it is paid",
	"An e-mail will be sent to you shortly", "Your message has been sent", "Ihre Nachricht wurde gesendet", "Your account has been created. Please verify your email.", "Your order has been placed. We’ve sent a confirmation to your phone.",
}

// obstacleWords name an obstacle.
var obstacleWords = []string{
	"Order is linked to 3 invoices",
	"Bestellung ist mit 3 Rechnungen verknüpft",
	"Cette commande est liée à 3 factures",
	"订单已关联发票",
	"注文は請求書に紐付いています",
	"Ordine collegato a 3 fatture",
	"Заказ связан с 3 счетами",
	"El pedido está vinculado a 3 facturas",
	"O pedido está associado a 3 faturas",
	"De bestelling is gekoppeld aan 3 facturen",
	"Zamówienie jest powiązane z 3 fakturami",
	"Objednávka je propojena se 3 fakturami",
	"Ordern är kopplad till 3 fakturor",
	"Ordren er knyttet til 3 fakturaer",
	"Tilaus on liitetty 3 laskuun",
	"Sipariş 3 faturaya bağlı",
	"주문이 송장에 연결되어 있습니다",
	"Used by 3 invoices",
	"Használatban van",
	"Még használatban van",
	"3 invoices are linked to this order",
	"Ask Maria Weber, the owner",
	"Wird von 3 Rechnungen verwendet",
	"Utilisée par 3 factures",
	"Usado por 3 facturas",
	"Utilizzato da 3 fatture",
	"Gebruikt door 3 facturen",
	"Używane przez 3 faktury",
	"Используется в 3 счетах",
	"Order is in use by 3 invoices",
	"Die Bestellung wurde zwischenzeitlich geändert",
}

// freeWords name no obstacle.
var freeWords = []string{
	"Order deleted",
	"Order is linked to you",
	"Invoice unlinked from 3 orders",
	"You are now connected to the server",
	"File removed from 3 folders",
	"Bestellung gelöscht",
}

// expectedWords are pairs of a question with its button, and a message that reports just that.
var expectedWords = [][2]string{
	{"Reject request? Reject", "Request rejected"},
	{"Decline payment? Decline", "Payment declined"},
	{"Reject request? Reject", "Your request was rejected"},
	{"Deny access? Deny", "Access denied"},
	{"Cancel order? Cancel order", "Order cancelled"},
	{"Cancel order? Cancel order", "Order was cancelled"},
	{"Block user? Block", "The user has been blocked"},
	{"Refuse invitation? Refuse", "Invitation refused"},
	{"Antrag ablehnen? Ablehnen", "Antrag abgelehnt"},
	{"Antrag ablehnen? Ablehnen", "Der Antrag wurde abgelehnt"},
	{"Benutzer sperren? Sperren", "Benutzer gesperrt"},
	{"Refuser la demande ? Refuser", "Demande refusée"},
	{"¿Rechazar la solicitud? Rechazar", "Solicitud rechazada"},
	{"Rifiutare la richiesta? Rifiuta", "Richiesta rifiutata"},
	{"Recusar o pedido? Recusar", "Pedido recusado"},
	{"拒绝该申请吗？ 拒绝", "已拒绝"},
	{"驳回该申请？ 驳回", "申请已被驳回"},
	{"禁用该用户？ 禁用", "用户已被禁用"},
	{"Stop import? Stop import", "Import stopped. 3 rows were not imported."},
	{"Lock order? Lock", "Order can no longer be edited"},
	{"Close registration? Close", "Registration is closed"},
	{"Revert changes? Revert", "Changes were reverted"},
	{"Expire the link? Expire", "Link expired"},
	{"申請を却下しますか？ 却下", "申請を却下しました"},
	{"요청을 거부하시겠습니까? 거부", "요청이 거부되었습니다"},
	{"Отклонить заявку? Отклонить", "Заявка отклонена"},
	{"Verzoek weigeren? Weigeren", "Verzoek geweigerd"},
	{"Mark as failed? Mark", "Marked as failed"},
	{"Mark order as invalid? Mark", "Marked as invalid"},
	{"Cancel subscription", "Your subscription has been cancelled. You can use Pro until 1 April."},
	{"Cancel subscription", "Your subscription has been cancelled"},
	{"Decline", "You declined."},
	{"Decline", "Got it – we’ll let Ada know you can’t make it."},
	{"Decline", "Got it – we'll let Ada know you can't make it."},
	{"Decline payment", "Payment declined"},
	{"Abo kündigen", "Ihr Abo wurde gekündigt."},
	{"Bestellung stornieren", "Ihre Bestellung wurde storniert"},
	{"Résilier", "Votre abonnement a été résilié."},
	{"Cancelar suscripción", "Suscripción cancelada"},
	{"Annulla abbonamento", "Abbonamento annullato"},
	{"Cancelar assinatura", "Assinatura cancelada"},
	{"Abonnement opzeggen", "Uw abonnement is opgezegd"},
	{"Anuluj subskrypcję", "Subskrypcja została anulowana"},
	{"Отменить подписку", "Подписка отменена"},
	{"取消订阅", "订阅已取消"},
	{"予約をキャンセル", "予約をキャンセルしました"},
	{"구독 취소", "구독이 취소되었습니다"},
	{"Ablehnen", "Einladung abgelehnt"},
	{"Refuser", "Invitation refusée"},
	{"Rechazar", "Invitación rechazada"},
	{"Withdraw application", "Application withdrawn"},
	{"Bewerbung zurückziehen", "Bewerbung zurückgezogen"},
	{"Retirer ma candidature", "Candidature retirée"},
	{"Leave group", "You left the group"},
	{"Leave", "You left."},
	{"Cancel order", "Cancelled"},
}

// unexpectedWords are pairs of a question with its button, and a message that refuses it.
var unexpectedWords = [][2]string{
	{"Reject request? Reject", "Rejected: you lack rights"},
	{"Reject request? Reject", "Request could not be rejected"},
	{"Reject request? Reject", "Request was not rejected"},
	{"Reject request? Reject", "The server rejected the request"},
	{"Reject request? Reject", "Rejected by the server"},
	{"Deny request? Deny", "Access denied"},
	{"Deny request? Deny", "Permission denied"},
	{"Delete request? Delete", "Request rejected"},
	{"Send payment? Send", "Payment declined"},
	{"Antrag ablehnen? Ablehnen", "Antrag konnte nicht abgelehnt werden"},
	{"Delete order? Delete", "Order was cancelled"},
	{"Benutzer löschen? Löschen", "Benutzer gesperrt"},
	{"拒绝该申请吗？ 拒绝", "拒绝失败"},
	{"拒绝该申请吗？ 拒绝", "无法拒绝"},
	{"Reject request? Reject", "Already rejected by another user"},
	{"Cancel subscription", "Your subscription could not be cancelled"},
	{"Cancel subscription", "Your subscription was not cancelled"},
	{"Cancel subscription", "Your request to cancel was declined"},
	{"Cancel subscription", "Your session has expired"},
	{"Decline", "Your card was declined"},
	{"Decline", "Payment declined"},
	{"Save", "Your subscription has been cancelled"},
	{"", "Your subscription has been cancelled"},
	{"Add bank account", "Your card was blocked"},
	{"Conferma", "La sessione è chiusa. Errore."},
	{"Cancel", "Cancelled because your payment failed"},
	{"Bewerbung zurückziehen", "Die Sitzung ist abgelaufen"},
	{"Ablehnen", "Zahlung abgelehnt"},
	{"提交订单", "您已提交过该订单"},
	{"Place order", "Order was cancelled"},
	{"Cancel booking", "Your booking has been cancelled because the hotel is full"},
}

// A judge runs the internal actions that judge messages, without a browser.
type judge struct{ *executor.Executor }

func newJudge(t *testing.T) judge {
	t.Helper()
	set, err := loader.Load(t.Context(), loader.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return judge{executor.New(executor.Options{Catalog: registry.New(set.Namespaces), Cache: selectors.NewCache()})}
}

// says returns how the internal action part judges a message. asked is the question before the
// message.
func (j judge) says(t *testing.T, part, text, asked string) object {
	t.Helper()
	return data(t, j.Run(context.Background(), nil, "components:"+part, object{"text": text, "asked": asked}, executor.RunOptions{}))
}

func TestMessagesJudged(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	is := func(text, asked string, bad, good bool) {
		t.Helper()
		if got := j.says(t, "form:judge", text, asked); got["bad"] != bad || !bad && got["good"] != good {
			t.Errorf("%q after %q: %v", text, asked, got)
		}
	}
	for _, text := range testkit.Some(t, "messages", 3, refusingWords) {
		is(text, "", true, false)
	}
	for _, text := range testkit.Some(t, "messages", 3, noNewsWords) {
		if got := j.says(t, "form:judge", text, ""); got["bad"] == false && got["good"] == true {
			t.Errorf("%q is a success", text)
		}
	}
	for _, text := range testkit.Some(t, "messages", 3, newsWords) {
		is(text, "", false, true)
	}
	for _, tt := range testkit.Some(t, "messages", 3, expectedWords) {
		is(tt[1], tt[0], false, true)
	}
	for _, tt := range testkit.Some(t, "messages", 3, unexpectedWords) {
		is(tt[1], tt[0], true, false)
	}
}

func TestMessagesThatStandInTheWay(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	is := func(text, asked string, want bool) {
		t.Helper()
		if got := j.says(t, "form:judge", text, asked)["bad"] == true || j.says(t, "message:obstacle", text, asked)["bad"] == true; got != want {
			t.Errorf("%q after %q counts as an obstacle: %v", text, asked, got)
		}
	}
	for _, text := range obstacleWords {
		is(text, "", true)
	}
	for _, text := range freeWords {
		is(text, "", false)
	}
	is("Order is linked to invoice 3", "Link order? Link", false)
	is("Rechnung ist mit 3 Aufträgen verknüpft", "Rechnung verknüpfen? Verknüpfen", false)
}
