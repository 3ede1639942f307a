package expr

// Truth, equality, order and text of values, as JavaScript users expect them.

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Truth reports whether v counts as true. All values do except false, null, 0, NaN and "".
func Truth(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != ""
	}
	if n, ok := numberOf(v); ok {
		return n.f != 0 && n.f == n.f
	}
	return true
}

// Equal reports whether a and b are equal, as == does in a condition. It compares arrays and
// objects by content, and numbers by value, whatever their Go type. NaN equals nothing.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case nil:
		return b == nil
	case bool:
		b, ok := b.(bool)
		return ok && a == b
	case string:
		b, ok := b.(string)
		return ok && a == b
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, Equal)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && equalObjects(a, b)
	}
	x, ok1 := numberOf(a)
	y, ok2 := numberOf(b)
	return ok1 && ok2 && x.compare(y) == 0 && x.f == x.f && y.f == y.f
}

func equalObjects(a, b map[string]any) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		w, ok := b[k]
		if !ok || !Equal(v, w) {
			return false
		}
	}
	return true
}

// Compare compares a and b as numbers. order is negative, 0 or positive. A text counts as the
// number at its beginning, as in JavaScript's parseFloat. All other values count as 0. ok is false
// if a or b is NaN.
func Compare(a, b any) (order int, ok bool) {
	x, y := orderValue(a), orderValue(b)
	if x.f != x.f || y.f != y.f {
		return 0, false
	}
	return x.compare(y), true
}

func orderValue(v any) number {
	if s, ok := v.(string); ok {
		return number{f: numericPrefix(s)}
	}
	n, _ := numberOf(v)
	return n
}

// A number is a float. If it came from an integer it also keeps the integer, so that values
// beyond 2^53 compare exactly.
type number struct {
	f     float64
	i     int64
	isInt bool
}

func integer(i int64) number { return number{f: float64(i), i: i, isInt: true} }

func (n number) compare(m number) int {
	switch {
	case n.isInt && m.isInt:
		return cmp.Compare(n.i, m.i)
	case n.f != m.f:
		return cmp.Compare(n.f, m.f)
	case n.isInt:
		return compareIntFloat(n.i, m.f)
	case m.isInt:
		return -compareIntFloat(m.i, n.f)
	}
	return 0
}

// compareIntFloat compares i and f exactly. f must be the float to which i rounds.
func compareIntFloat(i int64, f float64) int {
	if f >= 1<<63 {
		return -1
	}
	return cmp.Compare(i, int64(f))
}

func numberOf(v any) (number, bool) {
	switch v := v.(type) {
	case int64:
		return integer(v), true
	case int:
		return integer(int64(v)), true
	case float64:
		return number{f: v}, true
	case float32:
		return number{f: float64(v)}, true
	case int32:
		return integer(int64(v)), true
	case uint32:
		return integer(int64(v)), true
	case uint64:
		if v > math.MaxInt64 {
			return number{f: float64(v)}, true
		}
		return integer(int64(v)), true
	case uint:
		return numberOf(uint64(v))
	case int16:
		return integer(int64(v)), true
	case uint16:
		return integer(int64(v)), true
	case int8:
		return integer(int64(v)), true
	case uint8:
		return integer(int64(v)), true
	}
	return number{}, false
}

// numericPrefix parses s like parseFloat, with 0 for NaN.
func numericPrefix(s string) float64 {
	s = strings.TrimLeftFunc(s, isJSSpace)
	n := 0
	if n < len(s) && (s[n] == '+' || s[n] == '-') {
		n++
	}
	if strings.HasPrefix(s[n:], "Infinity") {
		if s[0] == '-' {
			return math.Inf(-1)
		}
		return math.Inf(1)
	}
	whole := digitsAt(s, n)
	n += whole
	if n < len(s) && s[n] == '.' {
		fraction := digitsAt(s, n+1)
		if whole+fraction == 0 {
			return 0
		}
		n += 1 + fraction
	} else if whole == 0 {
		return 0
	}
	if n < len(s) && (s[n] == 'e' || s[n] == 'E') {
		e := n + 1
		if e < len(s) && (s[e] == '+' || s[e] == '-') {
			e++
		}
		if d := digitsAt(s, e); d > 0 {
			n = e + d
		}
	}
	f, _ := strconv.ParseFloat(s[:n], 64) // out of range gives ±Inf or 0, as in JavaScript
	return f
}

