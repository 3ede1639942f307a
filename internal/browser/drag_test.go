package browser

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

func place(selector string) driver.Place {
	t := within(css(selector), 700*time.Millisecond)
	return driver.Place{Target: &t}
}

// dragLog is a script that records what the page sees of a drag.
const dragLog = `window.log=[];
	for(const n of ['pointerdown','pointerup','pointercancel','mouseup','dragstart','drop','dragend'])
		addEventListener(n,e=>log.push(n+(e.isTrusted?'':'!')+(n==='dragend'?' '+e.dataTransfer.dropEffect:'')));`

// nativeLists are lists of draggable elements, by the HTML drag and drop API.
const nativeLists = `<style>li{height:30px;width:200px} ul{min-height:80px;width:220px;background:#eee}</style>
	<ul id=a><li id=one draggable=true>One</li><li id=two draggable=true>Two</li></ul><ul id=b></ul>
	<ul id=copies></ul><div id=no style="height:50px;width:200px">No</div><button id=k onclick="this.textContent='pressed'">K</button>
	<a id=link href="#x" style="display:inline-block;height:30px">A link</a>
	<script>` + dragLog + `
	addEventListener('dragstart',e=>{e.dataTransfer.setData('text/plain',e.target.id);if(e.target.id!=='link')e.dataTransfer.effectAllowed='move'});
	b.addEventListener('dragover',e=>{e.preventDefault();e.dataTransfer.dropEffect='move'});
	copies.addEventListener('dragover',e=>{e.preventDefault();e.dataTransfer.dropEffect='copy'});
	b.addEventListener('drop',e=>{e.preventDefault();b.append(document.getElementById(e.dataTransfer.getData('text/plain')))});
	</script>`

func TestDragNative(t *testing.T) {
	ctx, p := show(t, nativeLists)
	got, err := p.Drag(ctx, place("#one"), place("#b"))
	if err != nil {
		t.Fatal(err)
	}
	if !got.Native || !got.Changed || got.Desc != `<li#one "One">` || got.To.Role != "list" {
		t.Errorf("got %+v, want a drag of the browser that changed the page", got)
	}
	const want = "pointerdown,dragstart,pointercancel,drop,dragend move One"
	if log := evaluate(t, ctx, p, "log.join()+' '+b.innerText"); log != want {
		t.Errorf("the page saw %v, want %v", log, want)
	}
	// After that the page handles the mouse as usual.
	if _, err := p.Press(ctx, css("#k"), driver.PressOptions{}); err != nil {
		t.Errorf("a press after a drag: %v", err)
	}
	if _, err := p.Drag(ctx, place("#link"), place("#b")); err != nil {
		t.Errorf("a second drag, of a link: %v", err)
	}
}

func TestDragNativeRefused(t *testing.T) {
	for _, to := range []string{"#no", "#copies"} {
		t.Run(to, func(t *testing.T) {
			ctx, p := show(t, nativeLists)
			_, err := p.Drag(ctx, place("#two"), place(to))
			wantCode(t, err, diag.StepFailed, "refused the drop")
			if log := evaluate(t, ctx, p, "log.join()"); log != "pointerdown,dragstart,pointercancel,dragend none" {
				t.Errorf("the page saw %v, want a drag without a drop", log)
			}
			if _, err := p.Drag(ctx, place("#two"), place("#b")); err != nil {
				t.Errorf("a drag after it: %v", err)
			}
		})
	}
}

// pointerLists are sorted by pointer events, like those of common libraries: the drag starts after
// some pixels, and the element under the pointer decides.
const pointerLists = `<style>#l{width:200px} .i{height:40px;touch-action:none}</style>
	<div id=l><div class=i id=one>One</div><div class=i id=two>Two</div><div class=i id=three>Three</div></div>
	<script>` + dragLog + `
	let from=null,at=null;
	l.onpointerdown=e=>{if(!e.target.matches('.i'))return;at=[e.clientX,e.clientY];l.from=e.target;l.setPointerCapture(e.pointerId)};
	l.onpointermove=e=>{if(!l.from)return;
		if(!from&&Math.hypot(e.clientX-at[0],e.clientY-at[1])<5)return;
		from=l.from;from.style.pointerEvents='none';
		const over=document.elementFromPoint(e.clientX,e.clientY)?.closest('.i');
		if(over&&over!==from)over.getBoundingClientRect().top>from.getBoundingClientRect().top?over.after(from):over.before(from)};
	l.onpointerup=()=>{if(from)from.style.pointerEvents='';from=l.from=null};
	</script>`

