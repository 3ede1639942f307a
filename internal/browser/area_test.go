package browser

import (
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
)

const areas = `<body style="margin:0"><div style="height:HEIGHTpx"></div>
<img id=plan usemap="#m" alt=Plan width=200 height=100 style="STYLE" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='200' height='100'/>">
<map name=m>
<area id=r shape=rect coords="0,0,40,40" href="#r" alt=Rect>
<area id=c shape=circle coords="100,30,20" href="#c" alt=Circle>
<area id=p shape=poly coords="150,0,190,0,190,90,180,90,180,10,150,10" href="#p" alt=Poly>
<area id=off shape=rect coords="900,900,950,950" href="#off" alt=Off>
<area id=d shape=default href="#d" alt=Rest>
</map><map name=other><area id=none coords="0,0,9,9" href="#none" alt=None></map>
<script>window.got=[]; addEventListener('click', (e) => { got.push(e.target.id); e.preventDefault() })</script>`

// An area of an image map is pressed at its position in the image.
func TestAreas(t *testing.T) {
	for _, tt := range []struct{ name, height, style string }{
		{"plain", "0", ""},
		{"far down, with a border", "3000", "border:5px solid;padding:7px"},
		{"scaled", "0", "transform:scale(.5)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, strings.NewReplacer("HEIGHT", tt.height, "STYLE", tt.style).Replace(areas))
			for _, id := range []string{"r", "c", "p", "d"} {
				if _, err := p.Press(ctx, css("#"+id), driver.PressOptions{}); err != nil {
					t.Errorf("%s: %v", id, err)
				}
			}
			if got := evaluate(t, ctx, p, "got.join()"); got != "r,c,p,d" {
				t.Errorf("pressed %v, want each area once", got)
			}
		})
	}
	t.Run("by its role and name", func(t *testing.T) {
		ctx, p := show(t, strings.NewReplacer("HEIGHT", "0", "STYLE", "").Replace(areas))
		for _, name := range []string{"Rect", "Rest"} {
			if _, err := p.Press(ctx, query(rolePart("link", name)), driver.PressOptions{}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if got := evaluate(t, ctx, p, "got.join()"); got != "r,d" {
			t.Errorf("pressed %v", got)
		}
	})
	t.Run("by its ref in a snapshot", func(t *testing.T) {
		ctx, p := show(t, strings.NewReplacer("HEIGHT", "3000", "STYLE", "").Replace(areas))
		for _, o := range []snapshot.Options{{}, {Interactive: true}} {
			s := take(t, ctx, p, o)
			for _, name := range []string{"Rect", "Circle", "Poly", "Rest"} {
				if _, err := p.Press(ctx, refIn(s.ID, refOf(t, s, name)), driver.PressOptions{}); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
		if got := evaluate(t, ctx, p, "got.join()"); got != "r,c,p,d,r,c,p,d" {
			t.Errorf("pressed %v, want each area once a snapshot", got)
		}
	})
	t.Run("that cannot be", func(t *testing.T) {
		ctx, p := show(t, strings.NewReplacer("HEIGHT", "0", "STYLE", "").Replace(areas))
		for id, want := range map[string]string{"off": "outside", "none": "no image uses its map"} {
			_, err := p.Press(ctx, within(css("#"+id), time.Millisecond), driver.PressOptions{})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", id, err, want)
			}
		}
		evaluate(t, ctx, p, "plan.style.visibility='hidden'")
		_, err := p.Press(ctx, within(css("#r"), time.Millisecond), driver.PressOptions{})
		if err == nil || !strings.Contains(err.Error(), "visibility: hidden") {
			t.Errorf("under a hidden image: %v", err)
		}
		if got := evaluate(t, ctx, p, "got.join()"); got != "" {
			t.Errorf("pressed %v", got)
		}
	})
}
