package session_test

// Tests of the button that answers a question. Its text and the marks of the page decide, never its
// position. The page itself reports which button was pressed.

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/libraries"
	"github.com/actionregistry/action/testdata/npm"
	"github.com/actionregistry/action/testdata/pages"
)

// none is the report of a page if no button was pressed.
const none = ""

// buttons returns plain buttons with these texts.
func buttons(texts ...string) string {
	var b strings.Builder
	for _, text := range texts {
		fmt.Fprintf(&b, "<button type=button>%s</button>", text)
	}
	return b.String()
}

type answerCase struct{ name, html, confirm, cancel string }

// answerCases are the buttons of a question, with the button that each action presses.
var answerCases = []answerCase{
	{"destructive first", buttons("Delete", "Cancel"), "Delete", "Cancel"},
	{"destructive last", buttons("Cancel", "Delete"), "Delete", "Cancel"},
	{"yes and no", buttons("Yes", "No"), "Yes", "No"},
	{"no and yes", buttons("No", "Yes"), "Yes", "No"},
	{"yes and no in Polish, no marked", `<button type=button class="btn btn-primary">Nie</button><button type=button>Tak</button>`, "Tak", "Nie"},
	{"Turkish, cancel marked", `<button type=button class="btn btn-primary">Vazgeç</button><button type=button>Sil</button>`, "Sil", "Vazgeç"},
	{"three", buttons("Accept", "Decline", "Close"), "Accept", "Close"},
	{"three, closing in the middle", buttons("Decline", "Close", "Accept"), "Accept", "Close"},
	{"yes, no and cancel", buttons("Cancel", "No", "Yes"), "Yes", "Cancel"},
	{"a phrase for yes", buttons("No, keep it", "Yes, cancel my order"), "Yes, cancel my order", "No, keep it"},
	{"phrases with cancel", buttons("Cancel subscription", "Keep subscription"), none, none},
	{"a phrase beside cancel", buttons("Keep subscription", "Cancel"), none, none},
	{"discard and keep", buttons("Discard", "Keep editing"), none, none},
	{"save and don't", buttons("Save", "Don't save", "Cancel"), "Save", "Cancel"},
	{"save and a curly don’t", buttons("Cancel", "Don’t save", "Save"), "Save", "Cancel"},
	{"send and don't", buttons("Send", "Don't send"), "Send", "Don't send"},
	{"delete and don't", buttons("Don’t delete", "Delete"), "Delete", "Don’t delete"},
	{"save or lose", buttons("Save", "Don't save"), "Save", none},
	{"keep or lose", buttons("Keep it", "Don't keep it"), none, none},
	{"German, and not", buttons("Löschen", "Nicht löschen"), "Löschen", "Nicht löschen"},
	{"Chinese, and not", buttons("发送", "不发送"), "发送", "不发送"},
	{"Chinese, saved or not", buttons("保存", "不保存"), "保存", none},
	{"not what the other does", buttons("Send", "Don't ask again"), "Send", none},
	{"two ways", buttons("Archive", "Delete", "Cancel"), none, "Cancel"},
	{"two ways, one marked", `<button>Archive</button><button class="btn btn-danger">Delete</button><button type=button>Cancel</button>`, "Delete", "Cancel"},
	{"two ways, one of them submits", `<button>Archive</button><button type=submit>Delete</button><button type=button>Cancel</button>`, none, "Cancel"},
	{"back is no answer", buttons("Back", "Pay"), "Pay", none},
	{"reject is one", buttons("Reject", "Approve"), "Approve", none},
	{"ok only", buttons("OK"), "OK", none},
	{"close only", buttons("Close"), none, "Close"},
	{"cancel only", buttons("Cancel"), none, "Cancel"},
	{"a cross first", `<button aria-label=Close>×</button>` + buttons("Cancel", "Delete"), "Delete", "Cancel"},
	{"a cross last", buttons("Delete") + `<button aria-label=Close><svg width=9 height=9></svg></button>`, "Delete", "Close"},
	{"a cross and two ways", buttons("Archive", "Delete") + `<button aria-label=Close><svg width=9 height=9></svg></button>`, none, "Close"},
	{"only a cross", `<button aria-label=Close>×</button>`, none, "×"},
	{"a link that cancels", buttons("Delete") + `<a href="#">Cancel</a>`, "Delete", "Cancel"},
	{"links", `<a href="#">Cancel</a><a href="#">Yes</a>`, "Yes", "Cancel"},
	{"inputs", `<input type=button value=Delete><input type=button value=Cancel>`, "Delete", "Cancel"},
	{"roles", `<span role=button tabindex=0>Delete</span><span role=button tabindex=0>Cancel</span>`, "Delete", "Cancel"},
	{"a picture beside the text", `<button><svg width=9 height=9 role=img aria-label=bin></svg><b>Delete</b></button>` + buttons("Cancel"), "Delete", "Cancel"},
	{"hidden ones", `<button hidden>OK</button><button hidden>Cancel</button>` + buttons("Yes", "No"), "Yes", "No"},
	{"marked to close", `<button data-bs-dismiss=modal>Avbryt!</button><button class="btn btn-primary">Radera</button>`, "Radera", "Avbryt!"},
	{"marked to close, unknown words", `<button data-bs-dismiss=modal>Takaisin</button><button>Poista</button>`, none, none},
	{"marked to close beside a yes", `<button data-bs-dismiss=modal>Takaisin</button><button>OK</button>`, "OK", "Takaisin"},
	{"marked to close beside a main one", `<button data-bs-dismiss=modal>Takaisin</button><button class="btn btn-primary">Poista</button>`, "Poista", "Takaisin"},
	{"both marked to close", `<button data-dismiss=modal>Go back</button><button class="btn btn-warning" data-dismiss=modal>Delete</button>`, "Delete", none},
	{"the only one marked to close", cross + `<button class="btn btn-success" data-bs-dismiss=modal>Save</button>`, "Save", "×"},
	{"one that resets", cross + `<button type=reset>Reset</button><button type=submit>Save</button>`, "Save", "×"},
	{"a value that cancels", `<button type=submit value=cancel>Discard</button><button type=button>Save</button>`, "Save", none},
	{"back and on", `<button type=submit>Previous</button><button type=button>Next</button>`, none, none},
	{"help", cross + buttons("Help"), none, "×"},
	{"learn more", buttons("Learn more", "Cancel"), none, "Cancel"},
	{"a main one that only helps", `<button class="btn btn-primary">Learn more</button>` + buttons("Cancel"), none, "Cancel"},
	{"unknown and a cross", cross + buttons("Poista"), none, "×"},
	{"named otherwise", `<button aria-label="Cancel the deletion">Delete</button>` + buttons("Cancel"), none, none},
	{"named by more", `<button aria-label="Delete order 7">Delete</button>` + buttons("Cancel"), "Delete", "Cancel"},
	{"cancels more", `<button aria-label="Cancel the order">Cancel</button>` + buttons("Keep it"), none, none},
	{"unknown words", buttons("Poista", "Takaisin"), none, none},
	{"unknown words, one main", buttons("Takaisin") + `<button class="btn btn-danger">Poista</button>`, "Poista", none},
	{"the main one cancels", `<button>Delete</button><button class="btn btn-primary">Cancel</button>`, "Delete", "Cancel"},
	{"a main one against yes", `<button>Yes</button><button class="btn btn-primary">Keep</button><button class="btn btn-primary">Erase</button>`, none, none},
	{"alike", buttons("OK", "OK"), none, none},
	{"chinese", buttons("删除", "取消"), "删除", "取消"},
	{"chinese, spaced", buttons("取 消", "确 定"), "确 定", "取 消"},
	{"chinese yes and no", buttons("是", "否"), "是", "否"},
	{"chinese, closing", buttons("关闭", "知道了"), "知道了", "关闭"},
	{"chinese phrases", buttons("取消订单", "保留订单"), none, none},
	{"chinese, not saved", buttons("保存", "不保存", "取消"), "保存", "取消"},
	{"chinese, later", buttons("立即更新", "稍后再说"), "立即更新", "稍后再说"},
	{"german", buttons("Löschen", "Abbrechen"), "Löschen", "Abbrechen"},
	{"german yes and no", buttons("Nein", "Ja, löschen"), "Ja, löschen", "Nein"},
	{"french", buttons("Supprimer", "Annuler"), "Supprimer", "Annuler"},
	{"french yes and no", buttons("Oui", "Non"), "Oui", "Non"},
	{"spanish", buttons("Sí", "No"), "Sí", "No"},
	{"spanish beside an English question about it", buttons("Cancelar", "Eliminar"), "Eliminar", none},
	{"japanese", buttons("削除", "キャンセル"), "削除", "キャンセル"},
	{"japanese yes and no", buttons("いいえ", "はい"), "はい", "いいえ"},
}

