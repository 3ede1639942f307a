package engine

import (
	"fmt"
	"testing"
)

// nameCases are elements with the id "t", with the accessible name of each by the recommendation.
// The browser's own result is compared too.
var nameCases = []struct {
	name, html string
	role, want string
}{
	{"content", `<button id=t>Save <b>all</b></button>`, "button", "Save all"},
	{"aria-label", `<button id=t aria-label="Close it">x</button>`, "button", "Close it"},
	{"blank aria-label", `<button id=t aria-label=" ">x</button>`, "button", "x"},
	{"aria-labelledby", `<span id=a>First</span><span id=b>Second</span><button id=t aria-labelledby="b a">x</button>`, "button", "Second First"},
	{"aria-labelledby itself", `<span id=a>Delete</span><button id=t aria-label=File aria-labelledby="a t">x</button>`, "button", "Delete File"},
	{"aria-labelledby hidden", `<div id=a hidden>Hid<span>den</span></div><button id=t aria-labelledby=a>x</button>`, "button", "Hidden"},
	{"aria-labelledby partly hidden", `<div id=a>Seen <span hidden>not</span></div><button id=t aria-labelledby=a>x</button>`, "button", "Seen"},
	{"aria-labelledby dangling", `<button id=t aria-labelledby=zzz>x</button>`, "button", "x"},
	{"aria-labelledby does not follow", `<span id=a aria-labelledby=b>A</span><span id=b>B</span><button id=t aria-labelledby=a>x</button>`, "button", "A"},
	{"aria-hidden part", `<button id=t>Save<i aria-hidden=true>icon</i></button>`, "button", "Save"},
	{"display none part", `<button id=t>Save<i style="display:none">icon</i></button>`, "button", "Save"},
	{"image inside", `<button id=t><img alt="Print"> now</button>`, "button", "Print now"},
	{"svg title inside", `<button id=t><svg width=10 height=10><title>Star</title></svg></button>`, "button", "Star"},
	{"blocks", `<button id=t><div>one</div><div>two</div></button>`, "button", "one two"},
	{"inline", `<button id=t><span>one</span><span>two</span></button>`, "button", "onetwo"},
	{"before and after", `<style>#t::before{content:"* "}#t::after{content:" !"}</style><button id=t>Go</button>`, "button", "* Go !"},
	{"pseudo alternative text", `<style>#t::before{content:"*" / "starred "}</style><button id=t>Go</button>`, "button", "starred Go"},
	{"pseudo attribute", `<style>#t::after{content:attr(data-x)}</style><button id=t data-x=" more">Go</button>`, "button", "Go more"},
	{"title", `<button id=t title="Tip"></button>`, "button", "Tip"},
	{"title after content", `<button id=t title="Tip">x</button>`, "button", "x"},
	{"label for", `<label for=t>Mail</label><input id=t>`, "textbox", "Mail"},
	{"label around", `<label>Mail <input id=t></label>`, "textbox", "Mail"},
	{"two labels", `<label for=t>One</label><label for=t>Two</label><input id=t>`, "textbox", "One Two"},
	{"label with CSS colon", `<style>label::after{content:":"}</style><label for=t>Name</label><input id=t>`, "textbox", "Name:"},
	{"label with hidden star", `<label for=t>Name <i aria-hidden=true>*</i></label><input id=t>`, "textbox", "Name"},
	{"label with a field inside", `<label for=t>Every <input value=5> days</label><input type=checkbox id=t>`, "checkbox", "Every 5 days"},
	{"label with a list inside", `<label for=t>Size <select><option>S<option selected>M</select> of</label><input id=t>`, "textbox", "Size M of"},
	{"placeholder", `<input id=t placeholder="Search here">`, "textbox", "Search here"},
	{"title before placeholder", `<input id=t placeholder=P title=T>`, "textbox", "T"},
	{"aria-label before label", `<label for=t>L</label><input id=t aria-label=A>`, "textbox", "A"},
	{"search", `<input id=t type=search aria-label=S>`, "searchbox", "S"},
	{"number", `<input id=t type=number aria-label=N>`, "spinbutton", "N"},
	{"range", `<input id=t type=range aria-label=R>`, "slider", "R"},
	{"submit value", `<input id=t type=submit value="Send it">`, "button", "Send it"},
	{"submit default", `<input id=t type=submit>`, "button", "Submit"},
	{"reset default", `<input id=t type=reset>`, "button", "Reset"},
	{"image button", `<input id=t type=image alt="Go" src="">`, "button", "Go"},
	{"img", `<img id=t alt="A cat">`, "image", "A cat"},
	{"img without alt", `<img id=t title=Tom src="">`, "image", "Tom"},
	{"img decorative", `<img id=t alt="">`, "none", ""},
	{"link", `<a id=t href=#>Go <em>there</em></a>`, "link", "Go there"},
	{"no link", `<a id=t>Go</a>`, "generic", ""},
	{"heading", `<h2 id=t>Top <a href=#>x</a></h2>`, "heading", "Top x"},
	{"fieldset", `<fieldset id=t><legend>Address</legend><input></fieldset>`, "group", "Address"},
	{"figure", `<figure id=t><img alt=x><figcaption>A plot</figcaption></figure>`, "figure", "A plot"},
	{"table", `<table id=t><caption>People</caption><tr><th>A<td>B</table>`, "table", "People"},
	{"column header", `<table><tr><th id=t>Name</th><th>Age</th></tr><tr><td>A</td><td>1</td></tr></table>`, "columnheader", "Name"},
	{"row header", `<table><caption>c</caption><tr><th id=t scope=row>Name</th><td>x</td></tr></table>`, "rowheader", "Name"},
	{"cell", `<table><caption>c</caption><tr><th>h</th></tr><tr><td id=t>x</td></tr></table>`, "cell", "x"},
	{"dialog", `<div id=t role=dialog aria-labelledby=h><h2 id=h>Edit</h2>text</div>`, "dialog", "Edit"},
	{"dialog takes no content", `<div id=t role=dialog>text</div>`, "dialog", ""},
	{"option", `<select><option id=t label="Shown">x</select>`, "option", "Shown"},
	{"tab", `<div role=tablist><div id=t role=tab>One</div></div>`, "tab", "One"},
	{"checkbox role", `<div id=t role=checkbox tabindex=0>Agree</div>`, "checkbox", "Agree"},
	{"switch", `<button id=t role=switch aria-checked=true>Wifi</button>`, "switch", "Wifi"},
	{"combobox role", `<div id=t role=combobox tabindex=0>Chosen</div>`, "combobox", ""},
	{"select", `<label for=t>Size</label><select id=t><option>S</select>`, "combobox", "Size"},
	{"select multiple", `<select id=t multiple aria-label=M><option>S</select>`, "listbox", "M"},
	{"paragraph has no name", `<p id=t>text</p>`, "paragraph", ""},
	{"list item", `<ul><li id=t>text</ul>`, "listitem", ""},
	{"nav", `<nav id=t aria-label=Main>x</nav>`, "navigation", "Main"},
	{"region", `<section id=t aria-label=News>x</section>`, "region", "News"},
	{"section", `<section id=t>x</section>`, "generic", ""},
	{"first valid role", `<div id=t role="nonsense button">Go</div>`, "button", "Go"},
	{"focusable is never none", `<button id=t role=none>Go</button>`, "button", "Go"},
	{"password", `<input id=t type=password aria-label=P>`, "textbox", "P"},
	{"textarea", `<textarea id=t aria-label=Note>x</textarea>`, "textbox", "Note"},
	{"contenteditable role", `<div id=t role=textbox contenteditable aria-label=Ed>x</div>`, "textbox", "Ed"},
	{"summary", `<details><summary id=t>More</summary>x</details>`, "button", "More"},
	{"progress", `<progress id=t aria-label=Load value=1 max=3></progress>`, "progressbar", "Load"},
	{"meter", `<meter id=t aria-label=M value=1 max=3></meter>`, "meter", "M"},
	{"output", `<output id=t aria-label=O>5</output>`, "status", "O"},
	{"slot", `<div id=h><span>light</span></div><script>h.attachShadow({mode:'open'}).innerHTML='<button id=t>In <slot></slot></button>'</script>`, "button", "In light"},
	{"aria-owns", `<button id=t aria-owns=o>Own </button><span id=o>ed</span>`, "button", "Own ed"},
	{"CJK", `<button id=t><span>新 建</span></button>`, "button", "新建"},
	{"line break", `<button id=t>one<br>two</button>`, "button", "one two"},
	{"tooltip", `<div id=t role=tooltip>Tip</div>`, "tooltip", "Tip"},
	{"menuitem", `<div role=menu><div id=t role=menuitem>Cut <kbd>X</kbd></div></div>`, "menuitem", "Cut X"},
	{"invisible part", `<button id=t>A<span style="visibility:hidden">B</span>C</button>`, "button", "AC"},
}

// The engine's own names are for documents in which the browser cannot compute them; both agree.
func TestNames(t *testing.T) {
	p := newTab(t, withInner(t, "roleOf,nameOf"))
	files := map[string]string{"/": "start"}
	for i, c := range nameCases {
		files[fmt.Sprintf("/%d", i)] = c.html
	}
	p.serve(files)
	for i, c := range nameCases {
		t.Run(c.name, func(t *testing.T) {
			p := p.sub(t)
			p.navigate(fmt.Sprintf("/%d", i))
			got := p.engineObject(`(() => {
				const t = document.getElementById('t') ?? h.shadowRoot.getElementById('t');
				const fold = (s) => s.replace(/\s+/g, ' ').trim().replace('新 建', '新建');
				return { own: [__action.roleOf(t), __action.nameOf(t)], browser: [t.computedRole, fold(t.computedName)], quick: __action.nameOf(t, true) };
			})()`)
			if want := str([]string{c.role, c.want}); str(got["own"]) != want {
				t.Errorf("own is %s, want %s (browser %s)", str(got["own"]), want, str(got["browser"]))
			}
			if str(got["browser"]) != str(got["own"]) {
				t.Logf("browser says %s", str(got["browser"]))
			}
		})
	}
}