func TestDragPointer(t *testing.T) {
	tests := []struct {
		name     string
		from, to driver.Place
	}{
		{"elements", place("#one"), place("#three")},
		{"points", driver.Place{Point: driver.Point{X: 50, Y: 28}}, driver.Place{Point: driver.Point{X: 50, Y: 108}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, pointerLists)
			got, err := p.Drag(ctx, tt.from, tt.to)
			if err != nil {
				t.Fatal(err)
			}
			if got.Native || !got.Changed {
				t.Errorf("got %+v, want pointer events that changed the page", got)
			}
			const want = "Two,Three,One pointerdown,pointerup,mouseup"
			if s := evaluate(t, ctx, p, "[...l.children].map(i=>i.textContent).join()+' '+log.join()"); s != want {
				t.Errorf("got %v, want %v", s, want)
			}
		})
	}
}

func TestDragElsewhere(t *testing.T) {
	tests := []struct{ name, html, from, to, done string }{
		{"a slider", `<input id=f type=range value=0 style="width:200px"><i id=t style="position:absolute;left:150px;top:8px;width:20px;height:20px"></i>`, "#f", "#t", "+f.value>50"},
		{"prevented by the page", `<div id=f draggable=true ondragstart="return false" style="height:30px">x</div><div id=t style="height:50px" onpointerup="window.up=1">y</div>`, "#f", "#t", "window.up===1"},
		{"far below", `<div id=f onpointerdown="window.down=1" style="height:30px">x</div><div style="height:3000px"></div><div id=t style="height:50px" onpointerup="window.up=1">y</div>`, "#f", "#t", "window.up===1&&window.down===1"},
		{"appears", `<div id=f style="height:30px">x</div><script>setTimeout(()=>document.body.insertAdjacentHTML('beforeend','<div id=t onpointerup="window.up=1" style="height:50px">y</div>'),60)</script>`, "#f", "#t", "window.up===1"},
		{"in a shadow root", `<x-y></x-y><script>customElements.define('x-y',class extends HTMLElement{constructor(){super();
			this.attachShadow({mode:'open'}).innerHTML='<div id=f style="height:30px">x</div><div id=t style="height:50px" onpointerup="window.up=1">y</div>'}})</script>`, "#f", "#t", "window.up===1"},
	}
	for _, tt := range testkit.Some(t, "rows", 2, tests) {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			if _, err := p.Drag(ctx, place(tt.from), place(tt.to)); err != nil {
				t.Fatal(err)
			}
			if ok := evaluate(t, ctx, p, tt.done); ok != true {
				t.Errorf("%s is %v, want true", tt.done, ok)
			}
		})
	}
}

