package expr

// The lexer of conditions. scan.go reads the names, numbers and strings.

import (
	"strings"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokLiteral
	tokRef
	tokName  // a bare name, which is always an error; kept for a hint
	tokOther // not a token of the language; kept for a hint
	tokLparen
	tokRparen
	tokNot
	tokAnd
	tokOr
	tokEquality // == !=
	tokRelation // > < >= <= and the words
)

// next reads the next token into p.tok.
func (p *parser) next() {
	if p.err != nil {
		return
	}
	p.space()
	start := p.off
	p.tok = token{kind: tokEOF, start: start, end: start}
	if start == len(p.src) {
		return
	}
	t := token{start: start}
	switch c := p.src[start]; {
	case isNameStart(c):
		p.word(&t)
	case isDigit(c), c == '-' && isDigit(p.peek(1)):
		t.kind, t.value = tokLiteral, p.number()
	case c == '\'' || c == '"':
		t.kind = tokLiteral
		t.value = p.str("text")
	case c == '$' && p.peek(1) == '{':
		t.kind, t.ref = tokRef, p.ref()
	default:
		p.symbol(&t)
	}
	if p.err == nil {
		t.end = p.off
		p.tok = t
	}
}

func (p *parser) word(t *token) {
	switch w := p.name(); w {
	case "true":
		t.kind, t.value = tokLiteral, true
	case "false":
		t.kind, t.value = tokLiteral, false
	case "null":
		t.kind, t.value = tokLiteral, nil
	case "contains":
		t.kind, t.op = tokRelation, opContains
	case "startsWith":
		t.kind, t.op = tokRelation, opStartsWith
	case "endsWith":
		t.kind, t.op = tokRelation, opEndsWith
	case "matches":
		t.kind, t.op = tokRelation, opMatches
	case "in":
		t.kind, t.op = tokRelation, opIn
	default:
		t.kind = tokName
	}
}

// symbol reads an operator. It reads all operator characters that follow, so that the error for
// "===" shows all of it.
func (p *parser) symbol(t *token) {
	start := p.off
	_, size := utf8.DecodeRuneInString(p.src[start:])
	p.off += size
	switch p.src[start] {
	case '(':
		t.kind = tokLparen
		return
	case ')':
		t.kind = tokRparen
		return
	case '!':
		// "!!x" and "!(x)" are legal, so only an "=" may continue the operator.
		if p.peek(0) != '=' {
			t.kind = tokNot
			return
		}
	}
	for isOperator(p.src[start]) && p.off < len(p.src) && isOperator(p.src[p.off]) {
		if p.src[p.off] == '!' { // "a &&!b"
			break
		}
		p.off++
	}
	t.kind, t.op = operator(p.src[start:p.off])
}

func isOperator(c byte) bool { return strings.IndexByte("=!<>&|~?+*/%^", c) >= 0 }

func operator(s string) (tokenKind, op) {
	switch s {
	case "&&":
		return tokAnd, 0
	case "||":
		return tokOr, 0
	case "==":
		return tokEquality, opEqual
	case "!=":
		return tokEquality, opNotEqual
	case ">":
		return tokRelation, opGreater
	case "<":
		return tokRelation, opLess
	case ">=":
		return tokRelation, opGreaterEqual
	case "<=":
		return tokRelation, opLessEqual
	}
	return tokOther, 0
}
