package pysdk_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/actionregistry/action/internal/ops"
	"github.com/actionregistry/action/internal/pysdk"
	"github.com/actionregistry/action/internal/steps/catalogue"
)

var update = flag.Bool("update", false, "write the generated modules of sdk/python")

// TestPythonSDK compares the generated modules of the SDK with the tables. -update writes them.
func TestPythonSDK(t *testing.T) {
	for name, want := range pysdk.Files() {
		file := filepath.Join("..", "..", "sdk", "python", "actionregistry", name)
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%s differs from the tables; run: make docs (%v)", name, err)
		}
	}
}

// TestUnprinted checks that what has no method exists, so that the list does not hide new entries.
func TestUnprinted(t *testing.T) {
	for name := range pysdk.Unprinted {
		if ops.Lookup(name) == nil {
			t.Errorf("found %s among the operations without a method, expected an operation", name)
		}
	}
	for name := range pysdk.UnprintedSteps {
		if catalogue.Lookup(name) == nil {
			t.Errorf("found %s among the steps without a method, expected a step", name)
		}
	}
}
