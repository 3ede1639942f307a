package browser

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/program"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/internal/testkit"
)

func down(amount float64) driver.ScrollBy {
	return driver.ScrollBy{Direction: driver.Down, Amount: amount}
}

func TestScroll(t *testing.T) {
	const tall = `<style>body{margin:0}</style><div style="height:3000px;width:4000px">x</div>`
	const box = `<div id=b style="height:100px;width:100px;overflow:auto"><div style="height:500px;width:500px">x</div></div>`
	tests := []struct {
		name, html, box string
		by              driver.ScrollBy
		x, y            float64
		moved, end      bool
		desc            string
	}{
		{"page by pixels", tall, "", down(300), 0, 300, true, false, "the page"},
		{"page by a part", tall, "", driver.ScrollBy{Direction: driver.Down, Amount: 50, Percent: true}, 0, 0.5, true, false, "the page"},
		{"page to its end", tall, "", down(99999), 0, -1, true, true, "the page"},
		{"page up at the top", tall, "", driver.ScrollBy{Direction: driver.Up, Amount: 100}, 0, 0, false, true, "the page"},
		{"page right", tall, "", driver.ScrollBy{Direction: driver.Right, Amount: 120}, 120, 0, true, false, "the page"},
		{"page by x and y", tall, "", driver.ScrollBy{X: 30, Y: 40}, 30, 40, true, false, "the page"},
		{"page that fits", `<p>x</p>`, "", down(100), 0, 0, false, true, "the page"},
		{"page that scrolls smoothly", `<style>html{scroll-behavior:smooth}</style>` + tall, "", down(300), 0, 300, true, false, "the page"},
		{"app whose middle scrolls", `<style>html,body{height:100%;margin:0;overflow:hidden}</style><main id=m style="height:100%;overflow:auto"><div style="height:5000px">x</div></main>`, "", down(250), 0, 250, true, false, `<main#m "x">`},
		{"box", box, "#b", down(120), 0, 120, true, false, `<div#b "x">`},
		{"box to its end", box, "#b", down(9999), 0, -1, true, true, `<div#b "x">`},
		{"box left at the start", box, "#b", driver.ScrollBy{Direction: driver.Left, Amount: 5}, 0, 0, false, true, `<div#b "x">`},
		{"empty box", `<div id=b style="height:100px;overflow:auto">x</div>`, "#b", down(50), 0, 0, false, true, `<div#b "x">`},
		{"from right to left", `<div id=b dir=rtl style="height:50px;width:100px;overflow:auto"><div style="width:500px">x</div></div>`, "#b", driver.ScrollBy{Direction: driver.Left, Amount: 9999}, -400, 0, true, true, `<div#b "x">`},
		{"chat from below", `<div id=b style="height:100px;overflow:auto;display:flex;flex-direction:column-reverse"><div style="height:400px;flex:none">x</div></div>`, "#b", driver.ScrollBy{Direction: driver.Up, Amount: 9999}, 0, -300, true, true, `<div#b "x">`},
		{"box that follows the wheel", `<div style="height:30px"></div><div id=b style="height:100px;overflow:hidden"><div style="height:500px">x</div></div>
			<script>b.addEventListener('wheel', e => { e.preventDefault(); requestAnimationFrame(() => b.scrollTop += e.deltaY) }, {passive: false})</script>` + tall, "#b", down(120), 0, 120, true, false, `<div#b "x">`},
		{"body means the page", tall, "body", down(200), 0, 200, true, false, "the page"},
		{"becomes a box", `<div id=b style="height:100px"><div style="height:500px">x</div></div><script>setTimeout(()=>b.style.overflow='auto',60)</script>`, "#b", down(10), 0, 10, true, false, `<div#b "x">`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			var target *driver.Target
			if tt.box != "" {
				c := css(tt.box)
				target = &c
			}
			got, err := p.Scroll(ctx, target, tt.by)
			if err != nil {
				t.Fatal(err)
			}
			switch tt.y {
			case 0.5: // half of what is seen
				tt.y = evaluate(t, ctx, p, "document.documentElement.clientHeight/2").(float64)
			case -1: // the end
				tt.y = evaluate(t, ctx, p, "(s=>s.scrollHeight-s.clientHeight)(document.querySelector('#b')??document.scrollingElement)").(float64)
			}
			near := func(a, b float64) bool { return a-b < 1 && b-a < 1 }
			if !near(got.X, tt.x) || !near(got.Y, tt.y) || got.Moved != tt.moved || got.AtEnd != tt.end || got.Desc != tt.desc {
				t.Errorf("got %+v, want %v, %v, moved %v, at the end %v, %s", got, tt.x, tt.y, tt.moved, tt.end, tt.desc)
			}
		})
	}
}

