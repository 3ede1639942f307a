package session_test

// Tests of messages in unknown words after an answer, and of other signs that the action was done.

import (
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

// orders returns a table and a question. The page posts the answer to the question, and then runs
// script.
func orders(role, script string) string {
	return `<table><tr><th>Order<tr id=row><td>E-003<td id=state>Draft</table><div id=line></div><ul id=list></ul>` +
		box(role, "Delete order E-003?", sends("Delete", "/asked.html?taken", script)+shut("Cancel"))
}

// nothingKnown has scripts for orders. fails is a part of the expected error; "" means success.
var nothingKnown = []struct{ name, script, fails string }{
	{"a line", "line.textContent = 'Linked with 3 bills'", "Linked with 3 bills"},
	{"a line in Icelandic", "line.textContent = 'Pöntunin tengist reikningum'", "Pöntunin tengist reikningum"},
	{"a line in Swahili", "line.textContent = 'Agizo limeunganishwa na ankara'", "Agizo limeunganishwa na ankara"},
	{"a status", "show('<div role=status>Three bills name it</div>')", "Three bills name it"},
	{"an alert", "show('<div role=alert>Three bills name it</div>')", "Three bills name it"},
	{"a toast", "show('<div class=toast>Three bills name it</div>')", "Three bills name it"},
	{"a list of toasts", "list.innerHTML = '<li class=toast>Three bills name it</li>'", "Three bills name it"},
	{"a row that failed", "state.textContent = 'deletion failed'", "a row says"},
	{"a row that is locked", "state.textContent = 'Locked'", "a row says"},
	{"a line beside a row that was only read anew", "state.textContent = 'Draft, 12:01'; line.textContent = 'Three bills name it'", "Three bills name it"},
	{"a sign-in in place of the page", "document.body.innerHTML = '<footer><p id=pressed></p></footer><h1>Session ended</h1><form><label>User <input name=u></label><label>Password <input type=password></label><button>Sign in</button></form>'", "asks to sign in"},
	{"a page that signs in", "history.pushState(0, '', '/login'); document.body.innerHTML = '<footer><p id=pressed></p></footer><h1>Sign in</h1><form><label>User <input name=u></label><label>Password <input type=password></label><button>Sign in</button></form>'", "asks to sign in"},
	{"a session that is over", "history.pushState(0, '', '/over'); document.body.innerHTML = '<footer><p id=pressed></p></footer><h1>Your session is over</h1>'", "Your session is over"},
	{"the same page anew", "location.search = 'html=' + encodeURIComponent('<div class=alert-warning>Three bills name it</div><table><tr><th>Order<tr><td>E-003<td>Draft</table>')", "Three bills name it"},
	{"a custom element", "show('<x-note>Three bills name it</x-note>')", "Three bills name it"},
	{"data that say an error", "show('<pre>' + JSON.stringify({error: 'Three bills name it'}) + '</pre>')", "Three bills name it"},
	{"a link", "show('<p>Three bills name it <a href=#bills>Show them</a></p>')", "Show them"},

	{"bare words beside a cross", "show('<div class=\"alert alert-dismissible\">Three bills name it<button type=button class=btn-close aria-label=Close></button></div>')", "Three bills name it"},
	{"bare words beside OK", "show('<div>Three bills name it <div><button type=button>OK</button></div></div>')", "Three bills name it"},

	{"words of success beside a cross", "show('<div class=alert>Order deleted<button type=button aria-label=Close>×</button></div>')", ""},
	{"a line beside a row that is gone", "row.remove(); line.textContent = 'Three bills name no order'", ""},
	{"a row that is in the trash", "state.textContent = 'Moved to trash'", ""},
	{"a line beside a row that has changed", "state.textContent = 'In the bin'; line.textContent = 'Three bills name it'", ""},
	{"another row that has moved up", "row.innerHTML = '<td><div>E-003 of Bo</div><td><div>Draft</div>'", ""},
	{"a line with a tick", "line.textContent = '✓ E-003'", ""},
	{"an icon of success", "line.innerHTML = '<i class=icon-check></i> E-003 is off the books'", ""},
	{"words of success", "line.textContent = 'Order deleted'", ""},
	{"words of success beside others", "line.innerHTML = '<b>Order deleted</b> <i>Three bills name it</i>'", ""},
	{"another view", "line.innerHTML = Array.from('abcdefghijklmn', (c) => '<div><b>Part ' + c + '</b></div>').join('')", ""},
	{"data", "show('<pre>' + JSON.stringify({orders: ['E-001', 'E-002'], view: 'list'}) + '</pre>')", ""},
	{"a counter", "line.textContent = '7'", ""},
	{"nothing", "", ""},
}

// TestDialogsInDoubt checks that a new text in unknown words is not a success, unless something else
// shows that the action was done.
func TestDialogsInDoubt(t *testing.T) {
	t.Parallel()
	var cases []dialogCase
	for i, tt := range nothingKnown {
		c := dialogCase{name: tt.name, action: []string{confirms, accepts}[i%2], pressed: "Delete", fails: tt.fails}
		if strings.Contains(tt.script, "location.") || strings.Contains(tt.script, "history.") || strings.Contains(tt.script, "body.innerHTML") {
			c.pressed = "" // the new document or body does not report the button
		}
		c.html = orders([]string{"dialog", "alertdialog"}[i%2], tt.script)
		cases = append(cases, c)
	}
	cases = append(cases, dialogCase{
		name: "what was in question, as done", action: confirms, pressed: "Discard",
		html: box("dialog", "Discard draft?", doing("Discard", "end(this); show('<p>Draft discarded</p>')")+shut("Cancel")),
	})
	eachDialog(t, serve(t, pages.Handler())+"/asked.html", testkit.Some(t, "dialogs in doubt", 12, cases))
}
