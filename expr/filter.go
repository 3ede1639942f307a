package expr

// Filters: ${name | lower | slice 0, 3}.
//
//	filters  = { "|" name [ argument { "," argument } ] }
//	argument = number | string | "true" | "false" | "null"
//
// The table below is the only list of filters. The parser checks calls against it, the evaluator
// runs its functions, and docs/expressions.md is generated from it. Definitions cannot add
// filters.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/actionregistry/action/diag"
)

// A FilterInfo describes a filter, for documentation.
type FilterInfo struct {
	Name    string
	Usage   string // the syntax, such as "slice START, [END]"
	Doc     string
	Example string // a reference, such as "${name | lower}"
}

// Filters returns the filters in the order of the documentation. The caller owns the slice.
func Filters() []FilterInfo {
	out := make([]FilterInfo, len(filters))
	for i := range filters {
		f := &filters[i]
		out[i] = FilterInfo{Name: f.name, Usage: f.usage(), Doc: f.doc, Example: f.example}
	}
	return out
}

// A filter is one entry of the table.
type filter struct {
	name    string
	args    []filterArg
	doc     string
	example string
	also    []string // names in other languages, for hints

	// check returns what is wrong with an argument of the right kind, and a hint. For a valid
	// argument, both are "". Nil accepts every argument of the right kind.
	check func(n int, arg any) (wrong, hint string)
	// null means that run accepts null. Otherwise the result for null is null.
	null bool
	// derives means that the result contains its input in another spelling. If the input is
	// secret, the result is secret too.
	derives bool
	// run is a pure function. The error has no position.
	run func(v any, args []any) (any, *diag.Error)
}

type filterArg struct {
	name     string
	kind     argKind
	optional bool
}

type argKind uint8

const (
	argText argKind = iota
	argInteger
	argLiteral // any literal
)

var argKinds = [...]string{argText: "a text", argInteger: "an integer", argLiteral: "a literal"}

func (k argKind) fits(v any) bool {
	switch v.(type) {
	case string:
		return k != argInteger
	case int64:
		return k != argText
	}
	return k == argLiteral
}

var filters = [...]filter{
	{
		name: "lower", derives: true, run: ofText("lower", strings.ToLower), example: "${name | lower}",
		doc: "the text in lower case", also: []string{"downcase", "lowercase", "toLowerCase"},
	},
	{
		name: "upper", derives: true, run: ofText("upper", strings.ToUpper), example: "${name | upper}",
		doc: "the text in upper case", also: []string{"upcase", "uppercase", "toUpperCase"},
	},
	{
		name: "trim", derives: true, run: ofText("trim", trimSpace), example: "${name | trim}",
		doc: "the text without leading and trailing white space", also: []string{"strip"},
	},
	{
		name: "slice", derives: true, run: runSlice, example: "${name | slice 0, 3}",
		args: []filterArg{{"START", argInteger, false}, {"END", argInteger, true}},
		doc:  "the characters of a text, or the items of an array, from START up to but not including END; positions count from 0, negative ones from the end",
		also: []string{"substring", "substr"},
	},
	{
		name: "number", derives: true, run: runNumber, example: "${count | number}",
		doc: "the number that the whole text spells: `12`, `-1.5`, `1e3`", also: []string{"int", "float", "toNumber", "parseInt"},
	},
	{
		name: "pad", derives: true, run: runPad, check: checkPad, example: "${n | pad 2}",
		args: []filterArg{{"WIDTH", argInteger, false}, {"WITH", argText, true}},
		doc:  "the text padded on the left with zeros, or with the character WITH, to WIDTH characters; a minus sign stays before the zeros",
		also: []string{"padStart", "zfill", "rjust"},
	},
	{
		name: "default", null: true, run: runDefault, example: "${x | default 'none'}",
		args: []filterArg{{"VALUE", argLiteral, false}},
		doc:  "the value, or VALUE if the value is null, missing, or an empty text, array or object", also: []string{"or", "else", "fallback"},
	},
	{
		name: "json", null: true, derives: true, run: runJSON, example: "${value | json}",
		doc: "the value as compact JSON with sorted keys", also: []string{"toJSON", "stringify"},
	},
	{
		name: "date", derives: true, run: runDate, check: checkDateFormat, example: "${value | date 'DD/MM/YYYY'}",
		args: []filterArg{{"FORMAT", argText, false}},
		doc:  "a date, a time or both, given in ISO 8601, in the format FORMAT", also: []string{"format", "strftime", "formatDate"},
	},
	{
		name: "length", null: true, run: runLength, example: "${list | length}",
		doc: "the number of characters of a text, items of an array or keys of an object; 0 for null", also: []string{"size", "count", "len"},
	},
	{
		name: "first", run: runEnd(first), example: "${list | first}",
		doc: "the first item of an array, or the first character of a text; null if there is none", also: []string{"head"},
	},
	{
		name: "last", run: runEnd(last), example: "${list | last}",
		doc: "the last item of an array, or the last character of a text; null if there is none", also: []string{"tail"},
	},
	{
		name: "keys", run: runKeys, example: "${value | keys}",
		doc: "the keys of an object as a sorted array", also: []string{"names"},
	},
	{
		name: "join", derives: true, run: runJoin, example: "${list | join ', '}",
		args: []filterArg{{"BETWEEN", argText, false}},
		doc:  "the items of an array as one text, separated by BETWEEN", also: []string{"implode", "concat"},
	},
	{
		name: "split", derives: true, run: runSplit, example: "${name | split ', '}",
		args: []filterArg{{"AT", argText, false}},
		doc:  "the parts of a text separated by AT, as an array; its characters if AT is empty", also: []string{"explode"},
	},
	{
		name: "replace", derives: true, run: runReplace, check: checkReplace, example: "${name | replace '-', ' '}",
		args: []filterArg{{"OLD", argText, false}, {"NEW", argText, false}},
		doc:  "the text with every OLD replaced by NEW; OLD is literal, not a pattern", also: []string{"gsub", "sub", "replaceAll"},
	},
	{
		name: "pager", run: runPager, example: "${name | pager}",
		doc: "the numbers in the text of a pager, such as `1–5 of 23` or `Page 2 of 9`, as an object with those of the keys from, to, total, size, page and pages that the text shows; null for any other text",
	},
}

