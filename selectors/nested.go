package selectors

// Binding and printing of the kinds with selectors in parentheses, and of the kinds class, visible
// and none.

import (
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
)

type (
	// insidePart is a part with one selector in parentheses.
	insidePart struct {
		kind  Kind
		parts []part
		pos   diag.Pos
	}
	// anyPart is a part of the kind "any" or "either", with several selectors.
	anyPart struct {
		kind  Kind
		lists [][]part
		pos   diag.Pos
	}
	// classPart is a part of the kind "class", such as class:one.two.
	classPart struct{ names []pieces }
	// barePart is a part of a kind without a body.
	barePart struct{ kind Kind }
)

func (x *insidePart) bind(b *binder, to []QueryPart) ([]QueryPart, error) {
	bound, err := b.chain(x.parts)
	if err != nil {
		return nil, err
	}
	if x.kind == Not || x.kind == Is {
		bound = amongThese(bound)
	}
	q, err := b.whole(bound, x.pos, diag.DefinitionInvalid)
	return append(to, QueryPart{Kind: x.kind, Has: q}), err
}

// amongThese returns parts, with [These] before a filter at their beginning.
func amongThese(parts []QueryPart) []QueryPart {
	if len(parts) == 0 {
		return parts
	}
	first := parts[0]
	switch {
	case isFilter(first.Kind):
		return append([]QueryPart{{Kind: These}}, parts...)
	case len(first.Alts) > 0:
		first.Alts = slices.Clone(first.Alts)
		for i := range first.Alts {
			first.Alts[i].Parts = amongThese(first.Alts[i].Parts)
		}
		return append([]QueryPart{first}, parts[1:]...)
	}
	return parts
}

func (x *anyPart) bind(b *binder, to []QueryPart) ([]QueryPart, error) {
	q := QueryPart{Kind: x.kind}
	for _, parts := range x.lists {
		bound, err := b.chain(parts)
		switch {
		case err != nil:
			return nil, err
		case len(bound) == 0:
			return nil, emptyWithin(x.pos, diag.DefinitionInvalid)
		case endsInFrame(bound):
			return nil, frameLast(diag.At(x.pos, diag.DefinitionInvalid, ""))
		}
		q.Alts = append(q.Alts, QueryAlt{bound})
	}
	return append(to, q), nil
}

func (x *classPart) bind(b *binder, to []QueryPart) ([]QueryPart, error) {
	q := QueryPart{Kind: Class}
	for _, name := range x.names {
		s, err := b.join(name)
		if err != nil {
			return nil, err
		}
		if s == "" || strings.ContainsAny(s, " \t\n\r\f") {
			return nil, diag.At(name.pos(), diag.ParamInvalid, "the class is %s, expected a name without white space", describe(s)).
				WithHint("pass one class; for several write class:one.two")
		}
		q.Names = append(q.Names, s)
	}
	return append(to, q), nil
}

func (x *barePart) bind(b *binder, to []QueryPart) ([]QueryPart, error) {
	if x.kind == Document {
		if !b.first(to) { // it came from the value of a param
			return nil, documentLater(diag.At(b.pos, diag.ParamInvalid, ""))
		}
		return to[:0], nil
	}
	return append(to, QueryPart{Kind: x.kind}), nil
}

func (x *insidePart) write(w *writer) {
	w.WriteString(string(x.kind) + ":(")
	w.chain(x.parts)
	w.WriteByte(')')
}

func (x *anyPart) write(w *writer) {
	w.WriteString(string(x.kind) + ":(")
	for i, parts := range x.lists {
		if i > 0 {
			w.WriteString(" | ")
		}
		w.chain(parts)
	}
	w.WriteByte(')')
}

func (x *classPart) write(w *writer) {
	w.WriteString("class:")
	for i, name := range x.names {
		if i > 0 {
			w.WriteByte('.')
		}
		w.code(w.resolve(name))
	}
}

func (x *barePart) write(w *writer) { w.WriteString(infoOf(x.kind).usage()) }
