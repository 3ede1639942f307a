package browser

// Pages that update a list in place, with rows keyed by their index, while a press or a text is on
// its way to one of the rows.

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
)

// patchedRows returns a table whose rows move up by one, once, when go is called. how is a script
// that calls go on an event. log records what was done with which record.
func patchedRows(how string) string {
	return `<table id=tb><thead><tr><th>Name<th>Qty<th>Size<th>Rush<th></tr></thead><tbody></tbody></table><script>
		const rows = ['Ann', 'Bob', 'Cy'].map((name, i) => ({ name, qty: i + 1, size: 'S', rush: false }));
		window.log = [];
		window.patched = 0;
		const body = tb.tBodies[0];
		const draw = () => rows.forEach((d, i) => {
			const r = body.rows[i] ?? body.insertRow();
			if (!r.cells.length) r.innerHTML = '<td></td><td><input></td><td><select><option>S<option>L</select></td><td><input type=checkbox></td><td><button>Delete</button></td>';
			const [qty, rush] = r.querySelectorAll('input'), size = r.querySelector('select');
			r.cells[0].textContent = d.name;
			Object.assign(qty, { value: d.qty, ariaLabel: 'Qty ' + d.name, onchange: () => { d.qty = +qty.value; log.push(d.name + ' qty ' + d.qty); } });
			Object.assign(size, { value: d.size, ariaLabel: 'Size ' + d.name, onchange: () => { d.size = size.value; log.push(d.name + ' size ' + d.size); } });
			Object.assign(rush, { checked: d.rush, ariaLabel: 'Rush ' + d.name, onchange: () => { d.rush = rush.checked; log.push(d.name + ' rush'); } });
			r.querySelector('button').onclick = () => log.push(rows[i].name + ' deleted');
		});
		const go = () => { if (window.patched++ === 0) { rows.push(rows.shift()); draw(); } };
		draw();
		` + how + `</script>`
}

// patches are the ways in which pages update a list in place when a field loses the focus.
var patches = map[string]string{
	"on change":                   `tb.addEventListener('change', go);`,
	"in a microtask after change": `tb.addEventListener('change', () => queueMicrotask(go));`,
	"on focusout":                 `tb.addEventListener('focusout', go);`,
	"in a microtask after blur":   `tb.addEventListener('blur', () => Promise.resolve().then(go), true);`,
}

const bobsDelete = "role:table >> row:Bob >> role:button[name='Delete']"

func TestInputToTheRightRecord(t *testing.T) {
	inputs := []struct {
		name, log string
		do        func(t *testing.T, ctx context.Context, p *Page) error
	}{
		{"press", "Bob deleted", func(t *testing.T, ctx context.Context, p *Page) error {
			_, err := p.Press(ctx, written(t, bobsDelete, ""), driver.PressOptions{})
			return err
		}},
		{"fill", "Bob qty 7", func(t *testing.T, ctx context.Context, p *Page) error {
			_, err := p.Fill(ctx, written(t, "label:Qty Bob", ""), "7")
			return err
		}},
		{"type", "Bob qty 27", func(t *testing.T, ctx context.Context, p *Page) error {
			at := written(t, "label:Qty Bob", "")
			_, err := p.Type(ctx, &at, "7", 0)
			return err
		}},
		{"select", "Bob size L", func(t *testing.T, ctx context.Context, p *Page) error {
			_, err := p.Select(ctx, written(t, "label:Size Bob", ""), []string{"L"}, "")
			return err
		}},
		{"check", "Bob rush", func(t *testing.T, ctx context.Context, p *Page) error {
			_, err := p.Check(ctx, written(t, "label:Rush Bob", ""), true)
			return err
		}},
	}
	for how, script := range patches {
		for _, in := range inputs {
			t.Run(how+", "+in.name, func(t *testing.T) {
				ctx, p := show(t, patchedRows(script))
				if _, err := p.Fill(ctx, written(t, "label:Qty Ann", ""), "9"); err != nil {
					t.Fatal(err)
				}
				if err := in.do(t, ctx, p); err != nil {
					t.Error(err)
				}
				const state = `(document.activeElement.blur(), window.patched > 0) + ' ' + log.filter((line) => !line.startsWith('Ann qty')).join()`
				if got := evaluate(t, ctx, p, state); got != "true "+in.log {
					t.Errorf("the page has %q, want %q", got, "true "+in.log)
				}
			})
		}
	}
}

