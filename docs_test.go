package action_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/definitions"
)

// TestDefinitionsInDocsAreGood checks every YAML example of the docs that is a
// whole definition file, as a reader would who copies it.
func TestDefinitionsInDocsAreGood(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```")
	found := 0
	for _, page := range append(pages, "README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range blocks.FindAllSubmatch(text, -1) {
			if !strings.HasPrefix(string(m[1]), "namespace:") {
				continue
			}
			found++
			file := filepath.Join(t.TempDir(), "example.yaml")
			if err := os.WriteFile(file, m[1], 0o644); err != nil {
				t.Fatal(err)
			}
			v, err := definitions.Validate(t.Context(), definitions.Options{Cwd: t.TempDir()}, []string{file})
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range append(v.Errors, v.Warnings...) {
				t.Errorf("%s: example beginning %.40q: %v", page, m[1], e)
			}
		}
	}
	if found < 3 {
		t.Errorf("found %d whole definitions in the docs, expected at least 3: are they all read?", found)
	}
}

// TestErrorPageNamesEveryCode holds docs/errors.md and package diag together.
func TestErrorPageNamesEveryCode(t *testing.T) {
	page, err := os.ReadFile("docs/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range diag.Codes() {
		if !strings.Contains(string(page), "| `"+string(code)+"` |") {
			t.Errorf("docs/errors.md has no row for %s", code)
		}
	}
}
