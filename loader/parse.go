package loader

import (
	"errors"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// Reading a file takes four passes, each of which may reject it:
//
//   1. text.go: size, encoding, characters.
//   2. The library's lexer, then glue.go and guard.go on its tokens: what the lexer reads
//      differently from YAML, what definition files may not contain, and shapes on which
//      the library's parser takes seconds.
//   3. The library's parser.
//   4. The walk in this file, which makes nodes with byte positions.
//
// The library's own error text is never used, because printing it takes quadratic time.

// ParseFile reads one YAML document. name is the file's name in positions. The node is nil if there
// are problems. ParseFile rejects hostile input in bounded time, and never panics.
func ParseFile(name string, data []byte) (*spec.Node, diag.List) {
	p := &fileParser{name: name}
	if !p.open(data) {
		return nil, p.problems
	}
	n := p.parse()
	if len(p.problems) > 0 {
		return nil, p.problems
	}
	return n, nil
}

// tokens runs the library's lexer. The lexer needs a final line break. If the file has none, tokens
// adds it, and removes it from the last token.
func (p *fileParser) tokens() token.Tokens {
	if strings.HasSuffix(p.src, "\n") {
		return lexer.Tokenize(p.src)
	}
	tokens := lexer.Tokenize(p.src + "\n")
	if n := len(tokens); n > 1 {
		last, header := tokens[n-1], tokens[n-2]
		if header.Type == token.CommentType && n > 2 {
			header = tokens[n-3]
		}
		if header.Type == token.LiteralType || header.Type == token.FoldedType {
			last.Value = strings.TrimSuffix(last.Value, "\n")
		}
	}
	return tokens
}

// parse runs the library and recovers from its panics, which some inputs are known to cause.
func (p *fileParser) parse() (root *spec.Node) {
	defer func() {
		if r := recover(); r != nil {
			root = nil
			p.errorf(diag.Pos{File: p.name, Line: 1, Column: 1}, "the YAML library failed on this file: %.80v", r).
				WithHint("check the file for unusual YAML: tags, anchors, keys with ?")
		}
	}()
	if !p.guardLines() {
		return nil
	}
	tokens, ok := p.glue(p.tokens())
	if !ok || !p.guard(tokens) {
		return nil
	}
	f, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		p.syntaxError(err)
		return nil
	}
	var body ast.Node
	for _, doc := range f.Docs {
		if doc.Body == nil {
			continue
		}
		if body != nil {
			p.errorf(p.tokenPos(doc.Body.GetToken()), "found a second document, expected one in a file").
				WithHint("move the second document to its own file")
			return nil
		}
		body = doc.Body
	}
	if body == nil {
		p.errorf(diag.Pos{File: p.name, Line: 1, Column: 1}, "the file is empty").
			WithHint("start with: namespace: NAME")
		return nil
	}
	return p.node(body, 1)
}

// node converts a node of the library. It reports a tree that is nested too deeply.
func (p *fileParser) node(n ast.Node, depth int) *spec.Node {
	if n == nil {
		return &spec.Node{Kind: spec.Null, Pos: diag.Pos{File: p.name, Line: 1, Column: 1}}
	}
	pos := p.tokenPos(n.GetToken())
	if depth > maxDepth {
		p.tooDeep(pos)
		return &spec.Node{Kind: spec.Null, Pos: pos}
	}
	switch n := n.(type) {
	case *ast.NullNode:
		p.lostComment(n.Token, pos)
		return &spec.Node{Kind: spec.Null, Pos: pos, Raw: "null"}
	case *ast.BoolNode:
		return &spec.Node{Kind: spec.Bool, Pos: pos, Bool: n.Value, Raw: n.Token.Value}
	case *ast.IntegerNode:
		return p.integer(n.Token, pos)
	case *ast.FloatNode:
		return p.float(n, pos)
	case *ast.StringNode:
		pos = p.mendPlain(n, pos)
		p.numberAsText(n, pos)
		return &spec.Node{Kind: spec.String, Pos: pos, Str: n.Value, Raw: n.Value, Marks: p.flowMarks(n, pos)}
	case *ast.LiteralNode:
		s := &spec.Node{Kind: spec.String, Pos: pos}
		if n.Value != nil {
			s.Str, s.Marks = p.blockMarks(n.Value.Value, pos)
			s.Raw = s.Str
		}
		return s
	case *ast.MappingNode:
		if !n.IsFlowStyle && len(n.Values) > 0 {
			pos = p.tokenPos(keyToken(n.Values[0]))
		}
		return p.mapping(n.Values, pos, depth)
	case *ast.MappingValueNode:
		return p.mapping([]*ast.MappingValueNode{n}, p.tokenPos(keyToken(n)), depth)
	case *ast.SequenceNode:
		list := &spec.Node{Kind: spec.List, Pos: pos, Items: make([]*spec.Node, len(n.Values))}
		for i, v := range n.Values {
			list.Items[i] = p.node(v, depth+1)
		}
		return list
	case *ast.InfinityNode, *ast.NanNode:
		p.errorf(pos, "found %s, expected a finite number", clip(n.GetToken().Value)).WithHint("quote the value if it is meant as text")
	default:
		p.errorf(pos, "found YAML that definition files must not contain (%s)", strings.ToLower(n.Type().String()))
	}
	return &spec.Node{Kind: spec.Null, Pos: pos}
}

