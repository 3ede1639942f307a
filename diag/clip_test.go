package diag

import "testing"

func TestClip(t *testing.T) {
	for _, tt := range []struct {
		in   string
		most int
		want string
	}{
		{"", 3, ""},
		{"abc", 3, "abc"},
		{"abcd", 3, "abc…"},
		{"ab中", 3, "ab…"},
		{"ab中文", 5, "ab中…"},
	} {
		if got := Clip(tt.in, tt.most); got != tt.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", tt.in, tt.most, got, tt.want)
		}
	}
}
