package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/testdata/pages"
)

// fomanticPage returns a page of Fomantic UI with four lists and a question. Two lists are over a
// <select>: Country, which has a search field, and Skills, which takes several options. Two are over
// a hidden input: Gender, and City, which has a search field. window.v has the data that the form
// sends, and the answer to the question.
func fomanticPage() string {
	drawn := func(id, label, class string, texts ...string) string {
		items := ""
		for _, text := range texts {
			items += `<div class=item data-value=` + strings.ToLower(text) + `>` + text + `</div>`
		}
		return `<div class=field><label>` + label + `</label><div class="ui ` + class + ` dropdown" id=` + id + `><input type=hidden name=` + id +
			`><i class="dropdown icon"></i><div class="default text">Choose</div><div class=menu>` + items + `</div></div></div>`
	}
	return `<link rel=stylesheet href=/npm/fomantic.css><script src=/npm/jquery3.js></script><script src=/npm/fomantic.js></script>
		<main class="ui container"><form class="ui form" id=f>
		<div class=field><label for=country>Country</label><select id=country name=country class="ui search dropdown"><option value="">Choose<option value=germany>Germany<option value=france>France</select></div>
		<div class=field><label for=skills>Skills</label><select id=skills name=skills multiple class="ui dropdown"><option value="">Choose<option value=css>CSS<option value=html>HTML<option value=js>JavaScript</select></div>` +
		drawn("gender", "Gender", "selection", "Male", "Female") + drawn("city", "City", "search selection", "Bonn", "Paris") + `</form>
		<button class="ui button" id=b>Delete account</button></main>
		<div class="ui modal" id=m><div class=header>Delete account?</div><div class=content>All data is lost.</div>
		<div class=actions><div class="ui cancel button">No</div><div class="ui approve red button">Yes, delete</div></div></div>
		<script>let said='';$('.ui.dropdown').dropdown();$(m).modal({duration:0,onApprove(){said='yes'},onDeny(){said='no'}});b.onclick=()=>$(m).modal('show');
		Object.defineProperty(window,'v',{get:()=>[new URLSearchParams(new FormData(f)).toString(),said]})</script>`
}

// materialPage is a page of Materialize with tabs and with two lists over a <select>. The second list
// takes several options.
const materialPage = `<link rel=stylesheet href=/npm/materialize.css><script src=/npm/materialize.js></script><div class=container>
	<div class=input-field><select id=s><option value="" disabled selected>Choose<option value=1>One<option value=2>Two</select><label>Kind</label></div>
	<div class=input-field><select id=t multiple><option>Uno<option>Due<option>Tre</select><label>Several</label></div>
	<ul class=tabs><li class=tab><a href=#t1 class=active>First</a><li class=tab><a href=#t2>Second</a></ul><div id=t1>one</div><div id=t2>two</div></div>
	<script>M.AutoInit();Object.defineProperty(window,'v',{get:()=>[s.value,[...t.selectedOptions].map(o=>o.text).join(),t2.offsetHeight>0]})</script>`

// materialModal is a page of Materialize with a question that sends nothing when it is answered.
const materialModal = `<link rel=stylesheet href=/npm/materialize.css><script src=/npm/materialize.js></script><div class=container>
	<a class="waves-effect btn modal-trigger" href="#md">Terms</a><ul class=tabs><li class=tab><a href=#t1 class=active>First</a></ul><div id=t1>one</div>
	<div id=md class=modal><div class=modal-content><h4>Our terms</h4><p>Agree to the terms?</p></div>
	<div class=modal-footer><a href="#!" class="modal-close btn-flat">Cancel</a><a href="#!" id=ag class="modal-close btn-flat">Agree</a></div></div></div>
	<script>window.v=0;M.AutoInit();ag.onclick=()=>{window.v=1}</script>`

