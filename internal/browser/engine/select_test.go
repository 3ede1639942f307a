package engine

import (
	"strings"
	"testing"
)

// selectorPage has the elements for the table of TestSelect. The expected matches are given by
// their ids.
const selectorPage = `
<style>.up{text-transform:uppercase} .colon::after{content:":"} .star::before{content:"*"} .gone{display:none} .vis{visibility:hidden}</style>
<h1 id=h>Orders</h1>
<div id=d><button id=b1><span id=s1>新 建</span></button><button id=b2 disabled><span id=s2>Save</span></button></div>
<p id=p>Total: <b id=b>5</b> <i id=i>items</i></p>
<p id=mid>Sa<span class=gone>xx</span>ve it</p>
<p id=up class=up>shout</p>
<p id=hid class=gone>Secret</p>
<p id=vis class=vis>Ghost</p>
<input id=sub type=submit value="Send  it"><input id=subdef type=submit>
<select id=sel><option id=o1>Red</option><option id=o2>Blue</option></select>
<form id=f><label id=l1 for=n class="colon star">Name</label><input id=n name=id>
<label id=l2>Mail <input id=m type=email name=querySelector></label>
<label id=l3>Terms (<a href=#>read</a>) <input id=c type=checkbox></label>
<input id=ph placeholder="Search all"><input id=al aria-label="City"><span id=lab>Zip</span><div id=cb role=combobox aria-labelledby=lab tabindex=0></div></form>
<img id=img alt="A cat" title="Tom">
<span id=q1 data-testid="a'b&quot;c]">x</span><span id=q2 data-qa=row>y</span>
<details><summary>More</summary><p id=fold>Folded</p></details><p id=tw>Twin<b id=twh hidden>Twin</b></p>
<table id=t><caption>People</caption><tr id=r1><td>Ann</td><td><button id=e1>Edit</button></td></tr><tr id=r2><td>Bob</td><td><button id=e2>Edit</button></td></tr></table>
<div id=host></div><div id=host2><u id=light>slotted words</u></div>
<a id=lk href=#>Go <img alt=home></a><a id=nolink>Nowhere</a>
<div id=chk role=checkbox aria-checked=mixed tabindex=0>All</div>
<div id=boxes><p id=x1>one</p><p id=x2>two</p><p id=x3>three</p></div>
<script>
host.attachShadow({mode:'open'}).innerHTML='<section><button id=sb class=deep>In shadow</button><div id=inner></div></section>';
host.shadowRoot.getElementById('inner').attachShadow({mode:'open'}).innerHTML='<button id=sbb class=deep>Deeper</button>';
host2.attachShadow({mode:'open'}).innerHTML='<em id=em>Before <slot></slot> after</em>';
</script>`

