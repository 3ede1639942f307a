package ops_test

import (
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/actionregistry/action/internal/ops"
)

// TestEverythingHasADoc checks that each operation, each field of a request and each field of a
// result is described.
func TestEverythingHasADoc(t *testing.T) {
	for _, o := range ops.All() {
		eachField(o.Fields, func(f ops.Field) {
			if f.Doc == "" {
				t.Errorf("%s: the field %s of the request has no doc", o.Name, f.Name)
			}
		})
		seen := make(map[string]bool)
		for _, v := range o.Result {
			if v.Doc == "" || seen[v.Name] {
				t.Errorf("%s: the field %s of the result has no doc, or appears twice", o.Name, v.Name)
			}
			seen[v.Name] = true
		}
		if o.HTTP == (ops.Route{}) && o.Status != nil {
			t.Errorf("%s has statuses, but no path", o.Name)
		}
	}
}

func eachField(fields []ops.Field, do func(ops.Field)) {
	for _, f := range fields {
		do(f)
		eachField(f.Fields, do)
	}
}

var update = flag.Bool("update", false, "rewrite the generated parts of docs/protocol.md")

// TestProtocolPage compares docs/protocol.md with the table. -update rewrites its generated parts.
func TestProtocolPage(t *testing.T) {
	const file = "../../docs/protocol.md"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, names, err := ops.WritePage(string(page), ops.ProtocolPart)
	if err != nil {
		t.Error(err)
	}
	parts := append([]string{"fields", "table"}, ops.Names()...)
	if parts = append(parts, "results"); !slices.Equal(names, parts) {
		t.Errorf("the page has the parts %q, want %q", names, parts)
	}
	switch {
	case want == string(page):
	case *update:
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("docs/protocol.md differs from the table of operations; run: make docs")
	}
}
