package session_test

// Tests of dialogs that say what will happen by itself, or has happened, and of sentences that tell
// the user to do what a button does.

import (
	"testing"

	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

// toldCases are statements. What destroys or leaves is not a yes to them beside what may prevent it.
var toldCases = []verbCase{
	{withText("Session timeout", "You will be signed out in 60 seconds."), buttons("Sign out") + mainButton("Stay signed in"), none, none},
	{"You will be signed out in 60 seconds.", buttons("Sign out") + mainButton("Stay signed in"), none, "Stay signed in"},
	{"You will be signed out in 60 seconds.", dangerButton("Sign out") + mainButton("Stay signed in"), none, "Stay signed in"},
	{withText("Session timeout", "You will be logged off soon."), buttons("Sign out") + mainButton("Continue session"), "Continue session", none},
	{"Old backups will be deleted automatically.", buttons("Delete") + mainButton("Upgrade"), "Upgrade", none},
	{"Old backups will be deleted automatically.", buttons("Delete", "Upgrade"), none, none},
	{withText("Trial ended", "Your trial has ended. Your data will be deleted in 30 days."), buttons("Delete") + mainButton("Upgrade"), "Upgrade", none},
	{withText("Trial ended", "Your data will be deleted in 30 days."), dangerButton("Delete data") + mainButton("Renew"), "Renew", none},
	{"Your draft will be discarded in 5 minutes.", buttons("Discard") + mainButton("Keep editing"), none, "Keep editing"},
	{withText("Draft", "Draft will be discarded"), dangerButton("Discard") + mainButton("Continue"), "Continue", none},
	{withText("Are you still there?", "You will be signed out in 60 seconds."), dangerButton("Sign out") + mainButton("Stay signed in"), none, none},
	{withText("Subscription", "Your subscription will be cancelled on 5 May."), buttons("Cancel subscription") + mainButton("Renew"), none, none},
	{withText("Sitzung", "Sie werden in 60 Sekunden abgemeldet."), buttons("Abmelden") + mainButton("Angemeldet bleiben"), none, none},
	{"Ihre Daten werden in 30 Tagen gelöscht.", buttons("Löschen") + mainButton("Verlängern"), "Verlängern", none},
	{"Votre brouillon sera supprimé dans 5 minutes.", buttons("Supprimer") + mainButton("Continuer"), "Continuer", none},
	{"Vous serez déconnecté dans 60 secondes.", buttons("Se déconnecter") + mainButton("Rester connecté"), none, none},
	{"Su borrador será descartado en 5 minutos.", buttons("Descartar") + mainButton("Seguir editando"), none, "Seguir editando"},
	{"Sus datos se eliminarán en 30 días.", buttons("Eliminar") + mainButton("Renovar"), "Renovar", none},
	{"I tuoi dati verranno eliminati tra 30 giorni.", buttons("Elimina") + mainButton("Rinnova"), "Rinnova", none},
	{"Seus dados serão excluídos em 30 dias.", buttons("Excluir") + mainButton("Renovar"), none, none},
	{"Uw gegevens worden over 30 dagen verwijderd.", buttons("Verwijderen") + mainButton("Verlengen"), "Verlengen", none},
	{"Twoje dane zostaną usunięte za 30 dni.", buttons("Usuń") + mainButton("Przedłuż"), "Przedłuż", none},
	{"Ваши данные будут удалены через 30 дней.", buttons("Удалить") + mainButton("Продлить"), "Продлить", none},
	{"您将在60秒后自动退出登录", buttons("退出登录") + mainButton("继续使用"), none, none},
	{"草稿将在5分钟后删除", buttons("删除") + mainButton("继续编辑"), none, "继续编辑"},
	{withText("试用已结束", "您的数据将被删除。"), buttons("删除") + mainButton("升级"), "升级", none},
	{"60秒後に自動的にログアウトされます。", buttons("ログアウト") + mainButton("続ける"), none, none},
	{"下書きは5分後に削除されます。", buttons("削除") + mainButton("編集を続ける"), none, "編集を続ける"},
	{"60초 후에 자동으로 로그아웃됩니다.", buttons("로그아웃") + mainButton("계속"), "계속", none},

	// A question or a title with the verb asks for it, and so does what the user is about to do.
	{withText("Delete project", "All files will be deleted."), dangerButton("Delete") + buttons("Keep"), "Delete", "Keep"},
	{withText("Session timeout", "You will be signed out in 60 seconds. Sign out now?"), mainButton("Sign out") + buttons("Stay signed in"), "Sign out", "Stay signed in"},
	{withText("Unsaved changes", "Your draft will be discarded. Are you sure?"), dangerButton("Discard") + buttons("Keep editing"), "Discard", none},
	{withText("Unsaved changes", "This will discard your draft."), dangerButton("Discard") + buttons("Keep editing"), "Discard", none},
	{"The file will be deleted.", dangerButton("Delete") + buttons("Cancel"), "Delete", "Cancel"},
	{"Die Datei wird gelöscht.", buttons("Löschen", "Abbrechen"), "Löschen", "Abbrechen"},
	{"该文件将永久删除。", buttons("删除", "取消"), "删除", "取消"},
	{"ファイルは削除されます。", buttons("削除", "キャンセル"), "削除", "キャンセル"},
}

// urgedCases are sentences that tell the user to do what a button does, and other words for trying again.
var urgedCases = []verbCase{
	{withText("New version available", "Reload to get version 4.2."), buttons("Later") + mainButton("Reload"), "Reload", "Later"},
	{withText("New version available", "Please refresh the page to update."), buttons("Later") + mainButton("Refresh"), "Refresh", "Later"},
	{withText("New version", "Please reload."), buttons("Close") + mainButton("Reload"), "Reload", "Close"},
	{withText("发现新版本", "请刷新页面以获取新版本。"), buttons("稍后") + mainButton("刷新"), "刷新", "稍后"},
	{withText("Neue Version", "Laden Sie die Seite neu, um sie zu erhalten."), buttons("Später") + mainButton("Neu laden"), "Neu laden", "Später"},
	{withText("Connection lost.", "Try again?"), buttons("Close") + mainButton("Retry"), "Retry", "Close"},
	{"Connection lost. Try again?", buttons("Close") + mainButton("Retry"), "Retry", "Close"},
	{"Connection lost. Retry?", buttons("Close") + mainButton("Try again"), "Try again", "Close"},
	{"Verbindung verloren. Erneut versuchen?", buttons("Schließen") + mainButton("Wiederholen"), "Wiederholen", "Schließen"},
	{"Connexion perdue. Réessayer ?", buttons("Fermer") + mainButton("Réessayer"), "Réessayer", "Fermer"},
	{"Se perdió la conexión. ¿Intentar de nuevo?", buttons("Cerrar") + mainButton("Reintentar"), "Reintentar", "Cerrar"},
	{"连接已断开，再试一次？", buttons("关闭") + mainButton("重试"), "重试", "关闭"},
	{"接続が切れました。もう一度試しますか？", buttons("閉じる") + mainButton("再試行"), "再試行", "閉じる"},
	{"연결이 끊어졌습니다. 다시 시도하시겠습니까?", buttons("닫기") + mainButton("재시도"), "재시도", "닫기"},

	// A button of these is not a yes to a sentence that speaks of something else.
	{withText("Printer", "Your document is ready."), buttons("Close") + mainButton("Reload"), none, "Close"},
	{"Delete the file?", buttons("Close") + mainButton("Retry"), none, "Close"},
}

// unsavedCases have three buttons: what saves, what does not save, and what cancels.
var unsavedCases = []verbCase{
	{withText("変更を保存しますか？", "保存していない変更があります。"), buttons("保存しない", "キャンセル") + mainButton("保存"), "保存", "キャンセル"},
	{"変更を保存しますか？", buttons("保存せずに閉じる", "キャンセル") + mainButton("保存する"), "保存する", "キャンセル"},
	{"変更内容を保存しますか?", buttons("保存", "保存しない", "キャンセル"), "保存", "キャンセル"},
	{"メールを送信しますか？", buttons("送信しない") + mainButton("送信"), "送信", "送信しない"},
	{"保存しないで閉じますか？", buttons("保存しない", "キャンセル"), "保存しない", none},
	{"변경 사항을 저장하시겠습니까?", buttons("저장 안 함", "취소") + mainButton("저장"), "저장", "취소"},
	{"변경 사항을 저장하시겠습니까?", buttons("저장하지 않음", "취소") + mainButton("저장"), "저장", "취소"},
	{"Save changes?", buttons("Don't save", "Cancel") + mainButton("Save"), "Save", "Cancel"},
}

func TestQuestionsThatOnlyState(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler()) + "/answers.html"
	b := newBench(t, nil, nil)
	for _, tt := range testkit.Some(t, "statements", 6, toldCases) {
		t.Run(tt.title+tt.html, func(t *testing.T) { b.answers(t, base, tt) })
	}
}

func TestQuestionsThatUrge(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler()) + "/answers.html"
	b := newBench(t, nil, nil)
	for _, tt := range testkit.Some(t, "questions", 5, urgedCases) {
		t.Run(tt.title+tt.html, func(t *testing.T) { b.answers(t, base, tt) })
	}
}

func TestQuestionsAboutUnsavedChanges(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler()) + "/answers.html"
	b := newBench(t, nil, nil)
	for _, tt := range testkit.Some(t, "questions", 3, unsavedCases) {
		t.Run(tt.title+tt.html, func(t *testing.T) { b.answers(t, base, tt) })
	}
}
