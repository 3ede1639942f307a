package engine

import "testing"

// placePage has every pattern of labels and titles that field and within support. The expected
// matches are given by their ids.
const placePage = `
<main>
<div class=card id=c1><div class=head><b>Customer</b><button id=save1>Save</button></div>
 <div class=item id=f1><div><label for=n1>Name</label></div><div><input id=n1></div></div>
 <div class=item id=f2><div><label for=seg>Segment</label></div><div id=seg><div role=combobox id=cb tabindex=0>x</div></div></div>
 <div class=item id=f3><div><label for=nothing>* City：</label></div><div><input id=city readonly></div></div>
 <div class=item id=f4><div><label>Gender</label></div><div role=radiogroup><label id=r1l><input type=radio id=r1>Female</label><label><input type=radio>Male</label></div></div>
 <div class=item id=f5><label id=news><span><input type=checkbox id=nc></span><span>Newsletter</span></label></div>
 <div class=item><div><label>Number</label></div><div>4711</div></div>
 <div class=item id=f6><input id=ph placeholder="Search all"></div>
 <div class=item id=f9><label>Address</label><span><input id=zip placeholder=ZIP><input id=street placeholder=Street></span></div>
 <div class=item id=f10><div style="height:0"><span style="position:absolute">Town</span><input id=town style="position:absolute"></div><b>x</b></div>
 <div><label>Height</label><input id=height><label>Width</label><span id=wide><input id=width></span><label>Round</label></div>
 <div><label>Paid</label><label><input type=radio id=paid1>yes</label><label><input type=radio id=paid2>no</label><b><label>Due</label></b><input id=due></div>
 <div><input type=checkbox id=box1><label>Red</label><input type=checkbox id=box2><label>Blue</label></div>
 <p><span>Home town:</span> <select id=home><option>Oslo</select></p>
 <div class=item id=f7><span>Plain</span><textarea id=plain></textarea></div>
</div>
<div class=card id=c2><div class=head><b>Contact</b></div>
 <div class=item id=f8><label for=n2>Name</label><input id=n2></div><button id=save2>Save</button></div>
<div class=card><div class=head><b>Third party</b></div><div class=item id=f11><div><label for=n1>Name</label></div><div><input id=n1 class=same></div></div></div>
<form><h4>Billing</h4><div><label for=s1>Avenue</label><input id=s1></div><h4>Shipping</h4><div><label for=s2>Avenue</label><input id=s2></div></form>
<form><label for=mail>Mail</label><input id=mail><input type=checkbox id=agree><label for=agree>Agreed</label><p>
 <label for=fw>Framework</label><select id=fw style="position:absolute;width:1px;height:1px;clip:rect(0 0 0 0)"></select><span id=fwbox><input id=fwinput></span>
 <label for=from>Since</label><span id=since><input id=from><input id=to></span></p></form>
<h2 id=h1>Orders</h2><table id=t1><tr><td>1</td></tr></table><h3>Details</h3><button id=det>Edit</button>
<h2 id=h2>Bills</h2><table id=t2><tr><td>2</td></tr></table>
<button id=open>New order</button>
<section aria-label="Notes"><button id=edit>Edit</button></section>
</main>
<div><table id=t3><caption>Loans of today</caption><tr><td>3</td></tr></table><table id=t4 aria-label=Holds><tr><td><button id=free>Release</button></td></tr></table></div>
<div role=dialog aria-labelledby=dt id=dlg><button aria-label=Close></button><div id=dt>New order</div><label for=n3>Name</label><input id=n3><button id=save3>Save</button></div>
<div class=card><div class=head>Invoices <button>New</button></div><table id=t5><tr><td>5</td></tr></table></div>
<div class=card>Item 1 <a href="#">Remove</a><label for=qty>Amount</label><input id=qty></div>
<div role=dialog id=dlg2><div>Stock</div><p>empty</p></div>
`

