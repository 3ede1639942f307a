package session_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

// listScript draws lists like libraries that use no combobox role: aria-haspopup and aria-controls
// connect a box with its list. window.v has the value of each field.
const listScript = `<script>window.v={};
function list(box, list, o={}) {
  const id=box.id, multi=o.multi; let active=-1;
  const show=(on)=>{ list.hidden=!on; box.setAttribute('aria-expanded',on); if(on&&o.inert)main.inert=true; else main.inert=false; if(on)box.setAttribute('aria-controls',list.id) };
  const draw=()=>{ for(const n of list.children){ const on=[].concat(v[id]??[]).includes(n.textContent); n.toggleAttribute('data-checked',on); n.setAttribute('aria-selected',on);
      n.hidden=Boolean(o.hide)&&on }
    if(multi){ pills.replaceChildren(...v[id].map(t=>{ const s=document.createElement('span'); s.className='lib-Pill-root'; s.innerHTML='<span>'+t+'</span><button tabindex=-1 aria-hidden=true class=lib-Pill-remove>x</button>';
      s.lastChild.onclick=(e)=>{ e.stopPropagation(); v[id]=v[id].filter(x=>x!==t); draw() }; return s })) }
    else if(box.tagName==='INPUT') box.value=v[id]??''; else box.textContent=v[id]??'Choose' };
  const open=()=>{ show(list.hidden) };
  if(o.down) box.onpointerdown=open; else box.onclick=open;
  box.onkeydown=(e)=>{ if(e.key==='ArrowDown'){ show(true); const n=[...list.children].find(x=>!x.hidden); n.setAttribute('aria-selected',true); n.setAttribute('data-combobox-selected',true) } if(e.key==='Escape')show(false) };
  for(const n of list.children) n.onmousedown=(e)=>e.preventDefault(); // the box keeps the focus
  for(const n of list.children) n.onclick=()=>{ if(n.ariaDisabled)return; const t=n.textContent; v[id]=multi?(v[id].includes(t)?v[id].filter(x=>x!==t):[...v[id],t]):t; draw(); if(!multi)show(false) };
  if(multi) v[id]=v[id]??['Red'];
  draw();
}</script>`