// digitsAt counts the digits of s from offset i.
func digitsAt(s string, i int) int {
	n := 0
	for i+n < len(s) && isDigit(s[i+n]) {
		n++
	}
	return n
}

// isJSSpace reports whether r is white space in JavaScript, which differs from Unicode in two
// characters.
func isJSSpace(r rune) bool {
	return r == '\ufeff' || r != '\u0085' && unicode.IsSpace(r)
}

// Text returns v as it appears in a text. Null is empty. Numbers are formatted as in JavaScript.
// Arrays and objects are compact JSON with sorted keys.
func Text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return string(appendText(nil, v, math.MaxInt))
}

// appendText appends the text of v. It may stop early once dst is longer than limit.
func appendText(dst []byte, v any, limit int) []byte {
	switch v := v.(type) {
	case nil:
		return dst
	case string:
		if len(v) > limit { // avoid the copy
			return append(dst, v[:limit+1]...)
		}
		return append(dst, v...)
	case []any, map[string]any:
		// The JSON is not appended in place: passing dst to a recursive function would move the
		// buffer of every caller to the heap.
		return append(dst, appendJSON(nil, v, limit)...)
	}
	return appendScalar(dst, v)
}

// appendScalar appends a boolean or a number.
func appendScalar(dst []byte, v any) []byte {
	if b, ok := v.(bool); ok {
		return strconv.AppendBool(dst, b)
	}
	n, ok := numberOf(v)
	switch {
	case !ok:
		return append(dst, "null"...)
	case n.isInt:
		return strconv.AppendInt(dst, n.i, 10)
	}
	return appendFloat(dst, n.f)
}

func appendJSON(dst []byte, v any, limit int) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case string:
		return appendJSONString(dst, v)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) { // JSON has no NaN and no Inf
			return append(dst, "null"...)
		}
	case map[string]any:
		return appendObject(dst, v, limit)
	case []any:
		dst = append(dst, '[')
		for i, item := range v {
			if len(dst) > limit {
				return dst
			}
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, item, limit)
		}
		return append(dst, ']')
	}
	return appendScalar(dst, v)
}

func appendObject(dst []byte, m map[string]any, limit int) []byte {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	dst = append(dst, '{')
	for i, k := range keys {
		if len(dst) > limit {
			return dst
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendJSONString(dst, k)
		dst = append(dst, ':')
		dst = appendJSON(dst, m[k], limit)
	}
	return append(dst, '}')
}

// appendFloat formats f like JavaScript's Number.prototype.toString.
func appendFloat(dst []byte, f float64) []byte {
	switch abs := math.Abs(f); {
	case f != f:
		return append(dst, "NaN"...)
	case f == 0: // also -0
		return append(dst, '0')
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	case abs >= 1e-6 && abs < 1e21:
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// Go writes exponents with at least two digits: 1e-07.
	if n := len(dst); n-start >= 4 && dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

const hexDigits = "0123456789abcdef"

func appendJSONString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	done := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(dst, s[done:i]...)
				dst = append(dst, "\ufffd"...)
				done = i + 1
			}
			i += n
			continue
		}
		if c >= 0x20 && c != '"' && c != '\\' {
			i++
			continue
		}
		dst = append(dst, s[done:i]...)
		dst = appendEscape(dst, c)
		i++
		done = i
	}
	dst = append(dst, s[done:]...)
	return append(dst, '"')
}

// appendEscape writes a byte below 0x80 in a form that both JSON and conditions accept.
func appendEscape(dst []byte, c byte) []byte {
	if i := strings.IndexByte("\n\r\t\b\f\\'\"", c); i >= 0 {
		return append(dst, '\\', `nrtbf\'"`[i])
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// writeQuoted prints s as a literal of a condition.
func writeQuoted(b *strings.Builder, s string, quote byte) {
	b.WriteByte(quote)
	done := 0
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c == quote || c == '\\' {
			b.WriteString(s[done:i])
			var buf [6]byte
			b.Write(appendEscape(buf[:0], c))
			done = i + 1
		}
	}
	b.WriteString(s[done:])
	b.WriteByte(quote)
}

// kindOf names the type of v in errors.
func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a text"
	case []any:
		return "an array"
	case map[string]any:
		return "an object"
	}
	return "a number"
}

// literalText formats a literal so that parsing it gives the same value.
func literalText(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		var b strings.Builder
		writeQuoted(&b, v, '\'')
		return b.String()
	}
	return Text(v)
}
