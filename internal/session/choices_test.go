package session_test

import (
	"fmt"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// choicePage returns a page with a list field, which its script calls f. window.v.value is the
// value that the page has accepted.
func choicePage(attrs, onblur string) string {
	return `<div class=field><label for=f>City</label> <span class=box><input id=f role=combobox aria-expanded=false ` + attrs + `></span><b id=tags></b></div><button>Next</button>
<script>window.v={}; f.addEventListener('blur', () => { ` + onblur + ` })</script>`
}

// TestInputFillOfAChoice checks that a text typed into the search box of a list is not a value. If
// the text disappears when the field loses the focus, the action fails; a field that keeps it
// accepts any text.
func TestInputFillOfAChoice(t *testing.T) {
	t.Parallel()
	html := ""
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	const keeps = "v.value = f.value"
	const list = "aria-autocomplete=list aria-haspopup=listbox"
	fill := object{"label": "City", "value": "Oslo"}
	const offers = `<div id=l role=listbox></div><script>f.oninput = () => { l.innerHTML = '<div role=option>Oslo</div><div role=option>Oslo East</div>'
	for (const o of l.children) o.onclick = () => { v.chosen = f.value = o.textContent; l.textContent = '' } }; f.onblur = () => setTimeout(() => { l.textContent = '' }, 100)</script>`
	refused := func(holds string) string { return fmt.Sprintf("holds '%s' instead of Oslo", holds) }
	for _, tt := range testkit.Some(t, "choices", 3, []foreignCase{
		{"emptied", choicePage(list, "f.value = ''"), "input:fill", fill, `{}`, diag.StepFailed, refused("")},
		{"emptied a moment later", choicePage(list, "setTimeout(() => { f.value = '' })"), "input:fill", fill, `{}`, diag.StepFailed, refused("")},
		{"set back", choicePage(list+" value=Rome", "f.value = 'Rome'"), "input:fill", fill, `{}`, diag.StepFailed, refused("Rome")},
		{"without a list that opens", choicePage("aria-autocomplete=none", "f.value = ''"), "input:fill", fill, `{}`, diag.StepFailed, refused("")},
		{"emptied, without a label", `<input id=f role=combobox aria-expanded=false aria-label=City><script>window.v={}; f.onblur = () => { f.value = '' }</script>`, "input:fill", fill, `{}`, diag.StepFailed, refused("")},
		{"a box that says nothing", `<div class=field><label for=f>City</label> <span class="x-select-input"><input id=f onblur="this.value = ''"></span></div><script>window.v={}</script>`,
			"input:fill", fill, `{}`, diag.StepFailed, refused("")},
		{"opened late, and emptied as it closes", choicePage(list, "if (open) { open = false; f.value = '' }") + `<div id=l role=listbox></div><script>let open = false
f.oninput = () => setTimeout(() => { open = true; l.innerHTML = '<div role=option>Rome</div>' }, 200)</script>`, "input:fill", fill, `{}`, diag.StepFailed, refused("")},
		{"emptied frames later", choicePage(list, "let n = 4; const step = () => n-- ? requestAnimationFrame(step) : f.value = ''; step()"), "input:fill", fill, `{}`, diag.StepFailed, refused("")},
		{"offered, and chosen by a press", choicePage(list, "") + offers, "input:fill", fill, `{"chosen":"Oslo"}`, "", ""},
		{"offered by a search", choicePage(list+" type=search", keeps) + offers, "input:fill", fill, `{"value":"Oslo"}`, "", ""},
		{"kept", choicePage(list, keeps), "input:fill", fill, `{"value":"Oslo"}`, "", ""},
		{"kept in capitals", choicePage(list, "v.value = f.value = f.value.toUpperCase()"), "input:fill", fill, `{"value":"OSLO"}`, "", ""},
		{"a calendar of its own", choicePage("aria-haspopup=dialog", keeps), "input:fill", fill, `{}`, "", ""},
		{"suggestions", `<label>City <input id=f list=l onblur="this.value = 'left'"></label><datalist id=l><option>Rome</datalist><script>window.v={}</script>`, "input:fill", fill, `{}`, "", ""},
		{"a plain field", `<label>City <input id=f onblur="v.left = true"></label><script>window.v={}</script>`, "input:fill", fill, `{}`, "", ""},
		{"emptied on purpose", choicePage(list+" value=Rome", keeps), "input:fill", object{"label": "City", "value": ""}, `{}`, "", ""},
	}) {
		b.foreign(t, &html, base, tt)
	}
}

// keyedList returns a multiple choice list like that of Semantic UI: aria-selected marks the option
// of the keyboard, aria-checked the chosen options, and a chosen option moves from the list into
// the field. drops is the index of an option that cannot be chosen.
func keyedList(drops int) string {
	return fmt.Sprintf(`<div class=field><label for=f>Days</label><div role=combobox aria-expanded=false class="ui multiple search selection dropdown" id=box><input id=f aria-autocomplete=list autocomplete=off>
<div role=listbox aria-multiselectable=true id=list style="display:none"></div></div></div>
<script>window.v={days:[]}; const all=['Monday','Tuesday','Friday']; let at=0
const draw=()=>{ box.querySelectorAll('.label').forEach((n)=>n.remove()); for(const day of v.days){ const a=document.createElement('a'); a.className='ui label'; a.innerHTML=day+'<i class="delete icon" style="display:inline-block;width:9px;height:9px"></i>';
	a.lastChild.onclick=(e)=>{ e.stopPropagation(); v.days=v.days.filter((d)=>d!==day); draw() }; box.insertBefore(a,f) }
	list.replaceChildren(...all.filter((d)=>!v.days.includes(d)).map((day,i)=>{ const o=document.createElement('div'); o.setAttribute('role','option'); o.setAttribute('aria-checked','false'); o.setAttribute('aria-selected',i===at); o.textContent=day;
		o.onclick=(e)=>{ e.stopPropagation(); if(all.indexOf(day)!==%d) v.days.push(day); draw() }; return o })) }
const open=(is)=>{ list.style.display=is?'block':'none'; box.setAttribute('aria-expanded',is) }
box.onclick=()=>{ open(true) }; document.addEventListener('mousedown',(e)=>{ if(!box.contains(e.target)) open(false) }); f.onkeydown=(e)=>{ if(e.key==='Escape') open(false) }; draw()</script>`, drops)
}

func TestListWhoseKeysAreNoChoice(t *testing.T) {
	t.Parallel()
	html := ""
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	days := func(days ...any) object { return object{"label": "Days", "options": days} }
	for _, tt := range []foreignCase{
		{"the one that the keys are at", keyedList(-1), "select:choose", days("Monday", "Friday"), `{"days":["Monday","Friday"]}`, "", ""},
		{"one that is not taken", keyedList(0), "select:choose", days("Monday", "Friday"), `{"days":[]}`, diag.StepFailed, "did not take Monday"},
	} {
		b.foreign(t, &html, base, tt)
	}
	b.mustRun(t, "components:select:choose", days("Tuesday"))
	if got := b.holds(t, "JSON.stringify(window.v)"); got != `{"days":["Tuesday"]}` {
		t.Errorf("the page holds %s, expected Tuesday alone", got)
	}
}
