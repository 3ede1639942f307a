package session_test

// Tests of buttons that do more than the question says. Such a button is an answer only if the
// question also names the other action.

import (
	"testing"

	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

var moreCases = []verbCase{
	{"Save changes?", buttons("Cancel", "Save and publish") + mainButton("Save as draft"), none, "Cancel"},
	{"Save invoice?", buttons("Cancel", "Save as draft", "Save and send"), none, "Cancel"},
	{"Save changes?", mainBeside("Save and publish", "Cancel"), none, "Cancel"},
	{"Save changes?", mainBeside("Yes, save and publish", "Cancel"), none, "Cancel"},
	{"Save changes?", mainBeside("Save &amp; publish", "Cancel"), none, "Cancel"},
	{"Save changes?", mainBeside("Save, then publish", "Cancel"), none, "Cancel"},
	{"Restore backup?", buttons("Cancel", "Restore and overwrite") + mainButton("Restore a copy"), none, "Cancel"},
	{"Confirm booking?", buttons("Cancel", "Confirm later", "Confirm and pay"), none, "Cancel"},
	{"Move file?", buttons("Cancel", "Move to archive", "Move and overwrite"), none, "Cancel"},
	{"Install update?", mainBeside("Install and restart", "Cancel"), none, "Cancel"},
	{"Submit report?", buttons("Submit and lock", "Cancel"), none, "Cancel"},
	{"Delete user?", mainBeside("Delete user and data", "Cancel"), none, "Cancel"},
	{"Remove user?", mainBeside("Delete and block", "Cancel"), none, "Cancel"},
	{"Refund order 17?", mainBeside("Refund and cancel", "Close"), none, "Close"},
	{withText("Save invoice?", "Saved invoices can be sent later."), buttons("Cancel", "Save as draft", "Save and send"), none, "Cancel"},
	{withText("Leave page?", "You have changed the order."), buttons("Stay", "Leave without saving", "Save and leave"), none, none},
	{"Rechnung speichern?", buttons("Abbrechen", "Speichern und versenden") + mainButton("Als Entwurf speichern"), none, "Abbrechen"},
	{"Enregistrer la facture ?", buttons("Annuler", "Enregistrer et envoyer", "Enregistrer en brouillon"), none, "Annuler"},
	{"¿Guardar cambios?", buttons("Cancelar", "Guardar como borrador", "Guardar y publicar"), none, "Cancelar"},
	{"Salvare le modifiche?", mainBeside("Salva e pubblica", "Annulla"), none, "Annulla"},
	{"Salvar alterações?", mainBeside("Salvar e publicar", "Cancelar"), none, "Cancelar"},
	{"Wijzigingen opslaan?", mainBeside("Opslaan en publiceren", "Annuleren"), none, "Annuleren"},
	{"Spara ändringarna?", mainBeside("Spara och publicera", "Avbryt"), none, "Avbryt"},
	{"Zapisać zmiany?", mainBeside("Zapisz i opublikuj", "Anuluj"), none, "Anuluj"},
	{"Сохранить изменения?", mainBeside("Сохранить и опубликовать", "Отмена"), none, "Отмена"},
	{"保存更改？", mainBeside("保存并发布", "取消"), none, "取消"},
	{"变更を保存しますか？", mainBeside("保存して公開", "キャンセル"), none, "キャンセル"},
	{"변경 사항을 저장하시겠습니까?", mainBeside("저장하고 게시", "취소"), none, "취소"},

	// The question or a sentence with its verb also names the other action, and no other button
	// names that action.
	{"Save and publish?", buttons("Cancel", "Save and publish") + mainButton("Save as draft"), "Save and publish", "Cancel"},
	{"Confirm and pay?", mainBeside("Confirm and pay", "Cancel"), "Confirm and pay", "Cancel"},
	{withText("Update", "Install the update and restart the server?"), mainBeside("Install and restart", "Cancel"), "Install and restart", "Cancel"},
	{withText("Delete user?", "This deletes the user and all data."), mainBeside("Delete user and data", "Cancel"), "Delete user and data", "Cancel"},
	{"保存并发布？", mainBeside("保存并发布", "取消"), "保存并发布", "取消"},

	// Another button does only what the question says.
	{"Save changes?", buttons("Save", "Cancel") + mainButton("Save and publish"), "Save", "Cancel"},
	{"Save changes?", buttons("Save", "Save and new", "Cancel"), "Save", "Cancel"},
	{"Add user?", buttons("Cancel", "Add", "Add and invite"), "Add", "Cancel"},
	{"Delete user?", buttons("No", "Yes", "Delete and block"), "Yes", "No"},

	// Closing, continuing, showing and agreeing do not count as another action.
	{"Save changes?", buttons("Save and close", "Cancel"), "Save and close", "Cancel"},
	{"Save changes?", buttons("Save and exit", "Cancel"), "Save and exit", "Cancel"},
	{"Save changes?", mainBeside("Save &amp; continue", "Cancel"), "Save & continue", "Cancel"},
	{"Save changes?", mainBeside("Save and go back", "Cancel"), "Save and go back", "Cancel"},
	{"Create order?", mainBeside("Create and add another", "Cancel"), "Create and add another", "Cancel"},
	{"Publish post?", mainBeside("Save and publish", "Cancel"), "Save and publish", "Cancel"},
	{"Accept the terms?", mainBeside("Agree and continue", "Cancel"), "Agree and continue", "Cancel"},
	{"Delete files and folders?", mainBeside("Delete files and folders", "Cancel"), "Delete files and folders", "Cancel"},
	{"Send message?", mainBeside("Send a message", "Cancel"), "Send a message", "Cancel"},
	{"Änderungen speichern?", mainBeside("Speichern und weiter", "Abbrechen"), "Speichern und weiter", "Abbrechen"},
	{"Kunde bearbeiten", mainBeside("Speichern und schließen", "Abbrechen"), "Speichern und schließen", "Abbrechen"},
	{"Kunde bearbeiten", mainBeside("Sichern und schließen", "Abbrechen"), "Sichern und schließen", "Abbrechen"},
	{"Neuer Kunde", mainBeside("Anlegen und schließen", "Abbrechen"), "Anlegen und schließen", "Abbrechen"},
	{"Filter", mainBeside("Übernehmen und schließen", "Verwerfen"), "Übernehmen und schließen", none},
	{"Änderungen speichern?", buttons("Abbrechen", "Speichern &amp; schließen"), "Speichern & schließen", "Abbrechen"},
	{"Änderungen behalten?", mainBeside("Verwerfen und schließen", "Abbrechen"), none, "Abbrechen"},
	{"Vorgang bearbeiten?", mainBeside("Vorgang schließen", "Abbrechen"), none, "Abbrechen"},
	{"Edit ticket?", mainBeside("Close ticket", "Cancel"), none, "Cancel"},
	{"Modifier le ticket ?", mainBeside("Fermer le ticket", "Annuler"), none, "Annuler"},
	{"¿Editar el caso?", mainBeside("Cerrar el caso", "Cancelar"), none, "Cancelar"},
	{"编辑工单？", mainBeside("关闭工单", "取消"), none, "取消"},
	{"チケットを編集しますか？", mainBeside("チケットを閉じる", "キャンセル"), none, "キャンセル"},
	{"Vorgang 7", buttons("Vorgang schließen", "Bund schließen"), none, none},
	{"Enregistrer les modifications ?", mainBeside("Enregistrer et fermer", "Annuler"), "Enregistrer et fermer", "Annuler"},
	{"¿Guardar cambios?", mainBeside("Guardar y salir", "Cancelar"), "Guardar y salir", "Cancelar"},
	{"保存更改？", mainBeside("保存并关闭", "取消"), "保存并关闭", "取消"},
	{"変更を保存しますか？", mainBeside("保存して閉じる", "キャンセル"), "保存して閉じる", "キャンセル"},
	{"What shall happen?", mainBeside("Save and publish", "Cancel"), "Save and publish", "Cancel"},
}

func TestQuestionsWithAButtonThatDoesMore(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler()) + "/answers.html"
	b := newBench(t, nil, nil)
	for i, tt := range testkit.Some(t, "questions", 16, moreCases) {
		t.Run(tt.title+tt.html, func(t *testing.T) {
			at := b.answers(t, base, tt)
			if i == 0 {
				b.answer(t, at, "alertdialog", tt.html, "components:popconfirm:accept", nil, tt.confirm)
			}
		})
	}
}
