package engine

import (
	"strings"
	"testing"
)

// Named elements shadow DOM properties of forms and of the document, in every world.
func TestClobbering(t *testing.T) {
	var names strings.Builder
	for _, n := range []string{"id", "className", "nodeType", "parentNode", "ownerDocument", "firstChild", "nextSibling", "childNodes", "children",
		"querySelectorAll", "querySelector", "getAttribute", "hasAttribute", "matches", "closest", "contains", "getRootNode", "localName", "tagName",
		"shadowRoot", "assignedSlot", "getBoundingClientRect", "getClientRects", "checkVisibility", "getAnimations", "scrollIntoView", "innerText",
		"textContent", "isConnected", "focus", "innerHTML", "compareDocumentPosition", "dispatchEvent", "addEventListener", "isContentEditable"} {
		names.WriteString(`<input hidden name=` + n + `>`)
	}
	var imgs strings.Builder
	for _, n := range []string{"body", "documentElement", "activeElement", "defaultView", "querySelectorAll", "getElementById", "elementFromPoint",
		"evaluate", "title", "readyState", "nodeType", "getSelection", "location2"} {
		imgs.WriteString(`<img name=` + n + `><form name=` + n + `></form>`)
	}
	p := open(t, `<div id=__action></div><a id=performance name=CSS></a><form id=f aria-label=Form onsubmit="event.preventDefault();window.sent=1">`+names.String()+
		`<label for=in>In</label><input id=in><button id=go>Go</button></form>`+imgs.String()+
		`<svg width=10 height=10><g><input type=checkbox></input><select><option>x</option></select><label for=in>In</label><textarea></textarea><slot></slot><button>Go</button><iframe></iframe></g></svg>
		<script>{ const g = document.querySelector('g'); for (const n of ['input','select','option','label','button','iframe','slot','textarea']) g.append(document.createElementNS('http://www.w3.org/2000/svg', n)) }
		for (const k of ['map','filter','some','find','push','includes']) Array.prototype[k] = () => { throw 1 };
		Element.prototype.querySelectorAll = Element.prototype.getBoundingClientRect = Document.prototype.querySelectorAll = () => { throw 1 };
		Promise.prototype.then = JSON.stringify = Function.prototype.apply = Function.prototype.call = () => { throw 1 };
		window.MutationObserver = window.requestAnimationFrame = window.setTimeout = () => { throw 1 };
		EventTarget.prototype.addEventListener = () => { throw 1 }; Event.prototype.composedPath = () => []</script>`)
	for name, q := range map[string]object{
		"css": query(css("#f > button")), "role": query(role("form"), role("button", named("Go"))), "text": query(text("Go")),
		"xpath": query(part{"kind": "xpath", "value": "//form[@id='f']/button"}), "has": query(css("form"), part{"kind": "has", "has": query(text("Go"))}, css("button")),
	} {
		res := p.call("act", request("press", q, "timeout", long))
		if res["ok"] != true {
			t.Fatalf("%s: %s", name, str(res))
		}
		p.mouse(res["point"], "left", 1)
		if back := p.call("pressed", object{"wait": 5000}); back["reached"] != true || back["submitted"] != true {
			t.Errorf("%s pressed: %s", name, str(back))
		}
	}
	if res := p.call("act", request("fill", query(label("In")), "value", "x")); res["mode"] != "insert" {
		t.Errorf("fill: %s", str(res))
	}
	p.insert("x")
	if back := p.call("held", object{"value": "x"}); back["same"] != true {
		t.Errorf("held: %s", str(back))
	}
	if res := p.call("find", object{"query": query(css("#f"))}); res["count"] != 1.0 {
		t.Errorf("find the form: %s", str(res))
	}
	if res := p.call("at", object{"x": 1, "y": 1}); res["desc"] == "" {
		t.Errorf("at: %s", str(res))
	}
	if res := p.call("waitText", object{"text": "Go", "timeout": 0}); res["ok"] != true {
		t.Errorf("waitText: %s", str(res))
	}
}