// A ref that the run itself has read means the element, so no other element can be pressed by it.
func TestPressOfAnotherRecordByPin(t *testing.T) {
	const menu = `<input aria-label=Search id=q><div role=menu id=m></div><script>
		window.log = [];
		const names = ['Copy', 'Rename', 'Delete'];
		const draw = () => names.forEach((name, i) => {
			const item = m.children[i] ?? m.appendChild(Object.assign(document.createElement('div'), { role: 'menuitem', tabIndex: -1 }));
			item.textContent = name;
			item.onclick = () => log.push(name);
		});
		draw();
		q.onchange = () => { names.unshift(names.pop()); draw(); };</script>`
	ctx, p := show(t, menu)
	if _, err := p.Fill(ctx, css("#q"), "x"); err != nil {
		t.Fatal(err)
	}
	item, err := p.Read(ctx, written(t, "role:menuitem[name='Rename']", ""), driver.ReadOptions{What: "ref"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Press(ctx, written(t, fmt.Sprint("@", item.Value), ""), driver.PressOptions{})
	wantCode(t, err, diag.StaleRef, "it is now", "Copy")
	if got := evaluate(t, ctx, p, "log.join()"); got != "" {
		t.Errorf("pressed %q", got)
	}
}

// An element that the page changes when the button goes down is not pressed. The press is not
// repeated either, because the page may have acted on it.
func TestPressOfWhatTheButtonChanges(t *testing.T) {
	for _, event := range []string{"pointerdown", "mousedown"} {
		for _, later := range []string{"go()", "queueMicrotask(go)"} {
			for _, filled := range []bool{false, true} {
				t.Run(fmt.Sprint(event, " ", later, " ", filled), func(t *testing.T) {
					ctx, p := show(t, patchedRows(fmt.Sprintf(`addEventListener(%q, () => %s);`, event, later)))
					if filled {
						if _, err := p.Fill(ctx, written(t, "label:Qty Ann", ""), "9"); err != nil {
							t.Fatal(err)
						}
					}
					_, err := p.Press(ctx, written(t, bobsDelete, ""), driver.PressOptions{})
					e := wantCode(t, err, diag.StepFailed, "it is now", `in "Cy"`)
					if e.Details["reason"] != "changed" {
						t.Errorf("details %v", e.Details)
					}
					if got := evaluate(t, ctx, p, "log.filter((line) => line.endsWith('deleted')).join()"); got != "" {
						t.Errorf("pressed %q", got)
					}
				})
			}
		}
	}
}

// If the element no longer matches, the error says what it has become.
func TestPressOfWhatLosesItsName(t *testing.T) {
	ctx, p := show(t, `<input id=q value=1><button id=b>Update</button><script>
		window.log = [];
		q.onchange = () => { b.textContent = q.value === '0' ? 'Remove item' : 'Update'; };
		b.onclick = () => log.push(b.textContent);</script>`)
	if _, err := p.Fill(ctx, css("#q"), "0"); err != nil {
		t.Fatal(err)
	}
	_, err := p.Press(ctx, within(written(t, "role:button[name='Update']", ""), 300*time.Millisecond), driver.PressOptions{})
	wantCode(t, err, diag.StepFailed, "it is now", "Remove item")
	if got := evaluate(t, ctx, p, "log.join()"); got != "" {
		t.Errorf("pressed %q", got)
	}
}

// A text does not reach a field that has become another one.
func TestTextToAnotherRecord(t *testing.T) {
	ctx, p := show(t, patchedRows(`tb.addEventListener('keydown', go);`))
	if _, err := p.Fill(ctx, written(t, "label:Qty Bob", ""), "7"); err != nil {
		t.Fatal(err)
	}
	if got := evaluate(t, ctx, p, "(document.activeElement.blur(), log.join())"); got != "Bob qty 7" {
		t.Errorf("the page has %q", got)
	}
}

// These changes do not turn the pressed or filled element into another one.
func TestInputToWhatIsMeant(t *testing.T) {
	const field = `<label>Name <input id=q></label>`
	tests := []struct{ name, html, selector string }{
		{"a value in its row", `<table><tr><td>Ann<td><input id=q><td id=s>5<td><button onclick="window.hit=1">Edit</button><tr><td>Bob<td><td>6<td><button>Edit</button></table>
			<script>q.onchange=()=>{s.textContent=q.value}</script>`, "css:table >> row:Ann >> role:button[name='Edit']"},
		{"rows with keys", `<input id=q><ul id=l><li>Ann <button>Edit</button><li>Bob <button onclick="window.hit=1">Edit</button></ul>
			<script>q.onchange=()=>l.append(Object.assign(document.createElement('li'),{textContent:'Cy'}))</script>`, "css:li >> has-text:Bob >> role:button"},
		{"its own name on click", `<input id=q><button onclick="this.textContent='Hide';window.hit=1">Show</button>`, "role:button[name='Show']"},
		{"its own name on mousedown", `<button id=q onmousedown="this.textContent='Pause'" onclick="window.hit=1">Play</button>`, "role:button[name='Play']"},
		{"a word more in its name", field + `<button id=b onclick="window.hit=1">Save</button><script>q.onchange=()=>{b.textContent='Save (1 change)'}</script>`, "role:button[name='Save']"},
		{"a ripple", field + `<p id=s style="height:20px"></p><button id=b onclick="window.hit=1">Save</button><script>
			q.onchange=()=>{s.textContent='Changed'};b.onmousedown=()=>b.append(document.createElement('span'))</script>`, "role:button[name='Save']"},
		{"a message beside a field", `<div><input id=q><em id=s></em></div><div><button onclick="window.hit=1">Save</button></div>
			<script>q.onblur=()=>{s.textContent='Too short'}</script>`, "role:button[name='Save']"},
		{"a menu that hides the page from readers", field + `<main id=m><button id=b aria-haspopup=menu onclick="window.hit=1">Options 3</button></main><script>
			b.onpointerdown=()=>{m.ariaHidden='true';document.body.insertAdjacentHTML('beforeend','<div role=menu><div role=menuitem>Options 4</div></div>')}</script>`, "role:button[name='Options 3']"},
		{"an option", `<input id=q role=combobox><ul role=listbox id=l></ul><script>
			const draw=()=>l.replaceChildren(...['Bern','Bonn'].map((name)=>Object.assign(document.createElement('li'),{role:'option',textContent:name,onclick:()=>{window.hit=name==='Bonn'?1:2}})));
			q.oninput=draw</script>`, "role:option[name='Bonn']"},
		{"a suggestion taken on mousedown", `<input id=q><ul id=l></ul><script>
			q.oninput=()=>{l.innerHTML='<li>Bern<li>Bonn'};l.onmousedown=(e)=>{window.hit=e.target.textContent==='Bonn'?1:2;q.value=e.target.textContent;l.hidden=true};q.onblur=()=>{l.hidden=true}</script>`, "text:Bonn"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			if evaluate(t, ctx, p, "q.matches('input')") == true {
				if _, err := p.Fill(ctx, css("#q"), "9"); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := p.Press(ctx, written(t, tt.selector, ""), driver.PressOptions{}); err != nil {
				t.Error(err)
			}
			if got := evaluate(t, ctx, p, "window.hit"); got != 1.0 {
				t.Errorf("the page saw %v, want 1", got)
			}
		})
	}
}

// A field may change its own texts when it gets the focus.
func TestFillOfWhatChangesByItsFocus(t *testing.T) {
	ctx, p := show(t, `<input id=a placeholder=Name><input id=b placeholder=City><p id=s></p><script>
		for (const n of [a, b]) n.onfocus = () => { n.placeholder = ''; s.textContent = 'Filling ' + n.id; };</script>`)
	for _, name := range []string{"Name", "City"} {
		if _, err := p.Fill(ctx, written(t, "placeholder:"+name, ""), name); err != nil {
			t.Error(err)
		}
	}
	if got := evaluate(t, ctx, p, "a.value + b.value"); got != "NameCity" {
		t.Errorf("the fields hold %q", got)
	}
}