func filterNamed(name string) *filter {
	for i := range filters {
		if filters[i].name == name {
			return &filters[i]
		}
	}
	return nil
}

func filterNames() []string {
	names := make([]string, len(filters))
	for i := range filters {
		names[i] = filters[i].name
	}
	return names
}

func (f *filter) usage() string {
	var b strings.Builder
	b.WriteString(f.name)
	for i, a := range f.args {
		switch {
		case i == 0:
			b.WriteString(" ")
		default:
			b.WriteString(", ")
		}
		if a.optional {
			b.WriteString("[" + a.name + "]")
		} else {
			b.WriteString(a.name)
		}
	}
	return b.String()
}

// required returns the number of required arguments.
func (f *filter) required() int {
	n := 0
	for n < len(f.args) && !f.args[n].optional {
		n++
	}
	return n
}

// A call is a filter with its arguments.
type call struct {
	filter *filter
	args   []any
	pos    diag.Pos // position of the name
}

func (c *call) write(b *strings.Builder) {
	b.WriteString(" | ")
	b.WriteString(c.filter.name)
	for i, arg := range c.args {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte(' ')
		b.WriteString(literalText(arg))
	}
}

// Filters returns the names of the filters of r, in order. The caller owns the slice.
func (r *Ref) Filters() []string {
	var names []string
	for i := range r.filters {
		names = append(names, r.filters[i].filter.name)
	}
	return names
}

// calls reads the filters of r. It stops before "||", which the caller reports.
func (p *parser) calls(r *Ref) {
	for p.space(); p.err == nil && p.peek(0) == '|' && p.peek(1) != '|'; p.space() {
		at := p.off
		p.off++
		p.space()
		c := p.call()
		if p.err != nil {
			return
		}
		if len(r.filters) == p.lim.Depth {
			p.fail(at, diag.LimitExceeded, "found a reference with too many filters, expected at most %d", p.lim.Depth).
				WithHint("compute part of the value in an earlier `set` step")
			return
		}
		r.filters = append(r.filters, c)
	}
}

