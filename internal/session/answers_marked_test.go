package session_test

// Tests of questions that name an action. The main button is not pressed if it has another action
// than the question, the opposite action, or more actions. Cancel does not cancel if the question
// is about cancelling, in another form of the word.

import (
	"testing"

	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

// mainBeside returns a main button and a plain one that cancels.
func mainBeside(text, cancel string) string { return mainButton(text) + buttons(cancel) }

var markedCases = []verbCase{
	// The button has another action than the question.
	{"Keep draft?", mainBeside("Bin it", "Cancel"), none, "Cancel"},
	{"Retain records?", mainBeside("Shred", "Cancel"), none, "Cancel"},
	{"Keep my data?", mainBeside("Forget me", "Cancel"), none, "Cancel"},
	{"Keep the account?", mainBeside("Suspend account", "Cancel"), none, "Cancel"},
	{"Trust this device?", mainBeside("Ban device", "Cancel"), none, "Cancel"},
	{withText("Draft", "Do you want to keep it?"), mainBeside("Bin it", "Cancel"), none, "Cancel"},
	{"Keep draft?", buttons("Bin it", "Cancel"), none, "Cancel"},
	{withText("Keep draft", "Are you sure?"), mainBeside("Bin it", "Cancel"), none, "Cancel"},
	{"Are you sure you want to publish the post?", mainBeside("Delete", "Cancel"), none, "Cancel"},
	{"Entwurf behalten?", mainBeside("Wegschmeißen", "Abbrechen"), none, "Abbrechen"},
	{"Conserver mes données ?", mainBeside("M'oublier", "Annuler"), none, "Annuler"},
	{"Сохранить черновик?", mainBeside("Забыть", "Отмена"), none, "Отмена"},
	{"是否保留草稿？", mainBeside("粉碎", "取消"), none, "取消"},

	// The button has the opposite action.
	{"Turn on backups?", mainBeside("Turn off", "Cancel"), none, "Cancel"},
	{"Turn on backups?", mainBeside("Turn backups off", "Cancel"), none, "Cancel"},
	{"Enable two-factor sign-in?", mainBeside("Disable", "Cancel"), none, "Cancel"},
	{"Publish post?", mainBeside("Unpublish", "Cancel"), none, "Cancel"},
	{"Publish post?", buttons("Unpublish", "Cancel"), none, "Cancel"},
	{"Unpublish post?", mainBeside("Publish", "Cancel"), none, "Cancel"},
	{"Unsubscribe from the list?", buttons("Subscribe", "Cancel"), none, "Cancel"},
	{"Lock account?", mainBeside("Unlock account", "Cancel"), none, "Cancel"},
	{"Mark as read?", mainBeside("Mark as unread", "Cancel"), none, "Cancel"},
	{"Discard changes?", mainBeside("Save changes", "Cancel"), none, "Cancel"},
	{"Aktivieren der Sicherung?", mainBeside("Deaktivieren", "Abbrechen"), none, "Abbrechen"},
	{"Sicherung deaktivieren?", mainBeside("Aktivieren", "Abbrechen"), none, "Abbrechen"},
	{"Konto sperren?", mainBeside("Konto entsperren", "Abbrechen"), none, "Abbrechen"},
	{"Activer la double authentification ?", mainBeside("Désactiver", "Annuler"), none, "Annuler"},
	{"¿Activar las notificaciones?", mainBeside("Desactivar", "Cancelar"), none, "Cancelar"},
	{"Bloccare il conto?", mainBeside("Sblocca", "Annulla"), none, "Annulla"},
	{"Заблокировать пользователя?", mainBeside("Разблокировать", "Отмена"), none, "Отмена"},
	{"Включить уведомления?", mainBeside("Отключить", "Отмена"), none, "Отмена"},
	{"启用备份？", mainBeside("停用", "取消"), none, "取消"},
	{"取消关注该用户？", mainBeside("关注", "返回"), none, none},
	{"ロックを解除しますか？", mainBeside("ロック", "キャンセル"), none, "キャンセル"},
	{"変更を破棄しますか？", mainBeside("変更を保存", "キャンセル"), none, "キャンセル"},
	{"Ενεργοποίηση αντιγράφων;", mainBeside("Απενεργοποίηση", "Πίσω"), none, none},

	// The button does what the question denies.
	{"Leave without saving?", mainBeside("Save and leave", "Cancel"), none, "Cancel"},
	{"Send without attachment?", mainBeside("Attach and send", "Cancel"), none, "Cancel"},
	{"Continue without paying?", mainBeside("Pay and continue", "Cancel"), none, "Cancel"},
	{"Do you want to publish without review?", mainBeside("Request review", "Cancel"), none, "Cancel"},
	{"Exit?", mainBeside("Delete and exit", "Cancel"), none, "Cancel"},
	{"Ohne Speichern verlassen?", mainBeside("Speichern und verlassen", "Abbrechen"), none, "Abbrechen"},
	{"Quitter sans enregistrer ?", mainBeside("Enregistrer et quitter", "Annuler"), none, "Annuler"},
	{"¿Salir sin guardar?", mainBeside("Guardar y salir", "Cancelar"), none, "Cancelar"},
	{"Wyjść bez zapisywania?", mainBeside("Zapisz i wyjdź", "Anuluj"), none, "Anuluj"},
	{"Выйти без сохранения?", mainBeside("Сохранить и выйти", "Отмена"), none, "Отмена"},
	{"Kaydetmeden çıkılsın mı?", mainBeside("Kaydet ve çık", "Vazgeç"), none, "Vazgeç"},
	{"Poistutaanko tallentamatta?", mainBeside("Tallenna ja poistu", "Peruuta"), none, "Peruuta"},
	{"保存せずに離れますか？", mainBeside("保存して離れる", "キャンセル"), none, "キャンセル"},
	{"저장하지 않고 나가시겠습니까?", mainBeside("저장하고 나가기", "취소"), none, "취소"},

	// The button has the action of the question in other words, or a part of it, or the question is
	// only whether the user is sure.
	{"Remove user?", mainBeside("Delete", "Cancel"), "Delete", "Cancel"},
	{withText("Delete order", "Are you sure?"), mainBeside("Remove", "Cancel"), "Remove", "Cancel"},
	{"Enable backups?", mainBeside("Turn on", "Cancel"), "Turn on", "Cancel"},
	{"Leave without saving?", mainBeside("Leave anyway", "Cancel"), "Leave anyway", "Cancel"},
	{"Leave without saving changes?", mainBeside("Discard changes", "Cancel"), "Discard changes", "Cancel"},
	{"Save changes?", mainBeside("Save and close", "Cancel"), "Save and close", "Cancel"},
	{"Keep draft?", mainBeside("Continue", "Cancel"), "Continue", "Cancel"},
	{"Invite Bob?", mainBeside("Send invitation", "Cancel"), "Send invitation", "Cancel"},
	{"Update now?", mainBeside("Restart", "Cancel"), "Restart", "Cancel"},
	{"New user", mainBeside("Create", "Cancel"), "Create", "Cancel"},
	{withText("Saved search", "Are you sure?"), mainBeside("Purge", "Cancel"), "Purge", "Cancel"},
	{withText("Connected device", "Are you sure you want to continue?"), mainBeside("Disconnect", "Cancel"), "Disconnect", "Cancel"},
	{"What do you want to do?", mainBeside("Put away", "Cancel"), "Put away", "Cancel"},
	{"Soll die Nachricht gesendet werden?", mainBeside("Senden", "Abbrechen"), "Senden", "Abbrechen"},
	{"Möchten Sie wirklich fortfahren?", mainBeside("Wegschmeißen", "Abbrechen"), "Wegschmeißen", "Abbrechen"},
	{"Voulez-vous vraiment effacer ce fichier ?", mainBeside("Supprimer", "Annuler"), "Supprimer", "Annuler"},
	{"Czy wysłać wiadomość?", mainBeside("Wyślij", "Anuluj"), "Wyślij", "Anuluj"},
	{"Вы уверены, что хотите продолжить?", mainBeside("Снести", "Отмена"), "Снести", "Отмена"},
	{"Är du säker på att du vill fortsätta?", mainBeside("Släng", "Avbryt"), "Släng", "Avbryt"},
	{"确定要继续吗？", mainBeside("粉碎", "取消"), "粉碎", "取消"},
	{"هل أنت متأكد؟", mainBeside("حذف", "إلغاء"), "حذف", "إلغاء"},
	{"האם אתה בטוח?", mainBeside("מחק", "ביטול"), "מחק", "ביטול"},
	{"정말 계속하시겠습니까?", mainBeside("파쇄", "취소"), "파쇄", "취소"},
}

// inflectedCases are questions about cancelling, in another form of the word than on the button.
var inflectedCases = []verbCase{
	{"לבטל את ההזמנה?", mainBeside("ביטול", "חזרה"), none, none},
	{"האם לבטל את המנוי?", buttons("ביטול", "חזרה"), none, none},
	{"هل تريد أن تلغي الطلب؟", mainBeside("إلغاء", "رجوع"), none, none},
	{"هل تريد الغاء الطلب؟", buttons("إلغاء", "رجوع"), none, none},
	{"Perutaanko tilaus?", buttons("Peruuta", "Takaisin"), none, none},
	{"Haluatko perua tilauksen?", buttons("Peruuta", "Takaisin"), none, none},
	{"Czy chcesz zrezygnować z abonamentu?", buttons("Rezygnuj", "Wróć"), none, none},
	{"Opravdu chcete rušit objednávku?", buttons("Zrušit", "Zpět"), none, none},
	{"Sipariş iptal edilsin mi?", buttons("İptal", "Geri"), none, none},
	{"Soll der Import abgebrochen werden?", buttons("Abbrechen", "Zurück"), none, none},
	{"Moet de bestelling geannuleerd worden?", buttons("Annuleren", "Terug"), none, none},
	{"予約を取り消しますか？", buttons("キャンセル", "戻る"), none, none},
	{"주문이 취소됩니다. 계속할까요?", buttons("취소", "돌아가기"), none, none},
	{"Заказ будет отменён. Продолжить?", buttons("Отмена", "Назад"), none, none},
	{"Renunțați la comandă?", buttons("Renunță", "Înapoi"), none, none},

	{"למחוק את התמונה?", buttons("ביטול", "מחק"), "מחק", "ביטול"},
	{"هل تريد أن تحذف الصورة؟", buttons("إلغاء", "حذف"), "حذف", "إلغاء"},
	{"هل تريد أن ترسل الرسالة؟", buttons("إلغاء", "إرسال"), "إرسال", "إلغاء"},
	{"Perustetaanko ryhmä?", buttons("Peruuta", "Perusta"), "Perusta", "Peruuta"},
	{"Resim silinsin mi?", buttons("İptal", "Sil"), "Sil", "İptal"},
}

func TestQuestionsThatNameAnAction(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler()) + "/answers.html"
	b := newBench(t, nil, nil)
	for i, tt := range testkit.Some(t, "questions", 24, markedCases) {
		t.Run(tt.title+tt.html, func(t *testing.T) {
			at := b.answers(t, base, tt)
			if i < 3 {
				b.answer(t, at, "alertdialog", tt.html, "components:popconfirm:accept", nil, tt.confirm)
			}
		})
	}
}

func TestQuestionsThatInflectAButton(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler()) + "/answers.html"
	b := newBench(t, nil, nil)
	for _, tt := range testkit.Some(t, "questions", 10, inflectedCases) {
		t.Run(tt.title+tt.html, func(t *testing.T) { b.answers(t, base, tt) })
	}
}
