package session_test

// Tests of questions that offer to keep something or to stay, or that deny an action. A button that
// destroys or leaves is not a yes, even if the page marks it.

import (
	"testing"

	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

// dangerButton returns a button that the page marks as dangerous.
func dangerButton(text string) string {
	return `<button type=button class="btn btn-danger">` + text + `</button>`
}

// withText returns a title for answers.html that has a text below it.
func withText(title, text string) string { return title + "</h2><p>" + text + "</p><h2>" }

var keepCases = []verbCase{
	{withText("Draft", "Keep draft?"), dangerButton("Delete") + buttons("Keep draft"), "Keep draft", none},
	{"Keep the draft?", mainButton("Delete") + buttons("Keep"), "Keep", none},
	{"Stay signed in?", mainButton("Sign out") + buttons("Stay signed in"), "Stay signed in", none},
	{withText("Session expiring", "Do you want to stay signed in?"), mainButton("Log out") + buttons("Stay"), "Stay", none},
	{withText("Unsaved changes", "Do you want to keep editing?"), dangerButton("Leave") + buttons("Keep editing"), "Keep editing", none},
	{withText("Unsaved changes", "Continue editing?"), mainButton("Discard") + buttons("Continue editing"), "Continue editing", none},
	{withText("Keep these changes?", "Reverting in 10 seconds."), mainButton("Revert") + buttons("Keep changes"), "Keep changes", none},
	{"Keep the file?", mainButton("Delete") + buttons("Cancel"), none, "Cancel"},
	{"Keep the file?", buttons("Delete", "Cancel"), none, "Cancel"},
	{"Keep or delete the draft?", dangerButton("Delete") + buttons("Keep it"), none, none},
	{"Keep the draft?", mainButton("Yes") + buttons("No"), "Yes", "No"},
	{"Restore the file?", mainButton("Delete") + buttons("Restore"), "Restore", none},
	{"Extend the subscription?", mainButton("Delete") + buttons("Cancel"), none, "Cancel"},
	{"Session expiring", mainButton("Sign out") + buttons("Stay"), none, none},
	{"Entwurf behalten?", dangerButton("Löschen") + buttons("Behalten"), "Behalten", none},
	{"Möchten Sie den Entwurf behalten?", mainButton("Löschen") + buttons("Entwurf behalten"), "Entwurf behalten", none},
	{"Angemeldet bleiben?", mainButton("Abmelden") + buttons("Angemeldet bleiben"), "Angemeldet bleiben", none},
	{"Conserver le brouillon ?", mainButton("Supprimer") + buttons("Conserver"), "Conserver", none},
	{"¿Conservar el borrador?", mainButton("Eliminar") + buttons("Conservar"), "Conservar", none},
	{"Conservare la bozza?", mainButton("Elimina") + buttons("Conserva"), "Conserva", none},
	{"Manter o rascunho?", mainButton("Excluir") + buttons("Manter"), "Manter", none},
	{"Concept behouden?", mainButton("Verwijderen") + buttons("Behouden"), "Behouden", none},
	{"Zachować szkic?", mainButton("Usuń") + buttons("Zachowaj"), "Zachowaj", none},
	{"Ponechat koncept?", mainButton("Smazat") + buttons("Ponechat"), "Ponechat", none},
	{"Сохранить черновик?", mainButton("Удалить") + buttons("Сохранить"), "Сохранить", none},
	{"Behålla utkastet?", mainButton("Ta bort") + buttons("Behåll"), "Behåll", none},
	{"是否保留草稿？", mainButton("删除") + buttons("保留"), "保留", none},
	{"下書きを残しますか？", mainButton("削除") + buttons("残す"), "残す", none},
	{"초안을 유지하시겠습니까?", mainButton("삭제") + buttons("유지"), "유지", none},

	// A button for an action that the question denies is not a yes.
	{"Close without saving?", mainButton("Save") + buttons("Close"), none, none},
	{"Leave without saving?", mainButton("Save") + buttons("Leave"), "Leave", none},
	{"Continue without saving?", mainButton("Save") + buttons("Continue without saving"), "Continue without saving", none},
	{"Do not send?", mainButton("Send") + buttons("Do not send"), none, none},
	{"Ohne Speichern verlassen?", mainButton("Speichern") + buttons("Verlassen"), "Verlassen", none},
	{"Nicht gespeicherte Änderungen verwerfen?", dangerButton("Verwerfen") + buttons("Abbrechen"), "Verwerfen", "Abbrechen"},
	{"Quitter sans enregistrer ?", mainButton("Enregistrer") + buttons("Quitter"), "Quitter", none},
	{"不保存就离开？", mainButton("保存") + buttons("离开"), "离开", none},
	{"要不要删除订单？", mainButton("删除") + buttons("取消"), "删除", "取消"},
	{"保存せずに破棄しますか？", mainButton("保存") + buttons("破棄"), "破棄", none},

	// If the question is whether to destroy or to leave, the mark of a button counts, and Back and
	// Keep are answers like No.
	{"Are you sure?", dangerButton("Delete") + buttons("Keep"), "Delete", none},
	{"Delete file?", buttons("Keep", "Delete"), "Delete", "Keep"},
	{withText("Unsaved changes", "They will be lost."), dangerButton("Leave") + buttons("Stay"), "Leave", none},
	{withText("This will remove 7 orders.", "Continue?"), dangerButton("Delete") + buttons("Cancel"), "Delete", "Cancel"},
	{withText("Leave this page?", "Changes are lost."), mainButton("Stay") + buttons("Leave"), "Leave", "Stay"},
	{withText("Unsaved changes", "Discard them?"), mainButton("Go back") + dangerButton("Discard"), "Discard", "Go back"},
	{"Send invoice to customer?", mainButton("Send") + buttons("Go back"), "Send", "Go back"},
	{"Rechnung senden?", mainButton("Senden") + buttons("Zurück"), "Senden", "Zurück"},
	{"Send invoice to customer?", mainButton("Send") + buttons("Go back", "Save draft"), "Send", none},
	{"Send invoice", mainButton("Send") + buttons("Back"), "Send", none},
	{"Supprimer le fichier ?", buttons("Retour") + dangerButton("Supprimer"), "Supprimer", "Retour"},
	{"¿Eliminar el archivo?", buttons("Volver") + dangerButton("Eliminar"), "Eliminar", "Volver"},
	{"ファイルを削除しますか？", buttons("やめる") + dangerButton("削除"), "削除", "やめる"},
	{"Delete the account?", buttons("Never mind") + dangerButton("Delete"), "Delete", "Never mind"},
}

func TestQuestionsThatOfferToKeep(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler()) + "/answers.html"
	b := newBench(t, nil, nil)
	for i, tt := range testkit.Some(t, "questions", 48, keepCases) {
		t.Run(tt.title+tt.html, func(t *testing.T) {
			at := b.answers(t, base, tt)
			if i < 3 {
				b.answer(t, at, "alertdialog", tt.html, "components:popconfirm:accept", nil, tt.confirm)
			}
		})
	}
}
