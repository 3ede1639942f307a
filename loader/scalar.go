package loader

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// The library reports where a scalar starts and what its value is, but not where each byte of the
// value is in the source. An aligner finds that by walking the source and the value in parallel. If
// they disagree, it returns the marks so far: a nearby position is better than none, and no
// position is invented.

// flowMarks returns the marks of a plain or quoted scalar. A plain scalar on one line has none.
func (p *fileParser) flowMarks(n *ast.StringNode, pos diag.Pos) []spec.Mark {
	w := aligner{p: p, value: n.Value, at: p.offset(pos), line: pos.Line}
	switch n.Token.Type {
	case token.SingleQuoteType:
		w.style = '\''
	case token.DoubleQuoteType:
		w.style = '"'
	default:
		if strings.HasPrefix(p.src[w.at:], n.Value) && !strings.Contains(n.Value, "\n") {
			return nil
		}
	}
	if w.style != 0 {
		if w.at >= len(p.src) || p.src[w.at] != w.style {
			return nil
		}
		w.at++
		w.mark()
	}
	for w.done < len(w.value) && w.at < len(p.src) && w.next() {
	}
	return w.marks
}

// mendPlain corrects errors of the library in a plain scalar with several lines or tabs. It sets
// the value of n and returns the position of the scalar.
func (p *fileParser) mendPlain(n *ast.StringNode, pos diag.Pos) diag.Pos {
	source := strings.Trim(n.Token.Origin, " \t\n")
	if n.Token.Type == token.SingleQuoteType || n.Token.Type == token.DoubleQuoteType || !strings.ContainsAny(source, "\t\n") {
		return pos
	}
	n.Value = foldPlain(source)
	at := p.offset(pos)
	end := min(at+len(source), len(p.src))
	if i := strings.LastIndex(p.src[:end], source); i >= 0 && i < at && i+len(source) >= at {
		pos.Line -= strings.Count(p.src[i:at], "\n")
		pos.Column = i - p.lines[pos.Line-1].start + 1
	}
	return pos
}

// foldPlain joins the lines of a plain scalar. A line break becomes a space, and an empty line
// becomes a line break.
func foldPlain(source string) string {
	var text strings.Builder
	empty := -1 // lines since the last text, or -1 before the first
	for line := range strings.SplitSeq(source, "\n") {
		line = strings.Trim(line, " \t")
		if i := commentIn(line); i >= 0 {
			line = strings.TrimRight(line[:i], " \t")
		}
		switch {
		case line == "":
			empty++
			continue
		case empty > 0:
			text.WriteString(strings.Repeat("\n", empty))
		case empty == 0:
			text.WriteByte(' ')
		}
		text.WriteString(line)
		empty = 0
	}
	return text.String()
}

// commentIn returns the offset of the comment on a line of a plain scalar, or -1.
func commentIn(line string) int {
	for i := range len(line) {
		if line[i] == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t') {
			return i
		}
	}
	return -1
}

// An aligner walks the source of a flow scalar in parallel with its value.
type aligner struct {
	p     *fileParser
	style byte // the quote, or 0
	value string
	done  int // bytes of value found so far
	at    int // offset in the source
	line  int
	marks []spec.Mark
}

func (w *aligner) mark() {
	w.marks = append(w.marks, spec.Mark{Offset: w.done, Pos: diag.Pos{
		File: w.p.name, Line: w.line, Column: w.at - w.p.lines[w.line-1].start + 1,
	}})
}

// next consumes one unit of the source: a byte, an escape or a line break.
func (w *aligner) next() bool {
	src := w.p.src
	switch c := src[w.at]; {
	case c == '\n' || (c == ' ' || c == '\t') && strings.HasPrefix(strings.TrimLeft(src[w.at:w.p.lines[w.line-1].end]+"\n", " \t"), "\n"):
		return w.fold()
	case c == '\'' && w.style == '\'':
		if !strings.HasPrefix(src[w.at:], "''") || w.value[w.done] != '\'' {
			return false
		}
		w.at, w.done = w.at+2, w.done+1
		w.mark()
	case c == '\\' && w.style == '"':
		return w.escape()
	default:
		if w.value[w.done] != c {
			return false
		}
		w.at, w.done = w.at+1, w.done+1
	}
	return true
}

// fold consumes line breaks and the blanks around them. One break is a space in the value. Several
// breaks are one break less in the value.
func (w *aligner) fold() bool {
	breaks := w.breaks()
	if breaks == 1 {
		if w.value[w.done] != ' ' {
			return false
		}
		w.done++
	} else {
		for ; breaks > 1; breaks-- {
			if w.done >= len(w.value) || w.value[w.done] != '\n' {
				return false
			}
			w.done++
		}
	}
	w.mark()
	return true
}

