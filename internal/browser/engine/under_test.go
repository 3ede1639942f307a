package engine

import "testing"

// underPage has the usual structures of trees and menus: nested nodes, groups after nodes, and flat
// lists that declare their levels or only show them.
const underPage = `<style>.t2 i{display:inline-block;width:16px;height:9px}</style>
<ul id=t1 role=tree>
	<li id=a role=treeitem><span>Work</span><ul role=group><li id=a1 role=treeitem>Docs<ul role=group><li id=a11 role=treeitem>Notes</li></ul></li><li id=a2 role=treeitem>Plans</li></ul></li>
	<li id=b role=treeitem aria-expanded=false>Home</li><li id=b2 role=treeitem style="padding-left:20px">Leaf</li></ul>
<div id=t2 class=t2 role=tree>
	<div id=c0 class=node style="position:absolute;visibility:hidden;height:0;overflow:hidden"><i></i></div>
	<div id=c class=node><span aria-hidden=true></span><i></i>Work</div>
	<div><div id=c1 class=node><span aria-hidden=true><i></i></span><i></i>Docs</div></div>
	<div id=c11 class=node><span aria-hidden=true><i></i><i></i></span><i></i>Notes</div>
	<div id=c2 class=node><span aria-hidden=true><i></i></span><b><i></i></b>Plans</div>
	<div id=d class=node><span aria-hidden=true></span><i></i>Home</div></div>
<div id=t3 role=tree><div id=e role=treeitem aria-level=1>Work</div><div id=e1 role=treeitem aria-level=2>Docs</div><div id=e11 role=treeitem aria-level=3>Notes</div>
	<div id=e2 role=treeitem aria-level=2>Plans</div><div id=f role=treeitem aria-level=1>Home</div></div>
<ul id=m role=menubar><li><a id=g role=menuitem>File</a><ul role=menu><li><a id=g1 role=menuitem>New</a><div role=menu><a id=g11 role=menuitem>Page</a></div></li><li><a id=g2 role=menuitem>Open</a></li></ul></li>
	<li><a id=h role=menuitem aria-controls=pop>Edit</a></li></ul>
<div><div id=pop><ul role=menu><li><a id=h1 role=menuitem>Cut</a><div><div><ul role=menu><li><a id=h11 role=menuitem>All</a></li></ul></div></div></li></ul></div></div>
<div id=t5 role=tree style="direction:rtl;padding-left:99px"><p id=k class=node>Work</p><p id=k1 class=node style="padding-right:16px">Docs</p><p id=l class=node>Home</p></div>
<ul id=t7 role=menu><li><div id=u1 class=node>New<i style="float:right">x</i></div><ul><li id=u2 class=node>Page</li></ul></li><li id=u3 class=node>Open</li><li id=u4 class=node style="padding-left:30px">Quit</li></ul>
<div id=t8 role=menubar style="display:flex"><b id=v class=node>File</b><b id=w class=node>Edit</b></div>
<div id=t6 role=tree style="margin-left:80px"><p id=n class=node>Far</p></div><button id=o aria-controls="a1 none
	c">x</button><button id=p aria-controls=d>x</button>`

func TestSelectUnder(t *testing.T) {
	p := open(t, underPage)
	under := func(ps ...part) part { return part{"kind": "under", "has": query(ps...)} }
	linked := func(name string) part { return part{"kind": "linked", "value": name} }
	item, node, menu := css("[role=treeitem]"), css(".node"), css("[role=menuitem]")
	tests := []struct {
		name  string
		query object
		want  string
	}{
		{"top of nodes in nodes", query(css("#t1"), under(item)), "a b b2"},
		{"in a node", query(css("#a"), under(item)), "a1 a2"},
		{"below that", query(css("#a"), under(item), under(item)), "a11"},
		{"of a leaf", query(css("#a11, #b, #b2"), under(item)), ""},
		{"of several", query(css("#a, #a1"), under(item)), "a1 a11 a2"},
		{"top as shown", query(css("#t2"), under(node)), "c0 c d"},
		{"further in", query(css("#c"), under(node)), "c1 c2"},
		{"further in below that", query(css("#c1"), under(node)), "c11"},
		{"the last one", query(css("#d, #c2"), under(node)), ""},
		{"top of levels", query(css("#t3"), under(item)), "e f"},
		{"a level down", query(css("#e"), under(item)), "e1 e2"},
		{"two levels down", query(css("#e"), under(item), under(item)), "e11"},
		{"top of a menu", query(css("#m"), under(menu)), "g h"},
		{"the group behind", query(css("#g"), under(menu)), "g1 g2"},
		{"the menu behind", query(css("#g1"), under(menu)), "g11"},
		{"of no group", query(css("#g2"), under(menu)), ""},
		{"what it controls", query(css("#h"), under(menu)), "h1"},
		{"a box with a group behind", query(css("#h1"), under(menu)), "h11"},
		{"of what is there", query(css("#pop"), under(menu)), "h1"},
		{"of the page", query(under(menu)), "g h"},
		{"from right to left", query(css("#k"), under(node)), "k1"},
		{"another tree is none of it", query(css("#l"), under(node)), ""},
		{"in several trees", query(css("#t5, #t6"), under(node)), "k l n"},
		{"nested, whatever is drawn", query(css("#t7"), under(node)), "u1 u3 u4"},
		{"side by side", query(css("#t8"), under(node)), "v w"},
		{"in the page", query(css("body"), under(menu)), "g h"},
		{"of a chain", query(css("#t1"), under(css("#a"), item)), "a1 a2"},
		{"nothing", query(css("#t1"), under(part{"kind": "none"})), ""},
		{"linked", query(css("#o"), linked("aria-controls")), "a1 c"},
		{"linked goes on", query(css("#o"), linked("aria-controls"), css("[id]")), "a11"},
		{"linked of several", query(css("#o, #p"), linked("aria-controls")), "a1 c d"},
		{"linked by nothing", query(css("#o"), linked("for")), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ids(p.sub(t), tt.query); got != tt.want {
				t.Errorf("matched %q, want %q", got, tt.want)
			}
		})
	}
}