func TestScrollRefuses(t *testing.T) {
	tests := []struct {
		name, html string
		code       diag.Code
		text       string
	}{
		{"absent", ``, diag.ElementNotFound, "#b"},
		{"hidden", `<div id=b style="display:none">x</div>`, diag.ElementNotInteractable, "display"},
		{"box around", `<div id=list style="height:100px;overflow:auto"><div id=b style="height:500px">x</div></div>`, diag.StepFailed, `the nearest that does is <div#list`},
		{"box inside", `<div id=b><div id=list style="height:100px;overflow:auto"><p style="height:500px">x</p></div></div>`, diag.StepFailed, `the nearest that does is <div#list`},
		{"the page", `<div id=b style="height:5000px">x</div>`, diag.StepFailed, `the nearest that does is the page itself`},
		{"nothing", `<div id=b>x</div>`, diag.StepFailed, `nothing around it or in it does`},
		{"locked", `<div id=b style="height:50px;overflow:hidden"><p style="height:500px">x</p></div>`, diag.StepFailed, `does not scroll`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			target := within(css("#b"), 100*time.Millisecond)
			_, err := p.Scroll(ctx, &target, down(10))
			wantCode(t, err, tt.code, tt.text)
		})
	}
}

func TestScrollTo(t *testing.T) {
	ctx, p := show(t, `<style>body{margin:0}</style><div style="height:3000px">x</div><div id=b style="height:100px;overflow:auto"><div style="height:500px">y</div></div>`)
	box := css("#b")
	tests := []struct {
		name   string
		target *driver.Target
		y      float64
		want   float64
		moved  bool
		end    bool
	}{
		{"page", nil, 700, 700, true, false},
		{"again", nil, 700, 700, false, false},
		{"beyond", nil, 99999, -1, true, true},
		{"top", nil, 0, 0, true, true},
		{"box", &box, 150, 150, true, false},
	}
	for _, tt := range tests {
		got, err := p.ScrollTo(ctx, tt.target, driver.Point{Y: tt.y})
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if tt.want == -1 {
			tt.want = evaluate(t, ctx, p, "document.documentElement.scrollHeight-document.documentElement.clientHeight").(float64)
		}
		if got.Y != tt.want || got.Moved != tt.moved || got.AtEnd != tt.end {
			t.Errorf("%s: got %+v, want %v, moved %v, at the end %v", tt.name, got, tt.want, tt.moved, tt.end)
		}
	}
}

func TestScrollTimesOut(t *testing.T) {
	ctx, p := show(t, `<div style="height:5000px">x</div><script>addEventListener('scroll',()=>{for(;;);})</script>`)
	ctx, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
	defer cancel()
	_, err := p.Scroll(ctx, nil, down(10))
	wantCode(t, err, diag.Timeout, "does not answer")
}

// feed returns a page that loads ten more items each time its end is in view, up to total.
func feed(total int, more string) string {
	return fmt.Sprintf(`<style>body{margin:0}.i{height:100px}</style><div id=l></div><div id=end>.</div>%s<script>
		let n=0;const add=()=>{for(let i=0;i<10&&n<%d;i++){n++;l.insertAdjacentHTML('beforeend','<div class=i id=i'+n+'>Item '+n+'.</div>')}};
		add();new IntersectionObserver(e=>{if(e.at(-1).isIntersecting&&n<%[2]d)setTimeout(add,30)}).observe(end)</script>`, more, total)
}

