package selectors

// Printing of selectors, in canonical form or with values inserted.

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/actionregistry/action/expr"
)

// A writer prints parts. If values is nil, it prints them in the syntax of a file. Otherwise, it
// inserts the values of references.
type writer struct {
	strings.Builder
	values  *binder
	unknown func(*expr.Ref) string // returns "" if the value is known; nil means that all values are known
}

// String returns s in its canonical form, without its scope. Parsing that form gives an equal
// selector if Literal is not set and the other options are those of s.
func (s *Selector) String() string {
	var w writer
	w.chain(s.parts)
	return w.Builder.String()
}

// Source returns the text of s for a message, with the values of references inserted. It does not
// replace aliases, or references whose value is missing or does not fit.
func (s *Selector) Source(scope *expr.Scope) string {
	w := writer{values: &binder{Binding: Binding{Scope: scope}}}
	w.scoped(s)
	return w.Builder.String()
}

// Show is like Source, for the plan of a run. Some values are not known before the run: for these
// references, the function "unknown" returns a substitute. It returns "" for other references.
func (s *Selector) Show(scope *expr.Scope, unknown func(*expr.Ref) string) string {
	w := writer{values: &binder{Binding: Binding{Scope: scope}}, unknown: unknown}
	w.scoped(s)
	return w.Builder.String()
}

// mark replaces references whose value is unknown by their substitutes.
func (w *writer) mark(ps pieces) pieces {
	out := make(pieces, len(ps))
	for i, x := range ps {
		if x.ref != nil {
			if text := w.unknown(x.ref); text != "" {
				x = piece{lit: text}
			}
		}
		if x.group != nil {
			x.group = w.mark(x.group)
		}
		out[i] = x
	}
	return out
}

// whole writes a part that consists of one reference. If its value is unknown, whole writes the
// substitute.
func (w *writer) whole(r *expr.Ref) {
	text := ""
	if w.unknown != nil {
		text = w.unknown(r)
	}
	if text == "" {
		text = r.String()
	}
	w.WriteString(text)
}

// scoped writes the scope of s, and then s. It reports whether it wrote anything.
func (w *writer) scoped(s *Selector) bool {
	alone := false
	if len(s.parts) > 0 {
		switch s.parts[0].(type) {
		case *refPart, *stepPart:
			alone = true
		}
	}
	if s.scope != nil && !alone && w.scoped(s.scope) && len(s.parts) > 0 {
		w.WriteString(" >> ")
	}
	w.chain(s.parts)
	return w.Len() > 0
}

func (w *writer) chain(parts []part) {
	for i, x := range parts {
		if i > 0 {
			w.WriteString(" >> ")
		}
		x.write(w)
	}
}

// resolve inserts the values of references. If a value is missing or does not fit, resolve returns
// ps with its references.
func (w *writer) resolve(ps pieces) pieces {
	if w.values == nil {
		return ps
	}
	if w.unknown != nil {
		ps = w.mark(ps)
	}
	s, err := w.values.join(ps)
	if err != nil {
		return ps
	}
	return pieces{}.text(s)
}

// code writes a CSS or XPath text.
func (w *writer) code(ps pieces) {
	for _, x := range ps {
		switch {
		case x.group != nil:
			w.xpathGroup(x.group)
		case x.ref != nil:
			w.WriteString(x.ref.String())
		case w.values != nil:
			w.WriteString(x.lit)
		default:
			w.WriteString(strings.ReplaceAll(x.lit, "${", "$${"))
		}
	}
}

// xpathGroup writes a string with holes in quotes. It chooses quotes that the texts of the string
// do not contain.
func (w *writer) xpathGroup(group pieces) {
	quote := "'"
	for _, x := range group {
		if strings.Contains(x.lit, quote) {
			quote = `"`
		}
	}
	w.WriteString(quote)
	w.code(group)
	w.WriteString(quote)
}

// barInText finds a "|" that would separate the selectors in "any:(…)" and "either:(…)".
var barInText = lazy(`(^|[\s(])\|($|[\s)])`)

// plainly reports whether ps can be written without quotes.
func plainly(ps pieces) bool {
	s, ok := dataText(ps)
	if !ok || s == "" || s[0] == '"' || isSpace(s[0]) || isSpace(s[len(s)-1]) || strings.Contains(s, ">>") || barInText().MatchString(s) {
		return false
	}
	open := 0
	for _, r := range s {
		switch {
		case r == '(':
			open++
		case r == ')':
			open--
		case r < 0x20 || r == 0x7f:
			return false
		}
		if open < 0 {
			return false
		}
	}
	return open == 0
}

// dataText returns the text of ps with a letter in place of each hole. It returns false if ps
// contains a "$" that would need an escape.
func dataText(ps pieces) (string, bool) {
	var b strings.Builder
	for i, x := range ps {
		if x.ref != nil {
			b.WriteByte('x')
			continue
		}
		if strings.Contains(x.lit, "${") || i+1 < len(ps) && strings.HasSuffix(x.lit, "$") {
			return "", false
		}
		b.WriteString(x.lit)
	}
	return b.String(), true
}