func (w *aligner) breaks() int {
	n := 0
	for ; w.at < len(w.p.src); w.at++ {
		switch w.p.src[w.at] {
		case '\n':
			n++
			w.line++
		case ' ', '\t':
		default:
			return n
		}
	}
	return n
}

// simpleEscapes lists the escapes of one letter, each followed by its value.
const simpleEscapes = "0\x00a\ab\bt\t\t\tn\nv\vf\fr\re\x1b  \"\"//\\\\"

// escape consumes one escape of a double-quoted scalar.
func (w *aligner) escape() bool {
	rest := w.p.src[w.at:]
	if len(rest) < 2 {
		return false
	}
	size, text := 2, ""
	switch c := rest[1]; c {
	case '\n': // an escaped line break yields nothing
		w.at++
		for breaks := w.breaks(); breaks > 1 && w.done < len(w.value); breaks-- {
			w.done++
		}
		w.mark()
		return true
	case 'N', '_', 'L', 'P':
		text = map[byte]string{'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029"}[c]
	case 'x', 'u', 'U':
		size = 2 + map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
		text, size = unicodeEscape(rest, size)
	default:
		for i := 0; i+1 < len(simpleEscapes); i += 2 {
			if simpleEscapes[i] == c {
				text = simpleEscapes[i+1 : i+2]
			}
		}
	}
	if text == "" || !strings.HasPrefix(w.value[w.done:], text) {
		return false
	}
	w.at, w.done = w.at+size, w.done+len(text)
	w.mark()
	return true
}

// unicodeEscape reads \xXX, \uXXXX (with the second half of a surrogate pair) and
// \UXXXXXXXX.
func unicodeEscape(s string, size int) (string, int) {
	if len(s) < size {
		return "", 0
	}
	r, err := strconv.ParseUint(s[2:size], 16, 32)
	if err != nil {
		return "", 0
	}
	if r >= 0xd800 && r < 0xdc00 && len(s) >= size+6 && s[size:size+2] == `\u` {
		low, err := strconv.ParseUint(s[size+2:size+6], 16, 32)
		if err == nil && low >= 0xdc00 && low < 0xe000 {
			return string(rune((r-0xd800)<<10 + (low - 0xdc00) + 0x10000)), size + 6
		}
	}
	if r > utf8.MaxRune {
		return "", 0
	}
	return string(rune(r)), size
}

// blockMarks returns the marks of a literal or folded scalar whose header is at pos. It also
// returns its value, with the trailing blanks that the library has dropped.
func (p *fileParser) blockMarks(value string, pos diag.Pos) (string, []spec.Mark) {
	var marks []spec.Mark
	indent := p.blockIndent(value, pos.Line)
	done := 0
	for n := pos.Line + 1; n <= len(p.lines) && done < len(value); n++ {
		text := p.lineText(n)
		if strings.Trim(text, " ") == "" && len(text) <= indent {
			continue // its line break is consumed before the next text
		}
		if strings.Trim(text[:min(indent, len(text))], " ") != "" {
			break
		}
		text = text[indent:]
		for done < len(value) && value[done] == '\n' {
			done++
		}
		if done == len(value) {
			break
		}
		short := strings.TrimRight(text, " \t") // the library may have dropped the blanks
		if !strings.HasPrefix(value[done:], short) && strings.HasPrefix(value[done:], " "+short) {
			done++ // a folded line break
		}
		switch {
		case strings.HasPrefix(value[done:], text):
		case value[done:] == short:
			value += text[len(short):]
		case strings.HasPrefix(value[done:], short):
			text = short
		default:
			return value, marks
		}
		marks = append(marks, spec.Mark{Offset: done, Pos: diag.Pos{File: p.name, Line: n, Column: indent + 1}})
		done += len(text)
	}
	return value, marks
}

// blockIndent returns the indentation of a block scalar, in bytes. Blanks with which the value
// begins are not part of the indentation.
func (p *fileParser) blockIndent(value string, header int) int {
	value = strings.TrimLeft(value, "\n")
	inValue := len(value) - len(strings.TrimLeft(value, " "))
	for n := header + 1; n <= len(p.lines); n++ {
		text := p.lineText(n)
		if strings.Trim(text, " ") != "" {
			return max(len(text)-len(strings.TrimLeft(text, " "))-inValue, 0)
		}
	}
	return 0
}
