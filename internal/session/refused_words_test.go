package session_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// silentServer answers each request of a page with 200, and draws the page named by the path, in which
// MARK stands for the mark that is written once the answer has come.
func silentServer(t *testing.T, pages map[string]string) func(page, mark string) string {
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || strings.HasSuffix(r.URL.Path, "/data") {
			return
		}
		page := pages[strings.Trim(r.URL.Path, "/")]
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>T</title>", strings.ReplaceAll(page, "MARK", r.URL.Query().Get("mark")))
	}))
	return func(page, mark string) string { return base + "/" + page + "?mark=" + url.QueryEscape(mark) }
}

// wordPages send what was set to a server that answers 200, and show it whatever the server says.
var wordPages = map[string]string{
	"edit": `<h1>Profile</h1><div id=c><span>Ann</span> <button id=b>Edit</button></div><script>
		b.onclick = () => { c.innerHTML = '<form id=f><label>Name <input name=t value=Ann></label><button>Save</button></form>';
			f.onsubmit = async (e) => { e.preventDefault(); const v = f.t.value; await fetch('/add', {method: 'POST'});
				c.innerHTML = '<span>' + v + '</span> <button id=b>Edit</button>' + ` + "`MARK`" + ` } }</script>`,
	"controls": `<h1>Settings</h1><p>Failed jobs: 3</p><div role=alert>Backups failed last night</div>
		<label><input type=checkbox role=switch> Alerts</label><label><input type=checkbox> Reports</label>
		<fieldset><legend>Size</legend><label><input type=radio name=p> Small</label><label><input type=radio name=p> Large</label></fieldset>
		<label>Plan <select><option>Free<option>Pro</select></label><label>Due <input type=date></label><label>Title <input oninput=send()></label>
		<table><tr><th>Order<th>State<th><tr><td>1001<td>Open<td><button>Close</button></table><div id=m></div>
		<script>const send = async () => { await fetch('/set', {method: 'PUT'}); m.innerHTML = ` + "`MARK`" + ` };
		onchange = send; document.querySelector('table').onclick = send</script>`,
}

// TestRefusalsInPlainWords checks that words by which a page says plainly that something was not done
// outweigh what it shows, and that words of other things do not.
func TestRefusalsInPlainWords(t *testing.T) {
	t.Parallel()
	at := silentServer(t, wordPages)
	b := newBench(t, nil, nil)
	uses := map[string]struct {
		action string
		params object
	}{
		"edit":   {"components:form:submit", object{}},
		"switch": {"components:switch:set", object{"label": "Alerts"}},
		"box":    {"components:checkbox:set", object{"label": "Reports"}},
		"radio":  {"components:radio:choose", object{"label": "Size", "option": "Large"}},
		"list":   {"components:select:choose", object{"label": "Plan", "option": "Pro"}},
		"set":    {"components:field:set", object{"label": "Plan", "value": "Pro"}},
		"date":   {"components:date:pick", object{"label": "Due", "value": "2026-12-05"}},
		"fill":   {"components:input:fill", object{"label": "Title", "value": "New"}},
		"row":    {"components:table:row-action", object{"row": object{"Order": "1001"}, "text": "Close"}},
	}
	for _, tt := range testkit.Some(t, "words", 8, []struct{ use, mark, says string }{
		{"edit", `<p>Not saved</p>`, "Not saved"},
		{"edit", `<p>Nicht gespeichert</p>`, "Nicht gespeichert"},
		{"edit", `<span class=error style="color:red">Non enregistré</span>`, "Non enregistré"},
		{"edit", `<p>未保存</p>`, "未保存"},
		{"edit", `<p>Saving failed. Retry</p>`, "Saving failed"},
		{"edit", `<small>Los cambios no se guardaron</small>`, "no se guardaron"},
		{"edit", ``, ""},
		{"edit", `<p>Saved</p>`, ""},
		{"edit", `<p>0 errors</p>`, ""},
		{"edit", `<p>Published posts cannot be deleted</p>`, ""},
		{"switch", `<div role=alert>Could not be saved</div>`, "Could not be saved"},
		{"switch", `<div class="alert alert-danger">Nope</div>`, "Nope"},
		{"switch", `<p>Speichern fehlgeschlagen</p>`, "Speichern fehlgeschlagen"},
		{"switch", `<p>Sorry, that didn't work</p>`, "didn't work"},
		{"switch", `<p>Your change was rolled back</p>`, "rolled back"},
		{"switch", `<p>Modification non enregistrée</p>`, "non enregistrée"},
		{"switch", `<p>The rollback worked</p>`, ""},
		{"switch", `<div role=status>Saved</div>`, ""},
		{"switch", `<p>Failed jobs: 0</p>`, ""},
		{"box", `<div role=alert>保存失败</div>`, "保存失败"},
		{"box", ``, ""},
		{"radio", `<div role=alert>Could not be saved</div>`, "Could not be saved"},
		{"radio", `<div role=status>Error handling saved</div>`, ""},
		{"list", `<p>Your change could not be saved</p>`, "could not be saved"},
		{"list", `<div role=status>Gespeichert</div>`, ""},
		{"set", `<div role=alert>Could not be saved</div>`, "Could not be saved"},
		{"set", `<p>Not saved yet: 0</p>`, ""},
		{"date", `<div role=alert>Échec de l’enregistrement</div>`, "Échec"},
		{"date", `<p>Due in 3 days</p>`, ""},
		{"fill", `<p>Title was not saved</p>`, "Title was not saved"},
		{"fill", ``, ""},
		{"row", `<div role=alert>Could not be closed</div>`, "Could not be closed"},
		{"row", `<p>Aktion fehlgeschlagen</p>`, "Aktion fehlgeschlagen"},
		{"row", `<dialog open><div role=alert>Payment failed</div><p>Order 1001</p></dialog>`, ""},
		{"row", `<p>Order 1001 closed</p>`, ""},
	}) {
		t.Run(tt.use+" "+tt.mark, func(t *testing.T) {
			use := uses[tt.use]
			if tt.use == "edit" {
				b.open(t, at("edit", tt.mark))
				b.mustRun(t, "components:button:click", object{"text": "Edit"})
				b.mustRun(t, "components:input:fill", object{"label": "Name", "value": "Dora"})
			} else {
				b.open(t, at("controls", tt.mark))
			}
			r := b.run(t, use.action, use.params)
			if tt.says == "" {
				data(t, r)
				return
			}
			wantError(t, r, diag.StepFailed, tt.says)
		})
	}
}
