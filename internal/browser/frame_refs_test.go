package browser

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/selectors"
)

func refPart(ref string) selectors.QueryPart {
	return selectors.QueryPart{Kind: selectors.RefKind, Value: ref}
}

func frameOf(parts ...selectors.QueryPart) selectors.QueryPart {
	return selectors.QueryPart{Kind: selectors.Frame, Frame: &selectors.Query{Parts: parts}}
}

func hasPart(parts ...selectors.QueryPart) selectors.QueryPart {
	return selectors.QueryPart{Kind: selectors.Has, Has: &selectors.Query{Parts: parts}}
}

// A ref may be used wherever a selector may, whatever frame its element is in.
func TestFrameRefs(t *testing.T) {
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		openFrames(t, ctx, p, map[string]string{
			"/main": `<section><button>Main</button></section><iframe id=near src="HERE/near"></iframe><iframe id=far src="FAR/far"></iframe><iframe id=other src="FAR/other"></iframe>`,
			"/near": `<p><button>Near</button></p>`,
			"/far":  `<ul><li><button>Far</button> one<li><button>Last</button> two</ul><iframe id=deep src="HERE/deep"></iframe>`,
			"/deep": `<p><button>Deep</button></p>`, "/other": `<button>Other</button>`,
		})
		s := take(t, ctx, p, snapshot.Options{})
		at := func(name string) selectors.QueryPart { return refPart(refOf(t, s, name)) }
		found, err := p.Find(ctx, chain(framePart("#far"), cssPart("iframe")))
		if err != nil || found.Ref == "" {
			t.Fatalf("find of an iframe: got %+v, %v", found, err)
		}
		tests := []struct {
			name  string
			parts []selectors.QueryPart
			want  string // text, or code
		}{
			{"alone", []selectors.QueryPart{at("Deep")}, "Deep"},
			{"behind its frame", []selectors.QueryPart{framePart("#far"), at("Far")}, "Far"},
			{"behind a frame around its frame", []selectors.QueryPart{framePart("#far"), at("Deep")}, "Deep"},
			{"behind a frame of this origin", []selectors.QueryPart{framePart("#near"), at("Near")}, "Near"},
			{"behind another frame", []selectors.QueryPart{framePart("#other"), at("Far")}, "ELEMENT_NOT_FOUND"},
			{"behind another frame of this origin", []selectors.QueryPart{framePart("#near"), at("Main")}, "ELEMENT_NOT_FOUND"},
			{"behind what is not around its frame", []selectors.QueryPart{cssPart("section"), at("Far")}, "ELEMENT_NOT_FOUND"},
			{"as the frame", []selectors.QueryPart{frameOf(refPart(found.Ref)), cssPart("button")}, "Deep"},
			{"in a filter", []selectors.QueryPart{framePart("#far"), cssPart("li"), hasPart(at("Last"))}, "Last two"},
			{"in a filter, in the page", []selectors.QueryPart{cssPart("section"), hasPart(at("Main"))}, "Main"},
			{"in a filter of another frame", []selectors.QueryPart{cssPart("section"), hasPart(at("Last"))}, ""},
			{"in a filter around its frame", []selectors.QueryPart{cssPart("body"), hasPart(at("Last"))}, "PARAM_INVALID"},
			{"a candidate", []selectors.QueryPart{aliasPart([]selectors.QueryPart{cssPart("#none")}, []selectors.QueryPart{at("Deep")})}, "Deep"},
			{"the first candidate", []selectors.QueryPart{aliasPart([]selectors.QueryPart{at("Deep")}, []selectors.QueryPart{cssPart("section")})}, "Deep"},
			{"a candidate and more", []selectors.QueryPart{aliasPart([]selectors.QueryPart{at("Other"), cssPart("b")}, []selectors.QueryPart{cssPart("section")}), cssPart("button")}, "Main"},
		}
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				r, err := p.Read(ctx, within(chain(tt.parts...), 300*time.Millisecond), driver.ReadOptions{What: "text"})
				got := fmt.Sprint(r.Value)
				if e := diag.As(err); e != nil {
					got = string(e.Code)
					if e.Hint == "" {
						t.Errorf("%v has no hint", err)
					}
				}
				if tt.want == "" {
					tt.want = "ELEMENT_NOT_FOUND"
				}
				if got != tt.want {
					t.Errorf("got %q (%v), want %q", got, err, tt.want)
				}
			})
		}
		if _, err := p.Press(ctx, chain(framePart("#far"), at("Deep")), driver.PressOptions{}); err != nil {
			t.Error("press:", err)
		}
		rows, err := p.Extract(ctx, chain(framePart("#far"), cssPart("li")), []driver.ExtractField{{Name: "last", Query: &selectors.Query{Parts: []selectors.QueryPart{at("Last")}}}}, driver.RowFilter{})
		if want := "[map[last:<nil>] map[last:Last]]"; err != nil || fmt.Sprint(rows) != want {
			t.Errorf("extract: got %v, %v, want %s", rows, err, want)
		}
		_, err = p.Extract(ctx, css("section"), []driver.ExtractField{{Name: "x", Query: &selectors.Query{Parts: []selectors.QueryPart{refPart("e999")}}}}, driver.RowFilter{})
		wantCode(t, err, diag.ElementNotFound, "@e999")
	})
}

