package session_test

import (
	"fmt"
	"testing"

	"github.com/actionregistry/action/diag"
)

// soughtList returns a multiple choice list that shows options only for a typed text. If free is set,
// Enter adds a text that is not an option. Otherwise Enter sends the form.
func soughtList(free bool) string {
	return fmt.Sprintf(`<form onsubmit="v.sent=true;return false"><label for=f>Guests</label><div id=box style="border:1px solid;min-height:24px"><input id=f role=combobox aria-haspopup=listbox
aria-expanded=false aria-controls=list autocomplete=off></div><button>Send</button></form><div id=list role=listbox aria-multiselectable=true style="display:none;min-height:9px"></div>
<script>window.v={held:[]}; const all=['Bern','Berlin','Graz']; const draw=()=>{ box.querySelectorAll('.x-tag').forEach((n)=>n.remove()); for(const t of v.held){ const a=document.createElement('span'); a.className='x-tag';
	a.innerHTML='<span>'+t+'</span><i class=x-tag-close role=button><svg class=x-close width=9 height=9></svg></i>'; a.lastChild.onclick=()=>{ v.held=v.held.filter((x)=>x!==t); draw() }; box.insertBefore(a,f) } };
const take=(t)=>{ v.held=v.held.includes(t)?v.held.filter((x)=>x!==t):[...v.held,t]; f.value=''; draw(); show([]) };
const show=(texts)=>list.replaceChildren(...texts.map((t)=>{ const o=document.createElement('div'); o.setAttribute('role','option'); o.setAttribute('aria-selected',v.held.includes(t)); o.textContent=t; o.onmousedown=(e)=>e.preventDefault(); o.onclick=()=>take(t); return o }));
const open=(is)=>{ list.style.display=is?'block':'none'; f.setAttribute('aria-expanded',is) }; f.onclick=()=>open(true); f.onblur=()=>{ open(false); f.value='' };
f.oninput=()=>{ open(true); const t=f.value; show([]); setTimeout(()=>{ if(f.value===t&&t)show(all.filter((x)=>x.startsWith(t))) },150) };
f.onkeydown=(e)=>{ if(e.key==='Escape')open(false); if(e.key==='Enter'&&%t&&f.value){ e.preventDefault(); take(f.value) } }; draw()</script>`, free)
}

// typedList returns a list without roles that is empty until a text is typed. Then it shows
// matching options, or, if makes is set, the typed text as a new option.
func typedList(makes bool) string {
	return fmt.Sprintf(`<div style="display:flex"><label>Stops</label><div><div class="x-base-selection x-base-selection--multiple" id=box style="border:1px solid;width:300px;min-height:24px"><span></span><input id=f style="width:60px"></div></div></div>
<div id=pop style="position:fixed;left:400px;top:40px;background:#fff;border:1px solid"></div><script>window.v={held:[]}; const draw=()=>box.firstChild.replaceChildren(...v.held.map((t)=>{ const s=document.createElement('span'); s.className='x-tag';
s.innerHTML='<span>'+t+'</span><i class=x-tag__close>x</i>'; s.lastChild.onclick=()=>{ v.held=v.held.filter((x)=>x!==t); draw() }; return s }));
const show=(texts)=>pop.replaceChildren(...texts.map((t)=>{ const o=document.createElement('div'); o.className='x-select-option'; o.textContent=t; o.onclick=()=>{ v.held=v.held.includes(t)?v.held.filter((x)=>x!==t):[...v.held,t]; f.value=''; draw() }; return o }));
f.oninput=()=>{ const t=f.value; show(t&&%t?[t]:[]); if(t&&!%[1]t) setTimeout(()=>{ if(f.value===t)show(['Bern','Berlin','Graz'].filter((x)=>x.startsWith(t))) },150) };
addEventListener('mousedown',(e)=>{ if(!pop.contains(e.target)&&!box.contains(e.target)){ f.value=''; show([]) } }); addEventListener('keydown',(e)=>{ if(e.key==='Escape')show([]) })</script>`, makes)
}