func TestSelect(t *testing.T) {
	p := open(t, selectorPage)
	nth := func(i int) part { return part{"kind": "nth", "index": i} }
	hasText := func(s string) part { return part{"kind": "has-text", "value": s} }
	has := func(ps ...part) part { return part{"kind": "has", "has": query(ps...)} }
	tests := []struct {
		name  string
		query object
		want  string // ids in order
	}{
		{"css", query(css("#d > button")), "b1 b2"},
		{"css pierces shadow roots", query(css("button.deep")), "sb sbb"},
		{"css leading combinator", query(css("#t tr"), css("> td > button")), "e1 e2"},
		{"css in a chain through a host", query(css("#host"), css(".deep")), "sb sbb"},
		{"css in a form whose fields shadow its methods", query(css("#f"), css("input[type=email]")), "m"},
		{"css group in document order, once", query(css("#e2,#sb,#b1,#b1")), "b1 e2 sb"},
		{"xpath", query(part{"kind": "xpath", "value": "//tr[2]//button"}), "e2"},
		{"xpath within", query(css("#r1"), part{"kind": "xpath", "value": "//button"}), "e1"},
		{"xpath of text", query(part{"kind": "xpath", "value": "//b[@id='b']/text()"}), "b"},
		{"text smallest", query(text("Save")), "s2"},
		{"text folded between CJK", query(text("新建")), "s1"},
		{"text with CJK gap", query(text("新 建")), "s1"},
		{"text over children", query(text("Total: 5 items")), "p"},
		{"text white space", query(text("  Total:\n 5   items ")), "p"},
		{"text case", query(text("save")), ""},
		{"text part is not equal", query(text("Total")), ""},
		{"text contains", query(with(text("otal: 5 it"), "op", "*")), "p"},
		{"text contains smallest", query(with(text("tems"), "op", "*")), "i"},
		{"text pattern", query(with(text(`^Total: \d+ \w+$`), "op", "~")), "p"},
		{"text pattern with an inline flag", query(with(text(`(?i)^save$`), "op", "~")), "s2"},
		{"text around hidden text", query(text("Save it")), "mid"},
		{"text as transformed", query(text("SHOUT")), "up"},
		{"text as written", query(text("shout")), "up"},
		{"text hidden", query(text("Secret")), "hid"},
		{"text invisible", query(text("Ghost")), "vis"},
		{"text of a submit button", query(text("Send it")), "sub"},
		{"text of a submit button without value", query(text("Submit")), "subdef"},
		{"text in shadow", query(text("Deeper")), "sbb"},
		{"text over a slot", query(text("Before slotted words after")), "em"},
		{"text in closed details", query(text("Folded")), "fold"},
		{"text of an option", query(text("Red")), "o1"},
		{"text beside an equal hidden one", query(text("Twin")), "tw twh"},
		{"text empty", query(text("")), ""},
		{"text of the element itself", query(css("#s2"), text("Save")), "s2"},
		{"text within", query(css("#r2"), text("Edit")), "e2"},
		{"label for", query(label("Name")), "n"},
		{"label with what CSS adds", query(label("*Name:")), "n"},
		{"label with the colon that CSS adds", query(label("Name:")), "n"},
		{"label around", query(label("Mail")), "m"},
		{"label with a link", query(label("Terms (read)")), "c"},
		{"label contains", query(with(label("Term"), "op", "*")), "c"},
		{"label aria-label", query(label("City")), "al"},
		{"label aria-labelledby", query(label("Zip")), "cb"},
		{"label nothing", query(label("Nothing")), ""},
		{"placeholder", query(part{"kind": "placeholder", "value": "Search all", "attr": "placeholder"}), "ph"},
		{"alt", query(part{"kind": "alt", "value": "A cat", "attr": "alt"}), "img"},
		{"title contains", query(part{"kind": "title", "value": "om", "attr": "title", "op": "*"}), "img"},
		{"testid hostile", query(part{"kind": "testid", "value": `a'b"c]`, "attr": "data-testid"}), "q1"},
		{"testid other attribute", query(part{"kind": "testid", "value": "row", "attr": "data-qa"}), "q2"},
		{"nth", query(css("#boxes p"), nth(1)), "x2"},
		{"nth last", query(css("#boxes p"), nth(-1)), "x3"},
		{"nth beyond", query(css("#boxes p"), nth(3)), ""},
		{"has-text", query(css("#t tr"), hasText("Bob"), role("button", named("Edit"))), "e2"},
		{"has", query(css("#t tr"), has(text("Ann"))), "r1"},
		{"has through a host", query(css("div"), has(text("Deeper"))), "host inner"},
		{"has-text through a host", query(css("div"), hasText("Deeper")), "host inner"},
		{"role and name", query(role("button", named("Save"))), "b2"},
		{"role name CJK", query(role("button", named("新建"))), "b1"},
		{"role name from an image", query(role("link", named("Go home"))), "lk"},
		{"role link needs href", query(role("link", object{"name": "name", "op": "*", "value": "Now"})), ""},
		{"role name pattern", query(role("button", object{"name": "name", "op": "~", "value": "^(In|Deep)"})), "sb sbb"},
		{"role hidden", query(role("paragraph", named("Secret"))), ""},
		{"role disabled", query(role("button", object{"name": "disabled", "value": true})), "b2"},
		{"role checked mixed", query(role("checkbox", object{"name": "checked", "value": "mixed"})), "chk"},
		{"role unchecked", query(role("checkbox", object{"name": "checked", "value": false})), "c"},
		{"role level", query(role("heading", object{"name": "level", "value": 1})), "h"},
		{"role textbox with CSS colon", query(role("textbox", object{"name": "name", "op": "*", "value": "Name"})), "n"},
		{"role combobox", query(role("combobox")), "sel cb"},
		{"role img is image", query(role("img", named("A cat"))), "img"},
		{"role row", query(role("row")), "r1 r2"},
		{"role unknown", query(role("nonsense")), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ids(p.sub(t), tt.query); got != tt.want {
				t.Errorf("matched %q, want %q", got, tt.want)
			}
		})
	}
}