func TestPlace(t *testing.T) {
	p := open(t, placePage)
	field := func(s string) part { return part{"kind": "field", "value": s} }
	within := func(s string) part { return part{"kind": "within", "value": s} }
	button := part{"kind": "role", "role": "button"}
	tests := []struct {
		name  string
		query object
		want  string // ids in order
	}{
		{"field by for", query(field("Segment")), "f2"},
		{"field by for of no control", query(field("Segment"), part{"kind": "role", "role": "combobox"}), "cb"},
		{"field by place, marks aside", query(field("City")), "f3"},
		{"field of a group", query(field("Gender")), "f4"},
		{"field of a wrapping label", query(field("Newsletter")), "news"},
		{"field of a label without a control", query(field("Number")), ""},
		{"field by placeholder", query(field("Search all")), "f6"},
		{"field by placeholder, beside another", query(field("Street")), "street"},
		{"control by placeholder, beside another", query(field("Street"), css("input")), "street"},
		{"control by an alias", query(field("ZIP"), part{"kind": "alias", "alts": []any{query(css("select")), query(role("textbox"))}}), "zip"},
		{"control that is not there", query(field("ZIP"), css("select")), ""},
		{"filter of a control", query(field("ZIP"), part{"kind": "nth", "index": 0}), "zip"},
		{"field of plain text with a colon", query(field("Home town"), css("select")), "home"},
		{"within a heading that begins its form", query(within("Billing"), field("Avenue"), css("input")), "s1"},
		{"within the next heading in a form", query(within("Shipping"), field("Avenue"), css("input")), "s2"},
		{"the first within a heading", query(within("Shipping"), css("input"), part{"kind": "nth", "index": 0}), "s2"},
		{"field in a box without a size", query(field("Town")), "f10"},
		{"the first of two labels in a row", query(field("Height"), css("input")), "height"},
		{"the second of two labels in a row", query(field("Width"), css("input")), "width"},
		{"field of the second in a row", query(field("Width")), "wide"},
		{"by for, in a row", query(field("Mail")), "mail"},
		{"control by for, in a row", query(field("Mail"), css("input")), "mail"},
		{"no other control, in a row", query(field("Mail"), role("checkbox")), ""},
		{"by for, behind its control", query(field("Agreed"), role("checkbox")), "agree"},
		{"by for, in a part of a row", query(field("Since")), "since"},
		{"what stands for a hidden control, in a row", query(field("Framework")), "fwbox"},
		{"a label in a row without a control", query(field("Round")), ""},
		{"the first in a row, of a group", query(field("Paid"), part{"kind": "label", "value": "no"}), "paid2"},
		{"a label in a row behind a group", query(field("Due"), css("input")), "due"},
		{"a row that begins with a control", query(field("Red")), ""},
		{"field of plain text", query(field("Plain")), "f7"},
		{"field of one radio", query(field("Female")), "r1l"},
		{"field contains", query(with(field("egmen"), "op", "*")), "f2"},
		{"field that nothing is", query(field("Nope")), ""},
		{"within a card", query(within("Contact"), field("Name"), css("input")), "n2"},
		{"within the first card, where the second has one too", query(within("Customer"), field("Name"), css("input")), "n1"},
		{"within a card whose ids another one has too", query(within("Third party"), field("Name")), "f11"},
		{"within the one whose ids another one has too", query(within("Customer"), field("Name")), "f1"},
		{"within a card never leaves it", query(within("Customer"), text("Bills")), ""},
		{"within a dialog, where a button has its title", query(within("New order"), field("Name"), css("input")), "n3"},
		{"within a dialog never leaves it", query(within("Stock"), button), ""},
		{"within what follows a heading", query(within("Orders"), css("table")), "t1"},
		{"within a heading up to the next of its rank", query(within("Bills"), css("table")), "t2"},
		{"within a heading, over one of a lower rank", query(within("Orders"), role("button", named("Edit"))), "det"},
		{"within a region by its name", query(within("Notes"), button), "edit"},
		{"a table within its own caption", query(within("Loans of today"), css("table")), "t3"},
		{"a table within its own name", query(within("Holds"), css("table"), role("button")), "free"},
		{"by an alias, within its own name", query(within("Holds"), part{"kind": "alias", "alts": []any{query(css("div")), query(css("table"))}}), "t4"},
		{"what is in a table, within its own name", query(within("Holds"), role("button")), "free"},
		{"within in a chain", query(css("#c2"), within("Contact"), button), "save2"},
		{"within a text with a colon", query(within("Home town"), css("select")), "home"},
		{"within bare text beside a button", query(within("Invoices"), css("table")), "t5"},
		{"within bare text that begins its section", query(within("Item 1"), field("Amount"), css("input")), "qty"},
		{"within text that follows another", query(within("Remove"), field("Amount"), css("input")), ""},
		{"within that nothing is", query(within("Nope"), button), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ids(p.sub(t), tt.query); got != tt.want {
				t.Errorf("matched %q, want %q", got, tt.want)
			}
		})
	}
}

// Of several dialogs with the same title the topmost is meant, whichever comes first in the
// document; of two side by side both are.
func TestWithinDialogsOfOneTitle(t *testing.T) {
	dialog := func(id, style, body string) string {
		return `<div role=dialog aria-labelledby=` + id + `t style="position:fixed;background:#fff;` + style + `"><div id=` + id + `t>Thing</div>` + body + `</div>`
	}
	name := query(part{"kind": "within", "value": "Thing"}, part{"kind": "label", "value": "Name"})
	tests := []struct {
		name, page, want string
	}{
		{"the later one above", dialog("a", "inset:20px", `<label>Name<input id=n1></label>`) + dialog("b", "inset:40px", `<label>Name<input id=n2></label>`), "n2"},
		{"the earlier one above", dialog("a", "inset:20px;z-index:9", `<label>Name<input id=n1></label>`) + dialog("b", "inset:40px", `<label>Name<input id=n2></label>`), "n1"},
		{"only the lower one has it", dialog("a", "inset:20px", `<label>Name<input id=n1></label>`) + dialog("b", "inset:40px", ""), "n1"},
		{"beside each other", dialog("a", "left:0;width:40%;height:90%", `<label>Name<input id=n1></label>`) + dialog("b", "left:50%;width:40%;height:90%", `<label>Name<input id=n2></label>`), "n1 n2"},
		{"before what is behind them", `<h2>Thing</h2><label>Name<input id=n0></label>` + dialog("a", "inset:20px", `<label>Name<input id=n1></label>`), "n1"},
		{"the same title in the one above", dialog("a", "inset:20px", `<label>Name<input id=n1></label>`) + dialog("b", "inset:40px", `<fieldset><legend>Thing</legend><label>Name<input id=n2></label></fieldset>`), "n2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ids(open(t, tt.page), name); got != tt.want {
				t.Errorf("matched %q, want %q", got, tt.want)
			}
		})
	}
}
