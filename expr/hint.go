package expr

// Hints for syntax that the language does not have.

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/actionregistry/action/diag"
)

// unexpected reports that the current token is not what the grammar expects.
func (p *parser) unexpected(expected string) {
	if p.err != nil {
		return
	}
	t := p.tok
	found, hint := p.describe(t), p.tokenHint(t)
	p.fail(t.start, diag.DefinitionInvalid, "found %s, expected %s", found, expected).WithHint("%s", hint)
}

func (p *parser) describe(t token) string {
	switch t.kind {
	case tokEOF:
		return "the end"
	case tokLiteral, tokRef:
		return clip(p.text(t))
	case tokName:
		return "the name " + clip(p.text(t))
	}
	return clip(p.text(t))
}

const operators = "==, !=, >, <, >=, <=, contains, startsWith, endsWith, matches, in, && and ||"

func (p *parser) tokenHint(t token) string {
	text := p.text(t)
	switch t.kind {
	case tokEOF:
		return "complete the condition, or remove its last operator"
	case tokLiteral:
		if strings.HasPrefix(text, "-") && t.start > 0 {
			return "arithmetic is not supported: compute the value in an earlier step, or compare with a number"
		}
		return "put an operator between two values: " + operators
	case tokRef:
		return "put an operator between two values: " + operators
	case tokName:
		return p.nameHint(t)
	case tokOther:
		if h := symbolHint(text); h != "" {
			return h
		}
		return "the operators are " + operators
	case tokRparen:
		return "remove the ), or add the missing ("
	case tokLparen:
		return "put an operator before the (; function calls are not supported"
	}
	return "write a value on both sides of " + text
}

func symbolHint(s string) string {
	switch s {
	case "===", "!==":
		return "write " + s[:2] + ", which never converts types"
	case "=":
		return "write == to compare; a condition cannot assign"
	case "&":
		return "write && for `and`"
	case "|":
		return "write || for `or`; write a filter inside the braces: ${name | lower}"
	case "=>", "=<":
		return "write " + s[1:] + "="
	case "<>":
		return "write != to test that two values differ"
	case "=~", "~=", "~":
		return "use the operator `matches` to test a pattern: ${page.url} matches '^https:'"
	case "+", "-", "*", "/", "%", "^", "++", "--", "**":
		return "arithmetic is not supported: compute the value in an earlier step, or compare with a number"
	case "?", "??":
		return "?: and ?? are not supported: use two steps, each with its own `when`"
	case "[":
		return "array literals are not supported: compare with each value and join the comparisons with ||, or use a param of type array"
	case "{", "}":
		return "object literals are not supported; write a reference as ${params.name}"
	case ".":
		return "put the whole path inside the braces: ${params.name.member}"
	case "$":
		return "write ${params.name} for a reference"
	case "`", "“", "”", "‘", "’", "„", "«", "»", "「", "」":
		return "quote a text with ' or \""
	case "@":
		return "quote a text: '@e1'"
	}
	return ""
}

// nameHint returns the hint for a bare name.
func (p *parser) nameHint(t token) string {
	name := p.text(t)
	rest := strings.TrimLeft(p.src[t.end:], " \t\r\n")
	switch {
	case strings.HasPrefix(rest, "("):
		return "function calls are not supported; the operators are " + operators
	case p.opts.Params[name]:
		return "write ${params." + name + "} for the param, or '" + name + "' for the text"
	case rootNamed(name) != 0:
		return "write ${" + p.dotted(t) + "}"
	}
	switch name {
	case "and":
		return "write && for `and`"
	case "or":
		return "write || for `or`; write a filter inside the braces: ${name | lower}"
	case "not":
		return "write ! for `not`, as in !(${a} in ${b})"
	case "is", "equals", "eq":
		return "write == to compare"
	case "undefined", "nil", "None", "NULL":
		return "write null"
	case "True", "TRUE", "yes", "False", "FALSE", "no":
		return "write true or false, or quote the name to use it as a text: '" + name + "'"
	}
	for _, local := range p.opts.Locals {
		if name == local {
			return "write ${" + p.dotted(t) + "}"
		}
	}
	words := opNames[opContains:]
	if w := diag.Nearest(name, words); w != "" {
		return "did you mean " + w + "? To use the name as a text, quote it: '" + clip(name) + "'"
	}
	return "to use the name as a text, quote it: '" + clip(name) + "'"
}

