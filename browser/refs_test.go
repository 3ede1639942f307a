package browser

import (
	"context"
	"regexp"
	"testing"

	"actionregistry/diag"
	"actionregistry/snapshot"
	"actionregistry/steps"
)

// What was rendered anew is found again, whoever gave the ref, where it is certain
// that it is the same.
func TestRefsRenderedAnew(t *testing.T) {
	const buy = `<div class=b style="cursor:pointer" onclick="out.textContent='bought'">Buy</div>`
	const save = `<button class=b onclick="out.textContent='saved'">Save</button>`
	tests := []struct {
		name, html, change string
		want               string // what the page shows, or stale
	}{
		{"button", save, `box.innerHTML = box.innerHTML`, "saved"},
		{"clickable", buy, `box.innerHTML = box.innerHTML`, "bought"},
		{"clickable in a shadow root", `<x-y></x-y><script>customElements.define('x-y', class extends HTMLElement { constructor() { super(); this.attachShadow({mode:'open'}).innerHTML = ` + "`" + buy + "`" + ` } })</script>`,
			`document.querySelector('x-y').shadowRoot.innerHTML += ''`, "bought"},
		{"clickable whose words changed", buy, `box.firstChild.textContent = 'Delete'`, "stale"},
		{"clickable with other words", buy, `box.innerHTML = box.innerHTML.replace('Buy', 'Delete')`, "stale"},
		{"no more clickable", buy, `box.innerHTML = '<div class=b>Buy</div>'`, "stale"},
		{"now two", save, `box.innerHTML = box.innerHTML.repeat(2)`, "stale"},
		{"now two clickables", buy, `box.innerHTML = box.innerHTML.repeat(2)`, "stale"},
		{"one of two is left", save + save, `box.lastChild.remove(); box.innerHTML = box.innerHTML`, "stale"},
		{"one of two clickables is left", buy + buy, `box.lastChild.remove(); box.innerHTML = box.innerHTML`, "stale"},
		{"another that was hidden", save + `<div hidden>` + save + `</div>`, `box.firstChild.remove(); box.firstChild.hidden = false`, "stale"},
		{"another tag", save, `box.innerHTML = '<a role=button class=b>Save</a>'`, "stale"},
	}
	for _, way := range []string{"find", "snapshot"} {
		for _, tt := range tests {
			t.Run(way+"/"+tt.name, func(t *testing.T) {
				ctx, p := show(t, `<p id=out>none</p><main id=box>`+tt.html+`</main>`)
				given := refBy(t, ctx, p, way)
				evaluate(t, ctx, p, tt.change+`, 1`)
				again := 0
				target := ref(given)
				target.FoundAgain = func(string) { again++ }
				_, err := p.Press(ctx, target, steps.PressOptions{})
				if tt.want == "stale" {
					wantCode(t, err, diag.StaleRef, "@"+given)
					tt.want = "none"
				} else if err != nil || again != 1 {
					t.Errorf("pressed: %v; found again %d times, want once", err, again)
				}
				if got := evaluate(t, ctx, p, `out.textContent`); got != tt.want {
					t.Errorf("the page shows %v, want %s", got, tt.want)
				}
			})
		}
	}
}

// refBy is a ref of the first .b, from a find or a snapshot.
func refBy(t *testing.T, ctx context.Context, p *Page, way string) string {
	t.Helper()
	if way == "find" {
		f, err := p.Find(ctx, css(".b"))
		if err != nil || f.Ref == "" {
			t.Fatalf("found %+v, %v", f, err)
		}
		return f.Ref
	}
	s := take(t, ctx, p, snapshot.Options{Interactive: true})
	given := regexp.MustCompile(`ref=(e\d+)`).FindStringSubmatch(s.Text())
	if given == nil {
		t.Fatalf("no ref in\n%s", s.Text())
	}
	return given[1]
}
