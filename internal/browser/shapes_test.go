package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/snapshot"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/selectors"
)

// shapes defines functions for the scripts of pages of extreme shape.
const shapes = `<p>begin<p><button>Press</button><main id=box></main><p>finis<script>
const nest = (tags, n, each) => { let e = box; for (let i = 0; i < n; i++) for (const tag of tags) { e = e.appendChild(document.createElement(tag)); each?.(e) }; e.append('deep') };
const roots = (mode, n) => { let e = box; for (let i = 0; i < n; i++) e = e.appendChild(document.createElement('div')).attachShadow({mode}); e.append('deep') };
`

// Pages of extreme shape are read, or the error says which limit they exceed. The script that reads
// a page does not crash it if Chromium itself survives the page.
func TestExtremeShapes(t *testing.T) {
	testkit.Long(t)
	tests := []struct {
		name, script string
		deep         diag.Code // what a search for the innermost text ends in
		text         diag.Code // what a search for any text ends in
	}{
		{"boxes", `nest(['div'], 2000)`, "", ""},
		{"lists", `nest(['ul', 'li'], 500)`, "", ""},
		{"buttons", `nest(['div'], 1000, (e) => e.setAttribute('role', 'button'))`, "", ""},
		{"hidden boxes", `box.hidden = true; nest(['div'], 20000)`, diag.LimitExceeded, ""},
		{"boxes that are not drawn", `box.style.contentVisibility = 'hidden'; nest(['div'], 20000)`, diag.LimitExceeded, ""},
		{"boxes in closed details", `box.innerHTML = '<details><summary>More</summary></details>'; const inner = document.createElement('div'); nest(['div'], 20000); inner.append(...[...box.childNodes].slice(1)); box.firstChild.append(inner)`, diag.LimitExceeded, ""},
		{"shadow roots", `roots('open', 1000)`, diag.LimitExceeded, ""},
		{"groups of SVG", `const S = 'http://www.w3.org/2000/svg'; let e = box; for (let i = 0; i < 1000; i++) e = e.appendChild(document.createElementNS(S, i ? 'g' : 'svg'))`, "", ""},
		{"frames", `let d = document, at = box; for (let i = 0; i < 30; i++) { const f = at.appendChild(d.createElement('iframe')); d = f.contentDocument; d.body.append('frame ' + i); at = d.body }`, "", ""},
		{"options", `box.innerHTML = '<select>' + '<option>o'.repeat(10000)`, "", ""},
		{"one text", `box.append('word '.repeat(4e5))`, "", ""},
		{"a text that is too long", `box.hidden = true; box.append('word '.repeat(2e6))`, diag.LimitExceeded, diag.LimitExceeded},
		{"a description", `box.innerHTML = '<img>'; box.firstChild.alt = 'word '.repeat(3e6)`, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, shapes+tt.script+`</script>`)
			for _, o := range []snapshot.Options{{}, {Interactive: true}} {
				if text := take(t, ctx, p, o).Text(); !strings.Contains(text, `"Press"`) {
					t.Errorf("a snapshot without the button:\n%.500s", text)
				}
			}
			want := func(what string, err error, code diag.Code) {
				t.Helper()
				if got := diag.CodeOf(err); err == nil && code != "" || err != nil && got != code {
					t.Errorf("%s: %v, want code %q", what, err, code)
				}
			}
			want("waiting for a text", p.WaitText(ctx, "finis"), tt.text)
			_, err := p.Find(ctx, query(selectors.QueryPart{Kind: "text", Value: "deep"}))
			want("the innermost text", err, tt.deep)
			f, err := p.Find(ctx, query(selectors.QueryPart{Kind: "text", Op: "~", Value: "Pres{2}"}))
			want("a pattern", err, tt.text)
			if err == nil && f.Count != 1 {
				t.Errorf("%d elements match a pattern, want 1", f.Count)
			}
			_, err = p.Find(ctx, css("main *"))
			if code := diag.CodeOf(err); err != nil && code != diag.LimitExceeded {
				t.Errorf("the elements: %v", err)
			}
			_, err = p.Press(ctx, css("button"), driver.PressOptions{})
			want("a press", err, "")
		})
	}
}

// A press on an element that contains many shadow roots need not hit-test each of them.
func TestPressAroundShadowRoots(t *testing.T) {
	ctx, p := show(t, shapes+`roots('open', 1000); box.onclick = () => { document.title = 'pressed' }</script>`)
	if _, err := p.Press(ctx, css("main"), driver.PressOptions{}); err != nil {
		t.Fatal(err)
	}
	if doc, err := p.Document(ctx); err != nil || doc.Title != "pressed" {
		t.Errorf("%+v, %v, want that the page was pressed", doc, err)
	}
}

// Tables are read in a time that grows with their rows.
func TestLargeTables(t *testing.T) {
	ctx, p := show(t, `<table id=long><thead><tr><th>A<th>B<tbody></table><main></main><script>
document.querySelector('tbody').innerHTML = Array.from({length: 3000}, (_, i) => '<tr><td>a' + i + '<td>b' + i).join('');
document.querySelector('main').innerHTML = '<table><tr><td>x<td>y</table>'.repeat(2000)</script>`)
	rows := func(selector string, want int) {
		t.Helper()
		got, err := p.Read(ctx, within(css(selector), time.Minute), driver.ReadOptions{What: "table"})
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(fmt.Sprint(got), "at:"); n != want {
			t.Errorf("%s has %d rows, want %d", selector, n, want)
		}
	}
	rows("#long", 3000)
	rows("main", 1)
}

// A page that Chromium itself cannot handle crashes its renderer, and nothing else.
func TestShapeThatCrashes(t *testing.T) {
	testkit.Long(t)
	ctx, b, base := fresh(t, startup.Options{}, map[string]string{"/": "next", "/deep": "<!doctype html>" + shapes + `nest(['div'], 50000)</script>`})
	_, err := b.Active().Open(ctx, base+"/deep", driver.Load)
	if err == nil {
		_, err = b.Active().Snapshot(ctx, driver.SnapshotOptions{})
	}
	wantCode(t, err, diag.BrowserUnavailable, "the page crashed")
	if err := b.Renew(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Active().Open(ctx, base+"/", driver.Load); err != nil {
		t.Errorf("the next page: %v", err)
	}
}