// TestListsOfBoxes checks lists of libraries without a pack whose box contains the hidden control and
// the list, and other components that such libraries draw without roles.
func TestListsOfBoxes(t *testing.T) {
	t.Parallel()
	html := ""
	mux := muxShowing(&html)
	mux.Handle("GET /npm/", pages.Handler())
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	fomantic := fomanticPage()
	nothing := `["country=&gender=&city=",""]`
	for _, tt := range someForeign(t, []foreignCase{
		{name: "a searched select", html: fomantic, action: "select:choose", params: object{"label": "Country", "option": "France"}, want: `["country=france&gender=&city=",""]`},
		{name: "a searched select that is set", html: fomantic, action: "field:set", params: object{"label": "Country", "value": "France"}, want: `["country=france&gender=&city=",""]`},
		{name: "no option of a searched select", html: fomantic, action: "field:set", params: object{"label": "Country", "value": "Atlantis"}, want: nothing, code: diag.StepFailed, says: "no option Atlantis"},
		{name: "words in a searched select", html: fomantic, action: "input:fill", params: object{"label": "Country", "value": "France"}, want: nothing, code: diag.StepFailed, says: "only searches its list"},
		{name: "a select of several", html: fomantic, action: "select:choose", params: object{"label": "Skills", "options": []any{"CSS", "JavaScript"}}, want: `["country=&skills=css&skills=js&gender=&city=",""]`},
		{name: "a hidden input", html: fomantic, action: "select:choose", params: object{"label": "Gender", "option": "Female"}, want: `["country=&gender=female&city=",""]`},
		{name: "no option of a hidden input", html: fomantic, action: "select:choose", params: object{"label": "Gender", "option": "Other"}, want: nothing, code: diag.StepFailed, says: "no option Other in Gender; there are"},
		{name: "two of a list of one", html: fomantic, action: "select:choose", params: object{"label": "Gender", "options": []any{"Male", "Female"}}, want: nothing, code: diag.StepFailed, says: "takes one option"},
		{name: "a searched hidden input", html: fomantic, action: "field:set", params: object{"label": "City", "value": "Paris"}, want: `["country=&gender=&city=paris",""]`},
		{name: "words in a searched hidden input", html: fomantic, action: "input:fill", params: object{"label": "City", "value": "Paris"}, want: nothing, code: diag.StepFailed, says: "only searches its list"},
		{name: "a form", html: fomantic, action: "form:fill", params: object{"values": object{"Country": "Germany", "Skills": []any{"HTML"}, "Gender": "Male", "City": "Bonn"}},
			want: `["country=germany&skills=html&gender=male&city=bonn",""]`},

		{name: "a list of one", html: materialPage, action: "select:choose", params: object{"label": "Kind", "option": "Two"}, want: `["2","",false]`},
		{name: "a list that is set", html: materialPage, action: "form:fill", params: object{"values": object{"Kind": "One"}}, want: `["1","",false]`},
		{name: "a list of several", html: materialPage, action: "select:choose", params: object{"label": "Several", "options": []any{"Uno", "Tre"}}, want: `["","Uno,Tre",false]`},
		{name: "no option", html: materialPage, action: "select:choose", params: object{"label": "Kind", "option": "Three"}, want: `["","",false]`, code: diag.StepFailed, says: "no option Three"},
		{name: "a tab", html: materialPage, action: "tabs:switch", params: object{"text": "Second"}, want: `["","",true]`},
	}) {
		b.foreign(t, &html, base, tt)
	}
	for answer, agreed := range map[string]string{"dialog:confirm": "1", "dialog:cancel": "0"} {
		t.Run("modal, "+answer, func(t *testing.T) {
			html = materialModal
			b.mustRun(t, "web:page:open", object{"url": base})
			b.mustRun(t, "components:button:click", object{"text": "Terms"})
			b.mustRun(t, "components:"+answer, object{"title": "Our terms"}) // while the wave of the press is still in its button
			if got := fmt.Sprint(b.value(t, "window.v")); got != agreed {
				t.Errorf("agreed is %s, want %s", got, agreed)
			}
		})
	}
	for action, want := range map[string]string{"dialog:confirm": `["country=&gender=&city=","yes"]`, "dialog:cancel": `["country=&gender=&city=","no"]`} {
		t.Run(action, func(t *testing.T) {
			html = fomantic
			b.mustRun(t, "web:page:open", object{"url": base})
			b.mustRun(t, "components:button:click", object{"text": "Delete account"})
			b.mustRun(t, "components:"+action, nil)
			if got := b.value(t, "JSON.stringify(window.v)"); got != want {
				t.Errorf("the page has %v, want %s", got, want)
			}
		})
	}
}
