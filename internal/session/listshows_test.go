package session_test

import (
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// showingList returns a list with three options and those of the argument "more". At first its box
// shows the argument "first". After a press it shows the result of the script in the argument "then",
// and a hidden input gets the result of the script in the argument "stores".
func showingList(more, first, then, stores string) string {
	return `<label id=t>Colour</label><div role=combobox id=b tabindex=0 aria-labelledby=t aria-haspopup=listbox aria-expanded=false aria-controls=l style="border:1px solid;width:160px;height:20px">` + first + `</div>
<ul role=listbox id=l hidden></ul><input type=hidden id=h name=c><script>window.v={}; b.onclick=()=>{ l.hidden=!l.hidden; b.setAttribute('aria-expanded',!l.hidden) };
for(const t of ['Red','Green','C',` + more + `]){ const o=document.createElement('li'); o.setAttribute('role','option'); o.textContent=t; o.onclick=()=>pick(t); l.append(o) }
function pick(t){ v.colour=t; h.value=` + stores + `; const s=` + then + `; if(s!==null)b.innerHTML=s; l.hidden=true; b.setAttribute('aria-expanded','false') }</script>`
}

// TestListsThatShowMore tests lists that show more than the text of the chosen option: decoration,
// or the name of another option.
func TestListsThatShowMore(t *testing.T) {
	t.Parallel()
	html := ""
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	const green, c, none = `{"colour":"Green"}`, `{"colour":"C"}`, `""`
	tests := []struct{ name, html, option, want, says string }{
		{"a flag", showingList("", "Choose", `"<span>🇩🇪</span> "+t`, none), "Green", green, ""},
		{"a dot", showingList("", "<i>●</i> Red", `"<i>●</i> "+t`, none), "Green", green, ""},
		{"an arrow", showingList("", "Choose ▾", `t+" ▾"`, none), "Green", green, ""},
		{"an arrow without a space", showingList("", "Choose▾", `t+"▾"`, none), "Green", green, ""},
		{"a tick and capitals", showingList("", "Choose", `"✓ "+t.toUpperCase()`, none), "Green", green, ""},
		{"a chip", showingList("", "Choose", `"<span class=chip>"+t+" <button type=button aria-label=Remove>×</button></span>"`, none), "Green", green, ""},
		{"a label that was there", showingList("", "Sort by: Red", `"Sort by: "+t`, none), "Green", green, ""},
		{"a label that was alone", showingList("", "Sort by", `"Sort by "+t`, none), "Green", green, ""},
		{"a label that was there, and a longer option", showingList("'Dark Green'", "Sort by: Red", `"Sort by: "+t`, none), "Green", green, ""},
		{"a label that comes, and a form that keeps it", showingList("", "Choose", `"Ship to: "+t`, "t"), "Green", green, ""},
		{"a price, and a form that keeps it", showingList("", "Choose", `t+" (9 €)"`, "t"), "Green", green, ""},
		{"what it held", showingList("", "● Green", `"● "+t`, none), "Green", green, ""},
		{"a label that comes", showingList("", "Choose", `"Dark "+t`, none), "Green", green, "something else than Green"},
		{"a longer option", showingList("'Dark Green'", "Dark Red", `"Dark "+t`, none), "Green", green, "may be Dark Green instead of Green"},
		{"a longer option with a dot", showingList("'Green ★'", "Choose", `"● "+t+" ★"`, none), "Green", green, "may be Green ★ instead of Green"},
		{"a longer option of a form that keeps it", showingList("'Dark Green'", "Choose", `"Dark "+t`, "t"), "Green", green, "may be Dark Green instead of Green"},
		{"a longer word", showingList("", "Choose", `"Ever"+t.toLowerCase()+" ▾"`, none), "Green", green, "${selectors.select_shows}"},
		{"a mark that makes another word", showingList("", "Choose", `t+"++"`, none), "C", c, "something else than C"},
		{"the one before", showingList("", "● Red", `null`, "t"), "Green", green, "${selectors.select_shows}"},
		{"the one before, with that word", showingList("", "Dark Green", `null`, none), "Green", green, "something else than Green"},
		{"a number", showingList("", "Choose", `"1 selected"`, none), "Green", green, "${selectors.select_shows}"},
		{"nothing", showingList("", "Choose", `""`, none), "Green", green, "${selectors.select_shows}"},
		{"one that goes again", showingList("", "● Red", `(setTimeout(()=>{b.textContent="● Red"},350),"● "+t)`, none), "Green", green, "Red"},
	}
	for _, tt := range testkit.Kinds(t, "lists that show more", 4, tests, func(i int) any { return tests[i].says }) {
		code := diag.Code("")
		if tt.says != "" {
			code = diag.ElementNotFound
		}
		if tt.name == "one that goes again" {
			code = diag.VerifyFailed
		}
		b.foreign(t, &html, base, foreignCase{tt.name, tt.html, "select:choose", object{"label": "Colour", "option": tt.option}, tt.want, code, tt.says})
	}
	arrow := showingList("", "Choose ▾", `t+" ▾"`, none)
	b.foreign(t, &html, base, foreignCase{"in a field", arrow, "field:set", object{"label": "Colour", "value": "Green"}, green, "", ""})
	b.foreign(t, &html, base, foreignCase{"in a form", arrow, "form:fill", object{"values": object{"Colour": "Green"}}, green, "", ""})
	shown := listButton(`<label for=b id=t>Colour</label><button type=button id=b aria-haspopup=listbox aria-expanded=false><b>●</b> <span id=s>Choose</span> ▾</button>`, "click", `"● "+t`)
	b.foreign(t, &html, base, foreignCase{"a button", shown, "form:fill", object{"values": object{"Colour": "Green"}}, green, "", ""})
}
