package diag

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Printer writes errors for a person. The zero value prints without colour,
// without source lines and with paths as they are.
type Printer struct {
	// Color switches on ANSI colours.
	Color bool
	// Shorten, when set, shortens the name of a file for display.
	Shorten func(file string) string
	// Source returns the text of a file for an excerpt, or nil. It must return the same
	// text that was parsed.
	Source func(file string) []byte
}

// Print writes err. If err is a [List], it writes every entry, sorted. It returns the first write
// error.
func (p Printer) Print(w io.Writer, err error) error {
	var buf bytes.Buffer
	var list List
	switch e := As(err); {
	case errors.As(err, &list):
		for _, e := range list.Sorted() {
			p.one(&buf, e)
		}
	case e != nil:
		p.one(&buf, e)
	default:
		fmt.Fprintln(&buf, Clean(err.Error()))
	}
	_, werr := w.Write(buf.Bytes())
	return werr
}

func (p Printer) one(w *bytes.Buffer, e *Error) {
	if e.Pos != (Pos{}) {
		fmt.Fprintf(w, "%s: ", p.paint("1", p.pos(e.Pos)))
	}
	fmt.Fprintf(w, "%s %s\n", p.paint("31", string(e.Code)+":"), Clean(e.Msg))
	p.excerpt(w, e.Pos)
	for _, n := range e.Notes {
		fmt.Fprintf(w, "  %s: %s\n", p.pos(n.Pos), Clean(n.Msg))
		p.excerpt(w, n.Pos)
	}
	if e.Hint != "" {
		fmt.Fprintf(w, "  %s %s\n", p.paint("36", "hint:"), Clean(e.Hint))
	}
}

func (p Printer) pos(pos Pos) string {
	if p.Shorten != nil {
		pos.File = p.Shorten(pos.File)
	}
	return strings.ReplaceAll(Clean(pos.String()), "\n", "\ufffd") // the file name may be hostile
}

// excerpt writes the source line of pos, and a caret below the column. It repeats the tabs before
// the column, so that the caret is aligned.
func (p Printer) excerpt(w *bytes.Buffer, pos Pos) {
	if p.Source == nil || !pos.IsValid() {
		return
	}
	line, ok := lineOf(p.Source(pos.File), pos.Line)
	if !ok {
		return
	}
	before := line[:min(max(pos.Column-1, 0), len(line))]
	const most = 160 // a minified line must not fill the screen
	if len(before) <= most && len(line) > most {
		line = strings.ToValidUTF8(line[:most], "") + "…"
	} else if len(before) > most {
		return
	}
	pad := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, before)
	number := fmt.Sprintf("%4d", pos.Line)
	fmt.Fprintf(w, "  %s | %s\n", p.paint("2", number), Clean(line))
	fmt.Fprintf(w, "  %s | %s%s\n", strings.Repeat(" ", len(number)), pad, p.paint("31", "^"))
}

func (p Printer) paint(sgr, s string) string {
	if !p.Color {
		return s
	}
	return "\x1b[" + sgr + "m" + s + "\x1b[0m"
}

func lineOf(src []byte, n int) (string, bool) {
	for i := 1; len(src) > 0; i++ {
		line, rest, _ := bytes.Cut(src, []byte("\n"))
		if i == n {
			return strings.TrimSuffix(string(line), "\r"), true
		}
		src = rest
	}
	return "", false
}

// Clean makes text from a page or a file safe to print on a terminal. Control characters and
// bidirectional formatting characters could forge or hide output, so they become U+FFFD. Tabs and
// line breaks stay.
func Clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && isControl(r) {
			return '\ufffd'
		}
		return r
	}, s)
}

// CleanJSON makes JSON safe to print on a terminal. It escapes the characters that [Clean]
// replaces, which does not change the value. Line breaks stay. The result may be data itself.
func CleanJSON(data []byte) []byte {
	var out []byte
	done := 0
	for i := 0; i < len(data); {
		if data[i] < 0x7f { // control characters are already escaped, or are white space between values
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		if isControl(r) {
			out = fmt.Appendf(append(out, data[done:i]...), `\u%04x`, r)
			done = i + size
		}
		i += size
	}
	if out == nil {
		return data
	}
	return append(out, data[done:]...)
}

// isControl reports whether r could change how a terminal shows other text: a control or
// bidirectional formatting character.
func isControl(r rune) bool {
	return r < 0x20 || r >= 0x7f && r < 0xa0 || unicode.Is(unicode.Bidi_Control, r)
}
