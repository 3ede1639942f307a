package engine

import (
	"strings"
	"testing"
)

// pressNeeds lists the readiness that a click requires.
var pressNeeds = []string{"visible", "stable", "enabled", "hit"}

// request returns an act on one element with one attempt.
func request(op string, q object, kv ...any) object {
	r := object{"query": q, "strict": true, "timeout": 0, "id": 1, "op": object{"name": op}}
	switch op {
	case "press", "check":
		r["need"] = pressNeeds
	case "point":
		r["need"] = []string{"visible", "stable", "hit"}
	case "fill", "type":
		r["need"] = []string{"visible", "enabled", "editable"}
	case "select":
		r["need"] = []string{"visible", "enabled"}
	}
	for i := 0; i < len(kv); i += 2 {
		switch k := kv[i].(string); k {
		case "timeout", "grace", "elapsed", "strict", "need", "state", "id":
			r[k] = kv[i+1]
		default:
			r["op"].(object)[k] = kv[i+1]
		}
	}
	return r
}

const readyPage = `
<style>.box{width:100px;height:30px} .vh{position:absolute;opacity:0;width:0;height:0}</style>
<button id=ok>OK</button>
<button id=dis disabled><span id=inner>Stop</span></button>
<fieldset disabled id=fs><legend><button id=leg>Legend</button></legend><input id=fsin></fieldset>
<div aria-disabled=true id=ad><button id=adb>Aria</button></div>
<style>.is-disabled,.barred{cursor:not-allowed}</style>
<ul><li class="item is-disabled"><span id=cdis>Archive</span></li><li class="item disabled" id=cmark>Copy</li><li class="item barred" id=cbar>Move</li>
<li class="not-disabled barred" id=cnot>Print</li></ul>
<button id=none style="display:none">None</button><div style="display:none"><button id=nonein>In</button></div>
<button id=inv style="visibility:hidden">Inv</button><div id=zero></div>
<details id=det><summary id=sum>More</summary><button id=indet>Inside</button></details>
<div style="display:contents" id=cont><b>seen</b></div>
<button id=trans style="opacity:0">Ghost</button>
<input id=ro readonly value=x><input id=aro aria-readonly=true><textarea id=ta></textarea>
<div inert id=inertbox><button id=inert>Inert</button></div>
<div style="position:relative" class=box><button id=cov class=box>Covered</button><div class=mask style="position:absolute;inset:0"></div></div>
<div style="position:relative" class=box><button id=lcov>Under dialog</button><dialog open id=dlg style="margin:0;padding:0;inset:0;position:absolute;width:100px;height:30px;overflow:hidden"><p>Hello</p></dialog></div>
<div style="position:relative" class=box><button id=wcov class=box>Under a wrap</button><div class=wrap style="position:absolute;inset:0"><div role=dialog style="position:absolute;top:0;left:200px" aria-label="Edit &quot;user&quot;">Name</div></div></div>
<div style="position:relative" class=box><button id=dcov class=box>Under a dimmed page</button><div><div class=dim style="position:absolute;inset:0"></div><section role=dialog style="position:absolute;top:0;left:200px"><h2>Filter</h2><p>by name</p></section></div></div>
<div style="position:relative" class=box><button id=tcov class=box>Under words</button><div><div class=words style="position:absolute;inset:0">Wait</div><section role=dialog style="position:absolute;top:0;left:200px">Other</section></div></div>
<div style="position:relative" class=box role=dialog aria-label=Own><button id=ocov class=box>Covered in a dialog</button><div class=spin style="position:absolute;inset:0"></div></div>
<button id=pe><span id=pespan style="pointer-events:none">Through</span></button>
<button id=pen style="pointer-events:none">No events</button>
<label><input id=tog type=checkbox class=vh> <a href=#x id=terms>terms</a> <span>accept</span></label>
<label id=tlab><input id=tog2 type=radio name=r class=vh><i id=slider style="display:inline-block" class=box></i></label>
<input id=lonely type=checkbox style="display:none">
<div style="height:3000px"></div><button id=below>Below</button><div style="height:1000px"></div>
<div id=scroller style="height:100px;overflow:auto"><div style="height:500px"></div><button id=inscroll>Deep</button></div>
<header style="position:fixed;top:0;left:0;right:0;height:1px"></header>`

