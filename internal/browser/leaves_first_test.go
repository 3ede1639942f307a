package browser

// A field loses the focus because of a press, and the page may act on the button before that.

import (
	"fmt"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
)

// steppers returns a page with rows whose buttons act at an event. The rows move up by one when the
// field Factor, outside of the table, or a field of the table reports a change. how is what a
// button does for the record d.
func steppers(event, how string) string {
	return fmt.Sprintf(`<label>Factor <input id=k></label><table id=tb><thead><tr><th>Name<th>Qty<th></tr></thead><tbody></tbody></table><script>
		const rows = ['Ann', 'Bob', 'Cy'].map((name, i) => ({ name, qty: i + 1 }));
		window.log = [];
		const body = tb.tBodies[0];
		const draw = () => rows.forEach((d, i) => {
			const r = body.rows[i] ?? body.insertRow();
			if (!r.cells.length) {
				r.innerHTML = '<td></td><td><input> <span></span></td><td><button>Add</button></td>';
				r.querySelector('button').addEventListener(%q, () => { const d = rows[i]; log.push(d.name); %s; });
			}
			r.cells[0].textContent = d.name;
			r.querySelector('span').textContent = d.qty + ' pieces';
			r.querySelector('input').ariaLabel = 'Qty ' + d.name;
		});
		const go = () => { rows.push(rows.shift()); draw(); };
		k.onchange = tb.onchange = go;
		draw();</script>`, event, how)
}

// If a button acts when it goes down, it acts once, for the record that is meant, or the press
// fails.
func TestPressBehindAFieldThatIsLeft(t *testing.T) {
	tests := []struct {
		field, how string
		fails      bool
	}{
		{"Factor", "d.qty += 3; draw()", false},
		{"Factor", "fetch('/sent', { method: 'POST' })", true}, // the cause of the request is not known
		{"Qty Ann", "d.qty += 3; draw()", false},
		{"Qty Ann", "fetch('/sent', { method: 'POST' })", false},
	}
	for _, event := range []string{"pointerdown", "mousedown"} {
		for _, tt := range tests {
			t.Run(event+", "+tt.field+", "+tt.how, func(t *testing.T) {
				ctx, p := show(t, steppers(event, tt.how))
				if _, err := p.Fill(ctx, written(t, "label:"+tt.field, ""), "9"); err != nil {
					t.Fatal(err)
				}
				_, err := p.Press(ctx, written(t, "role:table >> row:Bob >> role:button[name='Add']", ""), driver.PressOptions{})
				if tt.fails {
					wantCode(t, err, diag.StepFailed, "it is now")
				} else if err != nil {
					t.Error(err)
				}
				if got := evaluate(t, ctx, p, "log.join()"); got != "Bob" {
					t.Errorf("the page has added to %q, want Bob once", got)
				}
			})
		}
	}
}

func TestDragAndHoldOfTheRightRecord(t *testing.T) {
	const list = `<label>Filter <input id=k></label><ul id=ls style="width:300px"></ul><div id=bin style="height:90px">Bin</div><script>
		const names = ['Ann', 'Bob', 'Cy'];
		window.log = [];
		const draw = () => names.forEach((name, i) => {
			let r = ls.children[i];
			if (!r) {
				r = ls.appendChild(document.createElement('li'));
				r.draggable = true;
				r.ondragstart = (e) => { window.dragged = names[i]; e.dataTransfer.setData('text', names[i]); };
				r.onpointerdown = () => { r.held = setTimeout(() => log.push('held ' + names[i]), 300); };
				r.onpointerup = () => clearTimeout(r.held);
			}
			r.textContent = name;
		});
		k.onchange = () => { names.unshift(names.pop()); draw(); };
		bin.ondragover = (e) => e.preventDefault();
		bin.ondrop = () => { log.push('dropped ' + dragged); bin.textContent = 'Bin: ' + dragged; };
		draw();</script>`
	t.Run("drag", func(t *testing.T) {
		ctx, p := show(t, list)
		if _, err := p.Fill(ctx, css("#k"), "x"); err != nil {
			t.Fatal(err)
		}
		bob := written(t, "text:Bob", "")
		if _, err := p.Drag(ctx, driver.Place{Target: &bob}, place("#bin")); err != nil {
			t.Error(err)
		}
		if got := evaluate(t, ctx, p, "log.filter((line) => line.startsWith('dropped')).join()"); got != "dropped Bob" {
			t.Errorf("the page has %q", got)
		}
	})
	t.Run("hold", func(t *testing.T) {
		ctx, p := show(t, list)
		if _, err := p.Fill(ctx, css("#k"), "x"); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Hold(ctx, written(t, "text:Bob", ""), 600*time.Millisecond); err != nil {
			t.Error(err)
		}
		if got := evaluate(t, ctx, p, "log.join()"); got != "held Bob" {
			t.Errorf("the page has %q", got)
		}
	})
}

// A page may enable its button when the focus leaves the previous field, as for a press by a
// person.
func TestPressOfAButtonThatLeavingEnables(t *testing.T) {
	for _, event := range []string{"change", "blur", "focusout"} {
		for _, how := range []string{"enable()", "setTimeout(enable, 50)"} {
			t.Run(event+", "+how, func(t *testing.T) {
				ctx, p := show(t, fmt.Sprintf(`<label>Email <input id=e></label><button id=b disabled onclick="log.push('saved')">Save</button><script>
					window.log = [];
					const enable = () => { b.disabled = !e.value.includes('@'); };
					e.addEventListener(%q, () => %s);</script>`, event, how))
				if _, err := p.Fill(ctx, css("#e"), "a@b.c"); err != nil {
					t.Fatal(err)
				}
				if _, err := p.Press(ctx, css("#b"), driver.PressOptions{}); err != nil {
					t.Error(err)
				}
				if got := evaluate(t, ctx, p, "log.join()"); got != "saved" {
					t.Errorf("the page has %q", got)
				}
			})
		}
	}
	t.Run("a list stays open", func(t *testing.T) {
		ctx, p := show(t, `<input id=q role=combobox aria-expanded=true onblur="document.getElementById('o').remove()"><ul role=listbox><li id=o role=option aria-disabled=true>Red</li></ul>`)
		if _, err := p.Fill(ctx, css("#q"), "r"); err != nil {
			t.Fatal(err)
		}
		_, err := p.Press(ctx, within(css("#o"), 300*time.Millisecond), driver.PressOptions{})
		wantCode(t, err, diag.ElementNotInteractable, "disabled")
	})
}
