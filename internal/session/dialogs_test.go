package session_test

// Tests of which dialog is answered and whether it has closed, for many kinds of dialogs. The page
// reports which buttons were pressed.

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

// box returns a dialog with a heading, followed by html.
func box(role, title, html string) string {
	return fmt.Sprintf("<div role=%s aria-label=%q><h2>%s</h2>%s</div>", role, title, title, html)
}

// doing returns a button with a handler.
func doing(text, handler string) string {
	return fmt.Sprintf(`<button type=button onclick="%s">%s</button>`, handler, text)
}

// shut returns buttons that close their dialog.
func shut(texts ...string) string {
	var b strings.Builder
	for _, text := range texts {
		b.WriteString(doing(text, "end(this)"))
	}
	return b.String()
}

// sends returns a button that hides its dialog, posts to url, and then runs the script in the argument
// "then". The script can use the variables box (the dialog) and r (the answer of the server).
func sends(text, url, then string) string {
	return doing(text, fmt.Sprintf("pressed.textContent = this.textContent; const box = this.parentNode; box.hidden = true; fetch('%s', {method: 'POST'}).then(async (r) => { %s })", url, then))
}

// crossed is a close button with a cross.
const crossed = `<button type=button aria-label=Close onclick="end(this)">×</button>`

// Dialogs as SweetAlert2 and jQuery UI draw them.
const (
	sweetAlert = `<div class="swal2-popup swal2-modal" role=dialog aria-labelledby=swal2-title aria-modal=true><h2 id=swal2-title>Delete the order?</h2><div class=swal2-actions><button type=button class="swal2-confirm swal2-styled" aria-label="" onclick="end(this)">OK</button><button type=button class="swal2-deny swal2-styled" aria-label="" style="display:none">No</button><button type=button class="swal2-cancel swal2-styled" aria-label="" onclick="end(this)">Cancel</button></div></div>`
	jQueryUI   = `<div class=ui-dialog role=dialog aria-labelledby=ui-id-2><div class=ui-dialog-titlebar><span id=ui-id-2>Delete order</span><button type=button class=ui-dialog-titlebar-close title=Close onclick="end(this)"><span class=ui-icon></span><span> </span>Close</button></div><div class=ui-dialog-content><p>Really delete the order?</p></div><div class=ui-dialog-buttonpane><div><button type=button onclick="end(this)">Delete</button><button type=button onclick="end(this)">Cancel</button></div></div></div>`
)

const (
	confirms = "dialog:confirm"
	cancels  = "dialog:cancel"
	closes   = "drawer:close"
	accepts  = "popconfirm:accept"
)

// A dialogCase is a page with dialogs and an action, with the expected outcome: the pressed
// buttons, and a part of the error or the title of the next dialog.
type dialogCase struct {
	name, html, action string
	params             object
	pressed, fails     string
	next               any
}

