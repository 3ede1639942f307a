package session_test

import (
	"fmt"
	"testing"

	"github.com/actionregistry/action/diag"
)

// unsaidPage is a form as libraries draw it that say nothing: labels without a control, lists
// and switches of plain boxes, a list that draws what is in view and closes with a press
// elsewhere only, and complaints without a role. window.v is what the fields are set to.
const unsaidPage = `<style>.row{display:flex;margin:6px}.box,.x-switch{cursor:pointer;border:1px solid #999;min-width:160px;min-height:20px}
	.x-switch{position:relative;min-width:0;width:40px}.knob{position:absolute;left:2px;width:14px;height:14px;background:#777}
	.pop{position:fixed;left:300px;top:40px;width:200px;height:120px;overflow:auto;background:#fff;border:1px solid}.x-select-option{height:24px}</style>
	<form class=x-form onsubmit="return false"><div class="row x-form-item"><label>Name</label><div><input oninput="v.name=this.value"><div></div></div></div>
	<div class="row x-form-item"><label>Fruit</label><div><div class="box x-base-selection" id=a tabindex=0></div><div></div></div></div>
	<div class="row x-form-item"><label>Tags</label><div><div class="box x-base-selection x-base-selection--multiple" id=b tabindex=0></div></div></div>
	<div class="row x-form-item"><label>Active</label><div><div class=x-switch id=s><span class=knob></span></div></div></div>
	<div class="row x-form-item"><label>Public</label><div><div class="x-switch x-is-checked" id=p></div></div></div>
	<div class="row x-form-item"><label>Secret</label><div><div class=x-switch id=q></div></div></div>
	<button type=button onclick=save()>Save</button></form>
	<h3>Profile</h3><div class=card><div class=line><div>Nick</div><input oninput="v.nick=this.value"></div><div class=line><div>Color</div><div class="box x-base-selection" id=c tabindex=0></div></div>
	<div class=line><div>Dark</div><div class=x-switch id=d><span class=knob></span></div></div></div>
	<script>window.v={}; const names=[...Array(30)].map((_,i)=>'Item '+(i+1)); let pop=null;
	const close=()=>{pop?.remove();pop=null}; addEventListener('mousedown',(e)=>{if(pop&&!pop.contains(e.target)&&!pop.box.contains(e.target))close()});
	for(const box of [a,b,c]) box.onclick=()=>{ if(pop)return close(); const multi=box===b; pop=document.createElement('div'); pop.className='pop'; pop.box=box; pop.innerHTML='<div></div>'; const inner=pop.firstChild; inner.style.height=names.length*24+'px';
		const draw=()=>{ if(!pop)return; const from=Math.floor(pop.scrollTop/24); inner.style.paddingTop=from*24+'px'; inner.style.boxSizing='border-box'; inner.replaceChildren(...names.slice(from,from+7).map(t=>{ const n=document.createElement('div'); n.className='x-select-option'+([].concat(v[box.id]??[]).includes(t)?' x-select-option--selected':'');
			n.textContent=t; n.onclick=()=>{ if(multi){v.b=(v.b??[]).includes(t)?v.b.filter(x=>x!==t):[...v.b??[],t];box.textContent=v.b.join(', ');draw()} else{v[box.id]=t;box.textContent=t;close()} }; return n })) };
		pop.onscroll=draw; document.body.append(pop); draw() };
	for(const w of [s,d]) w.onclick=()=>{ v[w.id]=!v[w.id]; w.firstChild.style.left=v[w.id]?'24px':'2px' }; p.onclick=()=>{v.p=p.classList.toggle('x-is-checked')}; q.onclick=()=>{v.q=!v.q};
	const says=(el,text)=>{ el.className=text?'x-form-item-feedback x-form-item-feedback--error':''; el.textContent=text };
	const save=()=>{ says(document.querySelector('input').nextSibling, v.name?'':'Required'); says(a.nextSibling, v.a?'':'请选择'); if(v.name&&v.a)v.saved=true }</script>`

// TestFieldsThatSayNothing: what is in the field of a label that names no control, and what such
// a form complains of.
func TestFieldsThatSayNothing(t *testing.T) {
	t.Parallel()
	html := unsaidPage
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	for _, tt := range []foreignCase{
		{"list", unsaidPage, "select:choose", object{"label": "Fruit", "option": "Item 2"}, `{"a":"Item 2"}`, "", ""},
		{"option out of view", unsaidPage, "select:choose", object{"label": "Fruit", "option": "Item 27"}, `{"a":"Item 27"}`, "", ""},
		{"no such option", unsaidPage, "select:choose", object{"label": "Fruit", "option": "Item 99"}, `{}`, diag.StepFailed, "no option Item 99"},
		{"list of several", unsaidPage, "select:choose", object{"label": "Tags", "options": []any{"Item 1", "Item 3"}}, `{"b":["Item 1","Item 3"]}`, "", ""},
		{"switch by its knob", unsaidPage, "switch:set", object{"label": "Active"}, `{"s":true}`, "", ""},
		{"switch that is off already", unsaidPage, "switch:set", object{"label": "Active", "checked": false}, `{}`, "", ""},
		{"switch by its class", unsaidPage, "field:set", object{"label": "Public", "value": false}, `{"p":false}`, "", ""},
		{"switch that shows nothing", unsaidPage, "switch:set", object{"label": "Secret"}, `{}`, diag.StepFailed, "no checkbox, radio button or switch"},
		{"list beside a text", unsaidPage, "select:choose", object{"label": "Color", "option": "Item 3"}, `{"c":"Item 3"}`, "", ""},
		{"switch beside a text", unsaidPage, "switch:set", object{"label": "Dark", "within": "Profile"}, `{"d":true}`, "", ""},
		{"text beside a list", unsaidPage, "input:fill", object{"label": "Color", "value": "x"}, `{}`, diag.ElementNotFound, ""},
		{"refused", unsaidPage, "form:submit", object{"text": "Save"}, `{}`, diag.StepFailed, "请选择"},
	} {
		b.foreign(t, &html, base, tt)
	}

	b.mustRun(t, "web:page:open", object{"url": base})
	all := data(t, b.run(t, "components:select:options", object{"label": "Fruit"}))
	if all["count"] != 30 || fmt.Sprint(all["options"].([]any)[29]) != "map[text:Item 30]" {
		t.Errorf("options: %v", all)
	}
	b.mustRun(t, "components:button:click", object{"text": "Save"})
	said := data(t, b.run(t, "components:form:errors", nil))
	if got := fmt.Sprint(said["errors"]); got != "[map[label:Name message:Required] map[label:Fruit message:请选择]]" {
		t.Errorf("the form complains of %s", got)
	}
}
