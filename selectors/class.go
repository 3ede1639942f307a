package selectors

// Classes of characters in JavaScript. regexp/syntax turns \pL and [^\pL\s] into hundreds of ranges.
// A pattern goes to the page with each query, so its classes are written with properties again.

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	lru "github.com/hashicorp/golang-lru/v2"
)

// manyRanges is the number of ranges from which jsClass looks for properties in a class.
const manyRanges = 8

// A property is a class that JavaScript has a name for.
type property struct {
	js     string // such as \p{L}
	ranges []rune // first and last character of each range, in order
}

// properties returns the properties that jsClass uses, those with the most characters first. The
// browser may have a newer version of Unicode than Go. Then its classes contain more characters.
var properties = sync.OnceValue(func() []property {
	var list []property
	for _, name := range []string{"L", "M", "N", "P", "S", "Lu", "Ll", "Lo", "Lm", "Nd", "Nl", "No", "Mn", "Mc", "Po", "Ps", "Pe", "Pd", "Sm", "Sc", "Sk", "So"} {
		list = append(list, property{`\p{` + name + `}`, rangesOf(unicode.Categories[name])})
	}
	for _, name := range []string{"Han", "Hiragana", "Katakana", "Hangul", "Latin", "Greek", "Cyrillic", "Arabic", "Hebrew", "Thai", "Devanagari"} {
		list = append(list, property{`\p{sc=` + name + `}`, rangesOf(unicode.Scripts[name])})
	}
	return list
})

func rangesOf(table *unicode.RangeTable) []rune {
	var out []rune
	add := func(lo, hi, stride rune) {
		for ; lo <= hi; lo += stride {
			last := lo
			if stride == 1 {
				last = hi
			}
			if n := len(out); n > 0 && out[n-1]+1 == lo {
				out[n-1] = last
			} else {
				out = append(out, lo, last)
			}
			if stride == 1 {
				return
			}
		}
	}
	for _, r := range table.R16 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range table.R32 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	return out
}

// classes caches the classes with many ranges: the same few are in most patterns.
var classes = sync.OnceValue(func() *lru.Cache[string, string] {
	cache, err := lru.New[string, string](100)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return cache
})

// jsClass prints ranges of characters.
func jsClass(ranges []rune) string {
	if len(ranges) < 2*manyRanges {
		return `[` + jsRanges(ranges) + `]`
	}
	var packed []byte
	for _, r := range ranges { // string(ranges) would not distinguish surrogates
		packed = binary.BigEndian.AppendUint32(packed, uint32(r))
	}
	key := string(packed)
	if js, ok := classes().Get(key); ok {
		return js
	}
	js := `[` + withProperties(ranges) + `]`
	if not := `[^` + withProperties(without(allRunes, ranges)) + `]`; len(not) < len(js) {
		js = not
	}
	classes().Add(key, js)
	return js
}

var allRunes = []rune{0, unicode.MaxRune}

// withProperties prints the inside of a class: the properties that are wholly in it, then the other
// ranges.
func withProperties(ranges []rune) string {
	var b strings.Builder
	rest := ranges
	for _, p := range properties() {
		if len(without(p.ranges, ranges)) > 0 {
			continue
		}
		if left := without(rest, p.ranges); !slices.Equal(left, rest) {
			b.WriteString(p.js)
			rest = left
		}
	}
	return b.String() + jsRanges(rest)
}

// without returns the ranges of a without the characters of b.
func without(a, b []rune) []rune {
	var out []rune
	for i, j := 0, 0; i < len(a); i += 2 {
		lo, hi := a[i], a[i+1]
		for ; j < len(b) && b[j+1] < lo; j += 2 {
		}
		for k := j; k < len(b) && b[k] <= hi; k += 2 {
			if b[k] > lo {
				out = append(out, lo, b[k]-1)
			}
			lo = b[k+1] + 1
		}
		if lo <= hi {
			out = append(out, lo, hi)
		}
	}
	return out
}

func jsRanges(ranges []rune) string {
	var b strings.Builder
	for i := 0; i < len(ranges); i += 2 {
		lo, hi := ranges[i], ranges[i+1]
		b.WriteString(jsClassRune(lo))
		if hi > lo {
			b.WriteByte('-')
			b.WriteString(jsClassRune(hi))
		}
	}
	return b.String()
}

func jsClassRune(r rune) string {
	if r < 0x80 && isAlnum(byte(r)) || r > 0xa0 && unicode.IsLetter(r) {
		return string(r)
	}
	return jsCode(r)
}

func jsCode(r rune) string { return fmt.Sprintf(`\u{%x}`, r) }
