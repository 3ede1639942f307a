package session_test

// Tests of browser dialogs (confirm, prompt, alert) that a page opens after its own question was
// answered: immediately, soon after, or when the server has answered.

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

// after returns a question whose button closes the question and then runs script.
func after(script string) string {
	return box("dialog", "Delete?", doing("Delete", "end(this); "+script)+shut("Cancel"))
}

// posted is like after, but its button runs script when the server has answered a request to url.
func posted(url, script string) string {
	return box("dialog", "Delete?", sends("Delete", url, script)+shut("Cancel"))
}

// sendsIt is a script that sends a request. The page may send it only if the browser dialog is
// accepted.
const sendsIt = `fetch('/asked.html?taken', {method: 'POST'})`

var browserCases = []dialogCase{
	{name: "confirm soon", html: after("later(50, () => { if (confirm('Really?')) " + sendsIt + " })"), action: confirms, pressed: "Delete", fails: "dismissed \"Really?\""},
	{name: "confirm later", html: after("later(400, () => { if (confirm('Really?')) " + sendsIt + " })"), action: confirms, pressed: "Delete", fails: "dismissed \"Really?\""},
	{name: "confirm late", html: after("later(700, () => { if (confirm('Really?')) " + sendsIt + " })"), action: confirms, pressed: "Delete", fails: "dismissed \"Really?\""},
	{name: "prompt later", html: after("later(300, () => { if (prompt('Type DELETE') === 'DELETE') " + sendsIt + " })"), action: confirms, pressed: "Delete", fails: "dismissed \"Type DELETE\""},
	{name: "a tip, confirm later", html: tip(doing("Delete", "this.parentNode.remove(); later(400, () => { if (confirm('Really?')) "+sendsIt+" })") + shut("Cancel")), action: accepts, pressed: "Delete", fails: "dismissed \"Really?\""},
	{name: "a question beside, confirm later", html: box("alertdialog", "Delete?", doing("Delete", "end(this); later(500, () => confirm('Really?'))")+shut("Cancel")), action: accepts, pressed: "Delete", fails: "dismissed \"Really?\""},
	{name: "confirm when the server has answered", html: posted("/slow", "confirm('3 invoices will be lost. Go on?')"), action: confirms, pressed: "Delete", fails: "3 invoices will be lost"},
	{name: "the same question as before", html: after("later(300, () => confirm('Really?'))") + `<img src=x onerror="confirm('Really?')">`, action: confirms, pressed: "Delete", fails: "dismissed \"Really?\""},
	{name: "asked at once, and the dialog stays", html: box("dialog", "Delete?", doing("Delete", "if (confirm('Really?')) end(this)")+shut("Cancel")), action: confirms, pressed: "Delete", fails: "dismissed \"Really?\""},

	{name: "alert that refuses", html: after("alert('Error: the order could not be deleted')"), action: confirms, pressed: "Delete", fails: "could not be deleted"},
	{name: "alert of what stands in the way", html: after("alert('Order 17 has invoices')"), action: confirms, pressed: "Delete", fails: "Order 17 has invoices"},
	{name: "alert that refuses later", html: after("later(600, () => alert('You are not allowed to delete this order'))"), action: confirms, pressed: "Delete", fails: "not allowed"},
	{name: "alert that refuses when the server has answered", html: posted("/slow", "alert('The order could not be deleted')"), action: confirms, pressed: "Delete", fails: "could not be deleted"},
	{name: "alert that refuses, and another document", html: after("alert('Zugriff verweigert'); location.search = 'html=Back'"), action: confirms, pressed: "", fails: "Zugriff verweigert"},
	{name: "alert beside the question", html: box("alertdialog", "Delete?", doing("Delete", "end(this); later(200, () => alert('La commande est déjà payée'))")+shut("Cancel")), action: accepts, pressed: "Delete", fails: "déjà payée"},
	{name: "alert, in Chinese", html: after("alert('删除失败')"), action: confirms, pressed: "Delete", fails: "删除失败"},

	{name: "alert of thanks that asks", html: after("alert('Thank you. Please sign in again.')"), action: confirms, pressed: "Delete", fails: "Please sign in again"},
	{name: "alert of thanks that asks, in French", html: after("alert('Merci de contacter votre administrateur.')"), action: confirms, pressed: "Delete", fails: "Merci de contacter"},
	{name: "alert of thanks for waiting", html: after("alert('Thank you for waiting. You are number 113.')"), action: confirms, pressed: "Delete", fails: "number 113"},

	{name: "alert of thanks", html: after("alert('Merci !')"), action: confirms, pressed: "Delete"},
	{name: "alert of success", html: after("alert('Order 17 was deleted')"), action: confirms, pressed: "Delete"},
	{name: "alert of success later", html: after("later(300, () => alert('Auftrag gelöscht'))"), action: confirms, pressed: "Delete"},
	{name: "alert when the server has answered", html: posted("/slow", "alert('Deleted')"), action: confirms, pressed: "Delete"},
	{name: "alert that says nothing of it", html: after("alert('Hello')"), action: confirms, pressed: "Delete"},
	{name: "alert and confirm before", html: after("") + `<img src=x onerror="alert('Error'); confirm('Really?')">`, action: confirms, pressed: "Delete"},
	{name: "confirm, and another document", html: after("confirm('Really?'); location.search = 'html=Done'"), action: confirms, pressed: ""},
}

func TestDialogsOfTheBrowserAfterAnAnswer(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.Handle("/", pages.Handler())
	mux.HandleFunc("/slow", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(700 * time.Millisecond)
		fmt.Fprint(w, "ok")
	})
	eachDialog(t, serve(t, mux)+"/asked.html", testkit.Some(t, "dialogs of the browser", 8, browserCases))
}
