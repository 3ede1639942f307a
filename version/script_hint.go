package version

// Hints for JavaScript syntax that version scripts do not support.

import (
	"strings"
	"unicode/utf8"

	"github.com/actionregistry/action/diag"
)

const onlyPaths = "a version script only reads members: antd.version, window.antd && antd.version, Vue?.version"

// reserved maps words that begin unsupported expressions to their hints.
var reserved = map[string]string{
	"this":      "write window for the global object",
	"typeof":    "omit typeof: a missing name is not an error here",
	"undefined": onlyPaths, "null": onlyPaths, "true": onlyPaths, "false": onlyPaths,
	"new": onlyPaths, "function": onlyPaths, "return": "omit return: the script is one expression",
	"await": onlyPaths, "async": onlyPaths, "void": onlyPaths, "delete": onlyPaths, "class": onlyPaths,
	"var": onlyPaths, "let": onlyPaths, "const": onlyPaths, "import": onlyPaths, "if": onlyPaths,
	"super": onlyPaths, "yield": onlyPaths, "throw": onlyPaths, "in": onlyPaths, "instanceof": onlyPaths,
}

// unexpected reports a syntax error at the current offset.
func (p *scriptParser) unexpected(expected string) {
	if p.err != nil {
		return
	}
	p.space()
	found, hint := "the end", "complete the script, or remove the operator before its end"
	if rest := p.src[p.off:]; rest != "" {
		found, hint = p.found(), scriptHint(rest)
		if h := reserved[found]; h != "" {
			hint = h
		}
	} else if strings.TrimSpace(p.src) == "" {
		hint = "name the member that holds the version, such as antd.version"
	}
	p.fail(p.off, diag.DefinitionInvalid, "found %s, expected %s", found, expected).WithHint("%s", hint)
}

// found describes the source at the current offset: a name, or one character.
func (p *scriptParser) found() string {
	at := p.off
	name := p.identifier()
	p.off = at
	if name != "" {
		return strings.Trim(show(name), `"`)
	}
	_, n := utf8.DecodeRuneInString(p.src[at:])
	return strings.ToValidUTF8(p.src[at:at+n], "\ufffd")
}

func scriptHint(rest string) string {
	switch c := rest[0]; {
	case c == '(':
		return "a version script cannot call functions: use version_selector or version_meta instead"
	case strings.HasPrefix(rest, "??"):
		return "write || for a fallback"
	case c == ';':
		return "remove the ;: the script is one expression"
	case c == '&':
		return "write && for and"
	case c == '|':
		return "write || for or"
	case c == '=':
		return "a version script can neither assign nor compare; bounds and patterns belong in compatibility"
	case c == '!':
		return "remove the !: the script returns the version, not a boolean"
	case isDigit(c):
		return "quote the key: [\"0\"]"
	}
	return onlyPaths
}
