package engine

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// The engine is made once, when it is first called.
func TestBoot(t *testing.T) {
	source := strings.Replace(Source(), "const make = (function () {", "const make = (function () { globalThis.times = (globalThis.times ?? 0) + 1;", 1)
	if source == Source() {
		t.Fatal("make is written otherwise now")
	}
	p := open(t, `<h1>Plain</h1>`)
	p.engineEval("delete globalThis.__action")
	p.engineEval(source)
	p.engineEval(source) // does nothing: it is there
	if got := p.engineEval("__action.document === document && globalThis.times"); got != nil {
		t.Errorf("made %v times before it was called", got)
	}
	for range 2 {
		p.call("info", nil)
	}
	if got := p.engineEval("times"); got != 1.0 {
		t.Errorf("made %v times, want once", got)
	}
}

// What the script is made leaner by holds for every line of it.
func TestSourceLines(t *testing.T) {
	entries, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := files.ReadFile(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if strings.Count(line, "`")%2 != 0 || strings.Contains(line, "/*") || strings.HasSuffix(line, `\`) {
				t.Errorf("%s:%d: a literal or a comment goes over the end of the line", e.Name(), i+1)
			}
			if strings.ContainsFunc(line, func(r rune) bool { return r > 0xffff }) {
				t.Errorf("%s:%d: a letter that takes two escapes", e.Name(), i+1)
			}
		}
	}
	for _, line := range strings.Split(Source(), "\n") {
		if strings.HasPrefix(line, "//") || strings.TrimSpace(line) != line || strings.ContainsFunc(line, func(r rune) bool { return r >= utf8.RuneSelf }) {
			t.Errorf("in the script: %q", line)
		}
	}
}