// mainButton returns a button that the page marks as the main one.
func mainButton(text string) string {
	return fmt.Sprintf(`<button type=button class="btn btn-primary">%s</button>`, text)
}

// dismissButton returns a button of Bootstrap that closes its dialog.
func dismissButton(class, text string) string {
	return fmt.Sprintf(`<button type=button class="btn %s" data-bs-dismiss=modal>%s</button>`, class, text)
}

const cross = "<button aria-label=Close>×</button>"

type verbCase struct{ title, html, confirm, cancel string }

// verbCases are questions about cancelling, closing or declining. Each has its title, its buttons,
// and the button that each action presses.
var verbCases = []verbCase{
	{"Cancel order?", buttons("Never mind", "Cancel"), none, none},
	{"Cancel order?", cross + buttons("Never mind", "Cancel"), none, "×"},
	{"Cancel order?", buttons("No", "Cancel"), none, none},
	{"Cancel order?", buttons("No", "Yes"), "Yes", "No"},
	{"Cancel order?", buttons("Cancel", "Back to the shop"), none, none},
	{"Order 7</h2><p>Do you want to cancel this order?</p><h2>", buttons("Cancel", "OK"), "OK", none},
	{"Really?", buttons("Never mind", "Cancel"), none, none},
	{"Really?", buttons("Cancel", "Close"), none, none},
	{"Vorgang abbrechen?", buttons("Zurück", "Abbrechen"), none, none},
	{"取消订单?", buttons("不取消", "取消"), none, none},
	{"确定取消该订单吗", buttons("取消", "确定"), "确定", none},
	{"删除该订单?", buttons("确定", "取消"), "确定", "取消"},
	{"Close ticket?", buttons("Back", "Close"), none, "Back"},
	{"Close ticket?", cross + buttons("Back", "Close"), none, "×"},
	{"Close account?", buttons("Close account", "Cancel"), "Close account", none},
	{"关闭工单？", buttons("返回", "关闭"), none, "返回"},
	{"Decline invitation?", buttons("Back", "Decline"), "Decline", none},
	{"Decline invitation?", buttons("Yes", "No"), "Yes", none},

	{"Start over?", buttons("Start over", "Keep going"), "Start over", "Keep going"},
	{"Send the message?", buttons("Send", "Don't send"), "Send", "Don't send"},
	{"Nachricht löschen?", buttons("Löschen", "Nicht löschen"), "Löschen", "Nicht löschen"},
	{"Stop recording?", buttons("Cancel", "Stop"), "Stop", "Cancel"},
	{"Stop recording?", mainButton("Stop") + buttons("Cancel"), "Stop", "Cancel"},
	{"Stop recording?", buttons("Stop", "Keep recording"), "Stop", "Keep recording"},
	{"Revoke API key?", buttons("Cancel", "Revoke"), "Revoke", "Cancel"},
	{"Revoke API key?</h2><p>Apps that use it will stop working.</p><h2>", mainButton("Revoke") + buttons("Cancel"), "Revoke", "Cancel"},
	{"Stop recording?", dismissButton("btn-secondary", "Cancel") + dismissButton("btn-danger", "Stop"), "Stop", "Cancel"},
	{"Stop recording?", dismissButton("btn-secondary", "Cancel") + dismissButton("btn-warning", "Stop"), "Stop", "Cancel"},
	{"Revoke API key?", dismissButton("btn-secondary", "Cancel") + dismissButton("btn-warning", "Revoke"), "Revoke", "Cancel"},
	{"Revoke API key?", dismissButton("btn-danger", "Revoke") + dismissButton("btn-secondary", "Cancel"), "Revoke", "Cancel"},
	{"Revoke API key?", dismissButton("btn-secondary", "Close") + dismissButton("btn-warning", "Revoke"), "Revoke", "Close"},
	{"Cancel order?", buttons("Cancel order", "Keep"), "Cancel order", none},
	{"Cancel order?", mainButton("Cancel order") + buttons("Keep"), "Cancel order", none},

	// Languages of which only the word for cancelling is known.
	{"Annullare ordine?", buttons("Annulla", "Indietro"), none, none},
	{"Bestelling annuleren?", buttons("Terug", "Annuleren"), none, none},
	{"Anulować zamówienie?", buttons("Anuluj", "Wróć"), none, none},
	{"Avbryta beställningen?", buttons("Avbryt", "Tillbaka"), none, none},
	{"Отменить заказ?", buttons("Отменить", "Назад"), none, none},
	{"주문을 취소하시겠습니까?", buttons("취소", "돌아가기"), none, none},
	{"Objednávku zrušit?", buttons("Zrušit", "Zpět"), none, none},
	{"Sluit rekening?", buttons("Sluiten", "Terug"), none, none},
	{"Cancel order", buttons("Cancel", "Back"), none, none},
	{"Attenzione</h2><p>Stai per annullare l'ordine.</p><h2>", buttons("Annulla", "Indietro"), none, none},
	{"Annullare ordine?", cross + buttons("Annulla", "Indietro"), none, "×"},
	{"Eliminare foto?", buttons("Elimina", "Annulla"), "Elimina", "Annulla"},
	{"¿Eliminar la foto?", buttons("Cancelar", "Eliminar"), "Eliminar", "Cancelar"},
	{"Usunąć zdjęcie?", buttons("Anuluj", "Usuń"), "Usuń", "Anuluj"},

	// The main button may be the opposite of the action in the question.
	{"取消订单</h2><p>取消后无法恢复</p><h2>", buttons("取消订单") + mainButton("暂不取消"), "取消订单", none},
	{"Cancelar pedido</h2><p>Deseja continuar?</p><h2>", mainButton("Voltar") + buttons("Cancelar pedido"), "Cancelar pedido", none},
	{"Order annuleren?", buttons("Annuleren") + mainButton("Terug"), none, none},
	{"Order annuleren?", buttons("Annuleren") + mainButton("Laat maar"), none, none},
	{"Stop the import?", buttons("Abort") + mainButton("Continue"), none, none},
	{"Payment due", mainButton("Remind me later") + buttons("Pay now"), "Pay now", "Remind me later"},
	{"Hinweis</h2><p>Nicht gespeicherte Änderungen gehen verloren.</p><h2>", mainButton("Auf Seite bleiben") + buttons("Trotzdem verlassen"), none, none},
	{"Supprimer le client", mainButton("Conserver") + buttons("Supprimer"), "Supprimer", "Conserver"},
	{"Datensatz", mainButton("Doch nicht") + buttons("Löschen"), "Löschen", "Doch nicht"},

	// The button whose word the question repeats is the answer; the other may be the opposite.
	{"Reject invoice?", buttons("Reject", "Approve"), "Reject", none},
	{"Decline request?", buttons("Accept", "Decline"), "Decline", none},
	{"Deny access?", buttons("Deny", "Allow"), "Deny", none},
	{"Reject this offer?", buttons("Accept offer", "Reject"), "Reject", none},
	{"拒绝申请?", buttons("拒绝", "同意"), "拒绝", none},
	{"驳回申请", buttons("同意", "驳回", "取消"), "驳回", "取消"},
	{"退回申请", buttons("同意", "退回", "取消"), "退回", "取消"},
	{"Return the request?", buttons("Approve", "Return", "Cancel"), "Return", "Cancel"},
	{"Approve invoice?", buttons("Reject", "Approve"), "Approve", none},
	{"Approve or reject the invoice?", buttons("Reject", "Approve"), none, none},
	{"Are you sure</h2><p>The invoice will be rejected.</p><h2>", buttons("Reject", "Approve"), none, none},
	{"Delete file?", buttons("Archive", "Delete", "Cancel"), "Delete", "Cancel"},

	// A text that only names a button is not a question.
	{"Leave the page?</h2><p>Press Cancel to stay.</p><h2>", buttons("Leave", "Cancel"), "Leave", "Cancel"},
	{"Unsaved changes</h2><p>Press Cancel to keep editing.</p><h2>", buttons("Leave", "Cancel"), "Leave", "Cancel"},
	{"Start export?</h2><p>It cannot be cancelled.</p><h2>", buttons("Start", "Cancel"), "Start", "Cancel"},
	{"Ticket</h2><p><label>Closed on <input></label></p><h2>", buttons("Save", "Close"), "Save", "Close"},
	{"Closed tickets", buttons("Close"), none, "Close"},
	{"Print labels?", buttons("Cancel", "Print"), "Print", "Cancel"},
	{"Copy link?", buttons("Cancel", "Copy"), "Copy", "Cancel"},
	{"打印标签？", buttons("取消", "打印"), "打印", "取消"},
	{"Edit order?", buttons("Edit", "Delete", "Cancel"), "Edit", "Cancel"},
	{"View order?", buttons("Delete", "View"), none, none},
	{"Delete order?", buttons("Edit", "Cancel"), none, "Cancel"},
}