// document.open removes the listeners of the window.
func TestGuardAfterDocumentOpen(t *testing.T) {
	p := open(t, `<p>old</p>`)
	p.eval(`document.open(); document.write('<button id=a style="position:fixed;left:100px;top:100px;width:90px;height:40px" onmouseover="b.style.zIndex=2">A</button><button id=b style="position:fixed;left:100px;top:100px;width:90px;height:40px;z-index:-1" onclick="this.textContent=1">B</button>'); document.close()`)
	res := p.call("act", request("press", query(css("#a")), "timeout", long))
	if res["ok"] != true {
		t.Fatalf("act: %s", str(res))
	}
	p.mouse(res["point"], "left", 1)
	if back := p.call("pressed", object{"wait": 5000}); back["reached"] != false || back["missed"] == nil {
		t.Errorf("pressed: %s, want a miss", str(back))
	}
	if got := p.eval(`b.textContent`); got != "B" {
		t.Errorf("the other button was pressed")
	}
}

// A page may be nested deeper than a walk can go.
func TestDeepPage(t *testing.T) {
	p := open(t, `<button id=b>Shallow</button><script>let n = document.body; for (let i = 0; i < 3000; i++) { const d = document.createElement('b'); n.append(d); n = d } n.textContent = 'Bottom'</script>`)
	for _, q := range []object{query(css("#b")), query(text("Shallow")), query(role("button", named("Shallow")))} {
		if res := p.call("act", request("none", q)); res["ok"] != true {
			t.Errorf("%s: %s", str(q), str(res))
		}
	}
}

// The engine writes nothing into the page, and the page notices nothing of it.
func TestLeavesNoTrace(t *testing.T) {
	p := open(t, `<button id=b>B</button><input id=i>`)
	before := p.eval(`document.documentElement.outerHTML`)
	p.call("act", request("press", query(role("button", named("B")))))
	p.call("pressed", object{"wait": 0})
	p.call("act", request("fill", query(css("#i")), "value", "x"))
	p.call("held", object{"value": "x"})
	if after := p.eval(`document.documentElement.outerHTML`); after != before {
		t.Errorf("the page changed:\n%v\n%v", before, after)
	}
	if got := p.eval(`typeof __action + Object.getOwnPropertyNames(window).filter(n => n.includes('__action'))`); got != "undefined" {
		t.Errorf("the page sees %v", got)
	}
}

func TestFrames(t *testing.T) {
	p := openFiles(t, map[string]string{
		"/": `<style>iframe{border:5px solid;padding:3px;margin-top:700px}</style><iframe id=one src=/in></iframe>
			<iframe id=far sandbox srcdoc="<button>No</button>"></iframe>`,
		"/in":   `<p style="height:400px">tall</p><button id=b onclick="this.textContent='hit'">Inside</button><label>Name <input id=i></label><iframe id=two src=/deep></iframe>`,
		"/deep": `<button id=d onclick="this.textContent='hit'">Deep</button>`,
	})
	in := func(ps ...part) part { return part{"kind": "frame", "frame": query(ps...)} }
	for name, q := range map[string]object{
		"one":  query(in(css("#one")), role("button", named("Inside"))),
		"text": query(in(css("#one")), text("Inside")),
		"two":  query(in(css("#one")), in(css("iframe")), css("button")),
	} {
		p.eval(`one.contentWindow.b.textContent = 'Inside'; one.contentWindow.two.contentWindow.d.textContent = 'Deep'`)
		res := p.call("act", request("press", q, "timeout", long))
		if res["ok"] != true {
			t.Fatalf("%s: %s", name, str(res))
		}
		p.mouse(res["point"], "left", 1)
		if back := p.call("pressed", object{"wait": 5000}); back["reached"] != true {
			t.Errorf("%s pressed: %s", name, str(back))
		}
		got := p.eval(`[one.contentWindow.b.textContent, one.contentWindow.two.contentWindow.d.textContent].filter(s => s === 'hit').length`)
		if got != 1.0 {
			t.Errorf("%s: %v buttons were hit, want one", name, got)
		}
	}
	if res := p.call("act", request("fill", query(in(css("#one")), label("Name")), "value", "x")); res["mode"] != "insert" {
		t.Errorf("fill in a frame: %s", str(res))
	}
	p.insert("x")
	if back := p.call("held", object{"value": "x"}); back["same"] != true {
		t.Errorf("held in a frame: %s", str(back))
	}
	if res := p.call("act", request("press", query(in(css("#far")), css("button")))); res["reason"] != "enter" {
		t.Errorf("a frame of another origin: %s, want enter", str(res))
	}
	if res := p.call("act", request("press", query(in(css("#none")), css("button")))); res["reason"] != "none" {
		t.Errorf("absent frame: %s", str(res))
	}
}

