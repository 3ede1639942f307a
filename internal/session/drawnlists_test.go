package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

// drawnLists has the scripts of libraries that hide a <select> and draw a list in its place. ID is
// replaced by the id of the <select>. One library marks the option of the keyboard with
// aria-selected; the other has no roles and a search field.
var drawnLists = map[string]string{
	"tom":       `<link rel=stylesheet href=/npm/tom-select.css><script src=/npm/tom-select.js></script>|new TomSelect('#ID',{create:ID==c})`,
	"tomcross":  `<link rel=stylesheet href=/npm/tom-select.css><script src=/npm/tom-select.js></script>|new TomSelect('#ID',{plugins:['remove_button'],maxItems:ID==t?2:1})`,
	"selectize": `<link rel=stylesheet href=/npm/selectize.css><script src=/npm/jquery3.js></script><script src=/npm/selectize.js></script>|$('#ID').selectize()`,
}

// drawnListPage returns a page with a single choice list (Color) and a multiple choice list (Tags,
// with Red chosen).
func drawnListPage(library string) string {
	head, draw, _ := strings.Cut(drawnLists[library], "|")
	const options = `>Red<option value=b>Green<option value=c>Blue<option value=d disabled>Black<option value=e>Dark Red</select>`
	return head + `<form id=f><p><label for=n>Name</label> <input id=n></p><p><label for=s>Color</label> <select id=s name=s><option value="">Pick<option value=a` + options +
		`</p><p><label for=t>Tags</label> <select id=t name=t multiple><option value=a selected` + options + `</p></form><script>const c=s;` +
		strings.ReplaceAll(draw, "ID", "s") + `;` + strings.ReplaceAll(draw, "ID", "t") +
		`;Object.defineProperty(window,'v',{get:()=>[n.value,...[s,t].map(l=>[...l.selectedOptions].filter(o=>o.value).map(o=>o.text).sort().join('+'))]})</script>`
}

// TestListsOfDrawnSelects checks that the chosen options are those of the hidden <select>, not the
// marked option and not the search text.
func TestListsOfDrawnSelects(t *testing.T) {
	t.Parallel()
	html := ""
	mux := muxShowing(&html)
	mux.Handle("GET /npm/", pages.Handler())
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	both := []string{"tom", "tomcross", "selectize"}
	type row struct {
		libraries []string
		foreignCase
	}
	var uses []pairOf[string, foreignCase]
	for _, tt := range []row{
		{both, foreignCase{action: "select:choose", params: object{"label": "Color", "option": "Green"}, want: `["","Green","Red"]`}},
		{both, foreignCase{action: "field:set", params: object{"label": "Color", "value": "Dark Red"}, want: `["","Dark Red","Red"]`}},
		{both, foreignCase{action: "form:fill", params: object{"values": object{"Name": "Eva", "Color": "Blue", "Tags": []any{"Green"}}}, want: `["Eva","Blue","Green"]`}},
		{both, foreignCase{action: "select:choose", params: object{"label": "Tags", "options": []any{"Red", "Blue"}}, want: `["","","Blue+Red"]`}},
		{both, foreignCase{action: "field:set", params: object{"label": "Tags", "value": []any{"Green", "Dark Red"}}, want: `["","","Dark Red+Green"]`}},
		{both, foreignCase{action: "select:choose", params: object{"label": "Tags", "option": "Blue"}, want: `["","","Blue+Red"]`}},
		{both, foreignCase{action: "select:choose", params: object{"label": "Tags", "option": "Red"}, want: `["","","Red"]`}},
		{both, foreignCase{action: "select:choose", params: object{"label": "Tags", "options": []any{}}, want: `["","",""]`}},
		{both, foreignCase{action: "select:choose", params: object{"label": "Color", "option": "Black"}, want: `["","","Red"]`, code: diag.ElementNotInteractable, says: "Black"}},
		{both[1:], foreignCase{action: "field:set", params: object{"label": "Color", "value": "Violet"}, want: `["","","Red"]`, code: diag.StepFailed, says: "no option Violet in Color"}},
		{both[1:], foreignCase{action: "field:set", params: object{"label": "Color", "value": []any{"Red", "Blue"}}, want: `["","","Red"]`, code: diag.StepFailed, says: "takes one option"}},
		{both[:1], foreignCase{action: "field:set", params: object{"label": "Color", "value": "Violet"}, want: `["","Violet","Red"]`}}, // the library creates options
		{both[1:2], foreignCase{action: "select:choose", params: object{"label": "Tags", "options": []any{"Red", "Blue", "Green"}}, want: `["","","Blue+Red"]`, code: diag.StepFailed, says: "no option Green"}},
	} {
		for _, library := range tt.libraries {
			uses = append(uses, pairOf[string, foreignCase]{library, tt.foreignCase})
		}
	}
	for _, use := range testkit.Kinds(t, "uses of lists", 7, uses, func(i int) any { return uses[i].b.says }) {
		library, tt := use.a, use.b
		tt.name, tt.html = library+" "+tt.action, drawnListPage(library)
		b.foreign(t, &html, base, tt)
	}
}

