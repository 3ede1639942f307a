package expr

// The functions of the filters. Values come from pages and callers. Each function bounds its
// result before building it. Errors describe a value but never show it, because it may be secret.

import (
	"context"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/actionregistry/action/diag"
)

// value returns the value to which r refers in s, after its filters.
func (r *Ref) value(s *Scope) (any, error) {
	v, whole := r.lookup(s)
	if whole != nil && v != nil && s.Derived != nil {
		if err := s.Derived(whole, v); err != nil {
			return nil, err
		}
	}
	if len(r.filters) == 0 {
		return v, nil
	}
	return r.filtered(v, s)
}

func (r *Ref) filtered(v any, s *Scope) (any, error) {
	v = plain(v)
	for i := range r.filters {
		select {
		case <-s.Done:
			return nil, context.Canceled
		default:
		}
		c := &r.filters[i]
		if v == nil && !c.filter.null {
			continue
		}
		out, err := c.run(v)
		if err != nil {
			err.Pos = c.pos
			return nil, err
		}
		if s.Derived != nil && c.derives(v) {
			if err := s.Derived(v, out); err != nil {
				return nil, err
			}
		}
		v = plain(out)
	}
	return v, nil
}

// run runs the filter. The error is LIMIT_EXCEEDED if v or the result is a text that is too long.
func (c *call) run(v any) (any, *diag.Error) {
	if tooLong(v) {
		return nil, tooLarge()
	}
	out, err := c.filter.run(v, c.args)
	if err == nil && tooLong(out) {
		return nil, tooLarge()
	}
	return out, err
}

func tooLong(v any) bool {
	s, ok := v.(string)
	return ok && len(s) > MaxValueBytes
}

// derives reports whether the result of the filter is another spelling of v. For an array, only the
// filter join has such a result. For an object, no filter has.
func (c *call) derives(v any) bool {
	switch v.(type) {
	case []any:
		return c.filter.derives && c.filter.name == "join"
	case map[string]any:
		return false
	}
	return c.filter.derives
}

// plain converts v to a JSON value. A number becomes an int64 or a float64. A value of any other Go
// type becomes nil.
func plain(v any) any {
	switch v.(type) {
	case nil, bool, string, int64, float64, []any, map[string]any:
		return v
	}
	n, ok := numberOf(v)
	switch {
	case !ok:
		return nil
	case n.isInt:
		return n.i
	}
	return n.f
}

// misfit returns the error for a value of the wrong type.
func misfit(name string, v any, want string) *diag.Error {
	hint := "apply the filter to an item or a member, as in ${list[0] | " + name + "}"
	switch v.(type) {
	case []any, map[string]any:
	default:
		hint = "remove the filter, or pass a value of another type"
	}
	return diag.New(diag.ParamInvalid, "the filter `%s` found %s, expected %s", name, kindOf(v), want).WithHint("%s", hint)
}

// textOf returns the text of v. Ok is false for an array or an object.
func textOf(v any) (string, bool) {
	switch v.(type) {
	case []any, map[string]any:
		return "", false
	}
	return Text(v), true
}

// ofText makes a filter from a function on texts. A number or a boolean counts as its text.
func ofText(name string, f func(string) string) func(any, []any) (any, *diag.Error) {
	return func(v any, _ []any) (any, *diag.Error) {
		s, ok := textOf(v)
		if !ok {
			return nil, misfit(name, v, "a text")
		}
		return f(s), nil
	}
}

func trimSpace(s string) string { return strings.TrimFunc(s, isJSSpace) }

func runSlice(v any, args []any) (any, *diag.Error) {
	if list, ok := v.([]any); ok {
		from, to := bounds(args, len(list))
		return list[from:to:to], nil
	}
	s, ok := textOf(v)
	if !ok {
		return nil, misfit("slice", v, "a text or an array")
	}
	from, to := bounds(args, utf8.RuneCountInString(s))
	start := runeOffset(s, from)
	return s[start : start+runeOffset(s[start:], to-from)], nil
}