func TestAnswersOfAQuestion(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler()) + "/answers.html"
	b := newBench(t, nil, nil)
	for _, tt := range testkit.Some(t, "questions", 64, answerCases) {
		for action, want := range map[string]string{"components:dialog:confirm": tt.confirm, "components:dialog:cancel": tt.cancel} {
			t.Run(tt.name+"/"+action, func(t *testing.T) { b.answer(t, base, "dialog", tt.html, action, nil, want) })
		}
	}
	for _, tt := range testkit.Some(t, "questions about cancelling", 56, verbCases) {
		t.Run(tt.title+tt.html, func(t *testing.T) {
			b.answers(t, base, tt)
		})
	}
	t.Run("several", func(t *testing.T) { b.severalQuestions(t, base) })
	for _, kind := range []string{"alertdialog", "native"} {
		for _, tt := range testkit.Some(t, "questions", 4, answerCases[:4]) {
			t.Run(tt.name+"/"+kind, func(t *testing.T) {
				b.answer(t, base, kind, tt.html, "components:dialog:confirm", nil, tt.confirm)
				b.answer(t, base, kind, tt.html, "components:dialog:cancel", nil, tt.cancel)
			})
		}
	}
	for _, tt := range testkit.Some(t, "questions", 5, answerCases[:5]) {
		t.Run(tt.name+"/popconfirm", func(t *testing.T) {
			b.answer(t, base, "alertdialog", tt.html, "components:popconfirm:accept", nil, tt.confirm)
		})
	}
	t.Run("named", func(t *testing.T) {
		two := buttons("Archive", "Delete", "Keep")
		b.answer(t, base, "dialog", two, "components:dialog:confirm", object{"text": "Archive"}, "Archive")
		b.answer(t, base, "dialog", two, "components:dialog:cancel", object{"text": "Keep"}, "Keep")
		b.answer(t, base, "alertdialog", two, "components:popconfirm:accept", object{"text": "Delete"}, "Delete")
	})
	t.Run("disabled", func(t *testing.T) {
		b.open(t, base+"?buttons="+url.QueryEscape(`<button disabled>OK</button>`+buttons("Cancel")))
		wantError(t, b.run(t, "components:dialog:confirm", nil), diag.ElementNotInteractable, "disabled")
	})
}