// sub is the same tab, reporting to a subtest.
func (p *tab) sub(t testing.TB) *tab {
	c := *p
	c.t = t
	return &c
}

// ids returns the ids of what a query matches.
func ids(p *tab, q object) string {
	p.t.Helper()
	res := p.call("extract", object{"query": q, "fields": []object{{"name": "id", "what": "attr", "attr": "id"}}})
	rows, ok := res["rows"].([]any)
	if !ok {
		p.t.Fatalf("no rows: %s", str(res))
	}
	var out []string
	for _, r := range rows {
		id, _ := r.(object)["id"].(string)
		out = append(out, id)
	}
	return strings.Join(out, " ")
}

// An element of the light tree that is drawn in a slot is also inside what is around the slot.
func TestSlotted(t *testing.T) {
	p := open(t, `<div id=out><button id=far>Far</button></div>
	<x-dialog id=xd><b id=ti slot=title>Delete room?</b><div id=foot slot=footer><button id=ok>Delete</button></div><x-button id=xb>Keep <i id=it>it</i></x-button><u id=lost slot=none>Lost</u></x-dialog>
	<x-outer id=xo><button id=deep>Twice</button></x-outer><x-button id=fb></x-button>
	<script>
	const define = (name, html) => customElements.define(name, class extends HTMLElement { constructor() { super(); this.attachShadow({mode:'open'}).innerHTML = html } });
	define('x-button', '<button class=own><span><slot>Fallback</slot></span></button>');
	define('x-dialog', '<section role=dialog aria-label=Box id=sec><h2 id=head><slot name=title></slot></h2><slot></slot><slot name=footer></slot></section>');
	define('x-outer', '<x-dialog id=in><slot></slot></x-dialog>');
	xb.shadowRoot.querySelector('button').id = 'xbb'; fb.shadowRoot.querySelector('button').id = 'fbb';
	</script>`)
	for _, tt := range []struct {
		name  string
		query object
		want  string
	}{
		{"css in what has the slot", query(css("#xd"), css("[role=dialog]"), css("button")), "ok xbb"},
		{"css of the slotted element itself", query(css("#xd"), css("#sec"), css("x-button")), "xb"},
		{"css of children only", query(css("#xd"), css("#sec"), css("> button")), ""},
		{"css in slots of slots", query(css("#xo"), css("#sec"), css("button")), "deep"},
		{"css in the slot itself", query(css("#xd"), css("slot[name=footer]"), css("*")), "foot ok"},
		{"what has no slot is not drawn", query(css("#xd"), css("#sec"), css("u")), ""},
		{"css of the light tree", query(css("#xd"), css("button.own")), "xbb"},
		{"role", query(css("#xd"), css("#sec"), role("button", named("Delete"))), "ok"},
		{"has", query(css("section"), part{"kind": "has", "has": query(css("#ok"))}), "sec"},
		{"title in a slot", query(part{"kind": "within", "value": "Delete room?"}, css("button.own")), "xbb"},
		{"title that is a name, and text", query(part{"kind": "within", "value": "Box"}, text("Delete")), "ok"},
	} {
		if got := ids(p, tt.query); got != tt.want {
			t.Errorf("%s: matched %q, want %q", tt.name, got, tt.want)
		}
	}
	for _, tt := range []struct {
		query object
		want  string
	}{
		{query(css("#xbb")), "Keep it"},
		{query(css("#xb")), "Keep it"},
		{query(css("#xd"), css("#head")), "Delete room?"},
		{query(css("#fbb")), "Fallback"},
		{query(css("#far")), "Far"},
	} {
		res := p.call("act", request("read", tt.query, "what", "text"))
		if res["value"] != tt.want {
			t.Errorf("text of %v: %v, want %q", tt.query, res, tt.want)
		}
	}
}
