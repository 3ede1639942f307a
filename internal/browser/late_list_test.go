package browser

import (
	"fmt"
	"maps"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

// lateLists are lists that draw only what is in view, each with another delay after a scroll.
const lateLists = `<style>body{margin:0}.v{height:100px;width:150px;overflow:auto;float:left}.v>div{height:8000px;position:relative}.r{position:absolute;height:20px;width:100%}.s{position:sticky;top:0;height:100px}.s>.r{position:static}</style>
<script>
for (const [id, later] of Object.entries({
	atOnce: f => f(), oneFrame: f => requestAnimationFrame(f), twoFrames: f => requestAnimationFrame(() => requestAnimationFrame(f)),
	timer: f => setTimeout(f, 30), slow: f => setTimeout(f, 120), message: f => Promise.resolve().then(() => setTimeout(f)),
	throttled: (f, v) => v.waits ||= setTimeout(() => { v.waits = 0; f() }, 50), debounced: (f, v) => { clearTimeout(v.waits); v.waits = setTimeout(f, 50) },
	sticky: f => setTimeout(f, 30), told: f => { f(); setTimeout(() => 0, 150) },
})) {
	document.write('<div class=v id=' + id + '><div></div></div>');
	const v = document.getElementById(id), sp = v.firstChild;
	const draw = () => {
		let from = Math.floor(v.scrollTop / 20), rows = '';
		for (let i = from; i < from + 6 && i < 400; i++) rows += '<div class=r style="top:' + i * 20 + 'px">' + id + ' ' + i + '.</div>';
		sp.innerHTML = id == 'sticky' ? '<div class=s>' + rows + '</div>' : rows;
	};
	v.onscroll = () => later(draw, v);
	draw();
}
</script>`

// When a scroll ends, the list has drawn what is at that position.
func TestScrollWaitsForLateLists(t *testing.T) {
	testkit.Long(t)
	ctx, p := show(t, lateLists)
	for _, id := range []string{"atOnce", "oneFrame", "twoFrames", "timer", "slow", "message", "throttled", "debounced", "sticky", "told"} {
		t.Run(id, func(t *testing.T) {
			box := css("#" + id)
			drawn := func(when string) {
				t.Helper()
				js := fmt.Sprintf(`[Math.floor(%[1]s.scrollTop / 20), parseInt(%[1]s.querySelector('.r').textContent.split(' ')[1])]`, id)
				if rows := evaluate(t, ctx, p, js).([]any); rows[0] != rows[1] {
					t.Errorf("%s: at row %v, the first row that is drawn is %v", when, rows[0], rows[1])
				}
			}
			for range 4 {
				if _, err := p.Scroll(ctx, &box, driver.ScrollBy{Direction: driver.Down, Amount: 90, Percent: true}); err != nil {
					t.Fatal(err)
				}
				drawn("scroll")
			}
			got, _, err := runStep(t, ctx, p, "scroll_until", map[string]any{"scroll_selector": "css:#" + id, "stop_text": id + " 33."})
			if err != nil || got["stop_reason"] != "text_found" {
				t.Errorf("scroll_until: %v, %v", got, err)
			}
			drawn("scroll_until")
			got, _, err = runStep(t, ctx, p, "scroll_until", map[string]any{"scroll_selector": "css:#" + id, "stop_selector": "css:#" + id + " .r >> text:" + id + " 171."})
			if err != nil || got["stop_reason"] != "selector_found" || got["from_start"] != false {
				t.Errorf("scroll_until a selector: %v, %v", got, err)
			}
			drawn("scroll_until a selector")
			_, _, err = runStep(t, ctx, p, "collect", map[string]any{"scroll_selector": "css:#" + id, "rows": "css:#" + id + " .r", "fields": map[string]any{"t": map[string]any{"what": "text"}}, "max_scrolls": 4})
			wantCode(t, err, diag.LimitExceeded, " rows were read")
		})
	}
}

// wheelLists hide their overflow. They draw what is in view when the mouse wheel turns; one of them
// also on other scrolling.
const wheelLists = `<style>body{margin:0}.v{height:100px;width:150px;overflow:hidden;float:left}.v>div{height:4000px;position:relative}.r{position:absolute;height:20px;width:100%}</style>
<script>
for (const id of ['wheel', 'both']) {
	document.write('<div class=v id=' + id + '><div></div></div>');
	const v = document.getElementById(id), sp = v.firstChild;
	const draw = () => {
		let rows = '';
		for (let i = Math.floor(v.scrollTop / 20), n = i + 6; i < n && i < 200; i++) rows += '<div class=r style="top:' + i * 20 + 'px">' + id + ' ' + i + '.</div>';
		sp.innerHTML = rows;
	};
	v.onwheel = (e) => { v.scrollTop += e.deltaY; draw() };
	if (id == 'both') v.onscroll = draw;
	draw();
}
</script>`

// A box is scrolled further within the page only if that draws the same as the mouse wheel.
func TestScrollOnByTheWheel(t *testing.T) {
	ctx, p := show(t, wheelLists)
	for _, id := range []string{"wheel", "both"} {
		until := func(row string, more map[string]any) map[string]any {
			args := map[string]any{"scroll_selector": "css:#" + id, "stop_selector": "css:#" + id + " .r >> text:" + id + " " + row, "max_scrolls": 1000}
			maps.Copy(args, more)
			return args
		}
		got, _, err := runStep(t, ctx, p, "scroll_until", until("66.", nil))
		if err != nil || got["stop_reason"] != "selector_found" || got["from_start"] != true {
			t.Errorf("%s: %v, %v", id, got, err)
		}
		// At its end, a list that gets no time to grow is complete.
		for _, to := range []struct {
			direction string
			fromStart bool
		}{{"down", false}, {"up", true}} {
			got, _, err = runStep(t, ctx, p, "scroll_until", until("999.", map[string]any{"direction": to.direction, "stall": 0}))
			if err != nil || got["stop_reason"] != "stalled" || got["from_start"] != to.fromStart {
				t.Errorf("%s, %s to the end: %v, %v", id, to.direction, got, err)
			}
		}
	}
}
