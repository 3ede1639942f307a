package browser

import (
	"fmt"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
)

// saidSwitch returns a page with a switch that is drawn for a hidden input with an aria-checked, and
// has a label elsewhere. The script press is run for each click on the switch. The function set
// changes what is said and drawn for it.
func saidSwitch(class, style, press string, on bool) string {
	checked := map[bool]string{true: "checked"}[on]
	return fmt.Sprintf(`<style>#f { position: absolute; opacity: 0; width: 0; height: 0; margin: 0 }
	b { display: inline-block; width: 40px; height: 20px; background: grey } .is-checked b { background: green } %s</style>
	<label for=f id=l>Notify</label><p><span class="%s" id=w><input id=f type=checkbox role=switch aria-checked=%[3]t %[4]s><b></b></span></p><script>
	let model = %[3]t, presses = 0;
	const set = (on) => { model = on; f.ariaChecked = on; w.classList.toggle('is-checked', on) };
	set(model); w.onclick = (event) => { presses++; %[5]s };</script>`, style, class, on, checked, press)
}

const (
	cancels = "event.preventDefault(); set(!model)" // as Element Plus does
	inline  = "w.lastChild.style.background = f.checked ? 'green' : 'grey'"
	byCSS   = "#f:checked + b { background: blue }"
)

// TestCheckSaid tests switches whose input and its aria-checked come to differ.
func TestCheckSaid(t *testing.T) {
	tests := []struct {
		name, class, style, press string
		on                        bool
		state                     string // script
		fails                     string // part of the error; "" means success
	}{
		{"cancels", "x-switch", "", cancels, true, "model && presses === 1", ""},
		{"cancels, off", "x-switch", "", cancels, false, "!model && presses === 1", ""},
		{"cancels, with another class, off", "x-toggle", "", cancels, false, "!model && presses === 1", ""},
		{"cancels, beside CSS for checkboxes, off", "x-switch", byCSS, cancels, false, "!model && presses === 1", ""},
		{"says nothing new, drawn by CSS", "x-switch", byCSS, "", true, "f.checked && presses === 1", ""},
		{"says nothing new, drawn by script", "x-switch", "", inline, true, "f.checked && presses === 1", ""},

		{"cancels, and changes nothing", "x-switch", "", "event.preventDefault()", true, "!model && presses === 1", "unchecked after the press"},
		{"changes nothing", "x-switch", "", "", true, "!model && presses === 1", "still draws its previous state"},
		{"changes back", "x-switch", "", cancels + "; setTimeout(() => set(!model))", true, "!model && presses === 1", "unchecked after the press"},
		{"changes back, off", "x-switch", "", cancels + "; setTimeout(() => set(!model))", false, "model && presses === 1", "checked after the press"},
		{"says on, but draws off", "x-switch", "", "event.preventDefault(); f.ariaChecked = true", true, "!model && presses === 1", "unchecked after the press"},
		{"says off, but draws on", "x-switch", "", "event.preventDefault(); f.ariaChecked = false", false, "model && presses === 1", "checked after the press"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, saidSwitch(tt.class, tt.style, tt.press, !tt.on))
			for range 2 { // the second time, it already is as it should be
				_, err := p.Check(ctx, within(css("#f"), 900*time.Millisecond), tt.on)
				if tt.fails != "" {
					wantCode(t, err, diag.StepFailed, tt.fails)
					break
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if ok := evaluate(t, ctx, p, tt.state); ok != true {
				t.Errorf("%s is %v, want true", tt.state, ok)
			}
		})
	}
}

// A press of the label by `click` leaves the input and its aria-checked different, too.
func TestCheckSaidAfterClick(t *testing.T) {
	for _, was := range []bool{false, true} {
		for _, on := range []bool{false, true} {
			t.Run(fmt.Sprint(!was, on), func(t *testing.T) {
				ctx, p := show(t, saidSwitch("x-switch", "", cancels, was))
				evaluate(t, ctx, p, "l.click()")
				if _, err := p.Check(ctx, css("#f"), on); err != nil {
					t.Error(err)
				}
				want := fmt.Sprint(on, " ", map[bool]int{true: 1, false: 2}[on != was])
				if got := evaluate(t, ctx, p, "model + ' ' + presses"); got != want {
					t.Errorf("the model and the presses are %s, want %s", got, want)
				}
			})
		}
	}
}
