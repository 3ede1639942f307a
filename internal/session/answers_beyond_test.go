package session_test

// Tests of two kinds of buttons that are not a yes. Continue is not a yes to a question about ending
// something, because it may mean either answer. A button with the verb of the question but another
// object does something else than the question says.

import (
	"slices"
	"testing"

	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

var endCases = []verbCase{
	{"Cancel subscription?", mainBeside("Continue", "Cancel"), none, none},
	{"Cancel the booking?", mainBeside("Continue", "Cancel"), none, none},
	{"End subscription?", mainBeside("Continue", "Cancel"), none, "Cancel"},
	{"Cancel order 17?", mainBeside("Continue", "Back"), none, none},
	{"取消订阅？", mainBeside("继续", "取消"), none, none},
	{"Abo kündigen?", mainBeside("Weiter", "Abbrechen"), none, "Abbrechen"},
	{"Stop the export?", mainBeside("Proceed", "Close"), none, "Close"},
	{"Terminate contract?", mainBeside("Continue", "Cancel"), none, "Cancel"},
	{"Leave this meeting?", mainBeside("Continue", "Cancel"), none, "Cancel"},
	{"Quit the game?", mainBeside("Continue", "Cancel"), none, "Cancel"},
	{"Exit the tour?", mainBeside("Go on", "Cancel"), none, "Cancel"},
	{"Abort upload?", mainBeside("Continue", "Cancel"), none, "Cancel"},
	{"Do you want to discontinue the service?", mainBeside("Continue", "Cancel"), none, "Cancel"},
	{"Unsubscribe from the list?", mainBeside("Continue", "Cancel"), none, "Cancel"},
	{"Deactivate account?", mainBeside("Proceed", "Cancel"), none, "Cancel"},
	{"Revoke access?", mainBeside("Continue", "Cancel"), none, "Cancel"},
	{"Are you sure you want to cancel your plan?", mainBeside("Continue", "Back"), none, none},
	{"Log out?", mainBeside("Continue", "Cancel"), none, "Cancel"},
	{withText("Cancel subscription", "You will lose your seats."), mainBeside("Continue", "Back"), none, none},
	{"Cancel subscription?", mainBeside("Continue subscription", "Back"), none, none},
	{"Soll das Abo wirklich gekündigt werden?", mainBeside("Fortfahren", "Zurück"), none, none},
	{"Résilier l'abonnement ?", mainBeside("Continuer", "Annuler"), none, "Annuler"},
	{"Annuler la commande ?", mainBeside("Poursuivre", "Retour"), none, none},
	{"¿Cancelar la suscripción?", mainBeside("Continuar", "Volver"), none, none},
	{"¿Salir de la página?", mainBeside("Seguir", "Cancelar"), none, none},
	{"Cancelar assinatura?", mainBeside("Continuar", "Voltar"), none, none},
	{"Annullare l'ordine?", mainBeside("Continua", "Indietro"), none, none},
	{"Abonnement opzeggen?", mainBeside("Doorgaan", "Terug"), none, none},
	{"Avsluta prenumerationen?", mainBeside("Fortsätt", "Avbryt"), none, "Avbryt"},
	{"Peruutetaanko tilaus?", mainBeside("Jatka", "Takaisin"), none, none},
	{"Anulować zamówienie?", mainBeside("Kontynuuj", "Wróć"), none, none},
	{"Zrušit předplatné?", mainBeside("Pokračovat", "Zpět"), none, none},
	{"Отменить подписку?", mainBeside("Продолжить", "Назад"), none, none},
	{"Скасувати підписку?", mainBeside("Продовжити", "Назад"), none, none},
	{"Abonelik iptal edilsin mi?", mainBeside("Devam et", "Geri"), none, none},
	{"Ακύρωση συνδρομής;", mainBeside("Συνέχεια", "Πίσω"), none, none},
	{"解約しますか？", mainBeside("続ける", "戻る"), none, none},
	{"予約をキャンセルしますか？", mainBeside("続行", "戻る"), none, none},
	{"구독을 해지하시겠습니까?", mainBeside("계속", "뒤로"), none, none},
	{"确定要退出吗？", mainBeside("继续", "返回"), none, none},

	// Continue is a yes if the question is whether to continue, or is not about ending something.
	{withText("You are about to delete 3 orders.", "Continue?"), mainBeside("Continue", "Cancel"), "Continue", "Cancel"},
	{withText("Cancel subscription", "Do you want to proceed?"), mainBeside("Continue", "Back"), "Continue", none},
	{"Delete the cancelled orders?", mainBeside("Continue", "Cancel"), "Continue", none},
	{"删除已取消的订单？", mainBeside("继续", "取消"), "继续", none},
	{"Publish the post?", mainBeside("Continue", "Cancel"), "Continue", "Cancel"},
	{"Cancel subscription?", mainBeside("Continue to cancel", "Back"), "Continue to cancel", none},
	{"Die Datei wird gelöscht. Fortfahren?", mainBeside("Weiter", "Abbrechen"), "Weiter", "Abbrechen"},
	{"Möchten Sie die Datei löschen?", mainBeside("Weiter", "Abbrechen"), "Weiter", "Abbrechen"},
	{withText("Sign out?", ""), mainBeside("Sign out", "Cancel"), "Sign out", "Cancel"},
	{"Cancel order 17?", mainBeside("Cancel order", "Continue"), "Cancel order", none},
}

var beyondCases = []verbCase{
	{"Send to 1 customer?", mainBeside("Send to all 900 customers", "Cancel"), none, "Cancel"},
	{"Send to 9000 customers?", mainBeside("Send to 900 customers", "Cancel"), none, "Cancel"},
	{withText("Send to 1 customer?", "The list has 900 customers."), mainBeside("Send to 900 customers", "Cancel"), none, "Cancel"},
	{"Move to inbox?", mainBeside("Move to spam", "Cancel"), none, "Cancel"},
	{"Delete draft?", mainBeside("Delete account", "Cancel"), none, "Cancel"},
	{"Delete draft?", buttons("Delete account", "Cancel"), none, "Cancel"},
	{withText("Delete draft?", "Your account stays as it is."), mainBeside("Delete account", "Cancel"), none, "Cancel"},
	{withText("Delete draft?", "Your account will not be deleted."), mainBeside("Delete account", "Cancel"), none, "Cancel"},
	{withText("Delete draft", "This cannot be undone."), mainBeside("Delete account", "Cancel"), none, "Cancel"},
	{"Delete draft?", mainBeside("Delete all", "Cancel"), none, "Cancel"},
	{"Delete draft?", buttons("Delete everything", "Cancel"), none, "Cancel"},
	{"Remove user?", mainBeside("Delete workspace", "Cancel"), none, "Cancel"},
	{"Approve invoice 3?", mainBeside("Approve invoice 4", "Cancel"), none, "Cancel"},
	{"Pay $10?", mainBeside("Pay $100", "Cancel"), none, "Cancel"},
	{"Mark as read?", mainBeside("Mark as spam", "Cancel"), none, "Cancel"},
	{"Log out?", mainBeside("Log out of all devices", "Cancel"), none, "Cancel"},
	{"Entwurf löschen?", mainBeside("Konto löschen", "Abbrechen"), none, "Abbrechen"},
	{"Entwurf entfernen?", buttons("Profil entfernen", "Abbrechen"), none, "Abbrechen"},
	{"Supprimer le brouillon ?", mainBeside("Supprimer le compte", "Annuler"), none, "Annuler"},
	{"¿Eliminar el borrador?", mainBeside("Eliminar la cuenta", "Cancelar"), none, "Cancelar"},
	{"Eliminare la bozza?", mainBeside("Elimina account", "Annulla"), none, "Annulla"},
	{"Excluir o rascunho?", mainBeside("Excluir conta", "Cancelar"), none, "Cancelar"},
	{"Удалить черновик?", mainBeside("Удалить аккаунт", "Отмена"), none, "Отмена"},
	{"删除草稿？", mainBeside("删除账户", "取消"), none, "取消"},
	{"删除草稿？", mainBeside("全部删除", "取消"), none, "取消"},
	{"发送给1位客户？", mainBeside("发送给全部900位客户", "取消"), none, "取消"},
	{"下書きを削除しますか？", mainBeside("アカウントを削除", "キャンセル"), none, "キャンセル"},
	{"초안을 삭제하시겠습니까?", mainBeside("계정 삭제", "취소"), none, "취소"},

	// Buttons whose additional words change nothing.
	{"Delete draft?", mainBeside("Delete now", "Cancel"), "Delete now", "Cancel"},
	{"Delete draft?", mainBeside("Delete it anyway", "Cancel"), "Delete it anyway", "Cancel"},
	{"Delete these drafts?", mainBeside("Delete them permanently", "Cancel"), "Delete them permanently", "Cancel"},
	{"Delete draft?", mainBeside("Yes, delete it", "Cancel"), "Yes, delete it", "Cancel"},
	{"Delete 3 files?", mainBeside("Delete 3 items", "Cancel"), "Delete 3 items", "Cancel"},
	{"Delete drafts?", mainBeside("Delete all", "Cancel"), "Delete all", "Cancel"},
	{withText("Delete files?", "3 files are selected."), mainBeside("Delete 3 files", "Cancel"), "Delete 3 files", "Cancel"},
	{withText("Delete project?", "This deletes the project Alpha."), mainBeside("Delete Alpha", "Cancel"), "Delete Alpha", "Cancel"},
	{"Delete order 17?", mainBeside("Delete order", "Cancel"), "Delete order", "Cancel"},
	{"Create account?", mainBeside("Create new account", "Cancel"), "Create new account", "Cancel"},
	{"Send to 9000 customers?", mainBeside("Send to all 9000 customers", "Cancel"), "Send to all 9000 customers", "Cancel"},
	{"Send to 1 customer?", buttons("Send") + mainBeside("Send to all 900 customers", "Cancel"), "Send", "Cancel"},
	{"Konto löschen?", mainBeside("Endgültig löschen", "Abbrechen"), "Endgültig löschen", "Abbrechen"},
	{"Supprimer le compte ?", mainBeside("Supprimer définitivement", "Annuler"), "Supprimer définitivement", "Annuler"},
	{"确定要删除该客户吗？", mainBeside("删除客户", "取消"), "删除客户", "取消"},
	{"删除选中的草稿？", mainBeside("立即删除", "取消"), "立即删除", "取消"},
	{"下書きを削除しますか？", mainBeside("削除する", "キャンセル"), "削除する", "キャンセル"},

	// Titles without a question, with a button that does the opposite or the same.
	{"Enable backups", mainBeside("Disable", "Cancel"), none, "Cancel"},
	{withText("Approve request", "Ada asked for it."), mainBeside("Reject", "Cancel"), none, none},
	{"Enable backups", mainBeside("Turn on", "Cancel"), "Turn on", "Cancel"},
	{"Trash", mainBeside("Restore", "Cancel"), "Restore", "Cancel"},

	{"Διαγραφή παραγγελίας;", buttons("Διαγραφή", "Ακύρωση"), "Διαγραφή", "Ακύρωση"},
	{"Ακύρωση παραγγελίας;", buttons("Ακύρωση", "Πίσω"), none, none},
	{"Dismiss E-003?", buttons("Keep", "Dismiss"), "Dismiss", "Keep"},
	{"Dismiss the report?", buttons("Cancel", "Dismiss"), "Dismiss", "Cancel"},
	{"Session ends soon", buttons("OK", "Dismiss"), "OK", "Dismiss"},
}

// otherEnds are questions about ending something. A button that destroys or leaves something else
// is not a yes.
var otherEnds = []verbCase{
	{"Leave team?", mainBeside("Delete team", "Cancel"), none, "Cancel"},
	{"Reset password?", mainBeside("Delete user", "Cancel"), none, "Cancel"},
	{"Disconnect Slack?", mainBeside("Delete Slack data", "Cancel"), none, "Cancel"},
	{"Deactivate user?", mainBeside("Delete user", "Cancel"), none, "Cancel"},
	{"Revoke key?", mainBeside("Delete key", "Cancel"), none, "Cancel"},
	{"Clear filter?", mainBeside("Delete filter", "Cancel"), none, "Cancel"},
	{"Eject device?", mainBeside("Format device", "Cancel"), none, "Cancel"},
	{"Eject device?", buttons("Format device", "Cancel"), none, "Cancel"},
	{"USBを取り出しますか?", buttons("フォーマット", "Cancel"), none, "Cancel"},
	{"ユーザーを無効にしますか?", buttons("ユーザーを削除", "Cancel"), none, "Cancel"},
	{"ユーザーを削除しますか?", buttons("ユーザーを削除", "Cancel"), "ユーザーを削除", "Cancel"},
	{"Format device?", buttons("Format device", "Cancel"), "Format device", "Cancel"},
	{"Reject offer?", mainBeside("Withdraw offer", "Cancel"), none, "Cancel"},
	{"Close account?", mainBeside("Delete account", "Cancel"), none, "Cancel"},
	{"Move to trash?", mainBeside("Delete forever", "Cancel"), none, "Cancel"},
	{"Move 3 files to trash?", mainBeside("Delete 3 files permanently", "Cancel"), none, "Cancel"},
	{"In den Papierkorb verschieben?", mainBeside("Endgültig löschen", "Cancel"), none, "Cancel"},
	{"移到回收站吗？", mainBeside("彻底删除", "Cancel"), none, "Cancel"},
	{"Quitter l’équipe ?", mainBeside("Supprimer l’équipe", "Cancel"), none, "Cancel"},
	{"Move to trash?", mainBeside("Move to trash", "Cancel"), "Move to trash", "Cancel"},
	{"Delete forever?", mainBeside("Delete forever", "Cancel"), "Delete forever", "Cancel"},
	{"Remove member?", mainBeside("Delete", "Cancel"), "Delete", "Cancel"},
	{"Discard changes?", mainBeside("Leave", "Stay"), "Leave", none},
}

func TestQuestionsThatNameAnEnd(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler()) + "/answers.html"
	b := newBench(t, nil, nil)
	for _, tt := range testkit.Some(t, "questions", 16, slices.Concat(endCases, otherEnds)) {
		t.Run(tt.title+tt.html, func(t *testing.T) { b.answers(t, base, tt) })
	}
}

func TestQuestionsThatNameAnObject(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler()) + "/answers.html"
	b := newBench(t, nil, nil)
	for _, tt := range testkit.Some(t, "questions", 16, beyondCases) {
		t.Run(tt.title+tt.html, func(t *testing.T) { b.answers(t, base, tt) })
	}
}
