package loader

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/actionregistry/action/spec"
)

// TestSecondOpinion checks that another library reads the same, for texts in the styles that people
// write, with what could be syntax in them. Either may reject a file; what both read must be the
// same.
func TestSecondOpinion(t *testing.T) {
	both := 0
	for seed := range uint64(4000) {
		w := &writer{r: rand.New(rand.NewPCG(seed, 1))}
		src := w.block("", 0)
		if w.one(8) {
			src = strings.ReplaceAll(src, "\n", "\r\n")
		}
		if w.one(4) {
			src = strings.TrimSuffix(src, "\n")
		}
		n, problems := ParseFile("f", []byte(src))
		var second yaml.Node
		if err := yaml.Unmarshal([]byte(src), &second); err != nil || len(problems) > 0 {
			continue
		}
		both++
		if got, want := shape(n), secondShape(&second); got != want {
			t.Errorf("%q\nis read as %s\nby the other as %s", src, got, want)
		}
	}
	if both < 1000 {
		t.Errorf("only %d of 4000 files are read by both: the writer is wrong", both)
	}
}

func secondShape(n *yaml.Node) string {
	var parts []string
	switch n.Kind {
	case yaml.DocumentNode:
		return secondShape(n.Content[0])
	case yaml.SequenceNode:
		for _, item := range n.Content {
			parts = append(parts, secondShape(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case yaml.MappingNode:
		for i := 0; i < len(n.Content); i += 2 {
			parts = append(parts, n.Content[i].Value+": "+secondShape(n.Content[i+1]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	switch n.Tag {
	case "!!null":
		return "null"
	case "!!str", "!!timestamp", "!!merge":
		return fmt.Sprintf("%q", n.Value)
	}
	return n.Value
}

// A writer writes random YAML.
type writer struct {
	r    *rand.Rand
	keys int
}

func (w *writer) one(of int) bool { return w.r.IntN(of) == 0 }

func pick[T any](w *writer, of ...T) T { return of[w.r.IntN(len(of))] }

var scalars = strings.Split(`a|css:x|b c|${a.b}|x:y|-1|1|true|null|~|yes|"q"|'s'|"a: b"|'it''s'|a#b|a #c|x,y|role:button[name=x]|text:Save as|é|http://x/y|`+
	`12:30|1.50|>> a|a >> b|a*|a&b|a!|>|-|- a|a?|:|::|a:|%a|2026-01-02|.5|[|]|{|}|"\n"|"\u00e9"|''|""|a  b|=|a - b|--|---|...|on|No`, "|")

func (w *writer) scalar() string {
	return pick(w, append(scalars, "|", "a\tb", "x \t y", "1\t2", "nu\tll")...)
}

func (w *writer) key() string {
	w.keys++
	if w.one(8) {
		return w.scalar() + "k" + strconv.Itoa(w.keys)
	}
	return "k" + strconv.Itoa(w.keys)
}

func (w *writer) flow(depth int) string {
	var parts []string
	between := pick(w, ", ", ",", " , ", ",\n      ")
	switch k := w.r.IntN(6); {
	case depth > 2 || k < 3:
		return w.scalar()
	case k < 5:
		for range w.r.IntN(4) {
			parts = append(parts, w.flow(depth+1))
		}
		return "[" + strings.Join(parts, between) + "]"
	default:
		for range w.r.IntN(3) {
			parts = append(parts, w.key()+": "+w.flow(depth+1))
		}
		return "{" + strings.Join(parts, between) + "}"
	}
}

// lines returns some lines of a scalar that continues, or of one below its header.
func (w *writer) lines(indent string) string {
	var b strings.Builder
	for range 1 + w.r.IntN(3) {
		b.WriteString(indent + "  " + strings.Repeat(" ", w.r.IntN(4)) + w.scalar() + pick(w, "", "", " ", "\n") + "\n")
	}
	return b.String()
}

func (w *writer) block(indent string, depth int) string {
	var b strings.Builder
	list := w.one(2)
	for range 1 + w.r.IntN(3) {
		head := indent + "- "
		if !list {
			head = indent + w.key() + ": "
		}
		switch k := w.r.IntN(10); {
		case k < 4 || depth > 3:
			b.WriteString(head + w.flow(0) + pick(w, "", "", " # note", "  ") + "\n")
		case k == 4:
			b.WriteString(head + pick(w, "|", ">", "|-", ">-", "|+", ">+", "|2", "> # x") + "\n" + w.lines(indent))
		case k == 5:
			b.WriteString(head + w.scalar() + "\n" + w.lines(indent))
		case k == 6:
			b.WriteString(head + pick(w, "\"one\n\n   two \\\n  x\"", "'one\n   two '' x'") + "\n\n# c: d\n")
		case list:
			b.WriteString(head + w.key() + ": " + w.flow(1) + "\n" + indent + "  " + w.key() + ":\n" + w.block(indent+pick(w, "  ", "    "), depth+1))
		case k == 7:
			b.WriteString(strings.TrimSpace(head) + "\n" + indent + "- " + w.flow(0) + "\n" + indent + "- " + w.flow(0) + "\n")
		default:
			b.WriteString(strings.TrimRight(head, " ") + "\n" + w.block(indent+"  ", depth+1))
		}
	}
	return b.String()
}

// TestTexts checks the texts for which the library was found to read something else.
func TestTexts(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"folded, no line break at the end", "k: >\n  a\n  b", "a b"},
		{"literal, no line break at the end", "k: |\n  a\n  b", "a\nb"},
		{"kept, no line break at the end", "k: |+ # c\n  a\n  b", "a\nb"},
		{"kept, beside a line with blanks", "k: |+\n  a\n\nl: b  \n", "a\n\n"},
		{"literal", "k: |\n  a\n  b\n", "a\nb\n"},
		{"blanks at the end of a literal", "k: |-\n  Name: \n", "Name: "},
		{"blanks at the end of a folded text", "k: >-\n  a\n  b \nl: 1\n", "a b "},
		{"tab", "k: a\tb\n", "a\tb"},
		{"tab between digits", "k: 1\t2\n", "1\t2"},
		{"tab in a word of YAML", "k: nu\tll", "nu\tll"},
		{"lines that look like a list", "k: one\n  - two\n\n    - three\n  four # c\n", "one - two\n- three four"},
		{"a colon in braces", "k: x\nl: {m: [a:b]}\n", "x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n, problems := ParseFile("f", []byte(tt.src))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			value := n.Keys[0].Value
			if value.Kind != spec.String || value.Str != tt.want {
				t.Errorf("got %q, want %q", value.Str, tt.want)
			}
			if value.Pos.Line != 1 || value.Pos.Column != 4 {
				t.Errorf("it is said to stand at %v", value.Pos)
			}
		})
	}
	if n, problems := ParseFile("f", []byte("when: !t")); len(problems) == 0 {
		t.Errorf("a tag on a last line that is not ended was read as %s", shape(n))
	}
}
