package loader

import (
	"fmt"
	"strings"
	"testing"

	"github.com/actionregistry/action/spec"
)

// TestColonsInLists checks that a text with a colon is one text, wherever it is.
func TestColonsInLists(t *testing.T) {
	tests := []struct{ src, want string }{
		{`a: [css:body]`, `{a: ["css:body"]}`},
		{`a: {f: [css:body]}`, `{a: {f: ["css:body"]}}`},
		{`a: {p: css:x, f: [css:body, role:button[name=x], "css:b", c]}`, ""},
		{`a: {p: css:x, f: [css:body, "css:b", c, 'd']}`, `{a: {p: "css:x", f: ["css:body", "css:b", "c", "d"]}}`},
		{`{f: [ css:a b:c , text::x, é:日本 ]}`, `{f: ["css:a b:c", "text::x", "é:日本"]}`},
		{`{f: [12:30, a:true, 1:x, x:1.50]}`, `{f: ["12:30", "a:true", "1:x", "x:1.50"]}`},
		{`{f: [a:b, c: d, "k": v, "j":w, e: [g:h], {i:j: k}]}`, ""},
		{`{f: [a:b, c: d, "k": v, "j":w, e: [g:h]]}`, `{f: ["a:b", {c: "d"}, {k: "v"}, {j: "w"}, {e: ["g:h"]}]}`},
		{"{f: [\n  css:a,\n  c:\n    d,\n  http://x/y]}", `{f: ["css:a", {c: "d"}, "http://x/y"]}`},
		{`{f: [[a:b], {g: [c:d]}]}`, `{f: [["a:b"], {g: ["c:d"]}]}`},
		{`{f: [xpath://a]}`, `{f: ["xpath://a"]}`},
		{"- {f: [a:b]}\n- {f: [a:b]}", `[{f: ["a:b"]}, {f: ["a:b"]}]`},
		// What is not a text with a colon, and what would be misread.
		{`{f: [css:#a]}`, ""},
		{`{f: [css:*]}`, ""},
		{`{f: [text:"a"]}`, ""},
		{"{f: [css:a\n b]}", ""},
		{`{f: [a:b: c]}`, ""},
		{`{f: [t:|x]}`, ""},
		{`{a:b}`, ""},
		{`{a:b: c}`, ""},
		{`{a: {b: 1, c:"d"}}`, ""},
		{`{"a":b, c: d:e, f:[g], h:{i: j}}`, `{a: "b", c: "d:e", f: ["g"], h: {i: "j"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.src, func(t *testing.T) {
			n, problems := ParseFile("f", []byte(tt.src))
			if tt.want == "" {
				if len(problems) == 0 {
					t.Errorf("%s: read as %s, want an error", tt.src, shape(n))
				}
				return
			}
			if got := shape(n); len(problems) > 0 || got != tt.want {
				t.Errorf("%s: %s %v, want %s", tt.src, got, problems, tt.want)
			}
			walk(n, func(s *spec.Node) {
				line := strings.Split(tt.src, "\n")[s.Pos.Line-1][s.Pos.Column-1:]
				if !strings.HasPrefix(strings.TrimLeft(line, `"'`), s.Str) {
					t.Errorf("%q is said to stand at %v: %s", s.Str, s.Pos, line)
				}
			})
		})
	}
}

func shape(n *spec.Node) string {
	var parts []string
	switch {
	case n == nil:
		return "nothing"
	case n.Kind == spec.List:
		for _, item := range n.Items {
			parts = append(parts, shape(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case n.Kind == spec.Map:
		for _, k := range n.Keys {
			parts = append(parts, k.Name+": "+shape(k.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case n.Kind == spec.String:
		return fmt.Sprintf("%q", n.Str)
	}
	return n.Raw
}