func options(id string, texts ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<ul role=listbox id=%s hidden>`, id)
	for _, text := range texts {
		off := ""
		if strings.HasPrefix(text, "!") {
			off = " aria-disabled=true"
		}
		fmt.Fprintf(&b, `<li role=option%s>%s</li>`, off, strings.TrimPrefix(text, "!"))
	}
	return b.String() + "</ul>"
}

// TestListsOfForeignLibraries tests lists, groups of buttons and other fields of libraries without
// a pack.
func TestListsOfForeignLibraries(t *testing.T) {
	t.Parallel()
	html := ""
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	readonly := `<main id=main><label for=a>Country</label><input id=a readonly aria-haspopup=listbox></main>` + options("l", "Austria", "Japan", "!Hungary") +
		options("other", "Austria", "Zoo") + listScript + `<script>list(a,l)</script>`
	button := `<main id=main><label for=a>Country</label><button type=button id=a aria-haspopup=listbox aria-expanded=false>Choose</button>
		<p id=w>Stock</p><ul role=listbox aria-labelledby=w><li role=option>North</li><li role=option onclick="v.w='South';this.ariaSelected=true">South</li></ul></main>` +
		options("l", "Austria", "Japan") + listScript + `<script>list(a,l,{down:true,inert:true})</script>`
	pills := `<main id=main><label for=a>Tags</label><div class=lib-MultiSelect-input><span id=pills></span>
		<input id=a readonly aria-haspopup=listbox class=lib-PillsInput style="pointer-events:none;width:9px"></div></main>` +
		options("l", "Red", "Green", "Blue") + listScript + `<script>list(a,l,{multi:true,hide:true})</script>`
	// Multiple choice lists: one is a menu of checkboxes, one has tags on top of its box, and one
	// creates options from typed text and hides the chosen ones.
	boxes := `<label for=a>Tags</label><button type=button id=a role=combobox aria-expanded=false>Red</button><div role=menu id=m hidden>` + strings.Repeat(`<div role=menuitemcheckbox></div>`, 3) + `</div>
		<div role=menu><div role=menuitemcheckbox aria-checked=false>Pin</div></div><script>window.v={a:['Red']}; const show=(on)=>{m.hidden=!on;a.ariaExpanded=on;on?a.setAttribute('aria-controls','m'):a.removeAttribute('aria-controls')};
		const draw=()=>{a.textContent=v.a.join(', ')||'Choose';[...m.children].forEach((n,i)=>{n.textContent=['Red','Green','Blue'][i];n.ariaDisabled=i==2;n.ariaChecked=v.a.includes(n.textContent);n.onmousedown=(e)=>e.preventDefault();
		n.onclick=()=>{if(i==2)return;const t=n.textContent;v.a=v.a.includes(t)?v.a.filter(x=>x!=t):[...v.a,t];draw()}})}; draw(); a.onclick=()=>show(m.hidden); a.onkeydown=(e)=>{if(e.key==='Escape')show(false)}</script>`
	under := `<label for=a>Tags</label><div class=select__combobox style="position:relative;width:300px;height:30px"><input id=a readonly role=combobox aria-haspopup=listbox aria-expanded=false aria-controls=l style="position:absolute;inset:0;opacity:0;z-index:-1">
		<div class=select__tags style="position:absolute;inset:0;background:#eee"></div></div><div role=listbox id=l aria-multiselectable=true hidden><div role=option>Red</div><div role=option>Green</div><div role=option>Blue</div></div>
		<script>window.v={a:['Red']}; const tags=document.querySelector('.select__tags'); let closing; const show=(on)=>{a.ariaExpanded=on;if(on){if(!closing)l.hidden=false}else closing=setTimeout(()=>{l.hidden=true;closing=0},200)};
		const draw=()=>{tags.replaceChildren(...v.a.map(t=>{const s=document.createElement('span');s.className='tag';s.innerHTML='<span>'+t+'</span><button class=tag__remove>x</button>';s.lastChild.onclick=(e)=>{e.stopPropagation();v.a=v.a.filter(x=>x!=t);draw()};return s}));
		for(const n of l.children){n.ariaSelected=v.a.includes(n.textContent);n.onmousedown=(e)=>e.preventDefault();n.onclick=()=>{const t=n.textContent;v.a=v.a.includes(t)?v.a.filter(x=>x!=t):[...v.a,t];draw()}}};
		draw(); a.onkeydown=(e)=>{if(e.key==='ArrowDown'&&a.ariaExpanded!='true')show(true);if(e.key==='Escape'&&a.ariaExpanded=='true')show(false)}</script>`
	makes := `<label for=a>Labels</label><div><span id=p></span><input id=a role=combobox aria-haspopup=listbox aria-expanded=false aria-controls=l></div><div role=listbox id=l aria-multiselectable=true hidden></div>
		<script>window.v={a:[]}; const all=['bug','New York']; const draw=()=>{ const q=a.value, rest=all.filter(t=>!v.a.includes(t)&&t.includes(q));
		p.replaceChildren(...v.a.map(t=>{const s=document.createElement('span');s.className='multiValue';s.innerHTML='<div>'+t+'</div><div role=button aria-label="Remove '+t+'">x</div>';s.lastChild.onclick=()=>{v.a=v.a.filter(x=>x!=t);draw()};return s}));
		l.replaceChildren(...[...rest,...(q&&!all.includes(q)?['Create "'+q+'"']:[])].map(t=>{const n=document.createElement('div');n.role='option';n.textContent=t;n.onmousedown=(e)=>e.preventDefault();n.onclick=()=>{const x=t.startsWith('Create')?q:t;
		if(!all.includes(x))all.push(x);v.a.push(x);a.value='';draw();show(false)};return n})) }; const show=(on)=>{l.hidden=!on;a.ariaExpanded=on;draw()};
		a.oninput=()=>show(true); a.onclick=()=>show(l.hidden); a.onblur=()=>{a.value='';show(false)}; a.onkeydown=(e)=>{if(e.key==='Escape'){a.value='';show(false)}}; draw()</script>`
	quiet := strings.NewReplacer(`['Create "'+q+'"']`, "[q]").Replace(makes)
	// A list of levels that is a tree: the pointer opens a group, and a press closes it.
	levels := `<label for=a>Area</label><div id=w onclick="show(true)"><span class=hidden-accessible style="position:absolute;width:1px;height:1px;overflow:hidden;pointer-events:none"><input id=a readonly role=combobox aria-haspopup=tree aria-expanded=false></span><span id=s>…</span></div>
		<div id=o hidden><ul role=tree></ul></div><script>window.v={}; const show=(on)=>{o.hidden=!on;a.ariaExpanded=on}; a.onkeydown=(e)=>{if(e.key==='ArrowDown')show(true)};
		const add=(ul,nodes)=>{ for(const [name,kids] of Object.entries(nodes)){ const n=document.createElement('li'); n.role='treeitem'; n.ariaLabel=name; n.innerHTML='<div><span>'+name+'</span></div>'; ul.append(n); if(kids){n.ariaExpanded=false; const g=document.createElement('ul'); g.role='group'; g.hidden=true; n.append(g); add(g,kids)}
		const open=(on)=>{n.ariaExpanded=on;n.lastChild.hidden=!on}; n.firstChild.onmouseenter=()=>kids&&open(true); n.firstChild.onclick=()=>{ if(kids)return open(n.ariaExpanded!=='true'); v.area=s.textContent=name; show(false) } } };
		add(o.firstChild,{Europe:{Germany:{Berlin:null,Munich:null},France:{Paris:null}},Asia:{Japan:{Tokyo:null}}})</script>`
	// A page that draws the values itself. Its script toggles the class, or does not.
	boxed := func(does string) string {
		return `<label class=t-checkbox><input type=checkbox onchange="this.parentNode.classList.` + does + `('t-is-checked')">Beta</label><script>window.v={}</script>`
	}
	grouped := func(does string) string {
		return `<fieldset><legend>Mode</legend><label class="x-radio is-checked"><input type=radio name=m checked>Slow</label><label class=x-radio><input type=radio name=m>Quick</label></fieldset>
			<script>window.v={}; document.onchange=()=>document.querySelectorAll('.x-radio').forEach((l)=>l.classList.` + does + `('is-checked'))</script>`
	}
	tests := []foreignCase{
		{"levels of a tree", levels, "cascader:choose", object{"label": "Area", "path": []any{"Europe", "Germany", "Munich"}}, `{"area":"Munich"}`, "", ""},
		{"no such level of a tree", levels, "cascader:choose", object{"label": "Area", "path": []any{"Europe", "Japan"}}, `{}`, diag.StepFailed, "no option Japan in level 1"},
		{"level that is passed over", levels, "cascader:choose", object{"label": "Area", "path": []any{"Germany", "Munich"}}, `{}`, diag.StepFailed, "no option Germany in level 0"},
		{"menu of boxes", boxes, "select:choose", object{"label": "Tags", "options": []any{"Green"}}, `{"a":["Green"]}`, "", ""},
		{"one more of a menu of boxes", boxes, "select:choose", object{"label": "Tags", "option": "Green"}, `{"a":["Red","Green"]}`, "", ""},
		{"one that a menu of boxes has", boxes, "select:choose", object{"label": "Tags", "option": "Red"}, `{"a":["Red"]}`, "", ""},
		{"nothing of a menu of boxes", boxes, "select:choose", object{"label": "Tags", "options": []any{}}, `{"a":[]}`, "", ""},
		{"box that is disabled", boxes, "select:choose", object{"label": "Tags", "option": "Blue"}, `{"a":["Red"]}`, diag.ElementNotInteractable, "disabled"},
		{"box of another menu", boxes, "select:choose", object{"label": "Tags", "option": "Pin"}, `{"a":["Red"]}`, diag.StepFailed, `there are "Red", "Green", "Blue"`},
		{"tags over the box", under, "select:choose", object{"label": "Tags", "options": []any{"Green", "Blue"}}, `{"a":["Green","Blue"]}`, "", ""},
		{"no tags over the box", under, "select:choose", object{"label": "Tags", "options": []any{}}, `{"a":[]}`, "", ""},
		{"an option that is made", makes, "field:set", object{"label": "Labels", "value": []any{"bug", "urgent"}}, `{"a":["bug","urgent"]}`, "", ""},
		{"one that is made if that is wanted", makes, "select:choose", object{"label": "Labels", "option": "urgent", "create": true}, `{"a":["urgent"]}`, "", ""},
		{"one that is not made unasked", makes, "select:choose", object{"label": "Labels", "option": "urgent"}, `{"a":[]}`, diag.StepFailed, "no option urgent"},
		{"one that is made of what is typed", quiet, "select:choose", object{"label": "Labels", "option": "urgent", "create": true}, `{"a":["urgent"]}`, "", ""},
		{"one that is not made of what is typed unasked", quiet, "select:choose", object{"label": "Labels", "option": "urgent"}, `{"a":[]}`, diag.StepFailed, "which creates options from typed text"},
		{"one that is found by what is typed", strings.Replace(quiet, "all.filter(", "!q?[]:all.filter(", 1), "select:choose", object{"label": "Labels", "option": "New York"}, `{"a":["New York"]}`, "", ""},
		{"all options", makes, "field:set", object{"label": "Labels", "value": []any{"bug", "New York"}}, `{"a":["bug","New York"]}`, "", ""},
		{"an option whose text begins like an offer", makes, "field:set", object{"label": "Labels", "value": []any{"York"}}, `{"a":["York"]}`, "", ""},
		{"box that the page takes", boxed("toggle"), "checkbox:set", object{"label": "Beta"}, `{}`, "", ""},
		{"box that the page draws as it was", boxed("contains"), "checkbox:set", object{"label": "Beta"}, `{}`, diag.StepFailed, "draws Beta as it was"},
		{"button of a group that the page takes", grouped("toggle"), "radio:choose", object{"label": "Mode", "option": "Quick"}, `{}`, "", ""},
		{"button of a group that the page does not take", grouped("contains"), "radio:choose", object{"label": "Mode", "option": "Quick"}, `{}`, diag.StepFailed, "draws another button of Mode as chosen"},
		{"rating", stars, "field:set", object{"label": "Rating", "value": "4"}, `{"n":"4"}`, "", ""},
		{"rating that has no such star", stars, "field:set", object{"label": "Rating", "value": "6"}, `{}`, diag.ElementNotFound, ""},
		{"boxes whose wrapper is clipped", clipped, "field:set", object{"label": "Contact", "value": []any{"Phone"}}, `{"on":"phone"}`, "", ""},
		{"box that only opens", readonly, "select:choose", object{"label": "Country", "option": "Japan"}, `{"a":"Japan"}`, "", ""},
		{"box that only opens, in a form", readonly, "form:fill", object{"values": object{"Country": "Japan"}}, `{"a":"Japan"}`, "", ""},
		{"option of another list", readonly, "select:choose", object{"label": "Country", "option": "Zoo"}, `{}`, diag.StepFailed, `there are "Austria", "Japan", "Hungary"`},
		{"options", readonly, "select:options", object{"label": "Country"}, `{}`, "", ""},
		{"button that makes the page inert", button, "select:choose", object{"label": "Country", "option": "Japan"}, `{"a":"Japan"}`, "", ""},
		{"option of a list that is always open", button, "select:choose", object{"label": "Country", "option": "South"}, `{}`, diag.StepFailed, "no option South"},
		{"list that is always open", button, "field:set", object{"label": "Stock", "value": "South"}, `{"w":"South"}`, "", ""},
		{"tags", pills, "select:choose", object{"label": "Tags", "options": []any{"Green", "Blue"}}, `{"a":["Green","Blue"]}`, "", ""},
		{"one more tag", pills, "select:choose", object{"label": "Tags", "option": "Green"}, `{"a":["Red","Green"]}`, "", ""},
		{"a tag that it has", pills, "select:choose", object{"label": "Tags", "option": "Red"}, `{"a":["Red"]}`, "", ""},
		{"no tags", pills, "select:choose", object{"label": "Tags", "options": []any{}}, `{"a":[]}`, "", ""},
		{"no list", `<label>Name <input value=Ann></label><script>window.v={}</script>`, "select:choose", object{"label": "Name", "options": []any{}}, `{}`, diag.ElementNotFound, "Name is not a list"},
		{"buttons", toggles, "field:set", object{"label": "Size", "value": "Large"}, `{"size":"Large"}`, "", ""},
		{"slider", `<p id=n>Volume</p><span role=slider tabindex=0 aria-labelledby=n aria-valuemin=0 aria-valuemax=100 aria-valuenow=20 style="display:inline-block;width:9px;height:9px"
			onkeydown="if(event.key.startsWith('Arrow')){this.ariaValueNow=Number(this.ariaValueNow)+(event.key==='ArrowRight'||event.key==='ArrowUp'?10:-10);v.vol=this.ariaValueNow}"></span><script>window.v={}</script>`,
			"field:set", object{"label": "Volume", "value": "50"}, `{"vol":"50"}`, "", ""},
		{"switch that is a box", `<label><input type=checkbox onchange="v.on=this.checked">Dark mode</label><script>window.v={}</script>`, "switch:set", object{"label": "Dark mode"}, `{"on":true}`, "", ""},
	}
	// A multiple choice list. The argument "shows" is the script that shows the chosen texts, and
	// the argument "most" is the largest number of options that the list accepts.
	several := func(most, shows string) string {
		return `<p id=t>Extras</p><button id=b role=combobox aria-haspopup=listbox aria-expanded=false aria-controls=l aria-labelledby=t>Choose</button>
			<ul id=l role=listbox aria-multiselectable=true hidden><li role=option>Sauna<li role=option>Bike<li role=option>Boat</ul><script>window.v={a:[]}
			const open=(on)=>{ l.hidden=!on; b.ariaExpanded=on }; b.onclick=()=>open(l.hidden); onkeydown=(e)=>{ if(e.key==='Escape')open(false) }
			for(const n of l.children) n.onclick=()=>{ const t=n.textContent, has=v.a.includes(t); n.ariaSelected=!has; if(!has&&v.a.length>=` + most + `)return; v.a=has?v.a.filter(x=>x!==t):[...v.a,t];
				for(const m of l.children)m.ariaSelected=v.a.includes(m.textContent); b.textContent=` + shows + ` }</script>`
	}
	all, set := object{"label": "Extras", "options": []any{"Sauna", "Bike", "Boat"}}, object{"label": "Extras", "value": []any{"Sauna", "Bike", "Boat"}}
	const three, two, lacks = `{"a":["Sauna","Bike","Boat"]}`, `{"a":["Sauna","Bike"]}`, "Extras does not hold Boat together with the others"
	tests = append(tests, []foreignCase{
		{"several texts, of which it takes two", several("2", "v.a.join(', ')"), "select:choose", all, two, diag.StepFailed, lacks},
		{"several texts, of which it takes two, set", several("2", "v.a.join(', ')"), "field:set", set, two, diag.StepFailed, lacks},
		{"several texts", several("3", "v.a.join(', ')"), "select:choose", all, three, "", ""},
		{"several texts and a number", several("3", "v.a.length>1?v.a[0]+' +'+(v.a.length-1):v.a.join()"), "select:choose", all, three, "", ""},
		{"several texts, cut", several("3", "v.a.slice(0,2).join(', ')+'…'"), "select:choose", all, three, "", ""},
		{"a number of several", several("3", "v.a.length+' chosen'"), "field:set", set, three, "", ""},
	}...)
	for _, tt := range someForeign(t, tests) {
		b.foreign(t, &html, base, tt)
	}
}

// foreignCase is a page that keeps its values in window.v, an action, and the expected window.v.
type foreignCase struct {
	name, html, action string
	params             object
	want               string // window.v as JSON
	code               diag.Code
	says               string
}

// someForeign returns the cases to run: all, or with -short the first case of each action and
// outcome, and every twentieth case.
func someForeign(t *testing.T, cases []foreignCase) []foreignCase {
	t.Helper()
	return testkit.Kinds(t, "foreign pages", 20, cases, func(i int) any { return cases[i].action + string(cases[i].code) + cases[i].says })
}

func (b *bench) foreign(t *testing.T, html *string, base string, tt foreignCase) {
	t.Helper()
	*html = tt.html
	b.mustRun(t, "web:page:open", object{"url": base})
	r := b.run(t, "components:"+tt.action, tt.params)
	if tt.code != "" {
		was := t.Failed()
		if wantError(t, r, tt.code, tt.says); t.Failed() && !was {
			t.Logf("in %s", tt.name)
		}
	} else if r.Error != nil {
		t.Errorf("%s: %s", tt.name, describe(r.Error))
	}
	if got := b.holds(t, "JSON.stringify(window.v)"); got != tt.want {
		t.Errorf("%s: the page holds %s, expected %s", tt.name, got, tt.want)
	}
}

// TestPartsOfForeignLibraries tests questions, dialogs and forms of libraries without a pack.
func TestPartsOfForeignLibraries(t *testing.T) {
	t.Parallel()
	html := ""
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	// A dialog without a size whose panel has a fixed position, as in Headless UI. It is open from
	// the start, or the button opens it.
	dialog := func(hidden string) string {
		return `<button onclick="d.hidden=false">New project</button><div id=d ` + hidden + ` role=dialog aria-modal=true aria-labelledby=t><i style="position:fixed;width:1px;height:0"></i><div style="position:fixed;inset:9px">
			<div><h2 id=t>New project</h2><button onclick="d.hidden=true">Cancel</button><button onclick="v.made=1;d.hidden=true">Create</button></div></div></div><script>window.v={}</script>`
	}
	question := func(attrs, q, no, yes string) string {
		return `<div role=dialog aria-modal=true id=m hidden><p>Save?</p><button onclick="v.saved=1">Save</button></div><div id=d ` + attrs + `><p>` + q + `</p><button onclick="v.no=1;d.hidden=true">` + no +
			`</button><button onclick="v.yes=1;d.hidden=true">` + yes + `</button></div><script>window.v={}</script>`
	}
	// Menus whose parts have no roles.
	nav := `<p><a href="#h" onclick="v.at='Help'">Help</a></p><nav aria-label=Main><a href="#x" onclick="v.at='Home'"><span>Home</span></a><a onclick="v.open='Sales';this.nextSibling.style.height=''"><span>Sales</span><svg width=9 height=9></svg></a><div style=height:0><a href="#o" onclick="v.at='Orders'"><span>Orders</span></a></div>
		<div role=button tabindex=0 aria-expanded=false aria-controls=st onclick="v.open='Stock';st.style.height='';this.ariaExpanded=true"><i tabindex=-1></i><b>Stock</b></div><p>…</p><div id=st style=height:0><div role=button tabindex=0 onclick="v.at='Invoices'">Invoices</div></div></nav>
		<style>nav div{overflow:hidden}</style><script>window.v={}</script>`
	comes := func(script string) string {
		return `<p tabindex=0>Archive</p><button id=b aria-expanded=false onclick="v.show()">Options</button><script>window.v={}; Object.defineProperty(v,'show',{value:()=>setTimeout(()=>{ b.ariaExpanded=true; document.body.insertAdjacentHTML('beforeend',
			'<div><div id=m class=lib-menu style="position:fixed;top:50px"><div role=list>'+['Rename','Duplicate','Remove'].map(t=>'<div class=item '+(t==='Remove'?'role=listitem aria-disabled=true':'role=button tabindex=0')+'><i tabindex=-1></i><div>'+t+'</div></div>').join('')+'</div></div></div>');
			for(const n of document.querySelectorAll('.item'))n.onclick=()=>{ v.at=n.textContent; m.remove(); b.ariaExpanded=false } },80)}); ` + script + `</script>`
	}
	// A tree. If how is "toggle", a toggle beside the name opens a node, and a press on the name
	// chooses it. If how is "press", a press opens a node. If how is "unsaid", nodes do not show
	// whether they are open.
	tree := func(how, mark string) string {
		return `<h2>Regions</h2><div role=tree id=tr></div><script>window.v={open:[]}; const mark='` + mark + `', how='` + how + `';
			const add=(box,level,nodes)=>{ for(const [name,kids] of Object.entries(nodes)){ const n=document.createElement('div'); n.role='treeitem'; n.ariaLevel=level; if(mark){const [k,x]=mark.split('=');n.setAttribute(k,x)}
			n.ariaLabel=name; n.innerHTML='<b>'+(kids&&how==='toggle'?'<button class="node-toggle"><svg width=9 height=9></svg></button>':'')+'<span>'+name+'</span></b>'; box.append(n); if(kids&&how!=='unsaid')n.ariaExpanded=false;
			const open=()=>{ n.ariaExpanded==='false'&&(n.ariaExpanded=true); v.open.push(name); setTimeout(()=>{const g=document.createElement('div'); g.role='group'; n.after(g); add(g,level+1,kids)},50) };
			n.onclick=(e)=>{ if(kids&&(how!=='toggle'||e.target.closest('button')))return open(); v.node=name; if(mark)n.ariaSelected=true } } }; add(tr,1,{Europe:{Germany:null,France:null},Asia:{Japan:null}})</script>`
	}
	// A button that is a custom element. It sends the form around it, or the form that it names.
	shadowed := func(form string) string {
		return form + `<script>window.v={}; customElements.define('x-button', class extends HTMLElement { connectedCallback(){ const r=this.attachShadow({mode:'open'});
			r.innerHTML='<button type='+(this.getAttribute('type')??'button')+'><slot></slot></button>';
			r.firstChild.onclick=()=>{ if(this.getAttribute('type')==='submit')(this.closest('form')??f).requestSubmit() } } }); f.onsubmit=(e)=>{ e.preventDefault(); v.sent=n.value; f.replaceWith('Saved') }</script>`
	}
	for _, tt := range someForeign(t, []foreignCase{
		{"dialog without a size, opened", dialog("hidden"), "dialog:open", object{"text": "New project"}, `{}`, "", ""},
		{"dialog without a size, confirmed", dialog(""), "dialog:confirm", nil, `{"made":1}`, "", ""},
		{"dialog without a size, cancelled", dialog(""), "dialog:cancel", object{"title": "New project"}, `{}`, "", ""},
		{"what starts over", question("role=alertdialog", "Reset all data?", "Cancel", "Reset"), "popconfirm:accept", nil, `{"yes":1}`, "", ""},
		{"what starts over and is not asked", question("role=alertdialog", "Save all data?", "Cancel", "Reset"), "popconfirm:accept", nil, `{}`, diag.StepFailed, "no button clearly says yes"},
		{"question in a dialog", question("role=dialog", "Reset all data?", "No", "Yes"), "popconfirm:accept", nil, `{"yes":1}`, "", ""},
		{"dialog that is no question beside", question("role=dialog aria-modal=true", "Reset all data?", "No", "Yes"), "popconfirm:accept", nil, `{}`, diag.ElementNotFound, ""},
		{"navigation", nav, "menu:select", object{"path": []any{"Sales", "Orders"}}, `{"open":"Sales","at":"Orders"}`, "", ""},
		{"navigation that is open", strings.Replace(nav, "style=height:0", "", 1), "menu:select", object{"path": []any{"Sales", "Orders"}}, `{"at":"Orders"}`, "", ""},
		{"item that a class disables", `<div role=menu><div role=menuitem class=menu-item><div class="menu-item-content menu-item-content--disabled" onclick="v.at=1">Locked</div></div><div role=menuitem>Open</div></div><script>window.v={}</script>`, "menu:select", object{"path": []any{"Locked"}}, `{}`, diag.ElementNotInteractable, "Locked is disabled"},
		{"item of a page whose body has such a class", strings.Replace(nav, "<nav", "<script>document.body.className='scroll-disabled'</script><nav", 1), "menu:select", object{"path": []any{"Home"}}, `{"at":"Home"}`, "", ""},
		{"top of a navigation", nav, "menu:select", object{"path": []any{"Home"}}, `{"at":"Home"}`, "", ""},
		{"item of another part", nav, "menu:select", object{"path": []any{"Sales", "Invoices"}}, `{"open":"Sales"}`, diag.StepFailed, `no item Invoices in the menu; there are "Orders"`},
		{"part that says what it controls", nav, "menu:select", object{"path": []any{"Stock", "Invoices"}}, `{"open":"Stock","at":"Invoices"}`, "", ""},
		{"no navigation", nav, "menu:select", object{"path": []any{"Help"}}, `{}`, diag.StepFailed, "no item Help"},
		{"part of a menu without a role", `<div role=menu><div role=menuitem tabindex=0>Home</div><div><div tabindex=0 aria-expanded=false aria-controls=sub onclick="v.open=1;sub.hidden=false"><span>Sales</span><i></i></div><div id=sub hidden><div role=menuitem tabindex=0
			onclick="v.at='Orders'"><span>Orders</span></div></div></div></div><script>window.v={}</script>`, "menu:select", object{"path": []any{"Sales", "Orders"}}, `{"open":1,"at":"Orders"}`, "", ""},
		{"menu that only takes clicks", strings.ReplaceAll(comes(""), "role=button tabindex=0", `style="cursor:pointer"`), "dropdown:choose", object{"text": "Options", "option": "Duplicate"}, `{"at":"Duplicate"}`, "", ""},
		{"menu that only takes clicks, open", strings.ReplaceAll(strings.Replace(comes("v.show()"), "lib-menu", "lib-dropdown-menu", 1), "role=button tabindex=0", `style="cursor:pointer"`), "dropdown:choose", object{"option": "Duplicate"}, `{"at":"Duplicate"}`, "", ""},
		{"menu of what has come", comes(""), "dropdown:choose", object{"text": "Options", "option": "Duplicate"}, `{"at":"Duplicate"}`, "", ""},
		{"menu of what is open", comes("v.show()"), "dropdown:choose", object{"option": "Duplicate"}, `{"at":"Duplicate"}`, "", ""},
		{"menu that is not open", comes(""), "dropdown:choose", object{"option": "Duplicate"}, `{}`, diag.StepFailed, "no item Duplicate"},
		{"item that was there before", comes(""), "dropdown:choose", object{"text": "Options", "option": "Archive"}, `{}`, diag.StepFailed, "no item Archive"},
		{"item that is disabled", comes(""), "dropdown:choose", object{"text": "Options", "option": "Remove"}, `{}`, diag.ElementNotInteractable, "disabled"},
		{"dialog that has come", strings.Replace(comes(""), "class=lib-menu", "role=dialog", 1), "dropdown:choose", object{"text": "Options", "option": "Duplicate"}, `{}`, diag.StepFailed, "no item Duplicate"},
		{"tree with toggles", tree(`toggle`, `aria-selected=false`), "tree:select", object{"path": []any{"Europe", "France"}, "within": "Regions"}, `{"open":["Europe"],"node":"France"}`, "", ""},
		{"tree with toggles, opened", tree(`toggle`, `aria-selected=false`), "tree:expand", object{"path": []any{"Europe"}}, `{"open":["Europe"]}`, "", ""},
		{"no such node below a toggle", tree(`toggle`, `aria-selected=false`), "tree:select", object{"path": []any{"Europe", "Spain"}}, `{"open":["Europe"]}`, diag.ElementNotFound, `there are "Germany", "France"`},
		{"rows of a tree", strings.NewReplacer("role=tree ", "role=treegrid ", "'treeitem'", "'row'", "<b>", "<b role=gridcell>").Replace(tree(`toggle`, `aria-selected=false`)), "tree:select", object{"path": []any{"Europe", "France"}}, `{"open":["Europe"],"node":"France"}`, "", ""},
		{"toggle without a word", strings.Replace(tree(`toggle`, `aria-selected=false`), "<button class=\"node-toggle\">", "<button>", 1), "tree:select", object{"path": []any{"Europe", "France"}}, `{"open":["Europe"],"node":"France"}`, "", ""},
		{"toggle that is a triangle", strings.NewReplacer("<button class=\"node-toggle\"><svg width=9 height=9></svg></button>", "<i>▸</i> ", "closest('button')", "closest('i')").Replace(tree(`toggle`, `aria-selected=false`)), "tree:select", object{"path": []any{"Europe", "France"}}, `{"open":["Europe"],"node":"France"}`, "", ""},
		{"tree that is drawn anew", strings.Replace(tree(`toggle`, `aria-selected=false`), "n.ariaSelected=true", "{n.ariaSelected=true;setTimeout(()=>{const h=tr.innerHTML;tr.innerHTML='';tr.innerHTML=h},20)}", 1), "tree:select", object{"path": []any{"Europe", "France"}}, `{"open":["Europe"],"node":"France"}`, "", ""},
		{"tree that is drawn anew once it shows what is chosen", strings.Replace(tree(`toggle`, `aria-selected=false`), "n.ariaSelected=true", "{n.ariaSelected=true;setTimeout(()=>{const h=tr.innerHTML;tr.innerHTML='';tr.innerHTML=h},2)}", 1), "tree:select", object{"path": []any{"Europe", "France"}}, `{"open":["Europe"],"node":"France"}`, "", ""},
		{"tree that is drawn anew and chooses nothing", strings.Replace(tree(`toggle`, `aria-selected=false`), "n.ariaSelected=true", "setTimeout(()=>{const h=tr.innerHTML;tr.innerHTML='';tr.innerHTML=h},20)", 1), "tree:select", object{"path": []any{"Europe", "France"}}, `{"open":["Europe"],"node":"France"}`, diag.StepFailed, "does not show it as chosen"},
		{"tree that is drawn anew and takes back what was chosen", strings.Replace(tree(`toggle`, `aria-selected=false`), "n.ariaSelected=true", "{n.ariaSelected=true;setTimeout(()=>{n.ariaSelected=false;const h=tr.innerHTML;tr.innerHTML='';tr.innerHTML=h})}", 1), "tree:select", object{"path": []any{"Europe", "France"}}, `{"open":["Europe"],"node":"France"}`, diag.StepFailed, "does not show it as chosen"},
		{"tree that is drawn anew and takes back what was chosen after 2 ms", strings.Replace(tree(`toggle`, `aria-selected=false`), "n.ariaSelected=true", "{n.ariaSelected=true;setTimeout(()=>{n.ariaSelected=false;const h=tr.innerHTML;tr.innerHTML='';tr.innerHTML=h},2)}", 1), "tree:select", object{"path": []any{"Europe", "France"}}, `{"open":["Europe"],"node":"France"}`, diag.StepFailed, "does not show it as chosen"},
		{"tree that is drawn anew and takes back what was chosen after 80 ms", strings.Replace(tree(`toggle`, `aria-selected=false`), "n.ariaSelected=true", "{n.ariaSelected=true;setTimeout(()=>{n.ariaSelected=false;const h=tr.innerHTML;tr.innerHTML='';tr.innerHTML=h},80)}", 1), "tree:select", object{"path": []any{"Europe", "France"}}, `{"open":["Europe"],"node":"France"}`, diag.StepFailed, "does not show it as chosen"},
		{"tree that leads somewhere", tree(`press`, ``), "tree:select", object{"path": []any{"Europe", "France"}}, `{"open":["Europe"],"node":"France"}`, "", ""},
		{"tree that does not say what is open", tree(`unsaid`, `aria-selected=false`), "tree:select", object{"path": []any{"Europe", "France"}}, `{"open":["Europe"],"node":"France"}`, "", ""},
		{"tree that does not say what is open, opened", tree(`unsaid`, `aria-selected=false`), "tree:expand", object{"path": []any{"Europe"}}, `{"open":["Europe"]}`, "", ""},
		{"tree that does not choose", strings.ReplaceAll(tree(`press`, `aria-selected=false`), "ariaSelected=true", "title=''"), "tree:select", object{"path": []any{"Europe", "France"}}, `{"open":["Europe"],"node":"France"}`, diag.StepFailed, "does not show it as chosen"},
		{"button of a custom element", shadowed(`<form id=f><input id=n value=Ann><x-button>Help</x-button><x-button type=submit>Save</x-button></form>`), "form:submit", nil, `{"sent":"Ann"}`, "", ""},
		{"button of a custom element outside", shadowed(`<form id=f><input id=n value=Ann></form><x-button form=f type=submit>Save</x-button>`), "form:submit", nil, `{"sent":"Ann"}`, "", ""},
		{"button of a custom element that sends nothing", shadowed(`<form id=f><input id=n value=Ann><x-button>Save</x-button></form>`), "form:submit", nil, `{}`, diag.ElementNotFound, ""},
	}) {
		b.foreign(t, &html, base, tt)
	}

	// A choice that the page does not show is not verified.
	for mark, want := range map[string]bool{``: false, `aria-selected=false`: true} {
		html = tree(`toggle`, mark)
		b.mustRun(t, "web:page:open", object{"url": base})
		if r := b.run(t, "components:tree:select", object{"path": []any{"Europe", "France"}}); r.Error != nil || r.Verified == nil || *r.Verified != want {
			t.Errorf("tree of nodes with %q: %v, verified %v, expected %v", mark, r.Error, r.Verified, want)
		}
	}
}

// Inputs in a box of one pixel, with a visible part beside them.
const (
	hiddenInput = `<span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0);white-space:nowrap">%s</span>`
	starScript  = `<script>window.v={}; document.querySelectorAll('.star').forEach(n=>n.onclick=()=>{const i=n.querySelector('input');i.checked=true;v.n=i.value})</script>`
)