func TestActReady(t *testing.T) {
	p := open(t, readyPage)
	tests := []struct {
		name string
		op   string
		id   string
		want string // "" for success, else "missing: detail"
	}{
		{"ready", "press", "#ok", ""},
		{"disabled", "press", "#dis", "enabled: disabled"},
		{"text in a disabled button", "press", "#inner", "enabled: disabled by <button#dis>"},
		{"fieldset", "fill", "#fsin", "enabled: fieldset disabled: <fieldset#fs>"},
		{"legend of a disabled fieldset", "press", "#leg", ""},
		{"aria-disabled ancestor", "press", "#adb", "enabled: aria-disabled ancestor <div#ad>"},
		{"disabled by a class and a cursor", "press", "#cdis", "enabled: class is-disabled and cursor: not-allowed$"},
		{"a class alone does not disable", "press", "#cmark", ""},
		{"a cursor alone does not disable", "press", "#cbar", ""},
		{"a class that denies it", "press", "#cnot", ""},
		{"display none", "press", "#none", "visible: display: none"},
		{"display none around", "press", "#nonein", "visible: display: none of <div"},
		{"visibility", "press", "#inv", "visible: visibility: hidden"},
		{"zero size", "press", "#zero", "visible: zero size"},
		{"closed details", "press", "#indet", "visible: inside closed <details#det>"},
		{"summary of closed details", "press", "#sum", ""},
		{"display contents", "press", "#cont", ""},
		{"opacity 0 is visible", "press", "#trans", ""},
		{"readonly", "fill", "#ro", "editable: readonly"},
		{"aria-readonly", "fill", "#aro", "editable: aria-readonly"},
		{"inert", "press", "#inert", "enabled: inert: <div#inertbox>"},
		{"covered", "press", "#cov", "hit: covered by <div class=mask>$"},
		{"covered by a dialog, named by it", "point", "#lcov", `hit: covered by <dialog#dlg>, of the dialog "Hello"$`},
		{"covered by what is around a dialog", "press", "#wcov", `hit: covered by <div class=wrap>, of the dialog "Edit \"user\""$`},
		{"covered by what a dialog dims the page with", "press", "#dcov", `hit: covered by <div class=dim>, of the dialog "Filter"$`},
		{"covered by words beside a dialog", "press", "#tcov", "hit: covered by <div class=words>$"},
		{"covered in its own dialog", "press", "#ocov", "hit: covered by <div class=spin>$"},
		{"text through which events fall", "press", "#pespan", ""},
		{"takes no events", "press", "#pen", "hit: pointer-events: none"},
		{"hidden checkbox through its label", "press", "#tog", ""},
		{"hidden radio through what is drawn", "press", "#tog2", ""},
		{"hidden checkbox without a label", "press", "#lonely", "visible: display: none"},
		{"below the fold", "press", "#below", ""},
		{"scrolled away in a box", "press", "#inscroll", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := p.sub(t)
			got := verdict(p.call("act", request(tt.op, query(css(tt.id)), "value", "x")))
			whole, exact := strings.CutSuffix(tt.want, "$")
			if tt.want == "" && got != "ok" || !strings.HasPrefix(got, whole) || exact && got != whole {
				t.Errorf("act %s on %s: %s, want %q", tt.op, tt.id, got, tt.want)
			}
			p.call("pressed", object{"wait": 0})
		})
	}
}

// verdict returns the outcome of an act as a short text.
func verdict(res object) string {
	if res["ok"] == true {
		return "ok"
	}
	switch res["reason"] {
	case "missing":
		return str(res["missing"])[1:len(str(res["missing"]))-1] + ": " + res["detail"].(string)
	case "op":
		return "op: " + res["message"].(string)
	}
	return str(res)
}

