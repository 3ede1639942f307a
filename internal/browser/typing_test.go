package browser

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

// If the page sends the rest of a text elsewhere, the text counts as not typed. Several boxes for
// one text, and fields that replace the first one, are no error.
func TestTypeWhereTheFocusMoves(t *testing.T) {
	tests := []struct {
		name, html, script, text string
		says                     string // of the error; "": none
		done                     string // what the page says then
	}{
		{"at a key", "<input id=f><input id=g>", "f.onkeydown = (e) => { if (e.key === 'b') g.focus() }", "abc", `took 1 of the 3 characters; the rest went to <input#g>`, ""},
		{"at the first key", "<input id=f><input id=g>", "f.onkeydown = () => g.focus()", "abc", `took 0 of the 3`, ""},
		{"at a length, to another kind", "<input id=f maxlength=5><input id=g maxlength=50>", "f.oninput = () => { if (f.value.length === 5) g.focus() }", "123456", `the rest went to <input#g>`, ""},
		{"to nothing", "<input id=f>", "f.oninput = () => f.blur()", "abc", `took 1 of the 3`, ""},
		{"to a button", "<input id=f><button id=g>x</button>", "f.oninput = () => g.focus()", "abc", `the rest went to <button#g`, ""},
		{"lost with its field", "<div id=d><input id=f></div>", "f.oninput = () => { d.innerHTML = '<input id=g>' }", "abc", `took 1 of the 3`, ""},
		{"a box left out", "<input id=f maxlength=1><input id=g maxlength=1 value=9>", "f.oninput = () => { g.focus(); g.oninput = () => { g.value = 9 } }", "12", `took 1 of the 2`, ""},

		{"boxes", "<div id=d><input id=f><input><input><input></div>", "d.oninput = (e) => e.target.nextElementSibling?.focus()", "1234", "", "[...d.children].map(n => n.value).join() === '1,2,3,4'"},
		{"boxes that take the keys by themselves", "<div id=d><input id=f maxlength=1><input maxlength=1><input maxlength=1></div>", "d.onkeydown = (e) => { if (e.key.length > 1) return; e.preventDefault(); e.target.value = e.key; e.target.nextElementSibling?.focus() }", "123", "", "[...d.children].map(n => n.value).join() === '1,2,3'"},
		{"boxes of a length", "<div id=d><input id=f maxlength=3><input maxlength=3><input maxlength=4></div>", "d.oninput = (e) => { if (e.target.value.length === e.target.maxLength) e.target.nextElementSibling?.focus() }", "5551234567", "", "[...d.children].map(n => n.value).join() === '555,123,4567'"},
		{"boxes of passwords", "<div id=d><input id=f maxlength=1 type=password><input maxlength=1 type=password></div>", "d.oninput = (e) => e.target.nextElementSibling?.focus()", "12", "", "[...d.children].map(n => n.value).join() === '1,2'"},
		{"left when it is whole", "<input id=f><input id=g>", "f.oninput = () => { if (f.value.length === 3) g.focus() }", "abc", "", "f.value === 'abc' && g.value === ''"},
		{"a field for a field", "<div id=d><input id=f></div>", "d.oninput = (e) => { const v = e.target.value; d.innerHTML = '<input id=g>'; g.value = v; g.focus() }", "abc", "", "g.value === 'abc'"},
		{"a dialog with a field", "<input id=f><dialog id=d><input id=g></dialog>", "f.oninput = () => { d.showModal(); g.value = f.value; g.focus() }", "abc", "", "g.value === 'abc'"},
		{"boxes in a shadow tree", "<x-o></x-o>", "globalThis.r = document.querySelector('x-o').attachShadow({ mode: 'open' }); r.innerHTML = '<input id=f maxlength=1><input maxlength=1>'; r.addEventListener('input', (e) => e.target.nextElementSibling?.focus())", "12", "", "[...r.children].map(n => n.value).join() === '1,2'"},
		{"boxes with a shadow tree each", "<x-o></x-o><x-o></x-o>", "for (const x of document.querySelectorAll('x-o')) { const r = x.attachShadow({ mode: 'open' }); r.innerHTML = '<input id=f maxlength=1>'; x.oninput = () => x.nextElementSibling?.shadowRoot.firstChild.focus() }; document.querySelectorAll('x-o')[1].shadowRoot.firstChild.id = 'g'", "12", "", "[...document.querySelectorAll('x-o')].map(n => n.shadowRoot.firstChild.value).join() === '1,2'"},
		{"of another document", "<iframe id=fr></iframe><input id=f>", "fr.contentDocument.body.innerHTML = '<input id=g>'; f.oninput = () => fr.contentDocument.body.firstChild.focus()", "abc", "took 1 of the 3", ""},
		{"a mask that moves on", "<input id=f><input id=g>", "f.onkeydown = (e) => { if (e.key.length > 1) return; e.preventDefault(); f.value += e.key.toUpperCase(); if (f.value.length === 3) g.focus() }", "abc", "", "f.value === 'ABC'"},
		{"editable in a shadow tree", "<x-o></x-o>", "globalThis.r = document.querySelector('x-o').attachShadow({ mode: 'open' }); r.innerHTML = '<div id=f contenteditable></div>'", "abc", "", "r.firstChild.textContent === 'abc'"},
		{"chips, whose field is made anew", "<div id=d><input id=f></div>", "d.onkeydown = (e) => { if (e.key === ',') { e.preventDefault(); d.innerHTML = '<b>' + e.target.value + '</b><input id=f>'; d.lastChild.focus() } }", "red,", "", "d.firstChild.textContent === 'red'"},
		{"chips of a list", "<div id=d><span></span><input id=f></div>", "f.oninput = () => { if (f.value.endsWith(',')) { d.firstChild.innerHTML += '<b>' + f.value.slice(0, -1) + '<button>x</button></b>'; f.value = '' } }", "red,tan,", "", "d.textContent === 'redxtanx'"},
		{"two chips", "<div id=d><input id=f></div>", "d.onkeydown = (e) => { if (e.key === ',') { e.preventDefault(); const n = document.createElement('b'); n.textContent = e.target.value; d.lastChild.replaceWith(n, Object.assign(document.createElement('input'), { id: 'f' })); d.lastChild.focus() } }", "red,tan,", "", "d.textContent === 'redtan'"},
		{"with Tab", "<input id=f><input id=g>", "", "a\tb", "", "f.value + g.value === 'ab'"},
		{"with Enter, of which the page drops a part", "<input id=f>", "f.oninput = () => { f.value = f.value.replace('e', '') }; f.onkeydown = (e) => { if (e.key === 'Enter') f.value = '' }", "red\n", `and holds "rd"`, ""},
		{"with Enter, to which the page adds", "<form><input id=f><input></form>", "f.oninput = () => { f.value += '!' }; f.form.onsubmit = (e) => e.preventDefault()", "re\n", `and holds "r!e!"`, ""},
		{"with Tab, of which the page drops a part", "<input id=f><input id=g>", "f.oninput = () => { f.value = f.value.toUpperCase().slice(0, 2) }", "red\tx", `and holds "RE"`, ""},
		{"lines of which the page drops a part", "<textarea id=f></textarea>", "f.oninput = () => { f.value = f.value.replace('e', '') }", "red\ntan", `and holds "rd"`, ""},
		{"with Enter, which takes it", "<input id=f><p id=g></p>", "f.onkeydown = (e) => { if (e.key === 'Enter') { g.textContent += f.value + ';'; f.value = '' } }", "red\ntan\n", "", "g.textContent === 'red;tan;' && f.value === ''"},
		{"with Enter, in a mask", "<input id=f>", "f.oninput = () => { f.value = f.value.replace(/\\D/g, '').replace(/(\\d{3})(?=\\d)/g, '$1 ') }", "123456\n", "", "f.value === '123 456'"},
		{"with Enter, behind what was there", "<input id=f value=dark>", "f.onkeydown = (e) => { if (e.key === 'Enter') f.value = '' }", "red\n", "", "f.value === ''"},
		{"with Enter, completed by the page", "<input id=f>", "f.oninput = (e) => { const n = f.value.length; if ('red wine'.startsWith(f.value)) { f.value = 'red wine'; f.setSelectionRange(n, 8) } }; f.onkeydown = (e) => { if (e.key === 'Enter') f.setSelectionRange(8, 8) }", "red\n", "", "f.value === 'red wine'"},
		{"lines", "<textarea id=f></textarea>", "", "red\ntan", "", "f.value === 'red\\ntan'"},
		{"chips of a list, and Enter", "<div id=d><span></span><input id=f></div>", "f.oninput = () => { if (f.value.endsWith(',')) { d.firstChild.innerHTML += '<b><i>' + f.value.slice(0, -1) + '</i><button>x</button></b>'; f.value = '' } }; f.onkeydown = (e) => { if (e.key === 'Enter') { d.firstChild.innerHTML += '<b>' + f.value + '</b>'; f.value = '' } }", "red,tan\n", "", "d.textContent === 'redxtan'"},
		{"keys that a list takes", "<input id=f><ul id=g tabindex=0><li>x</ul>", "f.oninput = () => g.focus(); g.onkeydown = (e) => { e.preventDefault(); window.keys = (window.keys ?? '') + e.key }", "abc", "", "keys === 'bc'"},
	}
	ctx, p := show(t, "")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			setContent(t, ctx, p, tt.html, tt.script)
			target := within(css("#f"), soon)
			_, err := p.Type(ctx, &target, tt.text, 0)
			if tt.says != "" {
				wantCode(t, err, diag.StepFailed, tt.says)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := evaluate(t, ctx, p, tt.done); got != true {
				t.Errorf("%s is %v, want true", tt.done, got)
			}
		})
	}
}