// A ref of a document that its frame no longer shows is stale, however it is written. The element
// that is now in its position is not touched.
func TestFrameRefIsStale(t *testing.T) {
	testkit.Long(t)
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		openFrames(t, ctx, p, map[string]string{
			"/main": `<iframe id=f src="FAR/form"></iframe>`,
			"/form": `<button onclick="this.textContent='hit'">Pay</button>`,
		})
		pay := refPart(refOf(t, take(t, ctx, p, snapshot.Options{}), "Pay"))
		target := chain(framePart("#f"), cssPart("button"))
		if _, err := p.Eval(ctx, "await new Promise(r => { f.onload = r; f.src += '?again' })", nil); err != nil {
			t.Fatal(err)
		}
		for name, parts := range map[string][]selectors.QueryPart{
			"alone": {pay}, "behind its frame": {framePart("#f"), pay}, "in a filter": {framePart("#f"), cssPart("body"), hasPart(pay)},
		} {
			_, err := p.Press(ctx, within(chain(parts...), time.Second), driver.PressOptions{})
			e := wantCode(t, err, diag.StaleRef, "another document")
			if e.Details["ref"] != pay.Value {
				t.Errorf("%s: details %v", name, e.Details)
			}
		}
		if got := readText(t, ctx, p, target); got != "Pay" {
			t.Errorf("the button says %q, want Pay", got)
		}
	})
}

// Closed shadow roots are read in frames too, and elements in them can be pressed.
func TestFrameClosedRoots(t *testing.T) {
	eachBrowser(t, func(t *testing.T, ctx context.Context, p *Page) {
		openFrames(t, ctx, p, map[string]string{
			"/main": `<iframe id=f title=F src="FAR/card"></iframe>`,
			"/card": `<p id=out>none</p><x-card></x-card><script>
				customElements.define('x-in', class extends HTMLElement { constructor() { super(); this.attachShadow({mode:'closed'}).innerHTML = '<button onclick="out.textContent=\'hit\'">Deep</button>' } });
				customElements.define('x-card', class extends HTMLElement { constructor() { super(); this.attachShadow({mode:'closed'}).innerHTML = '<h2>Card</h2><x-in></x-in>' } })</script>`,
		})
		s := take(t, ctx, p, snapshot.Options{})
		if _, err := p.Press(ctx, ref(refOf(t, s, "Deep")), driver.PressOptions{}); err != nil {
			t.Fatal(err)
		}
		if got := readText(t, ctx, p, chain(framePart("#f"), cssPart("#out"))); got != "hit" {
			t.Errorf("the frame shows %q, want hit", got)
		}
	})
}
