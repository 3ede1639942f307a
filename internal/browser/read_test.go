package browser

import (
	"bytes"
	"context"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/selectors"
	"github.com/actionregistry/action/version"
)

func TestRead(t *testing.T) {
	ctx, p := show(t, `<style>#b{position:absolute;left:10px;top:20px;width:30px;height:40px;color:rgb(1,2,3)}</style>
		<div id=b data-x="y">  one <b>two</b></div><input id=i value=held>`)
	tests := []struct {
		selector string
		o        driver.ReadOptions
		want     string
	}{
		{"#b", driver.ReadOptions{What: "text"}, "one two"},
		{"#b", driver.ReadOptions{What: "html"}, "  one <b>two</b>"},
		{"#i", driver.ReadOptions{What: "value"}, "held"},
		{"#b", driver.ReadOptions{What: "attr", Name: "data-x"}, "y"},
		{"#b", driver.ReadOptions{What: "attr", Name: "data-none"}, "<nil>"},
		{"#b", driver.ReadOptions{What: "box"}, "map[height:40 width:30 x:10 y:20]"},
	}
	for _, tt := range tests {
		got, err := p.Read(ctx, css(tt.selector), tt.o)
		if err != nil {
			t.Errorf("%s %+v: %v", tt.selector, tt.o, err)
		} else if fmt.Sprint(got.Value) != tt.want {
			t.Errorf("%s %+v = %v, want %s", tt.selector, tt.o, got.Value, tt.want)
		}
	}
	styles, err := p.Read(ctx, css("#b"), driver.ReadOptions{What: "styles"})
	if m, ok := styles.Value.(map[string]any); err != nil || !ok || m["color"] != "rgb(1, 2, 3)" {
		t.Errorf("styles are %v, %v, want the color", styles, err)
	}
	_, err = p.Read(ctx, within(css("#none"), 0), driver.ReadOptions{What: "text"})
	wantCode(t, err, diag.ElementNotFound)
}

// White space in a text is as the page draws it.
func TestReadTextAsDrawn(t *testing.T) {
	ctx, p := show(t, "<div id=all><pre id=code>\n\ndef f():\n    if x:\n\treturn  1\n\n</pre><p>after \n  it</p></div>"+
		"<div id=wrap style='white-space:pre-wrap'>  a  <b>b</b>\n   c </div><div id=line style='white-space:pre-line'>  a  b\n   c </div>"+
		"<div id=plain>  a &nbsp; b\n <i> c</i>  </div><table><tr id=row><td>a  b<td> <pre>c  d</pre></table>"+
		"<svg width=90 height=20><text id=svg y=9> a  b </text></svg><math id=math> <mi> x  y </mi> </math><div id=gone hidden>  a\n   b </div>"+
		"<p id=cjk style='white-space:pre-wrap'>新 建  x</p><div id=edit contenteditable style='white-space:pre-wrap'>one\n  two</div>")
	for selector, want := range map[string]string{
		"#code": "def f():\n    if x:\n\treturn  1", "#all": "def f():\n    if x:\n return  1\n\nafter it",
		"#wrap": "  a  b\n   c", "#line": "a b\nc", "#plain": "a b c", "#row": "a b\nc  d", "#svg": "a b", "#math": "x y", "#gone": "a\nb",
		"#cjk": "新 建  x", "#edit": "one\n  two",
	} {
		got, err := p.Read(ctx, css(selector), driver.ReadOptions{What: "text"})
		if err != nil || got.Value != want {
			t.Errorf("the text of %s is %q, %v, want %q", selector, got.Value, err, want)
		}
	}
}

func TestFind(t *testing.T) {
	ctx, p := show(t, `<button class=b>One</button><button class=b>Two</button><p id=h hidden>x</p>`)
	got, err := p.Find(ctx, css(".b"))
	if err != nil || got.Count != 2 || got.Name != "One" || !got.Visible {
		t.Errorf("found %+v, %v, want 2, the first visible and named One", got, err)
	}
	if got, err = p.Find(ctx, css("#h")); err != nil || got.Count != 1 || got.Visible {
		t.Errorf("found %+v, %v, want one that is hidden", got, err)
	}
	if got, err = p.Find(ctx, css("#none")); err != nil || got.Count != 0 {
		t.Errorf("found %+v, %v, want none", got, err)
	}
	_, err = p.Find(ctx, css("p["))
	wantCode(t, err, diag.ParamInvalid)
}

