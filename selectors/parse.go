package selectors

// The grammar: chains, their parts, and the bodies that contain selectors.

import (
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
)

type (
	// codePart is a part of the kind "css" or "xpath".
	codePart struct {
		kind   Kind
		body   pieces
		prefix bool // whether the kind is written in the source
	}
	// textPart is a part of a kind that compares text.
	textPart struct {
		kind    Kind
		op      Op
		body    pieces
		pattern *pattern // with op Matches
	}
	nthPart struct {
		index int
		ref   *expr.Ref // nil: index
	}
	framePart struct {
		inner part
		pos   diag.Pos
	}
	// refPart is a ref that is written in the text, such as @e3 or @snap_ab12cd:e3.
	refPart struct{ snapshot, ref string }
	// An aliasPart is a reference to an alias.
	aliasPart struct{ ref *expr.Ref }
	// A stepPart is a reference to a ref that a step has returned.
	stepPart struct{ ref *expr.Ref }
	// A paramPart is a reference to a param of type selector.
	paramPart struct{ ref *expr.Ref }
)

// chain reads parts up to the end of the source or of the enclosing body. The function "may" is
// called with the kind of a first part that may not come first in a selector. If it returns false,
// chain returns an error.
func (p *parser) chain(in around, may func(Kind) bool) ([]part, error) {
	var parts []part
	for {
		p.space()
		start := p.i
		x, err := p.part(in)
		if err != nil {
			return nil, err
		}
		if isDocument(x) && (len(parts) > 0 || in != top || p.o.Alias) {
			return nil, documentLater(p.fail(start, ""))
		}
		if len(parts) == 0 {
			if kind := dependent(x); kind != "" && !may(kind) {
				return nil, alone(p.fail(start, ""), kind)
			}
		} else if err := p.follows(start, parts[len(parts)-1], x); err != nil {
			return nil, err
		}
		parts = append(parts, x)
		p.space()
		if p.i == len(p.buf) || !p.separates(p.i) {
			if _, ok := x.(*framePart); ok && (in != top || !p.o.Fragment) {
				return nil, frameLast(p.fail(start, ""))
			}
			if isDocument(x) {
				return nil, p.fail(start, "found only `document:`, expected a selector after it").
					WithHint("write a selector after `document:`, as in `document: >> role:alert`")
			}
			return parts, nil
		}
		p.i += len(">>")
	}
}

func isDocument(x part) bool {
	bare, ok := x.(*barePart)
	return ok && bare.kind == Document
}

func documentLater(e *diag.Error) *diag.Error {
	e.Msg = "found `document:` inside a selector, expected it only at the beginning"
	return e.WithHint("`document:` leaves the scope of the step: write `document: >> role:alert` in the step itself, not in an alias")
}

func anyKind(Kind) bool { return true }
func noKind(Kind) bool  { return false }

// isFilter reports whether a kind selects some of the matches of the part before it.
func isFilter(k Kind) bool { return linkOf(k) == filters }

// follows returns an error if part x may not follow the part before it.
func (p *parser) follows(at int, before, x part) error {
	kind := dependent(x)
	if _, ok := before.(*framePart); !ok || linkOf(kind) != moves || kind == Row {
		return nil
	}
	return p.fail(at, "found `%s:` directly after `frame:`, expected an element to start from", kind).
		WithHint("a frame contains a whole document: write frame:#x >> css:button >> %s:…", kind)
}

// dependent returns the kind of x if x may not come first in a selector. It returns "" if x may.
func dependent(x part) Kind {
	var kind Kind
	switch x := x.(type) {
	case *textPart:
		kind = x.kind
	case *nthPart:
		kind = Nth
	case *insidePart:
		kind = x.kind
	case *barePart:
		kind = x.kind
	case *anyPart:
		for _, parts := range x.lists {
			if kind := dependent(parts[0]); kind != "" {
				return kind
			}
		}
	}
	if linkOf(kind) == searches {
		return ""
	}
	return kind
}

// alone sets the message and the hint of the error for a part that may not come first in a
// selector.
func alone(e *diag.Error, kind Kind) *diag.Error {
	x := infoOf(kind)
	if x.link == filters {
		e.Msg = "found a filter at the beginning, expected another part before it"
		return e.WithHint("`%s:` narrows the matches of the part before it, so it cannot come first: write for example %s", kind, x.example)
	}
	e.Msg = "found `" + string(kind) + ":` at the beginning, expected another part before it"
	return e.WithHint("`%s:` starts from the matches of the part before it, so it cannot come first: write for example %s", kind, x.example)
}

