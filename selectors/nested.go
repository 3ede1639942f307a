package selectors

// Kinds that hold selectors in parentheses, and the kinds class, visible and none.

import (
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
)

type (
	// insidePart is a kind with one selector in parentheses.
	insidePart struct {
		kind  Kind
		parts []part
		pos   diag.Pos
	}
	// anyPart is any or either: several selectors.
	anyPart struct {
		kind  Kind
		lists [][]part
		pos   diag.Pos
	}
	// classPart is class: with its names.
	classPart struct{ names []pieces }
	// barePart is a kind without a body.
	barePart struct{ kind Kind }
)

// open reads the "(" of a body and returns its index.
func (p *parser) open(kind Kind, in around) (int, error) {
	p.space()
	at := p.i
	if p.ends(p.i, in) {
		return at, p.emptyBody(kind)
	}
	if p.buf[p.i] != '(' {
		return at, p.fail(p.i, "found %s after %s:, expected (", p.found(p.i), kind).
			WithHint("put the selector in parentheses: %s:%s", kind, infoOf(kind).short)
	}
	p.i++
	return at, p.nest(at)
}

// shut reads the ")" of the body that was opened at index at, and checks what follows.
func (p *parser) shut(kind Kind, at int, in around) error {
	if p.i == len(p.buf) || p.buf[p.i] != ')' {
		return p.fail(at, "found an unclosed (, expected ) at the end of the body").
			WithHint("close %s with ); write a text that contains a single parenthesis in double quotes", kind)
	}
	p.i++
	p.depth--
	return p.noMore(string(kind), in)
}

func (p *parser) inside(kind Kind, in around) (part, error) {
	at, err := p.open(kind, in)
	if err != nil {
		return nil, err
	}
	may := noKind
	if kind == Not || kind == Is {
		may = isFilter
	}
	x := &insidePart{kind: kind, pos: p.pos(p.offs[p.i])}
	if x.parts, err = p.chain(inParens, may); err != nil {
		return nil, err
	}
	return x, p.shut(kind, at, in)
}

// any reads selectors in parentheses. They may begin with a filter if something precedes the
// part.
func (p *parser) any(kind Kind, in around) (part, error) {
	at, err := p.open(kind, in)
	if err != nil {
		return nil, err
	}
	x := &anyPart{kind: kind, pos: p.pos(p.offs[p.i])}
	for {
		parts, err := p.chain(inList, anyKind)
		if err != nil {
			return nil, err
		}
		x.lists = append(x.lists, parts)
		if p.i == len(p.buf) || p.buf[p.i] != '|' {
			break
		}
		p.i++
	}
	if len(x.lists) == 1 && p.i < len(p.buf) {
		return nil, p.fail(p.i, "found one selector in %s, expected several", kind).
			WithHint("separate selectors with | and a space on each side, as in %s:%s", kind, infoOf(kind).short)
	}
	return x, p.shut(kind, at, in)
}

// class reads names separated by dots. A value is always one name, even if it contains dots.
func (p *parser) class(in around) (part, error) {
	p.space()
	if p.ends(p.i, in) {
		return nil, p.emptyBody(Class)
	}
	x := &classPart{}
	for {
		name, err := p.className(in)
		if err != nil {
			return nil, err
		}
		x.names = append(x.names, name)
		if p.peek(0) != '.' {
			return x, nil
		}
		p.i++
	}
}

func (p *parser) className(in around) (pieces, error) {
	start := p.i
	for p.i < len(p.buf) && isName(p.buf[p.i]) {
		p.i++
	}
	switch {
	case p.i == start:
		return nil, p.fail(p.i, "found %s, expected the name of a class", p.found(p.i)).
			WithHint("write class:select-dropdown, or class:select-dropdown.open for an element with both classes")
	case isSpace(p.peek(0)):
		end := p.i
		if err := p.noMore("class", in); err != nil {
			return nil, err
		}
		return p.data(start, end)
	case p.peek(0) != '.' && !p.ends(p.i, in):
		return nil, p.fail(p.i, "found %s in the name of a class, expected letters, digits, - and _", p.found(p.i)).
			WithHint("for other characters use css:, as in css:.w-1\\/2; separate parts with >>")
	}
	return p.data(start, p.i)
}

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

// amongThese prepends the matches so far to parts that begin with a filter.
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
		q.Alts = append(q.Alts, QueryAlt{Parts: bound})
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
		if !b.first(to) { // from the value of a param
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