// text writes a text, in quotes if necessary.
func (w *writer) text(ps pieces) {
	if ps = w.resolve(ps); plainly(ps) {
		w.code(ps)
		return
	}
	w.json(ps)
}

// name writes the name of a role, as in [name='OK']. If the name would need escapes, it uses double
// quotes instead of single quotes.
func (w *writer) name(ps pieces) {
	ps = w.resolve(ps)
	s, ok := dataText(ps)
	for _, r := range s {
		ok = ok && r != '\'' && r != '\\' && r >= 0x20 && r != 0x7f
	}
	if !ok {
		w.json(ps)
		return
	}
	w.WriteByte('\'')
	w.code(ps)
	w.WriteByte('\'')
}

// json writes a string in double quotes. It escapes a "$" that would begin a hole.
func (w *writer) json(ps pieces) {
	w.WriteByte('"')
	for i, x := range ps {
		if x.ref != nil {
			w.WriteString(x.ref.String())
			continue
		}
		s := jsonText(x.lit)
		if i+1 < len(ps) && strings.HasSuffix(s, "$") {
			s = strings.TrimSuffix(s, "$") + `\u0024`
		}
		w.WriteString(s)
	}
	w.WriteByte('"')
}

// jsonText returns s escaped for the inside of a JSON string.
func jsonText(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return "" // cannot happen for a string
	}
	out := strings.TrimSuffix(b.String(), "\n")
	return strings.ReplaceAll(out[1:len(out)-1], "${", `\u0024{`)
}

func (x *codePart) write(w *writer) {
	if x.prefix || w.values == nil {
		w.WriteString(string(x.kind) + ":")
	}
	w.code(w.resolve(x.body))
}

func (x *textPart) write(w *writer) {
	w.WriteString(string(x.kind) + string(x.op) + ":")
	w.text(x.body)
}

func (x *nthPart) write(w *writer) {
	w.WriteString("nth:")
	n := x.index
	if x.ref != nil {
		var ok bool
		if n, ok = w.integer(x.ref); !ok {
			w.whole(x.ref)
			return
		}
	}
	w.WriteString(strconv.Itoa(n))
}

func (w *writer) integer(r *expr.Ref) (int, bool) {
	if w.values == nil {
		return 0, false
	}
	n, err := w.values.integer(r)
	return n, err == nil
}

func (x *framePart) write(w *writer) {
	w.WriteString("frame:")
	x.inner.write(w)
}

func (x *refPart) write(w *writer) {
	w.WriteByte('@')
	if x.snapshot != "" {
		w.WriteString(x.snapshot + ":")
	}
	w.WriteString(x.ref)
}

func (x *aliasPart) write(w *writer) { w.WriteString(x.ref.String()) }

func (x *stepPart) write(w *writer) {
	if w.values != nil {
		if r, err := w.values.stepRef(x.ref); err == nil {
			r.write(w)
			return
		}
	}
	w.whole(x.ref)
}

func (x *paramPart) write(w *writer) {
	if w.values != nil {
		if s, err := w.values.param(x.ref); err == nil {
			w.chain(s.parts)
			return
		}
	}
	w.whole(x.ref)
}

func (x *rolePart) write(w *writer) {
	w.WriteString("role:")
	if x.roleRef != nil {
		w.code(w.resolve(pieces{{ref: x.roleRef}}))
	} else {
		w.WriteString(x.role)
	}
	for i := range x.attrs {
		x.attrs[i].write(w)
	}
}

func (a *roleAttr) write(w *writer) {
	w.WriteString("[" + a.name)
	switch {
	case a.name == "name":
		w.WriteString(string(a.op) + "=")
		w.name(a.body)
	case a.ref != nil:
		w.WriteByte('=')
		w.code(w.resolve(pieces{{ref: a.ref}}))
	case a.value != true:
		w.WriteString("=" + expr.Text(a.value))
	}
	w.WriteByte(']')
}

// Quote returns value in the syntax of a kind, for building a selector that matches value
// literally. For css and xpath, the result is a string in that language. For role, it is the text
// after "name=". For other kinds, it is the text after the colon. The result contains no "${", so
// it may be used both in a file and on the command line.
func Quote(kind Kind, value string) string {
	value = strings.ToValidUTF8(value, "\ufffd")
	switch kind {
	case CSS:
		return `"` + strings.ReplaceAll(escapeCSSString(value), "${", `\24 {`) + `"`
	case XPath:
		if !strings.Contains(value, "${") {
			return xpathLiteral(value)
		}
		var parts []string
		for _, s := range strings.SplitAfter(value, "$") {
			parts = append(parts, xpathLiteral(s))
		}
		return "concat(" + strings.Join(parts, ", ") + ")"
	}
	var w writer
	if ps := (pieces{}).text(value); kind == Role {
		w.name(ps)
	} else {
		w.text(ps)
	}
	return w.Builder.String()
}