var (
	stars   = `<div><label>Rating</label><div class=rating>` + strings.Join(star(5), "") + `</div></div>` + starScript
	clipped = `<div role=group aria-labelledby=g style="position:relative;padding:9px"><span id=g>Contact</span><label>` + fmt.Sprintf(hiddenInput, `<input type=checkbox value=mail onchange="v.on=value">`) + `E-mail</label><label style="margin-left:9px">` +
		strings.Replace(fmt.Sprintf(hiddenInput, `<input type=checkbox value=phone onchange="v.on=value">`), "position:absolute", "position:absolute;left:0;top:0;margin:-1px", 1) + `Phone</label></div><script>window.v={}</script>`
)

func star(n int) []string {
	var all []string
	for i := range n {
		input := fmt.Sprintf(`<input type=radio name=r value=%d aria-label="%d stars">`, i+1, i+1)
		all = append(all, `<div class=star style="display:inline-block;cursor:pointer">`+fmt.Sprintf(hiddenInput, input)+`<svg width=14 height=14><path d="M0 0h14v14z"/></svg></div>`)
	}
	return all
}

const toggles = `<label id=s>Size</label><div role=group aria-labelledby=s><button aria-pressed=true><span>Small</span></button><button aria-pressed=false><span>Large</span></button></div>
	<label>Name <input></label><script>window.v={}; document.querySelectorAll('button').forEach((n,_,all)=>n.onclick=()=>{all.forEach(x=>x.ariaPressed=x===n);v.size=n.textContent})</script>`