// Drags within a frame, and out of a frame. Chromium does not let a drag leave a frame of another
// origin, not even for a person; that is an error.
func TestDragInFrames(t *testing.T) {
	testkit.Long(t)
	const inner = `<!doctype html><style>body{margin:0}</style><div id=one draggable=true style="height:30px">One</div><div id=b style="height:60px;background:#eee">b</div><script>
		addEventListener('dragstart',e=>e.dataTransfer.setData('text/plain','moved'));
		b.ondragover=e=>e.preventDefault();b.ondrop=e=>{e.preventDefault();b.textContent=e.dataTransfer.getData('text/plain')}</script>`
	const outer = `<!doctype html><div id=out style="width:200px;height:50px" ondragover="event.preventDefault()" ondrop="event.preventDefault();this.textContent='moved'">out</div>
		<iframe id=i src="%s/inner" style="margin:20px;width:200px;height:200px"></iframe>`
	other := strings.Replace(site(t, map[string]string{"/inner": inner}), "127.0.0.1", "localhost", 1)
	const within, out = "frame:css:#i >> css:#b", "css:#out"
	tests := []struct {
		name, frame, to string
		refused         bool
	}{
		{"within, same origin", "", within, false},
		{"within, other site", other, within, false},
		{"out, same origin", "", out, false},
		{"out, other site", other, out, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := newPage(t)
			url := site(t, map[string]string{"/": fmt.Sprintf(outer, tt.frame), "/inner": inner})
			if _, err := p.Open(ctx, url, driver.Load); err != nil {
				t.Fatal(err)
			}
			got, _, err := runStep(t, ctx, p, "drag", map[string]any{"from": "frame:css:#i >> css:#one", "to": tt.to})
			if tt.refused {
				wantCode(t, err, diag.StepFailed, "refused the drop")
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got["kind"] != "native" {
				t.Errorf("got %v, want a drag of the browser", got)
			}
			read, _, err := runStep(t, ctx, p, "get", map[string]any{"selector": tt.to, "what": "text"})
			if err != nil || read["text"] != "moved" {
				t.Errorf("the target shows %v, %v, want moved", read["text"], err)
			}
		})
	}
}

func TestDragWithoutEffectSaysSo(t *testing.T) {
	ctx, p := show(t, `<button id=f>x</button><div id=t style="height:50px">y</div>`)
	got, err := p.Drag(ctx, place("#f"), place("#t"))
	if err != nil {
		t.Fatal(err)
	}
	if got.Changed {
		t.Errorf("got %+v, want no change", got)
	}
}

func TestDragRefuses(t *testing.T) {
	const page = `<div id=f style="height:30px" onpointerdown="window.down=1">x</div><div id=t style="height:50px">y</div>`
	tests := []struct {
		name, more string
		from, to   driver.Place
		code       diag.Code
		text       string
	}{
		{"no target", "", place("#f"), place("#zzz"), diag.ElementNotFound, "#zzz"},
		{"nothing to take", "", place("#zzz"), place("#t"), diag.ElementNotFound, "#zzz"},
		{"covered", `<div class=mask style="position:fixed;inset:0 0 auto 0;height:35px">m</div>`, place("#f"), place("#t"), diag.ElementNotInteractable, "covered by <div class=mask>"},
		{"hidden target", `<style>#t{display:none}</style>`, place("#f"), place("#t"), diag.ElementNotInteractable, "display"},
		{"outside", "", place("#f"), driver.Place{Point: driver.Point{X: 5000, Y: 10}}, diag.StepFailed, "outside the viewport"},
	}
	for _, tt := range testkit.Some(t, "rows", 2, tests) {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, page+tt.more)
			_, err := p.Drag(ctx, tt.from, tt.to)
			wantCode(t, err, tt.code, tt.text)
			if down := evaluate(t, ctx, p, "window.down===1"); down != false {
				t.Error("the button went down")
			}
			if len(p.hand.buttons) > 0 {
				t.Errorf("buttons %v are left down", p.hand.buttons)
			}
		})
	}
}

func TestDragIsCancelled(t *testing.T) {
	ctx, p := show(t, `<div id=f style="height:30px">x</div>`)
	ctx, cancel := context.WithCancel(ctx)
	to := css("#never")
	done := make(chan error)
	go func() {
		_, err := p.Drag(ctx, place("#f"), driver.Place{Target: &to})
		done <- err
	}()
	if err := p.WaitLoad(testContext(t), driver.Load); err != nil {
		t.Error(err)
	}
	cancel()
	wantCode(t, <-done, diag.Cancelled)
}

