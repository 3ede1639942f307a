package loader

// The canonical form of a definition file: what `action fmt` writes. It keeps comments, the
// order of keys (except those of a step), how each scalar is written, and which collections
// are in braces, as long as they fit on a line. It changes the layout, and writes steps in
// their short form.

import (
	"slices"
	"strings"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/steps"
	"github.com/actionregistry/action/spec"
)

// formatWidth is the length up to which a collection in braces stays on one line.
const formatWidth = 140

// Format returns a definition file in its canonical form. A file that does not load has
// problems and no form. The result loads, means the same, and is its own canonical form.
func Format(name string, data []byte) ([]byte, diag.List) {
	root, problems := ParseFile(name, data)
	if len(problems) > 0 {
		return nil, problems
	}
	if _, problems := spec.Decode(root, spec.Source{}, steps.MainArg); len(problems) > 0 {
		return nil, problems
	}
	p := &fileParser{name: name}
	p.open(data)
	f := &formatter{fileParser: p}
	tree := f.piece(root, -1)
	f.comments()
	at := 0
	f.attach(tree, &at, 0)
	tree.foot = append(tree.foot, f.upTo(&at, len(p.src), 0)...)
	shortenFile(tree)
	var w formWriter
	w.block(tree, 0)
	out := []byte(strings.TrimLeft(w.String(), "\n"))
	if again, problems := ParseFile(name, out); len(problems) > 0 || !sameMeaning(root, again) {
		return nil, diag.List{diag.At(root.Pos, diag.Internal, "%s has a form that would not mean the same", name).
			WithHint("this is a fault of ours: please report it with the file; the file is as it was")}
	}
	return out, nil
}

// sameMeaning compares two files as they are decoded.
func sameMeaning(a, b *spec.Node) bool {
	return longForm(a).Equal(longForm(b))
}

// longForm writes every step of a file's tree in the long form, with the arguments named.
func longForm(root *spec.Node) *spec.Node {
	var walk func(n *spec.Node, isSteps bool) *spec.Node
	walk = func(n *spec.Node, isSteps bool) *spec.Node {
		if n == nil {
			return nil
		}
		out := *n
		out.Items, out.Keys = nil, nil
		for _, item := range n.Items {
			if isSteps && item.Kind == spec.Map {
				item = longStep(item)
			}
			out.Items = append(out.Items, walk(item, false))
		}
		for _, k := range n.Keys {
			k.Value = walk(k.Value, isStepList(k.Name, k.Value))
			out.Keys = append(out.Keys, k)
		}
		return &out
	}
	return walk(root, false)
}

func isStepList(key string, n *spec.Node) bool {
	return n != nil && n.Kind == spec.List && (key == "steps" || key == "fallback" || key == "else")
}

// longStep is a step in the long form, its keys in the canonical order.
func longStep(n *spec.Node) *spec.Node {
	out := &spec.Node{Kind: spec.Map, Pos: n.Pos}
	short := -1
	if n.Get("action") == nil {
		other := func(k spec.Key) bool { return !slices.Contains(stepKeysInOrder, k.Name) }
		short = slices.IndexFunc(n.Keys, func(k spec.Key) bool {
			_, known := steps.MainArg(k.Name)
			return known && other(k)
		})
		if short < 0 {
			short = slices.IndexFunc(n.Keys, other)
		}
	}
	for i, k := range n.Keys {
		switch {
		case i != short:
			if k.Name != "args" || k.Value.Kind != spec.Map || len(k.Value.Keys) > 0 {
				out.Keys = append(out.Keys, k)
			}
			continue
		case k.Value.Kind == spec.Map && len(k.Value.Keys) > 0:
			out.Keys = append(out.Keys, spec.Key{Name: "args", Value: k.Value})
		case k.Value.Kind != spec.Null && k.Value.Kind != spec.Map:
			main, _ := steps.MainArg(k.Name)
			out.Keys = append(out.Keys, spec.Key{Name: "args", Value: &spec.Node{Kind: spec.Map, Keys: []spec.Key{{Name: main, Value: k.Value}}}})
		}
		out.Keys = append(out.Keys, spec.Key{Name: "action", Value: &spec.Node{Kind: spec.String, Str: k.Name, Raw: k.Name}})
	}
	slices.SortStableFunc(out.Keys, func(a, b spec.Key) int { return stepOrder(a.Name) - stepOrder(b.Name) })
	return out
}

