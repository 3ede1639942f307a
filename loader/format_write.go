package loader

// Writing the canonical form.

import (
	"slices"
	"strings"

	"github.com/actionregistry/action/spec"
)

// A formWriter writes pieces.
type formWriter struct{ strings.Builder }

// line returns the text of a piece and whether it fits on one line.
func (p *piece) line() (string, bool) {
	switch {
	case p.kind != spec.Map && p.kind != spec.List:
		if p.block || len(p.text) > 1 {
			return "", false
		}
		return strings.Join(p.text, ""), true
	case len(p.entries) == 0 && len(p.foot) == 0:
		return map[bool]string{true: "{}", false: "[]"}[p.kind == spec.Map], true
	case !p.flow || len(p.foot) > 0:
		return "", false
	}
	var parts []string
	for _, e := range p.entries {
		text, ok := e.value.line()
		if !ok || e.tail != "" || len(withoutGaps(e.head)) > 0 {
			return "", false
		}
		if e.key != nil {
			text = strings.TrimRight(e.key.text[0]+": "+text, " ")
			if e.value.kind == spec.Null && len(e.value.text) == 0 {
				text += " " // `{reload: , when: …}`: without the space it would be a key
			}
		}
		parts = append(parts, text)
	}
	all := strings.Join(parts, ", ")
	if p.kind == spec.Map {
		return "{" + all + "}", true
	}
	return "[" + all + "]", true
}

// block writes the entries of a collection, each on its own lines.
func (w *formWriter) block(p *piece, indent int) {
	for i := range p.entries {
		p.entries[i].value = p.entries[i].value.inBlock()
		w.entry(p, i, indent, true)
	}
	w.notes(p.foot, indent)
}

func (w *formWriter) notes(lines []string, indent int) {
	for _, text := range lines {
		w.WriteString(strings.TrimRight(strings.Repeat(" ", indent)+text, " ") + "\n")
	}
}

// entry writes one entry. begin is false if the entry follows the dash of a list on the same line.
func (w *formWriter) entry(p *piece, i, indent int, begin bool) {
	e := &p.entries[i]
	if begin {
		head := e.head
		if e.key == nil && e.value.kind == spec.Map && len(e.value.entries) > 0 {
			// The first key follows the dash, so its comments belong to the item.
			first := &e.value.entries[0]
			head = append(slices.Clone(head), withoutGaps(first.head)...)
			first.head = nil
		}
		w.notes(head, indent)
		w.WriteString(strings.Repeat(" ", indent))
	}
	if e.key == nil {
		w.item(e, indent)
		return
	}
	w.WriteString(e.key.text[0] + ":")
	w.value(e, indent, indent+len(e.key.text[0])+1)
}

// item writes an item of a list after its dash.
func (w *formWriter) item(e *formEntry, indent int) {
	w.WriteString("-")
	if e.value.alone {
		e.value.flow = false // - click: text:Save
	}
	text, fits := e.value.line()
	if e.value.kind == spec.Map && len(e.value.entries) > 0 && (!fits || indent+2+len(text) > formatWidth) {
		if e.tail != "" {
			w.WriteString(" " + e.tail + "\n" + strings.Repeat(" ", indent+2))
		} else {
			w.WriteString(" ")
		}
		for i := range e.value.entries {
			e.value.entries[i].value = e.value.entries[i].value.inBlock()
		}
		w.entry(e.value, 0, indent+2, false)
		for i := 1; i < len(e.value.entries); i++ {
			w.entry(e.value, i, indent+2, true)
		}
		w.notes(e.value.foot, indent+2)
		return
	}
	w.value(e, indent, indent+1)
}

// value writes the value of an entry. Its key or dash is already written, and the line has the
// length width.
func (w *formWriter) value(e *formEntry, indent, width int) {
	tail := ""
	if e.tail != "" {
		tail = " " + e.tail
	}
	v := e.value
	text, fits := v.line()
	collection := v.kind == spec.Map || v.kind == spec.List
	switch {
	case fits && (!collection || len(v.entries) == 0 || width+1+len(text) <= formatWidth):
		if text != "" {
			text = " " + text
		}
		w.WriteString(text + tail + "\n")
	case collection:
		w.WriteString(tail + "\n")
		w.block(v, indent+2)
	case v.block:
		w.literal(v, indent+2)
	default:
		for i, line := range v.text {
			if i == 0 {
				w.WriteString(" " + line)
				continue
			}
			w.WriteString("\n")
			if line != "" {
				w.WriteString(strings.Repeat(" ", indent+2) + line)
			}
		}
		w.WriteString(tail + "\n")
	}
}

// literal writes a block scalar. Its lines keep their relative indentation.
func (w *formWriter) literal(v *piece, indent int) {
	header := v.text[0]
	base, given := -1, -1
	if i := strings.IndexAny(header, "123456789"); i >= 0 && i <= 2 {
		given = i
	}
	for _, line := range v.text[1:] {
		if text := strings.TrimLeft(line, " "); text != "" && (base < 0 || given >= 0 && len(line)-len(text) < base) {
			base = len(line) - len(text)
			if given < 0 {
				break
			}
		}
	}
	if given >= 0 {
		// The number is relative to the enclosing block, wherever that is now.
		header = header[:given] + "2" + header[given+1:]
	}
	w.WriteString(" " + header + "\n")
	for _, line := range v.text[1:] {
		if line != "" {
			w.WriteString(strings.Repeat(" ", indent) + line[min(max(base, 0), len(line)):])
		}
		w.WriteString("\n")
	}
}

// formatWidth is the longest line for a collection in braces.
const formatWidth = 140