func TestHold(t *testing.T) {
	const page = `<button id=b>Hold</button><script>window.log=[];let timer;
		b.onpointerdown=()=>timer=setTimeout(()=>{log.push('long');b.insertAdjacentHTML('afterend','<div id=m style="position:fixed;inset:0">menu</div>')},100);
		addEventListener('pointerup',e=>log.push('up '+e.target.id))</script>`
	ctx, p := show(t, page)
	got, err := p.Hold(ctx, css("#b"), 300*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if log := evaluate(t, ctx, p, "log.join()"); log != "long,up m" || got.Name != "Hold" {
		t.Errorf("got %+v and %v, want a long press that ends on what came up", got, log)
	}
}

func TestHoldAt(t *testing.T) {
	ctx, p := show(t, `<style>body{margin:0}</style><div id=b style="height:100px">x</div><script>window.log=[];let from;
		b.onpointerdown=e=>{from=e.timeStamp;log.push('down '+e.clientX)};b.onpointerup=e=>log.push('up '+(e.timeStamp-from>=290));b.onclick=()=>log.push('click')</script>`)
	if _, err := p.HoldAt(ctx, driver.Point{X: 30, Y: 40}, 300*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if log := evaluate(t, ctx, p, "log.join()"); log != "down 30,up true,click" {
		t.Errorf("the page saw %v", log)
	}
	_, err := p.HoldAt(ctx, driver.Point{X: 30, Y: 99999}, time.Millisecond)
	wantCode(t, err, diag.StepFailed, "outside the viewport")
}

func TestHoldRefuses(t *testing.T) {
	tests := []struct {
		name, html string
		code       diag.Code
		text       string
	}{
		{"absent", ``, diag.ElementNotFound, "#b"},
		{"covered", `<button id=b>x</button><div class=mask style="position:fixed;inset:0">m</div>`, diag.ElementNotInteractable, "covered by <div class=mask>"},
		{"disabled", `<button id=b disabled>x</button>`, diag.ElementNotInteractable, "disabled"},
	}
	for _, tt := range testkit.Some(t, "rows", 2, tests) {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			_, err := p.Hold(ctx, within(css("#b"), 300*time.Millisecond), time.Millisecond)
			wantCode(t, err, tt.code, tt.text)
		})
	}
}

func TestHoldIsCancelled(t *testing.T) {
	ctx, p := show(t, `<button id=b onpointerdown="window.down=1">x</button>`)
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error)
	go func() {
		_, err := p.Hold(ctx, css("#b"), time.Hour)
		done <- err
	}()
	if _, err := p.WaitFunction(testContext(t), "window.down===1", nil); err != nil {
		t.Error(err)
	}
	cancel()
	wantCode(t, <-done, diag.Cancelled)
	if len(p.hand.buttons) > 0 {
		t.Errorf("buttons %v are left down", p.hand.buttons)
	}
}

func TestMouseByHand(t *testing.T) {
	ctx, p := show(t, pointerLists)
	move := func(x, y float64) {
		t.Helper()
		if _, err := p.MoveTo(ctx, driver.Point{X: x, Y: y}); err != nil {
			t.Fatal(err)
		}
	}
	move(50, 28)
	got, err := p.Button(ctx, "left", true)
	if err != nil || got.Desc != `<div#one.i "One">` || len(got.Held) != 1 {
		t.Fatalf("got %+v, %v, want the left button down on One", got, err)
	}
	_, err = p.Button(ctx, "left", true)
	wantCode(t, err, diag.StepFailed, "already down")
	move(50, 70)
	move(50, 110)
	move(50, 108)
	if got, err = p.Button(ctx, "left", false); err != nil || len(got.Held) != 0 {
		t.Fatalf("got %+v, %v, want no button down", got, err)
	}
	if s := evaluate(t, ctx, p, "[...l.children].map(i=>i.textContent).join()"); s != "Two,Three,One" {
		t.Errorf("order %v, want Two,Three,One", s)
	}
	_, err = p.Button(ctx, "left", false)
	wantCode(t, err, diag.StepFailed, "not down")
	_, err = p.MoveTo(ctx, driver.Point{X: -1, Y: 5})
	wantCode(t, err, diag.StepFailed, "outside the viewport")
}