// answers runs confirm and cancel on a question with a title, and compares the pressed buttons. It
// returns the address of the question.
func (b *bench) answers(t *testing.T, base string, tt verbCase) string {
	t.Helper()
	at := base + "?title=" + url.QueryEscape(tt.title)
	b.answer(t, at, "dialog", tt.html, "components:dialog:confirm", nil, tt.confirm)
	b.answer(t, at, "dialog", tt.html, "components:dialog:cancel", nil, tt.cancel)
	return at
}

// answer shows a question, runs an action on it, and compares the pressed button. If none may be
// pressed, the error must list the buttons and say how to name one.
func (b *bench) answer(t *testing.T, base, kind, html, action string, params object, pressed string) {
	t.Helper()
	sep := "?"
	if strings.Contains(base, "?") {
		sep = "&"
	}
	b.open(t, base+sep+"kind="+kind+"&buttons="+url.QueryEscape(html))
	r := b.run(t, action, params)
	got := data(t, b.Step(t.Context(), "get", session.RunOptions{Params: object{"selector": "css:#pressed", "what": "text"}, Cwd: b.cwd}))["text"]
	if got != pressed {
		t.Errorf("%s pressed %q, want %q (%v)", action, got, pressed, r.Error)
	}
	if pressed != none && r.Error != nil {
		t.Error(r.Error)
	}
	if pressed == none && (r.Error == nil || r.Error.Code != diag.ElementAmbiguous && !strings.Contains(r.Error.Msg, "there are") && !strings.Contains(r.Error.Msg, "none was pressed")) {
		t.Errorf("%s: %v, want an error that lists the buttons", action, r.Error)
	}
}

