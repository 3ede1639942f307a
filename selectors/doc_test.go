package selectors_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/selectors"
)

var (
	fence    = regexp.MustCompile("(?ms)^```(selector|refused)\n(.*?)^```$")
	tableRow = regexp.MustCompile("(?m)^\\|.* `([^`]+)` \\|$")
)

// TestDocs parses the examples of the reference page: blocks of selectors, of
// refused ones with a part of the message, and the last column of tables.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../docs/selectors.md")
	if err != nil {
		t.Fatal(err)
	}
	o := selectors.Options{
		Expr:            expr.Options{Params: map[string]bool{"number": true, "name": true, "role": true, "level": true, "row": true}},
		IsSelectorParam: func(name string) bool { return name == "row" },
	}
	examples := 0
	accept := func(src string) {
		examples++
		if _, err := selectors.Parse(src, o); err != nil {
			t.Errorf("%s: %v", src, err)
		}
	}
	for _, m := range fence.FindAllStringSubmatch(string(page), -1) {
		for line := range strings.Lines(m[2]) {
			line = strings.TrimSpace(line)
			if m[1] == "selector" {
				accept(line)
				continue
			}
			examples++
			src, want, _ := strings.Cut(line, " → ")
			if s, err := selectors.Parse(src, o); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, %v, want an error with %q", src, s, err, want)
			}
		}
	}
	for _, m := range tableRow.FindAllStringSubmatch(string(page), -1) {
		accept(m[1])
	}
	for _, k := range selectors.Kinds() {
		if !strings.Contains(string(page), "| `"+string(k)+":`") {
			t.Errorf("the page has no row for %s", k)
		}
	}
	if examples < 60 {
		t.Errorf("found %d examples, want at least 60", examples)
	}
}