// lateList is a single choice list whose options appear some time after it opens. Until then, its
// field shows that it is loading.
const lateList = `<label id=l>Kind</label><div id=f role=combobox aria-labelledby=l aria-expanded=false aria-controls=list tabindex=0 class=x-select style="border:1px solid;min-height:24px"></div>
<div id=list role=listbox style="display:none;min-height:9px"></div><script>window.v={}; const open=(is)=>{ list.style.display=is?'block':'none'; f.setAttribute('aria-expanded',is) }; f.onclick=()=>{ open(true); f.classList.add('x-select-loading');
setTimeout(()=>{ f.classList.remove('x-select-loading'); list.innerHTML='<div role=option>Fire</div><div role=option>Theft</div>'; for(const o of list.children) o.onclick=()=>{ f.textContent=v.kind=o.textContent; open(false) } },2000) }</script>`

// ownList returns a listbox that is also the control that opens it, with hidden options, and a
// button of the same kind. drops is the text of an option that a press does not choose.
func ownList(drops string) string {
	return fmt.Sprintf(`<style>.menu{display:none;position:absolute;background:#fff;border:1px solid;z-index:2}[aria-expanded=true]>.menu{display:block}.ui{border:1px solid;margin:6px;width:200px;min-height:20px}</style>
<div class=field><label>Course</label><div role=listbox aria-expanded=false tabindex=0 class="ui selection dropdown" id=a><div class=text></div><div class=menu></div></div></div>
<div role=listbox aria-expanded=false tabindex=0 class="ui button dropdown" id=b><div class=text>Manage</div><div class=menu></div></div>
<script>window.v={}; const fill=(box,texts,take)=>{ const open=(is)=>box.setAttribute('aria-expanded',is); box.onclick=()=>open(box.getAttribute('aria-expanded')!=='true'); addEventListener('mousedown',(e)=>{ if(!box.contains(e.target))open(false) });
	for(const t of texts){ const o=document.createElement('div'); o.setAttribute('role','option'); o.setAttribute('aria-checked','false'); o.setAttribute('aria-selected','false'); o.innerHTML='<span class=text>'+t+'</span>';
	o.onclick=(e)=>{ e.stopPropagation(); open(false); if(t!=='%s')take(t) }; box.lastElementChild.append(o) } };
fill(a,['Maths','Physics'],(t)=>{ a.firstElementChild.textContent=v.a=t }); fill(b,['Print','Copy'],(t)=>{ v.b=t })</script>`, drops)
}

// treeField returns a field whose list is a tree, on a page with another tree that has the same
// nodes. link is the attribute with which the field refers to its tree.
func treeField(link string) string {
	return `<h3>Stock</h3><div id=own></div><label id=l>Unit</label><div id=f role=combobox aria-haspopup=tree aria-labelledby=l aria-expanded=false ` + link + ` tabindex=0 style="border:1px solid;width:200px;min-height:24px"></div>
<div id=pop style="position:fixed;left:300px;top:10px;background:#fff;border:1px solid" hidden></div><script>window.v={}; const nodes={Plant:['Line 1','Line 2'],Depot:['Rack']};
const tree=(box,take)=>{ box.innerHTML='<ul role=tree></ul>'; for(const [name,below] of Object.entries(nodes)){ const li=document.createElement('li'); li.setAttribute('role','treeitem'); li.setAttribute('aria-expanded','false'); li.innerHTML='<span>'+name+'</span>';
	li.onclick=()=>{ if(li.children[1])return; li.setAttribute('aria-expanded','true'); const ul=document.createElement('ul'); ul.setAttribute('role','group'); for(const t of below){ const n=document.createElement('li'); n.setAttribute('role','treeitem'); n.innerHTML='<span>'+t+'</span>';
	n.onclick=(e)=>{ e.stopPropagation(); take(t) }; ul.append(n) } li.append(ul) }; box.firstChild.append(li) } };
const open=(is)=>{ pop.hidden=!is; f.setAttribute('aria-expanded',is) }; tree(own,(t)=>{v.own=t}); f.onclick=()=>{ tree(pop,(t)=>{ f.textContent=v.unit=t; open(false) }); open(true) }; addEventListener('keydown',(e)=>{ if(e.key==='Escape')open(false) })</script>`
}

