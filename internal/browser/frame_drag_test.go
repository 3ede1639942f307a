package browser

import (
	"context"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/selectors"
)

// maskedFrame covers its frame with a mask when the mouse arrives, once for 300 ms or for good, and
// counts the events that the mask gets.
const maskedFrame = `<iframe id=f src="FAR/list" style="width:400px;height:300px"></iframe><script>
	window.masked = 0; window.again = false;
	f.addEventListener('mouseenter', () => { if (window.once && !again) return; window.once = 1; const m = document.createElement('div'); m.className = 'mask'; m.style = 'position:fixed;inset:0';
		for (const n of ['pointerdown','mousedown','pointerup','mouseup','click','dragstart']) m.addEventListener(n, () => masked++);
		document.body.append(m); if (!again) setTimeout(() => m.remove(), 300) })</script>`

// If something covers the frame in which an element is dragged or held, it gets no event of the
// press.
func TestFrameDragGuard(t *testing.T) {
	testkit.Long(t)
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		pages := map[string]string{"/main": maskedFrame, "/list": pointerLists}
		in := func(selector string) driver.Target {
			return within(chain(framePart("#f"), cssPart(selector)), 3*time.Second)
		}
		masked := func(after string) {
			t.Helper()
			if got := evaluate(t, ctx, p, "masked"); got != 0.0 {
				t.Errorf("%v events of %s reached the mask", got, after)
			}
			evaluate(t, ctx, p, "window.once = 0, document.querySelectorAll('.mask').forEach(m => m.remove()), 1")
			if _, err := p.MoveTo(ctx, driver.Point{X: 700, Y: 500}); err != nil {
				t.Fatal(err)
			}
		}
		openFrames(t, ctx, p, pages)
		from, to := in("#one"), in("#three")
		if _, err := p.Drag(ctx, driver.Place{Target: &from}, driver.Place{Target: &to}); err != nil {
			t.Fatal("drag:", err)
		}
		if got := readText(t, ctx, p, chain(framePart("#f"), cssPart("#l"), selectors.QueryPart{Kind: selectors.Nth, Index: 0})); got != "Two\nThree\nOne" {
			t.Errorf("the list is %q, want Two, Three, One", got)
		}
		masked("the drag")
		if _, err := p.Hold(ctx, in("#two"), 50*time.Millisecond); err != nil {
			t.Error("hold:", err)
		}
		masked("the hold")

		// A mask that stays is named, where it comes before the press does: a frame in a
		// process of its own may be quicker.
		evaluate(t, ctx, p, "again = true, 1")
		short := within(from, 700*time.Millisecond)
		if _, err := p.Drag(ctx, driver.Place{Target: &short}, driver.Place{Target: &to}); err != nil {
			wantCode(t, err, diag.ElementNotInteractable, "mask")
		}
		masked("the drag that was refused")

		// The guard has ended: the page gets its events.
		evaluate(t, ctx, p, "again = false, once = 1, document.querySelectorAll('.mask').forEach(m => m.remove()), addEventListener('mousedown', () => window.free = 1), 1")
		if _, err := p.PressAt(ctx, driver.Point{X: 700, Y: 500}, driver.PressOptions{}); err != nil {
			t.Fatal(err)
		}
		if got := evaluate(t, ctx, p, "window.free ?? 0"); got != 1.0 {
			t.Error("a press beside the frame did not arrive")
		}
		if _, err := p.Press(ctx, in("#two"), driver.PressOptions{}); err != nil {
			t.Error("a press in the frame after it:", err)
		}
	})
}
