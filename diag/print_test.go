package diag

import (
	"strings"
	"testing"
)

// TestPrintCleansNames checks that hostile characters in file names are replaced.
func TestPrintCleansNames(t *testing.T) {
	var b strings.Builder
	e := At(Pos{File: "a\x1b]0;x\x07\n\u202eb.yaml", Line: 1, Column: 2}, DefinitionInvalid, "bad")
	if err := (Printer{}).Print(&b, e); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), "a\ufffd]0;x\ufffd\ufffd\ufffdb.yaml:1:2: DEFINITION_INVALID: bad\n"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
}

func TestCleanJSON(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`{"a":"plain ä 木"}` + "\n", `{"a":"plain ä 木"}` + "\n"},
		{"[\"\u009b31m\",\"\u0080\u007f\u009f\u00a0\"]", `["\u009b31m","\u0080\u007f\u009f` + "\u00a0\"]"},
		{"\"\u202eabc\u2066\u200f\u061c\"", `"\u202eabc\u2066\u200f\u061c"`},
		{"\"\\\\\u009b\"", `"\\\u009b"`},
		{"\"\xff\u009b", "\"\xff" + `\u009b`},
	} {
		if got := string(CleanJSON([]byte(tt.in))); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.in, got, tt.want)
		}
	}
	if got, want := Clean("a\u009bb\u061cc\td\n"), "a\ufffdb\ufffdc\td\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