// TestListsByTheirKind tests lists that are empty until a text is typed, or that load.
func TestListsByTheirKind(t *testing.T) {
	t.Parallel()
	html := ""
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	guests := func(names ...any) object { return object{"label": "Guests", "options": names} }
	for _, tt := range someForeign(t, []foreignCase{
		{"all that are sought", soughtList(false), "select:choose", guests("Bern", "Graz"), `{"held":["Bern","Graz"]}`, "", ""},
		{"one that is sought and not there", soughtList(false), "select:choose", guests("Bern", "Rome"), `{"held":["Bern"]}`, diag.StepFailed, "no option Rome"},
		{"a text that is entered", soughtList(true), "form:fill", object{"values": object{"Guests": []any{"Graz", "Rome"}}}, `{"held":["Graz","Rome"]}`, "", ""},
		{"a text that is not entered unasked", soughtList(true), "select:choose", guests("Rome"), `{"held":[]}`, diag.StepFailed, "no option Rome"},
		{"a text that cannot be entered", soughtList(false), "form:fill", object{"values": object{"Guests": []any{"Rome"}}}, `{"held":[]}`, diag.StepFailed, "no option Rome"},
		{"boxes that are sought", typedList(false), "select:choose", object{"label": "Stops", "options": []any{"Bern", "Graz"}}, `{"held":["Bern","Graz"]}`, "", ""},
		{"boxes that are made unasked", typedList(true), "select:choose", object{"label": "Stops", "options": []any{"Bern"}}, `{"held":[]}`, diag.StepFailed, "creates options from typed text"},
	}) {
		b.foreign(t, &html, base, tt)
	}

	patient := newBench(t, nil, nil)
	patient.foreign(t, &html, base, foreignCase{"options that are loading", lateList, "select:choose", object{"label": "Kind", "option": "Theft"}, `{"kind":"Theft"}`, "", ""})
}

// TestListsThatOpenTheirOwnControl tests lists that are also the control that opens them, or that are a
// tree beside another tree.
func TestListsThatOpenTheirOwnControl(t *testing.T) {
	t.Parallel()
	html := ""
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	unit := object{"label": "Unit", "path": []any{"Plant", "Line 2"}}
	for _, tt := range someForeign(t, []foreignCase{
		{"a list that opens itself", ownList(""), "select:choose", object{"label": "Course", "option": "Physics"}, `{"a":"Physics"}`, "", ""},
		{"by its kind", ownList(""), "form:fill", object{"values": object{"Course": "Maths"}}, `{"a":"Maths"}`, "", ""},
		{"one that takes nothing", ownList("Maths"), "select:choose", object{"label": "Course", "option": "Maths"}, `{}`, diag.ElementNotFound, ""},
		{"a button of that kind", ownList(""), "dropdown:choose", object{"text": "Manage", "option": "Copy"}, `{"b":"Copy"}`, "", ""},
		{"no such item", ownList(""), "dropdown:choose", object{"text": "Manage", "option": "Physics"}, `{}`, diag.StepFailed, "no item Physics"},
		{"the tree of the field", treeField("aria-controls=pop"), "tree:select", unit, `{"unit":"Line 2"}`, "", ""},
		{"the tree that it owns", treeField("aria-owns=pop"), "tree:select", unit, `{"unit":"Line 2"}`, "", ""},
		{"a tree that nothing tells from the page's", treeField(""), "tree:select", unit, `{}`, diag.ElementNotFound, "certainly belongs"},
		{"the tree of the page", treeField("aria-controls=pop"), "tree:expand", object{"path": []any{"Depot"}, "within": "Stock"}, `{}`, "", ""},
	}) {
		b.foreign(t, &html, base, tt)
	}
}

