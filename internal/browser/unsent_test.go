package browser

import (
	"context"
	neturl "net/url"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

// How a form is sent by a press.
const (
	byMouse = "mouse"
	byPoint = "point"
	byKey   = "Enter on the button"
	bySpace = "Space on the button"
	byField = "Enter in the field"
	byText  = "a line that is typed"
)

// If a button's own click handler prevents its form from being sent, the browser sends nothing and
// reports nothing.
func TestFormThatIsNotSent(t *testing.T) {
	const gone, off, out = "the form was removed from the page", "the button was disabled", "the button was removed from the page"
	form := func(attrs, button string) string {
		return `<form id=s ` + attrs + `><input id=f name=n>` + button + `</form>`
	}
	const post = `method=post action=/next`
	tests := []struct {
		name, html string
		by         string // "": the mouse
		fails      string // "": the press is done
		warns      string // then
	}{
		{"removed", form(post, `<button id=b onclick="s.remove()">Save</button>`), byMouse, gone, ""},
		{"removed, at a point", form(post, `<button id=b onclick="s.remove()">Save</button>`), byPoint, gone, ""},
		{"removed, by Enter", form(post, `<button id=b onclick="s.remove()">Save</button>`), byKey, gone, ""},
		{"removed, by the space bar", form(post, `<button id=b onclick="s.remove()">Save</button>`), bySpace, gone, ""},
		{"removed, by Enter in a field", form(post, `<button id=b onclick="s.remove()">Save</button>`), byField, gone, ""},
		{"removed, by a line", form(post, `<button id=b onclick="s.remove()">Save</button>`), byText, gone, ""},
		{"removed behind the handler", form(post, `<button id=b onclick="Promise.resolve().then(()=>s.remove())"><b>Save</b></button>`), "", gone, ""},
		{"removed with what is around it", `<div id=d>` + form(post, `<input type=submit id=b value=Save onclick="d.innerHTML='closed'">`) + `</div>`, "", gone, ""},
		{"an image", form(post, `<input type=image id=b alt=Save width=20 height=20 onclick="s.remove()">`), "", gone, ""},
		{"an action of React", form(`action="javascript:throw new Error('unexpectedly submitted')"`, `<button id=b onclick="s.remove()">Save</button>`), "", gone, ""},
		{"a formaction", form("", `<button id=b formmethod=post formaction=/next onclick="s.remove()">Save</button>`), "", gone, ""},
		{"to its own address", form(`method=post action=""`, `<button id=b onclick="s.remove()">Save</button>`), "", gone, ""},
		{"a button outside of it", form(post, ``) + `<button id=b form=s onclick="s.remove()">Save</button>`, "", gone, ""},
		{"in a shadow tree", `<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<form method=post action=/next><button id=b>Save</button></form>';h.shadowRoot.querySelector('button').onclick=(e)=>e.target.form.remove()</script>`, "", gone, ""},
		{"disabled", form(post, `<button id=b onclick="b.disabled=true">Save</button>`), "", off, ""},
		{"disabled by its fieldset", form(post, `<fieldset id=g><button id=b onclick="g.disabled=true">Save</button></fieldset>`), "", off, ""},
		{"a spinner in its place", form(post, `<button id=b onclick="b.outerHTML='<i>…</i>'">Save</button>`), "", out, ""},
		{"another kind of button", form(post, `<button id=b onclick="b.type='button'">Save</button>`), "", "changed to one that submits no form", ""},
		{"with a GET of the page", form(post, `<button id=b onclick="fetch('/next?log');s.remove()">Save</button>`), "", gone, ""},

		{"without an address", form("", `<button id=b onclick="s.remove()">Save</button>`), byMouse, "", gone},
		{"without an address, at a point", form("", `<button id=b onclick="s.remove()">Save</button>`), byPoint, "", gone},
		{"without an address, by Enter", form("", `<button id=b onclick="s.remove()">Save</button>`), byKey, "", gone},
		{"without an address, by Enter in a field", form("", `<button id=b onclick="s.remove()">Save</button>`), byField, "", gone},
		{"with an address that leads nowhere", form(`action="#"`, `<button id=b onclick="s.remove()">Save</button>`), "", "", gone},
		{"with a script that does nothing", form(`action="javascript:void(0)"`, `<button id=b onclick="s.remove()">Save</button>`), "", "", gone},
		{"a button beside others, such as one that cancels", form(post, `<button id=b onclick="s.remove()">Cancel</button><button>Save</button>`), "", "", gone},
		{"a search by a script", form(`action=/next`, `<button id=b onclick="fetch('/next?n');s.remove()">Find</button>`), "", "", gone},
		{"disabled, with a timer", form(post, `<button id=b onclick="b.disabled=true;setTimeout(()=>{},2000)">Save</button>`), "", "", off},
		{"disabled, with a request before", form(post, `<button id=b onclick="b.disabled=true;fetch('/next?token')">Save</button>`), "", "", off},
		{"disabled, without an address", form("", `<button id=b onclick="b.disabled=true">Save</button>`), "", "", off},

		{"sent by the page", form(post, `<button id=b onclick="fetch('/none',{method:'POST',body:'n=1'});s.remove()">Save</button>`), "", "", ""},
		{"sent by the page, behind the handler", form(post, `<button id=b onclick="s.remove();Promise.resolve().then(()=>fetch('/none',{method:'POST',body:'n=1'}))">Save</button>`), "", "", ""},
		{"sent by the page, with the next frame", form(post, `<button id=b onclick="s.remove();requestAnimationFrame(()=>fetch('/none',{method:'PUT',body:'n=1'}))">Save</button>`), "", "", ""},
		{"deleted by the page", form("", `<button id=b onclick="fetch('/none',{method:'DELETE'});s.remove()">Delete</button>`), "", "", ""},
		{"sent by the page, by Enter in a field", form(post, `<button id=b onclick="fetch('/none',{method:'POST',body:'n=1'});s.remove()">Save</button>`), byField, "", ""},
		{"a beacon to the page's server", form(post, `<button id=b onclick="navigator.sendBeacon('/none','n=1');s.remove()">Save</button>`), "", "", ""},
		{"the click is prevented", form(post, `<button id=b onclick="event.preventDefault();s.remove()">Save</button>`), "", "", ""},
		{"the handler returns false", form(post, `<button id=b onclick="s.remove();return false">Save</button>`), byKey, "", ""},
		{"a button of another kind", form(post, `<button id=b type=button onclick="s.remove()">Close</button>`), "", "", ""},
		{"a button of no form", `<div id=s><button id=b onclick="s.remove()">Close</button></div>`, "", "", ""},
		{"a button of a dialog", `<dialog id=d open><form method=dialog action=/next><button id=b onclick="d.remove()">Close</button></form></dialog>`, "", "", ""},
		{"sent, and then removed", form(post+` onsubmit="event.preventDefault();s.remove()"`, `<button id=b>Save</button>`), "", "", ""},
		{"sent by a script", form(post, `<button id=b onclick="s.requestSubmit();s.remove()">Save</button>`), "", "", ""},
		{"sent by a script, and disabled", form(post, `<button id=b onclick="b.disabled=true;b.form.submit()">Save</button>`), "", "", ""},
		{"sent by a script a little later, and disabled", form(post, `<button id=b onclick="b.disabled=true;setTimeout(()=>b.form.submit())">Save</button>`), "", "", ""},
		{"sent to a frame by a script", `<iframe name=x srcdoc=hi></iframe>` + form(post+` target=x`, `<button id=b onclick="b.disabled=true;b.form.submit()">Save</button>`), "", "", ""},
		{"sent to a tab by a script", form(post+` target=_blank`, `<button id=b onclick="b.disabled=true;b.form.submit()">Save</button>`), "", "", ""},
		{"the page leads elsewhere", form(post, `<button id=b onclick="location.href='/next';s.remove()">Save</button>`), "", "", ""},
		{"disabled when it is sent", form(post+` onsubmit="b.disabled=true"`, `<button id=b>Save</button>`), "", "", ""},
		{"disabled behind the click", form(post+` onsubmit="event.preventDefault()"`, `<button id=b onclick="setTimeout(()=>{b.disabled=true})">Save</button>`), "", "", ""},
		{"sent as ever", form(post, `<button id=b>Save</button>`), byField, "", ""},
	}
	url := nowherePages(t)
	for _, tt := range testkit.Kinds(t, "rows", 8, tests, func(i int) any { return tests[i].fails + tests[i].warns + tests[i].by }) {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := sharedPage(t)
			if _, err := p.Open(ctx, url+"/page?"+neturl.Values{"html": {tt.html}}.Encode(), driver.Load); err != nil {
				t.Fatal(err)
			}
			press, err := sendForm(ctx, t, p, tt.by)
			if tt.fails != "" {
				e := wantCode(t, err, diag.StepFailed, tt.fails)
				if e.Details["reason"] == nil {
					t.Errorf("details %v, want a reason", e.Details)
				}
				return
			}
			if err != nil || press.NotSent != tt.warns {
				t.Errorf("not sent: %q, %v; want %q", press.NotSent, err, tt.warns)
			}
		})
	}
}

func sendForm(ctx context.Context, t *testing.T, p *Page, by string) (driver.Press, error) {
	t.Helper()
	button, field := css("#b"), css("#f")
	switch by {
	case byPoint:
		var at driver.Point
		at.X, at.Y = evaluate(t, ctx, p, "b.getBoundingClientRect().x+5").(float64), evaluate(t, ctx, p, "b.getBoundingClientRect().y+5").(float64)
		return p.PressAt(ctx, at, driver.PressOptions{})
	case byKey:
		return p.Key(ctx, &button, "Enter", 1)
	case bySpace:
		return p.Key(ctx, &button, " ", 1)
	case byField:
		return p.Key(ctx, &field, "Enter", 1)
	case byText:
		_, err := p.Type(ctx, &field, "a\n", 0)
		return driver.Press{}, err
	}
	return p.Press(ctx, button, driver.PressOptions{})
}
