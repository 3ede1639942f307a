package expr

// The grammar of conditions, parsed by recursive descent, and its tree.
//
//	or       = and { "||" and }
//	and      = equality { "&&" equality }
//	equality = relation [ ( "==" | "!=" ) relation ]
//	relation = unary [ ( ">" | "<" | ">=" | "<=" | word ) unary ]
//	unary    = "!" unary | "(" or ")" | reference | literal
//
// Comparisons of the same level do not chain, because 1 < 2 < 3 would compare a boolean with a
// number, which nobody intends.

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/actionregistry/action/diag"
)

// A node is a part of a condition: *logic, *not, *comparison, *match, *literal
// or *Ref.
type node interface {
	write(b *strings.Builder)
}

type logic struct {
	or   bool // true for ||, false for &&
	x, y node
}

type not struct{ x node }

type comparison struct {
	op   op
	x, y node
}

// A match is a comparison by pattern.
type match struct {
	x, y node
	re   *regexp.Regexp // set if y is a literal
	pos  diag.Pos       // position of y
}

type literal struct{ v any }

type op uint8

const (
	opEqual op = iota
	opNotEqual
	opGreater
	opLess
	opGreaterEqual
	opLessEqual
	opContains
	opStartsWith
	opEndsWith
	opIn
	opMatches
)

var opNames = [...]string{
	opEqual: "==", opNotEqual: "!=", opGreater: ">", opLess: "<", opGreaterEqual: ">=", opLessEqual: "<=",
	opContains: "contains", opStartsWith: "startsWith", opEndsWith: "endsWith", opIn: "in", opMatches: "matches",
}

func (p *parser) or() node {
	x := p.and()
	for p.tok.kind == tokOr {
		p.next()
		x = &logic{or: true, x: x, y: p.and()}
	}
	return x
}

func (p *parser) and() node {
	x := p.equality()
	for p.tok.kind == tokAnd {
		p.next()
		x = &logic{x: x, y: p.equality()}
	}
	return x
}

func (p *parser) equality() node {
	x := p.relation()
	if p.tok.kind != tokEquality {
		return x
	}
	op := p.tok.op
	p.next()
	x = &comparison{op: op, x: x, y: p.relation()}
	if p.tok.kind == tokEquality {
		p.chain()
	}
	return x
}

func (p *parser) relation() node {
	x := p.unary()
	if p.tok.kind != tokRelation {
		return x
	}
	op := p.tok.op
	p.next()
	start := p.tok.start
	y := p.unary()
	if p.err != nil {
		return x
	}
	switch op {
	case opMatches:
		x = p.match(x, y, start)
	case opIn:
		if _, ok := y.(*literal); ok {
			p.fail(start, diag.DefinitionInvalid, "found a literal after the operator `in`, expected a reference to an array or an object").
				WithHint("to find a part of a text, write `TEXT contains PART`")
		}
		fallthrough
	default:
		x = &comparison{op: op, x: x, y: y}
	}
	if p.tok.kind == tokRelation {
		p.chain()
	}
	return x
}

func (p *parser) chain() {
	p.fail(p.tok.start, diag.DefinitionInvalid, "found a second comparison %s, expected &&, || or the end", p.text(p.tok)).
		WithHint("comparisons do not chain: join them with &&, as in ${a} > 1 && ${a} < 3")
}

func (p *parser) unary() node {
	switch t := p.tok; t.kind {
	case tokLiteral:
		p.next()
		return &literal{t.value}
	case tokRef:
		p.next()
		return t.ref
	case tokNot, tokLparen:
		return p.nested(t)
	}
	if p.tok.kind == tokEOF && strings.TrimSpace(p.src) == "" {
		p.fail(0, diag.DefinitionInvalid, "found an empty condition, expected a value").
			WithHint("write true for a condition that always holds, or omit the key")
	}
	p.unexpected("a value")
	return &literal{}
}

// nested reads "!x" or "(x)". It checks the depth of the source, because all recursion passes
// through it.
func (p *parser) nested(t token) node {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > p.lim.Depth {
		p.fail(t.start, diag.LimitExceeded, "found a condition nested too deeply, expected at most %d levels", p.lim.Depth).
			WithHint("remove parentheses, or split the condition across several steps")
		return &literal{}
	}
	p.next()
	if t.kind == tokNot {
		return &not{p.unary()}
	}
	x := p.or()
	if p.tok.kind != tokRparen {
		p.unexpected("an operator or )")
		return x
	}
	p.next()
	return x
}