var dialogCases = []dialogCase{
	// Answers of the server.
	{name: "refused, and back", html: box("dialog", "Delete?", sends("Delete", "/missing", "if (!r.ok) box.hidden = false")+shut("Cancel")), action: confirms, pressed: "Delete", fails: "the dialog"},
	{name: "refused later, and back", html: box("dialog", "Delete?", sends("Delete", "/missing", "setTimeout(() => { box.hidden = false }, 300)")+shut("Cancel")), action: confirms, pressed: "Delete", fails: "the dialog came back"},
	{name: "refused, and gone", html: box("dialog", "Delete?", sends("Delete", "/missing", "")+shut("Cancel")), action: confirms, pressed: "Delete", fails: "the dialog is gone, but what it sent has failed"},
	{name: "refused, and sent again", html: box("dialog", "Delete?", sends("Delete", "/missing", "await fetch('/asked.html?again', {method: 'PUT'})")+shut("Cancel")), action: confirms, pressed: "Delete"},
	{name: "taken", html: box("dialog", "Delete?", sends("Delete", "/asked.html?taken", "")+shut("Cancel")), action: confirms, pressed: "Delete"},
	{name: "a message of the page, with 200", html: box("dialog", "Delete?", sends("Delete", "/asked.html?taken", "setTimeout(() => show('<div class=toast-error>Order 7 is locked</div>'), 200)")+shut("Cancel")), action: confirms, pressed: "Delete", fails: "Order 7 is locked"},
	{name: "a message of success", html: box("dialog", "Delete?", sends("Delete", "/asked.html?taken", "setTimeout(() => show('<div class=toast-danger>Order 7 deleted</div>'), 200)")+shut("Cancel")), action: confirms, pressed: "Delete"},
	{name: "a question beside that is refused", html: box("alertdialog", "Delete?", sends("Delete", "/missing", "")+shut("Cancel")), action: accepts, pressed: "Delete", fails: "what it sent has failed"},
	{name: "the browser asks, too", html: box("dialog", "Delete?", doing("Delete", "end(this); confirm('Really?')")+shut("Cancel")), action: confirms, pressed: "Delete", fails: "Really?"},
	{name: "refused, and sent late", html: box("dialog", "Delete?", doing("Delete", "end(this); later(700, () => fetch('/missing', {method: 'DELETE'}))")+shut("Cancel")), action: confirms, pressed: "Delete", fails: "the dialog is gone, but what it sent has failed"},
	{name: "a question beside, refused, and sent late", html: box("alertdialog", "Delete?", doing("Delete", "end(this); later(700, () => fetch('/missing', {method: 'DELETE'}))")+shut("Cancel")), action: accepts, pressed: "Delete", fails: "what it sent has failed"},
	{name: "never answered", html: box("dialog", "Delete?", sends("Delete", "/never", "")+shut("Cancel")), action: confirms, pressed: "Delete", fails: "has no answer yet"},
	{name: "refused before", html: box("dialog", "Delete?", shut("Delete", "Cancel")) + `<img src=x onerror="fetch('/missing', {method: 'POST'})">`, action: confirms, pressed: "Delete"},

	// Which dialog is meant.
	{name: "a heading of the page", html: box("dialog", "Delete?", shut("Delete", "Cancel")), action: confirms, params: object{"title": "Settings"}, fails: "no open dialog has the title Settings; open are \"Delete?\""},
	{name: "a heading of the page, cancelled", html: box("dialog", "Delete?", shut("Delete", "Cancel")), action: cancels, params: object{"title": "Settings"}, fails: "no open dialog has the title Settings"},
	{name: "a heading in the body of another", html: box("dialog", "Delete?", "<h3>Edit</h3>"+shut("Delete", "Cancel")) + box("dialog", "Edit", shut("Save", "Cancel")), action: confirms, params: object{"title": "Edit"}, pressed: "Save"},
	{name: "a heading of the page with a drawer", html: box("dialog", "Filter", `<button aria-label=Close onclick="end(this)">×</button>`), action: closes, params: object{"title": "Settings"}, fails: "nothing matches"},
	{name: "a title with a star", html: box("dialog", "Edit *", shut("Save", "Cancel")), action: confirms, params: object{"title": "Edit"}, pressed: "Save"},
	{name: "named by its label alone", html: `<div role=dialog aria-label=Edit><p>Sure</p>` + shut("Save", "Cancel") + `</div>`, action: confirms, params: object{"title": "Edit"}, pressed: "Save"},
	{name: "named by what is no heading", html: `<div role=dialog aria-labelledby=t><p>Hello</p><b id=t>Edit</b>` + shut("Save", "Cancel") + `</div>`, action: confirms, params: object{"title": "Edit"}, pressed: "Save"},
	{name: "a title that is no heading", html: `<div role=dialog><div>Edit</div><p>Sure</p>` + shut("Save", "Cancel") + `</div>`, action: confirms, params: object{"title": "Edit"}, pressed: "Save"},
	{name: "no title and no name", html: `<div role=dialog>` + shut("Save", "Cancel") + `</div>`, action: confirms, pressed: "Save"},
	{name: "a heading behind a cross", html: `<div role=dialog><button aria-label=Close>×</button><h4>Edit</h4>` + shut("Save", "Cancel") + `</div>`, action: cancels, params: object{"title": "Edit"}, pressed: "Cancel"},
	{name: "the same title twice", html: box("dialog", "Edit", shut("Save", "Cancel")) + box("dialog", "Edit", shut("Save", "Cancel")), action: confirms, params: object{"title": "Edit"}, fails: "matches 2"},
	{name: "the same title, one over the other", html: box("dialog", "Edit", shut("Save", "Cancel")) + `<div role=dialog aria-label=Edit style="position:fixed;inset:0;background:white;max-width:none"><h2>Edit</h2>` + shut("Keep", "OK") + `</div>`, action: confirms, params: object{"title": "Edit"}, pressed: "OK"},
	{name: "the same title, one hidden", html: `<div role=dialog hidden><h2>Edit</h2>` + shut("Keep", "OK") + `</div>` + box("dialog", "Edit", shut("Save", "Cancel")), action: confirms, params: object{"title": "Edit"}, pressed: "Save"},
	{name: "an untitled one beside a notice", html: `<div role=dialog aria-label=Edit>` + shut("Save", "Cancel") + `</div>` + box("alertdialog", "Cookies", shut("OK")), action: confirms, fails: "2"},
	{name: "native", html: `<dialog><h2>Delete?</h2><form method=dialog><button>Delete</button><button>Cancel</button></form></dialog>`, action: confirms, params: object{"title": "Delete?"}, pressed: "Delete"},
	{name: "Bootstrap", html: `<div class="modal fade show" role=dialog aria-modal=true tabindex=-1 style="display:block"><div class=modal-dialog role=document><div class=modal-content><div class=modal-header><h5 class=modal-title>Delete?</h5><button class=btn-close data-bs-dismiss=modal aria-label=Close onclick="end(this)"></button></div><div class=modal-body>Sure?</div><div class=modal-footer><button class="btn btn-secondary" data-bs-dismiss=modal onclick="end(this)">Go back</button><button class="btn btn-danger" onclick="fade(this)">Delete</button></div></div></div></div>`, action: confirms, params: object{"title": "Delete?"}, pressed: "Delete"},
	{name: "pictures with names", html: box("dialog", "Rename", `<button aria-label=Save onclick="end(this)"><svg width=9 height=9></svg></button><button aria-label=Cancel onclick="end(this)"><svg width=9 height=9></svg></button>`), action: confirms, fails: "none was pressed"},
	{name: "submits with values", html: box("dialog", "Rename", `<form onsubmit="end(this);return false"><input type=submit value=Rename><input type=button value=Cancel></form>`), action: confirms, pressed: "Rename"},
	{name: "declining is an answer, the cross none", html: box("dialog", "Leave request of Ann", crossed+shut("Decline", "Approve")), action: cancels, pressed: "×"},
	{name: "declining is an answer, without a cross", html: box("dialog", "Urlaubsantrag von Ann", shut("Ablehnen", "Genehmigen")), action: cancels, fails: "none was pressed"},
	{name: "no may be an answer, the cross none", html: box("dialog", "Delete the original too?", crossed+shut("No, only the copy", "Yes, both")), action: cancels, pressed: "×"},
	{name: "a report that is dismissed", html: box("dialog", "Abuse report", crossed+shut("Dismiss", "Escalate")), action: cancels, pressed: "×"},
	{name: "no, without a cross", html: box("dialog", "Has the customer paid?", shut("No", "Yes")), action: cancels, pressed: "No"},
	{name: "SweetAlert2, cancelled", html: sweetAlert, action: cancels, pressed: "Cancel"},
	{name: "SweetAlert2, confirmed", html: sweetAlert, action: confirms, pressed: "OK"},
	{name: "jQuery UI, cancelled", html: jQueryUI, action: cancels, pressed: "Cancel"},
	{name: "jQuery UI, confirmed", html: jQueryUI, action: confirms, pressed: "Delete"},
	{name: "a question about closing beside a cross", html: box("dialog", "Close the ticket?", shut("Close", "Cancel")), action: cancels, pressed: "Cancel"},
	{name: "a link as a button", html: box("dialog", "Leave?", `<a role=button tabindex=0 onclick="end(this)">Leave</a><a role=button tabindex=0 onclick="end(this)">Cancel</a>`), action: cancels, pressed: "Cancel"},
	{name: "a disabled button", html: box("dialog", "Leave?", `<button disabled>Leave</button>`+shut("Cancel")), action: confirms, fails: "disabled"},
	{name: "a button that is enabled late", html: box("dialog", "Leave?", `<button disabled onclick="end(this)">Leave</button>`+shut("Cancel")) + `<img src=x onerror="later(500, () => document.querySelector('[disabled]').disabled = false)">`, action: confirms, pressed: "Leave"},
	{name: "buttons that come late", html: box("dialog", "Leave?", `<p id=late>…</p>`) + `<img src=x onerror="later(500, () => $('late').outerHTML = '<button onclick=end(this)>Leave</button><button onclick=end(this)>Cancel</button>')">`, action: confirms, pressed: "Leave"},
	{name: "not saved", html: box("dialog", "Save changes?", shut("Save", "Don't save", "Cancel")), action: cancels, pressed: "Cancel"},
	{name: "no, keep it", html: box("dialog", "Cancel subscription?", shut("Yes, cancel subscription", "No, keep it")), action: cancels, pressed: "No, keep it"},
	{name: "yes, cancel", html: box("dialog", "Cancel subscription?", shut("No, keep it", "Yes, cancel subscription")), action: confirms, pressed: "Yes, cancel subscription"},
	{name: "verbs", html: box("alertdialog", "Delete photo?", shut("Delete", "Keep")), action: accepts, pressed: "Delete"},
	{name: "verbs that the question does not repeat", html: box("alertdialog", "Really?", shut("Delete", "Keep")), action: accepts, fails: "none was pressed"},
	{name: "a contrary", html: box("alertdialog", "Reject invoice?", shut("Reject", "Approve")), action: accepts, pressed: "Reject"},
	{name: "German", html: box("alertdialog", "Änderungen verwerfen?", shut("Verwerfen", "Nicht verwerfen")), action: accepts, pressed: "Verwerfen"},
	{name: "a question beside, about cancelling", html: box("alertdialog", "Cancel order?", shut("No", "Cancel")), action: accepts, fails: "none was pressed"},
	{name: "a title that ticks", html: `<div role=dialog aria-labelledby=t><h2 id=t>Signed out in 60</h2>` + shut("Continue", "Cancel") + `</div><img src=x onerror="setInterval(() => $('t').textContent = 'Signed out in ' + Math.random(), 20)">`, action: confirms, pressed: "Continue"},

	// Web components.
	{name: "slotted buttons", html: `<div id=h><h2 slot=title>Delete?</h2><p>Sure</p><button onclick="$('h').remove()">Delete</button><button onclick="$('h').remove()">Cancel</button></div><img src=x onerror="$('h').attachShadow({mode: 'open'}).innerHTML = '<div role=dialog><slot name=title></slot><slot></slot></div>'">`, action: confirms, params: object{"title": "Delete?"}, pressed: "Delete"},
	{name: "slotted texts of buttons", html: box("dialog", "Delete?", `<span class=xb onclick="end(this)">Delete</span><span class=xb onclick="end(this)">Cancel</span>`) + `<img src=x onerror="for (const b of document.querySelectorAll('.xb')) b.attachShadow({mode: 'open'}).innerHTML = '<button><span><slot></slot></span></button>'">`, action: cancels, pressed: "Cancel"},

	// Whether the dialog has closed.
	{name: "saves, then closes", html: box("dialog", "Edit", `<div id=f>`+doing("Save", "$('f').hidden = true; later(2000, () => end($('f')))")+shut("Cancel")+`</div>`), action: confirms, pressed: "Save"},
	{name: "saves with an old complaint, then closes", html: box("dialog", "Edit", `<p role=alert>This cannot be undone</p>`+doing("Save", "later(1500, () => end(this))")+shut("Cancel")), action: confirms, pressed: "Save"},
	{name: "saves under another title, then closes", html: `<div role=dialog aria-labelledby=t><h2 id=t>Edit?</h2>` + doing("Save", "$('t').textContent = 'Saving?'; later(1500, () => end(this))") + shut("Cancel") + `</div>`, action: confirms, params: object{"title": "Edit?"}, pressed: "Save"},
	{name: "saves behind another, then both close", html: box("dialog", "Edit", doing("Save", "show('<div role=dialog id=w aria-label=Wait>Wait</div>'); later(1500, () => { $('w').remove(); end(this) })")+shut("Cancel")), action: confirms, pressed: "Save"},
	{name: "fades", html: box("dialog", "Edit", doing("Save", "fade(this)")+shut("Cancel")), action: confirms, pressed: "Save"},
	{name: "a message afterwards", html: box("dialog", "Edit", doing("Save", "end(this); show('<div role=alert>Could not save</div>')")+shut("Cancel")), action: confirms, pressed: "Save", fails: "the page says \"Could not save\""},
	{name: "hides its buttons and complains", html: box("dialog", "Edit", `<div id=f>`+doing("Save", "$('f').hidden = true; later(700, () => { $('f').hidden = false; $('e').textContent = 'Could not save' })")+shut("Cancel")+`</div><p id=e role=alert></p>`), action: confirms, pressed: "Save", fails: "still open; it complains of \"Could not save\""},
	{name: "takes another title", html: `<div role=dialog aria-labelledby=t><h2 id=t>Delete?</h2>` + doing("Delete", "$('t').textContent = 'Error'") + shut("Cancel") + `</div>`, action: confirms, params: object{"title": "Delete?"}, pressed: "Delete", fails: "shows no complaint; open are \"Error\""},
	{name: "loses its star and complains", html: `<div role=dialog aria-labelledby=t><h2 id=t>Edit *</h2>` + doing("Save", "$('t').textContent = 'Edit'; $('e').textContent = 'No'") + shut("Cancel") + `<p id=e role=alert></p></div>`, action: confirms, pressed: "Save", fails: "complains of \"No\""},
	{name: "asks under another title", html: `<div role=dialog aria-labelledby=t><h2 id=t>Edit</h2>` + shut("Save") + doing("Cancel", "$('t').textContent = 'Discard changes?'") + `</div>`, action: cancels, pressed: "Cancel", fails: "open are \"Discard changes?\""},
	{name: "another asks over it", html: box("dialog", "Edit", shut("Save")+doing("Cancel", "show('<div role=alertdialog><h2>Discard changes?</h2></div>')")), action: cancels, pressed: "Cancel", fails: "still open"},
	{name: "another asks in its place", html: box("dialog", "Edit", shut("Save")+doing("Cancel", "end(this); show('<div role=dialog><h2>Discard changes?</h2></div>')")), action: cancels, pressed: "Cancel", fails: "a question has opened: Discard changes?"},
	{name: "another comes back", html: box("dialog", "Edit", shut("Save")+doing("Cancel", "end(this); show('<div role=dialog><h2>Orders</h2></div>')")), action: cancels, pressed: "Cancel", next: "Orders"},
	{name: "the next one comes", html: box("dialog", "Step 1", doing("Continue", "end(this); show('<div role=dialog><h2>Step 2</h2></div>')")+shut("Cancel")), action: confirms, pressed: "Continue", next: "Step 2"},
	{name: "a second question", html: box("dialog", "Delete?", doing("Delete", "end(this); show('<div role=alertdialog><h2>Really?</h2></div>')")+shut("Cancel")), action: confirms, pressed: "Delete", next: "Really?"},
	{name: "is rendered anew", html: box("dialog", "Edit", doing("Save", "const d = this.parentNode; d.replaceWith(d.cloneNode(true))")+shut("Cancel")), action: confirms, pressed: "Save", fails: "still open"},
	{name: "the one below stays", html: box("dialog", "Orders", shut("OK")) + box("dialog", "Edit", shut("Save", "Cancel")), action: confirms, params: object{"title": "Edit"}, pressed: "Save"},
	{name: "another document", html: box("dialog", "Edit", `<button onclick="location.search = 'html=Done'">Save</button>`+shut("Cancel")), action: confirms, pressed: ""},
	{name: "a drawer that asks", html: box("dialog", "Edit", `<button aria-label=Close onclick="this.hidden = true; $('q').hidden = false">×</button><p id=q hidden>Discard? `+buttons("Yes", "No")+`</p>`), action: closes, pressed: "×", fails: "still open"},
	{name: "a drawer that slides out", html: box("dialog", "Edit", `<button aria-label=Close onclick="fade(this)">×</button>`), action: closes, params: object{"title": "Edit"}, pressed: "×"},
	{name: "a drawer with a dialog in it", html: box("dialog", "Edit", `<button aria-label=Close onclick="fade(this)">×</button>`+box("dialog", "Help", `<button aria-label=Close onclick="end(this)">✕</button>`)), action: closes, params: object{"title": "Edit"}, pressed: "×"},
	{name: "a question that hides its buttons", html: box("alertdialog", "Delete?", `<div id=f>`+doing("Delete", "$('f').hidden = true; later(700, () => $('f').hidden = false)")+shut("Cancel")+`</div>`), action: accepts, pressed: "Delete", fails: "still open"},
}

