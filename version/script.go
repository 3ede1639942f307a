package version

// Version scripts: member paths in the page's own world.
//
//	or     = and { "||" and }
//	and    = member { "&&" member }
//	member = "(" or ")" | name { [ "?" ] "." name | [ "?." ] "[" string "]" }
//
// The page never receives a script as source. The page side walks its tree by reading properties,
// so a script cannot call, assign or construct.

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/actionregistry/action/diag"
)

// Limits of a script.
const (
	maxScriptBytes = 4 << 10
	maxScriptDepth = 50
)

// A Script is a parsed version_script. It is immutable and safe for concurrent
// use.
type Script struct {
	root scriptNode
}

// A scriptNode is a *branch or a *path.
type scriptNode interface {
	tree() map[string]any
	write(b *strings.Builder, inAnd bool)
}

type branch struct {
	op   string // "or", "and"
	a, b scriptNode
}

type path struct {
	root string
	keys []string
}

// ParseScript parses a script such as
//
//	window.antd && antd.version || Vue?.["version"]
//
// The error is a DEFINITION_INVALID, a LIMIT_EXCEEDED, or, for a member such as __proto__, a
// SECURITY_ERROR. The function pos maps a byte offset in src to its position in the file; nil means
// that src is line 1.
func ParseScript(src string, pos func(offset int) diag.Pos) (*Script, error) {
	p := &scriptParser{src: src, pos: pos}
	if len(src) > maxScriptBytes {
		p.fail(0, diag.LimitExceeded, "found a version script of %d bytes, expected at most %d", len(src), maxScriptBytes).
			WithHint("write only a path to a member, such as antd.version")
		return nil, p.err
	}
	if !utf8.ValidString(src) {
		p.fail(0, diag.DefinitionInvalid, "found a version script that is not UTF-8, expected UTF-8").
			WithHint("save the file as UTF-8")
		return nil, p.err
	}
	root := p.or()
	if p.off < len(src) {
		p.unexpected("&&, ||, a member or the end")
	}
	if p.err != nil {
		return nil, p.err
	}
	return &Script{root}, nil
}

// Tree returns the script as data for the page side, made of maps, slices and strings:
//
//	{"op": "or", "a": TREE, "b": TREE}
//	{"op": "and", "a": TREE, "b": TREE}
//	{"op": "path", "root": "antd", "keys": ["version"]}
//
// The operators "or" and "and" are || and && of JavaScript. A path begins at a property of the
// global object: its root. Both "." and "?." yield undefined for a member of undefined or null. The
// caller owns the tree.
func (s *Script) Tree() any { return s.root.tree() }

// String returns the script in its canonical form. Parsing that form gives the same tree.
func (s *Script) String() string {
	var b strings.Builder
	s.root.write(&b, false)
	return b.String()
}

func (n *branch) tree() map[string]any {
	return map[string]any{"op": n.op, "a": n.a.tree(), "b": n.b.tree()}
}

func (n *path) tree() map[string]any {
	keys := make([]any, len(n.keys))
	for i, k := range n.keys {
		keys[i] = k
	}
	return map[string]any{"op": "path", "root": n.root, "keys": keys}
}

func (n *branch) write(b *strings.Builder, inAnd bool) {
	parens := inAnd && n.op == "or"
	if parens {
		b.WriteByte('(')
	}
	n.a.write(b, n.op == "and")
	if n.op == "and" {
		b.WriteString(" && ")
	} else {
		b.WriteString(" || ")
	}
	writeRight(b, n)
	if parens {
		b.WriteByte(')')
	}
}

// writeRight prints n.b. If n.b has the same operator as n, it prints parentheses.
func writeRight(b *strings.Builder, n *branch) {
	if right, ok := n.b.(*branch); ok && right.op == n.op {
		b.WriteByte('(')
		right.write(b, false)
		b.WriteByte(')')
		return
	}
	n.b.write(b, n.op == "and")
}

func (n *path) write(b *strings.Builder, _ bool) {
	b.WriteString(n.root)
	for _, k := range n.keys {
		if isIdentifier(k) {
			b.WriteString("." + k)
			continue
		}
		b.WriteString(`["`)
		b.WriteString(strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(k))
		b.WriteString(`"]`)
	}
}

// A scriptParser parses a script. After an error, it acts as if the source had ended.
type scriptParser struct {
	src   string
	pos   func(offset int) diag.Pos
	off   int
	depth int
	err   error
}

func (p *scriptParser) fail(off int, code diag.Code, format string, args ...any) *diag.Error {
	e := diag.At(position(p.pos, off), code, format, args...)
	if p.err == nil {
		p.err = e
	}
	p.off = len(p.src)
	return e
}

