package loader

import (
	"fmt"
	"strings"
	"testing"

	"github.com/actionregistry/action/spec"
)

// TestMarks checks that every byte of every string has its position in the file, for all styles of
// scalars: a byte of the value must be the byte of the source, or be where an escape or a fold
// begins.
func TestMarks(t *testing.T) {
	tests := []struct{ name, src, find string }{
		{"plain", "k: hello X world", "X"},
		{"plain after non-ASCII", "k: é日本 X", "X"},
		{"plain of two lines", "k: one\n  two X", "X"},
		{"plain with an empty line", "k: one\n\n  two X", "X"},
		{"quoted in flow", "k: {a: [\"one\n   two X\"]}", "X"},
		{"double quoted", `k: "hello X"`, "X"},
		{"double with escapes", `k: "a\tb\n\u00e9\x41\"\\ X"`, "X"},
		{"double with a surrogate pair", `k: "\ud83d\ude00 X"`, "X"},
		{"double folded", "k: \"one  \n   two\n\n  X\"", "X"},
		{"double with an escaped break", "k: \"one\\\n   X\"", "X"},
		{"single quoted", "k: 'it''s X'", "X"},
		{"single folded", "k: 'it''s\n  two X'", "X"},
		{"literal", "k: |\n  one\n   two X\n", "X"},
		{"literal after empty lines", "k: |\n\n\n  one\n\n  two X\n", "X"},
		{"literal with an indicator", "k: |2\n    one\n   X\n", "X"},
		{"literal with CRLF", "k: |\r\n  one\r\n  X\r\n", "X"},
		{"literal, non-ASCII", "k: |-\n  é日\n  é X\n", "X"},
		{"folded", "k: >\n  one\n  two X\n", "X"},
		{"folded with more indented lines", "k: >-\n  one\n    two\n  three\n\n  X\n", "X"},
		{"in a list", "- a: 1\n- >\n  one\n  X\n", "X"},
		{"byte order mark", "\ufeffk: \"é X\"", "X"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n, problems := ParseFile("f.yaml", []byte(tt.src))
			if len(problems) > 0 {
				t.Fatalf("problems: %v", problems)
			}
			found := false
			text := strings.Split(strings.ReplaceAll(strings.TrimPrefix(tt.src, "\ufeff"), "\r", ""), "\n")
			walk(n, func(s *spec.Node) {
				i := strings.Index(s.Str, tt.find)
				if i < 0 {
					return
				}
				found = true
				pos := s.At(i)
				if pos.File != "f.yaml" || pos.Line < 1 || pos.Line > len(text) {
					t.Fatalf("At(%d) of %q = %v, outside the file", i, s.Str, pos)
				}
				line := text[pos.Line-1]
				if pos.Column > len(line) || !strings.HasPrefix(line[pos.Column-1:], tt.find) {
					t.Errorf("At(%d) of %q = %v, which is not %q in %q", i, s.Str, pos, tt.find, line)
				}
			})
			if !found {
				t.Errorf("no string holds %q", tt.find)
			}
		})
	}
}

func walk(n *spec.Node, f func(*spec.Node)) {
	if n == nil {
		return
	}
	if n.Kind == spec.String {
		f(n)
	}
	for _, item := range n.Items {
		walk(item, f)
	}
	for _, k := range n.Keys {
		walk(k.Value, f)
	}
}