func TestPressHits(t *testing.T) {
	p := open(t, readyPage)
	p.eval(`document.addEventListener('click', e => { window.hits = (window.hits || '') + (e.target.id || e.target.tagName) + ' ' }, true)`)
	tests := []struct{ name, id, want string }{
		{"button", "#ok", "ok "},
		{"sticky header", "#below", "below "},
		{"inner scroller", "#inscroll", "inscroll "},
		{"label, not the link in it", "#tog", "LABEL tog "},
		{"drawn slider", "#tog2", "slider tog2 "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := p.sub(t)
			p.eval(`window.hits = ''`)
			res := p.call("act", request("press", query(css(tt.id))))
			if res["ok"] != true {
				t.Fatalf("act: %s", str(res))
			}
			p.mouse(res["point"], "left", 1)
			back := p.call("pressed", object{"wait": 5000})
			if back["reached"] != true || back["missed"] != nil {
				t.Errorf("pressed: %s", str(back))
			}
			if got := p.eval(`window.hits`); got != tt.want && !(tt.id == "#tog" && strings.HasSuffix(got.(string), "tog ") && !strings.Contains(got.(string), "terms")) {
				t.Errorf("clicks reached %q, want %q", got, tt.want)
			}
		})
	}
}

// An element that is scrolled under a sticky header cannot be hit there.
func TestPressUnderStickyHeader(t *testing.T) {
	p := open(t, `<header id=hd style="position:sticky;top:0;height:200px;background:red">Header</header><div style="height:500px"></div>
	<button id=b style="height:40px" onclick="window.hit=1">B</button><div style="height:3000px"></div>`)
	p.eval(`scrollTo(0, 640)`)
	res := p.call("act", request("press", query(css("#b"))))
	if res["ok"] != true {
		t.Fatalf("act: %s", str(res))
	}
	p.mouse(res["point"], "left", 1)
	if back := p.call("pressed", object{"wait": 5000}); back["reached"] != true || p.eval(`window.hit`) != 1.0 {
		t.Errorf("pressed: %s", str(back))
	}
}

// A press that was armed but never sent must not stop later events.
func TestPressNotSent(t *testing.T) {
	p := open(t, `<button id=a>A</button><button id=b onclick="this.textContent='hit'">B</button>`)
	p.call("act", request("press", query(css("#a"))))
	box := p.call("act", request("read", query(css("#b")), "what", "box"))["value"].(object)
	p.mouse(object{"x": box["x"].(float64) + 5, "y": box["y"].(float64) + 5}, "left", 1)
	if got := p.eval(`b.textContent`); got != "hit" {
		t.Errorf("the button shows %v, want it hit", got)
	}
}

func TestPressGuard(t *testing.T) {
	const page = `<style>button{position:absolute;left:50px;top:50px;width:100px;height:40px}</style>
	<button id=a onmouseover="b.style.zIndex=2" onclick="log('a')" style="z-index:1">A</button>
	<button id=b onmousedown="log('b down')" onclick="log('b')">B</button>
	<script>window.out=''; function log(s){ out += s + ' ' }
	for (const e of ['pointerdown','mousedown','pointerup','mouseup','click']) window.addEventListener(e, () => log('late ' + e));</script>`
	p := open(t, page)
	res := p.call("act", request("press", query(css("#a"))))
	p.mouse(res["point"], "left", 1)
	back := p.call("pressed", object{"wait": 5000})
	if back["reached"] != false || back["down"] != false || !strings.Contains(str(back["missed"]), "button#b") {
		t.Errorf("pressed: %s, want missed by b", str(back))
	}
	if got := p.eval(`out`); got != "" {
		t.Errorf("the page saw %q, want nothing", got)
	}
	p.eval(`a.onmouseover = null; b.style.zIndex = 0`)
	res = p.call("act", request("press", query(css("#a"))))
	p.mouse(res["point"], "left", 1)
	if back := p.call("pressed", object{"wait": 5000}); back["reached"] != true {
		t.Errorf("second press: %s, want reached", str(back))
	}
	p.eval(`out = ''`)
	p.mouse(res["point"], "left", 1)
	if got := p.eval(`out`); !strings.Contains(got.(string), "a ") {
		t.Errorf("unarmed press gave %q, want the page to see it", got)
	}
}

