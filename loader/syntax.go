package loader

// Errors for text that YAML, or a definition file, does not allow.

import (
	"strings"

	"github.com/goccy/go-yaml/token"

	"github.com/actionregistry/action/diag"
)

// syntaxError reports an error of the library, with its message and its position.
func (p *fileParser) syntaxError(err error) {
	msg, pos := "the YAML cannot be read", diag.Pos{File: p.name, Line: 1, Column: 1}
	if e, ok := err.(interface {
		GetMessage() string
		GetToken() *token.Token
	}); ok {
		msg = e.GetMessage()
		if tk := e.GetToken(); tk != nil {
			pos = p.tokenPos(tk)
		}
	}
	p.explain(msg, pos)
}

// explain reports a message of the library with a hint about what to do.
func (p *fileParser) explain(msg string, pos diag.Pos) {
	value := p.valueAt(pos)
	switch {
	case strings.Contains(msg, "reserved character"):
		p.errorf(pos, "found an unquoted value that starts with %s, expected a quoted one", firstRune(value)).WithHint("quote the value: %s", quoted(value))
	case strings.Contains(msg, "tag character"):
		if i := strings.LastIndexByte(p.lineText(pos.Line)[:min(pos.Column, len(p.lineText(pos.Line)))], '!'); i >= 0 {
			pos.Column = i + 1
		}
		p.tag(pos)
	case strings.HasPrefix(value, "\t"):
		p.errorf(pos, "found a tab, expected spaces").WithHint("indent with spaces")
	case strings.Contains(msg, "mapping value is not allowed"):
		p.errorf(pos, "found a second \": \" on this line, expected one").
			WithHint("quote a text that contains \": \", or correct the indentation")
	case strings.Contains(msg, "must be specified"):
		p.errorf(pos, "found invalid YAML: %s", msg).
			WithHint("inside { } and [ ] quote a text that contains a colon, a comma or a bracket")
	default:
		p.errorf(pos, "found invalid YAML: %s", strings.ToLower(strings.ToValidUTF8(msg[:min(len(msg), 120)], ""))).
			WithHint("check the indentation, and close all quotes and brackets")
	}
}

func (p *fileParser) tag(pos diag.Pos) {
	p.errorf(pos, "found a value that starts with !, which is a tag in YAML").WithHint("quote the value: %s", quoted(p.valueAt(pos)))
}

func (p *fileParser) tooDeep(pos diag.Pos) {
	for _, e := range p.problems {
		if strings.HasPrefix(e.Msg, "found nesting that is too deep") {
			return
		}
	}
	p.errorf(pos, "found nesting that is too deep, expected at most %d levels", maxDepth).WithHint("split the action, or call another action with a run step")
}

// valueAt returns the text that the author of the file probably meant as the value at pos.
func (p *fileParser) valueAt(pos diag.Pos) string {
	text := p.lineText(pos.Line)
	if pos.Column < 1 || pos.Column > len(text) {
		return ""
	}
	before, value := text[:pos.Column-1], text[pos.Column-1:]
	value, _, _ = strings.Cut(value, " #")
	if strings.ContainsAny(before, "{[") {
		value = value[:flowEnd(value)]
	}
	return strings.TrimRight(value, " ")
}

// flowEnd returns the length of the first value in a text from inside braces or brackets. The value
// ends at a comma or at the closing bracket.
func flowEnd(value string) int {
	depth := 0
	for i, r := range value {
		switch r {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ',':
			if depth == 0 {
				return i
			}
		}
		if depth < 0 {
			return i
		}
	}
	return len(value)
}

func firstRune(s string) string {
	for _, r := range s {
		return string(r)
	}
	return "this"
}
