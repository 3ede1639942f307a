package browser

// Presses that begin and are followed by no click, and presses that find a field invalid.

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

// A press without a click is an error, unless the element acts when the button goes down.
func TestPressWithoutClick(t *testing.T) {
	const field = `<input id=f><script>f.focus()</script>`
	mask := func(text string) string {
		return `<div id=m hidden style="position:fixed;inset:0">` + text + `</div>`
	}
	tests := []struct {
		name, html string
		count      int
		lost       string // "": the press is done
	}{
		{"disables itself", `<button id=b onmousedown="b.disabled=true" onclick="window.hit=1">Save</button>`, 1, "disabled since the button went down"},
		{"disables itself on pointerdown", `<button id=b onpointerdown="b.disabled=true">Save</button>`, 1, "disabled since the button went down"},
		{"disabled for a moment", `<button id=b onmousedown="b.disabled=true" onmouseup="b.disabled=false">Save</button>
			<script>addEventListener('pointerup',()=>setTimeout(()=>b.disabled=false))</script>`, 1, "no click followed"},
		{"fieldset disabled", `<fieldset id=s><button id=b onmousedown="s.disabled=true">Save</button></fieldset>`, 1, "fieldset disabled: <fieldset#s> since the button went down"},
		{"made inert", `<main id=s><button id=b onmousedown="s.inert=true">Save</button></main>`, 1, "inert"},
		{"disabled by the blur of a field", field + `<button id=b>Save</button><script>f.onblur=()=>{b.disabled=true}</script>`, 1, "disabled since the previous field lost the focus"},
		{"removed by the blur of a field", field + `<button id=b>Save</button><script>f.onblur=()=>b.remove()</script>`, 1, "gone since the previous field lost the focus"},
		{"hidden by the blur of a field", field + `<button id=b>Save</button><script>f.addEventListener('focusout',()=>b.hidden=true)</script>`, 1, "gone since the previous field lost the focus"},
		{"covered by the blur of a field", field + `<button id=b>Save</button><div id=m hidden style="position:fixed;inset:0"></div><script>f.onblur=()=>{m.hidden=false}</script>`, 1,
			"covers it since the previous field lost the focus"},
		{"said to be disabled by the blur of a field", field + `<button id=b>Save</button><script>f.onblur=()=>{b.ariaDisabled='true'}</script>`, 1, "aria-disabled since the previous field lost the focus"},
		{"said to be disabled on mousedown, in a form that drops it", `<form onsubmit="event.preventDefault()"><button id=b onmousedown="b.ariaDisabled='true'">Save</button></form>`, 1,
			"aria-disabled since the button went down"},
		{"said to be disabled on mousedown", `<button id=b onmousedown="b.ariaDisabled='true'">Save</button>`, 1, "aria-disabled since the button went down"},
		{"busy since the blur of a field", field + `<button id=b>Save</button><script>f.onblur=()=>{b.ariaBusy='true'}</script>`, 1, "busy since the previous field lost the focus"},
		{"loading since the blur of a field", field + `<button id=b class=btn><span>Save</span></button><script>f.onblur=()=>{b.classList.add('btn-loading')}</script>`, 1, "busy since the previous field lost the focus"},
		{"link with the class of a disabled button since the blur of a field", field + `<a id=b class=btn href=# onclick="this.matches('.disabled')||(window.hit=1);return false">Save</a><script>f.onblur=()=>{b.classList.add('disabled')}</script>`, 1, "class disabled since the previous field lost the focus"},
		{"link that is followed all the same", field + `<a id=b class=btn href="#x">Save</a><script>f.onblur=()=>{b.classList.add('disabled')}</script>`, 1, ""},
		{"link with that class before", field + `<a id=b class="btn disabled" href=# onclick="return false">Save</a>`, 1, ""},
		{"button of a row that the blur marks", field + `<div class=row-disabled><a id=b class=btn href=# onclick="return false">Save</a></div>`, 1, ""},
		{"covered by its mousedown", `<button id=b onmousedown="m.hidden=false">Save</button>` + mask(""), 1, "covers it since the button went down on it"},
		{"covered by its pointerdown", `<button id=b onpointerdown="m.hidden=false">Save</button>` + mask(""), 1, "covers it since the button went down on it"},
		{"covered by a mask with words", `<button id=b onmousedown="m.hidden=false">Save</button>` + mask("Please wait"), 1, "covers it since the button went down on it"},
		{"covered by blockUI", `<button id=b onmousedown="document.body.insertAdjacentHTML('beforeend','<div class=&quot;blockUI blockOverlay&quot; style=&quot;position:fixed;inset:0;z-index:9&quot;></div>` +
			`<div class=&quot;blockUI blockMsg&quot; style=&quot;position:fixed;top:0;left:0;z-index:10&quot;>Please wait</div>')">Save</button>`, 1, "covers it since the button went down on it"},
		{"covered by a mask of its form", `<form style="position:relative"><input><button id=b type=button onmousedown="m.hidden=false"><b>Save</b></button>
			<div id=m class=el-loading-mask hidden style="position:absolute;inset:0"><div class=el-loading-spinner><svg></svg><p>Loading</div></div></form>`, 1, "covers it since the button went down on it"},
		{"covered by a spinner", `<div style="position:relative"><div id=m hidden class="ant-spin ant-spin-spinning" aria-busy=true style="position:absolute;inset:0;z-index:4"><i>.</i></div>
			<a id=b href="#x" onmousedown="m.hidden=false">Save</a></div>`, 1, "covers it since the button went down on it"},
		{"an ARIA button that is covered", `<div id=b role=button tabindex=0 onmousedown="m.hidden=false">Save</div>` + mask(""), 1, "covers it since the button went down on it"},
		{"a button of an expanded row", `<table><tr aria-expanded=true><td><button id=b onmousedown="m.hidden=false">Save</button></table>` + mask(""), 1, "covers it since the button went down on it"},
		{"takes no mouse", `<button id=b onmousedown="b.style.pointerEvents='none'">Save</button>`, 1, "takes no mouse since the button went down"},
		{"disabled after the first of two clicks", `<button id=b onclick="b.disabled=true">Save</button>`, 2, "disabled since click 1 of 2"},

		{"said to be disabled on mousedown, in a form that is sent", `<form action="#sent"><button id=b onmousedown="b.ariaDisabled='true'">Save</button></form>`, 1, ""},
		{"said to be disabled by the submit", `<form onsubmit="b.ariaDisabled='true';event.preventDefault()"><button id=b>Save</button></form>`, 1, ""},
		{"option that its mousedown removes", `<ul id=l><li id=b role=option onmousedown="l.remove()">One</li></ul>`, 1, ""},
		{"option that its mousedown hides", `<ul id=l><li id=b role=option onmousedown="l.hidden=true">One</li></ul>`, 1, ""},
		{"option beside a field that its mousedown removes", field + `<ul id=l><li id=b role=option onmousedown="l.remove()">One</li></ul>`, 1, ""},
		{"list that opens on mousedown", field + `<div id=b role=combobox aria-haspopup=listbox aria-expanded=false>Choose</div><ul id=m hidden style="position:fixed;inset:0"></ul>
			<script>b.onmousedown=()=>{m.hidden=false;b.setAttribute('aria-expanded',true)}</script>`, 1, ""},
		{"list whose opening makes the rest inert", `<main id=s><button id=b aria-haspopup=listbox aria-expanded=false>Choose</button></main><ul role=listbox><li>One</ul>
			<script>b.onpointerdown=()=>{s.inert=true;b.setAttribute('aria-expanded',true)}</script>`, 1, ""},
		{"list whose opening moves its button", `<div id=t></div><button id=b role=combobox aria-expanded=false>Choose</button>
			<script>b.onpointerdown=()=>{t.style.height='300px';document.body.style.pointerEvents='none';b.setAttribute('aria-expanded',true)}</script>`, 1, ""},
		{"list that a plain button opens over itself", `<button id=b onmousedown="m.hidden=false">Choose</button><ul id=m hidden style="position:fixed;inset:0;margin:0"><li>One<li>Two</ul>`, 1, ""},
		{"list with a layer below it", `<button id=b onmousedown="m.hidden=false">Choose</button><div id=m hidden><div style="position:fixed;inset:0;z-index:1"></div>
			<ul style="position:fixed;top:80px;z-index:2"><li tabindex=0>One</ul></div>`, 1, ""},
		{"list that is still empty over its field", `<input id=b onmousedown="m.hidden=false">` + mask("Loading"), 1, ""},
		{"list that is still empty and declared", `<button id=b aria-haspopup=listbox onmousedown="m.hidden=false">Choose</button>` + mask("Loading"), 1, ""},
		{"dialog that opens over it", `<button id=b onmousedown="m.hidden=false">Ask</button><div id=m role=dialog hidden style="position:fixed;inset:0">Sure? <button>Yes</button></div>`, 1, ""},
		{"modal dialog that opens over it", `<button id=b onmousedown="m.showModal()">Ask</button><dialog id=m>Sure?</dialog>`, 1, ""},
		{"word that comes over it", `<button id=b onmousedown="m.hidden=false">Copy</button><div id=m hidden style="position:absolute;top:0;left:0;padding:2em">Copied</div>`, 1, ""},
		{"mask by its click", `<button id=b onclick="m.hidden=false">Save</button>` + mask(""), 1, ""},
		{"menu that opens on pointerdown and takes the mouse from the rest", `<button id=b aria-haspopup=menu aria-expanded=false>Menu</button>
			<script>b.onpointerdown=()=>{document.body.style.pointerEvents='none';b.setAttribute('aria-expanded',true)}</script>`, 1, ""},
		{"content replaced on mousedown", `<button id=b onmousedown="b.innerHTML='<i>on</i>'"><i>off</i></button>`, 1, ""},
		{"form sent on mousedown", `<form id=s onsubmit="event.preventDefault()"><button id=b onmousedown="s.requestSubmit();b.disabled=true">Save</button></form>`, 1, ""},
		{"said to be disabled by its click", field + `<button id=b onclick="b.ariaDisabled='true'">Save</button>`, 1, ""},
		{"busy by its click", field + `<button id=b onclick="b.ariaBusy='true';b.className='is-loading'">Save</button>`, 1, ""},
		{"busy by its mousedown", field + `<button id=b onmousedown="b.className='is-loading'">Save</button>`, 1, ""},
		{"busy by its mousedown, and its click is prevented", `<form><button id=b onmousedown="b.className='is-loading'" onclick="event.preventDefault()">Save</button></form>`, 1, "busy (class is-loading) since the button went down on it"},
		{"busy by its pointerdown, and its click is prevented", `<button id=b type=button class=ant-btn onpointerdown="b.classList.add('ant-btn-loading')" onclick="event.preventDefault()">Save</button>`, 1, "busy (class ant-btn-loading) since the button went down on it"},
		{"busy by its mousedown, which submits the form", `<form id=s onsubmit="event.preventDefault()"><button id=b onmousedown="s.requestSubmit();b.className='is-loading'" onclick="event.preventDefault()">Save</button></form>`, 1, ""},
		{"busy by its mousedown, which sends a request", `<button id=b onmousedown="b.className='is-loading';fetch('/save')" onclick="event.preventDefault()">Save</button>`, 1, ""},
		{"busy by its click, which is prevented", `<form><button id=b onclick="b.className='is-loading';event.preventDefault()">Save</button></form>`, 1, ""},
		{"link that is busy by its mousedown", `<a id=b class=btn href=# onmousedown="b.classList.add('btn-loading')" onclick="event.preventDefault()">Save</a>`, 1, ""},
		{"form sent though it is said to be disabled", `<form onsubmit="event.preventDefault()"><input id=f><button id=b>Save</button></form><script>f.focus();f.onblur=()=>{b.ariaDisabled='true'}</script>`, 1, ""},
		{"disabled by its click", `<button id=b onclick="b.disabled=true">Save</button>`, 1, ""},
		{"blur that changes nothing", field + `<button id=b>Save</button>`, 1, ""},
		{"native list", `<select id=b><option>One<option>Two</select>`, 1, ""},
		{"number", `<input id=b type=number>`, 1, ""},
		{"range", `<input id=b type=range>`, 1, ""},
		{"date", `<input id=b type=date>`, 1, ""},
		{"label", `<label id=b>Name <input></label>`, 1, ""},
		{"summary", `<details><summary id=b>More</summary>x</details>`, 1, ""},
		{"draggable", `<div id=b draggable=true>Drag me</div>`, 1, ""},
		{"two clicks", `<button id=b>Save</button>`, 2, ""},
	}
	for _, tt := range testkit.Kinds(t, "rows", 8, tests, func(i int) any { return tests[i].lost }) {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			_, err := p.Press(ctx, css("#b"), driver.PressOptions{Count: tt.count})
			if tt.lost == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			e := wantCode(t, err, diag.StepFailed, tt.lost)
			if e.Details["reason"] == nil {
				t.Errorf("details %v, want a reason", e.Details)
			}
		})
	}
}

