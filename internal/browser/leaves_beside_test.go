package browser

// A field that loses the focus before a press, or for its value to be taken, while the page discards
// what is being edited when the focus leaves the editor.

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
)

// discarding is a script by which the element with the id ed closes and shows the old value when
// the focus goes to nothing inside it.
const discarding = `<script>
	window.log = [];
	ed.addEventListener('focusout', (e) => { if (!ed.contains(e.relatedTarget)) { log.push('discarded'); ed.textContent = 'Old'; } });</script>`

// A number is committed by leaving its field, for another control of its editor.
func TestNumberIsLeftWithinItsEditor(t *testing.T) {
	tests := []struct{ name, html string }{
		{"a form", `<form id=ed><label>Qty <input id=f type=number value=1></label><button>Save</button></form>`},
		{"a text field", `<div id=ed><input id=f value=1><button>Save</button><button>Cancel</button></div><button>Other</button>`},
		{"the button is before", `<button>Other</button><div id=ed><button>Save</button><div><input id=f type=number></div></div>`},
		{"a row", `<table><tr id=ed><td><input id=f type=number><td><a href=#x>Save</a></tr></table><button>Other</button>`},
		{"another field alone", `<div role=dialog id=ed><input id=f type=number><input></div><button>Other</button>`},
		{"a popup beside", `<form id=ed><input id=f type=number><input role=combobox onfocus="log.push('opened')"><button aria-haspopup=menu onfocus="log.push('opened')">More</button><button>Save</button></form>`},
		{"a disabled button", `<form id=ed><input id=f type=number><button disabled>Save</button><button type=button>Cancel</button></form>`},
		{"a shadow tree", `<div id=ed><x-f></x-f><button>Save</button></div><script>document.querySelector('x-f').attachShadow({ mode: 'open', delegatesFocus: true }).innerHTML = '<input type=number>';</script>`},
		{"a row that adds one is next", `<i id=ed></i><table><tr><td><input id=f type=number></tr><tr><td><input placeholder="New item" onfocus="log.push('opened')"></tr></table>`},
		{"a field that adds one is next", `<form id=ed><p><label>Name <input></label><p><label>Qty <input id=f type=number></label><p><input placeholder="New item" onfocus="log.push('opened')"></form>`},
		{"beyond its limits", `<form id=ed><input id=f type=number max=3><button>Save</button></form>`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html+discarding+`<script>ed.addEventListener('change', () => log.push('changed'));</script>`)
			p.Keep(true)
			defer p.Keep(false)
			field := css("#f")
			if tt.name == "a shadow tree" {
				field = css("input")
			}
			if _, err := p.Fill(ctx, field, "5"); err != nil {
				t.Fatal(err)
			}
			if got := reverted(t, ctx, p); len(got) != 0 {
				t.Errorf("reverted: %+v", got)
			}
			got, _ := evaluate(t, ctx, p, "log.join()").(string)
			if !strings.HasPrefix(got+"changed", "changed") || strings.Contains(got, "discarded") || strings.Contains(got, "opened") {
				t.Errorf("the page has %q, want a change alone", got)
			}
			if focus := evaluate(t, ctx, p, "document.activeElement.localName"); focus != "input" && focus != "x-f" {
				t.Errorf("%v has the focus, want the field", focus)
			}
		})
	}
}

// A field that disappears when it loses the focus has lost its number, unless the page shows it.
func TestNumberThatThePageDiscards(t *testing.T) {
	for text, fails := range map[string]bool{"'Old'": true, "'Old 15'": true, "f.value + ' pieces'": false, "'$' + f.value + '.00'": false} {
		t.Run(text, func(t *testing.T) {
			ctx, p := show(t, fmt.Sprintf(`<p id=ed>Qty <input id=f type=number></p><script>f.onblur = () => { const says = %s; setTimeout(() => { ed.textContent = says; }, 30); };</script>`, text))
			p.Keep(true)
			defer p.Keep(false)
			if _, err := p.Fill(ctx, css("#f"), "5"); err != nil {
				t.Fatal(err)
			}
			if got := reverted(t, ctx, p); (len(got) == 1) != fails {
				t.Errorf("reverted: %+v", got)
			}
		})
	}
}

