package spec

import (
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/version"
)

func TestNames(t *testing.T) {
	tests := []struct {
		name     string
		is       func(string) bool
		yes, not string
	}{
		{"namespace", IsNamespace, "a a1 my-app a-", "A 1a -a my_app a:b é"},
		{"action", IsAction, "a:b order-1:create", "a a: :b a:b:c A:b a:1"},
		{"name", IsName, "a A _x a-b a_1", "1a -a a.b é a:b"},
		{"environment variable", IsEnvName, "A a_1 _", "1A A-B é"},
		{"SemVer", IsSemVer, "1.0.0 0.0.0 1.2.3-rc.1 1.2.3-0a+b.01 10.20.30+x", "1 1.2 1.2.3.4 01.2.3 1.2.3- 1.2.3-01 1.2.3+ v1.2.3 1.x.0 1.2.-3"},
	}
	for _, tt := range tests {
		for _, s := range strings.Fields(tt.yes) {
			if !tt.is(s) {
				t.Errorf("%s %q: got false, want true", tt.name, s)
			}
		}
		for _, s := range append(strings.Fields(tt.not), "", "a b") {
			if tt.is(s) {
				t.Errorf("%s %q: got true, want false", tt.name, s)
			}
		}
	}
}

func TestDurationOf(t *testing.T) {
	text := func(s string) *Node { return &Node{Kind: String, Str: s} }
	tests := []struct {
		name string
		node *Node
		want time.Duration
		err  string
	}{
		{"milliseconds", &Node{Kind: Int, Int: 500}, 500 * time.Millisecond, ""},
		{"zero", &Node{Kind: Int}, 0, ""},
		{"Go style", text("1m30.5s"), 90*time.Second + 500*time.Millisecond, ""},
		{"no unit", text("500"), 0, "expected a duration"},
		{"zero without unit", text("0"), 0, "expected a duration"},
		{"words", text("5 sec"), 0, "expected a duration"},
		{"empty", text(""), 0, "expected a duration"},
		{"reference", text("${params.t}"), 0, "expected a duration"},
		{"fraction", &Node{Kind: Float, Float: 1.5, Raw: "1.5"}, 0, "expected a duration"},
		{"negative", &Node{Kind: Int, Int: -5}, 0, "negative"},
		{"negative text", text("-5s"), 0, "negative"},
		{"overflow", &Node{Kind: Int, Int: 1 << 62}, 0, "over 24h"},
		{"over a day", text("25h"), 0, "over 24h"},
		{"nothing", nil, 0, "expected a duration"},
	}
	for _, tt := range tests {
		got, err := DurationOf(tt.node)
		if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.Contains(err.Msg, tt.err)) || got != tt.want {
			t.Errorf("%s: got %v, %v, want %v, %q", tt.name, got, err, tt.want, tt.err)
		}
	}
}

func TestNodeAt(t *testing.T) {
	at := func(line, column int) diag.Pos { return diag.Pos{File: "f", Line: line, Column: column} }
	n := &Node{Kind: String, Pos: at(1, 4), Str: "abcdef", Marks: []Mark{{Offset: 0, Pos: at(1, 5)}, {Offset: 3, Pos: at(2, 3)}}}
	for offset, want := range map[int]diag.Pos{0: at(1, 5), 2: at(1, 7), 3: at(2, 3), 6: at(2, 6)} {
		if got := n.At(offset); got != want {
			t.Errorf("At(%d) = %v, want %v", offset, got, want)
		}
	}
	if got := (&Node{Pos: at(1, 4)}).At(2); got != at(1, 6) {
		t.Errorf("without marks: got %v, want f:1:6", got)
	}
	if got := (*Node)(nil).At(2); got.IsValid() {
		t.Errorf("of nothing: got %v, want no place", got)
	}
}

func TestViewLayers(t *testing.T) {
	alias := func(s string) *Alias { return &Alias{Primary: Text{Value: s}} }
	pattern := func(s string) *version.Pattern {
		p, err := version.ParsePattern(s, func(int) diag.Pos { return diag.Pos{} })
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	ns := &Namespace{Layers: []Layer{
		{
			Selectors: map[string]*Alias{"a": alias("low"), "b": alias("low"), "c": alias("low")},
			Overrides: []Override{
				{Match: pattern("3.x"), Selectors: map[string]*Alias{"a": alias("low 3"), "b": alias("low 3")},
					Actions: map[string]*Variant{"x:y": {Steps: []*Step{{}}, Returns: &Node{}}}},
				{Match: pattern(">=3.5.0"), Selectors: map[string]*Alias{"b": alias("low 3.5")}, Actions: map[string]*Variant{"x:y": {Steps: []*Step{{}, {}}}}},
				{Match: nil, Selectors: map[string]*Alias{"a": alias("unreadable")}},
			},
		},
		{Selectors: map[string]*Alias{"a": alias("high")}},
	}}
	tests := []struct{ version, a, b, c string }{
		{"", "high", "low", "low"},
		{"3.0.0", "high", "low 3", "low"},
		{"3.6.0", "high", "low 3.5", "low"},
		{"4.0.0", "high", "low 3.5", "low"},
	}
	for _, tt := range tests {
		var v *version.Version
		if tt.version != "" {
			v, _ = version.Coerce(tt.version)
		}
		got := ns.At(v).Aliases
		if a, b, c := got["a"].Primary.Value, got["b"].Primary.Value, got["c"].Primary.Value; a != tt.a || b != tt.b || c != tt.c {
			t.Errorf("version %q: got %s, %s, %s, want %s, %s, %s", tt.version, a, b, c, tt.a, tt.b, tt.c)
		}
	}
	v, _ := version.Coerce("3.6.0")
	if got := ns.At(v).Variant("x:y"); len(got.Steps) != 2 || got.Returns == nil {
		t.Errorf("variant = %+v, want the later steps over the earlier returns", got)
	}
	if !ns.HasOverrides("b") || ns.HasOverrides("c") {
		t.Error("HasOverrides: want b only")
	}
}

func TestEqual(t *testing.T) {
	m := func(keys ...string) *Node {
		n := &Node{Kind: Map}
		for _, k := range keys {
			n.Keys = append(n.Keys, Key{Name: k, Value: &Node{Kind: List, Items: []*Node{{Kind: Int, Int: 1}}}})
		}
		return n
	}
	other := m("a", "b")
	other.Keys[1].Value.Items[0].Int = 2
	for name, tt := range map[string]struct {
		a, b *Node
		want bool
	}{
		"same": {m("a", "b"), m("a", "b"), true}, "order": {m("a", "b"), m("b", "a"), false}, "fewer": {m("a", "b"), m("a"), false},
		"deep": {m("a", "b"), other, false}, "nil": {nil, nil, true}, "one nil": {m(), nil, false},
	} {
		if got := tt.a.Equal(tt.b); got != tt.want {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}
