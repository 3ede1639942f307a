package engine

import (
	"strings"
	"testing"
)

// long is a timeout that a passing test never waits out, in ms.
const long = 20000

// ready returns when the engine is waiting: the call has begun once a later call is answered.
func (p *tab) ready() {
	p.t.Helper()
	p.call("info", nil)
}

func TestActWaits(t *testing.T) {
	tests := []struct {
		name, page, op, id string
		change             string
	}{
		{"appears", `<div id=root></div>`, "press", "#b", `root.innerHTML = '<button id=b>B</button>'`},
		{"becomes visible", `<button id=b hidden>B</button>`, "press", "#b", `b.hidden = false`},
		{"becomes enabled", `<button id=b disabled>B</button>`, "press", "#b", `b.disabled = false`},
		{"becomes enabled by a property of its fieldset", `<fieldset id=f disabled><button id=b>B</button></fieldset>`, "press", "#b", `f.disabled = false`},
		{"mask goes", `<button id=b>B</button><div id=m style="position:fixed;inset:0"></div>`, "press", "#b", `m.remove()`},
		{"by CSS only", `<style id=s>#b{display:none}</style><button id=b>B</button>`, "press", "#b", `s.sheet.deleteRule(0)`},
		{"in a shadow root", `<div id=h></div>`, "press", "#b", `h.attachShadow({mode:'open'}).innerHTML = '<button id=b>B</button>'`},
		{"readonly goes", `<input id=b readonly>`, "fill", "#b", `b.readOnly = false`},
		{"becomes editable", `<div id=b>x</div>`, "fill", "#b", `b.contentEditable = true`},
		{"second match goes", `<button id=b class=c>B</button><button id=c class=c>C</button>`, "press", ".c", `c.remove()`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := open(t, tt.page)
			c := p.start("act", request(tt.op, query(css(tt.id)), "timeout", long, "value", "v"))
			p.ready()
			p.eval(tt.change + `, 0`)
			if res := p.finish(c); res["ok"] != true {
				t.Errorf("act: %s", str(res))
			}
		})
	}
}

func TestActWaitsForAnimation(t *testing.T) {
	p := open(t, `<style>@keyframes in{from{transform:translateX(400px)}to{transform:none}}
	#d{width:200px;animation:in .3s linear} #spin{width:50px;height:50px;animation:fade 1s infinite alternate} @keyframes fade{to{opacity:.5}}</style>
	<div id=d><button id=b>OK</button></div><button id=spin>S</button>`)
	res := p.call("act", request("press", query(css("#b")), "timeout", long))
	if res["ok"] != true {
		t.Fatalf("act: %s", str(res))
	}
	if got := p.eval(`d.getAnimations().filter(a => a.playState === 'running').length`); got != 0.0 {
		t.Errorf("%v animations still run", got)
	}
	p.mouse(res["point"], "left", 1)
	if back := p.call("pressed", object{"wait": 5000}); back["reached"] != true {
		t.Errorf("pressed: %s", str(back))
	}
	if res := p.call("act", request("press", query(css("#spin")), "timeout", long)); res["ok"] != true {
		t.Errorf("an endless animation that does not move: %s", str(res))
	}
}

func TestActFailures(t *testing.T) {
	p := open(t, `<button id=a class=x>One</button><div class=bar><button id=b class=x>Two</button></div><button class=x hidden>Three</button>
	<label for=i>Amount</label><input id=i data-testid=amount>`)
	tests := []struct {
		name  string
		req   object
		want  string
		wants string // a part of the result
	}{
		{"none", request("press", query(css("#zzz"))), "none", ""},
		{"none with the role's names", request("press", query(role("button", named("Tow")))), "none", `button#b.x \"Two\"`},
		{"none with like text", request("press", query(text("one"))), "none", "button#a"},
		{"none with the names of an alias's primary", request("press", query(alias("a", role("button", named("Tow")), css("#zzz")))), "none", `button#b.x \"Two\"`},
		{"none with labels", request("fill", query(label("Amuont"))), "none", "Amount"},
		{"ambiguous", request("press", query(css(".x"))), "ambiguous", `in <div.bar>`},
		{"ambiguous after a while", request("press", query(css(".x")), "timeout", long), "ambiguous", `"count":2`},
		{"not strict", request("press", query(css(".x")), "strict", false), "", `"count":3`},
		{"bad css", request("press", query(css("div["))), "selector", "div["},
		{"bad xpath", request("press", query(part{"kind": "xpath", "value": "//["})), "selector", "//["},
		{"bad pattern", request("press", query(with(text("("), "op", "~"))), "selector", "Unterminated"},
		{"ref", request("press", query(part{"kind": "ref", "value": "e1", "index": 99})), "stale", ""},
		{"heading is never a field", request("fill", query(css(".bar")), "timeout", long, "value", "x"), "op", "not a field"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := p.sub(t)
			res := p.call("act", tt.req)
			reason, _ := res["reason"].(string)
			if reason != tt.want || !strings.Contains(unescaped(res), tt.wants) {
				t.Errorf("got %s, want %s with %s", unescaped(res), tt.want, tt.wants)
			}
		})
	}
}

