package spec

import (
	"sort"
	"strconv"

	"github.com/actionregistry/action/diag"
)

// A Kind is the shape of a [Node].
type Kind uint8

const (
	Null Kind = iota
	Bool
	Int
	Float
	String
	List
	Map
)

func (k Kind) String() string {
	return [...]string{"null", "a boolean", "an integer", "a number", "a string", "a list", "a map"}[k]
}

// A Node is one value of a definition file, with its position. Nodes are read-only once the loader
// has created or merged them. A nil *Node is a missing value.
type Node struct {
	Kind  Kind
	Pos   diag.Pos // first byte of the value as written
	Bool  bool
	Int   int64
	Float float64
	Str   string
	Items []*Node // of a List
	Keys  []Key   // of a Map, in file order
	Raw   string  // a scalar as written, which distinguishes `4.10` from 4.1

	// Marks maps byte offsets in Str to positions in the file, in ascending order. A plain string
	// on one line has no marks.
	Marks []Mark
}

// A Key is one entry of a map.
type Key struct {
	Name  string
	Pos   diag.Pos
	Value *Node
	Marks []Mark // of Name, like those of a string node
}

// A Mark is the position in the file of one byte of a string. The bytes up to the next mark follow
// on the same line.
type Mark struct {
	Offset int
	Pos    diag.Pos
}

// At returns the position in the file of the byte at an offset in n.Str. It can be used as
// [expr.Options.Pos].
func (n *Node) At(offset int) diag.Pos {
	if n == nil {
		return diag.Pos{}
	}
	base := Mark{Pos: n.Pos}
	if i := sort.Search(len(n.Marks), func(i int) bool { return n.Marks[i].Offset > offset }); i > 0 {
		base = n.Marks[i-1]
	}
	p := base.Pos
	p.Column += offset - base.Offset
	return p
}

// Get returns the value of key in a map, or nil.
func (n *Node) Get(key string) *Node {
	if n == nil {
		return nil
	}
	for i := range n.Keys {
		if n.Keys[i].Name == key {
			return n.Keys[i].Value
		}
	}
	return nil
}

// Value returns the node as plain data: nil, bool, int64, float64, string, []any, map[string]any.
// The caller owns the result.
func (n *Node) Value() any {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case Bool:
		return n.Bool
	case Int:
		return n.Int
	case Float:
		return n.Float
	case String:
		return n.Str
	case List:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = item.Value()
		}
		return out
	case Map:
		out := make(map[string]any, len(n.Keys))
		for _, k := range n.Keys {
			out[k.Name] = k.Value.Value()
		}
		return out
	}
	return nil
}

// Equal reports whether two nodes have the same content. It ignores their positions. Maps are equal
// only if their keys have the same order.
func (n *Node) Equal(m *Node) bool {
	if n == nil || m == nil {
		return n == m
	}
	if n.Kind != m.Kind || n.Bool != m.Bool || n.Int != m.Int || n.Float != m.Float || n.Str != m.Str ||
		len(n.Items) != len(m.Items) || len(n.Keys) != len(m.Keys) {
		return false
	}
	for i := range n.Items {
		if !n.Items[i].Equal(m.Items[i]) {
			return false
		}
	}
	for i := range n.Keys {
		if n.Keys[i].Name != m.Keys[i].Name || !n.Keys[i].Value.Equal(m.Keys[i].Value) {
			return false
		}
	}
	return true
}

// describe returns the kind of a node, or its scalar value, for messages.
func (n *Node) describe() string {
	switch {
	case n == nil || n.Kind == Null:
		return "empty"
	case n.Kind == String:
		return clip(n.Str)
	case n.Kind == Bool || n.Kind == Int || n.Kind == Float:
		return n.Kind.String() + " (" + n.Raw + ")"
	}
	return n.Kind.String()
}

// node returns a string node with the name of the key.
func (k Key) node() *Node {
	return &Node{Kind: String, Pos: k.Pos, Str: k.Name, Raw: k.Name, Marks: k.Marks}
}

// clip quotes and shortens a text for a message.
func clip(s string) string { return strconv.Quote(diag.Clip(s, 60)) }
