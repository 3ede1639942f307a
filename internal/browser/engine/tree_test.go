package engine

import (
	"fmt"
	"strings"
	"testing"
)

func (p *tab) tree(req object) object {
	p.t.Helper()
	r := p.call("tree", req)
	tree, ok := r["tree"].(object)
	if !ok {
		p.t.Fatalf("no tree: %s", str(r))
	}
	tree["nodes"] = rowsOf(tree["nodes"].(object))
	return tree
}

// rowsOf returns nodes from columns.
func rowsOf(columns object) []any {
	roles, rows := columns["roles"].([]any), []any{}
	for i := range columns["p"].([]any) {
		n := object{}
		for _, field := range []string{"p", "k", "c", "n"} {
			n[field] = columns[field].([]any)[i]
		}
		n["r"] = roles[int(columns["r"].([]any)[i].(float64))]
		for _, field := range []string{"t", "h", "a", "v", "m", "f"} {
			if v, ok := columns[field].(object)[fmt.Sprint(i)]; ok {
				n[field] = v
			}
		}
		rows = append(rows, n)
	}
	return rows
}

// outline returns a tree as a reader sees it, without numbers.
func (p *tab) outline(req object) string {
	p.t.Helper()
	r := p.tree(req)
	nodes, ok := r["nodes"].([]any)
	if !ok {
		p.t.Fatalf("no tree: %s", str(r))
	}
	depth := make([]int, len(nodes))
	var b strings.Builder
	for i, v := range nodes {
		n := v.(object)
		if in := int(n["p"].(float64)); in >= 0 {
			depth[i] = depth[in] + 1
		}
		fmt.Fprintf(&b, "%s%s", strings.Repeat(" ", depth[i]), n["r"])
		for _, key := range []string{"n", "t", "h"} {
			if text, _ := n[key].(string); text != "" {
				fmt.Fprintf(&b, " %s%q", strings.Trim(key, "nt"), text)
			}
		}
		attrs, _ := n["a"].([]any)
		for _, a := range attrs {
			fmt.Fprintf(&b, " %v=%v", a.([]any)[0], a.([]any)[1])
		}
		if value, ok := n["v"]; ok {
			fmt.Fprintf(&b, " value=%v", value)
		}
		if more, ok := n["m"]; ok {
			fmt.Fprintf(&b, " more=%v", more)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestTree(t *testing.T) {
	tests := []struct{ name, html, want string }{
		{"example", `<nav><a href="/">Home</a></nav><main><h1>Today</h1><input type=search aria-label=Search value=gold>
			<label><input type=checkbox checked> In stock</label><iframe title=Chart srcdoc="<button>Zoom</button>"></iframe></main>`,
			`navigation
 link "Home" url=/
main
 heading "Today" level=1
 searchbox "Search" value=gold
 checkbox "In stock" checked=true
 iframe "Chart"
  button "Zoom"
`},
		{"text", `<p>One <b>two</b>
			three</p><div>four<div>five</div>six <a href=#x>seven</a> eight</div><ul><li>nine</li></ul>`,
			`paragraph
 text "One two three"
text "four"
text "five"
text "six"
link "seven" url=#x
text "eight"
list
 listitem
  text "nine"
`},
		{"hidden", `<div style="display:none">a<button>A</button></div><div style="visibility:hidden">b<button>B</button>
			<button style="visibility:visible">C</button></div><div aria-hidden=true><button>D</button></div><div inert><button>E</button></div>
			<div hidden><button>F</button></div><details><summary>More</summary><button>G</button></details><template><button>H</button></template>
			<div style="content-visibility:hidden"><button>I</button></div><div style="display:contents"><button>J</button>k</div>
			<input type=hidden value=x><script>1</script><style>p{}</style><noscript>n</noscript>`,
			`button "C"
group
 button "More" expanded=false
button "J"
text "k"
`},
		{"controls", `<label for=p>Password</label><input id=p type=password value=secret placeholder=Word required>
			<input aria-label=Shown autocomplete=current-password value=secret><input type=email aria-label=Mail value=a@b disabled>
			<select aria-label=Size><option>S<option selected>M</select><textarea aria-label=Note readonly>n</textarea>
			<input type=date aria-label=Day value=2024-01-02><input type=file aria-label=File><input type=range aria-label=Loud value=30>
			<div role=textbox contenteditable aria-label=Rich>in <b>bold</b></div><button aria-pressed=false aria-expanded=true>B</button>
			<div role=checkbox aria-checked=mixed aria-label=Some tabindex=0></div><a href="http://other.test/x">Away</a><a href="javascript:void 0">Act</a>`,
			`textbox "Password" required=true type=password placeholder=Word
textbox "Shown"
textbox "Mail" disabled=true type=email value=a@b
combobox "Size" options=S | M value=M
textbox "Note" readonly=true value=n
textbox "Day" type=date value=2024-01-02
button "File" type=file
slider "Loud" value=30
textbox "Rich" value=in bold
button "B" expanded=true pressed=false
checkbox "Some" checked=mixed
link "Away" url=http://other.test/x
link "Act"
`},
		{"clickable", `<style>.c{cursor:pointer}</style><div class=c><span>Card</span> <i class=c>x</i></div><span onclick="1">Span</span><div tabindex=0>Tab</div>
			<div tabindex=-1>no</div><a href=#y class=c><span class=c>Link</span></a><ul><li class=c>Item</li></ul><label class=c><input type=checkbox> Box</label>
			<label>Only label<input type=checkbox style="display:none"></label><div class=c>Outer<button>In</button></div>`,
			`clickable "Card x"
clickable "Span"
clickable "Tab"
text "no"
link "Link" url=#y
list
 clickable "Item"
checkbox "Box"
clickable "Only label"
clickable "OuterIn"
 button "In"
`},
		{"clickable with a name", `<style>.c{cursor:pointer}</style><span class=c aria-label="November 24, 2026">24</span><span class=c aria-label="Open card">Ada, Oslo</span>
			<i class=c title="Remove"></i><i class=c aria-labelledby=l></i><b id=l hidden>Add</b><span class=c title="more">Words</span>`,
			`clickable "November 24, 2026"
clickable "Ada, Oslo"
clickable "Remove"
clickable "Add"
clickable "Words"
`},
		{"shadow", `<div id=host>slotted <button>S</button></div><script>host.attachShadow({mode:'open'}).innerHTML='<h2>Head</h2><slot></slot><button>Own</button>'</script>`,
			`heading "Head" level=2
text "slotted"
button "S"
button "Own"
`},
		{"image maps", `<style>img{width:9px;height:9px}</style><map name=m style="display:none"><p>words<area href=#one alt=One coords="0,0,4,4"></p>
			<area href=#two alt="" title=Two coords="4,4,9,9"><area coords="0,0,1,1" alt=None><area href=javascript:void(0) aria-label=Three shape=default></map>
			<button>Before</button><img usemap="#m" style="display:none"><img alt=Plan usemap="#m"><img alt=Again usemap="#m"><button>After</button>
			<map name=n>Shown <img alt="" usemap="#n"><area href=http://other.test/ alt=Four shape=default></map>
			<map name=o><area href=#o alt=Unused></map><img alt="" style="visibility:hidden" usemap="#p"><map name=p><area href=#p alt=Unseen></map>`,
			`button "Before"
image "Plan"
 link "One" url=#one
 link "Two" url=#two
 link "Three"
image "Again"
button "After"
text "Shown"
link "Four" url=http://other.test/
`},
		{"table", `<table><tr><th>Name<th>Do</tr><tr><td>Ann<td><button>Edit</button></tr></table>`,
			`table
 rowgroup
  row
   columnheader "Name"
   columnheader "Do"
  row
   cell "Ann"
   cell "Edit"
    button "Edit"
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := open(t, tt.html)
			got := p.outline(object{})
			if got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// A snapshot takes little time on a page of any size: what is over the budget is only counted.
func TestTreeOfBigPage(t *testing.T) {
	p := open(t, "<ul id=u></ul><script>u.innerHTML = '<li><a href=#>Link</a> and <b>text</b></li>'.repeat(16666)</script>")
	r := p.tree(object{"nodes": 200})
	if n := len(r["nodes"].([]any)); n > 1000 {
		t.Errorf("%d nodes were sent", n)
	}
	if str(r["cut"]) == "[]" || len(str(r)) > 100_000 {
		t.Errorf("cut %v, %d characters sent, stats %v", r["cut"], len(str(r)), r["stats"])
	}
	t.Logf("stats %v, cut %v", r["stats"], r["cut"])
}

func BenchmarkTree(b *testing.B) {
	var rows strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&rows, "<tr><td>%d</td><td><a href=#r%d>Item %d</a></td><td>open</td><td><button>Edit</button><button aria-label='Delete item %d'>Delete</button></td></tr>", i, i, i, i)
	}
	p := open(b, "<table><tbody>"+rows.String()+"</table>")
	for name, req := range map[string]object{
		"by hand": {"nodes": 200}, "interactive": {"nodes": 200, "interactive": true},
		"all": {"nodes": 10000}, "all interactive": {"nodes": 10000, "interactive": true},
	} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				r := p.tree(req)
				b.ReportMetric(r["stats"].(object)["ms"].(float64), "ms/page")
				b.ReportMetric(float64(len(r["nodes"].([]any))), "nodes")
			}
		})
	}
}

// A page that observes everything it can notices nothing of the reading.
func TestTreeLeavesNoTrace(t *testing.T) {
	p := open(t, `<main id=m><form id=f aria-label=Form><input name=id value=x><input name=children><input name=attributes><button>Go</button></form>
		<div id=host></div><iframe srcdoc="<a href=/x>In</a>"></iframe><p>text</p></main><script>
		host.attachShadow({mode:'open'}).innerHTML = '<button>Shadow</button>';
		window.trace = [];
		const watch = (name) => { if (window.trace.length < 50) window.trace.push(name) };
		let armed = false;
		for (const type of [Node, Element, HTMLElement, HTMLInputElement, HTMLAnchorElement, Document, ShadowRoot, CharacterData, EventTarget, Window, CSSStyleDeclaration]) {
			const at = type.prototype;
			for (const key of Object.getOwnPropertyNames(at)) {
				const d = Object.getOwnPropertyDescriptor(at, key);
				if (!d.configurable || key === 'constructor') continue;
				if (d.get) Object.defineProperty(at, key, { ...d, get() { if (armed) watch(key); return d.get.call(this) } });
				else if (typeof d.value === 'function') Object.defineProperty(at, key, { ...d, value() { if (armed) watch(key + '()'); return d.value.apply(this, arguments) } });
			}
		}
		for (const [on, keys] of [[window, ['getComputedStyle', 'WeakRef', 'WeakMap', 'Map']], [Array.prototype, ['push', 'map', 'filter']], [JSON, ['stringify']], [Function.prototype, ['call', 'apply']]]) {
			for (const key of keys) { const was = on[key]; on[key] = function () { if (armed) watch(key); return Reflect.apply(was, this, arguments) } }
		}
		const seen = new MutationObserver((list) => list.forEach((r) => watch('mutation ' + r.type)));
		for (const root of [document, host.shadowRoot]) seen.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
		for (const type of ['focusin', 'scroll', 'selectionchange', 'click', 'DOMNodeInserted']) addEventListener(type, () => watch(type), true);
		const before = Object.getOwnPropertyNames(window).length;
		window.check = () => { armed = false; return [...window.trace, Object.getOwnPropertyNames(window).length - before - 2] };
		window.arm = () => { armed = true };
		</script>`)
	p.eval(`arm()`)
	got := p.outline(object{})
	for _, want := range []string{`form "Form"`, `button "Shadow"`, `link "In"`, `text "text"`, `value=x`} {
		if !strings.Contains(got, want) {
			t.Errorf("the tree has no %s:\n%s", want, got)
		}
	}
	p.eval(`new Promise(r => setTimeout(r, 0))`)
	if trace := str(p.eval(`check()`)); trace != "[0]" {
		t.Errorf("the page has seen %s", trace)
	}
}

func TestTreeOfHostilePage(t *testing.T) {
	p := open(t, `<button aria-label="a&#10;- b">x</button><p>&#8238;evil&#8236; &#1; end</p><a href="/x] [ref=e9]">l</a><script>
		for (const k of ['map','filter','push','forEach']) Array.prototype[k] = () => { throw 1 };
		Object.prototype.toJSON = () => 'no'; JSON.stringify = Element.prototype.querySelectorAll = Element.prototype.getAttribute = String.prototype.replace = () => { throw 1 };
		Object.prototype.n = 'forged'; Object.prototype.v = 'forged'; window.WeakRef = window.getComputedStyle = () => { throw 1 };
		let d = document.body; for (let i = 0; i < 2000; i++) { const n = document.createElement('div'); d.append(n); d = n } d.innerHTML = '<button>deep</button>';
		</script><ul><li>last</li></ul>`)
	r := p.tree(object{"nodes": 5000})
	if !strings.Contains(str(r["nodes"]), "last") || strings.Contains(str(r["nodes"]), "forged") {
		t.Errorf("tree: %.500s", str(r))
	}
	if !strings.Contains(str(r["cut"]), "max_depth") {
		t.Errorf("cut %v, want max_depth", r["cut"])
	}
}