// A button that the page may still enable is waited for, with the focus where it is.
func TestPressOfAButtonThatIsEnabledLater(t *testing.T) {
	for name, check := range map[string]string{
		"a timer":                 `clearTimeout(window.t); window.t = setTimeout(enable, 400)`,
		"a request":               `fetch('/check').then(() => enable())`,
		"a timer, then a request": `clearTimeout(window.t); window.t = setTimeout(() => fetch('/check').then(() => setTimeout(enable, 50)), 300)`,
	} {
		t.Run(name, func(t *testing.T) {
			ctx, p := show(t, `<form id=ed onsubmit="log.push(f.value); return false"><input id=f><button id=b disabled>Save</button></form>`+discarding+
				fmt.Sprintf(`<script>const enable = () => { b.disabled = false; }; f.oninput = () => { %s };</script>`, check))
			if _, err := p.Fill(ctx, css("#f"), "New"); err != nil {
				t.Fatal(err)
			}
			if _, err := p.Press(ctx, css("#b"), driver.PressOptions{}); err != nil {
				t.Error(err)
			}
			if got := evaluate(t, ctx, p, "log.join()"); got != "New" {
				t.Errorf("the page has %q", got)
			}
		})
	}
	t.Run("only another control enables it", func(t *testing.T) {
		ctx, p := show(t, `<form id=ed onsubmit="log.push(f.value); return false"><input id=f onblur="b.disabled = false"><button type=button>Cancel</button><button id=b disabled>Save</button></form>`+discarding)
		if _, err := p.Fill(ctx, css("#f"), "New"); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Press(ctx, css("#b"), driver.PressOptions{}); err != nil {
			t.Error(err)
		}
		if got := evaluate(t, ctx, p, "log.join()"); got != "New" {
			t.Errorf("the page has %q", got)
		}
	})
}

// What is pressed in another row keeps the focus in the field, unless the rows are records with the
// same fields.
func TestPressBesideAFieldThatKeepsTheFocus(t *testing.T) {
	const (
		closes  = `<script>window.log = []; w.onmousedown = (e) => e.preventDefault(); f.onblur = () => document.querySelectorAll('.s').forEach((n) => n.remove());`
		inserts = `<script>window.log = []; for (const b of document.querySelectorAll('button')) { b.onmousedown = (e) => e.preventDefault(); b.onclick = () => { if (document.activeElement === f) log.push(b.textContent); }; }</script>`
	)
	tests := []struct{ name, html, press string }{
		{"a suggestion in a list", `<ul id=w><li><input id=f><li class=s><button onclick="log.push('Bern')">Bern</button></ul>` + closes + `</script>`, "text:Bern"},
		{"a link in a list", `<ul id=w><li><input id=f><li class=s><a href=#x onclick="log.push('Bern')">Bern</a></ul>` + closes + `</script>`, "text:Bern"},
		{"a suggestion that comes later", `<ul id=w><li><input id=f></ul>` + closes + `
			f.oninput = () => { w.insertAdjacentHTML('beforeend', '<li class=s><button onclick="log.push(textContent)">Bern</button>'); };</script>`, "text:Bern"},
		{"a form in a table", `<table><tr><td>Text<td><textarea id=f></textarea><tr><td><td><button>Bern</button></table>` + inserts, "text:Bern"},
		{"fields of several kinds", `<table><tr><td>Text<td><textarea id=f></textarea><tr><td>City<td><input><button>Bern</button></table>` + inserts, "text:Bern"},
		{"fields with names", `<table><tr><td>Text<td><input id=f name=text><tr><td>City<td><input name=city><button>Bern</button></table>` + inserts, "text:Bern"},
		{"fields with labels", `<ul><li><label>Text <input id=f></label><li><label>City <input></label><button>Bern</button></ul>` + inserts, "text:Bern"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			if _, err := p.Fill(ctx, css("#f"), "Be"); err != nil {
				t.Fatal(err)
			}
			if _, err := p.Press(ctx, written(t, tt.press, ""), driver.PressOptions{}); err != nil {
				t.Error(err)
			}
			if got := evaluate(t, ctx, p, "log.join()"); got != "Bern" {
				t.Errorf("the page has %q", got)
			}
		})
	}
}

// A disabled button that nothing enables fails as before.
func TestPressOfAButtonThatStaysDisabled(t *testing.T) {
	ctx, p := show(t, `<form><input id=f><button id=b disabled>Save</button></form>`)
	if _, err := p.Fill(ctx, css("#f"), "New"); err != nil {
		t.Fatal(err)
	}
	_, err := p.Press(ctx, within(css("#b"), 400*time.Millisecond), driver.PressOptions{})
	wantCode(t, err, diag.ElementNotInteractable, "disabled")
}