// match builds "x matches y". It compiles a literal pattern.
func (p *parser) match(x, y node, start int) node {
	m := &match{x: x, y: y, pos: p.pos(start)}
	lit, ok := y.(*literal)
	if !ok {
		return m
	}
	pattern, ok := lit.v.(string)
	if !ok {
		p.fail(start, diag.DefinitionInvalid, "found %s after the operator `matches`, expected a pattern as a text", literalText(lit.v)).
			WithHint("quote the pattern: '^[0-9]+$'")
		return m
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		p.fail(start, diag.DefinitionInvalid, "found the pattern %s, expected RE2 syntax: %s", clip(pattern), patternReason(err)).
			WithHint("%s", patternHint(err)).Because(err)
	}
	m.re = re
	return m
}

// patternReason returns what is wrong with a pattern. It never shows the pattern, which may come
// from a secret.
func patternReason(err error) string {
	if e := (*syntax.Error)(nil); errors.As(err, &e) {
		return e.Code.String()
	}
	return "invalid pattern"
}

func patternHint(err error) string {
	if e := (*syntax.Error)(nil); errors.As(err, &e) {
		switch e.Code {
		case syntax.ErrInvalidPerlOp:
			return "RE2 has no look-around and no back-references: split the condition into several comparisons"
		case syntax.ErrMissingParen, syntax.ErrUnexpectedParen, syntax.ErrMissingBracket:
			return "write \\\\ before a literal bracket, or use the operator `contains` to search for plain text"
		}
	}
	return "correct the pattern, or use the operator `contains` to search for plain text"
}

// Precedence levels, for printing.
const (
	levelOr = iota
	levelAnd
	levelEquality
	levelRelation
	levelUnary
)

func level(n node) int {
	switch n := n.(type) {
	case *logic:
		if n.or {
			return levelOr
		}
		return levelAnd
	case *comparison:
		if n.op <= opNotEqual {
			return levelEquality
		}
		return levelRelation
	case *match:
		return levelRelation
	}
	return levelUnary
}

// writeAt prints n. It adds parentheses if the precedence of n is lower than least.
func writeAt(b *strings.Builder, n node, least int) {
	if level(n) >= least {
		n.write(b)
		return
	}
	b.WriteByte('(')
	n.write(b)
	b.WriteByte(')')
}

func (n *logic) write(b *strings.Builder) {
	own, op := levelAnd, " && "
	if n.or {
		own, op = levelOr, " || "
	}
	writeAt(b, n.x, own)
	b.WriteString(op)
	writeAt(b, n.y, own+1)
}

func (n *not) write(b *strings.Builder) {
	b.WriteByte('!')
	writeAt(b, n.x, levelUnary)
}

func (n *comparison) write(b *strings.Builder) {
	inner := level(n) + 1
	writeAt(b, n.x, inner)
	b.WriteByte(' ')
	b.WriteString(opNames[n.op])
	b.WriteByte(' ')
	writeAt(b, n.y, inner)
}

func (n *match) write(b *strings.Builder) {
	writeAt(b, n.x, levelUnary)
	b.WriteString(" matches ")
	writeAt(b, n.y, levelUnary)
}

func (n *literal) write(b *strings.Builder) { b.WriteString(literalText(n.v)) }

// A Condition is a parsed condition. It is immutable and safe for concurrent
// use.
type Condition struct {
	root node
	refs []*Ref
}

// ParseCondition parses src. The error is a [*diag.Error] with a position and a hint:
// DEFINITION_INVALID, LIMIT_EXCEEDED, or SECURITY_ERROR for a name such as __proto__.
func ParseCondition(src string, o Options) (*Condition, error) {
	p := newParser(src, &o)
	p.checkSource()
	p.next()
	root := p.or()
	if p.tok.kind != tokEOF {
		p.unexpected("an operator or the end of the condition")
	}
	if p.err != nil {
		return nil, p.err
	}
	return &Condition{root: root, refs: p.refs}, nil
}

// Refs returns the references of c in source order. The caller may change the slice, but not the
// paths in it.
func (c *Condition) Refs() []Ref { return copyRefs(c.refs) }

// String returns c in its canonical form. Parsing this form with the same locals gives an equal
// condition.
func (c *Condition) String() string {
	var b strings.Builder
	c.root.write(&b)
	return b.String()
}
