package browser

import (
	"testing"

	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

// motionPage shows a panel when A is pressed. Until the motion of the panel has ended, it ignores
// presses of B in the panel, as component libraries do.
const motionPage = `<style>
		#panel { position: fixed; left: 200px; top: 50px; display: none }
		@keyframes come { from { translate: -30px } }
	</style>
	<button id=a>A</button><div id=panel><button id=b>B</button></div><script>
		window.log = [];
		let showing = false;
		for (const type of ['transitionend', 'animationend']) panel.addEventListener(type, () => { showing = false });
		b.onclick = () => log.push(showing ? 'early' : 'pressed');
		a.onclick = () => {
			showing = true;
			panel.className = panel.style.display = '';
			panel.offsetWidth;
			panel.style.display = 'block';
			panel.offsetWidth;
			panel.className = 'in';
			late();
		};
		function late() {}
	</script>`

// busyPage is a script that prevents frames from being drawn for a while, once the motion has
// begun.
const busyPage = `<script>late = () => requestAnimationFrame(() => requestAnimationFrame(() => {
		for (const end = performance.now() + 150; performance.now() < end; );
	}))</script>`

// A press comes when the page has received the end of the element's motion: not before the motion
// has begun, and not when it has ended by the clock only.
func TestPressWaitsForMotion(t *testing.T) {
	tests := []struct{ name, style, script string }{
		{"transition", "#panel { transform: translateX(-30px); transition: transform 80ms ease-out } #panel.in { transform: none }", ""},
		{"transition that begins later", "#panel { translate: -30px; transition: translate 80ms 100ms } #panel.in { translate: none }", ""},
		{"transition without frames at its end", "#panel { translate: -30px; transition: translate 80ms } #panel.in { translate: none }", busyPage},
		{"animation", "#panel.in { animation: come 80ms }", ""},
		{"animation that begins later", "#panel.in { animation: come 80ms 100ms both }", ""},
		{"animation without frames at its end", "#panel.in { animation: come 80ms }", busyPage},
	}
	for _, tt := range testkit.Some(t, "rows", 2, tests) {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, motionPage+"<style>"+tt.style+"</style>"+tt.script)
			const rounds = 8
			for range rounds {
				for _, selector := range []string{"#a", "#b"} {
					if _, err := p.Press(ctx, css(selector), driver.PressOptions{}); err != nil {
						t.Fatal(err)
					}
				}
			}
			if log := evaluate(t, ctx, p, "log.filter((s) => s === 'pressed').length"); log != rounds*1.0 {
				t.Errorf("%v of %d presses came when the motion was over (%v)", log, rounds, evaluate(t, ctx, p, "log.join()"))
			}
		})
	}
}
