package catalogue

import "testing"

// TestRegrouped checks that type warns if the page shows the text in another form, and only then.
func TestRegrouped(t *testing.T) {
	for _, tt := range []struct {
		holds, text string
		want        bool
	}{
		{"Hauptstr. 12", "Hauptstr. 1 2", true},
		{"(555) 123-4567", "5551234567", true},
		{"ADA", "ada", true},
		{"before Ada", "Ada", false},
		{"Ada", "Ada\n", false},
		{"a\u00a0b", "a b", false},
		{"2026-12-31", "12/31/2026", false},
		{"", "a tag", false},
		{"-", "-", false},
	} {
		if got := regrouped(tt.holds, tt.text); got != tt.want {
			t.Errorf("a field that holds %q after %q: %v, want %v", tt.holds, tt.text, got, tt.want)
		}
	}
}
