package loader

// Reading of a definition file for its canonical form: where each scalar ends, what is in braces,
// and which entry each comment belongs to.

import (
	"slices"
	"strings"

	"github.com/actionregistry/action/spec"
)

// A piece is a node with the way in which the file writes it.
type piece struct {
	kind       spec.Kind
	name       string // for a scalar, its value
	start, end int    // in the source
	column     int    // column of the first entry of a block
	flow       bool
	text       []string // for a scalar, its lines as written
	block      bool     // the scalar is a block: text begins with its header
	entries    []formEntry
	foot       []string // comments after the last entry
	alone      bool     // a step with one key, which is written without braces as an item of a block list
}

// A formEntry is one entry of a map, or an item of a list.
type formEntry struct {
	head  []string // comments above it, "" for an empty line
	key   *piece   // nil in a list
	value *piece
	tail  string // the comment on its line
}

// readPieces reads a file as pieces, with its comments. root is the tree of the file.
func readPieces(name string, data []byte, root *spec.Node) (*formatter, *piece) {
	p := &fileParser{name: name}
	p.open(data)
	f := &formatter{fileParser: p}
	tree := f.piece(root, -1)
	f.comments()
	return f, tree
}

// texts returns the texts of the comments, sorted.
func (f *formatter) texts() []string {
	texts := make([]string, len(f.notes))
	for i := range f.notes {
		texts[i] = f.notes[i].text
	}
	slices.Sort(texts)
	return texts
}

// A formatter reads a file as pieces.
type formatter struct {
	*fileParser
	spans [][2]int // of the scalars, in order
	notes []note
}

// A note is a comment.
type note struct {
	start, end int
	own        bool // nothing else is on its line
	column     int
	text       string
	gap        bool // an empty line is above it
}

// piece returns the piece of a node. parent is the column of the enclosing block.
func (f *formatter) piece(n *spec.Node, parent int) *piece {
	at := f.offset(n.Pos)
	p := &piece{kind: n.Kind, start: at, end: at, column: n.Pos.Column - 1}
	switch n.Kind {
	case spec.Map, spec.List:
		p.flow = at < len(f.src) && (f.src[at] == '{' || f.src[at] == '[')
		for _, k := range n.Keys {
			key := f.scalar(f.offset(k.Pos), k.Name, parent)
			e := formEntry{key: key, value: f.piece(k.Value, k.Pos.Column-1)}
			p.entries, p.end = append(p.entries, e), max(key.end, e.value.end)
		}
		for _, item := range n.Items {
			e := formEntry{value: f.piece(item, p.column)}
			p.entries, p.end = append(p.entries, e), e.value.end
		}
		if p.flow {
			p.end = f.closing(p)
		}
		return p
	case spec.Null:
		for _, written := range []string{"null", "Null", "NULL", "~"} {
			if strings.HasPrefix(f.src[at:], written) {
				s := f.scalar(at, written, parent)
				s.kind = spec.Null
				return s
			}
		}
		return p // nothing is written
	}
	value := n.Str
	if n.Kind != spec.String {
		value = n.Raw
	}
	s := f.scalar(at, value, parent)
	s.kind = n.Kind
	return s
}

// closing returns the offset after the bracket that closes a collection.
func (f *formatter) closing(p *piece) int {
	at := max(p.end, p.start+1)
	for at < len(f.src) && f.src[at] != '}' && f.src[at] != ']' {
		if f.src[at] == '#' {
			for at < len(f.src) && f.src[at] != '\n' {
				at++
			}
			continue
		}
		at++
	}
	return min(at+1, len(f.src))
}

// scalar reads the scalar at an offset.
func (f *formatter) scalar(at int, value string, parent int) *piece {
	at = f.found(at, value)
	p := &piece{kind: spec.String, name: value, start: at}
	switch c := f.src[at]; {
	case c == '"' || c == '\'':
		p.end = quotedEnd(f.src, at)
	case (c == '|' || c == '>') && value != f.src[at:at+1]:
		p.block = true
		p.end = f.blockEnd(at, parent)
	default:
		p.end = f.plainEnd(at, value)
	}
	f.spans = append(f.spans, [2]int{p.start, p.end})
	lines := strings.Split(f.src[p.start:p.end], "\n")
	for i, line := range lines {
		switch {
		case p.block:
			line = strings.TrimRight(line, " \t")
		case i > 0:
			line = strings.Trim(line, " \t")
		default:
			line = strings.TrimRight(line, " \t")
		}
		p.text = append(p.text, line)
	}
	return p
}

// found returns the offset of a scalar with a value. The library's offset, at, may be too large if
// white space follows.
func (f *formatter) found(at int, value string) int {
	at = min(at, len(f.src)-1)
	begins := at == 0 || strings.IndexByte(" \t\n{[,", f.src[at-1]) >= 0
	if value == "" || strings.HasPrefix(f.src[at:], value) || begins && strings.IndexByte("\"'|>", f.src[at]) >= 0 {
		return at
	}
	line := strings.LastIndexByte(f.src[:at], '\n') + 1
	if i := strings.LastIndex(f.src[line:min(at+len(value), len(f.src))], value); i >= 0 {
		return line + i
	}
	return at
}

// quotedEnd returns the offset after the closing quote.
func quotedEnd(src string, at int) int {
	quote := src[at]
	for i := at + 1; i < len(src); i++ {
		switch {
		case quote == '"' && src[i] == '\\':
			i++
		case src[i] == quote && quote == '\'' && i+1 < len(src) && src[i+1] == quote:
			i++
		case src[i] == quote:
			return i + 1
		}
	}
	return len(src)
}