func TestPositions(t *testing.T) {
	src := "é: {ü: \"x\", b: [1, true]}\nlist:\n  - a: 1\n    b:\n  - \"q\": |\n      t\n"
	n, problems := ParseFile("f.yaml", []byte(src))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	tests := []struct {
		name string
		node *spec.Node
		want string
	}{
		{"file", n, "f.yaml:1:1"},
		{"flow map", n.Keys[0].Value, "f.yaml:1:5"},
		{"after non-ASCII key", n.Keys[0].Value.Keys[0].Value, "f.yaml:1:10"},
		{"flow list", n.Keys[0].Value.Keys[1].Value, "f.yaml:1:18"},
		{"in flow list", n.Keys[0].Value.Keys[1].Value.Items[1], "f.yaml:1:22"},
		{"list", n.Keys[1].Value, "f.yaml:3:3"},
		{"map in list", n.Keys[1].Value.Items[0], "f.yaml:3:5"},
		{"quoted key in list", n.Keys[1].Value.Items[1], "f.yaml:5:5"},
		{"literal", n.Keys[1].Value.Items[1].Keys[0].Value, "f.yaml:5:10"},
	}
	for _, tt := range tests {
		if got := tt.node.Pos.String(); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	deep := strings.Repeat("[", 300) + strings.Repeat("]", 300)
	tests := []struct{ name, src, msg, hint string }{
		{"empty", "", "1:1: the file is empty", "namespace"},
		{"only a comment", "# c\n", "1:1: the file is empty", "namespace"},
		{"tag", "when: !${x}", "1:7: found a value that starts with !, which is a tag", `quote the value: "!${x}"`},
		{"tag in flow", "a: {when: !foo}", "1:11: found a value that starts with !", "quote the value"},
		{"FACTS panic", "steps: ! 0", "1:8: found a value that starts with !", "quote the value"},
		{"bracket in a text in flow", "a: {b: ${x}}\nc: ${d} != \"\"\n", "1:9: found { in an unquoted text inside", "quote the whole text"},
		{"bracket in a text in a list", "a: [css:b[c=d]]", "1:10: found [ in an unquoted text inside", "quote the whole text"},
		{"ref in flow", "args: {selector: @e5}", "1:18: found an unquoted value that starts with @", `quote the value: "@e5"`},
		{"tag in flow with braces", "a: {when: !${x}, b: 1}", "1:11: found a value that starts with !", `quote the value: "!${x}"`},
		{"ref", "s: @e5 # c", "1:4: found an unquoted value that starts with @", `quote the value: "@e5"`},
		{"backtick", "s: `x`", "1:4: found an unquoted value that starts with `", "quote the value"},
		{"percent", "s: %x", "1:4: found an unquoted value that starts with %", `quote the value: "%x"`},
		{"anchor", "a: &x 1", "1:4: found the anchor", "extends"},
		{"alias", "a: *x", "1:4: found the alias", "extends"},
		{"complex key", "? a: 1\n", "1:1: found a key that starts with ?", "quote a text"},
		{"document end", "...a: 1\n", "1:1: found text after \"...\"", "quote a text"},
		{"merge key", "<<: {a: 1}", "1:1: found a merge key", "extends"},
		{"second document", "a: 1\n---\nb: 2", "2:1: found a second document", "its own file"},
		{"tab", "a:\n\t- b", "2:1: found a tab, expected spaces", "indent with spaces"},
		{"duplicate key", "a: 1\nb: 2\na: 3", `3:1: the key "a" is written twice`, "remove"},
		{"octal", "a: 010", `1:4: found the ambiguous number "010"`, `"010"`},
		{"hexadecimal", "a: 0x10", "1:4: found the ambiguous number \"0x10\"", "quote"},
		{"underscore", "a: 1_000", "1:4: found the ambiguous number \"1_000\"", "quote"},
		{"exponent", "a: [1e3]", "1:5: found the ambiguous number \"1e3\"", `quote the value if it is meant as text: "1e3"`},
		{"leading zero", "a: 08", "1:4: found the ambiguous number \"08\"", "quote"},
		{"large number", "a: -99999999999999999999", "1:4: found the ambiguous number \"-99999999999999999999\"", "quote"},
		{"too large a number", "a: 1e999", "1:4: found the ambiguous number \"1e999\"", "quote"},
		{"directive", "%YAML 1.1\n---\na: 1", "1:1: found an unquoted value that starts with %", "quote the value"},
		{"infinity", "a: .inf", "1:4: found \".inf\"", "quote"},
		{"number as key", "a:\n  4.10: x", "2:3: found the key 4.10, which is not a string", `quote the key: "4.10"`},
		{"boolean as key", "true: x", "1:1: found the key true", "quote the key"},
		{"two colons", "a: ${x} and: y", "1:4: found a second", "quote a text"},
		{"lost comment", "selector: #login", `1:11: found "#login", which is a comment`, `quote the value: "#login"`},
		{"lost comment in a list", "a:\n  - #login\n", `2:5: found "#login", which is a comment`, `quote the value: "#login"`},
		{"too deep", "a: " + deep, "found nesting that is too deep", "split"},
		{"too deep by columns", strings.Repeat("- ", 100) + "x", "found nesting that is too deep", "split"},
		{"not UTF-8", "a: b\xff", "1:5: found the byte 0xff, expected UTF-8", "UTF-8"},
		{"control character", "a: b\x00", "1:5: found the control character U+0000", "remove"},
		{"too large", "a: " + strings.Repeat("x", MaxFileBytes), "at most 256 KiB", "split"},
		{"empty lines", "a: |\n" + strings.Repeat("\n", 5000), "empty lines in a row", "remove"},
		{"too many keys", manyKeys(maxEntries+1, "k%d: 1\n"), "2001:6: found too many entries", "split"},
		{"too many keys in flow", "{" + manyKeys(maxEntries+1, "k%d: 1, ") + "}", "at most 2000", "split"},
		{"a long line", "a: \"" + strings.Repeat("b ", 40000) + "\"\n", "a line of 80006 bytes, expected at most 65536", "break the line"},
		{"too many tokens", "a:\n" + strings.Repeat("- [a, b, c, d]\n", 7000), "expected at most 65536", "split"},
		{"open quote", "a: \"x\nb: 1", "1:4: found invalid YAML", "quotes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n, problems := ParseFile("f", []byte(tt.src))
			if n != nil || len(problems) == 0 {
				t.Fatalf("got no problem, want %q", tt.msg)
			}
			if got := problems[0].Error(); !strings.Contains(got, tt.msg) {
				t.Errorf("got message %q, want %q in it", got, tt.msg)
			}
			if !strings.Contains(problems[0].Hint, tt.hint) {
				t.Errorf("got hint %q, want %q in it", problems[0].Hint, tt.hint)
			}
		})
	}
}

func manyKeys(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// TestLargeMap checks that the guard accepts what is below its bounds.
func TestLargeMap(t *testing.T) {
	n, problems := ParseFile("f", []byte(manyKeys(maxEntries, "k%d: {a: [1, 2], b: \"x\"}\n")))
	if len(problems) > 0 || len(n.Keys) != maxEntries {
		t.Errorf("problems = %v, want none", problems)
	}
}

// TestParseTellsAll checks that one problem does not hide another.
func TestParseTellsAll(t *testing.T) {
	_, problems := ParseFile("f", []byte("a: 010\na: 1\n4.1: x\nb: &x 1\nc: !t x\n"))
	if len(problems) != 2 {
		t.Errorf("forbidden tokens: got %d problems %v, want 2", len(problems), problems)
	}
	_, problems = ParseFile("f", []byte("a: 010\na: 1\n4.1: x\nb: .nan\n"))
	if len(problems) != 4 {
		t.Errorf("values: got %d problems %v, want 4", len(problems), problems)
	}
}