func keyToken(v *ast.MappingValueNode) *token.Token {
	if k, ok := v.Key.(*ast.MappingKeyNode); ok && k.Value != nil {
		return k.Value.GetToken()
	}
	return v.Key.GetToken()
}

func (p *fileParser) mapping(values []*ast.MappingValueNode, pos diag.Pos, depth int) *spec.Node {
	m := &spec.Node{Kind: spec.Map, Pos: pos, Keys: make([]spec.Key, 0, len(values))}
	var seen map[string]diag.Pos // only for large maps; most have a few keys
	if len(values) > 16 {
		seen = make(map[string]diag.Pos, len(values))
	}
	for _, v := range values {
		k, ok := p.key(v)
		if !ok {
			continue
		}
		first, twice := diag.Pos{}, false
		if seen != nil {
			first, twice = seen[k.Name]
			if !twice {
				seen[k.Name] = k.Pos
			}
		} else {
			for i := range m.Keys {
				if m.Keys[i].Name == k.Name {
					first, twice = m.Keys[i].Pos, true
				}
			}
		}
		if twice {
			p.errorf(k.Pos, "the key %s is written twice", clip(k.Name)).
				WithNote(first, "first here").WithHint("remove one of the two keys")
			continue
		}
		k.Value = p.node(v.Value, depth+1)
		m.Keys = append(m.Keys, k)
	}
	return m
}

// key reads the key of a map. It reports a key that is not a string in YAML, such as 4.10 or true.
func (p *fileParser) key(v *ast.MappingValueNode) (spec.Key, bool) {
	var key ast.Node = v.Key
	if k, ok := key.(*ast.MappingKeyNode); ok {
		key = k.Value
	}
	tk := keyToken(v)
	pos := p.tokenPos(tk)
	switch k := key.(type) {
	case *ast.StringNode:
		pos = p.mendPlain(k, pos)
		return spec.Key{Name: k.Value, Pos: pos, Marks: p.flowMarks(k, pos)}, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode, *ast.InfinityNode, *ast.NanNode:
		p.errorf(pos, "found the key %s, which is not a string in YAML", tk.Value).WithHint("quote the key: %s", quoted(tk.Value))
	default:
		p.errorf(pos, "found a key that is not text").WithHint("write a name, in quotes if it contains special characters")
	}
	return spec.Key{}, false
}

// integer reads an integer. It reports every form that is not a plain decimal, such as 010, 0x10
// and 1_000.
func (p *fileParser) integer(tk *token.Token, pos diag.Pos) *spec.Node {
	n := &spec.Node{Kind: spec.Int, Pos: pos, Raw: tk.Value}
	digits := strings.TrimLeft(tk.Value, "+-")
	if strings.Trim(digits, "0123456789") != "" || len(digits) > 1 && digits[0] == '0' {
		p.errorf(pos, "found the ambiguous number %s, expected a decimal without leading zeros", clip(tk.Value)).
			WithHint("quote the value if it is meant as text: %s", quoted(tk.Value))
		return n
	}
	i, err := strconv.ParseInt(tk.Value, 10, 64)
	if err != nil {
		p.errorf(pos, "the number %s is too large", clip(tk.Value)).WithHint("quote the value if it is meant as text")
	}
	n.Int = i
	return n
}

// numberAsText reports a number that the library has read as text, such as 1e3 or 08.
func (p *fileParser) numberAsText(n *ast.StringNode, pos diag.Pos) {
	digits := strings.TrimLeft(n.Value, "+-.")
	if n.Token.Type != token.StringType || digits == "" || digits[0] < '0' || digits[0] > '9' {
		return
	}
	if _, err := strconv.ParseFloat(n.Value, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		p.errorf(pos, "found the ambiguous number %s, expected a decimal without leading zeros", clip(n.Value)).
			WithHint("quote the value if it is meant as text: %s", quoted(n.Value))
	}
}

func (p *fileParser) float(f *ast.FloatNode, pos diag.Pos) *spec.Node {
	raw := f.Token.Value
	v, err := strconv.ParseFloat(raw, 64)
	if err != nil || strings.Contains(raw, "_") {
		p.errorf(pos, "the number %s cannot be read", clip(raw)).WithHint("quote the value if it is meant as text: %s", quoted(raw))
	}
	return &spec.Node{Kind: spec.Float, Pos: pos, Float: v, Raw: raw}
}

// lostComment reports a value that YAML reads as a comment, as in `selector: #login`. It does not
// report a # that is followed by a space.
func (p *fileParser) lostComment(tk *token.Token, pos diag.Pos) {
	if tk == nil || tk.Type != token.ImplicitNullType || !pos.IsValid() || pos.Line > len(p.lines) {
		return
	}
	text := p.lineText(pos.Line)
	rest := text[min(pos.Column-1, len(text)):]
	value := strings.TrimLeft(strings.TrimPrefix(rest, ":"), " ")
	if len(value) < 2 || value[0] != '#' || strings.ContainsRune(" #!-=\t", rune(value[1])) {
		return
	}
	pos.Column = len(text) - len(value) + 1
	p.errorf(pos, "found %s, which is a comment in YAML, expected a value", clip(value)).
		WithHint("quote the value: %s", quoted(value))
}
