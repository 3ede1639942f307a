package engine

import "testing"

// insidePage has shadow trees, slots, hidden elements and class names of libraries.
const insidePage = `
<style>.gone{display:none} .far{position:absolute;left:-9999px} .vis{visibility:hidden}</style>
<div id=d1 class="ant-select-dropdown ant-select-dropdown-hidden gone"><p id=p1>One</p></div>
<div id=d2 class="el-select-dropdown
 is-open"><p id=p2>Two</p></div>
<div id=d3 class="ant-select-dropdown far"><p id=p3>Three</p></div>
<div id=d4 class="my-select-dropdowns select-dropdown2 selectdropdown"><p id=p4 class=vis>Four</p></div>
<ul id=u><li id=l1>Ann</li><li id=l2 class=disabled>Bob<ul id=uu><li id=l3>Cid</li></ul></li><li id=l4>Dan</li></ul>
<h2 id=h>Orders</h2>text<p id=s1>About them</p><table id=t><tr id=r1><td id=c1>A</td><td id=c2>B</td><td id=c3>C</td></tr></table><table id=t2></table>
<section id=host class=box><b id=b1>slotted</b><b id=b2 slot=x>named</b></section>
<p id=odd class="a)b x|y 1st">Odd</p>
<svg id=svg class="m-icon" width=9 height=9><path id=path class="m-icon-part" d="M0 0h9v9"/></svg>
<form id=f><input id=i1 name=matches><input id=i2 name=className class="t-input"></form>
<iframe id=fr srcdoc="<div id=x1 class=box><a id=x2>In</a></div><a id=x3 class='ant-off'>Out</a>"></iframe>
<script>
host.attachShadow({mode:'open'}).innerHTML='<div id=frame class=card><div id=body class=off><slot id=slot></slot></div><slot id=named name=x></slot><i id=deep>deep</i></div>';
</script>`

