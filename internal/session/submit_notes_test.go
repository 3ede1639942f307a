package session_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
)

// TestFormSubmitNotesOfTwoParts checks that the title and the message of a notification are judged
// together. If the notification is marked as a success, the mark counts unless the words refuse the
// form.
func TestFormSubmitNotesOfTwoParts(t *testing.T) {
	t.Parallel()
	izi := func(kind, title, message string) string {
		return fmt.Sprintf(`<div class="iziToast-wrapper iziToast-wrapper-bottomRight" style="position:fixed;right:9px;bottom:9px"><div class=iziToast-capsule><div class="iziToast iziToast-color-green"><div class=iziToast-body>%s<div class=iziToast-texts>
<strong class=iziToast-title>%s</strong><p class=iziToast-message>%s</p></div></div></div></div></div>`, kind, title, message)
	}
	toastr := func(kind, title, message string) string {
		return fmt.Sprintf(`<div id=toast-container class=toast-top-right style="position:fixed;right:9px;top:9px"><div class="toast %s" aria-live=polite><div class=toast-title>%s</div><div class=toast-message>%s</div></div></div>`, kind, title, message)
	}
	const tick, cross, says = `<i class="iziToast-icon ico-success"></i>`, `<i class="iziToast-icon ico-error"></i>`, "the page says"
	rows := []struct{ name, note, fails string }{
		{"a title that says nothing", izi(tick, "OK", "Customer saved"), ""},
		{"a cheer", izi(tick, "Hooray", "Customer saved"), ""},
		{"unknown words beside a sign of success", izi(tick, "Hi Eva", "All is in place"), ""},
		{"no sign", izi("", "Hey", "Customer saved"), ""},
		{"no sign and a name", izi("", "Eva", "Your entry was added"), ""},
		{"a class of success", toastr("toast-success", "Hi Eva", "All is in place"), ""},
		{"no class", toastr("", "Note", "Customer saved"), ""},
		{"Chinese", toastr("", "提示", "保存成功"), ""},
		{"the name of the application", `<div class=toast role=alert style="position:fixed;top:9px;right:9px"><div class=toast-header><strong>Acme</strong><small>just now</small></div><div class=toast-body>Customer saved</div></div>`, ""},
		{"a snackbar", `<div class=snackbar style="position:fixed;top:9px;right:9px"><span class=snackbar__title>Yes!</span><p>Customer saved</p></div>`, ""},
		{"an alert", `<div class="alert alert-success" role=alert><h4 class=alert-heading>Great</h4><p>Customer saved</p></div>`, ""},
		{"an attribute", `<ol style="position:fixed;top:9px;right:9px"><li data-sonner-toast data-type=success><div data-content><div data-title>Hooray</div><div data-description>Customer saved</div></div></ol>`, ""},

		{"an error", izi(cross, "OK", "Try later"), says},
		{"a refusal beside a sign of success", izi(tick, "OK", "Customer could not be saved"), says},
		{"unknown words without a sign", izi("", "OK", "The limit is reached"), says},
		{"an error of a class", toastr("toast-error", "Hey", "Come back tomorrow"), says},
		{"a title of success and a refusal", toastr("", "Saved", "The name is already taken"), says},
		{"an alert of unknown words", `<div role=alert><strong>Hold on</strong><p>Someone else has this name</p></div>`, says},
		{"two notes of one part", `<div class=toast-container style="position:fixed;top:9px"><div class=toast-message>Settings saved</div><div class=toast-message>Come back tomorrow</div></div>`, says},
		{"two notes of two parts", `<div class=toast-container style="position:fixed;top:9px"><div class=toast><b class=toast-title>Saved</b><p class=toast-message>Settings saved</p></div><div class=toast><b class=toast-title>Hm</b><p class=toast-message>Come back tomorrow</p></div></div>`, says},
	}
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if i, _ := strconv.Atoi(r.URL.Query().Get("i")); r.Method != http.MethodPost {
			fmt.Fprintf(w, `<!doctype html><html lang=en><title>Page</title><form id=f><label>Name <input name=n value=Eva></label><button>Save</button></form><script>
f.onsubmit = async (e) => { e.preventDefault(); await fetch('/sent', {method: 'POST'}); document.body.insertAdjacentHTML('beforeend', %q) }</script>`, rows[i].note)
		}
	}))
	b := newBench(t, nil, nil)
	b.submits(t, base, "notes of two parts", 12, len(rows), func(i int) (name, fails string) { return rows[i].name, rows[i].fails })
}
