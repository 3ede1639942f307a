package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
)

// unsaidPage is a form of a library without roles: labels without a control, lists and switches of
// plain boxes, and error messages. One list draws only its visible options, and closes only on a
// press elsewhere. window.v has the values of the fields.
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

// drawnByLabel has a switch of one pixel under a field, and a label that draws the switch.
const drawnByLabel = `<div style="position:relative"><input style="width:200px"><button id=s role=switch aria-checked=false aria-labelledby=l style="position:absolute;left:20px;top:8px;width:1px;height:1px;
	padding:0;border:0;overflow:hidden;clip:rect(0,0,0,0);z-index:-1" onclick="v.s=!v.s;s.ariaChecked=v.s"></button><label id=l for=s><span>Backups</span><div style="width:48px;height:24px;background:#888"></div></label></div><script>window.v={}</script>`

// boxBeside has a hidden checkbox that a script toggles, followed by a label without a control.
const boxBeside = `<div class=field><div class=x-checkbox style="position:relative" onclick="n.checked=!n.checked; v.n=n.checked"><input type=checkbox id=n onclick="event.stopPropagation()"
	style="opacity:0;position:absolute;left:0;top:0;z-index:-1"><label style="display:block;padding-left:20px;background:#fff">News</label></div></div><script>window.v={}</script>`

// keptDrawer has a drawer that covers the page and stays in the document when it is closed.
// slowDrawer has a drawer that moves in when it opens, and has a class of its own until then.
const keptDrawer = `<style>.x-drawer{position:fixed;inset:0;pointer-events:none}.x-drawer__content-wrapper{position:absolute;right:0;top:0;width:300px;height:100%;background:#eee}</style><p>Page</p>
	<div class="x-drawer x-drawer--open"><div class=x-drawer__content-wrapper><h3>History</h3>none</div></div><script>window.v={};
	onkeydown=(e)=>{ if(e.key==='Escape'){ v.closed=true; document.querySelector('.x-drawer').classList.remove('x-drawer--open'); document.querySelector('.x-drawer__content-wrapper').style.transform='translateX(100%)' } }</script>`
const slowDrawer = `<button onclick="d.hidden=false; setTimeout(()=>{ d.classList.remove('showing'); v.in=true }, 700)">Filter</button><div id=d hidden class="offcanvas showing" style="position:fixed;right:0;top:0;width:300px;height:200px">
	<h3>Filter</h3><button aria-label=Close>x</button></div><script>window.v={}</script>`

// saidBeside is a form that shows an error message after the box of a field. The field does not
// refer to the message.
const saidBeside = `<form onsubmit="n.ariaInvalid='true'; s.innerHTML='<p role=alert>Bitte den Namen eingeben</p>'; return false"><div><label>Name</label><div><input id=n></div><div id=s></div></div>
	<div><label>Note</label><div><input></div></div><button>Save</button></form><script>window.v={}</script>`

