package browser

import (
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
)

// Behaviour of component libraries that no other page of the tests shows.

// A list that opens on the press covers its button before the release. The page gets the release,
// as from a person, but no click on what lies between them.
func TestPressThatOpensSomethingOverIt(t *testing.T) {
	const page = `<style>#b{position:absolute;left:10px;top:10px;width:100px;height:30px}#o{position:fixed;inset:0}</style>
		<div id=b onmousedown="seen.push('down');document.body.insertAdjacentHTML('beforeend','<div id=o>list</div>')" onclick="seen.push('click')">Open</div>
		<script>window.seen=[];addEventListener('pointerup',()=>seen.push('pointerup'));addEventListener('mouseup',()=>seen.push('mouseup'));
		document.body.onclick=()=>seen.push('outside')</script>`
	ctx, p := show(t, page)
	got, err := p.Press(ctx, css("#b"), driver.PressOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if want := `<div#o "list">`; got.Covered != want {
		t.Errorf("covered: got %q, want %q", got.Covered, want)
	}
	if v := evaluate(t, ctx, p, "seen.join()"); v != "down,pointerup,mouseup" {
		t.Errorf("events: got %v, want down,pointerup,mouseup", v)
	}
	_, err = p.Press(ctx, within(css("#b"), 100*time.Millisecond), driver.PressOptions{})
	wantCode(t, err, diag.ElementNotInteractable, "covered by <div#o")
}

// A release on something else is no accident if the element says that it is now expanded.
func TestPressThatExpands(t *testing.T) {
	ctx, p := show(t, `<style>#b{position:absolute;left:10px;top:10px;width:100px;height:30px}#o{position:fixed;inset:0}</style>
		<div role=combobox aria-expanded=false><div id=b onmousedown="this.parentNode.ariaExpanded=true;document.body.insertAdjacentHTML('beforeend','<div id=o>list</div>')">Open</div></div>`)
	got, err := p.Press(ctx, css("#b"), driver.PressOptions{})
	if err != nil || got.Covered != "" {
		t.Errorf("covered: got %q %v, want none", got.Covered, err)
	}
}

// Over slotted text, the hit test of the shadow root returns the host.
func TestPressOfSlottedText(t *testing.T) {
	ctx, p := show(t, `<x-button id=b>Open</x-button><script>
		customElements.define('x-button',class extends HTMLElement{constructor(){super();
			this.attachShadow({mode:'open'}).innerHTML='<button><span><slot></slot></span></button>';
			this.shadowRoot.firstChild.onclick=()=>window.hit=(window.hit||0)+1}})</script>`)
	for _, source := range []string{"button", "#b", "slot"} {
		if _, err := p.Press(ctx, css(source), driver.PressOptions{}); err != nil {
			t.Errorf("%s: %v", source, err)
		}
	}
	if v := evaluate(t, ctx, p, "window.hit"); v != 3.0 {
		t.Errorf("hits: got %v, want 3", v)
	}
}

// A control in a shadow root may leave its clicks to its host.
func TestPressOfWhatItsHostTakes(t *testing.T) {
	ctx, p := show(t, `<x-tab onclick="hits++" id=h><b>Two</b></x-tab><p style="pointer-events:none" onclick="hits+=100"><button style="pointer-events:none" id=off>Off</button></p>
		<script>window.hits=0;customElements.define('x-tab',class extends HTMLElement{constructor(){super();
			this.attachShadow({mode:'open'}).innerHTML='<style>:host{display:inline-block}button,::slotted(*){pointer-events:none}</style><button role=tab><slot></slot></button>'}})</script>`)
	for _, source := range []string{"b", "[role=tab]"} {
		if _, err := p.Press(ctx, css(source), driver.PressOptions{}); err != nil {
			t.Errorf("%s: %v", source, err)
		}
	}
	_, err := p.Press(ctx, within(css("#off"), 50*time.Millisecond), driver.PressOptions{})
	if e := wantCode(t, err, diag.ElementNotInteractable, "pointer-events: none"); !strings.Contains(e.Hint, "accepts no clicks") {
		t.Errorf("hint: got %q, want what the style means", e.Hint)
	}
	if v := evaluate(t, ctx, p, "hits"); v != 2.0 {
		t.Errorf("hits: got %v, want 2", v)
	}
}

// A field may leave its clicks to the list around it to which it belongs. No other element around
// it counts.
func TestPressOfWhatTheSameAroundItTakes(t *testing.T) {
	ctx, p := show(t, `<div role=combobox aria-expanded=false onclick="hits++"><i>x</i><input role=combobox aria-label=City style="pointer-events:none"></div>
		<a href=#there onclick="hits+=100"><input role=combobox aria-label=Town style="pointer-events:none"></a><script>window.hits=0</script>`)
	if _, err := p.Press(ctx, css("[aria-label=City]"), driver.PressOptions{}); err != nil {
		t.Error(err)
	}
	_, err := p.Press(ctx, within(css("[aria-label=Town]"), 50*time.Millisecond), driver.PressOptions{})
	wantCode(t, err, diag.ElementNotInteractable, "pointer-events: none")
	if v := evaluate(t, ctx, p, "hits"); v != 1.0 {
		t.Errorf("hits: got %v, want 1", v)
	}
}

// An editor that draws its own text receives keys through a hidden textarea.
func TestFillOfAnEditorBehindATextarea(t *testing.T) {
	const page = `<style>#e{position:relative;width:300px;height:60px}#k{position:absolute;overflow:hidden;width:3px;height:0}
		textarea{width:500px;height:15px}</style><div id=e><pre id=n>1</pre><div id=k><textarea id=f></textarea></div><pre id=shown>old</pre></div>
		<script>let text='old',all=false;
		f.onkeydown=(e)=>{if(e.key==='a'&&(e.ctrlKey||e.metaKey))all=true;if(e.key==='Delete')put('')};
		f.oninput=()=>{put(f.value);f.value=''};
		function put(s){text=(all&&!window.stubborn?'':text)+s;all=false;shown.textContent=text}</script>`
	t.Run("replaced", func(t *testing.T) {
		ctx, p := show(t, page)
		for _, value := range []string{"let a = 1;\nlet b;", "x", ""} {
			if _, err := p.Fill(ctx, css("#f"), value); err != nil {
				t.Errorf("%q: %v", value, err)
			}
			if v := evaluate(t, ctx, p, "text"); v != value {
				t.Errorf("holds %q, want %q", v, value)
			}
		}
	})
	t.Run("refused", func(t *testing.T) {
		ctx, p := show(t, page+`<script>window.stubborn=true</script>`)
		_, err := p.Fill(ctx, css("#f"), "new")
		wantCode(t, err, diag.StepFailed, `instead of "new"`, "oldnew")
	})
}

// An editor with its own selection updates it on selectionchange.
func TestClearOfAnEditorWithItsOwnSelection(t *testing.T) {
	ctx, p := show(t, `<div id=f contenteditable>some text</div><script>
		let whole=false;
		document.addEventListener('selectionchange',()=>whole=String(getSelection())==='some text');
		f.addEventListener('beforeinput',(e)=>{e.preventDefault();f.textContent=whole?'':f.textContent.slice(0,-1)})</script>`)
	if _, err := p.Fill(ctx, css("#f"), ""); err != nil {
		t.Error(err)
	}
}

// Text that is drawn in capitals has its name in capitals, also among many others, and every
// message shows it so.
func TestNamesInTheCaseInWhichTheyAreDrawn(t *testing.T) {
	ctx, p := show(t, `<style>button{text-transform:uppercase}i{text-transform:capitalize}</style>`+strings.Repeat(`<button>one</button>`, 60)+`<button id=b>ok <i>now</i></button>`)
	got, err := p.Press(ctx, query(rolePart("button", "OK Now")), driver.PressOptions{})
	if err != nil || got.Name != "OK Now" {
		t.Errorf("got %q, %v; want OK Now", got.Name, err)
	}
	_, err = p.Press(ctx, within(query(rolePart("button", "Ok now")), 50*time.Millisecond), driver.PressOptions{})
	if e := wantCode(t, err, diag.ElementNotFound); !strings.Contains(e.Hint, `"ONE"`) {
		t.Errorf("hint: got %q, want the names as they are drawn", e.Hint)
	}
}

func TestControlsThatArePartsOfAPage(t *testing.T) {
	ctx, p := show(t, `<div role=combobox id=c tabindex=0 aria-label=Age>Twenty</div><div role=slider id=s tabindex=0 aria-label=Price aria-valuenow=3>.</div>`)
	got, err := p.Read(ctx, css("#c"), driver.ReadOptions{What: "value"})
	if err != nil || got.Value != "Twenty" {
		t.Errorf("value: got %v, %v; want Twenty", got.Value, err)
	}
	_, err = p.Fill(ctx, css("#s"), "4")
	if e := wantCode(t, err, diag.StepFailed, "holds 3 instead of 4"); !strings.Contains(e.Hint, "does not move on arrow keys") {
		t.Errorf("hint: got %q, want why", e.Hint)
	}
}

func TestSnapshotOfLibraries(t *testing.T) {
	const drawing = `<svg role=img aria-label=Chart width=90 height=40><g role=button tabindex=0 aria-label=Bar><rect width=20 height=20 /></g>
		<a href="#y"><text y=30>Year</text></a><text x=50 y=30>Axis</text></svg>`
	tests := []struct {
		name, html  string
		interactive bool
		want        string
	}{
		{"value of a list that is no field", `<div role=combobox tabindex=0 aria-label=Age aria-expanded=false>Twenty</div>
			<div role=combobox tabindex=0 aria-label=None><span>&#8203;</span></div>
			<div role=combobox tabindex=0 aria-label=Open>Two<div role=listbox><div role=option>One</div></div></div>`, true,
			`- combobox "Age" [expanded=false] [ref=e1] value="Twenty"
- combobox "None" [ref=e2]
- combobox "Open" [ref=e3]:
  - listbox [ref=e4] [near=Two]:
    - option "One" [ref=e5]`},
		{"catchers of the focus", `<div tabindex=0></div><button>OK</button><div tabindex=0 style="width:0;height:9px"></div>`, true,
			`- button "OK" [ref=e1]`},
		{"a box that scrolls by keys", `<div tabindex=0 style="overflow:auto;height:40px"><div role=row><div role=cell>A</div><div role=cell>B</div></div></div>`, false,
			`- row:
  - cell "A" [ref=e1]
  - cell "B" [ref=e2]`},
		{"what takes clicks around a table", `<div onclick=1><table><tr><td>A<td>B</table></div>`, false,
			`- clickable "A B" [ref=e1]:
  - table:
    - row:
      - cell "A" [ref=e2]
      - cell "B" [ref=e3]`},
		{"a box around one control", `<div onclick=1><button>Save</button></div><div style="cursor:pointer"><input aria-label=Pick type=checkbox></div>
			<div onclick=1>Row <button>Edit</button></div><div role=tree><div role=treeitem><div onclick=1>Leaf</div></div></div>`, true,
			`- button "Save" [ref=e1]
- checkbox "Pick" [ref=e2]
- clickable "Row Edit" [ref=e3]:
  - button "Edit" [ref=e4]
- treeitem "Leaf" [ref=e5]`},
		{"without a name", `<p>Date: <input> <input id=to> <button class="icon next"><svg width=9 height=9></svg></button></p>
			<p><input type=checkbox> Express</p>`, true,
			`- textbox [ref=e1] [near=Date:]
- textbox [ref=e2] [id=to]
- button [ref=e3] [class="icon next"]
- checkbox [ref=e4] [near=Express]`},
		{"the end of a long text beside a control", `<p>` + strings.Repeat("0123456789", 6) + ` <input> <p>` + strings.Repeat("0123456789", 6) + `: <input>`, true,
			`- textbox [ref=e1] [near=` + strings.Repeat("0123456789", 6) + `]
- textbox [ref=e2] [near="…` + strings.Repeat("0123456789", 6)[2:] + `:"]`},
		{"label of what is hidden", `<label for=s>State</label><select id=s aria-hidden=true><option>AL</select><span role=combobox tabindex=0>Alabama</span>`, true,
			`- combobox [ref=e1] [near=State] value="Alabama"`},
		{"item that the keys act on", `<div role=menu tabindex=0 id=m aria-activedescendant=two><div role=menuitem>One</div><div role=menuitem id=two>Two</div></div><script>m.focus()</script>`, true,
			`- menuitem "One" [ref=e1]
- menuitem "Two" [active] [ref=e2]`},
		{"link that only a script follows", `<a title=Prev><span>Prev</span></a> <a id=top>Heading</a>`, true,
			`- clickable "Prev" [ref=e1]`},
		{"parts of a drawing", drawing, true, `- button "Bar" [ref=e1]
- link "Year" [ref=e2]`},
		{"parts of a drawing, in full", drawing, false, `- image "Chart" [ref=e1]:
  - button "Bar" [ref=e2]
  - link "Year" [ref=e3]`},
		{"header with a filter in it", `<div role=table><div role=row><div role=columnheader><b>Name</b><input type=search></div></div></div>`, false,
			`- table:
  - columnheader "Name" [ref=e1]:
    - searchbox [ref=e2]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			got := strings.TrimSpace(body(take(t, ctx, p, snapshot.Options{Interactive: tt.interactive})))
			if got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