func TestDialogs(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.Handle("/", pages.Handler())
	mux.HandleFunc("/never", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	base := serve(t, mux) + "/asked.html"
	cases := testkit.Some(t, "dialogs", 20, dialogCases)
	eachDialog(t, base, cases)
}

// eachDialog runs cases in three sessions in parallel, because most of the time is spent waiting.
func eachDialog(t *testing.T, base string, cases []dialogCase) {
	t.Helper()
	list := make(chan dialogCase, len(cases))
	for _, tt := range cases {
		list <- tt
	}
	close(list)
	for i := range 3 {
		t.Run(fmt.Sprint("part ", i), func(t *testing.T) {
			t.Parallel()
			b := newBench(t, nil, nil)
			for tt := range list {
				t.Run(tt.name, func(t *testing.T) { b.dialogs(t, base, tt) })
			}
		})
	}
}

// dialogs runs one case and compares its outcome.
func (b *bench) dialogs(t *testing.T, base string, tt dialogCase) {
	t.Helper()
	b.open(t, base+"?html="+url.QueryEscape(tt.html))
	r := b.run(t, "components:"+tt.action, tt.params)
	got := data(t, b.Step(t.Context(), "get", session.RunOptions{Params: object{"selector": "css:#pressed", "what": "text"}, Cwd: b.cwd}))["text"]
	if got != tt.pressed {
		t.Errorf("pressed %q, want %q (%v)", got, tt.pressed, r.Error)
	}
	switch {
	case tt.fails == "" && r.Error != nil:
		t.Error(r.Error)
	case tt.fails != "" && (r.Error == nil || !strings.Contains(r.Error.Msg, tt.fails)):
		t.Errorf("%v, want an error with %q", r.Error, tt.fails)
	case tt.fails == "" && data(t, r)["next"] != tt.next:
		t.Errorf("next is %v, want %v", data(t, r)["next"], tt.next)
	}
}
