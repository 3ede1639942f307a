package browser

import (
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
)

// TestPressThatActsAtOnce: the page renders these controls again when the button goes down on them.
// If the control has turned a month or filled a field, it has acted. Otherwise the press is lost,
// also if the field that lost the focus has changed another field.
func TestPressThatActsAtOnce(t *testing.T) {
	const table = `<input id=d readonly><div id=box></div><input id=f style="position:fixed;left:0;bottom:0"><input id=sum readonly><script>
		let at = 5;
		const draw = () => { box.innerHTML = '<p>CAPTION<button id=b>Next</button></p><table><tr><td class=is-selected><button id=day>10</button></table>'; for (const s of box.querySelectorAll('select')) s.selectedIndex = at; };
		draw();`
	const lists = `<select><option>0<option>1<option>2<option>3<option>4<option>June<option>July</select>`
	tests := []struct{ name, html, press, lost string }{
		{"a month turned", caption(table, `<i>'+at+'</i>`) + `box.onmousedown = () => { at++; draw() }</script>`, "#b", ""},
		{"a month turned, shown by a list", caption(table, lists) + `box.onmousedown = () => { at++; draw() }</script>`, "#b", ""},
		{"a day picked", caption(table, "") + `box.onmousedown = () => { d.value = '2025-06-10'; draw() }</script>`, "#day", ""},
		{"a day picked in the field that has the focus", caption(table, "") + `d.focus(); box.onmousedown = () => { d.value = '2025-06-10'; draw() }</script>`, "#day", ""},
		{"a day picked, and another field left", caption(table, "") + `f.focus(); box.onmousedown = () => { d.value = '2025-06-10'; draw() }</script>`, "#day", ""},

		{"drawn anew", caption(table, lists) + `box.onmousedown = draw</script>`, "#b", "drew it anew"},
		{"a day drawn anew", caption(table, "") + `box.onmousedown = draw</script>`, "#day", "drew it anew"},
		{"a field filled by leaving another", caption(table, "") + `f.focus(); f.onblur = () => { sum.value = 3 }; box.onmousedown = draw</script>`, "#day", "drew it anew"},
		{"a field formatted as it is left", caption(table, "") + `f.value = 3; f.focus(); f.onblur = () => { f.value = '3.00' }; box.onmousedown = draw</script>`, "#day", "drew it anew"},
		{"a field drawn anew", caption(table, `<input id=own>`) + `own.value = 'typed'; box.onmousedown = draw</script>`, "#day", "drew it anew"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html)
			_, err := p.Press(ctx, css(tt.press), driver.PressOptions{})
			if tt.lost != "" {
				wantCode(t, err, diag.StepFailed, tt.lost)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

// caption returns a page with a text before its button.
func caption(page, text string) string { return strings.Replace(page, "CAPTION", text, 1) }