func (b *bench) holds(t *testing.T, script string) string {
	t.Helper()
	r := b.Step(t.Context(), "eval", session.RunOptions{Params: object{"script": script}, Cwd: b.cwd})
	return fmt.Sprint(data(t, r)["value"])
}

// TestTypedDays tests fields whose placeholder shows the format of a day.
func TestTypedDays(t *testing.T) {
	t.Parallel()
	html := ""
	base := serve(t, muxShowing(&html))
	b := newBench(t, nil, nil, shortWait)
	field := func(placeholder, form string) string {
		return `<form onsubmit="v.sent=1;return false"><label for=a>Due date</label><input id=a placeholder="` + placeholder + `" onblur="if(!` + form + `.test(this.value))this.value='';v.due=this.value"><button>Save</button></form>
			<script>window.v={}</script>`
	}
	tests := []struct {
		placeholder, form, action, value, want string
		code                                   diag.Code
	}{
		{"MM/DD/YYYY", `/^\d\d\/\d\d\/\d{4}$/`, "date:pick", "2025-03-09", "03/09/2025", ""},
		{"TT.MM.JJJJ", `/^\d\d\.\d\d\.\d{4}$/`, "date:pick", "2025-03-09", "09.03.2025", ""},
		{"jj/mm/aaaa", `/^\d\d\/\d\d\/\d{4}$/`, "date:pick", "2025-03-09", "09/03/2025", ""},
		{"MM/DD/YYYY hh:mm aa", `/^\d\d\/\d\d\/\d{4} \d\d:\d\d [AP]M$/`, "date:pick", "2025-03-09 14:05", "03/09/2025 02:05 PM", ""},
		{"DD / MM / YYYY", `/^\d\d \/ \d\d \/ \d{4}$/`, "field:set", "2025-03-09", "09 / 03 / 2025", ""},
		{"MM/DD/YYYY", `/^\d\d\/\d\d\/\d{4}$/`, "field:set", "03/09/2025", "03/09/2025", ""},
		{"MM/DD/YYYY", `/^\d\d\/\d\d\/\d{4}$/`, "date:pick", "2025-03-09 14:05", "", diag.StepFailed},
		{"When", `/^\d\d\/\d\d\/\d{4}$/`, "date:pick", "2025-03-09", "", diag.VerifyFailed}, // the page resets the field when it loses the focus
	}
	for _, tt := range testkit.Kinds(t, "typed days", 3, tests, func(i int) any { return tests[i].code }) {
		html = field(tt.placeholder, tt.form)
		b.mustRun(t, "web:page:open", object{"url": base})
		r := b.run(t, "components:"+tt.action, object{"label": "Due date", "value": tt.value})
		if tt.code != "" {
			wantError(t, r, tt.code, "")
		} else if r.Error != nil {
			t.Errorf("%s: %s", tt.placeholder, describe(r.Error))
		}
		if got := b.holds(t, "a.value"); got != tt.want {
			t.Errorf("%s %s: the field holds %q, expected %q", tt.placeholder, tt.value, got, tt.want)
		}
	}
}

// TestTableWithoutRowsYet tests a table that is empty at first and does not show that it is
// loading.
func TestTableWithoutRowsYet(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/rows", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(600 * time.Millisecond) // a slow server; the page is visible long before
		fmt.Fprint(w, "<tr><td>Ann<td>9")
	})
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><title>T</title><table><thead><tr><th>Name<th>Age<tbody id=b></table><script>fetch('/rows').then(r=>r.text()).then(t=>b.innerHTML=t)</script>`)
	})
	base := serve(t, mux)
	b := newBench(t, nil, nil)
	b.mustRun(t, "web:page:open", object{"url": base})
	want(t, b.mustRun(t, "components:table:read", nil), "rows", "[map[Age:9 Name:Ann]]")
}