func (p *scriptParser) space() {
	for p.off < len(p.src) && strings.IndexByte(" \t\r\n", p.src[p.off]) >= 0 {
		p.off++
	}
}

// take skips white space. If s comes next, take consumes it and returns true.
func (p *scriptParser) take(s string) bool {
	p.space()
	if !strings.HasPrefix(p.src[p.off:], s) {
		return false
	}
	p.off += len(s)
	return true
}

func (p *scriptParser) or() scriptNode {
	x := p.and()
	for p.take("||") {
		x = &branch{"or", x, p.and()}
	}
	return x
}

func (p *scriptParser) and() scriptNode {
	x := p.member()
	for p.take("&&") {
		x = &branch{"and", x, p.member()}
	}
	return x
}

func (p *scriptParser) member() scriptNode {
	if !p.take("(") {
		return p.path()
	}
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxScriptDepth {
		p.fail(p.off-1, diag.LimitExceeded, "found a version script nested too deeply, expected at most %d levels", maxScriptDepth).
			WithHint("remove some of the parentheses")
		return &path{}
	}
	x := p.or()
	if !p.take(")") {
		p.unexpected("&&, || or )")
	}
	return x
}

func (p *scriptParser) path() *path {
	start := p.off
	n := &path{root: p.identifier()}
	if n.root == "" || reserved[n.root] != "" {
		p.off = start
		p.unexpected("a name such as antd")
		return n
	}
	p.guard(start, n.root)
	for p.err == nil {
		switch {
		case p.take("?.["), p.take("["):
			n.keys = append(n.keys, p.quotedKey())
		case p.take("?."), p.take("."):
			p.space()
			at := p.off
			key := p.identifier()
			if key == "" {
				p.unexpected("the name of a member")
			}
			p.guard(at, key)
			n.keys = append(n.keys, key)
		default:
			return n
		}
	}
	return n
}

// quotedKey reads what follows "[": a quoted string and "]".
func (p *scriptParser) quotedKey() string {
	p.space()
	start := p.off
	if p.off == len(p.src) || p.src[p.off] != '"' && p.src[p.off] != '\'' {
		p.unexpected(`a quoted key such as ["version"]`)
		return ""
	}
	quote := p.src[p.off]
	var key strings.Builder
	for p.off++; p.off < len(p.src) && p.src[p.off] != quote; p.off++ {
		if p.src[p.off] == '\\' {
			p.off++
			if p.off == len(p.src) || strings.IndexByte(`\"'`, p.src[p.off]) < 0 {
				p.fail(p.off-1, diag.DefinitionInvalid, `found an unknown escape in a key, expected \\ \" or \'`).
					WithHint(`write \\ for a backslash; other characters need no escape`)
				return ""
			}
		}
		key.WriteByte(p.src[p.off])
	}
	if p.off == len(p.src) {
		p.fail(start, diag.DefinitionInvalid, "found an unclosed key, expected %c at its end", quote).
			WithHint("close the key with %c]", quote)
		return ""
	}
	p.off++
	p.guard(start, key.String())
	if p.err == nil && !p.take("]") {
		p.unexpected("]")
	}
	return key.String()
}

func (p *scriptParser) guard(off int, name string) {
	switch name {
	case "__proto__", "constructor", "prototype":
		p.fail(off, diag.SecurityError, "found %s in a path, expected another member", name).
			WithHint("read the version from another member: __proto__, constructor and prototype are not allowed")
	}
}

// identifier reads a JavaScript name. It returns "" if there is none.
func (p *scriptParser) identifier() string {
	rest := p.src[p.off:]
	for i, r := range rest {
		if !isIdentifierRune(r, i > 0) {
			rest = rest[:i]
			break
		}
	}
	p.off += len(rest)
	return rest
}

func isIdentifierRune(r rune, later bool) bool {
	return r == '$' || r == '_' || r != utf8.RuneError && unicode.IsLetter(r) || later && unicode.IsDigit(r)
}

func isIdentifier(s string) bool {
	for i, r := range s {
		if !isIdentifierRune(r, i > 0) {
			return false
		}
	}
	return s != ""
}

const onlyPaths = "a version script only reads members: antd.version, window.antd && antd.version, Vue?.version"

// reserved maps JavaScript words that a script must not contain to the hints for their errors.
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
	found, hint := "the end", "complete the script, or remove its last operator"
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
		return "a version script cannot assign or compare: write the bounds of versions under compatibility"
	case c == '!':
		return "remove the !: the script returns the version, not a boolean"
	case isDigit(c):
		return "quote the key: [\"0\"]"
	}
	return onlyPaths
}