func TestIs(t *testing.T) {
	ctx, p := show(t, `<input id=c type=checkbox checked><input id=d disabled><input id=f autofocus><p id=h hidden>x</p>`)
	tests := []struct {
		selector, state string
		want            bool
		code            diag.Code
	}{
		{"#c", "checked", true, ""}, {"#c", "visible", true, ""}, {"#d", "enabled", false, ""}, {"#d", "editable", false, ""},
		{"#f", "editable", true, ""}, {"#h", "visible", false, ""}, {"#none", "visible", false, ""},
		{"#none", "enabled", false, diag.ElementNotFound},
	}
	for _, tt := range tests {
		got, err := p.Is(ctx, css(tt.selector), tt.state)
		if diag.CodeOf(err) != tt.code || got != tt.want {
			t.Errorf("%s is %s: %v, %v, want %v, %q", tt.selector, tt.state, got, err, tt.want, tt.code)
		}
	}
}

func TestExtract(t *testing.T) {
	ctx, p := show(t, `<table><tbody id=rows></tbody></table><script>setTimeout(()=>rows.innerHTML=
		'<tr data-id=1><td>Ann</td><td><a href=/a>go</a></td></tr><tr data-id=2><td>Bob</td><td></td></tr>',50)</script>`)
	part := func(selector string) *selectors.Query {
		return &selectors.Query{Parts: []selectors.QueryPart{{Kind: selectors.CSS, Value: selector}}}
	}
	got, err := p.Extract(ctx, css("tbody tr"), []driver.ExtractField{
		{Name: "id", Read: driver.ReadOptions{What: "attr", Name: "data-id"}},
		{Name: "name", Query: part("td"), Read: driver.ReadOptions{What: "text"}},
		{Name: "link", Query: part("a"), Read: driver.ReadOptions{What: "attr", Name: "href"}},
	}, driver.RowFilter{})
	want := []map[string]any{{"id": "1", "name": "Ann", "link": "/a"}, {"id": "2", "name": "Bob", "link": nil}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("rows %v, %v, want %v", got, err, want)
	}
	evaluate(t, ctx, p, `rows.innerHTML = '<tr hidden><td>Cy<tr><td style="display:none">Dan<td>a <input value=b> <select><option>c<option selected>d</select>'`)
	fields := []driver.ExtractField{{Name: "cells", Query: part("td"), All: true, Read: driver.ReadOptions{What: "text"}}}
	for shown, want := range map[bool]string{true: "[map[cells:[a b d]]]", false: "[map[cells:[Cy]] map[cells:[Dan a\nc\nd]]]"} {
		got, err = p.Extract(ctx, css("tbody tr"), fields, driver.RowFilter{Shown: shown})
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("rows that are shown (%v): %v, %v, want %v", shown, got, err, want)
		}
	}
	got, err = p.Extract(ctx, within(css(".none"), 50*time.Millisecond), nil, driver.RowFilter{})
	if err != nil || len(got) != 0 {
		t.Errorf("rows %v, %v, want none and no error", got, err)
	}
}