// The change event of a field comes before its blur, and shows a mask.
func TestPressUnderAMask(t *testing.T) {
	ctx, p := show(t, `<input id=f><button id=b>Save</button><div id=m hidden style="position:fixed;inset:0"></div><script>f.onchange=()=>{m.hidden=false}</script>`)
	if _, err := p.Fill(ctx, css("#f"), "a"); err != nil {
		t.Fatal(err)
	}
	_, err := p.Press(ctx, css("#b"), driver.PressOptions{})
	wantCode(t, err, diag.StepFailed, "covers it since the previous field lost the focus")
}

// A press waits for a button that shows that it is busy, as for a disabled one. A press at a point,
// or by a key, that such a button ignores is an error.
func TestPressOfABusyButton(t *testing.T) {
	const ignores = ` onclick="this.matches('.is-loading,.ant-btn-loading,[aria-busy=true],[data-loading]')||(window.hit=1)"`
	tests := []struct{ name, html, busy string }{
		{"aria-busy", `<button id=b aria-busy=true` + ignores + `>Save</button>`, "aria-busy"},
		{"class of Element", `<button id=b class="el-button is-loading"` + ignores + `>Save</button>`, "class is-loading"},
		{"class of Ant Design", `<button id=b class="ant-btn ant-btn-loading"` + ignores + `><span>Save</span></button>`, "class ant-btn-loading"},
		{"data-loading", `<button id=b data-loading=true` + ignores + `>Save</button>`, "data-loading"},
		{"ARIA button", `<div role=button tabindex=0 id=b aria-busy=true` + ignores + `>Save</div>`, "aria-busy"},
		{"link that is a button", `<a id=b href="#x" class="ant-btn ant-btn-loading" onclick="this.matches('.ant-btn-loading')?event.preventDefault():(window.hit=1)">Save</a>`, "class ant-btn-loading"},
		{"input", `<input type=submit id=b class=is-loading value=Save` + ignores + `>`, "class is-loading"},

		{"not busy", `<button id=b aria-busy=false data-loading=false class="not-loading lazy-loading" onclick="window.hit=1">Save</button>`, ""},
		{"words for later", `<button id=b data-loading="Saving" data-loading-text="Saving" onclick="window.hit=1">Save</button>`, ""},
		{"opens a list", `<button id=b aria-busy=true aria-haspopup=listbox onclick="window.hit=1">Choose</button>`, ""},
		{"tab", `<button id=b role=tab aria-busy=true onclick="window.hit=1">Orders</button>`, ""},
		{"link", `<a id=b href="#x" class=is-loading onclick="window.hit=1">Orders</a>`, ""},
		{"inside of what is busy", `<main aria-busy=true class=is-loading><button id=b onclick="window.hit=1">Stop</button></main>`, ""},
		{"shows it within", `<button id=b onclick="window.hit=1"><span class="loading loading-spinner"></span>Stop</button>`, ""},
	}
	for _, tt := range testkit.Kinds(t, "buttons", 6, tests, func(i int) any { return tests[i].busy }) {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, `<style>#b{position:fixed;left:0;top:0;width:80px;height:40px}</style>`+tt.html)
			ways := map[string]func() error{
				"point": func() error { _, err := p.PressAt(ctx, driver.Point{X: 20, Y: 20}, driver.PressOptions{}); return err },
				"hold":  func() error { _, err := p.Hold(ctx, within(css("#b"), 100*time.Millisecond), 0); return err },
				"press": func() error {
					_, err := p.Press(ctx, within(css("#b"), 100*time.Millisecond), driver.PressOptions{})
					return err
				},
			}
			if strings.HasPrefix(tt.html, "<button") {
				ways["key"] = func() error { _, err := p.Key(ctx, ptr(css("#b")), "Enter", 1); return err }
			}
			for way, do := range ways {
				err := do()
				switch {
				case tt.busy == "":
					if err != nil {
						t.Errorf("%s: %v", way, err)
					}
				case way == "point" || way == "key":
					wantCode(t, err, diag.StepFailed, "it shows that it is busy ("+tt.busy+"), as it was before the press")
				default:
					e := wantCode(t, err, diag.ElementNotInteractable, "it is busy: "+tt.busy)
					if e.Details["missing"] != "enabled" || !strings.HasPrefix(e.Hint, "wait until") {
						t.Errorf("%s: details %v, hint %q", way, e.Details, e.Hint)
					}
				}
			}
			if hit := evaluate(t, ctx, p, "window.hit"); (hit == nil) != (tt.busy != "") {
				t.Errorf("the page saw a click: %v", hit)
			}
			if tt.busy == "" {
				return
			}
			evaluate(t, ctx, p, "setTimeout(()=>{b.className='';b.ariaBusy=null;delete b.dataset.loading},300),0")
			if _, err := p.Press(ctx, css("#b"), driver.PressOptions{}); err != nil {
				t.Error("at its end:", err)
			}
			if hit := evaluate(t, ctx, p, "window.hit"); hit != 1.0 {
				t.Errorf("the page saw no click at its end: %v", hit)
			}
		})
	}
}

