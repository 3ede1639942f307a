// Package expr parses and evaluates the two small languages of a definition: conditions such as
//
//	${params.method} == 'text' && ${steps.found.count} > 0
//
// and templates, which are texts with references in them:
//
//	Hello ${params.name}!
//
// A reference may pass its value through filters: ${name | lower}. The set of filters is fixed. A
// source is parsed once, and references are nodes of its tree. Values are looked up during
// evaluation, so a value never becomes syntax.
//
// The languages have no function calls and no assignment. The package does not read the
// environment and does not know which steps, params and aliases exist: callers check the names
// that Refs returns. docs/expressions.md describes the languages, and a test runs its examples.
//
// Files, bottom to top: expr, json, scan, value, root, size, stamp, time, scope, filters, hint,
// date, pager, filter, ref, template, lex, parse, eval.
package expr

import (
	"strings"
	"unicode/utf8"

	"github.com/actionregistry/action/diag"
)

// Options configures parsing. The zero value allows only the fixed roots and uses the default
// limits.
type Options struct {
	// Params holds the names of the declared params. If Params[name] is true, ${name} is short
	// for ${params.name}. Nil means that there are none.
	Params map[string]bool
	// Locals holds the names of additional roots: "index" and "item", or the names given by the
	// enclosing foreach blocks.
	Locals []string
	// Pos maps a byte offset in the source, from 0 to its length, to a position in a file. It is
	// called only while parsing. Nil means that the source is the whole file.
	Pos func(offset int) diag.Pos
	// Limits bounds the work. Zero fields mean the defaults.
	Limits Limits
}

// Limits bounds the cost of a source. A zero field means its default.
type Limits struct {
	SourceBytes int // length of a condition, or of a template with references; default 4 KiB
	Depth       int // nesting of parentheses and negations, segments of a path, filters of a reference; default 50
	OutputBytes int // length of an interpolated text; default 1 MiB
}

func (l Limits) withDefaults() Limits {
	if l.SourceBytes <= 0 {
		l.SourceBytes = 4 << 10
	}
	if l.Depth <= 0 {
		l.Depth = 50
	}
	if l.OutputBytes <= 0 {
		l.OutputBytes = 1 << 20
	}
	return l
}

// A parser reads one source. After its first error, it acts as if the source had ended.
type parser struct {
	src   string
	opts  *Options
	lim   Limits
	off   int // offset at which the next token begins
	tok   token
	depth int
	refs  []*Ref
	err   error
}

func newParser(src string, o *Options) parser {
	return parser{src: src, opts: o, lim: o.Limits.withDefaults()}
}

// checkSource rejects a source that is too long or not UTF-8.
func (p *parser) checkSource() {
	if len(p.src) > p.lim.SourceBytes {
		p.fail(0, diag.LimitExceeded, "found an expression of %d bytes, expected at most %d", len(p.src), p.lim.SourceBytes).
			WithHint("split the expression: compute parts in earlier steps, or use several steps with `when`")
		return
	}
	if !utf8.ValidString(p.src) {
		p.fail(invalidUTF8(p.src), diag.DefinitionInvalid, "found a byte that is not UTF-8").
			WithHint("save the file as UTF-8")
	}
}

func invalidUTF8(s string) int {
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return i
			}
		}
	}
	return len(s)
}

func (p *parser) pos(off int) diag.Pos {
	if p.opts.Pos != nil {
		return p.opts.Pos(off)
	}
	before := p.src[:off]
	line := strings.LastIndexByte(before, '\n') + 1
	return diag.Pos{Line: 1 + strings.Count(before, "\n"), Column: 1 + off - line}
}

// fail records an error at off and ends parsing, unless there is an earlier error. The caller may
// set the hint of the result.
func (p *parser) fail(off int, code diag.Code, format string, args ...any) *diag.Error {
	e := diag.At(p.pos(off), code, format, args...)
	if p.err == nil {
		p.err = e
	}
	p.off = len(p.src)
	p.tok = token{kind: tokEOF, start: len(p.src), end: len(p.src)}
	return e
}
