package session_test

// Tests of buttons that a dialog does not ask for: it asks nothing, asks for another verb or for a
// part of a number, and a button that cancels destroys something.

import (
	"fmt"
	"slices"
	"testing"

	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

// unaskedCases are dialogs that ask nothing. A button that destroys or leaves is a yes only where
// the dialog speaks of that.
var unaskedCases = []verbCase{
	{withText("Edit event", "Title"), buttons("Delete", "Cancel"), none, "Cancel"},
	{withText("Edit event", "Close date: 5 May"), dangerButton("Delete") + buttons("Cancel"), none, "Cancel"},
	{withText("File details", "report.pdf, 20 KB"), buttons("Delete", "Close"), none, "Close"},
	{withText("Tag settings", "Changes are saved automatically."), buttons("Delete tag", "Close"), none, "Close"},
	{"Backup finished", buttons("Delete backup", "Close"), none, "Close"},
	{"Could not save the draft", buttons("Discard draft", "Cancel"), none, "Cancel"},
	{withText("Ann Smith", "Editor"), buttons("Remove", "Close"), none, "Close"},
	{withText("Profil", "Ann"), buttons("Konto löschen", "Schließen"), none, "Schließen"},
	{withText("Modifier la fiche", "Nom"), buttons("Supprimer", "Annuler"), none, "Annuler"},
	{withText("编辑事件", "标题"), buttons("删除", "取消"), none, "取消"},
	{withText("Your profile", "Ann"), buttons("Sign out") + cross, none, "×"},
	{withText("Event", "Lunch, 12:00"), dangerButton("Delete"), none, none},
	{withText("Rechnung 17", "Fällig am 3. Mai, Betrag 420 €."), dangerButton("Stornieren") + buttons("Zurück"), none, none},
	{withText("Payment 12", "30 €, Ann"), buttons("Void", "Close"), none, "Close"},
	{withText("Member", "Ann"), mainBeside("Ban", "Close"), none, "Close"},
	{withText("Vertrag", "Tarif M"), buttons("Kündigen", "Schließen"), none, "Schließen"},
	{withText("Abonnement", "Formule M"), buttons("Résilier", "Fermer"), none, "Fermer"},
	{"Refund payment?", buttons("Refund", "Cancel"), "Refund", "Cancel"},
	{"Vertrag kündigen?", buttons("Kündigen", "Abbrechen"), "Kündigen", "Abbrechen"},
	{"A file with this name exists", dangerButton("Replace") + mainButton("Keep both") + buttons("Cancel"), none, none},
	{withText("Are you still there?", "Your session ends in 60 seconds."), dangerButton("Log out") + buttons("Stay signed in"), none, none},

	{withText("Warning", "This cannot be undone."), buttons("Delete", "Cancel"), "Delete", "Cancel"},
	{withText("Unsaved changes", "You have unsaved changes."), buttons("Discard", "Cancel"), "Discard", "Cancel"},
	{withText("Confirm", "Event 3"), buttons("Delete", "Cancel"), "Delete", "Cancel"},
	{withText("Delete event", "Lunch, 12:00"), buttons("Remove", "Cancel"), "Remove", "Cancel"},
	{withText("Datei löschen", "bericht.pdf"), buttons("Löschen", "Abbrechen"), "Löschen", "Abbrechen"},
	{withText("提示", "此操作将永久删除该文件"), buttons("删除", "取消"), "删除", "取消"},
	{withText("New customer", "Name"), buttons("Create", "Cancel"), "Create", "Cancel"},
}

// objectCases are questions that speak of what a button does only as of what another verb is done
// to.
var objectCases = []verbCase{
	{"Restore deleted files?", mainBeside("Delete", "Cancel"), none, "Cancel"},
	{"Recover deleted items?", buttons("Put back", "Delete", "Cancel"), none, "Cancel"},
	{"Undo delete?", buttons("Bring back", "Delete", "Cancel"), none, "Cancel"},
	{"Export before deleting?", buttons("Delete", "Download first", "Cancel"), none, "Cancel"},
	{"Stop deleting files?", buttons("Delete", "Halt"), none, none},
	{"Resume stopped job?", mainBeside("Stop", "Cancel"), none, none},
	{"Approve rejected invoice?", mainBeside("Reject", "Cancel"), none, none},
	{"Renew cancelled subscription?", mainBeside("Cancel subscription", "Back"), none, none},
	{"Show hidden files?", buttons("Hide", "Cancel"), none, "Cancel"},
	{"Add to existing data?", buttons("Replace existing data", "Cancel"), none, "Cancel"},
	{"Buy 10 shares?", buttons("Sell 10 shares", "Cancel"), none, "Cancel"},
	{"Upgrade plan?", mainBeside("Downgrade plan", "Cancel"), none, "Cancel"},
	{"Check in guest?", buttons("Check out", "Cancel"), none, "Cancel"},
	{"Prolonger l'abonnement ?", buttons("Résilier l'abonnement", "Plus tard"), none, "Plus tard"},
	{"Archive instead of deleting?", mainBeside("Delete", "Cancel"), none, "Cancel"},
	{"Undo the deletion?", buttons("Delete", "Roll back"), none, none},
	{"Gelöschte Dateien wiederherstellen?", mainBeside("Löschen", "Abbrechen"), none, "Abbrechen"},
	{"Das Löschen rückgängig machen?", buttons("Löschen", "Abbrechen"), none, "Abbrechen"},
	{"Restaurer les fichiers supprimés ?", mainBeside("Supprimer", "Annuler"), none, "Annuler"},
	{"¿Exportar antes de eliminar?", buttons("Eliminar", "Cancelar"), none, "Cancelar"},
	{"恢复已删除的文件？", mainBeside("删除", "取消"), none, "取消"},
	{"削除の前にエクスポートしますか？", buttons("削除", "キャンセル"), none, "キャンセル"},

	{"Restore deleted files?", buttons("Delete", "Restore", "Cancel"), "Restore", "Cancel"},
	{"Approve rejected invoice?", buttons("Reject", "Approve", "Cancel"), "Approve", "Cancel"},
	{"Confirm deletion", buttons("Delete", "Cancel"), "Delete", "Cancel"},
	{"You are deleting report.pdf", buttons("Delete", "Cancel"), "Delete", "Cancel"},
	{"Delete all deleted items?", buttons("Delete", "Cancel"), "Delete", "Cancel"},
	{"Are you sure you want to delete this?", buttons("OK", "Cancel"), "OK", "Cancel"},
	{"Soll die Datei gelöscht werden?", buttons("Löschen", "Abbrechen"), "Löschen", "Abbrechen"},
	{"Archivierte Projekte löschen?", buttons("Löschen", "Abbrechen"), "Löschen", "Abbrechen"},
	{"Confirmer la suppression", buttons("Supprimer", "Annuler"), "Supprimer", "Annuler"},
	{"Confirmar eliminación", buttons("Eliminar", "Cancelar"), "Eliminar", "Cancelar"},
	{"删除后无法恢复，确定删除吗？", buttons("删除", "取消"), "删除", "取消"},
	{"削除の確認", buttons("削除", "キャンセル"), "削除", "キャンセル"},
}

var totalCases = []verbCase{
	{"Delete 2 of 40 rows?", mainBeside("Delete 40 rows", "Cancel"), none, "Cancel"},
	{"Delete 2 of 40 rows?", buttons("Delete all", "Cancel"), none, "Cancel"},
	{"Send to 1 of 900 customers?", buttons("Send to 900 customers", "Cancel"), none, "Cancel"},
	{"Pay 30 of 300 €?", mainBeside("Pay 300 €", "Cancel"), none, "Cancel"},
	{withText("Are you sure?", "Delete 2 of 40 rows."), buttons("Delete 40 rows", "Cancel"), none, "Cancel"},
	{"Delete 2 rows (40 in total)?", buttons("Delete 40 rows", "Cancel"), none, "Cancel"},
	{"2 von 40 Zeilen löschen?", buttons("40 Zeilen löschen", "Abbrechen"), none, "Abbrechen"},
	{"Supprimer 2 lignes sur 40 ?", buttons("Supprimer 40 lignes", "Annuler"), none, "Annuler"},
	{"删除40行中的2行？", buttons("删除40行", "取消"), none, "取消"},

	{"Delete 2 of 40 rows?", buttons("Delete 40 rows", "Delete 2 rows", "Cancel"), "Delete 2 rows", "Cancel"},
	{"Delete 40 of 40 rows?", buttons("Delete 40 rows", "Cancel"), "Delete 40 rows", "Cancel"},
	{withText("Delete rows?", "2 of 40 rows are selected."), buttons("Delete 2 rows", "Cancel"), "Delete 2 rows", "Cancel"},
}

// titled returns a button with a text and a title.
func titled(text, title string) string {
	return fmt.Sprintf("<button title=%q>%s</button>", title, text)
}

// cancelEnds are buttons that seem to cancel, and destroy, leave or decline.
var cancelEnds = []verbCase{
	{"Keep this version?", buttons("No, delete it", "Yes, keep it"), "Yes, keep it", none},
	{"Do you want to keep the file?", buttons("Yes", "No, delete"), "Yes", none},
	{"Stay signed in?", buttons("Yes", "No, sign out"), "Yes", none},
	{"Keep the backup?", buttons("Yes", "No, don't keep it"), "Yes", none},
	{"Conserver le fichier ?", buttons("Oui", "Non, supprimer"), "Oui", none},
	{"Entwurf behalten?", buttons("Ja", "Nein, löschen"), "Ja", none},
	{"保留文件？", buttons("是", "否，删除"), "是", none},
	{"Join the team?", buttons("Yes", "No, decline"), "Yes", none},
	{"New post", `<button data-bs-dismiss=modal>Discard</button>` + mainButton("Save"), "Save", none},
	{"New post", titled("Close", "Delete draft") + mainButton("Save"), "Save", none},
	{"Edit tag", titled("×", "Remove") + buttons("Save"), "Save", none},
	{"Recipients", `<ul><li>Ann <button type=button class=close>×</button></li></ul>` + mainButton("Send"), "Send", none},
	{"Edit tag", titled("✕", "Tag löschen") + buttons("Save"), "Save", none},
	{"Edit tag", `<button class=modal-close><i class="fa fa-trash"></i></button>` + buttons("Save"), "Save", none},

	{"Keep this version?", cross + buttons("No, delete it", "Yes, keep it"), "Yes, keep it", "×"},
	{"Delete the file?", buttons("No, don't delete it", "Yes, delete it"), "Yes, delete it", "No, don't delete it"},
	{"Datei löschen?", buttons("Nein, nicht löschen", "Ja, löschen"), "Ja, löschen", "Nein, nicht löschen"},
	{"Publish the post?", buttons("No, leave it as a draft", "Yes"), "Yes", "No, leave it as a draft"},
	{"Edit tag", titled("×", "Close") + buttons("Save"), "Save", "×"},
}

func TestQuestionsThatDoNotAskForAButton(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler()) + "/answers.html"
	b := newBench(t, nil, nil)
	for i, tt := range testkit.Some(t, "questions", 16, slices.Concat(unaskedCases, objectCases, totalCases, cancelEnds)) {
		t.Run(tt.title+tt.html, func(t *testing.T) {
			at := b.answers(t, base, tt)
			if i < 3 {
				b.answer(t, at, "alertdialog", tt.html, "components:popconfirm:accept", nil, tt.confirm)
			}
		})
	}
}
