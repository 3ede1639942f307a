package diag

import (
	"strings"
	"testing"
)

// The name of a file is what somebody else has chosen.
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