// setContent replaces the content of the page with html, and runs script there.
func setContent(t testing.TB, ctx context.Context, p *Page, html, script string) {
	t.Helper()
	evaluate(t, ctx, p, fmt.Sprintf("document.activeElement?.blur(), document.body.innerHTML = %s, (0, eval)(%s), 1", strconv.Quote(html), strconv.Quote(script+";0")))
}

// Keys go to the parts of a date in the order in which the field shows them. The field then holds
// what was typed, or the step fails.
func TestTypeInParts(t *testing.T) {
	tests := []struct{ html, text, holds string }{ // holds "": it fails
		{"<input id=f type=date>", "2024-01-05", ""},
		{"<input id=f type=date>", "2024/01/05", ""},
		{"<input id=f type=date value=2020-02-02>", "2024-01-05", ""},
		{"<input id=f type=date>", "13/40/2024", ""},
		{"<input id=f type=date>", "0105", ""},
		{"<input id=f type=date>", "010524", ""},
		{"<input id=f type=month>", "2024-01", ""},
		{"<input id=f type=week>", "2024-W05", ""},
		{"<input id=f type=datetime-local>", "2024-01-05T10:30", ""},
		{"<input id=f type=time>", "0230", ""},
		{"<input id=f type=date onchange=\"this.value='2000-01-01'\">", "01052024", ""},
		{"<input id=f type=date>", "01052024", "2024-01-05"},
		{"<input id=f type=date value=2020-02-02>", "01/05/2024", "2024-01-05"},
		{"<input id=f type=date value=2020-02-02>", "03", "2020-03-02"},
		{"<input id=f type=time>", "0230am", "02:30"},
		{"<input id=f type=time>", "0230PM", "14:30"},
		{"<input id=f type=time>", "14:30", "14:30"},
		{"<input id=f type=month>", "January\t2024", "2024-01"},
		{"<input id=f type=datetime-local>", "01052024\t0230PM", "2024-01-05T14:30"},
		{"<input id=f type=week>", "052024", "2024-W05"},
	}
	ctx, p := show(t, "")
	for _, tt := range tests {
		t.Run(tt.html+tt.text, func(t *testing.T) {
			setContent(t, ctx, p, tt.html, "")
			target := within(css("#f"), soon)
			_, err := p.Type(ctx, &target, tt.text, 0)
			got := evaluate(t, ctx, p, "f.value")
			t.Logf("holds %v, %v", got, err)
			if tt.holds == "" {
				if e := wantCode(t, err, diag.StepFailed); !strings.Contains(e.Hint, "use the step `fill` to set the whole value") {
					t.Errorf("hint %q, want fill", e.Hint)
				}
			} else if err != nil || got != tt.holds {
				t.Errorf("holds %v, %v, want %s", got, err, tt.holds)
			}
		})
	}
}