// A native drag can also be made with MoveTo and Button, which report that it was refused.
func TestMouseByHandNative(t *testing.T) {
	for _, to := range []string{"b", "no"} {
		t.Run(to, func(t *testing.T) {
			ctx, p := show(t, nativeLists)
			box := func(id string) driver.Point {
				t.Helper()
				r, err := p.Read(ctx, css("#"+id), driver.ReadOptions{What: "box"})
				if err != nil {
					t.Fatal(err)
				}
				b := r.Value.(map[string]any)
				return driver.Point{X: b["x"].(float64) + 10, Y: b["y"].(float64) + 10}
			}
			from, target := box("one"), box(to)
			for _, at := range []driver.Point{from, {X: from.X + 3, Y: from.Y + 8}, target} {
				if _, err := p.MoveTo(ctx, at); err != nil {
					t.Fatal(err)
				}
				if len(p.hand.buttons) == 0 {
					if _, err := p.Button(ctx, "left", true); err != nil {
						t.Fatal(err)
					}
				}
			}
			_, err := p.Button(ctx, "left", false)
			if to == "no" {
				wantCode(t, err, diag.StepFailed, "refused the drop")
			} else if err != nil {
				t.Fatal(err)
			}
			const want = "pointerdown,dragstart,pointercancel"
			wants := map[string]string{"b": want + ",drop,dragend move One", "no": want + ",dragend none "}
			if log := evaluate(t, ctx, p, "log.join()+' '+b.innerText"); log != wants[to] {
				t.Errorf("the page saw %v, want %v", log, wants[to])
			}
		})
	}
}

func TestPressAtOutside(t *testing.T) {
	ctx, p := show(t, `<p>x</p>`)
	_, err := p.PressAt(ctx, driver.Point{X: 10, Y: 99999}, driver.PressOptions{})
	wantCode(t, err, diag.StepFailed, "outside the viewport")
}

func TestPressAtStoppedByValidation(t *testing.T) {
	ctx, p := show(t, `<form action=/sent><label>Mail <input name=mail required></label>
		<button style="position:fixed;left:0;top:100px;width:100px;height:50px"><b>Send</b></button></form>`)
	_, err := p.PressAt(ctx, driver.Point{X: 50, Y: 125}, driver.PressOptions{})
	wantCode(t, err, diag.StepFailed, "Mail")
}

// A hover ends when the element has seen the mouse, even if something opens over it then. Another
// test may have left the mouse over the button, so it is moved away first.
func TestHoverIsSeen(t *testing.T) {
	ctx, p := show(t, `<button id=b style="position:fixed;right:7px;bottom:7px">x</button><div id=m style="display:none;position:fixed;inset:0">menu</div>`)
	if _, err := p.MoveTo(ctx, driver.Point{X: 1, Y: 1}); err != nil {
		t.Fatal(err)
	}
	evaluate(t, ctx, p, "b.onpointerenter=()=>m.style.display='block'")
	if _, err := p.Hover(ctx, css("#b"), driver.PressOptions{}); err != nil {
		t.Fatal(err)
	}
	if shown := evaluate(t, ctx, p, "m.style.display"); shown != "block" {
		t.Errorf("the menu is %v, want block", shown)
	}
}

