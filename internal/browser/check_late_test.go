package browser

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
)

// If a page shows the new state only after its server has answered, Check waits for that, and
// presses the control once.
func TestCheckLate(t *testing.T) {
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/ask" {
			fmt.Fprint(w, "ok")
			return
		}
		fmt.Fprint(w, `<!doctype html><title>t</title><script>
			const presses = {}, count = (el) => { presses[el.id] = (presses[el.id] ?? 0) + 1 }, toggle = (el) => { el.ariaChecked = el.ariaChecked !== 'true' };
			const later = (f, ms = 200) => setTimeout(f, ms);
		</script>
		<div role=switch aria-checked=false tabindex=0 id=timer aria-label=Timer onclick="count(this); later(() => toggle(this))">x</div>
		<div role=switch aria-checked=false tabindex=0 id=asks aria-label=Asks onclick="count(this); fetch('/ask').then(() => later(() => toggle(this)))">x</div>
		<div role=checkbox aria-checked=false tabindex=0 id=busy aria-label=Busy onclick="count(this); this.ariaBusy = 'true'; later(() => { this.ariaBusy = null; toggle(this) }, 900)">x</div>
		<button role=switch aria-checked=true id=off aria-label=Off onclick="count(this); this.disabled = true; later(() => { this.disabled = false; toggle(this) }, 700)">x</button>
		<label><input type=checkbox id=box onclick="count(this); event.preventDefault(); later(() => { this.checked = true })"> Box</label>
		<div id=place><div role=switch aria-checked=false tabindex=0 id=anew aria-label=Anew onclick="count(this); later(() => { place.innerHTML = '<div role=switch aria-checked=true aria-label=Anew>y</div>' })">x</div></div>
		<div role=switch aria-checked=false tabindex=0 id=refuses aria-label=Refuses onclick="count(this)">x</div>
		<div role=switch aria-checked=false tabindex=0 id=works aria-label="Works in vain" onclick="count(this); later(() => {}, 50)">x</div>`)
	}))
	ctx, p := newPage(t)
	if _, err := p.Open(ctx, base, driver.Load); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		label, step, id string
		code            diag.Code
	}{
		{"Timer", "check", "timer", ""}, {"Asks", "check", "asks", ""}, {"Busy", "check", "busy", ""}, {"Off", "uncheck", "off", ""},
		{"Box", "check", "box", ""}, {"Anew", "check", "anew", ""},
		{"Refuses", "check", "refuses", diag.StepFailed}, {"Works in vain", "check", "works", diag.StepFailed},
	} {
		t.Run(tt.label, func(t *testing.T) {
			_, _, err := runStep(t, ctx, p, tt.step, map[string]any{"selector": "label:" + tt.label})
			if tt.code != "" {
				wantCode(t, err, tt.code, "after the press")
			} else if err != nil {
				t.Error(err)
			}
			if n := evaluate(t, ctx, p, "presses["+fmt.Sprintf("%q", tt.id)+"]"); fmt.Sprint(n) != "1" {
				t.Errorf("pressed %v times, want once", n)
			}
		})
	}
}