func (p *parser) call() call {
	start := p.off
	if !isNameStart(p.peek(0)) {
		p.fail(start, diag.DefinitionInvalid, "found %s after |, expected a filter", p.found(start)).
			WithHint("write the name of a filter: %s", strings.Join(filterNames(), ", "))
		return call{}
	}
	name := p.name()
	f := filterNamed(name)
	if f == nil {
		p.unknownFilter(start, name)
		return call{}
	}
	c := call{filter: f, pos: p.pos(start)}
	p.space()
	if c0 := p.peek(0); c0 == '|' || c0 == '}' || p.off == len(p.src) {
		p.enoughArgs(start, &c)
		return c
	}
	for {
		p.argument(&c)
		if p.space(); p.err != nil || p.peek(0) != ',' {
			break
		}
		p.off++
		p.space()
	}
	if c0 := p.peek(0); p.err == nil && c0 != '|' && c0 != '}' && p.off < len(p.src) {
		p.fail(p.off, diag.DefinitionInvalid, "found %s after the arguments of `%s`, expected a comma, | or }", p.found(p.off), name).
			WithHint("separate arguments with commas, as in %s", f.example)
	}
	p.enoughArgs(start, &c)
	return c
}

func (p *parser) enoughArgs(start int, c *call) {
	if f := c.filter; p.err == nil && len(c.args) < f.required() {
		missing := f.args[len(c.args)]
		p.fail(start, diag.DefinitionInvalid, "found the filter `%s` without %s, expected %s", f.name, missing.name, argKinds[missing.kind]).
			WithHint("write %s, as in %s", f.usage(), f.example)
	}
}

// argument reads a literal and checks it against the filter's parameter.
func (p *parser) argument(c *call) {
	start, f, n := p.off, c.filter, len(c.args)
	v := p.literal(f)
	if p.err != nil {
		return
	}
	written := clip(p.src[start:p.off])
	if n >= len(f.args) {
		p.fail(start, diag.DefinitionInvalid, "found the argument %s, expected %s", written, atMost(f)).
			WithHint("write %s, as in %s", f.usage(), f.example)
		return
	}
	if kind := f.args[n].kind; !kind.fits(v) {
		p.fail(start, diag.DefinitionInvalid, "found %s for %s of the filter `%s`, expected %s", written, f.args[n].name, f.name, argKinds[kind]).
			WithHint("write %s, as in %s", f.usage(), f.example)
		return
	}
	if f.check != nil {
		if wrong, hint := f.check(n, v); wrong != "" {
			p.fail(start, diag.DefinitionInvalid, "%s", wrong).WithHint("%s", hint)
			return
		}
	}
	c.args = append(c.args, v)
}

func atMost(f *filter) string {
	switch len(f.args) {
	case 0:
		return "no argument of `" + f.name + "`"
	case 1:
		return "at most one argument of `" + f.name + "`"
	}
	return "at most " + strconv.Itoa(len(f.args)) + " arguments of `" + f.name + "`"
}

// literal reads an argument of f.
func (p *parser) literal(f *filter) any {
	start := p.off
	switch c := p.peek(0); {
	case c == '\'' || c == '"':
		return p.str("text")
	case isDigit(c), c == '-' && isDigit(p.peek(1)):
		return p.number()
	case isNameStart(c):
		switch word := p.name(); word {
		case "true":
			return true
		case "false":
			return false
		case "null":
			return nil
		default:
			p.fail(start, diag.DefinitionInvalid, "found the name %s after `%s`, expected a literal", clip(word), f.name).
				WithHint("to use the name as a text, quote it: '%s'; an argument cannot be a reference", clip(word))
		}
		return nil
	}
	hint := "write " + f.usage() + ", as in " + f.example
	switch p.peek(0) {
	case '(', ':':
		hint = "write arguments after a space, without ( ) or a colon, as in " + f.example
	case '$':
		hint = "an argument must be a literal, not a reference"
	}
	p.fail(start, diag.DefinitionInvalid, "found %s after `%s`, expected |, } or a literal", p.found(start), f.name).WithHint("%s", hint)
	return nil
}

func (p *parser) unknownFilter(start int, name string) {
	hint := "use one of: " + strings.Join(filterNames(), ", ")
	if near := diag.Nearest(name, filterNames()); near != "" {
		hint = "did you mean " + near + "?"
	} else {
		for i := range filters {
			if slices.ContainsFunc(filters[i].also, func(s string) bool { return strings.EqualFold(s, name) }) {
				hint = "did you mean " + filters[i].name + ", as in " + filters[i].example + "?"
				break
			}
		}
	}
	p.fail(start, diag.DefinitionInvalid, "found the unknown filter %s, expected a known filter", clip(name)).WithHint("%s", hint)
}
