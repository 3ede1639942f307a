package browser

import (
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

// An element that the page renders again in the middle of a press gets no click, which is an error.
func TestPressOfWhatThePageReplaces(t *testing.T) {
	const page = `<div id=box></div><script>
		window.n = 0;
		const draw = () => { box.innerHTML = '<button id=b>Save</button>'; b.addEventListener(type, () => { n++; draw(); }); };
	</script>`
	t.Run("double click", func(t *testing.T) {
		ctx, p := show(t, page+`<script>const type = 'click'; draw();</script>`)
		_, err := p.Press(ctx, css("#b"), driver.PressOptions{Count: 2})
		wantCode(t, err, diag.StepFailed, "after 1 of 2 clicks")
		if n, err := p.Eval(ctx, "n", nil); err != nil || n != 1.0 {
			t.Errorf("the page saw %v clicks (%v), want 1", n, err)
		}
	})
	t.Run("on mousedown", func(t *testing.T) {
		ctx, p := show(t, page+`<script>const type = 'mousedown'; draw();</script>`)
		_, err := p.Press(ctx, css("#b"), driver.PressOptions{})
		wantCode(t, err, diag.StepFailed, "drew it anew as it was when the button went down on it")
	})
	t.Run("on mousedown, chosen", func(t *testing.T) {
		ctx, p := show(t, `<div id=box></div><script>
			const draw = (how) => { box.innerHTML = '<button id=b ' + how + '>Save</button>'; b.onmousedown = () => draw('aria-pressed=true') };
			draw('');</script>`)
		press, err := p.Press(ctx, css("#b"), driver.PressOptions{})
		if err != nil || !press.Removed {
			t.Errorf("got %+v, %v; want a press whose element was removed", press, err)
		}
	})
	t.Run("its row on mousedown", func(t *testing.T) {
		ctx, p := show(t, `<div id=box></div><script>
			const draw = (how) => { box.innerHTML = '<p ' + how + '><button id=b>Delete</button>' };
			box.onmousedown = () => draw('class=selected');
			draw('');</script>`)
		_, err := p.Press(ctx, css("#b"), driver.PressOptions{})
		wantCode(t, err, diag.StepFailed, "drew it anew")
	})
	t.Run("on click", func(t *testing.T) {
		ctx, p := show(t, page+`<script>const type = 'click'; draw();</script>`)
		press, err := p.Press(ctx, css("#b"), driver.PressOptions{})
		if err != nil || press.Removed {
			t.Errorf("got %+v, %v; want a plain press", press, err)
		}
	})
	t.Run("double click that stays", func(t *testing.T) {
		ctx, p := show(t, `<button id=b ondblclick="window.d=1">Save</button>`)
		if _, err := p.Press(ctx, css("#b"), driver.PressOptions{Count: 2}); err != nil {
			t.Error(err)
		}
		if d, err := p.Eval(ctx, "d", nil); err != nil || d != 1.0 {
			t.Errorf("the page saw %v double clicks (%v), want 1", d, err)
		}
	})
}

// If the control looks as before, except for its marks, a missing click means that the press had no
// effect.
func TestPressOfAControlDrawnAnew(t *testing.T) {
	// rows renders the content of box again on mousedown, with and without a mark.
	rows := func(was, now string) string {
		return `<style>td,li{padding:4px}</style><p id=n></p><table id=box>` + was + `</table><script>
			const now = ` + "`" + now + "`" + `; box.onmousedown = () => { box.innerHTML = now }</script>`
	}
	const row = `<tr><td>Ada<td><button id=b%s>Edit</button></tr>`
	in := func(attrs string) string { return strings.ReplaceAll(row, "%s", attrs) }
	two := func(one, other string) string {
		return `<tr><td>Bob<td><button id=a` + one + `>Edit</button></tr>` + `<tr><td>Ada<td><button id=b` + other + `>Edit</button></tr>`
	}
	const lost = "drew it anew when the button went down on it"
	tests := []struct{ name, html, lost string }{
		{"one more class", rows(in(""), in(` class="near warm"`)), lost},
		{"a reference to its tooltip", rows(in(""), in(` aria-describedby=tip-4`)), lost},
		{"another id", rows(in(""), strings.ReplaceAll(in(""), "id=b", "id=row-7-edit")), lost},
		{"a style", rows(in(""), in(` style="outline:1px solid"`)), lost},
		{"disabled", rows(in(""), in(` disabled`)), lost},
		{"a box of the row is ticked", rows(`<tr><td><input type=checkbox>Ada<td><button id=b>Edit</button></tr>`, `<tr class=on><td><input type=checkbox checked>Ada<td><button id=b class=k>Edit</button></tr>`), lost},
		{"a word more in its row", rows(in(""), `<tr class=on><td>Ada (chosen)<td><button id=b class=k>Edit</button></tr>`), lost},
		{"one of two rows", rows(two("", ""), two("", " class=k")), lost},
		{"a bar above moves it", rows(two("", ""), `<tr><td colspan=2 style="height:150px">1 chosen</tr>`+two("", " class=k")), lost},
		{"a link", rows(`<tr><td>Ada<td><a id=b href="#edit">Edit</a></tr>`, `<tr><td>Ada<td><a id=b class=k href="#edit">Edit</a></tr>`), lost},
		{"a box", rows(`<tr><td>Ada<td><input type=checkbox id=b></tr>`, `<tr><td>Ada<td><input type=checkbox class=k id=b></tr>`), lost},
		{"an ARIA button", rows(`<tr><td>Ada<td><span role=button id=b>Edit</span></tr>`, `<tr><td>Ada<td><span role=button id=b class=k>Edit</span></tr>`), lost},
		{"an icon", rows(`<tr><td>Ada<td><button id=b aria-label=Edit><i class=pen></i></button></tr>`, `<tr><td>Ada<td><button id=b class=k aria-label=Edit><i class=pen></i></button></tr>`), lost},
		{"a copy is shown in its place", `<div id=o><button id=b>Edit</button></div><div id=q hidden><button class=k>Edit</button></div><script>o.onmousedown=()=>{o.hidden=true;q.hidden=false}</script>`, lost},
		{"its content", `<button id=b onmousedown="b.innerHTML='<b>Edit</b>'"><b>Edit</b></button>`, "drew its content anew"},
		{"hidden, so that its form is not sent", `<form><input name=n value=x><button id=b onmousedown="b.style.display='none'">Save</button></form>`, "so its form was not sent"},

		{"hidden, with a message", `<form><button id=b onmousedown="b.hidden=true;s.textContent='Saved'">Save</button><p id=s role=status></p></form>`, ""},
		{"hidden, and sends nothing", `<form><button type=button id=b onmousedown="b.hidden=true">Later</button></form>`, ""},
		{"as pressed", rows(in(""), in(` aria-pressed=true`)), ""},
		{"as active", rows(in(""), in(` class="btn btn--active"`)), ""},
		{"with other words", rows(in(""), strings.ReplaceAll(in(""), "Edit", "Done")), ""},
		{"with another icon", rows(`<tr><td>Ada<td><button id=b aria-label=Star><i class=icon-star></i></button></tr>`, `<tr><td>Ada<td><button id=b aria-label=Star><i class=icon-star-full></i></button></tr>`), ""},
		{"its row is gone", rows(two("", ""), `<tr><td>Bob<td><button id=a>Edit</button></tr>`), ""},
		{"the next row comes in its place", rows(`<tr><td>Ada<td><button id=b>Edit</button></tr><tr><td>Bob<td><button>Edit</button></tr>`, `<tr><td>Bob<td><button id=b>Edit</button></tr>`), ""},
		{"its row counts", rows(`<tr><td>3 of 9<td><button id=b>Edit</button></tr>`, `<tr><td>4 of 9<td><button id=b>Edit</button></tr>`), ""},
		{"with a message", rows(in(""), in(" class=k")) + `<p id=s role=status></p><script>box.addEventListener('mousedown',()=>{s.textContent='Saved'})</script>`, ""},
		{"with a dialog", rows(in(""), in(" class=k")) + `<dialog id=d>Sure?</dialog><script>box.addEventListener('mousedown',()=>d.show())</script>`, ""},
		{"with another address", rows(in(""), in(" class=k")) + `<script>box.addEventListener('mousedown',()=>{location.hash='edit'})</script>`, ""},
		{"by its click", strings.Replace(rows(in(""), in(" class=k")), "onmousedown", "onclick", 1), ""},
	}
	for _, tt := range testkit.Kinds(t, "rows", 9, tests, func(i int) any { return tests[i].lost }) {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			_, err := p.Press(ctx, css("#b"), driver.PressOptions{})
			if tt.lost != "" {
				wantCode(t, err, diag.StepFailed, tt.lost)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

// hoverMenu opens under the mouse, and begins to grow when the mouse is on its way to the item.
// Until it has grown, nothing in it can be hit. Then it closes if the mouse is neither on the
// button nor on the menu.
const hoverMenu = `<style>#menu { position: absolute; left: 200px; top: 100px; width: 200px; display: none }</style>
	<button id=a>Menu</button><div id=menu><button id=item>Item</button></div><script>
		window.log = [];
		let grown = false;
		a.onmouseenter = () => { menu.style.display = 'block'; };
		item.onclick = () => log.push('pressed');
		addEventListener('pointermove', (e) => {
			if (grown || e.target !== item) return;
			grown = true;
			menu.style.transform = 'scaleY(0)';
			let frames = 30;
			const grow = () => {
				if (--frames > 0) return requestAnimationFrame(grow);
				menu.style.transform = '';
				if (!a.matches(':hover')) { menu.style.display = 'none'; log.push('closed'); }
			};
			grow();
		}, true);
	</script>`

// A press that misses moves the mouse back, so that what has opened because of the mouse stays
// open.
func TestMissedPressKeepsWhatTheMouseHasOpened(t *testing.T) {
	ctx, p := show(t, hoverMenu)
	if _, err := p.Hover(ctx, css("#a"), driver.PressOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Press(ctx, css("#item"), driver.PressOptions{}); err != nil {
		t.Error(err)
	}
	if log := evaluate(t, ctx, p, "log.join()"); log != "pressed" {
		t.Errorf("the menu saw %v, want pressed", log)
	}
}
