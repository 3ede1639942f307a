package selectors_test

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/selectors"
)

var (
	fence    = regexp.MustCompile("(?ms)^```(selector|refused)\n(.*?)^```$")
	tableRow = regexp.MustCompile("(?m)^\\|.* `([^`]+)` \\|$")
)

var update = flag.Bool("update", false, "rewrite the table of docs/selectors.md")

// TestKindsTable compares the table of docs/selectors.md with the kinds; -update rewrites it.
func TestKindsTable(t *testing.T) {
	const path = "../docs/selectors.md"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cell := func(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
	var want strings.Builder
	want.WriteString("| kind | matches | example |\n|---|---|---|\n")
	for _, k := range selectors.KindDocs() {
		want.WriteString("| `" + k.Usage + "` | " + cell(k.Doc) + " | `" + cell(k.Example) + "` |\n")
	}
	want.WriteString("| `@e5` | a ref of the newest snapshot; `@snap_ab12cd:e5` of a named one | `@e5` |\n")
	got := regexp.MustCompile(`(?m)^\| kind \| matches .*\n(\|.*\n)+`).FindString(string(page))
	if got == want.String() {
		return
	}
	if !*update {
		t.Fatal("the table of kinds in docs/selectors.md differs from package selectors; run `make docs`")
	}
	text := strings.Replace(string(page), got, want.String(), 1)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestEveryKind: an entry of the table is complete, and its example is parsed as its kind.
func TestEveryKind(t *testing.T) {
	for i, k := range selectors.KindDocs() {
		if k.Doc == "" || !strings.Contains(k.Example, k.Usage) {
			t.Errorf("%s is documented by %q and %q", k.Usage, k.Doc, k.Example)
		}
		s, err := selectors.Parse(k.Example, selectors.Options{})
		if err != nil {
			t.Errorf("%s: %v", k.Example, err)
			continue
		}
		q, err := s.Bind(selectors.Binding{})
		if err != nil {
			t.Errorf("%s: %v", k.Example, err)
			continue
		}
		want := selectors.Kinds()[i]
		if want == selectors.Document {
			continue // document determines only where the rest is searched
		}
		if !slices.ContainsFunc(q.Parts, func(part selectors.QueryPart) bool { return part.Kind == want }) {
			t.Errorf("%s has no part of kind %s", k.Example, want)
		}
	}
}

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
		accept(strings.ReplaceAll(m[1], `\|`, "|"))
	}
	if examples < 60 {
		t.Errorf("found %d examples, want at least 60", examples)
	}
}