// severalQuestions tests two open questions: one over the other, beside it, and inside it.
func (b *bench) severalQuestions(t *testing.T, base string) {
	ask := func(role, title, html string) string {
		return fmt.Sprintf("<div role=%s aria-label=%q><h3>%s</h3>%s", role, title, title, html)
	}
	pressed := func() string {
		r := b.Step(t.Context(), "get", session.RunOptions{Params: object{"selector": "css:#pressed", "what": "text"}, Cwd: b.cwd})
		return fmt.Sprint(data(t, r)["text"])
	}
	outer, inner, cookies := ask("dialog", "Edit order", buttons("Save", "Discard it", "Cancel")), ask("alertdialog", "Delete order?", buttons("Delete", "No")), ask("alertdialog", "Cookies", buttons("Accept", "Decline"))
	beside, inside := outer+"</div>"+inner+"</div>", outer+inner+"</div></div>"
	tests := []struct {
		name, html, action string
		params             object
		pressed            string
	}{
		{"beside, unsaid", beside, "dialog:confirm", nil, none},
		{"beside, unsaid, cancelled", beside, "dialog:cancel", nil, none},
		{"beside, said", beside, "dialog:confirm", object{"title": "Delete order?"}, "Delete"},
		{"beside, the other said", beside, "dialog:cancel", object{"title": "Edit order"}, "Cancel"},
		{"inside, unsaid", inside, "dialog:confirm", nil, none},
		{"inside, the inner", inside, "dialog:cancel", object{"title": "Delete order?"}, "No"},
		{"inside, the inner confirmed", inside, "dialog:confirm", object{"title": "Delete order?"}, "Delete"},
		{"inside, the outer", inside, "dialog:cancel", object{"title": "Edit order"}, "Cancel"},
		{"two questions", cookies + "</div>" + inner + "</div>", "popconfirm:accept", nil, none},
		{"two questions, said", cookies + "</div>" + inner + "</div>", "popconfirm:accept", object{"text": "Delete"}, "Delete"},
	}
	for _, tt := range testkit.Kinds(t, "questions", 4, tests, func(i int) any { return tests[i].action + tests[i].pressed }) {
		t.Run(tt.name, func(t *testing.T) {
			b.open(t, base+"?html="+url.QueryEscape(tt.html))
			r := b.run(t, "components:"+tt.action, tt.params)
			if got := pressed(); got != tt.pressed {
				t.Errorf("pressed %q, want %q (%v)", got, tt.pressed, r.Error)
			}
			if tt.pressed != none && r.Error != nil {
				t.Error(r.Error)
			}
			if tt.pressed == none {
				wantError(t, r, diag.ElementAmbiguous, "2")
			}
		})
	}
}