func TestPressOutcomes(t *testing.T) {
	const page = `<style>*{margin:0} button,div{display:block;width:200px;height:30px}</style>
	<button id=rm onclick="this.remove()">Remove</button>
	<button id=rmdown onmousedown="this.remove()">Remove on down</button>
	<button id=shift onmousedown="this.style.marginTop='100px'">Shift</button>
	<form id=f onsubmit="event.preventDefault();window.sent=1"><input id=req required aria-label=Amount><button id=go>Go</button></form>
	<form id=g novalidate onsubmit="event.preventDefault()"><input required><button id=gono>Go</button></form>
	<form id=h onsubmit="event.preventDefault()"><input required><button id=own onclick="this.form.checkValidity();event.preventDefault()">Go</button></form>
	<input type=checkbox id=chk><input type=checkbox id=stuck onclick="event.preventDefault()">
	<div id=sw role=switch aria-checked=false tabindex=0 onclick="setTimeout(()=>this.setAttribute('aria-checked',true))">S</div>
	<div id=rail onpointerup="window.railUp=1"><i id=thumb style="display:block;height:20px" onpointerdown="rail.setPointerCapture(event.pointerId)">T</i></div>
	<button id=dbl ondblclick="this.textContent='twice'">Double</button>
	<button id=ctx oncontextmenu="event.preventDefault();this.textContent='menu'">Context</button>`
	p := open(t, page)
	tests := []struct {
		name, op, id string
		kv           []any
		want         object
	}{
		{"removed by its click", "press", "#rm", nil, object{"reached": true, "gone": true}},
		{"removed on mouse down", "press", "#rmdown", nil, object{"reached": true, "gone": true}},
		{"moves away on mouse down", "press", "#shift", nil, object{"reached": false, "down": true}},
		{"submit stopped by validation", "press", "#go", nil, object{"reached": true, "invalid": object{"field": "Amount", "desc": `<input#req "Amount">`, "reason": "Please fill out this field."}}},
		{"submit without validation", "press", "#gono", nil, object{"invalid": nil, "submitted": true}},
		{"validation by the page's own script", "press", "#own", nil, object{"invalid": object{"field": "<input>", "desc": "<input>", "reason": "Please fill out this field."}}},
		{"checkbox", "check", "#chk", []any{"on", true}, object{"checked": true}},
		{"checkbox that does not change", "check", "#stuck", []any{"on", true}, object{"reached": true, "checked": false}},
		{"switch that changes later", "check", "#sw", []any{"on", true}, object{"checked": true}},
		{"pointer captured by another element", "press", "#thumb", nil, object{"reached": true, "missed": nil}},
		{"double click", "press", "#dbl", []any{"count", 2}, object{"reached": true}},
		{"right click", "press", "#ctx", []any{"button", "right"}, object{"reached": true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := p.sub(t)
			req := request(tt.op, query(css(tt.id)), tt.kv...)
			res := p.call("act", req)
			if res["ok"] != true {
				t.Fatalf("act: %s", str(res))
			}
			op := req["op"].(object)
			button, count := "left", 1
			if b, ok := op["button"].(string); ok {
				button = b
			}
			if n, ok := op["count"].(int); ok {
				count = n
			}
			p.mouse(res["point"], button, count)
			back := p.call("pressed", object{"wait": 5000})
			for k, want := range tt.want {
				if str(back[k]) != str(want) {
					t.Errorf("%s is %s, want %s (in %s)", k, str(back[k]), str(want), str(back))
				}
			}
		})
	}
	if got := p.eval(`window.railUp`); got != 1.0 {
		t.Errorf("the element that captured the pointer saw no release")
	}
	for id, want := range map[string]string{"dbl": "twice", "ctx": "menu"} {
		if got := p.eval(id + ".textContent"); got != want {
			t.Errorf("%s shows %q, want %q", id, got, want)
		}
	}
	p.eval(`chk.disabled = true`) // a box that already has its state needs no readiness
	if res := p.call("act", request("check", query(css("#chk")), "on", true)); res["already"] != true {
		t.Errorf("second check: %s, want already", str(res))
	}
}