// A drag to a target that is out of view begins where the button goes down.
func TestDragToOutOfView(t *testing.T) {
	testkit.Long(t)
	const far = `<div style="height:3000px;width:9px"></div>`
	const lists = `<style>.b{width:90px;height:40px;background:#eee;margin:2px}</style>`
	const watch = `<script>window.log=[];addEventListener('dragstart',e=>{e.dataTransfer.setData('text/plain','x');log.push('start '+(e.target.id||e.target.parentNode.id))});
		addEventListener('dragend',e=>log.push('end'));
		for(const x of document.querySelectorAll('.to')){x.ondragover=e=>e.preventDefault();x.ondrop=e=>{e.preventDefault();log.push('drop '+x.id)}}</script>`
	const pixel = `data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7`
	tests := []struct{ name, html, from, to, log, says string }{
		{"below", `<div id=s class=b draggable=true>s</div>` + far + `<div id=t class="b to"></div>`, "#s", "#t", "start s,drop t,end", ""},
		{"above", `<div id=t class="b to"></div>` + far + `<div id=s class=b draggable=true>s</div>`, "#s", "#t", "start s,drop t,end", ""},
		{"at the left", `<div style="width:5000px;height:50px"></div><div id=t class="b to" style="margin-left:4000px"></div><div id=s class=b draggable=true style="width:20px">s</div>`, "#s", "#t", "start s,drop t,end", ""},
		{"in a box that scrolls", `<div style="height:200px;overflow:auto"><div id=s class=b draggable=true>s</div>` + far + `<div id=t class="b to"></div></div>`, "#s", "#t", "start s,drop t,end", ""},
		{"a link", `<a id=s href="#x">a link</a>` + far + `<div id=t class="b to"></div>`, "#s", "#t", "start s,drop t,end", ""},
		{"an image", `<img id=s width=60 height=60 src="` + pixel + `">` + far + `<div id=t class="b to"></div>`, "#s", "#t", "start s,drop t,end", ""},
		{"near", `<div id=s class=b draggable=true>s</div><div id=t class="b to"></div>`, "#s", "#t", "start s,drop t,end", ""},
		{"onto itself", `<div id=s class="b to" draggable=true>s</div>`, "#s", "#s", "start s,drop s,end", ""},
		{"that refuses it", `<div id=s class=b draggable=true>s</div>` + far + `<div id=t class=b></div>`, "#s", "#t", "start s,end", "refused the drop"},
		{"of what begins none", `<div id=s class=b draggable=true>s</div><div id=t class="b to"></div><script>s.onpointermove=()=>s.replaceWith(s)</script>`, "#s", "#t", "start s,drop t,end", ""},
	}
	ctx, p := show(t, "")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			url := site(t, map[string]string{"/": "<!doctype html>" + lists + tt.html + watch})
			if _, err := p.Open(ctx, url, driver.Load); err != nil {
				t.Fatal(err)
			}
			got, err := p.Drag(ctx, place(tt.from), place(tt.to))
			if tt.says != "" {
				wantCode(t, err, diag.StepFailed, tt.says)
			} else if err != nil || !got.Native {
				t.Errorf("got %+v, %v, want a drag of the browser", got, err)
			}
			if log := evaluate(t, ctx, p, "log.join()"); log != tt.log {
				t.Errorf("the page saw %v, want %v", log, tt.log)
			}
		})
	}
}

// Pages that drag by pointer events may continue to do so. Neither scrolling nor selected text
// counts as a change.
func TestDragChangesNothing(t *testing.T) {
	const far = `<div style="height:3000px"></div>`
	tests := []struct {
		name, html string
		changed    bool
	}{
		{"text", `<p id=s>some text</p><p id=t>more text</p>`, false},
		{"scrolled", `<p id=s style="user-select:none">some text</p>` + far + `<p id=t>more text</p>`, false},
		{"prevented", `<p id=s draggable=true ondragstart="return false">s</p>` + far + `<p id=t onpointerup="this.title=1">t</p>`, true},
		{"mousedown prevented", `<p id=s draggable=true onmousedown="event.preventDefault()">s</p>` + far + `<p id=t onpointerup="this.title=1">t</p>`, true},
		{"captured", `<p id=s onpointerdown="this.setPointerCapture(event.pointerId)" onpointerup="this.title=1">s</p>` + far + `<p id=t>t</p>`, true},
	}
	ctx, p := show(t, "")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			setContent(t, ctx, p, tt.html, "scrollTo(0, 0)")
			got, err := p.Drag(ctx, place("#s"), place("#t"))
			if err != nil || got.Native || got.Changed != tt.changed {
				t.Errorf("got %+v, %v, want changed %v", got, err, tt.changed)
			}
		})
	}
}