// TestTabsAndNoticesByTheirNames tests tabs that are a menu of links, and notifications without the
// role alert.
func TestTabsAndNoticesByTheirNames(t *testing.T) {
	t.Parallel()
	html := ""
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	const tabs = `<div class="ui tabular menu"><a class="active item">Open</a><a class=item>Full</a><a class="disabled item">Old</a></div><div class="ui menu"><a class=item>Home</a></div>
<script>window.v={}; for(const x of document.querySelectorAll('a')) x.onclick=()=>{ if(x.matches('.disabled'))return; document.querySelector('.active').classList.remove('active'); x.classList.add('active'); v.tab=x.textContent }</script>`
	notice := func(attrs, close string) string {
		return `<main><p>Work</p></main><div><div class=x-notices><div ` + attrs + `><b>Audit</b><p>On Monday</p>` + close + `</div></div></div><script>window.v={};
const x=document.querySelector('[class*=close]'); if(x) x.onclick=()=>{ x.closest('.x-notices').remove(); v.closed=true }</script>`
	}
	filters := func(answer string) string {
		return `<table><thead><tr><th>Name</th><th>State<span class=x-filter-icon style="cursor:pointer;display:inline-block;width:9px;height:9px"></span></th></tr></thead><tbody></tbody></table><div id=pop class=x-filter-popup hidden>
<label><input type=checkbox value=New>New</label><label><input type=checkbox value=Old>Old</label>` + answer + `</div><script>window.v={}; let chosen=[]; const draw=()=>{ document.querySelector('tbody').innerHTML=['A New','B Old','C New']
	.map((t)=>t.split(' ')).filter((r)=>!chosen.length||chosen.includes(r[1])).map((r)=>'<tr><td>'+r.join('</td><td>')+'</td></tr>').join('') }; draw();
document.querySelector('.x-filter-icon').onclick=()=>{ pop.hidden=!pop.hidden }; const set=()=>{ v.state=chosen=[...document.querySelectorAll(':checked')].map((x)=>x.value); draw() }; if(!document.querySelector('button')) pop.onchange=set</script>`
	}
	const button = `<button aria-label="close notification" class=x-toast__close-button>x</button>`
	for _, tt := range someForeign(t, []foreignCase{
		{"tab", tabs, "tabs:switch", object{"text": "Full"}, `{"tab":"Full"}`, "", ""},
		{"tab that is disabled", tabs, "tabs:switch", object{"text": "Old"}, `{}`, diag.StepFailed, "Old is disabled"},
		{"link of another menu", tabs, "tabs:switch", object{"text": "Home"}, `{}`, diag.ElementNotFound, ""},
		{"notice that is a status", notice(`role=status class=x-toast-notification`, button), "notification:close", object{"title": "Audit"}, `{"closed":true}`, "", ""},
		{"notice with a link", notice(`class=x-notification`, `<a tabindex=0 class=x-notification-close><span class=x-close>x</span></a>`), "notification:close", nil, `{"closed":true}`, "", ""},
		{"filters that stay open", filters(""), "table:filter", object{"column": "State", "options": []any{"Old"}}, `{"state":["Old"]}`, "", ""},
		{"filters with a button that says nothing known", filters("<button>Gurn</button>"), "table:filter", object{"column": "State", "options": []any{"Old"}}, `{}`, diag.ElementNotInteractable, "still visible"},
		{"a status that is no notice", notice(`role=status class=x-state`, `<button class=x-close>x</button>`), "notification:close", object{"title": "Audit"}, `{}`, diag.ElementNotFound, ""},
	}) {
		b.foreign(t, &html, base, tt)
	}
}
