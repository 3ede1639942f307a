package loader

// The canonical form of a definition file, which `action fmt` writes. It keeps comments, the order
// of keys (except those of a step), how each scalar is written, and which collections are in
// braces, if they fit on a line. It changes the layout, and writes steps in their short form.

import (
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps/catalogue"
	"github.com/actionregistry/action/spec"
)

// Format returns the canonical form of a definition file. The canonical form has the same meaning
// as the file. Formatting it again changes nothing. If the file has errors, Format returns them
// instead.
func Format(name string, data []byte) ([]byte, diag.List) {
	root, problems := ParseFile(name, data)
	if len(problems) > 0 {
		return nil, problems
	}
	if _, problems := spec.Decode(root, spec.Source{}, catalogue.MainArg); len(problems) > 0 {
		return nil, problems
	}
	f, tree := readPieces(name, data, root)
	at := 0
	f.attach(tree, &at, 0)
	tree.foot = append(tree.foot, f.upTo(&at, len(f.src), 0)...)
	shortenFile(tree)
	var w formWriter
	w.block(tree, 0)
	out := []byte(strings.TrimLeft(w.String(), "\n"))
	again, problems := ParseFile(name, out)
	if len(problems) > 0 || !longForm(root).Equal(longForm(again)) {
		return nil, notSafe(root, "would change its meaning")
	}
	if g, _ := readPieces(name, out, again); !slices.Equal(f.texts(), g.texts()) {
		return nil, notSafe(root, "would lose a comment")
	}
	return out, nil
}

// notSafe returns the error for a canonical form that differs in meaning or lacks a comment.
func notSafe(root *spec.Node, why string) diag.List {
	return diag.List{diag.At(root.Pos, diag.Internal, "the file was not formatted, because that %s", why).
		WithHint("report this as a bug, with the file")}
}
