package loader

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/token"

	"github.com/actionregistry/action/diag"
)

// The limits of a definition file.
const (
	MaxFileBytes = 256 << 10
	maxDepth     = 64

	// The library takes quadratic time for these.
	maxEmptyLines = 200 // in a block scalar
	maxTokens     = 65536
	maxEntries    = 2000 // of a map
)

// A line is the position of a line in the text. ascii is set if the line contains only ASCII.
type line struct {
	start, end int // end is before the line break
	ascii      bool
}

// trimText removes a byte order mark.
func trimText(data []byte) []byte {
	return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
}

// open checks a file's bytes and splits its lines.
func (p *fileParser) open(data []byte) bool {
	if len(data) > MaxFileBytes {
		p.problems.Add(tooLarge(p.name))
		return false
	}
	data = trimText(data)
	if bytes.IndexByte(data, '\r') >= 0 {
		// This shortens only the line break, so every column stays correct.
		data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	}
	p.src = string(data)
	p.split()
	return p.checkCharacters() && p.checkEmptyLines()
}

func tooLarge(name string) *diag.Error {
	return diag.At(diag.Pos{File: name}, diag.DefinitionInvalid,
		"the file is too large, expected at most %d KiB", MaxFileBytes>>10).
		WithHint("split the file: several files may add to one namespace")
}

func (p *fileParser) split() {
	p.lines = make([]line, 0, strings.Count(p.src, "\n")+1)
	for start := 0; start <= len(p.src); {
		end := len(p.src)
		if i := strings.IndexByte(p.src[start:], '\n'); i >= 0 {
			end = start + i
		}
		ascii := true
		for i := start; i < end && ascii; i++ {
			ascii = p.src[i] < utf8.RuneSelf
		}
		p.lines = append(p.lines, line{start, end, ascii})
		start = end + 1
	}
}

// checkCharacters rejects bytes that are not UTF-8, and control characters.
func (p *fileParser) checkCharacters() bool {
	for i, l := range p.lines {
		text := p.src[l.start:l.end]
		for j := 0; j < len(text); {
			r, size := rune(text[j]), 1
			if r >= utf8.RuneSelf {
				r, size = utf8.DecodeRuneInString(text[j:])
			}
			pos := diag.Pos{File: p.name, Line: i + 1, Column: j + 1}
			switch {
			case r == utf8.RuneError && size == 1:
				p.errorf(pos, "found the byte 0x%02x, expected UTF-8", text[j]).WithHint("save the file as UTF-8")
				return false
			case r < 0x20 && r != '\t' || r >= 0x7f && r < 0xa0 && r != 0x85 || r == 0xfeff || r == 0x2028 || r == 0x2029:
				p.errorf(pos, "found the control character U+%04X", r).
					WithHint("remove the character; in a quoted string write it as an escape: \"\\u%04x\"", r)
				return false
			}
			j += size
		}
	}
	return true
}

func (p *fileParser) checkEmptyLines() bool {
	run := 0
	for i, l := range p.lines {
		if run++; strings.Trim(p.src[l.start:l.end], " \t") != "" {
			run = 0
		}
		if run > maxEmptyLines {
			p.errorf(diag.Pos{File: p.name, Line: i + 1, Column: 1}, "found too many empty lines in a row, expected at most %d", maxEmptyLines).
				WithHint("remove some of the empty lines")
			return false
		}
	}
	return true
}

func (p *fileParser) lineText(n int) string {
	if n < 1 || n > len(p.lines) {
		return ""
	}
	return p.src[p.lines[n-1].start:p.lines[n-1].end]
}

// tokenPos returns the position of a token. Its column counts bytes; the library counts characters.
func (p *fileParser) tokenPos(tk *token.Token) diag.Pos {
	if tk == nil || tk.Position == nil {
		return diag.Pos{File: p.name, Line: 1, Column: 1}
	}
	n := min(max(tk.Position.Line, 1), len(p.lines))
	return diag.Pos{File: p.name, Line: n, Column: p.column(n, max(tk.Position.Column, 1))}
}

// column converts a column of characters on line n to a column of bytes.
func (p *fileParser) column(n, column int) int {
	l := p.lines[n-1]
	if l.ascii {
		return min(column, l.end-l.start+1)
	}
	text := p.src[l.start:l.end]
	runes, at := 0, 0
	if p.lastLine == n && p.lastRune <= column-1 {
		runes, at = p.lastRune, p.lastByte
	}
	for runes < column-1 && at < len(text) {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
		runes++
	}
	p.lastLine, p.lastRune, p.lastByte = n, runes, at
	return at + 1
}

// offset returns the offset of pos in the text.
func (p *fileParser) offset(pos diag.Pos) int {
	return min(p.lines[pos.Line-1].start+pos.Column-1, len(p.src))
}

// A fileParser holds the state of reading one file.
type fileParser struct {
	name     string
	src      string // the text that is parsed: no byte order mark, LF only
	lines    []line
	problems diag.List

	// The last line and column that the method column has converted, to continue from there.
	lastLine, lastRune, lastByte int
}

// errorf reports a problem with a general hint. The caller may replace the hint.
func (p *fileParser) errorf(pos diag.Pos, format string, args ...any) *diag.Error {
	e := diag.At(pos, diag.DefinitionInvalid, format, args...).WithHint("correct the YAML here; see docs/definitions.md")
	p.problems.Add(e)
	return e
}

func clipText(s string) string { return diag.Clip(s, 60) }

// clip quotes a text for a message.
func clip(s string) string { return fmt.Sprintf("%q", clipText(s)) }

// quoted returns a text as a YAML string, in the quotes that require no escapes.
func quoted(s string) string {
	s = clipText(s)
	if strings.ContainsAny(s, `"\`) {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	return `"` + s + `"`
}
