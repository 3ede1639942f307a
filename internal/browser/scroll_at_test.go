package browser

import (
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
)

// A scroll at a point moves what a mouse wheel there would: the innermost box that can move that
// way. It reports how far the box has really moved.
func TestScrollAt(t *testing.T) {
	const nested = `<style>body{margin:0}</style><div id=o style="height:200px;width:200px;overflow:auto"><div id=i style="height:100px;overflow:auto"><div style="height:150px">x</div></div>` +
		`<div style="height:400px">y</div></div><iframe style="border:0;position:absolute;left:300px;top:0;height:150px" srcdoc="<div style='height:1000px'>z</div>"></iframe>` +
		`<div style="height:3000px">w</div>`
	ctx, p := show(t, nested)
	for _, tt := range []struct {
		at   driver.Point
		by   driver.ScrollBy
		desc string
		y    float64
		end  bool
	}{
		{driver.Point{X: 50, Y: 50}, down(30), `<div#i "x">`, 30, false},
		{driver.Point{X: 50, Y: 50}, down(300), `<div#i "x">`, 20, true},
		{driver.Point{X: 50, Y: 50}, down(60), `<div#o "x y">`, 60, false}, // the inner one is at its end
		{driver.Point{X: 50, Y: 150}, driver.ScrollBy{Y: -10}, `<div#o "x y">`, -10, false},
		{driver.Point{X: 350, Y: 50}, down(100), "the page", 100, false}, // that of the frame
		{driver.Point{X: 600, Y: 300}, down(40), "the page", 40, false},
	} {
		tt.by.At = &tt.at
		got, err := p.Scroll(ctx, nil, tt.by)
		if err != nil || got.Desc != tt.desc || got.By != (driver.Point{Y: tt.y}) || got.AtEnd != tt.end || !got.Moved {
			t.Errorf("at %v, %+v: got %+v, %v", tt.at, tt.by, got, err)
		}
	}
	if got := evaluate(t, ctx, p, "[i.scrollTop, o.scrollTop, document.querySelector('iframe').contentWindow.scrollY, scrollY].join()"); got != "50,50,100,40" {
		t.Errorf("the boxes are at %v", got)
	}
	_, err := p.Scroll(ctx, nil, driver.ScrollBy{Direction: driver.Down, Amount: 10, At: &driver.Point{X: 5, Y: 99999}})
	wantCode(t, err, diag.StepFailed, "outside the viewport")
}

func TestScrollAtNothing(t *testing.T) {
	ctx, p := show(t, `<p>short</p>`)
	_, err := p.Scroll(ctx, nil, driver.ScrollBy{Direction: driver.Down, Amount: 10, At: &driver.Point{X: 5, Y: 5}})
	wantCode(t, err, diag.StepFailed, "the point 5, 5", "nothing there scrolls")
}
