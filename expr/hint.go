package expr

// Hints for things that the language does not have.

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/actionregistry/action/diag"
)

// unexpected reports the current token.
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
		return "complete the condition, or remove the operator before its end"
	case tokLiteral:
		if strings.HasPrefix(text, "-") && t.start > 0 {
			return "there is no arithmetic: compute the value in an earlier step, or compare with a number"
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
		return "remove the ) or write a ( for it"
	case tokLparen:
		return "put an operator before the (; there are no function calls"
	}
	return "write a value on both sides of " + text
}

func symbolHint(s string) string {
	switch s {
	case "===", "!==":
		return "write " + s[:2] + "; it never converts"
	case "=":
		return "write == to compare; a condition cannot assign"
	case "&":
		return "write && for and"
	case "|":
		return "write || for or; a filter stands inside the braces: ${name | lower}"
	case "=>", "=<":
		return "write " + s[1:] + "="
	case "<>":
		return "write != for not equal"
	case "=~", "~=", "~":
		return "write matches to test a pattern: ${page.url} matches '^https:'"
	case "+", "-", "*", "/", "%", "^", "++", "--", "**":
		return "there is no arithmetic: compute the value in an earlier step, or compare with a number"
	case "?", "??":
		return "there is no ?: and no ??: use two steps, each with its own when"
	case "[":
		return "there are no array literals: compare with each value and join with ||, or use a param of type array"
	case "{", "}":
		return "there are no object literals; a reference is written ${params.name}"
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

// nameHint helps with a bare name.
func (p *parser) nameHint(t token) string {
	name := p.text(t)
	rest := strings.TrimLeft(p.src[t.end:], " \t\r\n")
	switch {
	case strings.HasPrefix(rest, "("):
		return "there are no function calls; the operators are " + operators
	case p.opts.Params[name]:
		return "write ${params." + name + "} for the param, or '" + name + "' for the text"
	case rootNamed(name) != 0:
		return "write ${" + p.dotted(t) + "}"
	}
	switch name {
	case "and":
		return "write && for and"
	case "or":
		return "write || for or; a filter stands inside the braces: ${name | lower}"
	case "not":
		return "write ! for not, as in !(${a} in ${b})"
	case "is", "equals", "eq":
		return "write == to compare"
	case "undefined", "nil", "None", "NULL":
		return "write null"
	case "True", "TRUE", "yes", "False", "FALSE", "no":
		return "write true or false, or quote it if it is a text: '" + name + "'"
	}
	for _, local := range p.opts.Locals {
		if name == local {
			return "write ${" + p.dotted(t) + "}"
		}
	}
	words := opNames[opContains:]
	if w := diag.Nearest(name, words); w != "" {
		return "did you mean " + w + "? Otherwise quote it: '" + clip(name) + "'"
	}
	return "quote it if it is a text: '" + clip(name) + "'"
}

// dotted is the name t with the path after it, if that is plain.
func (p *parser) dotted(t token) string {
	end := t.end
	for end < len(p.src) && (isNamePart(p.src[end]) || p.src[end] == '.') {
		end++
	}
	return clip(strings.TrimRight(p.src[t.start:end], "."))
}

// found names what is at off.
func (p *parser) found(off int) string {
	if off >= len(p.src) {
		return "the end"
	}
	_, n := utf8.DecodeRuneInString(p.src[off:])
	return p.src[off : off+n]
}

func (p *parser) unclosed(r *Ref) {
	if p.off == len(p.src) {
		p.fail(r.Start, diag.DefinitionInvalid, "found a reference that is not closed, expected } at its end").
			WithHint("write %s}", clip(strings.TrimSpace(p.src[r.Start:])))
		return
	}
	found, hint := p.found(p.off), "close the reference with } behind its path and filters: operators stand outside, in a condition"
	if isNameStart(p.peek(0)) {
		hint = "close the reference with }, or write a filter as in ${name | lower}"
	}
	if found == "(" {
		hint = "there are no function calls: a reference holds a path and filters, as in ${name | lower}"
	}
	p.fail(p.off, diag.DefinitionInvalid, "found %s in a reference, expected }", found).WithHint("%s", hint)
}

func (p *parser) noRoot(r *Ref) {
	roots := strings.Join(p.rootNames(), ", ")
	switch c := p.peek(0); {
	case c == '}':
		p.fail(r.Start, diag.DefinitionInvalid, "found an empty reference, expected a path").
			WithHint("begin it with one of: %s", roots)
	case p.off == len(p.src):
		p.fail(r.Start, diag.DefinitionInvalid, "found a reference that is not closed, expected a path and }").
			WithHint("write $${ where ${ is meant as text")
	default:
		p.fail(p.off, diag.DefinitionInvalid, "found %s in a reference, expected a path", p.found(p.off)).
			WithHint("begin it with one of: %s; write $${ where ${ is meant as text", roots)
	}
}

func (p *parser) badSegment(start int) {
	found, hint := p.found(p.off), `write .name, [0] or ["any key"]`
	switch {
	case p.src[start] == '.' && isDigit(p.peek(0)):
		hint = "write an index in brackets: [0]"
	case p.peek(0) == '-':
		hint = "an index counts from 0; there is none from the end"
	case p.src[start] == '[' && p.peek(0) == '$':
		hint = "a path is fixed: it cannot hold another reference"
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
	hint := "begin with one of: " + strings.Join(p.rootNames(), ", ") + "; or declare a param " + clip(name)
	if near := diag.Nearest(name, known); near != "" {
		hint = "did you mean " + near + "?"
	} else if name == "item" || name == "index" {
		hint = name + " exists only inside a block: move the step into the steps of a foreach or repeat"
	}
	p.fail(start, diag.DefinitionInvalid, "found the unknown root %s, expected a known one or a declared param", clip(name)).WithHint("%s", hint)
}