// askers are scripts that show a question of a library. Its buttons are those of list, in order,
// each as {text, kind}. They set window.pressed to the text of the pressed button.
var askers = map[string]string{
	"antd": `
const h = React.createElement, place = document.body.appendChild(document.createElement("div"));
const root = ReactDOM.createRoot ? ReactDOM.createRoot(place) : { render: (node) => ReactDOM.render(node, place), unmount: () => ReactDOM.unmountComponentAtNode(place) };
const press = (text) => () => { window.pressed = text; root.unmount(); };
root.render(h(antd.Modal, { title: "Really?", open: true, visible: true, onCancel: press("×"),
  footer: list.map(({ text, kind }) => h(antd.Button, { key: text, type: kind, onClick: press(text) }, text)) }));`,
	"antd confirm": `
antd.Modal.confirm({ title: "Really?", okText: list[1].text, cancelText: list[0].text, okType: list[1].kind, autoFocusButton: "cancel",
  onOk: () => { window.pressed = list[1].text; }, onCancel: () => { window.pressed = list[0].text; } });`,
	"antd popconfirm": `
const h = React.createElement, place = document.body.appendChild(document.createElement("div"));
const root = ReactDOM.createRoot ? ReactDOM.createRoot(place) : { render: (node) => ReactDOM.render(node, place), unmount: () => ReactDOM.unmountComponentAtNode(place) };
const press = (text) => () => { window.pressed = text; root.unmount(); };
root.render(h(antd.Popconfirm, { title: "Really?", open: true, visible: true, okText: list[1].text, cancelText: list[0].text, okType: list[1].kind,
  onConfirm: press(list[1].text), onCancel: press(list[0].text) }, h("b", { style: { position: "fixed", left: 300, top: 300, zIndex: 9 } }, "Asked")));`,
	"element": `
const template = '<el-dialog title="Really?" ' + (window.ELEMENT ? ':visible.sync="open"' : 'v-model="open"') + ' @close="press(\'×\')">' +
  (window.ELEMENT ? '<span slot="footer">' : '<template #footer>') +
  '<el-button v-for="b in list" :key="b.text" :type="b.kind" @click="press(b.text)">{{ b.text }}</el-button>' + (window.ELEMENT ? '</span>' : '</template>') + '</el-dialog>';
const options = { template, data: () => ({ list, open: true }), methods: { press(text) { window.pressed = window.pressed || text; this.open = false; } } };
const place = document.body.appendChild(document.createElement("div"));
if (window.ELEMENT) new Vue({ ...options, el: place });
else Vue.createApp(options).use(ElementPlus).mount(place);`,
	"element confirm": `
(window.ELEMENT ? ELEMENT : ElementPlus)[window.ELEMENT ? "MessageBox" : "ElMessageBox"].confirm("Sure?", "Really?", { confirmButtonText: list[1].text, cancelButtonText: list[0].text })
  .then(() => { window.pressed = list[1].text; }, () => { window.pressed = list[0].text; });`,
	"element popconfirm": `
const template = '<el-popconfirm title="Really?" :confirm-button-text="list[1].text" :cancel-button-text="list[0].text" :confirm-button-type="list[1].kind" ' +
  '@confirm="press(list[1].text)" @cancel="press(list[0].text)" @on-confirm="press(list[1].text)" @on-cancel="press(list[0].text)">' +
  (window.ELEMENT ? '<b slot="reference" style="position: fixed; left: 300px; top: 300px; z-index: 9">Asked</b>' :
    '<template #reference><b style="position: fixed; left: 300px; top: 300px; z-index: 9">Asked</b></template>') + '</el-popconfirm>';
const options = { template, data: () => ({ list }), methods: { press(text) { window.pressed = text; } } };
const place = document.body.appendChild(document.createElement("div"));
if (window.ELEMENT) new Vue({ ...options, el: place });
else Vue.createApp(options).use(ElementPlus).mount(place);
setTimeout(() => [...document.querySelectorAll("b")].find((b) => b.textContent === "Asked").click(), 50);`,
	"mui": `
const h = React.createElement, M = MaterialUI, root = ReactDOM.createRoot(document.body.appendChild(document.createElement("div")));
const press = (text) => () => { window.pressed = text; root.unmount(); };
root.render(h(M.Dialog, { open: true, "aria-labelledby": "really" }, h(M.DialogTitle, { id: "really" }, "Really?"),
  h(M.DialogActions, null, list.map(({ text, kind }) => h(M.Button, { key: text, variant: kind === "primary" ? "contained" : "text", onClick: press(text) }, text)))));`,
}