func TestSelectInside(t *testing.T) {
	p := open(t, insidePage)
	class := func(names ...string) part { return part{"kind": "class", "names": names} }
	in := func(kind string, ps ...part) part { return part{"kind": kind, "has": query(ps...)} }
	anyOf := func(alts ...object) part { return part{"kind": "any", "alts": alts} }
	either := func(alts ...object) part { return part{"kind": "either", "alts": alts} }
	alias := func(alts ...object) part { return part{"kind": "alias", "alts": alts} }
	kind := func(name string) part { return part{"kind": name} }
	hasText := func(s string) part { return part{"kind": "has-text", "value": s} }
	these, visible, none := kind("these"), kind("visible"), kind("none")
	frame := part{"kind": "frame", "frame": query(css("#fr"))}
	tests := []struct {
		name  string
		query object
		want  string // ids in order
	}{
		{"class", query(class("select-dropdown")), "d1 d2 d3"},
		{"class whole", query(class("ant-select-dropdown")), "d1 d3"},
		{"class several", query(class("select-dropdown", "open")), "d2"},
		{"class several in one", query(class("hidden", "select-dropdown", "gone")), "d1"},
		{"class case", query(class("Select-Dropdown")), ""},
		{"class within", query(css("#host"), class("off")), "body"},
		{"class of SVG", query(class("icon")), "svg"},
		{"class in a form whose fields shadow its properties", query(css("#f"), class("input")), "i2"},
		{"class with syntax", query(class("a)b", "x|y", "1st")), "odd"},
		{"class with other syntax", query(class("b] x")), ""},
		{"class under a form's control", query(css("#f"), class("className")), ""},
		{"not css", query(css("#u li"), in("not", css(".disabled"))), "l1 l4"},
		{"not class", query(css("#u li"), in("not", class("disabled"))), "l1 l4"},
		{"not of a chain", query(css("#u li"), in("not", css("#uu"), css("li"))), "l1 l2 l4"},
		{"not text", query(css("#u li"), in("not", text("Ann"))), "l2 l3 l4"},
		{"not through a slot", query(css("#host b"), in("not", css(".off"))), "b2"},
		{"not through a host", query(css("i, b"), in("not", css("#host"))), ""},
		{"not nothing", query(css("#host b"), in("not", none)), "b1 b2"},
		{"not filter", query(css("#u > li"), in("not", these, hasText("Bob"))), "l1 l4"},
		{"not nth", query(css("#u li"), in("not", these, part{"kind": "nth", "index": 0})), "l2 l3 l4"},
		{"not visible", query(class("select-dropdown"), in("not", these, visible)), "d1 d3"},
		{"not not", query(css("#u li"), in("not", these, in("not", css(".disabled")))), "l2 l3"},
		{"not alias", query(css("#u li"), in("not", alias(query(css(".none")), query(these, hasText("Cid"))))), "l1 l4"},
		{"not any", query(css("#u li"), in("not", anyOf(query(text("Ann")), query(text("Dan"))))), "l2 l3"},
		{"not in a frame", query(frame, css("a"), in("not", css(".box"))), "x3"},
		{"is css", query(css("#u li"), in("is", css(".disabled, #uu"))), "l2"},
		{"is not what it is in", query(css("#u li"), in("is", css("#uu"))), ""},
		{"is class", query(css("li, div"), in("is", class("disabled"))), "l2"},
		{"is of a chain", query(css("#u li"), in("is", css("#uu"), css("li"))), "l3"},
		{"is text", query(css("#u li"), in("is", text("Ann"))), "l1"},
		{"is filter", query(css("#u > li"), in("is", these, hasText("Bob"))), "l2"},
		{"is nothing", query(css("#u li"), in("is", none)), ""},
		{"is any", query(css("#u li"), in("is", anyOf(query(text("Ann")), query(css("#l4"))))), "l1 l4"},
		{"visible", query(class("select-dropdown"), visible), "d2"},
		{"visible in a shadow tree", query(css("#deep"), visible), "deep"},
		{"visible nothing", query(css("#p4, #p1"), visible), ""},
		{"closest", query(text("Cid"), in("closest", css("li"))), "l3"},
		{"closest itself and around", query(css("#l3"), in("closest", css("ul"))), "uu"},
		{"closest class", query(css("#p3"), in("closest", class("select-dropdown"))), "d3"},
		{"closest by a chain", query(css("#l3"), in("closest", css("li"), hasText("Bob"))), "l2"},
		{"closest through a slot", query(css("#b1"), in("closest", css(".off"))), "body"},
		{"closest out of a slot", query(css("#b2"), in("closest", css("div"))), "frame"},
		{"closest out of a shadow tree", query(css("#deep"), in("closest", css("section"))), "host"},
		{"closest of several", query(css("#c1, #c2, #l3"), in("closest", css("tr, ul"))), "uu r1"},
		{"closest role", query(css("#l3"), in("closest", role("list"))), "uu"},
		{"closest none", query(css("#c1"), in("closest", css("ul"))), ""},
		{"closest does not leave a frame", query(frame, css("a"), in("closest", css("body, #fr"))), ""},
		{"next", query(text("Orders"), in("next", css("table"))), "t"},
		{"next of any kind", query(text("Orders"), in("next", css("*"))), "s1"},
		{"next of several", query(css("#c1, #c2, #s1"), in("next", css("td, table"))), "t c2 c3"},
		{"next not itself", query(css("#c3"), in("next", css("td"))), ""},
		{"next that chains", query(css("#c1"), in("next", css("tr"), text("C"))), "c3"},
		{"next whatever the slot", query(css("#b1"), in("next", css("b"))), "b2"},
		{"any", query(anyOf(query(css("#t")), query(css("#u")))), "u t"},
		{"either", query(either(query(css("#none")), query(css("#t")), query(css("#u")))), "t"},
		{"either of nothing", query(either(query(css("#none")), query(css("#nor")))), ""},
		{"either of a part", query(either(query(css("#u")), query(css("#t"))), css("#c1")), ""},
		{"any once", query(anyOf(query(css("#u li")), query(text("Ann")), query(css("#l2, #l3")))), "l1 l2 l3 l4"},
		{"any of filters", query(css("#u > li"), anyOf(query(hasText("Ann")), query(hasText("Cid")))), "l1 l2"},
		{"any with what is none", query(anyOf(query(none), query(css("#t")))), "t"},
		{"any goes on", query(anyOf(query(css("#t")), query(css("#uu"))), css("td, li")), "l3 c1 c2 c3"},
		{"any over frames", query(anyOf(query(css("#t")), query(frame, css("#x3")))), "t x3"},
		{"any across shadow trees", query(anyOf(query(css("#deep")), query(css("#b1")), query(css("#odd")))), "deep b1 odd"},
		{"any in a has", query(css("ul"), in("has", anyOf(query(text("Nobody")), query(text("Cid"))))), "u uu"},
		{"none", query(none), ""},
		{"none behind", query(css("#t"), none), ""},
		{"all of them", query(anyOf(query(text("Cid")), query(text("Ann"))), in("closest", css("li")), in("next", css("li")), in("not", css("#uu")), visible), "l2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ids(p.sub(t), tt.query); got != tt.want {
				t.Errorf("matched %q, want %q", got, tt.want)
			}
		})
	}
	for _, bad := range []part{in("not", css("p[")), in("closest", css("p[")), in("next", css(":nope")), anyOf(query(css("#t")), query(css("p[")))} {
		res := p.call("count", object{"query": query(css("p"), bad)})
		if res["reason"] != "selector" {
			t.Errorf("%s: got %s, want it refused", str(bad), str(res))
		}
	}
}

// Many matches are sorted with another algorithm than few.
func TestOrderOfManyMatches(t *testing.T) {
	p := open(t, `<ul id=u></ul><div id=host></div><script>
for (let i = 0; i < 600; i++) u.insertAdjacentHTML('beforeend', '<li class=r' + i % 3 + ' id=l' + i + '>')</script>`)
	union := query(part{"kind": "any", "alts": []object{query(css(".r2")), query(css(".r0")), query(css(".r1, .r2"))}})
	want := ids(p, query(css("li")))
	for _, shadow := range []string{"", "host.attachShadow({mode: 'open'})"} {
		if shadow != "" {
			p.eval(shadow)
		}
		if got := ids(p, union); got != want || len(got) < 2000 {
			t.Errorf("%s: got %.200s, want %.200s", shadow, got, want)
		}
	}
}
