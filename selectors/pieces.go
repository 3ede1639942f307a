package selectors

// Texts with holes. A hole is a reference in the source of a selector.

import (
	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
)

// A context says what text is around a hole. It determines how the value is escaped.
type context uint8

const (
	plain      context = iota // compared as data, not escaped
	integer                   // CSS or XPath outside strings and names
	cssString                 // inside a CSS string
	cssIdent                  // inside a CSS name
	cssStart                  // at the beginning of a CSS name
	xpathGroup                // an XPath string that has holes
)

// A piece is a text, a hole, or an XPath string with holes in it.
type piece struct {
	lit     string
	end     int // end of lit in the source if lit is an unchanged part of it; otherwise 0
	ref     *expr.Ref
	context context
	group   pieces // pieces of an xpathGroup
}

type pieces []piece

// text appends a text. It joins the text with a preceding one.
func (ps pieces) text(s string) pieces {
	if s == "" {
		return ps
	}
	if n := len(ps); n > 0 && ps[n-1].ref == nil && ps[n-1].group == nil {
		ps[n-1].lit += s
		ps[n-1].end = 0
		return ps
	}
	return append(ps, piece{lit: s})
}

// slice is like [pieces.text], but appends buf[from:to]. It avoids copying a text that directly
// follows the previous one.
func (ps pieces) slice(buf string, from, to int) pieces {
	if n := len(ps); n > 0 && ps[n-1].end == from && from > 0 {
		ps[n-1].lit, ps[n-1].end = buf[from-len(ps[n-1].lit):to], to
		return ps
	}
	before := len(ps)
	if ps = ps.text(buf[from:to]); len(ps) > before {
		ps[before].end = to
	}
	return ps
}

// literal returns the text of pieces. It returns false if they contain a hole.
func (ps pieces) literal() (string, bool) {
	switch {
	case len(ps) == 0:
		return "", true
	case len(ps) == 1 && ps[0].ref == nil && ps[0].group == nil:
		return ps[0].lit, true
	}
	return "", false
}

// pos returns the position of the first hole.
func (ps pieces) pos() diag.Pos {
	for i := range ps {
		if ps[i].ref != nil {
			return ps[i].ref.Pos
		}
		if ps[i].group != nil {
			return ps[i].group.pos()
		}
	}
	return diag.Pos{}
}
