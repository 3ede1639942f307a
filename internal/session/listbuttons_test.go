package session_test

import (
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
)

// listButton returns a page with a button #b that opens a list of three colours. The argument "on" is
// the event that opens it. window.v has the chosen colour. The list is the last element of the body,
// as in portals, and exists only while it is open. The argument "shows" is a script that returns the
// content of #s in the button.
func listButton(html, on, shows string) string {
	return `<main id=main>` + html + `</main><script>window.v={}; let l;
const close=()=>{ l?.remove(); l=null; b.setAttribute('aria-expanded',false); b.removeAttribute('aria-controls') };
const take=(t)=>{ if(t!=='Blue'){ v.colour=t; s.textContent=` + shows + ` } close(); b.focus() };
const open=()=>{ l=document.createElement('div'); l.id='l1'; l.setAttribute('role','listbox'); l.setAttribute('aria-labelledby','t'); l.tabIndex=-1; document.body.append(l);
for(const t of ['Red','Green','Blue']){ const o=document.createElement('div'); o.setAttribute('role','option'); o.setAttribute('aria-selected',v.colour===t); o.innerHTML='<span>'+t+'</span>'; o.onclick=()=>take(t); l.append(o) }
b.setAttribute('aria-expanded',true); b.setAttribute('aria-controls','l1'); l.focus() };
b.addEventListener('` + on + `',()=>l?close():open()); addEventListener('keydown',(e)=>{ if(e.key==='Escape'&&l)close() })</script>`
}

// TestListsOfButtons tests lists that a button with aria-haspopup opens, with labels as in Headless
// UI, React Aria and the ARIA practices.
func TestListsOfButtons(t *testing.T) {
	t.Parallel()
	html := ""
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	const button = `<button type=button id=b aria-haspopup=listbox aria-expanded=false><span id=s>Choose</span></button>`
	named := func(name string) string { return strings.Replace(button, "id=b", "id=b "+name, 1) }
	headless := `<div><label id=t for=b>Colour</label>` + named(`aria-labelledby="t b"`) + `</div><div><label id=u for=n>Name</label><input id=n></div>`
	aria := `<div class=Select><span id=t>Colour</span>` + named(`aria-labelledby="s t"`) + `<div aria-hidden=true style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)">
<label>Colour<select tabindex=-1><option></option><option>Red</option><option>Green</option></select></label></div></div>`
	choose := func(text string) object { return object{"label": "Colour", "option": text} }
	fill := object{"values": object{"Colour": "Green"}}
	const green = `{"colour":"Green"}`
	phone := `<label for=n>Phone</label><div><button id=b aria-haspopup=listbox aria-expanded=false><span id=s>+49</span></button><input id=n oninput="v.n=this.value"></div>`
	for _, tt := range someForeign(t, []foreignCase{
		{"a label for it", listButton(`<label for=b id=t>Colour</label>`+button, "click", "t"), "select:choose", choose("Green"), green, "", ""},
		{"its own name", listButton(named("aria-label=Colour"), "click", "t"), "form:fill", fill, green, "", ""},
		{"a label around it", listButton(`<label id=t>Colour `+button+`</label>`, "click", "t"), "field:set", object{"label": "Colour", "value": "Green"}, green, "", ""},
		{"a text beside it", listButton(`<div><div id=t>Colour</div><div>`+button+`</div></div>`, "click", "t"), "select:choose", choose("Green"), green, "", ""},
		{"beside other labels", listButton(`<form><label>Name</label><input><label id=t>Colour</label>`+button+`<label>City</label><input></form>`, "click", "t"), "form:fill", fill, green, "", ""},
		{"by label and value", listButton(headless, "mousedown", "t"), "select:choose", choose("Green"), green, "", ""},
		{"by label and value, in a form", listButton(headless, "mousedown", "t"), "form:fill", object{"values": object{"Colour": "Red", "Name": "Ann"}}, `{"colour":"Red"}`, "", ""},
		{"by label and value only", listButton(`<label id=t>Colour</label>`+named(`aria-labelledby="t b"`), "mousedown", "t"), "select:choose", choose("Green"), green, "", ""},
		{"by value and label", listButton(aria, "pointerdown", "t"), "select:choose", choose("Green"), green, "", ""},
		{"by value and label, set", listButton(aria, "pointerdown", "t"), "field:set", object{"label": "Colour", "value": "Green"}, green, "", ""},
		{"by what it shows", listButton(strings.Replace(button, "Choose", "Colour", 1), "click", "t"), "select:choose", choose("Green"), green, "", ""},
		{"a role of its own", listButton(strings.Replace(`<b id=t>Colour</b>`+named("aria-labelledby=t"), "<button type=button", "<div role=button tabindex=0", 1), "click", "t"), "select:choose", choose("Green"), green, "", ""},
		{"its options", listButton(headless, "click", "t"), "select:options", object{"label": "Colour"}, `{}`, "", ""},
		{"one that does not take it", listButton(headless, "click", "t"), "select:choose", choose("Blue"), `{}`, diag.ElementNotFound, ""},
		{"one that does not take it, by what it shows", listButton(strings.Replace(button, "Choose", "Colour", 1), "click", "t"), "field:set", object{"label": "Colour", "value": "Blue"}, `{}`, diag.ElementNotFound, ""},
		{"no such option", listButton(headless, "click", "t"), "select:choose", choose("Pink"), `{}`, diag.StepFailed, `there are "Red", "Green", "Blue"`},
		{"its value is no label", listButton(strings.Replace(headless, "Choose", "Shade", 1), "click", "t"), "select:choose", object{"label": "Shade", "option": "Green"}, green, "", ""},
		{"a button of a menu", listButton(strings.Replace(headless, "listbox", "menu", 1), "click", "t"), "select:choose", choose("Green"), `{}`, diag.ElementNotFound, "Colour is not a list"},
		{"a field beside it", listButton(phone, "click", "t"), "input:fill", object{"label": "Phone", "value": "123"}, `{"n":"123"}`, "", ""},
	}) {
		b.foreign(t, &html, base, tt)
	}
}
