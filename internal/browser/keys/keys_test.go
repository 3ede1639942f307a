package keys

import (
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
)

func TestParseChord(t *testing.T) {
	tests := []struct{ text, key, modifiers, fails string }{
		{text: "a", key: "a"}, {text: "A", key: "A"}, {text: "+", key: "+"}, {text: "Enter", key: "Enter"}, {text: "Esc", key: "Escape"},
		{text: "Control+a", key: "a", modifiers: "Control"}, {text: "Control++", key: "+", modifiers: "Control"},
		{text: "Control+Shift+ArrowLeft", key: "ArrowLeft", modifiers: "Control Shift"}, {text: "ControlOrMeta+c", key: "c", modifiers: "Meta"},
		{text: "Shift", key: "Shift"}, {text: "é", key: "é"}, {text: "F12", key: "F12"}, {text: "F1", key: "F1"},
		{text: "Entr", fails: "did you mean Enter?"}, {text: "Strg+a", fails: ""}, {text: "", fails: ""}, {text: "a+b", fails: ""}, {text: "Control+", fails: ""},
	}
	for _, tt := range tests {
		c, err := Parse(tt.text, "Meta")
		if tt.key == "" {
			if e := diag.As(err); e == nil || e.Code != diag.ParamInvalid || !strings.Contains(e.Hint, tt.fails) {
				t.Errorf("%q: %v, want %s with the hint %q", tt.text, err, diag.ParamInvalid, tt.fails)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		var names []string
		for _, m := range c.Modifiers {
			names = append(names, m.Key)
		}
		if got := strings.Join(names, " "); c.Key.Key != tt.key || got != tt.modifiers {
			t.Errorf("%q is key %q with %q, want %q with %q", tt.text, c.Key.Key, got, tt.key, tt.modifiers)
		}
	}
}
