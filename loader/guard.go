package loader

import (
	"strings"

	"github.com/goccy/go-yaml/token"

	"github.com/actionregistry/action/diag"
)

// maxLineBytes is the maximum length of a line.
const maxLineBytes = 64 << 10

// guardLines rejects lines that are too expensive for the lexer.
func (p *fileParser) guardLines() bool {
	n := 0
	for line := range strings.Lines(p.src) {
		if n++; len(line) > maxLineBytes {
			p.errorf(diag.Pos{File: p.name, Line: n, Column: 1}, "found a line of %d bytes, expected at most %d", len(line), maxLineBytes).
				WithHint("break the line into several")
			return false
		}
	}
	return true
}

// guard checks the tokens of a file before it is parsed. It reports constructs that are not allowed
// in definition files. It also reports files that would take the parser too long. If it returns
// false, the file must not be parsed.
func (p *fileParser) guard(tokens token.Tokens) bool {
	if tk := tokens.InvalidToken(); tk != nil {
		p.explain(tk.Error, p.tokenPos(tk))
		return false
	}
	if len(tokens) > maxTokens {
		p.errorf(p.tokenPos(tokens[maxTokens]), "found too many YAML tokens, expected at most %d in one file", maxTokens).
			WithHint("split the file: several files may add to one namespace")
		return false
	}
	headers, content := 0, false
	for _, tk := range tokens {
		switch tk.Type {
		case token.AnchorType, token.AliasType, token.MergeKeyType:
			p.sharing(tk)
		case token.MappingKeyType:
			p.errorf(p.tokenPos(tk), "found a key that starts with ?: such keys are not allowed").
				WithHint("write the key alone, or quote a text that starts with ?")
		case token.TagType:
			p.tag(p.tokenPos(tk))
		case token.DirectiveType:
			p.explain("reserved character", p.tokenPos(tk))
			return false
		case token.DocumentHeaderType:
			if headers++; headers > 1 || content {
				p.errorf(p.tokenPos(tk), "found a second document, expected one in a file").
					WithHint("move the second document to its own file")
				return false
			}
		case token.DocumentEndType:
			if next := tk.Next; next != nil && next.Type != token.CommentType && next.Position.Line == tk.Position.Line {
				p.errorf(p.tokenPos(tk), "found text after \"...\", which ends a document").WithHint("quote a text that starts with ...")
			}
		case token.CommentType:
		default:
			content = true
		}
	}
	// All forbidden tokens are reported at once. The file is then not parsed.
	if len(p.problems) > 0 {
		return false
	}
	return p.guardShape(tokens)
}

func (p *fileParser) sharing(tk *token.Token) {
	pos := p.tokenPos(tk)
	switch tk.Type {
	case token.AnchorType:
		p.errorf(pos, "found the anchor %s: anchors are not allowed", clip(p.valueAt(pos))).
			WithHint("to share selectors, use `selectors`; to share a namespace, use `extends`; quote a text that starts with &")
	case token.AliasType:
		p.errorf(pos, "found the alias %s: YAML aliases are not allowed", clip(p.valueAt(pos))).
			WithHint("to share selectors, use `selectors`; to share a namespace, use `extends`; quote a text that starts with *")
	default:
		p.errorf(pos, "found a merge key <<: merge keys are not allowed").
			WithHint("to share a whole namespace, use `extends`")
	}
}

// A level is one open collection.
type level struct {
	column  int // of a block collection
	flow    bool
	entries int
}

// guardShape rejects a file that is nested too deeply for the parser. It estimates the depth by
// brackets and columns.
func (p *fileParser) guardShape(tokens token.Tokens) bool {
	var open []level
	block := func(column int) {
		for len(open) > 0 && !open[len(open)-1].flow && open[len(open)-1].column > column {
			open = open[:len(open)-1]
		}
		if n := len(open); n == 0 || !open[n-1].flow && open[n-1].column < column {
			open = append(open, level{column: column})
		}
	}
	for i, tk := range tokens {
		switch tk.Type {
		case token.SequenceStartType, token.MappingStartType:
			open = append(open, level{flow: true})
		case token.SequenceEndType, token.MappingEndType:
			for n := len(open); n > 0; n = len(open) {
				last := open[n-1]
				open = open[:n-1]
				if last.flow {
					break
				}
			}
			continue
		case token.SequenceEntryType, token.MappingKeyType:
			block(tk.Position.Column)
		case token.MappingValueType:
			if i > 0 && tokens[i-1].Position.Line == tk.Position.Line {
				block(tokens[i-1].Position.Column)
			}
		case token.CollectEntryType:
		default:
			continue
		}
		if len(open) > maxDepth {
			p.tooDeep(p.tokenPos(tk))
			return false
		}
		if n := len(open); n > 0 && !(open[n-1].flow && tk.Type == token.MappingValueType) {
			if open[n-1].entries++; open[n-1].entries > maxEntries {
				p.errorf(p.tokenPos(tk), "found too many entries in one map or list, expected at most %d", maxEntries).
					WithHint("split the file: several files may add to one namespace")
				return false
			}
		}
	}
	return true
}