// stepKeysInOrder are the keys of a step after the step itself.
var stepKeysInOrder = []string{
	"action", "args", "description", "when", "scope", "output", "timeout", "retry", "retry_delay", "on_error", "steps", "cases", "else", "fallback",
}

func stepOrder(key string) int {
	if i := slices.Index(stepKeysInOrder, key); i >= 0 {
		return i
	}
	return 0 // the step itself, in the short form
}

// A piece is a node with how it is written.
type piece struct {
	kind       spec.Kind
	name       string // of a scalar: its value
	start, end int    // in the source
	column     int    // of the first entry of a block
	flow       bool
	text       []string // of a scalar: its lines, as written
	block      bool     // the scalar is a block: text begins with its header
	entries    []formEntry
	foot       []string // comments after the last formEntry
}

// An entry is one entry of a map, or an item of a list.
type formEntry struct {
	head  []string // comments above it, "" for an empty line
	key   *piece   // nil: of a list
	value *piece
	tail  string // the comment on its line
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

// piece makes the pieces of a node. parent is the column of the block around it, from which
// a block scalar is indented.
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

// closing is the end of a collection in braces.
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

// found corrects the offset of a plain scalar: with white space behind it, the library's is
// too far to the right.
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

// quotedEnd is the offset after the closing quote.
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

// blockEnd is the end of a block scalar: its last line that is indented deeper than the
// block around it.
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

// plainEnd is the end of a plain scalar with a value: as many lines as it takes.
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
		for cut := len(text); cut > 0; cut-- { // in braces something may follow it
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

// comments finds those between the scalars.
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

// upTo takes the comments on lines of their own before an offset that are not left of a
// column, with an empty line above each that has one.
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

// attach gives the comments to the entries that they are about.
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

// emptyAbove reports whether the line above the one of an offset is empty.
func (f *formatter) emptyAbove(at int) bool {
	start := strings.LastIndexByte(f.src[:at], '\n')
	if start < 0 || strings.Trim(f.src[start+1:at], " -") != "" {
		return false
	}
	above := f.src[strings.LastIndexByte(f.src[:start], '\n')+1 : start]
	return strings.TrimSpace(above) == ""
}

// onLine takes the comment behind what ends at an offset, on the same line.
func (f *formatter) onLine(at *int, end int) string {
	if *at >= len(f.notes) || f.notes[*at].own || f.notes[*at].start < end || strings.Contains(f.src[end:f.notes[*at].start], "\n") {
		return ""
	}
	*at++
	return f.notes[*at-1].text
}

// nextText is the offset of what follows at, other than comments.
func (f *formatter) nextText(at, otherwise int) int {
	for _, s := range f.spans {
		if s[0] >= at {
			return s[0]
		}
	}
	return otherwise
}

func (p *piece) get(key string) *piece {
	for _, e := range p.entries {
		if e.key != nil && e.key.name == key {
			return e.value
		}
	}
	return nil
}

// shortenFile writes the steps of a file in their short form.
func shortenFile(root *piece) {
	shortenActions(root.get("actions"))
	if c := root.get("compatibility"); c != nil {
		if overrides := c.get("version_overrides"); overrides != nil {
			for _, e := range overrides.entries {
				shortenActions(e.value.get("actions"))
			}
		}
	}
}

func shortenActions(actions *piece) {
	if actions == nil {
		return
	}
	for _, e := range actions.entries {
		shortenSteps(e.value.get("steps"))
	}
}

func shortenSteps(list *piece) {
	if list == nil || list.kind != spec.List {
		return
	}
	for i := range list.entries {
		step := list.entries[i].value
		if step.kind != spec.Map {
			continue
		}
		shortenStep(step)
		for _, key := range []string{"steps", "fallback", "else"} {
			shortenSteps(step.get(key))
		}
		if cases := step.get("cases"); cases != nil {
			for _, one := range cases.entries {
				shortenSteps(one.value.get("steps"))
			}
		}
		if len(step.entries) == 1 && !list.flow {
			step.flow = false // - click: text:Save
		}
	}
}

// shortenStep puts the step itself first, with its arguments, and the other keys in order.
func shortenStep(step *piece) {
	action, args := -1, -1
	for i, e := range step.entries {
		switch e.key.name {
		case "action":
			if _, known := steps.MainArg(e.value.name); known {
				action = i
			}
		case "args":
			args = i
		}
	}
	if action >= 0 {
		e := step.entries[action]
		short := formEntry{head: e.head, tail: e.tail, key: &piece{kind: spec.String, name: e.value.name, text: []string{e.value.name}}, value: &piece{kind: spec.Null}}
		if args >= 0 {
			a := step.entries[args]
			short.head = append(short.head, withoutGaps(a.head)...)
			if short.tail == "" {
				short.tail = a.tail
			} else if a.tail != "" {
				short.head = append(short.head, a.tail)
			}
			short.value = mainOf(e.value.name, a.value, &short)
		}
		step.entries[action] = short
		if args >= 0 {
			step.entries = slices.Delete(step.entries, args, args+1)
		}
	}
	var gap []string
	if len(step.entries) > 0 {
		gap = step.entries[0].head
		step.entries[0].head = nil
	}
	slices.SortStableFunc(step.entries, func(a, b formEntry) int { return stepOrder(a.key.name) - stepOrder(b.key.name) })
	for i := range step.entries {
		step.entries[i].head = withoutGaps(step.entries[i].head)
	}
	if len(step.entries) > 0 {
		step.entries[0].head = append(gap, step.entries[0].head...)
	}
}

func withoutGaps(head []string) []string {
	return slices.DeleteFunc(slices.Clone(head), func(s string) bool { return s == "" })
}

// inBlock is a scalar that may stand outside of braces: there, a plain text with a colon at
// its end would be a key.
func (p *piece) inBlock() *piece {
	if p.kind != spec.String || len(p.text) != 1 || !strings.HasSuffix(p.text[0], ":") {
		return p
	}
	quoted := *p
	quoted.text = []string{diag.JSONText(p.name)}
	return &quoted
}

// mainOf is the value of a step's short form: its arguments, or the main one alone.
func mainOf(step string, args *piece, short *formEntry) *piece {
	if len(args.entries) == 0 {
		return &piece{kind: spec.Null}
	}
	main, _ := steps.MainArg(step)
	e := args.entries[0]
	if len(args.entries) > 1 || e.key.name != main || e.value.kind == spec.Map || e.value.kind == spec.Null || len(args.foot) > 0 {
		return args
	}
	short.head = append(short.head, withoutGaps(e.head)...)
	if e.tail != "" && short.tail != "" {
		short.head = append(short.head, e.tail)
	} else if e.tail != "" {
		short.tail = e.tail
	}
	return e.value.inBlock()
}

// A formWriter writes pieces.
type formWriter struct{ strings.Builder }

// line is the text of a piece that fits on one, and whether it does.
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

// block writes the entries of a collection, each on lines of its own.
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

// entry writes one. With begin the line is begun by it, otherwise by the dash of a list.
func (w *formWriter) entry(p *piece, i, indent int, begin bool) {
	e := &p.entries[i]
	if begin {
		head := e.head
		if e.key == nil && e.value.kind == spec.Map && len(e.value.entries) > 0 {
			// The first key stands behind the dash, so its comments are the item's.
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

// item writes an item of a list behind its dash.
func (w *formWriter) item(e *formEntry, indent int) {
	w.WriteString("-")
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

// value writes the value of an entry behind its key or dash, whose line has a width.
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

// literal writes a block scalar: its lines keep their indentation among themselves.
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
		// The number counts from the block around it, wherever that is now.
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