// unescaped is str with angle brackets as they are.
func unescaped(v any) string {
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(str(v))
}

func TestStates(t *testing.T) {
	p := open(t, `<p id=p>Hello there</p><p id=h hidden>x</p><button id=d disabled>D</button><input id=c type=checkbox checked><label id=l for=c>C</label>`)
	tests := []struct {
		name, id, state, text string
		want                  string
	}{
		{"visible", "#p", "visible", "", "ok"},
		{"default", "#p", "", "", "ok"},
		{"visible with text", "#p", "visible", "lo th", "ok"},
		{"other text", "#p", "visible", "Bye", `state its text is "Hello there"`},
		{"visible is hidden", "#h", "visible", "", "state display: none"},
		{"visible is absent", "#z", "visible", "", "none"},
		{"hidden", "#h", "hidden", "", "ok"},
		{"hidden when absent", "#z", "hidden", "", "ok"},
		{"hidden is visible", "#p", "hidden", "", "state it is still visible"},
		{"hidden with text of another", "#p", "hidden", "Bye", "ok"},
		{"attached", "#h", "attached", "", "ok"},
		{"detached", "#z", "detached", "", "ok"},
		{"detached is there", "#h", "detached", "", "state it is still there"},
		{"disabled", "#d", "disabled", "", "ok"},
		{"enabled is disabled", "#d", "enabled", "", "state disabled"},
		{"enabled", "#p", "enabled", "", "ok"},
		{"checked", "#c", "checked", "", "ok"},
		{"checked by label", "#l", "checked", "", "ok"},
		{"unchecked is checked", "#c", "unchecked", "", "state it is checked"},
		{"checked is no checkbox", "#p", "checked", "", "state it is not a checkbox, radio button or switch"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := p.sub(t)
			res := p.call("act", request("none", query(css(tt.id)), "state", object{"state": tt.state, "text": tt.text}))
			got := "ok"
			if res["ok"] != true {
				got = strings.TrimSpace(res["reason"].(string) + " ")
				if d, ok := res["detail"].(string); ok {
					got += " " + d
				}
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func alias(name string, alts ...part) part {
	list := []object{}
	for _, a := range alts {
		list = append(list, object{"source": str(a["value"]), "parts": []object{a}})
	}
	return part{"kind": "alias", "alias": name, "alts": list}
}

func TestAliases(t *testing.T) {
	p := open(t, `<div id=new><button class=ok id=n>New</button></div><div id=old><button class=ok id=o>Old</button></div><p id=hid hidden>x</p><div id=flat><div style="position:fixed;top:200px"><button class=ok id=fl>Flat</button></div></div>`)
	tests := []struct {
		name  string
		req   object
		want  string // desc of the element, or the reason
		index any
	}{
		{"primary", request("press", query(alias("a", css("#new"), css("#old")), css(".ok"))), `<button#n.ok "New">`, 0.0},
		{"fallback at once without grace", request("press", query(alias("a", css("#gone"), css("#old")), css(".ok"))), `<button#o.ok "Old">`, 1.0},
		{"fallback owes grace", request("press", query(alias("a", css("#gone"), css("#old")), css(".ok")), "grace", 300), "none", nil},
		{"grace was spent in earlier documents", request("press", query(alias("a", css("#gone"), css("#old")), css(".ok")), "grace", 300, "elapsed", 301), `<button#o.ok "Old">`, 1.0},
		{"fallback after grace", request("press", query(alias("a", css("#gone"), css("#old")), css(".ok")), "grace", 50, "timeout", long), `<button#o.ok "Old">`, 1.0},
		{"preferred fallback owes none", request("press", query(with(alias("a", css("#gone"), css("#old")), "prefer", 1), css(".ok")), "grace", 300), `<button#o.ok "Old">`, 1.0},
		{"preferred beside one before it", request("press", query(with(alias("a", css("#new"), css("#old")), "prefer", 1), css(".ok"))), `<button#n.ok "New">`, 0.0},
		{"preferred that is gone", request("press", query(with(alias("a", css("#new"), css("#gone")), "prefer", 1), css(".ok"))), `<button#n.ok "New">`, 0.0},
		{"hidden primary gives way", request("press", query(alias("a", css("#hid"), css("#o")))), `<button#o.ok "Old">`, 1.0},
		{"all hidden is reported as such", request("press", query(alias("a", css("#zzz"), css("#hid")))), "missing", nil},
		{"empty container with visible content", request("press", query(alias("a", css("#flat"), css("#old")), css(".ok"))), `<button#fl.ok "Flat">`, 0.0},
		{"hidden wants all gone", request("none", query(alias("a", css("#zzz"), css("#old"))), "state", object{"state": "hidden"}), "state", nil},
		{"hidden with all gone", request("none", query(alias("a", css("#zzz"), css("#hid"))), "state", object{"state": "hidden"}), "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := p.sub(t)
			res := p.call("act", tt.req)
			got, _ := res["reason"].(string)
			if el, ok := res["el"].(object); ok && res["ok"] == true {
				got, _ = el["desc"].(string)
			}
			if got != tt.want {
				t.Fatalf("got %s, want %s (%s)", got, tt.want, unescaped(res))
			}
			var index any
			if won, ok := res["won"].([]any); ok && len(won) == 1 && res["ok"] == true {
				index = won[0].(object)["index"]
			}
			if index != tt.index {
				t.Errorf("winner %v, want %v", index, tt.index)
			}
		})
	}
}

func TestCancel(t *testing.T) {
	p := open(t, `<p>x</p>`)
	for fn, arg := range map[string]object{
		"act":        request("press", query(css("#never")), "timeout", long, "id", 7),
		"waitText":   {"text": "never", "timeout": long, "id": 7},
		"waitStable": {"quiet": long, "timeout": long, "id": 7},
		"extract":    {"query": query(css("#never")), "fields": []object{}, "timeout": long, "id": 7},
	} {
		c := p.start(fn, arg)
		p.call("cancel", object{"id": 7})
		if res := p.finish(c); res["reason"] != "cancelled" {
			t.Errorf("%s: %s, want cancelled", fn, str(res))
		}
	}
}

func TestWaitText(t *testing.T) {
	p := open(t, `<p id=p hidden>All <b>done</b></p><p id=up style="text-transform:uppercase">loud</p>`)
	c := p.start("waitText", object{"text": "All  done", "timeout": long, "id": 1})
	p.ready()
	p.eval(`p.hidden = false`)
	if res := p.finish(c); res["ok"] != true {
		t.Errorf("waitText: %s", str(res))
	}
	if res := p.call("waitText", object{"text": "LOUD", "timeout": 0, "id": 1}); res["ok"] != true {
		t.Errorf("transformed text: %s", str(res))
	}
	if res := p.call("waitText", object{"text": "nope", "timeout": 0, "id": 1}); res["ok"] != false || !strings.Contains(str(res["seen"]), "All done") {
		t.Errorf("absent text: %s", str(res))
	}
}

func TestWaitStable(t *testing.T) {
	p := open(t, `<p id=p>x</p><div id=busy aria-busy=true>Loading</div>`)
	if res := p.call("waitStable", object{"quiet": 0, "timeout": 50, "id": 1}); res["reason"] != "busy" || !strings.Contains(str(res["seen"]), "busy") {
		t.Errorf("busy page: %s", str(res))
	}
	p.eval(`busy.remove()`)
	if res := p.call("waitStable", object{"quiet": 50, "timeout": long, "id": 1}); res["ok"] != true {
		t.Errorf("quiet page: %s", str(res))
	}
	p.eval(`window.timer = setInterval(() => p.textContent = Math.random(), 1), 0`)
	if res := p.call("waitStable", object{"quiet": 1000, "timeout": 100, "id": 1}); res["reason"] != "changing" {
		t.Errorf("changing page: %s", str(res))
	}
}
