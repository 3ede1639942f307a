package loader

import (
	"strings"

	"github.com/goccy/go-yaml/token"
)

// glue joins tokens that the library's lexer has split by mistake. In {fallback: [css:body]}, for
// example, css:body is a text in YAML, but the lexer reads it as a map. The lexer makes this
// mistake only inside braces and brackets. If the text cannot be restored, glue reports an error.
// It also reports {a:b}, which YAML reads as a key without a value. It reports a bracket in a plain
// text; only in this case, it returns false.
func (p *fileParser) glue(tokens token.Tokens) (_ token.Tokens, ok bool) {
	out := tokens[:0]
	var open []token.Type
	maps := 0 // number of maps in open
	for i := 0; i < len(tokens); i++ {
		tk := tokens[i]
		switch tk.Type {
		case token.MappingStartType, token.SequenceStartType:
			if len(open) > 0 && isPlain(tk.Prev) {
				p.errorf(p.tokenPos(tk), "found %s in an unquoted text inside { } or [ ]", tk.Value).
					WithHint("quote the whole text")
				return nil, false
			}
			open = append(open, tk.Type)
			if tk.Type == token.MappingStartType {
				maps++
			}
		case token.MappingEndType, token.SequenceEndType:
			if n := len(open); n > 0 {
				if open[n-1] == token.MappingStartType {
					maps--
				}
				open = open[:n-1]
			}
		case token.MappingValueType:
			if maps == 0 || !isPlain(tk.Prev) || !isGlued(tk) {
				break
			}
			if whole := p.whole(tk, open[len(open)-1] == token.SequenceStartType); whole != nil {
				out[len(out)-1] = whole
				i++
				continue
			}
		default:
			if isPlain(tk) && strings.Contains(strings.Trim(tk.Origin, " \t\n"), "\t") {
				tk.Type = token.StringType // not a number or null without its tabs
			}
		}
		out = append(out, tk)
	}
	return out, true
}

// whole returns the text around a colon as one token. If the text is not valid, whole returns nil.
// The error is then reported here or by the caller.
func (p *fileParser) whole(colon *token.Token, inList bool) *token.Token {
	before, after := colon.Prev, colon.Next
	if !inList {
		p.errorf(p.tokenPos(before), "found %s: without a space after its colon", clip(before.Value)).
			WithHint("write a space after the colon, or quote the key if the colon is part of it")
		return nil
	}
	if isPlain(after) && after.Next != nil && (after.Next.Type == token.SequenceStartType || after.Next.Type == token.MappingStartType) {
		return nil // a bracket in a text, which is reported next
	}
	if !isPlain(after) || !endsEntry(after.Next) || strings.Contains(after.Value+" ", ": ") {
		p.errorf(p.tokenPos(before), "found %s: in a list inside braces, where a text with a colon needs quotes", clip(before.Value)).
			WithHint("quote the whole entry of the list")
		return nil
	}
	whole := token.String(before.Value+":"+after.Value, before.Origin+":"+after.Origin, before.Position)
	whole.Prev, whole.Next = before.Prev, after.Next
	before.Prev.Next, after.Next.Prev = whole, whole
	return whole
}

// isPlain reports whether tk is a text or a number without quotes.
func isPlain(tk *token.Token) bool {
	return tk != nil && tk.CharacterType == token.CharacterTypeMiscellaneous && tk.Indicator == token.NotIndicator &&
		tk.Type != token.CommentType && tk.Type != token.SpaceType
}

func endsEntry(tk *token.Token) bool {
	return tk != nil && (tk.Type == token.CollectEntryType || tk.Type == token.SequenceEndType)
}

// isGlued reports whether a colon is part of a text, because no white space follows it.
func isGlued(colon *token.Token) bool {
	next := colon.Next
	if next == nil || next.Origin == "" || strings.ContainsAny(next.Origin[:1], " \t\r\n") {
		return false
	}
	switch next.Type {
	case token.CollectEntryType, token.SequenceStartType, token.SequenceEndType, token.MappingStartType, token.MappingEndType:
		return false
	}
	return true
}