// TestListsOfDrawnSelectsOptions checks that the options are those of the drawn list, even if its
// <select> contains only the chosen ones.
func TestListsOfDrawnSelectsOptions(t *testing.T) {
	t.Parallel()
	html := ""
	mux := muxShowing(&html)
	mux.Handle("GET /npm/", pages.Handler())
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	for library := range drawnLists {
		html = drawnListPage(library)
		b.mustRun(t, "web:page:open", object{"url": base})
		got := fmt.Sprint(b.mustRun(t, "components:select:options", object{"label": "Color"})["options"])
		for _, text := range []string{"text:Red]", "text:Green]", "text:Blue]", "text:Dark Red]"} {
			if !strings.Contains(got, text) {
				t.Errorf("%s: the options are %s, expected %s among them", library, got, text)
			}
		}
	}
}

// litList returns a list that marks the option of the keyboard with aria-selected. Chosen options
// leave the list; if stays is set, they stay and are marked too.
func litList(stays bool) string {
	keep := "false"
	if stays {
		keep = "true"
	}
	return `<div><label id=l for=i>Tags</label><div id=ch></div><input id=i role=combobox aria-expanded=false aria-controls=u aria-autocomplete=list>
	<ul id=u role=listbox aria-multiselectable=true hidden></ul></div><script>window.v=[];let A=0;const O=["Red","Green","Blue","Black"],stays=` + keep + `;
	const rest=()=>O.filter(x=>stays||!v.includes(x));
	function draw(){ch.innerHTML=v.map(x=>"<span class=chip>"+x+"<button type=button class=remove aria-label='Remove "+x+"'></button></span>").join("");
	ch.querySelectorAll("button").forEach((b,k)=>b.onclick=()=>{v.splice(k,1);draw()});
	u.innerHTML=rest().map((x,k)=>"<li role=option id=o"+k+" aria-selected="+(k===A||stays&&v.includes(x))+">"+x).join("");i.setAttribute("aria-activedescendant","o"+A)}
	function show(on){u.hidden=!on;i.setAttribute("aria-expanded",on);if(on){A=0;draw()}}
	i.onclick=()=>show(true);i.onkeydown=e=>{if(e.key==="Escape")show(false);if(e.key==="ArrowDown"){A=Math.min(A+1,rest().length-1);draw()}};
	i.onblur=()=>setTimeout(()=>show(false),150);
	u.onmousedown=e=>{e.preventDefault();const o=e.target.closest("li");if(o){v.includes(o.textContent)?v.splice(v.indexOf(o.textContent),1):v.push(o.textContent);draw()}};draw()</script>`
}

// TestListsOfLitOptions checks that an option that is marked only because the keyboard is on it
// does not count as chosen.
func TestListsOfLitOptions(t *testing.T) {
	t.Parallel()
	html := ""
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil)
	for _, row := range somePairs(t, "lists", 3, []bool{false, true}, []foreignCase{
		{action: "select:choose", params: object{"label": "Tags", "options": []any{"Red", "Blue"}}, want: `["Red","Blue"]`},
		{action: "select:choose", params: object{"label": "Tags", "options": []any{"Red"}}, want: `["Red"]`},
		{action: "form:fill", params: object{"values": object{"Tags": []any{"Green"}}}, want: `["Green"]`},
		{action: "field:set", params: object{"label": "Tags", "value": []any{"Violet"}}, want: `[]`, code: diag.StepFailed, says: "no option Violet"},
	}) {
		tt := row.b
		tt.name, tt.html = tt.action, litList(row.a)
		b.foreign(t, &html, base, tt)
	}
}