// Without a selector, the text goes to the focused element, in whatever frame.
func TestTypeFollowsTheFocus(t *testing.T) {
	testkit.Long(t)
	const field = `<!doctype html><input id=i>`
	pages := map[string]string{
		"/main":   `<iframe id=a src="FAR/in"></iframe><iframe id=b src="HERE/in"></iframe><iframe id=c src="HERE/edit"></iframe><iframe id=d src="FAR/edit"></iframe><iframe id=e src="FAR/around"></iframe>`,
		"/in":     field,
		"/edit":   `<!doctype html><body contenteditable id=i>x</body>`,
		"/around": `<iframe id=a src="HERE/in"></iframe>`,
	}
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		openFrames(t, ctx, p, pages)
		for i, in := range []driver.Target{
			chain(framePart("#a"), cssPart("#i")), chain(framePart("#b"), cssPart("#i")), chain(framePart("#c"), cssPart("#i")),
			chain(framePart("#d"), cssPart("#i")), chain(framePart("#e"), framePart("#a"), cssPart("#i")),
		} {
			if _, err := p.Focus(ctx, in); err != nil {
				t.Errorf("%d: focus: %v", i, err)
				continue
			}
			if _, err := p.Type(ctx, nil, "hello", 0); err != nil {
				t.Errorf("%d: %v", i, err)
				continue
			}
			if _, err := p.Type(ctx, &in, "!", 0); err != nil {
				t.Errorf("%d: with a selector: %v", i, err)
			}
			if got, err := p.Read(ctx, in, driver.ReadOptions{What: "value"}); err != nil || !strings.Contains(fmt.Sprint(got.Value), "hello!") {
				t.Errorf("%d holds %+v, %v, want hello!", i, got, err)
			}
		}
	})
}