type libraryAnswer struct{ asker, list, confirm, cancel string }

// libraryAnswers are questions of libraries. A * marks the main button, a ! a dangerous button.
var libraryAnswers = []libraryAnswer{
	{"antd", "Cancel *Delete", "Delete", "Cancel"},
	{"antd", "*Delete Cancel", "Delete", "Cancel"},
	{"antd", "Delete *Cancel", "Delete", "Cancel"},
	{"antd", "Yes No", "Yes", "×"}, // No may be an answer of its own
	{"antd", "Accept Decline Close", "Accept", "Close"},
	{"antd", "确定 取消", "确定", "取消"},
	{"antd", "删除 *取消", "删除", "取消"},
	{"antd", "Archive Delete", none, "×"},
	{"antd", "Stay *Leave", "Leave", "×"},
	{"antd confirm", "No *Yes", "Yes", "No"},
	{"antd confirm", "取消 !删除", "删除", "取消"},
	{"antd confirm", "Yes No", "Yes", "No"},
	{"antd confirm", "Keep !Erase", "Erase", none},
	{"antd popconfirm", "No *Yes", "Yes", "No"},
	{"antd popconfirm", "是 *否", "是", "否"},
	{"antd popconfirm", "否 !删除", "删除", "否"},
	{"element", "Cancel *Delete", "Delete", "Cancel"},
	{"element", "!Delete Cancel", "Delete", "Cancel"},
	{"element", "Delete *Cancel", "Delete", "Cancel"},
	{"element", "Yes No", "Yes", "×"},
	{"element", "Accept Decline Close", "Accept", "Close"},
	{"element", "删除 *取消", "删除", "取消"},
	{"element", "Archive Delete", none, "×"},
	{"element confirm", "No *Yes", "Yes", "No"},
	{"element confirm", "否 是", "是", "否"},
	{"element confirm", "Keep *Erase", "Erase", "Keep"}, // the cross of the dialog
	{"element popconfirm", "No *Yes", "Yes", "No"},
	{"element popconfirm", "取消 *删除", "删除", "取消"},
	{"mui", "Delete Cancel", "Delete", "Cancel"},
	{"mui", "Accept Decline Close", "Accept", "Close"},
	{"mui", "Stay *Leave", "Leave", none},
	{"mui", "取消 删除", "删除", "取消"},
}