func TestOthers(t *testing.T) {
	p := open(t, `<!doctype html><title>The title</title><meta name=app-version content="4.24.16"><body data-v="5.1"><button id=b hidden>B</button><input id=c type=checkbox checked><input id=r readonly><div>x</div>`)
	if res := p.call("info", nil); res["title"] != "The title" || res["ready"] != "complete" || !strings.HasPrefix(res["url"].(string), "http://127.0.0.1") {
		t.Errorf("info: %s", str(res))
	}
	if res := p.call("versionFrom", object{"meta": "app-version"}); res["text"] != "4.24.16" {
		t.Errorf("version of a meta tag: %s", str(res))
	}
	if res := p.call("versionFrom", object{"query": query(css("[data-v]"))}); res["attr"] != "5.1" {
		t.Errorf("version of an attribute: %s", str(res))
	}
	if res := p.call("versionFrom", object{"meta": "none"}); res["text"] != "" {
		t.Errorf("absent version: %s", str(res))
	}
	if res := p.call("find", object{"query": query(css("button,input"))}); res["count"] != 3.0 || res["visible"] != true {
		t.Errorf("find: %s", str(res))
	}
	if res := p.call("find", object{"query": query(css("#zz"))}); res["count"] != 0.0 {
		t.Errorf("find nothing: %s", str(res))
	}
	for _, tt := range []struct {
		id, state, want string
	}{
		{"#b", "visible", "false"}, {"#c", "visible", "true"}, {"#c", "checked", "true"}, {"#c", "enabled", "true"}, {"#c", "editable", "false"},
		{"#r", "editable", "false"}, {"#r", "focused", "false"}, {"#zz", "visible", "false"}, {"#zz", "enabled", "null"}, {"div", "checked", "null"},
	} {
		if res := p.call("is", object{"query": query(css(tt.id)), "state": tt.state}); str(res["value"]) != tt.want {
			t.Errorf("is %s %s: %s, want %s", tt.id, tt.state, str(res), tt.want)
		}
	}
}

func TestExtract(t *testing.T) {
	p := open(t, `<table><tr class=r><td>Ann</td><td><a href=/a>A</a></td></tr><tr class=r><td>Bob</td><td></td></tr></table>`)
	fields := []object{
		{"name": "who", "query": query(css("td"), part{"kind": "nth", "index": 0}), "what": "text"},
		{"name": "link", "query": query(css("a")), "what": "attr", "attr": "href"},
		{"name": "row", "query": nil},
	}
	res := p.call("extract", object{"query": query(css(".r")), "fields": fields, "timeout": long, "id": 1})
	want := `[{"link":"/a","row":"Ann A","who":"Ann"},{"link":null,"row":"Bob","who":"Bob"}]`
	if got := str(res["rows"]); got != want {
		t.Errorf("rows %s, want %s", got, want)
	}
	if res := p.call("extract", object{"query": query(css(".none")), "fields": fields, "timeout": 1, "id": 2}); str(res["rows"]) != "[]" || res["ok"] != true {
		t.Errorf("no rows: %s", str(res))
	}
}