// The same for a press at a point, and by a key.
func TestInputWithoutClick(t *testing.T) {
	const style = `<style>#b{position:fixed;left:0;top:0;width:80px;height:40px}</style>`
	const mask = `<div id=m hidden style="position:fixed;inset:0"></div>`
	points := []struct{ name, html, lost string }{
		{"disables itself", `<button id=b onmousedown="this.disabled=true">Save</button>`, "disabled since the button went down"},
		{"disabled before", `<button id=b disabled>Save</button>`, "disabled, as it was before the press"},
		{"said to be disabled", `<button id=b aria-disabled=true>Save</button>`, "aria-disabled, as it was before the press"},
		{"label of what is disabled", `<label id=b>News <input type=checkbox disabled></label>`, "disabled"},
		{"busy since the blur of a field", `<button id=b>Save</button><input id=f style="margin-left:90px"><script>f.focus();f.onblur=()=>{b.ariaBusy='true'}</script>`, "busy since the previous field lost the focus"},
		{"covered by the blur of a field", `<button id=b>Save</button><input id=f style="margin-left:90px">` + mask + `<script>f.focus();f.onblur=()=>{m.hidden=false}</script>`, "covers it since the previous field lost the focus"},
		{"covered by its mousedown", `<button id=b onmousedown="m.hidden=false">Save</button>` + mask, "covers it since the button went down"},
		{"drawn anew", `<div id=box></div><script>const draw=()=>{box.innerHTML='<button id=b>Save</button>';b.onmousedown=draw};draw()</script>`, "drew it anew as it was"},
		{"hidden by its mousedown", `<button id=b onmousedown="b.hidden=true">Save</button>`, ""},
		{"drawn as chosen", `<div id=box></div><script>const draw=(how)=>{box.innerHTML='<button id=b '+how+'>Save</button>';b.onmousedown=()=>draw('aria-pressed=true')};draw('')</script>`, ""},
		{"drawn anew with a mark", `<div id=box></div><script>const draw=(how)=>{box.innerHTML='<button id=b '+how+'>Save</button>';b.onmousedown=()=>draw('class=near')};draw('')</script>`, "drew it anew"},
		{"content beside the mouse drawn anew", `<button id=b onmousedown="b.innerHTML='<i>Save</i>'"><i>Save</i></button>`, ""},
		{"content drawn anew", `<button id=b onmousedown="b.innerHTML=b.innerHTML"><i style="display:block">Save</i></button>`, "drew its content anew"},
		{"other content", `<button id=b onmousedown="b.firstChild.outerHTML='<b>Saved</b>'"><i style="display:block">Save</i></button>`, ""},
		{"text drawn anew", `<div id=b onmousedown="b.innerHTML='<i>Save</i>'"><i>Save</i></div>`, ""},
		{"list that opens over it", `<button id=b onmousedown="m.hidden=false">Choose</button><ul id=m hidden style="position:fixed;inset:0;margin:0"><li>One</ul>`, ""},
		{"disabled text field", `<input id=b disabled>`, ""},
		{"text field", `<label id=b>Name <input></label>`, ""},
		{"box", `<label id=b>News <input type=checkbox></label>`, ""},
		{"native list", `<select id=b><option>One<option>Two</select>`, ""},
		{"disabled by its click", `<button id=b onclick="b.disabled=true">Save</button>`, ""},
		{"drawn anew by its click", `<button id=b onclick="b.outerHTML=b.outerHTML">Save</button>`, ""},
		{"plain", `<button id=b><i>Save</i></button>`, ""},
		{"canvas that takes the pointer", `<canvas id=b onpointerdown="this.setPointerCapture(event.pointerId)"></canvas>`, ""},
		{"editor", `<div id=b contenteditable>Text</div>`, ""},
	}
	for _, tt := range testkit.Kinds(t, "rows", 8, points, func(i int) any { return points[i].lost }) {
		t.Run("point/"+tt.name, func(t *testing.T) {
			ctx, p := show(t, style+tt.html)
			_, err := p.PressAt(ctx, driver.Point{X: 20, Y: 20}, driver.PressOptions{})
			if tt.lost != "" {
				wantCode(t, err, diag.StepFailed, tt.lost)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	// draw returns a page that renders the button again on each key event, after the handler has
	// run does.
	draw := func(does string) string {
		return `<input id=g value=0><p id=n>0</p><div id=box></div><script>let how='';const draw=()=>{box.innerHTML='<p '+how+'><button id=b>Save</button></p>';b.onkeydown=()=>{` + does + `;draw()}};draw()</script>`
	}
	const anew = "drew it anew as it was when the key went down on it"
	keys := []struct{ name, html, lost string }{
		{"disables itself", `<button id=b onkeydown="b.disabled=true">Save</button>`, "disabled since the key went down"},
		{"taken", `<button id=b onkeydown="event.preventDefault();b.disabled=true">Save</button>`, ""},
		{"said to be disabled", `<button id=b onkeydown="b.ariaDisabled='true'">Save</button>`, "aria-disabled since the key went down"},
		{"said to be disabled before", `<button id=b aria-disabled=true>Save</button>`, "aria-disabled, as it was before the press"},
		{"drawn anew", draw(""), anew},
		{"drawn anew with the focus", `<div id=box></div><script>const draw=()=>{box.innerHTML='<button id=b>Save</button>';b.onkeydown=()=>{draw();box.focus()}};draw()</script>`, anew},
		{"its row is drawn as chosen", draw("how='class=selected'"), anew},
		{"drawn anew by what is around it", `<div id=box><button id=b>Save</button></div><script>box.onkeydown=()=>{box.innerHTML=box.innerHTML}</script>`, anew},
		{"drawn anew with a mark", `<div id=box></div><script>const draw=(how)=>{box.innerHTML='<p><button id=b '+how+'>Save</button></p>';b.onkeydown=()=>draw('class=near')};draw('')</script>`, "drew it anew when the key went down"},
		{"the second of two", `<div id=box><p>One <button>Save</button></p><p>Two <button id=b>Save</button></p></div><script>box.onkeydown=()=>{box.innerHTML=box.innerHTML.replace('id="b"','id="b" class="near"')}</script>`, "drew it anew when the key went down"},
		{"replaced by the same", `<button id=b onkeydown="this.replaceWith(this.cloneNode(true))">Save</button>`, anew},
		{"in a shadow tree", `<x-y id=b></x-y><script>const r=b.attachShadow({mode:'open',delegatesFocus:true});const draw=()=>{r.innerHTML='<button>Save</button>';r.firstChild.onkeydown=draw};draw()</script>`, anew},

		{"taken and drawn anew", draw("event.preventDefault()"), ""},
		{"counts", draw("n.textContent++"), ""},
		{"counts in a field", draw("g.value++"), ""},
		{"opens", draw("n.hidden=true"), ""},
		{"its row is open", draw("how='aria-expanded=true'"), ""},
		{"sends", draw("fetch('/')"), ""},
		{"says it by the address", draw("location.hash='x'+Math.random()"), ""},
		{"the focus goes on", draw("g.focus()"), ""},
		{"asks", `<dialog id=d>Sure?</dialog>` + draw("d.showModal()"), ""},
		{"shows a popover", `<div id=d popover>More</div>` + draw("d.showPopover()"), ""},
		{"drawn as chosen", `<div id=box></div><script>let how='';const draw=()=>{box.innerHTML='<button id=b '+how+'>Save</button>';b.onkeydown=()=>{how='aria-pressed=true';draw()}};draw()</script>`, ""},
		{"other words", `<div id=box></div><script>let n=0;const draw=()=>{box.innerHTML='<button id=b>Add '+n+++'</button>';b.onkeydown=draw};draw()</script>`, ""},
		{"takes itself away", `<button id=b onkeydown="b.remove()">Save</button>`, ""},
		{"option", `<ul><li id=b role=option tabindex=0 onkeydown="this.outerHTML=this.outerHTML">One</ul>`, ""},
		{"drawn anew by its click", `<div id=box><button id=b>Save</button></div><script>box.onclick=()=>{box.innerHTML=box.innerHTML}</script>`, ""},
		{"plain", `<button id=b>Save</button>`, ""},
		{"sends a form", `<form onsubmit="event.preventDefault()"><button id=b aria-disabled=true>Save</button></form>`, ""},
	}
	for _, tt := range testkit.Kinds(t, "rows", 8, keys, func(i int) any { return keys[i].lost }) {
		for _, key := range []string{"Enter", " "} {
			t.Run("key "+key+"/"+tt.name, func(t *testing.T) {
				ctx, p := show(t, tt.html)
				_, err := p.Key(ctx, ptr(css("#b")), key, 1)
				if tt.lost != "" {
					wantCode(t, err, diag.StepFailed, tt.lost)
				} else if err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// An element that the page removes when the button goes down cannot be held or dragged. One that it
// removes later, because it was held, can.
func TestHoldWithoutGrip(t *testing.T) {
	testkit.Long(t)
	const field = `<input id=f><script>f.focus()</script>`
	tests := []struct{ name, html, failed string }{
		{"disables itself", `<button id=b onmousedown="b.disabled=true">Hold</button>`, "disabled since the button went down"},
		{"disables itself on pointerdown", `<button id=b onpointerdown="b.disabled=true">Hold</button>`, "disabled since the button went down"},
		{"disabled by the blur of a field", field + `<button id=b>Hold</button><script>f.onblur=()=>{b.disabled=true}</script>`, "disabled since the button went down"},
		{"removed by the blur of a field", field + `<button id=b>Hold</button><script>f.onblur=()=>b.remove()</script>`, "gone since the previous field lost the focus"},
		{"in a form whose field is invalid", `<form><input name=mail required><button id=b>Hold</button></form>`, "the form was not sent: mail"},

		{"disabled when it was held", `<button id=b onmousedown="setTimeout(()=>{b.disabled=true},60)">Hold</button>`, ""},
		{"gone when it was held", field + `<button id=b onmousedown="setTimeout(()=>b.remove(),60)">Hold</button>`, ""},
		{"taken away by its press", field + `<ul><li id=b role=option onmousedown="b.remove()">One</li></ul>`, ""},
		{"plain", `<button id=b>Hold</button>`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			_, err := p.Hold(ctx, css("#b"), 100*time.Millisecond)
			switch {
			case tt.failed != "":
				wantCode(t, err, diag.StepFailed, tt.failed)
			case err != nil:
				t.Error(err)
			}
			if len(p.hand.buttons) > 0 {
				t.Errorf("%v are still down", p.hand.buttons)
			}
		})
	}
	t.Run("drag", func(t *testing.T) {
		ctx, p := show(t, tests[0].html)
		target := css("#b")
		_, err := p.Drag(ctx, driver.Place{Target: &target}, driver.Place{Point: driver.Point{X: 200, Y: 200}})
		wantCode(t, err, diag.StepFailed, "disabled since the button went down")
	})
	t.Run("point", func(t *testing.T) {
		ctx, p := show(t, `<button id=b style="position:fixed;left:0;top:0;width:80px;height:40px">Save</button><input id=f><script>f.focus();f.onblur=()=>b.remove()</script>`)
		_, err := p.PressAt(ctx, driver.Point{X: 20, Y: 20}, driver.PressOptions{})
		wantCode(t, err, diag.StepFailed, "gone since the previous field lost the focus")
	})
	t.Run("point that takes itself away", func(t *testing.T) {
		ctx, p := show(t, `<div id=b style="position:fixed;left:0;top:0;width:80px;height:40px" onmousedown="b.remove()">One</div><input id=f><script>f.focus()</script>`)
		if _, err := p.PressAt(ctx, driver.Point{X: 20, Y: 20}, driver.PressOptions{}); err != nil {
			t.Error(err)
		}
	})
}

// Enter does not submit a form whose default button is disabled. A page may handle the key in
// another way.
func TestEnterWithADisabledButton(t *testing.T) {
	const disabled = "did nothing: its form is not sent"
	tests := []struct{ name, html, failed string }{
		{"disabled", `<form action=/next><input id=f><button disabled>Go</button></form>`, disabled},
		{"input", `<form action=/next><input id=f type=search><input type=submit disabled></form>`, disabled},
		{"fieldset", `<form action=/next><input id=f><fieldset disabled><button>Go</button></fieldset></form>`, disabled},
		{"outside of the form", `<form action=/next id=s><input id=f></form><button form=s disabled>Go</button>`, disabled},
		{"another behind it", `<form action=/next><input id=f><button disabled>Go</button><button>Other</button></form>`, disabled},
		{"shadow tree", `<x-y id=f></x-y><script>r=f.attachShadow({mode:'open',delegatesFocus:true});r.innerHTML='<form><input><button disabled>Go</button></form>'</script>`, disabled},
		{"disabled by the key", `<form action=/next><input id=f onkeydown="event.key=='Enter'&&(s.disabled=true)"><button id=s>Go</button></form>`, disabled},

		{"disabled by the key, and something is shown", `<form><input id=f onkeydown="event.key=='Enter'&&(s.disabled=true,o.textContent='Searching')"><button id=s>Go</button></form><p id=o>`, ""},
		{"disabled by its submit", `<form onsubmit="s.disabled=true;event.preventDefault()"><input id=f><button id=s>Go</button></form>`, ""},
		{"another before it", `<form onsubmit="event.preventDefault()"><input id=f><button>Go</button><button disabled>Other</button></form>`, ""},
		{"no submit button", `<form onsubmit="event.preventDefault()"><input id=f><button type=button disabled>Other</button></form>`, ""},
		{"taken", `<form><input id=f onkeydown="event.key=='Enter'&&event.preventDefault()"><button disabled>Go</button></form>`, ""},
		{"what it holds is added to a list", `<form><input id=f onkeydown="event.key=='Enter'&&l.append(f.value)"><button disabled>Go</button></form><ul id=l></ul>`, ""},
		{"it is emptied", `<form><input id=f value=x onkeydown="if(event.key=='Enter')f.value=''"><button disabled>Go</button></form>`, ""},
		{"something is asked for", `<form><input id=f onkeydown="event.key=='Enter'&&fetch('/')"><button disabled>Go</button></form>`, ""},
		{"the focus goes on", `<form><input id=f onkeydown="event.key=='Enter'&&g.focus()"><input id=g><button disabled>Go</button></form>`, ""},
		{"lines", `<form><textarea id=f></textarea><button disabled>Go</button></form>`, ""},
	}
	for _, tt := range testkit.Kinds(t, "rows", 5, tests, func(i int) any { return tests[i].failed }) {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			target := css("#f")
			_, err := p.Key(ctx, &target, "Enter", 1)
			switch {
			case tt.failed != "":
				wantCode(t, err, diag.StepFailed, tt.failed)
			case err != nil:
				t.Error(err)
			}
		})
	}
}

// invalidPages are forms with an empty required field, and the press, or Enter, that finds it
// invalid.
var invalidPages = []struct {
	name, html string
	fails      bool
}{
	{"requestSubmit", `<form id=s><input id=f name=mail required></form><button id=b onclick="s.requestSubmit()">Send</button>`, true},
	{"checkValidity", `<form id=s><input id=f name=mail required><button id=b type=button onclick="s.checkValidity()">Send</button></form>`, true},
	{"reportValidity of a prevented click", `<form id=s><input id=f name=mail required><button id=b onclick="event.preventDefault();s.reportValidity()">Send</button></form>`, true},
	{"novalidate, and its submit checks", `<form id=s novalidate onsubmit="event.preventDefault();s.checkValidity()"><input id=f name=mail required><button id=b>Send</button></form>`, true},
	{"cancelled invalid", `<form id=s><input id=f name=mail required oninvalid="event.preventDefault()"><button id=b>Send</button></form>`, true},
	{"on mousedown", `<form id=s><input id=f name=mail required></form><div id=b onmousedown="s.reportValidity()">Send</div>`, true},
	{"in a microtask", `<form id=s><input id=f name=mail required></form><button id=b onclick="Promise.resolve().then(()=>s.checkValidity())">Send</button>`, true},
	{"in a timer", `<form id=s><input id=f name=mail required></form><button id=b onclick="setTimeout(()=>s.checkValidity())">Send</button>`, true},
	{"in a frame", `<form id=s><input id=f name=mail required></form><button id=b onclick="requestAnimationFrame(()=>s.checkValidity())">Send</button>`, true},
	{"in a shadow tree", `<x-y id=h></x-y><script>const r=h.attachShadow({mode:'open'});
		r.innerHTML='<form id=s><input id=f name=mail required><button id=b type=button>Send</button></form>';
		r.getElementById('b').onclick=()=>r.getElementById('s').checkValidity()</script>`, true},
	{"the form in a frame", `<iframe id=i srcdoc="<form><input name=mail required></form>"></iframe><button id=b onclick="i.contentDocument.forms[0].requestSubmit()">Send</button>`, true},

	{"the form in a frame is sent", `<iframe id=i srcdoc="<form novalidate onsubmit='return false'><input name=mail required></form>"></iframe><button id=b onclick="i.contentDocument.forms[0].requestSubmit()">Send</button>`, false},
	{"sent after a check", `<form id=s novalidate onsubmit="event.preventDefault()"><input id=f name=mail required><button id=b onclick="s.checkValidity()">Send</button></form>`, false},
	{"a tab that checks for show", `<form id=s><input id=f name=mail required></form><div id=b role=tab onclick="s.checkValidity()">Next</div>`, false},
	{"a checkbox that checks for show", `<form id=s><input id=f name=mail required><input type=checkbox id=b onclick="s.checkValidity()"></form>`, false},
	{"the blur of a field that checks it", `<input id=f name=mail required><button id=b>Other</button><script>f.onblur=()=>f.checkValidity();f.focus()</script>`, false},
	{"the focusout of a field that checks it", `<input id=f name=mail required><button id=b>Other</button><script>addEventListener('focusout',()=>f.checkValidity());f.focus()</script>`, false},
	{"nothing is checked", `<form id=s><input id=f name=mail required></form><button id=b>Other</button>`, false},
}

func TestPressThatFindsAFieldInvalid(t *testing.T) {
	for _, tt := range invalidPages {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			_, err := p.Press(ctx, css("#b"), driver.PressOptions{})
			if !tt.fails {
				if err != nil {
					t.Error(err)
				}
				return
			}
			e := wantCode(t, err, diag.StepFailed, "the form was not sent: mail")
			if e.Details["field"] != "mail" || e.Details["reason"] == "" {
				t.Errorf("details %v, want the field and its reason", e.Details)
			}
		})
	}
}

func TestEnterThatFindsAFieldInvalid(t *testing.T) {
	tests := []struct {
		name, html string
		fails      bool
	}{
		{"requestSubmit", `<form id=s><input id=f name=mail required></form><script>f.onkeydown=(e)=>{e.preventDefault();s.requestSubmit()}</script>`, true},
		{"fields in shadow trees of their own", `<div id=a></div><button id=f>Save</button><script>
			const g=a.attachShadow({mode:'open'});g.innerHTML='<input name=mail required>';f.onkeydown=(e)=>{if(e.key==='Enter')g.firstChild.reportValidity()}</script>`, true},
		{"checkValidity outside of a form", `<input id=f name=mail required onkeydown="f.checkValidity()">`, true},
		{"in a timer", `<input id=f name=mail required onkeydown="setTimeout(()=>f.checkValidity())">`, true},
		{"implicit submit", `<form><input id=f name=mail required></form>`, true},
		{"implicit submit with a button", `<form><input id=f name=mail required><button>Send</button></form>`, true},
		{"a button with requestSubmit", `<form id=s><input name=mail required></form><button id=f onclick="s.requestSubmit()">Send</button>`, true},
		{"sent", `<form novalidate onsubmit="event.preventDefault()"><input id=f name=mail required></form>`, false},
		{"nothing is checked", `<input id=f name=mail required>`, false},
	}
	for _, tt := range testkit.Some(t, "rows", 2, tests) {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			target := css("#f")
			_, err := p.Key(ctx, &target, "Enter", 1)
			if !tt.fails {
				if err != nil {
					t.Error(err)
				}
				return
			}
			e := wantCode(t, err, diag.StepFailed, "the form was not sent: mail")
			if e.Details["field"] != "mail" || e.Details["reason"] == "" {
				t.Errorf("details %v, want the field and its reason", e.Details)
			}
		})
	}
}

// Any key may submit a form, also when it is typed or held.
func TestKeyThatFindsAFieldInvalid(t *testing.T) {
	const form = `<form id=s><input id=f name=mail required><input id=g name=note><button>Send</button></form>`
	const command = form + `<script>addEventListener('keydown',(e)=>{if(e.key==='s'||e.key==='F9'){e.preventDefault();s.requestSubmit()}})</script>`
	const shown = form + `<script>for (const type of ['input','keyup','change']) addEventListener(type,()=>s.checkValidity())</script>`
	key := func(name string) func(context.Context, *Page) error {
		return func(ctx context.Context, p *Page) error { _, err := p.Key(ctx, ptr(css("#g")), name, 1); return err }
	}
	typed := func(text string) func(context.Context, *Page) error {
		return func(ctx context.Context, p *Page) error { _, err := p.Type(ctx, ptr(css("#g")), text, 0); return err }
	}
	held := func(ctx context.Context, p *Page) error {
		if err := key("End")(ctx, p); err != nil {
			return err
		}
		_, err := p.HoldKey(ctx, "Enter", true)
		return err
	}
	tests := []struct {
		name, html string
		do         func(context.Context, *Page) error
		fails      bool
	}{
		{"a command", command, key("Control+s"), true},
		{"a function key", command, key("F9"), true},
		{"a command with live checks", command + `<script>g.onkeyup=()=>f.checkValidity()</script>`, key("Control+b"), false},
		{"Enter at the end of a text", form, typed("ann\n"), true},
		{"Enter in a text", form, typed("ann\nb"), true},
		{"Enter that is held", form, held, true},

		{"a text with live checks", shown, typed("ann"), false},
		{"lines with live checks", form + `<script>g.outerHTML='<textarea id=g></textarea>';for (const type of ['input','keyup']) g.addEventListener(type,()=>s.checkValidity())</script>`, typed("a\nb"), false},
		{"a command that pastes", shown, key("Control+v"), false},
		{"a key with live checks", shown, key("a"), false},
		{"a space with live checks", shown, key(" "), false},
		{"a command whose handler disables the button that has the focus", `<button id=g onkeydown="g.disabled=true">Save</button>`, key("Control+s"), false},
		{"a text that is sent", `<form onsubmit="event.preventDefault()"><input id=g></form>`, typed("ann\n"), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			err := tt.do(ctx, p)
			if !tt.fails {
				if err != nil {
					t.Error(err)
				}
				return
			}
			wantCode(t, err, diag.StepFailed, "the form was not sent: mail")
		})
	}
}

// A check that the page makes because of a change is only for display, even if Enter triggers the
// change event.
func TestEnterThatReportsAChange(t *testing.T) {
	ctx, p := show(t, `<input id=f name=mail type=email onchange="window.changed=1;f.checkValidity()">`)
	target := css("#f")
	if _, err := p.Type(ctx, &target, "x", 0); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Key(ctx, &target, "Enter", 1); err != nil {
		t.Error(err)
	}
	if v := evaluate(t, ctx, p, "window.changed"); v != 1.0 {
		t.Fatalf("changed is %v, want 1", v)
	}
}
