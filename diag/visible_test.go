package diag

import "testing"

func TestVisible(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"plain, 漢字 \\u0041", "plain, 漢字 \\u0041"},
		{"a\x1b[31m\tb\n", `a\u001b[31m\u0009b\u000a`},
		{"\u202egpj.exe\u2066", `\u202egpj.exe\u2066`},
		{"one\u2028two\u2029\u0085", `one\u2028two\u2029\u0085`},
	} {
		if got := Visible(tt.in); got != tt.want {
			t.Errorf("Visible(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}
