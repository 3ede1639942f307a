package browser

import (
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/driver"
)

// TestOptionThatActsAtOnce: an option whose list takes it out and puts it in again when the button
// goes down gets no click. It has acted if a field has another value then; a button has not.
func TestOptionThatActsAtOnce(t *testing.T) {
	const page = `<select id=s ATTRS hidden><option value=1 selected>One<option value=2>Two</select><input id=i readonly><div id=list>OPTION</div><script>
		list.onmousedown = (e) => { e.preventDefault(); ACTS; list.replaceChildren(...list.children) }</script>`
	const option, button = `<div class=option id=o>Two</div>`, `<button type=button id=o>Two</button>`
	tests := []struct{ name, attrs, option, acts, lost string }{
		{"a list of one", "", option, "s.value = 2", ""},
		{"a list of several", "multiple", option, "s.options[1].selected = true", ""},
		{"a field", "", `<div role=listbox><div role=option id=o>Two</div></div>`, "i.value = 'Two'", ""},
		{"a list that takes nothing", "", option, "", "no click followed"},
		{"the same option again", "", option, "s.value = 1", "no click followed"},
		{"a button", "", button, "i.value = 'Two'", "no click followed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, strings.NewReplacer("ATTRS", tt.attrs, "OPTION", tt.option, "ACTS", tt.acts).Replace(page))
			_, err := p.Press(ctx, css("#o"), driver.PressOptions{})
			if tt.lost != "" {
				wantCode(t, err, diag.StepFailed, tt.lost)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}