func TestVersion(t *testing.T) {
	ctx, p := show(t, `<meta name=app-version content=" 4.2.0 "><div id=v data-v=9.9 class=x>v1.2</div>
		<script>window.lib={version:'3.1',get bad(){throw new Error('x')},n:7,f(){return '1'}}</script>`)
	script := func(src string) driver.VersionProbe {
		s, err := version.ParseScript(src, nil)
		if err != nil {
			t.Fatal(err)
		}
		return driver.VersionProbe{Script: s}
	}
	selector := func(c string) driver.VersionProbe {
		return driver.VersionProbe{Selector: &selectors.Query{Parts: []selectors.QueryPart{{Kind: selectors.CSS, Value: c}}}}
	}
	tests := []struct {
		name  string
		probe driver.VersionProbe
		want  string
	}{
		{"path", script("window.lib.version"), "3.1"},
		{"or", script("antd.version || lib.version"), "3.1"},
		{"and", script("window.lib && lib.version"), "3.1"},
		{"absent", script("window.antd && antd.version"), ""},
		{"number", script("lib.n"), "7"},
		{"throws", script("lib.bad"), ""},
		{"a function", script("lib.f"), ""},
		{"meta", driver.VersionProbe{Meta: "app-version"}, "4.2.0"},
		{"no meta", driver.VersionProbe{Meta: "none"}, ""},
		{"attribute", selector("[data-v]"), "9.9"},
		{"text", selector("#v"), "v1.2"},
		{"no element", selector("#none"), ""},
	}
	for _, tt := range tests {
		if got, err := p.Version(ctx, tt.probe); err != nil || got != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
}

func TestScreenshot(t *testing.T) {
	ctx, p := show(t, `<body style="margin:0"><div style="height:3000px"></div><div id=b style="width:50px;height:20px;background:#f00"></div>`)
	box := css("#b")
	tests := []struct {
		name          string
		o             driver.ShotOptions
		format        string
		width, height int
	}{
		{"viewport", driver.ShotOptions{}, "png", 1280, 720},
		{"full page", driver.ShotOptions{FullPage: true, Format: "jpeg"}, "jpeg", 1280, 3020},
		{"element", driver.ShotOptions{Target: &box}, "png", 50, 20},
	}
	for _, tt := range tests {
		shot, err := p.Screenshot(ctx, tt.o)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		img, format, err := image.Decode(bytes.NewReader(shot.Data))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		size := img.Bounds().Size()
		if format != tt.format || size.X != tt.width || size.Y != tt.height || shot.Width != tt.width || shot.Height != tt.height {
			t.Errorf("%s: %s %v told as %dx%d, want %s %dx%d", tt.name, format, size, shot.Width, shot.Height, tt.format, tt.width, tt.height)
		}
		if tt.name == "element" {
			if r, g, _, _ := img.At(25, 10).RGBA(); r>>8 != 255 || g != 0 {
				t.Errorf("the element's picture is not red in its middle")
			}
		}
	}
	_, err := p.Screenshot(ctx, driver.ShotOptions{Format: "pgn"})
	wantCode(t, err, diag.ParamInvalid, "pgn")
}

func TestEval(t *testing.T) {
	ctx, p := show(t, `<script>window.x={n:1}; function fail(){throw new TypeError('no')}</script>`)
	tests := []struct {
		name, script string
		args         map[string]any
		want         string
	}{
		{"expression", "x.n + 1", nil, "2"},
		{"object", "({a: [1, null, 'x']})", nil, "map[a:[1 <nil> x]]"},
		{"braces are an object", "{a: 1}", nil, "map[a:1]"},
		{"body", "const n = x.n; return n + 2", nil, "3"},
		{"await", "await new Promise(r => setTimeout(() => r(5), 5))", nil, "5"},
		{"promise", "Promise.resolve(6)", nil, "6"},
		{"undefined", "undefined", nil, "<nil>"},
		{"comment at the end", "7 // seven", nil, "7"},
		{"nan", "NaN", nil, "NaN"},
		{"bigint", "12n", nil, "12n"},
		{"date", "new Date(0)", nil, "1970-01-01T00:00:00.000Z"},
		{"date within", "({when: [new Date(0)], f() {}, u: undefined, n: NaN, l: [undefined, () => 1]})", nil, "map[l:[<nil> <nil>] n:<nil> when:[1970-01-01T00:00:00.000Z]]"},
		{"address", "new URL('http://a.test/b')", nil, "http://a.test/b"},
		{"toJSON", "({toJSON() { return {a: [7]} }})", nil, "map[a:[7]]"},
		{"function", "window.g = () => 1", nil, "<nil>"},
		{"symbol", "Symbol('x')", nil, "<nil>"},
		{"element", "document.body", nil, "<body>"},
		{"elements", "const p = document.createElement('p'); p.id = 'a'; return {all: [p, document.createTextNode('x')]}", nil, "map[all:[<p#a> <#text>]]"},
		{"boxed", "[new String('a'), new Number(2), new Boolean(false)]", nil, "[a 2 false]"},
		{"rectangle", "new DOMRect(1, 2, 3, 4)", nil, "map[bottom:6 height:4 left:1 right:4 top:2 width:3 x:1 y:2]"},
		{"object of a class", "new (class { a = 1; b = new (class {})() })", nil, "map[a:1 b:map[]]"},
		{"no prototype", "Object.assign(Object.create(null), {a: 1})", nil, "map[a:1]"},
		{"its name is __proto__", `JSON.parse('{"__proto__": 1}')`, nil, "map[__proto__:1]"},
		{"twice the same", "const a = {n: 1}; return [a, a]", nil, "[map[n:1] map[n:1]]"},
		{"dataset", "const p = document.createElement('p'); const none = {...p.dataset}; p.dataset.a = 'b'; return [none, p.dataset, document.createElement('p').dataset]", nil, "[map[] map[a:b] map[]]"},
		{"no matches", "document.querySelectorAll('none')", nil, "map[]"},
		{"bytes", "new Uint8Array([1, 2])", nil, "map[0:1 1:2]"},
		{"text of an old library", "Array.prototype.toJSON = Object.prototype.toJSON = () => 'old'; try { return await [{a: 1}] } finally { setTimeout(() => { delete Array.prototype.toJSON; delete Object.prototype.toJSON }) }", nil, "[map[a:1]]"},
		{"args are data", "a + b.c", map[string]any{"a": `"); fail(("`, "b": map[string]any{"c": "\u2028${x}`"}}, "\"); fail((\"\u2028${x}`"},
	}
	for _, tt := range tests {
		got, err := p.Eval(ctx, tt.script, tt.args)
		if err != nil || fmt.Sprint(got) != tt.want {
			t.Errorf("%s: %v, %v, want %s", tt.name, got, err, tt.want)
		}
	}
}

func TestEvalFailures(t *testing.T) {
	ctx, p := show(t, `<script>function fail(){throw new TypeError('no')}</script>`)
	tests := []struct {
		name, script string
		args         map[string]any
		code         diag.Code
		texts        []string
	}{
		{"throws", "1;\n  fail()", nil, diag.StepFailed, []string{"TypeError: no", "line 2, column 3"}},
		{"throws in an expression", "[1].map(() => none.x)", nil, diag.StepFailed, []string{"none is not defined", "line 1"}},
		{"throws a string", "throw 'text'", nil, diag.StepFailed, []string{"text"}},
		{"syntax", "let a = 1;\nlet = = 2", nil, diag.StepFailed, []string{"SyntaxError", "line 2"}},
		{"rejects", "Promise.reject(new Error('later'))", nil, diag.StepFailed, []string{"later"}},
		{"cannot be data", "window", nil, diag.StepFailed, nil},
		{"circular", "const a = {b: [{}]}; a.b[0].c = a; return a", nil, diag.StepFailed, []string{"contains itself, at b.0.c"}},
		{"deep", "let a = {}; for (let i = 0; i < 2000; i++) a = {a}; return a", nil, diag.StepFailed, []string{"500 levels"}},
		{"map", "new Map([[1, 2]])", nil, diag.StepFailed, []string{"the value has no JSON form", "Map"}},
		{"set within", "({a: [new Set()]})", nil, diag.StepFailed, []string{"a.0 of the value", "Set"}},
		{"error", "new Error('x')", nil, diag.StepFailed, []string{"Error"}},
		{"pattern", "/x/", nil, diag.StepFailed, []string{"RegExp"}},
		{"bigint within", "[1n]", nil, diag.StepFailed, []string{"bigint"}},
		{"of the browser's own", "navigator.clipboard", nil, diag.StepFailed, []string{"Clipboard"}},
		{"closes our parenthesis", "1) + (2", nil, diag.StepFailed, []string{"SyntaxError"}},
		{"closes our function", "}, () => {", nil, diag.StepFailed, []string{"SyntaxError"}},
		{"bad name", "1", map[string]any{"a b": 1}, diag.ParamInvalid, []string{`"a b"`}},
		{"bad value", "1", map[string]any{"a": make(chan int)}, diag.ParamInvalid, []string{`"a"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := p.Eval(ctx, tt.script, tt.args)
			wantCode(t, err, tt.code, tt.texts...)
		})
	}
}

func TestEvalUnderCSP(t *testing.T) {
	ctx, p := show(t, `<meta http-equiv="Content-Security-Policy" content="script-src 'none'">`)
	if v, err := p.Eval(ctx, "1+1", nil); err != nil || v != 2.0 {
		t.Errorf("got %v, %v, want 2: the script itself is not the page's", v, err)
	}
	_, err := p.Eval(ctx, "eval('1+1')", nil)
	wantCode(t, err, diag.StepFailed, "EvalError")
}

func TestWaits(t *testing.T) {
	ctx, p := show(t, `<title>t</title><p id=p>start</p><script>setTimeout(()=>{p.textContent='done now';history.pushState({},'','/order/7?x');window.ok={n:1}},60)</script>`)
	if err := p.WaitText(ctx, "done now"); err != nil {
		t.Error(err)
	}
	if _, err := p.WaitURL(ctx, urlPattern(t, "**/order/*")); err != nil {
		t.Error(err)
	}
	if v, err := p.WaitFunction(ctx, "window.ok && ok.n === want && ok", map[string]any{"want": 1}); err != nil || fmt.Sprint(v) != "map[n:1]" {
		t.Errorf("got %v, %v, want the object", v, err)
	}
	for _, holds := range []string{"document.querySelector('p')", "() => 1", "new Map", "Symbol('x')", "window", "({toJSON: () => 0})", "new Date(0)", "'a'", "1n", "/x/"} {
		if _, err := p.WaitFunction(ctx, holds, nil); err != nil {
			t.Errorf("%s is true: %v", holds, err)
		}
	}
	for _, s := range []driver.LoadState{driver.Commit, driver.DOMContentLoaded, driver.Load, driver.NetworkIdle} {
		if err := p.WaitLoad(ctx, s); err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
	if err := p.WaitStable(ctx); err != nil {
		t.Error(err)
	}
}

func TestWaitDeadlines(t *testing.T) {
	ctx, p := show(t, `<p id=p>start</p><div id=busy role=progressbar style="width:9px;height:9px"></div>`)
	tests := []struct {
		name  string
		limit time.Duration
		do    func(ctx context.Context) error
		text  string
	}{
		{"text", 300 * time.Millisecond, func(ctx context.Context) error { return p.WaitText(ctx, "never") }, `"never"`},
		{"url", 300 * time.Millisecond, func(ctx context.Context) error { _, err := p.WaitURL(ctx, urlPattern(t, "/never")); return err }, "expected /never"},
		{"function", 300 * time.Millisecond, func(ctx context.Context) error { _, err := p.WaitFunction(ctx, "false", nil); return err }, "false"},
		{"stable", 3 * time.Second, p.WaitStable, "busy"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			short, cancel := context.WithTimeout(ctx, tt.limit)
			defer cancel()
			wantCode(t, tt.do(short), diag.Timeout, tt.text)
		})
	}
}

func urlPattern(t *testing.T, text string) driver.URLPattern {
	t.Helper()
	p, err := driver.ParseURLPattern(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestWaitElement(t *testing.T) {
	tests := []struct {
		name, html string
		want       driver.ElementState
		code       diag.Code
	}{
		{"visible", `<script>setTimeout(()=>document.body.innerHTML='<p id=b>x</p>',50)</script>`, driver.ElementState{}, ""},
		{"hidden", `<p id=b>x</p><script>setTimeout(()=>b.hidden=true,50)</script>`, driver.ElementState{State: "hidden"}, ""},
		{"detached", `<p id=b>x</p><script>setTimeout(()=>b.remove(),50)</script>`, driver.ElementState{State: "detached"}, ""},
		{"enabled", `<input id=b disabled><script>setTimeout(()=>b.disabled=false,50)</script>`, driver.ElementState{State: "enabled"}, ""},
		{"checked", `<input type=checkbox id=b><script>setTimeout(()=>b.checked=true,50)</script>`, driver.ElementState{State: "checked"}, ""},
		{"text", `<p id=b>x</p><script>setTimeout(()=>b.textContent='a done b',50)</script>`, driver.ElementState{Text: "done"}, ""},
		{"never there", ``, driver.ElementState{}, diag.ElementNotFound},
		{"never hidden", `<p id=b>x</p>`, driver.ElementState{State: "hidden"}, diag.ElementNotInteractable},
		{"never that text", `<p id=b>x</p>`, driver.ElementState{Text: "y"}, diag.ElementNotInteractable},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			limit := 5 * time.Second
			if tt.code != "" {
				limit = 150 * time.Millisecond
			}
			_, err := p.WaitElement(ctx, within(css("#b"), limit), tt.want)
			if tt.code == "" && err != nil {
				t.Fatal(err)
			}
			if tt.code != "" {
				wantCode(t, err, tt.code)
			}
		})
	}
}

// A page that has replaced what scripts use is read all the same.
// A document that is still read has nothing yet: that is not "hidden".
func TestHiddenWaitsForTheDocument(t *testing.T) {
	rest := make(chan struct{})
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		io.WriteString(w, "<title>slow</title><p>begin</p>"+strings.Repeat(" ", 4096))
		w.(http.Flusher).Flush()
		select {
		case <-rest:
		case <-r.Context().Done():
		}
		io.WriteString(w, "<input id=b>")
	}))
	ctx, p := show(t, "")
	if _, err := p.Open(ctx, base+"/", driver.Commit); err != nil {
		t.Fatal(err)
	}
	_, err := p.WaitElement(ctx, within(css("#b"), 200*time.Millisecond), driver.ElementState{State: "hidden"})
	wantCode(t, err, diag.ElementNotInteractable, "still loading")
	close(rest)
	if _, err := p.WaitElement(ctx, within(css("#b"), 5*time.Second), driver.ElementState{}); err != nil {
		t.Fatal(err)
	}
	_, err = p.WaitElement(ctx, within(css("#b"), 200*time.Millisecond), driver.ElementState{State: "hidden"})
	wantCode(t, err, diag.ElementNotInteractable, "still visible")
}

func TestHostilePage(t *testing.T) {
	ctx, p := show(t, `<button id=b onclick="window.hit=1">Save</button><form id=g><input name=id value=f1><input name=querySelectorAll value=x><input name=getAttribute></form><script>
		Array.prototype.map=Array.prototype.filter=()=>{throw 1};Element.prototype.getBoundingClientRect=()=>({});
		Document.prototype.querySelectorAll=Element.prototype.querySelectorAll=()=>[];JSON.stringify=()=>'';window.Promise=null;
		Function.prototype.apply=Function.prototype.call=()=>{throw 2};window.requestAnimationFrame=window.setTimeout=()=>{};
		Object.defineProperty(window,'__action',{get(){throw 3}});Event.prototype.stopImmediatePropagation=()=>{};
		addEventListener('click',e=>e.stopImmediatePropagation(),true)</script>`)
	if el, err := p.Press(ctx, css("#b"), driver.PressOptions{}); err != nil || el.Name != "Save" {
		t.Fatalf("pressed %+v, %v, want Save", el, err)
	}
	if got, err := p.Fill(ctx, css("input[name=id]"), "new"); err != nil || got.Value != "new" {
		t.Errorf("filled %+v, %v, want new", got, err)
	}
	if v, err := p.Read(ctx, css("#g"), driver.ReadOptions{What: "html"}); err != nil || !strings.Contains(fmt.Sprint(v.Value), "querySelectorAll") {
		t.Errorf("read %v, %v, want the form", v, err)
	}
	if err := p.WaitText(ctx, "Save"); err != nil {
		t.Error(err)
	}
}