// bounds returns the range that START and END select from n items.
func bounds(args []any, n int) (from, to int) {
	at := func(i int, otherwise int) int {
		if i >= len(args) {
			return otherwise
		}
		x := args[i].(int64)
		if x < 0 {
			x = max(x, int64(-n)) + int64(n)
		}
		return int(min(x, int64(n)))
	}
	from = at(0, 0)
	return from, max(from, at(1, n))
}

// runeOffset returns the byte offset of character n of s.
func runeOffset(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

func runNumber(v any, _ []any) (any, *diag.Error) {
	switch v := v.(type) {
	case int64, float64:
		return v, nil
	case string:
		if n, ok := decimal(trimSpace(v)); ok {
			return n, nil
		}
		return nil, diag.New(diag.ParamInvalid, "the filter `number` found %s, expected a number", shape(v)).
			WithHint("the whole text must be a number such as 12, -1.5 or 1e3: remove other characters first, as in ${x | replace ',', '' | number}, or use a default: ${x | default 0 | number}")
	}
	return nil, misfit("number", v, "a text or a number")
}

// decimal parses [+-]digits[.digits][e[+-]digits].
func decimal(s string) (any, bool) {
	n := 0
	if n < len(s) && (s[n] == '+' || s[n] == '-') {
		n++
	}
	whole := digitsAt(s, n)
	n += whole
	if n < len(s) && s[n] == '.' {
		fraction := digitsAt(s, n+1)
		whole += fraction
		n += 1 + fraction
	}
	if whole == 0 {
		return nil, false
	}
	if n < len(s) && (s[n] == 'e' || s[n] == 'E') {
		n++
		if n < len(s) && (s[n] == '+' || s[n] == '-') {
			n++
		}
		digits := digitsAt(s, n)
		if digits == 0 {
			return nil, false
		}
		n += digits
	}
	if n < len(s) {
		return nil, false
	}
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		return i, true
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return nil, false // beyond 1.8e308
	}
	if f == math.Trunc(f) && math.Abs(f) < 1<<63 {
		return int64(f), true
	}
	return f, true
}

const maxPad = 1000

func checkPad(n int, arg any) (wrong, hint string) {
	if width, ok := arg.(int64); ok && (width < 1 || width > maxPad) {
		return "found the width " + strconv.FormatInt(width, 10) + ", expected 1 to " + strconv.Itoa(maxPad),
			"write the number of characters of the result, as in ${n | pad 2}"
	}
	if s, ok := arg.(string); ok && n == 1 && utf8.RuneCountInString(s) != 1 {
		return "found " + clip(literalText(s)) + " as the padding, expected one character", "write one character, as in ${n | pad 5, ' '}"
	}
	return "", ""
}

func runPad(v any, args []any) (any, *diag.Error) {
	s, ok := textOf(v)
	if !ok {
		return nil, misfit("pad", v, "a text or a number")
	}
	with := "0"
	if len(args) > 1 {
		with = args[1].(string)
	}
	lack := int(args[0].(int64)) - utf8.RuneCountInString(s)
	if lack <= 0 {
		return s, nil
	}
	sign := ""
	if with == "0" && strings.HasPrefix(s, "-") {
		if _, isNumber := decimal(s); isNumber {
			sign, s = s[:1], s[1:]
		}
	}
	return sign + strings.Repeat(with, lack) + s, nil
}

func runDefault(v any, args []any) (any, *diag.Error) {
	if isEmpty(v) {
		return args[0], nil
	}
	return v, nil
}

func isEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

func runJSON(v any, _ []any) (any, *diag.Error) {
	// Check the depth before recursing.
	if err := (*Sizer)(nil).Check(v); err != nil {
		return nil, diag.As(err)
	}
	return string(appendJSON(nil, v, MaxValueBytes)), nil
}