// dotted returns the name t with the path after it, if the path consists of plain names.
func (p *parser) dotted(t token) string {
	end := t.end
	for end < len(p.src) && (isNamePart(p.src[end]) || p.src[end] == '.') {
		end++
	}
	return clip(strings.TrimRight(p.src[t.start:end], "."))
}

// found describes the source at off.
func (p *parser) found(off int) string {
	if off >= len(p.src) {
		return "the end"
	}
	_, n := utf8.DecodeRuneInString(p.src[off:])
	return p.src[off : off+n]
}

func (p *parser) unclosed(r *Ref) {
	if p.off == len(p.src) {
		p.fail(r.Start, diag.DefinitionInvalid, "found an unclosed reference, expected } at its end").
			WithHint("write %s}", clip(strings.TrimSpace(p.src[r.Start:])))
		return
	}
	found, hint := p.found(p.off), "close the reference with } after its path and filters; operators belong outside, in a condition"
	if isNameStart(p.peek(0)) {
		hint = "close the reference with }, or write a filter as in ${name | lower}"
	}
	if found == "(" {
		hint = "function calls are not supported: a reference is a path with filters, as in ${name | lower}"
	}
	p.fail(p.off, diag.DefinitionInvalid, "found %s in a reference, expected }", found).WithHint("%s", hint)
}

func (p *parser) noRoot(r *Ref) {
	roots := strings.Join(p.rootNames(), ", ")
	switch c := p.peek(0); {
	case c == '}':
		p.fail(r.Start, diag.DefinitionInvalid, "found an empty reference, expected a path").
			WithHint("begin the path with one of: %s", roots)
	case p.off == len(p.src):
		p.fail(r.Start, diag.DefinitionInvalid, "found an unclosed reference, expected a path and }").
			WithHint("write $${ to use ${ as text")
	default:
		p.fail(p.off, diag.DefinitionInvalid, "found %s in a reference, expected a path", p.found(p.off)).
			WithHint("begin the path with one of: %s; write $${ to use ${ as text", roots)
	}
}

func (p *parser) badSegment(start int) {
	found, hint := p.found(p.off), `write .name, [0] or ["any key"]`
	switch {
	case p.src[start] == '.' && isDigit(p.peek(0)):
		hint = "write an index in brackets: [0]"
	case p.peek(0) == '-':
		hint = "an index counts from 0 and cannot be negative"
	case p.src[start] == '[' && p.peek(0) == '$':
		hint = "a path is fixed: it cannot contain another reference"
	case p.src[start] == '[' && isNameStart(p.peek(0)):
		at := p.off
		name := p.name()
		p.off = at
		hint = `quote the key: ["` + clip(name) + `"]`
	}
	p.fail(p.off, diag.DefinitionInvalid, "found %s after %c, expected a member", found, p.src[start]).WithHint("%s", hint)
}

func (p *parser) rootNames() []string { return append(Roots(), p.opts.Locals...) }

func (p *parser) unknownRoot(start int, name string) {
	known := p.rootNames()
	known = append(known, slices.Sorted(maps.Keys(p.opts.Params))...)
	hint := "begin the path with one of: " + strings.Join(p.rootNames(), ", ") + "; or declare a param " + clip(name)
	if near := diag.Nearest(name, known); near != "" {
		hint = "did you mean " + near + "?"
	} else if name == "item" || name == "index" {
		hint = name + " exists only inside a block: move the step into the steps of a foreach or repeat"
	}
	p.fail(start, diag.DefinitionInvalid, "found the unknown root %s of a path, expected a known root or a declared param", clip(name)).WithHint("%s", hint)
}
