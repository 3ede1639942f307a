package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
)

// slider returns an element with the role, which keys move by step.
func slider(role, id string, now, min, max, step float64, more, less string) string {
	return fmt.Sprintf(`<div id=%[2]s role=%[1]s tabindex=0 aria-label=%[2]s aria-valuenow=%[3]v aria-valuemin=%[4]v aria-valuemax=%[5]v>.</div><script>
		%[2]s.onkeydown = (e) => {
			const by = e.key === %[7]q ? %[6]v : e.key === %[8]q ? -%[6]v : 0;
			const next = Math.min(Math.max(Number(%[2]s.getAttribute('aria-valuenow')) + by, %[4]v), %[5]v);
			requestAnimationFrame(() => %[2]s.setAttribute('aria-valuenow', next));
		};
	</script>`, role, id, now, min, max, step, more, less)
}

func TestFillOfASlider(t *testing.T) {
	const inner = `<div id=inner role=slider aria-label=inner aria-valuenow=3><b tabindex=0 onkeydown="inner.setAttribute('aria-valuenow',
		Number(inner.getAttribute('aria-valuenow')) + (event.key === 'ArrowRight' ? 1 : -1))">o</b></div>`
	page := slider("slider", "plain", 3, 0, 500, 1, "ArrowRight", "ArrowLeft") +
		slider("slider", "tenths", 0.5, 0, 1, 0.1, "ArrowRight", "ArrowLeft") +
		slider("slider", "turned", 3, 0, 10, 1, "ArrowLeft", "ArrowRight") +
		slider("slider", "fives", 10, 0, 100, 5, "ArrowRight", "ArrowLeft") +
		slider("spinbutton", "spin", 3, 0, 10, 1, "ArrowUp", "ArrowDown") +
		slider("slider", "far", 0, 0, 1e6, 1, "ArrowRight", "ArrowLeft") +
		`<div id=stopped role=slider tabindex=0 aria-valuenow=1 onkeydown="stopped.setAttribute('aria-valuenow', Math.min(5, 1 + Number(stopped.getAttribute('aria-valuenow'))))">.</div>` +
		inner + `<div role=slider id=mute tabindex=0>.</div>`
	ctx, p := show(t, page)
	for _, tt := range []struct{ id, value, want, hint string }{
		{"plain", "3", "", ""},
		{"plain", "137", "", ""},
		{"plain", "0", "", ""},
		{"tenths", "0.8", "", ""},
		{"tenths", "0.1", "", ""},
		{"turned", "9", "", ""},
		{"fives", "85", "", ""},
		{"spin", "7", "", ""},
		{"inner", "-2", "", ""},
		{"fives", "83", "instead of 83", "the slider moves in steps of 5"},
		{"turned", "4.5", "instead of 4.5", "the slider moves in steps of 1"},
		{"stopped", "9", "holds 5 instead of 9", "may limit the slider"},
		{"far", "5000", "instead of 5000", "more than 1000 steps"},
		{"plain", "501", `takes a number from 0 to 500, not "501"`, ""},
		{"plain", "much", `takes a number from 0 to 500, not "much"`, ""},
		{"mute", "1", "does not expose its number", ""},
	} {
		t.Run(tt.id+" "+tt.value, func(t *testing.T) {
			got, err := p.Fill(ctx, css("#"+tt.id), tt.value)
			if tt.want != "" {
				if e := wantCode(t, err, diag.StepFailed, tt.want); !strings.Contains(e.Hint, tt.hint) {
					t.Errorf("hint: got %q, want it to contain %q", e.Hint, tt.hint)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			now := evaluate(t, ctx, p, "Number("+tt.id+".getAttribute('aria-valuenow')).toFixed(6)")
			if want := evaluate(t, ctx, p, "("+tt.value+").toFixed(6)"); now != want || got.Reformatted && tt.id != "tenths" {
				t.Errorf("it holds %v (%+v), want %v", now, got, want)
			}
		})
	}
}

// A part of a date may be both a spin button and a text field: it is filled as text.
func TestFillOfASpinButtonWithText(t *testing.T) {
	ctx, p := show(t, `<div id=s role=spinbutton contenteditable aria-label=Half aria-valuenow=0>AM</div>`)
	if _, err := p.Fill(ctx, css("#s"), "PM"); err != nil {
		t.Fatal(err)
	}
	if text := evaluate(t, ctx, p, "s.textContent"); text != "PM" {
		t.Errorf("it holds %q, want PM", text)
	}
}