func runLength(v any, _ []any) (any, *diag.Error) {
	switch v := v.(type) {
	case nil:
		return int64(0), nil
	case string:
		return int64(utf8.RuneCountInString(v)), nil
	case []any:
		return int64(len(v)), nil
	case map[string]any:
		return int64(len(v)), nil
	}
	return nil, misfit("length", v, "a text, an array or an object")
}

// An end is one end of a list: first or last.
type end struct {
	name string
	item func(list []any) any
	rune func(s string) (r rune, size int)
}

var (
	first = end{"first", func(l []any) any { return l[0] }, utf8.DecodeRuneInString}
	last  = end{"last", func(l []any) any { return l[len(l)-1] }, utf8.DecodeLastRuneInString}
)

func runEnd(e end) func(any, []any) (any, *diag.Error) {
	return func(v any, _ []any) (any, *diag.Error) {
		if isEmpty(v) {
			return nil, nil
		}
		switch v := v.(type) {
		case []any:
			return e.item(v), nil
		case string:
			_, n := e.rune(v)
			if e.name == "last" {
				return v[len(v)-n:], nil
			}
			return v[:n], nil
		}
		return nil, misfit(e.name, v, "an array or a text")
	}
}

func runKeys(v any, _ []any) (any, *diag.Error) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, misfit("keys", v, "an object")
	}
	out := make([]any, 0, len(m))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, k)
	}
	return out, nil
}

func runJoin(v any, args []any) (any, *diag.Error) {
	list, ok := v.([]any)
	if !ok {
		return nil, misfit("join", v, "an array")
	}
	var out []byte
	for i, item := range list {
		if i > 0 {
			out = append(out, args[0].(string)...)
		}
		switch item.(type) {
		case []any, map[string]any:
			if err := (*Sizer)(nil).Check(item); err != nil {
				return nil, diag.As(err)
			}
		}
		out = appendText(out, item, MaxValueBytes)
		if len(out) > MaxValueBytes {
			return nil, tooLarge()
		}
	}
	return string(out), nil
}

func runSplit(v any, args []any) (any, *diag.Error) {
	s, ok := textOf(v)
	if !ok {
		return nil, misfit("split", v, "a text")
	}
	at := args[0].(string)
	// Each part costs more than its text: see measure.
	if n := strings.Count(s, at) + 1; len(s)-(n-1)*len(at)+3*n > MaxValueBytes {
		return nil, tooLarge()
	}
	parts := strings.Split(s, at)
	out := make([]any, len(parts))
	for i, part := range parts {
		out[i] = part
	}
	return out, nil
}

func checkReplace(n int, arg any) (wrong, hint string) {
	if n == 0 && arg == "" {
		return "found an empty text to replace, expected at least one character", "write the text to replace, as in ${name | replace '-', ' '}"
	}
	return "", ""
}

func runReplace(v any, args []any) (any, *diag.Error) {
	s, ok := textOf(v)
	if !ok {
		return nil, misfit("replace", v, "a text")
	}
	old, with := args[0].(string), args[1].(string)
	if grown := len(s) + strings.Count(s, old)*(len(with)-len(old)); grown > MaxValueBytes {
		return nil, tooLarge()
	}
	return strings.ReplaceAll(s, old, with), nil
}

// shape describes the kinds of characters in a text. Messages contain it instead of the text.
func shape(s string) string {
	if s == "" {
		return "an empty text"
	}
	var b strings.Builder
	for i, r := range s {
		if i >= 30 {
			b.WriteString("…")
			break
		}
		switch {
		case '0' <= r && r <= '9':
			b.WriteByte('9')
		case r >= utf8.RuneSelf || isNameStart(byte(r)) && r != '_':
			b.WriteByte('x')
		case r < ' ' || r == 0x7f:
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return "a text of the form " + strconv.Quote(b.String())
}