func TestWaitMore(t *testing.T) {
	items := css(".i")
	tests := []struct {
		name, html string
		d          driver.Direction
		stop       driver.Stop
		known      int
		stall      time.Duration
		want       driver.Listing
	}{
		{"goes on", feed(10, ""), driver.Down, driver.Stop{}, 0, 0, driver.Listing{Grown: true}},
		{"fits", `<p>x</p>`, driver.Down, driver.Stop{}, 0, 50 * time.Millisecond, driver.Listing{}},
		{"text", `<p>Item 1.</p>`, driver.Down, driver.Stop{Text: "Item 1."}, 0, 0, driver.Listing{Reason: "text_found"}},
		{"text comes", `<p id=p></p><script>setTimeout(()=>p.textContent='Done now',60)</script>`, driver.Down, driver.Stop{Text: "Done"}, 0, time.Hour, driver.Listing{Reason: "text_found"}},
		{"hidden text", `<p hidden>Done</p>`, driver.Down, driver.Stop{Text: "Done"}, 0, 0, driver.Listing{}},
		{"items", feed(10, ""), "", driver.Stop{Items: &items, Count: 10}, 0, 0, driver.Listing{Reason: "item_count_reached", Items: 10}},
		{"other number", feed(10, ""), "", driver.Stop{Items: &items, Count: 11}, 9, 0, driver.Listing{Items: 10, Grown: true}},
		{"same number", feed(10, ""), "", driver.Stop{Items: &items, Count: 11}, 10, 20 * time.Millisecond, driver.Listing{Items: 10}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			got, err := p.WaitMore(ctx, nil, tt.d, tt.stop, tt.known, tt.stall)
			if err != nil || got != tt.want {
				t.Errorf("got %+v, %v, want %+v", got, err, tt.want)
			}
		})
	}
}

func TestWaitMoreRefusesSelector(t *testing.T) {
	ctx, p := show(t, `<p>x</p>`)
	bad := css("div[")
	_, err := p.WaitMore(ctx, nil, driver.Down, driver.Stop{Element: &bad}, 0, time.Second)
	wantCode(t, err, diag.ParamInvalid, "div[")
}

func TestWaitMoreIsCancelled(t *testing.T) {
	ctx, p := show(t, `<p>x</p>`)
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error)
	go func() {
		_, err := p.WaitMore(ctx, nil, driver.Down, driver.Stop{Text: "never"}, 0, time.Hour)
		done <- err
	}()
	cancel()
	wantCode(t, <-done, diag.Cancelled)
}

// runStep runs one step of the catalogue, as from the command line.
func runStep(t *testing.T, ctx context.Context, p *Page, name string, args map[string]any) (steps.Result, []string, error) {
	t.Helper()
	op, errs := program.Hand(name, args, false)
	if errs != nil {
		return nil, nil, errs[0]
	}
	bound, err := op.Bind(new(expr.Scope), targetOf)
	if err != nil {
		return nil, nil, err
	}
	var warned []string
	r, err := op.Entry.Run(ctx, &steps.Env{Page: p, Warn: func(code, format string, args ...any) {
		warned = append(warned, code+": "+fmt.Sprintf(format, args...))
	}}, bound)
	return r, warned, err
}