// blockEnd returns the end of a block scalar. Its lines are indented deeper than parent, the column
// of the enclosing block.
func (f *formatter) blockEnd(at, parent int) int {
	end := at
	for end < len(f.src) && f.src[end] != '\n' {
		end++
	}
	last := end
	for end < len(f.src) {
		next := strings.IndexByte(f.src[end+1:], '\n')
		if next < 0 {
			next = len(f.src) - end - 1
		}
		line := f.src[end+1 : end+1+next]
		if text := strings.TrimLeft(line, " "); text != "" {
			if len(line)-len(text) <= max(parent, -1) {
				break
			}
			last = end + 1 + next
		}
		end += 1 + next
		if end >= len(f.src) {
			break
		}
	}
	return last
}

// plainEnd returns the end of a plain scalar, which may extend over several lines.
func (f *formatter) plainEnd(at int, value string) int {
	if strings.HasPrefix(f.src[at:], value) {
		return at + len(value)
	}
	end := at
	for end < len(f.src) {
		next := strings.IndexByte(f.src[end:], '\n')
		if next < 0 {
			return len(strings.TrimRight(f.src, " \t"))
		}
		end += next
		text := f.src[at:end]
		for cut := len(text); cut > 0; cut-- { // in braces, something may follow it
			if foldPlain(text[:cut]) == value && !strings.HasSuffix(text[:cut], " ") {
				return at + cut
			}
			if text[cut-1] == '\n' {
				break
			}
		}
		end++
	}
	return len(f.src)
}

// comments finds the comments between the scalars.
func (f *formatter) comments() {
	slices.SortFunc(f.spans, func(a, b [2]int) int { return a[0] - b[0] })
	next, lineStart, own := 0, 0, true
	gap := false
	for i := 0; i < len(f.src); i++ {
		if next < len(f.spans) && i == f.spans[next][0] {
			if end := f.spans[next][1]; end > i {
				i, own = end-1, false
			}
			if nl := strings.LastIndexByte(f.src[:i+1], '\n'); nl >= lineStart {
				lineStart = nl + 1
			}
			next++
			continue
		}
		switch c := f.src[i]; {
		case c == '\n':
			gap = own && strings.TrimSpace(f.src[lineStart:i]) == ""
			lineStart, own = i+1, true
		case c == '#' && (i == lineStart || f.src[i-1] == ' ' || f.src[i-1] == '\t'):
			end := i + strings.IndexByte(f.src[i:]+"\n", '\n')
			f.notes = append(f.notes, note{start: i, end: end, own: own, column: i - lineStart, text: strings.TrimRight(f.src[i:end], " \t"), gap: own && gap})
			i = end - 1
			gap = false
		case c != ' ' && c != '\t':
			own = false
		}
	}
}

// upTo returns the next comments, up to the offset given by the argument "before". It stops at a
// comment to the left of column. It moves *at past the comments. For an empty line above a comment,
// the result has an empty text before the comment.
func (f *formatter) upTo(at *int, before, column int) []string {
	var out []string
	for *at < len(f.notes) && f.notes[*at].start < before && f.notes[*at].column >= column {
		n := f.notes[*at]
		if n.gap {
			out = append(out, "")
		}
		out = append(out, n.text)
		*at++
	}
	return out
}

// attach assigns the comments to the entries that they describe.
func (f *formatter) attach(p *piece, at *int, depth int) {
	for i := range p.entries {
		e := &p.entries[i]
		first := e.value
		if e.key != nil {
			first = e.key
		}
		e.head = f.upTo(at, first.start, 0)
		if f.emptyAbove(first.start) {
			e.head = append(e.head, "")
		}
		collection := e.value.kind == spec.Map || e.value.kind == spec.List
		if collection && !e.value.flow && e.key != nil {
			e.tail = f.onLine(at, e.key.end)
		}
		if collection {
			f.attach(e.value, at, depth+1)
		}
		if e.tail == "" {
			e.tail = f.onLine(at, max(first.end, e.value.end))
		}
	}
	if p.flow {
		p.foot = f.upTo(at, p.end, 0)
	} else if depth > 0 && len(p.entries) > 0 {
		next := len(f.src)
		p.foot = f.upTo(at, f.nextText(p.end, next), p.column)
	}
}

// emptyAbove reports whether the line above an offset is empty.
func (f *formatter) emptyAbove(at int) bool {
	start := strings.LastIndexByte(f.src[:at], '\n')
	if start < 0 || strings.Trim(f.src[start+1:at], " -") != "" {
		return false
	}
	above := f.src[strings.LastIndexByte(f.src[:start], '\n')+1 : start]
	return strings.TrimSpace(above) == ""
}

// onLine returns the comment that follows an offset on the same line, or "" if there is none. It
// moves *at past the comment.
func (f *formatter) onLine(at *int, end int) string {
	if *at >= len(f.notes) || f.notes[*at].own || f.notes[*at].start < end || strings.Contains(f.src[end:f.notes[*at].start], "\n") {
		return ""
	}
	*at++
	return f.notes[*at-1].text
}

// nextText returns the offset of the next text at or after an offset, ignoring comments. If there
// is none, it returns the argument "otherwise".
func (f *formatter) nextText(at, otherwise int) int {
	for _, s := range f.spans {
		if s[0] >= at {
			return s[0]
		}
	}
	return otherwise
}
