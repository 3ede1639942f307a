package diag

import "testing"

func TestNearest(t *testing.T) {
	commands := []string{"fail", "fill", "find", "get", "open", "screenshot", "openly", "cat", "hat"}
	for _, tt := range []struct{ name, word, want string }{
		{"the end is missing", "fil", "fill"},
		{"a letter is missing inside", "fal", "fail"},
		{"nearer before a longer beginning", "opens", "open"},
		{"swapped", "oepn", "open"},
		{"case and hyphens", "Screen-Shot", "screenshot"},
		{"too far", "frobnicate", ""},
		{"as near, no longer beginning: the first", "bat", "cat"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Nearest(tt.word, commands); got != tt.want {
				t.Errorf("Nearest(%q) = %q, want %q", tt.word, got, tt.want)
			}
		})
	}
}