func frameLast(e *diag.Error) *diag.Error {
	e.Msg = "found `frame:` as the last part, expected a selector after it"
	return e.WithHint("write a selector after the frame, as in frame:#x >> css:button; to select the iframe itself, omit `frame:`")
}

func (p *parser) part(in around) (part, error) {
	if p.ends(p.i, in) {
		return nil, p.fail(p.i, "found %s, expected a selector", p.foundEnd()).
			WithHint("write a selector such as css:#save or role:button[name='OK']; separate parts with one >>")
	}
	if p.parts++; p.parts > maxParts {
		return nil, p.fail(p.i, "found too many parts, expected at most %d", maxParts).WithHint("use fewer parts")
	}
	switch {
	case p.isHole(p.i) && p.ends(p.i+1, in):
		return p.reference()
	case p.buf[p.i] == '@':
		return p.ref(in)
	case strings.HasPrefix(p.buf[p.i:], "//") || strings.HasPrefix(p.buf[p.i:], "(//"):
		return p.code(XPath, in, false)
	}
	kind, op, n, err := p.kind()
	if err != nil {
		return nil, err
	}
	p.i += n
	return p.body(infoOf(kind), op, in, n > 0)
}

func (p *parser) foundEnd() string {
	if p.i < len(p.buf) && p.separates(p.i) {
		return ">>"
	}
	return p.found(p.i)
}

func (p *parser) body(x *kindInfo, op Op, in around, prefix bool) (part, error) {
	switch x.form {
	case codeForm:
		return p.code(x.kind, in, prefix)
	case roleForm:
		return p.role(in)
	case classForm:
		return p.class(in)
	case indexForm:
		return p.nth(in)
	case frameForm:
		return p.frame(in)
	case insideForm:
		return p.inside(x.kind, in)
	case listForm:
		return p.any(x.kind, in)
	case emptyForm, wordForm:
		return &barePart{x.kind}, p.noMore(x.usage(), in)
	}
	return p.text(x.kind, op, in)
}

func (p *parser) frame(in around) (part, error) {
	p.space()
	at := p.i
	if p.ends(p.i, in) {
		return nil, p.emptyBody(Frame)
	}
	if err := p.nest(at); err != nil {
		return nil, err
	}
	inner, err := p.part(in)
	if err != nil {
		return nil, err
	}
	p.depth--
	if _, ok := inner.(*framePart); ok {
		return nil, p.fail(at, "found frame:frame:, expected the selector of an iframe").
			WithHint("for a frame inside a frame write frame:#outer >> frame:#inner")
	}
	if isDocument(inner) {
		return nil, documentLater(p.fail(at, ""))
	}
	if kind := dependent(inner); kind != "" {
		return nil, alone(p.fail(at, ""), kind)
	}
	return &framePart{inner: inner, pos: p.pos(p.offs[at])}, nil
}

// open reads the "(" of a body and returns its index.
func (p *parser) open(kind Kind, in around) (int, error) {
	p.space()
	at := p.i
	if p.ends(p.i, in) {
		return at, p.emptyBody(kind)
	}
	if p.buf[p.i] != '(' {
		return at, p.fail(p.i, "found %s after `%s:`, expected (", p.found(p.i), kind).
			WithHint("put the selector in parentheses: %s:%s", kind, infoOf(kind).short)
	}
	p.i++
	return at, p.nest(at)
}

// shut reads the ")" of a body and checks that the part ends there. The argument "at" is the index
// of the "(".
func (p *parser) shut(kind Kind, at int, in around) error {
	if p.i == len(p.buf) || p.buf[p.i] != ')' {
		return p.fail(at, "found an unclosed (, expected ) at the end of the body").
			WithHint("close %s with \")\"; if the text contains an unmatched parenthesis, put the text in double quotes", kind)
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

// any reads selectors in parentheses, separated by "|".
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
		return nil, p.fail(p.i, "found one selector in `%s:`, expected several", kind).
			WithHint("separate selectors with | and a space on each side, as in %s:%s", kind, infoOf(kind).short)
	}
	return x, p.shut(kind, at, in)
}

// class reads names separated by dots. The value of a reference is one name, even if it contains
// dots.
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