// TestFieldsThatSayNothing tests fields whose label names no control, and the error messages of
// such forms.
func TestFieldsThatSayNothing(t *testing.T) {
	t.Parallel()
	html := unsaidPage
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	for _, tt := range someForeign(t, []foreignCase{
		{"list", unsaidPage, "select:choose", object{"label": "Fruit", "option": "Item 2"}, `{"a":"Item 2"}`, "", ""},
		{"option out of view", unsaidPage, "select:choose", object{"label": "Fruit", "option": "Item 27"}, `{"a":"Item 27"}`, "", ""},
		{"no such option", unsaidPage, "select:choose", object{"label": "Fruit", "option": "Item 99"}, `{}`, diag.StepFailed, "no option Item 99"},
		{"list of several", unsaidPage, "select:choose", object{"label": "Tags", "options": []any{"Item 1", "Item 3"}}, `{"b":["Item 1","Item 3"]}`, "", ""},
		{"switch by its knob", unsaidPage, "switch:set", object{"label": "Active"}, `{"s":true}`, "", ""},
		{"switch that is off already", unsaidPage, "switch:set", object{"label": "Active", "checked": false}, `{}`, "", ""},
		{"switch by its class", unsaidPage, "field:set", object{"label": "Public", "value": false}, `{"p":false}`, "", ""},
		{"switch that shows nothing", unsaidPage, "switch:set", object{"label": "Secret"}, `{}`, diag.StepFailed, "is not a checkbox, radio button or switch"},
		{"switch that its label draws", drawnByLabel, "switch:set", object{"label": "Backups"}, `{"s":true}`, "", ""},
		{"list beside a text", unsaidPage, "select:choose", object{"label": "Color", "option": "Item 3"}, `{"c":"Item 3"}`, "", ""},
		{"switch beside a text", unsaidPage, "switch:set", object{"label": "Dark", "within": "Profile"}, `{"d":true}`, "", ""},
		{"text beside a list", unsaidPage, "input:fill", object{"label": "Color", "value": "x"}, `{}`, diag.ElementNotFound, ""},
		{"box under a label beside it", boxBeside, "field:set", object{"label": "News", "value": true}, `{"n":true}`, "", ""},
		{"day with a time", `<label>Start <input type=datetime-local onchange="v.t=this.value"></label><script>window.v={}</script>`, "date:pick",
			object{"label": "Start", "value": "2026-12-10 09:30"}, `{"t":"2026-12-10T09:30"}`, "", ""},
		{"refused beside a field", saidBeside, "form:submit", object{"text": "Save"}, `{}`, diag.StepFailed, "Bitte den Namen"},
		{"refused", unsaidPage, "form:submit", object{"text": "Save"}, `{}`, diag.StepFailed, "请选择"},
	}) {
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

// unsaidParts is a page whose components have no roles: tabs, a dialog, a question, messages, a
// menu, a pager whose arrows have no names, and a table with two order marks in each header.
const unsaidParts = `<style>.x-tab,.x-menu__item,.x-pagination-item,th span{cursor:pointer;display:inline-block;min-width:20px;min-height:20px;margin:2px}
	.fixed{position:fixed;top:0;right:0;background:#fff;border:1px solid}</style>
	<div class=x-tabs><div class="x-tab x-tab--active">First</div><div class=x-tab>Second</div><div class="x-tab x-tab--disabled">Third</div></div>
	<button onclick="show(dlg,true)">Edit</button><button onclick="show(ask,true)">Delete</button><button onclick="say('x-message','All is saved')">Say</button><button onclick="say('x-notification','<b>Meeting</b><span class=x-message__close>x</span>')">Notify</button>
	<div class="x-dialog fixed" id=dlg hidden><div class=x-dialog__header>Edit user</div><div>Name it</div><button onclick="v.did='kept';show(dlg)">Cancel</button><button onclick="v.did='saved';show(dlg)">OK</button></div>
	<div class="x-popover x-popconfirm fixed" id=ask hidden>Really delete it? <button onclick="v.did='kept';show(ask)">Cancel</button><button onclick="v.did='deleted';show(ask)">Confirm</button></div>
	<h3>Navigation</h3><ul class=x-menu><li class=x-menu__item onclick="v.at='home'">Home</li><li class=x-submenu><div class=x-menu__item onclick="sub.hidden=!sub.hidden">Reports</div><ul id=sub hidden><li class=x-menu__item onclick="v.at='costs'">Costs</li></ul></li></ul>
	<h3>People</h3><table><thead><tr><th><div>Name</div><span class=x-sort-asc><svg class=icon-descending-order width=9 height=9></svg></span><span class=x-sort-desc><svg class=icon-descending-order width=9 height=9></svg></span></th>
	<th><div>Team</div><div class=x-filter-icon style="cursor:pointer;width:9px;height:9px"></div></th></tr></thead><tbody></tbody></table><div class=x-pagination></div>
	<script>window.v={}; const show=(el,on)=>{el.hidden=!on}; let team=null, order=0, page=1; const all=['Bo Red','Ann Blue','Cy Red','Dan Blue'];
	const say=(name,text)=>{ const w=document.createElement('div'); w.className='x-container'; w.innerHTML='<div class="'+name+' fixed">'+text+'</div>'; document.body.append(w); const x=w.querySelector('span'); if(x)x.onclick=()=>{w.remove();v.closed=true} };
	for(const x of document.querySelectorAll('.x-tab')) x.onclick=()=>{ if(x.matches('.x-tab--disabled'))return; for(const o of document.querySelectorAll('.x-tab'))o.classList.remove('x-tab--active'); x.classList.add('x-tab--active'); v.tab=x.textContent };
	const draw=()=>{ const rows=all.map(t=>t.split(' ')).filter(r=>!team||team.includes(r[1])).sort((a,b)=>order*(a[0]>b[0]?1:-1)); document.querySelector('tbody').innerHTML=rows.map(r=>'<tr><td>'+r.join('</td><td>')+'</td></tr>').join('');
		const from=Math.min(Math.max(1,page-2),16), p=document.querySelector('.x-pagination'); p.innerHTML='<div class=x-pagination-item><svg width=9 height=9></svg></div>'+[...Array(5)].map((_,i)=>'<div class="x-pagination-item'+(from+i===page?' x-pagination-item--active':'')+'">'+(from+i)+'</div>').join('')+'<div class=x-pagination-item><svg width=9 height=9></svg></div>';
		[...p.children].forEach((n,i,l)=>n.onclick=()=>{ page=i===0?Math.max(1,page-1):i===l.length-1?Math.min(20,page+1):Number(n.textContent); v.page=page; draw() }) }; draw();
	const marks=document.querySelectorAll('th span'); marks.forEach((n,i)=>n.onclick=()=>{ order=i?-1:1; v.order=order; marks.forEach((o)=>o.classList.remove('x-icon--active')); n.classList.add('x-icon--active'); draw() });
	document.querySelector('.x-filter-icon').onclick=()=>{ const w=document.createElement('div'); w.className='x-table-filter-pop fixed'; w.innerHTML='<label><input type=checkbox value=Red>Red</label><label><input type=checkbox value=Blue>Blue</label><button>Confirm</button>';
		w.querySelector('button').onclick=()=>{ team=[...w.querySelectorAll(':checked')].map(n=>n.value); v.team=team; w.remove(); draw() }; document.body.append(w) }</script>`

const pagedTable = `<table><tr><th>Name</th></tr><tr><td>Ann</td></tr></table>`

// twoPagers returns two pagers, each under a title: one with the numbers 1 to 3 and one with the
// given numbers. If the numbers are the same and there is no table between them, the pagers belong
// to one list.
func twoPagers(table, numbers string) string {
	nav := func(id, numbers string) string {
		items := ""
		for _, n := range strings.Fields(numbers) {
			items += `<button onclick="turn(this)">` + n + `</button>`
		}
		return `<nav id=` + id + `>` + items + `<button aria-label=Next onclick="turn(this)">&gt;</button></nav>`
	}
	return `<div><section><h3>First</h3>` + table + nav("a", "1 2 3") + `</section><section><h3>Second</h3>` + table + nav("b", numbers) + `</section></div><script>window.v={};
		const show=(nav,n)=>{ for(const b of nav.children) if(b.textContent==n) b.setAttribute('aria-current','page'); else b.removeAttribute('aria-current') };
		const turn=(b)=>{ const nav=b.parentNode, n=v[nav.id]??1; v[nav.id]=b.ariaLabel?n+1:Number(b.textContent); show(nav,v[nav.id]) }; show(a,1); show(b,1)</script>`
}

// TestPartsThatSayNothing tests components that are recognised by the usual class names.
func TestPartsThatSayNothing(t *testing.T) {
	t.Parallel()
	html := unsaidParts
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	for _, tt := range someForeign(t, []foreignCase{
		{"tab", unsaidParts, "tabs:switch", object{"text": "Second"}, `{"tab":"Second"}`, "", ""},
		{"tab that is disabled", unsaidParts, "tabs:switch", object{"text": "Third"}, `{}`, diag.StepFailed, "Third is disabled"},
		{"entry", unsaidParts, "menu:select", object{"path": []any{"Reports", "Costs"}, "within": "Navigation"}, `{"at":"costs"}`, "", ""},
		{"page by its number", unsaidParts, "pagination:go", object{"page": 3}, `{"page":3}`, "", ""},
		{"page by the arrow", unsaidParts, "pagination:go", object{"page": 8}, `{"page":8}`, "", ""},
		{"down", unsaidParts, "table:sort", object{"column": "Name", "order": "descending"}, `{"order":-1}`, "", ""},
		{"up", unsaidParts, "table:sort", object{"column": "Name"}, `{"order":1}`, "", ""},
		{"filter", unsaidParts, "table:filter", object{"column": "Team", "options": []any{"Blue"}}, `{"team":["Blue"]}`, "", ""},
		{"no such filter", unsaidParts, "table:filter", object{"column": "Name", "options": []any{"Blue"}}, `{}`, diag.StepFailed, "cannot be filtered"},
		{"pagers of two lists", twoPagers("", "1 2 3 4 5"), "pagination:go", object{"page": 2}, `{}`, diag.ElementAmbiguous, "2 pagers are shown"},
		{"of two tables, alike", twoPagers(pagedTable, "1 2 3"), "pagination:go", object{"page": 2}, `{}`, diag.ElementAmbiguous, "2 pagers are shown"},
		{"one of them by its title", twoPagers(pagedTable, "1 2 3"), "pagination:go", object{"page": 2, "within": "Second"}, `{"b":2}`, "", ""},
		{"the other one is hidden", twoPagers("<style>#a{display:none}</style>", "1 2 3"), "pagination:go", object{"page": 2}, `{"b":2}`, "", ""},
		{"the same above and below", twoPagers("", "1 2 3"), "pagination:go", object{"page": 2}, `{"a":2}`, "", ""},
		{"drawer that is kept", keptDrawer, "drawer:close", nil, `{"closed":true}`, "", ""},
		{"drawer that comes in", slowDrawer, "drawer:open", object{"text": "Filter"}, `{"in":true}`, "", ""},
		{"dialog", unsaidParts, "dialog:open", object{"text": "Edit", "title": "Edit user"}, `{}`, "", ""},
		{"no dialog", unsaidParts, "dialog:confirm", nil, `{}`, diag.ElementNotFound, "no dialog is open"},
	}) {
		b.foreign(t, &html, base, tt)
	}
	for _, tt := range []struct{ press, action, want string }{
		{"Edit", "dialog:confirm", `{"did":"saved"}`},
		{"Edit", "dialog:cancel", `{"did":"kept"}`},
		{"Delete", "popconfirm:accept", `{"did":"deleted"}`},
		{"Delete", "dialog:confirm", `{"did":"deleted"}`},
		{"Notify", "notification:close", `{"closed":true}`},
		{"Say", "message:read", `{}`},
	} {
		b.mustRun(t, "web:page:open", object{"url": base})
		b.mustRun(t, "components:button:click", object{"text": tt.press})
		r := b.run(t, "components:"+tt.action, nil)
		if r.Error != nil {
			t.Errorf("%s: %s", tt.action, describe(r.Error))
		} else if got := data(t, r)["text"]; tt.press == "Say" && got != "All is saved" {
			t.Errorf("the page says %v", got)
		}
		if got := b.holds(t, "JSON.stringify(window.v)"); got != tt.want {
			t.Errorf("%s: the page holds %s, expected %s", tt.action, got, tt.want)
		}
	}
}

// unsaidTrees is a form of plain boxes: a list of levels, a list that creates options from typed
// text, a tree that indents its nodes with empty boxes, stars, texts, and a slider that shows no
// number.
const unsaidTrees = `<style>.row{display:flex;margin:6px}.box,.x-rate__item,.x-cascader-option{cursor:pointer;border:1px solid #999;min-width:20px;min-height:20px}.x-tree-node{display:flex}
	.pop{position:fixed;left:400px;top:40px;background:#fff;border:1px solid;display:flex}.x-tree-node-indent>div{width:24px}.x-tree-node-switcher{width:24px;height:20px;background:#eee}</style>
	<form class=x-form onsubmit="return false"><div class="row"><label>Region</label><div class=x-cascader><div class="box x-base-selection" id=a tabindex=0></div></div></div>
	<div class=row><label>Labels</label><div><div class="box x-base-selection x-base-selection--multiple" id=b tabindex=0><span></span><input style="width:60px"></div></div></div>
	<div class=row><label>Rating</label><div><div class=x-rate><div class=x-rate__item></div><div class=x-rate__item></div><div class=x-rate__item></div></div></div></div>
	<div class=row><label>Keywords</label><div class=x-tag-input><span></span><input></div></div>
	<div class=row><label>Volume</label><div role=slider aria-valuemin=0 aria-valuemax=50 style="width:200px;height:20px;position:relative"><b tabindex=0 style="position:absolute;left: 20%">o</b></div></div></form>
	<h3>Areas</h3><div class=x-tree></div>
	<script>window.v={}; const q=(s,e)=>(e??document).querySelector(s), all=(s,e)=>[...(e??document).querySelectorAll(s)]; let pop=null; const close=()=>{pop?.remove();pop=null}; addEventListener('mousedown',(e)=>{if(pop&&!pop.contains(e.target)&&!pop.box.contains(e.target))close()});
	const open=(box)=>{ pop=document.createElement('div'); pop.className='pop'; pop.box=box; document.body.append(pop) };
	const areas={Europe:{Germany:{Berlin:0,Munich:0},France:{Paris:0}},Asia:{Japan:{Tokyo:0}}};
	const level=(at,i)=>{ while(pop.children[i])pop.lastChild.remove(); const ul=document.createElement('div'); ul.className='x-cascader-submenu'; for(const [t,more] of Object.entries(at)){ const n=document.createElement('div'); n.className='x-cascader-option'; n.textContent=t; n.onclick=()=>{ if(more)return level(more,i+1); v.a=a.textContent=t; close() }; ul.append(n) } pop.append(ul) };
	a.onclick=()=>{ if(pop)return close(); open(a); level(areas,0) };
	const held=(box,name)=>{ q('span',box).replaceChildren(...(v[name]??[]).map(t=>{ const s=document.createElement('span'); s.className='x-tag'; s.innerHTML='<span>'+t+'</span><i class=x-tag__close>x</i>'; s.lastChild.onclick=(e)=>{ e.stopPropagation(); v[name]=v[name].filter(x=>x!==t); held(box,name) }; return s })) };
	const list=()=>{ const t=q('input',b).value; pop.replaceChildren(...['bug','docs'].concat(t?[t]:[]).filter((x,i,l)=>x.includes(t)&&l.indexOf(x)===i).map(x=>{ const n=document.createElement('div'); n.className='x-select-option'; n.textContent=x; n.onclick=()=>{ v.b=[...v.b??[],x]; q('input',b).value=''; held(b,'b'); list() }; return n })) };
	b.onclick=(e)=>{ if(!pop){open(b);list()} }; q('input',b).oninput=()=>{ if(!pop)open(b); list() };
	const stars=all('.x-rate__item'), light=(n)=>stars.forEach((s,i)=>s.classList.toggle('x-rate__item--full',i<n)); stars.forEach((s,i)=>{ s.onmouseenter=()=>light(i+1); s.onclick=()=>{v.n=v.n===i+1?0:i+1} }); q('.x-rate').onmouseleave=()=>light(v.n??0);
	const k=q('.x-tag-input'); q('input',k).onkeydown=(e)=>{ if(e.key==='Enter'){ v.k=[...v.k??[],e.target.value]; e.target.value=''; held(k,'k') } };
	const h=q('b'); h.onkeydown=(e)=>{ const by={ArrowRight:2,ArrowLeft:-2}[e.key]??0, at=Math.min(100,Math.max(0,parseFloat(h.style.left)+by)); h.style.left=at+'%'; v.vol=at/2 };
	const unfolded=new Set(), kept={}; const nodes=(at,depth)=>Object.entries(at).flatMap(([t,more])=>[[t,depth,more],...(more&&unfolded.has(t)?nodes(more,depth+1):[])]);
	const draw=()=>q('.x-tree').replaceChildren(...nodes(areas,0).map(([t,depth,more])=>{ const n=kept[t]??=document.createElement('div'); q('.x-tree-node',n)?.classList.toggle('x-tree-node--selected',v.t===t); if(n.className)return n; n.className='x-tree-node-wrapper'; n.innerHTML='<div class=x-tree-node>'+'<div class=x-tree-node-indent><div></div></div>'.repeat(depth)+'<span class=x-tree-node-switcher></span><span>'+t+'</span></div>';
		q('.x-tree-node-switcher',n).onclick=(e)=>{ if(!more)return; unfolded.has(t)?unfolded.delete(t):unfolded.add(t); draw() }; q('.x-tree-node',n).lastChild.onclick=()=>{ v.t=t; draw() }; return n })); draw()</script>`

// unsaidClocks has a time field and a date and time field. They accept no text and open lists of
// hours and minutes; the second one also shows a calendar.
const unsaidClocks = `<style>ul{display:inline-block;height:90px;overflow:auto;margin:0;padding:0}li{list-style:none;height:20px}</style>
	<div><label for=a>Alarm</label><input id=a readonly></div><div><label for=c>Start</label><input id=c readonly></div><div><label for=d>Born</label><input id=d readonly></div>
	<script>window.v={}; let pop=null; const two=(n)=>String(n).padStart(2,'0'), close=()=>{pop?.remove();pop=null}; addEventListener('mousedown',(e)=>{if(pop&&!pop.contains(e.target))close()});
	const open=(box,day,clock)=>{ close(); const now={day:null,t:['00','00']}; pop=document.createElement('div'); pop.className='x-picker'; pop.style='position:fixed;left:300px;top:0;background:#fff;border:1px solid';
		if(day){ pop.innerHTML='<div>November 2026</div><table><thead><tr>'+['Su','Mo','Tu','We','Th','Fr','Sa'].map(x=>'<th>'+x+'</th>').join('')+'</tr></thead><tbody></tbody></table>'; for(let w=0;w<5;w++){ const tr=pop.querySelector('tbody').insertRow(); for(let i=0;i<7;i++){ const n=w*7+i+1, td=tr.insertCell(); if(n>30)continue; td.textContent=n; td.onclick=()=>{ now.day=n; if(!clock){box.value=v[box.id]='2026-11-'+two(n);close()} } } } }
		if(clock){ const w=document.createElement('div'); w.className='x-time-panel'; [24,60].forEach((most,k)=>{ const ul=document.createElement('ul'); for(let i=0;i<most;i++){ const li=document.createElement('li'); li.textContent=two(i); li.onclick=()=>{now.t[k]=two(i)}; ul.append(li) } w.append(ul) });
			const ok=document.createElement('button'); ok.textContent='OK'; ok.onclick=()=>{ box.value=v[box.id]=(day?'2026-11-'+two(now.day)+' ':'')+now.t.join(':'); close() }; w.append(ok); pop.append(w) } document.body.append(pop) };
	a.onclick=()=>open(a,false,true); c.onclick=()=>open(c,true,true); d.onclick=()=>open(d,true,false)</script>`

// TestTreesThatSayNothing tests levels, trees and other fields that are recognised by the usual
// class names.
func TestTreesThatSayNothing(t *testing.T) {
	t.Parallel()
	html := unsaidTrees
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	for _, tt := range someForeign(t, []foreignCase{
		{"levels", unsaidTrees, "cascader:choose", object{"label": "Region", "path": []any{"Europe", "Germany", "Munich"}}, `{"a":"Munich"}`, "", ""},
		{"no such level", unsaidTrees, "cascader:choose", object{"label": "Region", "path": []any{"Europe", "Japan"}}, `{}`, diag.StepFailed, "no option Japan in level 1"},
		{"levels by their kind", unsaidTrees, "field:set", object{"label": "Region", "value": []any{"Asia", "Japan", "Tokyo"}}, `{"a":"Tokyo"}`, "", ""},
		{"option that is made", unsaidTrees, "select:choose", object{"label": "Labels", "option": "urgent", "create": true}, `{"b":["urgent"]}`, "", ""},
		{"option that is not made unasked", unsaidTrees, "select:choose", object{"label": "Labels", "option": "urgent"}, `{}`, diag.StepFailed, "no option urgent"},
		{"stars", unsaidTrees, "field:set", object{"label": "Rating", "value": "2"}, `{"n":2}`, "", ""},
		{"too many stars", unsaidTrees, "field:set", object{"label": "Rating", "value": 4}, `{}`, diag.ParamInvalid, "has 3 stars"},
		{"texts", unsaidTrees, "field:set", object{"label": "Keywords", "value": []any{"red", "blue"}}, `{"k":["red","blue"]}`, "", ""},
		{"slider by its handle", unsaidTrees, "field:set", object{"label": "Volume", "value": "14"}, `{"vol":14}`, "", ""},
		{"node", unsaidTrees, "tree:select", object{"path": []any{"Europe", "Germany", "Berlin"}, "within": "Areas"}, `{"t":"Berlin"}`, "", ""},
		{"time that is pressed", unsaidClocks, "time:pick", object{"label": "Alarm", "value": "13:45"}, `{"a":"13:45"}`, "", ""},
		{"time that is typed beside a field that takes no text", `<label for=z>Zone</label><input id=z readonly value=UTC><label for=a>Alarm</label><input id=a oninput="v.a=value"><script>window.v={}</script>`,
			"time:pick", object{"label": "Alarm", "value": "08:45"}, `{"a":"08:45"}`, "", ""},
		{"no such time", unsaidClocks, "time:pick", object{"label": "Alarm", "value": "25:00"}, `{}`, diag.StepFailed, "has no 25"},
		{"day with a time", unsaidClocks, "date:pick", object{"label": "Start", "value": "2026-11-05 07:30"}, `{"c":"2026-11-05 07:30"}`, "", ""},
		{"day without one", unsaidClocks, "date:pick", object{"label": "Born", "value": "2026-11-05 07:30"}, `{}`, diag.StepFailed, "in which only a day"},
		{"no such node", unsaidTrees, "tree:select", object{"path": []any{"Europe", "Japan"}, "within": "Areas"}, `{}`, diag.ElementNotFound, "no node Japan in level 1"},
	}) {
		b.foreign(t, &html, base, tt)
	}
}
