package catalogue

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/actionregistry/action/internal/steps"
)

var update = flag.Bool("update", false, "rewrite docs/steps.md")

func TestReferencePageIsInStepWithTheCatalogue(t *testing.T) {
	const page = "../../../docs/steps.md"
	var want bytes.Buffer
	if err := steps.WriteReference(&want, entries); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(page, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Errorf("docs/steps.md differs from the catalogue; run `make docs`")
	}
}