func TestAnswersOfLibraries(t *testing.T) {
	t.Parallel()
	modules, err := npm.Dir()
	if err != nil {
		t.Fatal(err)
	}
	type page struct{ name, namespace, asker, url string }
	list := []page{{"material", "components", "mui", serve(t, pages.Handler()) + "/material.html"}}
	base := serve(t, libraries.Handler(modules))
	for _, p := range testkit.Some(t, "libraries", 2, somePages(t, libraries.Pages())) {
		list = append(list, page{p.Name, p.Library, p.Library, base + "/" + p.Name})
	}
	for n, p := range list {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, nil, nil)
			var asked []libraryAnswer
			for _, tt := range libraryAnswers {
				if asker, _, _ := strings.Cut(tt.asker, " "); asker == p.asker {
					asked = append(asked, tt)
				}
			}
			// With -short, each page asks one question, and each page another one.
			for _, tt := range testkit.Share(t, "questions", asked, n%len(asked), len(asked)) {
				_, kind, _ := strings.Cut(tt.asker, " ")
				confirm, cancel := p.namespace+":dialog:confirm", p.namespace+":dialog:cancel"
				if kind == "popconfirm" {
					confirm = p.namespace + ":popconfirm:accept"
				}
				t.Run(tt.asker+"/"+tt.list, func(t *testing.T) {
					b.answerAsked(t, p.url, tt.asker, tt.list, confirm, tt.confirm)
					b.answerAsked(t, p.url, tt.asker, tt.list, cancel, tt.cancel)
					if kind == "popconfirm" { // whatever the namespace, and whichever of the two actions
						b.answerAsked(t, p.url, tt.asker, tt.list, p.namespace+":dialog:confirm", tt.confirm)
						b.answerAsked(t, p.url, tt.asker, tt.list, "components:dialog:confirm", tt.confirm)
						b.answerAsked(t, p.url, tt.asker, tt.list, "components:dialog:cancel", tt.cancel)
						b.answerAsked(t, p.url, tt.asker, tt.list, "components:popconfirm:accept", tt.confirm)
					}
				})
			}
		})
	}
}

// answerAsked makes a page show a question, runs an action, and compares the pressed button.
func (b *bench) answerAsked(t *testing.T, url, asker, texts, action, pressed string) {
	t.Helper()
	b.open(t, url)
	var list []any
	for _, text := range strings.Fields(texts) {
		kind := map[byte]string{'*': "primary", '!': "danger"}[text[0]]
		if kind == "" && asker != "antd" {
			kind = "default"
		}
		list = append(list, object{"text": strings.TrimLeft(text, "*!"), "kind": kind})
	}
	eval := func(script string, args object) any {
		r := b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": script, "args": args}, Cwd: b.cwd})
		return data(t, r)["value"]
	}
	eval(askers[asker]+"\nreturn true", object{"list": list})
	r := b.run(t, action, nil)
	if got := eval("window.pressed ?? ''", nil); got != pressed {
		t.Errorf("%s pressed %q, want %q (%v)", action, got, pressed, r.Error)
	}
	if pressed == none && (r.Error == nil || !strings.Contains(r.Error.Msg, "none was pressed; there are")) || pressed != none && r.Error != nil {
		t.Errorf("%s: %v", action, r.Error)
	}
}