func TestScrollUntil(t *testing.T) {
	type m = map[string]any
	tests := []struct {
		name, html string
		args       m
		want       string // reason and the number of scrolls, where it is certain
	}{
		{"selector", feed(60, ""), m{"stop_selector": "css:#i45"}, "selector_found"},
		{"text", feed(60, ""), m{"stop_text": "Item 33."}, "text_found"},
		{"there already", feed(60, ""), m{"stop_text": "Item 3."}, "text_found 0"},
		{"to the end", feed(30, ""), m{"stall": 400}, "stalled"},
		{"nothing to scroll", `<p>x</p>`, m{"stall": 50}, "stalled 0"},
		{"most", feed(1000, ""), m{"stop_text": "never", "max_scrolls": 3}, "max_reached 3"},
		{"box", `<div id=b style="height:200px;overflow:auto"><div style="height:3000px">x</div><p>Last</p></div>`, m{"scroll_selector": "css:#b", "stop_selector": "css:#never", "stall": 50}, "stalled"},
		{"up", `<div id=b style="height:200px;overflow:auto;display:flex;flex-direction:column-reverse"><div style="height:900px;flex:none">x</div></div>`, m{"scroll_selector": "css:#b", "direction": "up", "stall": 50}, "stalled"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			got, _, err := runStep(t, ctx, p, "scroll_until", tt.args)
			if err != nil {
				t.Fatal(err)
			}
			if s := fmt.Sprint(got["stop_reason"], " ", got["scrolls_performed"]); !strings.HasPrefix(s, tt.want) {
				t.Errorf("got %s, want %s", s, tt.want)
			}
			if tt.name == "to the end" {
				if n := evaluate(t, ctx, p, "n"); n != 30.0 {
					t.Errorf("%v items were loaded, want 30", n)
				}
			}
		})
	}
	ctx, p := newPage(t)
	_, _, err := runStep(t, ctx, p, "scroll_until", m{"scroll_selector": "css:#b"})
	wantCode(t, err, diag.ElementNotFound, "#b")
}

// pager adds three items for each press, delay ms later, up to total. Then its button is gone or
// disabled, or does nothing.
func pager(total int, end string) string {
	return fmt.Sprintf(`<div id=l></div><button id=m>More</button><script>
		let n=0;const add=()=>{for(let i=0;i<3&&n<%d;i++)l.insertAdjacentHTML('beforeend','<p class=i>Item '+(++n)+'.</p>');if(n>=%[1]d){%s}};
		add();m.onclick=()=>setTimeout(add,30)</script>`, total, end)
}

func TestLoadMoreUntil(t *testing.T) {
	testkit.Long(t)
	type m = map[string]any
	with := func(extra m) m {
		args := m{"load_more_selector": "role:button[name='More']", "content_selector": "css:.i", "stall": 500}
		for k, v := range extra {
			args[k] = v
		}
		return args
	}
	tests := []struct {
		name, html string
		args       m
		want       string
	}{
		{"count", pager(30, ""), with(m{"item_count": 10}), "item_count_reached 3 12"},
		{"enough already", pager(30, ""), with(m{"item_count": 2}), "item_count_reached 0 3"},
		{"text", pager(30, ""), with(m{"stop_text": "Item 7."}), "text_found 2 9"},
		{"button goes", pager(9, "m.remove()"), with(nil), "stalled 2 9"},
		{"button is disabled", pager(9, "m.disabled=true"), with(nil), "stalled 2 9"},
		{"button is hidden", pager(9, "m.hidden=true"), with(nil), "stalled 2 9"},
		{"button does nothing", pager(6, ""), with(nil), "stalled 2 6"},
		{"no button at all", `<p class=i>One</p>`, with(nil), "stalled 0 1"},
		{"most", pager(3000, ""), with(m{"max_loads": 2}), "max_reached 2 9"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			got, _, err := runStep(t, ctx, p, "load_more_until", tt.args)
			if err != nil {
				t.Fatal(err)
			}
			if s := fmt.Sprint(got["stop_reason"], " ", got["loads_performed"], " ", got["final_count"]); s != tt.want {
				t.Errorf("got %s, want %s", s, tt.want)
			}
		})
	}
	refusals := []struct {
		name, html string
		code       diag.Code
		text       string
	}{
		{"neither button nor content", `<p>x</p>`, diag.ElementNotFound, "More"},
		{"covered", pager(30, "") + `<div class=mask style="position:fixed;inset:0">m</div>`, diag.ElementNotInteractable, "covered by"},
	}
	for _, tt := range refusals {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			_, _, err := runStep(t, ctx, p, "load_more_until", with(nil))
			wantCode(t, err, tt.code, tt.text)
		})
	}
}
