package loader

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/spec"
)

// FuzzParse checks that no bytes make reading panic, that a rejected file is reported with a
// position in it, and that every position of what is read is in the file too.
func FuzzParse(f *testing.F) {
	for _, kind := range []string{"ok", "err"} {
		for _, name := range definitions(f, kind) {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			for _, chunk := range strings.Split(string(text), "#---\n") {
				f.Add([]byte(chunk))
			}
		}
	}
	for _, s := range []string{
		"steps: ! 0", "a: |2-\n   x\n\n  y", "\"a\\\n b\": 'c\n\n d'", "a: >+\n x\n\n\n  y\n z\n", "? a\n: b", "a: &b *c", "\ufeffa: é",
		"a: \"\\ud83d\\ude00\\x41\\N\"", "[[[[", "{a: [b, {c: d}]}", "a:\r\n  - b\r\n", "---\na: 1\n...\n---\n", "- - - a", "a: 'x''y'", "a: b\n c\n\n d",
		"{f: [a:b, c:d\n e, \"g\":h, i:j: k, l:#m]}", "{a:b}", "[{f: [12:30, a: b]}]",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, problems := ParseFile("f", data)
		if (n == nil) != (len(problems) > 0) {
			t.Fatalf("got node %v and problems %v, want one of them", n, problems)
		}
		lines := strings.Split(strings.ReplaceAll(string(trimText(data)), "\r\n", "\n"), "\n")
		inside := func(what string, pos diag.Pos) {
			if pos.File != "f" || pos.Line < 1 || pos.Line > len(lines) || pos.Column < 1 || pos.Column > len(lines[pos.Line-1])+1 {
				t.Fatalf("%s is at %v, outside the file", what, pos)
			}
		}
		for _, e := range problems {
			inside(e.Msg, e.Pos)
			if e.Code == "" || e.Msg == "" || !utf8.ValidString(e.Msg+e.Hint) {
				t.Fatalf("bad error %+v", e)
			}
		}
		walk(n, func(s *spec.Node) {
			inside("a string", s.Pos)
			for _, m := range s.Marks {
				inside("a mark", m.Pos)
				if m.Offset > len(s.Str) {
					t.Fatalf("mark %d of a string of %d bytes", m.Offset, len(s.Str))
				}
			}
			for i := 1; i < len(s.Marks); i++ {
				if s.Marks[i].Offset < s.Marks[i-1].Offset {
					t.Fatalf("marks fall: %v", s.Marks)
				}
			}
		})
		if n != nil {
			spec.Decode(n, spec.Source{}, catalogue.MainArg)
		}
	})
}
