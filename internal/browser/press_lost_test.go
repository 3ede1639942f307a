package browser

import (
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps"
)

// TestPressOfWhatThePageReplaces: what a page renders anew in the middle of a press
// gets no click, and that is told.
func TestPressOfWhatThePageReplaces(t *testing.T) {
	const page = `<div id=box></div><script>
		window.n = 0;
		const draw = () => { box.innerHTML = '<button id=b>Save</button>'; b.addEventListener(type, () => { n++; draw(); }); };
	</script>`
	t.Run("double click", func(t *testing.T) {
		ctx, p := show(t, page+`<script>const type = 'click'; draw();</script>`)
		_, err := p.Press(ctx, css("#b"), steps.PressOptions{Count: 2})
		wantCode(t, err, diag.StepFailed, "after 1 of 2 clicks")
		if n, err := p.Eval(ctx, "n", nil); err != nil || n != 1.0 {
			t.Errorf("the page saw %v clicks (%v), want 1", n, err)
		}
	})
	t.Run("on mousedown", func(t *testing.T) {
		ctx, p := show(t, page+`<script>const type = 'mousedown'; draw();</script>`)
		_, err := p.Press(ctx, css("#b"), steps.PressOptions{})
		wantCode(t, err, diag.StepFailed, "drew it anew as it was when the button went down on it")
	})
	t.Run("on mousedown, chosen", func(t *testing.T) {
		ctx, p := show(t, `<div id=box></div><script>
			const draw = (how) => { box.innerHTML = '<button id=b ' + how + '>Save</button>'; b.onmousedown = () => draw('aria-pressed=true') };
			draw('');</script>`)
		press, err := p.Press(ctx, css("#b"), steps.PressOptions{})
		if err != nil || !press.Removed {
			t.Errorf("got %+v, %v; want a press whose element was removed", press, err)
		}
	})
	t.Run("its row on mousedown", func(t *testing.T) {
		ctx, p := show(t, `<div id=box></div><script>
			const draw = (how) => { box.innerHTML = '<p ' + how + '><button id=b>Delete</button>' };
			box.onmousedown = () => draw('class=selected');
			draw('');</script>`)
		_, err := p.Press(ctx, css("#b"), steps.PressOptions{})
		wantCode(t, err, diag.StepFailed, "drew it anew")
	})
	t.Run("on click", func(t *testing.T) {
		ctx, p := show(t, page+`<script>const type = 'click'; draw();</script>`)
		press, err := p.Press(ctx, css("#b"), steps.PressOptions{})
		if err != nil || press.Removed {
			t.Errorf("got %+v, %v; want a plain press", press, err)
		}
	})
	t.Run("double click that stays", func(t *testing.T) {
		ctx, p := show(t, `<button id=b ondblclick="window.d=1">Save</button>`)
		if _, err := p.Press(ctx, css("#b"), steps.PressOptions{Count: 2}); err != nil {
			t.Error(err)
		}
		if d, err := p.Eval(ctx, "d", nil); err != nil || d != 1.0 {
			t.Errorf("the page saw %v double clicks (%v), want 1", d, err)
		}
	})
}

// hoverMenu opens under the mouse and begins to grow when the mouse is on its way to the
// item: until it has grown nothing of it can be hit. Then it closes if the mouse is
// neither on the button nor on it.
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

// TestMissedPressKeepsWhatTheMouseHasOpened: a press that misses takes the mouse back, so
// that what is open for the sake of the mouse stays open.
func TestMissedPressKeepsWhatTheMouseHasOpened(t *testing.T) {
	ctx, p := show(t, hoverMenu)
	if _, err := p.Hover(ctx, css("#a"), steps.PressOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Press(ctx, css("#item"), steps.PressOptions{}); err != nil {
		t.Error(err)
	}
	if log := evaluate(t, ctx, p, "log.join()"); log != "pressed" {
		t.Errorf("the menu saw %v, want pressed", log)
	}
}
