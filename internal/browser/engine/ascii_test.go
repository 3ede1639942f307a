package engine

import "testing"

// Letters beyond the first 65,536 are two units in JavaScript.
func TestInASCII(t *testing.T) {
	for line, want := range map[string]string{
		"const a = 'b';": "const a = 'b';",
		"/[é文🚫]/u":       `/[\u00e9\u6587\ud83d\udeab]/u`,
	} {
		if got := inASCII(line); got != want {
			t.Errorf("%s is %s, want %s", line, got, want)
		}
	}
}
